/* job.h -- from a map to moves: what the fold hands to the plan.
 */
#ifndef VF_DRIVER_JOB_H
#define VF_DRIVER_JOB_H

#include "driver/sources.h"
#include "map/work.h"
#include "plan/move.h"

/* The moves that write `map` in C order to dst 0. In the arena; false without memory. */
bool vf_job_of_map(vf_arena *arena, const vf_map *map, int64_t elem_bytes, vf_job *job, vf_sources *sources);

/* A job whose tables come to at most this many runs of even steps gets a move for each run. */
enum { VF_MOST_TABLE_MOVES = 256 };

/* Do so, where they are so few. False without memory. */
bool vf_job_lower_tables(vf_arena *arena, vf_job *job);
bool vf_job_has_tables(const vf_job *job);

/* Moves that write what `w` reads (a resolved map in coordinates of `space`) through the regions of
 * `place` that lie in `storage`; both have the same space. WORK_TOO_MANY in w->state where the radices of
 * the two do not fit. */
bool vf_job_of_places(vf_work *w, const vf_map *place, const vf_storage *storage, int64_t elem_bytes,
                      vf_job *job, vf_sources *sources);

/* Let a job's moves count from where its first one stands in the destination, and from where the first one of each
 * source stands in that: jobs that differ in these places alone become the same, and share code. `dst` and src[j]
 * are where that is, in elements; 0 for a source that no move reads, and for a destination that is dense. */
void vf_job_rebase(vf_job *job, int64_t *dst, int64_t *src);

/* 64-byte lines that a region touches of its source, about; at most INT64_MAX. */
int64_t vf_region_lines(const vf_region *r, int64_t elem_bytes);

#endif
