/* compute_call.c -- what the codelet `apply` is given for a leaf that computes, and the best order of rows
 * that are read without a stage. compute.c makes the leaf.
 *
 * In     the leaf, its operands' leaves
 * Out    the pass: sweeps, strides, how far on to ask for what is read later
 * Tests  tests/property/test_moves.c, tests/unit/test_emit.c
 */
#include "plan/compute.h"

#include "codelets/chain.h"
#include "plan/strategy.h"

#include <string.h>

void vf_packing_pass(const vf_computation *c, vf_pass *pass)
{
	*pass = (vf_pass){
	    .from = c->from, .to = c->to, .dst_stride = c->to, .nsweep = c->sweeps.n, .sweeps = c->sweeps.of};
}

/* How far the first rows of groups are apart in what x reads; 0: rows go on from group to group, or there are
 * no groups. */
static int64_t between_groups(const vf_leaf *x, const vf_leaf *leaf)
{
	const vf_computation *c = leaf->compute;
	const int64_t step = x == leaf ? c->src_group : c->operand_group[x - vf_operands(leaf)];
	return c->group && step != c->group * vf_last_loop(x)[-1].src ? step : 0;
}

/* How far on x reads some KiB later: the same place in the next call, or, where all is read as it lies, some
 * rows on, or some groups, or calls of few rows. Where the next calls read beside these rows, it is there. 0:
 * what is read is one run, which the processor follows by itself. */
static int64_t later_of(const vf_leaf *x, const vf_leaf *leaf)
{
	enum { SOON = 4096, BESIDE = 256, MOST_BESIDE = 32 << 10 };
	const vf_span *line = vf_last_loop(x);
	const int stop = leaf->nloop - leaf->ninner;
	const int64_t row = line->extent * vf_magnitude(line->src);
	if (x != leaf && leaf->compute->stays >> (x - vf_operands(leaf)) & 1)
		return 0;
	const bool streams = leaf->compute->first ? leaf[leaf->compute->noperand + 1].stream : leaf->stream;
	if (!streams || leaf->compute->later)
		return x->source >= 0 && line->src > 0 ? leaf->compute->later : 0;
	if (x->source < 0)
		return 0;
	if (leaf->compute->staged || leaf->compute->crossed)
		return stop > 0 ? x->loops[stop - 1].src : 0;
	if (leaf->ninner < 2 || row == 0 || line[-1].list)
		return 0;
	const int64_t group = between_groups(x, leaf), rows = line[-1].extent * row;
	if (x == leaf && leaf->compute->next_beside)
		return leaf->compute->next_beside;
	if (group)
		return group * (SOON / (row * leaf->compute->group) + 1);
	if (line[-1].src == row)
		return 0;
	if (stop > 0 && x->loops[stop - 1].src == row && rows <= MOST_BESIDE)
		return (BESIDE + row - 1) / row * row;
	return stop > 0 && rows <= SOON ? x->loops[stop - 1].src * (SOON / rows + 1)
	                                : line[-1].src * (SOON / row + 1);
}

void vf_pass_of(const vf_leaf *leaf, vf_pass *pass)
{
	const vf_computation *c = leaf->compute;
	const int line = leaf->nloop - 1;
	*pass = (vf_pass){.from = c->from, .to = c->to, .dst_stride = leaf->loops[line].dst};
	pass->nsweep = c->sweeps.n;
	pass->noperand = c->noperand;
	pass->sweeps = c->sweeps.of;
	for (int k = 0; k < c->noperand; k++) {
		const vf_span *loops = vf_operands(leaf)[k].loops;
		pass->operand_bytes[k] = c->sweeps.operand_bytes[k];
		pass->operand_stride[k] = loops[line].src;
		pass->operand_step[k] = leaf->ninner > 1 ? loops[line - 1].src : 0;
		pass->operand_later[k] = c->operand_at[k] < 0 ? later_of(&vf_operands(leaf)[k], leaf) : 0;
	}
	pass->group = c->group, pass->dst_group = c->dst_group, pass->src_group = c->src_group;
	memcpy(pass->operand_group, c->operand_group, sizeof c->operand_group);
	if (!c->staged || c->first)
		pass->later = later_of(leaf, leaf);
}

enum { FEW_ROWS = 64, ROW_BYTES = 256 };

/* As many as 256 bytes of the source have: pieces of that length are read nearly as fast as one run. */
int64_t vf_crossed_rows(const vf_computation *c, int64_t extent)
{
	const int64_t most = ROW_BYTES / c->from;
	return extent < most ? extent : most;
}

bool vf_operands_follow(const vf_leaf *leaf, int loop)
{
	bool all = true;
	for (int k = 0; k < leaf->compute->noperand; k++) {
		const vf_span *second = &vf_operands(leaf)[k].loops[loop];
		const int64_t bytes = leaf->compute->sweeps.operand_bytes[k];
		all = all && !second->list && (second->src == 0 || second->src == bytes);
	}
	return all;
}

/* Is a row of n elements good for parts? If it ends inside a part, its last part begins earlier, and some
 * elements are computed twice. */
static bool parts_fit(int64_t n)
{
	enum { PART = 128 };
	return n >= PART && (n + PART - 1) / PART * PART - n <= n / 4;
}

int vf_crossed_loop(const vf_planner *p, const vf_leaf *leaf)
{
	enum { LINE = 64 };
	const int last = leaf->nloop - 1;
	const vf_span *line = &leaf->loops[last];
	vf_pass pass;
	fused chain;
	int near = -1;
	vf_packing_pass(leaf->compute, &pass);
	if (!p->stream || !p->machine->lines || leaf->source < 0 || line->list ||
	    line->dst != leaf->compute->to || !parts_fit(line->extent) || vf_magnitude(line->src) < LINE ||
	    !fuse(&pass, &chain) || !vf_operands_follow(leaf, last))
		return -1;
	for (int k = 0; k < last; k++) {
		const vf_span *s = &leaf->loops[k];
		near = !s->list && s->src == leaf->compute->from && s->extent >= FEW_ROWS ? k : near;
	}
	return near;
}

/* ---- loops of a block ---- */

static bool joins(const vf_leaf *l, int k)
{
	const vf_span *s = &l->loops[k];
	return s[0].dst == s[1].dst * s[1].extent && s[0].src == s[1].src * s[1].extent && !s[0].list &&
	       !s[1].list;
}

void vf_merge_alike(vf_leaf *first, int n, int depth)
{
	vf_leaf *leaf = &first[n - 1];
	for (int k = leaf->nloop - 2; k >= depth; k--) {
		bool all = !vf_is_cut(&leaf->loops[k + 1]);
		for (int j = 0; j < n && all; j++)
			all = joins(&first[j], k);
		if (!all)
			continue;
		for (int j = 0; j < n; j++) {
			vf_span *s = &first[j].loops[k];
			s[1].tail = s[0].tail * s[1].extent, s[1].back = s[0].back;
			s[1].extent *= s[0].extent;
			memmove(s, s + 1, (size_t)(first[j].nloop - k - 1) * sizeof *s);
			first[j].nloop--;
			for (int i = k + 1; i < first[j].nloop; i++)
				first[j].loops[i].back -= vf_is_cut(&first[j].loops[i]);
		}
	}
}

/* Are the three loops from `at` on one run in dst? */
static bool is_one_run(const vf_leaf *leaf, int at)
{
	const vf_span *groups = &leaf->loops[at], *rows = groups + 1, *line = groups + 2;
	return line->dst == leaf->compute->to && rows->dst == line->dst * line->extent &&
	       groups->dst == rows->dst * rows->extent;
}

/* Makes two loops of three that are one run in dst: groups of rows become one loop of rows. Where they are
 * one run in what x reads, second values change from row to row, or from group to group, and a group alone
 * would be short for a call. The same for rows that vf_take_rows_beside() has put side by side. */
static void group_rows(vf_leaf *first, int n, int depth)
{
	enum { SHORT_ROW = 384 };
	const vf_leaf *leaf = &first[n - 1];
	vf_computation *c = (vf_computation *)(uintptr_t)leaf->compute;
	const int at = leaf->nloop - 3;
	const vf_span *groups = &leaf->loops[at], *rows = groups + 1, *line = groups + 2;
	if (at < depth || c->crossed || vf_is_cut(rows) || groups->list || rows->list || line->list)
		return;
	const bool one_run = joins(leaf, at) && joins(leaf, at + 1);
	if (one_run ? c->noperand == 0 || line->extent >= SHORT_ROW
	            : !c->staged && !c->beside && !is_one_run(leaf, at))
		return;
	c->group = rows->extent, c->dst_group = groups->dst, c->src_group = groups->src;
	for (int k = 0; k < c->noperand; k++)
		c->operand_group[k] = vf_operands(leaf)[k].loops[at].src;
	for (vf_leaf *l = first; l < first + n; l++) {
		vf_span *s = &l->loops[at];
		s[1].extent = s[0].extent * c->group, s[1].tail = s[0].tail * c->group;
		s[1].back = s[0].back;
		s[0] = s[1], s[1] = s[2];
		s[1].back -= vf_is_cut(&s[1]);
		l->nloop--;
	}
}

void vf_merge_rows(vf_leaf *first, int n, int depth)
{
	vf_merge_alike(first, n, depth);
	group_rows(first, n, depth);
}

/* ---- rows side by side ---- */

enum { FEW_BESIDE = 8 }; /* fewer are not put so */

/* A divisor of a loop's extent, the largest up to `most`, or a larger one where that would be small. */
static int64_t even_rows(int64_t extent, int64_t most)
{
	int64_t rows = extent < most ? extent : most, more = rows;
	while (extent % rows != 0)
		rows--;
	while (rows < most / 4 && more < 2 * most && extent % more != 0)
		more++;
	return rows < most / 4 && extent % more == 0 ? more : rows;
}

/* Do rows of the last loop but one have those of the loop outside of it between them in the source? Heads of
 * tokens do. */
static bool are_beside(const vf_leaf *leaf)
{
	const vf_span *outer = &leaf->loops[leaf->nloop - 3], *rows = outer + 1, *line = outer + 2;
	const int64_t step = vf_magnitude(outer->src);
	return !outer->list && !rows->list && !line->list && line->src == leaf->compute->from && step > 0 &&
	       outer->extent > 1 && step * outer->extent <= vf_magnitude(rows->src);
}

bool vf_computed_crosses(const vf_leaf *leaf)
{
	if (!leaf->compute || leaf->source < 0 || leaf->nloop < 3)
		return false;
	const vf_span *line = vf_last_loop(leaf), *rows = line - 1;
	bool crosses = false;
	for (const vf_span *s = leaf->loops; s < rows; s++)
		crosses = crosses || (s->src != 0 && vf_magnitude(s->src) < vf_magnitude(rows->src));
	return crosses && !line->list && line->src == leaf->compute->from;
}

/* Are these rows one run in the source, and lines in dst, two or more? Where lines leave by pairs, they are
 * whole pairs. */
static bool are_one_run(const vf_planner *p, const vf_leaf *leaf, int at)
{
	enum { LINE = 64, PAIR = 128 };
	const vf_span *outer = &leaf->loops[at], *rows = outer + 1, *line = outer + 2;
	const int64_t row = line->extent * line->src, bytes = line->extent * line->dst,
		      whole = p->machine->cpu.pairs ? PAIR : LINE;
	bool lines = line->dst == leaf->compute->to && bytes >= PAIR && (bytes | leaf->dst) % whole == 0;
	for (int k = 0; k < at + 2; k++)
		lines = lines && leaf->loops[k].dst % whole == 0;
	return lines && outer->src == row && rows->src == row * outer->extent;
}

/* Are second values the same for all indices of a loop? */
static bool operands_stay(const vf_leaf *leaf, int loop)
{
	bool all = true;
	for (int k = 0; k < leaf->compute->noperand; k++)
		all = all && vf_operands(leaf)[k].loops[loop].src == 0;
	return all;
}

/* How many rows go side by side. More rows make longer pieces of dst, and each piece has two ends inside
 * lines. But the first cache must keep what is asked for of all these rows. (Zen 5, 26 shapes of rows of 16
 * to 400 bytes, of the fastest copy, by 32 rows or 2 KiB and by 128 rows or 16 KiB: 0.52 and 0.56, with AVX2
 * 0.40 and 0.45.) Where lines leave by pairs, the number is older, from a Xeon. */
static int64_t rows_beside(const vf_planner *p, int64_t extent, int64_t bytes)
{
	enum { ROWS = 128, BYTES = 16 << 10, ROWS_BY_PAIRS = 32, BYTES_BY_PAIRS = 2048 };
	return p->machine->cpu.pairs ? even_rows(extent, larger(ROWS_BY_PAIRS, BYTES_BY_PAIRS / bytes))
	                             : even_rows(extent, larger(ROWS, BYTES / bytes));
}

/* Few rows, so that the second cache keeps them and those that come next of the same kinds, which are asked
 * for meanwhile; 0: they do not fit it, or rows are so short that calls would count (Zen 4, of the fastest
 * copy, many rows and so: f32 heads of 80 to bf16 0.42 and 0.56, of 112 to f16 0.47 and 0.61, queries, keys
 * and values by heads of 80 0.43 and 0.55; but rows of 160 bytes 0.48 and 0.29). */
static int64_t few_beside(const vf_planner *p, const vf_leaf *leaf, int at)
{
	enum { ROWS = 32, SHORT_ROW = 256 };
	const vf_span *rows = &leaf->loops[at + 1], *line = rows + 1;
	const int64_t some = even_rows(rows->extent, ROWS);
	const bool fit = some >= FEW_BESIDE && line->extent * line->src >= SHORT_ROW &&
	                 some * vf_magnitude(rows->src) <= p->machine->cpu.l2_bytes / 2;
	return fit && !p->machine->cpu.pairs ? some : 0;
}

/* Puts the rows that lie between those of the last loop but one inside of it. */
static void go_as_read(vf_leaf *first, int n, int at)
{
	for (vf_leaf *l = first; l < first + n; l++) {
		const vf_span outer = l->loops[at];
		l->loops[at] = l->loops[at + 1];
		l->loops[at + 1] = outer;
	}
}

/* Lets `some` rows of one kind go, then as many of the next. */
static void go_beside(vf_leaf *first, int n, int at, int64_t some)
{
	for (vf_leaf *l = first; l < first + n; l++) {
		vf_span *s = &l->loops[at];
		const vf_span outer = s[0], rows = s[1];
		s[3] = s[2];
		s[0] = vf_plain_span(rows.extent / some, rows.dst * some, rows.src * some);
		s[1] = outer;
		s[2] = vf_plain_span(some, rows.dst, rows.src);
		l->nloop++;
	}
}

void vf_take_rows_beside(const vf_planner *p, vf_leaf *first, int n)
{
	const vf_leaf *leaf = &first[n - 1];
	const int at = leaf->nloop - 3;
	if (!p->stream || at < 0 || leaf->source < 0 || !are_beside(leaf) ||
	    !vf_operands_follow(leaf, at + 2) || !(p->machine->cpu.pairs || operands_stay(leaf, at)))
		return;
	vf_computation *c = (vf_computation *)(uintptr_t)leaf->compute;
	const vf_span *rows = &leaf->loops[at + 1], *line = rows + 1;
	const int64_t few = few_beside(p, leaf, at);
	const int64_t some = few ? few : rows_beside(p, rows->extent, line->extent * c->to);
	c->beside = are_one_run(p, leaf, at);
	if (c->beside) {
		go_as_read(first, n, at);
	} else if (some >= FEW_BESIDE && some < rows->extent) {
		c->next_beside = few * rows->src;
		go_beside(first, n, at, some);
	}
}
