/* floats_avx2.h -- vectors of 8 floats, for fused.h: floats_avx512.h says what each does. */
#pragma once

#include "codelets/quotient.h"
#include "codelets/vec256.h"

typedef __m256 vec;
enum { LANES = 8 };

INLINE __m128i eight_bytes(const unsigned char *p)
{
	return _mm_loadl_epi64((const void *)p);
}

INLINE vec v_u8(const unsigned char *p)
{
	return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight_bytes(p)));
}

INLINE vec v_i8(const unsigned char *p)
{
	return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight_bytes(p)));
}

INLINE vec v_u16(const unsigned char *p)
{
	return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(load16(p)));
}

INLINE vec v_i16(const unsigned char *p)
{
	return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load16(p)));
}

INLINE vec v_i32(const unsigned char *p)
{
	return _mm256_cvtepi32_ps(load32(p));
}

INLINE vec v_half(const unsigned char *p)
{
	return _mm256_cvtph_ps(load16(p));
}

INLINE vec v_brain(const unsigned char *p)
{
	return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load16(p)), 16));
}

INLINE vec v_floats(const unsigned char *p)
{
	return _mm256_castsi256_ps(load32(p));
}

INLINE __m128i halves(vec v)
{
	return _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
}

INLINE __m128i brains(vec v)
{
	const __m256i u = _mm256_castps_si256(v), one = _mm256_set1_epi32(1);
	const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), one);
	const __m256i near = _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
	const __m256i nan = _mm256_or_si256(u, _mm256_set1_epi32(0x400000));
	const vec is_nan = _mm256_cmp_ps(v, v, _CMP_UNORD_Q);
	const vec whole = _mm256_blendv_ps(_mm256_castsi256_ps(near), _mm256_castsi256_ps(nan), is_nan);
	const __m256i top = _mm256_srli_epi32(_mm256_castps_si256(whole), 16);
	return _mm_packus_epi32(_mm256_castsi256_si128(top), _mm256_extracti128_si256(top, 1));
}

INLINE void v_put(unsigned char *p, vec v)
{
	store32(p, _mm256_castps_si256(v));
}

INLINE void v_stream(unsigned char *p, vec v)
{
	_mm256_stream_si256((void *)p, _mm256_castps_si256(v));
}

INLINE void v_put_half(unsigned char *p, vec v)
{
	store16(p, halves(v));
}

INLINE void v_stream_half(unsigned char *p, vec v)
{
	_mm_stream_si128((void *)p, halves(v));
}

INLINE void v_put_brain(unsigned char *p, vec v)
{
	store16(p, brains(v));
}

INLINE void v_stream_brain(unsigned char *p, vec v)
{
	_mm_stream_si128((void *)p, brains(v));
}

INLINE void v_some(unsigned char *d, const unsigned char *p, int64_t bytes)
{
	copy_short(d, p, bytes);
}

INLINE vec v_same(float y)
{
	return _mm256_set1_ps(y);
}

INLINE vec v_add(vec x, vec y)
{
	return _mm256_add_ps(x, y);
}

INLINE vec v_sub(vec x, vec y)
{
	return _mm256_sub_ps(x, y);
}

INLINE vec v_mul(vec x, vec y)
{
	return _mm256_mul_ps(x, y);
}

INLINE vec v_div(vec x, vec y)
{
	return _mm256_div_ps(x, y);
}

INLINE vec v_quotient(vec x, vec y, vec r)
{
	const vec q = _mm256_mul_ps(x, r);
	return _mm256_fnmadd_ps(_mm256_fmsub_ps(q, y, x), r, q);
}

INLINE bool v_have_quotients(const vec *v, const int n)
{
	const __m256i all = _mm256_set1_epi32(0x7fffffff), one = _mm256_set1_epi32(1);
	const __m256i low = _mm256_castps_si256(_mm256_set1_ps(X_LEAST));
	const __m256i high = _mm256_castps_si256(_mm256_set1_ps(X_MOST));
	__m256i least = high, most = _mm256_setzero_si256(); /* of what is counted from 1 on: 0 comes last */
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

INLINE vec v_clamp(vec x, vec low, vec high)
{
	return _mm256_min_ps(high, _mm256_max_ps(low, x));
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
