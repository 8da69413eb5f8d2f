/* test_kernels.c -- every kernel over rows, of every variant this processor runs, against its plain twin.
 *
 * Sizes, steps and alignments are drawn with a fixed seed; a failure prints the case.
 */
#include "kernel_world.h"

enum { PARAMS = 8 };

/* ---- a case of a kernel over rows ---- */

typedef struct row_case {
	int64_t rows, dst_step, src_step;
	int64_t v[PARAMS]; /* what the kernel takes after the steps */
	int64_t stream;
	unsigned char table[64];
	reach dst, src; /* of one row, then of all */
} row_case;

static void draw_copy(rng *r, row_case *c)
{
	c->v[0] = rng_chance(r, 60) ? rng_range(r, 0, 140) : rng_range(r, 0, 3000);
	c->dst = c->src = (reach){0, c->v[0]};
}

static void draw_units(rng *r, row_case *c)
{
	c->v[0] = any_count(r), c->v[1] = any_unit(r);
	c->dst = c->src = (reach){0, c->v[0] * c->v[1]};
}

static void draw_fill(rng *r, row_case *c)
{
	draw_units(r, c);
	c->src = (reach){0, c->v[1]};
}

static int64_t any_stride(rng *r, int64_t unit)
{
	int64_t stride = rng_chance(r, 50) ? 2 * unit : rng_range(r, unit, 4 * unit + 9);
	return rng_chance(r, 30) ? -stride : stride;
}

static void draw_gather(rng *r, row_case *c)
{
	c->v[0] = any_count(r), c->v[2] = any_unit(r), c->v[1] = any_stride(r, c->v[2]);
	c->dst = (reach){0, c->v[0] * c->v[2]};
	c->src = (reach){0, c->v[0] > 0 ? c->v[2] : 0};
	reach_add(&c->src, c->v[0], c->v[1]);
}

static void draw_scatter(rng *r, row_case *c)
{
	draw_gather(r, c);
	reach swap = c->dst;
	c->dst = c->src, c->src = swap;
}

/* n, planes, plane_step, unit */
static void draw_interleave(rng *r, row_case *c)
{
	int64_t n = any_count(r), planes = rng_range(r, 1, 6), unit = any_unit(r);
	int64_t step = n * unit + rng_range(r, 0, 70);
	if (rng_chance(r, 20))
		step = -step;
	c->v[0] = n, c->v[1] = planes, c->v[2] = step, c->v[3] = unit;
	c->dst = (reach){0, n * planes * unit};
	c->src = (reach){0, n * unit};
	reach_add(&c->src, planes, step);
}

static void draw_deinterleave(rng *r, row_case *c)
{
	draw_interleave(r, c);
	reach swap = c->dst;
	c->dst = c->src, c->src = swap;
}

static void draw_shuffle(rng *r, row_case *c)
{
	static const unsigned char common[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
	bool known = rng_chance(r, 60);
	int64_t to = known ? common[rng_below(r, sizeof common)] : rng_range(r, 1, 64);
	int64_t from = rng_chance(r, 60) ? to : rng_range(r, 1, 64);
	c->v[0] = any_count(r), c->v[1] = to, c->v[2] = from;
	for (int64_t i = 0; i < to; i++)
		c->table[i] = (unsigned char)rng_below(r, from);
	/* The last block may not be read beyond the last byte that the table names. */
	int64_t last = 0;
	for (int64_t i = 0; i < to; i++)
		if (c->table[i] >= last)
			last = c->table[i] + 1;
	c->dst = (reach){0, c->v[0] * to};
	c->src = (reach){0, c->v[0] ? (c->v[0] - 1) * from + last : 0};
}

#define HEAD dst, src, c->rows, c->dst_step, c->src_step
static void call_copy(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->copy(dst, src, c->v[0]);
}
static void call_stream(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->stream(dst, src, c->v[0]);
}
static void call_stream_ahead(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->stream_ahead(dst, src, c->v[0], (const unsigned char *)src - 3 * SIDE, 9, SIDE, 100);
	k->fence();
}
static void call_copy_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->copy_rows(HEAD, c->v[0]);
}
static void call_stream_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->stream_rows(HEAD, c->v[0]);
}
static void call_fill_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->fill_rows(HEAD, c->v[0], c->v[1], c->stream);
}
static void call_reverse_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->reverse_rows(HEAD, c->v[0], c->v[1], c->stream);
}
static void call_gather_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->gather_rows(HEAD, c->v[0], c->v[1], c->v[2], c->stream);
}
static void call_scatter_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->scatter_rows(HEAD, c->v[0], c->v[1], c->v[2]);
}
static void call_interleave_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->interleave_rows(HEAD, c->v[0], c->v[1], c->v[2], c->v[3], c->stream);
}
static void call_deinterleave_rows(const vf_kernels *k, const row_case *c, void *dst,
                                   const void *src)
{
	k->deinterleave_rows(HEAD, c->v[0], c->v[1], c->v[2], c->v[3], c->stream);
}
static void call_shuffle_rows(const vf_kernels *k, const row_case *c, void *dst, const void *src)
{
	k->shuffle_rows(HEAD, c->v[0], c->v[1], c->v[2], c->stream, c->table);
}
#undef HEAD

typedef struct row_kernel {
	const char *name;
	void (*draw)(rng *r, row_case *c);
	void (*call)(const vf_kernels *k, const row_case *c, void *dst, const void *src);
	bool single; /* one row */
} row_kernel;

static const row_kernel row_kernels[] = {
    {"copy", draw_copy, call_copy, true},
    {"stream", draw_copy, call_stream, true},
    {"stream_ahead", draw_copy, call_stream_ahead, true},
    {"copy_rows", draw_copy, call_copy_rows, false},
    {"stream_rows", draw_copy, call_stream_rows, false},
    {"fill_rows", draw_fill, call_fill_rows, false},
    {"reverse_rows", draw_units, call_reverse_rows, false},
    {"gather_rows", draw_gather, call_gather_rows, false},
    {"scatter_rows", draw_scatter, call_scatter_rows, false},
    {"interleave_rows", draw_interleave, call_interleave_rows, false},
    {"deinterleave_rows", draw_deinterleave, call_deinterleave_rows, false},
    {"shuffle_rows", draw_shuffle, call_shuffle_rows, false},
};

/* Planes of rows side by side, instead of rows of planes. */
static void put_rows_in_planes(rng *r, row_case *c)
{
	int64_t row = c->v[0] * c->v[3];
	c->dst_step = row;
	c->v[2] = c->rows * row + rng_range(r, 0, 70);
	c->dst = (reach){0, row};
	reach_add(&c->dst, c->v[1], c->v[2]);
}

/* Rows and steps: destination rows may not overlap, source rows may. */
static void draw_rows(rng *r, const row_kernel *kernel, row_case *c)
{
	*c = (row_case){.rows = 1, .stream = rng_chance(r, 50)};
	kernel->draw(r, c);
	if (kernel->single)
		return;
	int64_t dst_row = c->dst.high - c->dst.low, src_row = c->src.high - c->src.low;
	int64_t most = 60000 / ((dst_row > src_row ? dst_row : src_row) + 100);
	c->rows = rng_range(r, 0, most < 40 ? most : 40);
	c->dst_step = dst_row + (rng_chance(r, 50) ? 0 : rng_range(r, 0, 90));
	c->src_step = rng_chance(r, 50) ? src_row : rng_range(r, 0, src_row + 90);
	if (rng_chance(r, 20))
		c->dst_step = -c->dst_step;
	if (rng_chance(r, 20))
		c->src_step = -c->src_step;
	if (c->rows == 0)
		c->dst = c->src = (reach){0, 0};
	else if (kernel->draw == draw_deinterleave && rng_chance(r, 50))
		put_rows_in_planes(r, c);
	reach_add(&c->dst, c->rows, c->dst_step);
	reach_add(&c->src, c->rows, c->src_step);
}

static void check_row_case(rng *r, const vf_kernels *k, const row_kernel *kernel, int number)
{
	row_case c;
	draw_rows(r, kernel, &c);
	int64_t at = SIDE + rng_below(r, 64), low = at - 128,
		high = at + c.dst.high - c.dst.low + 128;
	assert_true(high <= AREA);
	const unsigned char *src = place_source(r, c.src);
	results_clear(low, high);
	kernel->call(k, &c, results[0] + at - c.dst.low, src);
	kernel->call(&vf_kernels_plain, &c, results[1] + at - c.dst.low, src);
	if (results_equal(low, high))
		return;
	fail_msg("%s %s case %d: rows %lld steps %lld %lld, %lld %lld %lld %lld: byte %lld of %lld",
	         k->name, kernel->name, number, (long long)c.rows, (long long)c.dst_step,
	         (long long)c.src_step, (long long)c.v[0], (long long)c.v[1], (long long)c.v[2],
	         (long long)c.v[3], (long long)(first_difference(low, high) - at),
	         (long long)(c.dst.high - c.dst.low));
}

/* ---- the tests ---- */

static void test_rows(void **state)
{
	(void)state;
	for (int v = 0; v < 2; v++) {
		const vf_kernels *k = vf_kernels_pick(variants[v]);
		if (!k)
			continue;
		for (size_t n = 0; n < sizeof row_kernels / sizeof row_kernels[0]; n++)
			for (int number = 0; number < 3000; number++) {
				rng r = rng_make(7 + n, (uint64_t)number);
				check_row_case(&r, k, &row_kernels[n], number);
			}
	}
}

/* Every size and both alignments, for what everything else ends in. */
static void test_copy_residues(void **state)
{
	(void)state;
	for (int v = 0; v < 2; v++) {
		const vf_kernels *k = vf_kernels_pick(variants[v]);
		if (!k)
			continue;
		results_clear(0, 1024);
		for (int64_t bytes = 0; bytes <= 200; bytes++)
			for (int64_t to = 0; to < 64; to++)
				for (int64_t from = 0; from < 64; from += 7) {
					const unsigned char *src = source + AREA - bytes - from;
					vf_k_copy(results[1] + 64 + to, src, bytes);
					k->copy(results[0] + 64 + to, src, bytes);
					assert_true(results_equal(0, 400));
					memset(results[0] + 64, 0xa5, 300);
					k->stream(results[0] + 64 + to, src, bytes);
					assert_memory_equal(results[0] + 64 + to, src,
					                    (size_t)bytes);
					results_clear(64, 400);
				}
	}
}

static void test_pick(void **state)
{
	(void)state;
	vf_cpu cpu = vf_cpu_read();
	assert_string_equal(vf_kernels_pick("plain")->name, "plain");
	assert_null(vf_kernels_pick("avx1024"));
	assert_non_null(vf_kernels_pick(NULL));
	assert_int_equal(vf_kernels_pick("avx2") != NULL, cpu.avx2);
	assert_int_equal(vf_kernels_pick("avx512") != NULL, cpu.avx512);
	assert_true(cpu.l1_bytes > 0 && cpu.l2_bytes > 0 && cpu.l3_bytes > 0 && cpu.page_bytes > 0);
}

static void test_prefetch_is_harmless(void **state)
{
	(void)state;
	for (int v = 0; v < 2; v++) {
		const vf_kernels *k = vf_kernels_pick(variants[v]);
		if (k)
			k->prefetch_rows(source + AREA - 100, 5, 64, 64);
	}
}

int main(void)
{
	world_make();
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pick),
	    cmocka_unit_test(test_copy_residues),
	    cmocka_unit_test(test_rows),
	    cmocka_unit_test(test_prefetch_is_harmless),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	world_drop();
	return failed;
}
