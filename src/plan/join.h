/* join.h -- leaves that are one: permuted blocks, and pieces in an even row. */
#pragma once

#include "plan/plan.h"

/* Replaces leaves of plan->leaves by fewer that copy the same. They stay in ascending order of dst, and none
 * is shaped yet. False with the error kept. */
bool vf_join_leaves(vf_plan *plan);

/* Merges loops k and k + 1 if they chain; the last loop and the unit likewise. */
void vf_merge_loops(vf_leaf *leaf, int k);
void vf_merge_unit(vf_leaf *leaf);
