/* join_block.c -- leaves that together fill a block: see join_block.h.
 *
 * In     leaves in ascending order of dst, their loops whole
 * Out    one leaf with a table of where each byte of a block comes from
 * Keeps  the bytes that move
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/join_block.h"

#include "plan/strategies/strategies.h"

#include <string.h>

enum { FEW_PLACES = 4, MANY_PLACES = 8, MOST_PLACES = 16, HALF_LINE = 32 };

/* Where a byte of a block comes from. */
typedef struct origin {
	int source; /* -1: a constant, `at` */
	int64_t at; /* counted like leaf->src */
} origin;

typedef struct block {
	int64_t dst, dst_bytes;
	const vf_leaf *reads; /* the first leaf that reads a source; its loops are the block's */
	origin from[VF_MOST_BLOCK];
	int64_t known; /* bytes whose origin is known */
	int nplace;
	origin places[MOST_PLACES]; /* windows of VF_MOST_BLOCK bytes that hold all that is read */
	bool constants;
} block;

/* Adds the bytes that the leaf's loops [k, nloop) write at one index of those outside; false if one lies
 * outside the block. */
static bool add_bytes(block *b, const vf_leaf *leaf, int k, int64_t dst, int64_t src)
{
	if (k < leaf->nloop) {
		const vf_span *s = &leaf->loops[k];
		for (int64_t i = 0; i < s->extent; i++)
			if (!add_bytes(b, leaf, k + 1, dst + i * s->dst, src + vf_span_src(s, i)))
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
			covered = b->places[p].source == o->source &&
			          o->at - b->places[p].at < VF_MOST_BLOCK && o->at >= b->places[p].at;
		if (!covered && (!lowest || o->at < lowest->at))
			lowest = o;
	}
	return lowest;
}

/* Finds the block's places. False where there are too many, or none. */
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

/* Are these just the bytes of one place, in order? That needs no table. */
static bool plain(const block *b)
{
	bool in_order = b->nplace == 1 && !b->constants;
	for (int64_t k = 0; k < b->dst_bytes && in_order; k++)
		in_order = b->from[k].at == b->places[0].at + k;
	return in_order;
}

/* Does leaf y run the first `outer` loops of x? A fill reads nothing, so its steps in the source do not
 * count. */
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
	return !next->table && !vf_leaf_has_list(next) && next->nloop >= outer &&
	       runs_loops(model, next, outer) && next->dst - b->dst < b->dst_bytes;
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

static bool of_one_source(const block *b)
{
	for (int p = 1; p < b->nplace; p++)
		if (b->places[p].source != b->places[0].source)
			return false;
	return !b->constants;
}

/* Can a transposition pack blocks that are far apart in the source (strategies/pack.c)? It can if another of
 * their loops is near there; else they go one by one. Where a loop runs from unit to unit, blocks from all
 * over need no packing. */
static bool can_be_packed(const block *b, int outer)
{
	bool near = false, compact = b->nplace == 1 && window(b) <= b->dst_bytes;
	for (int k = 0; k < outer - 1; k++) {
		const vf_span *s = &b->reads->loops[k];
		if (!compact && vf_magnitude(s->src) == b->reads->unit_bytes)
			return false;
		near = near || (!s->table && vf_magnitude(s->src) > 0 &&
		                vf_magnitude(s->src) <= VF_MOST_BLOCK && s->extent >= VF_FEWEST_PACKED);
	}
	return near && of_one_source(b) && vf_fast_unit(b->dst_bytes);
}

/* Do blocks so far apart leave gaps in the source that a loop outside reads? Of units side by side it is 16
 * bytes of them (Zen 5, of the fastest copy, put together and transposed: u8 [8,128,64,64] in patches of 16
 * by 16, turned, 0.06 and 0.34, of 11 pictures 0.06 and 0.17, of 5 0.12 and 0.10). */
static bool leaves_gaps(const block *b, int outer)
{
	enum { FEW_BYTES = 16 };
	for (int k = 0; k < outer - 1; k++) {
		const vf_span *s = &b->reads->loops[k];
		int64_t between = vf_magnitude(b->reads->loops[outer - 1].src);
		if (!s->table && vf_magnitude(s->src) > 0 && vf_magnitude(s->src) < between &&
		    ((s->extent - 1) * vf_magnitude(s->src) > FEW_BYTES ||
		     (vf_magnitude(s->src) == b->reads->unit_bytes &&
		      s->extent * vf_magnitude(s->src) >= FEW_BYTES)))
			return true;
	}
	return false;
}

/* Is there one loop inside `outer`, and does a codelet take it: one that makes planes or pixels, or a
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

/* Does a loop outside of the blocks read side by side? (Pictures of f32 to planes, pixels of 16 pictures:
 * 0.26 of the fastest copy put together, transposed 0.79; of 9 0.31 and 0.36, of 8 0.48 and 0.36.) */
static bool reads_near(const block *b, int outer)
{
	bool near = false;
	for (int k = 0; k < outer - 1; k++)
		near = near || (!b->reads->loops[k].table &&
		                vf_magnitude(b->reads->loops[k].src) == b->reads->unit_bytes);
	return near;
}

/* Is it a column of many units, each from a place of its own? `pick` takes a permutation for each place, so
 * transposing is faster (windows of 16 rows of u16 pixels of 4, turned: 0.12 of the fastest copy, transposed
 * 0.21; but of 10 rows 0.14, 0.12, and of 12 rows of bytes 0.12, 0.09; Zen 4. A Xeon with
 * AMX, 16 rows of bytes of patches of 16 pixels of 3 0.16, 0.46; of 10 rows 0.32, 0.18). */
static bool is_tall(const block *b, const vf_leaf *leaf, int outer)
{
	enum { TALL = 16 };
	return outer == leaf->nloop - 1 && b->nplace > MANY_PLACES && b->dst_bytes >= TALL &&
	       b->nplace * leaf->unit_bytes == b->dst_bytes;
}

/* Is it to be a block? Leaves in an even row are none: they are planes of the source, or one more loop. Nor
 * is one leaf whose blocks are far apart and come from all over: it gathers. */
static bool is_block(const block *b, const vf_leaf *leaf, int taken, int outer)
{
	if (!b->reads || plain(b))
		return false;
	int64_t apart = vf_magnitude(b->reads->loops[outer - 1].src);
	if (apart > VF_MOST_BLOCK && !can_be_packed(b, outer))
		return false;
	const int64_t unit = b->reads->unit_bytes;
	const bool windows = apart > 0 && unit % apart == 0 && (apart > 1 || b->dst_bytes > HALF_LINE);
	if (b->nplace > FEW_PLACES &&
	    (apart == unit || windows ||
	     (b->nplace > MANY_PLACES && b->dst_bytes > HALF_LINE && reads_near(b, outer))))
		return false; /* transposed; u16 windows of 3 planes 0.28 of the fastest copy, so 0.35 */
	if (taken == 1 && is_tall(b, leaf, outer))
		return false;
	if (taken == 1 && b->nplace == 1 && window(b) <= b->dst_bytes)
		return true;
	if (taken == 1 && apart <= VF_MOST_BLOCK)
		return apart > 0 && !has_codelet(leaf, outer) && !leaves_gaps(b, outer);
	if (taken == 1)
		return true;
	return b->nplace == 1 || b->constants || vf_count_even(leaf, taken) < taken;
}

/* Finds a block inside `outer` loops of leaf[0], made of as many of the n leaves as it takes. Returns their
 * number, or 0. */
static int find_block(const vf_leaf *leaf, int n, int outer, block *b)
{
	int64_t bytes = leaf->loops[outer - 1].dst;
	*b = (block){.dst = leaf->dst, .dst_bytes = bytes};
	if (bytes > VF_MOST_BLOCK)
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

/* The entry of the block's table for a byte. */
static uint16_t entry_of(const block *b, origin o)
{
	if (o.source < 0)
		return (uint16_t)(0x8000 | o.at);
	for (int p = 0; p < b->nplace; p++)
		if (b->places[p].source == o.source && o.at >= b->places[p].at &&
		    o.at - b->places[p].at < VF_MOST_BLOCK)
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

int vf_join_block(vf_plan *plan, vf_leaf *leaf, int n)
{
	enum { LONG = 256 };
	block b;
	int most = 0, inside = 0;
	for (int outer = leaf->nloop; outer > 0 && leaf->loops[outer - 1].dst <= VF_MOST_BLOCK; outer--) {
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
