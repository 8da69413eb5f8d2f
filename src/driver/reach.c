/* reach.c -- what runs in pieces ask: which bytes of a leaf an array reads, and in which radices.
 *
 * In     an array, a leaf
 * Out    the bytes from the lowest to the highest that the array reads; the finest shape of its C order in
 *        which no axis is mixed with another
 * Keeps  no data is read
 * Tests  tests/unit/test_reach.c, tests/cli/test_pieces.py
 */
#include "driver/boxes.h"

/* The range of the leaf's bytes that all boxes of the array reach together. */
typedef struct byte_span {
	int64_t low, high;
} byte_span;

static bool widen(void *user, const vf_reading *reading)
{
	byte_span *s = user;
	int64_t first, last;
	vf_region_reach(reading->region, &first, &last);
	first *= reading->elem_bytes;
	last = (last + 1) * reading->elem_bytes;
	s->low = s->low == s->high || first < s->low ? first : s->low;
	s->high = last > s->high ? last : s->high;
	return true;
}

vf_status vf_reach(const vf_array *a, const vf_array *leaf, int64_t *low, int64_t *high)
{
	byte_span s = {0, 0};
	if (!a || !leaf || !low || !high)
		return VF_ERR_ARGUMENT;
	*low = *high = 0;
	vf_status status = vf_readings(&(vf_question){.op = "reach", .a = a, .leaf = leaf}, widen, &s);
	if (s.low < s.high) {
		*low = s.low - leaf->own->origin_bytes;
		*high = s.high - leaf->own->origin_bytes;
	}
	return status;
}

/* Does region r have the same digits on `axis` as region 0? They must begin at index 0 and span the whole
 * axis. */
static bool same_digits(const vf_map *map, const vf_region *r, int axis)
{
	const vf_region *zero = &map->regions[0];
	int first, last, zero_first, zero_last;
	int64_t span = 1;
	region_axis(r, axis, &first, &last);
	region_axis(zero, axis, &zero_first, &zero_last);
	if (r->base[axis] != 0 || last - first != zero_last - zero_first)
		return false;
	for (int k = last - 1; k >= first; k--) {
		const vf_digit *d = &r->digits[k], *other = &zero->digits[zero_first + k - first];
		if (d->extent != other->extent || d->weight != other->weight || d->weight != span)
			return false;
		span *= d->extent;
	}
	return span == map->space[axis];
}

static bool share_digits(const vf_map *map, int axis)
{
	for (int i = 0; i < map->nregion; i++)
		if (!same_digits(map, &map->regions[i], axis))
			return false;
	return true;
}

int vf_radices(const vf_array *a, int64_t extents[VF_MAX_RANK])
{
	const vf_map *map = a ? a->map : NULL;
	int n = 0;
	if (!map || !extents || map->size == 0)
		return 0;
	for (int axis = 0; axis < map->space_rank; axis++) {
		int first = 0, last = 0;
		if (map->space[axis] == 1)
			continue;
		if (share_digits(map, axis))
			region_axis(&map->regions[0], axis, &first, &last);
		if (first == last)
			extents[n++] = map->space[axis];
		for (int k = first; k < last; k++)
			extents[n++] = map->regions[0].digits[k].extent;
	}
	return n;
}
