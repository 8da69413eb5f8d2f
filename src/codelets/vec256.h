/* vec256.h -- pieces shorter than a 256-bit register, for the AVX2 kernels.
 *
 * AVX2 has no byte masks: a piece of n bytes is two overlapping moves of the largest power of two
 * that is at most n, so nothing beyond it is touched.
 */
#ifndef VF_CODELETS_VEC256_H
#define VF_CODELETS_VEC256_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define INLINE static inline __attribute__((always_inline))

typedef unsigned char byte;

INLINE __m256i load32(const byte *p)
{
	return _mm256_loadu_si256((const void *)p);
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

#define VF_COPY_TWICE(type, size)                                                                  \
	do {                                                                                       \
		type first_, last_;                                                                \
		memcpy(&first_, src, size);                                                        \
		memcpy(&last_, src + bytes - (size), size);                                        \
		memcpy(dst, &first_, size);                                                        \
		memcpy(dst + bytes - (size), &last_, size);                                        \
	} while (0)

/* Up to 32 bytes. */
INLINE void copy_short(byte *dst, const byte *src, int64_t bytes)
{
	if (bytes >= 16) {
		__m128i first = load16(src), last = load16(src + bytes - 16);
		store16(dst, first);
		store16(dst + bytes - 16, last);
	} else if (bytes >= 8) {
		VF_COPY_TWICE(uint64_t, 8);
	} else if (bytes >= 4) {
		VF_COPY_TWICE(uint32_t, 4);
	} else if (bytes >= 2) {
		VF_COPY_TWICE(uint16_t, 2);
	} else if (bytes == 1) {
		*dst = *src;
	}
}
#undef VF_COPY_TWICE

/* The first `bytes` of 16, the rest undefined. */
INLINE __m128i load_some(const byte *src, int64_t bytes)
{
	byte whole[16] = {0};
	copy_short(whole, src, bytes);
	return load16(whole);
}

INLINE void store_some(byte *dst, __m256i v, int64_t bytes)
{
	byte whole[32];
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
		_mm256_stream_si256((void *)dst, low);
		_mm256_stream_si256((void *)(dst + 32), high);
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

#endif
