/* overlap.h -- do two places share an element; does one visit an element twice?
 *
 * Deciding it is a search. `effort` is how many values it may still try, and is taken down by those it tried;
 * where it comes to 0 the answer is OVERLAP_UNDECIDED.
 */
#pragma once

#include "map/map.h"

typedef enum overlap_answer { OVERLAP_NO, OVERLAP_YES, OVERLAP_UNDECIDED } overlap_answer;

/* A region in memory: its storage starts `at` bytes from an origin that both regions of a question share.
 * `digits` has room for the values of the region's digits at which the two meet. */
typedef struct vf_placed {
	const vf_region *region;
	int64_t elem_bytes, at;
	int64_t *digits;
} vf_placed;

/* Whether two digit values of r read one element. Extents are at least 2. Undecided without memory, which
 * only a region with tables asks for. */
overlap_answer vf_region_twice(vf_context *ctx, const vf_region *r, int64_t *effort);

/* Whether the two meet in memory. On YES their digits are written. */
overlap_answer vf_regions_meet(const vf_placed *a, const vf_placed *b, int64_t *effort);
