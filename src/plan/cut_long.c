/* cut_long.c -- a loop that is too long for a table of offsets, and has no good part, is cut in two.
 *
 * In     leaves in ascending order of dst, joined
 * Out    perhaps more: of a loop that goes on where a short run of the source ends, one leaf has all whole
 *        parts, the next one the rest
 * Keeps  the bytes that are written
 * Tests  tests/unit/test_packed.c
 *
 * A run of the source that is uneven in dst has a table (strategies/runs.c), for which long loops are split
 * into even parts. One of 12889 has none: then the run would stay two units of stereo sound long, and each
 * line be read for those alone (i16 [550,16000,2], 12889 of it backwards, turned: 0.06 of the fastest copy).
 */
#include "plan/group.h"
#include "plan/margins.h"
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

/* Are there parts, and would the rest come before the next leaf? */
static bool keeps_order(const vf_planner *p, int k, int j)
{
	const vf_leaf *leaf = vf_leaf_at(p, k);
	const vf_span *s = &leaf->loops[j];
	const int64_t rest = leaf->dst + s->extent / PART * PART * s->dst;
	return s->extent > PART && s->dst > 0 && (k + 1 == p->plan->nleaf || rest < leaf[1].dst);
}

/* The loop of a leaf that is to be cut; -1: none. */
static int too_long(const vf_planner *p, int k)
{
	const vf_leaf *leaf = vf_leaf_at(p, k);
	const int line = leaf->nloop > 2 ? vf_source_line(leaf, 0, leaf->nloop - 1, true) : -1;
	if (line < 0 || leaf->table || vf_leaf_has_list(leaf) || vf_has_margins(leaf) ||
	    !vf_wants_blocks(p, (vf_group){k, k + 1, 0}))
		return -1;
	const int64_t count = leaf->loops[line].extent, bytes = count * leaf->unit_bytes;
	for (int j = 0; j < leaf->nloop - 1 && bytes < LINE; j++) {
		const vf_span *s = &leaf->loops[j];
		if (vf_magnitude(s->src) == bytes && !vf_is_uneven(s) && s->extent * count > VF_LONG_TABLE &&
		    !has_part(s->extent, bytes, count) && keeps_order(p, k, j))
			return j;
	}
	return -1;
}

/* Leaf k is all indices of loop j that are whole parts, leaf k + 1 the rest; false out of memory. */
static bool cut(vf_planner *p, int k, int j)
{
	vf_plan *plan = p->plan;
	const int after = plan->nleaf - k - 1;
	vf_leaf *all = vf_plan_alloc(p, plan->nleaf + 1, sizeof *all);
	vf_span *loops = vf_plan_alloc(p, plan->leaves[k].capacity, sizeof *loops);
	if (p->failed)
		return false;
	memcpy(all, plan->leaves, (size_t)(k + 1) * sizeof *all);
	memcpy(all + k + 2, plan->leaves + k + 1, (size_t)after * sizeof *all);
	vf_leaf *whole = &all[k], *rest = whole + 1;
	vf_span *s = &whole->loops[j];
	const int64_t most = s->extent / PART * PART, left = s->extent - most;
	*rest = *whole;
	rest->loops = loops;
	memcpy(loops, whole->loops, (size_t)whole->nloop * sizeof *loops);
	rest->dst += most * s->dst, rest->src += most * s->src;
	*s = vf_plain_span(most, s->dst, s->src);
	loops[j] = vf_plain_span(left, s->dst, s->src);
	if (left == 1)
		memmove(loops + j, loops + j + 1, (size_t)(--rest->nloop - j) * sizeof *loops);
	plan->leaves = all;
	plan->nleaf++;
	return true;
}

bool vf_cut_long(vf_planner *p)
{
	if (!p->stream || p->plan->computes || p->plan->nplace > 1)
		return true;
	for (int k = 0; k < p->plan->nleaf; k++) {
		const int j = too_long(p, k);
		if (j >= 0 && !cut(p, k++, j))
			return false;
	}
	return true;
}
