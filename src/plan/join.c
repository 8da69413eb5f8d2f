/* join.c -- neighbouring leaves to one: see join.h.
 *
 * In     leaves in ascending order of dst, their loops whole
 * Out    fewer leaves. Four rules, each of which replaces leaves [a, b) by one leaf:
 *          run    the same loops, side by side on both sides
 *          block  the same outer loops, and together every byte of a block of at most 64 bytes: a table of
 *                 where each byte comes from, a place of a source or a constant
 *          even   the same loops, dst and src a constant step apart each: one more loop, of b - a indices
 *          table  leaves follow each other along one loop of dst, and are alike in the others: that loop gets
 *                 a table of offsets; where these are one run of the source, its order, too (`to` in plan.h)
 *        A single leaf whose inner loops permute the bytes of a block is a block too
 * Keeps  the bytes that move
 * Ends   each joining removes a leaf or gives it a table
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/join.h"

#include "plan/group.h"
#include "plan/join_block.h"
#include "plan/strategy.h"

#include <string.h>

enum { MOST_TABLE = 4096, MOST_SORTED = 256, MOST_CHANNELS = 64 };

/* ---- leaves in an even row ---- */

static bool same_span(const vf_span *x, const vf_span *y)
{
	return x->extent == y->extent && x->dst == y->dst && x->src == y->src && vf_same_offsets(x, y) &&
	       x->dst_list == y->dst_list;
}

static bool same_loops(const vf_leaf *x, const vf_leaf *y, int nloop)
{
	for (int k = 0; k < nloop; k++)
		if (!same_span(&x->loops[k], &y->loops[k]))
			return false;
	return true;
}

/* Do both move plain units of one source and one size? */
static bool same_kind(const vf_leaf *x, const vf_leaf *y)
{
	return x->source >= 0 && x->source == y->source && x->unit_bytes == y->unit_bytes && !x->table &&
	       !y->table;
}

static bool alike(const vf_leaf *x, const vf_leaf *y)
{
	return same_kind(x, y) && x->nloop == y->nloop && same_loops(x, y, x->nloop);
}

int vf_count_even(const vf_leaf *leaf, int n)
{
	int k = 1;
	while (k < n && alike(leaf, leaf + k) && leaf[k].dst - leaf[k - 1].dst == leaf[1].dst - leaf->dst &&
	       leaf[k].src - leaf[k - 1].src == leaf[1].src - leaf->src)
		k++;
	return k;
}

void vf_merge_loops(vf_leaf *leaf, int k)
{
	if (k < 0 || k + 1 >= leaf->nloop)
		return;
	vf_span *outer = &leaf->loops[k], *inner = outer + 1;
	if (vf_is_uneven(outer) || vf_is_uneven(inner) || outer->dst != inner->extent * inner->dst ||
	    outer->src != inner->extent * inner->src)
		return;
	int64_t extent = outer->extent * inner->extent;
	*outer = vf_plain_span(extent, inner->dst, inner->src);
	leaf->nloop--;
	memmove(inner, inner + 1, (size_t)(leaf->nloop - k - 1) * sizeof *inner);
}

void vf_merge_unit(vf_leaf *leaf)
{
	const vf_span *last = leaf->nloop > 0 ? &leaf->loops[leaf->nloop - 1] : NULL;
	if (last && !vf_is_uneven(last) && last->dst == leaf->unit_bytes && last->src == leaf->unit_bytes) {
		leaf->unit_bytes *= last->extent;
		leaf->nloop--;
	}
}

/* Put a loop where its dst stride belongs, outermost first; returns where. */
static int insert_loop(vf_leaf *leaf, vf_span loop)
{
	int at = leaf->nloop++;
	for (; at > 0 && leaf->loops[at - 1].dst < loop.dst; at--)
		leaf->loops[at] = leaf->loops[at - 1];
	leaf->loops[at] = loop;
	return at;
}

/* Makes n leaves one by a new loop, and merges that with the loops that it chains with. */
static void join_even(vf_leaf *leaf, int n)
{
	int at = insert_loop(leaf, vf_plain_span(n, leaf[1].dst - leaf->dst, leaf[1].src - leaf->src));
	vf_merge_loops(leaf, at);
	vf_merge_loops(leaf, at - 1);
	vf_merge_unit(leaf);
}

/* ---- leaves that lie side by side on both sides ---- */

/* Joins the leaves that are one run at each index of the same loops. Returns how many of the n. */
static int join_runs(vf_leaf *leaf, int n)
{
	int k = 1;
	for (; k < n; k++) {
		const vf_leaf *next = leaf + k;
		bool goes_on = leaf->source >= 0 && leaf->source == next->source && !leaf->table &&
		               !next->table && leaf->nloop == next->nloop &&
		               next->dst - leaf->dst == leaf->unit_bytes &&
		               next->src - leaf->src == leaf->unit_bytes;
		if (!goes_on || !same_loops(leaf, next, leaf->nloop))
			break;
		leaf->unit_bytes += next->unit_bytes;
	}
	return k;
}

/* ---- leaves one after the other along one loop ---- */

/* The loop of x that leaf y continues. y has that loop, too, or is one index of it. -1: there is none. */
static int loop_gone_on(const vf_leaf *x, const vf_leaf *y)
{
	bool one = y->nloop == x->nloop - 1;
	if (!same_kind(x, y) || (!one && y->nloop != x->nloop))
		return -1;
	for (int k = 0; k < x->nloop; k++) {
		const vf_span *s = &x->loops[k];
		/* From the last index on: the place beyond it may leave int64_t. */
		if (vf_has_list(s) || (!one && vf_has_list(&y->loops[k])) ||
		    y->dst - x->dst - s->dst != (s->extent - 1) * s->dst ||
		    (!one && y->loops[k].dst != s->dst))
			continue;
		int rest = x->nloop - k - 1, skip = one ? k : k + 1;
		bool others = same_loops(x, y, k);
		for (int j = 0; others && j < rest; j++)
			others = same_span(s + 1 + j, &y->loops[skip + j]);
		if (others)
			return k;
	}
	return -1;
}

/* Where index i of loop k of a leaf reads, from the source's start. */
static int64_t offset_at(const vf_leaf *leaf, int k, int64_t i)
{
	return leaf->src + (k < 0 ? 0 : vf_span_src(&leaf->loops[k], i));
}

static bool is_even(const int64_t *at, int64_t n)
{
	for (int64_t i = 2; i < n; i++)
		if (at[i] - at[i - 1] != at[1])
			return false;
	return true;
}

/* Appends leaf y to loop k of x. False with the error kept. */
static bool go_on(vf_plan *plan, vf_leaf *x, const vf_leaf *y, int k)
{
	vf_span *s = &x->loops[k];
	bool one = y->nloop < x->nloop;
	int64_t more = one ? 1 : y->loops[k].extent, n = s->extent + more;
	int64_t *at = vf_arena_alloc(&plan->arena, n, sizeof *at);
	if (!at)
		return false;
	for (int64_t i = 0; i < n; i++)
		at[i] = (i < s->extent ? offset_at(x, k, i) : offset_at(y, one ? -1 : k, i - s->extent)) -
		        x->src;
	*s = vf_plain_span(n, s->dst, is_even(at, n) ? at[1] : 0);
	s->table = is_even(at, n) ? NULL : at;
	return true;
}

/* The loop of y before whose index 0 x comes; x has no such loop. -1: there is none. */
static int loop_before(const vf_leaf *x, const vf_leaf *y)
{
	if (!same_kind(x, y) || y->nloop != x->nloop + 1)
		return -1;
	for (int k = 0; k < y->nloop; k++) {
		bool before = !vf_has_list(&y->loops[k]) && y->dst - x->dst == y->loops[k].dst &&
		              same_loops(x, y, k);
		for (int j = k; before && j < x->nloop; j++)
			before = same_span(&x->loops[j], &y->loops[j + 1]);
		if (before)
			return k;
	}
	return -1;
}

/* Puts x before index 0 of loop k of y: x takes y's loops. False with the error kept. */
static bool begin_at(vf_plan *plan, vf_leaf *x, const vf_leaf *y, int k)
{
	int64_t n = y->loops[k].extent + 1, *at = vf_arena_alloc(&plan->arena, n, sizeof *at);
	if (!at)
		return false;
	for (int64_t i = 1; i < n; i++)
		at[i] = offset_at(y, k, i - 1) - x->src;
	memcpy(x->loops, y->loops, (size_t)y->nloop * sizeof *x->loops);
	x->nloop = y->nloop;
	x->loops[k] = vf_plain_span(n, y->loops[k].dst, is_even(at, n) ? at[1] : 0);
	x->loops[k].table = is_even(at, n) ? NULL : at;
	return true;
}

/* Do they read units of one pixel? */
static bool reads_pixel(const vf_leaf *x, const vf_leaf *y)
{
	const int64_t apart = y->src - x->src, pixel = MOST_CHANNELS * x->unit_bytes;
	return x->unit_bytes <= 16 && apart < pixel && apart > -pixel;
}

/* Do the loop's indices lie further apart in the source than a block? */
static bool is_far(const vf_span *s)
{
	const vf_offsets all = vf_offsets_of(s);
	return s->table ? all.hi - all.lo > (s->extent - 1) * VF_MOST_BLOCK
	                : vf_magnitude(s->src) > VF_MOST_BLOCK;
}

/* A table hides how the source lies. It pays where the loop is short, or is a list of channels. It also pays
 * for runs that are side by side in dst and far apart in the source: a transposition reads those. Pixels
 * between mirrored ones are near: they are planes (u8 [3,720,1280,4] to planes, mirrored by 1 and by 3, 0.10
 * of the fastest copy, so 0.55; f32 [30,112,112,8] 0.26 and 0.41). */
static bool pays(const vf_leaf *x, const vf_leaf *y, int k)
{
	enum { SHORT = 16 };
	const vf_span *s = &x->loops[k];
	const int64_t more = y->nloop < x->nloop ? 1 : y->loops[k].extent, extent = s->extent + more;
	const bool lists = s->table && more <= SHORT && reads_pixel(x, y);
	return extent <= (lists ? MOST_CHANNELS : SHORT) ||
	       (extent <= MOST_TABLE && s->dst == x->unit_bytes && is_far(s));
}

static bool pays_before(const vf_leaf *x, const vf_leaf *y, int k)
{
	const vf_span *s = &y->loops[k];
	const int64_t unit = x->unit_bytes;
	const bool even = !s->table && y->src - x->src == s->src;
	const bool rolled = s->src == unit && x->src - y->src == s->extent * unit && s->extent < MOST_SORTED;
	return unit <= VF_MOST_BLOCK && (even || rolled || s->extent < 16);
}

/* ---- lists of channels ---- */

/* Are loops k and k + 1 one loop in dst, along units of a pixel? */
static bool are_channels(const vf_leaf *leaf, int k)
{
	const vf_span *outer = &leaf->loops[k], *inner = outer + 1;
	const vf_offsets ends = vf_has_list(inner) ? (vf_offsets){0, 0} : vf_offsets_of(inner);
	const int64_t pixel = MOST_CHANNELS * leaf->unit_bytes;
	return !vf_is_uneven(outer) && !vf_has_list(inner) && inner->dst != leaf->unit_bytes &&
	       outer->extent <= MOST_CHANNELS && inner->extent <= MOST_CHANNELS / outer->extent &&
	       outer->dst == inner->extent * inner->dst && vf_magnitude(outer->src) < pixel &&
	       ends.hi - ends.lo < pixel;
}

/* Copies the leaf, with its channels as one loop that has a table. False with the error kept. */
static bool list_channels(vf_plan *plan, const vf_leaf *leaf, vf_leaf *copy)
{
	*copy = *leaf;
	copy->loops = vf_arena_alloc(&plan->arena, leaf->capacity, sizeof *copy->loops);
	if (!copy->loops)
		return false;
	memcpy(copy->loops, leaf->loops, (size_t)leaf->nloop * sizeof *copy->loops);
	for (int k = copy->nloop - 2; k >= 0; k--) {
		if (!are_channels(copy, k))
			continue;
		const vf_span outer = copy->loops[k], inner = copy->loops[k + 1];
		const int64_t n = outer.extent * inner.extent;
		int64_t *at = vf_arena_alloc(&plan->arena, n, sizeof *at);
		if (!at)
			return false;
		for (int64_t i = 0; i < n; i++)
			at[i] = i / inner.extent * outer.src + vf_span_src(&inner, i % inner.extent);
		copy->nloop--;
		memmove(&copy->loops[k], &copy->loops[k + 1], (size_t)(copy->nloop - k) * sizeof inner);
		copy->loops[k] = vf_plain_span(n, inner.dst, 0);
		copy->loops[k].table = at;
	}
	return true;
}

/* Where a list of channels goes on in the next leaf, makes one loop of each leaf's channels. False with the
 * error kept. */
static bool join_channels(vf_plan *plan, vf_leaf *leaf)
{
	vf_leaf x, y;
	const bool more = leaf[0].nloop > 2 || leaf[1].nloop > 2;
	if (!more || !same_kind(leaf, leaf + 1) || !reads_pixel(leaf, leaf + 1))
		return true;
	if (!list_channels(plan, leaf, &x) || !list_channels(plan, leaf + 1, &y))
		return false;
	if (x.nloop + y.nloop < leaf[0].nloop + leaf[1].nloop &&
	    (loop_gone_on(&x, &y) >= 0 || loop_before(&x, &y) >= 0))
		leaf[0] = x, leaf[1] = y;
	return true;
}

/* How many leaves follow each other along one loop and read one run of units, in any order. Their table is
 * sorted later (sort_tables()). 0: none do. */
static int count_sorted(vf_leaf *leaf, int n)
{
	const int k = n > 1 && leaf->nloop > 0 ? loop_gone_on(leaf, leaf + 1) : -1;
	if (k < 0 || leaf->loops[k].dst == leaf->unit_bytes || leaf->unit_bytes > VF_MOST_BLOCK ||
	    vf_leaf_has_planes(leaf, 0))
		return 0;
	vf_span *s = &leaf->loops[k];
	const int64_t extent = s->extent;
	vf_offsets all = vf_offsets_of(s);
	int sorted = 0;
	for (int j = 1; j < n && s->extent <= MOST_SORTED && loop_gone_on(leaf, leaf + j) == k; j++) {
		const vf_leaf *next = leaf + j;
		const bool one = next->nloop < leaf->nloop;
		const vf_offsets more = one ? (vf_offsets){0, 0} : vf_offsets_of(&next->loops[k]);
		const int64_t apart = next->src - leaf->src;
		all.lo = more.lo + apart < all.lo ? more.lo + apart : all.lo;
		all.hi = more.hi + apart > all.hi ? more.hi + apart : all.hi;
		s->extent += one ? 1 : next->loops[k].extent;
		if (s->extent <= MOST_SORTED && all.hi - all.lo == (s->extent - 1) * leaf->unit_bytes)
			sorted = j + 1;
	}
	s->extent = extent;
	return sorted;
}

/* Makes the leaves that follow `leaf` along a loop part of it. Returns their number, itself included; 0 with
 * the error kept. Not where the unit or the loop is long: what is contiguous goes by itself as well. */
static int join_table(vf_plan *plan, vf_leaf *leaf, int n)
{
	const int sorted = count_sorted(leaf, n);
	int taken = 1;
	for (; taken < n; taken++) {
		const vf_leaf *next = leaf + taken;
		int k = loop_gone_on(leaf, next);
		if (k >= 0 && leaf->loops[k].extent < MOST_TABLE && leaf->unit_bytes <= VF_MOST_BLOCK &&
		    (taken < sorted || pays(leaf, next, k))) {
			if (!go_on(plan, leaf, next, k))
				return 0;
			continue;
		}
		k = loop_before(leaf, next);
		if (k < 0 || next->loops[k].extent >= MOST_TABLE || !pays_before(leaf, next, k))
			break;
		if (!begin_at(plan, leaf, next, k))
			return 0;
	}
	return taken;
}

/* ---- tables in the order of the source ---- */

/* If the table reads units that lie side by side, in any order, sets `to`: where in dst each unit of that run
 * of the source goes. False out of memory. */
static bool sort_table(vf_plan *plan, vf_leaf *leaf, vf_span *s)
{
	const int64_t n = s->extent, unit = leaf->unit_bytes, low = vf_offsets_of(s).lo;
	int64_t *table = vf_arena_alloc(&plan->arena, n, sizeof *table);
	int64_t *to = vf_arena_alloc(&plan->arena, n, sizeof *to);
	if (!table || !to)
		return false;
	for (int64_t i = 0; i < n; i++)
		to[i] = -1;
	for (int64_t i = 0; i < n; i++) {
		const int64_t at = table[i] = s->table[i] - low;
		if (at % unit || at / unit >= n || to[at / unit] >= 0)
			return true;
		to[at / unit] = i * s->dst;
	}
	leaf->src += low;
	s->table = table, s->to = to, s->to_step = s->dst;
	return true;
}

/* Is the table to be sorted? Not where units are side by side in dst: there places in the source count. */
static bool sorts(const vf_leaf *leaf, const vf_span *s)
{
	return s->table && !leaf->table && s->dst != leaf->unit_bytes;
}

/* Sorts the tables that are runs of the source. Those are taken apart into planes, or transposed with rows of
 * dst in any order. */
static bool sort_tables(vf_plan *plan)
{
	for (int k = 0; k < plan->nleaf; k++) {
		vf_leaf *leaf = &plan->leaves[k];
		for (int j = 0; j < leaf->nloop; j++)
			if (sorts(leaf, &leaf->loops[j]) && !sort_table(plan, leaf, &leaf->loops[j]))
				return false;
	}
	return true;
}

/* ---- entry ---- */

static int join_one(vf_plan *plan, vf_leaf *leaf, int n)
{
	int taken = vf_join_block(plan, leaf, n);
	if (taken != 0)
		return taken;
	taken = vf_count_even(leaf, n);
	if (taken > 1)
		join_even(leaf, taken);
	return taken;
}

bool vf_join_leaves(vf_plan *plan)
{
	int kept = 0, taken, before;
	for (int k = 0; k < plan->nleaf; k += taken) {
		taken = join_runs(&plan->leaves[k], plan->nleaf - k);
		plan->leaves[kept++] = plan->leaves[k];
	}
	plan->nleaf = kept;
	kept = 0;
	for (int k = 0; k < plan->nleaf; k += taken) {
		taken = join_one(plan, &plan->leaves[k], plan->nleaf - k);
		if (taken < 0)
			return false;
		plan->leaves[kept++] = plan->leaves[k];
	}
	plan->nleaf = kept;
	for (int k = 0; k + 1 < plan->nleaf; k++)
		if (!join_channels(plan, &plan->leaves[k]))
			return false;
	do {
		before = plan->nleaf, kept = 0;
		for (int k = 0; k < plan->nleaf; k += taken) {
			taken = join_table(plan, &plan->leaves[k], plan->nleaf - k);
			if (taken == 0)
				return false;
			plan->leaves[kept++] = plan->leaves[k];
		}
		plan->nleaf = kept;
	} while (kept < before);
	return plan->nplace > 1 || sort_tables(plan);
}
