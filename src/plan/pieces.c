/* pieces.c -- pieces of several formulas that write rows together; see group.h.
 *
 * In     pieces in ascending order of dst, not shaped
 * Out    a node of the loops that they share, so that rows of all are written before the next rows of any. If
 *        all rows are whole lines each piece streams, else all of them, and what is only moved between them,
 *        leave by one stage
 * Keeps  the bytes that come to dst
 * Ends   leaves are as they were where it returns false
 * Tests  tests/unit/test_pieces.c
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/margins.h"
#include "plan/strategy.h"

/* One past the leaves of the piece that begins at leaf a. */
static int end_of_piece(const vf_planner *p, int a)
{
	const int n = vf_leaf_at(p, a)->piece_leaves;
	return a + (n ? n : 1);
}

/* What computes of that piece; NULL: nothing does. */
static vf_leaf *computing(const vf_planner *p, int a)
{
	return vf_leaf_at(p, a)->piece_leaves ? &p->plan->leaves[end_of_piece(p, a) - 1] : NULL;
}

/* The leaves of pieces from g.a on that can run a loop together. */
static vf_group sharing_pieces(vf_planner *p, vf_group g)
{
	vf_group all = {g.a, g.a, g.depth};
	const int common = g.a + vf_count_common(p, g, true);
	while (all.b < g.b && end_of_piece(p, all.b) <= common) {
		vf_leaf *leaf = computing(p, all.b);
		if (leaf ? !vf_computes_as_it_lies(p, leaf) : vf_has_margins(vf_leaf_at(p, all.b)))
			break;
		all.b = end_of_piece(p, all.b);
	}
	return all;
}

/* How many of them compute; *last: where the last one begins. */
static int count_formulas(const vf_planner *p, vf_group g, int *last)
{
	int n = 0;
	for (int a = g.a; a < g.b; a = end_of_piece(p, a))
		n += computing(p, *last = a) != NULL;
	return n;
}

/* Bytes of a row of a piece at one index of the loops outside `depth`; 0: it has none. */
static int64_t row_of(const vf_leaf *leaf, int depth)
{
	return leaf->nloop > depth ? vf_last_loop(leaf)->extent * leaf->unit_bytes : 0;
}

/* Are rows of what computes long enough for calls, and so short that their ends count? */
static bool has_rows(const vf_planner *p, vf_group g)
{
	enum { SHORTEST = 8, LONGEST = 1024 };
	bool all = true;
	for (int a = g.a; a < g.b; a = end_of_piece(p, a)) {
		const int64_t row = computing(p, a) ? row_of(computing(p, a), g.depth) : SHORTEST;
		all = all && row >= SHORTEST && row <= LONGEST;
	}
	return all;
}

/* Are all rows whole lines that are computed? */
static bool are_lines(const vf_planner *p, vf_group g)
{
	enum { LINE = 64 };
	int64_t places = 0;
	for (int a = g.a; a < g.b; a = end_of_piece(p, a)) {
		const vf_leaf *leaf = computing(p, a);
		places |= leaf ? leaf->dst | row_of(leaf, g.depth) : 1;
		for (int k = 0; leaf && k < leaf->nloop - 1; k++)
			places |= leaf->loops[k].dst;
	}
	return places % LINE == 0;
}

/* Does one of the formulas put x aside? */
static bool puts_aside(const vf_planner *p, vf_group g)
{
	for (int a = g.a; a < g.b; a = end_of_piece(p, a)) {
		const vf_leaf *leaf = computing(p, a);
		for (int k = 0; leaf && k < leaf->compute->sweeps.n; k++)
			if (leaf->compute->sweeps.of[k].id == VF_SWEEP_NONE)
				return true;
	}
	return false;
}

/* Do all of them read near each other, at each index of the loops that they share? */
static bool read_near(const vf_planner *p, vf_group g)
{
	enum { NEAR = 1024 };
	const vf_leaf *last = vf_leaf_at(p, g.b - 1);
	bool near = last->source >= 0;
	for (int a = g.a; a < g.b; a = end_of_piece(p, a)) {
		const vf_leaf *leaf = vf_leaf_at(p, end_of_piece(p, a) - 1);
		near = near && leaf->source == last->source && vf_magnitude(leaf->src - last->src) <= NEAR;
	}
	return near;
}

/* Is it worth it? Two formulas are, and one beside what is only moved of the same lines. (Zen 4, of the
 * fastest copy, by slabs and so: cat([x[..., 32:] * -1, x[..., :32]], -1) f32 0.39 and 0.55, of 40 f16 0.19
 * and 0.35; but x * 2 beside 100 of y 0.57 and 0.45, rows of 10 0.30 and 0.21.) */
static bool are_worth_it(const vf_planner *p, vf_group g, int formulas)
{
	enum { LINE = 64 };
	int64_t least = INT64_MAX;
	for (int a = g.a; a < g.b && formulas == 1; a = end_of_piece(p, a))
		if (computing(p, a))
			least = smaller(least, row_of(computing(p, a), g.depth));
	return formulas > 1 ||
	       (formulas == 1 && end_of_piece(p, g.a) < g.b && least >= LINE && read_near(p, g));
}

/* Lets a leaf compute to where its node writes. Rows that stream are asked for as they are read, all but
 * second values that stay in the second cache. */
static void compute_rows(const vf_planner *p, vf_leaf *leaf, int depth, bool streams)
{
	enum { LATER = 16 << 10 };
	vf_computation *c = (vf_computation *)(uintptr_t)leaf->compute;
	const int n = c->noperand;
	for (int k = 0; k < n; k++)
		if (vf_bytes_read(&vf_operands(leaf)[k], p->machine->cpu.l2_bytes / 2) == 0)
			c->stays |= 1u << k;
	vf_merge_rows(leaf - n, n + 1, depth);
	leaf->ninner = vf_loops_left(leaf, depth, 2);
	leaf->stream = streams, leaf->pairs = p->machine->cpu.pairs;
	c->later = streams ? LATER : 0, c->together = true;
}

/* Takes the loops that pieces share, all of them. False, and nothing done, where they do not go together.
 * Narrow registers gain only where much is computed (Zen 4 by AVX2, of the fastest copy: f32 [100000,32],
 * cat([x * 2, x * 3], -1) 0.45, and so 0.36; but with x aside 0.16 and 0.19). */
static bool share_loops(vf_planner *p, vf_group all, vf_node *node, vf_group *inside)
{
	enum { MOST = 64 << 10 };
	const int64_t most = p->machine->staged_bytes / 16 * 15; /* a chunk may be somewhat more */
	const vf_kept_leaves k = vf_keep_leaves(p, all);
	if (p->failed)
		return false;
	*node = (vf_node){.depth = all.depth, .nloop = vf_take_loops(p, all, most)};
	node->loops = vf_leaf_at(p, all.a)->loops + all.depth;
	*inside = (vf_group){all.a, all.b, all.depth + node->nloop};
	const bool gains = !vf_is_narrow(p->machine) || puts_aside(p, all);
	const bool lines = are_lines(p, *inside), few = vf_group_bytes(p, *inside, false) <= MOST;
	if (has_rows(p, *inside) && (lines ? gains && few : vf_stage_piece(p, node, *inside)))
		return true;
	return vf_put_back_leaves(p, &k);
}

/* The same of pieces from g.a on, as many as go. */
static bool find_pieces(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	if (!p->stream || p->plan->nplace > 1 || !p->plan->computes)
		return false;
	vf_group some = sharing_pieces(p, g);
	for (int last, n; (n = count_formulas(p, some, &last)) > 0 && !p->failed; some.b = last)
		if (are_worth_it(p, some, n) && share_loops(p, some, node, inside))
			return true;
	return false;
}

bool vf_take_pieces(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	if (!find_pieces(p, g, node, inside))
		return false;
	for (int a = inside->a; a < inside->b; a = end_of_piece(p, a))
		if (computing(p, a))
			compute_rows(p, computing(p, a), inside->depth, !node->staged);
	return true;
}

bool vf_begins_pieces(vf_planner *p, vf_group g)
{
	const int64_t scratch = p->plan->scratch_bytes;
	const vf_kept_leaves k = vf_keep_leaves(p, g);
	vf_node node;
	vf_group inside;
	const bool begins = !p->failed && find_pieces(p, g, &node, &inside);
	vf_end_try(p, &k);
	p->plan->scratch_bytes = scratch;
	return begins;
}
