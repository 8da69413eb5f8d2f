/* floats_avx2.h -- vectors of 8 floats, for fused.h: floats.h and floats_avx512.h say what each does. */
#pragma once

#include "codelets/quotient.h"
#include "codelets/vec256.h"

typedef __m256 vec;
typedef __m256i ints;
enum { LANES = 8 };

#define F(op) _mm256_##op
#define I(op) _mm256_##op##_si256
#define stream_ints stream32
#define as_floats _mm256_castsi256_ps
#define as_ints _mm256_castps_si256
#define load_ints load32
#define store_ints store32
#define load_half load16
#define store_half store16
#define low_half _mm256_castsi256_si128
#define all_quarters _mm256_broadcastsi128_si256

INLINE __m128i load_quarter(const unsigned char *p)
{
	return _mm_loadl_epi64((const void *)p);
}

INLINE vec both_floats(__m128 low, __m128 high)
{
	return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* Masks of 64 bits become masks of 32. */
INLINE __m128i narrow_masks(__m256d m)
{
	const __m256i order = _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0);
	return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(m), order));
}

/* Rounds to nearest, goes back by one where that is larger, and sets the last bit where anything was cut
 * off. */
INLINE __m128 odd_floats(__m256d x)
{
	const __m256d sign = _mm256_set1_pd(-0.0);
	const __m128 f = _mm256_cvtpd_ps(x);
	const __m256d back = _mm256_cvtps_pd(f);
	const __m256d larger = _mm256_cmp_pd(_mm256_andnot_pd(sign, back), _mm256_andnot_pd(sign, x),
	                                     _CMP_GT_OQ);
	const __m128i off = narrow_masks(_mm256_cmp_pd(back, x, _CMP_NEQ_UQ));
	const __m128i u = _mm_add_epi32(_mm_castps_si128(f), narrow_masks(larger));
	return _mm_castsi128_ps(_mm_or_si128(u, _mm_srli_epi32(off, 31)));
}

INLINE __m128i halves(vec v)
{
	return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
}

/* upper_brains() for vectors without NaN. */
INLINE __m256i near_brains(vec v)
{
	const __m256i u = _mm256_castps_si256(v), one = _mm256_set1_epi32(1);
	const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), one);
	return _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
}

INLINE __m256i upper_brains(vec v)
{
	const __m256i u = _mm256_castps_si256(v), near = near_brains(v);
	const __m256i nan = _mm256_or_si256(u, _mm256_set1_epi32(0x400000));
	const vec is_nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
	return _mm256_castps_si256(
	    _mm256_blendv_ps(_mm256_castsi256_ps(near), _mm256_castsi256_ps(nan), is_nan));
}

INLINE __m128i brains(vec v)
{
	const __m256i top = _mm256_srli_epi32(upper_brains(v), 16);
	return _mm_packus_epi32(_mm256_castsi256_si128(top), _mm256_extracti128_si256(top, 1));
}

/* One look at both vectors finds a NaN, which is rare; without one the short way will do (a Xeon, bf16 x + y:
 * 0.70 of the fastest copy, 0.80 so). */
INLINE __m256i brains_of(vec v, vec w)
{
	__m256i low = near_brains(v), high = near_brains(w);
	if (_mm256_movemask_ps(_mm256_cmp_ps(v, w, _CMP_UNORD_Q)))
		low = upper_brains(v), high = upper_brains(w);
	low = _mm256_srli_epi32(low, 16), high = _mm256_srli_epi32(high, 16);
	return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
}

/* As in floats_avx512.h. */
INLINE ints v_whole(vec v, float most, const bool is_signed)
{
	const ints w = _mm256_cvttps_epi32(_mm256_min_ps(_mm256_set1_ps(most), v));
	return is_signed ? _mm256_and_si256(w, _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_ORD_Q))) : w;
}

/* The instruction converts what is beyond i32 to INT32_MIN; above, its bits are flipped to INT32_MAX. */
INLINE ints v_i32_of(vec v)
{
	const __m256i past = _mm256_castps_si256(_mm256_cmp_ps(v, _mm256_set1_ps(0x1p31F), _CMP_GE_OQ));
	const __m256i is_number = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_ORD_Q));
	return _mm256_and_si256(is_number, _mm256_xor_si256(past, _mm256_cvttps_epi32(v)));
}

INLINE ints shorts_in_order(ints v)
{
	return _mm256_permute4x64_epi64(v, 0xd8);
}

INLINE ints bytes_in_order(ints v)
{
	return _mm256_permutevar8x32_epi32(v, _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0));
}

INLINE void store_quarter(unsigned char *p, ints v)
{
	_mm_storel_epi64((void *)p, _mm256_castsi256_si128(v));
}

INLINE void v_stream_half(unsigned char *p, vec v)
{
	stream16(p, halves(v));
}

INLINE void v_some(unsigned char *d, const unsigned char *p, int64_t bytes)
{
	copy_short(d, p, bytes);
}

INLINE bool v_have_quotients(const vec *v, const int n)
{
	const __m256i all = _mm256_set1_epi32(0x7fffffff), one = _mm256_set1_epi32(1);
	const __m256i low = _mm256_castps_si256(_mm256_set1_ps(X_LEAST));
	const __m256i high = _mm256_castps_si256(_mm256_set1_ps(X_MOST));
	__m256i least = high, most = _mm256_setzero_si256(); /* least: of size - 1, where 0 is the largest */
	UNROLL for (int j = 0; j < n; j++)
	{
		const __m256i size = _mm256_and_si256(_mm256_castps_si256(v[j]), all);
		most = _mm256_max_epu32(most, size);
		least = _mm256_min_epu32(least, _mm256_sub_epi32(size, one));
	}
	const __m256i beyond = _mm256_or_si256(_mm256_cmpgt_epi32(most, high),
	                                       _mm256_cmpgt_epi32(low, _mm256_add_epi32(least, one)));
	return _mm256_testz_si256(beyond, beyond);
}

INLINE void v_turn(vec *v)
{
	vec t[LANES], r[LANES];
	UNROLL for (int i = 0; i < LANES; i += 2)
	{
		t[i] = _mm256_unpacklo_ps(v[i], v[i + 1]);
		t[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
	}
	UNROLL for (int i = 0; i < LANES; i += 4)
	{
		r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
		r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xee);
		r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
		r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xee);
	}
	UNROLL for (int i = 0; i < LANES / 2; i++)
	{
		v[i] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x20);
		v[i + 4] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x31);
	}
}

#include "codelets/floats.h"
