/* gather.c -- side by side in dst, a constant stride in the source. A stride of minus one unit reverses. */
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	const vf_span *line = vf_last_loop(leaf);
	bool line_of = vf_moves_units(leaf) && line->dst == leaf->unit_bytes && line->src != 0;
	return line_of && line->src != leaf->unit_bytes ? vf_loops_left(leaf, depth, 2) : 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	double call = vf_row_cost(leaf, 1000) + vf_call_cost(leaf, vf_loops_left(leaf, depth, 2));
	return call + (vf_last_loop(leaf)->src == -leaf->unit_bytes ? 40 : 350 / (double)leaf->unit_bytes);
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_gather;
	vf_codelet_call_rows(call, leaf, 0);
	call->block.stride = vf_last_loop(leaf)->src;
	if ((leaf->unit_bytes & (leaf->unit_bytes - 1)) == 0)
		vf_set_beside(leaf, call);
}

/* Units farther apart are read one by one, which is fast where registers hold a line. */
static bool streams(const vf_leaf *leaf, bool lines)
{
	enum { FAR = 128 };
	const bool far = vf_magnitude(vf_last_loop(leaf)->src) > FAR;
	const bool staged = far && !leaf->wide;
	return lines && !staged && vf_run_bytes(leaf, 1) >= vf_long_run(leaf, 1);
}

const vf_strategy_row vf_gather_row = {"gather", applies, cost, call_of, streams};
