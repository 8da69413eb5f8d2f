/* cut_long.c -- a loop that has no good part is cut in two.
 *
 * In     leaves in ascending order of dst, joined
 * Out    perhaps more: for each leaf with such a loop, one that has all whole parts, one that has the rest
 * Keeps  the bytes that are written
 * Tests  tests/unit/test_packed.c, tests/unit/test_pooled.c, tests/unit/test_stages.c
 *
 * There are three such loops. A run of the source that is uneven in dst has a table (strategies/runs.c), for
 * which long loops are split into even parts. One of 12889 has none: then the run would stay two units of
 * stereo sound long, and each line be read for those alone (i16 [550,16000,2], 12889 of it backwards, turned:
 * 0.06 of the fastest copy).
 *
 * A run of dst that is uneven in the source has a table, too. Of 149 pictures there is no part, and each of
 * their rows would leave by itself, with two ends (a Xeon with AMX, u8 [149,150,1300] turned by (2,0,1), two
 * columns left out: 0.24 of the fastest copy, and cut 0.5).
 *
 * All leaves of a piece that computes are cut alike.
 *
 * A pool has rows, as many as divide the loop that they are taken from (pool.c). Of 2885 that is 5, and each
 * line of the source would be read again and again for 5 units of it.
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/margins.h"
#include "plan/pool.h"
#include "plan/strategies/runs.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64, MOST_TABLE = 4096, PART = 1024 };

/* Has the loop a part that makes a line of a run of `bytes` bytes, `count` units, with a table that fits? */
static bool has_part(int64_t extent, int64_t bytes, int64_t count)
{
	for (int64_t part = MOST_TABLE / count; part > 1 && part * bytes >= LINE; part--)
		if (extent % part == 0)
			return true;
	return false;
}

/* Would what is left from index `most` of loop j on come before the next leaf? */
static bool keeps_order(const vf_planner *p, int k, int j, int64_t most)
{
	const vf_leaf *leaf = vf_leaf_at(p, k);
	const vf_span *s = &leaf->loops[j];
	return most > 0 && most < s->extent && s->dst > 0 &&
	       (k + 1 == p->plan->nleaf || leaf->dst + most * s->dst < leaf[1].dst);
}

/* The loop of a leaf that is too long for a table; -1: none. */
static int too_long(const vf_planner *p, int k)
{
	const vf_leaf *leaf = vf_leaf_at(p, k);
	const int line = leaf->nloop > 2 ? vf_source_line(leaf, 0, leaf->nloop - 1, true) : -1;
	if (line < 0)
		return -1;
	const int64_t count = leaf->loops[line].extent, bytes = count * leaf->unit_bytes;
	for (int j = 0; j < leaf->nloop - 1 && bytes < LINE; j++) {
		const vf_span *s = &leaf->loops[j];
		if (vf_magnitude(s->src) == bytes && !vf_is_uneven(s) && s->extent * count > VF_LONG_TABLE &&
		    !has_part(s->extent, bytes, count) && keeps_order(p, k, j, s->extent / PART * PART))
			return j;
	}
	return -1;
}

/* ---- cutting ---- */

/* What a leaf computes, for another one; planning goes on to write in each. */
static vf_computation *copy_of(vf_planner *p, const vf_computation *compute)
{
	vf_computation *copy = vf_plan_alloc(p, 1, sizeof *copy);
	if (copy)
		*copy = *compute;
	return copy;
}

/* Sets `rest` to the indices from `most` on of loop j of `whole`, which keeps the others. */
static void cut_leaf(vf_planner *p, vf_leaf *whole, int j, int64_t most, vf_leaf *rest)
{
	vf_span *loops = vf_plan_alloc(p, whole->capacity, sizeof *loops), *s = &whole->loops[j];
	const int64_t left = s->extent - most;
	if (!loops)
		return;
	*rest = *whole;
	rest->loops = loops;
	memcpy(loops, whole->loops, (size_t)whole->nloop * sizeof *loops);
	rest->dst += most * s->dst, rest->src += most * s->src;
	*s = vf_plain_span(most, s->dst, s->src);
	loops[j] = vf_plain_span(left, s->dst, s->src);
	if (left == 1)
		memmove(loops + j, loops + j + 1, (size_t)(--rest->nloop - j) * sizeof *loops);
	if (whole->compute)
		rest->compute = copy_of(p, whole->compute);
}

/* The leaf's loop of that step and extent; -1: it has none. */
static int loop_like(const vf_leaf *leaf, int64_t dst, int64_t extent)
{
	for (int k = 0; k < leaf->nloop; k++)
		if (leaf->loops[k].dst == dst && leaf->loops[k].extent == extent &&
		    !vf_is_uneven(&leaf->loops[k]))
			return k;
	return -1;
}

/* Cuts leaves [a, b) at index `most` of the loop that all have: first come all whole ones, then what is
 * left of each. False out of memory. */
static bool cut(vf_planner *p, int a, int b, vf_span loop, int64_t most)
{
	vf_plan *plan = p->plan;
	const int n = b - a, after = plan->nleaf - b;
	vf_leaf *all = vf_plan_alloc(p, plan->nleaf + n, sizeof *all);
	if (!all)
		return false;
	memcpy(all, plan->leaves, (size_t)b * sizeof *all);
	memcpy(all + b + n, plan->leaves + b, (size_t)after * sizeof *all);
	for (int k = a; k < b; k++)
		cut_leaf(p, &all[k], loop_like(&all[k], loop.dst, loop.extent), most, &all[k + n]);
	plan->leaves = all;
	plan->nleaf += n;
	return !p->failed;
}

/* The loop of a leaf by which its rows of dst would go on, had it a good part; -1: none. `most`: how many of
 * its indices are whole parts. */
static int short_rows(vf_planner *p, int k, int64_t *most)
{
	const vf_leaf *leaf = vf_leaf_at(p, k);
	const int n = leaf->compute ? leaf->compute->noperand : 0;
	vf_leaf copies[VF_MOST_OPERANDS + 1]; /* operands stand before it */
	vf_blocking b;
	vf_span loop;
	memcpy(copies, leaf - n, (size_t)(n + 1) * sizeof *copies);
	if (!vf_init_blocking(&b, p, &copies[n], 0) || !vf_bring_seconds(&b, 0) || !vf_find_near(&b, 0) ||
	    !vf_find_runs(&b))
		return -1;
	*most = vf_whole_parts(&b, &loop);
	const int j = *most > 0 ? loop_like(leaf, loop.dst, loop.extent) : -1;
	return j >= 0 && keeps_order(p, k, j, *most) ? j : -1;
}

/* The loop at which a leaf is cut, and where; -1: it is not. Each cut copies all leaves: of many none is cut
 * for its rows. */
static int loop_to_cut(vf_planner *p, int k, int64_t *most)
{
	enum { MOST_LEAVES = 64 };
	const vf_leaf *leaf = vf_leaf_at(p, k);
	if (leaf->table || vf_leaf_has_list(leaf) || vf_has_margins(leaf) ||
	    !vf_wants_blocks(p, (vf_group){k, k + 1, 0}))
		return -1;
	const int j = leaf->compute ? -1 : too_long(p, k);
	if (j < 0)
		return p->plan->nleaf <= MOST_LEAVES ? short_rows(p, k, most) : -1;
	*most = leaf->loops[j].extent / PART * PART;
	return j;
}

/* ---- rows of pools ---- */

/* Where the loop is cut, so that more of it are rows of a pool; 0: it is not. What is left of the loop
 * is one pool more. A cut has to save half of the pools, as each is a piece of dst with two ends. */
static int64_t rows_cut(const vf_span *loop)
{
	if (loop->extent == 0)
		return 0;
	const int64_t good = vf_most_rows(loop);
	const int64_t pools = loop->extent / vf_rows_of_pool(loop), whole = loop->extent / good;
	return whole > 0 && loop->extent % good && 2 * (whole + 1) < pools ? whole * good : 0;
}

/* Cuts leaves [g.a, g.b) where the pool's chunks end, if one would be shorter than the others: nothing is
 * transposed along a loop with such a chunk. A few indices are left. False out of memory. */
static bool cut_chunks(vf_planner *p, vf_group g)
{
	vf_node node = {.depth = g.depth};
	vf_group inside = {0};
	const vf_kept_leaves kept = vf_keep_leaves(p, g);
	if (p->failed)
		return false;
	const bool laid_out = vf_lay_out_pool(p, g, &node, &inside);
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	const vf_span *s = leaf->loops + inside.depth;
	int64_t n = 1; /* chunks */
	vf_span loop = {0};
	if (laid_out && inside.depth < leaf->nloop && vf_is_cut(s)) {
		const vf_span *chunks = s - 1 - s->back;
		n = chunks->extent; /* inside of one, the loop may step by planes already */
		loop = vf_plain_span((n - 1) * s->extent + s->tail, chunks->dst / s->extent, 0);
	}
	vf_end_try(p, &kept);
	const int64_t most = loop.extent / n * n;
	bool all = most > 0 && most < loop.extent;
	for (int k = g.a; all && k < g.b; k++)
		all = loop_like(vf_leaf_at(p, k), loop.dst, loop.extent) >= 0;
	return !all || cut(p, g.a, g.b, loop, most);
}

/* Cuts the leaves from k on that share loops, if they go by a pool then, and did not before. Returns how many
 * leaves are done: what is left of them is cut by itself. */
static int cut_for_pool(vf_planner *p, int k)
{
	const vf_group all = {k, p->plan->nleaf, 0};
	const int n = vf_count_common(p, all, true), before = p->plan->nleaf;
	const vf_group g = {k, k + n, 0};
	if (n < 2)
		return 1;
	if (!vf_may_pool(p, g) || vf_fits_pool(p, g))
		return n;
	vf_leaf *whole = p->plan->leaves;
	const vf_span loop = vf_rows_loop(p, g);
	const int64_t most = rows_cut(&loop);
	const vf_kept_leaves kept = vf_keep_leaves(p, g);
	if (p->failed || (most && !cut(p, g.a, g.b, loop, most)) || !cut_chunks(p, g))
		return n;
	if (vf_fits_pool(p, g))
		return n;
	p->plan->leaves = whole;
	p->plan->nleaf = before;
	vf_put_back_leaves(p, &kept);
	return n;
}

/* ---- entry ---- */

static bool has_margins(const vf_plan *plan)
{
	for (int k = 0; k < plan->nleaf; k++)
		if (vf_has_margins(&plan->leaves[k]))
			return true;
	return false;
}

bool vf_cut_long(vf_planner *p)
{
	if (!p->stream || p->plan->nplace > 1)
		return true;
	for (int k = 0, n; k < p->plan->nleaf; k += n) {
		n = vf_leaves_of_piece(vf_leaf_at(p, k));
		const int last = k + n - 1;
		int64_t most = 0;
		const int j = loop_to_cut(p, last, &most);
		if (j >= 0 && !cut(p, k, k + n, p->plan->leaves[last].loops[j], most))
			return false;
		n += j >= 0 ? n : 0;
	}
	const bool margins = p->plan->computes || has_margins(p->plan);
	for (int k = 0; k < p->plan->nleaf && !margins && !p->failed;)
		k += cut_for_pool(p, k);
	return !p->failed;
}
