/* vec512.h -- moves of any number of bytes in 512-bit registers, for the AVX-512 codelets.
 *
 * What is masked off is neither read nor written, and causes no page fault.
 */
#pragma once

#include "codelets/streamed.h"

#include <immintrin.h>

INLINE __m512i load64(const byte *p)
{
	return _mm512_loadu_si512((const void *)p);
}

/* Loads what is needed more than once into a register. Else gcc lets each instruction read it again, and a
 * vector that lies across two lines is two reads each time (a Xeon with AMX, three planes of 150 KB: from 5.2
 * to 4.4 us). */
INLINE __m512i load_kept(const byte *p)
{
	__m512i v = load64(p);
	__asm__("" : "+v"(v));
	return v;
}

INLINE void store64(byte *p, __m512i v)
{
	_mm512_storeu_si512((void *)p, v);
}

/* A mask of the first `bytes` of 64; 0 <= bytes <= 64. */
INLINE __mmask64 first_bytes(int64_t bytes)
{
	return bytes < 64 ? ~(~0ULL << bytes) : ~0ULL;
}

INLINE __m512i load_some(const byte *p, int64_t bytes)
{
	return _mm512_maskz_loadu_epi8(first_bytes(bytes), p);
}

INLINE void store_some(byte *p, __m512i v, int64_t bytes)
{
	_mm512_mask_storeu_epi8(p, first_bytes(bytes), v);
}

INLINE void copy_bytes(byte *dst, const byte *src, int64_t bytes)
{
	for (; bytes >= 64; bytes -= 64, dst += 64, src += 64)
		store64(dst, load64(src));
	if (bytes > 0)
		store_some(dst, load_some(src, bytes), bytes);
}

INLINE void stream_lines(byte *dst, const byte *src, int64_t lines)
{
	for (; lines > 0; lines--, dst += 64, src += 64)
		stream64(dst, load64(src));
}

static const uint8_t first_places[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                         16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                         32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                         48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* For a permutation: byte i comes from byte i + by, counted around the end of 64 bytes, or of two times
 * 64. */
INLINE __m512i places_from(int64_t by)
{
	return _mm512_add_epi8(load64(first_places), _mm512_set1_epi8((char)by));
}

/* The lanes of v[0], v[n], v[2n] and v[3n], transposed. */
INLINE void transpose_lanes(__m512i *v, const int n)
{
	__m512i low01 = _mm512_shuffle_i32x4(v[0], v[n], 0x44);
	__m512i high01 = _mm512_shuffle_i32x4(v[0], v[n], 0xee);
	__m512i low23 = _mm512_shuffle_i32x4(v[2 * n], v[3 * n], 0x44);
	__m512i high23 = _mm512_shuffle_i32x4(v[2 * n], v[3 * n], 0xee);
	v[0] = _mm512_shuffle_i32x4(low01, low23, 0x88);
	v[n] = _mm512_shuffle_i32x4(low01, low23, 0xdd);
	v[2 * n] = _mm512_shuffle_i32x4(high01, high23, 0x88);
	v[3 * n] = _mm512_shuffle_i32x4(high01, high23, 0xdd);
}

INLINE void fence(void)
{
	_mm_sfence();
}

INLINE void fetch_line(const void *p)
{
	_mm_prefetch(p, _MM_HINT_T0);
}
