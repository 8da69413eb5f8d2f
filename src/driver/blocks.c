/* blocks.c -- when the loops above and below a cut allow to go through it block by block.
 *
 * In     an array over a cut: its map, or the map of the base where it is all one formula of the cut
 * Out    two jobs for one block, and how far everything moves from block to block
 * When   Below the cut, every region has the same greatest digit on the outermost axis, and it spans the
 *        whole axis: then a block is a run of the cut's C order, and the sources move by that digit's stride.
 *        Above the cut, one digit steps through the cut by whole blocks, and the rest stays inside one block:
 *        then the result moves by that digit's weight.
 *        What is computed of all of a cut in C order goes by stretches.c, a cut with other elements around it
 *        by slabs.c
 * Tests  tests/unit/test_code.c, tests/property/
 */
#include "driver/compile.h"
#include "driver/job.h"

#include <string.h>

enum { LONG_BYTES = 8 << 20 }; /* of a long block */

static vf_map *copy_map(vf_arena *arena, const vf_map *map)
{
	vf_work w;
	vf_map *copy = vf_arena_alloc(arena, 1, sizeof *copy);
	work_init(&w, arena);
	w.limit += map->nregion;
	work_load(&w, map);
	if (!copy || w.state != WORK_OK)
		return NULL;
	*copy = *map;
	copy->regions = w.regions;
	return copy;
}

/* Does the region's greatest digit span axis 0? Then it has *n values of *weight indices each. */
static bool outer_digit(const vf_map *map, const vf_region *r, int64_t *n, int64_t *weight)
{
	if (r->ndigit == 0 || r->digits[0].axis != 0 || r->base[0] >= r->digits[0].weight)
		return false;
	*n = r->digits[0].extent;
	*weight = r->digits[0].weight;
	return *n * *weight == map->space[0];
}

static bool same_outer_digit(const vf_map *map, int64_t *n, int64_t *weight)
{
	for (int i = 0; i < map->nregion; i++) {
		int64_t other_n, other_weight;
		if (!outer_digit(map, &map->regions[i], i ? &other_n : n, i ? &other_weight : weight))
			return false;
		if (i && (other_n != *n || other_weight != *weight))
			return false;
	}
	return map->nregion > 0;
}

int64_t vf_largest_divisor(int64_t n, int64_t most)
{
	int64_t length = most < 1 ? 1 : most > n ? n : most;
	while (n % length != 0)
		length--;
	return length;
}

/* Returns the digit of the region above that takes n steps of `block` elements; splits it off if it is part
 * of a longer digit. Returns -1 if there is none, or if the other digits leave the block. */
static int find_step(vf_region *r, int64_t n, int64_t block)
{
	int found = -1;
	for (int k = 0; k < r->ndigit && found < 0; k++) {
		vf_digit d = r->digits[k];
		if (d.stride <= 0 || block % d.stride != 0 || d.extent != n * (block / d.stride))
			continue;
		int64_t inner = block / d.stride;
		r->digits[k] = vf_plain_digit(d.axis, n, d.weight * inner, block);
		region_insert_digit(r, vf_plain_digit(d.axis, inner, d.weight, d.stride));
		found = k;
	}
	int64_t low = r->offset, high = r->offset;
	for (int k = 0; k < r->ndigit; k++)
		if (k != found)
			*(r->digits[k].stride < 0 ? &low : &high) += (r->digits[k].extent - 1) *
			                                             r->digits[k].stride;
	return low >= 0 && high < block ? found : -1;
}

/* Cuts a digit down to one block; removes it if its extent becomes 1. */
static void shorten(vf_region *r, int k, int64_t length)
{
	r->digits[k].extent = length;
	if (length == 1)
		region_remove_digit(r, k);
}

/* Finds the sources of the job below, and how far each moves, on level 1. All regions of one source must
 * agree. */
static bool find_shifts(vf_arena *arena, const vf_map *below, int64_t length, int64_t elem_bytes,
                        vf_stretch *out)
{
	out->shifts = vf_arena_alloc(arena, 2 * (int64_t)below->nregion, sizeof *out->shifts);
	if (!out->shifts)
		return false;
	for (int i = 0; i < below->nregion; i++) {
		const vf_region *r = &below->regions[i];
		if (!r->source)
			continue;
		if (r->source->kind == VF_STORAGE_CUT)
			return false;
		int before = out->sources.n, at = vf_sources_find(arena, &out->sources, r->source);
		int64_t shift = r->digits[0].stride * length * elem_bytes;
		if (at < 0 || (at < before && out->shifts[at] != shift))
			return false;
		out->shifts[at] = shift;
	}
	const size_t bytes = (size_t)out->sources.n * sizeof *out->shifts;
	memmove(out->shifts + out->sources.n, out->shifts, bytes);
	memset(out->shifts, 0, bytes); /* level 0 has one index */
	return true;
}

/* A map of the job below or above, cut down to one block by its digit `step`; what is computed of it, or
 * NULL. */
typedef struct side {
	vf_map *map;
	int64_t elem_bytes;
	int step;
	const vf_formula *formula;
} side;

/* Makes both jobs, for `length` of the n values of the digits. */
static bool jobs_of_block(vf_arena *arena, const side *below, const side *above, int64_t n, int64_t length,
                          vf_stretch *out)
{
	for (int i = 0; i < below->map->nregion; i++)
		shorten(&below->map->regions[i], below->step, length);
	shorten(&above->map->regions[0], above->step, length);
	if (!vf_job_of_map(arena, below->map, below->elem_bytes, &out->below, &out->sources) ||
	    !vf_job_of_map(arena, above->map, above->elem_bytes, &out->above, &out->above_sources))
		return false;
	if (above->formula) /* of the one move that was made for the one region */
		((vf_move *)(uintptr_t)out->above.moves)->formula = above->formula;
	out->below.dst_dense = below->map->size / n * length;
	/* A block of the result is a run of it only if the digit is the outermost one. */
	bool outermost = out->out_shifts[1] == above->map->size / n * length * above->elem_bytes;
	out->below.reads_memory = true;
	out->above.times = n / length;
	out->above.dst_dense = outermost ? above->map->size / n * length : 0;
	return true;
}

/* The map by which an array reads a cut, or by which a formula of it alone does; NULL: there is none. */
static const vf_map *map_of_cut(const vf_array *a)
{
	const vf_layer *layer = a->nlayer == 1 && a->layers[0].formula.noperand == 0 ? &a->layers[0] : NULL;
	return layer ? layer->maps[0] : a->nlayer == 0 ? a->map : NULL;
}

const vf_storage *vf_cut_of(const vf_array *a)
{
	const vf_map *map = map_of_cut(a);
	const vf_storage *cut = NULL;
	for (int i = 0; map && i < map->nregion; i++) {
		const vf_storage *s = map->regions[i].source;
		const bool is_cut = s && s->kind == VF_STORAGE_CUT;
		if (is_cut ? cut != NULL : a->nlayer > 0)
			return NULL;
		cut = is_cut ? s : cut;
	}
	return cut;
}

/* Blocks of some values of the outermost digit. False if the loops do not allow it, or without memory. */
static bool find_by_digit(vf_arena *arena, const vf_array *a, const vf_storage *storage, vf_blocks *out)
{
	int64_t n, weight, strides[VF_MAX_RANK];
	const vf_map *map = map_of_cut(a);
	const vf_array *cut = storage->below;
	const vf_formula *formula = a->nlayer ? &a->layers[0].formula : NULL;
	const int64_t read_bytes = formula ? vf_dtype_bytes(formula->from) : a->elem_bytes;
	if (map->has_tables || cut->map->has_tables || !same_outer_digit(cut->map, &n, &weight))
		return false;
	int64_t block_bytes = vf_size_bytes(cut) / n;
	vf_map *below = copy_map(arena, cut->map), *above = copy_map(arena, map);
	if (!below || !above || block_bytes % read_bytes != 0)
		return false;
	int step = find_step(&above->regions[0], n, block_bytes / read_bytes);
	if (step < 0)
		return false;
	const int64_t length = vf_largest_divisor(n, VF_BLOCK_BYTES / block_bytes);
	const vf_digit *d = &above->regions[0].digits[step];
	vf_c_strides(map->space_rank, map->space, strides);
	vf_stretch *one = vf_arena_alloc(arena, 1, sizeof *one);
	if (!one)
		return false;
	*out = (vf_blocks){storage, 1, one};
	one->counts[0] = 1, one->counts[1] = n / length;
	one->scratch_bytes = length * block_bytes;
	one->out_shifts[1] = d->weight * strides[d->axis] * length * a->elem_bytes;
	return find_shifts(arena, below, length, cut->elem_bytes, one) &&
	       jobs_of_block(arena, &(side){below, cut->elem_bytes, 0, NULL},
	                     &(side){above, a->elem_bytes, step, formula}, n, length, one);
}

/* Finds how to make `a` block by block, of about `most` bytes where that is free. False if the loops do not
 * allow it, if the cut is one block as it is, or without memory. */
static bool find_blocks(vf_arena *arena, const vf_array *a, int64_t most, vf_blocks *out)
{
	const vf_storage *storage = vf_cut_of(a);
	if (!storage || vf_size_bytes(storage->below) <= most)
		return false;
	const vf_map *map = map_of_cut(a);
	const vf_array *cut = storage->below;
	if (map->nregion > 1 || cut->nlayer > 0)
		return vf_slabs_find(arena, a, storage, most, out);
	const vf_formula *formula = a->nlayer ? &a->layers[0].formula : NULL;
	if (formula && vf_dtype_bytes(formula->from) == cut->elem_bytes && map->size == cut->map->size &&
	    vf_map_is_in_c_order(map))
		return vf_stretches_find(arena, storage, formula, most, out);
	return most <= VF_BLOCK_BYTES && find_by_digit(arena, a, storage, out);
}

/* ---- what is best ---- */

double vf_array_estimate(vf_arena *arena, const vf_array *a)
{
	vf_sources sources = {0};
	vf_job job;
	return vf_job_of_array(arena, a, &job, &sources) ? vf_job_estimate(a->ctx, &job) : -1;
}

/* Picoseconds a byte. Blocks that do not stream are estimated as if all lay in the caches; only scratch
 * does. */
enum { MEMORY = 80, READ = 60, A_BLOCK = 400000 };

/* What blocks of a stretch take, in picoseconds: to fill the scratch, and to leave it. */
typedef struct taken {
	double made, moved;
} taken;

const vf_stretch *vf_longest_stretch(const vf_blocks *blocks)
{
	const vf_stretch *longest = blocks->stretches;
	for (int i = 1; i < blocks->nstretch; i++)
		if (blocks->stretches[i].scratch_bytes > longest->scratch_bytes)
			longest = &blocks->stretches[i];
	return longest;
}

/* The same for all blocks. Each kind of them is planned once, and a long one that leaves the scratch.
 * Negative with the error kept. */
static taken estimate_stretches(const vf_array *a, const vf_blocks *blocks)
{
	const vf_stretch *all = blocks->stretches, *longest = vf_longest_stretch(blocks);
	const double one = vf_job_estimate(a->ctx, &longest->above);
	double made = 0;
	taken sum = {0, 0};
	for (int i = 0; i < blocks->nstretch && one >= 0 && made >= 0; i++) {
		const vf_stretch *t = &all[i];
		const double n = (double)(t->counts[0] * t->counts[1]), bytes = (double)t->scratch_bytes;
		made = t->shorter ? made * bytes / (double)t[-1].scratch_bytes
		                  : vf_job_estimate(a->ctx, &t->below);
		sum.made += n * made;
		sum.moved += n * one * bytes / (double)longest->scratch_bytes;
	}
	return one < 0 || made < 0 ? (taken){-1, -1} : sum;
}

/* What blocks take, and the time by which the cut is read. As a whole it took `below`, and wrote to memory
 * meanwhile. Negative with the error kept. */
static double estimate_blocks(const vf_array *a, const vf_storage *cut, double below, const vf_blocks *blocks,
                              bool *reads)
{
	const taken t = estimate_stretches(a, blocks);
	const double memory = MEMORY * (double)vf_size_bytes(a), read = READ * (double)cut->bytes;
	const double least = below - 0.5 * MEMORY * (double)cut->bytes, bound = least < read ? read : least;
	int64_t count = 0;
	for (int i = 0; i < blocks->nstretch; i++)
		count += blocks->stretches[i].counts[0] * blocks->stretches[i].counts[1];
	*reads = t.made < 1.5 * bound;
	return t.made < 0 ? -1
	                  : (t.made < bound ? bound : t.made) + t.moved + (t.moved < memory ? memory : 0) +
	                        A_BLOCK * (double)count;
}

/* Blocks stay in the second cache. Where that is much slower than reading, as rows are that can be woven only
 * past the cache, some of a few MiB are weighed, too (Zen 5, u8 planes [2,1079,1919,3] with a margin to
 * pixels of f32: 0.35 of the fastest copy, so 0.61). */
double vf_cut_estimate(vf_arena *arena, const vf_array *a, const vf_storage *cut, bool *by_blocks,
                       vf_blocks *out)
{
	const double below = vf_array_estimate(arena, cut->below),
		     above = below < 0 ? -1 : vf_array_estimate(arena, a);
	const bool too_long = cut->bytes > a->ctx->options.relay_bytes;
	double least = below + above + VF_NEW_MEMORY * (double)cut->bytes;
	bool reads = false;
	*by_blocks = false;
	for (int64_t most = VF_BLOCK_BYTES; above >= 0 && !reads && most <= LONG_BYTES;
	     most *= LONG_BYTES / VF_BLOCK_BYTES) {
		vf_blocks blocks;
		if (!find_blocks(arena, a, most, &blocks))
			continue;
		const double all = estimate_blocks(a, cut, below, &blocks, &reads);
		if (all < 0)
			return -1;
		if (all < least || (too_long && !*by_blocks))
			least = all, *out = blocks, *by_blocks = true;
	}
	return above < 0 ? -1 : least;
}
