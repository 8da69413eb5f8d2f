/* region.c -- one region: its digits one by one, and its reach.
 *
 * Keeps  the invariant of map.h on weights; digits sorted by axis and weight.
 */
#include "map/work.h"

#include <assert.h>
#include <string.h>

int64_t vf_gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

enum { SPARE = 3 }; /* as much as one or two operations add */

/* Make memory for `room` digits and axes, and copy what the region has already. */
static bool make_room(vf_work *w, vf_region *r, int room)
{
	vf_digit *digits = vf_arena_raw(w->arena, room, sizeof *digits);
	int64_t *base = vf_arena_raw(w->arena, room, sizeof *base);
	if (!digits || !base) {
		w->state = WORK_MEMORY;
		return false;
	}
	work_spend(w, 1 + r->ndigit, room * (int64_t)(sizeof *digits + sizeof *base));
	if (r->ndigit)
		memcpy(digits, r->digits, (size_t)r->ndigit * sizeof *digits);
	if (w->rank)
		memcpy(base, r->base, (size_t)w->rank * sizeof *base);
	r->digits = digits;
	r->base = base;
	r->room = room;
	return true;
}

static int content(const vf_work *w, const vf_region *r)
{
	return r->ndigit > w->rank ? r->ndigit : w->rank;
}

vf_region *work_copy_region(vf_work *w, const vf_region *r)
{
	vf_region *copy = vf_arena_raw(w->arena, 1, sizeof *copy);
	if (!copy) {
		w->state = WORK_MEMORY;
		return NULL;
	}
	*copy = *r;
	return make_room(w, copy, content(w, r) + SPARE) ? copy : NULL;
}

bool region_reserve(vf_work *w, vf_region *r, int more)
{
	int wanted = content(w, r) + more;
	return wanted <= r->room || make_room(w, r, wanted + SPARE);
}

bool work_reserve(vf_work *w, int more)
{
	for (int i = 0; i < w->nregion && w->state == WORK_OK; i++)
		region_reserve(w, &w->regions[i], more);
	return w->state == WORK_OK;
}

void region_remove_digit(vf_region *r, int k)
{
	r->ndigit--;
	memmove(r->digits + k, r->digits + k + 1, (size_t)(r->ndigit - k) * sizeof *r->digits);
}

void region_insert_digit(vf_region *r, vf_digit digit)
{
	if (digit.extent < 2)
		return;
	if (!r->source)
		digit = vf_plain_digit(digit.axis, digit.extent, digit.weight, 0);
	int k = r->ndigit;
	while (k > 0 && (r->digits[k - 1].axis > digit.axis ||
	                 (r->digits[k - 1].axis == digit.axis && r->digits[k - 1].weight < digit.weight)))
		k--;
	assert(r->ndigit < r->room);
	memmove(r->digits + k + 1, r->digits + k, (size_t)(r->ndigit - k) * sizeof *r->digits);
	r->digits[k] = digit;
	r->ndigit++;
}

void region_fix_digit(vf_region *r, int k, int64_t d)
{
	r->base[r->digits[k].axis] += d * r->digits[k].weight;
	r->offset += vf_digit_at(&r->digits[k], d);
	region_remove_digit(r, k);
}

void region_range_digit(vf_region *r, int k, int64_t d, int64_t count)
{
	if (count == 1) {
		region_fix_digit(r, k, d);
		return;
	}
	vf_digit *digit = &r->digits[k];
	r->base[digit->axis] += d * digit->weight;
	*(digit->table ? &digit->first : &r->offset) += d * digit->stride;
	digit->extent = count;
}

void region_phase_digit(vf_region *r, int k, int64_t period, int64_t phase)
{
	int64_t count = (r->digits[k].extent - phase - 1) / period + 1;
	if (count == 1) {
		region_fix_digit(r, k, phase);
		return;
	}
	region_range_digit(r, k, phase, count);
	r->digits[k].weight *= period;
	r->digits[k].stride *= period;
}

void region_flip_digit(vf_region *r, int k)
{
	vf_digit *digit = &r->digits[k];
	*(digit->table ? &digit->first : &r->offset) += (digit->extent - 1) * digit->stride;
	digit->stride = -digit->stride;
}

/* Whether each run of `low` values of a table has the same steps. Then it is the sum of two digits. */
static bool is_sum(const vf_digit *digit, int64_t low)
{
	int64_t origin = vf_digit_at(digit, 0);
	for (int64_t d = low; d < digit->extent; d++) {
		int64_t run = vf_digit_at(digit, d - d % low) - origin;
		if (vf_digit_at(digit, d) - run != vf_digit_at(digit, d % low))
			return false;
	}
	return true;
}

bool region_split_digit(vf_region *r, int k, int64_t low)
{
	vf_digit outer = r->digits[k], inner = outer;
	if (low == outer.extent)
		return true;
	if (outer.table && !is_sum(&outer, low))
		return false;
	/* Both digits start at value 0 of the table, which must count only once. */
	if (outer.table)
		r->offset -= vf_digit_at(&outer, 0);
	inner.extent = low;
	outer.extent /= low;
	outer.weight *= low;
	outer.stride *= low;
	region_remove_digit(r, k);
	region_insert_digit(r, outer);
	region_insert_digit(r, inner);
	return true;
}

void region_axis(const vf_region *r, int axis, int *first, int *last)
{
	int k = 0;
	while (k < r->ndigit && r->digits[k].axis < axis)
		k++;
	*first = k;
	while (k < r->ndigit && r->digits[k].axis == axis)
		k++;
	*last = k;
}

void region_remove_axis(vf_region *r, int axis)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	while (last > first)
		region_remove_digit(r, --last);
	r->base[axis] = 0;
}

bool region_has_axis(const vf_region *r, int axis, int64_t extent)
{
	int first, last;
	int64_t weight = 1;
	region_axis(r, axis, &first, &last);
	for (int k = last - 1; k >= first; k--) {
		if (r->digits[k].weight != weight)
			return false;
		weight *= r->digits[k].extent;
	}
	return r->base[axis] == 0 && weight == extent;
}

/* Whether all values of b together are one step of a, in the index and in the elements. */
static bool chains(const vf_digit *a, const vf_digit *b)
{
	int64_t run;
	return !a->table && !b->table && a->axis == b->axis && a->weight == b->weight * b->extent &&
	       vf_product_fits(b->stride, b->extent, &run) && a->stride == run;
}

void region_chain(vf_region *r)
{
	for (int k = 0; k + 1 < r->ndigit;) {
		vf_digit *a = &r->digits[k], *b = a + 1;
		if (chains(a, b)) {
			b->extent *= a->extent;
			region_remove_digit(r, k);
			k = k ? k - 1 : 0; /* the digit before may chain now */
		} else {
			k++;
		}
	}
}

/* The lowest and highest offset that a digit with a table reads. */
static void table_reach(const vf_digit *digit, int64_t *low, int64_t *high)
{
	*low = *high = vf_digit_at(digit, 0);
	for (int64_t d = 1; d < digit->extent; d++) {
		int64_t at = vf_digit_at(digit, d);
		*low = at < *low ? at : *low;
		*high = at > *high ? at : *high;
	}
}

static void digit_reach(const vf_digit *digit, int64_t *low, int64_t *high)
{
	int64_t span = (digit->extent - 1) * digit->stride;
	*low = span < 0 ? span : 0;
	*high = span < 0 ? 0 : span;
	if (digit->table)
		table_reach(digit, low, high);
}

void vf_region_reach(const vf_region *r, int64_t *low, int64_t *high)
{
	*low = *high = r->offset;
	for (int k = 0; k < r->ndigit; k++) {
		int64_t least, most;
		digit_reach(&r->digits[k], &least, &most);
		*low += least;
		*high += most;
	}
}
