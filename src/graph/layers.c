/* layers.c -- what is computed, and the view ops that go through it.
 *
 * In     operands, some of them with layers: formula(base, operands), each through a map
 * Out    the layers of the result: the op's rule, run on the maps of each layer
 * Keeps  V(f(b, o)) = f(V(b), V(o)); one layer for a formula, however many operands have that formula
 * How    where an operand has no layer of a formula, its map reads VF_STORAGE_ELSEWHERE; so does what a pad
 *        adds
 * Tests  tests/property/ (against the oracle), tests/py/test_elements.py
 */
#include "graph/make.h"
#include "map/refine.h"

#include <string.h>

const vf_storage vf_elsewhere = {.kind = VF_STORAGE_ELSEWHERE, .read_only = true};

/* ---- what an array is read through ---- */

int vf_read_count(const vf_array *a)
{
	int n = 1;
	for (int i = 0; i < a->nlayer; i++)
		n += 1 + a->layers[i].formula.noperand;
	return n;
}

vf_dtype vf_operand_dtype(const vf_formula *formula, int j)
{
	for (int i = 0; i < formula->nterm; i++)
		if (formula->terms[i].operand == j)
			return formula->terms[i].dtype;
	return 0;
}

vf_read vf_read_at(const vf_array *a, int i)
{
	if (i-- == 0)
		return (vf_read){a->map, a->dtype};
	const vf_layer *l = a->layers;
	for (; i > l->formula.noperand; l++)
		i -= 1 + l->formula.noperand;
	return (vf_read){l->maps[i], i ? vf_operand_dtype(&l->formula, i - 1) : l->formula.from};
}

static void drop_layer(vf_context *ctx, vf_layer *layer)
{
	for (int j = 0; j <= layer->formula.noperand; j++)
		vf_map_drop(ctx, layer->maps[j]);
}

void vf_layers_drop(vf_array *a)
{
	for (int i = 0; i < a->nlayer; i++)
		drop_layer(a->ctx, &a->layers[i]);
	vf_dealloc(a->ctx, a->layers);
	a->layers = NULL;
	a->nlayer = 0;
}

/* ---- can a move be made of a layer ---- */

bool vf_has_strides_alone(const vf_map *map)
{
	return !map->has_tables && vf_map_plain(map, NULL);
}

work_state vf_layer_fits(vf_arena *arena, const vf_layer *layer)
{
	const vf_map *base = layer->maps[0];
	vf_pieces pieces;
	vf_work w;
	bool plain = vf_has_strides_alone(base);
	for (int j = 1; j <= layer->formula.noperand; j++) {
		plain = plain && vf_has_strides_alone(layer->maps[j]);
		if (layer->maps[j]->has_tables)
			return WORK_GIVEN_UP; /* an operand of a move has strides alone */
	}
	/* Otherwise one axis of the base may cover several axes of an operand. Try it. */
	if (plain || base->size == 0)
		return WORK_OK;
	vf_pieces_open(&pieces, arena, base->space_rank);
	vf_pieces_add_map(&pieces, base);
	for (int j = 1; j <= layer->formula.noperand && pieces.state == WORK_OK; j++) {
		work_init(&w, arena);
		work_load(&w, layer->maps[j]);
		work_in_space(&w, base->space_rank, base->space);
		vf_pieces_refine(&pieces, &w);
	}
	return pieces.state == WORK_OK && pieces.n > VF_MAX_NEW_REGIONS + base->nregion ? WORK_GIVEN_UP
	                                                                                : pieces.state;
}

/* ---- an op through layers ---- */

bool vf_same_formula(const vf_formula *a, const vf_formula *b)
{
	return a->from == b->from && a->to == b->to && a->nterm == b->nterm && a->noperand == b->noperand &&
	       memcmp(a->terms, b->terms, (size_t)a->nterm * sizeof *a->terms) == 0;
}

static const vf_layer *find_layer(const vf_array *a, const vf_formula *formula)
{
	for (int i = 0; i < a->nlayer; i++)
		if (vf_same_formula(&a->layers[i].formula, formula))
			return &a->layers[i];
	return NULL;
}

/* A map of the shape of `like` that reads vf_elsewhere everywhere. */
static vf_map *map_elsewhere(vf_arena *arena, const vf_map *like)
{
	int64_t zeros[VF_MAX_RANK] = {0};
	vf_work w;
	work_init(&w, arena);
	work_plain(&w, &(work_strided){like->rank, like->shape, zeros, 0}, &vf_elsewhere, NULL);
	return work_finish(&w);
}

/* Run the rule on map j of the operands' layers of one formula. Returns NULL with the reason in *state; then
 * WORK_OK means that the context has an error. */
static vf_map *fold_layer_map(vf_maker *m, const vf_formula *formula, int j, work_state *state)
{
	vf_fold *f = &m->fold;
	vf_map **elsewhere = vf_arena_alloc(f->arena, f->n, sizeof *elsewhere);
	vf_map *map = NULL;
	bool fits = elsewhere != NULL;
	for (int i = 0; i < f->n && fits; i++) {
		const vf_layer *l = m->scratch[i] ? NULL : find_layer(f->in[i], formula);
		if (!l)
			elsewhere[i] = map_elsewhere(f->arena, f->in[i]->map);
		m->maps[i] = l ? l->maps[j] : elsewhere[i];
		fits = m->maps[i] != NULL;
	}
	if (fits) {
		f->of_layer = true;
		f->reporting = f->needs_cut = false;
		work_init(&f->out, f->arena);
		fits = f->op->rule(f);
		map = fits && !f->needs_cut ? work_finish(&f->out) : NULL;
		*state = f->needs_cut ? WORK_GIVEN_UP : f->out.state;
		f->of_layer = false;
	}
	for (int i = 0; i < f->n && elsewhere; i++)
		vf_map_drop(f->ctx, elsewhere[i]);
	return map;
}

static bool is_empty(const vf_layer *layer)
{
	for (int i = 0; i < layer->maps[0]->nregion; i++)
		if (layer->maps[0]->regions[i].source != &vf_elsewhere)
			return false;
	return true;
}

static work_state add_layer(vf_maker *m, const vf_formula *formula)
{
	vf_array *node = m->node;
	work_state state = WORK_MEMORY;
	vf_layer *grown = vf_realloc(node->ctx, node->layers, (size_t)(node->nlayer + 1) * sizeof *grown);
	if (!grown)
		return WORK_MEMORY;
	node->layers = grown;
	vf_layer *layer = &node->layers[node->nlayer];
	*layer = (vf_layer){.formula = *formula};
	for (int j = 0; j <= formula->noperand; j++) {
		layer->maps[j] = fold_layer_map(m, formula, j, &state);
		if (!layer->maps[j]) {
			drop_layer(node->ctx, layer);
			return state == WORK_GIVEN_UP ? state : WORK_MEMORY;
		}
	}
	state = is_empty(layer) ? WORK_OK : vf_layer_fits(m->fold.arena, layer);
	if (state != WORK_OK || is_empty(layer))
		drop_layer(node->ctx, layer);
	else
		node->nlayer++;
	return state;
}

/* Beyond this many formulas, a move for each is not worth it: the operands are cut. */
enum { MOST_LAYERS = 16 };

work_state vf_fold_layers(vf_maker *m)
{
	vf_fold *f = &m->fold;
	work_state state = WORK_OK;
	const vf_map **maps = m->maps;
	const vf_fold kept = *f; /* what the rule said about the array's own map */
	m->maps = vf_arena_alloc(f->arena, f->n, sizeof *m->maps);
	f->maps = m->maps;
	for (int i = 0; i < f->n && m->maps && state == WORK_OK && m->node->map->size > 0; i++)
		for (int k = 0; k < f->in[i]->nlayer && !m->scratch[i] && state == WORK_OK; k++) {
			const vf_formula *formula = &f->in[i]->layers[k].formula;
			if (!find_layer(m->node, formula))
				state = m->node->nlayer == MOST_LAYERS ? WORK_GIVEN_UP
				                                       : add_layer(m, formula);
		}
	state = m->maps ? state : WORK_MEMORY;
	*f = kept;
	m->maps = maps;
	if (state != WORK_OK)
		vf_layers_drop(m->node);
	return state;
}

/* ---- as a text ---- */

/* The name of the first leaf that a map reads; NULL if it reads none, or if that leaf has no name. */
static const char *leaf_name(const vf_map *map)
{
	const vf_storage *s = NULL;
	for (int i = 0; i < map->nregion; i++) {
		const vf_storage *other = map->regions[i].source;
		if (!vf_is_place(other) || other->kind == VF_STORAGE_CUT || (s && s != other))
			continue;
		s = other;
	}
	return s ? s->below->name : NULL;
}

/* "(f32(x) - mean) / std". Leaves have their names; a base without a name is x, operands without one are a,
 * b, ... */
void vf_layer_print(vf_text *text, const vf_layer *layer)
{
	vf_formula_names names = {.base = leaf_name(layer->maps[0])};
	for (int j = 0; j < layer->formula.noperand; j++)
		names.operands[j] = leaf_name(layer->maps[1 + j]);
	vf_formula_print(text, &layer->formula, &names);
}
