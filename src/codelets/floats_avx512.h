/* floats_avx512.h -- vectors of 16 floats, for fused.h. */
#pragma once

#include "codelets/quotient.h"
#include "codelets/vec512.h"

typedef __m512 vec;
typedef __m512i ints;
enum { LANES = 16 };

#define F(op) _mm512_##op
#define I(op) _mm512_##op##_si512
#define stream_ints stream64
#define as_floats _mm512_castsi512_ps
#define as_ints _mm512_castps_si512
#define load_ints load64
#define store_ints store64
#define low_half _mm512_castsi512_si256
#define all_quarters _mm512_broadcast_i32x4

INLINE __m128i load_quarter(const unsigned char *p)
{
	return _mm_loadu_si128((const void *)p);
}

INLINE __m256i load_half(const unsigned char *p)
{
	return _mm256_loadu_si256((const void *)p);
}

INLINE void store_half(unsigned char *p, __m256i v)
{
	_mm256_storeu_si256((void *)p, v);
}

INLINE vec both_floats(__m256 low, __m256 high)
{
	return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* Rounds towards 0; the last bit is 1 where anything was cut off. */
INLINE __m256 odd_floats(__m512d x)
{
	const __m256 f = _mm512_maskz_cvt_roundpd_ps(0xff, x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
	const __m256i u = _mm256_castps_si256(f);
	const __mmask8 off = _mm512_cmp_pd_mask(_mm512_cvtps_pd(f), x, _CMP_NEQ_UQ);
	return _mm256_castsi256_ps(_mm256_mask_or_epi32(u, off, u, _mm256_set1_epi32(1)));
}

INLINE __m256i halves(vec v)
{
	/* with a full mask: gcc's macro without a mask warns (-Wsign-conversion) */
	return _mm512_maskz_cvtps_ph(0xffff, v, _MM_FROUND_TO_NEAREST_INT);
}

/* Of two vectors, one after the other. */
INLINE __m512i halves_of(vec v, vec w)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(halves(v)), halves(w), 1);
}

/* To nearest, ties to even; a NaN stays one. The upper halves are bf16. */
INLINE __m512i upper_brains(vec v)
{
	const __m512i u = _mm512_castps_si512(v), down = _mm512_add_epi32(u, _mm512_set1_epi32(0x7fff));
	const __mmask16 odd = _mm512_test_epi32_mask(u, _mm512_set1_epi32(0x10000));
	const __m512i near = _mm512_mask_add_epi32(down, odd, down, _mm512_set1_epi32(1));
	const __mmask16 is_nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
	return _mm512_mask_or_epi32(near, is_nan, u, _mm512_set1_epi32(0x400000));
}

/* Converts by the processor's own instruction. False if it has none, if the compiler does not know it, or if
 * an element is below 2^-126 but not 0: the instruction takes such elements for 0. It rounds all else as we
 * do. */
INLINE bool makes_brains(vec v, vec w, __m512i *both)
{
#if __GNUC__ >= 10 || __clang_major__ >= 9
	enum { BELOW_NORMAL = 0x20 };
	if (__builtin_cpu_supports("avx512bf16") &&
	    !(_mm512_fpclass_ps_mask(v, BELOW_NORMAL) | _mm512_fpclass_ps_mask(w, BELOW_NORMAL))) {
		__asm__("vcvtne2ps2bf16 %2, %1, %0" : "=v"(*both) : "v"(w), "v"(v));
		return true;
	}
#else
	(void)v, (void)w, (void)both;
#endif
	return false;
}

/* Of two vectors, one after the other (a Xeon with AMX, of the fastest copy: a picture normalised 0.55 and by
 * the processor's conversion 0.60, bf16 x * w + b 0.53 and 0.57). */
INLINE __m512i brains_of(vec v, vec w)
{
	__m512i both;
	if (makes_brains(v, w, &both))
		return both;
	const __m512i first = _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33,
	                                       31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
	return _mm512_permutex2var_epi16(upper_brains(v), first, upper_brains(w));
}

INLINE __m256i brains(vec v)
{
	return _mm512_castsi512_si256(brains_of(v, v));
}

/* Whole numbers: the fraction is cut off, what is beyond `most` becomes `most`. What is below i32 becomes its
 * least, which packs saturate. NaN becomes 0, and that least where packs are unsigned. */
INLINE ints v_whole(vec v, float most, const bool is_signed)
{
	const vec low = _mm512_min_ps(_mm512_set1_ps(most), v); /* NaN: the second one */
	if (!is_signed)
		return _mm512_cvttps_epi32(low);
	return _mm512_maskz_cvttps_epi32(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), low);
}

INLINE ints v_i32_of(vec v)
{
	const __mmask16 past = _mm512_cmp_ps_mask(v, _mm512_set1_ps(0x1p31F), _CMP_GE_OQ);
	const __mmask16 is_number = _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q);
	return _mm512_mask_mov_epi32(_mm512_maskz_cvttps_epi32(is_number, v), past,
	                             _mm512_set1_epi32(INT32_MAX));
}

INLINE ints shorts_in_order(ints v)
{
	return _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), v);
}

INLINE ints bytes_in_order(ints v)
{
	const __m512i order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
	return _mm512_permutexvar_epi32(order, v);
}

INLINE void store_quarter(unsigned char *p, ints v)
{
	_mm_storeu_si128((void *)p, _mm512_castsi512_si128(v));
}

INLINE void v_stream_half(unsigned char *p, vec v)
{
	stream32(p, halves(v));
}

/* Up to 64 bytes as they are. */
INLINE void v_some(unsigned char *d, const unsigned char *p, int64_t bytes)
{
	store_some(d, load_some(p, bytes), bytes);
}

/* Is each element of n vectors 0, or of a magnitude from X_LEAST to X_MOST? */
INLINE bool v_have_quotients(const vec *v, const int n)
{
	const __m512i all = _mm512_set1_epi32(0x7fffffff), one = _mm512_set1_epi32(1);
	const __m512i low = _mm512_castps_si512(_mm512_set1_ps(X_LEAST));
	const __m512i high = _mm512_castps_si512(_mm512_set1_ps(X_MOST));
	__m512i least = all, most = _mm512_setzero_si512(); /* least: of size - 1, where 0 is the largest */
	UNROLL for (int j = 0; j < n; j++)
	{
		const __m512i size = _mm512_and_si512(_mm512_castps_si512(v[j]), all);
		most = _mm512_max_epu32(most, size);
		least = _mm512_min_epu32(least, _mm512_sub_epi32(size, one));
	}
	return !(_mm512_cmpgt_epu32_mask(most, high) |
	         _mm512_cmplt_epu32_mask(_mm512_add_epi32(least, one), low));
}

/* LANES rows of LANES elements become columns. */
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

#include "codelets/floats.h"
