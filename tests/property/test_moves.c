/* test_moves.c -- random jobs: what a loop over indices writes, interpreter and compiled code write.
 *
 * Every byte is compared, those between and around the destination's elements included. Each job is
 * planned for this machine and for one whose caches are so small that everything is shared, cut
 * and staged. VF_SEED and VF_CASES change the run; a failure prints the seed, the job and its plan.
 */
#include "driver/compile.h"
#include "codegen/interpret.h"
#include "codegen/jit.h"
#include "engine/cache.h"
#include "support/jobs.h"
#include "support/transposed.h"
#include "test.h"

#include <stdio.h>

static vf_context *ctx;

#define TINY_CPU                                                                                             \
	{                                                                                                    \
		32 << 10, 1 << 20, 16 << 20, 4096, false, false, false                                       \
	}

#define SIZES(piece, staged, stage, chunk, stream)                                                           \
	.piece_bytes = (piece), .staged_bytes = (staged), .stage_bytes = (stage), .chunk_bytes = (chunk),    \
	.stream_bytes = (stream)

static const vf_machine tiny_machines[] = {
    {.cpu = TINY_CPU, SIZES(64, 64, 1, 96, 0)},
    {.cpu = TINY_CPU, SIZES(300, 300, 16, 40, 100)},
    {.cpu = TINY_CPU, SIZES(2000, 2000, 1, 1000, 1)},
    {.cpu = TINY_CPU, SIZES(2000, 2000, 1, 3000, 1), .lines = true},
    {.cpu = TINY_CPU,
     SIZES(100, 2000, 64, 3000, 1),
     .lines = true,
     .row_shift = 2,
     .line_shift = -2,
     .ahead = VF_AHEAD_FIRST,
     .without = 1u << VF_INTERLEAVE | 1u << VF_DEINTERLEAVE},
    {.cpu = TINY_CPU, SIZES(2000, 2000, 1, 100, 1), .weaves = true},
    {.cpu = TINY_CPU, SIZES(100, 2000, 64, 10, 1), .weaves = true, .without = ~(1u << VF_WEAVE)},
    {.cpu = TINY_CPU,
     SIZES(100, 2000, 64, 3000, 1),
     .row_shift = -2,
     .line_shift = 2,
     .ahead = VF_AHEAD_NOT,
     .without = 1u << VF_TRANSPOSE | 1u << VF_GATHER | 1u << VF_SCATTER},
    /* caches of some lines: loops change places for them */
    {.cpu = {512, 2048, 1 << 20, 4096, false, false, false}, SIZES(100, 100, 4, 64, 1)},
    {.cpu = {512, 4096, 1 << 20, 4096, false, false, false},
     SIZES(60, 60, 1, 40, 1),
     .lines = true,
     .weaves = true,
     .without = 1u << VF_TRANSPOSE},
    /* half of L1 is more than a stage has, as where L1 has 48 KiB */
    {.cpu = TINY_CPU, SIZES(300, 100, 8, 64, 1)},
    {.cpu = TINY_CPU, SIZES(3000, 1000, 16, 500, 1), .lines = true, .wide = true},
    /* lines are carried along rows that follow each other */
    {.cpu = {.l1_bytes = 512, .l2_bytes = 4096, .l3_bytes = 1 << 20, .page_bytes = 4096, .l2_hints = true},
     SIZES(100, 80, 64, 3000, 1),
     .line_shift = -3,
     .lines = true,
     .wide = true},
    /* lines leave by pairs */
    {.cpu = {.l1_bytes = 48 << 10, .l2_bytes = 512, .l3_bytes = 1 << 20, .page_bytes = 4096, .pairs = true},
     SIZES(100, 80, 64, 3000, 1),
     .lines = true,
     .wide = true},
    {.cpu = {.l1_bytes = 512, .l2_bytes = 4096, .l3_bytes = 1 << 20, .page_bytes = 4096, .pairs = true},
     .piece_bytes = 100,
     .staged_bytes = 80,
     .stage_bytes = 4,
     .chunk_bytes = 1000,
     .stream_bytes = 1,
     .lines = true,
     .wide = true},
};

static void show(const job_case *c, const vf_plan *plan, const char *engine, int64_t at)
{
	vf_text text;
	vf_text_init(&text, ctx);
	vf_plan_print(plan, &text);
	print_error("seed %llu, %s: byte %lld differs\n", (unsigned long long)c->seed, engine, (long long)at);
	job_print(c, stderr);
	print_error("%s", text.bytes);
	vf_text_drop(&text);
}

/* Compare c->out with c->expected. */
static bool same(const job_case *c, const vf_plan *plan, const char *engine)
{
	const int64_t at = job_differs(c);
	if (at >= 0)
		show(c, plan, engine, at);
	return at < 0;
}

/* Run all units in ranges of random length, the ranges in a random order. */
static void run(job_case *c, const vf_plan *plan, vf_entry entry)
{
	unsigned char *scratch = malloc((size_t)plan->scratch_bytes + 1);
	int64_t step = 1 + (int64_t)(job_random(c) % 7), parts = (plan->units + step - 1) / step;
	int64_t turn = parts > 1 ? (int64_t)(job_random(c) % (uint64_t)parts) : 0;
	memset(c->out, JOB_GUARD, (size_t)c->out_bytes);
	for (int64_t k = 0; k < parts; k++) {
		int64_t begin = (k + turn) % parts * step;
		int64_t end = begin + step < plan->units ? begin + step : plan->units;
		if (entry)
			entry(c->dst, c->sources, scratch, begin, end);
		else
			vf_interpret(plan, ctx->codelets, c->dst, c->sources, scratch,
			             (vf_units){begin, end});
	}
	free(scratch);
}

static bool check_compiled(job_case *c, const vf_plan *plan)
{
	unsigned used;
	char message[256];
	vf_jit jit;
	char *text = vf_emit(ctx, plan, NULL, &used);
	assert_non_null(text);
	bool good = vf_jit_compile(&jit, text, used, ctx->codelets, message, sizeof message);
	if (!good)
		print_error("%s\n%s\n", message, text);
	if (good) {
		run(c, plan, jit.entry);
		good = same(c, plan, "jit");
		if (!good)
			print_error("%s\n", text);
		vf_jit_free(&jit);
	}
	vf_dealloc(ctx, text);
	return good;
}

static bool check_plan(job_case *c, const vf_machine *machine)
{
	vf_normal normal;
	assert_true(vf_normalise(ctx, &normal, &c->job));
	vf_plan *plan = vf_plan_make(ctx, &normal, machine);
	assert_non_null(plan);
	run(c, plan, NULL);
	bool good = same(c, plan, "interpreter");
	if (good && !vf_jit_refusal()[0])
		good = check_compiled(c, plan);
	vf_plan_drop(ctx, plan);
	vf_normal_drop(ctx, &normal);
	return good;
}

static bool check_case(uint64_t seed, void (*make)(job_case *, uint64_t))
{
	job_case c;
	vf_machine machine = vf_machine_read();
	make(&c, seed);
	bool good = check_plan(&c, &machine);
	for (size_t k = 0; good && k < sizeof tiny_machines / sizeof tiny_machines[0]; k++)
		good = check_plan(&c, &tiny_machines[k]);
	job_free(&c);
	return good;
}

TEST(random_jobs)
{
	const char *seed = getenv("VF_SEED"), *cases = getenv("VF_CASES");
	uint64_t first = seed ? strtoull(seed, NULL, 10) : 1;
	uint64_t count = cases ? strtoull(cases, NULL, 10) : seed ? 1 : 1500;
	for (uint64_t k = 0; k < count; k++)
		assert_true(check_case(first + k, job_make));
}

TEST(lists)
{
	const char *cases = getenv("VF_CASES");
	uint64_t count = cases ? strtoull(cases, NULL, 10) : 600;
	for (uint64_t seed = 1; seed <= count; seed++)
		assert_true(check_case(seed, job_make_lists));
}

TEST(windows)
{
	for (uint64_t seed = 1; seed <= 150; seed++)
		assert_true(check_case(seed, job_make_windows));
}

TEST(turns)
{
	for (uint64_t seed = 1; seed <= 300; seed++)
		assert_true(check_case(seed, job_make_turns));
}

TEST(rows_that_go_on)
{
	for (uint64_t seed = 1; seed <= 150; seed++)
		assert_true(check_case(seed, job_make_rows));
}

TEST(crossings)
{
	for (uint64_t seed = 1; seed <= 60; seed++)
		assert_true(check_case(seed, job_make_crossing));
}

/* The same jobs through the door that the library uses, threads and cache and all. */
TEST(random_jobs_by_code)
{
	vf_context *threaded = vf_context_create(&(vf_options){.threads = 3, .cache_kernels = 8});
	assert_non_null(threaded);
	for (uint64_t seed = 1; seed <= 200; seed++) {
		job_case c;
		job_make(&c, seed);
		vf_code *code = get_ready(threaded, &c.job);
		assert_non_null(code);
		memset(c.out, JOB_GUARD, (size_t)c.out_bytes);
		assert_int_equal(vf_code_run(threaded, code, c.dst, (const void *const *)c.sources), VF_OK);
		assert_int_equal(job_differs(&c), -1);
		vf_code_release(threaded, code);
		job_free(&c);
	}
	vf_context_release(threaded);
}

static int open_context(void **state)
{
	ctx = vf_context_create(&(vf_options){.variant = getenv("VF_VARIANT")});
	return ctx ? 0 : -1;
}

static int close_context(void **state)
{
	vf_context_release(ctx);
	return 0;
}

int main(void)
{
	return test_all(open_context, close_context);
}
