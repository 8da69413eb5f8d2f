/* vec128_neon.h -- moves of any number of bytes in 128-bit registers, for the NEON codelets. */
#pragma once

#include "codelets/short.h"

#include <arm_neon.h>

INLINE uint8x16_t load16(const byte *p)
{
	return vld1q_u8(p);
}

INLINE void store16(byte *p, uint8x16_t v)
{
	vst1q_u8(p, v);
}

/* low_: the units of 8, 16, 32 and 64 bits of the low halves of two vectors, in turns. high_: those of the
 * high halves. */
#define low_8 vzip1q_u8
#define high_8 vzip2q_u8
#define UNPACKED(name, which, bits)                                                                          \
	INLINE uint8x16_t name(uint8x16_t a, uint8x16_t b)                                                   \
	{                                                                                                    \
		return vreinterpretq_u8_u##bits(                                                             \
		    which##_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)));          \
	}
UNPACKED(low_16, vzip1q, 16)
UNPACKED(high_16, vzip2q, 16)
UNPACKED(low_32, vzip1q, 32)
UNPACKED(high_32, vzip2q, 32)
UNPACKED(low_64, vzip1q, 64)
UNPACKED(high_64, vzip2q, 64)
#undef UNPACKED
#define LANES_LOW(bits) low_##bits
#define LANES_HIGH(bits) high_##bits

/* The first `bytes` of 16, the rest 0. */
INLINE uint8x16_t load_some(const byte *src, int64_t bytes)
{
	byte whole[16] = {0};
	copy_short(whole, src, bytes);
	return load16(whole);
}

INLINE void store_some(byte *dst, uint8x16_t v, int64_t bytes)
{
	byte whole[16];
	store16(whole, v);
	copy_short(dst, whole, bytes);
}

INLINE void copy_bytes(byte *dst, const byte *src, int64_t bytes)
{
	if (bytes <= 32) {
		copy_short(dst, src, bytes);
		return;
	}
	uint8x16_t last = load16(src + bytes - 16);
	byte *end = dst + bytes - 16;
	for (; bytes > 16; bytes -= 16, dst += 16, src += 16)
		store16(dst, load16(src));
	store16(end, last);
}

/* Ordinary stores: the processor sees by itself that whole lines are written, and does not read them
 * first. */
INLINE void stream_lines(byte *dst, const byte *src, int64_t lines)
{
	for (; lines > 0; lines--, dst += 64, src += 64) {
		uint8x16_t a = load16(src), b = load16(src + 16), c = load16(src + 32), d = load16(src + 48);
		store16(dst, a), store16(dst + 16, b), store16(dst + 32, c), store16(dst + 48, d);
	}
}

INLINE void fetch_line(const void *p)
{
	__builtin_prefetch(p, 0, 3);
}
