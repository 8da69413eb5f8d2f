/* computed_avx512.h -- rows that are computed as a transposition reads them: for strip_avx512.h.
 *
 * Conversions and arithmetic come before the transposition: registers hold what is written, and each element
 * is read once. Exception: elements that become longer may be transposed first (tiles_avx512.h,
 * joined_avx512.h).
 */
#pragma once

#include "codelets/second_values_avx512.h"

INLINE __m512i turned(__m512i v, int64_t bytes)
{
	return v_turned(v, turned_places(bytes));
}

/* Computes LANES elements of each of n rows, at src + at[i]; not with second values. */
INLINE void computed_floats(const fused *f, vec *v, const int n, const byte *src, const int64_t *at)
{
	load_units(f->from, v, n, src, at);
	compute_units(f, v, n, 0, NULL);
}

/* Units of 2 bytes: r[i] has those of low[i], and behind them those of high[i]. */
INLINE void shorter_units(const fused *f, __m512i *r, const vec *low, const vec *high, const int n)
{
	if (f->to == VF_SWEEP_f32_half) {
		UNROLL for (int i = 0; i < n; i++) r[i] = halves_of(low[i], high[i]);
	} else if (f->to == VF_SWEEP_f32_brain) {
		UNROLL for (int i = 0; i < n; i++) r[i] = brains_of(low[i], high[i]);
	} else {
		UNROLL for (int i = 0; i < n; i++)
		{
			const vec both[2] = {low[i], high[i]};
			r[i] = f->to == VF_SWEEP_f32_i16 ? v_shorts(both, true) : v_shorts(both, false);
		}
	}
}

/* Computes what fills a register of each of n <= UNITS rows of a tile. n and `unit`, the bytes of a result,
 * are constants. With second values n is ROWS_AT_ONCE. */
INLINE void computed_rows(const tile *s, __m512i *r, const int n, const int unit)
{
	const fused *f = s->f;
	vec low[UNITS], high[UNITS];
	if (f->turns || unit > 4) { /* longer units are only turned */
		UNROLL for (int i = 0; i < n; i++) r[i] = turned(load64(s->src + s->at[i]), f->turns);
	} else if (unit == 4) {
		load_units(f->from, low, n, s->src, s->at);
		if (VF_SECONDS && n == ROWS_AT_ONCE)
			compute_rows(f, low, s->a, s->b);
		else
			compute_units(f, low, n, 0, NULL);
		if (f->to == VF_SWEEP_f32_i32)
			UNROLL for (int i = 0; i < n; i++) r[i] = v_i32_of(low[i]);
		else
			UNROLL for (int i = 0; i < n; i++) r[i] = _mm512_castps_si512(low[i]);
	} else {
		computed_floats(f, low, n, s->src, s->at);
		computed_floats(f, high, n, s->src + LANES * f->from_bytes, s->at);
		shorter_units(f, r, low, high, n);
	}
}

/* Are results as long as what they are made of? Then it does not matter which elements a register holds, and
 * a step computes pieces of several rows as it loads them (Zen 5, of the fastest copy, by whole lines of each
 * row and so: f32 [225,317,56] reversed, bytes turned, 0.39 and 0.59; 4032 x 4032 turned, twice as much, 0.85
 * and 0.94). */
INLINE bool computes_in_place(const fused *f, const int unit)
{
	return f->turns || unit > 4 || (unit == 4 && f->from_bytes == 4);
}

/* Computes n registers of such elements of a tile, which have a lane of each row. n and `unit` are
 * constants. */
INLINE void compute_in_place(const tile *s, __m512i *r, const int n, const int unit)
{
	const fused *f = s->f;
	if (f->turns || unit != 4) {
		UNROLL for (int i = 0; i < n; i++) r[i] = turned(r[i], f->turns);
		return;
	}
	vec v[UNITS];
	if (f->from == VF_SWEEP_i32_f32)
		UNROLL for (int i = 0; i < n; i++) v[i] = _mm512_cvtepi32_ps(r[i]);
	else
		UNROLL for (int i = 0; i < n; i++) v[i] = _mm512_castsi512_ps(r[i]);
	if (VF_SECONDS)
		compute_lanes(f, v, s->a, s->b);
	else
		compute_units(f, v, n, 0, NULL);
	if (f->to == VF_SWEEP_f32_i32)
		UNROLL for (int i = 0; i < n; i++) r[i] = v_i32_of(v[i]);
	else
		UNROLL for (int i = 0; i < n; i++) r[i] = _mm512_castps_si512(v[i]);
}
