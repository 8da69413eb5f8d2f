/* halves_avx512.h -- units of 2 bytes that are computed as a transposition reads them: for strip_avx512.h.
 *
 * 32 rows by 16 columns, which fit the registers: squares of 32 by 32 are spilled, and what is spilled waits
 * among the stores. Of f32 16 columns are a line, so each is read once.
 */
#pragma once

#include "codelets/computed_avx512.h"

/* 16 units of each of UNITS rows, at src + at[i]. */
INLINE void halves_of_rows(const fused *f, __m256i *h, const byte *src, const int64_t *at)
{
	if (f->turns) {
		UNROLL for (int i = 0; i < UNITS; i++)
		{
			const __m512i row = _mm512_castsi256_si512(half_line(src + at[i]));
			h[i] = _mm512_castsi512_si256(turned(row, f->turns));
		}
		return;
	}
	vec v[UNITS];
	computed_floats(f, v, UNITS, src, at);
	if (f->to == VF_SWEEP_f32_half)
		UNROLL for (int i = 0; i < UNITS; i++) h[i] = halves(v[i]);
	else
		UNROLL for (int i = 0; i < UNITS; i++) h[i] = brains(v[i]);
}

/* Column k of 16 to r[k], of 32 rows. A register of rows i and i + 8 has their columns 0 to 7 and 8 to 15 in
 * lanes of their own. */
INLINE void halves_of_columns(const fused *f, __m512i *r, const byte *src, const int64_t *at)
{
	UNROLL for (int g = 0; g < 2; g++)
	{
		__m256i low[UNITS], high[UNITS];
		halves_of_rows(f, low, src, at + 2 * g * UNITS);
		halves_of_rows(f, high, src, at + (2 * g + 1) * UNITS);
		UNROLL for (int i = 0; i < UNITS; i++)
		    r[g * UNITS + i] = _mm512_inserti64x4(_mm512_castsi256_si512(low[i]), high[i], 1);
		transpose(r + g * UNITS, 2);
	}
	UNROLL for (int i = 0; i < UNITS; i++)
	{
		const __m512i first = r[i], second = r[UNITS + i];
		r[i] = _mm512_shuffle_i32x4(first, second, 0x88);
		r[UNITS + i] = _mm512_shuffle_i32x4(first, second, 0xdd);
	}
}

/* The same to lines `pitch` bytes apart. Not inlined: it is long. */
static __attribute__((noinline)) void keep_halves(byte *stage, int64_t pitch, const fused *f, const byte *src,
                                                  const int64_t *at)
{
	__m512i r[LANES];
	halves_of_columns(f, r, src, at);
	UNROLL for (int k = 0; k < LANES; k++) store64(stage + k * pitch, r[k]);
}
