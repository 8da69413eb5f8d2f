/* boxes.h -- what a region of an array reads of a leaf, one region of the map after the other. */
#pragma once

#include "graph/array.h"
#include "map/work.h"

/* One region of a map that reads the leaf. */
typedef struct vf_reading {
	const vf_region *region;
	int rank;                  /* of the region's coordinates */
	const int64_t *to_strides; /* in elements of the region asked for; NULL below a cut, or computed */
	int64_t elem_bytes;
} vf_reading;

/* Called for each reading. If it returns false, the visit ends with VF_ERR_MEMORY. */
typedef bool vf_reading_fn(void *user, const vf_reading *reading);

/* The question: what does [start, start + shape) of `a` read of `leaf`? Both NULL: all of `a`. */
typedef struct vf_question {
	const char *op; /* who asks; for error sentences */
	const vf_array *a, *leaf;
	const int64_t *start, *shape;
} vf_question;

/* Answers it by calling `fn`. It fails as vf_boxes() does. */
vf_status vf_readings(const vf_question *asked, vf_reading_fn *fn, void *user);
