/* canonical.c -- one form for one meaning.
 *
 * In     a working map
 * Out    a map whose text and whose kernel depend on the index function alone, as far as these rules see:
 *          1. in a region, neighbouring digits of an axis that chain on both sides are one digit;
 *          2. two regions that differ along one axis only, the second continuing the first, are one;
 *          3. two regions alike but for one shift are one, with a digit more;
 *          4. what two neighbours along an axis could both have, at their boundary, belongs to the longer one
 *             without it; of equals to the one of the smaller stride; of equals still to the second;
 *          5. regions stand by first index.
 *        For one region the form is unique: along an axis, the first index at which the element read is
 *        not the next multiple of the first stride is the extent of the innermost digit, and so on up.
 *        Several regions can be cut along their axes in more than one way, and rules 2 to 4 are greedy;
 *        the property test prints how often two equal functions come out different.
 * Ends   each merge removes a digit or a region; rule 4 goes over the regions a few times at most
 * Tests  tests/fold/same.txt, tests/property/
 */
#include "map/work.h"

#include <stdlib.h>
#include <string.h>

/* ---- rules 2 and 3: regions that differ along one axis ---- */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* What two digits of as many values read. */
static int compare_readings(const vf_digit *a, const vf_digit *b)
{
	bool same_list = a->table == b->table && a->first == b->first;
	int c = compare_numbers(a->table != NULL, b->table != NULL);
	if (c || !a->table || (same_list && a->stride == b->stride))
		return c ? c : compare_numbers(a->stride, b->stride);
	for (int64_t d = 0; d < a->extent && c == 0; d++)
		c = compare_numbers(vf_digit_at(a, d), vf_digit_at(b, d));
	return c;
}

/* Whether they are one rule for any number of values, or two tables of as many that read the same. */
static bool read_alike(const vf_digit *a, const vf_digit *b)
{
	if (!a->table && !b->table)
		return a->stride == b->stride;
	return a->extent == b->extent && compare_readings(a, b) == 0;
}

static int compare_digits(const vf_digit *a, const vf_digit *b)
{
	int c = compare_numbers(a->extent, b->extent);
	if (c == 0)
		c = compare_numbers(a->weight, b->weight);
	return c ? c : compare_readings(a, b);
}

static int compare_sources(const vf_region *a, const vf_region *b)
{
	if (a->source != b->source)
		return compare_numbers((int64_t)(intptr_t)a->source, (int64_t)(intptr_t)b->source);
	return a->source ? 0 : memcmp(a->fill, b->fill, sizeof a->fill);
}

/* Their digits but for those of `axis`, in one go. */
static int compare_other_digits(const vf_region *a, const vf_region *b, int axis)
{
	for (int i = 0, j = 0;; i++, j++) {
		while (i < a->ndigit && a->digits[i].axis == axis)
			i++;
		while (j < b->ndigit && b->digits[j].axis == axis)
			j++;
		if (i == a->ndigit || j == b->ndigit)
			return (i < a->ndigit) - (j < b->ndigit);
		int c = a->digits[i].axis - b->digits[j].axis;
		c = c ? c : compare_digits(&a->digits[i], &b->digits[j]);
		if (c)
			return c;
	}
}

/* Order of two regions by all but what they do along `axis`: equal ones may merge along it. */
static int compare_others(const vf_region *a, const vf_region *b, int axis, int rank)
{
	int c = compare_sources(a, b);
	for (int i = 0; i < rank && c == 0; i++)
		if (i != axis)
			c = compare_numbers(a->base[i], b->base[i]);
	return c ? c : compare_other_digits(a, b, axis);
}

/* About how many steps sorting and merging take for a region, beside two for each axis. */
enum { SORT_STEPS = 12 };

/* A key that sorts without a global: the axis and rank travel with each region. */
typedef struct sort_item {
	vf_region *region;
	int axis, rank;
} sort_item;

static int compare_items(const void *x, const void *y)
{
	const sort_item *a = x, *b = y;
	int c = compare_others(a->region, b->region, a->axis, a->rank);
	return c ? c : compare_numbers(a->region->base[a->axis], b->region->base[b->axis]);
}

static int compare_bases(const void *x, const void *y)
{
	const sort_item *a = x, *b = y;
	int c = 0;
	for (int i = 0; i < a->rank && c == 0; i++)
		c = compare_numbers(a->region->base[i], b->region->base[i]);
	return c;
}

/* Whether the weights of an axis let each index be read in one way only. */
static bool weights_nest(const vf_region *r, int axis)
{
	int first, last;
	int64_t span = 0;
	region_axis(r, axis, &first, &last);
	for (int k = last - 1; k >= first; k--) {
		if (r->digits[k].weight <= span)
			return false;
		span += (r->digits[k].extent - 1) * r->digits[k].weight;
	}
	return true;
}

/* Where the digits of a and b along the axis are alike but for one: *k is its place in both (extents
 * na, nb; a missing digit has extent 1). False if more differs; *k is -1 where nothing does. */
static bool one_difference(const vf_region *a, const vf_region *b, int axis, vf_digit *digit, int64_t *na,
                           int64_t *nb)
{
	int fa, la, fb, lb, differ = 0;
	region_axis(a, axis, &fa, &la);
	region_axis(b, axis, &fb, &lb);
	*na = *nb = 1;
	while (fa < la || fb < lb) {
		const vf_digit *da = fa < la ? &a->digits[fa] : NULL, *db = fb < lb ? &b->digits[fb] : NULL;
		if (da && db && da->weight == db->weight && read_alike(da, db)) {
			if (da->extent != db->extent) {
				differ++;
				*digit = *da;
				*na = da->extent;
				*nb = db->extent;
			}
			fa++;
			fb++;
			continue;
		}
		differ++;
		if (da && (!db || la - fa > lb - fb)) {
			*digit = *da;
			*na = da->extent;
			fa++;
		} else if (db && (!da || lb - fb > la - fa)) {
			*digit = *db;
			*nb = db->extent;
			fb++;
		} else {
			return false;
		}
	}
	if (differ == 0)
		digit->extent = 0;
	return differ <= 1;
}

static int find_digit(const vf_region *r, vf_digit d)
{
	for (int k = 0; k < r->ndigit; k++)
		if (r->digits[k].axis == d.axis && r->digits[k].weight == d.weight && !r->digits[k].table &&
		    r->digits[k].stride == d.stride)
			return k;
	return -1;
}

static int64_t axis_span(const vf_region *r, int axis)
{
	int first, last;
	int64_t span = 0;
	region_axis(r, axis, &first, &last);
	for (int k = first; k < last; k++)
		span += (r->digits[k].extent - 1) * r->digits[k].weight;
	return span;
}

/* a takes b in if together they are one region: b stands later along the axis, all else is alike.
 * `any_gap` is rule 3; without it b must begin where a ends. */
static bool take_in(vf_work *w, vf_region *a, const vf_region *b, int axis, bool any_gap)
{
	vf_digit digit = {.axis = axis};
	int64_t na, nb, run, gap = b->base[axis] - a->base[axis], shift = b->offset - a->offset;
	if (!one_difference(a, b, axis, &digit, &na, &nb))
		return false;
	if (!any_gap && gap != axis_span(a, axis) + 1)
		return false;
	if (!a->source)
		shift = 0;
	if (digit.extent == 0) {
		/* Alike: a digit of two, or one more of an existing digit of one chain. */
		digit = vf_plain_digit(axis, 2, gap, shift);
		na = nb = 1;
	} else if (digit.table || gap != na * digit.weight || !vf_product_fits(na, digit.stride, &run) ||
	           shift != run) {
		return false;
	}
	vf_digit digits[VF_MAX_DIGITS + 2];
	int ndigit = a->ndigit, k = na > 1 ? find_digit(a, digit) : -1;
	if (ndigit > VF_MAX_DIGITS || !region_reserve(w, a, 1))
		return false;
	memcpy(digits, a->digits, (size_t)ndigit * sizeof *digits);
	digit.extent = na + nb;
	if (k >= 0)
		a->digits[k].extent = na + nb;
	else
		region_insert_digit(a, digit);
	if (weights_nest(a, axis)) {
		region_chain(a);
		return true;
	}
	memcpy(a->digits, digits, (size_t)ndigit * sizeof *digits);
	a->ndigit = ndigit;
	return false;
}

static void sort_along(vf_work *w, sort_item *items, int n, int axis)
{
	work_spend(w, (SORT_STEPS + 2 * w->rank) * (int64_t)n, 0);
	for (int i = 0; i < n; i++)
		items[i] = (sort_item){items[i].region, axis, w->rank};
	qsort(items, (size_t)n, sizeof *items, compare_items);
}

/* One pass along one axis over regions sorted for it. Returns how many are left. */
static int merge_along(vf_work *w, sort_item *items, int n, int axis, bool any_gap)
{
	int rank = w->rank;
	sort_along(w, items, n, axis);
	int kept = 0;
	for (int i = 1; i < n; i++) {
		vf_region *last = items[kept].region, *next = items[i].region;
		if (compare_others(last, next, axis, rank) == 0 && take_in(w, last, next, axis, any_gap))
			continue;
		items[++kept] = items[i];
	}
	return kept + 1;
}

static int merge_regions(vf_work *w, sort_item *items, int n)
{
	for (bool any_gap = false;; any_gap = true) {
		int before;
		do {
			before = n;
			for (int axis = w->rank - 1; axis >= 0 && n > 1 && w->state == WORK_OK; axis--)
				n = merge_along(w, items, n, axis, any_gap);
		} while (n < before);
		if (any_gap || w->state != WORK_OK)
			return n;
	}
}

/* ---- rule 4: boundaries ---- */

enum { ROUNDS = 8 };

/* A short-lived region with its own room. */
typedef struct draft {
	vf_region region;
	vf_digit digits[VF_MAX_DIGITS + 2];
	int64_t base[VF_MAX_RANK];
} draft;

static vf_region *copy_contents(vf_region *to, const vf_region *from, int rank)
{
	vf_digit *digits = to->digits;
	int64_t *base = to->base;
	int room = to->room;
	*to = *from;
	to->digits = digits;
	to->base = base;
	to->room = room;
	if (from->ndigit)
		memcpy(digits, from->digits, (size_t)from->ndigit * sizeof *digits);
	if (rank)
		memcpy(base, from->base, (size_t)rank * sizeof *base);
	return to;
}

static vf_region *draft_of(draft *d, const vf_region *r, int rank)
{
	d->region.digits = d->digits;
	d->region.base = d->base;
	d->region.room = VF_MAX_DIGITS + 2;
	return copy_contents(&d->region, r, rank);
}

/* Split the last value (`at_end`) or the first off the outermost digit along the axis. `block` is that value,
 * `rest` is what stays. False if there is no digit. */
static bool split_off(const vf_region *r, int axis, int rank, bool at_end, draft *block, draft *rest)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	if (first == last)
		return false;
	int64_t n = r->digits[first].extent;
	region_fix_digit(draft_of(block, r, rank), first, at_end ? n - 1 : 0);
	region_range_digit(draft_of(rest, r, rank), first, at_end ? 0 : 1, n - 1);
	return true;
}

/* The stride of the outermost digit along the axis, without its sign. */
static int64_t outer_stride(const vf_region *r, int axis)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	int64_t stride = first < last ? r->digits[first].stride : 0;
	return stride < 0 ? -stride : stride;
}

/* Who should have a block: `rest`, which lost it, or `other`, which would take it in. Below 0: `rest`, as it
 * is the longer, or as long and, with the block, of a smaller stride. */
static int compare_claims(const vf_region *with, const vf_region *rest, const vf_region *other,
                          const vf_region *grown, int axis)
{
	int c = compare_numbers(axis_span(other, axis), axis_span(rest, axis));
	return c ? c : compare_numbers(outer_stride(with, axis), outer_stride(grown, axis));
}

/* Apply rule 4 to regions a and b, b after a along the axis. Returns whether the boundary between them
 * moved. */
static bool move_boundary(vf_work *w, vf_region *a, vf_region *b, int axis)
{
	draft block, rest, grown;
	int rank = w->rank;
	if (b->base[axis] != a->base[axis] + axis_span(a, axis) + 1)
		return false;
	if (split_off(a, axis, rank, true, &block, &rest) && take_in(w, &block.region, b, axis, false) &&
	    compare_claims(a, &rest.region, b, &block.region, axis) >= 0 && region_reserve(w, b, 1)) {
		copy_contents(a, &rest.region, rank);
		copy_contents(b, &block.region, rank);
		return true;
	}
	if (split_off(b, axis, rank, false, &block, &rest) &&
	    take_in(w, draft_of(&grown, a, rank), &block.region, axis, false) &&
	    compare_claims(b, &rest.region, a, &grown.region, axis) > 0 && region_reserve(w, a, 1)) {
		copy_contents(a, &grown.region, rank);
		copy_contents(b, &rest.region, rank);
		return true;
	}
	return false;
}

static bool move_boundaries(vf_work *w, sort_item *items, int n)
{
	bool moved = false;
	for (int axis = w->rank - 1; axis >= 0 && w->state == WORK_OK; axis--) {
		sort_along(w, items, n, axis);
		for (int i = n - 1; i > 0; i--)
			if (compare_others(items[i - 1].region, items[i].region, axis, w->rank) == 0)
				moved |= move_boundary(w, items[i - 1].region, items[i].region, axis);
	}
	return moved;
}

static int settle_regions(vf_work *w, sort_item *items, int n)
{
	n = merge_regions(w, items, n);
	for (int round = 0; round < ROUNDS && n > 1 && move_boundaries(w, items, n); round++)
		n = merge_regions(w, items, n);
	return n;
}

/* ---- into memory of its own ---- */

static size_t region_bytes(const sort_item *items, int n, int rank)
{
	size_t bytes = 0;
	for (int i = 0; i < n; i++)
		bytes += sizeof(vf_region) + (size_t)items[i].region->ndigit * sizeof(vf_digit) +
		         (size_t)rank * sizeof(int64_t);
	return bytes;
}

static vf_map *pack(vf_work *w, const sort_item *items, int n)
{
	size_t shapes = (size_t)(w->rank + 2 * w->final_rank) * sizeof(int64_t);
	vf_map *map = vf_alloc(w->arena->ctx, sizeof *map + shapes + region_bytes(items, n, w->rank));
	if (!map)
		return NULL;
	vf_region *regions = (vf_region *)(map + 1);
	vf_digit *digits = (vf_digit *)(regions + n);
	*map = (vf_map){.rank = w->final_rank, .space_rank = w->rank, .nregion = n, .regions = regions};
	for (int i = 0; i < n; i++) {
		regions[i] = *items[i].region;
		regions[i].digits = digits;
		if (regions[i].ndigit)
			memcpy(digits, items[i].region->digits, (size_t)regions[i].ndigit * sizeof *digits);
		digits += regions[i].ndigit;
	}
	int64_t *numbers = (int64_t *)digits;
	for (int i = 0; i < n; i++, numbers += w->rank) {
		regions[i].base = numbers;
		if (w->rank)
			memcpy(numbers, items[i].region->base, (size_t)w->rank * sizeof *numbers);
	}
	map->shape = numbers;
	map->space = numbers + 2 * w->final_rank;
	if (w->final_rank)
		memcpy(map->shape, w->final_shape, (size_t)w->final_rank * sizeof *numbers);
	if (w->final_rank && n == 0 && w->has_strides) {
		map->strides = numbers + w->final_rank;
		memcpy(map->strides, w->strides, (size_t)w->final_rank * sizeof *numbers);
	}
	if (w->rank)
		memcpy(map->space, w->shape, (size_t)w->rank * sizeof *numbers);
	vf_count(map->rank, map->shape, &map->size);
	if (vf_map_hold_tables(w->arena, map))
		return map;
	vf_map_drop(w->arena->ctx, map);
	return NULL;
}

vf_map *work_finish(vf_work *w)
{
	if (w->state != WORK_OK)
		return NULL;
	sort_item *items = vf_arena_alloc(w->arena, w->nregion, sizeof *items);
	if (!items)
		return NULL;
	for (int i = 0; i < w->nregion; i++) {
		vf_region *r = &w->regions[i];
		for (int k = 0; k < r->ndigit && !r->source; k++)
			r->digits[k].stride = 0;
		region_settle_tables(r);
		region_chain(r);
		items[i] = (sort_item){r, 0, w->rank};
	}
	int n = w->nregion > 1 ? settle_regions(w, items, w->nregion) : w->nregion;
	if (w->state != WORK_OK)
		return NULL;
	qsort(items, (size_t)n, sizeof *items, compare_bases);
	return pack(w, items, n);
}
