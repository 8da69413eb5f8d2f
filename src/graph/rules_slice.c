/* rules_slice.c -- ops that pick indices: x[...], slice, narrow, select, lists, roll, diagonal, unfold. */
#include "graph/fold.h"

#include <inttypes.h>

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* A bound as Python reads it: left out, negative from the end, clipped to [low, high]. */
static int64_t bound(int64_t given, int64_t standard, int64_t extent, int64_t low, int64_t high)
{
	if (given == VF_NONE)
		return standard;
	return clamp(given < 0 ? given + extent : given, low, high);
}

/* start:stop:step along an axis of w; PySlice_AdjustIndices is the rule. */
static bool slice_axis(vf_fold *f, vf_work *w, int axis, int64_t start, int64_t stop, int64_t step)
{
	int64_t n = w->shape[axis];
	if (step == 0)
		return fold_fail(f, VF_ERR_ARGUMENT, "the step of a slice along axis %d is 0", axis);
	if (step > 0) {
		start = bound(start, 0, n, 0, n);
		stop = bound(stop, n, n, 0, n);
		int64_t count = stop > start ? (stop - start - 1) / step + 1 : 0;
		work_slice(w, axis, start, count == 1 && !w->has_strides ? 1 : step, count);
		return true;
	}
	step = step == INT64_MIN ? INT64_MAX : -step;
	start = bound(start, n - 1, n, -1, n - 1);
	stop = bound(stop, -1, n, -1, n - 1);
	int64_t count = start > stop ? (start - stop - 1) / step + 1 : 0;
	work_flip(w, axis);
	work_slice(w, axis, n - 1 - start, count == 1 && !w->has_strides ? 1 : step, count);
	return true;
}

static bool check_index(vf_fold *f, int64_t *index, int64_t extent, int axis)
{
	if (*index < -extent || *index >= extent)
		return fold_fail(f, VF_ERR_BOUNDS,
		                 "index %" PRId64 " is out of range for axis %d of extent %" PRId64, *index,
		                 axis, extent);
	*index += *index < 0 ? extent : 0;
	return true;
}

/* A map that was given up has no known extent. Then the rule runs again above a cut. */
static bool select_axis(vf_fold *f, vf_work *w, int axis, int64_t index, int shown_axis)
{
	if (w->state != WORK_OK)
		return true;
	if (!check_index(f, &index, w->shape[axis], shown_axis))
		return false;
	work_slice(w, axis, index, 1, 1);
	work_drop_axis(w, axis);
	return true;
}

/* ---- index lists ---- */

/* How many of list[i..] have equal steps; at least 1. */
static int64_t run_length(const int64_t *list, int64_t i, int64_t n)
{
	int64_t end = i + 1;
	while (end + 1 < n && list[end + 1] - list[end] == list[i + 1] - list[i])
		end++;
	return end < n ? end + 1 - i : 1;
}

/* Like run_length(), but a pair leaves its second element to a longer run that starts there. */
static int64_t next_run(const int64_t *list, int64_t i, int64_t n)
{
	int64_t length = run_length(list, i, n);
	return length == 2 && run_length(list, i + 1, n) > 2 ? 1 : length;
}

static void append_run(vf_work *out, const vf_work *w, int axis, const int64_t *list, int64_t length)
{
	vf_work part;
	int64_t step = length > 1 ? list[1] - list[0] : 1, start = list[0];
	work_clone(&part, w);
	if (step < 0) {
		work_flip(&part, axis);
		start = w->shape[axis] - 1 - start;
		step = -step;
	}
	work_slice(&part, axis, start, step ? step : 1, step ? length : 1);
	if (step == 0)
		work_tile(&part, axis, length);
	work_append(out, axis, &part);
}

/* Runs of a list, counted up to one more than `most`. */
static int count_runs(const int64_t *list, int64_t n, int most)
{
	int runs = 0;
	for (int64_t i = 0; i < n && runs <= most; runs++)
		i += next_run(list, i, n);
	return runs;
}

/* Up to this many runs become one region each, which is moved as a slice is. More runs become a table. */
enum { FEW_RUNS = 16 };

static bool take_axis(vf_fold *f, vf_work *w, int axis, int64_t n, const int64_t *list, int shown_axis)
{
	if (w->state != WORK_OK)
		return true;
	int64_t *index = vf_arena_alloc(f->arena, n, sizeof *index);
	if (!index) {
		w->state = WORK_MEMORY;
		return true;
	}
	for (int64_t i = 0; i < n; i++) {
		index[i] = list[i];
		if (!check_index(f, &index[i], w->shape[axis], shown_axis))
			return false;
	}
	if (count_runs(index, n, FEW_RUNS) > FEW_RUNS && work_take_list(w, axis, n, index))
		return true;
	vf_work out;
	work_clone(&out, w);
	work_slice(&out, axis, 0, 1, 0);
	for (int64_t i = 0, length; i < n && out.state == WORK_OK; i += length) {
		length = next_run(index, i, n);
		append_run(&out, w, axis, index + i, length);
	}
	*w = out;
	return true;
}

/* ---- x[...] ---- */

typedef struct item_count {
	int consumed; /* axes that the items take */
	int ellipsis; /* where it stands, -1 if nowhere */
	int lists;
	bool apart; /* an index and a list with another item between them */
} item_count;

static bool count_items(vf_fold *f, item_count *c)
{
	*c = (item_count){.ellipsis = -1};
	int picks = 0, last_pick = 0; /* indices and lists; after the last of them */
	for (int64_t i = 0; i < f->args[0].n; i++) {
		const vf_item *item = &f->args[0].items[i];
		c->consumed += item->kind != VF_ITEM_NEW && item->kind != VF_ITEM_ELLIPSIS;
		c->lists += item->kind == VF_ITEM_LIST;
		if (item->kind == VF_ITEM_INDEX || item->kind == VF_ITEM_LIST) {
			c->apart = c->apart || (picks > 0 && i > last_pick);
			last_pick = (int)i + 1;
			picks++;
		}
		if (item->kind != VF_ITEM_ELLIPSIS)
			continue;
		if (c->ellipsis >= 0)
			return fold_fail(f, VF_ERR_SYNTAX, "'...' may stand once only");
		c->ellipsis = (int)i;
	}
	if (c->consumed > fold_rank(f))
		return fold_fail(f, VF_ERR_AXIS, "%d indices for an array of rank %d", c->consumed,
		                 fold_rank(f));
	if (c->lists > 1)
		return fold_fail(f, VF_ERR_ARGUMENT,
		                 "%d index lists at once; give one, and index the result again", c->lists);
	if (c->lists && c->apart)
		return fold_fail(f, VF_ERR_ARGUMENT,
		                 "a list and a number with a slice between them: NumPy and PyTorch order the "
		                 "axes differently; "
		                 "index twice");
	return true;
}

/* Whether start:stop:step is the whole of an axis in order, so that even a ragged map stays as it is. */
static bool takes_all(int64_t extent, int64_t start, int64_t stop, int64_t step)
{
	return (step == 1 || step == VF_NONE) && bound(start, 0, extent, 0, extent) == 0 &&
	       bound(stop, extent, extent, 0, extent) == extent;
}

static bool items_take_all(const vf_fold *f, const item_count *c)
{
	int axis = 0;
	for (int64_t i = 0; i < f->args[0].n; i++) {
		const vf_item *item = &f->args[0].items[i];
		if (item->kind == VF_ITEM_ELLIPSIS)
			axis += fold_rank(f) - c->consumed;
		else if (item->kind != VF_ITEM_SLICE ||
		         !takes_all(fold_extent(f, axis++), item->start, item->stop, item->step))
			return false;
	}
	return true;
}

/* One item of the array's own axes: `axis` is its place now, `shown` that in the array. */
static bool index_axis(vf_fold *f, const vf_item *item, int axis, int shown)
{
	vf_work *w = &f->out;
	if (item->kind == VF_ITEM_INDEX)
		return select_axis(f, w, axis, item->start, shown);
	if (item->kind == VF_ITEM_SLICE)
		return slice_axis(f, w, axis, item->start, item->stop,
		                  item->step == VF_NONE ? 1 : item->step);
	return take_axis(f, w, axis, item->nlist, item->list, shown);
}

/* First the items that take axes, then those that make new ones. So no rank on the way is greater than the
 * last. */
VF_RULE(index)
{
	item_count c;
	if (!count_items(f, &c))
		return false;
	if (items_take_all(f, &c)) {
		fold_load_ragged(f, 0, &f->out);
		return true;
	}
	const vf_arg *items = &f->args[0];
	int axis = 0, shown = 0, whole = fold_rank(f) - c.consumed;
	fold_load(f, 0, &f->out);
	for (int64_t i = 0; i < items->n && f->out.state == WORK_OK; i++) {
		vf_item_kind kind = items->items[i].kind;
		bool takes = kind != VF_ITEM_ELLIPSIS && kind != VF_ITEM_NEW;
		if (takes && !index_axis(f, &items->items[i], axis, shown))
			return false;
		axis += kind == VF_ITEM_ELLIPSIS ? whole : takes && kind != VF_ITEM_INDEX;
		shown += kind == VF_ITEM_ELLIPSIS ? whole : takes;
	}
	axis = 0;
	for (int64_t i = 0; i < items->n && f->out.state == WORK_OK; i++) {
		vf_item_kind kind = items->items[i].kind;
		if (kind == VF_ITEM_NEW && !fold_check_rank(f, f->out.rank + 1))
			return false;
		if (kind == VF_ITEM_NEW)
			work_new_axis(&f->out, axis);
		axis += kind == VF_ITEM_ELLIPSIS ? whole : kind != VF_ITEM_INDEX;
	}
	f->value = c.lists > 0;
	return true;
}

VF_RULE(slice)
{
	int axis = fold_axis(f, f->args[0].i, fold_rank(f));
	if (axis < 0)
		return false;
	if (takes_all(fold_extent(f, axis), f->args[1].i, f->args[2].i, f->args[3].i)) {
		fold_load_ragged(f, 0, &f->out);
		return true;
	}
	fold_load(f, 0, &f->out);
	return slice_axis(f, &f->out, axis, f->args[1].i, f->args[2].i,
	                  f->args[3].i == VF_NONE ? 1 : f->args[3].i);
}

VF_RULE(narrow)
{
	int axis = fold_axis(f, f->args[0].i, fold_rank(f));
	if (axis < 0)
		return false;
	int64_t n = fold_extent(f, axis), start = f->args[1].i, length = f->args[2].i;
	if (start < 0 && start >= -n)
		start += n;
	if (length < 0)
		return fold_fail(f, VF_ERR_ARGUMENT, "the length %" PRId64 " is negative", length);
	if (start < 0 || start > n || length > n - start)
		return fold_fail(f, VF_ERR_BOUNDS,
		                 "%" PRId64 " elements from %" PRId64
		                 " are not within axis %d of extent %" PRId64,
		                 length, f->args[1].i, axis, n);
	if (length == n) {
		fold_load_ragged(f, 0, &f->out);
		return true;
	}
	fold_load(f, 0, &f->out);
	work_slice(&f->out, axis, start, 1, length);
	return true;
}

VF_RULE(select)
{
	int axis = fold_axis(f, f->args[0].i, fold_rank(f));
	if (axis < 0)
		return false;
	fold_load(f, 0, &f->out);
	return select_axis(f, &f->out, axis, f->args[1].i, axis);
}

/* torch.index_select takes an array of rank 0 as one of one element, and returns rank 0 again. */
VF_RULE(index_select)
{
	const vf_arg *list = &f->args[1];
	int axis = fold_axis(f, f->args[0].i, fold_named_axes(f));
	bool scalar = fold_rank(f) == 0;
	if (axis < 0)
		return false;
	if (scalar && list->n != 1)
		return fold_fail(f, VF_ERR_SHAPE, "%" PRId64 " indices into an array of rank 0", list->n);
	fold_load(f, 0, &f->out);
	f->value = true;
	if (scalar)
		work_new_axis(&f->out, 0);
	if (!take_axis(f, &f->out, axis, list->n, list->ints, axis))
		return false;
	if (scalar)
		work_drop_axis(&f->out, 0);
	return true;
}

/* ---- roll ---- */

static void roll_axis(vf_work *w, int axis, int64_t shift)
{
	int64_t n = w->shape[axis];
	shift = n ? shift % n : 0;
	shift += shift < 0 ? n : 0;
	if (shift == 0)
		return;
	vf_work tail;
	work_clone(&tail, w);
	work_slice(&tail, axis, n - shift, 1, shift);
	work_slice(w, axis, 0, 1, n - shift);
	work_append(&tail, axis, w);
	*w = tail;
}

/* NumPy also takes one shift for several axes, and several shifts for one axis or for the flat array. */
VF_RULE(roll)
{
	const vf_arg *shifts = &f->args[0], *axes_arg = &f->args[1];
	int rank = fold_rank(f);
	f->value = true;
	if (!axes_arg->given || axes_arg->n == 0) {
		int64_t size = f->maps[0]->size;
		fold_load_ragged(f, 0, &f->out);
		work_reshape(&f->out, 1, &size);
		work_resolve(&f->out);
		for (int64_t i = 0; i < shifts->n; i++)
			roll_axis(&f->out, 0, shifts->ints[i]);
		work_reshape(&f->out, rank, f->maps[0]->shape);
		return true;
	}
	bool one_shift = shifts->n == 1, one_axis = axes_arg->n == 1;
	if (shifts->n != axes_arg->n && !one_shift && !one_axis)
		return fold_fail(f, VF_ERR_ARGUMENT, "%" PRId64 " shifts for %" PRId64 " axes", shifts->n,
		                 axes_arg->n);
	fold_load(f, 0, &f->out);
	for (int64_t i = 0; i < (one_shift ? axes_arg->n : shifts->n); i++) {
		int axis = fold_axis(f, axes_arg->ints[one_axis ? 0 : i], rank);
		if (axis < 0)
			return false;
		roll_axis(&f->out, axis, shifts->ints[one_shift ? 0 : i]);
	}
	return true;
}

/* ---- diagonals and windows ---- */

VF_RULE(diagonal)
{
	int rank = fold_rank(f);
	int64_t offset = f->args[0].i;
	int a = fold_axis(f, f->args[1].i, rank);
	int b = a < 0 ? -1 : fold_axis(f, f->args[2].i, rank);
	if (b < 0)
		return false;
	if (a == b)
		return fold_fail(f, VF_ERR_AXIS, "axis %d is named twice", a);
	int64_t na = fold_extent(f, a), nb = fold_extent(f, b);
	int64_t start_a = offset < 0 ? clamp(offset, -na, 0) * -1 : 0, start_b = clamp(offset, 0, nb);
	int64_t count = na - start_a < nb - start_b ? na - start_a : nb - start_b;
	fold_load(f, 0, &f->out);
	work_diagonal(&f->out, a, b, start_a, start_b, count);
	return true;
}

/* An array of rank 0 has one window: its element. */
static bool unfold_scalar(vf_fold *f, int64_t size)
{
	fold_load(f, 0, &f->out);
	work_new_axis(&f->out, 0);
	work_slice(&f->out, 0, 0, 1, size);
	return true;
}

VF_RULE(unfold)
{
	int rank = fold_rank(f);
	int64_t size = f->args[1].i, step = f->args[2].i;
	int axis = fold_axis(f, f->args[0].i, fold_named_axes(f));
	if (axis < 0)
		return false;
	int64_t shape[VF_MAX_RANK + 1], extent = rank ? fold_extent(f, axis) : 1;
	if (step < 1)
		return fold_fail(f, VF_ERR_ARGUMENT, "the step %" PRId64 " is not positive", step);
	if (size < 0)
		return fold_fail(f, VF_ERR_ARGUMENT, "the size %" PRId64 " is negative", size);
	if (size > extent)
		return fold_fail(f, VF_ERR_SHAPE, "windows of %" PRId64 " along axis %d of extent %" PRId64,
		                 size, axis, extent);
	if (rank == 0)
		return unfold_scalar(f, size);
	for (int i = 0; i < rank; i++)
		shape[i] = fold_extent(f, i);
	if (!vf_sum_fits((extent - size) / step, 1, &shape[axis]))
		return fold_fail(f, VF_ERR_OVERFLOW, "empty windows along axis %d of extent %" PRId64, axis,
		                 extent);
	shape[rank] = size;
	if (!fold_check_shape(f, rank + 1, shape))
		return false;
	fold_load(f, 0, &f->out);
	work_unfold(&f->out, axis, shape[axis], size, step);
	return true;
}
