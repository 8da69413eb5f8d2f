/* cost.c -- what leaves cost before they are shaped: in blocks, by the cheapest other strategy, by planes.
 *
 * In     a leaf, how many of its loops are run outside
 * Out    picoseconds a byte, by the model of the strategies
 * Keeps  the leaf and its loops as they are
 * Tests  tests/unit/test_plan.c
 */
#include "plan/group.h"

#include "plan/strategies/strategies.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64 };

/* Bytes that are side by side in dst, or in the source, along the loops from `depth` on; at most about
 * `most`. A loop with a table is side by side in dst only, and ends what is. Adds the loops to `loops`. */
static int64_t run_of(const vf_leaf *leaf, int depth, bool of_dst, int64_t most, uint64_t *loops)
{
	int64_t run = leaf->unit_bytes;
	for (int k = leaf->nloop - 1; k >= depth && run < most; k--) {
		const vf_span *s = &leaf->loops[k];
		const bool last = s->table && of_dst && s->dst == run;
		const bool sorted = !of_dst && s->to && run == leaf->unit_bytes;
		const int64_t step = of_dst ? s->dst : vf_magnitude(s->src);
		if (last || sorted || (!vf_is_uneven(s) && s->extent > 1 && step == run)) {
			run *= s->extent;
			*loops |= (uint64_t)1 << k;
			k = last ? depth : leaf->nloop;
		}
	}
	return run;
}

/* Bytes that are packed side by side where the source has steps within a line; a unit where it has none. */
static int64_t packed_run(const vf_leaf *leaf, int depth)
{
	int64_t run = leaf->unit_bytes, least = LINE + 1;
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (!vf_is_uneven(s) && s->src != 0 && vf_magnitude(s->src) < least)
			least = vf_magnitude(s->src), run = leaf->unit_bytes * s->extent;
	}
	return run;
}

/* The step from one window to the next in the source, if it divides windows: these are read as they lie. Else
 * 0. */
static int64_t step_of_windows(const vf_leaf *leaf, int depth)
{
	int64_t step = leaf->unit_bytes;
	for (int k = depth; k < leaf->nloop; k++)
		if (leaf->loops[k].src != 0 && vf_magnitude(leaf->loops[k].src) < step)
			step = vf_magnitude(leaf->loops[k].src);
	return leaf->unit_bytes % step == 0 && step < leaf->unit_bytes && vf_fast_unit(step) ? step : 0;
}

/* Bytes that those loops move, at most `most`. */
static double bytes_of_loops(const vf_leaf *leaf, uint64_t loops, double most)
{
	double bytes = (double)leaf->unit_bytes;
	for (int k = 0; k < leaf->nloop; k++)
		if (loops >> k & 1)
			bytes *= (double)leaf->loops[k].extent;
	return bytes < most ? bytes : most;
}

/* A transposition in blocks, in picoseconds a byte: what each byte, unit and call cost. Units that are packed
 * first cost some more. A block has no more bytes than all loops of both runs (a Xeon with AMX, of the
 * fastest copy: i8 [3604,7,7,192], windows of 3 x 3 at each second place, their rows in another order, in
 * blocks of 9 by 192 0.09, woven 0.30). */
double vf_cost_of_blocks(const vf_leaf *leaf, int depth)
{
	enum { A_BYTE = 60, A_UNIT = 120, PACKED = 700, A_CALL = 150000, RUN_A = 256, RUN_B = 1024 };
	uint64_t loops = 0;
	const int64_t step = step_of_windows(leaf, depth);
	const int64_t beside = run_of(leaf, depth, false, RUN_B, &loops);
	const bool packs = beside == leaf->unit_bytes && !step, as_is = !packs && !step;
	const double unit = (double)(step ? step : leaf->unit_bytes),
		     a = (double)run_of(leaf, depth, true, RUN_A, &loops),
		     b = (double)(as_is ? beside : packed_run(leaf, depth)) * unit / (double)leaf->unit_bytes;
	const double block = as_is ? bytes_of_loops(leaf, loops, a * b / unit) : a * b / unit;
	return A_BYTE + (packs ? A_UNIT + PACKED : A_UNIT) / unit + A_CALL / block;
}

double vf_cost_elsewhere(vf_planner *p, const vf_leaf *leaf, int depth, bool none_if_streams)
{
	/* Short rows that are copied by short calls do not stream well: each call has two ends in lines
	 * (Zen 4, of the fastest copy, f32 [8,3,224,224], windows of 7 x 7 at each second place, copied and
	 * woven: 0.11 and 0.25). */
	enum { SHORT_CALL = 1024, ENDS = 100000, MUCH = 70 };
	vf_leaf copy = *leaf;
	copy.loops = vf_plan_alloc(p, leaf->capacity, sizeof *copy.loops);
	if (!copy.loops)
		return 0;
	memcpy(copy.loops, leaf->loops, (size_t)leaf->nloop * sizeof *copy.loops);
	vf_leaf_shape(&copy, depth);
	vf_leaf_choose(&copy, depth, p->machine->without);
	const double cost = copy.costs[copy.strategy];
	if (!none_if_streams || !vf_leaf_streams(&copy, p->machine->lines))
		return cost;
	const int64_t call = vf_leaf_bytes(&copy, copy.nloop - copy.ninner, false);
	return copy.strategy == VF_COPY && cost > MUCH && call < SHORT_CALL
	           ? cost + (double)ENDS / (double)call
	           : 0;
}

/* Is one row of dst made of a few short rows, read backwards and from pages of their own? Heads turned around
 * are so (a Xeon with AMX, of the fastest copy, gathered and woven: bf16 heads of 64 0.54 and 0.89, f32 rows
 * of 192 0.59 and 0.85; but rows of 512 0.77 and 0.67, 220 of 299 bytes 0.67 and 0.26). */
static bool turns_short_rows(const vf_leaf *leaf, int depth)
{
	enum { SHORT_ROW = 1024, PAGE = 4096, FEW = 64 };
	if (leaf->nloop - depth < 2)
		return false;
	const vf_span *row = vf_last_loop(leaf), *rows = row - 1;
	const int64_t bytes = leaf->unit_bytes * row->extent;
	return row->src == -leaf->unit_bytes && row->dst == leaf->unit_bytes && bytes < SHORT_ROW &&
	       rows->dst == bytes && rows->extent <= FEW && vf_magnitude(rows->src) >= PAGE;
}

int64_t vf_read_run(const vf_leaf *leaf)
{
	int64_t run = leaf->table ? 0 : leaf->unit_bytes;
	for (int stream = 0; leaf->table && stream < leaf->nstream; stream++) {
		int64_t low = INT64_MAX, high = 0;
		for (int64_t i = 0; i < leaf->unit_bytes; i++)
			if (leaf->table[i] >> 8 == stream)
				low = smaller(low, leaf->table[i]), high = larger(high, leaf->table[i]);
		run = larger(run, high - low + 1);
	}
	return run;
}

/* Codelets are fast at windows of two rows, and at those of up to four units that are side by side. */
bool vf_has_short_windows(const vf_leaf *leaf)
{
	enum { SHORT = 32, MOST_PICKED = 64, FEW = 4, FEW_ROWS = 2 };
	if (leaf->nloop == 0)
		return false;
	const vf_span *last = vf_last_loop(leaf);
	if (vf_is_uneven(last) || last->dst != leaf->unit_bytes || last->src <= 0 ||
	    last->src >= vf_read_run(leaf))
		return false;
	return leaf->table ? leaf->nstream > FEW_ROWS && leaf->unit_bytes <= MOST_PICKED
	                   : leaf->unit_bytes > FEW * last->src && leaf->unit_bytes <= SHORT;
}

/* Picoseconds a byte of such windows. A step of `pick` writes those that fit a register, from each of their
 * rows. */
static double cost_of_windows_unwoven(vf_planner *p, const vf_leaf *leaf, int depth)
{
	enum { REGISTER = 64, A_STEP = 500, A_ROW = 1300 };
	if (!leaf->table)
		return vf_cost_elsewhere(p, leaf, depth, false);
	const int64_t step = larger(REGISTER / leaf->unit_bytes, 1) * leaf->unit_bytes;
	return (A_STEP + A_ROW * leaf->nstream) / (double)step;
}

/* What the leaf costs as a transposition in blocks, roughly, or by its cheapest other strategy. Returns 0 if
 * it is the whole group and streams by itself, which is better. */
double vf_cost_of_leaf(vf_planner *p, vf_group one, bool all)
{
	const vf_leaf *leaf = vf_leaf_at(p, one.a);
	if (all && p->stream && p->machine->weaves && vf_has_short_windows(leaf))
		return cost_of_windows_unwoven(p, leaf, one.depth);
	return vf_wants_blocks(p, one)
	           ? vf_cost_of_blocks(leaf, one.depth)
	           : vf_cost_elsewhere(p, leaf, one.depth, all && !turns_short_rows(leaf, one.depth));
}

/* What leaves cost that take turns within a line: they go to planes of a stage, and `pick` puts their blocks
 * together (place.c). 0: they do not go so. */
double vf_cost_by_planes(vf_planner *p, vf_group g)
{
	enum { A_PICK = 60 };
	const int64_t scratch = p->plan->scratch_bytes;
	const vf_kept_leaves k = vf_keep_leaves(p, g);
	if (p->failed)
		return 0;
	vf_node node = vf_take_in_order(p, g, vf_most_bytes(p));
	vf_group inside = {g.a, g.b, g.depth + node.nloop};
	double sum = 0;
	vf_place(p, &node, &inside);
	for (int x = inside.a; node.placing && x < inside.b; x++)
		sum += vf_cost_elsewhere(p, vf_leaf_at(p, x), inside.depth, false) *
		       (double)vf_leaf_bytes(vf_leaf_at(p, x), inside.depth, false);
	sum /= (double)vf_group_bytes(p, inside, false);
	vf_end_try(p, &k);
	p->plan->scratch_bytes = scratch;
	return sum > 0 ? sum + A_PICK : 0;
}
