/* planes.c -- 2 to 16 planes become pixels, or pixels 2 to 4 planes. The last loops are
 * rows, line, planes. */
#include "plan/strategies/strategies.h"

static bool units_of_planes(const vf_leaf *leaf, int depth)
{
	return vf_moves_units(leaf) && vf_plane_unit(leaf->unit_bytes) && leaf->nloop - depth >= 2 &&
	       !vf_last_loop(leaf)->table && !vf_last_loop(leaf)[-1].table;
}

static int together(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	bool fits = units_of_planes(leaf, depth) && vf_planes_join(planes->extent, leaf->unit_bytes) &&
	            planes->dst == leaf->unit_bytes && line->dst == planes->extent * leaf->unit_bytes &&
	            line->src == leaf->unit_bytes;
	return fits ? vf_loops_left(leaf, depth, 3) : 0;
}

static int apart(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	bool fits = units_of_planes(leaf, depth) && vf_few(planes->extent) &&
	            planes->src == leaf->unit_bytes && line->dst == leaf->unit_bytes &&
	            line->src == planes->extent * leaf->unit_bytes;
	return fits ? vf_loops_left(leaf, depth, 3) : 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	double bytes = (double)(leaf->unit_bytes * planes->extent * line->extent);
	return 50 + 2000 / bytes + vf_call_cost(leaf, vf_loops_left(leaf, depth, 3));
}

static void planes_call(const vf_leaf *leaf, vf_codelet_call *call)
{
	vf_codelet_call_rows(call, leaf, 1);
	call->block.planes = vf_last_loop(leaf)->extent;
}

static void together_call(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_interleave;
	planes_call(leaf, call);
	call->block.stride = vf_last_loop(leaf)->src;
}

static void apart_call(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_deinterleave;
	planes_call(leaf, call);
	call->block.stride = leaf->stage_step ? leaf->stage_step : vf_last_loop(leaf)->dst;
}

static bool streams(const vf_leaf *leaf, bool lines)
{
	return lines && vf_run_bytes(leaf, 2) >= vf_long_run(leaf, 2);
}

const vf_strategy_row vf_interleave_row = {"interleave", together, cost, together_call, streams};
const vf_strategy_row vf_deinterleave_row = {"deinterleave", apart, cost, apart_call, streams};
