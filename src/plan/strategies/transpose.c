/* transpose.c -- side by side along two different loops.
 *
 * Small ones are one call of the codelet. Beyond the cache the loops are blocked: the A run, side by side in
 * dst, the B run, side by side in the source (runs.h), and outside them the rest, slowest in dst first.
 *
 * Both runs are cut into blocks, wherever their loops end. A run of several loops has a table of offsets on
 * the side where it is not even.
 *
 * Such a copy is bound by how lines come and go, not by instructions. Measured (the 57 permutations of HPTT's
 * benchmark; ratios to memcpy; Zen 5 where nothing else is said):
 *
 *   - 128 bytes of dst by 1 KiB of the source, four lines of the source rows at a time (of units of 1 and 2
 *     bytes one), their next lines asked for 12 lines ahead. Of the fastest copy on a Zen 4, 30 shapes of 8
 *     to 34 MB: 0.66; 256 bytes, 16 rows at a time, the next block asked for row by row: 0.61. Where
 *     registers are narrower than a line, the second (avx2: 0.36 against 0.33).
 *   - The next block's lines are asked for into the second cache: into the first they share fill buffers with
 *     what streams (f32 4032 x 4032, 256 by 1 KiB: 9.2 bytes of dst a ns into the first, 15.0 into the
 *     second).
 *   - Whole rows of dst that follow each other leave as one stream (f32 NCHW to NHWC, 64 channels: 0.22 to
 *     0.5).
 *   - Where rows of dst do not lie on lines, what a block leaves of a line is carried to the next along the
 *     row: short blocks, along A (u8 0.3 to 0.6, u16 0.6 to 0.83). Bytes: one line by 1 KiB (0.58 to 0.66).
 *   - In cache, 4 KiB along the rows of dst; of the source's, so little of units from 4 bytes that rows a
 *     power of two apart keep their lines in L1 (8 bytes, 256 by 256: 0.14 to 0.37).
 *   - Where both sides share a run, it is one fat unit. From a line on they are written in the order of the
 *     source, which then is one run; side by side, 8 rows of it, where that goes to many rows of dst
 *     (codelets/codelet.h; heads of 128 bytes 0.6 to 0.9, patches of 64 0.27 to 0.76). Shorter ones: a few
 *     rows of the source at a time, written along the rows of dst (32 bytes: 64 rows 0.4, 4 rows 0.6).
 *
 * What is near in the source but not side by side (every second pixel, one channel of three), units whose
 * bytes change places, and rows that share sets of L1 are packed first: one pass brings a block's rows of B
 * side by side in scratch, in L1, and the transposition reads them there.
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/strategies/runs.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64, PAGE = 4096, MOST_UNIT = 64 << 10 };
enum { NEAR = 64 }; /* steps of the source up to here are packed */
enum { PIECE_A = 256, PIECE_B = 1024 };
enum { MOST_JOINED = 256, JOINED_BLOCK = 64 << 10 };

/* ---- blocks ---- */

/* Whether every row of dst starts at a line, or all equally far from one. */
static bool rows_on_lines(const vf_blocking *b)
{
	if (b->unit > 16 || !is_power_of_two(b->unit))
		return false;
	for (int k = 0; k < b->b.nloop; k++)
		if (b->b.loops[k].dst % LINE)
			return false;
	for (int k = 0; k < b->nloop; k++)
		if (b->loops[k].dst_list || b->loops[k].dst % LINE)
			return false;
	return true;
}

/* Blocks of so many bytes of both runs: whole strips of the codelet's (64 bytes, or 192 of units of 3, 6,
 * 12). */
static const char *set_blocks(vf_blocking *b, int64_t a_bytes, int64_t b_bytes, const char *reason)
{
	b->t->chunk_a = smaller(larger(a_bytes / b->unit, 1), b->a.count);
	b->t->chunk_b = smaller(larger(b_bytes / b->unit, 1), b->b.count);
	return reason;
}

static const char *blocks_in_cache(vf_blocking *b)
{
	const char *reason = "in cache: long blocks, ordinary stores";
	if (b->unit < 4)
		return set_blocks(b, 3 * 192, 3 * 192, reason);
	if (b->unit > 16)
		return set_blocks(b, 8192, 4096, reason);
	return set_blocks(b, 21 * 192, is_power_of_two(b->unit) ? 128 : 192, reason);
}

/* Where pieces of the source are short of `b_bytes`, pieces of dst are longer: so that a block stays worth a
 * call. */
static int64_t longer_rows(const vf_blocking *b, int64_t a_bytes, int64_t b_bytes)
{
	enum { MOST_ROW = 1024 };
	int64_t times = b_bytes / smaller(b->b.bytes, b_bytes);
	return smaller(a_bytes * times, larger(MOST_ROW, a_bytes)) / a_bytes * a_bytes;
}

/* Rows of dst anywhere: blocks along them. */
static const char *blocks_along_rows(vf_blocking *b)
{
	int64_t unit = b->unit;
	b->t->stream = VF_CARRY;
	if (unit > 16)
		return set_blocks(b, 4 * unit, 8192,
		                  "runs that both sides share: of up to 4 places, 8 KiB at a time");
	if (!is_power_of_two(unit))
		return set_blocks(
		    b, longer_rows(b, 192, 384), 384,
		    "blocks of 192 by 384 bytes, along the rows: lines are carried from block to block");
	int64_t piece = unit == 1 ? 1024 : unit < 8 ? 256 : 512;
	return set_blocks(
	    b, longer_rows(b, unit == 1 ? LINE : 128, piece), piece,
	    "blocks of 128 by 256 bytes or so, along the rows: lines are carried from block to block");
}

/* 16 lines of each source row by four lines of each row of dst; by two, written together, where registers
 * hold a line and rows of the source are not so short that a block is not worth a call. */
static const char *blocks_on_lines(vf_blocking *b)
{
	const bool two = b->p->machine->wide && b->b.bytes >= PIECE_A;
	const int64_t most = two ? PIECE_A / 2 : PIECE_A;
	int64_t row = smaller(larger(b->a.bytes, LINE), most);
	b->t->stream = VF_LINES;
	return set_blocks(b, row, most * PIECE_B / row,
	                  two ? "blocks of 128 bytes of dst by 1 KiB of each source row"
	                      : "blocks of 256 bytes of dst by 1 KiB of each source row");
}

/* Whole rows that follow each other in dst are one stream: as many as make a block. */
static bool rows_follow(const vf_blocking *b)
{
	return b->unit <= 16 && b->a.count <= MOST_JOINED && b->b.loops[0].dst == b->a.bytes;
}

static const char *blocks_of_rows(vf_blocking *b)
{
	b->t->stream = VF_JOINED;
	return set_blocks(b, b->a.bytes, larger(JOINED_BLOCK / b->a.count, LINE),
	                  "whole rows of dst, put together one after the other");
}

/* Blocks along a source row are about alike, up to a quarter longer: a short one at the end costs what a long
 * one does, as its rows are as many. Whole lines each. */
static void even_blocks(vf_blocking *b)
{
	const int64_t most = b->t->chunk_b + b->t->chunk_b / 4, count = b->b.count;
	const int64_t line = LINE % b->unit ? 1 : LINE / b->unit, n = (count + most - 1) / most;
	b->t->chunk_b = smaller(((count + n - 1) / n + line - 1) / line * line, count);
}

/* Units of a line and more leave as whole lines wherever they go: so what counts is how they are read. Of
 * rows that are read side by side the second cache holds what is asked for. */
static const char *blocks_of_lines(vf_blocking *b)
{
	enum { BLOCK = 32 << 10, ROW = 64 << 10, BESIDE = 8 };
	const int64_t row = b->b.count * b->unit;
	b->t->stream = VF_CARRY;
	if (vf_units_in_order(b))
		return set_blocks(b, larger(BLOCK / row, 1) * b->unit, row,
		                  "units of lines, written in the order of the source");
	b->t->beside = BESIDE;
	return set_blocks(b, BESIDE * b->unit, smaller(row, ROW),
	                  "units of lines, of up to 8 rows of the source side by side");
}

static void choose_blocks(vf_blocking *b)
{
	if (!b->p->stream)
		b->t->reason = blocks_in_cache(b);
	else if (rows_follow(b))
		b->t->reason = blocks_of_rows(b);
	else if (b->unit >= LINE)
		b->t->reason = blocks_of_lines(b);
	else if (rows_on_lines(b))
		b->t->reason = blocks_on_lines(b);
	else
		b->t->reason = blocks_along_rows(b);
	if (b->p->stream)
		even_blocks(b);
	b->t->count_a = b->a.count;
	b->t->count_b = b->b.count;
	vf_bend_blocks(b);
}

/* ---- loops ---- */

static void add_loop(vf_leaf *leaf, vf_span loop)
{
	leaf->loops[leaf->nloop++] = loop;
}

/* A short loop that reads the lines again that a block has brought. */
static bool is_near(const vf_span *s)
{
	return s->extent <= 16 && !vf_is_uneven(s) && magnitude(s->src) <= NEAR;
}

static bool has_near_table(const vf_span *s)
{
	for (int64_t i = 0; s->table && i < s->extent; i++)
		if (s->extent > 16 || magnitude(s->table[i]) > NEAR)
			return false;
	return s->table != NULL;
}

static int64_t step_of(const vf_blocking *b, int k)
{
	return magnitude(b->unit < LINE || vf_is_uneven(&b->loops[k]) ? b->loops[k].dst : b->loops[k].src);
}

/* What no run has taken and is near, or is not: slowest in dst first; units of lines, in the source. */
static void add_rest(vf_blocking *b, bool near)
{
	for (;;) {
		int slowest = -1;
		for (int k = 0; k < b->nloop; k++) {
			bool is = is_near(&b->loops[k]) || has_near_table(&b->loops[k]);
			if (is == near && (slowest < 0 || step_of(b, k) > step_of(b, slowest)))
				slowest = k;
		}
		if (slowest < 0)
			return;
		add_loop(b->leaf, vf_take_loop(b, slowest));
	}
}

static vf_span over_blocks(const vf_line_run *r, int64_t chunk, bool uneven_dst, bool uneven_src)
{
	int64_t n = (r->count + chunk - 1) / chunk;
	const vf_span *s = r->loops;
	return vf_plain_span(n, uneven_dst ? 0 : chunk * s->dst, uneven_src ? 0 : chunk * s->src);
}

static vf_span in_block(const vf_line_run *r, int64_t chunk, int back)
{
	int64_t rest = r->count % chunk;
	const vf_span *s = r->loops;
	return (vf_span){chunk, rest ? rest : chunk, s->dst, s->src, back, NULL, 0, 0, false};
}

/* Blocks of A inside those of B where lines are carried along the rows, else outside. Loops that read the
 * same lines again stand inside both, or inside those of B. */
static void add_blocks(vf_blocking *b)
{
	vf_leaf *leaf = b->leaf;
	vf_tiling *t = b->t;
	vf_span over_a = over_blocks(&b->a, t->chunk_a, false, t->src_at != NULL);
	vf_span over_b = over_blocks(&b->b, t->chunk_b, t->dst_at != NULL, false);
	bool a_first = t->stream == VF_LINES;
	add_rest(b, false);
	*(a_first ? &t->loop_a : &t->loop_b) = leaf->nloop;
	add_loop(leaf, a_first ? over_a : over_b);
	if (!a_first)
		add_rest(b, true);
	*(a_first ? &t->loop_b : &t->loop_a) = leaf->nloop;
	add_loop(leaf, a_first ? over_b : over_a);
	add_rest(b, true);
	add_loop(leaf, in_block(&b->b, t->chunk_b, leaf->nloop - 1 - t->loop_b));
	add_loop(leaf, in_block(&b->a, t->chunk_a, leaf->nloop - 1 - t->loop_a));
	leaf->ninner = 2;
}

/* ---- entry ---- */

/* Is the loop's step in the source beyond what vectors reach? */
static bool is_far(const vf_span *s)
{
	return s->table || magnitude(s->src) > NEAR;
}

/* The loop, beside the last, along which what is near in the source can be packed; -1: there is none. */
static int packed_line(const vf_leaf *leaf, int depth)
{
	int nearest = -1;
	for (int k = depth; k < leaf->nloop - 1; k++) {
		const vf_span *s = &leaf->loops[k];
		if (vf_is_uneven(s) || s->src == 0 || magnitude(s->src) > NEAR ||
		    s->extent < VF_FEWEST_PACKED)
			continue;
		if (nearest < 0 || magnitude(s->src) < magnitude(leaf->loops[nearest].src))
			nearest = k;
	}
	return nearest;
}

/* Side by side in dst, far apart in the source, and another loop near there. */
static bool packs(const vf_leaf *leaf, int depth)
{
	const vf_span *line = vf_last_loop(leaf);
	if (leaf->source < 0 || leaf->nloop - depth < 2 || line->dst != leaf->unit_bytes || !is_far(line) ||
	    !vf_fast_unit(leaf->unit_bytes))
		return false;
	for (int p = 0; leaf->table && p < leaf->nstream; p++)
		if (leaf->stream_source[p] != leaf->source)
			return false;
	return packed_line(leaf, depth) >= 0;
}

/* Pixels taken apart, backwards or with some left out, are gathered plane by plane: a tile of so few columns
 * is slower. */
bool vf_leaf_crosses(const vf_leaf *leaf, int depth)
{
	enum { BESIDE = 16 };
	const vf_span *line = vf_last_loop(leaf);
	if (packs(leaf, depth))
		return true;
	if (leaf->source < 0 || leaf->table || leaf->nloop - depth < 2 || line->dst != leaf->unit_bytes ||
	    (!line->table && (line->src == leaf->unit_bytes || line->src == 0)))
		return false;
	int other = vf_source_line(leaf, depth, leaf->nloop - 1, true);
	return other >= 0 &&
	       !(vf_few(leaf->loops[other].extent) && !line->table && magnitude(line->src) <= BESIDE);
}

/* Short rows of dst that follow each other, of a matrix that L1 holds: it is transposed in a stage, by
 * ordinary stores of whole registers, and leaves as one (of the fastest copy on a Zen 4: u8 64 x 64
 * 0.19 to 0.47, 16 bits 40 x 128 0.12 to 0.27, 48 x 100 0.16 to 0.30). Rows a power of two apart share
 * sets of L1 where a line is read in parts. */
static bool fits_stage(const vf_planner *p, const vf_leaf *leaf, int depth)
{
	enum { FEWEST = 5, SHORT = 16 };
	const vf_span *a = vf_last_loop(leaf), *b = a - 1;
	int64_t unit = leaf->unit_bytes, step = magnitude(a->src);
	if (!p->stream || leaf->nloop - depth < 2 || leaf->table || leaf->compute || a->table || b->table ||
	    !vf_fast_unit(unit))
		return false;
	if (a->extent * b->extent * unit > p->machine->cpu.l1_bytes)
		return false;
	return a->extent >= FEWEST && a->extent <= MOST_JOINED && b->dst == unit * a->extent &&
	       b->src == unit && b->extent * unit >= SHORT && (step & -step) < PAGE / 2;
}

bool vf_wants_blocks(const vf_planner *p, vf_group g)
{
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	if (!vf_leaf_crosses(leaf, g.depth) || vf_leaf_has_planes(leaf, g.depth) ||
	    vf_is_cut(&leaf->loops[g.depth]) || fits_stage(p, leaf, g.depth) ||
	    p->machine->without >> VF_TRANSPOSE & 1)
		return false;
	return vf_leaf_bytes(leaf, g.depth, false) > p->machine->piece_bytes;
}

/* A run that both sides share is one unit. False where it is too long, or long and backwards: short, it is a
 * loop of the run A. */
static bool take_shared(vf_blocking *b)
{
	int k = vf_next_loop(b, true, b->unit);
	if (k >= 0 && !b->loops[k].table && b->loops[k].src == -b->unit)
		return b->loops[k].extent * b->unit < LINE;
	if (k >= 0 && !b->loops[k].table && b->loops[k].src == b->unit)
		b->unit *= vf_take_loop(b, k).extent;
	return b->unit <= MOST_UNIT;
}

static bool builder_init(vf_blocking *b, vf_planner *p, vf_group g)
{
	vf_leaf *leaf = &p->plan->leaves[g.a];
	int nloop = leaf->nloop - g.depth;
	if (nloop < 2 || nloop > 60 || leaf->nloop + 2 > leaf->capacity)
		return false;
	*b = (vf_blocking){.p = p, .leaf = leaf, .nloop = nloop, .unit = leaf->unit_bytes};
	memcpy(b->loops, leaf->loops + g.depth, (size_t)nloop * sizeof *b->loops);
	b->t = vf_arena_alloc(&p->plan->arena, 1, sizeof *b->t);
	p->failed = p->failed || !b->t;
	return b->t != NULL;
}

static int64_t common_divisor(int64_t x, int64_t y)
{
	return y == 0 ? x : common_divisor(y, x % y);
}

/* Windows overlap where units are longer than the step from one to the next: what moves is shorter
 * units, each window a loop of them. So a row of the source is read where it lies. */
static void split_windows(vf_blocking *b)
{
	int64_t unit = common_divisor(b->unit, b->near), n = b->unit / unit;
	if (b->near >= b->unit || b->leaf->table || !vf_fast_unit(unit) ||
	    b->nloop == (int)(sizeof b->loops / sizeof b->loops[0]))
		return;
	b->loops[b->nloop++] = vf_plain_span(n, unit, unit);
	b->unit = unit;
}

/* The step of the run B in the source; false where the leaf cannot be in blocks. */
static bool find_near(vf_blocking *b, int depth)
{
	const vf_leaf *leaf = b->leaf;
	b->near = b->unit;
	if (leaf->compute && !packs(leaf, depth))
		return false;
	if (!leaf->compute && !leaf->table && vf_source_line(leaf, depth, leaf->nloop - 1, true) >= 0) {
		if (!take_shared(b))
			return false;
		b->near = b->unit;
	} else if (packs(leaf, depth)) {
		b->near = magnitude(leaf->loops[packed_line(leaf, depth)].src);
		if (!leaf->compute)
			split_windows(b);
	}
	return true;
}

static void want_scratch(vf_blocking *b)
{
	vf_tiling *t = b->t;
	int64_t carry = t->stream == VF_CARRY ? t->chunk_b * LINE : 0;
	t->pack_at = carry;
	int64_t rows = t->chunk_a + (t->stream == VF_LINES ? LINE / b->unit : 0); /* the last line's, too */
	int64_t bytes = carry + (t->packs ? rows * t->pack.dst_step : 0);
	if (b->p->plan->scratch_bytes < bytes)
		b->p->plan->scratch_bytes = bytes;
}

bool vf_leaf_in_blocks(vf_planner *p, vf_group g)
{
	vf_blocking b;
	if (!vf_wants_blocks(p, g) || !builder_init(&b, p, g))
		return false;
	vf_leaf *leaf = b.leaf;
	int64_t dst = leaf->dst, src = leaf->src;
	if (!find_near(&b, g.depth) || !vf_find_runs(&b)) {
		leaf->dst = dst, leaf->src = src;
		return false;
	}
	choose_blocks(&b);
	b.t->src_at = vf_run_offsets(&b, &b.a, b.t->chunk_a, false);
	b.t->dst_at = vf_run_offsets(&b, &b.b, b.t->chunk_b, true);
	if (leaf->table || leaf->compute || b.near != b.unit || vf_rows_collide(&b))
		vf_pack_rows(&b);
	leaf->nloop = g.depth;
	add_blocks(&b);
	leaf->strategy = VF_TRANSPOSE;
	leaf->unit_bytes = b.unit;
	leaf->tiling = b.t;
	want_scratch(&b);
	return true;
}

/* ---- the strategy's row ---- */

static int applies(const vf_leaf *leaf, int depth)
{
	const vf_span *a = vf_last_loop(leaf);
	bool matrix = vf_moves_units(leaf) && leaf->nloop - depth >= 2 && a->dst == leaf->unit_bytes &&
	              a[-1].src == leaf->unit_bytes && !vf_is_uneven(a) && !vf_is_uneven(a - 1);
	return matrix ? 2 : 0;
}

/* Whole register tiles are 16 bytes wide and high; narrower ones go by units. A call costs 13 others'. */
static double cost(const vf_leaf *leaf, int depth)
{
	const vf_span *a = vf_last_loop(leaf), *b = a - 1;
	double least = (double)smaller(a->extent, b->extent) * (double)leaf->unit_bytes;
	(void)depth;
	return (least >= 16 ? (least < LINE ? 2 : 1) * (20 + 60 / (double)leaf->unit_bytes)
	                    : 300 / (double)leaf->unit_bytes) +
	       13 * vf_call_cost(leaf, 2);
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	const vf_tiling *t = leaf->tiling;
	vf_block *block = &call->block;
	vf_codelet_call_rows(call, leaf, 0);
	call->codelet = VF_CODELET_transpose;
	block->src_step = 0;
	block->stride = vf_last_loop(leaf)->src;
	block->stream = t ? t->stream : VF_STORE;
	if (!t)
		return;
	block->beside = t->beside;
	block->stride = t->src_at ? 0 : block->stride;
	block->dst_step = t->dst_at ? 0 : block->dst_step;
	block->ahead_into = t->ahead_into;
	block->ahead_rows = t->ahead_into ? block->n : 0;
	block->ahead_step = t->ahead_into ? block->stride : 0;
	block->ahead_bytes = t->ahead_into ? block->rows * (&vf_last_loop(leaf)[-1])->src : 0;
	if (t->fuses)
		block->pass = t->pack.pass;
	else if (t->packs)
		block->stride = t->pack.dst_step;
}

const vf_strategy_row vf_transpose_row = {"transpose", applies, cost, call_of, NULL};
