/* test_apply_rows.c -- how the codelet `apply` walks rows (chunks, strides, operands, lines), of
 * every variant this processor runs.
 *
 * Held against the same codelet on one element at a time.
 */
#include "apply_world.h"

#include "codelets/chain.h"
#include "codelets/variant.h"
#include "oracle.h"

static int64_t row_by(const vf_pass *p, int64_t r, int64_t step, int64_t far)
{
	return p->group ? r / p->group * far + r % p->group * step : r * step;
}

static int64_t source_place(const vf_block *b, int64_t r)
{
	return b->src_at ? b->src_at[r] : row_by(b->pass, r, b->src_step, b->pass->src_group);
}

static int64_t row_place(const vf_block *b, int64_t r)
{
	return b->dst_at ? b->dst_at[r] : row_by(b->pass, r, b->dst_step, b->pass->dst_group);
}

/* By elements, each a call of its own. */
static void apply_slowly(const vf_block *b, unsigned char *dst, const unsigned char *src, const vf_flow *flow)
{
	for (int64_t r = 0; r < b->rows; r++)
		for (int64_t i = 0; i < b->n; i++) {
			vf_flow one = *flow;
			vf_block element = *b;
			element.rows = element.n = 1;
			element.dst_at = element.src_at = NULL;
			for (int64_t k = 0; k < b->pass->noperand; k++)
				one.operands[k] += row_by(b->pass, r, b->pass->operand_step[k],
				                          b->pass->operand_group[k]) +
				                   i * b->pass->operand_stride[k];
			vf_plain_apply(&element, dst + row_place(b, r) + i * b->pass->dst_stride,
			               src + source_place(b, r) + i * b->stride, &one);
		}
}

/* Rows from the last one on, by a table. */
static void turn_rows(vf_block *b)
{
	static int64_t places[12];
	for (int64_t r = 0; r < b->rows; r++)
		places[r] = (b->rows - 1 - r) * b->dst_step;
	b->dst_at = places;
}

/* Rows from anywhere, by a table, and so in no groups. */
static void scatter_rows(vf_block *b, vf_pass *pass, rng *r)
{
	static int64_t places[32];
	for (int64_t i = 0; i < b->rows; i++)
		places[i] = rng_range(r, -3000, 3000);
	b->src_at = places, pass->group = 0;
}

enum { BETWEEN_GROUPS = 100 };

/* The strides of dst leave elements apart, forwards or backwards; the rest is any. */
static void draw_block(rng *r, const vf_formula *f, const vf_sweeps *s, vf_block *b, vf_pass *pass)
{
	int64_t from = vf_dtype_bytes(f->from), to = vf_dtype_bytes(f->to);
	*pass = (vf_pass){.from = from, .to = to, .nsweep = s->n, .noperand = f->noperand, .sweeps = s->of};
	*b = (vf_block){.rows = rng_range(r, 0, 11), .stream = rng_chance(r, 50), .pass = pass};
	b->n = rng_chance(r, 30) ? rng_range(r, 500, 1200) : rng_range(r, 0, 60);
	pass->dst_stride = rng_chance(r, 70) ? to : rng_range(r, to, 3 * to);
	int64_t row = b->n * pass->dst_stride;
	b->dst_step = row + (rng_chance(r, 60)   ? 0
	                     : rng_chance(r, 50) ? rng_range(r, 0, 40) * to
	                                         : rng_range(r, 0, 100));
	if (rng_chance(r, 30))
		turn_rows(b);
	b->stride = rng_chance(r, 70) ? from : rng_range(r, -3, 3) * from;
	const int64_t apart = b->n * from + rng_range(r, 0, 200);
	b->src_step = rng_chance(r, 50)   ? b->n * b->stride
	              : rng_chance(r, 50) ? rng_range(r, -100, 300)
	              : rng_chance(r, 50) ? apart
	                                  : -apart;
	pass->group = rng_chance(r, 30) ? rng_range(r, 1, 4) : 0;
	pass->dst_group = pass->group * b->dst_step +
	                  (rng_chance(r, 60) ? 0 : rng_range(r, 0, BETWEEN_GROUPS));
	pass->src_group = rng_chance(r, 60) ? pass->group * b->src_step : rng_range(r, -100, 300);
	for (int k = 0; k < f->noperand; k++) {
		pass->operand_group[k] = rng_chance(r, 50) ? 0 : rng_range(r, 0, 40) * s->operand_bytes[k];
		int64_t bytes = pass->operand_bytes[k] = s->operand_bytes[k];
		pass->operand_stride[k] = rng_chance(r, 40)   ? 0
		                          : rng_chance(r, 70) ? bytes
		                                              : rng_range(r, 0, 3) * bytes;
		pass->operand_step[k] = rng_chance(r, 50) ? 0
		                        : rng_chance(r, 50)
		                            ? bytes
		                            : b->n * pass->operand_stride[k] +
		                                  rng_below(r, 2) * rng_range(r, 0, 9) * bytes;
	}
}

/* So many terms of a type, of values and of operands. */
static void add_terms(rng *r, vf_formula *f, int64_t n, vf_dtype dtype)
{
	for (; n > 0; n--) {
		vf_term *t = add_term(f, (vf_term_kind)rng_range(r, VF_TERM_ADD, VF_TERM_OVER), dtype, -1);
		any_part(r, dtype, t->value);
		if (rng_chance(r, 60) && f->noperand < VF_PASS_OPERANDS)
			t->operand = f->noperand++;
	}
}

/* Puts x, of type `as`, aside while something is computed of another operand. */
static void add_beside(rng *r, vf_formula *f, vf_dtype as)
{
	const vf_dtype dtype = rng_chance(r, 60) || as != VF_F32 ? as : VF_U8;
	add_term(f, VF_TERM_BESIDE, dtype, f->noperand++);
	if (dtype != as)
		add_term(f, VF_TERM_CONVERT, as, -1);
	add_terms(r, f, rng_range(r, 1, 2), as);
	add_term(f, (vf_term_kind)rng_range(r, VF_TERM_ADD, VF_TERM_OVER), as, VF_PUT_ASIDE);
	add_terms(r, f, rng_below(r, 2), as);
}

/* Any second values. */
static void draw_seconds(rng *r, const vf_formula *f, vf_dtype dtype)
{
	const int64_t bytes = vf_dtype_bytes(dtype);
	for (int k = 0; k < f->noperand; k++)
		for (int64_t i = 0; i < MOST / 8; i++)
			any_part(r, dtype, room->second[k] + i * bytes);
}

/* A chain of f32. */
static void draw_chain(rng *r, vf_formula *f, vf_sweeps *s)
{
	static const vf_dtype from[] = {VF_U8,  VF_I8,   VF_U16, VF_I16, VF_I32,
	                                VF_F16, VF_BF16, VF_F32, VF_F64},
			      to[] = {VF_F32, VF_F16, VF_BF16, VF_U8, VF_I8, VF_U16, VF_I16, VF_I32};
	vf_formula chain = {.from = from[rng_below(r, 9)], .to = to[rng_below(r, 8)]};
	add_term(&chain, VF_TERM_CONVERT, VF_F32, -1);
	add_terms(r, &chain, rng_below(r, 4), VF_F32);
	if (rng_chance(r, 50))
		add_beside(r, &chain, VF_F32);
	if (chain.to != VF_F32)
		add_term(&chain, VF_TERM_CONVERT, chain.to, -1);
	draw_seconds(r, &chain, VF_F32);
	*f = chain;
	vf_lower(f, s);
}

/* A chain of f16 or bf16, each term of which rounds; x is put aside once or twice. */
static void draw_rounding(rng *r, vf_formula *f, vf_sweeps *s)
{
	const vf_dtype dtype = rng_chance(r, 50) ? VF_F16 : VF_BF16;
	vf_formula chain = {.from = dtype, .to = dtype};
	for (int64_t times = rng_range(r, 1, 2); times > 0 && chain.noperand <= 2; times--) {
		add_terms(r, &chain, rng_below(r, 3), dtype);
		add_beside(r, &chain, dtype);
	}
	draw_seconds(r, &chain, dtype);
	*f = chain;
	vf_lower(f, s);
}

/* Short rows, apart or not, of lines or not (rows_at_once.h, packed_rows.h). */
static void draw_short(rng *r, vf_formula *f, vf_sweeps *s, vf_block *b, vf_pass *pass)
{
	const bool lines = rng_chance(r, 40);
	(rng_chance(r, 50) ? draw_chain : draw_rounding)(r, f, s);
	draw_block(r, f, s, b, pass);
	pass->group = 0, pass->dst_stride = pass->to;
	b->rows = rng_range(r, 2, rng_chance(r, 50) ? 19 : 90), b->dst_at = NULL, b->stride = pass->from;
	b->n = lines ? rng_range(r, 1, 3) * 32 : rng_range(r, 1, rng_chance(r, 50) ? 15 : 70);
	b->dst_step = b->n * pass->to + rng_below(r, 4) * (lines ? 64 : pass->to);
	b->src_step = (rng_chance(r, 80) ? 1 : -1) *
	              (b->n * pass->from + rng_below(r, 2) * rng_below(r, 200));
	for (int k = 0; k < f->noperand; k++) {
		pass->operand_stride[k] = rng_chance(r, 70) ? pass->operand_bytes[k] : 0;
		pass->operand_step[k] = rng_chance(r, 70) ? pass->operand_stride[k] * rng_below(r, 99) : 0;
	}
}

/* Rows of dst that are columns of the source: sides of a few groups and parts (crossed.h). */
static void draw_crossed(rng *r, vf_formula *f, vf_sweeps *s, vf_block *b, vf_pass *pass)
{
	draw_chain(r, f, s);
	draw_block(r, f, s, b, pass);
	pass->group = 0;
	b->rows = rng_range(r, 1, 30), b->n = rng_range(r, 100, 270), b->stream = 1, b->dst_at = NULL;
	b->src_step = pass->from, b->stride = (b->rows + rng_range(r, 0, 40)) * pass->from;
	pass->dst_stride = pass->to;
	b->dst_step = (rng_chance(r, 30) ? 384 : b->n + rng_range(r, 0, 9)) * pass->to;
	for (int k = 0; k < f->noperand; k++) {
		pass->operand_stride[k] = rng_chance(r, 30) ? 0 : 4;
		pass->operand_step[k] = rng_chance(r, 20) ? 0 : pass->operand_stride[k] ? 4 * b->n : 4;
	}
}

/* Long rows that follow each other in dst and lie apart in the source, up or down (fused_rows.h). */
static void draw_apart(rng *r, vf_formula *f, vf_sweeps *s, vf_block *b, vf_pass *pass)
{
	draw_chain(r, f, s);
	draw_block(r, f, s, b, pass);
	b->n = rng_range(r, 250, 700), b->stride = pass->from, b->dst_at = NULL;
	pass->dst_stride = pass->to, b->dst_step = b->n * pass->to;
	b->src_step = b->n * b->stride + rng_range(r, 0, 200);
	b->src_step = rng_chance(r, 50) ? b->src_step : -b->src_step;
	pass->src_group = pass->group * b->src_step + rng_below(r, 2) * pass->from;
	pass->dst_group = pass->group * b->dst_step;
	for (int k = 0; k < f->noperand; k++) {
		pass->operand_stride[k] = rng_below(r, 2) * pass->operand_bytes[k];
		pass->operand_step[k] = rng_below(r, 2) * b->n * pass->operand_stride[k];
		pass->operand_group[k] = pass->group * pass->operand_step[k];
	}
}

/* Rows that follow each other, in many groups, each row with values of its own, the same in each group. */
static void draw_groups(rng *r, vf_formula *f, vf_sweeps *s, vf_block *b, vf_pass *pass)
{
	draw_short(r, f, s, b, pass);
	pass->group = rng_range(r, 5, 14);
	b->rows = pass->group * rng_range(r, 3, 6) - rng_below(r, 2);
	b->dst_step = b->n * pass->to, b->src_step = b->n * pass->from + rng_below(r, 2) * 20;
	pass->dst_group = pass->group * b->dst_step, pass->src_group = pass->group * b->src_step;
	for (int k = 0; k < f->noperand; k++) {
		pass->operand_group[k] = rng_chance(r, 80) ? 0 : pass->operand_bytes[k];
		pass->operand_stride[k] = rng_chance(r, 80) ? 0 : pass->operand_bytes[k];
		pass->operand_step[k] = rng_range(r, 1, 3) * pass->operand_bytes[k];
	}
}

/* The block by a call, and by elements. */
static void check_block(const vf_codelets *c, rng *r, const vf_formula *f, const vf_block *b)
{
	enum { MIDDLE = 1 << 19 };
	vf_flow flow = {0};
	const vf_pass *pass = b->pass;
	for (int k = 0; k < f->noperand; k++)
		flow.operands[k] = room->second[k];
	int64_t bytes = b->rows * ((b->dst_step < 0 ? -b->dst_step : b->dst_step) + BETWEEN_GROUPS) +
	                b->n * pass->dst_stride + 2 * MARGIN;
	const int64_t places[] = {0, rng_below(r, 8) * pass->to, rng_below(r, 64)};
	const int64_t at = MARGIN + places[rng_below(r, 3)];
	assert_true(at + bytes <= AREA);
	memset(result, PATTERN, (size_t)(at + bytes)), memset(expected, PATTERN, (size_t)(at + bytes));
	c->of[VF_CODELET_apply](b, result + at, room->in + MIDDLE / 2, &flow);
	c->fence();
	apply_slowly(b, expected + at, room->in + MIDDLE / 2, &flow);
	int64_t bad = 0;
	for (int64_t row = 0; row < b->rows; row++)
		for (int64_t i = 0; i < b->n; i++) {
			int64_t place = at + row_place(b, row) + i * pass->dst_stride;
			bad += !oracle_same_but_nan(f->to, result + place, expected + place);
			memcpy(expected + place, result + place, (size_t)pass->to);
		}
	if (bad || memcmp(result, expected, (size_t)(at + bytes)) != 0)
		fail_msg("%s: %lld elements differ, byte %lld; rows %lld n %lld %s to %s", c->name,
		         (long long)bad, (long long)(first_difference(at + bytes) - at), (long long)b->rows,
		         (long long)b->n, name_of(f->from), name_of(f->to));
}

TEST(rows_go_element_by_element)
{
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *c = vf_codelets_pick(variants[v]);
		rng r = rng_make(14, 1);
		for (int i = 0; i < 1 << 19; i += 4)
			any_part(&r, VF_F32, room->in + i);
		for (int turn = 0; c && turn < 1500; turn++) {
			vf_formula f;
			vf_sweeps s;
			vf_block b;
			vf_pass pass;
			if (turn < 400) {
				any_formula(&r, &f);
				vf_lower(&f, &s);
				draw_block(&r, &f, &s, &b, &pass);
			} else if (turn < 500) {
				draw_crossed(&r, &f, &s, &b, &pass);
			} else if (turn < 600) {
				draw_apart(&r, &f, &s, &b, &pass);
			} else if (turn < 1300) {
				draw_short(&r, &f, &s, &b, &pass);
			} else {
				draw_groups(&r, &f, &s, &b, &pass);
			}
			if (rng_chance(&r, 20) && b.rows <= 32)
				scatter_rows(&b, &pass, &r);
			check_block(c, &r, &f, &b);
		}
	}
}

/* Else they would go sweep by sweep. */
TEST(chains_that_round_are_fused)
{
	rng r = rng_make(15, 1);
	for (int turn = 0; turn < 200; turn++) {
		vf_formula f;
		vf_sweeps s;
		fused chain;
		draw_rounding(&r, &f, &s);
		const vf_pass pass = {
		    .from = 2, .to = 2, .nsweep = s.n, .noperand = f.noperand, .sweeps = s.of};
		if (s.n <= MOST_STEPS)
			assert_true(fuse_beside(&pass, &chain) && chain.beside);
	}
}

int main(void)
{
	return test_formulas();
}
