/* quotient.h -- x / y by a product with 1/y and a correction: the bits of a division, without one.
 *
 * In     a chain whose second values are known
 * Out    1/y for each division by one value that all elements share; for each step, whether elements are
 *        looked at first
 * Keeps  every bit. Let r = 1/y rounded, q = x * r rounded, e = q * y - x. Then q - e * r rounded is x / y
 *        rounded (Markstein). e is exact unless x or y is so large or small that anything on the way over-
 *        or underflows. The ranges below exclude that, and infinity and NaN too. Where e is 0 it is +0; then
 *        q - e * r is q, even the sign of a 0, if r is not negative. So elements are divided by a negative y
 * Tests  tests/unit/test_quotient.c
 *
 * A Xeon with AMX divides 16 floats in 10.7 cycles, 8 in 5. The product takes 1.5, and 2 more where elements
 * are looked at. Zen 4 gains where they are not (of the fastest copy, divided and so, by AVX-512: pictures to
 * planes, (x / 255 - a) / b 0.45 and 0.62, to f16 0.28 and 0.33, u8 / 255 to f16 0.60 and 0.73, 256 x 256
 * in the caches 0.40 and 0.54; AVX2 0.41 and 0.42, 0.24 and 0.25), but not where they are (u8 to f16, then /
 * 255, 0.53 and 0.30).
 */
#pragma once

#include "codelets/ahead.h"
#include "codelets/chain.h"

#include <float.h>

/* Bounds of the magnitude of x, unless it is 0, and of y. */
#define X_LEAST 0x1p-60F
#define X_MOST 0x1p60F
#define Y_LEAST 0x1p-40F
#define Y_MOST 0x1p40F

static inline float magnitude(float y)
{
	return y < 0 ? -y : y;
}

static inline bool has_inverse(float y)
{
	return y >= Y_LEAST && y <= Y_MOST;
}

static inline range range_unknown(void)
{
	return (range){0, FLT_MAX};
}

static inline range range_read(int64_t sweep)
{
	switch (sweep) {
	case VF_SWEEP_u8_f32:
	case VF_SWEEP_i8_f32:
	case VF_SWEEP_u16_f32:
	case VF_SWEEP_i16_f32:
	case VF_SWEEP_i32_f32: return (range){1, 0x1p31F};
	default: return range_unknown();
	}
}

/* The range with one more element. */
static inline range range_with(range x, float y)
{
	const float size = magnitude(y);
	if (!(size <= X_MOST) || (size > 0 && size < X_LEAST))
		return range_unknown();
	return (range){size > 0 && size < x.least ? size : x.least, size > x.most ? size : x.most};
}

/* The range of what a step makes of such elements. A sum that is not 0 is at least the last bit of x or of
 * y. */
static inline range range_after(const fused_step *s, range x)
{
	const range y = s->run ? s->runs : range_with((range){X_MOST, 0}, s->y);
	if (y.least < X_LEAST || x.most > X_MOST)
		return range_unknown();
	switch (s->kind) {
	case STEP_ADD:
	case STEP_SUB:
	case STEP_FROM:
		return (range){(y.least < x.least ? y.least : x.least) * 0x1p-24F, (x.most + y.most) * 2};
	case STEP_MUL: return (range){x.least * y.least / 2, x.most * y.most * 2};
	case STEP_DIV:
		return s->inverse != 0 || s->inverses ? (range){x.least / y.most / 2, x.most / y.least * 2}
		                                      : range_unknown();
	default: return range_unknown();
	}
}

/* Does the processor gain by products even where elements are looked at, or each has a 1/y of its own? */
static inline bool wants_quotients(void)
{
	return asks_second();
}

static inline void find_quotients(fused *f)
{
	range x = range_read(f->from);
	for (int64_t k = 0; k < f->nstep; k++) {
		fused_step *s = &f->steps[k];
		s->looks = !(x.least >= X_LEAST && x.most <= X_MOST);
		const bool product = s->kind == STEP_DIV && !s->run && has_inverse(s->y) &&
		                     (!s->looks || wants_quotients());
		s->inverse = product ? 1 / s->y : 0;
		x = range_after(s, x);
	}
}
