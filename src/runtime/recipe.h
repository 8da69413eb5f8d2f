/* recipe.h -- rows of dst made vector by vector, each picked from up to four vectors of the source.
 *
 * Text of kernels_avx2.c and kernels_avx512.c, which first define
 *
 *   vec, WIDTH                  a vector and its bytes
 *   pick, pick_make(from)       byte i of a result is byte from[i] of a vector, or 0 where from[i] < 0
 *   picked(pick, vec)           such a result
 *   load_vec, store_vec         of WIDTH bytes; load_part, store_part: of the first n, 0 <= n <= WIDTH
 *   either(vec, vec)            bitwise or
 *
 * Reversing, gathering, swizzling, interleaving and its inverse are one thing: each vector of a row
 * of dst is picked from up to four vectors of the source, in the same way at every step. That way
 * is a *recipe*, made once a call; the loop only loads, picks and stores.
 */
#include "runtime/kernels_variant.h"

#include <stdbool.h>
#include <string.h>

enum { SOURCES = 4 };

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
	int64_t steps, src_advance; /* src_advance is not 0 */
	int64_t reach[SOURCES]; /* end of what the row needs of source s, from the row's start */
} recipe;

/* What a step is made from: of each byte of dst, where it comes from. 16 bits, so that the loops over
 * them become vectors: a call for one short row must not spend its time here. */
typedef struct draft {
	uint16_t at[WIDTH];
} draft;

/* quotient[i] = i / d, rest[i] = i % d; 1 <= d <= WIDTH. Exact: i < 64. */
static void divide(uint16_t *quotient, uint16_t *rest, int64_t d)
{
	uint16_t inverse = (uint16_t)(65536 / d + 1), by = (uint16_t)d;
	for (int i = 0; i < WIDTH; i++) {
		uint16_t q = (uint16_t)(((uint32_t)i * inverse) >> 16);
		quotient[i] = d == 1 ? (uint16_t)i : q;
		rest[i] = (uint16_t)(i - quotient[i] * by);
	}
}

static int64_t least(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* From vectors side by side, the first at `base`; the step uses `end` bytes of them. */
static void from_beside(step *out, const draft *d, int64_t bytes, int64_t base, int64_t end)
{
	out->bytes = bytes;
	out->nsource = (int)((end + WIDTH - 1) / WIDTH);
	for (int s = 0; s < out->nsource; s++) {
		signed char index[WIDTH];
		uint16_t first = (uint16_t)(s * WIDTH);
		for (int i = 0; i < WIDTH; i++) {
			uint16_t at = (uint16_t)(d->at[i] - first);
			index[i] = (signed char)(at < WIDTH ? at : 0x80);
		}
		out->picks[s] = pick_make(index);
		out->at[s] = base + first;
		out->need[s] = least(end - first, WIDTH);
	}
}

/* What there is to read beyond a vector, at the first step: negative where a vector is too much. */
static int64_t slack(const recipe *r, const step *t)
{
	int64_t room = r->reach[0] - t->at[0];
	for (int s = 1; s < t->nsource; s++)
		room = least(room, r->reach[s] - t->at[s]);
	return room - WIDTH;
}

/* `n`, the number of sources, is a constant where this is called. */
INLINE vec take_whole(const step *t, const byte *src, const int n)
{
	vec v = picked(t->picks[0], load_vec(src + t->at[0]));
	UNROLL for (int s = 1; s < n; s++) v =
	    either(v, picked(t->picks[s], load_vec(src + t->at[s])));
	return v;
}

static vec take_part(const step *t, const byte *src)
{
	vec v = picked(t->picks[0], load_part(src + t->at[0], t->need[0]));
	for (int s = 1; s < t->nsource; s++)
		v = either(v, picked(t->picks[s], load_part(src + t->at[s], t->need[s])));
	return v;
}

/* The steps of a row that may read whole vectors, and the first steps that may write them. */
typedef struct range {
	int64_t begin, end, stores;
} range;

static range whole_steps(const recipe *r, int64_t src_spare, int64_t dst_spare)
{
	if (!r->steps)
		return (range){0, 0, 0};
	int64_t spare = slack(r, &r->whole) + src_spare, by = r->src_advance;
	int64_t left = r->steps * r->whole.bytes + r->last.bytes + dst_spare - WIDTH;
	range g = {0, r->steps, r->steps};
	if (by < 0)
		g.begin = spare >= 0 ? 0 : (-spare - by - 1) / -by;
	else if (spare < (r->steps - 1) * by)
		g.end = spare < 0 ? 0 : spare / by + 1;
	if (left < (r->steps - 1) * r->whole.bytes)
		g.stores = left < 0 ? 0 : left / r->whole.bytes + 1;
	g.begin = least(g.begin, r->steps);
	return g;
}

static void careful_steps(const recipe *r, byte *dst, const byte *src, int64_t begin, int64_t end)
{
	for (int64_t i = begin; i < end; i++)
		store_part(dst + i * r->whole.bytes, take_part(&r->whole, src + i * r->src_advance),
		           r->whole.bytes);
}

/* What a vector writes too much, the next step, or row, overwrites: rows and steps run upwards. */
INLINE void cook_row(const recipe *r, byte *dst, const byte *src, range g, const int n)
{
	const step t = r->whole;
	const int64_t end = least(g.end, g.stores), by = r->src_advance;
	careful_steps(r, dst, src, 0, g.begin);
	byte *d = dst + g.begin * t.bytes;
	const byte *s = src + g.begin * by;
	for (int64_t i = g.begin; i < end; i++, d += t.bytes, s += by)
		store_vec(d, take_whole(&t, s, n));
	careful_steps(r, dst, src, end > g.begin ? end : g.begin, r->steps);
	d = dst + r->steps * t.bytes, s = src + r->steps * by;
	if (r->last.bytes)
		store_part(d, take_part(&r->last, s), r->last.bytes);
}

/* How many rows before a last one leave `bytes`, `each` a row; all of them if none do. */
static int64_t rows_that_leave(int64_t bytes, int64_t each, int64_t rows)
{
	return each > 0 ? least((bytes + each - 1) / each, rows) : rows;
}

/* Rows that may read and write whole vectors throughout, and even in their last step if `last_whole`. */
INLINE void cook_inner(const recipe *r, byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                       int64_t src_step, bool last_whole, const int n)
{
	const step whole = r->whole, last = r->last;
	const int64_t steps = r->steps, by = r->src_advance, bytes = whole.bytes;
	for (int64_t k = 0; k < rows; k++, dst += dst_step, src += src_step) {
		byte *d = dst;
		const byte *s = src;
		for (int64_t i = 0; i < steps; i++, d += bytes, s += by)
			store_vec(d, take_whole(&whole, s, n));
		if (last_whole)
			store_vec(d, take_whole(&last, s, n));
		else if (last.bytes)
			store_part(d, take_part(&r->last, s), last.bytes);
	}
}

/* Whole vectors may be read as far as the rows together reach, and be written into a next row that
 * follows without a gap. */
INLINE void cook_rows(const recipe *r, byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                      int64_t src_step, const int n)
{
	int64_t row_bytes = r->steps * r->whole.bytes + r->last.bytes;
	bool joined = dst_step == row_bytes;
	/* A last step's vectors start where its needs start: they fit if a whole step's room does. */
	bool last_whole = joined && r->last.bytes && r->last.nsource == n;
	range inner = whole_steps(r, 2 * WIDTH, joined ? WIDTH : 0);
	int64_t at_first = src_step < 0 ? rows_that_leave(2 * WIDTH, -src_step, rows) : 0;
	int64_t at_last = src_step < 0 ? 0 : rows_that_leave(2 * WIDTH, src_step, rows);
	if (joined)
		at_last = least(rows, at_last + rows_that_leave(WIDTH, dst_step, rows));
	if (inner.begin > 0 || least(inner.end, inner.stores) < r->steps || at_first + at_last > rows)
		at_first = rows, at_last = 0;
	for (int64_t k = 0; k < rows; k++) {
		if (k == at_first && at_last < rows - k) {
			cook_inner(r, dst + k * dst_step, src + k * src_step, rows - k - at_last,
			           dst_step, src_step, last_whole, n);
			k = rows - at_last;
			if (k == rows)
				return;
		}
		int64_t others = src_step < 0 ? k * -src_step : (rows - 1 - k) * src_step;
		int64_t after = joined ? (rows - 1 - k) * dst_step : 0;
		cook_row(r, dst + k * dst_step, src + k * src_step, whole_steps(r, others, after), n);
	}
}

static void cook(const recipe *r, byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                 int64_t src_step)
{
	switch (r->steps ? r->whole.nsource : r->last.nsource) {
	case 1:
		cook_rows(r, dst, src, rows, dst_step, src_step, 1);
		break;
	case 2:
		cook_rows(r, dst, src, rows, dst_step, src_step, 2);
		break;
	case 3:
		cook_rows(r, dst, src, rows, dst_step, src_step, 3);
		break;
	default:
		cook_rows(r, dst, src, rows, dst_step, src_step, 4);
	}
}
