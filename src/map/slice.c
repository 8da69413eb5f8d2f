/* slice.c -- ranges and steps along an axis, windows and diagonals.
 *
 * In     a working map; a range of an axis, or a step
 * Out    the regions that remain, in the new coordinates
 * Folds  A range of a single digit is one region. A range of a compound axis (digits n_1 .. n_m) is cut
 *        at its two ends only: the whole sub-blocks are one region, and each end goes on one digit
 *        further down, so at most 2 m - 1 regions come of one: head, body and tail.
 *        A step folds into every digit whose weight it divides. A digit of another weight w takes part
 *        in a congruence: its values fall into step / gcd(w, step) phases, each a region, and the last
 *        such digit is solved for. So a step that divides the digits costs nothing.
 * Ends   each recursion fixes or drops one digit
 * Tests  tests/fold/slices.txt, tests/property/
 */
#include "map/wide.h"
#include "map/work.h"

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t ceil_div(int64_t a, int64_t b)
{
	return -floor_div(-a, b);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

static int64_t span_of(const vf_region *r, int first, int last)
{
	int64_t span = 0;
	for (int k = first; k < last; k++)
		span += (r->digits[k].extent - 1) * r->digits[k].weight;
	return span;
}

void work_clip(vf_work *w, const vf_region *r, int first, int last, int64_t low, int64_t high)
{
	int64_t span = span_of(r, first, last);
	if (w->state != WORK_OK || high <= 0 || span < low)
		return;
	if (low <= 0 && span < high) {
		work_add(w, r);
		return;
	}
	/* Value d of the greatest digit covers [d weight, + rest]. */
	vf_digit digit = r->digits[first];
	int64_t rest = span - (digit.extent - 1) * digit.weight;
	int64_t touch0 = clamp(ceil_div(low - rest, digit.weight), 0, digit.extent);
	int64_t touch1 = clamp(ceil_div(high, digit.weight), touch0, digit.extent);
	int64_t whole0 = clamp(ceil_div(low, digit.weight), touch0, touch1);
	int64_t whole1 = clamp(floor_div(high - 1 - rest, digit.weight) + 1, whole0, touch1);
	for (int64_t d = touch0; d < touch1; d++) {
		vf_region *part = work_copy_region(w, r);
		if (!part)
			return;
		if (d == whole0 && whole0 < whole1) {
			region_range_digit(part, first, whole0, whole1 - whole0);
			work_add(w, part);
			d = whole1 - 1;
		} else {
			region_fix_digit(part, first, d);
			work_clip(w, part, first, last - 1, low - d * digit.weight, high - d * digit.weight);
		}
	}
}

/* Of the digits of `axis` whose weight `step` does not divide: the one with most phases, which is left
 * for the last, and any other; -1 where there is none. */
static void find_offenders(const vf_region *r, int axis, int64_t step, int *largest, int *other)
{
	int first, last;
	int64_t most = 0;
	*largest = *other = -1;
	region_axis(r, axis, &first, &last);
	for (int k = first; k < last; k++) {
		int64_t phases = step / vf_gcd(r->digits[k].weight, step);
		if (phases == 1)
			continue;
		*other = phases > most ? *largest : k;
		if (phases > most) {
			most = phases;
			*largest = k;
		}
	}
}

static void divide_axis(vf_region *r, int axis, int64_t step)
{
	r->base[axis] /= step;
	for (int k = 0; k < r->ndigit; k++)
		if (r->digits[k].axis == axis)
			r->digits[k].weight /= step;
}

/* The one phase of the last offending digit that makes the index divisible; false if there is none. */
static bool solve_last(vf_region *r, int axis, int k, int64_t step)
{
	int64_t weight = r->digits[k].weight, common = vf_gcd(weight, step);
	int64_t wanted = (step - r->base[axis] % step) % step;
	if (wanted % common != 0)
		return false;
	int64_t period = step / common;
	int64_t phase = vf_solve_congruence(weight / common, wanted / common, period);
	if (phase >= r->digits[k].extent)
		return false;
	region_phase_digit(r, k, period, phase);
	return true;
}

/* Regions of r whose index along `axis` is a multiple of step, divided by it. r is used up. */
static void keep_multiples(vf_work *w, vf_region *r, int axis, int64_t step)
{
	int largest, other;
	find_offenders(r, axis, step, &largest, &other);
	if (other < 0) {
		bool some = largest < 0 ? r->base[axis] % step == 0 : solve_last(r, axis, largest, step);
		if (some) {
			divide_axis(r, axis, step);
			work_add(w, r);
		}
		return;
	}
	int64_t period = step / vf_gcd(r->digits[other].weight, step);
	int64_t phases = period < r->digits[other].extent ? period : r->digits[other].extent;
	if (phases > w->limit) {
		w->radix_old = r->digits[other].weight;
		w->radix_new = step;
		w->state = WORK_GIVEN_UP;
	}
	for (int64_t phase = 0; phase < phases && w->state == WORK_OK; phase++) {
		vf_region *part = work_copy_region(w, r);
		if (!part)
			return;
		region_phase_digit(part, other, period, phase);
		keep_multiples(w, part, axis, step);
	}
}

/* The regions of `in` between start and start + step * (count - 1), at the step, added to w with the
 * index along `axis` counted anew. */
static void slice_region(vf_work *w, const vf_region *in, int axis, int64_t start, int64_t step,
                         int64_t count)
{
	int first, last, taken;
	vf_work clipped;
	work_init(&clipped, w->arena);
	clipped.rank = w->rank;
	region_axis(in, axis, &first, &last);
	int64_t from = start - in->base[axis];
	work_clip(&clipped, in, first, last, from, from + (count - 1) * step + 1);
	if (clipped.state != WORK_OK)
		w->state = clipped.state;
	vf_region *parts = work_take(&clipped, &taken);
	for (int i = 0; i < taken && w->state == WORK_OK; i++) {
		vf_region *part = work_copy_region(w, &parts[i]);
		if (!part)
			return;
		part->base[axis] -= start;
		if (step == 1)
			work_add(w, part);
		else
			keep_multiples(w, part, axis, step);
	}
}

static void set_extent(vf_work *w, int axis, int64_t extent)
{
	w->shape[axis] = w->final_shape[axis] = extent;
}

void work_slice(vf_work *w, int axis, int64_t start, int64_t step, int64_t count)
{
	if (w->state != WORK_OK || (start == 0 && step == 1 && count == w->shape[axis]))
		return;
	int n;
	if (count == 0)
		work_empty(w);
	if (w->has_strides)
		w->has_strides = vf_product_fits(w->strides[axis], step, &w->strides[axis]);
	vf_region *regions = work_take(w, &n);
	for (int i = 0; i < n; i++)
		slice_region(w, &regions[i], axis, start, step, count);
	set_extent(w, axis, count);
}

/* Whether a region is the whole of `axis` in one digit or none: then any window or diagonal along it is
 * a sum of strides. *stride is that of the axis. */
static bool whole_digit(const vf_work *w, const vf_region *r, int axis, int64_t *stride)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	*stride = first < last ? r->digits[first].stride : 0;
	if (r->base[axis] != 0)
		return false;
	if (first == last)
		return w->shape[axis] == 1;
	const vf_digit *digit = &r->digits[first];
	return last - first == 1 && !digit->table && digit->weight == 1 && digit->extent == w->shape[axis];
}

static bool all_whole(const vf_work *w, int axis)
{
	int64_t stride;
	for (int i = 0; i < w->nregion; i++)
		if (!whole_digit(w, &w->regions[i], axis, &stride))
			return false;
	return true;
}

/* Windows along an axis that every region spans in one digit: two digits of the same stride. */
static void unfold_whole(vf_work *w, int axis, int64_t count, int64_t size, int64_t step)
{
	for (int i = 0; i < w->nregion && work_reserve(w, 2); i++) {
		vf_region *r = &w->regions[i];
		int64_t stride;
		whole_digit(w, r, axis, &stride);
		region_remove_axis(r, axis);
		region_insert_digit(r, vf_plain_digit(axis, count, 1, count > 1 ? stride * step : 0));
		r->base[w->rank] = 0;
		region_insert_digit(r, vf_plain_digit(w->rank, size, 1, stride));
	}
	set_extent(w, axis, count);
	w->shape[w->rank] = w->final_shape[w->rank] = size;
	w->strides[w->rank] = w->strides[axis];
	if (w->has_strides)
		w->has_strides = vf_product_fits(w->strides[axis], step, &w->strides[axis]);
	w->rank++;
	w->final_rank++;
}

/* Windows by slices: for each j, those elements that are the j-th of a window. */
static void unfold_slices(vf_work *w, int axis, int64_t count, int64_t size, int64_t step)
{
	vf_work out, part;
	if (size > w->limit) {
		w->state = WORK_GIVEN_UP;
		return;
	}
	for (int64_t j = 0; j < size; j++) {
		work_clone(&part, w);
		work_slice(&part, axis, j, step, count);
		work_new_axis(&part, part.rank);
		if (j == 0)
			out = part;
		else
			work_append(&out, w->rank, &part);
	}
	*w = out;
}

/* Windows that do not overlap are a reshape: the axis, as long as `count` whole steps, split at the step.
 * Beyond its end there is nothing, so it may be given the length that the split wants. */
static void unfold_apart(vf_work *w, int axis, int64_t count, int64_t size, int64_t step)
{
	int64_t shape[VF_MAX_RANK];
	int order[VF_MAX_RANK], rank = w->rank;
	if (count * step < w->shape[axis])
		work_slice(w, axis, 0, 1, count * step);
	set_extent(w, axis, count * step);
	for (int a = 0; a < rank; a++)
		shape[a < axis ? a : a + 1] = w->shape[a];
	shape[axis] = count;
	shape[axis + 1] = step;
	work_reshape(w, rank + 1, shape);
	work_resolve(w);
	work_slice(w, axis + 1, 0, 1, size);
	for (int a = 0; a <= rank; a++)
		order[a] = a <= axis ? a : a == rank ? axis + 1 : a + 1;
	work_permute(w, order);
}

void work_unfold(vf_work *w, int axis, int64_t count, int64_t size, int64_t step)
{
	if (w->state != WORK_OK)
		return;
	int64_t length;
	if (size > 0 && count > 0 && step >= size && !all_whole(w, axis) &&
	    vf_product_fits(count, step, &length)) {
		unfold_apart(w, axis, count, size, step);
	} else if (all_whole(w, axis) || count == 0 || size == 0) {
		if (count == 0 || size == 0)
			work_empty(w); /* no element, nothing that is read */
		unfold_whole(w, axis, count, size, step);
	} else {
		unfold_slices(w, axis, count, size, step);
	}
}

/* ---- diagonals ---- */

/* Make the digits of axes a and b equal in extents and weights by splitting; both cover [0, count) from
 * base 0. False where two radices share no boundary. */
static bool match_digits(vf_region *r, int a, int b)
{
	for (int64_t weight = 1;;) {
		int ka = -1, kb = -1;
		for (int k = 0; k < r->ndigit; k++) {
			if (r->digits[k].axis == a && r->digits[k].weight == weight)
				ka = k;
			if (r->digits[k].axis == b && r->digits[k].weight == weight)
				kb = k;
		}
		if (ka < 0 || kb < 0)
			return ka == kb;
		int64_t na = r->digits[ka].extent, nb = r->digits[kb].extent;
		int64_t low = na < nb ? na : nb;
		if ((na < nb ? nb : na) % low != 0 || !region_split_digit(r, na > nb ? ka : kb, low))
			return false;
		weight *= low;
	}
}

/* Both axes of every region in matching digits, so that the diagonal adds strides. */
static bool diagonal_whole(vf_work *w, int a, int b)
{
	for (int i = 0; i < w->nregion; i++) {
		vf_region *r = &w->regions[i];
		/* Each split meets a boundary of the other axis. */
		if (!region_has_axis(r, a, w->shape[a]) || !region_has_axis(r, b, w->shape[b]) ||
		    !region_reserve(w, r, r->ndigit) || !match_digits(r, a, b))
			return false;
	}
	return true;
}

static void add_digits(vf_work *w, vf_region *r, int a, int b)
{
	int first, last, first_b, last_b;
	region_axis(r, a, &first, &last);
	region_axis(r, b, &first_b, &last_b);
	for (int k = first; k < last; k++)
		work_add_digit(w, &r->digits[k], &r->digits[first_b + k - first]);
	region_remove_axis(r, b);
}

/* One index at a time: select both, put them one after the other. */
static void diagonal_points(vf_work *w, int a, int b, int64_t count)
{
	vf_work out, part;
	if (count > w->limit) {
		w->state = WORK_GIVEN_UP;
		return;
	}
	for (int64_t i = 0; i < count; i++) {
		work_clone(&part, w);
		work_slice(&part, a, i, 1, 1);
		work_slice(&part, b, i, 1, 1);
		if (i == 0)
			out = part;
		else
			work_append(&out, a, &part);
	}
	*w = out;
}

void work_diagonal(vf_work *w, int a, int b, int64_t start_a, int64_t start_b, int64_t count)
{
	int order[VF_MAX_RANK], n = 0;
	work_slice(w, a, start_a, 1, count);
	work_slice(w, b, start_b, 1, count);
	if (w->state != WORK_OK)
		return;
	if (count == 0 || diagonal_whole(w, a, b)) {
		for (int i = 0; i < w->nregion; i++)
			add_digits(w, &w->regions[i], a, b);
		set_extent(w, b, 1);
	} else if (count <= VF_MAX_NEW_REGIONS || !work_diagonal_table(w, a, b, count)) {
		diagonal_points(w, a, b, count);
	}
	if (w->state != WORK_OK)
		return;
	if (count == 0)
		w->shape[b] = 1;
	if (w->has_strides)
		w->has_strides = vf_sum_fits(w->strides[a], w->strides[b], &w->strides[a]);
	for (int i = 0; i < w->rank; i++)
		if (i != a && i != b)
			order[n++] = i;
	order[n++] = a;
	order[n] = b;
	work_permute(w, order);
	work_drop_axis(w, w->rank - 1);
}
