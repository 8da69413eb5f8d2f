/* peel.h -- leaves whose ranges overlap, cut at each other's bounds, so that inside all of them they
 * are alike. */
#pragma once

#include "plan/plan.h"

/* Cut the leaves that read and lie among each other in dst, as windows with a border do, where another
 * of them begins or ends. plan->leaves stay in ascending order of dst. False with the error kept. */
bool vf_peel_leaves(vf_plan *plan);
