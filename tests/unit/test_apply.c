/* test_apply.c -- what formulas come to by the codelet `apply`, of every variant this processor runs.
 *
 * Held against the oracle: every pair of types, all values of 8 and 16 bits.
 */
#include "apply_world.h"

#include "codelets/variant.h"
#include "oracle.h"
#include "oracle_formula.h"

/* All values of a type of 8 or 16 bits, else some; returns how many. */
static int64_t make_values(rng *r, vf_dtype dtype, unsigned char *out)
{
	vf_dtype part = vf_dtype_part(dtype);
	int64_t bytes = vf_dtype_bytes(part ? part : dtype), n = bytes == 1 ? 256 : bytes == 2 ? MOST : 6000;
	for (int64_t i = 0; i < n; i++) {
		uint16_t value = (uint16_t)i;
		unsigned char small = (unsigned char)i;
		if (bytes <= 2)
			memcpy(out + i * bytes, bytes == 1 ? (void *)&small : (void *)&value, (size_t)bytes);
		else
			for (int k = 0; k <= (part != 0); k++)
				any_part(r, part ? part : dtype, out + (i * (1 + (part != 0)) + k) * bytes);
	}
	return n;
}

static const char *const kinds[] = {"convert", "swap", "add", "sub", "mul", "div", "from", "over", "clamp"};

static void check_formula(const vf_formula *f, int64_t n, vf_dtype second)
{
	vf_sweeps s;
	vf_lower(f, &s);
	int64_t from = vf_dtype_bytes(f->from), to = vf_dtype_bytes(f->to),
		step = second ? vf_dtype_bytes(second) : 0;
	for (int64_t i = 0; i < n; i++) {
		const void *operands[VF_PASS_OPERANDS];
		for (int k = 0; k < f->noperand; k++)
			operands[k] = room->second[k] + i * step;
		oracle_formula(f, room->in + i * from, operands, room->want + i * to);
	}
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *c = vf_codelets_pick(variants[v]);
		vf_pass pass = {.from = from,
		                .to = to,
		                .dst_stride = to,
		                .nsweep = s.n,
		                .noperand = f->noperand,
		                .sweeps = s.of};
		vf_block b = {.rows = 1, .n = n, .stride = from, .stream = 1, .pass = &pass};
		vf_flow flow = {0};
		for (int k = 0; k < f->noperand; k++) {
			flow.operands[k] = room->second[k];
			pass.operand_bytes[k] = pass.operand_stride[k] = s.operand_bytes[k];
		}
		if (!c)
			continue;
		c->of[VF_CODELET_apply](&b, room->out, room->in, &flow);
		c->fence();
		for (int64_t i = 0; i < n; i++)
			if (!oracle_same_but_nan(f->to, room->out + i * to, room->want + i * to))
				fail_msg("%s: %s of %s to %s, element %lld of bits %02x %02x %02x %02x: %02x "
				         "%02x, not %02x %02x",
				         c->name, kinds[f->terms[f->nterm - 1].kind], name_of(f->from),
				         name_of(f->to), (long long)i, room->in[i * from],
				         room->in[i * from + (from > 1)],
				         room->in[i * from + (from > 2 ? 2 : 0)],
				         room->in[i * from + (from > 3 ? 3 : 0)], room->out[i * to],
				         room->out[i * to + (to > 1)], room->want[i * to],
				         room->want[i * to + (to > 1)]);
	}
}

TEST(every_pair_converts)
{
	rng r = rng_make(11, 1);
	for (int a = 0; a < NTYPE; a++) {
		int64_t n = make_values(&r, types[a], room->in);
		for (int b = 0; b < NTYPE; b++) {
			vf_formula f = {.from = types[a], .to = types[b], .nterm = 1};
			f.terms[0] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = types[b], .operand = -1};
			check_formula(&f, n, 0);
		}
	}
}

/* Each term by itself, with a constant and with an operand. */
TEST(every_term_computes)
{
	rng r = rng_make(12, 1);
	for (int a = 0; a < NTYPE; a++)
		for (int kind = VF_TERM_SWAP; kind <= VF_TERM_CLAMP; kind++)
			for (int turn = 0; turn < 3 && computes((vf_term_kind)kind, types[a]); turn++) {
				vf_formula f = {.from = types[a], .to = types[a], .nterm = 1};
				bool second = turn == 0 && kind != VF_TERM_SWAP && kind != VF_TERM_CLAMP;
				vf_term *t = &f.terms[0];
				int64_t n = make_values(&r, types[a], room->in),
					bytes = vf_dtype_bytes(types[a]);
				*t = (vf_term){.kind = (vf_term_kind)kind,
				               .dtype = types[a],
				               .operand = second ? 0 : -1};
				f.noperand = second;
				if (kind != VF_TERM_SWAP)
					any_part(&r, types[a], t->value), any_part(&r, types[a], t->high);
				for (int64_t i = 0; second && i < n; i++)
					any_part(&r, types[a], room->second[0] + i * bytes);
				check_formula(&f, n, second ? types[a] : 0);
			}
}

static vf_dtype operand_type(const vf_formula *f)
{
	for (int k = 0; k < f->nterm; k++)
		if (f->terms[k].operand >= 0)
			return f->terms[k].dtype;
	return 0;
}

TEST(chains_of_terms_compute)
{
	rng r = rng_make(13, 1);
	for (int turn = 0; turn < 400; turn++) {
		vf_formula f;
		any_formula(&r, &f);
		int64_t n = make_values(&r, f.from, room->in);
		check_formula(&f, n < 1000 ? n : rng_range(&r, 1, 1500), operand_type(&f));
	}
}

static void expect_sweeps(const vf_formula *f, const char *names)
{
	char text[200] = "";
	vf_sweeps s;
	vf_lower(f, &s);
	for (int64_t k = 0; k < s.n; k++)
		strcat(strcat(text, k ? " " : ""), vf_sweep_rows[s.of[k].id].name);
	assert_string_equal(text, names);
}

static void set_clamp(vf_formula *f, vf_dtype dtype, double low, double high)
{
	vf_term *t = add_term(f, VF_TERM_CLAMP, dtype, -1);
	vf_real_write(dtype, low, t->value);
	vf_real_write(dtype, high, t->high);
}

/* Bytes, and what is clamped between two numbers of f16 or bf16, if it was one before. */
TEST(what_is_short_is_not_rounded)
{
	vf_formula bytes = {.from = VF_U8, .to = VF_U8}, halves = {.from = VF_F16, .to = VF_U8},
		   floats = halves;
	add_term(&bytes, VF_TERM_CONVERT, VF_BF16, -1);
	add_term(&bytes, VF_TERM_MUL, VF_BF16, -1);
	add_term(&bytes, VF_TERM_CONVERT, VF_U8, -1);
	expect_sweeps(&bytes, "u8_f32 mul_f32 f32_brain brain_f32 f32_u8");
	add_term(&halves, VF_TERM_MUL, VF_F16, -1);
	set_clamp(&halves, VF_F16, 0, 255);
	add_term(&halves, VF_TERM_CONVERT, VF_U8, -1);
	expect_sweeps(&halves, "half_f32 mul_f32 f32_half half_f32 clamp_f32 f32_u8");
	add_term(&floats, VF_TERM_CONVERT, VF_F32, -1);
	set_clamp(&floats, VF_F32, 0, 0.1);
	add_term(&floats, VF_TERM_CONVERT, VF_F16, -1);
	add_term(&floats, VF_TERM_CONVERT, VF_U8, -1);
	expect_sweeps(&floats, "half_f32 clamp_f32 f32_half half_f32 f32_u8");
}

int main(void)
{
	return test_formulas();
}
