/* job.h -- from a map to moves: what the fold hands to the plan. */
#pragma once

#include "driver/sources.h"
#include "map/work.h"
#include "plan/move.h"

/* The moves that write `map` in C order to dst 0. In the arena; false without memory. */
bool vf_job_of_map(vf_arena *arena, const vf_map *map, int64_t elem_bytes, vf_job *job, vf_sources *sources);

/* layers.c. The same for an array. If it has layers, moves have formulas. False with the error kept. */
bool vf_job_of_array(vf_arena *arena, const vf_array *a, vf_job *job, vf_sources *sources);

/* An array with layers, and where it is written: the regions of `place` that lie in `storage`. Array and
 * place have the same shape. */
typedef struct vf_goal_place {
	const vf_array *src;
	const vf_map *place;
	const vf_storage *storage;
} vf_goal_place;
/* Makes the moves that write the array through these regions. If it returns false, *state says why. */
bool vf_job_of_layers(vf_arena *arena, const vf_goal_place *to, vf_job *job, vf_sources *sources,
                      work_state *state);

/* Computes a formula without operands of n elements, side by side in `from` and in `to`. */
void vf_compute_plainly(const vf_formula *f, int64_t n, const unsigned char *from, unsigned char *to);

/* A job whose tables come to at most this many runs of even steps gets a move for each run. */
enum { VF_MOST_TABLE_MOVES = 256 };

/* Makes such moves if there are at most so many; else makes the tables lists of the job. False without
 * memory. */
bool vf_job_settle_tables(vf_arena *arena, vf_job *job);

/* Makes the moves that write what `w` reads (a resolved map in coordinates of `space`) through the regions of
 * `place` that lie in `storage`. `w` and `place` have the same space. Sets WORK_GIVEN_UP in w->state if the
 * radices of the two do not fit. */
bool vf_job_of_places(vf_work *w, const vf_map *place, const vf_storage *storage, int64_t elem_bytes,
                      vf_job *job, vf_sources *sources);

/* Make a job's moves count from the place of the first move: in the destination, and in each source from
 * where the first move that reads it begins. Jobs that differ in these places alone become the same, and
 * share code. *dst_bytes and src_bytes[j] say where these places are. They are 0 for a dense destination, and
 * for a source that no move reads or that is read as elements of several sizes. False without memory. */
bool vf_job_rebase(vf_arena *arena, vf_job *job, int64_t *dst_bytes, int64_t *src_bytes);

/* Returns roughly how many 64-byte lines of its source a region touches; at most INT64_MAX. */
int64_t vf_region_lines(const vf_region *r, int64_t elem_bytes);

/* ---- blocks.c, stretches.c, slabs.c: a cut in blocks, with scratch of one block, not of the whole ---- */

/* Bytes of a block. A cut of no more is one block: it stays in the cache in any case. */
enum { VF_BLOCK_BYTES = 256 << 10 };

/* The largest divisor of n that is at most `most`; 1 if that is less. So blocks are alike. */
int64_t vf_largest_divisor(int64_t n, int64_t most);

/* Blocks that are alike and share two jobs: counts[1] of them, counts[0] times. From one to the next of level
 * k, source s of the job below moves by shifts[k * sources.n + s] bytes, that of the job above by as much of
 * above_shifts[] (NULL: none moves), and the result by out_shifts[k]. The first one is written out_at bytes
 * from the result's beginning on. */
typedef struct vf_stretch {
	vf_job below, above;
	vf_sources sources, above_sources; /* of each job; the cut is one of the second */
	int64_t counts[2], out_at, out_shifts[2], *shifts, *above_shifts, scratch_bytes;
	bool shorter; /* blocks are parts of those of the stretch before */
} vf_stretch;

/* Each block of each stretch fills the scratch, and writes its part of the result from there. */
typedef struct vf_blocks {
	const vf_storage *cut; /* which one; the array holds it */
	int nstretch;
	vf_stretch *stretches;
} vf_blocks;

/* The stretch with the longest blocks. */
const vf_stretch *vf_longest_stretch(const vf_blocks *blocks);

/* The one cut that an array reads: by one region, the others are constants or read places; or all its
 * elements are one formula of that region. The array holds it. NULL: there is none. */
const vf_storage *vf_cut_of(const vf_array *a);

/* A formula of all of a cut, in C order, by blocks of about `most` bytes at most. Returns false if the loops
 * do not allow it, or without memory. */
bool vf_stretches_find(vf_arena *arena, const vf_storage *cut, const vf_formula *formula, int64_t most,
                       vf_blocks *out);

/* An array that has all of a cut, in C order, and other elements around it, by blocks of at most `most` bytes
 * of the cut; of three times as many where it cannot be less. False as above. */
bool vf_slabs_find(vf_arena *arena, const vf_array *a, const vf_storage *cut, int64_t most, vf_blocks *out);

/* Picoseconds a byte of a cut: memory that nobody touched before comes from the system a page at a time,
 * filled with zeros. */
enum { VF_NEW_MEMORY = 120 };

/* What it takes to write a new array that reads places or cuts that are there, in picoseconds. Negative with
 * the error kept. */
double vf_array_estimate(vf_arena *arena, const vf_array *a);

/* What an array over one cut takes, in picoseconds: the cut and what reads it, each as a whole, or block by
 * block if that is less, or if the whole is longer than vf_options.relay_bytes. Then *by_blocks is set, and
 * *out has the blocks. Negative with the error kept. */
double vf_cut_estimate(vf_arena *arena, const vf_array *a, const vf_storage *cut, bool *by_blocks,
                       vf_blocks *out);
