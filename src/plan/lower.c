/* lower.c -- a formula to sweeps.
 *
 * In     terms, each with one rounding (core/formula.h)
 * Out    sweeps that come to the same bits
 * Keeps  one rounding a term. Where two sweeps round, the first rounds to odd with at least two bits to
 *        spare, or is exact: f16 and bf16 are made of f32, and an integer above 2^24 is beyond f16 however it
 *        is rounded. What is f16 or bf16 already is not rounded to it
 * Tests  tests/unit/test_apply.c: every pair of types against the oracle
 */
#include "plan/lower.h"

#include "core/half.h"

#include <string.h>

_Static_assert((int)VF_PASS_OPERANDS >= (int)VF_MOST_OPERANDS, "a pass has room for a formula's operands");
_Static_assert((int)VF_PASS_SWEEPS >= 6 * (int)VF_MOST_TERMS, "a term comes to six sweeps at most");

static vf_sweep *add(vf_sweeps *s, vf_sweep_id id, int64_t parts)
{
	s->of[s->n] = (vf_sweep){.id = id, .operand = -1, .parts = parts};
	return &s->of[s->n++];
}

/* ---- conversions ---- */

/* Types that C converts: u8 i8 u16 i16 u32 i32 u64 i64 f32 f64; -1: others. */
static int plain_index(vf_dtype dtype)
{
	if (dtype == VF_F32 || dtype == VF_F64)
		return dtype == VF_F32 ? 8 : 9;
	return dtype >= VF_U8 && dtype <= VF_I64 ? dtype - VF_U8 : -1;
}

#define S(name) VF_SWEEP_##name
#define SAME VF_SWEEP_NONE
/* clang-format off */
static const unsigned char casts[10][10] = {
	{SAME, SAME, S(u8_u16), S(u8_u16), S(u8_u32), S(u8_u32), S(u8_u64), S(u8_u64), S(u8_f32), S(u8_f64)},
	{SAME, SAME, S(i8_u16), S(i8_u16), S(i8_u32), S(i8_u32), S(i8_u64), S(i8_u64), S(i8_f32), S(i8_f64)},
	{S(u16_u8), S(u16_u8), SAME, SAME, S(u16_u32), S(u16_u32),
	 S(u16_u64), S(u16_u64), S(u16_f32), S(u16_f64)},
	{S(u16_u8), S(u16_u8), SAME, SAME, S(i16_u32), S(i16_u32),
	 S(i16_u64), S(i16_u64), S(i16_f32), S(i16_f64)},
	{S(u32_u8), S(u32_u8), S(u32_u16), S(u32_u16), SAME, SAME,
	 S(u32_u64), S(u32_u64), S(u32_f32), S(u32_f64)},
	{S(u32_u8), S(u32_u8), S(u32_u16), S(u32_u16), SAME, SAME,
	 S(i32_u64), S(i32_u64), S(i32_f32), S(i32_f64)},
	{S(u64_u8), S(u64_u8), S(u64_u16), S(u64_u16), S(u64_u32), S(u64_u32),
	 SAME, SAME, S(u64_f32), S(u64_f64)},
	{S(u64_u8), S(u64_u8), S(u64_u16), S(u64_u16), S(u64_u32), S(u64_u32),
	 SAME, SAME, S(i64_f32), S(i64_f64)},
	{S(f32_u8), S(f32_i8), S(f32_u16), S(f32_i16), S(f32_u32), S(f32_i32),
	 S(f32_u64), S(f32_i64), SAME, S(f32_f64)},
	{S(f64_u8), S(f64_i8), S(f64_u16), S(f64_i16), S(f64_u32), S(f64_i32),
	 S(f64_u64), S(f64_i64), S(f64_f32), SAME},
};
/* clang-format on */

static void cast(vf_sweeps *s, vf_dtype from, vf_dtype to, int64_t parts)
{
	vf_sweep_id id = (vf_sweep_id)casts[plain_index(from)][plain_index(to)];
	if (id != SAME)
		add(s, id, parts);
}

/* To f32, for one more rounding to f16 or bf16. */
static void to_rounded_float(vf_sweeps *s, vf_dtype from, vf_dtype to, int64_t parts)
{
	if (to == VF_BF16 && (from == VF_U64 || from == VF_I64))
		add(s, from == VF_U64 ? S(odd_u64) : S(odd_i64), parts);
	if (to == VF_BF16 && from >= VF_U32 && from <= VF_I64) {
		cast(s, from, VF_F64, parts);
		from = VF_F64;
	}
	if (from == VF_F64)
		add(s, S(odd_f64), parts);
	else
		cast(s, from, VF_F32, parts);
}

/* Is a value of f32 one of f16, or else of bf16? */
static bool is_short(uint64_t value, bool half)
{
	const uint32_t bits = (uint32_t)value;
	float f;
	memcpy(&f, &bits, sizeof f);
	return half ? vf_half_float(vf_float_half(f)) == f : (bits & 0xffff) == 0;
}

/* The last sweep writes f32 as f16 or bf16. Was it such a number before? Bytes are, and what was one already
 * is still one between two of them. */
static bool rounds_nothing(const vf_sweeps *s)
{
	const bool half = s->of[s->n - 1].id == S(f32_half);
	int64_t k = s->n - 2;
	while (k > 0 && s->of[k].id == S(clamp_f32) && is_short(s->of[k].value, half) &&
	       is_short(s->of[k].high, half))
		k--;
	return k >= 0 && (s->of[k].id == S(u8_f32) || s->of[k].id == S(i8_f32) ||
	                  s->of[k].id == (half ? S(half_f32) : S(brain_f32)));
}

/* To f32 from a shorter type, of which it may be without that. */
static void widen(vf_sweeps *s, vf_dtype from)
{
	const vf_sweep_id read = from == VF_F16 ? S(half_f32) : S(brain_f32),
			  written = from == VF_F16 ? S(f32_half) : S(f32_brain);
	if (s->n > 0 && s->of[s->n - 1].id == written && rounds_nothing(s))
		s->n--;
	else
		add(s, read, 1);
}

/* Neither is complex; `to` is no bool. */
static void convert_real(vf_sweeps *s, vf_dtype from, vf_dtype to, int64_t parts)
{
	if (from == to)
		return;
	if (from == VF_BOOL) {
		add(s, S(any_8), parts);
		from = VF_U8;
	} else if (from == VF_F16 || from == VF_BF16) {
		widen(s, from);
		from = VF_F32;
	}
	if (to == VF_F16 || to == VF_BF16) {
		to_rounded_float(s, from, to, parts);
		add(s, to == VF_F16 ? S(f32_half) : S(f32_brain), parts);
	} else {
		cast(s, from, to, parts);
	}
}

static void convert_to_bool(vf_sweeps *s, vf_dtype from)
{
	static const unsigned char any[VF_C128 + 1] = {
	    [VF_BOOL] = S(any_8),  [VF_U8] = S(any_8),     [VF_I8] = S(any_8),      [VF_U16] = S(any_16),
	    [VF_I16] = S(any_16),  [VF_U32] = S(any_32),   [VF_I32] = S(any_32),    [VF_U64] = S(any_64),
	    [VF_I64] = S(any_64),  [VF_F16] = S(any_half), [VF_BF16] = S(any_half), [VF_F32] = S(any_f32),
	    [VF_F64] = S(any_f64), [VF_C64] = S(any_c64),  [VF_C128] = S(any_c128)};
	add(s, (vf_sweep_id)any[from], 1);
}

static void convert(vf_sweeps *s, vf_dtype from, vf_dtype to)
{
	vf_dtype part = vf_dtype_part(from), to_part = vf_dtype_part(to);
	if (to == VF_BOOL) {
		convert_to_bool(s, from);
	} else if (part && to_part) {
		convert_real(s, part, to_part, 2);
	} else if (part) {
		add(s, part == VF_F32 ? S(c64_f32) : S(c128_f64), 1);
		convert_real(s, part, to, 1);
	} else if (to_part) {
		convert_real(s, from, to_part, 1);
		add(s, to_part == VF_F32 ? S(f32_c64) : S(f64_c128), 1);
	} else {
		convert_real(s, from, to, 1);
	}
}

/* ---- other terms ---- */

static void swap(vf_sweeps *s, vf_dtype dtype)
{
	vf_dtype part = vf_dtype_part(dtype);
	int64_t bytes = vf_dtype_bytes(part ? part : dtype);
	if (bytes > 1)
		add(s, bytes == 2 ? S(swap_16) : bytes == 4 ? S(swap_32) : S(swap_64), part ? 2 : 1);
}

static bool is_short_float(vf_dtype dtype)
{
	return dtype == VF_F16 || dtype == VF_BF16;
}

/* A constant in the type that the sweep computes in. */
static uint64_t constant(vf_dtype dtype, const unsigned char *element)
{
	uint64_t value = 0;
	if (is_short_float(dtype)) {
		const float wider = (float)vf_real_read(dtype, element);
		memcpy(&value, &wider, sizeof wider);
	} else {
		memcpy(&value, element, (size_t)vf_dtype_bytes(dtype));
	}
	return value;
}

static vf_sweep_id arithmetic(const vf_term *t)
{
	/* In the order of the kinds from VF_TERM_ADD on: ADD SUB MUL DIV FROM OVER. */
	static const unsigned char ids[6][6] = {
	    {S(add_u8), S(sub_u8), S(mul_u8), SAME, S(from_u8), SAME},
	    {S(add_u16), S(sub_u16), S(mul_u16), SAME, S(from_u16), SAME},
	    {S(add_u32), S(sub_u32), S(mul_u32), SAME, S(from_u32), SAME},
	    {S(add_u64), S(sub_u64), S(mul_u64), SAME, S(from_u64), SAME},
	    {S(add_f32), S(sub_f32), S(mul_f32), S(div_f32), S(from_f32), S(over_f32)},
	    {S(add_f64), S(sub_f64), S(mul_f64), S(div_f64), S(from_f64), S(over_f64)},
	};
	int row = plain_index(t->dtype) / 2;
	if (t->dtype == VF_F64)
		row = 5;
	return (vf_sweep_id)ids[is_short_float(t->dtype) ? 4 : row][t->kind - VF_TERM_ADD];
}

static vf_sweep_id clamping(vf_dtype dtype)
{
	static const unsigned char ids[10] = {S(clamp_u8),  S(clamp_i8),  S(clamp_u16), S(clamp_i16),
	                                      S(clamp_u32), S(clamp_i32), S(clamp_u64), S(clamp_i64),
	                                      S(clamp_f32), S(clamp_f64)};
	return (vf_sweep_id)ids[is_short_float(dtype) ? 8 : plain_index(dtype)];
}

static void put_aside(vf_sweeps *s, const vf_term *t)
{
	const int64_t bytes = vf_dtype_bytes(t->dtype);
	vf_sweep *sweep = add(s, VF_SWEEP_NONE, 1);
	sweep->operand = t->operand;
	sweep->convert = bytes;
	memcpy(&sweep->value, t->value, sizeof sweep->value);
	memcpy(&sweep->high, t->value + sizeof sweep->value, sizeof sweep->high);
	if (t->operand >= 0)
		s->operand_bytes[t->operand] = bytes;
}

/* Takes back an operand that is put aside, if at most one conversion was made of it; else false. That
 * conversion becomes the operand's own, and nothing is put aside. */
static bool take_operand(vf_sweeps *s, vf_sweep *taken)
{
	const vf_sweep *last = s->n > 0 ? &s->of[s->n - 1] : NULL;
	const bool converts = last && last->id != VF_SWEEP_NONE;
	const vf_sweep *put = converts && s->n > 1 ? last - 1 : last;
	if (!put || put->id != VF_SWEEP_NONE || put->operand < 0)
		return false;
	if (converts && (last->id >= VF_SWEEP_add_u8 || last->parts != 1))
		return false;
	*taken = (vf_sweep){.operand = put->operand, .convert = converts ? last->id : SAME};
	s->n -= converts ? 2 : 1;
	return true;
}

/* A term that computes: f16 and bf16 as f32. */
static void compute(vf_sweeps *s, const vf_term *t)
{
	vf_sweep taken;
	if (t->operand == VF_PUT_ASIDE && !is_short_float(t->dtype) && take_operand(s, &taken)) {
		vf_sweep *sweep = add(s, arithmetic(t), 1);
		sweep->operand = taken.operand;
		sweep->convert = taken.convert;
		return;
	}
	vf_sweep_id wider = t->dtype == VF_F16 ? S(half_f32) : S(brain_f32);
	if (is_short_float(t->dtype))
		widen(s, t->dtype);
	vf_sweep *sweep = add(s, t->kind == VF_TERM_CLAMP ? clamping(t->dtype) : arithmetic(t), 1);
	sweep->value = constant(t->dtype, t->value);
	if (t->kind == VF_TERM_CLAMP) {
		sweep->high = constant(t->dtype, t->high);
	} else if (t->operand != -1) {
		sweep->operand = t->operand == VF_PUT_ASIDE ? VF_SWEEP_ASIDE : t->operand;
		sweep->convert = is_short_float(t->dtype) ? wider : SAME;
		if (t->operand >= 0)
			s->operand_bytes[t->operand] = vf_dtype_bytes(t->dtype);
	}
	if (is_short_float(t->dtype))
		add(s, t->dtype == VF_F16 ? S(f32_half) : S(f32_brain), 1);
}

void vf_lower(const vf_formula *formula, vf_sweeps *out)
{
	vf_dtype dtype = formula->from;
	memset(out, 0, sizeof *out);
	for (int k = 0; k < formula->nterm; k++) {
		const vf_term *t = &formula->terms[k];
		if (t->kind == VF_TERM_CONVERT)
			convert(out, dtype, t->dtype);
		else if (t->kind == VF_TERM_SWAP)
			swap(out, t->dtype);
		else if (t->kind == VF_TERM_BESIDE)
			put_aside(out, t);
		else
			compute(out, t);
		dtype = t->dtype;
	}
}
