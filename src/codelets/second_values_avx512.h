/* second_values_avx512.h -- second values of elements that a transposition computes: for computed_avx512.h.
 *
 * An operand has a value for each row of the source, or one for each column. Those that a block takes are
 * made floats first, side by side. A register has elements of one row, or of four rows, 16 bytes of each in a
 * lane.
 *
 * VF_SECONDS is 1 in transpose_seconds_avx512.c, where all chains have such values. So the code of others
 * stays as short as it was (Zen 5, f32 3500 x 8920 turned, less 1, divided by 3, of the fastest copy, with a
 * branch and without: 0.56 and 0.65).
 */
#pragma once

#include "codelets/floats_avx512.h"
#include "codelets/fused.h"

#ifndef VF_SECONDS
#define VF_SECONDS 0
#endif

/* Vectors that are computed together; 16 bytes of so many rows are in a lane of each. */
enum { ROWS_AT_ONCE = 4 };

/* ---- one value for all, or values of rows, or of columns ---- */

/* y of rows from `a` on, a vector each, or of columns from b on, the same in each. */
INLINE void seconds_of_rows(const fused_step *s, vec *y, int64_t a, int64_t b)
{
	UNROLL for (int j = 0; j < ROWS_AT_ONCE; j++) y[j] = s->of_rows ? v_same(s->values[a + j])
	                                                                : _mm512_loadu_ps(s->values + b);
}

/* The same where lane l of vector j has four columns, from b on, of row a + ROWS_AT_ONCE * l + j. */
INLINE void seconds_of_lanes(const fused_step *s, vec *y, int64_t a, int64_t b)
{
	if (s->of_rows) {
		const vec rows = _mm512_loadu_ps(s->values + a);
		y[0] = _mm512_permute_ps(rows, 0x00), y[1] = _mm512_permute_ps(rows, 0x55);
		y[2] = _mm512_permute_ps(rows, 0xaa), y[3] = _mm512_permute_ps(rows, 0xff);
		return;
	}
	const vec columns = _mm512_broadcast_f32x4(_mm_loadu_ps(s->values + b));
	UNROLL for (int j = 0; j < ROWS_AT_ONCE; j++) y[j] = columns;
}

INLINE void compute_with_seconds(const fused *f, vec *v, int64_t a, int64_t b, const bool lanes_of_rows)
{
	for (int64_t k = 0; k < f->nstep; k++) {
		const fused_step *s = &f->steps[k];
		vec y[ROWS_AT_ONCE];
		if (!s->values)
			y[0] = v_same(s->y);
		else if (lanes_of_rows)
			seconds_of_lanes(s, y, a, b);
		else
			seconds_of_rows(s, y, a, b);
		step_units(s, v, ROWS_AT_ONCE, y, s->values ? 1 : 0);
	}
}

INLINE void compute_rows(const fused *f, vec *v, int64_t a, int64_t b)
{
	compute_with_seconds(f, v, a, b, false);
}

INLINE void compute_lanes(const fused *f, vec *v, int64_t a, int64_t b)
{
	compute_with_seconds(f, v, a, b, true);
}
