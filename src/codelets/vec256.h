/* vec256.h -- moves of any number of bytes in 256-bit registers, for the AVX2 codelets. */
#pragma once

#include "codelets/streamed.h"

#include <immintrin.h>

INLINE __m256i load32(const byte *p)
{
	return _mm256_loadu_si256((const void *)p);
}

/* Loads what is needed more than once into a register: see vec512.h. */
INLINE __m256i load_kept(const byte *p)
{
	__m256i v = load32(p);
	__asm__("" : "+x"(v));
	return v;
}

INLINE void store32(byte *p, __m256i v)
{
	_mm256_storeu_si256((void *)p, v);
}

INLINE __m128i load16(const byte *p)
{
	return _mm_loadu_si128((const void *)p);
}

INLINE void store16(byte *p, __m128i v)
{
	_mm_storeu_si128((void *)p, v);
}

/* The first `bytes` of 16, the rest 0. */
INLINE __m128i load_some(const byte *src, int64_t bytes)
{
	byte whole[16] = {0};
	if (bytes == 12) {
		int32_t last;
		memcpy(&last, src + 8, sizeof last);
		return _mm_insert_epi32(_mm_loadl_epi64((const void *)src), last, 2);
	}
	copy_short(whole, src, bytes);
	return load16(whole);
}

INLINE void store_some(byte *dst, __m256i v, int64_t bytes)
{
	byte whole[32];
	if (__builtin_constant_p(bytes) && bytes == 24) { /* units of 3, 6 and 12 */
		store16(dst, _mm256_castsi256_si128(v));
		_mm_storel_epi64((void *)(dst + 16), _mm256_extracti128_si256(v, 1));
		return;
	}
	store32(whole, v);
	copy_short(dst, whole, bytes);
}

INLINE void copy_bytes(byte *dst, const byte *src, int64_t bytes)
{
	if (bytes < 32) {
		copy_short(dst, src, bytes);
		return;
	}
	for (; bytes >= 64; bytes -= 32, dst += 32, src += 32)
		store32(dst, load32(src));
	__m256i first = load32(src), last = load32(src + bytes - 32);
	store32(dst, first);
	store32(dst + bytes - 32, last);
}

INLINE void stream_lines(byte *dst, const byte *src, int64_t lines)
{
	for (; lines > 0; lines--, dst += 64, src += 64) {
		__m256i low = load32(src), high = load32(src + 32);
		stream32(dst, low);
		stream32(dst + 32, high);
	}
}

INLINE void fence(void)
{
	_mm_sfence();
}

INLINE void fetch_line(const void *p)
{
	_mm_prefetch(p, _MM_HINT_T0);
}
