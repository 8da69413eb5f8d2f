/* test_kernels.c -- every kernel of every variant this processor runs, against its plain twin.
 *
 * Both write into equal buffers with a pattern around; the whole buffers must come out equal, so
 * a byte too many shows. Sources often end (or begin) at a page without access, so does a byte too many
 * read. Sizes, steps and alignments are drawn with a fixed seed; a failure prints the case.
 */
#include "random.h"

#include "runtime/cpu.h"
#include "plan/tiling.h"
#include "runtime/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { AREA = 1 << 19, SIDE = 4096, PARAMS = 8 };

/* ---- the world: a source between two pages without access, two destinations ---- */

static unsigned char *source;
static unsigned char *results[2]; /* the variant's, the plain twin's */
static unsigned char *scratch;

static void world_make(void)
{
	unsigned char *pages =
	    mmap(NULL, AREA + 2 * SIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages, SIDE, PROT_NONE), 0);
	assert_int_equal(mprotect(pages + SIDE + AREA, SIDE, PROT_NONE), 0);
	source = pages + SIDE;
	rng r = rng_make(1, 2);
	for (int k = 0; k < AREA; k++)
		source[k] = (unsigned char)rng_next(&r);
	for (int k = 0; k < 2; k++)
		results[k] = aligned_alloc(SIDE, AREA);
	scratch = malloc(AREA);
	assert_true(results[0] && results[1] && scratch);
}

static void world_drop(void)
{
	munmap(source - SIDE, AREA + 2 * SIDE);
	free(results[0]), free(results[1]), free(scratch);
}

/* Bytes that a case reads and writes, relative to the pointers it is given. */
typedef struct reach {
	int64_t low, high;
} reach;

static void reach_add(reach *r, int64_t count, int64_t step)
{
	if (count <= 0)
		return;
	if (step < 0)
		r->low += (count - 1) * step;
	else
		r->high += (count - 1) * step;
}

/* A pointer into the source such that the reach ends at its end, begins at its start, or neither. */
static const unsigned char *place_source(rng *r, reach at)
{
	int64_t first = 0, last = AREA - (at.high - at.low);
	assert_true(last >= 0);
	int64_t where = rng_chance(r, 40)   ? last
	                : rng_chance(r, 30) ? first
	                                    : rng_range(r, first, last);
	return source + where - at.low;
}

static void results_clear(int64_t low, int64_t high)
{
	for (int k = 0; k < 2; k++)
		memset(results[k] + low, 0xa5, (size_t)(high - low));
}

static bool results_equal(int64_t low, int64_t high)
{
	return memcmp(results[0] + low, results[1] + low, (size_t)(high - low)) == 0;
}

static int64_t first_difference(int64_t low, int64_t high)
{
	while (low < high && results[0][low] == results[1][low])
		low++;
	return low;
}

/* ---- a case of a kernel over rows ---- */

typedef struct row_case {
	int64_t rows, dst_step, src_step;
	int64_t v[PARAMS]; /* what the kernel takes after the steps */
	int64_t stream;
	unsigned char table[64];
	reach dst, src; /* of one row, then of all */
} row_case;

static const int64_t units[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 24, 32, 33, 48, 64, 100};

static int64_t any_unit(rng *r)
{
	return units[rng_below(r, (int64_t)(sizeof units / sizeof units[0]))];
}

/* Mostly short, sometimes long. */
static int64_t any_count(rng *r)
{
	return rng_chance(r, 70) ? rng_range(r, 0, 40) : rng_range(r, 0, 400);
}

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

/* ---- tiles ---- */

static void check_tile(rng *r, const vf_kernels *k)
{
	int64_t unit = any_unit(r), na = rng_range(r, 0, 100), nb = rng_range(r, 0, 100);
	if (unit > 16)
		na /= 4, nb /= 4;
	int64_t dst_step = na * unit + rng_range(r, 0, 40),
		src_step = nb * unit + rng_range(r, 0, 40);
	bool any = na > 0 && nb > 0;
	reach src = {0, any ? nb * unit : 0}, dst = {0, any ? na * unit : 0};
	if (any)
		reach_add(&src, na, src_step), reach_add(&dst, nb, dst_step);
	const unsigned char *from = place_source(r, src);
	int64_t at = SIDE + rng_below(r, 64), high = at + dst.high + 128;
	results_clear(at - 128, high);
	k->tile(results[0] + at, from, na, nb, dst_step, src_step, unit);
	vf_k_tile(results[1] + at, from, na, nb, dst_step, src_step, unit);
	if (!results_equal(at - 128, high))
		fail_msg("%s tile: %lld x %lld units of %lld, steps %lld %lld", k->name,
		         (long long)na, (long long)nb, (long long)unit, (long long)dst_step,
		         (long long)src_step);
}

/* Extents for a run of about `most` units. */
static int64_t draw_run(rng *r, vf_tile_axis *axes, int64_t most, int64_t *count)
{
	int64_t n = rng_range(r, 1, 3);
	*count = 1;
	for (int64_t k = 0; k < n; k++) {
		axes[k].extent = rng_range(r, 1, n == 1 ? most : k == 0 ? most / 4 : 4);
		*count *= axes[k].extent;
	}
	return n;
}

static void shuffle_order(rng *r, vf_tile_axis **order, int64_t n)
{
	for (int64_t k = n - 1; k > 0; k--) {
		int64_t other = rng_below(r, k + 1);
		vf_tile_axis *swap = order[k];
		order[k] = order[other], order[other] = swap;
	}
}

/* Strides: one run contiguous, then the other axes in any order around it, with gaps. */
static void lay_out(rng *r, vf_tile *t, bool dst, reach *at)
{
	vf_tile_axis *run = dst ? t->a : t->b, *other = dst ? t->b : t->a;
	int64_t nrun = dst ? t->na : t->nb, nother = dst ? t->nb : t->na, n = 0;
	int64_t bytes = t->unit_bytes, align = rng_chance(r, 50) ? 64 : rng_chance(r, 50) ? 4 : 1;
	vf_tile_axis *order[2 * VF_TILE_RUN_AXES];
	*at = (reach){0, bytes};
	for (int64_t k = 0; k < nother; k++)
		order[n++] = &other[k];
	for (int64_t k = 0; k < t->nouter; k++)
		order[n++] = &t->outer[k];
	shuffle_order(r, order, n);
	for (int64_t k = 0; k < nrun + n; k++) {
		vf_tile_axis *axis = k < nrun ? &run[k] : order[k - nrun];
		int64_t stride = bytes;
		if (k >= nrun) {
			stride = (bytes + align - 1) / align * align;
			bytes = stride;
			if (rng_chance(r, 25))
				stride = -stride;
		}
		if (dst)
			axis->dst = stride;
		else
			axis->src = stride;
		bytes *= axis->extent;
		reach_add(at, axis->extent, stride);
	}
}

static void draw_descriptor(rng *r, vf_tile *t, reach *dst, reach *src)
{
	static const int64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 5, 24, 48, 60, 64, 128, 192};
	do {
		*t = (vf_tile){.unit_bytes = sizes[rng_below(r, 15)]};
		int64_t most = t->unit_bytes > 16 ? 24 : rng_chance(r, 50) ? 70 : 280;
		t->na = draw_run(r, t->a, most, &t->count_a);
		t->nb = draw_run(r, t->b, most, &t->count_b);
		t->nouter = rng_below(r, 4);
		t->pieces = 1;
		for (int64_t k = 0; k < t->nouter; k++)
			t->outer[k].extent = rng_range(r, 1, 4);
		lay_out(r, t, true, dst);
		lay_out(r, t, false, src);
	} while (dst->high - dst->low > AREA - 3 * SIDE || src->high - src->low > AREA);
	t->chunk_a = rng_chance(r, 50) ? 64 : rng_range(r, 1, t->count_a + 3);
	t->chunk_b = rng_range(r, 1, t->count_b + 3);
	t->tile_b = rng_range(r, 1, t->chunk_b < 40 ? t->chunk_b : 40);
	t->stream = rng_chance(r, 75);
	t->prefetch = rng_chance(r, 50);
	t->place_a = rng_range(r, 0, t->nouter);
	t->place_b = rng_range(r, 0, t->nouter);
	t->a_first = rng_chance(r, 50);
	for (int64_t k = 0; k < t->nouter; k++)
		t->pieces *= t->outer[k].extent;
	t->pieces *= (t->count_a + t->chunk_a - 1) / t->chunk_a;
	t->pieces *= (t->count_b + t->chunk_b - 1) / t->chunk_b;
	t->scratch_bytes = vf_tile_scratch(t);
}

static void check_tile_run(rng *r, const vf_kernels *k, int number)
{
	static vf_tile t;
	reach dst, src;
	draw_descriptor(r, &t, &dst, &src);
	assert_true(t.scratch_bytes <= AREA);
	const unsigned char *from = place_source(r, src);
	int64_t at = SIDE + (rng_chance(r, 50) ? 0 : rng_below(r, 64));
	int64_t low = at - 128, high = at + dst.high - dst.low + 128;
	results_clear(low, high);
	/* In two parts: a cut anywhere is as good as none. */
	int64_t cut = rng_chance(r, 50) ? 0 : rng_range(r, 0, t.pieces);
	unsigned char *own = malloc((size_t)t.scratch_bytes);
	assert_non_null(own);
	k->tile_run(&t, results[0] + at - dst.low, from, own, cut, t.pieces);
	k->tile_run(&t, results[0] + at - dst.low, from, own, 0, cut);
	free(own);
	vf_k_tile_run(&t, results[1] + at - dst.low, from, NULL, 0, t.pieces);
	if (results_equal(low, high))
		return;
	fail_msg(
	    "%s tile_run case %d: unit %lld, A %lld by %lld, B %lld by %lld (%lld), stream %lld: "
	    "byte %lld of %lld",
	    k->name, number, (long long)t.unit_bytes, (long long)t.count_a, (long long)t.chunk_a,
	    (long long)t.count_b, (long long)t.chunk_b, (long long)t.tile_b, (long long)t.stream,
	    (long long)(first_difference(low, high) - at), (long long)(dst.high - dst.low));
}

/* ---- tilings: the rule's descriptors mean the loops they were made from ---- */

static void copy_loops(const vf_tile_axis *loops, int n, int64_t unit, unsigned char *dst,
                       const unsigned char *src)
{
	if (n == 0) {
		memcpy(dst, src, (size_t)unit);
		return;
	}
	for (int64_t i = 0; i < loops[0].extent; i++)
		copy_loops(loops + 1, n - 1, unit, dst + i * loops[0].dst, src + i * loops[0].src);
}

/* A dense permutation with some axes backwards in the source, in any order of loops. */
static int draw_loops(rng *r, vf_tile_axis *loops, int64_t unit, int64_t *src_low)
{
	int n = (int)rng_range(r, 2, 5);
	vf_tile_axis *order[5];
	int64_t dst = unit, src = unit;
	*src_low = 0;
	for (int k = 0; k < n; k++) {
		loops[k].extent = rng_range(r, 2, n > 3 ? 9 : 40);
		loops[k].dst = dst;
		dst *= loops[k].extent;
		order[k] = &loops[k];
	}
	shuffle_order(r, order, n);
	for (int k = 0; k < n; k++) {
		int64_t extent = order[k]->extent;
		bool backwards = rng_chance(r, 20);
		order[k]->src = backwards ? -src : src;
		if (backwards)
			*src_low -= (extent - 1) * src;
		src *= extent;
	}
	return n;
}

static bool check_tiling(rng *r, const vf_kernels *k)
{
	vf_tile_axis loops[5];
	int64_t unit = any_unit(r), src_low;
	int n = draw_loops(r, loops, unit, &src_low);
	int64_t bytes = unit;
	for (int j = 0; j < n; j++)
		bytes *= loops[j].extent;
	static vf_tiling tiling;
	vf_cpu cpu = vf_cpu_read();
	cpu.l2_bytes = 1 << rng_range(r, 8, 20); /* so that small ones stream as well */
	if (bytes > AREA - 3 * SIDE || !vf_tiling_build(&tiling, loops, n, unit, &cpu))
		return false;
	const unsigned char *from = place_source(r, (reach){src_low, src_low + bytes});
	int64_t at = SIDE + rng_below(r, 2) * rng_below(r, 64);
	results_clear(at - 128, at + bytes + 128);
	unsigned char *own = malloc((size_t)tiling.tile.scratch_bytes);
	assert_non_null(own);
	k->tile_run(&tiling.tile, results[0] + at + tiling.dst_offset, from + tiling.src_offset,
	            own, 0, tiling.tile.pieces);
	free(own);
	copy_loops(loops, n, unit, results[1] + at, from);
	if (!results_equal(at - 128, at + bytes + 128))
		fail_msg("%s tiling: %d loops, unit %lld: %s", k->name, n, (long long)unit,
		         tiling.reason);
	return true;
}

/* ---- the tests ---- */

static const char *const variants[] = {"avx2", "avx512"};

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

static void test_tiles(void **state)
{
	(void)state;
	for (int v = 0; v < 2; v++) {
		const vf_kernels *k = vf_kernels_pick(variants[v]);
		if (!k)
			continue;
		for (int number = 0; number < 3000; number++) {
			rng r = rng_make(99, (uint64_t)number);
			check_tile(&r, k);
		}
	}
}

static void test_tile_runs(void **state)
{
	(void)state;
	for (int v = 0; v < 2; v++) {
		const vf_kernels *k = vf_kernels_pick(variants[v]);
		if (!k)
			continue;
		for (int number = 0; number < 4000; number++) {
			rng r = rng_make(100, (uint64_t)number);
			check_tile_run(&r, k, number);
		}
	}
}

static void test_tilings(void **state)
{
	(void)state;
	static const char *const names[] = {"plain", "avx2", "avx512"};
	for (int v = 0; v < 3; v++) {
		const vf_kernels *k = vf_kernels_pick(names[v]);
		int applied = 0;
		if (!k)
			continue;
		for (int number = 0; number < 1500; number++) {
			rng r = rng_make(101, (uint64_t)number);
			applied += check_tiling(&r, k);
		}
		assert_true(applied > 300);
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
	    cmocka_unit_test(test_tiles),
	    cmocka_unit_test(test_tile_runs),
	    cmocka_unit_test(test_tilings),
	    cmocka_unit_test(test_prefetch_is_harmless),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	world_drop();
	return failed;
}
