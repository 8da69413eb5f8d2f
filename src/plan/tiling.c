/* tiling.c -- the rule of tiling.h.
 *
 * A transposing copy is bound by how lines come and go, not by instructions. What was measured, on
 * the 57 permutations of HPTT's benchmark (Zen 5, ratios to memcpy), and what the rule takes from it:
 *
 *   - A piece of 256 bytes by 256 bytes: whole lines on both sides, four of them side by side. Its
 *     64 rows of 4 lines are as far ahead as fetching pays: 22 GB/s with 64 to 128 lines on their
 *     way, 15 with 16. Half of it on either side costs 5 to 15 percent. Units of 8 bytes: 512 bytes
 *     of the source's rows (the 57 of f64: 0.92 to 0.95).
 *   - Where rows of dst do not lie on lines, what a piece leaves of a line is completed by the piece
 *     that follows along the row: short pieces, along A (u8 0.3 to 0.6, u16 0.6 to 0.83). Bytes: one
 *     line by 1 KiB (0.58 to 0.66, where such are).
 *   - Rows of the source a multiple of a page apart compete for the same lines of L1: half as many.
 *   - Rows of dst a power of two apart compete for the banks of memory: tiles of one source line,
 *     so that 16 rows are written at a time instead of 64 (f32 0.70 to 1.0 where it applies).
 *   - In cache, 4 KiB along the rows of dst; of the source's, so little of units from 4 bytes that
 *     rows a power of two apart keep their lines in L1 (8 bytes, 256 by 256: 0.14 to 0.37). Below 4
 *     bytes, squares: longer rows are no faster, and threads are to share them.
 *   - Where both sides run along the same axis, that run is one unit: 8 KiB of 4 rows of the source
 *     at a time, which the processor's own fetching can follow, written along the rows of dst (units
 *     of 32 bytes: 64 rows 0.4 of memcpy, 4 rows 0.6; of 176 bytes: 46 rows 0.45, 4 rows 1.0).
 */
#include "plan/tiling.h"

#include <string.h>

enum { LINE = 64, PAGE = 4096, RUN_A = 1024, RUN_B = 4096, MOST_UNIT = 64 << 10, SHORT_ROW = 512 };

typedef struct builder {
	vf_tile_descriptor *t;
	vf_tile_axis loops[VF_TILE_OUTER_AXES];
	int nloop;
	int64_t bytes_a, bytes_b; /* of the runs, so far */
} builder;

static int64_t smaller(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static int64_t larger(int64_t x, int64_t y)
{
	return x > y ? x : y;
}

static int64_t magnitude(int64_t x)
{
	return x < 0 ? -x : x;
}

static vf_tile_axis take_loop(builder *b, int k)
{
	vf_tile_axis axis = b->loops[k];
	b->nloop--;
	memmove(&b->loops[k], &b->loops[k + 1], (size_t)(b->nloop - k) * sizeof axis);
	return axis;
}

/* The loop whose destination, or source in either direction, goes on where `bytes` end; -1: none. */
static int next_loop(const builder *b, bool dst, int64_t bytes)
{
	for (int k = 0; k < b->nloop; k++)
		if ((dst ? b->loops[k].dst : magnitude(b->loops[k].src)) == bytes)
			return k;
	return -1;
}

/* A loop that runs backwards in the source starts from its other end. */
static void turn_over(vf_tiling *out, vf_tile_axis *x)
{
	if (x->src >= 0)
		return;
	out->dst_offset += (x->extent - 1) * x->dst;
	out->src_offset += (x->extent - 1) * x->src;
	x->dst = -x->dst, x->src = -x->src;
}

static bool grow_a(builder *b)
{
	int k = b->t->na < VF_TILE_RUN_AXES ? next_loop(b, true, b->bytes_a) : -1;
	if (k < 0)
		return false;
	b->bytes_a *= b->loops[k].extent;
	b->t->a[b->t->na++] = take_loop(b, k);
	return true;
}

static bool grow_b(builder *b, vf_tiling *out)
{
	int k = b->t->nb < VF_TILE_RUN_AXES ? next_loop(b, false, b->bytes_b) : -1;
	if (k < 0)
		return false;
	turn_over(out, &b->loops[k]);
	b->bytes_b *= b->loops[k].extent;
	b->t->b[b->t->nb++] = take_loop(b, k);
	return true;
}

/* First each its innermost axis; then the shorter run grows, so that an axis which both could take
 * goes where it is needed. */
static bool find_runs(builder *b, vf_tiling *out)
{
	vf_tile_descriptor *t = b->t;
	if (!grow_a(b) || !grow_b(b, out))
		return false;
	bool more_a = true, more_b = true;
	while (more_a || more_b) {
		if (b->bytes_a >= RUN_A)
			more_a = false;
		if (b->bytes_b >= RUN_B)
			more_b = false;
		if (more_a && (!more_b || b->bytes_a <= b->bytes_b))
			more_a = grow_a(b);
		else if (more_b)
			more_b = grow_b(b, out);
	}
	t->count_a = b->bytes_a / t->unit_bytes;
	t->count_b = b->bytes_b / t->unit_bytes;
	return true;
}

static bool is_power_of_two(int64_t x)
{
	return x > 0 && (x & (x - 1)) == 0;
}

/* Whether every row of dst starts at a line, or all equally far from one. */
static bool rows_on_lines(const builder *b)
{
	const vf_tile_descriptor *t = b->t;
	int64_t unit = t->unit_bytes;
	if (!is_power_of_two(unit) && unit % LINE)
		return false;
	for (int64_t k = 0; k < t->nb; k++)
		if (t->b[k].dst % LINE)
			return false;
	for (int k = 0; k < b->nloop; k++)
		if (b->loops[k].dst % LINE)
			return false;
	return true;
}

/* Blocks of so many bytes of both runs: whole strips of the kernels' (64 bytes, or 192 of units of 3, 6
 * and 12). */
static void set_blocks(vf_tile_descriptor *t, int64_t a_bytes, int64_t b_bytes)
{
	t->chunk_a = smaller(larger(a_bytes / t->unit_bytes, 1), t->count_a);
	t->chunk_b = smaller(larger(b_bytes / t->unit_bytes, 1), t->count_b);
	t->tile_b = t->chunk_b;
}

static const char *choose_blocks(vf_tile_descriptor *t, bool on_lines)
{
	int64_t unit = t->unit_bytes, apart = magnitude(t->b[0].dst);
	t->a_first = 0;
	if (!t->stream) {
		if (unit < 4)
			set_blocks(t, 3 * 192, 3 * 192);
		else if (unit > 16)
			set_blocks(t, 8192, 4096);
		else
			set_blocks(t, 21 * 192, is_power_of_two(unit) ? 128 : 192);
		return "in cache: long blocks, ordinary stores";
	}
	if (unit > 16) {
		set_blocks(t, smaller(4 * unit, 8192), unit < 1024 ? 8192 : 16384);
		return "runs that both sides share: of up to 4 places, 8 KiB or more at a time";
	}
	if (!is_power_of_two(unit)) {
		set_blocks(t, 192, 384);
		return "blocks of 192 by 384 bytes, along the rows: lines are put together from "
		       "two blocks";
	}
	int64_t row = t->count_a * unit;
	if (!on_lines && row < SHORT_ROW && t->b[0].dst == row) {
		set_blocks(t, SHORT_ROW, 1024);
		return "whole rows of dst by 1 KiB: short rows, put together one after the other";
	}
	if (!on_lines) {
		set_blocks(t, unit == 1 ? LINE : 128, unit == 1 ? 1024 : unit < 8 ? 256 : 512);
		return "blocks of 128 by 256 bytes or so, along the rows: lines are put together "
		       "from two blocks";
	}
	t->a_first = 1;
	if (is_power_of_two(apart) && apart >= PAGE / 2) {
		int64_t side = unit == 4 ? 256 : 512;
		set_blocks(t, side, side);
		t->tile_b = smaller(LINE / unit, t->chunk_b);
		return "blocks of 256 bytes or more, one source line wide: rows a power of two "
		       "apart";
	}
	if (unit < 8 && t->a[0].src % PAGE == 0) {
		set_blocks(t, 128, 256);
		return "blocks of 128 by 256 bytes: source rows whole pages apart";
	}
	set_blocks(t, unit < 4 ? 128 : 256, unit < 8 ? 256 : 512);
	return "blocks of 256 bytes or so on either side";
}

/* What is left, slowest in dst first. */
static void order_outer(builder *b)
{
	vf_tile_descriptor *t = b->t;
	while (b->nloop > 0) {
		int slowest = 0;
		for (int k = 1; k < b->nloop; k++)
			if (magnitude(b->loops[k].dst) > magnitude(b->loops[slowest].dst))
				slowest = k;
		t->outer[t->nouter++] = take_loop(b, slowest);
	}
	t->place_a = t->place_b = t->nouter;
}

static int64_t chunks(int64_t count, int64_t chunk)
{
	return (count + chunk - 1) / chunk;
}

bool vf_tiling_build(vf_tiling *out, const vf_tile_axis *loops, int nloop, int64_t unit_bytes,
                     const vf_cpu *cpu)
{
	vf_tile_descriptor *t = &out->tile;
	builder b = {.t = t, .nloop = nloop};
	memset(out, 0, sizeof *out);
	if (nloop < 2 || nloop > VF_TILE_OUTER_AXES)
		return false;
	memcpy(b.loops, loops, (size_t)nloop * sizeof *loops);

	/* A run that both share is one unit. */
	t->unit_bytes = unit_bytes;
	int shared = next_loop(&b, true, unit_bytes);
	if (shared >= 0 && b.loops[shared].src == unit_bytes)
		t->unit_bytes *= take_loop(&b, shared).extent;
	else if (shared >= 0 && b.loops[shared].src == -unit_bytes)
		return false;
	if (t->unit_bytes > MOST_UNIT)
		return false;

	int64_t bytes = unit_bytes;
	for (int k = 0; k < nloop; k++)
		bytes *= loops[k].extent;
	t->stream = bytes >= smaller(4 * cpu->l2_bytes, cpu->l3_bytes / 2);
	t->prefetch = bytes >= cpu->l2_bytes / 2;
	b.bytes_a = b.bytes_b = t->unit_bytes;
	if (!find_runs(&b, out))
		return false;
	out->reason = choose_blocks(t, rows_on_lines(&b));
	order_outer(&b);

	t->pieces = chunks(t->count_a, t->chunk_a) * chunks(t->count_b, t->chunk_b);
	for (int64_t k = 0; k < t->nouter; k++)
		t->pieces *= t->outer[k].extent;
	t->scratch_bytes = vf_tile_scratch(t);
	return true;
}
