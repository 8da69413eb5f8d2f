/* floats_avx512.h -- vectors of 16 floats, for fused.h. */
#pragma once

#include "codelets/quotient.h"
#include "codelets/vec512.h"

typedef __m512 vec;
enum { LANES = 16 };

INLINE __m256i half_line(const unsigned char *p)
{
	return _mm256_loadu_si256((const void *)p);
}

INLINE vec v_u8(const unsigned char *p)
{
	return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)p)));
}

INLINE vec v_i8(const unsigned char *p)
{
	return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const void *)p)));
}

INLINE vec v_u16(const unsigned char *p)
{
	return _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(half_line(p)));
}

INLINE vec v_i16(const unsigned char *p)
{
	return _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(half_line(p)));
}

INLINE vec v_i32(const unsigned char *p)
{
	return _mm512_cvtepi32_ps(load64(p));
}

INLINE vec v_half(const unsigned char *p)
{
	return _mm512_cvtph_ps(half_line(p));
}

INLINE vec v_brain(const unsigned char *p)
{
	return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half_line(p)), 16));
}

INLINE vec v_floats(const unsigned char *p)
{
	return _mm512_castsi512_ps(load64(p));
}

INLINE __m256i halves(vec v)
{
	/* with a mask of all: gcc's macro without one is a warning of -Wsign-conversion */
	return _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT);
}

/* To nearest, ties to even; a NaN stays one. */
INLINE __m256i brains(vec v)
{
	const __m512i u = _mm512_castps_si512(v), one = _mm512_set1_epi32(1);
	const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(u, 16), one);
	const __m512i near = _mm512_add_epi32(_mm512_add_epi32(u, _mm512_set1_epi32(0x7fff)), odd);
	const __m512i nan = _mm512_or_si512(u, _mm512_set1_epi32(0x400000));
	const __mmask16 is_nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
	return _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_mask_mov_epi32(near, is_nan, nan), 16));
}

INLINE void v_put(unsigned char *p, vec v)
{
	store64(p, _mm512_castps_si512(v));
}

INLINE void v_stream(unsigned char *p, vec v)
{
	_mm512_stream_si512((void *)p, _mm512_castps_si512(v));
}

INLINE void v_put_half(unsigned char *p, vec v)
{
	_mm256_storeu_si256((void *)p, halves(v));
}

INLINE void v_stream_half(unsigned char *p, vec v)
{
	_mm256_stream_si256((void *)p, halves(v));
}

INLINE void v_put_brain(unsigned char *p, vec v)
{
	_mm256_storeu_si256((void *)p, brains(v));
}

INLINE void v_stream_brain(unsigned char *p, vec v)
{
	_mm256_stream_si256((void *)p, brains(v));
}

/* Up to 64 bytes as they are. */
INLINE void v_some(unsigned char *d, const unsigned char *p, int64_t bytes)
{
	store_some(d, load_some(p, bytes), bytes);
}

INLINE vec v_same(float y)
{
	return _mm512_set1_ps(y);
}

INLINE vec v_add(vec x, vec y)
{
	return _mm512_add_ps(x, y);
}

INLINE vec v_sub(vec x, vec y)
{
	return _mm512_sub_ps(x, y);
}

INLINE vec v_mul(vec x, vec y)
{
	return _mm512_mul_ps(x, y);
}

INLINE vec v_div(vec x, vec y)
{
	return _mm512_div_ps(x, y);
}

/* x / y, as it is rounded, where r is 1/y: quotient.h. */
INLINE vec v_quotient(vec x, vec y, vec r)
{
	const vec q = _mm512_mul_ps(x, r);
	return _mm512_fnmadd_ps(_mm512_fmsub_ps(q, y, x), r, q);
}

/* Is each element of n vectors 0, or of a magnitude from X_LEAST to X_MOST? */
INLINE bool v_have_quotients(const vec *v, const int n)
{
	const __m512i all = _mm512_set1_epi32(0x7fffffff), one = _mm512_set1_epi32(1);
	const __m512i low = _mm512_castps_si512(_mm512_set1_ps(X_LEAST));
	const __m512i high = _mm512_castps_si512(_mm512_set1_ps(X_MOST));
	__m512i least = all, most = _mm512_setzero_si512(); /* of what is counted from 1 on: 0 comes last */
	UNROLL for (int j = 0; j < n; j++)
	{
		const __m512i size = _mm512_and_si512(_mm512_castps_si512(v[j]), all);
		most = _mm512_max_epu32(most, size);
		least = _mm512_min_epu32(least, _mm512_sub_epi32(size, one));
	}
	return !(_mm512_cmpgt_epu32_mask(most, high) |
	         _mm512_cmplt_epu32_mask(_mm512_add_epi32(least, one), low));
}

/* x where neither bound is beyond it: of two that compare as equal, or not at all, the second comes out. */
INLINE vec v_clamp(vec x, vec low, vec high)
{
	return _mm512_min_ps(high, _mm512_max_ps(low, x));
}

/* LANES rows of as many become columns. */
INLINE void v_turn(vec *v)
{
	__m512i r[LANES], t[LANES];
	UNROLL for (int i = 0; i < LANES; i++) r[i] = _mm512_castps_si512(v[i]);
	UNROLL for (int i = 0; i < LANES; i += 2)
	{
		t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
		t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
	}
	UNROLL for (int i = 0; i < LANES; i += 4)
	{
		r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
		r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
		r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
		r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
	}
	UNROLL for (int i = 0; i < 4; i++)
	{
		t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
		t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
		t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
		t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
	}
	UNROLL for (int i = 0; i < LANES / 2; i++)
	{
		v[i] = _mm512_castsi512_ps(_mm512_shuffle_i32x4(t[i], t[i + 8], 0x88));
		v[i + 8] = _mm512_castsi512_ps(_mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd));
	}
}
