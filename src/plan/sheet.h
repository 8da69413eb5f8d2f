/* sheet.h -- several rows of dst, a piece of each, put together in one stage. */
#ifndef VF_PLAN_SHEET_H
#define VF_PLAN_SHEET_H

#include "plan/group.h"

/* Where leaves read along one loop that they share and write along another, a stage of one piece of dst takes
 * a few bytes of each line of the source. A sheet is a stage of pieces of as many rows of dst as fill those
 * lines. True where leaves [g.a, g.b) go by one: then `node` has its loops and its stage, `inside` the leaves
 * that are left for it to run, and all loops that they have left are those of the stage. */
bool vf_sheet(vf_planner *p, vf_group g, vf_node *node, vf_group *inside);

#endif
