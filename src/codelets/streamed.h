/* streamed.h -- vectors that leave past the cache, in the order of the text.
 *
 * gcc changes the order of stores to places that it knows to differ. Lines of a run that leave out of order
 * take longer (Zen 4, f32 pixels of 8 channels to planes: 1.7 ms, in order 1.0). So each store stands between
 * two empty statements, whose order gcc keeps. p: a multiple of the vector's bytes.
 */
#pragma once

#include "codelets/short.h"

#include <immintrin.h>

#ifdef __clang__ /* such statements would keep clang from unrolling loops */
#define IN_ORDER(store, type, registers, p, v) store((void *)(p), v)
#else
#define IN_ORDER(store, type, registers, p, v)                                                               \
	do {                                                                                                 \
		__asm__ volatile("" : "+" registers(v));                                                     \
		store((void *)(p), v);                                                                       \
		__asm__ volatile("" : "+m"(*(type *)(void *)(p)));                                           \
	} while (0)
#endif

/* Which byte comes to which place, for _mm_shuffle_epi8(), where each group of 2, 4 or 8 bytes is turned
 * around. */
INLINE __m128i turned_places(int64_t bytes)
{
	const __m128i iota = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	return _mm_xor_si128(iota, _mm_set1_epi8((char)(bytes - 1)));
}

INLINE void stream16(byte *p, __m128i v)
{
	IN_ORDER(_mm_stream_si128, __m128i, "x", p, v);
}

INLINE void stream32(byte *p, __m256i v)
{
	IN_ORDER(_mm256_stream_si256, __m256i, "x", p, v);
}

#ifdef __AVX512F__
INLINE void stream64(byte *p, __m512i v)
{
	IN_ORDER(_mm512_stream_si512, __m512i, "v", p, v);
}
#endif
