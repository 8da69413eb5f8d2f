/* transpose_neon.c -- transposed blocks in 128-bit registers: 16/unit units of A by as many of B a step. */
#include "codelets/variant.h"

#if VF_CODELETS_NEON
#include "codelets/rows_ahead.h"
#include "codelets/vec128_neon.h"

#include <stdbool.h>

typedef uint8x16_t lanes;
enum { REGISTER = 16, STAGES = 0 };

INLINE lanes shuffled(lanes r, const signed char *from)
{
	return vqtbl1q_u8(r, load16((const byte *)from));
}

INLINE lanes lanes_joined(lanes r)
{
	return r;
}

/* Loads `bytes` bytes, 16 if there are as many, of row at[0]. */
INLINE lanes load_lanes(const byte *src, const int64_t *at, int n, int64_t bytes)
{
	(void)n;
	return bytes >= 16 ? load16(src + at[0]) : load_some(src + at[0], bytes);
}

INLINE lanes load_both(const byte *low, const byte *high)
{
	(void)high;
	return load16(low);
}

INLINE lanes load_row(const byte *src)
{
	return load16(src);
}

INLINE void store_low(byte *dst, lanes v)
{
	store16(dst, v);
}

INLINE void store_high(byte *dst, lanes v)
{
	(void)dst, (void)v;
}

INLINE void store_lanes(byte *dst, lanes v)
{
	store16(dst, v);
}

#define transpose_codelet vf_transpose_neon
#include "codelets/ladder.h"
#include "codelets/staged.h"
#endif
