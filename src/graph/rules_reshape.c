/* rules_reshape.c -- ops that keep the row-major order: reshape, view, flatten, unflatten, pixel_shuffle. */
#include "graph/fold.h"

#include <inttypes.h>
#include <string.h>

/* Work out the one -1 of a shape of `size` elements, and check the count. `was` is what is reshaped, for
 * the sentence. */
static bool infer_shape(vf_fold *f, const vf_arg *to, int64_t size, int was_rank, const int64_t *was,
                        int64_t *shape)
{
	char old[100], new_text[100];
	int unknown = -1;
	int64_t known = 1;
	if (!fold_check_rank(f, to->n))
		return false;
	fold_shape_text(was_rank, was, old, sizeof old);
	fold_shape_text((int)to->n, to->ints, new_text, sizeof new_text);
	for (int i = 0; i < to->n; i++) {
		shape[i] = to->ints[i];
		if (shape[i] == -1 && unknown >= 0)
			return fold_fail(f, VF_ERR_SHAPE, "cannot make %s from %s: only one extent can be -1",
			                 new_text, old);
		if (shape[i] == -1) {
			unknown = i;
			shape[i] = 1;
		}
		if (shape[i] < 0)
			return fold_fail(f, VF_ERR_SHAPE,
			                 "cannot make %s from %s: extent %" PRId64 " is negative", new_text,
			                 old, shape[i]);
	}
	if (!vf_count((int)to->n, shape, &known))
		return fold_fail(f, VF_ERR_OVERFLOW,
		                 "cannot make %s from %s: it has more than %" PRId64 " elements", new_text,
		                 old, INT64_MAX);
	if (unknown >= 0 && (known == 0 || size % known != 0))
		return fold_fail(f, VF_ERR_SHAPE,
		                 "cannot make %s from %s: %" PRId64 " elements do not divide by %" PRId64,
		                 new_text, old, size, known);
	if (unknown >= 0)
		shape[unknown] = size / known;
	else if (known != size)
		return fold_fail(f, VF_ERR_SHAPE,
		                 "cannot make %s from %s: %" PRId64 " elements are not %" PRId64, new_text,
		                 old, size, known);
	return true;
}

VF_RULE(reshape)
{
	int64_t shape[VF_MAX_RANK];
	const vf_map *in = f->maps[0];
	if (!infer_shape(f, &f->args[0], in->size, in->rank, in->shape, shape))
		return false;
	fold_load_ragged(f, 0, &f->out);
	work_reshape(&f->out, (int)f->args[0].n, shape);
	return true;
}

/* ---- view ---- */

/* Whether some leading axes of the new shape have `count` elements together. Then the old axes with as many
 * elements are not merged with those after them. */
static bool keeps_boundary(int64_t count, int rank, const int64_t *shape)
{
	int64_t product = 1;
	for (int i = 0; i < rank && product < count; i++)
		product *= shape[i];
	return product == count;
}

/* The last pair of neighbouring axes of a plain map that do not chain though the new shape merges them:
 * stride[a] is not stride[b] * extent[b]. -1 if there is none. */
static int broken_axis(const vf_map *in, const int64_t *strides, int rank, const int64_t *shape)
{
	int broken = -1;
	int64_t count = 1, run;
	for (int a = 0, b; a < in->rank - 1; a++) {
		count *= in->shape[a];
		for (b = a + 1; b < in->rank - 1 && in->shape[b] == 1;)
			b++;
		bool chain = vf_product_fits(strides[b], in->shape[b], &run) && strides[a] == run;
		if (in->shape[a] != 1 && in->shape[b] != 1 && !chain && !keeps_boundary(count, rank, shape))
			broken = a;
	}
	return broken;
}

static bool refuse_view(vf_fold *f, int rank, const int64_t *shape)
{
	const vf_map *in = f->maps[0];
	int64_t strides[VF_MAX_RANK];
	char old[100], new_text[100];
	fold_shape_text(in->rank, in->shape, old, sizeof old);
	fold_shape_text(rank, shape, new_text, sizeof new_text);
	if (!vf_map_plain(in, strides)) {
		int compound = vf_map_compound(in);
		if (compound < 0)
			return fold_fail(f, VF_ERR_VIEW,
			                 "cannot make %s from %s: the array is %d regions; use reshape",
			                 new_text, old, in->nregion);
		return fold_fail(f, VF_ERR_VIEW, "cannot make %s from %s: axis %d is compound; use reshape",
		                 new_text, old, compound);
	}
	int a = broken_axis(in, strides, rank, shape);
	int b = a + 1;
	while (a >= 0 && b < in->rank - 1 && in->shape[b] == 1)
		b++;
	if (a < 0)
		return fold_fail(f, VF_ERR_VIEW, "cannot make %s from %s with plain strides; use reshape",
		                 new_text, old);
	return fold_fail(f, VF_ERR_VIEW,
	                 "cannot make %s from %s: axes %d and %d do not chain, stride %" PRId64
	                 " is not %" PRId64 " * %" PRId64 "; use reshape",
	                 new_text, old, a, b, strides[a], strides[b], in->shape[b]);
}

VF_RULE(view)
{
	if (!rule_reshape(f))
		return false;
	if (!f->reporting || f->out.state != WORK_OK)
		return true;
	vf_work probe;
	work_clone(&probe, &f->out);
	vf_map *made = work_finish(&probe);
	if (!made && probe.state == WORK_GIVEN_UP)
		f->out.state = probe.state;
	if (!made)
		return f->out.state != WORK_OK; /* else without memory; the error is kept */
	bool plain = vf_map_plain(made, NULL) || (made->nregion == 1 && !made->regions[0].source);
	vf_map_drop(f->ctx, made);
	return plain || refuse_view(f, f->out.final_rank, f->out.final_shape);
}

/* ---- merging and splitting one axis ---- */

VF_RULE(flatten)
{
	const vf_map *in = f->maps[0];
	int64_t shape[VF_MAX_RANK];
	int n = 0, rank = fold_named_axes(f); /* one element flattens to one axis */
	int first = fold_axis(f, f->args[0].i, rank);
	int last = first < 0 ? -1 : fold_axis(f, f->args[1].i, rank);
	if (last < 0)
		return false;
	if (first > last)
		return fold_fail(f, VF_ERR_AXIS, "the first axis %d comes after the last %d", first, last);
	for (int i = 0; i < in->rank; i++) {
		if (i <= first || i > last)
			shape[n++] = in->shape[i];
		else if (!vf_product_fits(shape[n - 1], in->shape[i],
		                          &shape[n - 1])) /* beside an extent of 0 */
			return fold_fail(f, VF_ERR_OVERFLOW,
			                 "the extents of axes %d to %d are beyond %" PRId64, first, last,
			                 INT64_MAX);
	}
	if (in->rank == 0)
		shape[n++] = 1;
	if (!fold_check_shape(f, n, shape))
		return false;
	fold_load_ragged(f, 0, &f->out);
	work_reshape(&f->out, n, shape);
	return true;
}

VF_RULE(ravel)
{
	fold_load_ragged(f, 0, &f->out);
	work_reshape(&f->out, 1, &f->maps[0]->size);
	return true;
}

VF_RULE(unflatten)
{
	const vf_map *in = f->maps[0];
	const vf_arg *sizes = &f->args[1];
	int64_t parts[VF_MAX_RANK], shape[VF_MAX_RANK];
	int axis = fold_axis(f, f->args[0].i, in->rank), n = 0;
	if (axis < 0)
		return false;
	if (sizes->n == 0)
		return fold_fail(f, VF_ERR_SHAPE, "no sizes for axis %d", axis);
	if (!fold_check_rank(f, in->rank - 1 + sizes->n))
		return false;
	if (!infer_shape(f, sizes, in->shape[axis], 1, &in->shape[axis], parts))
		return false;
	for (int i = 0; i < in->rank; i++)
		for (int64_t j = 0; j < (i == axis ? sizes->n : 1); j++)
			shape[n++] = i == axis ? parts[j] : in->shape[i];
	fold_load_ragged(f, 0, &f->out);
	work_reshape(&f->out, n, shape);
	return true;
}

/* ---- pixel_shuffle: reshape, permute, reshape ---- */

static bool check_shuffle(vf_fold *f, int64_t r)
{
	int rank = f->maps[0]->rank;
	int64_t square;
	if (rank < 3)
		return fold_fail(f, VF_ERR_SHAPE, "an array of rank %d is no (..., channels, height, width)",
		                 rank);
	if (rank + 2 > VF_MAX_RANK)
		return fold_fail(f, VF_ERR_LIMIT, "rank %d is beyond %d, as 2 axes come in between", rank,
		                 VF_MAX_RANK - 2);
	if (r < 1 || !vf_product_fits(r, r, &square))
		return fold_fail(f, VF_ERR_ARGUMENT, "the factor %" PRId64 " is not a small positive number",
		                 r);
	return true;
}

/* The last three axes as the five of `middle`, these by `order`, then as the three of `shape`. */
static bool shuffle(vf_fold *f, const int64_t middle[5], const int *order, const int64_t shape[3])
{
	int all[VF_MAX_RANK], lead = f->maps[0]->rank - 3;
	int64_t extents[VF_MAX_RANK];
	for (int i = 0; i < lead + 5; i++)
		all[i] = i < lead ? i : lead + order[i - lead];
	memcpy(extents, f->maps[0]->shape, (size_t)lead * sizeof *extents);
	memcpy(extents + lead, middle, 5 * sizeof *extents);
	fold_load_ragged(f, 0, &f->out);
	work_reshape(&f->out, lead + 5, extents);
	work_resolve(&f->out);
	work_permute(&f->out, all);
	memcpy(extents + lead, shape, 3 * sizeof *extents);
	work_reshape(&f->out, lead + 3, extents);
	return true;
}

VF_RULE(pixel_shuffle)
{
	int64_t r = f->args[0].i, wide, high;
	if (!check_shuffle(f, r))
		return false;
	const int64_t *last = f->maps[0]->shape + f->maps[0]->rank - 3;
	int64_t c = last[0], h = last[1], w = last[2];
	if (c % (r * r) != 0)
		return fold_fail(f, VF_ERR_SHAPE, "%" PRId64 " channels do not divide by %" PRId64, c, r * r);
	if (!vf_product_fits(h, r, &high) || !vf_product_fits(w, r, &wide))
		return fold_fail(f, VF_ERR_OVERFLOW, "%" PRId64 " by %" PRId64 " times %" PRId64, h, w, r);
	c /= r * r;
	return shuffle(f, (int64_t[]){c, r, r, h, w}, (int[]){0, 3, 1, 4, 2}, (int64_t[]){c, high, wide});
}

VF_RULE(pixel_unshuffle)
{
	int64_t r = f->args[0].i, channels;
	if (!check_shuffle(f, r))
		return false;
	const int64_t *last = f->maps[0]->shape + f->maps[0]->rank - 3;
	int64_t c = last[0], h = last[1] / r, w = last[2] / r;
	if (last[1] % r != 0 || last[2] % r != 0)
		return fold_fail(f, VF_ERR_SHAPE, "%" PRId64 " by %" PRId64 " do not divide by %" PRId64,
		                 last[1], last[2], r);
	if (!vf_product_fits(c, r * r, &channels))
		return fold_fail(f, VF_ERR_OVERFLOW, "%" PRId64 " channels times %" PRId64, c, r * r);
	return shuffle(f, (int64_t[]){c, h, r, w, r}, (int[]){0, 2, 4, 1, 3}, (int64_t[]){channels, h, w});
}
