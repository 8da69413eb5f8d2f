/* destinations.c -- several destinations in a plan.
 *
 * In     a plan, made as if destinations lay VF_PLACE_STEP bytes apart in one
 * Out    the same with that number only where interpreter and text know it: as a loop of the nest, the rows
 *        of a stage that leaves, the rows of `apply` or the planes of `deinterleave`
 * Keeps  what is moved. A plan in which it stands elsewhere is not to be run: plan->apart is false
 * Tests  tests/unit/test_planes.c
 */
#include "plan/plan.h"

/* Does the call go through loop k whatever its step? Other strategies take rows by one step: a call is one
 * row then. */
static bool takes(const vf_leaf *leaf, int k)
{
	const int last = leaf->nloop - 1;
	if (leaf->strategy == VF_DEINTERLEAVE)
		return k == last;
	return leaf->strategy == VF_APPLY && k == last - 1;
}

static bool is_of_rows(const vf_leaf *leaf, int k)
{
	bool rows = leaf->strategy == VF_COPY || leaf->strategy == VF_FILL || leaf->strategy == VF_GATHER;
	return rows && leaf->ninner == 2 && k == leaf->nloop - 2;
}

static bool settle_leaf(vf_leaf *leaf)
{
	for (int k = 0; k < leaf->nloop; k++) {
		int64_t dst = leaf->loops[k].dst;
		if (dst > -VF_PLACE_STEP && dst < VF_PLACE_STEP)
			continue;
		if (dst != VF_PLACE_STEP)
			return false; /* cut in two, or turned over */
		if (k < leaf->nloop - leaf->ninner || takes(leaf, k))
			continue;
		if (!is_of_rows(leaf, k))
			return false;
		leaf->ninner = 1;
	}
	return true;
}

void vf_plan_settle_places(vf_plan *plan)
{
	plan->apart = true;
	for (int k = 0; k < plan->nleaf && plan->nplace > 1; k++)
		if (!plan->leaves[k].only_reads)
			plan->apart = settle_leaf(&plan->leaves[k]) && plan->apart;
}
