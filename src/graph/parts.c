/* parts.c -- split, chunk, tensor_split, unbind.
 *
 * In     an array, where to part it along an axis
 * Out    a list of nodes, each a narrow (or a select) of the array
 * Keeps  all or nothing: after a failure no part is left
 */
#include "graph/fold.h"

#include <inttypes.h>

/* A list of more parts is taken for a mistake. */
enum { MAX_PARTS = 1 << 20 };

/* The value to return when an error is kept. */
static int64_t refused(vf_status status)
{
	(void)status;
	return -1;
}

static int64_t too_many(vf_array *a, const vf_op *op, int64_t n)
{
	return refused(vf_fail(a->ctx, VF_ERR_LIMIT,
	                       "%s: there would be %" PRId64 ", and the most parts are %d", op->name, n,
	                       MAX_PARTS));
}

static int axis_of(vf_array *a, const vf_op *op, int64_t axis)
{
	int rank = a->map->rank;
	if (axis >= -(int64_t)rank && axis < rank)
		return (int)(axis < 0 ? axis + rank : axis);
	vf_fail(a->ctx, VF_ERR_AXIS, "%s: axis %" PRId64 " of an array of rank %d", op->name, axis, rank);
	return -1;
}

static void drop_parts(vf_array *a, vf_array **parts, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		vf_release(parts[i]);
	vf_dealloc(a->ctx, parts);
}

/* Part i goes from ends[i - 1] to ends[i]. As with slices, it is empty if its end is before its start. If
 * `ends` is NULL, part i has `step` elements from i * step on. */
static int64_t narrow_all(vf_array *a, int axis, int64_t n, const int64_t *ends, int64_t step,
                          vf_array ***out)
{
	int64_t extent = a->map->shape[axis], start = 0;
	vf_array **parts = vf_alloc_array(a->ctx, n, sizeof *parts);
	if (!parts)
		return -1;
	for (int64_t i = 0; i < n; i++) {
		int64_t end = ends ? ends[i] : extent - start < step ? extent : start + step;
		parts[i] = vf_narrow(a, axis, start, end > start ? end - start : 0);
		if (!parts[i]) {
			drop_parts(a, parts, i);
			return -1;
		}
		start = end;
	}
	*out = parts;
	return n;
}

/* torch.split: one size for all, or a list that adds up. */
VF_PARTS_OF(split)
{
	const vf_arg *sizes = &args[0];
	int axis = axis_of(a, op, args[1].i);
	if (axis < 0)
		return -1;
	int64_t extent = a->map->shape[axis], sum = 0;
	if (!sizes->is_list && sizes->n == 1) {
		int64_t size = sizes->ints[0];
		if (size < 0 || (size == 0 && extent > 0))
			return refused(vf_fail(a->ctx, VF_ERR_ARGUMENT,
			                       "%s: the size is %" PRId64 ", the extent %" PRId64, op->name,
			                       size, extent));
		int64_t n = extent == 0 ? 1 : (extent - 1) / size + 1;
		return n > MAX_PARTS ? too_many(a, op, n) : narrow_all(a, axis, n, NULL, size, out);
	}
	int64_t *ends = vf_alloc_array(a->ctx, sizes->n, sizeof *ends);
	if (!ends)
		return -1;
	int64_t n = sizes->n;
	for (int64_t i = 0; i < sizes->n && n >= 0; i++) {
		if (sizes->ints[i] < 0)
			n = refused(vf_fail(a->ctx, VF_ERR_ARGUMENT,
			                    "%s: size %" PRId64 " is negative: %" PRId64, op->name, i,
			                    sizes->ints[i]));
		else if (!vf_sum_fits(sum, sizes->ints[i], &sum))
			n = refused(vf_fail(a->ctx, VF_ERR_OVERFLOW,
			                    "%s: the sizes add up beyond %" PRId64 ", with %" PRId64,
			                    op->name, INT64_MAX, sizes->ints[i]));
		ends[i] = sum;
	}
	if (n >= 0 && sum != extent)
		n = refused(vf_fail(a->ctx, VF_ERR_SHAPE,
		                    "%s: the sizes add up to %" PRId64 ", the extent is %" PRId64, op->name,
		                    sum, extent));
	if (n >= 0)
		n = narrow_all(a, axis, n, ends, 0, out);
	vf_dealloc(a->ctx, ends);
	return n;
}

/* torch.chunk: parts of ceil(extent / chunks), so perhaps fewer than asked for. */
VF_PARTS_OF(chunk)
{
	int64_t chunks = args[0].i;
	int axis = axis_of(a, op, args[1].i);
	if (axis < 0)
		return -1;
	int64_t extent = a->map->shape[axis];
	if (chunks < 1)
		return refused(vf_fail(a->ctx, VF_ERR_ARGUMENT,
		                       "%s: the number of chunks is %" PRId64 " for an extent of %" PRId64,
		                       op->name, chunks, extent));
	int64_t size = extent ? (extent - 1) / chunks + 1 : 0;
	int64_t n = extent ? (extent - 1) / size + 1 : chunks;
	return n > MAX_PARTS ? too_many(a, op, n) : narrow_all(a, axis, n, NULL, size, out);
}

/* Where numpy.array_split ends part i of n: the first extent % n parts have one element more. */
static int64_t even_end(int64_t extent, int64_t n, int64_t i)
{
	int64_t size = extent / n, more = extent % n;
	return (i + 1) * size + (i + 1 < more ? i + 1 : more);
}

/* An index as a slice reads it. */
static int64_t clip_index(int64_t index, int64_t extent)
{
	if (index < 0)
		index = index < -extent ? 0 : index + extent;
	return index > extent ? extent : index;
}

VF_PARTS_OF(tensor_split)
{
	const vf_arg *where = &args[0];
	int axis = axis_of(a, op, args[1].i);
	if (axis < 0)
		return -1;
	bool even = !where->is_list && where->n == 1;
	int64_t extent = a->map->shape[axis], n = even ? where->ints[0] : where->n + 1;
	if (n < 1 || n > MAX_PARTS)
		return refused(vf_fail(a->ctx, VF_ERR_ARGUMENT,
		                       "%s: the number of parts is %" PRId64 ", and must be 1 to %d",
		                       op->name, n, MAX_PARTS));
	int64_t *ends = vf_alloc_array(a->ctx, n, sizeof *ends);
	if (!ends)
		return -1;
	for (int64_t i = 0; i < n; i++)
		ends[i] = even         ? even_end(extent, n, i)
		          : i + 1 == n ? extent
		                       : clip_index(where->ints[i], extent);
	n = narrow_all(a, axis, n, ends, 0, out);
	vf_dealloc(a->ctx, ends);
	return n;
}

VF_PARTS_OF(unbind)
{
	int axis = axis_of(a, op, args[0].i);
	if (axis < 0)
		return -1;
	int64_t n = a->map->shape[axis];
	if (n > MAX_PARTS)
		return too_many(a, op, n);
	vf_array **parts = vf_alloc_array(a->ctx, n, sizeof *parts);
	for (int64_t i = 0; parts && i < n; i++) {
		parts[i] = vf_select(a, axis, i);
		if (!parts[i]) {
			drop_parts(a, parts, i);
			return -1;
		}
	}
	if (parts)
		*out = parts;
	return parts ? n : -1;
}
