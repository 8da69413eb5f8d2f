/* elements.c -- the same bytes as elements of another size, along the last axis.
 *
 * In     a working map; a ratio of sizes
 * Out    Narrow: every element becomes `ratio` neighbours. Strides and offsets are multiplied by the ratio,
 *        and a new innermost digit has the ratio as its extent. Widen: the innermost digit must be `ratio`
 *        neighbours, or a multiple of it, and the ratio must divide offsets and strides; else nothing folds
 *        (false).
 * Tests  tests/fold/strided.txt, errors.txt; tests/property/
 */
#include "map/work.h"

#include <string.h>

static bool scale_stride(int64_t *number, int64_t ratio)
{
	return vf_product_fits(*number, ratio, number);
}

/* Add the region that reads chunk c of a fill's bytes. Its digits along the last axis have gaps. */
static void add_fill_chunk(vf_work *w, const vf_region *r, int axis, int64_t ratio, int64_t bytes, int64_t c)
{
	vf_region *part = work_copy_region(w, r);
	if (!part)
		return;
	memset(part->fill, 0, sizeof part->fill);
	if (ratio * bytes <= 16)
		memcpy(part->fill, r->fill + c * bytes, (size_t)bytes);
	part->base[axis] += c;
	work_add(w, part);
}

/* `bytes` is the size of the narrower element. */
void work_narrow_elements(vf_work *w, int64_t ratio, int64_t bytes)
{
	int n, axis = w->rank - 1;
	if (w->state != WORK_OK || ratio == 1 || !work_reserve(w, 1))
		return;
	for (int a = 0; a < axis && w->has_strides; a++)
		w->has_strides = vf_product_fits(w->strides[a], ratio, &w->strides[a]);
	w->has_strides = w->has_strides && w->strides[axis] == 1;
	vf_region *regions = work_take(w, &n);
	for (int i = 0; i < n; i++) {
		vf_region *r = &regions[i];
		bool fits = scale_stride(&r->offset, ratio);
		for (int k = 0; k < r->ndigit; k++) {
			fits = fits && (r->digits[k].table ? work_scale_table(w, &r->digits[k], ratio, true)
			                                   : scale_stride(&r->digits[k].stride, ratio));
			if (r->digits[k].axis == axis)
				r->digits[k].weight *= ratio;
		}
		r->base[axis] *= ratio;
		if (w->state != WORK_OK)
			return;
		if (!fits) {
			w->state = WORK_GIVEN_UP; /* beyond int64_t; the rule reports it */
			return;
		}
		if (r->source) {
			region_insert_digit(r, vf_plain_digit(axis, ratio, 1, 1));
			work_add(w, r);
			continue;
		}
		for (int64_t c = 0; c < ratio && w->state == WORK_OK; c++)
			add_fill_chunk(w, r, axis, ratio, bytes, c);
	}
	w->shape[axis] *= ratio;
	w->final_shape[axis] = w->shape[axis];
}

/* Whether the ratio divides every offset that the digit reads. */
static bool steps_by(const vf_digit *digit, int64_t ratio)
{
	for (int64_t d = 0; digit->table && d < digit->extent; d++)
		if (vf_digit_at(digit, d) % ratio != 0)
			return false;
	return digit->table || digit->stride % ratio == 0;
}

/* Whether the last axis' innermost digit starts and ends at multiples of the ratio, and the ratio divides all
 * other steps. */
static bool divides(const vf_region *r, int axis, int64_t ratio)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	if (first == last || r->base[axis] % ratio != 0)
		return false;
	const vf_digit *inner = &r->digits[last - 1];
	if (inner->weight != 1 || inner->extent % ratio != 0)
		return false;
	for (int k = first; k < last - 1; k++)
		if (r->digits[k].weight % ratio != 0)
			return false;
	if (!r->source)
		return true;
	if (inner->table || inner->stride != 1 || r->offset % ratio != 0)
		return false;
	for (int k = 0; k < r->ndigit; k++)
		if (&r->digits[k] != inner && !steps_by(&r->digits[k], ratio))
			return false;
	return true;
}

static void widen_region(vf_work *w, vf_region *r, int axis, int64_t ratio, int64_t bytes)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	r->digits[last - 1].extent /= ratio;
	for (int k = 0; k < r->ndigit; k++) {
		if (r->digits[k].table)
			work_scale_table(w, &r->digits[k], ratio, false);
		else if (k != last - 1)
			r->digits[k].stride /= ratio;
		if (r->digits[k].axis == axis && k != last - 1)
			r->digits[k].weight /= ratio;
	}
	if (r->digits[last - 1].extent == 1)
		region_remove_digit(r, last - 1);
	r->base[axis] /= ratio;
	r->offset /= ratio;
	for (int64_t c = 1; !r->source && c < ratio && (c + 1) * bytes <= 16; c++)
		memcpy(r->fill + c * bytes, r->fill, (size_t)bytes);
}

bool work_widen_elements(vf_work *w, int64_t ratio, int64_t bytes)
{
	int axis = w->rank - 1;
	if (w->state != WORK_OK || ratio == 1)
		return true;
	for (int i = 0; i < w->nregion; i++) {
		bool too_wide = !w->regions[i].source && ratio * bytes > 16;
		if (too_wide || !divides(&w->regions[i], axis, ratio))
			return false;
	}
	for (int i = 0; i < w->nregion; i++)
		widen_region(w, &w->regions[i], axis, ratio, bytes);
	w->has_strides = w->has_strides && w->strides[axis] == 1;
	for (int a = 0; a < axis && w->has_strides; a++) {
		w->has_strides = w->strides[a] % ratio == 0;
		w->strides[a] /= ratio;
	}
	w->shape[axis] /= ratio;
	w->final_shape[axis] = w->shape[axis];
	return true;
}
