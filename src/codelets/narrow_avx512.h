/* narrow_avx512.h -- units of 1 and 2 bytes that are computed as a transposition reads them: for
 * strip_avx512.h.
 *
 * A strip's rows, 64 or 32, go by 16 columns at a time, which fit the registers. Squares would be spilled,
 * and what is spilled waits among the stores. 16 columns of f32 are a line, so each line is read once.
 */
#pragma once

#include "codelets/computed_avx512.h"

/* r[i]: 16 units of row i, and then 16 of row i + UNITS. Not of a chain that only turns bytes: that goes by
 * squares. */
INLINE void halves_of_rows(const fused *f, __m512i *r, const byte *src, const int64_t *at)
{
	vec low[UNITS], high[UNITS];
	computed_floats(f, low, UNITS, src, at);
	computed_floats(f, high, UNITS, src, at + UNITS);
	shorter_units(f, r, low, high, UNITS);
}

/* r[k]: column k of 16, of 32 rows. */
INLINE void halves_of_columns(const fused *f, __m512i *r, const byte *src, const int64_t *at)
{
	UNROLL for (int g = 0; g < 2; g++)
	{
		halves_of_rows(f, r + g * UNITS, src, at + 2 * g * UNITS);
		transpose(r + g * UNITS, 2);
	}
	UNROLL for (int i = 0; i < UNITS; i++)
	{
		const __m512i first = r[i], second = r[UNITS + i];
		r[i] = _mm512_shuffle_i32x4(first, second, 0x88);
		r[UNITS + i] = _mm512_shuffle_i32x4(first, second, 0xdd);
	}
}

/* The same of 64 rows. Before the lanes are transposed, lane k of r[i] is 16 bytes of row i + 16*k. */
INLINE void bytes_of_columns(const fused *f, __m512i *r, const byte *src, const int64_t *at)
{
	for (int i = 0; i < LANES; i += 2) {
		int64_t rows[UNITS];
		vec v[UNITS];
		for (int k = 0; k < UNITS; k++)
			rows[k] = at[i + k / 4 + k % 4 * LANES];
		computed_floats(f, v, UNITS, src, rows);
		if (f->to == VF_SWEEP_f32_i8)
			r[i] = v_bytes(v, true), r[i + 1] = v_bytes(v + 4, true);
		else
			r[i] = v_bytes(v, false), r[i + 1] = v_bytes(v + 4, false);
	}
	transpose(r, 1);
}

INLINE void narrow_of_columns(const fused *f, __m512i *r, const byte *src, const int64_t *at, const int unit)
{
	if (unit == 1)
		bytes_of_columns(f, r, src, at);
	else
		halves_of_columns(f, r, src, at);
}

/* The same to lines `pitch` bytes apart. Not inlined: they are long. */
static __attribute__((noinline)) void keep_narrow_1(byte *stage, int64_t pitch, const fused *f,
                                                    const byte *src, const int64_t *at)
{
	__m512i r[LANES];
	bytes_of_columns(f, r, src, at);
	UNROLL for (int k = 0; k < LANES; k++) store64(stage + k * pitch, r[k]);
}

static __attribute__((noinline)) void keep_narrow_2(byte *stage, int64_t pitch, const fused *f,
                                                    const byte *src, const int64_t *at)
{
	__m512i r[LANES];
	halves_of_columns(f, r, src, at);
	UNROLL for (int k = 0; k < LANES; k++) store64(stage + k * pitch, r[k]);
}

INLINE void keep_narrow(byte *stage, int64_t pitch, const fused *f, const byte *src, const int64_t *at,
                        const int unit)
{
	if (unit == 1)
		keep_narrow_1(stage, pitch, f, src, at);
	else
		keep_narrow_2(stage, pitch, f, src, at);
}
