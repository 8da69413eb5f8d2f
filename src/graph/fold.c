/* fold.c -- make a node: run the op's rule on the maps of its operands.
 *
 * In     a row of the op table, operands, arguments
 * Out    a node whose map says what each index reads, down to memory, declarations and cuts
 * Keeps  row-major meaning of every op; strides may be 0 or negative
 * Cuts   where the rule would leave more regions than a kernel should have (split.c, slice.c say when),
 *        the operands that are not plain strided are materialised first, and the rule is run again on their
 *        C order. The node keeps the reason.
 * Ends   a rule on plain operands leaves few regions, or the op is refused (VF_ERR_LIMIT)
 * Tests  tests/fold/ (text tables), tests/property/ (against the oracle)
 */
#include "graph/make.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- for the rules ---- */

void fold_load_ragged(vf_fold *f, int i, vf_work *w)
{
	work_init(w, f->arena);
	work_load(w, f->maps[i]);
}

void fold_load(vf_fold *f, int i, vf_work *w)
{
	fold_load_ragged(f, i, w);
	work_resolve(w);
}

bool fold_fail(vf_fold *f, vf_status status, const char *format, ...)
{
	char sentence[400];
	va_list values;
	va_start(values, format);
	vsnprintf(sentence, sizeof sentence, format, values);
	va_end(values);
	vf_fail(f->ctx, status, "%s: %s", vf_op_written(f->op), sentence);
	return false;
}

const char *fold_shape_text(int rank, const int64_t *shape, char *buffer, size_t size)
{
	size_t used = 0;
	used += (size_t)snprintf(buffer, size, "(");
	for (int i = 0; i < rank && used + 30 < size; i++)
		used += (size_t)snprintf(buffer + used, size - used, "%s%" PRId64, i ? ", " : "", shape[i]);
	snprintf(buffer + used, size - used, rank == 1 ? ",)" : ")");
	return buffer;
}

bool fold_check_rank(vf_fold *f, int64_t rank)
{
	return rank <= VF_MAX_RANK ||
	       fold_fail(f, VF_ERR_LIMIT, "rank %" PRId64 " is beyond %d", rank, VF_MAX_RANK);
}

bool fold_check_shape(vf_fold *f, int64_t rank, const int64_t *shape)
{
	char text[200];
	int64_t size;
	if (!fold_check_rank(f, rank))
		return false;
	for (int i = 0; i < rank; i++)
		if (shape[i] < 0)
			return fold_fail(f, VF_ERR_SHAPE, "extent %" PRId64 " of axis %d is negative",
			                 shape[i], i);
	if (vf_count((int)rank, shape, &size))
		return true;
	return fold_fail(f, VF_ERR_OVERFLOW, "%s has more than %" PRId64 " elements",
	                 fold_shape_text((int)rank, shape, text, sizeof text), INT64_MAX);
}

const vf_storage *fold_one_storage(const vf_map *map)
{
	for (int i = 1; i < map->nregion; i++)
		if (map->regions[i].source != map->regions[0].source)
			return NULL;
	return map->nregion ? map->regions[0].source : NULL;
}

const vf_storage *fold_reported_storage(const vf_array *a)
{
	return a->face->nregion ? fold_one_storage(a->face) : a->base;
}

int fold_axis(vf_fold *f, int64_t axis, int rank)
{
	if (axis >= -(int64_t)rank && axis < rank)
		return (int)(axis < 0 ? axis + rank : axis);
	if (rank == 0)
		fold_fail(f, VF_ERR_AXIS, "axis %" PRId64 " of an array of rank 0", axis);
	else
		fold_fail(f, VF_ERR_AXIS, "axis %" PRId64 " is not between %d and %d", axis, -rank, rank - 1);
	return -1;
}

bool fold_axes(vf_fold *f, const vf_arg *list, int rank, int *axes)
{
	bool seen[VF_MAX_RANK] = {false};
	if (list->n > rank)
		return fold_fail(f, VF_ERR_AXIS, "%" PRId64 " axes for an array of rank %d", list->n, rank);
	for (int64_t i = 0; i < list->n; i++) {
		axes[i] = fold_axis(f, list->ints[i], rank);
		if (axes[i] < 0)
			return false;
		if (seen[axes[i]])
			return fold_fail(f, VF_ERR_AXIS, "axis %d is named twice", axes[i]);
		seen[axes[i]] = true;
	}
	return true;
}

/* ---- cuts ---- */

/* Say which part of the budget was spent. */
static void print_limit(vf_text *text, const vf_context *ctx, const vf_budget *budget)
{
	const vf_options *o = &ctx->options;
	if (budget->bytes < 0)
		vf_text_add(text, "it would take more than %" PRId64 " bytes to fold (fold_bytes)",
		            o->fold_bytes);
	else if (budget->steps < 0)
		vf_text_add(text, "it would take more than %" PRId64 " steps to fold (fold_steps)",
		            o->fold_steps);
	else
		vf_text_add(text, "it would leave more than %" PRId64 " regions (fold_regions)",
		            budget->regions);
}

/* Keep why the node has a cut. False without memory. */
static bool keep_reason(vf_array *node, const vf_work *w, bool asked, const vf_budget *budget)
{
	vf_text text;
	vf_text_init(&text, node->ctx);
	if (asked)
		vf_text_add(&text, "it needs its operand in C order");
	else if (w->radix_old)
		vf_text_add(&text, "radix %" PRId64 " against %" PRId64 " shares no boundary", w->radix_old,
		            w->radix_new);
	else
		print_limit(&text, node->ctx, budget);
	vf_dealloc(node->ctx, node->cut_reason);
	node->cut_reason = vf_text_take(&text);
	if (node->cut_reason)
		vf_log(node->ctx, "%s: cut: %s", vf_op_written(node->op), node->cut_reason);
	return node->cut_reason != NULL;
}

/* ---- running a rule ---- */

/* The array whose C order is the storage that `a` reports; else `a`. */
static vf_array *storage_owner(vf_array *a)
{
	const vf_storage *s = fold_reported_storage(a);
	return s && s->kind == VF_STORAGE_VALUE ? s->below : a;
}

/* Materialise the operands that are not plain; false where there is none, or without memory. */
static bool cut_operands(vf_maker *m, bool all)
{
	bool any = false;
	for (int i = 0; i < m->fold.n; i++) {
		vf_array *operand = m->fold.cut_storage ? storage_owner(m->fold.in[i]) : m->fold.in[i];
		if (!all && (m->scratch[i] || vf_map_plain(m->maps[i], NULL)))
			continue;
		vf_storage *s = vf_node_cut(m->node, operand);
		vf_map_drop(m->fold.ctx, m->scratch[i]);
		m->scratch[i] = s ? vf_c_map(m->fold.arena, operand->map->rank, operand->map->shape, s)
		                  : NULL;
		if (!m->scratch[i])
			return false;
		m->maps[i] = m->scratch[i];
		any = true;
	}
	return any;
}

static bool run_rule(vf_maker *m)
{
	vf_fold *f = &m->fold;
	f->needs_cut = f->cut_storage = false;
	f->value = f->read_only = false;
	f->dtype = f->in[0]->dtype;
	work_init(&f->out, f->arena);
	return f->op->rule(f);
}

/* An operation may always spend 1 / SHARE_ALWAYS of the budget, whatever was spent before, and 1 /
 * SHARE_OF_CUT of it above a cut. The bytes are MORE_BYTES times that: most are given back after the
 * operation. */
enum { SHARE_ALWAYS = 64, SHARE_OF_CUT = 8, MORE_BYTES = 2 };

static void grant(vf_budget *budget, const vf_context *ctx, int share)
{
	int64_t steps = ctx->options.fold_steps / share, bytes = ctx->options.fold_bytes / share * MORE_BYTES;
	budget->steps = budget->steps < steps ? steps : budget->steps;
	budget->bytes = budget->bytes < bytes ? bytes : budget->bytes;
}

/* Refuse the operation: no cut helps to keep within the limit. */
static vf_map *refuse_size(vf_maker *m, const vf_budget *budget)
{
	vf_text text;
	vf_text_init(&text, m->fold.ctx);
	print_limit(&text, m->fold.ctx, budget);
	char *sentence = vf_text_take(&text);
	if (sentence)
		fold_fail(&m->fold, VF_ERR_LIMIT, "%s", sentence);
	vf_dealloc(m->fold.ctx, sentence);
	return NULL;
}

/* Run the rule on the true maps, with cuts where it needs them. */
static vf_map *fold_map(vf_maker *m)
{
	vf_fold *f = &m->fold;
	vf_budget *budget = f->arena->budget;
	if (f->op->bytes && !vf_cut_storages(m))
		return NULL;
	if (!run_rule(m))
		return NULL;
	vf_map *map = f->needs_cut ? NULL : work_finish(&f->out);
	bool asked = f->needs_cut;
	if (map || (!asked && f->out.state != WORK_GIVEN_UP))
		return map;
	vf_work failed = f->out;
	const vf_budget spent = *budget;
	grant(budget, f->ctx, SHARE_OF_CUT);
	if (!cut_operands(m, asked))
		return refuse_size(m, &spent);
	if (!keep_reason(m->node, &failed, asked, &spent) || !run_rule(m))
		return NULL;
	map = work_finish(&f->out);
	return map || f->out.state != WORK_GIVEN_UP ? map : refuse_size(m, budget);
}

static bool reports_itself(const vf_maker *m)
{
	for (int i = 0; i < m->fold.n; i++)
		if (m->fold.in[i]->face != m->fold.in[i]->map)
			return false;
	return true;
}

/* What a value reports: C order over a storage that stands for it. */
static vf_map *value_face(vf_maker *m, const vf_map *map)
{
	vf_array *node = m->node;
	node->own = vf_node_storage(node, VF_STORAGE_VALUE, node);
	return node->own ? vf_c_map(m->fold.arena, map->rank, map->shape, node->own) : NULL;
}

/* The map that the node reports where an operand reports other strides than its map has: the rule on
 * the reported maps. Where that has too many regions, the node is as good as a value. */
static vf_map *fold_face(vf_maker *m)
{
	vf_fold *f = &m->fold;
	for (int i = 0; i < f->n; i++)
		m->maps[i] = f->in[i]->face;
	f->reporting = true;
	grant(f->arena->budget, f->ctx, SHARE_ALWAYS);
	if (!run_rule(m))
		return NULL;
	vf_map *face = f->needs_cut ? NULL : work_finish(&f->out);
	return face || (!f->needs_cut && f->out.state != WORK_GIVEN_UP) ? face : value_face(m, m->node->map);
}

static bool check_size(vf_maker *m)
{
	int64_t bytes;
	if (vf_product_fits(m->node->map->size, m->node->elem_bytes, &bytes))
		return true;
	return fold_fail(&m->fold, VF_ERR_OVERFLOW,
	                 "%" PRId64 " elements of %" PRId64 " bytes are beyond %" PRId64, m->node->map->size,
	                 m->node->elem_bytes, INT64_MAX);
}

/* Make the map and the layers. If the layers cannot follow, make the map above a cut. */
static bool fold_elements(vf_maker *m)
{
	vf_array *node = m->node;
	node->map = fold_map(m);
	work_state state = node->map ? vf_fold_layers(m) : WORK_MEMORY;
	if (state == WORK_GIVEN_UP) {
		vf_map_drop(m->fold.ctx, node->map);
		grant(m->fold.arena->budget, m->fold.ctx, SHARE_OF_CUT);
		node->map = vf_cut_computed(m) ? fold_map(m) : NULL;
		state = node->map ? WORK_OK : WORK_MEMORY;
	}
	return state == WORK_OK;
}

static bool fold_node(vf_maker *m)
{
	vf_fold *f = &m->fold;
	vf_array *node = m->node;
	for (int i = 0; i < f->n; i++) {
		m->maps[i] = f->in[i]->map;
		node->read_only = node->read_only || f->in[i]->read_only;
	}
	bool alone = reports_itself(m);
	f->reporting = alone;
	if (!fold_elements(m))
		return false;
	node->face = node->map;
	node->dtype = f->dtype;
	node->elem_bytes = vf_dtype_bytes(f->dtype);
	node->is_value = f->value;
	node->read_only = node->read_only || f->read_only;
	if (!check_size(m))
		return false;
	if (!f->value && alone)
		return true;
	vf_map *face = f->value ? value_face(m, node->map) : fold_face(m);
	if (face)
		node->face = face;
	return face != NULL;
}

static vf_array *make(vf_maker *m)
{
	vf_fold *f = &m->fold;
	vf_array *node = m->node;
	m->maps = vf_arena_alloc(f->arena, f->n, sizeof *m->maps);
	m->scratch = vf_arena_alloc(f->arena, f->n, sizeof *m->scratch);
	bool made = m->maps && m->scratch;
	f->maps = m->maps;
	made = made && (f->op->terms ? vf_fold_terms(m) && check_size(m) : fold_node(m));
	for (int i = 0; i < f->n && m->scratch; i++)
		vf_map_drop(f->ctx, m->scratch[i]);
	if (!made) {
		vf_release(node);
		return NULL;
	}
	if (node->face->nregion == 0)
		node->base = node->own ? node->own : fold_reported_storage(f->in[0]);
	vf_node_hold_sources(node);
	return node;
}

static bool usable(const vf_op *op, int n, vf_array *const *in)
{
	for (int i = 0; i < n; i++)
		if (!in[i])
			return false;
	for (int i = 1; i < n; i++) {
		if (in[i]->ctx != in[0]->ctx) {
			vf_fail(in[0]->ctx, VF_ERR_ARGUMENT, "%s: array %d belongs to another context",
			        op->name, i);
			return false;
		}
		if (in[i]->dtype != in[0]->dtype && !op->terms) {
			char a[16], b[16];
			vf_fail(in[0]->ctx, VF_ERR_DTYPE, "%s: array %d is %s, array 0 is %s", op->name, i,
			        vf_dtype_name(in[i]->dtype, b, sizeof b),
			        vf_dtype_name(in[0]->dtype, a, sizeof a));
			return false;
		}
	}
	return n > 0;
}

/* ---- budgets ---- */

static _Thread_local vf_budget *shared;

vf_budget *vf_budget_share(vf_budget *budget)
{
	vf_budget *before = shared;
	shared = budget;
	return before;
}

enum { BYTES_A_NODE = 1024 /* about, with its arguments */, MORE_KEPT = 2 };
/* What it may cost to load, join and sort one region of an operand. */
enum { STEPS_A_REGION = 1000, BYTES_A_REGION = 4000 };

static int64_t count_regions(int n, vf_array *const *arrays)
{
	int64_t regions = 0;
	for (int i = 0; i < n; i++)
		regions += arrays[i] ? arrays[i]->map->nregion : 0;
	return regions;
}

void vf_budget_open(vf_budget *budget, const vf_context *ctx, const char *text, int n,
                    vf_array *const *arrays)
{
	int64_t regions = count_regions(n, arrays);
	budget->regions = 0;                                             /* known with each operation */
	budget->kept = text ? -BYTES_A_NODE * (int64_t)strlen(text) : 0; /* a byte of text may make a node */
	budget->steps = vf_sum_or_most(ctx->options.fold_steps, regions * STEPS_A_REGION);
	budget->bytes = vf_sum_or_most(ctx->options.fold_bytes, regions * BYTES_A_REGION);
}

/* Give back the bytes that an operation took, except those of its node and its maps. */
static void give_back(vf_budget *budget, int64_t bytes_before, const vf_array *made)
{
	int64_t kept = made ? BYTES_A_NODE + (int64_t)vf_map_bytes(made->map) : 0;
	if (made && made->face != made->map)
		kept += (int64_t)vf_map_bytes(made->face);
	budget->bytes = bytes_before - kept;
	budget->kept += kept;
}

/* False if the arrays of one expression are too much together. */
static bool check_kept(const vf_maker *m, const vf_budget *budget)
{
	int64_t most = m->fold.ctx->options.fold_bytes;
	if (budget->kept / MORE_KEPT <= most)
		return true;
	vf_fail(m->fold.ctx, VF_ERR_LIMIT,
	        "%s: the arrays of this expression take more than %d times %" PRId64 " bytes (fold_bytes)",
	        vf_op_written(m->fold.op), MORE_KEPT, most);
	return false;
}

static vf_array *make_within(vf_maker *m, vf_budget *budget)
{
	vf_fold *f = &m->fold;
	grant(budget, f->ctx, SHARE_ALWAYS);
	int64_t bytes = budget->bytes;
	budget->regions = vf_sum_or_most(f->ctx->options.fold_regions, count_regions(f->n, f->in));
	f->arena->budget = budget;
	if (!check_kept(m, budget)) {
		vf_release(m->node);
		return NULL;
	}
	vf_array *made = make(m);
	give_back(budget, bytes, made);
	return made;
}

/* Whether the op converts an array to the type that it has. Then the result is the array itself. */
static bool is_nothing(const vf_op *op, const vf_array *a, const vf_arg *args)
{
	return op == vf_op_row(VF_OP_to) && args[0].i == (int64_t)a->dtype;
}

vf_array *vf_make(const vf_op *op, int n, vf_array *const *in, const vf_arg *args, int nargs)
{
	vf_arg all[VF_MAX_PARAMS];
	if (!usable(op, n, in))
		return NULL;
	memset(all, 0, sizeof all);
	for (int i = 0; i < VF_MAX_PARAMS; i++) {
		if (i < nargs && args[i].given)
			all[i] = args[i];
		else if (op->params[i].kind != VF_PARAM_END)
			all[i].i = op->params[i].standard;
		else
			break;
	}
	if (is_nothing(op, in[0], all))
		return vf_retain(in[0]);
	vf_context *ctx = in[0]->ctx;
	vf_arena arena;
	vf_arena_room room;
	vf_arena_init_in(&arena, ctx, &room);
	vf_maker m = {.fold = {.ctx = ctx, .op = op, .n = n, .in = in, .args = all, .arena = &arena}};
	vf_origin origin = {.op = op, .nparent = n, .parents = in, .narg = VF_MAX_PARAMS, .args = all};
	m.node = vf_node_create(ctx, in[0]->dtype, &origin);
	vf_budget own;
	if (!shared)
		vf_budget_open(&own, ctx, NULL, n, in);
	vf_array *made = m.node ? make_within(&m, shared ? shared : &own) : NULL;
	vf_arena_drop(&arena);
	return made;
}
