/* half.h -- f16 and bf16 by their bits: one text for the library, its codelets and the tool.
 *
 * To f32 exactly; from it to the nearest, ties to even, beyond the largest infinity. NaN stays NaN. Nothing
 * here branches or calls, so that loops over it become vectors. A text by itself has the functions that it
 * uses as they stand here (codegen/standalone_apply.c): an empty line ends each.
 */
#pragma once

#include <stdint.h>
#include <string.h>

static inline float vf_float_of(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static inline uint32_t vf_bits_of(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static inline float vf_half_float(uint32_t h)
{
	const uint32_t place = (h & 0x7fff) << 13, sign = (h & 0x8000) << 16;
	/* the exponent's other bias */
	uint32_t normal = place + 0x38000000;
	/* below 2^-14: in steps of 2^-24 */
	uint32_t below = vf_bits_of(vf_float_of(place + 0x38800000) - vf_float_of(0x38800000));
	uint32_t beyond = (place + 0x70000000) | (place > 0x0f800000 ? 0x00400000 : 0);
	uint32_t bits = place < 0x00800000 ? below : normal;
	return vf_float_of(sign | (place >= 0x0f800000 ? beyond : bits));
}

static inline uint16_t vf_float_half(float f)
{
	const uint32_t u = vf_bits_of(f), a = u & 0x7fffffff, sign = u >> 16 & 0x8000;
	uint32_t normal = (a + 0xc8000fff + (a >> 13 & 1)) >> 13;
	/* rounded to 2^-24 by the sum */
	uint32_t below = vf_bits_of(vf_float_of(a < 0x38800000 ? a : 0) + 0.5f) - 0x3f000000;
	uint32_t beyond = a > 0x7f800000 ? 0x7e00 | (a >> 13 & 0x1ff) : 0x7c00;
	uint32_t bits = a < 0x38800000 ? below : normal;
	return (uint16_t)(sign | (a >= 0x47800000 ? beyond : bits));
}

static inline float vf_brain_float(uint32_t b)
{
	return vf_float_of(b << 16);
}

static inline uint16_t vf_float_brain(float f)
{
	const uint32_t u = vf_bits_of(f);
	return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40
	                                                : (u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* Towards 0, and the last bit is 1 where anything was cut off: rounded once more, to f16 or bf16, it comes to
 * what rounding once would. */
static inline float vf_odd_float(double x)
{
	const float f = (float)x;
	const double back = f;
	const uint32_t larger = x < 0 ? back < x : back > x;
	return vf_float_of((vf_bits_of(f) - larger) | (back != x));
}

/* The same to the 53 bits of f64. */
static inline uint64_t vf_odd_bits(uint64_t x)
{
	return x >> 53 ? (x & ~(uint64_t)0x7ff) | (uint64_t)((x & 0x7ff) != 0) << 11 : x;
}
