/* repeats.c -- what crosses and is in dst several times is put together once, in the second cache: see
 * pool.h.
 *
 * In     a leaf that is not shaped yet
 * Out    the node's loops and its stage, which holds each unit once; how it leaves several times
 * Keeps  the bytes that move
 * Ends   the leaf is as it was where false is returned
 * Tests  tests/unit/test_pooled.c, tests/property/test_moves.c
 */
#include "plan/pool.h"

#include "plan/strategies/strategies.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64 };

/* ---- units side by side ---- */

/* Is the last loop one that repeats units side by side? */
static bool repeats_last(const vf_leaf *leaf, int depth)
{
	const vf_span *s = vf_last_loop(leaf);
	return leaf->nloop > depth && s->src == 0 && s->dst == leaf->unit_bytes && !vf_is_uneven(s) &&
	       !vf_is_cut(s);
}

/* Bytes of the unit that each block of the table has several times side by side; 0: there is none. */
static int64_t repeated_unit(const vf_leaf *leaf)
{
	int64_t unit = 1;
	while (unit < leaf->unit_bytes && leaf->table[unit] != 0)
		unit++;
	bool repeats = leaf->nstream == 1 && unit < leaf->unit_bytes && leaf->unit_bytes % unit == 0;
	for (int64_t i = 0; repeats && i < leaf->unit_bytes; i++)
		repeats = leaf->table[i] == i % unit;
	return repeats ? unit : 0;
}

/* Takes the repeats off the leaf: its steps in dst are divided by *times. False where that cannot be. */
static bool take_repeats_off(const vf_planner *p, vf_leaf *leaf, int depth, int64_t *times)
{
	const bool last = !leaf->table;
	const int64_t unit = last ? leaf->unit_bytes : repeated_unit(leaf);
	if (unit == 0 || (last && !repeats_last(leaf, depth)))
		return false;
	*times = last ? vf_last_loop(leaf)->extent : leaf->unit_bytes / unit;
	bool fits = vf_has_pixels(p, *times, unit);
	for (int k = depth; fits && k < leaf->nloop - last; k++)
		fits = !vf_has_list(&leaf->loops[k]) && leaf->loops[k].dst % *times == 0;
	if (!fits)
		return false;
	leaf->nloop -= last;
	leaf->unit_bytes = unit;
	leaf->table = NULL;
	for (int k = depth; k < leaf->nloop; k++)
		leaf->loops[k].dst /= *times;
	return true;
}

/* How a stage that holds each unit once goes to dst: as one plane, several times. */
static vf_placing *repeat_stage(vf_planner *p, const vf_node *node, int64_t times, int64_t unit)
{
	vf_placing *placing = vf_plan_alloc(p, 1, sizeof *placing);
	if (!placing)
		return NULL;
	const bool rows = node->stage_rows > 1;
	*placing = (vf_placing){.block = {.rows = node->stage_rows,
	                                  .dst_step = rows ? node->stage_dst_step * times : 0,
	                                  .src_step = rows ? node->stage_src_step : 0,
	                                  .n = node->stage_bytes / unit,
	                                  .unit = unit,
	                                  .planes = times,
	                                  .stream = 1}};
	vf_set_pixels(p, placing, 0);
	placing->tail = node->stage_tail / unit;
	placing->bytes = (node->stage_rows - 1) * node->stage_src_step + node->stage_bytes + LINE;
	return placing;
}

/* Where short rows of dst follow each other: do their sources follow each other, too, as one long row? */
static bool follow_evenly(const vf_leaf *leaf, int depth, int64_t times)
{
	enum { SHORT = 1024 };
	const vf_span *line = vf_last_loop(leaf), *next = NULL;
	for (int k = depth; k < leaf->nloop - 1; k++)
		if (leaf->loops[k].dst == line->extent * line->dst)
			next = &leaf->loops[k];
	return !next || next->dst * times >= SHORT || next->src == line->extent * line->src;
}

/* Are rows far apart in dst better packed, with `times` units as one? They are where rows of the source share
 * sets of L1 (a Xeon with AMX, of the fastest copy, packed and by a stage: f64 2048 x 2048 turned, twice,
 * 0.48 and 0.37; f32 2000 x 1500 0.45 and 0.52). Not where single rows are packed: f32 112 x 112 pixels of 16
 * to planes, each twice by twice, 0.06 and 0.65, 64 x 64 of 512 0.27 and 0.45. */
static bool are_packed_rows(const vf_leaf *leaf, const vf_node *node, int64_t times)
{
	enum { APART = 2048 };
	const int64_t unit = times * leaf->unit_bytes, step = vf_magnitude(vf_last_loop(leaf)->src);
	return node->stage_rows > 1 && (unit & (unit - 1)) == 0 && (step & -step) >= APART;
}

bool vf_pool_repeats(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	vf_leaf *leaf = &p->plan->leaves[g.a];
	*node = (vf_node){.depth = g.depth};
	if (!p->stream || !p->machine->lines || leaf->source < 0 || leaf->compute || p->plan->nplace > 1 ||
	    g.depth > 0)
		return false;
	const vf_kept_leaves k = vf_keep_leaves(p, g);
	int64_t times;
	if (p->failed || !take_repeats_off(p, leaf, g.depth, &times))
		return false;
	const int64_t lo = leaf->dst;
	leaf->dst = 0;
	vf_placing *placing = NULL;
	const bool crosses = vf_wants_blocks(p, g) || vf_leaf_has_planes(leaf, g.depth);
	const bool evenly = follow_evenly(leaf, g.depth, times);
	if (crosses && vf_lay_out_pool(p, g, node, inside) &&
	    vf_leaf_crosses(leaf, vf_uncut(leaf, inside->depth)) &&
	    !(evenly && are_packed_rows(leaf, node, times)))
		placing = repeat_stage(p, node, times, leaf->unit_bytes);
	if (!placing)
		return vf_put_back_leaves(p, &k);
	leaf->dst = -node->stage_lo;
	for (int j = 0; j < node->nloop; j++)
		leaf->loops[j].dst *= times;
	node->loops = leaf->loops;
	node->placing = placing;
	node->stage_lo = lo + node->stage_lo * times;
	p->pooled = placing->bytes;
	vf_want_scratch(p, p->pooled);
	p->stream = false;
	return true;
}

/* ---- rows far apart ---- */

/* The loop whose indices write the same rows, or by a table, in any order, rows of a few units that are side
 * by side in the source; -1: none. With a table, *rows is the loop over those rows. A few of many rows are
 * better gathered (a Xeon with AMX, of the fastest copy: f32, 3 of 29 columns turned, 0.24 and 0.42). */
static int loop_again(const vf_leaf *leaf, int depth, vf_span *rows)
{
	enum { MOST_TIMES = 32, MOST_ROWS = 64, MANY = 4 };
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (s->dst == leaf->unit_bytes || vf_has_list(s) || vf_is_cut(s) || s->before || s->after)
			continue;
		if (!s->table && s->src == 0 && s->extent <= MOST_TIMES)
			return k;
		if (!s->table || s->to || s->extent > MOST_ROWS)
			continue;
		const vf_offsets ends = vf_offsets_of(s);
		const int64_t n = (ends.hi - ends.lo) / leaf->unit_bytes + 1;
		*rows = vf_plain_span(n, s->dst, leaf->unit_bytes);
		bool fits = n <= MOST_ROWS && s->extent * MANY > n;
		for (int64_t i = 0; i < s->extent; i++)
			fits = fits && (s->table[i] - ends.lo) % leaf->unit_bytes == 0;
		if (fits)
			return k;
	}
	return -1;
}

/* Where in the stage the rows lie that a table names. */
static const int64_t *rows_again(vf_planner *p, const vf_span *again, const vf_leaf *leaf, int64_t pitch)
{
	int64_t *at = vf_plan_alloc(p, again->extent, sizeof *at);
	const int64_t lo = vf_offsets_of(again).lo;
	for (int64_t i = 0; at && i < again->extent; i++)
		at[i] = (again->table[i] - lo) / leaf->unit_bytes * pitch;
	return at;
}

/* Does a stage pay for rows that are the same? It does where pixels are taken apart or put together, and each
 * row is there more than twice. It does where bytes cross, more of them than the second cache has, and lines
 * are carried. Other rows are transposed again from what is there (a Xeon with AMX, of the fastest copy, by
 * blocks and by a stage: u8 3000 x 3100 turned, each row three times, 0.34 and 0.44, 2 MB 0.49 and 0.42, 4096
 * x 1024 0.50 and 0.35; six columns of f32, four times, 0.24 and 0.64; f32 3001 x 2080 turned, each row three
 * times, 0.45 and 0.26). */
static bool pays_again(vf_planner *p, vf_group g, int64_t times)
{
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	if (vf_leaf_has_planes(leaf, g.depth))
		return times > 2;
	return leaf->unit_bytes == 1 && vf_wants_blocks(p, g) &&
	       vf_leaf_bytes(leaf, g.depth, false) / times > p->machine->cpu.l2_bytes &&
	       vf_carried_row(p, g, true) < INT64_MAX;
}

/* Does what is inside take pixels apart, into planes of a piece or rows of the stage? */
static bool has_pixels(const vf_leaf *leaf, const vf_node *node, vf_group inside)
{
	bool pixels = vf_leaf_has_planes(leaf, inside.depth);
	for (int k = inside.depth; k < leaf->nloop; k++)
		for (int j = inside.depth; j < leaf->nloop && node->stage_rows > 1; j++)
			pixels = pixels || (leaf->loops[k].dst == node->stage_src_step &&
			                    vf_are_of_pixels(leaf, &leaf->loops[k], &leaf->loops[j]));
	return pixels;
}

/* Is what is left inside still fast? A cut loop stays where it is, so the rest may not cross: then it goes
 * unit by unit. So do rows short of a register where no register holds a line (AVX2, u16, 4 of 5 columns:
 * 0.27 of the fastest copy gathered, 0.11 so; f16, 14 of 24 columns: 0.11 and 0.42). */
static bool goes_well(const vf_planner *p, const vf_leaf *leaf, const vf_node *node, vf_group inside)
{
	enum { REGISTER = 16 };
	const bool crosses = vf_leaf_crosses(leaf, vf_uncut(leaf, inside.depth));
	const bool thin = !p->machine->wide && node->stage_rows * leaf->unit_bytes < REGISTER;
	return has_pixels(leaf, node, inside) || (crosses && !thin);
}

/* Lists of channels go so, too (a Xeon with AMX, of the fastest copy, gathered and by a stage: f32, 10 of 12
 * columns turned, 0.10 and 0.57; 30 of 64 0.04 and 0.42; bf16, 9 of 20, 0.14 and 0.47). */
bool vf_pool_again(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	vf_leaf *leaf = &p->plan->leaves[g.a];
	vf_span rows = {0};
	*node = (vf_node){.depth = g.depth};
	if (!p->stream || !p->machine->lines || leaf->source < 0 || leaf->compute || leaf->table ||
	    p->plan->nplace > 1)
		return false;
	const int k = loop_again(leaf, g.depth, &rows);
	if (k < 0)
		return false;
	const vf_kept_leaves kept = vf_keep_leaves(p, g);
	if (p->failed)
		return false;
	const vf_span again = leaf->loops[k];
	bool fits;
	if (again.table) {
		leaf->src += vf_offsets_of(&again).lo;
		leaf->loops[k] = rows;
		fits = vf_lay_out_rows(p, g, &rows, node, inside) &&
		       (leaf->unit_bytes >= 4 || goes_well(p, leaf, node, *inside));
	} else {
		fits = pays_again(p, g, again.extent);
		leaf->nloop--;
		memmove(&leaf->loops[k], &leaf->loops[k + 1], (size_t)(leaf->nloop - k) * sizeof again);
		fits = fits && vf_lay_out_pool(p, g, node, inside) && goes_well(p, leaf, node, *inside);
	}
	if (!fits)
		return vf_put_back_leaves(p, &kept);
	node->again = again.extent, node->again_dst = again.dst;
	if (again.table)
		node->again_at = rows_again(p, &again, leaf, node->stage_src_step);
	vf_set_pool(p, node, *inside);
	return true;
}
