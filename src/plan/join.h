/* join.h -- leaves that are one: permuted blocks, and pieces in an even row. */
#pragma once

#include "plan/plan.h"

/* Make fewer leaves of plan->leaves where that is the same copy; they stay in ascending order of dst, and
 * none is shaped yet. False with the error kept. */
bool vf_join_leaves(vf_plan *plan);

/* Loops k and k + 1 become one if they chain; so do the last one and the unit. */
void vf_merge_loops(vf_leaf *leaf, int k);
void vf_merge_unit(vf_leaf *leaf);
