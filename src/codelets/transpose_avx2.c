/* transpose_avx2.c -- transposed blocks in 256-bit registers.
 *
 * One step moves 32/unit units of A (rows of the source) by 16/unit units of B. Each register takes 16 bytes
 * of two rows, one row in each 128-bit lane. So the transposition stays inside the lanes, log2(16/unit)
 * unpacks deep, and each register that comes out is half a line of dst. Units of 3, 6 and 12 bytes are
 * widened to 4, 8 and 16 on the way in and narrowed on the way out: 24 bytes a register.
 */
#include "codelets/variant.h"

#if VF_CODELETS_X86
#include "codelets/rows_ahead.h"
#include "codelets/vec256.h"

#include "codelets/floats_avx2.h"
#include "codelets/fused.h"

#include <stdbool.h>

typedef __m256i lanes;
#define LANES_LOW(bits) _mm256_unpacklo_epi##bits
#define LANES_HIGH(bits) _mm256_unpackhi_epi##bits
enum { REGISTER = 32, STAGES = 1 };

INLINE lanes shuffled(lanes r, const signed char *from)
{
	return _mm256_shuffle_epi8(r, _mm256_broadcastsi128_si256(load16((const byte *)from)));
}

/* The low 12 bytes of each lane side by side. */
INLINE lanes lanes_joined(lanes r)
{
	return _mm256_permutevar8x32_epi32(r, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

/* Loads `bytes` bytes, 16 if there are as many, of rows at[0] and at[n]. */
INLINE lanes load_lanes(const byte *src, const int64_t *at, int n, int64_t bytes)
{
	bool all = bytes >= 16;
	__m128i low = all ? load16(src + at[0]) : load_some(src + at[0], bytes);
	__m128i high = all ? load16(src + at[n]) : load_some(src + at[n], bytes);
	return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

INLINE lanes load_both(const byte *low, const byte *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(low)), load16(high), 1);
}

INLINE lanes load_row(const byte *src)
{
	return load32(src);
}

INLINE void store_low(byte *dst, lanes v)
{
	store16(dst, _mm256_castsi256_si128(v));
}

INLINE void store_high(byte *dst, lanes v)
{
	store16(dst, _mm256_extracti128_si256(v, 1));
}

INLINE void store_lanes(byte *dst, lanes v)
{
	store32(dst, v);
}

#define transpose_codelet vf_transpose_avx2
#define VF_COLUMNS 1
#include "codelets/ladder.h"

#include "codelets/found_seconds.h"
#include "codelets/staged.h"

bool vf_store_steps(const vf_block *b, void *dst, const void *src, const vf_flow *flow)
{
	return store_steps(b, dst, src, flow);
}

bool vf_store_pixels(const vf_block *b, void *dst, const void *src)
{
	ahead none = ahead_none();
	grid row = {dst, src, NULL, b->planes * b->unit, b->stride, b->planes, b->n};
	for (int64_t r = 0; r < b->rows; r++, row.dst += b->dst_step, row.src += b->src_step)
		if (!move_grid(&row, b->unit, &none))
			return false;
	return true;
}
#endif
