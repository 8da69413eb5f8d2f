/* places.c -- one element and its place: get, set, shares_memory. */
#include "driver/places.h"

#include "driver/kernel.h"
#include "driver/sources.h"

#include <string.h>

/* ---- one element ---- */

static vf_status check_index(const vf_array *a, const char *op, const int64_t *index, int64_t *flat)
{
	if (a->map->rank > 0 && !index)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "%s: index is NULL", op);
	for (int i = 0; i < a->map->rank; i++) {
		int64_t n = a->map->shape[i], at = index[i];
		if (at < -n || at >= n)
			return vf_fail(a->ctx, VF_ERR_BOUNDS,
			               "%s: index %lld is out of range for axis %d of extent %lld", op,
			               (long long)at, i, (long long)n);
	}
	/* The index is inside the array. So the array has elements, and the product of its extents fits. */
	*flat = 0;
	for (int i = 0; i < a->map->rank; i++)
		*flat = *flat * a->map->shape[i] + (index[i] < 0 ? index[i] + a->map->shape[i] : index[i]);
	return VF_OK;
}

/* Turns a row-major number into coordinates. */
static void unravel(int64_t flat, int rank, const int64_t *shape, int64_t *index)
{
	for (int a = rank - 1; a >= 0; a--) {
		index[a] = flat % shape[a];
		flat /= shape[a];
	}
}

/* Does the region have `index`? If so, sets the element that it reads there. On each axis the digits are
 * divided off in order, greatest weight first. */
static bool region_reads(const vf_region *r, int rank, const int64_t *index, int64_t *element)
{
	int k = 0;
	*element = r->offset;
	for (int a = 0; a < rank; a++) {
		int64_t rest = index[a] - r->base[a];
		if (rest < 0)
			return false;
		for (; k < r->ndigit && r->digits[k].axis == a; k++) {
			int64_t d = rest / r->digits[k].weight;
			if (d >= r->digits[k].extent)
				return false;
			rest -= d * r->digits[k].weight;
			*element += vf_digit_at(&r->digits[k], d);
		}
		if (rest != 0)
			return false;
	}
	return true;
}

/* Returns the region that has row-major number `flat`, and sets the element that it reads there. */
static const vf_region *find_region(const vf_map *map, int64_t flat, int64_t *element)
{
	int64_t index[VF_MAX_RANK];
	unravel(flat, map->space_rank, map->space, index);
	for (int i = 0; i < map->nregion; i++)
		if (region_reads(&map->regions[i], map->space_rank, index, element))
			return &map->regions[i];
	return NULL;
}

/* Reads at most *some bytes of element `flat`, from its byte `at` on. Below a cut elements may be smaller:
 * then it reads only as far as they go. *some becomes the number of bytes read. */
static vf_status get_part(const vf_array *a, int64_t flat, int64_t at, int64_t *some, unsigned char *value)
{
	for (;;) {
		int64_t element;
		const vf_region *r = find_region(a->map, flat, &element);
		if (!r)
			return vf_fail(a->ctx, VF_ERR_BOUNDS, "get: no region holds element %lld",
			               (long long)flat);
		if (!r->source) {
			for (int64_t i = 0; i < *some; i++)
				value[i] = at + i < (int64_t)sizeof r->fill ? r->fill[at + i] : 0;
			return VF_OK;
		}
		if (r->source->kind == VF_STORAGE_DECLARED)
			return vf_fail(a->ctx, VF_ERR_DATA,
			               "get: an array below was declared, it has no bytes");
		int64_t first = element * a->elem_bytes + at;
		if (r->source->kind != VF_STORAGE_CUT) {
			memcpy(value, r->source->data + first, (size_t)*some);
			return VF_OK;
		}
		a = r->source->below;
		flat = first / a->elem_bytes;
		at = first % a->elem_bytes;
		*some = *some < a->elem_bytes - at ? *some : a->elem_bytes - at;
	}
}

/* Reads an element part by part, because an array below a cut may have smaller elements. Each part starts
 * from the top again. So it needs no memory, however many cuts there are, and goes down only once for each
 * part. */
static vf_status get_flat(const vf_array *a, int64_t flat, unsigned char *value)
{
	vf_status status = VF_OK;
	for (int64_t done = 0, some; done < a->elem_bytes && status == VF_OK; done += some) {
		some = a->elem_bytes - done;
		status = get_part(a, flat, done, &some, value + done);
	}
	return status;
}

/* Sets *computed: are elements of `a`, or of a cut below it, computed? Returns false without memory. */
static bool is_computed(const vf_array *a, bool *computed)
{
	vf_arena arena;
	vf_sources leaves = {0}, cuts = {0};
	*computed = a->nlayer > 0;
	vf_arena_init(&arena, a->ctx);
	bool fits = *computed || vf_sources_below(&arena, a, &leaves, &cuts);
	for (int i = 0; i < cuts.n && fits; i++)
		*computed = *computed || cuts.list[i]->below->nlayer > 0;
	vf_arena_drop(&arena);
	return fits;
}

/* Makes the element an array of its own, and materialises that. */
static vf_status get_computed(const vf_array *a, const int64_t *index, void *value)
{
	vf_array *element = vf_retain((vf_array *)(uintptr_t)a);
	for (int i = 0; i < a->map->rank && element; i++) {
		vf_array *part = vf_select(element, 0, index[i]);
		vf_release(element);
		element = part;
	}
	size_t bytes = (size_t)a->elem_bytes;
	vf_status status = element ? vf_materialize_all(1, &element, &value, &bytes) : vf_failed();
	vf_release(element);
	return status;
}

vf_status vf_get(const vf_array *a, const int64_t *index, void *value)
{
	int64_t flat;
	if (!a)
		return VF_ERR_ARGUMENT;
	if (!value)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "get: value is NULL");
	vf_status status = check_index(a, "get", index, &flat);
	bool computed;
	if (status != VF_OK)
		return status;
	if (!is_computed(a, &computed))
		return VF_ERR_MEMORY;
	return computed ? get_computed(a, index, value) : get_flat(a, flat, value);
}

vf_status vf_set(vf_array *a, const int64_t *index, const void *value)
{
	int64_t flat, element;
	if (!a)
		return VF_ERR_ARGUMENT;
	if (!value)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "set: value is NULL");
	vf_status status = check_index(a, "set", index, &flat);
	if (status != VF_OK)
		return status;
	/* Only this element must be writable; what the other elements read does not matter. */
	const vf_region *r = find_region(a->map, flat, &element);
	if (a->read_only || !r || !r->source || r->source->kind == VF_STORAGE_CUT || r->source->read_only)
		return vf_fail(a->ctx, VF_ERR_WRITE, "set: element %lld has no place that can be written",
		               (long long)flat);
	if (r->source->kind != VF_STORAGE_MEMORY)
		return vf_fail(a->ctx, VF_ERR_DATA, "set: the array was declared, it has no bytes");
	memcpy(r->source->data + element * a->elem_bytes, value, (size_t)a->elem_bytes);
	return VF_OK;
}

/* ---- shared memory ---- */

overlap_answer vf_places_meet(vf_place a, vf_place b, int64_t *effort)
{
	int64_t scratch_a[VF_MAX_DIGITS + 2], scratch_b[VF_MAX_DIGITS + 2], low, high;
	uintptr_t origin = (uintptr_t)a.region->source->data, other = (uintptr_t)b.region->source->data;
	vf_region_reach(a.region, &low, &high);
	uintptr_t a_low = origin + (uintptr_t)(low * a.elem_bytes);
	uintptr_t a_end = origin + (uintptr_t)((high + 1) * a.elem_bytes);
	vf_region_reach(b.region, &low, &high);
	uintptr_t b_low = other + (uintptr_t)(low * b.elem_bytes);
	uintptr_t b_end = other + (uintptr_t)((high + 1) * b.elem_bytes);
	if (a_low >= b_end || b_low >= a_end)
		return OVERLAP_NO;
	vf_placed first = {a.region, a.elem_bytes, 0, a.digits ? a.digits : scratch_a};
	vf_placed second = {b.region, b.elem_bytes, (int64_t)(other - origin),
	                    b.digits ? b.digits : scratch_b};
	return vf_regions_meet(&first, &second, effort);
}

/* Finds the index of `a` at which region r has the given digits. */
static void digits_to_index(const vf_array *a, const vf_region *r, const int64_t *digits, int64_t *index)
{
	int64_t flat = 0;
	for (int axis = 0, k = 0; axis < a->map->space_rank; axis++) {
		int64_t at = r->base[axis];
		for (; k < r->ndigit && r->digits[k].axis == axis; k++)
			at += digits[k] * r->digits[k].weight;
		flat = flat * a->map->space[axis] + at;
	}
	unravel(flat, a->map->rank, a->map->shape, index);
}

static bool in_memory(const vf_region *r)
{
	return r->source && r->source->kind == VF_STORAGE_MEMORY;
}

/* Tries one pair of regions after the other, until two meet. All pairs share the effort. */
static vf_shares find_shared(const vf_array *a, const vf_array *b, int64_t effort, int64_t *index_a,
                             int64_t *index_b)
{
	int64_t digits_a[VF_MAX_DIGITS + 2], digits_b[VF_MAX_DIGITS + 2];
	bool undecided = false;
	for (int i = 0; i < a->map->nregion; i++) {
		const vf_region *ra = &a->map->regions[i];
		for (int j = 0; in_memory(ra) && j < b->map->nregion; j++) {
			const vf_region *rb = &b->map->regions[j];
			if (!in_memory(rb))
				continue;
			overlap_answer answer = vf_places_meet((vf_place){ra, a->elem_bytes, digits_a},
			                                       (vf_place){rb, b->elem_bytes, digits_b},
			                                       &effort);
			undecided = undecided || answer == OVERLAP_UNDECIDED;
			if (answer != OVERLAP_YES)
				continue;
			if (index_a)
				digits_to_index(a, ra, digits_a, index_a);
			if (index_b)
				digits_to_index(b, rb, digits_b, index_b);
			return VF_SHARES_YES;
		}
	}
	return undecided ? VF_SHARES_UNDECIDED : VF_SHARES_NO;
}

vf_shares vf_shares_memory_within(const vf_array *a, const vf_array *b, int64_t effort, int64_t *index_a,
                                  int64_t *index_b)
{
	bool elements = a && b && a->map->size > 0 && b->map->size > 0;
	return elements ? find_shared(a, b, effort, index_a, index_b) : VF_SHARES_NO;
}

vf_shares vf_shares_memory(const vf_array *a, const vf_array *b, int64_t *index_a, int64_t *index_b)
{
	return vf_shares_memory_within(a, b, VF_SHARES_EFFORT, index_a, index_b);
}
