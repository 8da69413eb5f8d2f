/* join.c -- neighbouring leaves to one: see join.h.
 *
 * In     leaves in ascending order of dst, their loops whole
 * Out    fewer leaves. Two rules, each of which replaces leaves [a, b) of one source by one leaf:
 *          even   the same loops, dst and src a constant step apart each: one more loop (b - a: steps)
 *          block  the same outer loops, and together every byte of a block of at most 64 bytes, each from a
 *                 block of at most 64 bytes of the source: a table of which byte comes from where
 *        A single leaf whose inner loops do not read side by side is a block too
 * Keeps  the bytes that move
 * Ends   each joining removes a leaf or gives it a table
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/join.h"

#include <string.h>

enum { MOST_BLOCK = 64 };

/* ---- leaves in an even row ---- */

static bool same_loops(const vf_leaf *x, const vf_leaf *y, int nloop)
{
	return memcmp(x->loops, y->loops, (size_t)nloop * sizeof *x->loops) == 0;
}

static bool alike(const vf_leaf *x, const vf_leaf *y)
{
	return x->source >= 0 && x->source == y->source && x->unit_bytes == y->unit_bytes && !x->table && !y->table &&
	       x->nloop == y->nloop && same_loops(x, y, x->nloop);
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
	if (outer->dst != inner->extent * inner->dst || outer->src != inner->extent * inner->src)
		return;
	int64_t extent = outer->extent * inner->extent;
	*outer = (vf_span){extent, extent, inner->dst, inner->src};
	leaf->nloop--;
	memmove(inner, inner + 1, (size_t)(leaf->nloop - k - 1) * sizeof *inner);
}

/* The loop goes where its dst stride belongs, outermost first, and what chains then becomes one. */
static void join_even(vf_leaf *leaf, int n)
{
	vf_span loop = {n, n, leaf[1].dst - leaf->dst, leaf[1].src - leaf->src};
	int at = leaf->nloop++;
	for (; at > 0 && leaf->loops[at - 1].dst < loop.dst; at--)
		leaf->loops[at] = leaf->loops[at - 1];
	leaf->loops[at] = loop;
	merge(leaf, at);
	merge(leaf, at - 1);
	const vf_span *last = &leaf->loops[leaf->nloop - 1];
	if (last->dst == leaf->unit_bytes && last->src == leaf->unit_bytes) {
		leaf->unit_bytes *= last->extent;
		leaf->nloop--;
	}
}

/* ---- permuted blocks ---- */

typedef struct block {
	int64_t dst, src;         /* where it starts, on both sides */
	int64_t dst_bytes, src_bytes;
	int64_t from[MOST_BLOCK]; /* of each byte of it: the byte of the source, counted like leaf->src */
	int64_t known;            /* bytes that have one */
} block;

/* The bytes of leaf's loops [k, nloop) at one index of those outside; false if one lies outside the block. */
static bool add_bytes(block *b, const vf_leaf *leaf, int k, int64_t dst, int64_t src)
{
	if (k < leaf->nloop) {
		const vf_span *s = &leaf->loops[k];
		for (int64_t i = 0; i < s->extent; i++)
			if (!add_bytes(b, leaf, k + 1, dst + i * s->dst, src + i * s->src))
				return false;
		return true;
	}
	if (dst - b->dst + leaf->unit_bytes > b->dst_bytes)
		return false;
	for (int64_t i = 0; i < leaf->unit_bytes; i++)
		b->from[dst - b->dst + i] = src + i;
	b->known += leaf->unit_bytes;
	if (b->src > src)
		b->src = src;
	return true;
}

/* Is [src, src + src_bytes) all that is read? Reading side by side throughout needs no table. */
static bool permuted(const block *b)
{
	bool plain = true;
	for (int64_t k = 0; k < b->dst_bytes; k++) {
		if (b->from[k] - b->src >= b->src_bytes)
			return false;
		plain = plain && b->from[k] == b->src + k;
	}
	return !plain;
}

/* A block inside `outer` loops of leaf[0], of it and as many of the n leaves as it takes; their number, or 0. */
static int find_block(const vf_leaf *leaf, int n, int outer, block *b)
{
	const vf_span *step = &leaf->loops[outer - 1];
	*b = (block){.dst = leaf->dst, .src = leaf->src, .dst_bytes = step->dst, .src_bytes = step->src};
	if (step->dst > MOST_BLOCK || step->src > MOST_BLOCK || step->src < 1)
		return 0;
	for (int k = 0; k < n; k++) {
		bool fits = leaf[k].source == leaf->source && !leaf[k].table && leaf[k].nloop >= outer &&
		            same_loops(leaf, leaf + k, outer) && leaf[k].dst - leaf->dst < step->dst;
		if (!fits || !add_bytes(b, leaf + k, outer, leaf[k].dst, leaf[k].src))
			return 0;
		if (b->known == b->dst_bytes)
			return permuted(b) ? k + 1 : 0;
	}
	return 0;
}

static bool join_block(vf_plan *plan, vf_leaf *leaf, int outer, const block *b)
{
	unsigned char *table = vf_arena_alloc(&plan->arena, b->dst_bytes, 1);
	if (!table)
		return false;
	for (int64_t k = 0; k < b->dst_bytes; k++)
		table[k] = (unsigned char)(b->from[k] - b->src);
	leaf->table = table;
	leaf->unit_bytes = b->dst_bytes;
	leaf->block_bytes = b->src_bytes;
	leaf->src = b->src;
	leaf->nloop = outer;
	return true;
}

/* The smallest block that leaf[0] begins; how many leaves it takes, 0 if there is none, -1 out of memory. */
static int make_block(vf_plan *plan, vf_leaf *leaf, int n)
{
	block b;
	for (int outer = leaf->nloop; outer > 0 && leaf->source >= 0; outer--) {
		if (leaf->loops[outer - 1].dst > MOST_BLOCK)
			return 0;
		int taken = find_block(leaf, n, outer, &b);
		/* One leaf without loops inside its block is rows or a gather. */
		if (taken > 1 || (taken == 1 && outer < leaf->nloop))
			return join_block(plan, leaf, outer, &b) ? taken : -1;
	}
	return 0;
}

/* ---- entry ---- */

bool vf_join_leaves(vf_plan *plan)
{
	int kept = 0, taken;
	for (int k = 0; k < plan->nleaf; k += taken) {
		vf_leaf *leaf = &plan->leaves[k];
		taken = make_block(plan, leaf, plan->nleaf - k);
		if (taken < 0)
			return false;
		if (taken == 0 && (taken = count_even(leaf, plan->nleaf - k)) > 1)
			join_even(leaf, taken);
		plan->leaves[kept++] = *leaf;
	}
	plan->nleaf = kept;
	return true;
}
