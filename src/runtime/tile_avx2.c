/* tile_avx2.c -- tiles and the tile engine in 256-bit registers.
 *
 * One step moves 32/unit units of A (rows of the source) by 16/unit units of B. Each register takes 16
 * bytes of two rows, one in each 128-bit lane, so that the transposition stays inside the lanes,
 * log2(16/unit) unpacks deep, and each register that comes out is half a line of dst. Two
 * steps side by side give whole lines where the registers hold them (units of 4 bytes and more).
 * Units of 3, 6 and 12 bytes are widened to 4, 8, 16 on the way in and narrowed on the way out: 24 bytes
 * a register.
 */
#include "runtime/kernels_variant.h"

#if VF_KERNELS_X86
#include "runtime/fetch.h"
#include "runtime/vec256.h"

#include <stdbool.h>

/* ---- in-lane transpositions: in, register i holds row (lane*n + i) of n; out, column i ---- */

INLINE void transpose1(__m256i r[16])
{
	__m256i t[16];
	UNROLL for (int i = 0; i < 16; i += 2)
	{
		t[i] = _mm256_unpacklo_epi8(r[i], r[i + 1]);
		t[i + 1] = _mm256_unpackhi_epi8(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < 16; i += 4)
	{
		r[i] = _mm256_unpacklo_epi16(t[i], t[i + 2]);
		r[i + 1] = _mm256_unpackhi_epi16(t[i], t[i + 2]);
		r[i + 2] = _mm256_unpacklo_epi16(t[i + 1], t[i + 3]);
		r[i + 3] = _mm256_unpackhi_epi16(t[i + 1], t[i + 3]);
	}
	/* r[4g + q]: columns 4q to 4q+3 of rows 4g to 4g+3 */
	UNROLL for (int q = 0; q < 4; q++)
	{
		t[2 * q] = _mm256_unpacklo_epi32(r[q], r[4 + q]);
		t[2 * q + 1] = _mm256_unpackhi_epi32(r[q], r[4 + q]);
		t[8 + 2 * q] = _mm256_unpacklo_epi32(r[8 + q], r[12 + q]);
		t[9 + 2 * q] = _mm256_unpackhi_epi32(r[8 + q], r[12 + q]);
	}
	UNROLL for (int e = 0; e < 8; e++)
	{
		r[2 * e] = _mm256_unpacklo_epi64(t[e], t[8 + e]);
		r[2 * e + 1] = _mm256_unpackhi_epi64(t[e], t[8 + e]);
	}
}

INLINE void transpose2(__m256i r[8])
{
	__m256i t[8], u[8];
	UNROLL for (int i = 0; i < 8; i += 2)
	{
		t[i] = _mm256_unpacklo_epi16(r[i], r[i + 1]);
		t[i + 1] = _mm256_unpackhi_epi16(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < 8; i += 4)
	{
		u[i] = _mm256_unpacklo_epi32(t[i], t[i + 2]);
		u[i + 1] = _mm256_unpackhi_epi32(t[i], t[i + 2]);
		u[i + 2] = _mm256_unpacklo_epi32(t[i + 1], t[i + 3]);
		u[i + 3] = _mm256_unpackhi_epi32(t[i + 1], t[i + 3]);
	}
	UNROLL for (int i = 0; i < 4; i++)
	{
		r[2 * i] = _mm256_unpacklo_epi64(u[i], u[i + 4]);
		r[2 * i + 1] = _mm256_unpackhi_epi64(u[i], u[i + 4]);
	}
}

INLINE void transpose4(__m256i r[4])
{
	__m256i t0 = _mm256_unpacklo_epi32(r[0], r[1]), t1 = _mm256_unpackhi_epi32(r[0], r[1]);
	__m256i t2 = _mm256_unpacklo_epi32(r[2], r[3]), t3 = _mm256_unpackhi_epi32(r[2], r[3]);
	r[0] = _mm256_unpacklo_epi64(t0, t2);
	r[1] = _mm256_unpackhi_epi64(t0, t2);
	r[2] = _mm256_unpacklo_epi64(t1, t3);
	r[3] = _mm256_unpackhi_epi64(t1, t3);
}

INLINE void transpose8(__m256i r[2])
{
	__m256i t = _mm256_unpacklo_epi64(r[0], r[1]);
	r[1] = _mm256_unpackhi_epi64(r[0], r[1]);
	r[0] = t;
}

INLINE void transpose(__m256i *r, int unit)
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
INLINE __m256i widen(__m256i r, int unit)
{
	const __m128i from3 = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
	const __m128i from6 = _mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1);
	if (unit == 3)
		return _mm256_shuffle_epi8(r, _mm256_broadcastsi128_si256(from3));
	if (unit == 6)
		return _mm256_shuffle_epi8(r, _mm256_broadcastsi128_si256(from6));
	return r;
}

/* And back: the low 24 bytes of the result. */
INLINE __m256i narrow(__m256i r, int unit)
{
	const __m128i to3 = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
	const __m128i to6 = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);
	const __m256i join = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
	if (unit == 3)
		r = _mm256_shuffle_epi8(r, _mm256_broadcastsi128_si256(to3));
	if (unit == 6)
		r = _mm256_shuffle_epi8(r, _mm256_broadcastsi128_si256(to6));
	return _mm256_permutevar8x32_epi32(r, join);
}

/* ---- one step, then any extents ---- */

/* `bytes` bytes, 16 if there are as many, of rows at[0] and at[n]. */
INLINE __m256i load_lanes(const byte *src, const int64_t *at, int n, int64_t bytes)
{
	bool all = bytes >= 16;
	__m128i low = all ? load16(src + at[0]) : load_some(src + at[0], bytes);
	__m128i high = all ? load16(src + at[n]) : load_some(src + at[n], bytes);
	return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* A step's registers; `at` has the offsets of its rows. */
INLINE void load_step(__m256i *r, const byte *src, const int64_t *at, int unit, int columns,
                      int64_t bytes)
{
	UNROLL for (int i = 0; i < columns; i++)
	{
		r[i] = load_lanes(src, at + i, columns, bytes);
		if (unit % 3 == 0)
			r[i] = widen(r[i], unit);
	}
	transpose(r, unit % 3 ? unit : unit / 3 * 4);
	if (unit % 3 == 0)
		UNROLL for (int i = 0; i < columns; i++) r[i] = narrow(r[i], unit);
}

/* One strip of `rows` units of A, na of them real: all of B. `unit` and `stream` are constants. */
INLINE void strip_of(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *at,
                     int64_t na, int64_t nb, const int unit, const bool stream, fetch *next)
{
	const int wide = unit % 3 ? unit : unit / 3 * 4;
	const int columns = 16 / wide, rows = 32 / wide, halves = stream ? 2 : 1;
	const int half_bytes = rows * unit;
	for (int64_t b = 0; b < nb; b += columns) {
		__m256i r[2][16];
		UNROLL for (int h = 0; h < halves; h++)
		    load_step(r[h], src + b * unit, at + h * rows, unit, columns, (nb - b) * unit);
		UNROLL for (int i = 0; i < columns; i++)
		{
			if (i >= nb - b)
				break;
			byte *d = dst + dst_at[b + i];
			if (stream) {
				_mm256_stream_si256((void *)d, r[0][i]);
				_mm256_stream_si256((void *)(d + 32), r[1][i]);
			} else if (half_bytes == 32 && na == rows) {
				store32(d, r[0][i]);
			} else {
				store_some(d, r[0][i], na * unit);
			}
		}
		fetch_lines(next, (columns * halves + 1) / 2);
	}
}

INLINE void tile_of(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                    int64_t na, int64_t nb, const int unit, const bool stream, fetch *next)
{
	const int rows = 32 / (unit % 3 ? unit : unit / 3 * 4), strip = stream ? 2 * rows : rows;
	int64_t a = 0;
	for (; na - a >= strip; a += strip)
		strip_of(dst + a * unit, dst_at, src, src_at + a, strip, nb, unit, stream, next);
	for (; a < na; a += rows) {
		int64_t left = na - a < rows ? na - a : rows, at[32];
		for (int i = 0; i < rows; i++)
			at[i] = src_at[a + (i < left ? i : left - 1)];
		strip_of(dst + a * unit, dst_at, src, at, left, nb, unit, false, next);
	}
}

/* Units of another size: one after the other. */
static void tile_any(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                     int64_t na, int64_t nb, int64_t unit, bool stream, fetch *next)
{
	for (int64_t a = 0; a < na; a++)
		for (int64_t b = 0; b < nb; b++) {
			byte *d = dst + dst_at[b] + a * unit;
			const byte *s = src + src_at[a] + b * unit;
			if (stream)
				stream_lines(d, s, unit / 64);
			else
				copy_bytes(d, s, unit);
			fetch_lines(next, (unit + 63) / 64);
		}
}

static int64_t smaller(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* No permutation across lanes by byte: rows that do not start on lines are staged. */
#define TILE_SHIFTS(unit) 0

static void tile_shifted(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                         int64_t na, int64_t nb, int64_t unit, byte *carry, bool fresh, bool last,
                         fetch *next)
{
	(void)dst, (void)dst_at, (void)src, (void)src_at, (void)na, (void)nb, (void)unit,
	    (void)carry;
	(void)fresh, (void)last, (void)next;
}

#define TILE_JOINS(unit) 0

static void tile_joined(byte *dst, const int64_t *dst_at, const byte *src, const int64_t *src_at,
                        int64_t na, int64_t nb, int64_t unit, byte *scratch, bool fresh, fetch *next)
{
	(void)dst, (void)dst_at, (void)src, (void)src_at, (void)na, (void)nb, (void)unit;
	(void)scratch, (void)fresh, (void)next;
}

static void tile_joined_end(const byte *scratch)
{
	(void)scratch;
}

#define TILE_STREAMS(unit) ((unit) % 64 == 0 || (unit) == 4 || (unit) == 8 || (unit) == 16)

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
		CASE_ORDINARY(1);
		CASE_ORDINARY(2);
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

void vf_tile_avx2(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
                  int64_t src_step, int64_t unit)
{
	tile_steps(dst, src, na, nb, dst_step, src_step, unit);
}

void vf_tile_run_avx2(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                      int64_t end)
{
	run(t, dst, src, scratch, begin, end);
}
#endif
