/* strategy.c -- the table of strategies, and the choice among its rows.
 *
 * In     a leaf whose outer loops are decided
 * Out    its unit, its last loop, the cheapest strategy that applies
 * Keeps  the bytes it moves. VF_NEST applies to every leaf that reads and VF_FILL to every other
 *        one, so there is always a choice
 * Tests  tests/unit/test_plan.c
 */
#include "plan/strategy.h"

#include <string.h>

/* ---- the shape of a leaf ---- */

/* Unit sizes for which gather, scatter, reverse and fill have kernels of their own. */
static bool fast_unit(int64_t bytes)
{
	return bytes >= 1 && bytes <= 16 && ((1 << bytes) & 0x1115e) != 0; /* 1 2 3 4 6 8 12 16 */
}

int64_t vf_fill_period(const unsigned char fill[16], int64_t elem_bytes)
{
	static const unsigned char zeros[16];
	if (memcmp(fill, zeros, sizeof zeros) == 0)
		return 1;
	for (int64_t bytes = 1; bytes < elem_bytes; bytes++)
		if (elem_bytes % bytes == 0 &&
		    memcmp(fill, fill + bytes, (size_t)(elem_bytes - bytes)) == 0)
			return bytes;
	return elem_bytes;
}

static void add_line(vf_leaf *leaf, int depth, int64_t unit_bytes, int64_t src)
{
	int64_t n = leaf->unit_bytes / unit_bytes;
	leaf->unit_bytes = unit_bytes;
	if (n > 1 || leaf->nloop == depth)
		leaf->loops[leaf->nloop++] = (vf_span){n, n, unit_bytes, src};
}

void vf_leaf_shape(vf_leaf *leaf, int depth)
{
	if (leaf->source < 0)
		add_line(leaf, depth, leaf->fill_unit, 0);
	else if (leaf->nloop == depth || !fast_unit(leaf->unit_bytes))
		add_line(leaf, depth, 1, 1);
}

/* ---- when each applies: how many of the last loops it takes ---- */

static const vf_span *last(const vf_leaf *leaf)
{
	return &leaf->loops[leaf->nloop - 1];
}

/* The last loop, and the one before it where there is one. */
static int two(const vf_leaf *leaf, int depth)
{
	return leaf->nloop - depth >= 2 ? 2 : 1;
}

/* Its last loop writes side by side, reading `src` bytes apart. */
static bool line_of(const vf_leaf *leaf, int64_t src)
{
	return leaf->source >= 0 && last(leaf)->dst == leaf->unit_bytes && last(leaf)->src == src;
}

static int copy_applies(const vf_leaf *leaf, int depth)
{
	return line_of(leaf, leaf->unit_bytes) && leaf->nloop == depth + 1 ? 1 : 0;
}
static int rows_applies(const vf_leaf *leaf, int depth)
{
	return line_of(leaf, leaf->unit_bytes) && leaf->nloop > depth + 1 ? 2 : 0;
}
static int fill_applies(const vf_leaf *leaf, int depth)
{
	if (leaf->source >= 0)
		return 0;
	return last(leaf)->dst == leaf->unit_bytes ? two(leaf, depth) : 1;
}
static int spread_applies(const vf_leaf *leaf, int depth)
{
	return line_of(leaf, 0) ? two(leaf, depth) : 0;
}
static int reverse_applies(const vf_leaf *leaf, int depth)
{
	return line_of(leaf, -leaf->unit_bytes) ? two(leaf, depth) : 0;
}
static int gather_applies(const vf_leaf *leaf, int depth)
{
	bool line = leaf->source >= 0 && last(leaf)->dst == leaf->unit_bytes && last(leaf)->src != 0;
	return line ? two(leaf, depth) : 0;
}
static int scatter_applies(const vf_leaf *leaf, int depth)
{
	return leaf->source >= 0 && last(leaf)->src == leaf->unit_bytes ? two(leaf, depth) : 0;
}
static int nest_applies(const vf_leaf *leaf, int depth)
{
	(void)depth;
	return leaf->source >= 0 ? 1 : 0;
}

/* ---- what each costs: picoseconds a byte, a call's part included ---- */

static double call_cost(const vf_leaf *leaf, int ninner)
{
	double bytes = (double)leaf->unit_bytes;
	for (int k = leaf->nloop - ninner; k < leaf->nloop; k++)
		bytes *= (double)leaf->loops[k].extent;
	return 4000 / bytes;
}
static double line_cost(const vf_leaf *leaf, double row_ps)
{
	return row_ps / (double)(leaf->unit_bytes * last(leaf)->extent);
}

static double copy_cost(const vf_leaf *leaf, int depth)
{
	(void)leaf, (void)depth;
	return 30;
}
static double rows_cost(const vf_leaf *leaf, int depth)
{
	(void)depth;
	return 30 + line_cost(leaf, 1000) + call_cost(leaf, 2);
}
static double spread_cost(const vf_leaf *leaf, int depth)
{
	return 20 + line_cost(leaf, 1000) + call_cost(leaf, two(leaf, depth));
}
static double reverse_cost(const vf_leaf *leaf, int depth)
{
	return 40 + line_cost(leaf, 1000) + call_cost(leaf, two(leaf, depth));
}
static double strided_cost(const vf_leaf *leaf, int depth)
{
	return 350 / (double)leaf->unit_bytes + line_cost(leaf, 1000) +
	       call_cost(leaf, two(leaf, depth));
}
static double nest_cost(const vf_leaf *leaf, int depth)
{
	(void)depth;
	return 600 / (double)leaf->unit_bytes + call_cost(leaf, 1);
}

/* ---- the table, in the order of vf_strategy ---- */

const vf_strategy_row vf_strategy_rows[VF_STRATEGIES] = {
	[VF_COPY] = {"copy", copy_applies, copy_cost},
	[VF_ROWS] = {"rows", rows_applies, rows_cost},
	[VF_FILL] = {"fill", fill_applies, spread_cost},
	[VF_SPREAD] = {"spread", spread_applies, spread_cost},
	[VF_REVERSE] = {"reverse", reverse_applies, reverse_cost},
	[VF_GATHER] = {"gather", gather_applies, strided_cost},
	[VF_SCATTER] = {"scatter", scatter_applies, strided_cost},
	[VF_NEST] = {"nest", nest_applies, nest_cost},
};

const char *vf_strategy_name(vf_strategy strategy)
{
	return vf_strategy_rows[strategy].name;
}

void vf_leaf_choose(vf_leaf *leaf, int depth)
{
	double least = 0;
	leaf->ninner = 0;
	for (int k = 0; k < VF_STRATEGIES; k++) {
		const vf_strategy_row *row = &vf_strategy_rows[k];
		int ninner = row->applies ? row->applies(leaf, depth) : 0;
		if (ninner == 0)
			continue;
		double cost = row->cost(leaf, depth);
		if (leaf->ninner == 0 || cost < least) {
			least = cost;
			leaf->ninner = ninner;
			leaf->strategy = (vf_strategy)k;
		}
	}
}
