/* split.c -- reshape: axes merged and split.
 *
 * In     a working map; a new shape of as many elements
 * Out    the same elements in row-major order under the new shape
 * Folds  Merging axes always keeps a region whole: weights are multiplied. Splitting an axis at radix Q
 *        (i to i div Q and i mod Q) keeps it whole where no carry crosses Q: the digits whose weight Q
 *        divides go up, the others, which with the base's remainder must stay below Q, go down.
 *        What crosses is taken apart until it does not:
 *          a digit over a boundary of Q that its weight divides   head, body of whole Qs, tail
 *          a weight that shares no boundary with Q                 period by period, lcm(weight, Q) long,
 *                                                                  each with the blocks of Q it meets
 * Keeps  A reshape that would leave more regions than it found is put off: the coordinates stay those of
 *        the merged axes (a ragged map) until an operation asks for the new ones (work_resolve). A
 *        C-ordered result never does.
 * Cuts   beyond w->limit regions: WORK_GIVEN_UP, with the two radices
 * Ends   each step makes the greatest crossing digit divide, or not cross, or shorter
 * Tests  tests/fold/compound.txt, tests/property/
 */
#include "map/work.h"

#include <string.h>

/* The part of region r's axis that lies below Q: the remainder of its base, and the digits whose weight Q
 * does not divide. `crossing` is the greatest of these if they reach Q together, else -1. */
typedef struct low_part {
	int64_t origin, span;
	int crossing;
	int last;
} low_part;

static low_part low_of(const vf_region *r, int axis, int64_t q)
{
	int first;
	low_part low = {r->base[axis] % q, 0, -1, 0};
	region_axis(r, axis, &first, &low.last);
	for (int k = low.last - 1; k >= first; k--) {
		if (r->digits[k].weight % q == 0)
			continue;
		low.span += (r->digits[k].extent - 1) * r->digits[k].weight;
		low.crossing = k;
	}
	if (low.origin + low.span < q)
		low.crossing = -1;
	return low;
}

static void align(vf_work *w, const vf_region *r, int axis, int64_t q);

static void give_up(vf_work *w, int64_t radix_old, int64_t radix_new)
{
	if (w->state != WORK_OK)
		return;
	w->state = WORK_GIVEN_UP;
	w->radix_old = radix_old;
	w->radix_new = radix_new;
}

/* Take digit k apart: one region for each of its values modulo `period`. */
static void align_phases(vf_work *w, const vf_region *r, int k, int64_t period, int axis, int64_t q)
{
	int64_t phases = period < r->digits[k].extent ? period : r->digits[k].extent;
	if (phases > w->limit)
		give_up(w, r->digits[k].weight, q);
	for (int64_t phase = 0; phase < phases && w->state == WORK_OK; phase++) {
		vf_region *part = work_copy_region(w, r);
		if (!part)
			return;
		region_phase_digit(part, k, period, phase);
		align(w, part, axis, q);
	}
}

/* Take digit k apart: its first `head` values, then the rest. */
static void align_head(vf_work *w, const vf_region *r, int k, int64_t head, int axis, int64_t q)
{
	int64_t extent = r->digits[k].extent;
	vf_region *first = work_copy_region(w, r), *rest = work_copy_region(w, r);
	if (!first || !rest)
		return;
	region_range_digit(first, k, 0, head);
	region_range_digit(rest, k, head, extent - head);
	align(w, first, axis, q);
	align(w, rest, axis, q);
}

/* Take digit k, a table, apart: one region for each run of `period` values. */
static void align_runs(vf_work *w, const vf_region *r, int k, int64_t period, int axis, int64_t q)
{
	int64_t runs = r->digits[k].extent / period;
	if (runs > w->limit)
		give_up(w, r->digits[k].weight, q);
	for (int64_t run = 0; run < runs && w->state == WORK_OK; run++) {
		vf_region *part = work_copy_region(w, r);
		if (!part)
			return;
		region_range_digit(part, k, run * period, period);
		align(w, part, axis, q);
	}
}

/* Split digit k in groups of `period` values. A remainder is taken apart first. */
static void align_groups(vf_work *w, const vf_region *r, int k, int64_t period, int axis, int64_t q)
{
	vf_digit d = r->digits[k];
	if (d.extent % period != 0) {
		align_head(w, r, k, d.extent / period * period, axis, q);
		return;
	}
	vf_region *part = work_copy_region(w, r);
	if (!part)
		return;
	if (region_split_digit(part, k, period))
		align(w, part, axis, q);
	else
		align_runs(w, r, k, period, axis, q);
}

/* Digits [k, low.last) reach over a few blocks of Q. Take them apart: one region for each block. */
static void align_blocks(vf_work *w, const vf_region *r, int k, low_part low, int64_t q)
{
	if ((low.origin + low.span) / q > w->limit)
		give_up(w, r->digits[k].weight, q);
	for (int64_t start = 0; start <= low.origin + low.span && w->state == WORK_OK; start += q)
		work_clip(w, r, k, low.last, start - low.origin, start + q - low.origin);
}

/* Take r apart until no carry crosses Q along `axis`. The parts are added to w. */
static void align(vf_work *w, const vf_region *r, int axis, int64_t q)
{
	low_part low = low_of(r, axis, q);
	int k = low.crossing;
	if (w->state != WORK_OK)
		return;
	if (k < 0) {
		work_add(w, r);
		return;
	}
	vf_digit d = r->digits[k];
	int64_t period = q / vf_gcd(d.weight, q);
	if (d.weight > q) {
		align_phases(w, r, k, period, axis, q);
		return;
	}
	/* The digit's values up to the first boundary of Q; used if the rest then starts at a boundary. */
	int64_t head = (q - low.origin + d.weight - 1) / d.weight;
	if (q % d.weight == 0 && low.origin >= d.weight && head < d.extent)
		align_head(w, r, k, head, axis, q);
	else if (d.extent > period)
		align_groups(w, r, k, period, axis, q);
	else
		align_blocks(w, r, k, low, q);
}

/* An axis of extent p * q becomes two axes, p and q, after alignment. */
static void split_axis(vf_work *w, int axis, int64_t q)
{
	int n;
	vf_region *regions = work_take(w, &n);
	for (int i = 0; i < n; i++)
		align(w, &regions[i], axis, q);
	if (w->state != WORK_OK)
		return;
	int64_t extent = w->shape[axis];
	work_new_axis(w, axis + 1);
	for (int i = 0; i < w->nregion; i++) {
		vf_region *r = work_copy_region(w, &w->regions[i]);
		if (!r)
			return;
		for (int k = 0; k < r->ndigit; k++) {
			vf_digit *d = &r->digits[k];
			if (d->axis == axis && d->weight % q == 0)
				d->weight /= q;
			else if (d->axis == axis)
				d->axis = axis + 1;
		}
		r->base[axis + 1] = r->base[axis] % q;
		r->base[axis] /= q;
		w->regions[i] = *r;
	}
	w->shape[axis] = w->final_shape[axis] = extent / q;
	w->shape[axis + 1] = w->final_shape[axis + 1] = q;
}

/* Axes [axis, axis + n) become one. */
static void merge_axes(vf_work *w, int axis, int n)
{
	for (; n > 1 && w->state == WORK_OK; n--) {
		int64_t inner = w->shape[axis + 1];
		for (int i = 0; i < w->nregion; i++) {
			vf_region *r = &w->regions[i];
			for (int k = 0; k < r->ndigit; k++) {
				if (r->digits[k].axis == axis)
					r->digits[k].weight *= inner;
				else if (r->digits[k].axis == axis + 1)
					r->digits[k].axis = axis;
			}
			r->base[axis] = r->base[axis] * inner + r->base[axis + 1];
			r->base[axis + 1] = 0;
		}
		w->shape[axis] *= inner;
		w->shape[axis + 1] = 1;
		work_drop_axis(w, axis + 1);
	}
	for (int i = 0; i < w->nregion && w->state == WORK_OK; i++)
		region_chain(&w->regions[i]);
}

/* The shortest runs of old and of new axes that hold the same elements. */
typedef struct axis_group {
	int nold, nnew;
} axis_group;

static axis_group next_group(const int64_t *old, const int64_t *new_shape)
{
	axis_group g = {1, 1};
	int64_t a = old[0], b = new_shape[0];
	while (a != b) {
		if (a < b)
			a *= old[g.nold++];
		else
			b *= new_shape[g.nnew++];
	}
	return g;
}

static bool same_extents(axis_group g, const int64_t *old, const int64_t *new_shape)
{
	return g.nold == g.nnew && memcmp(old, new_shape, (size_t)g.nold * sizeof *old) == 0;
}

/* Replace the axes of one group. */
static void reshape_group(vf_work *w, int axis, axis_group g, const int64_t *new_shape)
{
	merge_axes(w, axis, g.nold);
	int64_t inner = w->shape[axis];
	for (int i = 0; i + 1 < g.nnew && w->state == WORK_OK; i++) {
		inner /= new_shape[i];
		split_axis(w, axis + i, inner);
	}
}

/* Replace them if at most `limit` regions come of it. Otherwise w stays as it was; returns false. The trial
 * works on copies, as splitting rewrites regions in place. */
static bool try_group(vf_work *w, int axis, axis_group g, const int64_t *new_shape, int limit)
{
	vf_work trial;
	work_clone(&trial, w);
	trial.limit = limit;
	reshape_group(&trial, axis, g, new_shape);
	trial.limit = w->limit;
	if (trial.state == WORK_GIVEN_UP)
		return false;
	*w = trial;
	return true;
}

/* Give the groups' axes their new extents, all of them at least 2, as those of w are. With `put_off`, a
 * group that would need more regions keeps its merged axis. Returns whether one did. */
static bool reshape_groups(vf_work *w, int rank, const int64_t *shape, bool put_off)
{
	int64_t old[VF_MAX_RANK];
	int axis = 0;
	bool ragged = false;
	memcpy(old, w->shape, sizeof old);
	for (int a = 0, b = 0; b < rank && w->state == WORK_OK;) {
		axis_group g = next_group(old + a, shape + b);
		int placed = g.nnew;
		if (same_extents(g, old + a, shape + b)) {
			/* nothing to do */
		} else if (!put_off) {
			reshape_group(w, axis, g, shape + b);
		} else if (!try_group(w, axis, g, shape + b, w->nregion)) {
			merge_axes(w, axis, g.nold);
			placed = 1;
			ragged = true;
		}
		axis += placed;
		a += g.nold;
		b += g.nnew;
	}
	return ragged;
}

static int without_ones(int rank, const int64_t *shape, int64_t *out)
{
	int n = 0;
	for (int i = 0; i < rank; i++)
		if (shape[i] != 1)
			out[n++] = shape[i];
	return n;
}

/* Reshape with the axes of extent 1 left out. Then there are at most 62 axes at any time: the other extents
 * are at least 2 and their product is the size. */
static void reshape_through(vf_work *w, int rank, const int64_t *shape, bool put_off)
{
	int64_t rest[VF_MAX_RANK];
	int nrest = without_ones(rank, shape, rest);
	for (int a = w->rank - 1; a >= 0; a--)
		if (w->shape[a] == 1)
			work_drop_axis(w, a);
	bool ragged = reshape_groups(w, nrest, rest, put_off);
	for (int a = 0; a < rank && !ragged && w->state == WORK_OK; a++)
		if (shape[a] == 1)
			work_new_axis(w, a);
	w->final_rank = rank;
	if (rank)
		memcpy(w->final_shape, shape, (size_t)rank * sizeof *shape);
}

/* An array without elements has nothing to split. False if it has elements. */
static bool reshape_empty(vf_work *w, int rank, const int64_t *shape)
{
	bool empty = false;
	for (int i = 0; i < rank; i++)
		empty = empty || shape[i] == 0;
	if (!empty)
		return false;
	if (!w->has_strides || rank != w->rank || memcmp(w->shape, shape, (size_t)rank * sizeof *shape) != 0)
		vf_c_strides(rank, shape, w->strides);
	w->has_strides = true;
	w->nregion = 0;
	w->rank = w->final_rank = rank;
	memcpy(w->shape, shape, (size_t)rank * sizeof *shape);
	memcpy(w->final_shape, shape, (size_t)rank * sizeof *shape);
	return true;
}

void work_reshape(vf_work *w, int rank, const int64_t *shape)
{
	if (w->state != WORK_OK || reshape_empty(w, rank, shape))
		return;
	reshape_through(w, rank, shape, true);
}

void work_resolve(vf_work *w)
{
	int rank = w->final_rank;
	int64_t shape[VF_MAX_RANK];
	bool ragged = rank != w->rank || memcmp(w->shape, w->final_shape, (size_t)rank * sizeof *shape) != 0;
	if (w->state != WORK_OK || !ragged)
		return;
	memcpy(shape, w->final_shape, sizeof shape);
	int limit = w->limit;
	w->limit = w->nregion + VF_MAX_NEW_REGIONS < limit ? w->nregion + VF_MAX_NEW_REGIONS : limit;
	reshape_through(w, rank, shape, false);
	w->limit = limit;
}
