/* builder.h -- a kernel in the making: what kernel.c, slots.c, writes.c and planes.c share. */
#pragma once

#include "driver/job.h"
#include "driver/kernel.h"

/* Moves into one slot. */
typedef struct vf_write {
	vf_job job;
	vf_sources sources;
	const vf_storage *to;
} vf_write;

/* A kernel in the making; the arena holds all but the kernel's own arrays. */
typedef struct vf_builder {
	vf_context *ctx;
	const vf_request *request;
	vf_kernel *kernel;
	vf_arena arena;
	vf_sources slots;   /* places, inputs, then cuts in the order in which they are ready */
	vf_sources cuts;    /* below the goals, in the order in which they are met */
	vf_sources made;    /* cuts that have their steps */
	vf_storage *wholes; /* one for each goal: its buffer, or the scratch of a cut source */
	int nwrite;
	int64_t capacity; /* of writes */
	vf_write *writes;
} vf_builder;

/* slots.c. Makes the places, the inputs and all leaves below the goals slots. False with the error kept. */
bool vf_add_given(vf_builder *b);
/* Records how far the goals touch these slots. */
void vf_touch_given(vf_builder *b);

/* writes.c. Makes the moves of each goal, and finds which sources are cut: `wholes` has their scratch. False
 * with the error kept. */
bool vf_plan_writes(vf_builder *b);

/* ---- planes.c: results that are elements of the same pixels, as one move with several destinations ---- */

/* Several writes that become one. */
typedef struct vf_planes {
	int n;                          /* 1: the first write stays alone, and the rest is not set */
	vf_write all;                   /* `to` is the first destination; the others are its last sources */
	int64_t shifts[VF_MOST_PLACES]; /* bytes from a destination's slot to its first write */
	const vf_storage *held; /* a source of numbers that differ from plane to plane; NULL: none differ */
	const unsigned char *numbers; /* its bytes */
} vf_planes;

/* Finds how many writes from number `first` on become one. False with the error kept. */
bool vf_planes_find(vf_builder *b, int first, vf_planes *planes);
