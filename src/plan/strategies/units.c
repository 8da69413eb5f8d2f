/* units.c -- units with a stride on both sides: rows of one unit each. Applies to all that moves units. */
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	(void)depth;
	return vf_moves_units(leaf) ? 1 : 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	(void)depth;
	return 600 / (double)leaf->unit_bytes + vf_call_cost(leaf, 1);
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_copy;
	vf_codelet_call_units(call, leaf);
	call->block.n = leaf->unit_bytes;
}

const vf_strategy_row vf_units_row = {"units", applies, cost, call_of, NULL};
