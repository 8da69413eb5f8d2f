/* short.h -- pieces of up to 32 bytes, for processors without byte masks.
 *
 * A piece of n bytes is two moves, which may overlap. Each has the largest power of two bytes, up to 16, that
 * is at most n. So nothing beyond the piece is touched.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define INLINE static inline __attribute__((always_inline))

typedef unsigned char byte;

static inline int64_t smaller(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static inline int64_t larger(int64_t x, int64_t y)
{
	return x > y ? x : y;
}

typedef struct bytes16 {
	uint64_t words[2];
} bytes16;

#define VF_COPY_TWICE(type)                                                                                  \
	do {                                                                                                 \
		type first_, last_;                                                                          \
		memcpy(&first_, src, sizeof first_);                                                         \
		memcpy(&last_, src + bytes - sizeof last_, sizeof last_);                                    \
		memcpy(dst, &first_, sizeof first_);                                                         \
		memcpy(dst + bytes - sizeof last_, &last_, sizeof last_);                                    \
	} while (0)

/* Up to 32 bytes. */
INLINE void copy_short(byte *dst, const byte *src, int64_t bytes)
{
	if (bytes >= 16)
		VF_COPY_TWICE(bytes16);
	else if (bytes >= 8)
		VF_COPY_TWICE(uint64_t);
	else if (bytes >= 4)
		VF_COPY_TWICE(uint32_t);
	else if (bytes >= 2)
		VF_COPY_TWICE(uint16_t);
	else if (bytes == 1)
		*dst = *src;
}
#undef VF_COPY_TWICE
