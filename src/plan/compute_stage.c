/* compute_stage.c -- how a block of what computes goes by a stage in L1.
 *
 * In     the leaf that computes, with its loops over blocks and those of a block
 * Out    what is read goes to the stage, side by side as in dst, and is computed as it leaves; or, where
 *        elements become shorter, it is computed as it is read, and the stage has results, side by side as in
 *        the source, which are moved as they leave
 * Keeps  which elements meet
 * Tests  tests/property/test_moves.c, tests/unit/test_beside.c
 */
#include "plan/compute.h"
#include "plan/join_block.h"

#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64 };

/* ---- the stage ---- */

/* Strides of the block's loops in the stage: what is side by side in dst is so there; other rows lie a line
 * further than they are long, so that they do not meet in one set of the cache. Returns the bytes. */
static int64_t lay_stage(const vf_leaf *leaf, int depth, int64_t from, int64_t to, int64_t *strides)
{
	int64_t bytes = from, run = to;
	for (int k = leaf->nloop - 1; k >= depth; k--) {
		bool joined = leaf->loops[k].dst == run && bytes % from == 0;
		if (!joined)
			bytes = (bytes + 127) / 64 * 64;
		strides[k] = bytes;
		run = joined ? run * leaf->loops[k].extent : 0;
		bytes *= leaf->loops[k].extent;
	}
	return bytes;
}

/* Gives loops of the block their tails again, after the gatherer's strategy has put them in its order. A loop
 * is known by its steps; its loop over chunks is the same one as before. */
static void restore_tails(vf_leaf *leaf, int depth, const vf_span *before, int n)
{
	for (int k = depth; k < leaf->nloop; k++)
		for (int j = 0; j < n; j++)
			if (vf_needs_chunk(&before[j]) && leaf->loops[k].dst == before[j].dst &&
			    leaf->loops[k].src == before[j].src) {
				leaf->loops[k].tail = before[j].tail;
				leaf->loops[k].back = k - 1 - (depth + j - 1 - before[j].back);
			}
}

/* Makes units of short rows. */
static void join_unit(vf_leaf *gather, int depth)
{
	const vf_span *line = &gather->loops[gather->nloop - 1];
	if (gather->table || gather->source < 0 || gather->nloop - depth < 2 ||
	    line->dst != gather->unit_bytes || line->src != line->dst || line->tail != line->extent)
		return;
	gather->unit_bytes *= line->extent;
	gather->nloop--;
}

/* Makes one unit of elements that change places side by side: a pick. Not of a loop that is cut, nor of all
 * that the block has. */
static void join_places(vf_planner *p, vf_leaf *gather, int depth)
{
	vf_leaf joined = *gather;
	const int taken = vf_join_block(p->plan, &joined, 1);
	bool whole = taken == 1 && joined.nloop > depth;
	p->failed = p->failed || taken < 0;
	for (int k = joined.nloop; k < gather->nloop; k++)
		whole = whole && !vf_needs_chunk(&gather->loops[k]);
	if (whole)
		*gather = joined;
}

/* The leaf that fills the stage: the block's loops, from the source, `unit` bytes an element. */
static void make_gatherer(vf_planner *p, vf_leaf *gather, const vf_leaf *leaf, int depth, int64_t unit,
                          const int64_t *strides)
{
	vf_span before[256];
	gather->nloop = leaf->nloop;
	memcpy(gather->loops, leaf->loops, (size_t)leaf->nloop * sizeof *leaf->loops);
	for (int k = depth; k < leaf->nloop; k++)
		gather->loops[k].dst = strides[k];
	gather->unit_bytes = unit;
	vf_merge_alike(gather, 1, depth);
	join_places(p, gather, depth);
	const int n = gather->nloop - depth;
	for (int k = depth; k < gather->nloop; k++) {
		before[k - depth] = gather->loops[k];
		if (vf_is_cut(&gather->loops[k]) && gather->loops[k].src < 0)
			gather->keeps_order = true;
		gather->loops[k].tail = gather->loops[k].extent;
		gather->loops[k].back = 0;
	}
	gather->only_reads = false;
	join_unit(gather, depth);
	vf_leaf_shape(gather, depth);
	vf_leaf_choose(gather, depth, 0);
	restore_tails(gather, depth, before, n);
	bool planes = gather->strategy == VF_INTERLEAVE || gather->strategy == VF_DEINTERLEAVE;
	if (planes && vf_is_cut(vf_last_loop(gather))) { /* no call takes fewer planes */
		gather->strategy = VF_UNITS;
		gather->ninner = 1;
	}
}

/* ---- the leaf that computes ---- */

/* Lets the leaf read a stage with these strides. */
static void read_stage(vf_leaf *leaf, int depth, const int64_t *strides)
{
	leaf->source = 0;
	leaf->src = 0;
	leaf->reads_stage = true;
	for (int k = 0; k < leaf->nloop; k++)
		leaf->loops[k].src = k < depth ? 0 : strides[k], leaf->loops[k].list = 0;
}

/* Makes the stage of what is read, and behind it those of operands. */
void vf_make_stages(vf_planner *p, vf_leaf *leaf, int depth)
{
	vf_computation *c = (vf_computation *)(uintptr_t)leaf->compute;
	vf_leaf *operands = leaf - c->noperand, *base = operands - 1;
	int64_t strides[512];
	c->stage_bytes = lay_stage(leaf, depth, c->from, c->to, strides);
	make_gatherer(p, base, leaf, depth, c->from, strides);
	read_stage(leaf, depth, strides);
	for (int k = 0; k < c->noperand; k++) {
		const int64_t one = c->sweeps.operand_bytes[k];
		if (c->operand_at[k] < 0)
			continue;
		c->operand_at[k] = (c->stage_bytes + LINE - 1) / LINE * LINE + LINE;
		c->stage_bytes = c->operand_at[k] + lay_stage(&operands[k], depth, one, c->to, strides);
		make_gatherer(p, base - c->noperand + k, &operands[k], depth, one, strides);
		read_stage(&operands[k], depth, strides);
	}
	if (p->plan->scratch_bytes < c->stage_bytes + LINE)
		p->plan->scratch_bytes = c->stage_bytes + LINE;
}

/* ---- computed first ---- */

/* Are a few planes of the source, each with the loop `run`, put together into pixels? */
static bool are_planes(const vf_leaf *leaf, const vf_span *run)
{
	const vf_span *planes = vf_last_loop(leaf);
	return planes != run && planes->dst == leaf->compute->to && vf_few(planes->extent);
}

/* Are these long planes whose elements become no shorter than half? Without second values they are better
 * moved first, as what is next is asked for while they leave (f32 [8,3,720,1280] to pixels of f16 0.67 of the
 * fastest copy, computed first 0.63). */
static bool are_long_halves(const vf_planner *p, const vf_leaf *leaf, const vf_span *run)
{
	enum { LONG = 2048 };
	const vf_computation *c = leaf->compute;
	return p->stream && c->noperand == 0 && are_planes(leaf, run) && 2 * c->to >= c->from &&
	       run->extent * c->from >= LONG;
}

/* Second values of planes are one for all of a run there, and change from element to element in pixels (Zen
 * 4, of the fastest copy, moved first and computed first: f32 planes times a value each plus another, to
 * pixels of u8 0.24 and 0.43, of f16 0.34 and 0.50, of f32 0.42 and 0.50). */
bool vf_may_compute_first(const vf_planner *p, const vf_leaf *leaf)
{
	const vf_computation *c = leaf->compute;
	const vf_span *run = NULL;
	bool forwards = true;
	for (int k = 0; k < leaf->nloop; k++) {
		run = leaf->loops[k].src == c->from ? &leaf->loops[k] : run;
		forwards = forwards && !vf_is_uneven(&leaf->loops[k]) && leaf->loops[k].src > 0;
	}
	if (!run || !forwards || p->plan->nplace > 1 || leaf->source < 0 ||
	    !vf_operands_follow(leaf, (int)(run - leaf->loops)))
		return false;
	return c->to < c->from ? !are_long_halves(p, leaf, run)
	                       : c->to == c->from && c->noperand > 0 && are_planes(leaf, run);
}

/* Lets loop j - 1 stand inside loop j. */
static void swap_loops(vf_leaf *leaf, int j)
{
	const vf_span s = leaf->loops[j];
	leaf->loops[j] = leaf->loops[j - 1], leaf->loops[j - 1] = s;
	leaf->loops[j].back += vf_needs_chunk(&leaf->loops[j]);
	leaf->loops[j - 1].back -= vf_needs_chunk(&s);
}

/* Puts the loops from `depth` on in the order of the source, the nearest last, and those of the operands in
 * the same one. False where that one is no run of it. */
static bool order_as_read(vf_leaf *leaf, int depth)
{
	for (int k = depth + 1; k < leaf->nloop; k++)
		for (int j = k; j > depth && leaf->loops[j - 1].src < leaf->loops[j].src; j--)
			for (int i = 0; i <= leaf->compute->noperand; i++)
				swap_loops(leaf - i, j);
	return leaf->loops[leaf->nloop - 1].src == leaf->compute->from;
}

/* Lays results in the stage as elements lie in the source, but without gaps; rows begin at lines. Sets the
 * steps of `read`, of its operands, and of `leaf`, which has the same loops in another order. Returns the
 * bytes. */
static int64_t lay_results(vf_leaf *read, vf_leaf *leaf, int depth, int64_t to)
{
	int64_t bytes = to, run = read->compute->from;
	for (int k = read->nloop - 1; k >= depth; k--) {
		vf_span *s = &read->loops[k];
		if (s->src != run)
			bytes = (bytes + 127) / 64 * 64;
		run = s->src * s->extent;
		for (int j = depth; j < leaf->nloop; j++)
			if (leaf->loops[j].dst == s->dst && leaf->loops[j].src == s->src)
				leaf->loops[j].src = bytes;
		for (int i = 0; i <= read->compute->noperand; i++)
			read[-i].loops[k].dst = bytes;
		bytes *= s->extent;
	}
	return bytes;
}

/* Chooses the cheapest strategy for results to leave the stage. False where it should stream and does not. */
static bool choose_mover(vf_planner *p, vf_leaf *mover, int depth)
{
	vf_span before[256];
	const int n = mover->nloop - depth;
	for (int k = depth; k < mover->nloop; k++) {
		before[k - depth] = mover->loops[k];
		mover->loops[k].tail = mover->loops[k].extent;
		mover->loops[k].back = 0;
	}
	vf_leaf_shape(mover, depth);
	vf_leaf_choose(mover, depth, 0);
	restore_tails(mover, depth, before, n);
	mover->stream = p->stream && vf_leaf_streams(mover, p->machine->lines);
	mover->pairs = p->machine->cpu.pairs;
	const bool planes = mover->strategy == VF_INTERLEAVE || mover->strategy == VF_DEINTERLEAVE;
	return mover->stream == p->stream && !(planes && vf_is_cut(vf_last_loop(mover)));
}

static void copy_loops(vf_leaf *to, const vf_leaf *from)
{
	to->nloop = from->nloop;
	memcpy(to->loops, from->loops, (size_t)from->nloop * sizeof *from->loops);
}

bool vf_compute_first(vf_planner *p, vf_leaf *leaf, int depth)
{
	vf_computation *c = (vf_computation *)(uintptr_t)leaf->compute;
	const int n = c->noperand;
	vf_leaf *read = leaf - n - 1, mover = *leaf;
	vf_span loops[256];
	memcpy(loops, leaf->loops, (size_t)leaf->nloop * sizeof *loops);
	for (int k = 0; k <= n; k++) /* its operands stand before it, as before */
		copy_loops(read - k, leaf - k);
	read->compute = c;
	mover.loops = loops, mover.compute = NULL, mover.source = 0, mover.src = 0;
	mover.reads_stage = true;
	const int64_t bytes = order_as_read(read, depth) ? lay_results(read, &mover, depth, c->to) : 0;
	for (int k = 0; k < depth; k++)
		loops[k].src = 0, loops[k].list = 0;
	if (bytes == 0 || !choose_mover(p, &mover, depth)) {
		read->compute = NULL;
		return false;
	}
	memcpy(leaf->loops, loops, (size_t)mover.nloop * sizeof *loops);
	mover.loops = leaf->loops;
	*leaf = mover;
	read->strategy = VF_APPLY, read->unit_bytes = c->to, read->only_reads = false;
	c->first = true, c->stage_bytes = bytes;
	for (int k = 0; k < n; k++)
		c->operand_at[k] = -1;
	vf_merge_rows(read - n, n + 1, depth);
	read->ninner = vf_loops_left(read, depth, 2);
	if (p->plan->scratch_bytes < bytes + LINE)
		p->plan->scratch_bytes = bytes + LINE;
	return true;
}
