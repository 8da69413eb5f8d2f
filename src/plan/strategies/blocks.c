/* blocks.c -- how a transposition is blocked: what a block has of both runs, how its rows leave, where the
 * next one is asked for. Candidates with their costs; the least wins.
 *
 * In     the runs of a leaf (runs.h), the machine, whether the result is streamed
 * Out    the tiling's numbers of blocks, and the choices, for explain
 * Keeps  blocks of whole strips of the codelet's: 64 bytes, or 192 of units of 3, 6, 12
 * Tests  tests/unit/test_blocks.c, tests/property/test_moves.c
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
 *     row: blocks along A, of one to four lines of dst (u8 0.3 to 0.6, u16 0.6 to 0.83).
 *   - In cache, 4 KiB along the rows of dst; of the source's, so little of units from 4 bytes that rows a
 *     power of two apart keep their lines in L1 (8 bytes, 256 by 256: 0.14 to 0.37).
 *   - Where both sides share a run, it is one fat unit. From a line on they are written in the order of the
 *     source, which then is one run; side by side, 4 or 8 rows of it, where that goes to many rows of dst
 *     (codelets/codelet.h; heads of 128 bytes 0.6 to 0.9, patches of 64 0.27 to 0.76). Shorter ones
 *     are written along the rows of dst, from some rows of the source at a time.
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/strategies/runs.h"
#include "plan/strategies/strategies.h"

enum { LINE = 64, PAIR = 2 * LINE, PIECE_A = 256, PIECE_B = 1024, LONG_PIECE = 4096, BESIDE = 8 };

/* ---- bytes that are computed ---- */

/* Do bytes become longer after they were transposed? */
static bool widens_bytes(const vf_blocking *b)
{
	const vf_computation *c = b->leaf->compute;
	const bool widens = c && c->from == 1 && (b->unit == 2 || b->unit == 4) && c->noperand == 0;
	return widens && b->p->machine->wide && vf_computes_lines(b);
}

/* Bytes of dst that a line of them comes to, where lines leave by pairs; else 0. */
int64_t vf_computed_row(const vf_blocking *b)
{
	return widens_bytes(b) && b->p->machine->cpu.pairs ? LINE * b->unit : 0;
}

/* ---- blocks ---- */

/* Whether every row of dst starts at a line, or all equally far from one. */
bool vf_rows_on_lines(const vf_blocking *b)
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
void vf_set_blocks(vf_blocking *b, int64_t a_bytes, int64_t b_bytes)
{
	b->t->chunk_a = smaller(larger(a_bytes / b->unit, 1), b->a.count);
	b->t->chunk_b = smaller(larger(b_bytes / b->unit, 1), b->b.count);
}

/* Rows of dst that are little longer than a block are one: two units that are left of 130 would be a block of
 * their own, which reads a line of the source for each of them. */
static void whole_rows(vf_blocking *b)
{
	if (b->a.count <= b->t->chunk_a + b->t->chunk_a / 4)
		b->t->chunk_a = b->a.count;
}

/* Narrow registers go down many rows of dst, a line of each (codelets/grid.h), and have rows of the source
 * from the second cache side by side (Zen 3, of memcpy, by the blocks of other processors and so: f32 256 x
 * 256 0.35, 0.61, u16 512 x 512 0.27, 0.50, c128 128 x 128 0.24, 0.52). */
static void blocks_down_rows(vf_blocking *b)
{
	enum { BLOCK = 128 << 10, LONG = 8192, STRIP = 192 };
	const int64_t rows = smaller(LONG / b->unit, b->b.count);
	vf_set_blocks(b, larger(BLOCK / rows / STRIP, 1) * STRIP, LONG);
	whole_rows(b);
}

/* Does what is stored go by steps of narrow registers? Rows that share sets of L1 go by squares, a few lines
 * of each (Zen 4, of memcpy, by short rows of blocks and by long ones: f32 100 x 101 0.58 and 0.74, 32 x 56 x
 * 56 channels last 0.77 and 1.0, but 256 x 256 0.87 and 0.59). Not measured where lines leave by pairs. */
static bool stores_steps(const vf_blocking *b)
{
	enum { SHARED = 512 };
	const vf_machine *machine = b->p->machine;
	const bool shared = ((b->a.bytes | b->a.loops[0].src) & (SHARED - 1)) == 0;
	return b->unit <= 16 && (vf_is_narrow(machine) || (machine->wide && !machine->cpu.pairs && !shared));
}

static void blocks_in_cache(vf_blocking *b)
{
	if (stores_steps(b))
		blocks_down_rows(b);
	else if (b->unit < 4)
		vf_set_blocks(b, 3 * 192, 3 * 192);
	else if (b->unit > 16)
		vf_set_blocks(b, 8192, 4096);
	else
		vf_set_blocks(b, 21 * 192, is_power_of_two(b->unit) ? 128 : 192);
}

/* 16 lines of each source row by four lines of each row of dst; by two, written together, where registers
 * hold a line and rows of the source are not so short that a block is not worth a call. Longer ones where
 * some leave while others are transposed (Xeon with AMX, u8 8320 x 8320: 0.56 of the fastest copy, 0.61), and
 * on AMD's where hints go into the second cache (Zen 4, 49 shapes by 2 KiB, 4, 8 and 16 of each source row
 * 0.64, 0.65, 0.65, 0.66; f32 3008 x 3008 to f16 by 1 KiB and 8 0.66 and 0.74; but the Xeon, 17 shapes by
 * 1 KiB and 8 0.63 and 0.60, u8 64 x 224 x 224 x 3 reversed but for the middle 0.77 and 0.58). */
static void blocks_on_lines(vf_blocking *b)
{
	enum { LONGER = 8 };
	const bool two = b->p->machine->wide && b->b.bytes >= PIECE_A;
	if (vf_blocks_that_wait(b, VF_LINES))
		return;
	const int64_t most = two ? larger(PIECE_A / 2, widens_bytes(b) ? LINE * b->unit : 0) : PIECE_A;
	int64_t row = smaller(larger(b->a.bytes, LINE), most);
	b->t->stream = VF_LINES;
	const vf_cpu *cpu = &b->p->machine->cpu;
	const bool beside = two && cpu->pairs && vf_leave_beside(b->a.loops[0].src, b->unit) &&
	                    !vf_is_packed(b);
	const int64_t times = two && cpu->l2_hints && !cpu->pairs ? LONGER : 1;
	vf_set_blocks(b, row, beside ? LONG_PIECE : most * PIECE_B / row * times);
}

/* Blocks along a source row are about alike, up to a quarter longer: a short one at the end costs what a long
 * one does, as its rows are as many. Whole lines each. */
static void even_blocks(vf_blocking *b)
{
	const int64_t most = b->t->chunk_b + b->t->chunk_b / 4, count = b->b.count;
	const int64_t line = LINE % b->unit ? 1 : LINE / b->unit, n = (count + most - 1) / most;
	b->t->chunk_b = smaller(((count + n - 1) / n + line - 1) / line * line, count);
}

/* Units of a line and more leave as whole lines wherever they go: so what counts is how they are read. */
static void blocks_in_order(vf_blocking *b)
{
	enum { BLOCK = 32 << 10 };
	const int64_t row = b->b.count * b->unit;
	b->t->stream = VF_CARRY;
	vf_set_blocks(b, larger(BLOCK / row, 1) * b->unit, row);
}

/* Does what is read side by side go into the first cache? It does where hints into the second are dropped. */
static bool asks_first(const vf_blocking *b)
{
	return !b->p->machine->cpu.pairs && !b->p->machine->cpu.l2_hints;
}

/* Are they units that are no lines, and not long? AMD's processors that follow 8 such rows by themselves are
 * slower with hints, and want long pieces of each. (Zen 4, 40 shapes, of the fastest copy, by AVX-512: pieces
 * of 32 KiB asked for 0.67, not asked for 0.69, of 64 KiB not asked for 0.72; by AVX2 0.68, 0.69, 0.74. Units
 * of 200 bytes 0.72, 0.87, 0.93; but by AVX-512 of 1220 0.74, 0.57, 0.57, and whole lines, of 256, 0.88,
 * 0.81, 0.81. Short rows of the source want their hints: 19 heads of 80 bytes 0.62, not asked for 0.36.) */
static bool follow_alone(const vf_blocking *b)
{
	enum { LONG = 768, SHORT_ROW = 32 << 10 };
	const vf_cpu *cpu = &b->p->machine->cpu;
	return cpu->avx2 && cpu->l2_hints && !cpu->pairs && b->unit > LINE && b->unit % LINE &&
	       b->b.bytes > SHORT_ROW && (!b->p->machine->wide || b->unit < LONG);
}

/* Of rows that are read side by side the caches hold what is asked for: 8 rows, of the first cache 4 (of the
 * fastest copy, 8 not asked for, 8 and 4 asked for into the second cache, 4 into the first: Zen 5, 21 shapes
 * 0.63, 0.77, 0.80, 0.88; Zen 4, ten 0.84 by 8 into the second, 0.81 by 4, 0.66 by 4 into the first). A few
 * whose units are no lines are read all together: rows of dst are whole then (Zen 5, 12 heads, by 8 and
 * 4 of them and by 12: of 80 bytes 0.45, 0.70; of 128 0.80, 0.70). */
static void blocks_beside(vf_blocking *b)
{
	enum { ROW = 64 << 10, MOST = 16, FEW_BESIDE = 4 };
	const vf_machine *machine = b->p->machine;
	const bool all = b->a.count <= MOST && b->unit % LINE && machine->wide && !machine->cpu.pairs;
	const int64_t beside = all ? b->a.count : asks_first(b) ? FEW_BESIDE : BESIDE;
	b->t->stream = VF_CARRY;
	b->t->beside = beside;
	vf_set_blocks(b, beside * b->unit,
	              smaller(b->b.count * b->unit, machine->cpu.pairs || follow_alone(b) ? ROW : ROW / 2));
}

/* ---- what they cost ---- */

/* Does the processor fetch these rows of the source by itself, 8 of them side by side? One whose lines leave
 * by pairs does it with long rows; there hints would only take its fill buffers. A Xeon with AMX, of the
 * fastest copy, in order, side by side with hints, and side by side: units of 700 bytes, rows of 28 KB 0.70,
 * 0.72, 0.91; of 960, 62 KB 0.83, 0.75, 1.0; of 3008, 120 KB 0.80, 0.74, 1.0; rows of 4 KiB 0.80, 0.81, 0.74.
 * Units that are whole pairs gain if they are long and go to many rows: 16 KiB to 128 rows in order 0.83,
 * side by side 0.90; 512 bytes to 128 0.82, 0.82; 1 KiB to 12 0.91, 0.84; 2 KiB to 256 rows, a multiple of 64
 * KiB apart, 0.97, 0.91. */
static bool follows_rows(const vf_blocking *b)
{
	enum { LONG_ROW = 8 << 10, LONG_PAIRS = 1024, FEW_PAIRS = 16, EVEN = 64 << 10 };
	const bool pairs = b->unit % PAIR == 0;
	if (!b->p->machine->cpu.pairs || b->b.bytes < LONG_ROW || b->a.count < BESIDE)
		return false;
	return !pairs || (b->unit >= LONG_PAIRS && b->b.count > FEW_PAIRS && b->b.loops[0].dst % EVEN);
}

/* Where that is one run, and goes to few rows of dst, or units are long. Of the fastest copy on a Zen 4, in
 * order and side by side: units of 64 bytes to 16 rows 0.65, 0.57, to 64 0.63, 0.92; of 128 to 24 0.91, 0.79,
 * to 96 0.64, 0.98; of 1 KiB to 48 0.74, 0.98; of 4 KiB to 96 0.79, 0.47. Where lines leave by pairs,
 * pairs go in order (a Xeon with AMX: units of 128 bytes to 12 rows 0.89, 0.78, to 1000 0.85, 0.62, to 4000
 * 0.83, 0.88, by small pages 0.76, 0.94; of 256 to 4000 0.92, 0.86). */
static bool units_in_order(const vf_blocking *b)
{
	enum { SHORT = 128, FEW_SHORT = 16, FEW = 32, MANY_SHORT = 1024, LONG = 4096 };
	const vf_span *a = b->a.loops;
	const int64_t rows = b->b.count, stride = a->table ? a->table[1] - a->table[0] : a->src;
	const bool pairs = b->p->machine->cpu.pairs && b->unit % PAIR == 0;
	if (follows_rows(b))
		return false;
	return b->unit >= LONG || (pairs && (b->unit > SHORT || rows <= MANY_SHORT)) ||
	       (stride == rows * b->near && rows <= (b->unit < SHORT ? FEW_SHORT : FEW));
}

static double cost_in_cache(const vf_blocking *b)
{
	return b->p->stream ? 0 : 1;
}

/* Long rows that would be packed go along rows, where their source is brought (Zen 5, of the fastest copy,
 * packed and so: u8 1030 x 32768 0.17 and 0.32, 700 x 32768 0.28 and 0.34, but u16 300 x 16384 0.37 and
 * 0.32). */
static double cost_of_rows(const vf_blocking *b)
{
	enum { LONG_ROW = 640 };
	const bool brought = b->a.bytes >= LONG_ROW && vf_brings_rows(b, VF_CARRY);
	return b->p->stream && vf_rows_follow(b) && !vf_leaves_on_lines(b) && !brought
	           ? 1.5 + VF_ROW_JOINT / (double)b->a.bytes
	           : 0;
}

static double cost_on_lines(const vf_blocking *b)
{
	return b->p->stream && b->unit < LINE && vf_rows_on_lines(b) ? 1.5 + VF_ROW_END / (double)b->a.bytes
	                                                             : 0;
}

/* Units of lines: see units_in_order(). */
static double cost_in_order(const vf_blocking *b)
{
	return b->p->stream && b->unit >= LINE ? (units_in_order(b) ? 1.2 : 1.6) : 0;
}

static double cost_beside(const vf_blocking *b)
{
	return b->p->stream && b->unit >= LINE ? (units_in_order(b) ? 1.6 : 1.1) : 0;
}

static const struct {
	const char *what;
	double (*cost)(const vf_blocking *b);
	void (*set)(vf_blocking *b);
} ways[] = {
    {"long ones in cache, stored", cost_in_cache, blocks_in_cache},
    {"whole rows of dst one after the other", cost_of_rows, vf_blocks_of_rows},
    {"whole lines of dst", cost_on_lines, blocks_on_lines},
    {"along rows of dst with lines carried on", vf_cost_along_rows, vf_blocks_along_rows},
    {"units of lines in the order of the source", cost_in_order, blocks_in_order},
    {"units of lines from rows of the source side by side", cost_beside, blocks_beside},
};

/* ---- the next block ---- */

/* Is a block one of the matrices that lie in order, but not one behind the other? The next one is then no
 * part of what the processor fetches (Zen 4, of the fastest copy, not asked for and asked for: bf16
 * [5926,7,7,96] by (0,2,1,3), the last picture first 0.38 and 0.71, every second one 0.38 and 0.62, without
 * two rows 0.38 and 0.62; f32 [6000,7,7,32], the last first, 0.35 and 0.88). */
static bool is_matrix_apart(const vf_blocking *b)
{
	return b->nloop > 0 && b->t->chunk_a == b->a.count && b->t->chunk_b == b->b.count &&
	       b->loops[b->nloop - 1].src != b->a.count * b->b.bytes;
}

/* Does the processor fetch what the next block reads? It does what is read in order; and what would not stay
 * until it is read is not worth asking for, nor is anything where most of it is in the cache, or where narrow
 * registers leave the result there (Zen 3, f32 256 x 256 asked for 0.30, 0.61 not, f16 128 x 33 x 33 channels
 * last 0.25, 0.59; but from memory u8 1000 x 1000 0.20, 0.16). Where lines leave by pairs, short units wait
 * for memory wherever they share lines, or dst does not begin at one (a Xeon with AMX: f16 heads of 160 bytes
 * 0.70 of the fastest copy, asked for 0.79; f32 heads 16 bytes behind a line 2.2 ms, 1.5). */
static bool fetches_itself(const vf_blocking *b)
{
	enum { LONG = 4096 };
	const vf_planner *p = b->p;
	const int64_t l2 = p->machine->cpu.l2_bytes;
	const bool pairs = p->machine->cpu.pairs, waits = pairs && b->unit < LONG;
	const int64_t read = b->t->chunk_a * (pairs ? b->b.bytes : b->t->chunk_b * b->unit);
	return (p->plan->out_bytes < l2 / 2 && !p->plan->reads_memory) ||
	       (vf_is_narrow(p->machine) && !p->stream) ||
	       (b->t->stream == VF_CARRY && vf_follows_pieces(b)) ||
	       (b->unit >= LINE && (follows_rows(b) || (b->t->beside && follow_alone(b)))) ||
	       (b->unit >= LINE && ((units_in_order(b) && !waits && !is_matrix_apart(b)) || read > l2 / 2));
}

/* Into the first cache it shares fill buffers with what streams (f32 4032 x 4032, 256 by 1 KiB: 9.2 bytes of
 * dst a ns, 15.0 into the second). Units of lines side by side: blocks_beside(). */
static int64_t ahead_into(vf_blocking *b)
{
	static const vf_ahead bent[] = {VF_AHEAD_NOT, VF_AHEAD_FIRST, VF_AHEAD_SECOND};
	static const char *const names[] = {"not asked for", "into the first cache", "into the second cache"};
	const bool few = b->t->beside && b->unit >= LINE && asks_first(b);
	const double costs[] = {fetches_itself(b) ? 0.95 : 1.15, few ? 0.98 : 1.6, 1};
	vf_weighing c = {.of = "the next block"};
	for (int k = 0; k < 3; k++)
		if (b->p->machine->ahead == VF_AHEAD_AS_MODEL || b->p->machine->ahead == bent[k])
			vf_weigh(&c, names[k], costs[k]);
		else
			vf_weigh(&c, names[k], 0);
	vf_weighing_keep(b->p, b->leaf, &c);
	return c.won;
}

/* Between matrices too: of u8 [15,15,32,15,5,15] a block is most of one (the 57 permutations of u8 0.469 to
 * 0.505 of the fastest copy, Zen 4; f32 0.675 to 0.686). */
int vf_turns_of_blocks(const vf_leaf *leaf, vf_turn turns[VF_MOST_TURNS])
{
	const vf_tiling *t = leaf->tiling;
	const vf_span *rows = &leaf->loops[leaf->nloop - 1];
	/* what goes downwards and is asked for as one run begins at its last row */
	const int64_t end = vf_rows_are_run(leaf) && rows->src < 0 ? (rows->extent - 1) * rows->src : 0;
	const int inner = (int)larger(t->loop_a, t->loop_b), outer = (int)smaller(t->loop_a, t->loop_b);
	int64_t back = 0;
	int n = 0, k = inner;
	while (k >= 0 && n < VF_MOST_TURNS && (k >= outer || !vf_is_uneven(&leaf->loops[k]))) {
		const vf_span *s = &leaf->loops[k];
		if (s->extent > 1)
			turns[n++] = (vf_turn){k, s->extent - 1, s->src - back + end};
		back += (s->extent - 1) * s->src;
		k = k > outer ? outer : k - 1;
	}
	return n;
}

/* ---- pairs of lines, once blocks are known ---- */

/* Do lines leave row after row of dst, by a stage? Where the halves of 128 bytes must leave together
 * (codelets/cpu.h). A Xeon with AMX, of the fastest copy, before and with it: f32 7264 x 7264 0.73 and 0.88,
 * u16 6400 x 6400 0.40 and 0.78, f64 3200 x 3200 0.75 and 0.85. Rows that start anywhere are put together in
 * registers, but for long units, and for what is computed of short pieces (f32 [200,556,36] turned, bytes
 * turned, 0.26 and 0.33); of halves in long pieces a strip waits. */
static bool stages_pairs(const vf_blocking *b)
{
	enum { SHORT_PIECE = 512 };
	const vf_tiling *t = b->t;
	if (!b->p->machine->wide)
		return (t->stream == VF_LINES || t->stream == VF_JOINED) && is_power_of_two(b->unit);
	if (!is_power_of_two(b->unit))
		return t->stream == VF_CARRY && vf_pixels_by_pairs(b);
	if (t->stream == VF_JOINED)
		return t->chunk_a <= VF_FEW_JOINED || vf_joins_slices(b);
	const bool pairs = t->chunk_a * b->unit >= PAIR || t->chunk_a == b->a.count;
	if (t->stream != VF_CARRY)
		return t->stream == VF_LINES;
	if (b->unit == 2)
		return pairs && vf_follows_pieces(b);
	return pairs && (b->unit == 16 || (b->leaf->compute && b->unit > 2 &&
	                                   (b->b.bytes < SHORT_PIECE || vf_computed_row(b))));
}

/* On other processors that loses (Zen 4, of the fastest copy, by the stage and not: f64 of 53 columns 0.31
 * and 0.67, f32 of 99 0.40 and 0.81, u16 of 99 0.44 and 0.71, u8 NHWC of 72 channels 0.38 and 0.64). */
static bool leaves_staged(const vf_blocking *b)
{
	return b->unit <= 16 && b->p->machine->cpu.pairs && stages_pairs(b);
}

/* ---- the choice ---- */

/* Units of a block's side as the machine is bent: whole strips still. */
static int64_t bent(const vf_blocking *b, int64_t units, int shift, int64_t count)
{
	const int64_t strip = vf_strip(b);
	if (shift == 0 || units == count)
		return units;
	units = shift < 0 ? units >> -shift : units << shift;
	return smaller(larger(units / strip, 1) * strip, count);
}

/* The first block of rows that carry lines on completes their first one: later blocks take what comes before
 * for their own. */
static void bend_blocks(vf_blocking *b)
{
	const vf_machine *machine = b->p->machine;
	const int64_t line = smaller((LINE + b->unit - 1) / b->unit, b->a.count);
	if (b->t->stream != VF_JOINED)
		b->t->chunk_a = larger(bent(b, b->t->chunk_a, machine->row_shift, b->a.count), line);
	b->t->chunk_b = bent(b, b->t->chunk_b, machine->line_shift, b->b.count);
	const bool asked = b->p->staged || (b->p->pooled && b->unit > 16);
	b->t->ahead_into = asked ? 0 : ahead_into(b); /* the stage asks */
}

void vf_choose_blocks(vf_blocking *b)
{
	vf_weighing c = {.of = "blocks"};
	for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
		vf_weigh(&c, ways[k].what, ways[k].cost(b));
	vf_weighing_keep(b->p, b->leaf, &c);
	ways[c.won].set(b);
	if (b->p->stream)
		even_blocks(b);
	if (b->t->stream == VF_CARRY && b->unit <= 16 && is_power_of_two(b->unit) && !b->t->waits)
		whole_rows(b);
	b->t->count_a = b->a.count;
	b->t->count_b = b->b.count;
	bend_blocks(b);
	b->t->paired = leaves_staged(b);
}
