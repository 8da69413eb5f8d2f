/* tree.h -- which loops several leaves run together, and how the work is cut into units. */
#pragma once

#include "plan/plan.h"

/* What planning one job works on. leaves[] are in ascending order of dst. Their unit_bytes are still the
 * whole contiguous run (see vf_leaf_shape), and each has room for VF_LEAF_SPARE more loops. */
typedef struct vf_planner {
	vf_context *ctx;
	vf_plan *plan;
	const vf_machine *machine;
	bool stream; /* the result is beyond the cache */
	bool failed;
	int64_t pooled; /* bytes of scratch that a pool takes */
	int64_t staged; /* bytes of the stage that leaves now planned write to */
} vf_planner;

/* Room in the plan, all 0. NULL out of memory: `failed` is set, the error kept. */
static inline void *vf_plan_alloc(vf_planner *p, int64_t count, size_t bytes)
{
	void *room = vf_arena_alloc(&p->plan->arena, count, bytes);
	p->failed = p->failed || !room;
	return room;
}

enum { VF_LEAF_SPARE = 24 };

/* Sets plan->roots, nroot and scratch_bytes; shapes and chooses every leaf. False with the
 * error kept. */
bool vf_tree_build(vf_planner *p);
