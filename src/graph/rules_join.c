/* rules_join.c -- ops that put arrays side by side: cat, stack, hstack, vstack, pad. */
#include "graph/fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Axes of extent 1 before and after, so that every operand has the same rank. */
typedef struct lift {
	int rank;     /* operands of a smaller rank get axes in front */
	int new_axis; /* a further axis here, -1 for none */
} lift;

static void load_lifted(vf_fold *f, int i, lift l, vf_work *w)
{
	fold_load(f, i, w);
	while (w->rank < l.rank && w->state == WORK_OK)
		work_new_axis(w, 0);
	if (l.new_axis >= 0)
		work_new_axis(w, l.new_axis);
}

/* Shape of operand i after lifting. */
static int lifted_shape(const vf_fold *f, int i, lift l, int64_t *shape)
{
	const vf_map *in = f->maps[i];
	int n = 0;
	for (int lead = in->rank; lead < l.rank; lead++)
		shape[n++] = 1;
	for (int a = 0; a < in->rank; a++)
		shape[n++] = in->shape[a];
	if (l.new_axis >= 0) {
		memmove(shape + l.new_axis + 1, shape + l.new_axis, (size_t)(n - l.new_axis) * sizeof *shape);
		shape[l.new_axis] = 1;
		n++;
	}
	return n;
}

/* `axis`: where operands may differ; -1 where they may not at all. */
static bool refuse_shapes(vf_fold *f, int i, int axis)
{
	char a[100], b[100], rule[48] = "must be the same";
	const vf_map *first = f->maps[0], *other = f->maps[i];
	if (axis >= 0)
		snprintf(rule, sizeof rule, "may differ along axis %d only", axis);
	return fold_fail(f, VF_ERR_SHAPE, "array %d has shape %s, array 0 has %s; they %s", i,
	                 fold_shape_text(other->rank, other->shape, b, sizeof b),
	                 fold_shape_text(first->rank, first->shape, a, sizeof a), rule);
}

/* All operands one after the other along `axis` of the lifted shapes. */
static bool join(vf_fold *f, lift l, int axis)
{
	int64_t total[VF_MAX_RANK + 1], shape[VF_MAX_RANK + 1];
	int rank = lifted_shape(f, 0, l, total);
	for (int i = 1; i < f->n; i++) {
		bool fits = lifted_shape(f, i, l, shape) == rank;
		for (int a = 0; a < rank && fits; a++)
			fits = a == axis || shape[a] == total[a];
		if (!fits)
			return refuse_shapes(f, i, axis);
		if (!vf_sum_fits(total[axis], shape[axis], &total[axis]))
			return fold_fail(f, VF_ERR_OVERFLOW,
			                 "the extents along axis %d add up beyond %" PRId64, axis, INT64_MAX);
	}
	if (!fold_check_shape(f, rank, total))
		return false;
	load_lifted(f, 0, l, &f->out);
	for (int i = 1; i < f->n && f->out.state == WORK_OK; i++) {
		vf_work part;
		load_lifted(f, i, l, &part);
		work_append(&f->out, axis, &part);
	}
	f->value = true;
	return true;
}

/* torch.cat skips arrays of shape (0,) whatever the others are; here a shape is what it says. */
static bool check_skipped(vf_fold *f)
{
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < f->n && f->maps[i]->rank == 1 && f->maps[i]->size == 0; j++)
			if (f->maps[j]->rank != 1)
				return fold_fail(f, VF_ERR_SHAPE,
				                 "array %d has shape (0,), array %d has rank %d; PyTorch "
				                 "skips the first: leave it out",
				                 i, j, f->maps[j]->rank);
	return true;
}

/* Whether every array has shape (0,). torch.cat then skips them all, and takes any axis. */
static bool all_skipped(const vf_fold *f)
{
	for (int i = 0; i < f->n; i++)
		if (f->maps[i]->rank != 1 || f->maps[i]->size != 0)
			return false;
	return true;
}

VF_RULE(cat)
{
	if (!check_skipped(f))
		return false;
	int axis = all_skipped(f) ? 0 : fold_axis(f, f->args[0].i, f->maps[0]->rank);
	return axis >= 0 && join(f, (lift){0, -1}, axis);
}

VF_RULE(stack)
{
	int rank = f->maps[0]->rank;
	if (!fold_check_rank(f, rank + 1))
		return false;
	int axis = fold_axis(f, f->args[0].i, rank + 1);
	for (int i = 1; i < f->n && axis >= 0; i++)
		if (f->maps[i]->rank != rank || (rank && memcmp(f->maps[i]->shape, f->maps[0]->shape,
		                                                (size_t)rank * sizeof(int64_t)) != 0))
			return refuse_shapes(f, i, -1);
	return axis >= 0 && join(f, (lift){0, axis}, axis);
}

VF_RULE(hstack)
{
	return join(f, (lift){1, -1}, f->maps[0]->rank <= 1 ? 0 : 1);
}

VF_RULE(vstack)
{
	/* A row of its own for an array of rank 1, as numpy.vstack: (n,) is (1, n). */
	return join(f, (lift){2, -1}, 0);
}

/* ---- pad ---- */

typedef struct pad_job {
	int axis;
	int64_t before, after; /* >= 0 */
	vf_pad_mode mode;
	const unsigned char *value;
	const vf_storage *source; /* of a constant: NULL, or vf_elsewhere */
} pad_job;

/* A part of the border: `count` elements along the axis. */
static void border(const vf_work *w, const pad_job *job, int64_t count, bool is_before, vf_work *part)
{
	int64_t n = w->shape[job->axis];
	if (job->mode == VF_PAD_CONSTANT) {
		int64_t shape[VF_MAX_RANK];
		memcpy(shape, w->shape, (size_t)w->rank * sizeof *shape);
		shape[job->axis] = count;
		work_init(part, w->arena);
		int64_t zeros[VF_MAX_RANK] = {0};
		work_plain(part, &(work_strided){w->rank, shape, zeros, 0}, job->source, job->value);
		return;
	}
	work_clone(part, w);
	if (job->mode == VF_PAD_REPLICATE) {
		work_slice(part, job->axis, is_before ? 0 : n - 1, 1, 1);
		work_tile(part, job->axis, count);
	} else if (job->mode == VF_PAD_CIRCULAR) {
		work_slice(part, job->axis, is_before ? n - count : 0, 1, count);
	} else {
		work_slice(part, job->axis, is_before ? 1 : n - 1 - count, 1, count);
		work_flip(part, job->axis);
	}
}

/* The index of an axis of n elements that the padded index i reads; not for a constant. */
static int64_t padded_index(const pad_job *job, int64_t n, int64_t i)
{
	i -= job->before;
	if (job->mode == VF_PAD_REPLICATE)
		return i < 0 ? 0 : i < n ? i : n - 1;
	if (job->mode == VF_PAD_CIRCULAR)
		return i < 0 ? i + n : i < n ? i : i - n;
	return i < 0 ? -i : i < n ? i : 2 * (n - 1) - i;
}

enum { MOST_LISTED = 65536 };

/* If three regions for each region would be more than one nest should have, read a short axis by a table. */
static bool pad_by_list(vf_work *w, const pad_job *job)
{
	int64_t n = w->shape[job->axis], padded = n + job->before + job->after;
	if (job->mode == VF_PAD_CONSTANT || 3 * (int64_t)w->nregion <= VF_MAX_NEW_REGIONS ||
	    padded > MOST_LISTED)
		return false;
	int64_t *index = vf_arena_raw(w->arena, padded, sizeof *index);
	for (int64_t i = 0; index && i < padded; i++)
		index[i] = padded_index(job, n, i);
	return index && work_take_list(w, job->axis, padded, index);
}

static void pad_axis(vf_work *w, const pad_job *job)
{
	vf_work part;
	if ((job->before > 0 || job->after > 0) && pad_by_list(w, job))
		return;
	if (job->after > 0)
		border(w, job, job->after, false, &part);
	if (job->before > 0) {
		vf_work front;
		border(w, job, job->before, true, &front);
		work_append(&front, job->axis, w);
		*w = front;
	}
	if (job->after > 0)
		work_append(w, job->axis, &part);
}

static bool check_pad(vf_fold *f, const pad_job *job, int64_t extent)
{
	int64_t most = job->before > job->after ? job->before : job->after, padded;
	if (!vf_sum_fits(extent, job->before, &padded) || !vf_sum_fits(padded, job->after, &padded))
		return fold_fail(f, VF_ERR_OVERFLOW,
		                 "axis %d of extent %" PRId64 " padded by %" PRId64 " and %" PRId64,
		                 job->axis, extent, job->before, job->after);
	bool fits = job->mode == VF_PAD_CONSTANT || most == 0 ||
	            (job->mode == VF_PAD_REPLICATE && extent > 0) ||
	            (job->mode == VF_PAD_CIRCULAR && most <= extent) ||
	            (job->mode == VF_PAD_REFLECT && most < extent);
	if (fits)
		return true;
	return fold_fail(f, VF_ERR_SHAPE,
	                 "axis %d of extent %" PRId64 " cannot be padded by %" PRId64 " in this mode",
	                 job->axis, extent, most);
}

/* Take `front` and `back` elements off an axis. */
static bool crop(vf_fold *f, int axis, int64_t front, int64_t back)
{
	vf_work *w = &f->out;
	int64_t n = w->shape[axis];
	if (w->state != WORK_OK)
		return true;
	if (front > n || back > n - front)
		return fold_fail(f, VF_ERR_SHAPE,
		                 "axis %d of extent %" PRId64 " cropped by %" PRId64 " and %" PRId64, axis, n,
		                 front, back);
	work_slice(w, axis, front, 1, n - front - back);
	return true;
}

static bool grow(vf_fold *f, const pad_job *job)
{
	vf_work *w = &f->out;
	int64_t shape[VF_MAX_RANK];
	if (w->state != WORK_OK)
		return true;
	if (!check_pad(f, job, w->shape[job->axis]))
		return false;
	memcpy(shape, w->shape, (size_t)w->rank * sizeof *shape);
	shape[job->axis] += job->before + job->after;
	if (!fold_check_shape(f, w->rank, shape))
		return false;
	pad_axis(w, job);
	return true;
}

/* Grow one axis by the positive pads and crop it by the negative ones, in PyTorch's order: a constant or
 * circular pad goes around what the crop left; a reflection or an edge is that of the whole axis. */
static bool pad_and_crop(vf_fold *f, pad_job job, int64_t before, int64_t after)
{
	int64_t front = before < 0 ? -before : 0, back = after < 0 ? -after : 0;
	job.before = before > 0 ? before : 0;
	job.after = after > 0 ? after : 0;
	if (job.mode == VF_PAD_CONSTANT || job.mode == VF_PAD_CIRCULAR)
		return crop(f, job.axis, front, back) && grow(f, &job);
	return grow(f, &job) && crop(f, job.axis, front, back);
}

VF_RULE(pad)
{
	const vf_arg *pads = &f->args[0];
	int rank = f->maps[0]->rank;
	pad_job job = {.mode = (vf_pad_mode)f->args[1].i,
	               .value = f->args[2].given ? f->args[2].value : NULL};
	job.source = f->of_layer ? &vf_elsewhere : NULL;
	if (pads->n % 2 != 0 || pads->n > 2 * (int64_t)rank)
		return fold_fail(f, VF_ERR_SHAPE,
		                 "%" PRId64 " numbers are not one pair an axis of an array of rank %d",
		                 pads->n, rank);
	if (job.mode > VF_PAD_CIRCULAR)
		return fold_fail(f, VF_ERR_ARGUMENT, "%d is no mode", (int)job.mode);
	for (int i = 0; i < 16 && job.value && job.mode != VF_PAD_CONSTANT; i++)
		if (job.value[i] != 0)
			return fold_fail(f, VF_ERR_ARGUMENT, "a value goes with mode 'constant' only");
	for (int64_t i = 0; i < pads->n; i++)
		if (pads->ints[i] == INT64_MIN)
			return fold_fail(f, VF_ERR_OVERFLOW, "the pad %" PRId64 " cannot be negated",
			                 pads->ints[i]);
	fold_load(f, 0, &f->out);
	for (int64_t i = 0; i < pads->n; i += 2) {
		job.axis = rank - 1 - (int)(i / 2);
		if (!pad_and_crop(f, job, pads->ints[i], pads->ints[i + 1]))
			return false;
	}
	f->value = true;
	return true;
}
