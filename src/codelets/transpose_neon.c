/* transpose_neon.c -- transposed blocks in 128-bit registers: 16/unit units of A by as many of B a step. */
#include "codelets/variant.h"

#if VF_CODELETS_NEON
#include "codelets/ahead.h"
#include "codelets/vec128_neon.h"

#include <stdbool.h>

typedef uint8x16_t lanes;
#define low8 vzip1q_u8
#define high8 vzip2q_u8
#define UNPACKED(name, which, bits)                                                                          \
	INLINE lanes name(lanes a, lanes b)                                                                  \
	{                                                                                                    \
		return vreinterpretq_u8_u##bits(                                                             \
		    which##_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)));          \
	}
UNPACKED(low16, vzip1q, 16)
UNPACKED(high16, vzip2q, 16)
UNPACKED(low32, vzip1q, 32)
UNPACKED(high32, vzip2q, 32)
UNPACKED(low64, vzip1q, 64)
UNPACKED(high64, vzip2q, 64)
#undef UNPACKED

enum { REGISTER = 16, STAGES = 0 };

INLINE lanes shuffled(lanes r, const signed char *from)
{
	return vqtbl1q_u8(r, load16((const byte *)from));
}

INLINE lanes lanes_joined(lanes r)
{
	return r;
}

/* `bytes` bytes, 16 if there are as many, of row at[0]. */
INLINE lanes load_lanes(const byte *src, const int64_t *at, int n, int64_t bytes)
{
	(void)n;
	return bytes >= 16 ? load16(src + at[0]) : load_some(src + at[0], bytes);
}

INLINE void store_lanes(byte *dst, lanes v)
{
	store16(dst, v);
}

#define transpose_codelet vf_transpose_neon
#include "codelets/ladder.h"
#include "codelets/staged.h"
#endif
