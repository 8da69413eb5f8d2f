/* pool.c -- a stage in the second cache for several leaves that go badly by themselves: see pool.h.
 *
 * In     leaves in ascending order of dst, not shaped yet
 * Out    the node's loops, those that all leaves share, until what is inside them fits; its stage
 * Keeps  the bytes that move
 * Ends   leaves are as they were where it returns false
 * Tests  tests/unit/test_pooled.c, tests/property/test_moves.c
 */
#include "plan/pool.h"

#include "plan/strategy.h"

/* Bytes side by side in dst, in whatever order they are read. */
static int64_t dst_run(const vf_leaf *leaf, int depth)
{
	int64_t run = leaf->unit_bytes;
	for (int k = leaf->nloop - 1; k >= depth && leaf->loops[k].dst == run; k--)
		run *= leaf->loops[k].extent;
	return run;
}

/* Is what the leaf reads side by side part of two lines mostly? Others may read the rest of them (bf16
 * [10,256,32,32] to pixels and rolled, in rows of 24 and 8 pixels: 0.14 of the fastest copy, by a pool
 * 0.41). */
static bool reads_short(const vf_leaf *leaf, int depth)
{
	enum { TWO_LINES = 128 };
	const int line = vf_source_line(leaf, depth, leaf->nloop - 1, true);
	return line >= 0 && leaf->loops[line].extent * leaf->unit_bytes < TWO_LINES;
}

/* Of what crosses, ends cost more where lines leave best by pairs: each is part of two (a Xeon with AMX, of
 * the fastest copy, without and with a pool: f32 [135,217,181] with margins turned 0.25 and 0.44). */
static bool is_short(const vf_planner *p, vf_group one)
{
	enum { SHORT = 384, CROSSING = 1024 };
	const vf_leaf *leaf = vf_leaf_at(p, one.a);
	const bool crosses = !leaf->table && vf_wants_blocks(p, one);
	return (vf_leaf_crosses(leaf, one.depth) && reads_short(leaf, one.depth)) ||
	       dst_run(leaf, one.depth) < (crosses && p->machine->cpu.pairs ? CROSSING : SHORT);
}

/* Is most of it short pieces? Each end of those in dst is a line that another leaf writes, too. */
static bool has_short_pieces(const vf_planner *p, vf_group g)
{
	int64_t bytes = 0;
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		if (leaf->source >= 0 && is_short(p, (vf_group){k, k + 1, g.depth}))
			bytes += vf_leaf_bytes(leaf, g.depth, false);
	}
	return bytes > vf_group_bytes(p, g, false) / 2;
}

/* Do the loops inside read whole lines, and cross wherever those of `g` do? What a little of it reads is
 * there for others, or costs little. */
static bool fits(const vf_planner *p, vf_group g, vf_group inside)
{
	enum { LITTLE = 16 };
	const int64_t all = vf_group_bytes(p, inside, false);
	for (int k = inside.a; k < inside.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const bool little = vf_leaf_bytes(leaf, inside.depth, false) < all / LITTLE;
		if (vf_leaf_has_list(leaf) || (!little && !vf_uses_lines(p, leaf, inside.depth)))
			return false;
		if (!little && vf_leaf_crosses(leaf, g.depth) &&
		    !vf_leaf_crosses(leaf, vf_uncut(leaf, inside.depth)))
			return false;
	}
	return true;
}

/* An eighth of the second cache is the stage's; what is read for it is as much and more. */
static int64_t most_bytes(const vf_machine *machine)
{
	enum { LEAST = 64 << 10, MOST = 256 << 10 };
	const int64_t share = machine->cpu.l2_bytes / 8;
	return share < LEAST ? LEAST : share > MOST ? MOST : share;
}

static bool lay_out(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	const int64_t most = most_bytes(p->machine);
	node->nloop = vf_take_loops(p, g, most);
	*inside = (vf_group){g.a, g.b, g.depth + node->nloop};
	return node->nloop > 0 && vf_group_bytes(p, *inside, false) <= most && fits(p, g, *inside) &&
	       vf_stage_dense(p, node, *inside);
}

bool vf_fits_pool(vf_planner *p, vf_group g)
{
	vf_node node = {.depth = g.depth};
	vf_group inside;
	if (!p->stream || p->plan->nplace > 1 || g.b - g.a < 2 || !has_short_pieces(p, g))
		return false;
	const vf_span *kept = vf_keep_loops(p, g);
	if (!kept)
		return false;
	const bool fits = lay_out(p, g, &node, &inside);
	vf_loops_as_kept(p, g, kept);
	return fits;
}

bool vf_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	*node = (vf_node){.depth = g.depth};
	if (!lay_out(p, g, node, inside))
		return false;
	node->loops = vf_leaf_at(p, g.a)->loops + g.depth;
	p->pooled = node->stage_bytes + 64;
	vf_want_scratch(p, p->pooled);
	vf_look_ahead(p, node, *inside);
	node->ahead_into = 2;
	p->stream = false;
	return true;
}

void vf_pool_end(vf_planner *p)
{
	p->stream = true;
	p->pooled = 0;
}
