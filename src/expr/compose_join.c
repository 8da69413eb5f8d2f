/* compose_join.c -- several arrays into one, or to one shape: dstack, block, broadcast_tensors ... */
#include "expr/composed.h"
#include "graph/fold.h"

#include <inttypes.h>
#include <string.h>

/* ---- ranks ---- */

/* numpy.atleast_Nd: new axes in front, but the third one at the end. */
static vf_array *atleast(vf_expr *e, vf_array *a, int rank)
{
	while (a && vf_rank(a) < rank)
		a = vf_keep(e, vf_unsqueeze(a, vf_rank(a) == 2 ? 2 : 0));
	return a;
}

/* Raise to the rank that is the row's number. A list gives a list; one bare array gives an array. */
bool vf_compose_atleast(vf_bound *b, vf_value *out)
{
	int64_t n;
	const vf_values *written = &b->call->positional;
	bool listed = written->n > 0 && written->items[0].kind == VF_VALUE_LIST;
	vf_array **arrays = vf_bound_arrays(b, &n);
	for (int64_t i = 0; arrays && i < n; i++)
		arrays[i] = atleast(b->e, arrays[i], b->op->number);
	if (!arrays)
		return false;
	return n == 1 && !listed ? vf_give(b, arrays[0], out) : vf_give_list(b, n, arrays, out);
}

/* ---- joining ---- */

static bool give_cat(vf_bound *b, int64_t n, vf_array **arrays, int axis, vf_value *out)
{
	return vf_give(b, vf_keep(b->e, vf_cat((int)n, arrays, axis)), out);
}

/* An array of rank 1 is a column. */
bool vf_compose_column_stack(vf_bound *b, vf_value *out)
{
	int64_t n;
	vf_array **arrays = vf_bound_arrays(b, &n);
	for (int64_t i = 0; arrays && i < n; i++)
		if (vf_rank(arrays[i]) < 2)
			arrays[i] = vf_keep(b->e, vf_T(atleast(b->e, arrays[i], 2)));
	return arrays && give_cat(b, n, arrays, 1, out);
}

/* numpy.append. Without an axis, the flat arrays are joined. */
bool vf_compose_append(vf_bound *b, vf_value *out)
{
	vf_array *arrays[] = {vf_bound_array(b, 0), vf_bound_array(b, 1)};
	int axis = 0;
	if (!arrays[0] || !arrays[1] || (b->given[2] && !vf_bound_axis(b, 2, vf_rank(arrays[0]), &axis)))
		return false;
	for (int i = 0; i < 2 && !b->given[2]; i++)
		arrays[i] = vf_keep(b->e, vf_ravel(arrays[i]));
	return give_cat(b, 2, arrays, axis, out);
}

/* torch.block_diag: matrices along the diagonal of zeros. An array of rank 1 is a row. */
bool vf_compose_block_diag(vf_bound *b, vf_value *out)
{
	int64_t n, before = 0, width = 0;
	vf_array **arrays = vf_bound_arrays(b, &n);
	for (int64_t i = 0; arrays && i < n; i++) {
		if (vf_rank(arrays[i]) > 2)
			return vf_bound_fail(b, VF_ERR_SHAPE, "array %" PRId64 " of rank %d is no matrix", i,
			                     vf_rank(arrays[i]));
		arrays[i] = atleast(b->e, arrays[i], 2);
		if (!arrays[i] || !vf_sum_fits(width, vf_shape(arrays[i])[1], &width))
			return arrays[i] && vf_bound_fail(b, VF_ERR_OVERFLOW,
			                                  "the columns add up beyond %" PRId64, INT64_MAX);
	}
	for (int64_t i = 0; arrays && i < n; i++) {
		int64_t columns = vf_shape(arrays[i])[1];
		const int64_t pads[] = {before, width - before - columns};
		before += columns;
		if (!(arrays[i] = vf_keep(b->e, vf_pad(arrays[i], 2, pads, VF_PAD_CONSTANT, NULL))))
			return false;
	}
	return arrays && give_cat(b, n, arrays, 0, out);
}

/* ---- block: nested lists, the innermost along the last axis ---- */

typedef struct block {
	vf_bound *b;
	int depth; /* of the lists */
	int rank;  /* of the result */
} block;

/* Measure the depth of the lists and the greatest rank. False if two arrays are not nested alike. */
static bool measure_block(block *k, const vf_value *v, int depth)
{
	if (v->kind == VF_VALUE_LIST && v->as.list.n == 0)
		return vf_bound_fail(k->b, VF_ERR_ARGUMENT, "a list at depth %d is empty", depth);
	for (int64_t i = 0; v->kind == VF_VALUE_LIST && i < v->as.list.n; i++)
		if (!measure_block(k, &v->as.list.items[i], depth + 1))
			return false;
	if (v->kind == VF_VALUE_LIST)
		return true;
	if (v->kind != VF_VALUE_ARRAY)
		return vf_bound_wrong(k->b, 0, v, "nested lists of arrays");
	if (k->depth >= 0 && k->depth != depth)
		return vf_bound_fail(k->b, VF_ERR_ARGUMENT, "one array is in %d lists, another in %d",
		                     k->depth, depth);
	k->depth = depth;
	int rank = vf_rank(v->as.array) > depth ? vf_rank(v->as.array) : depth;
	k->rank = rank > k->rank ? rank : k->rank;
	return true;
}

static vf_array *join_block(const block *k, const vf_value *v, int depth)
{
	vf_expr *e = k->b->e;
	vf_array *a = v->as.array;
	while (v->kind == VF_VALUE_ARRAY && a && vf_rank(a) < k->rank)
		a = vf_keep(e, vf_unsqueeze(a, 0));
	if (v->kind == VF_VALUE_ARRAY)
		return a;
	int64_t n = v->as.list.n;
	vf_array **parts = vf_arena_alloc(&e->arena, n, sizeof(vf_array *));
	for (int64_t i = 0; parts && i < n; i++)
		if (!(parts[i] = join_block(k, &v->as.list.items[i], depth + 1)))
			return NULL;
	return parts ? vf_keep(e, vf_cat((int)n, parts, depth - k->depth)) : NULL;
}

bool vf_compose_block(vf_bound *b, vf_value *out)
{
	block k = {.b = b, .depth = -1};
	return measure_block(&k, &b->values[0], 0) && vf_give(b, join_block(&k, &b->values[0], 0), out);
}

/* ---- one shape for all ---- */

/* Broadcast the shape of `a` into shape[0..rank). Axes are counted from the last. */
static bool widen(vf_bound *b, const vf_array *a, int64_t i, int rank, int64_t *shape)
{
	char text[120];
	for (int k = 0; k < vf_rank(a); k++) {
		int64_t had = vf_shape(a)[vf_rank(a) - 1 - k], *now = &shape[rank - 1 - k];
		if (had == 1 || had == *now)
			continue;
		if (*now != 1)
			return vf_bound_fail(
			    b, VF_ERR_SHAPE,
			    "array %" PRId64 " has shape %s, where the others have %" PRId64 " along axis %d",
			    i, fold_shape_text(vf_rank(a), vf_shape(a), text, sizeof text), *now, -1 - k);
		*now = had;
	}
	return true;
}

bool vf_compose_broadcast(vf_bound *b, vf_value *out)
{
	int64_t n, shape[VF_MAX_RANK];
	int rank = 0;
	vf_array **arrays = vf_bound_arrays(b, &n);
	for (int64_t i = 0; arrays && i < n; i++)
		rank = vf_rank(arrays[i]) > rank ? vf_rank(arrays[i]) : rank;
	for (int i = 0; i < rank; i++)
		shape[i] = 1;
	for (int64_t i = 0; arrays && i < n; i++)
		if (!widen(b, arrays[i], i, rank, shape))
			return false;
	for (int64_t i = 0; arrays && i < n; i++)
		arrays[i] = vf_keep(b->e, vf_broadcast_to(arrays[i], rank, shape));
	return arrays && vf_give_list(b, n, arrays, out);
}

/* ---- grids ---- */

/* numpy.meshgrid, torch.meshgrid: array i varies along axis i of the grid and is stretched along the others.
 * 'xy': the first two axes of the grid change places. 'xy' is NumPy's default, 'ij' PyTorch's. */
bool vf_compose_meshgrid(vf_bound *b, vf_value *out)
{
	int64_t n, shape[VF_MAX_RANK];
	int word = vf_bound_word(b, 1, "'ij' or 'xy'");
	bool xy = b->given[1] ? word == 1 : b->numpy;
	vf_array **arrays = word < 0 ? NULL : vf_bound_arrays(b, &n);
	if (!arrays)
		return false;
	if (n > VF_MAX_RANK)
		return vf_bound_fail(b, VF_ERR_LIMIT, "rank %" PRId64 " is beyond %d", n, VF_MAX_RANK);
	for (int64_t i = 0; i < n; i++) {
		if (!b->numpy && vf_rank(arrays[i]) > 1)
			return vf_bound_fail(b, VF_ERR_SHAPE, "array %" PRId64 " of rank %d is no row", i,
			                     vf_rank(arrays[i]));
		shape[xy && n > 1 && i < 2 ? 1 - i : i] = vf_size(arrays[i]);
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t axis = xy && n > 1 && i < 2 ? 1 - i : i, own[VF_MAX_RANK];
		for (int64_t k = 0; k < n; k++)
			own[k] = k == axis ? shape[k] : 1;
		vf_array *along = vf_keep(b->e, vf_reshape(arrays[i], (int)n, own));
		arrays[i] = vf_keep(b->e, vf_broadcast_to(along, (int)n, shape));
	}
	return vf_give_list(b, n, arrays, out);
}
