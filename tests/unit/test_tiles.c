/* test_tiles.c -- tiles, runs of tiles and the tiling rule, of every variant this processor runs.
 *
 * Tiles and runs against their plain twins; what the rule makes of loops against the loops themselves.
 * Sizes, strides and alignments are drawn with a fixed seed; a failure prints the case.
 */
#include "kernel_world.h"

#include "plan/tiling.h"

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
static void lay_out(rng *r, vf_tile_descriptor *t, bool dst, reach *at)
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

static void draw_descriptor(rng *r, vf_tile_descriptor *t, reach *dst, reach *src)
{
	static const int64_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 5, 24, 48, 60, 64, 128, 192};
	do {
		*t = (vf_tile_descriptor){.unit_bytes = sizes[rng_below(r, 15)]};
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
	static vf_tile_descriptor t;
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

int main(void)
{
	world_make();
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tiles),
	    cmocka_unit_test(test_tile_runs),
	    cmocka_unit_test(test_tilings),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	world_drop();
	return failed;
}
