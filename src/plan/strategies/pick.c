/* pick.c -- blocks of up to 64 bytes, each put together alike: swizzles, reversals inside a pixel, constants
 * beside channels. plan/join.c finds them. */
#include "plan/strategies/strategies.h"

static bool side_by_side(const vf_leaf *leaf)
{
	enum { FAR = 64 };
	const vf_span *line = vf_last_loop(leaf);
	return !vf_is_uneven(line) && line->dst == leaf->unit_bytes && line->src == leaf->block_bytes &&
	       line->src != 0 && line->src >= -FAR && line->src <= FAR;
}

/* With a loop over blocks side by side on both sides, and one over rows of them where there is one. */
static int applies(const vf_leaf *leaf, int depth)
{
	if (!leaf->table)
		return 0;
	return side_by_side(leaf) ? vf_loops_left(leaf, depth, 2) : 1;
}

/* Each vector is picked from all places, one after the other (a Xeon with AMX, u8 patches of k by k of one
 * channel of 4, rows of k blocks: picoseconds a byte for k = 5, 6, 8: 620, 490, 400). */
static double cost(const vf_leaf *leaf, int depth)
{
	enum { A_ROW = 2000, A_PLACE = 1500 };
	return 50 + vf_row_cost(leaf, A_ROW + A_PLACE * (leaf->nstream - 1)) +
	       vf_call_cost(leaf, applies(leaf, depth));
}

/* Blocks that do not follow each other on both sides are rows of one block. */
static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_pick;
	if (side_by_side(leaf))
		vf_codelet_call_rows(call, leaf, 0);
	else
		vf_codelet_call_units(call, leaf);
	call->block.planes = leaf->nstream;
	call->block.src_at = leaf->stream_at;
	call->block.src_block = side_by_side(leaf) ? leaf->block_bytes : 1;
	call->block.table = leaf->table;
}

static bool streams(const vf_leaf *leaf, bool lines)
{
	return lines && side_by_side(leaf) && vf_run_bytes(leaf, 1) >= vf_long_run(leaf, 1);
}

const vf_strategy_row vf_pick_row = {"pick", applies, cost, call_of, streams};
