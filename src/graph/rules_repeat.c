/* rules_repeat.c -- ops that read elements more than once: expand, tile, repeat, repeat_interleave. */
#include "graph/fold.h"

#include <inttypes.h>

/* Drop the regions if an extent is 0. The other extents may then be more, together, than a region has digits
 * for. */
static void drop_if_empty(vf_fold *f, int rank, const int64_t *shape)
{
	for (int i = 0; i < rank; i++)
		if (shape[i] == 0)
			work_empty(&f->out);
}

static bool expand(vf_fold *f, bool keep_allowed)
{
	const vf_arg *to = &f->args[0];
	const vf_map *in = f->maps[0];
	int64_t shape[VF_MAX_RANK], added = to->n - in->rank;
	char old[100], new_text[100];
	if (!fold_check_rank(f, to->n))
		return false;
	bool fits = added >= 0;
	for (int64_t i = 0; i < to->n && fits; i++) {
		int64_t had = i < added ? 1 : in->shape[i - added];
		bool keep = keep_allowed && to->ints[i] == -1 && i >= added;
		shape[i] = keep ? had : to->ints[i];
		fits = shape[i] >= 0 && (shape[i] == had || had == 1);
	}
	if (!fits)
		return fold_fail(f, VF_ERR_SHAPE, "%s does not stretch to %s",
		                 fold_shape_text(in->rank, in->shape, old, sizeof old),
		                 fold_shape_text((int)to->n, to->ints, new_text, sizeof new_text));
	if (!fold_check_shape(f, to->n, shape))
		return false;
	bool same = added == 0;
	for (int i = 0; i < in->rank && same; i++)
		same = shape[i] == in->shape[i];
	fold_load_ragged(f, 0, &f->out);
	if (same)
		return true;
	work_resolve(&f->out);
	drop_if_empty(f, (int)to->n, shape);
	for (int64_t i = 0; i < added; i++)
		work_new_axis(&f->out, 0);
	for (int i = 0; i < to->n && f->out.state == WORK_OK; i++)
		if (f->out.shape[i] != shape[i])
			work_expand(&f->out, i, shape[i]);
	return true;
}

VF_RULE(expand)
{
	return expand(f, true);
}

VF_RULE(broadcast_to)
{
	return expand(f, false);
}

/* Counts for the last n axes; missing ones are 1, further ones make axes. */
static bool tile(vf_fold *f)
{
	const vf_arg *counts = &f->args[0];
	const vf_map *in = f->maps[0];
	int64_t shape[VF_MAX_RANK] = {0}, rank = counts->n > in->rank ? counts->n : in->rank;
	if (!fold_check_rank(f, rank))
		return false;
	for (int64_t i = 0; i < rank; i++) {
		int64_t had = i < rank - in->rank ? 1 : in->shape[i - (rank - in->rank)];
		int64_t count = i < rank - counts->n ? 1 : counts->ints[i - (rank - counts->n)];
		if (count < 0)
			return fold_fail(f, VF_ERR_ARGUMENT, "the count %" PRId64 " is negative", count);
		if (!vf_product_fits(had, count, &shape[i]))
			return fold_fail(f, VF_ERR_OVERFLOW, "%" PRId64 " copies of extent %" PRId64, count,
			                 had);
	}
	if (!fold_check_shape(f, rank, shape))
		return false;
	fold_load(f, 0, &f->out);
	drop_if_empty(f, (int)rank, shape);
	while (f->out.rank < rank && f->out.state == WORK_OK)
		work_new_axis(&f->out, 0);
	for (int i = 0; i < rank && f->out.state == WORK_OK; i++)
		if (i >= rank - counts->n)
			work_tile(&f->out, i, counts->ints[i - (rank - counts->n)]);
	f->value = true;
	return true;
}

VF_RULE(tile)
{
	return tile(f);
}

VF_RULE(repeat)
{
	if (f->args[0].n < f->maps[0]->rank)
		return fold_fail(f, VF_ERR_SHAPE, "%" PRId64 " counts for an array of rank %d", f->args[0].n,
		                 f->maps[0]->rank);
	return tile(f);
}

VF_RULE(repeat_interleave)
{
	int64_t count = f->args[0].i, shape[VF_MAX_RANK], had;
	const vf_map *in = f->maps[0];
	int axis = 0, rank = in->rank;
	if (count < 0)
		return fold_fail(f, VF_ERR_ARGUMENT, "the count %" PRId64 " is negative", count);
	bool flat = !f->args[1].given || f->args[1].i == VF_NONE;
	if (flat) {
		rank = 1;
		shape[0] = in->size;
	} else {
		axis = fold_axis(f, f->args[1].i, rank);
		for (int i = 0; i < rank; i++)
			shape[i] = in->shape[i];
	}
	if (axis < 0)
		return false;
	had = shape[axis];
	if (!vf_product_fits(had, count, &shape[axis]))
		return fold_fail(f, VF_ERR_OVERFLOW, "%" PRId64 " copies of extent %" PRId64, count, had);
	if (!fold_check_shape(f, rank, shape))
		return false;
	if (flat) {
		fold_load_ragged(f, 0, &f->out);
		work_reshape(&f->out, 1, &in->size);
		work_resolve(&f->out);
	} else {
		fold_load(f, 0, &f->out);
	}
	work_repeat_each(&f->out, axis, count);
	f->value = true;
	return true;
}
