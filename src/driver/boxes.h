/* boxes.h -- what a region of an array reads of a leaf, region of the map by region of the map. */
#pragma once

#include "graph/array.h"
#include "map/work.h"

/* One region of a map that reads the leaf. */
typedef struct vf_reading {
	const vf_region *region;
	int rank;                  /* of the region's coordinates */
	const int64_t *to_strides; /* in elements of what is asked for, by axis; NULL below a cut */
	int64_t elem_bytes;
} vf_reading;

/* Called for each; false ends the visit with VF_ERR_MEMORY. */
typedef bool vf_reading_fn(void *user, const vf_reading *reading);

/* What is asked: what [start, start + shape) of `a` (both NULL: all of it) reads of `leaf`. */
typedef struct vf_question {
	const char *op; /* who asks, for sentences */
	const vf_array *a, *leaf;
	const int64_t *start, *shape;
} vf_question;

/* Visits it. Failures are those of vf_boxes(). */
vf_status vf_readings(const vf_question *asked, vf_reading_fn *fn, void *user);
