/* region.c -- one region: its digits one by one, and its reach.
 *
 * Keeps  the invariant of map.h on weights; digits sorted by axis and weight.
 */
#include "map/work.h"

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

vf_region *work_copy_region(vf_work *w, const vf_region *r)
{
	vf_region *copy = vf_arena_raw(w->arena, 1, sizeof *copy);
	vf_digit *digits = vf_arena_raw(w->arena, VF_MAX_DIGITS + 2, sizeof *digits);
	int64_t *base = vf_arena_raw(w->arena, VF_MAX_RANK, sizeof *base);
	if (!copy || !digits || !base) {
		w->state = WORK_MEMORY;
		return NULL;
	}
	*copy = *r;
	if (r->ndigit)
		memcpy(digits, r->digits, (size_t)r->ndigit * sizeof *digits);
	if (w->rank)
		memcpy(base, r->base, (size_t)w->rank * sizeof *base);
	copy->digits = digits;
	copy->base = base;
	return copy;
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
		digit.stride = 0;
	int k = r->ndigit;
	while (k > 0 && (r->digits[k - 1].axis > digit.axis ||
	                 (r->digits[k - 1].axis == digit.axis && r->digits[k - 1].weight < digit.weight)))
		k--;
	memmove(r->digits + k + 1, r->digits + k, (size_t)(r->ndigit - k) * sizeof *r->digits);
	r->digits[k] = digit;
	r->ndigit++;
}

void region_fix_digit(vf_region *r, int k, int64_t d)
{
	r->base[r->digits[k].axis] += d * r->digits[k].weight;
	r->offset += d * r->digits[k].stride;
	region_remove_digit(r, k);
}

void region_range_digit(vf_region *r, int k, int64_t d, int64_t count)
{
	if (count == 1) {
		region_fix_digit(r, k, d);
		return;
	}
	r->base[r->digits[k].axis] += d * r->digits[k].weight;
	r->offset += d * r->digits[k].stride;
	r->digits[k].extent = count;
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

/* Whether b's digit, run through, is one step of a's, in the index and in the elements. */
static bool chains(const vf_digit *a, const vf_digit *b)
{
	int64_t run;
	return a->axis == b->axis && a->weight == b->weight * b->extent && vf_mul(b->stride, b->extent, &run) &&
	       a->stride == run;
}

void region_chain(vf_region *r)
{
	for (int k = 0; k + 1 < r->ndigit;) {
		vf_digit *a = &r->digits[k], *b = a + 1;
		if (chains(a, b)) {
			b->extent *= a->extent;
			region_remove_digit(r, k);
			k = k ? k - 1 : 0; /* the one before may chain now */
		} else {
			k++;
		}
	}
}

void vf_region_reach(const vf_region *r, int64_t *low, int64_t *high)
{
	*low = *high = r->offset;
	for (int k = 0; k < r->ndigit; k++) {
		int64_t span = (r->digits[k].extent - 1) * r->digits[k].stride;
		*(span < 0 ? low : high) += span;
	}
}
