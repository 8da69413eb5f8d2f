/* leave.h -- how a staged node's stage goes to its place: one or several calls of the codelet `leave`. */
#pragma once

#include "plan/plan.h"

typedef struct vf_leaving {
	int64_t dst, src; /* counted from the node's place, and from the stage */
	int64_t taken;    /* bytes of the stage that the calls before took: the last one takes the rest */
	int64_t take;     /* bytes; 0: the rest */
	const vf_asking *asking; /* NULL: nothing to ask for */
	int64_t next;            /* where what is asked for lies, counted from asking->src */
	vf_block block;          /* all but n, which the caller sets */
} vf_leaving;

/* Does each row of the stage leave to a destination of its own? Then vf_leaving.dst does not tell where. */
static inline bool vf_leaves_to_places(const vf_plan *plan, const vf_node *node)
{
	return plan->nplace > 1 && node->stage_rows > 1 && node->stage_dst_step == VF_PLACE_STEP;
}

/* How many calls there are, and call k. */
int64_t vf_leavings(const vf_node *node);
vf_leaving vf_leaving_of(const vf_node *node, int64_t k);
