/* rows.h -- the codelets over rows for processors with a byte shuffle.
 *
 * Text of the files rows_*.c, after recipe.h. They also define
 *
 *   cook_lines(recipe, ...)     as cook, whole lines past the cache
 *   lanes, LANES                the widest register, and its bytes; load_lanes, store_lanes
 *   lanes_of(vec)               one that holds a vec as often as it fits
 *   copy_bytes, stream_lines, fetch_line
 *   transpose_codelet           the transpose of the variant
 *   stream_short(b, ...)        rows of less than a line, which fill dst; registers narrower than lines have
 *                               waiting.h
 *   put_pairs(form, ...)        as cook_block() for what stays in the cache, where that is faster; else false
 *   stage_pairs(form, ...)      the same past the cache
 */

/* ---- one run ---- */

static int64_t bytes_to_line(const byte *p, int64_t bytes)
{
	return smaller((int64_t)(-(uintptr_t)p & (LINE - 1)), bytes);
}

/* Long runs do not go by memcpy: a processor's string move is slow where source and dst lie a few bytes apart
 * within a page (Zen 4, 4 MB moved on by 2 bytes: 0.16 of the fastest copy by memcpy, 0.7 so). `asks`: asks
 * for lines before they are written. */
static void copy_run(byte *dst, const byte *src, int64_t bytes, bool asks)
{
	if (bytes > 1024) {
		int64_t head = bytes_to_line(dst, bytes);
		copy_bytes(dst, src, head);
		dst += head, src += head, bytes -= head;
		for (; asks && bytes >= LINE; bytes -= LINE, dst += LINE, src += LINE) {
			fetch_to_write(dst, TO_WRITE, 1);
			copy_bytes(dst, src, LINE);
		}
	}
	copy_bytes(dst, src, bytes);
}

/* Ordinary stores up to the first line, then full lines past the cache, then ordinary stores. */
INLINE void stream_run(byte *dst, const byte *src, int64_t bytes, rows_ahead *next)
{
	int64_t head = bytes_to_line(dst, bytes);
	if (head)
		fetch_ahead(src, next);
	copy_bytes(dst, src, head);
	dst += head, src += head, bytes -= head;
	for (; bytes >= LINE; bytes -= LINE, dst += LINE, src += LINE) {
		fetch_ahead(src, next);
		stream_lines(dst, src, 1);
	}
	fetch_end(src, bytes, next);
	copy_bytes(dst, src, bytes);
}

/* Asks for the run itself, which helps where the processor's own fetching starts anew, at each page. With the
 * end of a long run, or with all of a short one, it asks for the beginning of the next call's run instead, if
 * there is one. */
static void stream_one(const vf_block *b, byte *dst, const byte *src)
{
	enum { LONG = 16 << 10 };
	const int64_t bytes = b->rows * b->n, later = b->ahead_step;
	rows_ahead next = {.by = later, .second = asks_second()};
	int64_t first = 0;
	if (!later || bytes >= LONG) {
		next = rows_ahead_near(src, 0, bytes);
		first = later ? bytes_to_line(dst, LINE) + ((bytes - next.by) & -LINE) : bytes;
		stream_run(dst, src, first, &next);
		next = (rows_ahead){.by = later - first, .second = asks_second()};
	}
	stream_run(dst + first, src + first, bytes - first, &next);
}

static void leave_run(byte *dst, const byte *src, int64_t bytes, ahead *next)
{
	int64_t head = bytes_to_line(dst, bytes);
	copy_bytes(dst, src, head);
	dst += head, src += head, bytes -= head;
	for (; bytes >= LINE; bytes -= LINE, dst += LINE, src += LINE) {
		stream_lines(dst, src, 1);
		ahead_ask(next, 1);
	}
	copy_bytes(dst, src, bytes);
}

static void rows_leave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	ahead next = ahead_make(b, flow, b->rows * (b->n / LINE));
	for (int64_t r = 0; r < b->rows; r++)
		leave_run((byte *)dst + r * b->dst_step, (const byte *)src + r * b->src_step, b->n, &next);
	ahead_rest(&next);
}

/* ---- what recipes do ---- */

/* False where there is no recipe. */
static bool cook_block(form *f, const vf_block *b, void *dst, const void *src)
{
	if (b->stream && put_in_cycles(f, b, dst, src))
		return true;
	if (b->stream ? stage_pairs(f, b, dst, src) : put_pairs(f, b, dst, src))
		return true;
	const recipe *r = recipe_of(f);
	if (r && b->stream)
		cook_lines(r, b, dst, src);
	else if (r)
		cook(r, b, dst, src);
	return r;
}

/* The block's row is n units, `stride` bytes apart. False where there is no recipe. */
static bool cook_units(int64_t n, int64_t unit, int64_t stride, const vf_block *b, void *dst, const void *src)
{
	form f = {.n = n, .unit = unit, .by = stride, .streams = 1, .period = unit};
	return unit <= WIDTH && cook_block(&f, b, dst, src);
}

static void rows_copy(const vf_block *b, void *dst, const void *src, vf_flow *flow);

/* Are registers as wide as lines? Then units far apart go one by one to the line that fills, in a register.
 * Elsewhere that line is in L1, and vectors that bring one unit each are faster (Zen 5 with AVX2, f32
 * [900000,12] x[:, 1:3]: 0.43 of the fastest copy by way of the line, 0.78 by vectors). */
enum { WHOLE_LINES = (int)WIDTH == (int)LINE };

/* Copies each unit as a row of its own. */
static void gather_far(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const vf_block units = {
	    .rows = b->n, .dst_step = b->unit, .src_step = b->stride, .n = b->unit, .stream = b->stream};
	for (int64_t k = 0; k < b->rows; k++)
		rows_copy(&units, (byte *)dst + k * b->dst_step, (const byte *)src + k * b->src_step, flow);
}

#include "codelets/far_units.h"
#ifdef __AVX512F__ /* elsewhere all short rows wait in L1 (waiting.h) */
#include "codelets/far_rows_avx512.h"
#endif

/* A few units of many rows, as mirrored margins have, go column by column to what stays in the cache. False
 * where they are not few. (Zen 4, of memcpy, row by row and so: f32 40 x 40 mirrored by 2 0.31 and 0.47, f64
 * 0.46 and 0.71, u16 by 3 0.15 and 0.24; AVX2 alone, the first 0.31 and 0.48.) */
static bool gather_columns(const vf_block *b, byte *dst, const byte *src)
{
	enum { FEW_UNITS = 4 };
	const vf_block column = {
	    .rows = b->rows, .dst_step = b->dst_step, .src_step = b->src_step, .n = b->unit};
	if (b->stream || b->n > FEW_UNITS || b->rows < 2 * b->n)
		return false;
	for (int64_t i = 0; i < b->n; i++)
		vf_plain_copy(&column, dst + i * b->unit, src + i * b->stride, NULL);
	return true;
}

static void rows_gather(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	enum { LONG_ROW = 256 };
	if (b->n <= 0 || b->rows <= 0)
		return;
	if (b->rows > 1 && b->dst_step == b->n * b->unit && b->src_step == b->n * b->stride) {
		vf_block one = *b; /* rows that follow each other on both sides */
		one.n *= one.rows, one.rows = 1;
		rows_gather(&one, dst, src, flow);
		return;
	}
	if (gather_columns(b, dst, src))
		return;
	const bool far = b->stride >= WIDTH || b->stride <= -WIDTH; /* a vector would bring one unit */
	const bool staged = far && b->stream && b->n * b->unit >= LONG_ROW;
	const bool short_rows = WHOLE_LINES && far && b->stream && b->dst_step == b->n * b->unit;
	if ((staged || short_rows) && gather_staged(b, dst, src, !staged))
		return;
	if (staged && WHOLE_LINES) {
		gather_far(b, dst, src, flow);
		return;
	}
	if ((!far || b->stream) && cook_units(b->n, b->unit, b->stride, b, dst, src))
		return;
	if (b->unit <= 16)
		vf_plain_gather(b, dst, src, flow);
	else
		gather_far(b, dst, src, flow);
}

#ifdef __AVX512F__ /* a vector is as wide as any block */
#define pick_wide(f, b, dst, src) false
#else
#include "codelets/wide_blocks.h"
#endif

static void rows_pick(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	if (b->n <= 0 || b->rows <= 0)
		return;
	form f = {.n = b->n, .unit = b->unit, .by = b->src_block, .streams = b->planes};
	f.at = b->src_at, f.table = b->table;
	if (!cook_block(&f, b, dst, src) && !pick_wide(&f, b, dst, src))
		vf_plain_pick(b, dst, src, flow);
}

static bool cook_planes(const vf_block *b, void *dst, const void *src)
{
	form f = {.n = b->n, .unit = b->planes * b->unit, .by = b->unit, .streams = b->planes};
	f.stride = b->stride, f.period = b->unit;
	return b->planes <= STREAMS && f.unit <= WIDTH && cook_block(&f, b, dst, src);
}

/* With narrow registers a recipe of so many planes costs more than squares of them (small_pixels.h). */
static bool turns_planes(const vf_block *b)
{
	return NARROW && b->stream && b->planes > FEW && b->n >= 2 * WIDTH;
}

static void rows_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	(void)flow;
	if (b->n <= 0 || b->rows <= 0)
		return;
	if (vf_are_matrices(b->planes, b->n, b->unit)) {
		move_matrices(b, dst, src);
		return;
	}
	if (b->planes * b->unit < LINE && !turns_planes(b) && cook_planes(b, dst, src))
		return;
	if (fit_buffers(b)) { /* a call of transpose for each row costs more */
		move_matrices(b, dst, src);
		return;
	}
	vf_block pixels = {.rows = b->n,
	                   .dst_step = b->planes * b->unit,
	                   .n = b->planes,
	                   .unit = b->unit,
	                   .stride = b->stride,
	                   .stream = b->stream ? VF_JOINED : VF_STORE};
	for (int64_t k = 0; k < b->rows; k++)
		transpose_codelet(&pixels, (byte *)dst + k * b->dst_step, (const byte *)src + k * b->src_step,
		                  NULL);
}

/* Where a plane that is written begins. */
static int64_t plane_at(const vf_block *b, int64_t p)
{
	return b->dst_at ? b->dst_at[p] : p * b->stride;
}

/* Moves one plane after the other, by pieces of the source that stay in L1 from plane to plane. */
static void rows_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	enum { PIECE = 12 << 10 };
	const int64_t pixel = b->src_block, bytes = pixel < 0 ? -pixel : pixel;
	const int64_t fits = bytes > PIECE / 16 ? 16 : PIECE / bytes;
	vf_block plane = {.rows = 1, .unit = b->unit, .stride = pixel, .stream = b->stream};
	int64_t rows = 1, n = fits;
	if (fits >= b->rows * b->n) {
		rows = plane.rows = b->rows, n = b->n;
		plane.dst_step = b->dst_step, plane.src_step = b->src_step;
	}
	for (int64_t r = 0; r < b->rows; r += rows)
		for (int64_t i = 0; i < b->n; i += n)
			for (int64_t p = 0; p < b->planes; p++) {
				byte *d = (byte *)dst + r * b->dst_step + plane_at(b, p) + i * b->unit;
				const byte *s = (const byte *)src + r * b->src_step + p * b->unit + i * pixel;
				plane.n = smaller(b->n - i, n);
				rows_gather(&plane, d, s, flow);
			}
}

#include "codelets/fills.h"

/* ---- rows of bytes ---- */

/* Rows of up to a vector. A whole vector is moved where later rows overwrite what is too much of it, and
 * where that much may be read. */
static void copy_short_rows(const vf_block *b, byte *dst, const byte *src)
{
	int64_t whole = 0;
	if (b->dst_step == b->n && b->src_step >= 0) {
		const byte *end = dst + b->rows * b->n, *reach = src + (b->rows - 1) * b->src_step + b->n;
		for (; whole < b->rows && dst + WIDTH <= end && src + WIDTH <= reach; whole++) {
			fetch_to_write(dst, TO_WRITE, 1);
			store_vec(dst, load_vec(src));
			dst += b->n, src += b->src_step;
		}
	}
	for (; whole < b->rows; whole++, dst += b->dst_step, src += b->src_step)
		copy_bytes(dst, src, b->n);
}

/* Rows of a register and more. The last register overlaps the one before it. */
static void copy_wide_rows(const vf_block *b, byte *dst, const byte *src)
{
	const int64_t last = b->n - LANES, later = later_to_write(b->n, b->dst_step);
	for (int64_t k = 0; k < b->rows; k++, dst += b->dst_step, src += b->src_step) {
		for (int64_t i = 0; i < last; i += LANES) {
			fetch_to_write(dst + i, later, 1);
			store_lanes(dst + i, load_lanes(src + i));
		}
		fetch_to_write(dst + last, later, 1);
		store_lanes(dst + last, load_lanes(src + last));
	}
}

static void copy_rows(const vf_block *b, byte *dst, const byte *src)
{
	if (b->src_step == b->n && SPREADS(b->n, b->dst_step))
		scatter_codelet(&(vf_block){.rows = 1, .n = b->rows, .unit = b->n, .stride = b->dst_step},
		                dst, src, NULL);
	else if (b->dst_step != b->n && copy_units(b, dst, src))
		return;
	else if (b->n <= WIDTH)
		copy_short_rows(b, dst, src);
	else if (b->n >= LANES && b->n <= 1024)
		copy_wide_rows(b, dst, src);
	else
		for (int64_t k = 0; k < b->rows; k++)
			copy_run(dst + k * b->dst_step, src + k * b->src_step, b->n, true);
}

#include "codelets/beside.h"
#ifndef __AVX512F__
#include "codelets/waiting.h"
#endif

static void stream_rows(const vf_block *b, byte *dst, const byte *src)
{
	if (b->beside > 1 && b->n >= 2 * LINE)
		stream_beside(b, dst, src);
	else if (b->beside == VF_LAST_FIRST)
		stream_upwards(b, dst, src);
	else if (b->dst_step == b->n && b->n < LINE)
		stream_short(b, dst, src);
	else if (b->dst_step == b->n)
		stream_joined(b, dst, src);
	else {
		rows_ahead next = rows_ahead_of(b, b->n, src);
		for (int64_t k = 0; k < b->rows; k++)
			stream_run(dst + k * b->dst_step, src + k * b->src_step, b->n, &next);
	}
}

/* Rows shorter than a vector are gathered like units, where there are enough of them to pay for asking for
 * the recipe (Zen 4, of the fastest copy, put together one by one and so: rows of 50 bytes, 56 apart, 0.63
 * and 0.85; of 36, 40 apart, 0.47 and 0.70). False where they are not gathered. */
static bool copy_gathered(const vf_block *b, void *dst, const void *src)
{
	enum { FEW_ROWS = 24, MANY_ROWS = 100 };
	const int64_t least = b->n * 2 > WIDTH ? MANY_ROWS : b->stream ? 0 : FEW_ROWS;
	const bool far = b->src_step >= WIDTH || b->src_step <= -WIDTH; /* a vector would bring one row */
	if (b->dst_step != b->n || b->src_step == 0 || b->n >= WIDTH || (far && WHOLE_LINES && b->stream))
		return false;
	if (b->rows <= least)
		return false;
	const vf_block row = {.rows = 1, .stream = b->stream, .ahead_step = b->ahead_step};
	return cook_units(b->rows, b->n, b->src_step, &row, dst, src);
}

/* Not part of rows_copy(): its frame would cost as much as a small copy. */
static __attribute__((noinline)) void copy_streamed(const vf_block *b, byte *dst, const byte *src, bool one)
{
	if (one)
		stream_one(b, dst, src);
	else
		stream_rows(b, dst, src);
}

/* Sets of rows: past the cache they are one stream. */
static __attribute__((noinline)) void copy_sets(const vf_block *b, byte *dst, const byte *src)
{
	for (int64_t k = 0; k < b->planes && !b->stream; k++)
		copy_rows(b, dst + k * b->rows * b->n, src + k * b->src_block);
	if (b->stream)
		stream_rows(b, dst, src);
}

/* One small run is mostly in L1. There hints would cost it a sixth. */
static void rows_copy(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	enum { SMALL = 16 << 10 };
	const bool one = b->rows == 1 || (b->dst_step == b->n && b->src_step == b->n);
	(void)flow;
	if (b->rows <= 0 || b->n <= 0)
		return;
	if (b->planes > 1)
		copy_sets(b, dst, src);
	else if (one && !b->stream)
		copy_run(dst, src, b->rows * b->n, b->rows * b->n > SMALL);
	else if (!one && copy_gathered(b, dst, src))
		return;
	else if (b->stream)
		copy_streamed(b, dst, src, one);
	else
		copy_rows(b, dst, src);
}

#include "codelets/parts.h"
