/* places.h -- where the elements of an array are in memory. */
#pragma once

#include "graph/array.h"
#include "map/overlap.h"

/* A region of an array in memory; `digits` (or NULL) has room for values of its digits. */
typedef struct vf_place {
	const vf_region *region;
	int64_t elem_bytes;
	int64_t *digits;
} vf_place;

/* Whether the two meet, within the effort (map/overlap.h); on YES with the digits at which they do. */
overlap_answer vf_places_meet(vf_place a, vf_place b, int64_t *effort);
