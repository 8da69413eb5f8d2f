/* slabs.c -- a cut with other elements around it, slab by slab: some indices of its outermost axes at a time.
 *
 * In     an array of which one region reads a cut, all of it in C order; others are constants, or read places
 * Out    two jobs for one slab, and how far everything moves from slab to slab
 * When   the cut spans these axes, and all that is read, below it and beside it, goes on evenly along them
 * Keeps  every element is in one slab
 * Tests  tests/unit/test_slabs.c
 */
#include "driver/job.h"
#include "driver/relay.h"
#include "graph/make.h"

#include <string.h>

/* `length` of the `extent` indices of an axis go at once. */
typedef struct level {
	int axis;
	int64_t extent, length;
} level;

/* ---- what goes on evenly ---- */

static bool is_cut(const vf_region *r)
{
	return r->source && r->source->kind == VF_STORAGE_CUT;
}

static const vf_digit *digit_along(const vf_region *r, int axis)
{
	int first, last;
	region_axis(r, axis, &first, &last);
	return last - first == 1 ? &r->digits[first] : NULL;
}

/* Has each region all indices of the axis, one by one? */
static bool spans(const vf_map *map, int axis)
{
	bool all = !map->has_tables && !vf_map_is_ragged(map);
	for (int i = 0; i < map->nregion && all; i++) {
		const vf_digit *d = digit_along(&map->regions[i], axis);
		all = d && d->extent == map->space[axis];
	}
	return all;
}

/* Is no step along the axis a part of a line, which slab after slab would read? Of a few values steps may be
 * parts. */
static bool reads_lines(const vf_read *read, int axis)
{
	enum { LINE = 64, FEW_BYTES = 4 << 10 };
	bool all = true;
	for (int i = 0; i < read->map->nregion && all; i++) {
		const vf_region *r = &read->map->regions[i];
		const int64_t step = digit_along(r, axis)->stride * vf_dtype_bytes(read->dtype);
		const bool lines = step == 0 || step >= LINE || step <= -LINE;
		all = !vf_is_place(r->source) || is_cut(r) || lines || r->source->bytes <= FEW_BYTES;
	}
	return all;
}

/* Is all that the array is made of even along the axis? */
static bool goes_on(const vf_array *a, int axis)
{
	bool all = true;
	for (int i = 0; i < vf_read_count(a) && all; i++) {
		const vf_read read = vf_read_at(a, i);
		all = spans(read.map, axis) && reads_lines(&read, axis);
	}
	return all;
}

static bool reads_cuts(const vf_array *a)
{
	bool any = false;
	for (int i = 0; i < vf_read_count(a); i++) {
		const vf_map *map = vf_read_at(a, i).map;
		for (int k = 0; k < map->nregion; k++)
			any = any || is_cut(&map->regions[k]);
	}
	return any;
}

/* The axis of what is `below` a cut that a digit goes along, all of it, index by index; -1: none. */
static int axis_below(const vf_digit *d, const vf_map *below)
{
	int64_t strides[VF_MAX_RANK];
	vf_c_strides(below->rank, below->shape, strides);
	for (int k = 0; k < below->rank && d->weight == 1; k++)
		if (d->extent == below->shape[k] && d->stride == strides[k])
			return k;
	return -1;
}

/* Has the region all of what is `below` its cut, its axes in any order? */
static bool reads_all(const vf_map *map, const vf_region *r, const vf_map *below)
{
	int64_t size = 1;
	bool all = map->rank == below->rank && r->offset == 0;
	for (int k = 0; k < r->ndigit && all; k++) {
		all = axis_below(&r->digits[k], below) >= 0;
		size *= r->digits[k].extent;
	}
	return all && size == below->size;
}

/* The region that reads the whole cut; NULL: none does. */
static const vf_region *whole_cut(const vf_array *a, const vf_array *below)
{
	const vf_region *whole = NULL;
	for (int i = 0; i < a->map->nregion; i++) {
		const vf_region *r = &a->map->regions[i];
		if (is_cut(r) && reads_all(a->map, r, below->map))
			whole = r;
	}
	return reads_cuts(below) ? NULL : whole;
}

/* ---- slabs ---- */

/* Finds up to two axes along which the cut goes by slabs of at most so many bytes; of three times as many
 * where it cannot be less. Returns how many axes; 0: it does not. */
static int find_levels(const vf_array *a, const vf_array *below, const vf_region *whole, int64_t most,
                       level *levels)
{
	enum { MORE = 3 };
	int64_t bytes = vf_size_bytes(below);
	int n = 0;
	for (int k = 0; k < below->map->rank && n < 2 && bytes > most; k++) {
		const int64_t extent = below->map->shape[k];
		if (extent == 1 && a->map->shape[k] == 1)
			continue;
		if (a->map->shape[k] != extent || !goes_on(a, k) || !goes_on(below, k) ||
		    axis_below(digit_along(whole, k), below->map) != k)
			break;
		bytes /= extent;
		levels[n++] = (level){k, extent, bytes > most ? 1 : vf_largest_divisor(extent, most / bytes)};
		bytes *= levels[n - 1].length;
	}
	return bytes <= MORE * most ? n : 0;
}

/* The first slab of an array. NULL without memory. */
static vf_array *first_slab(const vf_array *a, int n, const level *levels)
{
	int64_t low[VF_MAX_RANK] = {0}, high[VF_MAX_RANK];
	for (int k = 0; k < a->map->rank; k++)
		high[k] = a->map->shape[k] - 1;
	for (int k = 0; k < n; k++)
		high[levels[k].axis] = levels[k].length - 1;
	return vf_narrow_box(a, low, high);
}

/* By how many bytes each source of a job moves on each level, and whether it is known yet. A cut does not: it
 * is scratch, which the next slab fills again. */
typedef struct shifts {
	const vf_sources *sources;
	int n;
	const level *levels;
	int64_t *by;
	bool *known;
} shifts;

/* Adds what a region reads. False unless all of one source move alike, by a number that fits. */
static bool add_shift(shifts *s, const vf_region *r, int64_t elem_bytes)
{
	const int at = vf_is_place(r->source) && !is_cut(r) ? vf_sources_at(s->sources, r->source) : -1;
	for (int k = 0; k < s->n && at >= 0; k++) {
		const level *l = &s->levels[k];
		int64_t *by = &s->by[(k + 2 - s->n) * s->sources->n + at];
		int64_t step;
		if (!vf_product_fits(digit_along(r, l->axis)->stride * elem_bytes, l->length, &step) ||
		    (s->known[at] && *by != step))
			return false;
		*by = step;
	}
	if (at >= 0)
		s->known[at] = true;
	return true;
}

/* Of all that an array reads; NULL if sources do not move alike, or without memory. */
static int64_t *find_shifts(vf_arena *arena, const vf_array *a, const vf_sources *sources, int n,
                            const level *levels)
{
	shifts s = {sources, n, levels, vf_arena_alloc(arena, 2 * (int64_t)sources->n + 1, sizeof *s.by),
	            vf_arena_alloc(arena, sources->n + 1, sizeof *s.known)};
	bool all = s.by && s.known;
	for (int i = 0; i < vf_read_count(a) && all; i++) {
		const vf_read read = vf_read_at(a, i);
		for (int k = 0; k < read.map->nregion && all; k++)
			all = add_shift(&s, &read.map->regions[k], vf_dtype_bytes(read.dtype));
	}
	return all ? s.by : NULL;
}

/* Makes the jobs of the first slab. */
static bool make_jobs(vf_arena *arena, const vf_array *below, const vf_array *above, int64_t slabs,
                      vf_stretch *out)
{
	if (!vf_job_of_array(arena, below, &out->below, &out->sources) ||
	    !vf_job_of_array(arena, above, &out->above, &out->above_sources))
		return false;
	out->below.reads_memory = true;
	out->above.times = slabs;
	out->scratch_bytes = vf_size_bytes(below);
	return true;
}

/* How the array goes on from slab to slab. */
static void set_levels(const vf_array *a, int n, const level *levels, vf_stretch *out)
{
	int64_t strides[VF_MAX_RANK];
	vf_c_strides(a->map->rank, a->map->shape, strides);
	out->counts[0] = out->counts[1] = 1;
	for (int k = 0; k < n; k++) {
		const level *l = &levels[k];
		out->counts[k + 2 - n] = l->extent / l->length;
		out->out_shifts[k + 2 - n] = l->length * strides[l->axis] * a->elem_bytes;
	}
}

bool vf_slabs_find(vf_arena *arena, const vf_array *a, const vf_storage *cut, int64_t most, vf_blocks *out)
{
	level levels[2];
	const vf_array *below = cut->below;
	const vf_region *whole = whole_cut(a, below);
	const int n = whole ? find_levels(a, below, whole, most, levels) : 0;
	vf_stretch *one = n ? vf_arena_alloc(arena, 1, sizeof *one) : NULL;
	vf_array *below_slab = one ? first_slab(below, n, levels) : NULL;
	vf_array *above_slab = below_slab ? first_slab(a, n, levels) : NULL;
	bool found = false;
	if (above_slab) {
		set_levels(a, n, levels, one);
		found = make_jobs(arena, below_slab, above_slab, one->counts[0] * one->counts[1], one);
		one->shifts = found ? find_shifts(arena, below, &one->sources, n, levels) : NULL;
		one->above_shifts = found ? find_shifts(arena, a, &one->above_sources, n, levels) : NULL;
		found = one->shifts && one->above_shifts;
	}
	vf_release(below_slab);
	vf_release(above_slab);
	*out = (vf_blocks){cut, 1, one};
	return found;
}
