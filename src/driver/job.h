/* job.h -- from a map to moves: what the fold hands to the plan. */
#pragma once

#include "driver/sources.h"
#include "map/work.h"
#include "plan/move.h"

/* The moves that write `map` in C order to dst 0. In the arena; false without memory. */
bool vf_job_of_map(vf_arena *arena, const vf_map *map, int64_t elem_bytes, vf_job *job, vf_sources *sources);

/* layers.c. The same of an array, which may have layers: then moves have formulas. False
 * with the error kept. */
bool vf_job_of_array(vf_arena *arena, const vf_array *a, vf_job *job, vf_sources *sources);

/* An array with layers, and the regions of `place` that lie in `storage`: both have one shape. */
typedef struct vf_goal_place {
	const vf_array *src;
	const vf_map *place;
	const vf_storage *storage;
} vf_goal_place;
/* Moves that write the one through the other; false, and *state says why. */
bool vf_job_of_layers(vf_arena *arena, const vf_goal_place *to, vf_job *job, vf_sources *sources,
                      work_state *state);

/* A job whose tables come to at most this many runs of even steps gets a move for each run. */
enum { VF_MOST_TABLE_MOVES = 256 };

/* Do so, where they are so few; else make the tables the job's lists. False without memory. */
bool vf_job_settle_tables(vf_arena *arena, vf_job *job);

/* Moves that write what `w` reads (a resolved map in coordinates of `space`) through the regions of
 * `place` that lie in `storage`; both have the same space. WORK_GIVEN_UP in w->state where the radices of
 * the two do not fit. */
bool vf_job_of_places(vf_work *w, const vf_map *place, const vf_storage *storage, int64_t elem_bytes,
                      vf_job *job, vf_sources *sources);

/* Let a job's moves count from where its first one stands in the destination, and from where the first one of
 * each source stands in that: jobs that differ in these places alone become the same, and share code.
 * *dst_bytes and src_bytes[j] are where that is; 0 for a source that no move reads, or that is read as
 * elements of several sizes, and for a destination that is dense. False without memory. */
bool vf_job_rebase(vf_arena *arena, vf_job *job, int64_t *dst_bytes, int64_t *src_bytes);

/* 64-byte lines that a region touches of its source, about; at most INT64_MAX. */
int64_t vf_region_lines(const vf_region *r, int64_t elem_bytes);

/* ---- blocks.c: a cut in blocks, with scratch of one block instead of the whole array ---- */

/* Block i of `count` reads the sources at base + i * shifts[source] bytes, fills `scratch_bytes`, and
 * writes the result from out + i * out_shift on. All blocks share the two jobs. */
typedef struct vf_blocks {
	int64_t count, scratch_bytes, out_shift;
	vf_job below, above;
	vf_sources sources; /* of the job below */
	int64_t *shifts;
} vf_blocks;

/* How to run `map`, whose one region reads a cut that reads no further cut, block by block. False where
 * the loops do not allow it, or the cut is small enough as it is; or without memory. */
bool vf_blocks_find(vf_arena *arena, const vf_map *map, int64_t elem_bytes, vf_blocks *out);
