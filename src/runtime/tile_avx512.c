/* tile_avx512.c -- tiles and the tile engine in 512-bit registers; strip_avx512.h moves the strips. */
#include "runtime/kernels_variant.h"

#if VF_KERNELS_X86
#include "runtime/fetch.h"
#include "runtime/sink_avx512.h"
#include "runtime/strip_avx512.h"

#include <stdbool.h>

#define TILE_STREAMS(unit)                                                                         \
	((unit) % 64 == 0 || (unit) == 1 || (unit) == 2 || (unit) == 4 || (unit) == 8 ||           \
	 (unit) == 16)

/* Units in a strip of tile_shifted. */
#define TILE_SHIFTS(unit)                                                                          \
	((unit) == 3 || (unit) == 6 || (unit) == 12 ? 192 / (unit)                                 \
	 : (unit) <= 16 && TILE_STREAMS(unit)       ? 64 / (unit)                                  \
	                                            : 1)

/* ---- tiles ---- */

/* The offsets of a strip's rows: if there are fewer, the last again. */
INLINE const int64_t *strip_rows(const int64_t *at, int64_t n, int64_t strip, int64_t *repeated)
{
	if (n >= strip)
		return at;
	for (int64_t i = 0; i < strip; i++)
		repeated[i] = at[i < n ? i : n - 1];
	return repeated;
}

/* A strip that is short, or SHIFT's first: by way of a stage. */
INLINE void edge_of(const target *t, const byte *src, const int64_t *at, int64_t nb, const int unit,
                    const way how, fetch *next)
{
	enum { ROWS = 16 };
	_Alignas(64) byte stage[ROWS * LINE];
	for (int64_t b = 0; b < nb; b += ROWS) {
		const int64_t n = smaller(nb - b, ROWS);
		keep_strip(stage, LINE, src + b * unit, at, n, unit, next);
		for (int64_t i = 0; i < n; i++) {
			byte *d = t->dst + t->at[b + i];
			__m512i v = load64(stage + i * LINE);
			if (how == SHIFT)
				put_edge(d, v, t->kept + (b + i) * t->pitch, t->bytes, t->fresh);
			else
				store_some(d, v, t->bytes);
		}
	}
}

/* `unit` and `how` are constants where this is called; not KEEP, not SHIFT of units of 3, 6, 12. */
INLINE void tile_of(target t, const byte *src, const int64_t *src_at, int64_t na, int64_t nb,
                    const int unit, const way how, fetch *next)
{
	const int64_t strip = STRIP(unit);
	for (int64_t a = 0; a < na; a += strip, t.dst += strip * unit, t.fresh = false) {
		int64_t repeated[64], n = smaller(na - a, strip);
		const int64_t *at = strip_rows(src_at + a, n, strip, repeated);
		t.bytes = n * unit;
		if (n == strip && !t.fresh)
			strip_of(&t, src, at, nb, unit, how, next);
		else
			edge_of(&t, src, at, nb, unit, how, next);
	}
}

/* ---- rows that start anywhere ---- */

/* Four times 48 bytes, part k's in r[k * columns]: line l of their 192. */
INLINE __m512i join_parts(const __m512i *r, int columns, int l)
{
	const int first = l == 0 ? 0 : l == 1 ? 16 : 32, split = 48 - first;
	byte index[64];
	for (int i = 0; i < 64; i++)
		index[i] = (byte)(i < split ? first + i : 64 + i - split);
	return _mm512_permutex2var_epi8(r[l * columns], load64(index), r[(l + 1) * columns]);
}

/* Four steps, 192 bytes of each row: of units of 3, 6, 12. `left` bytes of a row are to come; `easy`, a
 * constant: all of them, and there are as many rows as columns, none of them fresh. */
INLINE void shifted_step(const target *t, int64_t b, const byte *src, const int64_t *at, int64_t nb,
                         int64_t left, const int unit, const bool easy, fetch *next)
{
	const int rows = STRIP(unit), columns = 16 / WIDE(unit);
	__m512i r[16];
	UNROLL for (int k = 0; k < 4; k++)
	    load_step(r + k * columns, src + b * unit, at + k * rows, unit, (nb - b) * unit, easy);
	UNROLL for (int i = 0; i < columns; i++)
	{
		if (!easy && i >= nb - b)
			break;
		UNROLL for (int l = 0; l < 3; l++)
		{
			byte *d = t->dst + t->at[b + i] + LINE * l;
			byte *carry = t->kept + (b + i) * t->pitch;
			int64_t bytes = smaller(left - LINE * l, LINE);
			if (easy || (bytes == LINE && !(t->fresh && l == 0)))
				put_line(d, join_parts(r + i, columns, l), carry);
			else if (bytes > 0)
				put_edge(d, join_parts(r + i, columns, l), carry, bytes,
				         t->fresh && l == 0);
		}
		fetch_lines(next, 3);
	}
}

INLINE void shifted_strip(const target *t, const byte *src, const int64_t *at, int64_t nb,
                          int64_t left, const int unit, fetch *next)
{
	const int columns = 16 / WIDE(unit);
	const bool easy = left == 192 && !t->fresh;
	for (int64_t b = 0; b < nb; b += columns)
		if (easy && (nb - b) * unit >= 16)
			shifted_step(t, b, src, at, nb, left, unit, true, next);
		else
			shifted_step(t, b, src, at, nb, left, unit, false, next);
}

/* `unit` is a constant. */
INLINE void shifted_of(target t, const byte *src, const int64_t *src_at, int64_t na, int64_t nb,
                       const int unit, bool last, fetch *next)
{
	const int64_t strip = TILE_SHIFTS(unit);
	if (unit % 3) {
		tile_of(t, src, src_at, na, nb, unit, SHIFT, next);
	} else {
		target s = t;
		for (int64_t a = 0; a < na; a += strip, s.dst += strip * unit, s.fresh = false) {
			int64_t repeated[64], n = smaller(na - a, strip);
			const int64_t *at = strip_rows(src_at + a, n, strip, repeated);
			shifted_strip(&s, src, at, nb, n * unit, unit, next);
		}
	}
	if (!last || na * unit % LINE)
		return;
	for (int64_t b = 0; b < nb; b++) {
		byte *d = t.dst + t.at[b] + na * unit;
		int64_t c = (int64_t)((uintptr_t)d & (LINE - 1));
		__m512i v = load64(t.kept + b * t.pitch);
		store_some(d - c, shifted(v, v, c), c);
	}
}

/* Units of another size are put side by side by loads: one with a mask, from an address before the
 * unit's, so that its first byte falls where the line has come to. `small`, a constant: unit <= 64. */
INLINE void shifted_any(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                      int64_t na, int64_t nb, int64_t unit, byte *carry, bool fresh, bool last,
                      fetch *next, const bool small)
{
	const __mmask64 whole = first_bytes(unit);
	int64_t c = 0, from = 0; /* bytes in the line; the first of them that is ours */
	__m512i line = _mm512_setzero_si512();
	byte *d = NULL;
	for (int64_t b = 0; b < nb; b++, src += unit) {
		if (d == NULL || d + c != dst + dst_at[b]) {
			d = dst + dst_at[b];
			c = (int64_t)((uintptr_t)d & 63), d -= c;
			from = fresh ? c : 0;
			line = load64(carry + b * 64);
		}
		for (int64_t a = 0; a < na; a++) {
			const byte *s = src + src_at[a];
			line = _mm512_mask_loadu_epi8(line, whole << c, s - c);
			c += unit;
			if (c < 64)
				continue;
			if (from)
				_mm512_mask_storeu_epi8(d, ~0ULL << from, line);
			else
				_mm512_stream_si512((void *)d, line);
			fetch_lines(next, 1);
			from = 0, c -= 64, d += 64, s += unit;
			for (; !small && c >= 64; c -= 64, d += 64) {
				_mm512_stream_si512((void *)d, load64(s - c));
				fetch_lines(next, 1);
			}
			line = load_some(s - c, c);
		}
		if (b + 1 < nb && d + c == dst + dst_at[b + 1])
			continue;
		if (last)
			_mm512_mask_storeu_epi8(d, first_bytes(c) & ~0ULL << from, line);
		else
			store64(carry + b * 64, line);
	}
}

static void tile_shifted(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                         int64_t na, int64_t nb, int64_t unit, byte *carry, bool fresh, bool last,
                         fetch *next)
{
	const target t = {dst, dst_at, carry, LINE, 0, fresh};
#define CASE(size)                                                                                 \
	case size:                                                                                 \
		shifted_of(t, src, src_at, na, nb, size, last, next);                              \
		break;
	switch (unit) {
		EACH_UNIT(CASE)
	default:
		if (unit <= LINE)
			shifted_any(dst, dst_at, src, src_at, na, nb, unit, carry, fresh, last, next,
			            true);
		else
			shifted_any(dst, dst_at, src, src_at, na, nb, unit, carry, fresh, last, next,
			            false);
	}
#undef CASE
}

/* ---- rows that follow each other ---- */

#define TILE_JOINS(unit) ((unit) <= 16 && TILE_SHIFTS(unit) > 1)

INLINE void sink_move(sink *k, byte *d)
{
	if (d == sink_place(k))
		return;
	sink_close(k);
	*k = sink_open(d);
}

/* Rows of up to half a strip: a step takes `fold` times as many columns, which the lanes have room for. The
 * columns that are done. `unit` is a constant. */
INLINE int64_t folded_of(sink *k, byte *dst, const int64_t *dst_at, const byte *src,
                         const int64_t *src_at, int64_t na, int64_t nb, const int unit, byte *stage,
                         fetch *next)
{
	const int64_t strip = STRIP(unit), fold = strip / na, row = na * unit;
	const int columns = 16 / WIDE(unit), step = columns * unit;
	int64_t at[64], b = 0;
	for (int64_t i = 0; i < strip; i++) {
		int64_t part = smaller(i / na, fold - 1);
		at[i] = src_at[smaller(i - part * na, na - 1)] + part * step;
	}
	for (; (nb - b) * unit >= (fold - 1) * step + 16; b += fold * columns) {
		__m512i r[16];
		load_step(r, src + b * unit, at, unit, 16, true);
		UNROLL for (int i = 0; i < columns; i++) store64(stage + i * LINE, r[i]);
		const int64_t *to = dst_at + b;
		for (int64_t part = 0; part < fold; part++) {
			const __m512i skip = _mm512_set1_epi8((char)(part * row));
			for (int i = 0; i < columns; i++, to++) {
				sink_move(k, dst + *to);
				sink_push_after(k, load64(stage + i * LINE), skip, row);
			}
		}
		fetch_lines(next, (fold * columns * row + LINE - 1) / LINE);
	}
	return b;
}

/* Strips go to a stage, each row's to lines of its own, and from there to the sink: a load of just what one
 * store has left need not wait for it. `unit` is a constant. */
INLINE void joined_of(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                      int64_t na, int64_t nb, const int unit, byte *scratch, bool fresh, fetch *next)
{
	const int64_t strip = STRIP(unit), pitch = (na + strip - 1) / strip * LINE;
	const int64_t columns = LINE / unit, strip_bytes = strip * unit;
	sink *kept = (sink *)(void *)scratch, k = fresh ? sink_open(dst + dst_at[0]) : *kept;
	byte *stage = scratch + VF_TILE_KEPT;
	int64_t b0 = 0;
	if (na <= strip / 2)
		b0 = folded_of(&k, dst, dst_at, src, src_at, na, nb, unit, stage, next);
	for (; b0 < nb; b0 += columns) {
		const int64_t n = smaller(nb - b0, columns);
		for (int64_t a = 0; a < na; a += strip) {
			int64_t repeated[64];
			const int64_t *at = strip_rows(src_at + a, na - a, strip, repeated);
			keep_strip(stage + a / strip * LINE, pitch, src + b0 * unit, at, n, unit,
			           next);
		}
		for (int64_t b = 0; b < n; b++) {
			const byte *s = stage + b * pitch;
			int64_t left = na * unit;
			sink_move(&k, dst + dst_at[b0 + b]);
			for (; left > strip_bytes; left -= strip_bytes, s += LINE)
				sink_push(&k, load64(s), strip_bytes);
			sink_push(&k, load64(s), left);
		}
	}
	*kept = k;
}

static void tile_joined(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                        int64_t na, int64_t nb, int64_t unit, byte *scratch, bool fresh, fetch *next)
{
#define CASE(size)                                                                                 \
	case size:                                                                                 \
		joined_of(dst, dst_at, src, src_at, na, nb, size, scratch, fresh, next);           \
		break;
	switch (unit) {
		EACH_UNIT(CASE)
	default:
		break;
	}
#undef CASE
}

static void tile_joined_end(const byte *scratch)
{
	sink_close((const sink *)(const void *)scratch);
}

/* ---- in place ---- */

/* Units of whole lines, each to lines of dst. */
static void stream_units(const target *t, const byte *src, const int64_t *src_at, int64_t na,
                         int64_t nb, int64_t lines, fetch *next)
{
	for (int64_t b = 0; b < nb; b++, src += lines * LINE) {
		byte *d = t->dst + t->at[b];
		for (int64_t a = 0; a < na; a++, d += lines * LINE) {
			stream_lines(d, src + src_at[a], lines);
			fetch_lines(next, lines);
		}
	}
}

/* Units of another size, one after the other: `lines` whole lines, and a rest of up to `width` bytes. Unless it
 * is the last of a row, more than the rest is written, and set right by the unit that follows. Both are
 * constants where they are small. */
INLINE void any_of(const target *t, const byte *src, const int64_t *src_at, int64_t na, int64_t nb,
                   int64_t unit, const int64_t lines, const int width, fetch *next)
{
	const __mmask64 rest = first_bytes(unit - lines * LINE);
	const int64_t safe = na - (width + unit - 1) / unit; /* units of a row after which there is room */
	for (int64_t b = 0; b < nb; b++, src += unit) {
		byte *d = t->dst + t->at[b];
		for (int64_t a = 0; a < na; a++, d += unit) {
			const byte *s = src + src_at[a];
			for (int64_t l = 0; l < lines; l++)
				store64(d + l * LINE, load64(s + l * LINE));
			__m512i v = _mm512_maskz_loadu_epi8(rest, s + lines * LINE);
			byte *last = d + lines * LINE;
			if (width == 0)
				continue;
			if (a >= safe)
				_mm512_mask_storeu_epi8(last, rest, v);
			else if (width == 16)
				_mm_storeu_si128((void *)last, _mm512_castsi512_si128(v));
			else if (width == 32)
				_mm256_storeu_si256((void *)last, _mm512_castsi512_si256(v));
			else
				store64(last, v);
		}
		fetch_lines(next, (na * unit + LINE - 1) / LINE);
	}
}

static void tile_any(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                     int64_t na, int64_t nb, int64_t unit, bool stream, fetch *next)
{
	const target t = {.dst = dst, .at = dst_at};
	const int64_t lines = unit / LINE, rest = unit % LINE;
	if (stream)
		stream_units(&t, src, src_at, na, nb, lines, next);
	else if (unit <= 16)
		any_of(&t, src, src_at, na, nb, unit, 0, 16, next);
	else if (unit <= 32)
		any_of(&t, src, src_at, na, nb, unit, 0, 32, next);
	else if (unit < LINE)
		any_of(&t, src, src_at, na, nb, unit, 0, 64, next);
	else if (unit == LINE)
		any_of(&t, src, src_at, na, nb, unit, 1, 0, next);
	else if (unit == 2 * LINE)
		any_of(&t, src, src_at, na, nb, unit, 2, 0, next);
	else if (rest == 0)
		any_of(&t, src, src_at, na, nb, unit, lines, 0, next);
	else
		any_of(&t, src, src_at, na, nb, unit, lines, 64, next);
}

static void tile_units(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                       int64_t na, int64_t nb, int64_t unit, bool stream, fetch *next)
{
	const target t = {.dst = dst, .at = dst_at};
#define CASE(size)                                                                                 \
	case size:                                                                                 \
		if (stream && (size) % 3)                                                          \
			tile_of(t, src, src_at, na, nb, size, STREAM, next);                       \
		else                                                                               \
			tile_of(t, src, src_at, na, nb, size, STORE, next);                        \
		break;
	switch (unit) {
		EACH_UNIT(CASE)
	default:
		tile_any(dst, dst_at, src, src_at, na, nb, unit, stream, next);
	}
#undef CASE
}

#include "runtime/tile_engine.h"

void vf_tile_avx512(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
                    int64_t src_step, int64_t unit)
{
	tile_steps(dst, src, na, nb, dst_step, src_step, unit);
}

void vf_tile_run_avx512(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                        int64_t end)
{
	run(t, dst, src, scratch, begin, end);
}
#endif
