/* planes.c -- planes become pixels, or pixels become planes, all or some: 2 to 32 of them, or small matrices.
 * The last loops are rows, line, planes. */
#include "plan/strategies/strategies.h"

static bool units_of_planes(const vf_leaf *leaf, int depth)
{
	return vf_moves_units(leaf) && vf_plane_unit(leaf->unit_bytes) && leaf->nloop - depth >= 2 &&
	       !vf_is_uneven(vf_last_loop(leaf) - 1);
}

static int together(const vf_leaf *leaf, int depth)
{
	const bool fits = units_of_planes(leaf, depth) && vf_are_together(leaf, leaf->unit_bytes);
	return fits ? vf_loops_left(leaf, depth, 3) : 0;
}

static int apart(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	bool fits = units_of_planes(leaf, depth) && planes->src >= 0 &&
	            (planes->to || !vf_is_uneven(planes)) && vf_are_of_pixels(leaf, planes, line);
	return fits ? vf_loops_left(leaf, depth, 3) : 0;
}

static int64_t squares(int64_t units, int64_t side)
{
	return (units + side - 1) / side;
}

/* Squares of 16 bytes a side; a turn's instructions grow with its rows. Measured, Zen 4. */
static double matrix_cost(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	const int64_t unit = leaf->unit_bytes, side = 16 / unit;
	const double square_ps = unit == 1   ? 11800
	                         : unit == 2 ? 3900
	                         : unit == 4 ? 1800
	                                     : 900,
		     matrix_ps = 1500;
	const double ps = matrix_ps +
	                  square_ps * (double)(squares(planes->extent, side) * squares(line->extent, side));
	return ps / (double)(unit * planes->extent * line->extent) +
	       vf_call_cost(leaf, vf_loops_left(leaf, depth, 3));
}

/* A row has a run of each plane, which costs if it is shorter than a vector (a Xeon with AMX, u8 of 6 planes,
 * rows of 4 and of 16 pixels put together: 920 and 210 picoseconds a byte). `widest`: bytes of the units that
 * cost so. */
static double cost(const vf_leaf *leaf, int depth, int64_t widest)
{
	enum { A_ROW = 2000, A_RUN = 2500, VECTOR = 64 };
	const vf_span *planes = vf_last_loop(leaf), *line = planes - 1;
	if (vf_small_matrix(planes, line, leaf->unit_bytes))
		return matrix_cost(leaf, depth);
	const double run = (double)(leaf->unit_bytes * line->extent);
	return 50 + A_ROW / (run * (double)planes->extent) +
	       (leaf->unit_bytes <= widest && run < VECTOR ? A_RUN / run : 0) +
	       vf_call_cost(leaf, vf_loops_left(leaf, depth, 3));
}

static double together_cost(const vf_leaf *leaf, int depth)
{
	return cost(leaf, depth, 4);
}

static double apart_cost(const vf_leaf *leaf, int depth)
{
	return cost(leaf, depth, 2);
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
	call->block.src_block = vf_last_loop(leaf)[-1].src;
	call->block.stride = vf_last_loop(leaf)->dst;
	call->block.dst_at = vf_last_loop(leaf)->to;
}

/* The run from which on a call streams by itself. Of more than a few planes both ends of each are lines in
 * part: shorter ones go by a stage, if that holds them. */
static int64_t long_run(const vf_leaf *leaf)
{
	enum { LONG_PLANE = 2048, STAGE = 16 << 10 };
	const int64_t planes = vf_last_loop(leaf)->extent;
	if (leaf->strategy != VF_DEINTERLEAVE || vf_few(planes))
		return vf_long_run(leaf, 2);
	return STAGE / planes < LONG_PLANE ? STAGE / planes : LONG_PLANE;
}

/* Small matrices leave by way of a stage. */
static bool streams(const vf_leaf *leaf, bool lines)
{
	const vf_span *planes = vf_last_loop(leaf);
	if (leaf->strategy == VF_INTERLEAVE && vf_small_matrix(planes, planes - 1, leaf->unit_bytes))
		return false;
	return lines && vf_run_bytes(leaf, 2) >= long_run(leaf);
}

const vf_strategy_row vf_interleave_row = {"interleave", together, together_cost, together_call, streams};
const vf_strategy_row vf_deinterleave_row = {"deinterleave", apart, apart_cost, apart_call, streams};
