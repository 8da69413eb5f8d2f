/* join.h -- leaves that are one: permuted blocks, and pieces in an even row. */
#pragma once

#include "plan/plan.h"

/* Make fewer leaves of plan->leaves where that is the same copy; they stay in ascending order of dst, and
 * none is shaped yet. False with the error kept. */
bool vf_join_leaves(vf_plan *plan);
