/* test_quotient.c -- divisions that are products have the bits of divisions.
 *
 * `apply` of every variant is held against the operator of C, and chains of it against the plain twin, which
 * divides. Once, by hand, the vectors of codelets/floats_avx512.h and floats_avx2.h were: all 2^23 mantissas
 * of x for 4500 of y, the first and the last 1500 of those and random ones, and 3 * 10^8 random pairs, 0 of
 * either sign too: none differed.
 */
#include "codelet_world.h"

#include "plan/lower.h"

#include <math.h>

enum { MANY = 1 << 16, CHAIN = 4 };

static float in[MANY], out[MANY], want[MANY];

static float of_bits(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static uint32_t bits_of(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static float special(rng *r)
{
	static const float values[] = {0.0F,
	                               1.0F / 3,
	                               255,
	                               0.229F,
	                               0.224F,
	                               3,
	                               1,
	                               0.5F,
	                               0x1p40F,
	                               0x1p-40F,
	                               0x1p60F,
	                               0x1p-60F,
	                               0x1p61F,
	                               0x1p-61F,
	                               0x1p-126F,
	                               0x1p-149F,
	                               0x1p-130F,
	                               0x1p127F,
	                               0x1.fffffep0F,
	                               0x1.fffffep39F,
	                               0x1.fffffep-60F,
	                               INFINITY,
	                               NAN,
	                               65504};
	float f = values[rng_below(r, (int64_t)(sizeof values / sizeof values[0]))];
	if (rng_chance(r, 20))
		f = nextafterf(f, rng_chance(r, 50) ? 0 : INFINITY);
	return rng_chance(r, 40) ? -f : f;
}

/* Any bits, or such that divide by products; some with a mantissa of ones or of zeros at its end. */
static float any_float(rng *r)
{
	uint32_t bits = (uint32_t)rng_next(r);
	if (rng_chance(r, 80))
		bits = (bits & 0x807fffff) | (uint32_t)(127 + rng_range(r, -44, 44)) << 23;
	if (rng_chance(r, 10))
		bits |= 0x7fff00;
	else if (rng_chance(r, 10))
		bits &= 0xfffff000;
	return rng_chance(r, 3) ? special(r) : of_bits(bits);
}

/* Elements of `from`, divided by y: as f32. */
static int64_t divide(const vf_codelets *c, const void *x, int64_t n, vf_dtype from, float y)
{
	vf_formula f = {.from = from, .to = VF_F32};
	vf_sweeps s;
	if (from != VF_F32)
		f.terms[f.nterm++] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = VF_F32, .operand = -1};
	f.terms[f.nterm] = (vf_term){.kind = VF_TERM_DIV, .dtype = VF_F32, .operand = -1};
	memcpy(f.terms[f.nterm++].value, &y, sizeof y);
	vf_lower(&f, &s);
	const vf_pass pass = {
	    .from = vf_dtype_bytes(from), .to = 4, .dst_stride = 4, .nsweep = s.n, .sweeps = s.of};
	const vf_block b = {.rows = 1, .n = n, .stride = pass.from, .stream = 1, .pass = &pass};
	c->of[VF_CODELET_apply](&b, out, x, &(vf_flow){0});
	c->fence();
	int64_t bad = 0;
	for (int64_t i = 0; i < n; i++)
		bad += bits_of(out[i]) != bits_of(want[i]) && !(isnan(out[i]) && isnan(want[i]));
	return bad;
}

TEST(floats_divide)
{
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *c = vf_codelets_pick(variants[v]);
		rng r = rng_make(21, 1);
		for (int turn = 0; c && turn < 60; turn++) {
			const float y = rng_chance(&r, 40) ? special(&r) : any_float(&r);
			for (int i = 0; i < MANY; i++)
				in[i] = any_float(&r), want[i] = in[i] / y;
			int64_t bad = divide(c, in, MANY, VF_F32, y);
			if (bad)
				fail_msg("%s: %lld of x / %a differ", c->name, (long long)bad, (double)y);
		}
	}
}

/* All values of 8 and 16 bits, of f16 too. */
TEST(integers_divide)
{
	static uint16_t values[MANY];
	static const vf_dtype types[] = {VF_U8, VF_I8, VF_U16, VF_I16, VF_F16};
	const vf_codelets *plain = vf_codelets_pick("plain");
	for (int i = 0; i < MANY; i++)
		values[i] = (uint16_t)i;
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *c = vf_codelets_pick(variants[v]);
		rng r = rng_make(22, 1);
		for (int turn = 0; c && turn < 300; turn++) {
			const vf_dtype type = types[turn % 5];
			const float y = rng_chance(&r, 40) ? special(&r) : any_float(&r);
			memset(want, 0, sizeof want);
			divide(plain, values, MANY, type, 1);
			for (int i = 0; i < MANY; i++)
				want[i] = out[i] / y;
			int64_t bad = divide(c, values, MANY, type, y);
			if (bad)
				fail_msg("%s: %lld of type %d / %a differ", c->name, (long long)bad, type,
				         (double)y);
		}
	}
}

/* A chain of f32 with constants and operands; some of those are divisors. */
static int any_chain(rng *r, vf_formula *f)
{
	static const vf_term_kind kinds[] = {VF_TERM_DIV,  VF_TERM_DIV,  VF_TERM_DIV,
	                                     VF_TERM_ADD,  VF_TERM_SUB,  VF_TERM_MUL,
	                                     VF_TERM_FROM, VF_TERM_OVER, VF_TERM_CLAMP};
	*f = (vf_formula){.from = rng_chance(r, 50) ? VF_U8 : VF_F32, .to = VF_F32};
	if (f->from != VF_F32)
		f->terms[f->nterm++] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = VF_F32, .operand = -1};
	for (int k = 0; k < CHAIN; k++) {
		vf_term *t = &f->terms[f->nterm++];
		const float y = rng_chance(r, 80) ? (float)rng_range(r, 1, 4000) / 16 : special(r),
			    high = 900;
		*t = (vf_term){.kind = kinds[rng_below(r, 9)], .dtype = VF_F32, .operand = -1};
		memcpy(t->value, &y, sizeof y), memcpy(t->high, &high, sizeof high);
		if (t->kind != VF_TERM_CLAMP && rng_chance(r, 50))
			t->operand = f->noperand++;
	}
	return f->noperand;
}

/* Operands that come again with each row, that are one in each, or as many as elements. */
TEST(chains_divide)
{
	enum { N = 2000 };
	static float seconds[CHAIN][MANY];
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *c = vf_codelets_pick(variants[v]);
		rng r = rng_make(23, 1);
		for (int turn = 0; c && turn < 1500; turn++) {
			vf_formula f;
			vf_sweeps s;
			vf_pass pass = {.to = 4, .dst_stride = 4, .noperand = any_chain(&r, &f)};
			vf_flow flow = {0};
			const int64_t n = rng_chance(&r, 50) ? rng_range(&r, 1, 8) : rng_range(&r, 1, 900);
			vf_lower(&f, &s);
			pass.from = vf_dtype_bytes(f.from), pass.nsweep = s.n, pass.sweeps = s.of;
			vf_block b = {
			    .rows = N / n, .n = n, .stride = pass.from, .stream = rng_chance(&r, 50)};
			b.src_step = n * pass.from, b.dst_step = n * 4, b.pass = &pass;
			for (int k = 0; k < pass.noperand; k++) {
				const int64_t kind = rng_below(&r, 3);
				for (int i = 0; i < N; i++)
					seconds[k][i] = rng_chance(&r, 99) ? (float)rng_range(&r, 1, 999) / 8
					                                   : special(&r);
				flow.operands[k] = (const unsigned char *)seconds[k],
				pass.operand_bytes[k] = 4;
				pass.operand_stride[k] = kind == 1 ? 0 : 4;
				pass.operand_step[k] = kind == 0 ? 0 : kind == 1 ? 4 : n * 4;
			}
			for (int i = 0; i < N; i++)
				in[i] = rng_chance(&r, 70) ? (float)rng_range(&r, -999, 999) / 4
				                           : any_float(&r);
			vf_flow again = flow;
			vf_plain_apply(&b, want, in, &again);
			c->of[VF_CODELET_apply](&b, out, in, &flow);
			c->fence();
			for (int64_t i = 0; i < b.rows * n; i++)
				if (bits_of(out[i]) != bits_of(want[i]) && !(isnan(out[i]) && isnan(want[i])))
					fail_msg("%s: turn %d, rows of %lld: element %lld is %a, not %a",
					         c->name, turn, (long long)n, (long long)i, (double)out[i],
					         (double)want[i]);
		}
	}
}
