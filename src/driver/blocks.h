/* blocks.h -- a cut in blocks: scratch of one block instead of the whole array.
 */
#pragma once

#include "driver/job.h"

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
