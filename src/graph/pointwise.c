/* pointwise.c -- a node whose elements are computed.
 *
 * In     an array, and a second one for functions of two; the terms of the function
 * Out    a node with one layer: the formula of its operand with the new terms behind, over maps of the
 *        result's shape; with several where several formulas meet in the operand
 * Keeps  terms are joined only where the result stays exactly the same: a conversion to the same type is
 *        dropped, two swaps of bytes cancel, a conversion to a type that holds every value joins the next one
 * Cuts   a formula with more terms or operands than there may be, or an operand in which many formulas meet;
 *        a second operand that is computed and puts something aside itself (BESIDE), or is small: to compute
 *        it once costs less than to compute it for each element of the result
 * Tests  tests/py/test_elements.py (against NumPy), tests/unit/test_elements.c
 */
#include "graph/make.h"

#include <string.h>

/* ---- formulas that grow ---- */

/* Whether `to` holds every value of `from`. */
static bool holds(vf_dtype to, vf_dtype from)
{
	static const int digits[] = {[VF_F16] = 11, [VF_BF16] = 8, [VF_F32] = 24, [VF_F64] = 53};
	vf_dtype part = vf_dtype_part(to), from_part = vf_dtype_part(from);
	if (to == from)
		return true;
	if (from_part)
		return part && holds(part, from_part);
	if (part)
		return holds(part, from);
	if (from == VF_BOOL)
		return true;
	int64_t bits = 8 * vf_dtype_bytes(from) - vf_dtype_is_signed(from);
	if (vf_dtype_is_float(to) && vf_dtype_is_float(from))
		return to == VF_F64 || (to == VF_F32 && from != VF_F64);
	if (vf_dtype_is_float(to))
		return bits <= digits[to];
	if (vf_dtype_is_float(from) || to == VF_BOOL)
		return false;
	bool sign_fits = vf_dtype_is_signed(to) || !vf_dtype_is_signed(from);
	return sign_fits && bits <= 8 * vf_dtype_bytes(to) - vf_dtype_is_signed(to);
}

/* Whether converting a to b to c gives the same as a to c. By way of a float, an integer is clipped to c's
 * ends; directly, it wraps. */
static bool joins(vf_dtype a, vf_dtype b, vf_dtype c)
{
	bool wraps = !vf_dtype_is_float(a) && !vf_dtype_part(a) && vf_dtype_is_integer(c);
	bool through_float = vf_dtype_is_float(b) || vf_dtype_part(b);
	return holds(b, a) && (!wraps || !through_float || holds(c, a));
}

static vf_dtype type_before_last(const vf_formula *f)
{
	return f->nterm > 1 ? f->terms[f->nterm - 2].dtype : f->from;
}

static void drop_last(vf_formula *f)
{
	f->to = type_before_last(f);
	memset(&f->terms[--f->nterm], 0, sizeof f->terms[0]);
}

/* Append a term, or join it with the last one. False if there is no room. */
static bool append(vf_formula *f, const vf_term *t)
{
	const vf_term *last = f->nterm ? &f->terms[f->nterm - 1] : NULL;
	if (t->kind == VF_TERM_CONVERT && last && last->kind == VF_TERM_CONVERT &&
	    joins(type_before_last(f), f->to, t->dtype))
		drop_last(f);
	if (t->kind == VF_TERM_CONVERT && t->dtype == f->to)
		return true;
	vf_dtype part = vf_dtype_part(t->dtype);
	if (t->kind == VF_TERM_SWAP && vf_dtype_bytes(part ? part : t->dtype) == 1)
		return true;
	if (t->kind == VF_TERM_SWAP && last && last->kind == VF_TERM_SWAP) {
		drop_last(f);
		return true;
	}
	if (f->nterm == VF_MOST_TERMS || (t->operand >= 0 && f->noperand == VF_MOST_OPERANDS))
		return false;
	vf_term *added = &f->terms[f->nterm++];
	*added = *t;
	if (t->operand >= 0)
		added->operand = f->noperand++;
	f->to = t->dtype;
	return true;
}

/* Append a conversion and the terms. Joining may leave no term at all, or no more than before. False, and
 * nothing is changed, if there is no room. */
static bool append_all(vf_formula *f, const vf_terms *t)
{
	vf_formula grown = *f;
	vf_term convert = {.kind = VF_TERM_CONVERT, .dtype = t->dtype, .operand = -1};
	bool fits = append(&grown, &convert);
	for (int i = 0; i < t->n && fits; i++)
		fits = append(&grown, &t->terms[i]);
	if (fits)
		*f = grown;
	return fits;
}

/* ---- the operands ---- */

/* An element function: its operands, and the formula that comes of it. */
typedef struct pointwise {
	vf_array *base, *other; /* `other`: NULL, or a reference of its own */
	vf_terms terms;
	vf_formula formula, alone; /* alone: while the other operand is still an array */
	const vf_map *maps[1 + VF_MOST_OPERANDS];
	vf_map *made[2]; /* those of `maps` that are over cuts */
	int rank;
	int64_t shape[VF_MAX_RANK];
} pointwise;

/* How the last axis of two operands lies in one of them, also as it stretches to the other. */
enum { APART, SAME, BESIDE };

static int last_axis(const vf_array *a, const vf_array *other)
{
	const vf_map *map = a->nlayer == 1 ? a->layers[0].maps[0] : a->map, *also = other->map;
	int64_t strides[VF_MAX_RANK];
	if (map->has_tables || !vf_map_plain(map, strides))
		return APART;
	for (int i = 1; i <= map->rank; i++) {
		const int64_t stride = strides[map->rank - i];
		if (map->shape[map->rank - i] > 1)
			return stride == 0 ? SAME : stride == 1 ? BESIDE : APART;
		if (i <= also->rank && also->shape[also->rank - i] > 1)
			return SAME;
	}
	return SAME;
}

/* Whether all elements of the array come from its one layer. */
static bool one_formula(const vf_array *a)
{
	for (int i = 0; i < a->map->nregion; i++)
		if (!vf_is_computed(a->map->regions[i].source))
			return false;
	return a->nlayer == 1;
}

/* A computed operand is the better base, as it has a formula to append to; of two that in which several meet.
 * If neither is computed, it is the one that must be brought side by side first. But what lies so is better
 * than what repeats an element, computed or not: `apply` reads second values best that are one. */
static bool is_better_base(const vf_array *a, const vf_array *than)
{
	const int lies = last_axis(a, than), other = last_axis(than, a);
	const bool stretches = lies == SAME && other == BESIDE, under = lies == BESIDE && other == SAME;
	if (than->nlayer > 0)
		return one_formula(than) && (a->nlayer > 0 ? !one_formula(a) : under);
	if (a->nlayer > 0)
		return !stretches || !one_formula(a);
	return (lies == APART && other != APART) || under;
}

static void choose_base(vf_maker *m, pointwise *p)
{
	static const vf_term_kind turned[] = {
	    [VF_TERM_ADD] = VF_TERM_ADD,  [VF_TERM_SUB] = VF_TERM_FROM, [VF_TERM_MUL] = VF_TERM_MUL,
	    [VF_TERM_DIV] = VF_TERM_OVER, [VF_TERM_FROM] = VF_TERM_SUB, [VF_TERM_OVER] = VF_TERM_DIV};
	vf_fold *f = &m->fold;
	const bool turn = f->n == 2 && f->in[0]->dtype == p->terms.dtype &&
	                  is_better_base(f->in[1], f->in[0]);
	p->base = f->in[turn];
	p->other = f->n == 2 ? vf_retain(f->in[!turn]) : NULL;
	if (turn)
		p->terms.terms[0].kind = turned[p->terms.terms[0].kind];
}

/* Convert the other operand to the type that the term computes in. */
static bool convert_other(pointwise *p)
{
	if (!p->other || p->other->dtype == p->terms.dtype)
		return true;
	vf_array *converted = vf_to(p->other, p->terms.dtype);
	vf_release(p->other);
	p->other = converted;
	return converted != NULL;
}

static const vf_map *cut(vf_maker *m, pointwise *p, vf_array *a, int i, const char *why)
{
	vf_storage *s = vf_cut_because(m->node, why) ? vf_node_cut(m->node, a) : NULL;
	vf_map_drop(m->fold.ctx, p->made[i]);
	p->made[i] = NULL;
	if (s)
		p->made[i] = vf_c_map(m->fold.arena, a->map->rank, a->map->shape, s);
	return p->made[i];
}

/* Begin a new formula on the base; on a cut of it if there is a reason `why`. */
static bool begin(vf_maker *m, pointwise *p, const char *why)
{
	p->formula = (vf_formula){.from = p->base->dtype, .to = p->base->dtype};
	p->maps[0] = why ? cut(m, p, p->base, 0, why) : p->base->map;
	return p->maps[0] && append_all(&p->formula, &p->terms);
}

static bool append_to_base(vf_maker *m, pointwise *p)
{
	if (p->base->nlayer == 0)
		return begin(m, p, NULL);
	if (!one_formula(p->base))
		return begin(m, p, "several formulas meet in its operand");
	const vf_layer *l = &p->base->layers[0];
	p->formula = l->formula;
	for (int j = 0; j <= l->formula.noperand; j++)
		p->maps[j] = l->maps[j];
	return append_all(&p->formula, &p->terms) ||
	       begin(m, p, "its operand's formula is as long as they get");
}

static bool puts_aside(const vf_formula *f)
{
	for (int i = 0; i < f->nterm; i++)
		if (f->terms[i].kind == VF_TERM_BESIDE)
			return true;
	return false;
}

static int64_t result_size(const pointwise *p)
{
	int64_t size = 1;
	for (int i = 0; i < p->rank; i++)
		size *= p->shape[i];
	return size;
}

/* Whether the other operand is computed in the same pass. If it was made here, by convert_other(), its cuts
 * may end with it; so it must have none. */
static bool joins_other(const pointwise *p)
{
	enum { FEW = 8 };
	const vf_array *other = p->other;
	if (!one_formula(other) || other->ncut > 0 || puts_aside(&other->layers[0].formula))
		return false;
	const vf_formula *f = &other->layers[0].formula;
	return other->map->size > result_size(p) / FEW && p->formula.nterm + 1 + f->nterm <= VF_MOST_TERMS &&
	       p->formula.noperand + f->noperand <= VF_MOST_OPERANDS;
}

/* Insert the other operand's terms before the last term: BESIDE puts x aside, and the last term takes it
 * back. */
static void join_other(pointwise *p)
{
	const vf_layer *l = &p->other->layers[0];
	vf_formula *f = &p->formula;
	vf_term last = f->terms[--f->nterm];
	const int first = --f->noperand;
	last.operand = VF_PUT_ASIDE;
	f->terms[f->nterm++] = (vf_term){
	    .kind = VF_TERM_BESIDE, .dtype = l->formula.from, .operand = f->noperand++};
	for (int i = 0; i < l->formula.nterm; i++) {
		f->terms[f->nterm] = l->formula.terms[i];
		if (l->formula.terms[i].operand >= 0)
			f->terms[f->nterm].operand = f->noperand++;
		f->nterm++;
	}
	f->terms[f->nterm++] = last;
	for (int j = 0; j <= l->formula.noperand; j++)
		p->maps[1 + first + j] = l->maps[j];
}

static bool add_other(vf_maker *m, pointwise *p)
{
	p->alone = p->formula;
	if (!p->other)
		return true;
	if (p->other->nlayer && joins_other(p)) {
		join_other(p);
		return true;
	}
	const vf_map **map = &p->maps[p->formula.noperand];
	*map = p->other->nlayer ? cut(m, p, p->other, 1, "an operand beside is computed itself")
	                        : p->other->map;
	return *map != NULL;
}

/* ---- the node ---- */

static bool broadcast_shape(vf_fold *f, pointwise *p)
{
	const vf_map *a = p->base->map, *b = p->other ? p->other->map : a;
	char first[100], second[100];
	p->rank = a->rank > b->rank ? a->rank : b->rank;
	for (int i = 0; i < p->rank; i++) {
		int ia = i - (p->rank - a->rank), ib = i - (p->rank - b->rank);
		int64_t na = ia < 0 ? 1 : a->shape[ia], nb = ib < 0 ? 1 : b->shape[ib];
		if (na != nb && na != 1 && nb != 1)
			return fold_fail(
			    f, VF_ERR_SHAPE, "shapes %s and %s do not stretch to each other",
			    fold_shape_text(f->in[0]->map->rank, f->in[0]->map->shape, first, sizeof first),
			    fold_shape_text(f->in[1]->map->rank, f->in[1]->map->shape, second,
			                    sizeof second));
		p->shape[i] = na == 1 ? nb : na;
	}
	return fold_check_shape(f, p->rank, p->shape);
}

/* Stretch a map to the result's shape, as expand does. */
static vf_map *stretch(vf_arena *arena, const vf_map *map, const pointwise *p)
{
	vf_work w;
	bool same = map->rank == p->rank;
	for (int i = 0; i < p->rank && same; i++)
		same = map->shape[i] == p->shape[i];
	work_init(&w, arena);
	work_load(&w, map);
	if (!same)
		work_resolve(&w);
	for (int i = 0; i < p->rank; i++)
		if (p->shape[i] == 0)
			work_empty(&w);
	for (int i = map->rank; i < p->rank; i++)
		work_new_axis(&w, 0);
	for (int i = 0; i < p->rank && w.state == WORK_OK; i++)
		if (w.shape[i] != p->shape[i] && !same)
			work_expand(&w, i, p->shape[i]);
	return work_finish(&w);
}

static bool set_layer(vf_maker *m, const pointwise *p, vf_layer *layer)
{
	layer->formula = p->formula;
	for (int j = 0; j <= p->formula.noperand; j++) {
		layer->maps[j] = stretch(m->fold.arena, p->maps[j], p);
		if (!layer->maps[j])
			return false;
	}
	return true;
}

static bool set_maps(vf_maker *m, const pointwise *p)
{
	vf_array *node = m->node;
	node->layers = vf_alloc_zero(node->ctx, sizeof *node->layers);
	node->nlayer = node->layers != NULL;
	return node->layers && set_layer(m, p, node->layers);
}

/* The array reports C order over a storage of its own. If no term is left, it reads its operand unchanged. */
static bool finish(vf_maker *m, const pointwise *p)
{
	vf_array *node = m->node;
	bool nothing = p->formula.nterm == 0;
	node->dtype = p->formula.to;
	node->elem_bytes = vf_dtype_bytes(node->dtype);
	node->is_value = node->read_only = true;
	node->own = vf_node_storage(node, nothing ? VF_STORAGE_VALUE : VF_STORAGE_COMPUTED, node);
	node->face = node->own ? vf_c_map(m->fold.arena, p->rank, p->shape, node->own) : NULL;
	if (!node->face)
		return false;
	node->map = nothing ? node->layers[0].maps[0] : node->face;
	if (nothing)
		node->layers[0].maps[0] = NULL;
	if (nothing || node->map->size == 0)
		vf_layers_drop(node);
	if (!vf_product_fits(node->map->size, node->elem_bytes, &node->own->bytes))
		node->own->bytes = 0; /* as the size is refused, in fold.c */
	return true;
}

/* Cut the other operand if its radices do not fit those of the base. If that is not enough, cut the base. An
 * operand that has only strides is not cut: it would gain nothing. */
static bool fit_radices(vf_maker *m, pointwise *p)
{
	static const char why[] = "its operands' radices share no boundary";
	work_state state = vf_layer_fits(m->fold.arena, &m->node->layers[0]);
	const bool strided = p->other && p->other->nlayer == 0 && vf_has_strides_alone(p->other->map);
	for (int round = strided ? 1 : 0; round < 2 && state == WORK_GIVEN_UP; round++) {
		vf_layers_drop(m->node);
		p->formula = p->alone;
		if (round == 0 && p->other && !p->made[1])
			p->maps[p->formula.noperand] = cut(m, p, p->other, 1, why);
		else if (round == 1 && !begin(m, p, why))
			return false;
		if (round == 1 && p->other)
			p->maps[1] = p->made[1] ? p->made[1] : p->other->map;
		if (!p->maps[p->formula.noperand] || !set_maps(m, p))
			return false;
		state = vf_layer_fits(m->fold.arena, &m->node->layers[0]);
	}
	if (state == WORK_GIVEN_UP)
		fold_fail(&m->fold, VF_ERR_LIMIT, "%s, and would leave more than %d moves", why,
		          VF_MAX_NEW_REGIONS);
	return state == WORK_OK;
}

/* ---- of several formulas ---- */

/* The map of what the array has unchanged; the rest is elsewhere. */
static vf_map *map_of_unchanged(vf_arena *arena, const vf_array *a)
{
	vf_work w;
	work_init(&w, arena);
	w.limit += a->map->nregion;
	work_load(&w, a->map);
	for (int i = 0; i < w.nregion && w.state == WORK_OK; i++) {
		vf_region *r = &w.regions[i];
		if (!vf_is_computed(r->source))
			continue;
		r->source = &vf_elsewhere, r->offset = 0;
		for (int k = 0; k < r->ndigit; k++)
			r->digits[k].stride = 0, r->digits[k].table = NULL;
	}
	return work_finish(&w);
}

/* Sets the node's next layer: the terms behind formula i of the base, or behind nothing, over `unchanged`.
 * WORK_GIVEN_UP if it would have to be cut, or is a formula that another layer has. */
static work_state set_part(vf_maker *m, pointwise *p, int i, const vf_map *unchanged)
{
	const vf_layer *l = i < p->base->nlayer ? &p->base->layers[i] : NULL;
	vf_array *node = m->node;
	vf_layer *layer = &node->layers[node->nlayer++];
	p->formula = l ? l->formula : (vf_formula){.from = p->base->dtype, .to = p->base->dtype};
	p->maps[0] = unchanged;
	for (int j = 0; l && j <= l->formula.noperand; j++)
		p->maps[j] = l->maps[j];
	if (!append_all(&p->formula, &p->terms) || p->formula.nterm == 0)
		return WORK_GIVEN_UP;
	if (p->other && p->other->nlayer && !joins_other(p))
		return WORK_GIVEN_UP;
	if (p->other && p->other->nlayer)
		join_other(p);
	else if (p->other)
		p->maps[p->formula.noperand] = p->other->map;
	for (int k = 0; k < node->nlayer - 1; k++)
		if (vf_same_formula(&node->layers[k].formula, &p->formula))
			return WORK_GIVEN_UP;
	return set_layer(m, p, layer) ? vf_layer_fits(m->fold.arena, layer) : WORK_MEMORY;
}

/* Do several formulas meet in the array, but not many? Not with constants, as margins are: what is computed
 * of it by itself would begin and end inside lines. */
static bool meet_few(const vf_array *a)
{
	enum { MOST_FORMULAS = 8 };
	bool few = a->nlayer > 0 && !one_formula(a) && a->nlayer < MOST_FORMULAS;
	for (int i = 0; i < a->map->nregion; i++)
		few = few && a->map->regions[i].source;
	return few;
}

/* The function of each formula that the base has, and of what it has unchanged. If it is not WORK_OK, no
 * layer is set; WORK_GIVEN_UP: the base has to be cut. */
static work_state set_parts(vf_maker *m, pointwise *p)
{
	const vf_array *base = p->base;
	if (!meet_few(base))
		return WORK_GIVEN_UP;
	bool some = false;
	for (int i = 0; i < base->map->nregion; i++)
		some = some || !vf_is_computed(base->map->regions[i].source);
	vf_map *unchanged = some ? map_of_unchanged(m->fold.arena, base) : NULL;
	m->node->layers = vf_alloc_zero(m->node->ctx, (size_t)(base->nlayer + 1) * sizeof *m->node->layers);
	work_state state = m->node->layers && (unchanged || !some) ? WORK_OK : WORK_MEMORY;
	for (int i = 0; i < base->nlayer + some && state == WORK_OK; i++)
		state = set_part(m, p, i, unchanged);
	vf_map_drop(m->node->ctx, unchanged);
	if (state != WORK_OK)
		vf_layers_drop(m->node);
	return state;
}

/* ---- the whole ---- */

static bool make(vf_maker *m, pointwise *p)
{
	choose_base(m, p);
	if (!convert_other(p) || !broadcast_shape(&m->fold, p))
		return false;
	const work_state parts = set_parts(m, p);
	if (parts == WORK_MEMORY)
		return false;
	return (parts == WORK_OK ||
	        (append_to_base(m, p) && add_other(m, p) && set_maps(m, p) && fit_radices(m, p))) &&
	       finish(m, p);
}

bool vf_fold_terms(vf_maker *m)
{
	vf_fold *f = &m->fold;
	pointwise p = {0};
	vf_budget *budget = f->arena->budget;
	if (!f->op->terms(f, &p.terms))
		return false;
	f->arena->budget = NULL; /* maps are copied, and no map gets more regions */
	bool made = make(m, &p);
	f->arena->budget = budget;
	vf_release(p.other);
	for (int i = 0; i < 2; i++)
		vf_map_drop(f->ctx, p.made[i]);
	return made;
}
