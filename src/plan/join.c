/* join.c -- neighbouring leaves to one: see join.h.
 *
 * In     leaves in ascending order of dst, their loops whole
 * Out    fewer leaves. Three rules, each of which replaces leaves [a, b) by one leaf:
 *          block  the same outer loops, and together every byte of a block of at most 64 bytes: a table of
 *                 where each byte comes from, a place of a source or a constant
 *          even   the same loops, dst and src a constant step apart each: one more loop (b - a: steps)
 *          table  one after the other along one loop of dst, alike in the others: that loop, with a table of
 *                 offsets
 *        A single leaf whose inner loops permute the bytes of a block is a block too
 * Keeps  the bytes that move
 * Ends   each joining removes a leaf or gives it a table
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/join.h"

#include "plan/strategies/strategies.h"

#include <string.h>

enum { MOST_BLOCK = 64, MOST_PLACES = 4, MOST_TABLE = 4096 };

/* ---- leaves in an even row ---- */

static bool same_span(const vf_span *x, const vf_span *y)
{
	return x->extent == y->extent && x->dst == y->dst && x->src == y->src && x->table == y->table;
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

/* How many leaves from the first on, of n, lie in an even row. */
static int count_even(const vf_leaf *leaf, int n)
{
	int k = 1;
	while (k < n && alike(leaf, leaf + k) && leaf[k].dst - leaf[k - 1].dst == leaf[1].dst - leaf->dst &&
	       leaf[k].src - leaf[k - 1].src == leaf[1].src - leaf->src)
		k++;
	return k;
}

/* Make one loop of loops k and k + 1 if they chain. */
static void merge(vf_leaf *leaf, int k)
{
	if (k < 0 || k + 1 >= leaf->nloop)
		return;
	vf_span *outer = &leaf->loops[k], *inner = outer + 1;
	if (outer->table || inner->table || outer->dst != inner->extent * inner->dst ||
	    outer->src != inner->extent * inner->src)
		return;
	int64_t extent = outer->extent * inner->extent;
	*outer = (vf_span){extent, extent, inner->dst, inner->src, 0, NULL};
	leaf->nloop--;
	memmove(inner, inner + 1, (size_t)(leaf->nloop - k - 1) * sizeof *inner);
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

/* What chains with the new loop becomes one with it. */
static void join_even(vf_leaf *leaf, int n)
{
	int at = insert_loop(leaf,
	                     (vf_span){n, n, leaf[1].dst - leaf->dst, leaf[1].src - leaf->src, 0, NULL});
	merge(leaf, at);
	merge(leaf, at - 1);
	const vf_span *last = &leaf->loops[leaf->nloop - 1];
	if (!last->table && last->dst == leaf->unit_bytes && last->src == leaf->unit_bytes) {
		leaf->unit_bytes *= last->extent;
		leaf->nloop--;
	}
}

/* ---- leaves one after the other along one loop ---- */

/* Loop k of x is where the leaf y goes on; y may have it, or be one index of it. -1: there is none. */
static int loop_gone_on(const vf_leaf *x, const vf_leaf *y)
{
	bool one = y->nloop == x->nloop - 1;
	if (!same_kind(x, y) || (!one && y->nloop != x->nloop))
		return -1;
	for (int k = 0; k < x->nloop; k++) {
		const vf_span *s = &x->loops[k];
		if (y->dst - x->dst != s->extent * s->dst || (!one && y->loops[k].dst != s->dst))
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
	if (k < 0)
		return leaf->src;
	const vf_span *s = &leaf->loops[k];
	return leaf->src + (s->table ? s->table[i] : i * s->src);
}

static bool is_even(const int64_t *at, int64_t n)
{
	for (int64_t i = 2; i < n; i++)
		if (at[i] - at[i - 1] != at[1])
			return false;
	return true;
}

/* Loop k of x goes on with leaf y. False with the error kept. */
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
	*s = (vf_span){n, n, s->dst, is_even(at, n) ? at[1] : 0, 0, is_even(at, n) ? NULL : at};
	return true;
}

/* Two leaves that differ only in where they lie: a loop of two. */
static bool make_pair(vf_plan *plan, vf_leaf *x, const vf_leaf *y)
{
	int64_t *at = vf_arena_alloc(&plan->arena, 2, sizeof *at);
	if (!at)
		return false;
	at[0] = 0, at[1] = y->src - x->src;
	insert_loop(x, (vf_span){2, 2, y->dst - x->dst, 0, 0, at});
	return true;
}

/* A table hides how the source lies. It pays where the loop is short, or runs side by side in dst and far
 * apart in the source: there a transposition reads it. */
static bool pays(const vf_leaf *x, const vf_leaf *y, int k)
{
	enum { SHORT = 16 };
	const vf_span *s = &x->loops[k];
	int64_t extent = s->extent + (y->nloop < x->nloop ? 1 : y->loops[k].extent);
	int64_t step = s->src < 0 ? -s->src : s->src;
	return extent <= SHORT ||
	       (extent <= MOST_TABLE && s->dst == x->unit_bytes && (s->table || step > MOST_BLOCK));
}

/* Leaves from `leaf` on that go on where it ends become part of it; their number, itself included. 0 with the
 * error kept. Only below long loops: what is contiguous goes by itself as well. */
static int join_table(vf_plan *plan, vf_leaf *leaf, int n)
{
	int taken = 1;
	for (; taken < n; taken++) {
		const vf_leaf *next = leaf + taken;
		int k = loop_gone_on(leaf, next);
		if (k >= 0 && leaf->loops[k].extent < MOST_TABLE && leaf->unit_bytes <= MOST_BLOCK &&
		    pays(leaf, next, k)) {
			if (!go_on(plan, leaf, next, k))
				return 0;
			continue;
		}
		bool pair = taken == 1 && alike(leaf, next) && leaf->unit_bytes <= MOST_BLOCK &&
		            leaf->nloop > 0 && next->dst - leaf->dst == leaf->unit_bytes;
		if (!pair)
			break;
		if (!make_pair(plan, leaf, next))
			return 0;
	}
	return taken;
}

/* ---- blocks ---- */

/* Where a byte of a block comes from. */
typedef struct origin {
	int source; /* -1: a constant, `at` */
	int64_t at; /* counted like leaf->src */
} origin;

typedef struct block {
	int64_t dst, dst_bytes;
	const vf_leaf *reads; /* the first leaf that reads a source; its loops are the block's */
	origin from[MOST_BLOCK];
	int64_t known; /* bytes that have one */
	int nplace;
	origin places[MOST_PLACES]; /* windows of MOST_BLOCK bytes that hold all that is read */
	bool constants;
} block;

/* The bytes of leaf's loops [k, nloop) at one index of those outside; false if one lies outside the block. */
static bool add_bytes(block *b, const vf_leaf *leaf, int k, int64_t dst, int64_t src)
{
	if (k < leaf->nloop) {
		const vf_span *s = &leaf->loops[k];
		for (int64_t i = 0; i < s->extent; i++)
			if (!add_bytes(b, leaf, k + 1, dst + i * s->dst,
			               src + (s->table ? s->table[i] : i * s->src)))
				return false;
		return true;
	}
	int64_t at = dst - b->dst;
	if (at + leaf->unit_bytes > b->dst_bytes)
		return false;
	for (int64_t i = 0; i < leaf->unit_bytes; i++)
		b->from[at + i] = leaf->source < 0 ? (origin){-1, leaf->fill[i % leaf->fill_unit]}
		                                   : (origin){leaf->source, src + i};
	b->known += leaf->unit_bytes;
	b->constants = b->constants || leaf->source < 0;
	return true;
}

/* The lowest byte of the source that is read and lies in no place yet; NULL: there is none. */
static const origin *uncovered(const block *b)
{
	const origin *lowest = NULL;
	for (int64_t k = 0; k < b->dst_bytes; k++) {
		const origin *o = &b->from[k];
		bool covered = o->source < 0;
		for (int p = 0; p < b->nplace && !covered; p++)
			covered = b->places[p].source == o->source && o->at - b->places[p].at < MOST_BLOCK &&
			          o->at >= b->places[p].at;
		if (!covered && (!lowest || o->at < lowest->at))
			lowest = o;
	}
	return lowest;
}

/* False where it takes too many. */
static bool find_places(block *b)
{
	b->nplace = 0;
	for (const origin *o = uncovered(b); o; o = uncovered(b)) {
		if (b->nplace == MOST_PLACES)
			return false;
		b->places[b->nplace++] = *o;
	}
	return b->nplace > 0;
}

/* Is it just the bytes of one place in their order? That needs no table. */
static bool plain(const block *b)
{
	bool in_order = b->nplace == 1 && !b->constants;
	for (int64_t k = 0; k < b->dst_bytes && in_order; k++)
		in_order = b->from[k].at == b->places[0].at + k;
	return in_order;
}

/* Does leaf y run the first `outer` loops of x? A fill reads nothing, so it may be stepped along anyhow. */
static bool runs_loops(const vf_leaf *x, const vf_leaf *y, int outer)
{
	for (int k = 0; k < outer; k++) {
		const vf_span *s = &x->loops[k], *t = &y->loops[k];
		bool reads = x->source >= 0 && y->source >= 0;
		if (s->extent != t->extent || s->dst != t->dst ||
		    (reads && (s->src != t->src || s->table != t->table)))
			return false;
	}
	return true;
}

static bool fits_block(const block *b, const vf_leaf *leaf, const vf_leaf *next, int outer)
{
	const vf_leaf *model = b->reads ? b->reads : leaf;
	return !next->table && next->nloop >= outer && runs_loops(model, next, outer) &&
	       next->dst - b->dst < b->dst_bytes;
}

/* Bytes from the first to the last that is read. */
static int64_t window(const block *b)
{
	int64_t last = b->places[0].at;
	for (int64_t k = 0; k < b->dst_bytes; k++)
		if (b->from[k].source >= 0 && b->from[k].at > last)
			last = b->from[k].at;
	return last - b->places[0].at + 1;
}

static int64_t distance(const vf_span *s)
{
	return s->src < 0 ? -s->src : s->src;
}

static bool of_one_source(const block *b)
{
	for (int p = 1; p < b->nplace; p++)
		if (b->places[p].source != b->places[0].source)
			return false;
	return !b->constants;
}

/* Blocks far apart in the source go one by one, unless another of their loops is near there: then a
 * transposition packs them (strategies/transpose.c). Where one runs from unit to unit, there is no need to
 * pack blocks from all over. */
static bool can_be_packed(const block *b, int outer)
{
	enum { PACKED = 8 };
	bool near = false, compact = b->nplace == 1 && window(b) <= b->dst_bytes;
	for (int k = 0; k < outer - 1; k++) {
		const vf_span *s = &b->reads->loops[k];
		if (!compact && distance(s) == b->reads->unit_bytes)
			return false;
		near = near ||
		       (!s->table && distance(s) > 0 && distance(s) <= MOST_BLOCK && s->extent >= PACKED);
	}
	return near && of_one_source(b) && vf_fast_unit(b->dst_bytes);
}

/* Does a loop outside read what blocks so far apart leave between them? */
static bool leaves_gaps(const block *b, int outer)
{
	enum { FEW_BYTES = 16 };
	for (int k = 0; k < outer - 1; k++) {
		const vf_span *s = &b->reads->loops[k];
		int64_t between = distance(&b->reads->loops[outer - 1]);
		if (!s->table && distance(s) > 0 && distance(s) < between &&
		    s->extent > FEW_BYTES / distance(s))
			return true;
	}
	return false;
}

/* Is the one loop inside `outer` what codelets take apart into planes, or put together from them, or a
 * transposition? */
static bool has_codelet(const vf_leaf *leaf, int outer)
{
	const vf_span *inner = &leaf->loops[outer], *line = inner - 1;
	int64_t unit = leaf->unit_bytes;
	if (outer != leaf->nloop - 1 || inner->table || inner->src == 0)
		return false;
	if (!vf_few(inner->extent) && (line->src == unit || line->src == -unit))
		return true;
	return vf_plane_unit(unit) && line->src == unit &&
	       (vf_few(inner->extent) || (vf_few(line->extent) && inner->src == line->extent * unit));
}

/* Leaves in an even row are planes of the source, or a loop more: not a block's matter. Nor is one leaf whose
 * blocks are far apart and come from all over: it gathers. */
static bool is_block(const block *b, const vf_leaf *leaf, int taken, int outer)
{
	if (!b->reads || plain(b))
		return false;
	int64_t apart = distance(&b->reads->loops[outer - 1]);
	if (apart > MOST_BLOCK && !can_be_packed(b, outer))
		return false;
	if (taken == 1 && b->nplace == 1 && window(b) <= b->dst_bytes)
		return true;
	if (taken == 1 && apart <= MOST_BLOCK)
		return apart > 0 && !has_codelet(leaf, outer) && !leaves_gaps(b, outer);
	if (taken == 1)
		return true;
	return b->nplace == 1 || b->constants || count_even(leaf, taken) < taken;
}

/* A block inside `outer` loops of leaf[0], of it and as many of the n leaves as it takes;
 * their number, or 0. */
static int find_block(const vf_leaf *leaf, int n, int outer, block *b)
{
	int64_t bytes = leaf->loops[outer - 1].dst;
	*b = (block){.dst = leaf->dst, .dst_bytes = bytes};
	if (bytes > MOST_BLOCK)
		return 0;
	for (int k = 0; k < n; k++) {
		const vf_leaf *next = leaf + k;
		if (!fits_block(b, leaf, next, outer) || !add_bytes(b, next, outer, next->dst, next->src))
			return 0;
		if (!b->reads && next->source >= 0)
			b->reads = next;
		if (b->known == b->dst_bytes)
			return find_places(b) && is_block(b, leaf, k + 1, outer) ? k + 1 : 0;
	}
	return 0;
}

/* What the block's table says of a byte. */
static uint16_t entry_of(const block *b, origin o)
{
	if (o.source < 0)
		return (uint16_t)(0x8000 | o.at);
	for (int p = 0; p < b->nplace; p++)
		if (b->places[p].source == o.source && o.at >= b->places[p].at &&
		    o.at - b->places[p].at < MOST_BLOCK)
			return (uint16_t)(p << 8 | (int)(o.at - b->places[p].at));
	return 0;
}

static bool join_block(vf_plan *plan, vf_leaf *leaf, int outer, const block *b)
{
	uint16_t *table = vf_arena_alloc(&plan->arena, b->dst_bytes, sizeof *table);
	int64_t *at = vf_arena_alloc(&plan->arena, b->nplace, sizeof *at);
	int *source = vf_arena_alloc(&plan->arena, b->nplace, sizeof *source);
	if (!table || !at || !source)
		return false;
	for (int64_t k = 0; k < b->dst_bytes; k++)
		table[k] = entry_of(b, b->from[k]);
	for (int p = 0; p < b->nplace; p++) {
		at[p] = b->places[p].at - b->places[0].at;
		source[p] = b->places[p].source;
	}
	if (b->reads != leaf)
		memcpy(leaf->loops, b->reads->loops, (size_t)outer * sizeof *leaf->loops);
	leaf->source = source[0];
	leaf->src = b->places[0].at;
	leaf->table = table;
	leaf->nstream = b->nplace;
	leaf->stream_at = at;
	leaf->stream_source = source;
	leaf->unit_bytes = b->dst_bytes;
	leaf->block_bytes = leaf->loops[outer - 1].src;
	leaf->nloop = outer;
	return true;
}

/* The smallest block that leaf[0] begins of which many follow each other, or the largest; how many leaves it
 * takes, 0 if there is none, -1 out of memory. */
static int make_block(vf_plan *plan, vf_leaf *leaf, int n)
{
	enum { LONG = 256 };
	block b;
	int most = 0, inside = 0;
	for (int outer = leaf->nloop; outer > 0 && leaf->loops[outer - 1].dst <= MOST_BLOCK; outer--) {
		int taken = find_block(leaf, n, outer, &b);
		/* One leaf without loops inside its block is rows or a gather. */
		if (taken == 0 || taken < most || (taken == 1 && outer == leaf->nloop))
			continue;
		most = taken, inside = outer;
		if (leaf->loops[outer - 1].extent * leaf->loops[outer - 1].dst >= LONG)
			break;
	}
	if (most == 0 || find_block(leaf, n, inside, &b) == 0)
		return 0;
	return join_block(plan, leaf, inside, &b) ? most : -1;
}

/* ---- entry ---- */

static int join_one(vf_plan *plan, vf_leaf *leaf, int n)
{
	int taken = make_block(plan, leaf, n);
	if (taken != 0)
		return taken;
	taken = count_even(leaf, n);
	if (taken > 1)
		join_even(leaf, taken);
	return taken;
}

bool vf_join_leaves(vf_plan *plan)
{
	int kept = 0, taken;
	for (int k = 0; k < plan->nleaf; k += taken) {
		taken = join_one(plan, &plan->leaves[k], plan->nleaf - k);
		if (taken < 0)
			return false;
		plan->leaves[kept++] = plan->leaves[k];
	}
	plan->nleaf = kept;
	kept = 0;
	for (int k = 0; k < plan->nleaf; k += taken) {
		taken = join_table(plan, &plan->leaves[k], plan->nleaf - k);
		if (taken == 0)
			return false;
		plan->leaves[kept++] = plan->leaves[k];
	}
	plan->nleaf = kept;
	return true;
}
