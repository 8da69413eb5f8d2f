/* slabs.c -- a cut with constants around it, slab by slab: some indices of its outermost axes at a time.
 *
 * In     an array that reads one cut, element by element in C order, and constants
 * Out    two jobs for one slab, and how far everything moves from slab to slab
 * When   the cut spans these axes, and all that is read below it, and the constants, go on evenly along them
 * Keeps  every element is in one slab
 * Tests  tests/unit/test_relay.c
 */
#include "driver/job.h"
#include "graph/make.h"

#include <string.h>

/* `length` of the `extent` indices of an axis go at once. */
typedef struct level {
	int axis;
	int64_t extent, length;
} level;

/* ---- what goes on evenly ---- */

/* Has each region all indices of the axis, one by one? */
static bool spans(const vf_map *map, int axis)
{
	bool all = !map->has_tables && !vf_map_is_ragged(map);
	for (int i = 0; i < map->nregion && all; i++) {
		int first, last;
		const vf_region *r = &map->regions[i];
		region_axis(r, axis, &first, &last);
		all = last - first == 1 && r->digits[first].extent == map->space[axis];
	}
	return all;
}

/* Is no step along the axis a part of a line, which slab after slab would read, and no other cut read? Of a
 * few values steps may be parts. */
static bool reads_lines(const vf_read *read, int axis)
{
	enum { LINE = 64, FEW_BYTES = 4 << 10 };
	bool all = true;
	for (int i = 0; i < read->map->nregion && all; i++) {
		int first, last;
		const vf_region *r = &read->map->regions[i];
		region_axis(r, axis, &first, &last);
		const int64_t step = r->digits[first].stride * vf_dtype_bytes(read->dtype);
		const bool lines = step == 0 || step >= LINE || step <= -LINE;
		all = !vf_is_place(r->source) ||
		      (r->source->kind != VF_STORAGE_CUT && (lines || r->source->bytes <= FEW_BYTES));
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

/* The region that reads the cut; NULL unless all others are constants, and it has all of the cut in its
 * order. */
static const vf_region *reads_all(const vf_map *map, const vf_array *below)
{
	const vf_region *found = NULL;
	int64_t strides[VF_MAX_RANK];
	bool all = map->rank == below->map->rank;
	for (int i = 0; i < map->nregion && all; i++) {
		const vf_region *r = &map->regions[i];
		all = !r->source || !found;
		found = r->source ? r : found;
	}
	if (!all || !found || found->offset != 0)
		return NULL;
	int64_t size = 1;
	vf_c_strides(below->map->rank, below->map->shape, strides);
	for (int k = 0; k < found->ndigit && all; k++) {
		const vf_digit *d = &found->digits[k];
		all = d->weight == 1 && d->stride == strides[d->axis] &&
		      d->extent == below->map->shape[d->axis];
		size *= d->extent;
	}
	return all && size == below->map->size ? found : NULL;
}

/* ---- slabs ---- */

/* The largest divisor of n that is at most `most`. */
static int64_t divisor(int64_t n, int64_t most)
{
	int64_t length = most < 1 ? 1 : most > n ? n : most;
	while (n % length != 0)
		length--;
	return length;
}

/* Finds up to two axes along which the cut goes by slabs of at most so many bytes; of three times as many
 * where it cannot be less. Returns how many axes; 0: it does not. */
static int find_levels(const vf_array *a, const vf_array *below, int64_t most, level *levels)
{
	enum { MORE = 3 };
	int64_t bytes = vf_size_bytes(below);
	int n = 0;
	for (int k = 0; k < below->map->rank && n < 2 && bytes > most; k++) {
		const int64_t extent = below->map->shape[k];
		if (extent == 1 && a->map->shape[k] == 1)
			continue;
		if (a->map->shape[k] != extent || !spans(a->map, k) || !goes_on(below, k))
			break;
		bytes /= extent;
		levels[n++] = (level){k, extent, bytes > most ? 1 : divisor(extent, most / bytes)};
		bytes *= levels[n - 1].length;
	}
	return bytes <= MORE * most ? n : 0;
}

/* The first slab of an array. NULL without memory. */
static vf_array *first_slab(const vf_array *a, int n, const level *levels)
{
	vf_array *slab = vf_retain((vf_array *)(uintptr_t)a);
	for (int k = 0; k < n && slab; k++) {
		vf_array *less = vf_narrow(slab, levels[k].axis, 0, levels[k].length);
		vf_release(slab);
		slab = less;
	}
	return slab;
}

/* By how many bytes a region moves along an axis from slab to slab. */
static int64_t step_of(const vf_region *r, const level *l, int64_t elem_bytes)
{
	int first, last;
	region_axis(r, l->axis, &first, &last);
	return r->digits[first].stride * l->length * elem_bytes;
}

/* Adds by how much the sources that a map reads move on each level. False unless all of one source move
 * alike. */
static bool add_shifts(const vf_read *read, int n, const level *levels, vf_stretch *out, bool *known)
{
	const int64_t elem_bytes = vf_dtype_bytes(read->dtype), count = out->sources.n;
	for (int i = 0; i < read->map->nregion; i++) {
		const vf_region *r = &read->map->regions[i];
		const int at = vf_is_place(r->source) ? vf_sources_at(&out->sources, r->source) : -1;
		if (at < 0)
			continue;
		for (int k = 0; k < n; k++) {
			int64_t *shift = &out->shifts[(k + 2 - n) * count + at];
			const int64_t step = step_of(r, &levels[k], elem_bytes);
			if (known[at] && *shift != step)
				return false;
			*shift = step;
		}
		known[at] = true;
	}
	return true;
}

static bool find_shifts(vf_arena *arena, const vf_array *below, int n, const level *levels, vf_stretch *out)
{
	bool all = true, *known = vf_arena_alloc(arena, out->sources.n + 1, sizeof *known);
	out->shifts = vf_arena_alloc(arena, 2 * (int64_t)out->sources.n + 1, sizeof *out->shifts);
	for (int i = 0; out->shifts && known && i < vf_read_count(below) && all; i++) {
		const vf_read read = vf_read_at(below, i);
		all = add_shifts(&read, n, levels, out, known);
	}
	return out->shifts && known && all;
}

/* Makes the jobs of the first slab. */
static bool make_jobs(vf_arena *arena, const vf_array *below, const vf_array *above, int64_t slabs,
                      vf_stretch *out)
{
	vf_sources one = {0};
	if (!vf_job_of_array(arena, below, &out->below, &out->sources) ||
	    !vf_job_of_array(arena, above, &out->above, &one))
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
	const int n = reads_all(a->map, below) ? find_levels(a, below, most, levels) : 0;
	vf_stretch *one = n ? vf_arena_alloc(arena, 1, sizeof *one) : NULL;
	vf_array *below_slab = one ? first_slab(below, n, levels) : NULL;
	vf_array *above_slab = below_slab ? first_slab(a, n, levels) : NULL;
	bool found = false;
	if (above_slab) {
		set_levels(a, n, levels, one);
		found = make_jobs(arena, below_slab, above_slab, one->counts[0] * one->counts[1], one) &&
		        find_shifts(arena, below, n, levels, one);
	}
	vf_release(below_slab);
	vf_release(above_slab);
	*out = (vf_blocks){cut, 1, one};
	return found;
}
