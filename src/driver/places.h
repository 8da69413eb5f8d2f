/* places.h -- where the elements of an array are in memory. */
#pragma once

#include "graph/array.h"
#include "map/overlap.h"

/* A region of an array in memory. `digits` has room for one value of each digit, or is NULL. */
typedef struct vf_place {
	const vf_region *region;
	int64_t elem_bytes;
	int64_t *digits;
} vf_place;

/* Do the two places share memory? The search is limited by `effort` (map/overlap.h). On YES, writes the
 * digits at which they meet. */
overlap_answer vf_places_meet(vf_place a, vf_place b, int64_t *effort);
