/* tile_avx512.c -- tiles and the tile engine in 512-bit registers.
 *
 * One step moves a line: 64/unit units of A (rows of the source) by 16/unit units of B. Each register
 * takes 16 bytes of four rows, one in each 128-bit lane, so that the transposition stays inside the
 * lanes, log2(16/unit) unpacks deep, and each register that comes out is one whole line of dst.
 * Units of 3, 6 and 12 bytes are widened to 4, 8, 16 on the way in and narrowed on the way out: 48 bytes
 * a register.
 */
#include "runtime/kernels_variant.h"

#if VF_KERNELS_X86
#include "runtime/fetch.h"
#include "runtime/vec512.h"

#include <stdbool.h>

static int64_t smaller(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* ---- in-lane transpositions: in, register i holds row (lane*n + i) of n; out, column i ---- */

INLINE void transpose1(__m512i r[16])
{
	__m512i t[16];
	UNROLL for (int i = 0; i < 16; i += 2)
	{
		t[i] = _mm512_unpacklo_epi8(r[i], r[i + 1]);
		t[i + 1] = _mm512_unpackhi_epi8(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < 16; i += 4)
	{
		r[i] = _mm512_unpacklo_epi16(t[i], t[i + 2]);
		r[i + 1] = _mm512_unpackhi_epi16(t[i], t[i + 2]);
		r[i + 2] = _mm512_unpacklo_epi16(t[i + 1], t[i + 3]);
		r[i + 3] = _mm512_unpackhi_epi16(t[i + 1], t[i + 3]);
	}
	/* r[4g + q]: columns 4q to 4q+3 of rows 4g to 4g+3 */
	UNROLL for (int q = 0; q < 4; q++)
	{
		t[2 * q] = _mm512_unpacklo_epi32(r[q], r[4 + q]);
		t[2 * q + 1] = _mm512_unpackhi_epi32(r[q], r[4 + q]);
		t[8 + 2 * q] = _mm512_unpacklo_epi32(r[8 + q], r[12 + q]);
		t[9 + 2 * q] = _mm512_unpackhi_epi32(r[8 + q], r[12 + q]);
	}
	UNROLL for (int e = 0; e < 8; e++)
	{
		r[2 * e] = _mm512_unpacklo_epi64(t[e], t[8 + e]);
		r[2 * e + 1] = _mm512_unpackhi_epi64(t[e], t[8 + e]);
	}
}

INLINE void transpose2(__m512i r[8])
{
	__m512i t[8], u[8];
	UNROLL for (int i = 0; i < 8; i += 2)
	{
		t[i] = _mm512_unpacklo_epi16(r[i], r[i + 1]);
		t[i + 1] = _mm512_unpackhi_epi16(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < 8; i += 4)
	{
		u[i] = _mm512_unpacklo_epi32(t[i], t[i + 2]);
		u[i + 1] = _mm512_unpackhi_epi32(t[i], t[i + 2]);
		u[i + 2] = _mm512_unpacklo_epi32(t[i + 1], t[i + 3]);
		u[i + 3] = _mm512_unpackhi_epi32(t[i + 1], t[i + 3]);
	}
	UNROLL for (int i = 0; i < 4; i++)
	{
		r[2 * i] = _mm512_unpacklo_epi64(u[i], u[i + 4]);
		r[2 * i + 1] = _mm512_unpackhi_epi64(u[i], u[i + 4]);
	}
}

INLINE void transpose4(__m512i r[4])
{
	__m512i t0 = _mm512_unpacklo_epi32(r[0], r[1]), t1 = _mm512_unpackhi_epi32(r[0], r[1]);
	__m512i t2 = _mm512_unpacklo_epi32(r[2], r[3]), t3 = _mm512_unpackhi_epi32(r[2], r[3]);
	r[0] = _mm512_unpacklo_epi64(t0, t2);
	r[1] = _mm512_unpackhi_epi64(t0, t2);
	r[2] = _mm512_unpacklo_epi64(t1, t3);
	r[3] = _mm512_unpackhi_epi64(t1, t3);
}

INLINE void transpose8(__m512i r[2])
{
	__m512i t = _mm512_unpacklo_epi64(r[0], r[1]);
	r[1] = _mm512_unpackhi_epi64(r[0], r[1]);
	r[0] = t;
}

/* 16 rows of 16 units of 4 bytes: columns. */
INLINE void transpose_square4(__m512i r[16])
{
	__m512i t[16];
	UNROLL for (int i = 0; i < 16; i += 4) transpose4(r + i);
	/* r[4g + k], lane l: column 4l + k of rows 4g to 4g+3 */
	UNROLL for (int k = 0; k < 4; k++)
	{
		t[k] = _mm512_shuffle_i32x4(r[k], r[4 + k], 0x88);
		t[4 + k] = _mm512_shuffle_i32x4(r[k], r[4 + k], 0xdd);
		t[8 + k] = _mm512_shuffle_i32x4(r[8 + k], r[12 + k], 0x88);
		t[12 + k] = _mm512_shuffle_i32x4(r[8 + k], r[12 + k], 0xdd);
	}
	UNROLL for (int k = 0; k < 4; k++)
	{
		r[k] = _mm512_shuffle_i32x4(t[k], t[8 + k], 0x88);
		r[4 + k] = _mm512_shuffle_i32x4(t[4 + k], t[12 + k], 0x88);
		r[8 + k] = _mm512_shuffle_i32x4(t[k], t[8 + k], 0xdd);
		r[12 + k] = _mm512_shuffle_i32x4(t[4 + k], t[12 + k], 0xdd);
	}
}

/* 8 rows of 8 units of 8 bytes: columns. */
INLINE void transpose_square8(__m512i r[8])
{
	__m512i t[8];
	UNROLL for (int i = 0; i < 8; i += 2) transpose8(r + i);
	/* r[2g + k], lane l: column 2l + k of rows 2g and 2g+1 */
	UNROLL for (int k = 0; k < 2; k++)
	{
		t[k] = _mm512_shuffle_i32x4(r[k], r[2 + k], 0x88);
		t[2 + k] = _mm512_shuffle_i32x4(r[k], r[2 + k], 0xdd);
		t[4 + k] = _mm512_shuffle_i32x4(r[4 + k], r[6 + k], 0x88);
		t[6 + k] = _mm512_shuffle_i32x4(r[4 + k], r[6 + k], 0xdd);
	}
	UNROLL for (int k = 0; k < 2; k++)
	{
		r[k] = _mm512_shuffle_i32x4(t[k], t[4 + k], 0x88);
		r[2 + k] = _mm512_shuffle_i32x4(t[2 + k], t[6 + k], 0x88);
		r[4 + k] = _mm512_shuffle_i32x4(t[k], t[4 + k], 0xdd);
		r[6 + k] = _mm512_shuffle_i32x4(t[2 + k], t[6 + k], 0xdd);
	}
}

INLINE void transpose(__m512i *r, int unit)
{
	if (unit == 1)
		transpose1(r);
	if (unit == 2)
		transpose2(r);
	if (unit == 4)
		transpose4(r);
	if (unit == 8)
		transpose8(r);
}

/* ---- units of 3, 6, 12 bytes ---- */

/* In each lane: 12 bytes to units of 4, 8 or 16. */
INLINE __m512i widen(__m512i r, int unit)
{
	const __m128i from3 = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
	const __m128i from6 = _mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1);
	if (unit == 3)
		return _mm512_shuffle_epi8(r, _mm512_broadcast_i32x4(from3));
	if (unit == 6)
		return _mm512_shuffle_epi8(r, _mm512_broadcast_i32x4(from6));
	return r;
}

/* And back: the low 48 bytes of the result. */
INLINE __m512i narrow(__m512i r, int unit)
{
	const __m128i to3 = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
	const __m128i to6 = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);
	const __m512i join =
	    _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15);
	if (unit == 3)
		r = _mm512_shuffle_epi8(r, _mm512_broadcast_i32x4(to3));
	if (unit == 6)
		r = _mm512_shuffle_epi8(r, _mm512_broadcast_i32x4(to6));
	return _mm512_permutexvar_epi32(join, r);
}

/* ---- one step, then any extents ---- */

/* 16 bytes (12 for units of 3, 6, 12), or `some` of them, of rows at[0], at[n], at[2n], at[3n]. */
INLINE __m512i load_lanes(const byte *src, const int64_t *at, int n, __mmask16 some, bool all)
{
#define ROW(k)                                                                                     \
	(all ? _mm_loadu_si128((const void *)(src + at[(k)*n]))                                    \
	     : _mm_maskz_loadu_epi8(some, src + at[(k)*n]))
	__m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(ROW(0)), ROW(1), 1);
	__m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(ROW(2)), ROW(3), 1);
	return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#undef ROW
}

/* The full step's registers, from offsets at[0 .. rows) of a strip. */
INLINE void load_step(__m512i *r, const byte *src, const int64_t *at, int unit, int columns,
                      __mmask16 some, bool all)
{
	UNROLL for (int i = 0; i < columns; i++)
	{
		r[i] = load_lanes(src, at + i, columns, some, all);
		if (unit % 3 == 0)
			r[i] = widen(r[i], unit);
	}
	transpose(r, unit % 3 ? unit : unit / 3 * 4);
	if (unit % 3 == 0)
		UNROLL for (int i = 0; i < columns; i++) r[i] = narrow(r[i], unit);
}

/* One line of A by one line of B. */
INLINE void square(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                   const int unit, const bool stream, fetch *next)
{
	const int side = 64 / unit;
	__m512i r[16];
	UNROLL for (int i = 0; i < side; i++) r[i] = load64(src + src_at[i]);
	if (unit == 4)
		transpose_square4(r);
	else
		transpose_square8(r);
	UNROLL for (int i = 0; i < side; i++)
	{
		if (stream)
			_mm512_stream_si512((void *)(dst + dst_at[i]), r[i]);
		else
			store64(dst + dst_at[i], r[i]);
		if (i % 4 == 3)
			fetch_lines(next, 4);
	}
}

/* `unit` and `stream` are constants where this is called. */
INLINE void tile_of(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                    int64_t na, int64_t nb, const int unit, const bool stream, fetch *next)
{
	const int wide = unit % 3 ? unit : unit / 3 * 4;
	const int rows = 64 / wide, columns = 16 / wide;
	for (int64_t a = 0; a < na; a += rows) {
		const int64_t *at = src_at + a;
		int64_t repeated[64];
		bool whole = na - a >= rows;
		if (!whole) {
			for (int i = 0; i < rows; i++)
				repeated[i] = at[i < na - a ? i : na - a - 1];
			at = repeated;
		}
		__mmask64 line = first_bytes((whole ? rows : na - a) * unit);
		int64_t b0 = 0;
		/* Squares of whole lines on both sides read each source line once: rows a power of two
		 * apart share a set of L1, and would not stay until the next step comes to them. */
		if ((unit == 4 || unit == 8) && whole)
			for (; nb - b0 >= rows; b0 += rows)
				square(dst + a * unit, dst_at + b0, src + b0 * unit, at, unit,
				       stream, next);
		for (int64_t b = b0; b < nb; b += columns) {
			__m512i r[16];
			/* A load reads 16 bytes: near the end of the rows it is cut to what there is. */
			int64_t bytes = (nb - b) * unit;
			if (bytes >= 16)
				load_step(r, src + b * unit, at, unit, columns, 0, true);
			else
				load_step(r, src + b * unit, at, unit, columns,
				          (__mmask16)(0xffffU >> (16 - bytes)), false);
			byte *d = dst + a * unit;
			const int64_t *to = dst_at + b;
			UNROLL for (int i = 0; i < columns; i++)
			{
				if (i >= nb - b)
					break;
				if (whole && unit % 3 && stream)
					_mm512_stream_si512((void *)(d + to[i]), r[i]);
				else if (whole && unit % 3)
					store64(d + to[i], r[i]);
				else
					_mm512_mask_storeu_epi8(d + to[i], line, r[i]);
			}
			fetch_lines(next, columns);
		}
	}
}

/* Units of another size: one after the other. */
static void tile_any(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                     int64_t na, int64_t nb, int64_t unit, bool stream, fetch *next)
{
	for (int64_t b = 0; b < nb; b++)
		for (int64_t a = 0; a < na; a++) {
			byte *d = dst + dst_at[b] + a * unit;
			const byte *s = src + src_at[a] + b * unit;
			if (stream)
				stream_lines(d, s, unit / 64);
			else
				copy_bytes(d, s, unit);
			fetch_lines(next, (unit + 63) / 64);
		}
}

/* ---- rows that start anywhere: full lines all the same ---- */

/* A row's bytes keep their offset c in a line, from one line to the next. What the row has produced
 * and not yet written are the last c bytes of its *carry*, the last 64 bytes it has produced. */

/* The last c bytes of `before`, then the first 64 - c of v. */
INLINE __m512i shifted(__m512i before, __m512i v, int64_t c)
{
	const __m512i iota = _mm512_set_epi8(
	    63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42,
	    41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
	    19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	/* Indices below 0 are, in 7 bits, those of the end of the second table. */
	return _mm512_permutex2var_epi8(v, _mm512_sub_epi8(iota, _mm512_set1_epi8((char)c)),
	                                before);
}

/* The next 64 bytes v of a row, whose place in dst is d. */
INLINE void put_line(byte *d, __m512i v, byte *carry)
{
	int64_t c = (int64_t)((uintptr_t)d & 63);
	_mm512_stream_si512((void *)(d - c), shifted(load64(carry), v, c));
	store64(carry, v);
}

/* The next `bytes` <= 64 bytes of a row, its first (`fresh`) or its last ones (fewer than 64). */
static void put_edge(byte *d, __m512i v, byte *carry, int64_t bytes, bool fresh)
{
	int64_t c = (int64_t)((uintptr_t)d & 63), end = c + bytes;
	__mmask64 from = fresh ? ~0ULL << c : ~0ULL;
	_mm512_mask_storeu_epi8(d - c, from & first_bytes(end), shifted(load64(carry), v, c));
	store64(carry, v);
	if (bytes < 64 && end > 64)
		store_some(d - c + 64, shifted(v, v, c), end - 64);
}

/* Four times 48 bytes, part k's in r[k * columns]: line l of their 192. */
INLINE __m512i join_parts(const __m512i *r, int columns, int l)
{
	const int first = l == 0 ? 0 : l == 1 ? 16 : 32, split = 48 - first;
	byte index[64];
	for (int i = 0; i < 64; i++)
		index[i] = (byte)(i < split ? first + i : 64 + i - split);
	return _mm512_permutex2var_epi8(r[l * columns], load64(index), r[(l + 1) * columns]);
}

/* A strip of `parts` steps, `lines` lines a row: for nb <= columns rows, `left` bytes each. `easy`, a
 * constant as `unit` is: as many as there can be, and not the first. */
INLINE void shifted_strip(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *at,
                          int64_t nb, int64_t bytes, const int unit, byte *carry, int64_t left,
                          bool fresh, const bool easy)
{
	const int wide = unit % 3 ? unit : unit / 3 * 4, parts = unit % 3 ? 1 : 4;
	const int rows = 64 / wide, columns = 16 / wide, lines = unit % 3 ? 1 : 3;
	__m512i r[16];
	UNROLL for (int k = 0; k < parts; k++)
	{
		if (easy || bytes >= 16)
			load_step(r + k * columns, src, at + k * rows, unit, columns, 0, true);
		else
			load_step(r + k * columns, src, at + k * rows, unit, columns,
			          (__mmask16)(0xffffU >> (16 - bytes)), false);
	}
	UNROLL for (int i = 0; i < columns; i++)
	{
		if (!easy && i >= nb)
			break;
		UNROLL for (int l = 0; l < lines; l++)
		{
			__m512i v = lines == 1 ? r[i] : join_parts(r + i, columns, l);
			byte *d = dst + dst_at[i] + 64 * l, *kept = carry + i * 64;
			if (easy || (left - 64 * l >= 64 && !(fresh && l == 0)))
				put_line(d, v, kept);
			else if (left - 64 * l > 0)
				put_edge(d, v, kept, smaller(left - 64 * l, 64), fresh && l == 0);
		}
	}
}

/* `unit` is a constant. */
INLINE void shifted_of(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                       int64_t na, int64_t nb, const int unit, byte *carry, bool fresh, bool last,
                       fetch *next)
{
	const int wide = unit % 3 ? unit : unit / 3 * 4, columns = 16 / wide;
	const int strip = unit % 3 ? 64 / unit : 192 / unit;
	for (int64_t a = 0; a < na; a += strip, fresh = false) {
		const int64_t *at = src_at + a;
		int64_t left = smaller(na - a, strip), repeated[64];
		if (left < strip) {
			for (int i = 0; i < strip; i++)
				repeated[i] = at[i < left ? i : left - 1];
			at = repeated;
		}
		for (int64_t b = 0; b < nb; b += columns) {
			int64_t bytes = (nb - b) * unit;
			byte *d = dst + a * unit, *kept = carry + b * 64;
			const byte *s = src + b * unit;
			if (left == strip && !fresh && bytes >= 16)
				shifted_strip(d, dst_at + b, s, at, columns, bytes, unit, kept,
				              left * unit, false, true);
			else
				shifted_strip(d, dst_at + b, s, at, nb - b, bytes, unit, kept,
				              left * unit, fresh, false);
			fetch_lines(next, columns * (unit % 3 ? 1 : 3));
		}
	}
	if (!last || na * unit % 64)
		return;
	for (int64_t b = 0; b < nb; b++) {
		byte *d = dst + dst_at[b] + na * unit;
		int64_t c = (int64_t)((uintptr_t)d & 63);
		__m512i v = load64(carry + b * 64);
		store_some(d - c, shifted(v, v, c), c);
	}
}

/* ---- units of any size, side by side ---- */

/* Units of another size are put side by side by loads: one with a mask, from an address before the
 * unit's, so that its first byte falls where the line has come to. `small`, a constant: unit <= 64. */
INLINE void joined_of(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
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

/* Units in a strip of tile_shifted. */
#define TILE_SHIFTS(unit)                                                                          \
	((unit) == 3 || (unit) == 6 || (unit) == 12 ? 192 / (unit)                                 \
	 : (unit) <= 16 && TILE_STREAMS(unit)       ? 64 / (unit)                                  \
	                                            : 1)

static void tile_shifted(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                         int64_t na, int64_t nb, int64_t unit, byte *carry, bool fresh, bool last,
                         fetch *next)
{
#define CASE(size)                                                                                 \
	case size:                                                                                 \
		shifted_of(dst, dst_at, src, src_at, na, nb, size, carry, fresh, last, next);      \
		break
	switch (unit) {
		CASE(1);
		CASE(2);
		CASE(3);
		CASE(4);
		CASE(6);
		CASE(8);
		CASE(12);
		CASE(16);
	default:
		if (unit <= 64)
			joined_of(dst, dst_at, src, src_at, na, nb, unit, carry, fresh, last, next, true);
		else
			joined_of(dst, dst_at, src, src_at, na, nb, unit, carry, fresh, last, next, false);
	}
#undef CASE
}

#define TILE_STREAMS(unit)                                                                         \
	((unit) % 64 == 0 || (unit) == 1 || (unit) == 2 || (unit) == 4 || (unit) == 8 ||           \
	 (unit) == 16)

static void tile_units(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                       int64_t na, int64_t nb, int64_t unit, bool stream, fetch *next)
{
#define CASE(size)                                                                                 \
	case size:                                                                                 \
		if (stream)                                                                        \
			tile_of(dst, dst_at, src, src_at, na, nb, size, true, next);               \
		else                                                                               \
			tile_of(dst, dst_at, src, src_at, na, nb, size, false, next);              \
		break
#define CASE_ORDINARY(size)                                                                        \
	case size:                                                                                 \
		tile_of(dst, dst_at, src, src_at, na, nb, size, false, next);                      \
		break
	switch (unit) {
		CASE(1);
		CASE(2);
		CASE_ORDINARY(3);
		CASE(4);
		CASE_ORDINARY(6);
		CASE(8);
		CASE_ORDINARY(12);
		CASE(16);
	default:
		tile_any(dst, dst_at, src, src_at, na, nb, unit, stream, next);
	}
#undef CASE
#undef CASE_ORDINARY
}

#include "runtime/tile_engine.h"

void vf_tile_avx512(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
                    int64_t src_step, int64_t unit)
{
	tile_steps(dst, src, na, nb, dst_step, src_step, unit);
}

void vf_tile_run_avx512(const vf_tile *t, void *dst, const void *src, void *scratch, int64_t begin,
                        int64_t end)
{
	run(t, dst, src, scratch, begin, end);
}
#endif
