/* index.c -- units whose places, in the source or in dst, are read from a list.
 *
 * Longer units are rows: the loop over the list is the nest's then.
 */
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	if (leaf->table || !vf_has_list(vf_last_loop(leaf)))
		return 0;
	bool rows = leaf->nloop - depth >= 2 && !vf_is_uneven(vf_last_loop(leaf) - 1);
	return rows ? 2 : 1;
}

static double cost(const vf_leaf *leaf, int depth)
{
	return 700 / (double)leaf->unit_bytes + vf_call_cost(leaf, applies(leaf, depth));
}

/* How many units ahead a unit is asked for. 0 where the list stays in a row of the source that fits L1: a
 * stage asks for rows (plan/group.c). */
static int64_t asked_before(const vf_leaf *leaf)
{
	enum { ROW = 32 << 10, FAR_BYTES = 1024, STREAMED = 8 << 10, SHORT = 1024, FEWEST = 4, MOST = 32 };
	for (int k = leaf->nloop - 2; k >= 0; k--)
		if (leaf->loops[k].src != 0 && leaf->loops[k].src <= ROW && leaf->loops[k].src >= -ROW)
			return 0;
	const int64_t units = (leaf->stream ? STREAMED : FAR_BYTES) / leaf->unit_bytes;
	const int64_t fewest = leaf->unit_bytes > SHORT ? 1 : FEWEST;
	return units < fewest ? fewest : units > MOST ? MOST : units;
}

static bool streams(const vf_leaf *leaf, bool lines)
{
	enum { LINE = 64 };
	const vf_span *line = vf_last_loop(leaf);
	const int64_t unit = leaf->unit_bytes;
	(void)lines;
	return line->list && !line->dst_list && line->dst == unit && unit >= LINE &&
	       line->extent * unit >= VF_LONG_ROW;
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	const vf_span *line = vf_last_loop(leaf);
	call->codelet = VF_CODELET_index;
	vf_codelet_call_rows(call, leaf, 0);
	call->block.stride = line->dst_list ? line->src : line->dst;
	call->block.ahead_step = line->list ? asked_before(leaf) : 0;
}

const vf_strategy_row vf_index_row = {"index", applies, cost, call_of, streams};
