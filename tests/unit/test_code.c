/* test_code.c -- the door: cache, engines, forks, and memory that cannot be had. */
#include "driver/compile.h"
#include "engine/cache.h"
#include "support/jobs.h"
#include "support/transposed.h"
#include "support/whole_heap.h"
#include "test.h"
#include "support/release.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the cache ---- */

TEST(one_job_is_made_once)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_code *a = get(ctx, 5, 7), *b = get(ctx, 5, 7);
	assert_ptr_equal(a, b);
	assert_int_equal(stats_of(ctx).cache_hits, 1);
	assert_int_equal(stats_of(ctx).cache_misses, 1);
	assert_int_equal(stats_of(ctx).cache_kernels, 1);
	assert_int_equal(stats_of(ctx).kernels_compiled + stats_of(ctx).kernels_interpreted, 1);
	assert_true(transposes(ctx, a, 5, 7));
	vf_code_release(ctx, a);
	vf_code_release(ctx, b);
	vf_context_release(ctx);
}

TEST(jobs_of_one_normal_form_share_code)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_move split = {0, 34, 34, 4, (vf_loop[]){{7, -1, -5}, {1, 3, 3}, {5, -7, -1}, {1, 0, 0}}, {0}};
	vf_job job = {4, 1, 1, &split, 35};
	vf_code *a = get(ctx, 5, 7), *b = get_ready(ctx, &job);
	assert_ptr_equal(a, b);
	vf_code_release(ctx, a);
	vf_code_release(ctx, b);
	vf_context_release(ctx);
}

/* Row by row from rows of another array: jobs that differ only in where they stand. */
TEST(writes_of_pieces_share_code)
{
	enum { N = 9 };
	int32_t in[N][N], out[N][N];
	memset(out, 0, sizeof out);
	for (int i = 0; i < N * N; i++)
		in[i / N][i % N] = i + 1;
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, in, VF_I32, 2, (int64_t[]){N, N}, NULL), *T = vf_T(x);
	vf_array *y = vf_wrap(ctx, out, VF_I32, 2, (int64_t[]){N, N}, NULL);
	for (int i = 0; i < N; i++) {
		vf_array *place = vf_narrow(y, 0, i, 1), *piece = vf_narrow(T, 0, i, 1);
		assert_int_equal(vf_assign(place, piece), VF_OK);
		RELEASE(piece, place);
	}
	for (int i = 0; i < N * N; i++)
		assert_int_equal(out[i / N][i % N], in[i % N][i / N]);
	assert_int_equal(stats_of(ctx).cache_misses, 1);
	assert_int_equal(stats_of(ctx).cache_hits, N - 1);
	RELEASE(y, T, x);
	vf_context_release(ctx);
}

TEST(the_least_recently_used_goes_and_lives_on_while_held)
{
	vf_context *ctx = vf_context_create(&(vf_options){.cache_kernels = 2});
	vf_code *first = get(ctx, 3, 4), *second = get(ctx, 4, 5);
	vf_code_release(ctx, get(ctx, 3, 4)); /* now the second is the oldest */
	vf_code *third = get(ctx, 5, 6);
	assert_int_equal(stats_of(ctx).cache_evictions, 1);
	assert_int_equal(stats_of(ctx).cache_kernels, 2);
	assert_true(transposes(ctx, second, 4, 5));
	vf_code *again = get(ctx, 3, 4), *anew = get(ctx, 4, 5);
	assert_ptr_equal(first, again);
	assert_ptr_not_equal(second, anew);
	vf_code *all[] = {first, second, third, again, anew};
	for (int k = 0; k < 5; k++)
		vf_code_release(ctx, all[k]);
	vf_context_release(ctx);
}

/* ---- engines ---- */

TEST(engines)
{
	vf_code_info info;
	vf_context *plain = vf_context_create(&(vf_options){.engine = VF_ENGINE_INTERPRET});
	vf_code *code = get(plain, 5, 7);
	vf_code_get_info(code, &info);
	assert_string_equal(info.engine, "interpreter");
	assert_true(info.why[0] != 0);
	assert_true(transposes(plain, code, 5, 7));
	vf_code_release(plain, code);
	vf_context_release(plain);

	vf_context *jit = vf_context_create(&(vf_options){.engine = VF_ENGINE_JIT});
	code = get(jit, 5, 7);
	if (vf_jit_refusal()[0]) {
		assert_null(code);
		assert_int_equal(vf_error_code(jit), VF_ERR_COMPILE);
	} else {
		vf_code_get_info(code, &info);
		assert_string_equal(info.engine, "jit");
		assert_string_equal(info.why, "");
		assert_true(info.compile_ns > 0);
	}
	vf_code_release(jit, code);
	vf_context_release(jit);
}

/* One more run of the transposed matrix: how many plans are compiled, and how many are not, by then. */
static void expect_after_run(vf_context *ctx, int64_t n, int compiled, int interpreted)
{
	float in[600], out[600];
	for (int k = 0; k < 600; k++)
		in[k] = (float)k;
	vf_array *x = vf_wrap(ctx, in, VF_F32, 2, (int64_t[]){n, 20}, NULL), *t = vf_T(x);
	assert_int_equal(vf_materialize(t, out, (size_t)n * 20 * sizeof *out), VF_OK);
	assert_true(out[1] == 20 && out[n] == 1);
	assert_int_equal(stats_of(ctx).kernels_compiled, compiled);
	assert_int_equal(stats_of(ctx).kernels_interpreted, interpreted);
	RELEASE(t, x);
}

TEST(a_plan_is_compiled_when_it_runs_again)
{
	const int one = vf_jit_refusal()[0] ? 0 : 1;
	vf_context *ctx = vf_context_create(NULL);
	expect_after_run(ctx, 30, 0, 1);
	expect_after_run(ctx, 29, 0, 2); /* another plan */
	expect_after_run(ctx, 30, one, 2 - one);
	expect_after_run(ctx, 30, one, 2 - one);
	expect_after_run(ctx, 29, 2 * one, 2 - 2 * one);
	assert_true(stats_of(ctx).compile_ns > 0 || !one);

	vf_array *x = vf_declare(ctx, VF_F32, 2, (int64_t[]){28, 20}, NULL), *t = vf_T(x);
	expect_after_run(ctx, 28, 2 * one, 3 - 2 * one);
	vf_kernel *k = vf_compile(t, 1, &x); /* to be kept: at once */
	assert_int_equal(stats_of(ctx).kernels_compiled, 3 * one);
	vf_kernel_release(k);
	RELEASE(t, x);
	vf_context_release(ctx);
}

TEST(what_takes_many_calls_is_compiled_at_once)
{
	enum { N = 22, H = N / 2, IN = N * N * N * N * N * 8, OUT = H * H * H * H * H * 5 };
	uint8_t *in = calloc(IN, 1), *out = malloc(OUT);
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, in, VF_U8, 6, (int64_t[]){N, N, N, N, N, 8}, NULL);
	vf_array *runs = vf_apply(x, "[::-2, ::2, ::-2, ::2, ::-2, :5]");
	assert_int_equal(vf_materialize(runs, out, OUT), VF_OK);
	assert_int_equal(stats_of(ctx).kernels_compiled, vf_jit_refusal()[0] ? 0 : 1);
	RELEASE(runs, x);
	vf_context_release(ctx);
	free(in);
	free(out);
}

TEST(texts)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_code *code = get(ctx, 50, 70);
	char *plan = vf_code_plan_text(ctx, code), *text = vf_code_source(ctx, code, NULL),
	     *alone = vf_code_source_steps(ctx, (const vf_code *const[]){code}, NULL, 1);
	assert_non_null(strstr(plan, "root"));
	assert_non_null(strstr(text, "vf_kernel"));
	assert_true(strlen(alone) > strlen(text));
	vf_dealloc(ctx, plan);
	vf_dealloc(ctx, text);
	vf_dealloc(ctx, alone);
	vf_code_release(ctx, code);
	vf_context_release(ctx);
}

/* ---- forks ---- */

static atomic_bool stop, asked;

static void *ask_until_told(void *arg)
{
	for (int64_t k = 0; !atomic_load(&stop); k++) {
		vf_code *code = get(arg, 2 + k % 40, 11);
		vf_code_release(arg, code);
		atomic_store(&asked, true);
	}
	return NULL;
}

static bool child_works(vf_context *ctx)
{
	bool good = true;
	for (int64_t k = 0; good && k < 40; k++) {
		vf_code *code = get(ctx, 2 + k, 11);
		good = code && transposes(ctx, code, 2 + k, 11);
		vf_code_release(ctx, code);
	}
	vf_code *large = get(ctx, 700, 501);
	return good && large && transposes(ctx, large, 700, 501);
}

TEST(a_child_can_go_on)
{
	vf_context *ctx = vf_context_create(&(vf_options){.threads = 2,
	                                                  .cache_kernels = 4,
	                                                  .allocate = whole_heap_allocate,
	                                                  .reallocate = whole_heap_reallocate,
	                                                  .deallocate = whole_heap_free});
	vf_code *large = get(ctx, 700, 501);
	assert_true(transposes(ctx, large, 700, 501)); /* the pool has started */
	pthread_t thread;
	atomic_store(&stop, false);
	assert_int_equal(pthread_create(&thread, NULL, ask_until_told, ctx), 0);
	while (!atomic_load(&asked))
		sched_yield();
	for (int k = 0; k < 20; k++) {
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			_exit(child_works(ctx) ? 0 : 1);
		}
		int status = -1;
		assert_true(waitpid(child, &status, 0) == child);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	vf_code_release(ctx, large);
	vf_context_release(ctx);
}

/* ---- memory ---- */

typedef struct purse {
	int64_t left; /* allocations that succeed; -1: all */
	int64_t live;
} purse;

static void *purse_allocate(void *user, size_t bytes)
{
	purse *p = user;
	if (p->left == 0)
		return NULL;
	p->left -= p->left > 0;
	p->live++;
	return malloc(bytes);
}

static void *purse_reallocate(void *user, void *block, size_t bytes)
{
	purse *p = user;
	if (!block)
		return purse_allocate(user, bytes);
	if (p->left == 0)
		return NULL;
	p->left -= p->left > 0;
	return realloc(block, bytes);
}

static void purse_deallocate(void *user, void *block)
{
	((purse *)user)->live -= block != NULL;
	free(block);
}

/* Every allocation on the way to code and texts fails once; each time it is an error, and nothing leaks. */
TEST(any_allocation_may_fail)
{
	purse p = {-1, 0};
	vf_context *ctx = vf_context_create(&(vf_options){.allocate = purse_allocate,
	                                                  .reallocate = purse_reallocate,
	                                                  .deallocate = purse_deallocate,
	                                                  .memory_user = &p});
	int failures = 0;
	for (uint64_t seed = 1; seed <= 25; seed++) {
		job_case c;
		job_make(&c, seed);
		vf_code *code = NULL;
		for (int64_t allowed = 0; !code && allowed < 200; allowed++) {
			const int64_t live = p.live, kernels = stats_of(ctx).cache_kernels;
			p.left = allowed;
			code = get_ready(ctx, &c.job);
			p.left = -1;
			if (!code) {
				assert_int_equal(vf_error_code(ctx), VF_ERR_MEMORY);
				if (stats_of(ctx).cache_kernels == kernels)
					assert_int_equal(p.live, live); /* else what is planned stays */
				vf_error_clear(ctx);
				failures++;
			}
		}
		assert_non_null(code);
		vf_code_release(ctx, code);
		job_free(&c);
	}
	assert_true(failures > 25);
	vf_context_release(ctx);
	assert_int_equal(p.live, 0);
}

TEST(a_context_that_cannot_be_had)
{
	vf_context *ctx = NULL;
	for (int64_t allowed = 0; !ctx && allowed < 50; allowed++) {
		purse p = {allowed, 0};
		ctx = vf_context_create(&(vf_options){.allocate = purse_allocate,
		                                      .reallocate = purse_reallocate,
		                                      .deallocate = purse_deallocate,
		                                      .memory_user = &p,
		                                      .threads = 3});
		if (ctx) {
			vf_context_release(ctx);
			assert_int_equal(p.live, 0);
			return;
		}
		assert_int_equal(p.live, 0);
	}
	fail();
}

int main(void)
{
	if (!whole_heap_begin())
		return 1;
	return test_all(NULL, NULL);
}
