/* sweep.h -- the list of sweeps: primitive work on elements that lie side by side in L1.
 *
 * The codelet `apply` computes elements: it reads chunks of some hundred, runs a short list of sweeps over
 * them and writes them. A sweep makes one element of one, in one type, with one rounding; core/formula.h says
 * what its rounding is. What no sweep does by itself is done by two: f16 is computed in f32, which is exact
 * for + - * /, since every result is rounded back.
 */
#pragma once

#include "codelets/pass.h"

/* ---- the list: X(name, type read, type written) ---- */

/* clang-format off */
/* Convert as C does. A narrower integer keeps the low bits, so signed and unsigned ones of one size share a
 * sweep. */
#define VF_SWEEP_CASTS(X) \
	X(u8_u16, u8, u16) X(u8_u32, u8, u32) X(u8_u64, u8, u64) \
	X(i8_u16, i8, u16) X(i8_u32, i8, u32) X(i8_u64, i8, u64) \
	X(u16_u32, u16, u32) X(u16_u64, u16, u64) X(i16_u32, i16, u32) X(i16_u64, i16, u64) \
	X(u32_u64, u32, u64) X(i32_u64, i32, u64) \
	X(u16_u8, u16, u8) X(u32_u8, u32, u8) X(u64_u8, u64, u8) \
	X(u32_u16, u32, u16) X(u64_u16, u64, u16) X(u64_u32, u64, u32) \
	X(u8_f32, u8, f32) X(i8_f32, i8, f32) X(u16_f32, u16, f32) X(i16_f32, i16, f32) \
	X(u32_f32, u32, f32) X(i32_f32, i32, f32) X(u64_f32, u64, f32) X(i64_f32, i64, f32) \
	X(u8_f64, u8, f64) X(i8_f64, i8, f64) X(u16_f64, u16, f64) X(i16_f64, i16, f64) \
	X(u32_f64, u32, f64) X(i32_f64, i32, f64) X(u64_f64, u64, f64) X(i64_f64, i64, f64) \
	X(f32_f64, f32, f64) X(f64_f32, f64, f32)

/* The fraction is dropped. What lies beyond the type becomes the end of the type. NaN becomes 0. */
#define VF_SWEEP_SATURATES(X) \
	X(f32_u8, f32, u8) X(f32_i8, f32, i8) X(f32_u16, f32, u16) X(f32_i16, f32, i16) \
	X(f32_u32, f32, u32) X(f32_i32, f32, i32) X(f32_u64, f32, u64) X(f32_i64, f32, i64) \
	X(f64_u8, f64, u8) X(f64_i8, f64, i8) X(f64_u16, f64, u16) X(f64_i16, f64, i16) \
	X(f64_u32, f64, u32) X(f64_i32, f64, i32) X(f64_u64, f64, u64) X(f64_i64, f64, i64)

/* Each is an expression of x. any_: 1 where x is not 0, NaN too. half, brain: f16 and bf16 to f32 and back.
 * odd_: what is cut off sets the last bit, so that rounding once more rounds right: f64 to f32, and an
 * integer to the 53 bits of f64. swap_: turns the bytes of a part around. c64, c128: from a float, with an
 * imaginary part of 0; to a float, without the imaginary part. RUN: names also a function that converts what
 * it can of a run (sweeps.h). */
#define VF_SWEEP_OTHERS(X, RUN) \
	X(any_8, u8, u8, x != 0) X(any_16, u16, u8, x != 0) X(any_32, u32, u8, x != 0) \
	X(any_64, u64, u8, x != 0) X(any_half, u16, u8, (x & 0x7fff) != 0) \
	X(any_f32, f32, u8, x != 0) X(any_f64, f64, u8, x != 0) \
	X(any_c64, c64, u8, (x.re != 0) | (x.im != 0)) X(any_c128, c128, u8, (x.re != 0) | (x.im != 0)) \
	RUN(half_f32, u16, f32, half_to_f32, vf_half_float(x)) \
	RUN(f32_half, f32, u16, f32_to_half, vf_float_half(x)) \
	X(brain_f32, u16, f32, vf_brain_float(x)) X(f32_brain, f32, u16, vf_float_brain(x)) \
	RUN(odd_f64, f64, f32, f64_to_odd, vf_odd_float(x)) X(odd_u64, u64, u64, vf_odd_bits(x)) \
	X(odd_i64, i64, i64, (i64)(x < 0 ? 0 - vf_odd_bits(0 - (u64)x) : vf_odd_bits((u64)x))) \
	X(swap_16, u16, u16, (u16)(x >> 8 | x << 8)) X(swap_32, u32, u32, __builtin_bswap32(x)) \
	X(swap_64, u64, u64, __builtin_bswap64(x)) \
	X(f32_c64, f32, c64, (c64){x, 0}) X(f64_c128, f64, c128, (c128){x, 0}) \
	X(c64_f32, c64, f32, x.re) X(c128_f64, c128, f64, x.re)

/* With a second value y: x + y, x - y, x * y, y - x, and for floats x / y, y / x. */
#define VF_SWEEP_ARITHMETIC(X) \
	X(add_u8, u8, x + y) X(sub_u8, u8, x - y) X(mul_u8, u8, x *y) X(from_u8, u8, y - x) \
	X(add_u16, u16, x + y) X(sub_u16, u16, x - y) X(mul_u16, u16, (u32)x *y) X(from_u16, u16, y - x) \
	X(add_u32, u32, x + y) X(sub_u32, u32, x - y) X(mul_u32, u32, x *y) X(from_u32, u32, y - x) \
	X(add_u64, u64, x + y) X(sub_u64, u64, x - y) X(mul_u64, u64, x *y) X(from_u64, u64, y - x) \
	X(add_f32, f32, x + y) X(sub_f32, f32, x - y) X(mul_f32, f32, x *y) X(from_f32, f32, y - x) \
	X(div_f32, f32, x / y) X(over_f32, f32, y / x) \
	X(add_f64, f64, x + y) X(sub_f64, f64, x - y) X(mul_f64, f64, x *y) X(from_f64, f64, y - x) \
	X(div_f64, f64, x / y) X(over_f64, f64, y / x)

/* Not below `value`, not above `high`; NaN stays. */
#define VF_SWEEP_CLAMPS(X) \
	X(clamp_u8, u8, x) X(clamp_i8, i8, x) X(clamp_u16, u16, x) X(clamp_i16, i16, x) \
	X(clamp_u32, u32, x) X(clamp_i32, i32, x) X(clamp_u64, u64, x) X(clamp_i64, i64, x) \
	X(clamp_f32, f32, x) X(clamp_f64, f64, x)

#define VF_SWEEP_LIST(X) \
	VF_SWEEP_CASTS(X) VF_SWEEP_SATURATES(X) VF_SWEEP_OTHERS(X, X) VF_SWEEP_ARITHMETIC(X) \
	VF_SWEEP_CLAMPS(X)
/* clang-format on */

typedef enum vf_sweep_id {
	VF_SWEEP_NONE,
#define X(name, ...) VF_SWEEP_##name,
	VF_SWEEP_LIST(X)
#undef X
	    VF_SWEEPS
} vf_sweep_id;

/* What the list says of each: its name, the types read and written, bytes of an element of each. */
extern const struct vf_sweep_row {
	const char *name, *from, *to;
	int64_t from_bytes, to_bytes;
} vf_sweep_rows[VF_SWEEPS];

/* VF_PASS_SWEEPS: the most sweeps of a pass. VF_SWEEP_ASIDE: the operand of the sweep that takes back what
 * was put aside. */
enum { VF_PASS_SWEEPS = 96, VF_SWEEP_ASIDE = -2 };
