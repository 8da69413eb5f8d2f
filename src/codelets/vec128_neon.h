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

/* Ordinary stores: the processor itself sees that whole lines are written, and does not read them first. */
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
