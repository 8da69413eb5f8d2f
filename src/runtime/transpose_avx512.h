/* transpose_avx512.h -- transpositions in 512-bit registers, for tile_avx512.c. */
#ifndef VF_RUNTIME_TRANSPOSE_AVX512_H
#define VF_RUNTIME_TRANSPOSE_AVX512_H

#include "runtime/vec512.h"

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

/* 48 bytes to a line of units of 4, 8 or 16. */
INLINE __m512i widen_line(__m512i r, int unit)
{
	const int wide = unit / 3 * 4;
	byte from[64];
	for (int i = 0; i < 64; i++)
		from[i] = (byte)(i / wide * unit + i % wide);
	return _mm512_permutexvar_epi8(load64(from), r);
}

/* And back: the low 48 bytes of the result. */
INLINE __m512i narrow(__m512i r, int unit)
{
	const int wide = unit / 3 * 4;
	byte from[64];
	for (int i = 0; i < 64; i++)
		from[i] = (byte)(i < 48 ? i / unit * wide + i % unit : 0);
	return _mm512_permutexvar_epi8(load64(from), r);
}

#endif
