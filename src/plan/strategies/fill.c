/* fill.c -- a constant, or one unit of the source many times, side by side. */
#include "plan/strategies/strategies.h"

static bool line(const vf_leaf *leaf)
{
	return vf_last_loop(leaf)->dst == leaf->unit_bytes;
}

static int applies(const vf_leaf *leaf, int depth)
{
	if (leaf->source < 0)
		return line(leaf) ? vf_loops_left(leaf, depth, 2) : 1;
	return vf_line_of(leaf, 0) ? vf_loops_left(leaf, depth, 2) : 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	return 20 + vf_row_cost(leaf, 1000) + vf_call_cost(leaf, vf_loops_left(leaf, depth, 2));
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_fill;
	if (line(leaf))
		vf_codelet_call_rows(call, leaf, 0);
	else
		vf_codelet_call_units(call, leaf);
}

/* Constants need not be read, so short rows of them stream, too, but not by narrow registers (Zen 4, of the
 * fastest copy, margins of 200 to 640 bytes beside f32 that are computed: 0.28 to 0.45, so 0.37 to 0.53; AVX2
 * 0.31 and 0.30). */
static bool streams(const vf_leaf *leaf, bool lines)
{
	enum { LONG_CONSTANT = 256 };
	const bool constant = leaf->source < 0 && leaf->wide;
	return lines && line(leaf) &&
	       vf_run_bytes(leaf, 1) >= (constant ? LONG_CONSTANT : vf_long_run(leaf, 1));
}

const vf_strategy_row vf_fill_row = {"fill", applies, cost, call_of, streams};
