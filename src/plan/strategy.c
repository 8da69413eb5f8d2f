/* strategy.c -- the table of strategies, and the choice among its rows.
 *
 * In     a leaf whose outer loops are decided
 * Out    its unit, its last loops, the cheapest strategy that applies
 * Keeps  the bytes it moves. VF_NEST applies to every leaf that reads plain units, VF_SHUFFLE to every one
 *        with a table and VF_FILL to every other one, so there is always a choice
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

/* ---- the order of a leaf's loops ---- */

static bool few(int64_t extent)
{
	return extent >= 2 && extent <= 4;
}

/* Units of which vectors hold many. */
static bool plane_unit(int64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* A loop that is cut into chunks stays where it is, just inside the loop over chunks. */
static bool movable(const vf_leaf *leaf, int depth, int k)
{
	return k > depth || leaf->loops[k].tail == leaf->loops[k].extent;
}

static void move_loop(vf_leaf *leaf, int from, int to)
{
	vf_span moved = leaf->loops[from];
	memmove(leaf->loops + from, leaf->loops + from + 1, (size_t)(to - from) * sizeof moved);
	leaf->loops[to] = moved;
}

/* The loop over the planes that pixels are taken apart into, its line being the last loop; -1: none. */
static int planes_apart(const vf_leaf *leaf, int depth)
{
	const vf_span *line = &leaf->loops[leaf->nloop - 1];
	for (int k = leaf->nloop - 2; k >= depth; k--) {
		const vf_span *planes = &leaf->loops[k];
		if (few(planes->extent) && planes->src == leaf->unit_bytes && movable(leaf, depth, k) &&
		    line->dst == leaf->unit_bytes && line->src == planes->extent * leaf->unit_bytes)
			return k;
	}
	return -1;
}

/* Are the last two loops lines of 2 to 4 planes that become pixels? */
static bool planes_together(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = &leaf->loops[leaf->nloop - 1], *line = planes - 1;
	return leaf->nloop - depth >= 2 && few(planes->extent) && planes->dst == leaf->unit_bytes &&
	       line->dst == planes->extent * leaf->unit_bytes && line->src == leaf->unit_bytes;
}

bool vf_leaf_has_planes(const vf_leaf *leaf, int depth)
{
	return leaf->source >= 0 && !leaf->table && leaf->nloop - depth >= 2 && plane_unit(leaf->unit_bytes) &&
	       (planes_together(leaf, depth) || planes_apart(leaf, depth) >= 0);
}

/* A loop other than `line` whose steps in the source are one unit; -1: none. */
static int source_line(const vf_leaf *leaf, int depth, int line, bool backward)
{
	for (int k = leaf->nloop - 1; k >= depth; k--)
		if (k != line && (leaf->loops[k].src == leaf->unit_bytes ||
		                  (backward && leaf->loops[k].src == -leaf->unit_bytes)))
			return k;
	return -1;
}

/* Pixels taken apart, backwards or with some left out, are gathered plane by plane: a tile of so few columns is
 * slower. */
bool vf_leaf_crosses(const vf_leaf *leaf, int depth)
{
	enum { NEAR = 16 };
	int line = leaf->nloop - 1;
	if (leaf->source < 0 || leaf->table || leaf->nloop - depth < 2 ||
	    leaf->loops[line].dst != leaf->unit_bytes || leaf->loops[line].src == leaf->unit_bytes ||
	    leaf->loops[line].src == 0)
		return false;
	int other = source_line(leaf, depth, line, true);
	return other >= 0 && !(few(leaf->loops[other].extent) && leaf->loops[line].src >= -NEAR &&
	                       leaf->loops[line].src <= NEAR);
}

static void order_loops(vf_leaf *leaf, int depth)
{
	int last = leaf->nloop - 1;
	if (vf_leaf_has_planes(leaf, depth)) {
		int planes = planes_apart(leaf, depth);
		if (planes >= 0)
			move_loop(leaf, planes, last);
	} else if (vf_leaf_crosses(leaf, depth)) {
		int line = source_line(leaf, depth, last, false);
		if (line >= 0 && movable(leaf, depth, line))
			move_loop(leaf, line, last - 1);
	}
}

void vf_leaf_shape(vf_leaf *leaf, int depth)
{
	if (leaf->table) {
		if (leaf->nloop == depth)
			leaf->loops[leaf->nloop++] = (vf_span){1, 1, leaf->unit_bytes, leaf->block_bytes};
	} else if (leaf->source < 0) {
		add_line(leaf, depth, leaf->fill_unit, 0);
	} else if (leaf->nloop == depth || !fast_unit(leaf->unit_bytes)) {
		add_line(leaf, depth, 1, 1);
	} else {
		order_loops(leaf, depth);
	}
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

/* Of three loops, those that are there. */
static int three(const vf_leaf *leaf, int depth)
{
	return leaf->nloop - depth >= 3 ? 3 : 2;
}

/* Does it move plain units of a source? */
static bool plain(const vf_leaf *leaf)
{
	return leaf->source >= 0 && !leaf->table;
}

/* Its last loop writes side by side, reading `src` bytes apart. */
static bool line_of(const vf_leaf *leaf, int64_t src)
{
	return plain(leaf) && last(leaf)->dst == leaf->unit_bytes && last(leaf)->src == src;
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
	bool line = plain(leaf) && last(leaf)->dst == leaf->unit_bytes && last(leaf)->src != 0;
	return line ? two(leaf, depth) : 0;
}
static int scatter_applies(const vf_leaf *leaf, int depth)
{
	return plain(leaf) && last(leaf)->src == leaf->unit_bytes ? two(leaf, depth) : 0;
}
static int nest_applies(const vf_leaf *leaf, int depth)
{
	(void)depth;
	return plain(leaf) ? 1 : 0;
}
static int interleave_applies(const vf_leaf *leaf, int depth)
{
	return plain(leaf) && plane_unit(leaf->unit_bytes) && planes_together(leaf, depth) ? three(leaf, depth) : 0;
}
static int deinterleave_applies(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = last(leaf), *line = planes - 1;
	bool apart = plain(leaf) && plane_unit(leaf->unit_bytes) && leaf->nloop - depth >= 2 &&
	             few(planes->extent) && planes->src == leaf->unit_bytes && line->dst == leaf->unit_bytes &&
	             line->src == planes->extent * leaf->unit_bytes;
	return apart ? three(leaf, depth) : 0;
}
/* With a loop over blocks side by side on both sides, and one over rows of them where there is one. */
static int shuffle_applies(const vf_leaf *leaf, int depth)
{
	if (!leaf->table)
		return 0;
	return last(leaf)->dst == leaf->unit_bytes && last(leaf)->src == leaf->block_bytes ? two(leaf, depth) : 1;
}
static int matrix_applies(const vf_leaf *leaf, int depth)
{
	return plain(leaf) && leaf->nloop - depth >= 2 && last(leaf)->dst == leaf->unit_bytes &&
	       last(leaf)[-1].src == leaf->unit_bytes ? 2 : 0;
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
static double planes_cost(const vf_leaf *leaf, int depth)
{
	const vf_span *planes = last(leaf), *line = planes - 1;
	double bytes = (double)(leaf->unit_bytes * planes->extent * line->extent);
	return 50 + 2000 / bytes + call_cost(leaf, three(leaf, depth));
}
static double shuffle_cost(const vf_leaf *leaf, int depth)
{
	return 50 + line_cost(leaf, 2000) + call_cost(leaf, shuffle_applies(leaf, depth));
}
/* Whole register tiles are 16 bytes wide and high; narrower ones go by units. */
static double matrix_cost(const vf_leaf *leaf, int depth)
{
	const vf_span *a = last(leaf), *b = a - 1;
	double least = (double)(a->extent < b->extent ? a->extent : b->extent) * (double)leaf->unit_bytes;
	(void)depth;
	return (least >= 16 ? 30 + 60 / (double)leaf->unit_bytes : 300 / (double)leaf->unit_bytes) +
	       call_cost(leaf, 2);
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
	[VF_INTERLEAVE] = {"interleave", interleave_applies, planes_cost},
	[VF_DEINTERLEAVE] = {"deinterleave", deinterleave_applies, planes_cost},
	[VF_SHUFFLE] = {"shuffle", shuffle_applies, shuffle_cost},
	[VF_MATRIX] = {"matrix", matrix_applies, matrix_cost},
	[VF_TILE] = {"tile", NULL, NULL}, /* taken by whole roots: tree.c */
};

const char *vf_strategy_name(vf_strategy strategy)
{
	return vf_strategy_rows[strategy].name;
}

/* ---- past the cache ---- */

/* Rows from this many bytes on are streamed by themselves; and what is put together of shorter ones. */
enum { LONG_ROW = 512 };

/* The loops of one row of dst: all that the strategy takes but the loop over rows. */
static int row_loops(const vf_leaf *leaf)
{
	return leaf->strategy == VF_INTERLEAVE || leaf->strategy == VF_DEINTERLEAVE ? 2 : 1;
}

/* Bytes that one call writes without a gap; of each plane, where planes are apart. */
static int64_t run_bytes(const vf_leaf *leaf)
{
	int nrow = row_loops(leaf);
	const vf_span *row = &leaf->loops[leaf->nloop - nrow], *rows = row - 1;
	int64_t bytes = leaf->unit_bytes * row->extent;
	if (leaf->strategy == VF_INTERLEAVE)
		bytes *= row[1].extent;
	return leaf->ninner > nrow && rows->dst == bytes ? bytes * rows->extent : bytes;
}

bool vf_leaf_streams(const vf_leaf *leaf, bool lines)
{
	enum { FAR = 128 }; /* units farther apart are gathered one by one */
	const vf_span *line = last(leaf);
	switch (leaf->strategy) {
	case VF_COPY:
		return true;
	case VF_ROWS:
		return line->extent >= LONG_ROW || (lines && line->extent >= 16 && run_bytes(leaf) >= LONG_ROW);
	case VF_GATHER:
		return lines && line->src <= FAR && line->src >= -FAR && run_bytes(leaf) >= LONG_ROW;
	case VF_FILL:
	case VF_SPREAD:
	case VF_REVERSE:
	case VF_INTERLEAVE:
		return lines && line->dst == leaf->unit_bytes && run_bytes(leaf) >= LONG_ROW;
	case VF_SHUFFLE:
		return lines && line->dst == leaf->unit_bytes && line->src == leaf->block_bytes &&
		       run_bytes(leaf) >= LONG_ROW;
	case VF_DEINTERLEAVE:
		return lines && run_bytes(leaf) >= LONG_ROW;
	default:
		return false;
	}
}

void vf_leaf_widen(vf_leaf *leaf, int depth)
{
	int rows = leaf->nloop - leaf->ninner, longest = rows;
	if (leaf->ninner != row_loops(leaf) + 1 || leaf->strategy == VF_MATRIX || leaf->strategy == VF_TILE ||
	    !movable(leaf, depth, rows))
		return;
	for (int k = depth; k < rows; k++)
		if (movable(leaf, depth, k) && leaf->loops[k].extent > leaf->loops[longest].extent)
			longest = k;
	vf_span moved = leaf->loops[longest];
	leaf->loops[longest] = leaf->loops[rows];
	leaf->loops[rows] = moved;
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
