/* apply_world.h -- formulas, and the values that they are tried on, of test_apply.c, test_apply_rows.c. */
#pragma once

#include "codelet_world.h"

#include "plan/lower.h"

#include <math.h>

static const vf_dtype types[] = {VF_BOOL, VF_U8,  VF_I8,   VF_U16, VF_I16, VF_U32, VF_I32, VF_U64,
                                 VF_I64,  VF_F16, VF_BF16, VF_F32, VF_F64, VF_C64, VF_C128};
enum { NTYPE = sizeof types / sizeof types[0], MOST = 1 << 16 };

/* ---- values ---- */

static inline double special(rng *r)
{
	static const double values[] = {0.0,
	                                1,
	                                0.5,
	                                1.5,
	                                2.5,
	                                255,
	                                256,
	                                127.5,
	                                32767,
	                                32768,
	                                65504,
	                                65519.99,
	                                65520,
	                                65536,
	                                2147483647.0,
	                                2147483648.0,
	                                4294967295.0,
	                                4294967296.0,
	                                9.2233720368547748e18,
	                                9223372036854775808.0,
	                                1.8446744073709550e19,
	                                18446744073709551616.0,
	                                3.4028235e38,
	                                3.40282357e38,
	                                1e39,
	                                1e300,
	                                6.1e-5,
	                                5.96e-8,
	                                2.98e-8,
	                                1.2e-38,
	                                1e-45,
	                                1e-310,
	                                INFINITY};
	double v = rng_chance(r, 3) ? NAN : values[rng_below(r, (int64_t)(sizeof values / sizeof values[0]))];
	if (rng_chance(r, 30))
		v = nextafter(v, rng_chance(r, 50) ? 0 : INFINITY);
	return rng_chance(r, 50) ? -v : v;
}

static inline void any_part(rng *r, vf_dtype part, unsigned char *p)
{
	double d = special(r);
	float f = rng_chance(r, 40) ? (float)d : (float)rng_range(r, -70000, 70000) / 16;
	uint64_t bits = rng_next(r) >> rng_below(r, 64);
	if (rng_chance(r, 30))
		bits = (uint64_t)0 - bits;
	if (rng_chance(r, 40) || (part != VF_F32 && part != VF_F64))
		memcpy(p, &bits, (size_t)vf_dtype_bytes(part));
	else if (part == VF_F32)
		memcpy(p, &f, sizeof f);
	else
		memcpy(p, &d, sizeof d);
}

/* ---- formulas ---- */

typedef struct buffers {
	unsigned char in[MOST * 16], out[MOST * 16], want[MOST * 16], second[VF_PASS_OPERANDS][MOST * 8];
} buffers;
static buffers *room;

static const char *name_of(vf_dtype dtype)
{
	static const char *const names[] = {"?",   "bool", "u8",  "i8",   "u16", "i16", "u32", "i32",
	                                    "u64", "i64",  "f16", "bf16", "f32", "f64", "c64", "c128"};
	return names[dtype];
}

static inline bool computes(vf_term_kind kind, vf_dtype dtype)
{
	if (kind == VF_TERM_SWAP)
		return true;
	if (dtype == VF_BOOL || vf_dtype_part(dtype))
		return false;
	return vf_dtype_is_float(dtype) || (kind != VF_TERM_DIV && kind != VF_TERM_OVER);
}

static inline vf_term *add_term(vf_formula *f, vf_term_kind kind, vf_dtype dtype, int operand)
{
	f->terms[f->nterm] = (vf_term){.kind = kind, .dtype = dtype, .operand = operand};
	return &f->terms[f->nterm++];
}

static inline vf_dtype any_type(rng *r)
{
	return types[rng_below(r, NTYPE)];
}

static inline void any_formula(rng *r, vf_formula *f)
{
	static const vf_dtype arithmetic[] = {VF_F32, VF_F32, VF_F16, VF_BF16, VF_F64, VF_I32, VF_U8};
	vf_dtype dtype = f->from = any_type(r), second = arithmetic[rng_below(r, 7)];
	f->noperand = 0, f->nterm = (int)rng_range(r, 1, 8);
	for (int k = 0; k < f->nterm; k++) {
		/* Not the bytes of what was computed: a NaN may have any. */
		vf_term_kind kind = (vf_term_kind)(k == 0 ? rng_range(r, 0, VF_TERM_CLAMP)
		                                          : rng_range(r, 1, VF_TERM_CLAMP));
		if (k > 0 && kind == VF_TERM_SWAP)
			kind = VF_TERM_CONVERT;
		if (kind == VF_TERM_CONVERT)
			dtype = rng_chance(r, 70) ? second : any_type(r);
		else if (!computes(kind, dtype))
			kind = VF_TERM_CONVERT;
		vf_term *t = &f->terms[k];
		*t = (vf_term){.kind = kind, .dtype = dtype, .operand = -1};
		any_part(r, vf_dtype_part(dtype) ? VF_F64 : dtype, t->value);
		any_part(r, vf_dtype_part(dtype) ? VF_F64 : dtype, t->high);
		bool arithmetical = kind >= VF_TERM_ADD && kind <= VF_TERM_OVER;
		if (arithmetical && dtype == second && f->noperand < VF_PASS_OPERANDS && rng_chance(r, 60))
			t->operand = f->noperand++;
	}
	f->to = dtype;
	for (int k = 0; k < f->noperand; k++)
		for (int i = 0; i < MOST / 8; i++)
			any_part(r, second, room->second[k] + i * vf_dtype_bytes(second));
}

/* All tests, in buffers of their own. */
static inline int test_formulas(void)
{
	world_make();
	room = calloc(1, sizeof *room);
	assert_non_null(room);
	int failed = test_all(NULL, NULL);
	free(room);
	world_drop();
	return failed;
}
