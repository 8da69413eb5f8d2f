/* leave.h -- how a staged node's stage goes to its place: one or several calls of the codelet `leave`. */
#pragma once

#include "plan/plan.h"

typedef struct vf_leaving {
	int64_t dst, src;        /* from the node's place, from the stage */
	int64_t taken;           /* of the stage's bytes, by the calls before: the last one takes the rest */
	int64_t take;            /* bytes; 0: the rest */
	const vf_asking *asking; /* NULL: nothing to ask for */
	int64_t next;            /* what is asked for, from asking->src on */
	vf_block block;          /* its fields for asking ahead */
} vf_leaving;

/* Do the rows of the stage leave to a destination each? Then vf_leaving.dst is not theirs. */
static inline bool vf_leaves_to_places(const vf_plan *plan, const vf_node *node)
{
	return plan->nplace > 1 && node->stage_rows > 1 && node->stage_dst_step == VF_PLACE_STEP;
}

/* How many there are; call k. */
int64_t vf_leavings(const vf_node *node);
vf_leaving vf_leaving_of(const vf_node *node, int64_t k);
