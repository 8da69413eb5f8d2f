/* compose_take.c -- constant indices and counts: take, delete, repeat_interleave with a count an element. */
#include "expr/composed.h"

#include <inttypes.h>
#include <string.h>

/* ---- take ---- */

typedef enum take_mode { TAKE_RAISE, TAKE_WRAP, TAKE_CLIP } take_mode;

/* Bring the indices into the extent. */
static void settle(vf_indices *indices, int64_t extent, take_mode mode)
{
	for (int64_t i = 0; extent > 0 && mode != TAKE_RAISE && i < indices->n; i++) {
		int64_t at = indices->list[i];
		if (mode == TAKE_WRAP)
			at = (at % extent + extent) % extent;
		else
			at = at < 0 ? 0 : at >= extent ? extent - 1 : at;
		indices->list[i] = at;
	}
}

/* Take along an axis. It is replaced by axes of the indices' shape. */
static vf_array *take_indices(vf_expr *e, vf_array *a, int axis, const vf_indices *indices)
{
	int64_t shape[2 * VF_MAX_RANK + 1];
	int n = 0;
	vf_array *taken = vf_keep(e, vf_take(a, axis, indices->n, indices->list));
	if (indices->rank == 1 || !taken)
		return taken;
	for (int i = 0; i < vf_rank(taken); i++)
		if (i != axis)
			shape[n++] = vf_shape(taken)[i];
		else
			for (int k = 0; k < indices->rank; k++)
				shape[n++] = indices->shape[k];
	return vf_keep(e, vf_reshape(taken, n, shape));
}

/* numpy.take, torch.take. Without an axis, they take from the flat array. */
bool vf_compose_take(vf_bound *b, vf_value *out)
{
	vf_indices indices;
	int axis, mode = vf_bound_word(b, 3, "'raise', 'wrap' or 'clip'");
	vf_array *a = mode < 0 ? NULL : vf_bound_along(b, 2, &axis);
	if (!a || !vf_indices_read(b->e, &b->values[1], &indices))
		return false;
	settle(&indices, vf_shape(a)[axis], (take_mode)mode);
	return vf_give(b, take_indices(b->e, a, axis, &indices), out);
}

/* ---- delete ---- */

/* The places of an extent that no index names. NULL with an error if an index is outside. */
static int64_t *left_over(vf_bound *b, const vf_indices *gone, int64_t extent, int64_t *n)
{
	bool *named = vf_arena_alloc(&b->e->arena, extent > 0 ? extent : 1, sizeof *named);
	int64_t *list = vf_arena_alloc(&b->e->arena, extent > 0 ? extent : 1, sizeof *list);
	*n = 0;
	if (!named || !list)
		return NULL;
	memset(named, 0, (size_t)extent * sizeof *named);
	for (int64_t i = 0; i < gone->n; i++) {
		int64_t at = gone->list[i];
		if (at < -extent || at >= extent) {
			vf_bound_fail(b, VF_ERR_BOUNDS, "index %" PRId64 " of an extent of %" PRId64, at,
			              extent);
			return NULL;
		}
		named[at < 0 ? at + extent : at] = true;
	}
	for (int64_t i = 0; i < extent; i++)
		if (!named[i])
			list[(*n)++] = i;
	return list;
}

/* numpy.delete. Without an axis, it deletes from the flat array. */
bool vf_compose_delete(vf_bound *b, vf_value *out)
{
	vf_indices gone;
	int64_t n;
	int axis;
	vf_array *a = vf_bound_along(b, 2, &axis);
	if (!a || !vf_indices_read_or_mask(b->e, &b->values[1], &gone))
		return false;
	int64_t extent = vf_shape(a)[axis];
	if (gone.mask >= 0 && gone.mask != extent)
		return vf_bound_fail(b, VF_ERR_BOUNDS, "a mask of %" PRId64 " for an extent of %" PRId64,
		                     gone.mask, extent);
	if (extent > VF_EXPR_MAX_ITEMS)
		return vf_bound_fail(b, VF_ERR_LIMIT, "an extent of %" PRId64 " is beyond %d", extent,
		                     VF_EXPR_MAX_ITEMS);
	const int64_t *list = left_over(b, &gone, extent, &n);
	return list && vf_give(b, vf_keep(b->e, vf_take(a, axis, n, list)), out);
}

/* ---- a count an element ---- */

static int64_t *repeated_indices(vf_bound *b, int64_t n, const int64_t *counts, int64_t *total)
{
	*total = 0;
	for (int64_t i = 0; i < n; i++) {
		if (counts[i] < 0)
			vf_bound_fail(b, VF_ERR_ARGUMENT, "the count %" PRId64 " is negative", counts[i]);
		else if (!vf_sum_fits(*total, counts[i], total) || *total > VF_EXPR_MAX_ITEMS)
			vf_bound_fail(b, VF_ERR_LIMIT, "the counts come to more than %d elements",
			              VF_EXPR_MAX_ITEMS);
		else
			continue;
		return NULL;
	}
	int64_t *list = vf_arena_alloc(&b->e->arena, *total > 0 ? *total : 1, sizeof *list), at = 0;
	for (int64_t i = 0; list && i < n; i++)
		for (int64_t k = 0; k < counts[i]; k++)
			list[at++] = i;
	return list;
}

/* numpy.repeat, and torch.repeat_interleave with a list. Without an axis, they repeat the flat array. */
bool vf_compose_repeat(vf_bound *b, vf_value *out)
{
	int64_t n, total;
	int axis;
	vf_array *a = vf_bound_along(b, 2, &axis);
	const int64_t *counts = a ? vf_bound_ints(b, 1, &n, NULL) : NULL;
	if (!counts)
		return false;
	if (n == 1)
		return vf_give(b, vf_keep(b->e, vf_repeat_interleave(a, counts[0], axis)), out);
	if (n != vf_shape(a)[axis])
		return vf_bound_fail(b, VF_ERR_SHAPE, "%" PRId64 " counts for axis %d of extent %" PRId64, n,
		                     axis, vf_shape(a)[axis]);
	const int64_t *list = repeated_indices(b, n, counts, &total);
	if (list && b->given[3] && (!vf_bound_int(b, 3, &n) || n != total))
		return vf_bound_fail(b, VF_ERR_SHAPE,
		                     "the counts come to %" PRId64 ", not to the output_size", total);
	return list && vf_give(b, vf_keep(b->e, vf_take(a, axis, total, list)), out);
}
