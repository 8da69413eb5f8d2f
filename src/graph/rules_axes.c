/* rules_axes.c -- ops that reorder, add and drop axes, and ops that reverse them. */
#include "graph/fold.h"

#include <inttypes.h>

static bool permuted(vf_fold *f, const int *order)
{
	bool same = true;
	for (int i = 0; i < fold_rank(f); i++)
		same = same && order[i] == i;
	fold_load_ragged(f, 0, &f->out);
	if (same)
		return true;
	work_resolve(&f->out);
	work_permute(&f->out, order);
	return true;
}

VF_RULE(permute)
{
	int order[VF_MAX_RANK];
	if (!f->args[0].given) /* numpy.transpose(x) */
		return rule_T(f);
	if (f->args[0].n != fold_rank(f))
		return fold_fail(f, VF_ERR_AXIS, "%" PRId64 " axes for an array of rank %d", f->args[0].n,
		                 fold_rank(f));
	return fold_axes(f, &f->args[0], fold_rank(f), order) && permuted(f, order);
}

static bool swapped(vf_fold *f, int a, int b)
{
	int order[VF_MAX_RANK];
	for (int i = 0; i < fold_rank(f); i++)
		order[i] = i == a ? b : i == b ? a : i;
	return permuted(f, order);
}

VF_RULE(transpose)
{
	int a = fold_axis(f, f->args[0].i, fold_named_axes(f));
	int b = a < 0 ? -1 : fold_axis(f, f->args[1].i, fold_named_axes(f));
	return b >= 0 && swapped(f, a, b);
}

VF_RULE(T)
{
	int order[VF_MAX_RANK], rank = fold_rank(f);
	for (int i = 0; i < rank; i++)
		order[i] = rank - 1 - i;
	return permuted(f, order);
}

VF_RULE(mT)
{
	int rank = fold_rank(f);
	if (rank < 2)
		return fold_fail(f, VF_ERR_SHAPE, "an array of rank %d has no matrices", rank);
	return swapped(f, rank - 2, rank - 1);
}

VF_RULE(t)
{
	if (fold_rank(f) > 2)
		return fold_fail(f, VF_ERR_SHAPE, "an array of rank %d is no matrix", fold_rank(f));
	return rule_T(f);
}

VF_RULE(movedim)
{
	int from[VF_MAX_RANK], to[VF_MAX_RANK], order[VF_MAX_RANK], rank = fold_rank(f);
	int64_t n = f->args[0].n;
	if (n != f->args[1].n)
		return fold_fail(f, VF_ERR_AXIS, "%" PRId64 " source axes but %" PRId64 " destinations", n,
		                 f->args[1].n);
	if (!fold_axes(f, &f->args[0], fold_named_axes(f), from) ||
	    !fold_axes(f, &f->args[1], fold_named_axes(f), to))
		return false;
	bool moved[VF_MAX_RANK] = {false}, taken[VF_MAX_RANK] = {false};
	for (int64_t i = 0; i < n; i++) {
		order[to[i]] = from[i];
		taken[to[i]] = moved[from[i]] = true;
	}
	for (int place = 0, axis = 0; place < rank; place++) {
		if (taken[place])
			continue;
		while (moved[axis])
			axis++;
		order[place] = axis++;
	}
	return permuted(f, order);
}

VF_RULE(squeeze)
{
	int axes[VF_MAX_RANK];
	bool drop[VF_MAX_RANK] = {false};
	if (!fold_axes(f, &f->args[0], fold_named_axes(f), axes))
		return false;
	for (int64_t i = 0; i < f->args[0].n; i++)
		drop[axes[i]] = true;
	fold_load(f, 0, &f->out);
	for (int a = fold_rank(f) - 1; a >= 0; a--)
		if (fold_extent(f, a) == 1 && (drop[a] || !f->args[0].given))
			work_drop_axis(&f->out, a);
	return true;
}

VF_RULE(unsqueeze)
{
	int axes[VF_MAX_RANK], rank = fold_rank(f);
	bool new[VF_MAX_RANK] = {false};
	if (!fold_check_rank(f, rank + f->args[0].n))
		return false;
	rank += (int)f->args[0].n;
	if (!fold_axes(f, &f->args[0], rank, axes))
		return false;
	for (int64_t i = 0; i < f->args[0].n; i++)
		new[axes[i]] = true;
	fold_load(f, 0, &f->out);
	for (int axis = 0; axis < rank; axis++)
		if (new[axis])
			work_new_axis(&f->out, axis);
	return true;
}

/* ---- reversals ---- */

VF_RULE(flip)
{
	int axes[VF_MAX_RANK];
	if (!fold_axes(f, &f->args[0], fold_named_axes(f), axes))
		return false;
	fold_load(f, 0, &f->out);
	bool all = !f->args[0].given;
	for (int64_t i = 0; i < (all ? fold_rank(f) : f->args[0].n) && fold_rank(f) > 0; i++)
		work_flip(&f->out, all ? (int)i : axes[i]);
	return true;
}

static bool flip_one(vf_fold *f, int axis)
{
	if (fold_rank(f) <= axis)
		return fold_fail(f, VF_ERR_AXIS, "an array of rank %d has no axis %d", fold_rank(f), axis);
	fold_load(f, 0, &f->out);
	work_flip(&f->out, axis);
	return true;
}

VF_RULE(fliplr)
{
	return flip_one(f, 1);
}

VF_RULE(flipud)
{
	return flip_one(f, 0);
}

/* A quarter turn from axis a towards axis b: swap, then flip a. numpy.rot90 */
VF_RULE(rot90)
{
	static const int64_t first_two[] = {0, 1};
	vf_arg axes_arg = f->args[1];
	int axes[VF_MAX_RANK];
	if (!axes_arg.given) {
		axes_arg.n = 2;
		axes_arg.ints = first_two;
	}
	if (axes_arg.n != 2)
		return fold_fail(f, VF_ERR_AXIS, "it turns in a plane of 2 axes, not %" PRId64, axes_arg.n);
	if (!fold_axes(f, &axes_arg, fold_rank(f), axes))
		return false;
	int64_t turns = (f->args[0].i % 4 + 4) % 4;
	if (turns % 2)
		swapped(f, axes[0], axes[1]);
	else
		fold_load(f, 0, &f->out);
	if (turns == 1 || turns == 2)
		work_flip(&f->out, axes[0]);
	if (turns == 2 || turns == 3)
		work_flip(&f->out, axes[1]);
	return true;
}
