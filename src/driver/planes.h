/* planes.h -- results that are elements of the same pixels: one move with several destinations.
 */
#pragma once

#include "driver/builder.h"

/* Writes that are one. */
typedef struct vf_planes {
	int n;                          /* 1: the first write goes by itself, and the rest is not set */
	vf_write all;                   /* `to` is the first destination; the others are its last sources */
	int64_t shifts[VF_MOST_PLACES]; /* bytes from a destination's slot to where it is written first */
	const vf_storage *held;       /* a source of numbers that differ from plane to plane; NULL: none do */
	const unsigned char *numbers; /* its bytes */
} vf_planes;

/* How the writes from number `first` on go. False with the error kept. */
bool vf_planes_find(vf_builder *b, int first, vf_planes *planes);
