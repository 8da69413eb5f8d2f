/* along.c -- blocks along rows of dst that start anywhere: how much they have of both runs, what they cost.
 *
 * In     the runs of a leaf (runs.h), the machine
 * Out    the tiling's numbers of blocks
 * Keeps  whole strips of the codelet's, as blocks.c
 * Tests  tests/unit/test_blocks.c, tests/property/test_moves.c
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/strategies/runs.h"
#include "plan/strategies/strategies.h"

enum { LINE = 64, PAIR = 2 * LINE };

/* Pixels of 3 bytes, from 48 rows of the source that are long (codelets/pixels_avx512.h). A Xeon with AMX, of
 * the fastest copy: u8 pictures of 1080 by 1920 turned 0.45 to 0.56, 4096 by 4096 0.35 to 0.47. */
bool vf_pixels_by_pairs(const vf_blocking *b)
{
	return b->unit == 3 && b->p->machine->cpu.pairs && b->p->machine->wide && b->b.bytes >= 2048;
}

/* Do rows follow each other in dst? Then the line in which one ends and the next begins can leave whole.
 * Where lines leave by pairs, that was not measured. */
static bool rows_go_on(const vf_blocking *b)
{
	const vf_machine *machine = b->p->machine;
	return machine->wide && !machine->cpu.pairs && vf_fast_unit(b->unit) &&
	       b->b.loops[0].dst == b->a.bytes;
}

bool vf_heads_wait(const vf_blocking *b)
{
	const vf_tiling *t = b->t;
	return rows_go_on(b) && t->stream == VF_CARRY && t->chunk_a < b->a.count && !t->dst_at;
}

/* Does the leaf move its elements, or compute none that are longer? */
static bool makes_no_longer(const vf_leaf *leaf)
{
	return !leaf->compute || vf_crosses_beside(leaf->compute->from, leaf->compute->to);
}

/* Do such ends cost no more than those of rows that are joined? What becomes longer leaves better joined (Zen
 * 4, of the fastest copy, joined and along rows: u16 200 x 20000 to f32 0.50 and 0.26; but f32 241 x 16597 to
 * f16 0.36 and 0.48), and so do matrices of few rows, whose blocks are too small (f64 [793,197,32] by (0,2,1)
 * 0.71 and 0.45). Other processors were not measured. */
static bool ends_are_cheap(const vf_blocking *b)
{
	enum { MANY_ROWS = 128 };
	return rows_go_on(b) && b->p->machine->cpu.l2_hints && b->unit <= 8 && is_power_of_two(b->unit) &&
	       makes_no_longer(b->leaf) && b->b.nloop == 1 && b->b.count >= MANY_ROWS && !vf_rows_on_lines(b);
}

/* Where pieces of the source are short of `b_bytes`, pieces of dst are longer: so that a block stays worth a
 * call. */
static int64_t longer_rows(const vf_blocking *b, int64_t a_bytes, int64_t b_bytes)
{
	enum { MOST_ROW = 1024 };
	int64_t times = b_bytes / smaller(b->b.bytes, b_bytes);
	return smaller(a_bytes * times, larger(MOST_ROW, a_bytes)) / a_bytes * a_bytes;
}

/* Are pieces of the source those of a pack? True where a pack is read, and for bytes that are computed before
 * or after they are transposed. Other rows are read as they lie. */
static bool has_short_pieces(const vf_blocking *b)
{
	const bool bytes = b->leaf->compute && (b->unit == 1 || vf_computed_row(b));
	return vf_is_packed(b) && (bytes || !vf_computes_lines(b));
}

/* The longest piece of the source of which the second cache holds what its rows of dst carry: of halves two
 * lines each. */
static int64_t longest_piece(const vf_blocking *b)
{
	return b->p->machine->cpu.l2_bytes / 4 / (b->unit == 2 ? PAIR : LINE) * b->unit;
}

/* Does the processor fetch pieces of these rows of the source by itself? They are long, and a block has no
 * more of them at a time than it follows, where lines leave by pairs. Hints would only take its fill buffers
 * (a Xeon with AMX, of the fastest copy: f32 4863 x 2400 0.62 asked for, 0.79 not; u16 4863 x 4800 0.58 and
 * 0.70; by 128 rows of u8 0.53 and 0.35). Of halves it is 32 rows, whole ones (u16 1971 x 50176 in pieces
 * 0.48 and 0.38), which are not pages apart (5678 x 4096 0.52 and 0.39). */
bool vf_follows_pieces(const vf_blocking *b)
{
	enum { LONG = 4096, PAGE = 4096 };
	const vf_machine *machine = b->p->machine;
	const int64_t longest = longest_piece(b);
	const bool whole = b->b.count * b->unit <= longest + longest / 4; /* even_blocks() */
	const bool halves = whole && b->a.loops[0].src % PAGE;
	return machine->cpu.pairs && machine->wide && b->unit >= 2 && b->unit <= 8 &&
	       is_power_of_two(b->unit) && b->b.bytes >= LONG && (b->unit > 2 || halves) &&
	       !has_short_pieces(b);
}

/* Are lines of these rows of the source asked for side by side? */
static bool shifts_beside(const vf_blocking *b)
{
	const vf_machine *machine = b->p->machine;
	return machine->wide && vf_shift_beside(b->a.loops[0].src, b->unit, machine->cpu.l2_hints);
}

/* Of rows that lie on lines, all are. Lines that leave by pairs come from a stage. */
bool vf_computes_beside(const vf_blocking *b)
{
	const vf_machine *machine = b->p->machine;
	if (!b->leaf->compute || machine->cpu.pairs)
		return false;
	if (b->t->stream == VF_LINES)
		return machine->wide && machine->cpu.l2_hints;
	return b->t->stream == VF_CARRY && makes_no_longer(b->leaf) && shifts_beside(b);
}

/* Bytes of a row of dst in a block, where rows start anywhere. The lines of a row leave one after the other;
 * narrow registers take four lines (Zen 3, with one line of u8 and two of others before: six shapes of u8
 * 1.13 times as fast, nine of f32, f64 and f16 1.11; Zen 5, ten of u8 by one, two and four lines 0.61, 0.63,
 * 0.62 of the fastest copy). */
static int64_t row_along(const vf_blocking *b)
{
	const vf_machine *machine = b->p->machine;
	const bool pairs = machine->cpu.pairs, narrow = vf_is_narrow(machine);
	if (has_short_pieces(b))
		return larger(b->unit == 1 ? LINE : PAIR, 2 * vf_computed_row(b));
	return narrow || (b->unit == 2 && !pairs && !shifts_beside(b)) ? 2 * PAIR : PAIR;
}

/* Bytes of a piece of the source there. The processor's own fetching follows pieces as long as these (Zen 4,
 * of the fastest copy, with pieces of 256 bytes before: f32 4001 x 4001 0.50 to 0.69, nine permutations of
 * u16 0.48 to 0.56; u8 gains nothing by 2 KiB; asked for side by side, six shapes of it had
 * 0.48 by 1.25 KiB, 0.50 by 2.5, 0.47 by 4). `goal`: of those that are packed. */
static int64_t piece_along(const vf_blocking *b, int64_t goal)
{
	enum { PIECE_AFTER = 1024, NARROW = 1536, BYTES = 2560, LONG = 8192 };
	const vf_machine *machine = b->p->machine;
	if (vf_follows_pieces(b))
		return longest_piece(b);
	if (vf_computed_row(b))
		return PIECE_AFTER * b->unit;
	if (has_short_pieces(b))
		return goal;
	if (machine->cpu.pairs)
		return b->unit <= 2 ? NARROW : 4096;
	if (shifts_beside(b))
		return b->unit == 1 ? BYTES : LONG;
	return b->unit <= 2 ? 1024 : 2048;
}

/* Bytes of a piece of pixels of 3 there (Zen 5, of the fastest copy, of 384 bytes and so: 11 shapes of u16
 * and f32 0.55 and 0.66, 7 of u8 0.51 and 0.55; AVX2 gains nothing). */
static int64_t pixels_along(const vf_blocking *b)
{
	enum { NARROW = 384, OF_BYTES = 2048, LONG = 16 << 10 };
	const vf_machine *machine = b->p->machine;
	if (!machine->wide || machine->cpu.pairs || b->leaf->compute)
		return NARROW;
	return b->unit == 3 ? OF_BYTES : smaller(LONG, longest_piece(b));
}

/* Rows of dst anywhere: blocks along them. Units of other sizes go by long pieces, from some more rows (by
 * four, of the fastest copy, and so, 15 shapes of 20 to 60 bytes: Zen 5 0.52, 0.72, AVX2 0.39, 0.47). */
void vf_blocks_along_rows(vf_blocking *b)
{
	enum { UNITS_ROW = 512 };
	if (vf_blocks_that_wait(b, VF_CARRY))
		return;
	const int64_t unit = b->unit, goal = unit == 1 ? 1024 : unit < 8 ? 256 : 512;
	const int64_t least = unit == 2 && row_along(b) == PAIR && !has_short_pieces(b) ? 2 * goal : goal;
	/* ends are cheap if a row has several blocks */
	const int64_t row = ends_are_cheap(b) ? row_along(b) : longer_rows(b, row_along(b), least);
	b->t->stream = VF_CARRY;
	if (!vf_fast_unit(unit))
		vf_set_blocks(b, UNITS_ROW, longest_piece(b));
	else if (vf_pixels_by_pairs(b))
		vf_set_blocks(b, 144, 8192);
	else if (!is_power_of_two(unit))
		vf_set_blocks(b, longer_rows(b, 192, 384), pixels_along(b));
	else
		vf_set_blocks(b, row, piece_along(b, goal));
}

/* Where ends are cheap, it wins over joining from rows of some 260 bytes of narrow units on, of others from
 * 450 (Zen 4, of the fastest copy, joined and along rows: u16 129 x 31007 0.44 and 0.38, 241 x 16597 0.40 and
 * 0.49; f32 97 x 25773 0.51 and 0.45, 241 x 10373 0.45 and 0.61; f64 201 x 7462 0.50 and 0.69; u8 161 x 49689
 * 0.35 and 0.23, 241 x 33195 0.36 and 0.41; f32 to f16, 129 x 31007 0.33 and 0.09, 150 x 26666 0.35 and
 * 0.42; u16, bytes turned, 141 x 42554 0.41 and 0.35, 180 x 33334 0.42 and 0.45). */
double vf_cost_along_rows(const vf_blocking *b)
{
	enum { NARROW = VF_ROW_JOINT + 26, COMPUTED = NARROW + 3, OTHERS = VF_ROW_JOINT + 45 };
	const double row = (double)b->a.bytes;
	if (!b->p->stream || b->unit >= LINE)
		return 0;
	if (ends_are_cheap(b)) /* equal to joining at 260 bytes, 290 and 450 */
		return 1.4 + (b->unit > 2 ? OTHERS : b->leaf->compute ? COMPUTED : NARROW) / row;
	return 1.65 + VF_ROW_END / row;
}
