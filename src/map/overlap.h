/* overlap.h -- do two places share an element? Does one place visit an element twice?
 *
 * The answer takes a search. `effort` is how many values the search may still try; each value that it tries
 * takes one off. Once `effort` is 0 the answer is OVERLAP_UNDECIDED.
 */
#pragma once

#include "map/map.h"

typedef enum overlap_answer { OVERLAP_NO, OVERLAP_YES, OVERLAP_UNDECIDED } overlap_answer;

/* A region in memory. Its storage starts `at` bytes after an origin that both regions of a question share.
 * `digits` has room for a value of each of the region's digits: the values at which the two regions meet. */
typedef struct vf_placed {
	const vf_region *region;
	int64_t elem_bytes, at;
	int64_t *digits;
} vf_placed;

/* Whether two different sets of digit values of r read one element. Extents are at least 2. Only a region
 * with tables needs memory; without it the answer is undecided. */
overlap_answer vf_region_twice(vf_context *ctx, const vf_region *r, int64_t *effort);

/* Whether the two meet in memory. If they do, their `digits` are written. */
overlap_answer vf_regions_meet(const vf_placed *a, const vf_placed *b, int64_t *effort);
