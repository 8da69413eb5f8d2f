/* test_pool.c -- the door with many threads: the cache, the pool, the settings, a caller's own pool. */
#include "driver/compile.h"
#include "engine/cache.h"
#include "support/transposed.h"
#include "support/whole_heap.h"
#include "test.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

/* ---- many threads ---- */

enum { THREADS = 4, ROUNDS = 60 };

static void *ask(void *arg)
{
	vf_context *ctx = arg;
	for (int64_t k = 0; k < ROUNDS; k++) {
		vf_code *code = get(ctx, 2 + k % 12, 9);
		if (!code || !transposes(ctx, code, 2 + k % 12, 9))
			return arg;
		vf_code_release(ctx, code);
	}
	return NULL;
}

static void ask_from_threads(vf_context *ctx)
{
	pthread_t threads[THREADS];
	for (int k = 0; k < THREADS; k++)
		assert_int_equal(pthread_create(&threads[k], NULL, ask, ctx), 0);
	for (int k = 0; k < THREADS; k++) {
		void *failed;
		pthread_join(threads[k], &failed);
		assert_null(failed);
	}
}

TEST(threads_make_each_job_once)
{
	vf_context *ctx = vf_context_create(NULL);
	ask_from_threads(ctx);
	assert_int_equal(stats_of(ctx).cache_misses, 12);
	assert_int_equal(stats_of(ctx).cache_hits, THREADS * ROUNDS - 12);
	vf_context_release(ctx);
}

TEST(threads_in_a_cache_that_is_too_small)
{
	vf_context *ctx = vf_context_create(&(vf_options){.cache_kernels = 3});
	ask_from_threads(ctx);
	assert_int_equal(stats_of(ctx).cache_kernels, 3);
	vf_context_release(ctx);
}

TEST(a_large_result_on_the_pool)
{
	vf_context *ctx = vf_context_create(&(vf_options){.threads = 3});
	vf_code *code = get(ctx, 700, 501);
	for (int k = 0; k < 5; k++)
		assert_true(transposes(ctx, code, 700, 501));
	vf_code_release(ctx, code);
	vf_context_release(ctx);
}

static void *run_on_pool(void *arg)
{
	vf_context *ctx = arg;
	vf_code *code = get(ctx, 300, 401);
	bool good = transposes(ctx, code, 300, 401) && transposes(ctx, code, 300, 401);
	vf_code_release(ctx, code);
	return good ? NULL : arg;
}

TEST(callers_that_share_a_pool)
{
	vf_context *ctx = vf_context_create(&(vf_options){.threads = 2});
	pthread_t threads[THREADS];
	for (int k = 0; k < THREADS; k++)
		assert_int_equal(pthread_create(&threads[k], NULL, run_on_pool, ctx), 0);
	for (int k = 0; k < THREADS; k++) {
		void *failed;
		pthread_join(threads[k], &failed);
		assert_null(failed);
	}
	vf_context_release(ctx);
}

static int threads_of_the_process(void)
{
	int n = 0;
	DIR *folder = opendir("/proc/self/task");
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		n += entry->d_name[0] != '.';
	closedir(folder);
	return n;
}

static void wait_10_ms(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* The system lists a thread a moment longer than pthread_join() waits for it. */
static int threads_that_stay(void)
{
	int n = threads_of_the_process(), before = n + 1;
	for (; n != before; n = threads_of_the_process()) {
		before = n;
		wait_10_ms();
	}
	return n;
}

/* Workers start with the first run that is large enough, as many as were asked for last. */
TEST(threads_are_a_setting)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_code *code = get(ctx, 700, 501);
	const int asked[] = {1, 3, 2, 4, 0}, started[] = {0, 2, 2, 3, 3};
	int before = threads_that_stay();
	for (int k = 0; k < 5; k++) {
		assert_int_equal(vf_context_set(ctx, asked[k], VF_EFFORT_ESTIMATE, VF_ENGINE_AUTO), VF_OK);
		assert_true(transposes(ctx, code, 700, 501));
		assert_int_equal(threads_of_the_process(), before + started[k]);
	}
	vf_code_release(ctx, code);
	vf_context_release(ctx);
}

TEST(settings_change_while_others_run)
{
	vf_context *ctx = vf_context_create(NULL);
	pthread_t threads[THREADS];
	const vf_engine engines[] = {VF_ENGINE_AUTO, VF_ENGINE_INTERPRET, VF_ENGINE_JIT};
	const int n = VF_HAVE_LIBTCC ? 3 : 2;
	for (int k = 0; k < THREADS; k++)
		assert_int_equal(pthread_create(&threads[k], NULL, run_on_pool, ctx), 0);
	for (int k = 0; k < 200; k++)
		assert_int_equal(vf_context_set(ctx, k % 5, VF_EFFORT_ESTIMATE, engines[k % n]), VF_OK);
	for (int k = 0; k < THREADS; k++) {
		void *failed;
		pthread_join(threads[k], &failed);
		assert_null(failed);
	}
	vf_context_release(ctx);
}

TEST(settings_that_are_none)
{
	vf_context *ctx = vf_context_create(NULL);
	assert_int_equal(vf_context_set(ctx, -1, VF_EFFORT_ESTIMATE, VF_ENGINE_AUTO), VF_ERR_ARGUMENT);
	assert_string_equal(vf_error_text(ctx), "context: -1 threads: the number is negative");
	vf_error_clear(ctx);
	assert_int_equal(vf_context_set(ctx, 1, (vf_effort)2, VF_ENGINE_AUTO), VF_ERR_ARGUMENT);
	assert_string_equal(vf_error_text(ctx),
	                    "context: effort 2 and engine 0: efforts are 0 to 1, engines 0 to 2");
	assert_int_equal(vf_context_set(ctx, 1, VF_EFFORT_MEASURE, (vf_engine)3), VF_ERR_ARGUMENT);
	assert_int_equal(vf_context_set(NULL, 1, VF_EFFORT_MEASURE, VF_ENGINE_AUTO), VF_ERR_ARGUMENT);
	vf_context_release(ctx);
}

/* The interpreter from now on: what was compiled stays. */
TEST(the_engine_is_a_setting)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_context_set(ctx, 1, VF_EFFORT_ESTIMATE, VF_ENGINE_INTERPRET);
	vf_code *code = get(ctx, 5, 6);
	assert_int_equal(stats_of(ctx).kernels_interpreted, 1);
	assert_true(transposes(ctx, code, 5, 6));
	vf_code_release(ctx, code);
	vf_context_release(ctx);
}

/* Runs the tasks backwards, so that order shows. */
static void backwards(void *user, int64_t count, void (*task)(void *data, int64_t i), void *data)
{
	*(int64_t *)user += count;
	while (count-- > 0)
		task(data, count);
}

TEST(the_callers_own_pool)
{
	int64_t tasks = 0;
	vf_context *ctx = vf_context_create(
	    &(vf_options){.threads = 4, .parallel = backwards, .parallel_user = &tasks});
	vf_code *small = get(ctx, 30, 40), *large = get(ctx, 700, 501);
	assert_true(transposes(ctx, small, 30, 40));
	assert_int_equal(tasks, 0);
	assert_true(transposes(ctx, large, 700, 501));
	assert_in_range(tasks, 2, vf_code_units(large));
	vf_code_release(ctx, small);
	vf_code_release(ctx, large);
	vf_context_release(ctx);
}

int main(void)
{
	if (!whole_heap_begin())
		return 1;
	return test_all(NULL, NULL);
}
