/* rows_engine.h -- the kernels over rows for processors with a byte shuffle.
 *
 * Text of kernels_avx2.c and kernels_avx512.c, which first define
 *
 *   vec, WIDTH                  a vector and its bytes
 *   pick, pick_make(from)       byte i of a result is byte from[i] of a vector, or 0 where from[i] < 0
 *   picked(pick, vec)           such a result
 *   load_vec, store_vec         of WIDTH bytes; load_part, store_part: of the first n, 0 <= n <= WIDTH
 *   either(vec, vec)            bitwise or
 *   copy_bytes, stream_lines, fetch_line, fence, tile_kernel
 *
 * Reversing, gathering, swizzling, interleaving and its inverse are one thing: each vector of a row
 * of dst is picked from up to four vectors of the source, in the same way at every step. That way
 * is a *recipe*, made once a call; the loop only loads, picks and stores.
 */
#include "runtime/kernels_variant.h"

#include <stdbool.h>
#include <string.h>

enum { SOURCES = 4, LINE = 64 };

/* ---- recipes ---- */

/* One vector of dst: its first `bytes` bytes, from the first need[s] bytes at `at[s]` from the step's place
 * in the source. */
typedef struct step {
	int nsource;
	int64_t bytes;
	pick picks[SOURCES];
	int64_t at[SOURCES], need[SOURCES];
} step;

/* A row of dst: `steps` times `whole`, then `last` unless it has no bytes. */
typedef struct recipe {
	step whole, last;
	int64_t steps, src_advance;
	int64_t reach[SOURCES]; /* end of what may be read of source s, from the row's start */
} recipe;

/* What a step is made from: where each byte comes from. */
typedef struct draft {
	signed char index[SOURCES][WIDTH]; /* -1: not from this source */
	int nsource;
	int64_t bytes, need[SOURCES];
} draft;

static void draft_begin(draft *d)
{
	memset(d, 0, sizeof *d);
	memset(d->index, -1, sizeof d->index);
}

/* The next byte of dst is byte `at` of source s. */
static inline void draft_add(draft *d, int s, int64_t at)
{
	d->index[s][d->bytes++] = (signed char)at;
	if (at >= d->need[s])
		d->need[s] = at + 1;
	if (s >= d->nsource)
		d->nsource = s + 1;
}

static void draft_finish(const draft *d, step *out)
{
	out->nsource = d->nsource;
	out->bytes = d->bytes;
	for (int s = 0; s < d->nsource; s++)
		out->picks[s] = pick_make(d->index[s]), out->need[s] = d->need[s];
}

INLINE vec step_load(const step *t, int s, const byte *src, int64_t reach)
{
	const byte *p = src + t->at[s];
	return picked(t->picks[s], reach >= WIDTH ? load_vec(p) : load_part(p, t->need[s]));
}

/* The last step: exactly its bytes. */
static void cook_last(const step *t, byte *dst, const byte *src)
{
	vec v = step_load(t, 0, src, 0);
	for (int s = 1; s < t->nsource; s++)
		v = either(v, step_load(t, s, src, 0));
	store_part(dst, v, t->bytes);
}

/* `n`, the number of sources, is a constant where this is called. */
INLINE void cook_row(const recipe *r, byte *dst, const byte *src, const int n)
{
	const step *t = &r->whole;
	int64_t left = r->steps * t->bytes + r->last.bytes, moved = 0; /* bytes: of dst, of src */
	for (int64_t i = 0; i < r->steps; i++) {
		vec v = step_load(t, 0, src, r->reach[0] - t->at[0] - moved);
		UNROLL for (int s = 1; s < n; s++) v =
		    either(v, step_load(t, s, src, r->reach[s] - t->at[s] - moved));
		/* What a vector writes too much, the next step overwrites. */
		if (left >= WIDTH)
			store_vec(dst, v);
		else
			store_part(dst, v, t->bytes);
		dst += t->bytes, left -= t->bytes;
		src += r->src_advance, moved += r->src_advance;
	}
	if (r->last.bytes)
		cook_last(&r->last, dst, src);
}

static void cook(const recipe *r, byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                 int64_t src_step)
{
	int n = r->steps ? r->whole.nsource : r->last.nsource;
	for (int64_t k = 0; k < rows; k++, dst += dst_step, src += src_step) {
		if (n == 1)
			cook_row(r, dst, src, 1);
		else if (n == 2)
			cook_row(r, dst, src, 2);
		else if (n == 3)
			cook_row(r, dst, src, 3);
		else
			cook_row(r, dst, src, 4);
	}
}

/* ---- copies ---- */

static void rows_copy(void *dst, const void *src, int64_t bytes)
{
	if (bytes > 1024)
		memcpy(dst, src, (size_t)bytes);
	else
		copy_bytes(dst, src, bytes);
}

/* Ordinary up to a line, full lines, ordinary. The source is fetched some lines ahead: it helps
 * where the processor's own fetching starts anew, at each page. */
static void stream_run(byte *dst, const byte *src, int64_t bytes)
{
	int64_t head = (int64_t)(-(uintptr_t)dst & (LINE - 1));
	if (head > bytes)
		head = bytes;
	copy_bytes(dst, src, head);
	dst += head, src += head, bytes -= head;
	for (; bytes >= LINE; bytes -= LINE, dst += LINE, src += LINE) {
		fetch_line((const void *)((uintptr_t)src + 8 * LINE));
		stream_lines(dst, src, 1);
	}
	copy_bytes(dst, src, bytes);
}

static void rows_stream(void *dst, const void *src, int64_t bytes)
{
	stream_run(dst, src, bytes);
	fence();
}

/* Rows that fill dst without a gap: lines are completed across the ends of rows. */
typedef struct joined {
	byte line[LINE]; /* what has come of the line at dst - held */
	int64_t held;    /* bytes in it, from `first` on */
	int64_t first;   /* the first that is ours */
	byte *dst;
} joined;

static void joined_flush(joined *j)
{
	copy_bytes(j->dst - j->held + j->first, j->line + j->first, j->held - j->first);
	j->held = j->first = 0;
}

static void joined_add(joined *j, const byte *src, int64_t bytes, int64_t fetch)
{
	if (j->held) {
		int64_t room = LINE - j->held, n = bytes < room ? bytes : room;
		copy_bytes(j->line + j->held, src, n);
		j->held += n, j->dst += n, src += n, bytes -= n;
		if (j->held < LINE)
			return;
		if (j->first)
			joined_flush(j);
		else
			stream_lines(j->dst - LINE, j->line, 1);
		j->held = 0;
	}
	for (; bytes >= LINE; bytes -= LINE, j->dst += LINE, src += LINE) {
		fetch_line((const void *)((uintptr_t)src + (uintptr_t)fetch));
		stream_lines(j->dst, src, 1);
	}
	copy_bytes(j->line, src, bytes);
	j->held = bytes, j->dst += bytes;
}

static void rows_stream_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                             int64_t src_step, int64_t bytes)
{
	const byte *s = src;
	byte *d = dst;
	/* Some 2 KiB ahead: the same place of a later row. */
	int64_t fetch = bytes > 0 ? src_step * (2048 / bytes + 1) : 0;
	if (rows <= 0 || bytes <= 0)
		return;
	if (dst_step == bytes && src_step == bytes) {
		stream_run(d, s, rows * bytes);
	} else if (dst_step == bytes) {
		int64_t first = (int64_t)((uintptr_t)d & (LINE - 1));
		joined j = {.held = first, .first = first, .dst = d};
		for (int64_t r = 0; r < rows; r++)
			joined_add(&j, s + r * src_step, bytes, fetch);
		if (j.held)
			joined_flush(&j);
	} else {
		for (int64_t r = 0; r < rows; r++)
			stream_run(d + r * dst_step, s + r * src_step, bytes);
	}
	fence();
}

/* ---- what recipes do ---- */

static void rows_copy_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                           int64_t src_step, int64_t bytes);

/* `k` units, unit i at i*stride from the first, from vectors side by side. */
static void gather_step(step *out, int64_t k, int64_t stride, int64_t unit)
{
	draft d;
	draft_begin(&d);
	/* The vectors start at the lowest unit: the last one where the stride is negative. */
	int64_t base = stride < 0 ? (k - 1) * stride : 0;
	for (int64_t i = 0; i < k; i++)
		for (int64_t c = 0; c < unit; c++) {
			int64_t at = i * stride - base + c;
			draft_add(&d, (int)(at / WIDTH), at % WIDTH);
		}
	draft_finish(&d, out);
	for (int s = 0; s < d.nsource; s++)
		out->at[s] = base + s * WIDTH;
}

/* False where few units would fit a step. n >= 1. */
static bool gather_recipe(recipe *r, int64_t n, int64_t stride, int64_t unit)
{
	int64_t distance = stride < 0 ? -stride : stride, span = SOURCES * WIDTH;
	if (unit > WIDTH || distance < 1 || distance > span / 2)
		return false;
	int64_t k = (span - unit) / distance + 1;
	if (k > WIDTH / unit)
		k = WIDTH / unit;
	if (k < 2)
		return false;
	*r = (recipe){.steps = n / k, .src_advance = k * stride};
	if (r->steps)
		gather_step(&r->whole, k, stride, unit);
	if (n % k)
		gather_step(&r->last, n % k, stride, unit);
	for (int s = 0; s < SOURCES; s++)
		r->reach[s] = stride < 0 ? unit : (n - 1) * stride + unit;
	return true;
}

static void rows_gather(void *dst, const void *src, int64_t rows, int64_t dst_step,
                        int64_t src_step, int64_t n, int64_t stride, int64_t unit)
{
	recipe r;
	if (n <= 0 || rows <= 0)
		return;
	if (gather_recipe(&r, n, stride, unit))
		cook(&r, dst, src, rows, dst_step, src_step);
	else if (unit <= 16)
		vf_k_gather_rows(dst, src, rows, dst_step, src_step, n, stride, unit);
	else
		for (int64_t k = 0; k < rows; k++)
			rows_copy_rows((byte *)dst + k * dst_step, (const byte *)src + k * src_step,
			               n, unit, stride, unit);
}

static void rows_reverse(void *dst, const void *src, int64_t rows, int64_t dst_step,
                         int64_t src_step, int64_t n, int64_t unit)
{
	if (n > 0)
		rows_gather(dst, (const byte *)src + (n - 1) * unit, rows, dst_step, src_step, n,
		            -unit, unit);
}

static void rows_fill(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                      int64_t n, int64_t unit)
{
	step t;
	int64_t k = unit <= WIDTH ? WIDTH / unit : 0;
	if (n <= 0 || rows <= 0)
		return;
	if (k)
		gather_step(&t, k < n ? k : n, 0, unit);
	for (int64_t r = 0; r < rows; r++) {
		byte *d = (byte *)dst + r * dst_step, *end = d + n * unit;
		const byte *s = (const byte *)src + r * src_step;
		if (!k) {
			for (; d < end; d += unit)
				rows_copy(d, s, unit);
			continue;
		}
		vec v = picked(t.picks[0], load_part(s, unit));
		for (; end - d >= WIDTH; d += t.bytes)
			store_vec(d, v);
		if (d < end)
			store_part(d, v, end - d);
	}
}

/* `k` blocks. */
static void shuffle_step(step *out, int64_t k, int64_t dst_block, int64_t src_block,
                         const byte *table)
{
	draft d;
	draft_begin(&d);
	for (int64_t i = 0; i < k; i++)
		for (int64_t c = 0; c < dst_block; c++) {
			int64_t at = i * src_block + table[c];
			draft_add(&d, (int)(at / WIDTH), at % WIDTH);
		}
	draft_finish(&d, out);
	for (int s = 0; s < d.nsource; s++)
		out->at[s] = s * WIDTH;
}

static int64_t most(const byte *table, int64_t n)
{
	int64_t high = 0;
	for (int64_t i = 0; i < n; i++)
		if (table[i] > high)
			high = table[i];
	return high;
}

static void rows_shuffle(void *dst, const void *src, int64_t rows, int64_t dst_step,
                         int64_t src_step, int64_t n, int64_t dst_block, int64_t src_block,
                         const unsigned char *table)
{
	int64_t k = WIDTH / dst_block, span = SOURCES * WIDTH;
	if (n <= 0 || rows <= 0)
		return;
	if (k > span / src_block)
		k = span / src_block;
	if (k < 1) {
		vf_k_shuffle_rows(dst, src, rows, dst_step, src_step, n, dst_block, src_block,
		                  table);
		return;
	}
	recipe r = {.steps = n / k, .src_advance = k * src_block};
	if (r.steps)
		shuffle_step(&r.whole, k, dst_block, src_block, table);
	if (n % k)
		shuffle_step(&r.last, n % k, dst_block, src_block, table);
	for (int s = 0; s < SOURCES; s++)
		r.reach[s] = (n - 1) * src_block + most(table, dst_block) + 1;
	cook(&r, dst, src, rows, dst_step, src_step);
}

/* `k` pixels. */
static void interleave_step(step *out, int64_t k, int64_t planes, int64_t plane_step, int64_t unit)
{
	draft d;
	draft_begin(&d);
	for (int64_t i = 0; i < k; i++)
		for (int64_t p = 0; p < planes; p++)
			for (int64_t c = 0; c < unit; c++)
				draft_add(&d, (int)p, i * unit + c);
	draft_finish(&d, out);
	for (int64_t p = 0; p < planes; p++)
		out->at[p] = p * plane_step;
}

static void rows_interleave(void *dst, const void *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                            int64_t unit)
{
	int64_t k = planes <= SOURCES ? WIDTH / (planes * unit) : 0;
	if (n <= 0 || rows <= 0)
		return;
	if (!k) {
		for (int64_t r = 0; r < rows; r++)
			tile_kernel((byte *)dst + r * dst_step, (const byte *)src + r * src_step,
			            planes, n, planes * unit, plane_step, unit);
		return;
	}
	recipe r = {.steps = n / k, .src_advance = k * unit};
	if (r.steps)
		interleave_step(&r.whole, k, planes, plane_step, unit);
	if (n % k)
		interleave_step(&r.last, n % k, planes, plane_step, unit);
	for (int64_t p = 0; p < planes; p++)
		r.reach[p] = p * plane_step + n * unit;
	cook(&r, dst, src, rows, dst_step, src_step);
}

/* Plane after plane, in pieces that stay in L1 between. */
static void rows_deinterleave(void *dst, const void *src, int64_t rows, int64_t dst_step,
                              int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                              int64_t unit)
{
	enum { PIECE = 12 << 10 };
	int64_t pixel = planes * unit, piece = pixel > PIECE / 16 ? 16 : PIECE / pixel;
	if (piece * rows * pixel > PIECE) {
		/* Long rows one by one. */
		for (int64_t r = 0; r < rows; r++)
			for (int64_t i = 0; i < n; i += piece)
				for (int64_t p = 0; p < planes; p++)
					rows_gather(
					    (byte *)dst + r * dst_step + p * plane_step + i * unit,
					    (const byte *)src + r * src_step + i * pixel + p * unit,
					    1, 0, 0, n - i < piece ? n - i : piece, pixel, unit);
		return;
	}
	for (int64_t p = 0; p < planes; p++)
		rows_gather((byte *)dst + p * plane_step, (const byte *)src + p * unit, rows,
		            dst_step, src_step, n, pixel, unit);
}

/* ---- rows of bytes ---- */

/* dst[r*dst_step ...] of up to a vector: whole vectors where later rows overwrite what is too much and
 * where that much may be read. */
static void copy_short_rows(byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t bytes)
{
	int64_t whole = 0;
	if (dst_step == bytes && src_step >= 0) {
		const byte *end = dst + rows * bytes, *reach = src + (rows - 1) * src_step + bytes;
		for (; whole < rows && dst + WIDTH <= end && src + WIDTH <= reach; whole++) {
			store_vec(dst, load_vec(src));
			dst += bytes, src += src_step;
		}
	}
	for (; whole < rows; whole++, dst += dst_step, src += src_step)
		copy_bytes(dst, src, bytes);
}

static void rows_copy_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                           int64_t src_step, int64_t bytes)
{
	recipe r;
	if (rows <= 0 || bytes <= 0)
		return;
	if (dst_step == bytes && src_step == bytes) {
		rows_copy(dst, src, rows * bytes);
	} else if (bytes * 2 <= WIDTH && dst_step == bytes &&
	           gather_recipe(&r, rows, src_step, bytes)) {
		cook(&r, dst, src, 1, 0, 0);
	} else if (bytes <= WIDTH) {
		copy_short_rows(dst, src, rows, dst_step, src_step, bytes);
	} else {
		for (int64_t k = 0; k < rows; k++)
			rows_copy((byte *)dst + k * dst_step, (const byte *)src + k * src_step,
			          bytes);
	}
}

static void rows_prefetch(const void *src, int64_t rows, int64_t src_step, int64_t bytes)
{
	for (int64_t r = 0; r < rows; r++) {
		uintptr_t p = (uintptr_t)src + (uintptr_t)(r * src_step),
			  end = p + (uintptr_t)bytes;
		for (p &= ~(uintptr_t)(LINE - 1); p < end; p += LINE)
			fetch_line((const void *)p);
	}
}
