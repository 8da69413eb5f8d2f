/* copy.c -- contiguous runs, a constant step apart. */
#include "plan/strategies/strategies.h"
#include "plan/strategy.h"

static int applies(const vf_leaf *leaf, int depth)
{
	return vf_line_of(leaf, leaf->unit_bytes) ? vf_loops_left(leaf, depth, 2) : 0;
}

/* Do sets of rows follow each other in dst, each shorter than what fills many lines? The shortest rows are
 * woven or gathered, and windows read the same rows again. Rows that run downwards, or repeat, are asked
 * for by calls as well; there long sets, or whole lines, gain nothing (Zen 4, of the fastest copy, by calls
 * and by sets: bf16 [42,128,64,64] rolled by 32 0.98 and 0.84, [62,16,197,80] upside down 0.92 and 0.84), but
 * for a row that is repeated a few times (8 shapes of 96 to 512 bytes 0.62, 0.68). */
static bool has_sets(const vf_leaf *leaf, int depth)
{
	enum { LINE = 64, SHORT_WIDE = 8, SHORT_ROW = 20, LONG_SET = 32 << 10, LONG_DOWN = 8 << 10 };
	enum { REPEATED = 1024 };
	if (leaf->nloop - depth < 3)
		return false;
	const vf_span *line = vf_last_loop(leaf), *rows = line - 1, *sets = rows - 1;
	const int64_t row = line->extent * leaf->unit_bytes, set = rows->extent * row;
	int64_t read;
	if (row < (leaf->wide ? SHORT_WIDE : SHORT_ROW) || (rows->src && vf_magnitude(rows->src) < row))
		return false;
	if (row >= LINE && rows->src <= 0 && (set % LINE == 0 || set > LONG_DOWN) &&
	    !(rows->src == 0 && set <= REPEATED))
		return false;
	return !vf_is_uneven(sets) && !vf_is_uneven(rows) && !vf_needs_chunk(rows) && !vf_needs_chunk(line) &&
	       rows->dst == row && sets->dst == set && set <= LONG_SET &&
	       vf_product_fits(rows->extent, vf_magnitude(rows->src), &read) &&
	       vf_magnitude(sets->src) >= read;
}

/* How many rows of less than a line come with one load where registers are as wide. */
static int64_t rows_of_vector(const vf_leaf *leaf)
{
	enum { LINE = 64 };
	const int64_t row = vf_run_bytes(leaf, 1), apart = vf_magnitude(leaf->loops[leaf->nloop - 2].src);
	return leaf->wide && apart >= row ? (LINE - row) / apart + 1 : 1;
}

/* Rows of less than a line wait for more than their bytes (Zen 4, u8 [16,32,32,3,14,14] by (0,3,1,4,2,5), of
 * the fastest copy, copied and woven: 0.16 and 0.22), but sets of them do not (the middle 50 by 50 of u8 56 x
 * 56 0.72 and 0.36). */
static double cost(const vf_leaf *leaf, int depth)
{
	enum { A_ROW = 1000, SHORT_ROW = 2500, LINE = 64 };
	const int ninner = vf_loops_left(leaf, depth, 2);
	const bool sets = has_sets(leaf, depth);
	const double row = vf_run_bytes(leaf, 1) >= LINE ? A_ROW
	                   : sets                        ? A_ROW / (double)rows_of_vector(leaf)
	                                                 : SHORT_ROW;
	return 30 + (ninner > 1 ? vf_row_cost(leaf, row) + vf_call_cost(leaf, sets ? 3 : ninner) : 0);
}

/* Bytes, from the first that a row reads to the last. */
static int64_t row_reads(const vf_codelet_call *call)
{
	const vf_block *b = &call->block;
	const int64_t step = call->codelet == VF_CODELET_copy ? 1 : b->stride;
	return b->n * (step < 0 ? -step : step);
}

/* Does the processor fetch these rows by itself, side by side? One whose lines leave by pairs does it with
 * long whole rows. Rows that are a multiple of 8 KiB apart in dst share banks of memory and lose. A Xeon with
 * AMX, of the fastest copy, one after the other and side by side: rows of 7 KB 0.82 and 0.87, of 24 KB 0.83
 * and 0.94, of 100 KB 0.80 and 0.98; of 8 KiB 0.84 and 0.77, of 64 KiB 0.84 and 0.71. */
static bool follows_rows(const vf_leaf *leaf, const vf_codelet_call *call)
{
	enum { EVEN = 8 << 10 };
	return leaf->pairs && call->codelet == VF_CODELET_copy && call->block.n >= VF_LONG_BESIDE &&
	       call->block.dst_step % EVEN != 0;
}

/* Do the rows of a call run downwards in the source, all of them, without long gaps, and fill dst? Then they
 * are read upwards, the last row first, as the processor's own fetching runs (Zen 4, of the fastest copy,
 * upside down: 32 rows of 128 bytes 0.38 and 0.95, 56 of 224 0.41 and 0.98, 128 of 384 0.68 and 0.92). Where
 * they are a part of more such rows, reading goes downwards from call to call, and so it does in them (40,000
 * rows of 1,000 bytes: 0.90, upwards in each call 0.75). Where lines leave by pairs, a few KiB lose (a Xeon
 * with AMX, downwards and upwards: 2 rows of 512 bytes 0.89 and 0.73, 8 of 512 0.95 and 0.86, 2 of 1200 0.90
 * and 0.71; 14 of 384 0.83 and 0.89, 56 of 224 0.82 and 0.94). */
static bool falls_at_once(const vf_leaf *leaf, const vf_codelet_call *call)
{
	enum { LINE = 64, FEW_BYTES = 5 << 10 };
	const vf_block *b = &call->block;
	const int64_t least = leaf->pairs ? FEW_BYTES : 0;
	const vf_span *rows = &leaf->loops[leaf->nloop - 2], *outer = leaf->nloop > 2 ? rows - 1 : NULL;
	const bool part = outer && outer->dst == rows->extent * rows->dst &&
	                  outer->src == rows->extent * rows->src;
	return call->codelet == VF_CODELET_copy && b->rows > 1 && b->src_step < 0 && b->n >= LINE &&
	       b->dst_step == b->n && -b->src_step <= 2 * b->n && !part && b->rows * b->n >= least;
}

/* Are they turned around, and asked for as one run, gaps and all (codelets/lines.h)? */
static bool is_turned_run(const vf_leaf *leaf, const vf_codelet_call *call)
{
	const vf_block *b = &call->block;
	return leaf->wide && !leaf->pairs && call->codelet == VF_CODELET_gather && b->stride == -b->unit &&
	       (b->unit & (b->unit - 1)) == 0 && vf_are_turned_run(row_reads(call), b->src_step);
}

/* What vf_weigh_rows() weighs, in this order. */
enum { ONE_AFTER_THE_OTHER, SIDE_BY_SIDE, LAST_FIRST };

/* Rows with gaps between them wait for memory at the start of each (of the fastest copy on a Zen 4, one after
 * the other and side by side: rows of 3 KiB, 5760 bytes apart, 0.54, 0.80; of 20 KB, 40 apart, 0.65, 0.95).
 * Short rows gain nothing side by side, nor do those with gaps so small that they are nearly one run. Where
 * lines leave by pairs, hints into the second cache do as well for short whole rows (a Xeon with AMX: rows of
 * 768 bytes, 2304 apart, 0.56 and 0.54; of 4 KiB, 12 KiB apart, 0.70 and 0.81; of 64 KiB 0.87 and 0.83);
 * what is picked from rows gains there, too. */
vf_weighing vf_weigh_rows(const vf_leaf *leaf, const vf_codelet_call *call)
{
	enum { FEWEST = 4, SHORTEST = 384, SHORT = 2048, LONGEST = 64 << 10, FOLLOWED = 256 << 10 };
	enum { SMALL_GAP = 1024, EVEN = 64 << 10 };
	const vf_block *b = &call->block;
	const int64_t read = row_reads(call), gap = (b->src_step < 0 ? -b->src_step : b->src_step) - read;
	const bool apart = gap >= 0 && (gap > SMALL_GAP || gap > read) && !is_turned_run(leaf, call);
	const bool followed = follows_rows(leaf, call) && (apart || b->src_step < 0);
	const bool asked = leaf->pairs && call->codelet == VF_CODELET_copy &&
	                   (read < SHORT || b->dst_step % EVEN == 0);
	const int64_t longest = followed ? FOLLOWED : LONGEST;
	const bool fit = b->stream && b->rows >= FEWEST && read >= SHORTEST && read <= longest;
	vf_weighing c = {.of = "rows"};
	vf_weigh(&c, "one after the other", followed || (apart && !asked) ? 1.7 : 1.15);
	vf_weigh(&c, "side by side", fit ? 1.2 : 0);
	vf_weigh(&c, "the last one first", b->stream && falls_at_once(leaf, call) ? 1.1 : 0);
	return c;
}

/* Sets how many rows are read side by side: fewer where they are whole pages apart, as those share sets of
 * caches and banks of memory. Where lines leave by pairs, twice as many short rows (a Xeon with AMX, every
 * second row and column of u8: 0.58 and 0.60 of the fastest copy), and long rows, too. */
void vf_set_beside(const vf_leaf *leaf, vf_codelet_call *call)
{
	enum { PAGE = 4096, FEW = 4 };
	vf_block *b = &call->block;
	const int64_t some = VF_MOST_BESIDE / 2, read = row_reads(call);
	const int64_t most = read > PAGE ? some / 2 : leaf->pairs ? VF_MOST_BESIDE : some;
	const int won = vf_weigh_rows(leaf, call).won;
	if (won == ONE_AFTER_THE_OTHER)
		return;
	if (won == LAST_FIRST)
		b->beside = VF_LAST_FIRST;
	else if (follows_rows(leaf, call))
		b->beside = b->src_step % PAGE && b->dst_step % PAGE ? some : some / 2;
	else
		b->beside = b->src_step % PAGE ? most : read < PAGE ? most / 2 : FEW;
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_copy;
	vf_codelet_call_rows(call, leaf, 0);
	vf_codelet_call_sets(call, leaf);
	call->block.n *= leaf->unit_bytes;
	vf_set_beside(leaf, call);
}

/* Rows of small pictures: by a call each they would end in a part of a line, which waits for the rest of it
 * from memory, and all stores behind it do; and what comes next would be asked for by pictures, not as one
 * run (Zen 4, of the fastest copy, a call each and so: the middle 50 by 50 of u8 56 x 56 0.36 and 0.72, 26 by
 * 26 of bf16 28 x 28 0.36 and 0.79, 50 by 49 of bf16 56 x 56 0.41 and 0.82; AVX2 alone, by a stage and so,
 * the last 0.41 and 0.75). */
void vf_leaf_take_sets(vf_leaf *leaf, int depth)
{
	if (leaf->strategy != VF_COPY || leaf->ninner != 2 || !has_sets(leaf, depth))
		return;
	leaf->ninner = 3;
	if (vf_codelet_call_of(leaf).block.beside > 1)
		leaf->ninner = 2;
}

static bool streams(const vf_leaf *leaf, bool lines)
{
	int64_t row = vf_last_loop(leaf)->extent * leaf->unit_bytes;
	const bool runs = row >= 16 && vf_run_bytes(leaf, 1) >= vf_long_run(leaf, 1);
	return row >= VF_LONG_ROW || (lines && (runs || has_sets(leaf, 0)));
}

const vf_strategy_row vf_copy_row = {"copy", applies, cost, call_of, streams};
