/* test_transpose.c -- the transposes of every variant this processor runs, against their formula: blocks by
 * themselves, tables, and rows of dst that are put together from several blocks in each manner of storing.
 */
#include "codelet_world.h"
#include "test.h"

/* A matrix: `rows` rows of dst of `total` units, cut into blocks. */
typedef struct matrix {
	vf_block b;     /* of a block; its n is set for each */
	int64_t total;  /* units of a row */
	int64_t cut;    /* of a block, but for the last */
	int64_t lowest; /* of dst, from its first row */
	bool dst_table, src_table;
	uint16_t order[12];
	int64_t dst_at[700], src_at[1300];
	reach src;
	/* of a pass */
	const unsigned char *operands[VF_PASS_OPERANDS];
	bool operand_table[VF_PASS_OPERANDS];
	int64_t operand_at[VF_PASS_OPERANDS][1300];
} matrix;

static bool is_3(int64_t unit)
{
	return unit == 3 || unit == 6 || unit == 12;
}

/* Units of a block such that rows can be carried from one to the next. */
static int64_t draw_cut(rng *r, int64_t unit, int64_t manner)
{
	int64_t whole = is_3(unit) ? 192 : 64, units = 1;
	if (manner == VF_LINES || manner == VF_STORE)
		return rng_range(r, 1, 100);
	while (units * unit % whole != 0)
		units++;
	return units * rng_range(r, 1, units * unit > 256 ? 1 : 4);
}

/* Offsets of units near and far, each once; some rows of them in order. */
static void draw_table(rng *r, int64_t *at, int64_t n, int64_t step)
{
	for (int64_t i = 0; i < n; i++)
		at[i] = i * step;
	for (int64_t i = n - 1; i > 0 && rng_chance(r, 90); i--) {
		int64_t other = rng_below(r, i + 1), swap = at[i];
		at[i] = at[other], at[other] = swap;
	}
}

/* Rows that follow each other but for one place: a rolled axis. */
static void draw_rolled(rng *r, int64_t *at, int64_t n, int64_t step)
{
	const int64_t by = rng_below(r, n);
	for (int64_t i = 0; i < n; i++)
		at[i] = (i + by) % n * step;
}

/* Bytes of a unit in another order, or some of them twice; the first and the last are among them. */
static void draw_order(matrix *m, rng *r)
{
	for (int64_t i = 0; i < m->b.unit; i++)
		m->order[i] = (uint16_t)rng_below(r, m->b.unit);
	const int64_t first = rng_below(r, m->b.unit);
	m->order[first] = 0;
	m->order[(first + 1) % m->b.unit] = (uint16_t)(m->b.unit - 1);
	m->b.table = m->order;
}

/* From row to row of dst, from unit to unit of a row of the source, and from row to row of that. */
static void draw_steps(matrix *m, rng *r)
{
	const int64_t unit = m->b.unit, manner = m->b.stream, row = m->total * unit;
	m->b.dst_step = manner == VF_JOINED  ? row
	                : manner == VF_LINES ? (row + 63) / 64 * 64 + 64 * rng_below(r, 3)
	                                     : row + (rng_chance(r, 30) ? 0 : rng_range(r, 0, 100));
	if (manner == VF_CARRY && rng_chance(r, 50)) /* units of whole lines may go to lines */
		m->b.dst_step = (row + 63) / 64 * 64;
	if (manner == VF_CARRY && rng_chance(r, 30)) /* gaps between units */
		m->b.src_step = unit + rng_range(r, 1, unit);
	const int64_t across = m->b.rows * (m->b.src_step ? m->b.src_step : unit);
	m->b.stride = across + (rng_chance(r, 30) ? 0 : rng_range(r, 0, 100));
	if (rng_chance(r, 30)) { /* rows of the source share sets of L1 */
		const int64_t apart = (int64_t)512 << rng_below(r, 3);
		m->b.stride = (across + apart - 1) / apart * apart;
	}
}

static void draw_matrix(matrix *m, rng *r)
{
	int64_t unit = any_unit(r), manner = rng_below(r, 4);
	int64_t rows = rng_chance(r, 70) ? rng_range(r, 1, 70) : rng_range(r, 1, 300);
	int64_t total = rng_chance(r, 70) ? rng_range(r, 1, 100) : rng_range(r, 1, 600);
	if (manner == VF_JOINED && rng_chance(r, 10)) /* longer than others move at once */
		rows = rng_range(r, 1, 70), total = rng_range(r, 257, 1300);
	if (unit > 8)
		rows = (rows + 7) / 8, total = (total + 3) / 4;
	if (manner == VF_JOINED && unit <= 8 && rng_chance(r, 20)) /* two or four are a line */
		total = (rng_chance(r, 50) ? 16 : 32) / unit;
	if (manner == VF_JOINED && rng_chance(r, 20)) { /* half a line to a line, many of them */
		unit = rng_range(r, 1, 2);
		total = rng_range(r, 32, 64) / unit, rows = rng_range(r, 64, 300);
	}
	*m = (matrix){.b = {.unit = unit, .rows = rows, .stream = manner}, .total = total, .cut = total};
	m->b.beside = rng_chance(r, 50) ? 8 << rng_below(r, 5)
	                                : 0; /* for units of a line and more, and columns */
	m->b.paired = rng_chance(r, 50);
	if (manner != VF_JOINED && rng_chance(r, 60))
		m->cut = draw_cut(r, unit, manner);
	if (manner == VF_LINES && unit <= 2 && rng_chance(r, 30)) { /* what transposes while others leave */
		m->b.paired = 1, m->cut = 128 / unit;
		total = m->total = m->cut * rng_range(r, 1, 4), rows = m->b.rows = rng_range(r, 1, 700);
	}
	if (manner == VF_CARRY && m->b.paired && m->cut * unit < 128)
		m->cut *= 2;
	if (manner == VF_CARRY && m->b.paired && unit == 3 && m->cut < total)
		m->cut = rng_range(r, 43, 150);
	draw_steps(m, r);
	if (is_3(unit) && m->b.src_step == 0 && rng_chance(r, 50))
		draw_order(m, r);
	m->dst_table = rng_chance(r, 40), m->src_table = rng_chance(r, 40);
	if (rng_chance(r, 30))
		m->b.stride = -m->b.stride;
	if (rng_chance(r, 20))
		m->b.dst_step = -m->b.dst_step;
	(rng_chance(r, 30) ? draw_rolled : draw_table)(r, m->dst_at, rows, m->b.dst_step);
	draw_table(r, m->src_at, total, m->b.stride);
	m->lowest = m->b.dst_step < 0 ? (rows - 1) * m->b.dst_step : 0;
}

static void expect_unit(void *context, origin o)
{
	void **p = context;
	((unsigned char *)p[0])[o.dst] = ((const unsigned char *)p[1])[o.src];
}

static void reach_unit(void *context, origin o)
{
	reach_add(context, o.src);
}

/* All of a matrix, as one block. */
static vf_block whole(matrix *m)
{
	vf_block b = m->b;
	b.n = m->total;
	b.dst_at = m->dst_table ? m->dst_at : NULL, b.src_at = m->src_table ? m->src_at : NULL;
	return b;
}

/* Runs the blocks of a matrix in order, with asking ahead. */
static void run_blocks(matrix *m, const vf_codelets *k, unsigned char *dst, const unsigned char *src)
{
	static unsigned char carry[700 * 128 + 1], stage[300 << 10];
	vf_flow flow = {.ahead = src, .carry = carry + 1, .first = 1};
	if (m->total % 2) /* room for whole slices, or for narrow ones */
		flow.stage = stage + 1, flow.stage_bytes = m->b.rows % 3 ? sizeof stage - 1 : 120 << 10;
	vf_block b = whole(m);
	b.ahead_rows = 7, b.ahead_step = m->total % 3 ? 129 : b.stride; /* other rows, or the same */
	b.ahead_bytes = 100, b.ahead_into = 1 + m->total % 2;
	for (int64_t a = 0; a < m->total; a += m->cut) {
		b.n = m->total - a < m->cut ? m->total - a : m->cut;
		flow.first = a == 0, flow.more = m->total - a - b.n;
		for (int64_t j = 0; b.pass && j < b.pass->noperand; j++) {
			flow.operands[j] = m->operands[j] + a * b.pass->operand_step[j];
			flow.operand_at[j] = m->operand_table[j] ? m->operand_at[j] + a : NULL;
		}
		if (m->src_table)
			b.src_at = m->src_at + a;
		k->of[VF_CODELET_transpose](&b, dst + a * b.unit, src + (m->src_table ? 0 : a * b.stride),
		                            &flow);
	}
	k->fence();
}

static void try_matrix(matrix *m, rng *r, const vf_codelets *k)
{
	vf_block b = whole(m);
	m->src = reach_none();
	visit_all(VF_CODELET_transpose, &b, reach_unit, &m->src);
	int64_t step = b.dst_step < 0 ? -b.dst_step : b.dst_step;
	int64_t bytes = b.rows * step + b.n * b.unit + 3 * MARGIN;
	if (bytes > AREA || reach_bytes(m->src) > AREA)
		return;
	int64_t align = rng_chance(r, 30) ? 64 : rng_chance(r, 50) ? b.unit : 1;
	int64_t at = MARGIN - m->lowest + (align < 64 ? rng_below(r, 64 / align) * align : 0);
	const unsigned char *src = place_source(r, 0, m->src);
	memset(expected, PATTERN, (size_t)bytes), memset(result, PATTERN, (size_t)bytes);
	visit_all(VF_CODELET_transpose, &b, expect_unit, (void *[]){expected + at, (void *)(uintptr_t)src});
	run_blocks(m, k, result + at, src);
	if (memcmp(result, expected, (size_t)bytes) != 0)
		fail_msg("%s transpose: byte %lld of dst; %lld rows of %lld units of %lld, cut at %lld, "
		         "steps %lld %lld, "
		         "stored by %lld, from %lld, tables %d %d",
		         k->name, (long long)(first_difference(bytes) - at), (long long)b.rows,
		         (long long)b.n, (long long)b.unit, (long long)m->cut, (long long)b.dst_step,
		         (long long)b.stride, (long long)b.stream, (long long)(at % 64), m->dst_table,
		         m->src_table);
}

TEST(transposes_equal_their_formula)
{
	static matrix m;
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *k = vf_codelets_pick(variants[v]);
		rng r = rng_make(5, v);
		for (int turn = 0; k && turn < 2500; turn++) {
			draw_matrix(&m, &r);
			try_matrix(&m, &r, k);
		}
	}
}

/* Each block of a row writes its own lines only: one by one, against the plain twin. */
TEST(blocks_own_what_the_plain_twin_owns)
{
	static matrix m;
	static unsigned char carries[2][300 * 64];
	for (size_t v = 1; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *k = vf_codelets_pick(variants[v]);
		rng r = rng_make(6, v);
		for (int turn = 0; k && turn < 1000; turn++) {
			draw_matrix(&m, &r);
			if (m.b.stream == VF_CARRY || m.b.unit > 16)
				continue;
			vf_block b = whole(&m);
			b.dst_at = NULL, b.src_at = NULL, b.stride = b.stride < 0 ? -b.stride : b.stride;
			b.n = m.total < 64 ? m.total : 64, b.rows = b.rows < 64 ? b.rows : 64;
			b.dst_step = b.stream == VF_JOINED ? b.n * b.unit : 2048 + 64 * rng_below(&r, 3);
			vf_flow flow = {.first = rng_chance(&r, 50), .more = rng_below(&r, 70)};
			vf_flow flows[2] = {flow, flow};
			flows[0].carry = carries[0], flows[1].carry = carries[1];
			const unsigned char *src = sources[0] + 64;
			int64_t at = MARGIN + rng_below(&r, 64),
				bytes = at + b.rows * b.dst_step + 2048 + MARGIN;
			memset(expected, PATTERN, (size_t)bytes), memset(result, PATTERN, (size_t)bytes);
			vf_plain_transpose(&b, expected + at, src, &flows[0]);
			k->of[VF_CODELET_transpose](&b, result + at, src, &flows[1]);
			k->fence();
			if (memcmp(result, expected, (size_t)bytes) != 0)
				fail_msg("%s transpose: byte %lld; %lld rows of %lld units of %lld, first "
				         "%lld, more %lld, "
				         "stored by %lld",
				         k->name, (long long)(first_difference(bytes) - at),
				         (long long)b.rows, (long long)b.n, (long long)b.unit,
				         (long long)flow.first, (long long)flow.more, (long long)b.stream);
		}
	}
}

/* ---- computed ---- */

#define SECOND(name, operand, convert)                                                                       \
	{                                                                                                    \
		VF_SWEEP_##name, operand, convert, 1, 0, 0                                                   \
	}
#define SWEEP(name, of, y, top)                                                                              \
	{                                                                                                    \
		VF_SWEEP_##name, -1, 0, of, y, top                                                           \
	}
static const struct computed {
	int64_t from, to, n;
	vf_sweep sweeps[4];
	int64_t noperand, operand_bytes[VF_PASS_OPERANDS];
} computed[] = {
    {4, 2, 1, {SWEEP(f32_half, 1, 0, 0)}},
    {4, 2, 1, {SWEEP(f32_brain, 1, 0, 0)}},
    {1, 4, 1, {SWEEP(u8_f32, 1, 0, 0)}},
    {2, 4, 1, {SWEEP(half_f32, 1, 0, 0)}},
    {1, 4, 3, {SWEEP(i8_f32, 1, 0, 0), SWEEP(mul_f32, 1, 0x3f8ccccd, 0), SWEEP(sub_f32, 1, 0x40000000, 0)}},
    {1,
     2,
     3,
     {SWEEP(u8_f32, 1, 0, 0), SWEEP(clamp_f32, 1, 0x41200000, 0x42c80000), SWEEP(f32_half, 1, 0, 0)}},
    {2, 2, 3, {SWEEP(u16_f32, 1, 0, 0), SWEEP(div_f32, 1, 0x40400000, 0), SWEEP(f32_brain, 1, 0, 0)}},
    {4, 1, 1, {SWEEP(f32_u8, 1, 0, 0)}},
    {2, 1, 2, {SWEEP(half_f32, 1, 0, 0), SWEEP(f32_i8, 1, 0, 0)}},
    {1, 1, 3, {SWEEP(u8_f32, 1, 0, 0), SWEEP(mul_f32, 1, 0x3f8ccccd, 0), SWEEP(f32_u8, 1, 0, 0)}},
    {8, 1, 1, {SWEEP(f64_u8, 1, 0, 0)}},
    {4, 2, 1, {SWEEP(f32_i16, 1, 0, 0)}},
    {8, 2, 1, {SWEEP(f64_u16, 1, 0, 0)}},
    {8, 2, 2, {SWEEP(odd_f64, 1, 0, 0), SWEEP(f32_half, 1, 0, 0)}},
    {4, 4, 1, {SWEEP(f32_i32, 1, 0, 0)}},
    {2, 2, 1, {SWEEP(swap_16, 1, 0, 0)}},
    {4, 4, 1, {SWEEP(swap_32, 1, 0, 0)}},
    {8, 8, 1, {SWEEP(swap_64, 1, 0, 0)}},
    {8, 8, 1, {SWEEP(swap_32, 2, 0, 0)}},
    {16, 16, 1, {SWEEP(swap_64, 2, 0, 0)}},
    {4, 1, 1, {SWEEP(any_32, 1, 0, 0)}}, /* not in registers */
    {4, 8, 1, {SWEEP(i32_f64, 1, 0, 0)}},
    {4, 4, 1, {SECOND(sub_f32, 0, 0)}, 1, {4}},
    {1,
     4,
     3,
     {SWEEP(u8_f32, 1, 0, 0), SECOND(sub_f32, 0, 0), SECOND(div_f32, 1, VF_SWEEP_half_f32)},
     2,
     {4, 2}},
    {2,
     4,
     3,
     {SWEEP(i16_f32, 1, 0, 0), SECOND(mul_f32, 0, VF_SWEEP_half_f32), SECOND(add_f32, 0, VF_SWEEP_half_f32)},
     1,
     {2}},
    {8, 4, 2, {SWEEP(f64_f32, 1, 0, 0), SECOND(mul_f32, 0, 0)}, 1, {4}},
    {4, 2, 2, {SECOND(sub_f32, 0, 0), SWEEP(f32_half, 1, 0, 0)}, 1, {4}}, /* not in registers */
};

static int64_t unit_at(const vf_block *b, int64_t row, int64_t i)
{
	return (b->src_at ? b->src_at[i] : i * b->stride) + row * b->pass->from;
}

static reach computed_reach(const vf_block *b)
{
	reach all = reach_none();
	for (int64_t row = 0; row < b->rows; row++)
		for (int64_t i = 0; i < b->n; i++) {
			reach_add(&all, unit_at(b, row, i));
			reach_add(&all, unit_at(b, row, i) + b->pass->from - 1);
		}
	return all;
}

/* Values of f16, of which two are one of f32 that is finite. */
enum { SECONDS = 1 << 15 };
static uint16_t seconds[SECONDS];

static void draw_seconds(void)
{
	for (int i = 0; i < SECONDS; i++)
		seconds[i] = (uint16_t)(0x3c00 + i * 37 % 1500);
}

/* Operands go with rows of the source, or with those of dst, or are one value. */
static void draw_operands(matrix *m, rng *r, vf_pass *pass)
{
	for (int64_t j = 0; j < pass->noperand; j++) {
		const int64_t most = (int64_t)sizeof seconds / 2, bytes = pass->operand_bytes[j];
		const int64_t rows = m->total > m->b.rows ? m->total : m->b.rows;
		const int64_t step = bytes * rng_range(r, 1, most / (rows * bytes)), way = rng_below(r, 4);
		m->operands[j] = (const unsigned char *)seconds + most - (most % step);
		pass->operand_step[j] = way == 0 ? step : way == 1 ? -step : 0;
		pass->operand_stride[j] = way == 2 ? (rng_chance(r, 50) ? step : -bytes) : 0;
		m->operand_table[j] = way == 0 && m->src_table;
		draw_table(r, m->operand_at[j], m->total, step);
		if (m->operand_table[j])
			pass->operand_step[j] = 0;
	}
}

/* Element by element. */
static void expect_computed(const matrix *m, const vf_block *b, unsigned char *dst, const unsigned char *src)
{
	const vf_block one = {.rows = 1, .n = 1, .pass = b->pass};
	vf_flow flow = {0};
	for (int64_t row = 0; row < b->rows; row++)
		for (int64_t i = 0; i < b->n; i++) {
			for (int64_t j = 0; j < b->pass->noperand; j++)
				flow.operands[j] = m->operands[j] + row * b->pass->operand_stride[j] +
				                   (m->operand_table[j] ? m->operand_at[j][i]
				                                        : i * b->pass->operand_step[j]);
			vf_plain_apply(&one,
			               dst + (b->dst_at ? b->dst_at[row] : row * b->dst_step) + i * b->unit,
			               src + unit_at(b, row, i), &flow);
		}
}

static void try_computed(matrix *m, rng *r, const vf_codelets *k)
{
	vf_block b = whole(m);
	int64_t step = b.dst_step < 0 ? -b.dst_step : b.dst_step;
	int64_t bytes = b.rows * step + b.n * b.unit + 3 * MARGIN;
	m->src = computed_reach(&b);
	if (bytes > AREA || reach_bytes(m->src) > AREA)
		return;
	int64_t at = MARGIN - m->lowest + (rng_chance(r, 60) ? 0 : rng_below(r, 64));
	const unsigned char *src = place_source(r, 0, m->src);
	memset(expected, PATTERN, (size_t)bytes), memset(result, PATTERN, (size_t)bytes);
	expect_computed(m, &b, expected + at, src);
	run_blocks(m, k, result + at, src);
	if (memcmp(result, expected, (size_t)bytes) != 0)
		fail_msg(
		    "%s transpose by %s: byte %lld of dst; %lld rows of %lld, cut at %lld, steps %lld %lld, "
		    "stored by %lld, tables %d %d",
		    k->name, vf_sweep_rows[b.pass->sweeps[0].id].name,
		    (long long)(first_difference(bytes) - at), (long long)b.rows, (long long)b.n,
		    (long long)m->cut, (long long)b.dst_step, (long long)b.stride, (long long)b.stream,
		    m->dst_table, m->src_table);
}

TEST(computed_transposes_equal_their_formula)
{
	static matrix m;
	draw_seconds();
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *k = vf_codelets_pick(variants[v]);
		rng r = rng_make(7, v);
		for (int turn = 0; k && turn < (SANITIZED ? 1000 : 4000); turn++) {
			const struct computed *c =
			    &computed[rng_below(&r, (int64_t)(sizeof computed / sizeof computed[0]))];
			vf_pass pass = {c->from, c->to, c->to, c->n, c->noperand, c->sweeps, {0}, {0}, {0}};
			memcpy(pass.operand_bytes, c->operand_bytes, sizeof pass.operand_bytes);
			do
				draw_matrix(&m, &r);
			while (m.b.unit != c->to);
			m.b.pass = &pass;
			draw_operands(&m, &r, &pass);
			try_computed(&m, &r, k);
		}
	}
}

int main(void)
{
	world_make();
	int failed = test_all(NULL, NULL);
	world_drop();
	return failed;
}
