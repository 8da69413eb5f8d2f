/* compute.c -- pieces that compute, in blocks.
 *
 * In     a piece in normal form, with its formula
 * Out    loops over blocks; a block is brought side by side to a stage in L1, by whichever strategy is
 *        cheapest, and leaves it by the codelet `apply`. Where the source lies side by side as dst does there
 *        is no stage
 * Keeps  which elements meet. Any strides are right: the codelet takes them all
 * How    a block takes the loops side by side in dst, up to RUN bytes, then those near in the source, up to
 *        NEAR, then more of the innermost one of dst, until it reads and writes BLOCK bytes; FIRST where the
 *        stage has results, which are shorter.
 *        Where lines of the source are far apart in dst, a block has CROSSING bytes, and its stage is in the
 *        second cache: then each line is read once, and pieces of rows are long (Zen 4, 4096 x 4096, of the
 *        fastest copy: f32 x.T - m 0.39 to 0.49, to f16 0.17 to 0.40, from f16 0.27 to 0.43)
 * Tests  tests/property/test_moves.c, tests/unit/test_apply_rows.c, tests/unit/test_beside.c
 */
#include "plan/compute.h"

#include "plan/group.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64, RUN = 512, LONG_RUN = 2048, FIRST_RUN = 3072, NEAR = 512, ENOUGH_UNITS = 32 };
enum { LONGEST = 256 << 10, MANY_BLOCKS = 64 };
enum { BLOCK = 40 << 10, FIRST = 80 << 10, CROSSING = 256 << 10, LONG = 64 << 10 };

/* ---- from words to leaves ---- */

/* `field` of each loop is the stride of what the leaf reads. */
static bool read_loops(vf_plan *plan, vf_leaf *leaf, const int64_t *words, int field)
{
	const int64_t *loop = vf_piece_loops(words);
	leaf->nloop = (int)words[VF_PIECE_LOOPS];
	leaf->capacity = leaf->nloop + VF_LEAF_SPARE;
	leaf->loops = vf_arena_alloc(&plan->arena, 2 * leaf->capacity, sizeof *leaf->loops);
	for (int k = 0; leaf->loops && k < leaf->nloop; k++, loop += vf_normal_loop_words(words)) {
		leaf->loops[k] = vf_plain_span(loop[0], loop[1], loop[field]);
		leaf->loops[k].list = field == 2 ? vf_normal_list(loop[3]) : 0;
	}
	return leaf->loops != NULL;
}

static vf_computation *read_compute(vf_plan *plan, const int64_t *words)
{
	vf_computation *c = vf_arena_alloc(&plan->arena, 1, sizeof *c);
	if (!c)
		return NULL;
	vf_normal_get_formula(words, &c->formula);
	vf_lower(&c->formula, &c->sweeps);
	c->from = vf_dtype_bytes(c->formula.from);
	c->to = vf_dtype_bytes(c->formula.to);
	c->noperand = (int)words[VF_PIECE_OPERANDS];
	return c;
}

bool vf_computed_read(vf_plan *plan, vf_leaf *leaf, const int64_t *words)
{
	const int64_t *operand = vf_normal_operands(words);
	vf_computation *c = read_compute(plan, words);
	if (!c)
		return false;
	const int n = c->noperand, all = 2 * n + 2;
	for (int k = 0; k < all; k++) {
		const int of = k < n ? k : k - n - 1; /* which operand's */
		const bool reads = k != n && k < all - 1;
		vf_leaf *l = &leaf[k];
		*l = (vf_leaf){.source = (int)words[VF_PIECE_SOURCE],
		               .dst = words[VF_PIECE_DST],
		               .src = words[VF_PIECE_SRC],
		               .unit_bytes = c->to};
		l->only_reads = k < all - 1;
		if (reads) {
			l->source = (int)operand[2 * of];
			l->src = operand[2 * of + 1];
		}
		if (!read_loops(plan, l, words, reads ? VF_NORMAL_LOOP + of : 2))
			return false;
		memcpy(l->fill, words + VF_PIECE_FILL, sizeof l->fill);
		l->fill_unit = c->from;
	}
	leaf->piece_leaves = all;
	leaf[all - 1].compute = c;
	leaf[all - 1].strategy = VF_APPLY;
	return true;
}

/* ---- blocks ---- */

/* For each loop of the piece, how many indices belong to a block. */
typedef struct blocking {
	vf_planner *p;
	vf_leaf *leaf; /* that computes */
	vf_computation *c;
	int64_t elements;
	int64_t extent[256], part[256];
	int64_t beside; /* bytes of an element of each operand that has a stage */
	bool first;     /* is to be computed before it is moved */
	bool crosses;   /* what is near in the source is far in dst, lines of it */
	int last;       /* the innermost loop: it runs side by side in dst, if any does */
} blocking;

/* How many indices of a loop a block has: all if that is at most `most`, else about so many that blocks are
 * even. If they are many, they are whole lines: `line` indices each. */
static int64_t even_part(int64_t extent, int64_t most, int64_t line)
{
	if (most >= extent)
		return extent;
	if (most < 1)
		return 1;
	int64_t parts = (extent + most - 1) / most, part = (extent + parts - 1) / parts;
	return part > 2 * line ? smaller((part + line - 1) / line * line, extent) : part;
}

/* The greatest divisor of the extent that is `most` at most and above half of it; else as even_part(). */
static int64_t whole_part(int64_t extent, int64_t most, int64_t line)
{
	for (int64_t part = smaller(most, extent); part > 1 && part > most / 2; part--)
		if (extent % part == 0)
			return part;
	return even_part(extent, most, line);
}

/* Let a block have about `n` indices of loop k. A line that lies backwards in the source is turned over on
 * its way to the stage. A shorter last block would then read before the source: so blocks are alike if they
 * can be. */
static void take(blocking *b, int k, int64_t n)
{
	const int64_t src = b->leaf->loops[k].src;
	const bool near = vf_magnitude(src) == b->c->from, backwards = near && src < 0 && k != b->last;
	int64_t line = k == b->last ? 64 / b->c->to : near ? 64 / b->c->from : 1;
	b->elements /= b->part[k];
	b->part[k] = backwards ? whole_part(b->extent[k], n, line) : even_part(b->extent[k], n, line);
	b->elements *= b->part[k];
}

/* Does each row of dst start where a line does? Else a piece of a row has lines in part at its ends. */
static bool on_lines(const blocking *b)
{
	bool all = true;
	for (int k = 0; k < b->last; k++)
		all = all && b->leaf->loops[k].dst % LINE == 0;
	return all;
}

static void take_run(blocking *b)
{
	int64_t bytes = b->c->to;
	const int64_t run = b->first ? FIRST_RUN : on_lines(b) ? RUN : LONG_RUN;
	for (int k = b->last; k >= 0 && bytes < run && b->leaf->loops[k].dst == bytes; k--) {
		take(b, k, (run + bytes - 1) / bytes);
		bytes *= b->part[k];
		if (b->part[k] < b->extent[k])
			break;
	}
}

/* How many bytes side by side a block reads so far, of which `read` are an element. */
static int64_t read_beside(const blocking *b, const vf_leaf *leaf, int64_t read)
{
	for (int k = 0; k <= b->last; k++) {
		const int64_t step = vf_magnitude(leaf->loops[k].src), bytes = step * b->part[k];
		if (step <= read && bytes > read)
			read = bytes, k = -1;
	}
	return read;
}

/* Of the loops that a block has not all indices of, the one with the shortest step in the source, at most
 * `reach`; -1: none. */
static int next_near(const blocking *b, const vf_leaf *leaf, int64_t reach)
{
	int best = -1;
	for (int k = 0; k <= b->last; k++) {
		int64_t step = vf_magnitude(leaf->loops[k].src);
		if (b->part[k] < b->extent[k] && step > 0 && step <= reach &&
		    (best < 0 || step < vf_magnitude(leaf->loops[best].src)))
			best = k;
	}
	return best;
}

static int64_t most_elements(const blocking *b)
{
	const int64_t l2 = b->p->machine->cpu.l2_bytes;
	const int64_t most = b->first ? FIRST : BLOCK;
	return (b->crosses ? larger(smaller(CROSSING, l2 / 4), most) : most) /
	       (b->c->from + b->c->to + b->beside);
}

/* The indices of loop k that a block takes: about NEAR bytes of the source, or the whole row where all of it
 * fits the second cache: then matrices that follow each other are read as one run (Zen 5, of the fastest
 * copy: f32 [908,43,256] by (0,2,1) less a value each row 0.39 and 0.62, [78,64,199] 0.35 and 0.65). A few
 * planes stay whole, as their codelets take all (f32 pixels of 12 to planes of f16 0.26 of the fastest copy,
 * and so 0.50; of 12 whose bytes are turned 0.28 and 0.43). */
static int64_t near_indices(const blocking *b, const vf_span *s, int64_t others)
{
	enum { FEW = 16, LONG_ROW = 2048 };
	const int64_t l2 = b->p->machine->cpu.l2_bytes, step = vf_magnitude(s->src);
	const int64_t all = others * s->extent * (b->c->from + b->c->to + b->beside);
	if (step * s->extent <= LONG_ROW && all <= smaller(CROSSING, l2 / 4))
		return s->extent;
	return smaller((NEAR + step - 1) / step, s->extent <= FEW ? FEW : most_elements(b) / others);
}

/* Adds loops that are near in the source, those of dst's run to their ends. */
static void take_near(blocking *b, const vf_leaf *leaf, int64_t read)
{
	read = read_beside(b, leaf, read);
	for (int k = next_near(b, leaf, read); k >= 0 && read < NEAR; k = next_near(b, leaf, read)) {
		const vf_span *s = &leaf->loops[k];
		const int64_t before = b->part[k];
		b->crosses = b->crosses || (before == 1 && vf_magnitude(s->src) * s->extent >= LINE);
		take(b, k, near_indices(b, s, b->elements / before));
		if (b->part[k] <= before)
			return;
		read = read_beside(b, leaf, vf_magnitude(s->src) * b->part[k]);
	}
}

/* Adds indices of the innermost loops, while the block is small. */
static void take_more(blocking *b, int64_t most)
{
	for (int k = b->last; k >= 0 && b->elements <= most / 2; k--)
		if (b->part[k] < b->extent[k] && (b->c->staged || !b->leaf->loops[k].list))
			take(b, k, most / (b->elements / b->part[k]));
}

/* Is what is read side by side, as it is written? Not short rows that a list names, which a stage makes one
 * run of. */
static bool reads_as_it_writes(const blocking *b)
{
	enum { SHORT_ROW = 256 };
	const vf_span *line = &b->leaf->loops[b->last];
	bool lists = false;
	for (int k = 0; k <= b->last; k++)
		lists = lists || b->leaf->loops[k].list;
	if (line->list || (lists && line->extent * b->c->from < SHORT_ROW))
		return false;
	return b->leaf->source < 0 || line->src == 0 || line->src == b->c->from;
}

/* Are rows short, and near each other in the source? Then a load brings several of them to a stage. (Zen
 * 4, of the fastest copy, row by row or by a relay, and by a stage: f32 pixels of 3 backwards, doubled,
 * 0.26 and 0.55, of 4 0.22 and 0.55, u8 pixels of 4 backwards to f32 0.42 and 0.67, three of four columns
 * of f32 0.41 and 0.63; but ten of 100 columns of u8 0.34 and 0.30.) */
static bool are_short_and_near(const blocking *b)
{
	enum { SHORT = 64, NEAR_ROWS = 64 };
	const vf_span *line = &b->leaf->loops[b->last];
	const int64_t row = line->extent * b->c->from;
	return b->last > 0 && b->leaf->source >= 0 && line->src == b->c->from && row < SHORT &&
	       line[-1].dst == line->extent * b->c->to && line[-1].src != row &&
	       vf_magnitude(line[-1].src) <= NEAR_ROWS;
}

/* Chooses the operands that have stages: those of many bytes that are neither one nor side by side along the
 * rows that are written. Where x is read as it lies and needs no stage, only those that are a line or more
 * apart. */
static void choose_operands(blocking *b, bool as_it_lies)
{
	enum { FEW_BYTES = 4 << 10 };
	const vf_leaf *operands = vf_operands(b->leaf);
	for (int k = 0; k < b->c->noperand; k++) {
		const int64_t one = b->c->sweeps.operand_bytes[k], step = operands[k].loops[b->last].src;
		int64_t bytes = one;
		for (int j = 0; j <= b->last && bytes < FEW_BYTES; j++)
			bytes *= operands[k].loops[j].src ? b->leaf->loops[j].extent : 1;
		const bool apart = step != 0 && step != one && (!as_it_lies || vf_magnitude(step) >= LINE);
		const bool staged = apart && bytes >= FEW_BYTES;
		b->c->operand_at[k] = staged ? 0 : -1;
		b->beside += staged ? one : 0;
	}
}

/* Elements of a block that is read as it lies. Where results are large a call does more, as it prepares
 * second values that come again (u8 pictures, (x - m) / s by channels: 0.73 of the fastest copy, so 0.80, a
 * Xeon with AMX). */
static int64_t most_unstaged(const blocking *b)
{
	const int64_t bytes = b->p->plan->out_bytes / MANY_BLOCKS;
	return smaller(larger(bytes, LONG), LONGEST) / (b->c->from + b->c->to);
}

static void choose_block(blocking *b)
{
	const bool as_it_lies = reads_as_it_writes(b) && !are_short_and_near(b);
	b->elements = 1;
	choose_operands(b, as_it_lies);
	for (int k = 0; k <= b->last; k++) {
		b->part[k] = 1;
		b->extent[k] = b->leaf->loops[k].extent;
	}
	const int crossed = vf_crossed_loop(b->p, b->leaf);
	b->c->crossed = crossed >= 0;
	if (b->c->crossed) {
		b->c->staged = false;
		b->part[b->last] = b->extent[b->last];
		b->part[crossed] = vf_crossed_rows(b->c, b->extent[crossed]);
		return;
	}
	b->c->staged = b->beside || !as_it_lies;
	if (!b->c->staged) {
		take_more(b, most_unstaged(b));
		return;
	}
	b->first = vf_may_compute_first(b->p, b->leaf);
	if (b->first)
		b->beside = 0;
	take_run(b);
	take_near(b, b->leaf, b->c->from);
	for (int k = 0; k < b->c->noperand; k++)
		if (b->c->operand_at[k] >= 0 && !b->first)
			take_near(b, &vf_operands(b->leaf)[k], b->c->sweeps.operand_bytes[k]);
	take_more(b, most_elements(b));
}

/* ---- loops over blocks, loops of a block ---- */

static bool is_cut_by(const blocking *b, int k)
{
	return b->part[k] > 1 && b->part[k] < b->extent[k];
}

/* Puts the loops over blocks first, then those of a block. Returns how many are over blocks. */
static int split_loops(const blocking *b, vf_leaf *leaf)
{
	vf_span inner[256];
	int over[256], nover = 0, n = 0;
	for (int k = 0; k <= b->last; k++) {
		vf_span s = leaf->loops[k];
		int64_t part = b->part[k], blocks = (s.extent + part - 1) / part;
		over[k] = nover;
		if (part > 1 || s.extent == 1) {
			inner[n] = s;
			inner[n].extent = part;
			inner[n].goes_on = s.list && part < s.extent;
			inner[n++].tail = s.extent - (blocks - 1) * part;
		}
		if (part == 1 && s.extent > 1)
			leaf->loops[nover++] = s;
		else if (part < s.extent)
			leaf->loops[nover++] = vf_plain_span(blocks, s.dst * part, s.src * part);
	}
	for (int k = 0, j = 0; k <= b->last; k++)
		if (b->part[k] > 1 || b->extent[k] == 1)
			inner[j].back = is_cut_by(b, k) ? nover + j - 1 - over[k] : 0, j++;
	memcpy(leaf->loops + nover, inner, (size_t)n * sizeof *inner);
	leaf->nloop = nover + n;
	return nover;
}

/* ---- the root ---- */

static vf_node *only_child(vf_planner *p, vf_node *node, vf_node child)
{
	node->children = vf_plan_alloc(p, VF_MOST_OPERANDS + 2, sizeof *node->children);
	if (!node->children)
		return NULL;
	node->children[0] = child;
	node->nchild = 1;
	return &node->children[0];
}

/* Asks ahead for what the next block reads, into the second cache. Into the first, if it is little beside
 * what is written, unless lines leave by that cache's buffers (Zen 4, u8 pixels to planes of f32 0.65 of the
 * fastest copy and 0.75; but f32 planes to pixels of f16 0.53 and 0.40). */
static void ask_ahead(const blocking *b, vf_node *node, const vf_leaf *base, int depth)
{
	enum { FEW_ROWS = 16, MUCH_MORE = 4 };
	vf_read_ahead(b->p, node, base, depth);
	const int64_t rows = node->ahead[0].parts * node->ahead[0].rows;
	node->ahead_first = !b->p->machine->cpu.pairs && rows <= FEW_ROWS &&
	                    b->c->to >= MUCH_MORE * b->c->from;
}

/* As many of the loops over blocks are units as it takes to share the work evenly; the others go in a node
 * inside. */
static vf_node blocks_node(blocking *b, int depth)
{
	vf_leaf *leaf = b->leaf;
	vf_node root = {.loops = leaf->loops}, *inside = &root;
	for (int64_t units = 1; units < ENOUGH_UNITS && root.nloop < depth; root.nloop++)
		units *= leaf->loops[root.nloop].extent;
	if (b->c->staged && root.nloop < depth)
		inside = only_child(b->p, &root,
		                    (vf_node){.depth = root.nloop,
		                              .nloop = depth - root.nloop,
		                              .loops = leaf->loops + root.nloop});
	vf_node computing = {.leaf = leaf, .depth = b->c->staged ? depth : root.nloop};
	if (!inside || !only_child(b->p, inside, computing))
		return root;
	if (b->c->staged) {
		const vf_leaf *base = leaf - b->c->noperand - 1;
		inside->nchild = 0;
		for (int k = 0; k < b->c->noperand; k++)
			if (b->c->operand_at[k] >= 0)
				inside->children[inside->nchild++] = (vf_node){
				    .leaf = vf_operand_reader(leaf, k), .depth = depth};
		inside->children[inside->nchild++] = (vf_node){.leaf = base, .depth = depth};
		inside->children[inside->nchild++] = computing;
		inside->computes = true;
		if (!b->c->first && inside->nloop > 0 && leaf->nloop - leaf->ninner == depth &&
		    (b->p->stream || b->p->plan->reads_memory) && !base->loops[depth - 1].list)
			ask_ahead(b, inside, base, depth);
	}
	return root;
}

/* How far on a run is asked for whose results stay in the caches, though what is read is in none; else 0.
 * (Zen 4, of the fastest copy, three shapes with margins by slabs: not asked for 0.33, 1 KiB ahead 0.26, 4
 * KiB 0.39, 16 KiB 0.50, 64 KiB 0.49.) */
static int64_t later_of_blocks(const vf_planner *p)
{
	enum { LATER = 16 << 10 };
	return !p->stream && p->plan->reads_memory ? LATER : 0;
}

bool vf_computes_as_it_lies(vf_planner *p, vf_leaf *leaf)
{
	blocking b = {
	    .p = p, .leaf = leaf, .c = (vf_computation *)(uintptr_t)leaf->compute, .last = leaf->nloop - 1};
	bool lists = leaf->nloop == 0;
	for (int k = 0; k < leaf->nloop; k++)
		lists = lists || leaf->loops[k].list || leaf->loops[k].dst_list;
	if (lists || vf_last_loop(leaf)->dst != b.c->to || !reads_as_it_writes(&b))
		return false;
	choose_operands(&b, true);
	return b.beside == 0;
}

vf_node vf_computed_root(vf_planner *p, int a)
{
	vf_leaf *first = &p->plan->leaves[a], *leaf = &first[first->piece_leaves - 1];
	const int n = leaf->compute->noperand + 1; /* it, and operands */
	blocking b = {.p = p, .leaf = leaf, .c = (vf_computation *)(uintptr_t)leaf->compute};
	int depth = 0;
	if (leaf->nloop == 0)
		for (vf_leaf *l = first; l <= leaf; l++)
			l->loops[l->nloop++] = vf_plain_span(1, b.c->to, 0);
	vf_take_rows_beside(p, leaf - n + 1, n);
	b.last = leaf->nloop - 1;
	choose_block(&b);
	for (vf_leaf *l = leaf - n + 1; l <= leaf; l++)
		depth = split_loops(&b, l);
	if (b.first && vf_compute_first(p, leaf, depth))
		return blocks_node(&b, depth);
	b.c->later = later_of_blocks(p);
	if (b.c->staged)
		vf_make_stages(p, leaf, depth);
	vf_merge_rows(leaf - n + 1, n, depth);
	leaf->ninner = vf_loops_left(leaf, depth, 2);
	leaf->stream = p->stream, leaf->pairs = p->machine->cpu.pairs;
	return blocks_node(&b, depth);
}
