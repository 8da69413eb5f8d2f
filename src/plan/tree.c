/* tree.c -- leaves to a forest: shared loops, units, stages.
 *
 * In     leaves in ascending order of dst, each with all its loops
 * Out    the plan's roots; every leaf shaped, its strategy chosen
 * Keeps  the bytes that move, and about the order of dst (share.c)
 * Ends   every step of the recursion has fewer leaves or more depth
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/tree.h"

#include "plan/compute.h"
#include "plan/group.h"
#include "plan/margins.h"
#include "plan/pool.h"
#include "plan/strategy.h"

#include <string.h>

/* ---- nodes ---- */

static vf_node leaf_node(vf_planner *p, vf_group g)
{
	vf_leaf *leaf = &p->plan->leaves[g.a];
	if ((leaf->ninner == 0 && vf_leaf_in_blocks(p, g)) || (p->staged && vf_leaf_in_small_blocks(p, g)))
		return (vf_node){.leaf = leaf, .depth = g.depth};
	const bool small = vf_leaf_end(leaf, g.depth, false) - leaf->dst <= p->machine->piece_bytes;
	if (small && !leaf->stream)
		vf_leaf_tables_outside(leaf, g.depth);
	if (leaf->ninner == 0 || leaf->nloop == g.depth)
		vf_leaf_shape(leaf, g.depth);
	vf_leaf_choose(leaf, g.depth, p->machine->without); /* again, where a root has taken loops since */
	if (!leaf->stream && (small || leaf->strategy != VF_UNITS))
		vf_leaf_widen(leaf, g.depth);
	if (leaf->stream)
		vf_leaf_take_sets(leaf, g.depth);
	return (vf_node){.leaf = leaf, .depth = g.depth};
}

static void grow(vf_planner *p, vf_group g, vf_node *parent, bool root);

/* A group that shares loops, or a root. */
static vf_node loop_node(vf_planner *p, vf_group g, int64_t most)
{
	vf_node node = vf_take_in_order(p, g, most);
	vf_group inside = {g.a, g.b, g.depth + node.nloop};
	if (p->staged) { /* inside a stage no node has a stage of its own: all lie in the same scratch */
		grow(p, inside, &node, false);
		return node;
	}
	vf_place(p, &node, &inside);
	if (!node.staged && vf_any_small_blocks(p, inside) && vf_stage_piece(p, &node, inside))
		vf_look_ahead(p, &node, inside);
	p->staged = !node.staged ? 0 : node.placing ? node.placing->bytes : node.stage_bytes + 64;
	grow(p, inside, &node, false);
	p->staged = 0;
	vf_stage(p, &node, inside);
	return node;
}

/* True if a leaf writes rows shorter than a line, as borders are: past the cache such rows go together with
 * their neighbours. False where pixels are taken apart into planes: those go together already. */
static bool has_borders(const vf_planner *p, vf_group g)
{
	enum { LINE = 64 };
	bool borders = false;
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const vf_span *last = vf_last_loop(leaf);
		int64_t row = leaf->unit_bytes * (last->dst == leaf->unit_bytes ? last->extent : 1);
		if (vf_leaf_has_planes(leaf, g.depth))
			return false;
		borders = borders || row < LINE;
	}
	return borders;
}

/* Counts the leaves from g.a on that are to run a loop together; 1: none is worth sharing. Past the cache
 * the body of that loop has to fit a stage: larger pieces stream better each by itself. */
static int sharing(const vf_planner *p, vf_group g)
{
	const int most = vf_count_common(p, g, true);
	vf_group all = {g.a, g.a + most, g.depth};
	if (vf_loses_planes(p, all))
		return 1;
	for (int n = most; p->stream && n > 1; n = vf_fewer_sharing(n)) {
		all.b = g.a + n;
		const vf_shared s = vf_find_shared(p, all);
		if (s.lines && s.body <= p->machine->piece_bytes && (s.dense || n == most) &&
		    vf_group_bytes(p, all, false) > vf_most_bytes(p))
			return n;
	}
	if (vf_wants_own_loops(p, g))
		return 1;
	all.b = g.a + vf_count_common(p, g, false);
	if (all.b - g.a <= 1 || vf_group_bytes(p, all, false) <= vf_most_bytes(p))
		return 1;
	bool apart = p->stream && vf_find_shared(p, all).body > p->machine->piece_bytes;
	return apart && !has_borders(p, all) ? 1 : all.b - g.a;
}

/* Counts the leaves from g.a on that come to at most one piece, all their loops together; at least 1. */
static int small_ones(const vf_planner *p, vf_group g)
{
	int64_t bytes = 0;
	int b = g.a;
	for (; b < g.b; b++) {
		bytes += vf_leaf_bytes(vf_leaf_at(p, b), g.depth, false);
		if (bytes > vf_most_bytes(p))
			break;
	}
	return b > g.a ? b - g.a : 1;
}

/* For pixels put together from planes, some rows of them in each patch of dst: the fewest rows that are whole
 * pairs of lines. All of them have to lie on pairs, and the loop over patches has to go along the rows of the
 * source; else the answer is all rows. Not for short rows: in memory that begins inside a line each would
 * leave two parts of lines (f32 [32,3,224,224] to patches of 16 by 16, two rows at a time: on lines 1.9 to
 * 1.8 ms, 16 bytes behind one 2.4 to 3.8). */
static int64_t fewest_rows(const vf_leaf *leaf, int depth)
{
	enum { PAIR = 128, SHORT = 1280 };
	const int at = leaf->nloop - leaf->ninner;
	const vf_span *rows = &leaf->loops[at], *patches = rows - 1;
	int64_t places = leaf->dst, few = 1;
	for (int k = depth; k < leaf->nloop; k++) {
		if (vf_is_uneven(&leaf->loops[k]) || vf_is_cut(&leaf->loops[k]))
			return rows->extent;
		places |= k < at ? leaf->loops[k].dst : 0;
	}
	const bool along = patches->src > 0 && patches->src * patches->extent <= rows->src;
	if (!along || rows->dst < SHORT || places % PAIR)
		return rows->extent;
	while (few < rows->extent && (rows->extent % few || rows->dst * few % PAIR))
		few++;
	return few;
}

/* The source goes on from patch to patch, so a few rows of all patches come before the next rows (a Xeon with
 * AMX, pixel_shuffle(2) of f32 [5,4,512,512]: 0.64 of the fastest copy and 0.95). */
static void take_rows_in_order(vf_leaf *leaf, int depth)
{
	const int at = leaf->nloop - leaf->ninner;
	if (leaf->strategy != VF_INTERLEAVE || leaf->ninner != 3 || at <= depth ||
	    leaf->nloop == leaf->capacity)
		return;
	const int64_t few = fewest_rows(leaf, depth);
	vf_span *patches = &leaf->loops[at - 1], rows = patches[1];
	if (few == rows.extent)
		return;
	memmove(patches + 1, patches, (size_t)(leaf->ninner + 1) * sizeof *patches);
	leaf->nloop++;
	patches[0] = vf_plain_span(rows.extent / few, rows.dst * few, rows.src * few);
	patches[2] = vf_plain_span(few, rows.dst, rows.src);
}

/* For a root of one leaf: shapes its line first, so that it too can be cut. Returns how many bytes a unit is
 * to be. In the caches rows that repeat are long calls, too. */
static int64_t single_unit(vf_planner *p, vf_group g)
{
	vf_leaf *leaf = &p->plan->leaves[g.a];
	vf_leaf_shape(leaf, g.depth);
	vf_leaf_choose(leaf, g.depth, p->machine->without);
	bool runs = vf_leaf_streams(leaf, p->machine->lines);
	leaf->stream = runs && p->stream, leaf->pairs = p->machine->cpu.pairs;
	if (leaf->stream && leaf->pairs)
		take_rows_in_order(leaf, g.depth);
	int64_t beside = leaf->stream ? vf_bytes_beside(leaf) : 0, chunk = p->machine->chunk_bytes;
	const bool repeats = !p->stream && leaf->ninner > 1 && leaf->loops[leaf->nloop - 2].src == 0;
	return !runs && !(repeats && leaf->strategy == VF_PICK) ? vf_most_bytes(p)
	       : beside > chunk                                 ? beside
	                                                        : chunk;
}

/* A root that is one leaf in blocks. As many of its loops are units as it takes to share the work evenly.
 * Where lines are carried, a unit has whole blocks. */
static vf_node blocks_root(vf_planner *p, vf_group g)
{
	enum { ENOUGH_UNITS = 32 };
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	vf_node node = {.loops = leaf->loops};
	const int most = leaf->tiling->carry_bytes ? leaf->tiling->loop_a + 1 : leaf->nloop - leaf->ninner;
	for (int64_t units = 1; units < ENOUGH_UNITS && node.nloop < most; node.nloop++)
		units *= leaf->loops[node.nloop].extent;
	node.children = vf_plan_alloc(p, 1, sizeof *node.children);
	if (node.children)
		node.children[node.nchild++] = (vf_node){.leaf = leaf, .depth = node.nloop};
	return node;
}

static vf_node root_node(vf_planner *p, vf_group g)
{
	if (g.b - g.a == 1 && vf_leaf_in_blocks(p, g))
		return blocks_root(p, g);
	if (g.b - g.a == 1)
		return loop_node(p, g, single_unit(p, g));
	return loop_node(p, g, vf_most_bytes(p));
}

/* The root of one piece. Past the cache a leaf goes in blocks, which compute as they read.
 * In the caches it does so only where registers compute as they transpose: that is one pass where a stage is
 * two (f32 256 x 256 to f16 in L2 0.31 of memcpy, 0.74). Bytes, of which a strip reads a quarter of a line,
 * and rows to be packed lost there (u8 256 x 256 to f32 0.10, by a stage 0.35). */
static vf_node computed_root(vf_planner *p, vf_group piece)
{
	vf_group last = {piece.b - 1, piece.b, 0};
	const vf_leaf *leaf = vf_leaf_at(p, last.a);
	const vf_computation *c = leaf->compute;
	const bool alone = p->stream || (c->from > 1 && vf_computes_alone(p, leaf));
	if (alone && vf_leaf_in_blocks(p, last))
		return blocks_root(p, last);
	return vf_computed_root(p, piece.a);
}

/* The leaves from g.a on up to one that computes, or has margins. */
static vf_group plain_ones(const vf_planner *p, vf_group g)
{
	vf_group plain = {g.a, g.a, g.depth};
	while (plain.b < g.b && !vf_leaf_at(p, plain.b)->piece_leaves &&
	       !vf_has_margins(vf_leaf_at(p, plain.b)))
		plain.b++;
	return plain;
}

/* Counts the leaves from g.a on that go by a pool together: all that share loops, or some that share more. */
static int count_pooled(vf_planner *p, vf_group g)
{
	int64_t least = 0;
	for (int n = vf_count_common(p, g, true); n >= 1; n = vf_fewer_sharing(n)) {
		const vf_group one = {g.a, g.a + n, g.depth};
		const int64_t times = n > 1 ? vf_group_bytes(p, one, false) / vf_find_shared(p, one).body : 0;
		if ((n == 1 || times >= least) && vf_fits_pool(p, one))
			return n;
		least = times > least ? times : least;
	}
	return 0;
}

/* Do the leaves from g.a on that share loops write long pieces at one index of them? Parts of short ones
 * would be short rows of dst (f16 56 x 56, rolled by 3 along both 0.70 of the fastest copy, in parts 0.47).
 */
static bool has_long_pieces(const vf_planner *p, vf_group g)
{
	const vf_group all = {g.a, g.a + vf_count_common(p, g, true), g.depth};
	return all.b - all.a > 1 && vf_find_shared(p, all).body >= p->machine->chunk_bytes / 2;
}

/* Weaves leaves from g.a on: not all that share loops, but fewer that share more, as rows between borders do.
 * Returns how many; 0: none. (Margins of 1, of the fastest copy on a Xeon with AMX: f32 512 x 512 0.57 and
 * 0.78, 112 x 112 0.55 and 0.76.) */
static int weave_band(vf_planner *p, vf_group g, vf_node *node)
{
	int64_t least = 0;
	for (int n = vf_count_common(p, g, true); n >= 1; n = vf_fewer_sharing(n)) {
		const vf_group one = {g.a, g.a + n, g.depth};
		const int64_t times = n > 1 ? vf_group_bytes(p, one, false) / vf_find_shared(p, one).body
		                            : INT64_MAX;
		if (least > 0 && times > least && vf_take_together(p, one, node))
			return n;
		least = times > least ? times : least;
	}
	return 0;
}

static bool begins_band(vf_planner *p, vf_group g)
{
	const int64_t scratch = p->plan->scratch_bytes;
	enum { MOST = (int)VF_MOST_PARTS > (int)VF_MOST_SHARING ? (int)VF_MOST_PARTS : (int)VF_MOST_SHARING };
	const vf_kept_leaves k = vf_keep_leaves(
	    p, (vf_group){g.a, g.b - g.a > MOST ? g.a + MOST : g.b, g.depth}); /* no more are woven */
	vf_node node = {0};
	if (p->failed)
		return false;
	const vf_group all = {g.a, g.a + vf_count_common(p, g, true), g.depth};
	const bool begins = (all.b - all.a > 1 && vf_take_together(p, all, &node)) ||
	                    weave_band(p, g, &node) > 0;
	vf_end_try(p, &k);
	p->plan->scratch_bytes = scratch;
	return begins;
}

/* Makes a node of leaves from g.a on that go by windows or a pool, or are woven. *tried: those leaves; where
 * it is false, the last ones that were tried. */
static bool special_node(vf_planner *p, vf_group g, vf_node *node, vf_group *tried)
{
	vf_group inside, all = {g.a, g.a + vf_count_common(p, g, true), g.depth};
	*node = (vf_node){0};
	*tried = (vf_group){g.a, g.a + 1, g.depth};
	if (vf_take_windows(p, *tried, node))
		return true;
	if (vf_pool_repeats(p, *tried, node, &inside) || vf_pool_again(p, *tried, node, &inside)) {
		grow(p, inside, node, false);
		vf_pool_end(p);
		return true;
	}
	*tried = all;
	if (vf_take_together(p, all, node))
		return true;
	const int pooled = count_pooled(p, g);
	const bool bands = has_long_pieces(p, g) && (!pooled || vf_costs_much(p, all));
	const int band = bands ? weave_band(p, g, node) : 0;
	if (band) {
		tried->b = g.a + band;
		return true;
	}
	all.b = g.a + pooled;
	if (all.b == all.a || !vf_pool(p, all, node, &inside))
		return false;
	*tried = all;
	grow(p, inside, node, false);
	vf_pool_end(p);
	return true;
}

/* Counts those of n leaves from g.a on that come before one that begins a pool, or is woven, with leaves
 * behind it. */
static int before_special(vf_planner *p, vf_group g, int n)
{
	enum { FEW = 8 }; /* pieces that share no loop with the first: a list of thousands is not tried */
	const int together = vf_count_common(p, g, true);
	const bool tries = (together == 1 && n <= FEW) || has_long_pieces(p, g);
	const bool bands = p->stream && tries; /* what stays in the caches is not woven */
	for (int k = 1; k < n; k++) {
		const vf_group rest = {g.a + k, g.b, g.depth};
		if ((n < together && count_pooled(p, rest) > 0) || (bands && begins_band(p, rest)))
			return k;
	}
	return n;
}

/* Has the first of these leaves rows so long that their ends count little? Then it is woven by itself where
 * all together are not (u8 [5,3,1079,1919] turned and rolled to pixels of five: 0.10 of the fastest copy,
 * 0.38). */
static bool has_long_rows(const vf_planner *p, vf_group g)
{
	enum { LONG_ROW = 4096 };
	const int64_t turns = vf_group_bytes(p, g, false) / vf_find_shared(p, g).body;
	return vf_leaf_bytes(vf_leaf_at(p, g.a), g.depth, false) / turns >= LONG_ROW;
}

/* Makes a node of pieces from g.a on that compute, and write rows in turn; *end: one past their leaves. */
static bool pieces_node(vf_planner *p, vf_group g, vf_node *node, int *end)
{
	vf_group inside;
	if (!vf_take_pieces(p, g, node, &inside))
		return false;
	p->staged = node->staged ? node->stage_bytes + 64 : 0;
	grow(p, inside, node, false);
	p->staged = 0;
	if (node->staged) /* not the leaves that the first piece would bring to its own stage with */
		vf_look_ahead(p, node,
		              (vf_group){g.a + vf_leaf_at(p, g.a)->piece_leaves / 2, inside.b, inside.depth});
	*end = inside.b;
	return true;
}

/* The first of the leaves [g.a, plain) with which such pieces begin; `plain`: none. Only the last ones are
 * asked: the first formula is at `plain`, and no more leaves than that share loops. */
static int before_pieces(vf_planner *p, vf_group g, int plain)
{
	int k = plain - g.a > VF_MOST_SHARING ? plain - VF_MOST_SHARING : g.a + 1;
	for (; k < plain; k++)
		if (vf_begins_pieces(p, (vf_group){k, (int)smaller(g.b, k + VF_MOST_SHARING), g.depth}))
			return k;
	return plain;
}

/* The children of `parent`: the groups of [g.a, g.b), in order. */
static void grow(vf_planner *p, vf_group g, vf_node *parent, bool root)
{
	parent->children = vf_plan_alloc(p, g.b - g.a, sizeof *parent->children);
	while (g.a < g.b && !p->failed) {
		vf_group plain = plain_ones(p, g), tried = {0};
		vf_node *child = &parent->children[parent->nchild++];
		if (root && pieces_node(p, g, child, &g.a))
			continue;
		if (root && plain.b < g.b)
			plain.b = before_pieces(p, g, plain.b);
		if (root && plain.a < plain.b && special_node(p, plain, child, &tried)) {
			g.a = tried.b;
			continue;
		}
		const int alone = vf_leaf_at(p, g.a)->piece_leaves;
		int n = plain.a < plain.b ? sharing(p, plain) : alone ? alone : 1;
		if (root && n == 1 && plain.a < plain.b)
			n = small_ones(p, plain);
		if (root && n > 1 && plain.a < plain.b)
			n = before_special(p, plain, n);
		vf_group one = {g.a, g.a + n, g.depth};
		if (root && n > 1 && one.b == tried.b && has_long_rows(p, one))
			one.b = g.a + 1;
		if (root && plain.a < plain.b && one.b != tried.b && vf_take_together(p, one, child)) {
			g.a = one.b;
			continue;
		}
		one.b = g.a + n;
		if (plain.a == plain.b && alone)
			*child = root ? computed_root(p, one)
			              : (vf_node){.leaf = vf_leaf_at(p, one.b - 1), .depth = g.depth};
		else if (root)
			*child = root_node(p, one);
		else if (n > 1)
			*child = loop_node(p, one, vf_most_bytes(p));
		else if (p->stream && vf_group_bytes(p, one, false) > vf_most_bytes(p) &&
		         !vf_wants_blocks(p, one) && vf_leaf_at(p, g.a)->ninner == 0)
			*child = loop_node(p, one, single_unit(p, one));
		else
			*child = leaf_node(p, one);
		g.a += n;
	}
}

bool vf_tree_build(vf_planner *p)
{
	vf_node top = {0};
	vf_group all = {0, p->plan->nleaf, 0};
	grow(p, all, &top, true);
	p->plan->roots = top.children;
	p->plan->nroot = top.nchild;
	return !p->failed;
}
