/* copy.c -- contiguous runs, a constant step apart. */
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	return vf_line_of(leaf, leaf->unit_bytes) ? vf_loops_left(leaf, depth, 2) : 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	int ninner = vf_loops_left(leaf, depth, 2);
	return 30 + (ninner > 1 ? vf_row_cost(leaf, 1000) + vf_call_cost(leaf, ninner) : 0);
}

/* Short rows gain nothing side by side, nor do those with gaps so small that they are nearly one run. Rows
 * whole pages apart share sets of caches and banks of memory. */
static int64_t rows_beside(const vf_block *b)
{
	enum { FEWEST = 4, SHORTEST = 384, LONGEST = 64 << 10, SMALL_GAP = 1024, PAGE = 4096 };
	const int64_t apart = b->src_step < 0 ? -b->src_step : b->src_step, gap = apart - b->n;
	const int64_t most = b->n <= PAGE ? VF_MOST_BESIDE : VF_MOST_BESIDE / 2;
	if (!b->stream || b->rows < FEWEST || b->n < SHORTEST || b->n > LONGEST || gap < 0 ||
	    (gap <= SMALL_GAP && gap <= b->n))
		return 0;
	return apart % PAGE ? most : b->n < PAGE ? most / 2 : FEWEST;
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_copy;
	vf_codelet_call_rows(call, leaf, 0);
	call->block.n *= leaf->unit_bytes;
	call->block.beside = rows_beside(&call->block);
}

static bool streams(const vf_leaf *leaf, bool lines)
{
	int64_t row = vf_last_loop(leaf)->extent * leaf->unit_bytes;
	return row >= VF_LONG_ROW || (lines && row >= 16 && vf_run_bytes(leaf, 1) >= vf_long_run(leaf, 1));
}

const vf_strategy_row vf_copy_row = {"copy", applies, cost, call_of, streams};
