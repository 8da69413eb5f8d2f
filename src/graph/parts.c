/* parts.c -- split, chunk, tensor_split, unbind.
 *
 * In     an array, where to part it along an axis
 * Out    a list of nodes, each a narrow (or a select) of the array
 * Keeps  all or nothing: after a failure no part is left
 */
#include "graph/parts.h"

#include "graph/array.h"

#include <inttypes.h>

/* A list of this many parts would be a mistake rather than a wish. */
enum { MAX_PARTS = 1 << 20 };

/* "split: the sizes add up to 7, the extent is 8": `first` and `second` each followed by its number. */
static int64_t fail(vf_array *a, const vf_op *op, vf_status status, const char *first, int64_t x,
                    const char *second, int64_t y)
{
	vf_fail(a->ctx, status, "%s: %s %" PRId64 ", %s %" PRId64, op->name, first, x, second, y);
	return -1;
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

/* Parts from ends[i - 1] to ends[i]; `ends` NULL: part i has `step` elements from i * step. */
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
int64_t vf_parts_split(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out)
{
	const vf_arg *sizes = &args[0];
	int axis = axis_of(a, op, args[1].i);
	if (axis < 0)
		return -1;
	int64_t extent = a->map->shape[axis], sum = 0;
	if (!sizes->is_list && sizes->n == 1) {
		int64_t size = sizes->ints[0];
		if (size < 0 || (size == 0 && extent > 0))
			return fail(a, op, VF_ERR_ARGUMENT, "the size is", size, "the extent", extent);
		int64_t n = extent == 0 ? 1 : (extent - 1) / size + 1;
		if (n > MAX_PARTS)
			return fail(a, op, VF_ERR_LIMIT, "there would be", n, "and the most parts are",
			            MAX_PARTS);
		return narrow_all(a, axis, n, NULL, size, out);
	}
	int64_t *ends = vf_alloc_array(a->ctx, sizes->n, sizeof *ends);
	if (!ends)
		return -1;
	int64_t n = sizes->n;
	for (int64_t i = 0; i < sizes->n && n >= 0; i++) {
		if (sizes->ints[i] < 0)
			n = fail(a, op, VF_ERR_ARGUMENT, "size", i, "is negative:", sizes->ints[i]);
		else if (!vf_sum_fits(sum, sizes->ints[i], &sum))
			n = fail(a, op, VF_ERR_OVERFLOW, "the sizes add up beyond", INT64_MAX, "with",
			         sizes->ints[i]);
		ends[i] = sum;
	}
	if (n >= 0 && sum != extent)
		n = fail(a, op, VF_ERR_SHAPE, "the sizes add up to", sum, "the extent is", extent);
	if (n >= 0)
		n = narrow_all(a, axis, n, ends, 0, out);
	vf_dealloc(a->ctx, ends);
	return n;
}

/* torch.chunk: parts of ceil(extent / chunks), so perhaps fewer than asked for. */
int64_t vf_parts_chunk(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out)
{
	int64_t chunks = args[0].i;
	int axis = axis_of(a, op, args[1].i);
	if (axis < 0)
		return -1;
	int64_t extent = a->map->shape[axis];
	if (chunks < 1)
		return fail(a, op, VF_ERR_ARGUMENT, "the number of chunks is", chunks, "for an extent of",
		            extent);
	int64_t size = extent ? (extent - 1) / chunks + 1 : 0;
	int64_t n = extent ? (extent - 1) / size + 1 : chunks;
	if (n > MAX_PARTS)
		return fail(a, op, VF_ERR_LIMIT, "there would be", n, "and the most parts are", MAX_PARTS);
	return narrow_all(a, axis, n, NULL, size, out);
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

int64_t vf_parts_tensor_split(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out)
{
	const vf_arg *where = &args[0];
	int axis = axis_of(a, op, args[1].i);
	if (axis < 0)
		return -1;
	bool even = !where->is_list && where->n == 1;
	int64_t extent = a->map->shape[axis], n = even ? where->ints[0] : where->n + 1;
	if (n < 1 || n > MAX_PARTS)
		return fail(a, op, VF_ERR_ARGUMENT, "the number of parts is", n, "and must be 1 to",
		            MAX_PARTS);
	int64_t *ends = vf_alloc_array(a->ctx, n, sizeof *ends);
	vf_array **parts = vf_alloc_array(a->ctx, n, sizeof *parts);
	int64_t made = ends && parts ? 0 : -1;
	for (int64_t i = 0, start = 0; i < n && made >= 0; i++) {
		ends[i] = even         ? even_end(extent, n, i)
		          : i + 1 == n ? extent
		                       : clip_index(where->ints[i], extent);
		/* Indices out of order give empty parts, as slices do. */
		parts[i] = vf_narrow(a, axis, start, ends[i] > start ? ends[i] - start : 0);
		start = ends[i];
		if (!parts[i]) {
			for (int64_t j = 0; j < i; j++)
				vf_release(parts[j]);
			made = -1;
		}
	}
	vf_dealloc(a->ctx, ends);
	if (made < 0)
		vf_dealloc(a->ctx, parts);
	else
		*out = parts;
	return made < 0 ? -1 : n;
}

int64_t vf_parts_unbind(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out)
{
	int axis = axis_of(a, op, args[0].i);
	if (axis < 0)
		return -1;
	int64_t n = a->map->shape[axis];
	if (n > MAX_PARTS)
		return fail(a, op, VF_ERR_LIMIT, "there would be", n, "and the most parts are", MAX_PARTS);
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
