/* scatter.c -- side by side in the source, a constant stride in dst. */
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	const vf_span *line = vf_last_loop(leaf);
	bool line_of = vf_moves_units(leaf) && line->src == leaf->unit_bytes && line->dst != leaf->unit_bytes;
	return line_of ? vf_loops_left(leaf, depth, 2) : 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	return 350 / (double)leaf->unit_bytes + vf_row_cost(leaf, 1000) +
	       vf_call_cost(leaf, vf_loops_left(leaf, depth, 2));
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_scatter;
	vf_codelet_call_rows(call, leaf, 0);
	call->block.stride = vf_last_loop(leaf)->dst;
}

const vf_strategy_row vf_scatter_row = {"scatter", applies, cost, call_of, NULL};
