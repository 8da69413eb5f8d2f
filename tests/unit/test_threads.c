/* test_threads.c -- one context, many threads: building, compiling, running, failing, forking.
 *
 * The cache holds four kernels, so most of what runs has been evicted meanwhile. Results are
 * compared with what the index rule of the chain says. Assertions are left to the main thread.
 */
#include "viewfold.h"

#include "support/whole_heap.h"
#include "test.h"
#include "support/release.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum { THREADS = 8, PLANS = 300, MOST = 4096 };

typedef struct worker {
	vf_context *ctx;
	int number;
	int64_t wrong, plans;
} worker;

static void on_all_threads(vf_context *ctx, void *(*body)(void *), int64_t *wrong, int64_t *plans)
{
	pthread_t threads[THREADS];
	worker workers[THREADS];
	*wrong = *plans = 0;
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (worker){ctx, i, 0, 0};
		assert_int_equal(pthread_create(&threads[i], NULL, body, &workers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		*wrong += workers[i].wrong;
		*plans += workers[i].plans;
	}
}

/* ---- plans ---- */

/* x (n, m) turned, its rows then reversed: out[j][i] = x[i][m-1-j]. */
static bool turned_right(const uint16_t *in, const uint16_t *out, int64_t n, int64_t m)
{
	for (int64_t j = 0; j < m; j++)
		for (int64_t i = 0; i < n; i++)
			if (out[j * n + i] != in[i * m + m - 1 - j])
				return false;
	return true;
}

/* The plan of shape (n, m), made and run on a wrapped buffer; the kernel, kept, is the caller's. */
static bool one_plan(vf_context *ctx, int64_t n, int64_t m, vf_kernel **kept)
{
	uint16_t in[MOST], out[MOST];
	for (int64_t i = 0; i < n * m; i++)
		in[i] = (uint16_t)(i * 3 + n);
	vf_array *x = vf_wrap(ctx, in, VF_U16, 2, (int64_t[]){n, m}, NULL);
	vf_array *v = vf_apply(x, "permute(1, 0)[::-1]");
	bool good = vf_materialize(v, out, (size_t)(n * m) * 2) == VF_OK && turned_right(in, out, n, m);
	*kept = vf_compile(v, 1, &x);
	RELEASE(v, x);
	return good && *kept;
}

/* A kernel that the cache has forgotten still does what it did. */
static bool old_kernel(vf_kernel *k, int64_t n, int64_t m)
{
	uint16_t in[MOST], out[MOST];
	for (int64_t i = 0; i < n * m; i++)
		in[i] = (uint16_t)(i * 5 + m);
	return vf_run(k, out, (size_t)(n * m) * 2, (const void *const[]){in}) == VF_OK &&
	       turned_right(in, out, n, m);
}

/* ---- processes; the first test, before this one compiles ---- */

static bool in_child(bool (*body)(vf_context *), vf_context *ctx)
{
	pid_t child = fork();
	if (child == 0) {
		alarm(20);
		_exit(body(ctx) ? 0 : 1);
	}
	int status = -1;
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

#ifdef __linux__
#ifdef __NR_mmap2 /* 32-bit machines */
#define NR_MMAP __NR_mmap2
#else
#define NR_MMAP __NR_mmap
#endif
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

/* No mapping becomes executable any more: mmap and mprotect that ask for it are refused. */
static bool refuse_executable(void)
{
	struct sock_filter rules[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NR_MMAP, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* The chain runs, by the interpreter, and says so with a reason, in the kernel's info and in explain. */
static bool interprets(vf_context *unused)
{
	vf_kernel_info info;
	vf_kernel *k;
	vf_context *ctx = vf_context_create(NULL);
	if (!one_plan(ctx, 11, 13, &k))
		return false;
	vf_kernel_get_info(k, &info);
	bool good = strcmp(info.engine, "interpreter") == 0 && info.why[0] && old_kernel(k, 11, 13);
	vf_array *x = vf_declare(ctx, VF_U16, 2, (int64_t[]){11, 13}, NULL), *v = vf_T(x);
	char *text = vf_explain(v);
	good = good && text && strstr(text, "interpreter") && strstr(text, info.why);
	vf_text_free(ctx, text);
	RELEASE(v, x);
	vf_kernel_release(k);
	vf_context_release(ctx);
	return good;
}

static bool under_mdwe(vf_context *ctx)
{
	if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0L, 0L, 0L) != 0)
		return true; /* an older kernel */
	return interprets(ctx);
}

static bool under_seccomp(vf_context *ctx)
{
	return !refuse_executable() || interprets(ctx);
}

static bool code_is_an_error(vf_context *unused)
{
	vf_context *ctx = vf_context_create(&(vf_options){.engine = VF_ENGINE_JIT});
	if (!refuse_executable())
		return true;
	vf_array *x = vf_declare(ctx, VF_U16, 2, (int64_t[]){11, 13}, NULL), *v = vf_T(x);
	bool refused = !vf_compile(v, 1, &x) && vf_error_code(ctx) == VF_ERR_COMPILE && vf_error_text(ctx)[0];
	RELEASE(v, x);
	vf_context_release(ctx);
	return refused;
}

TEST(executable_memory_denied)
{
	assert_true(in_child(under_mdwe, NULL));
	assert_true(in_child(under_seccomp, NULL));
	assert_true(in_child(code_is_an_error, NULL));
}
#endif

/* ---- distinct plans ---- */

/* Shapes of this thread's own, then ones that all threads ask for. */
static void shape_of(const worker *w, int i, int64_t *n, int64_t *m)
{
	int id = i % 3 == 2 ? i : w->number * PLANS + i;
	*n = 2 + id % 53;
	*m = 2 + id / 53 % 60;
}

static void *many_plans(void *arg)
{
	worker *w = arg;
	vf_kernel *old = NULL;
	int64_t n = 0, m = 0, old_n = 0, old_m = 0;
	for (int i = 0; i < PLANS; i++, old_n = n, old_m = m) {
		vf_kernel *k = NULL;
		shape_of(w, i, &n, &m);
		w->wrong += !one_plan(w->ctx, n, m, &k);
		w->wrong += old && !old_kernel(old, old_n, old_m);
		w->plans++;
		vf_kernel_release(old);
		old = k;
	}
	vf_kernel_release(old);
	return NULL;
}

TEST(plans_by_the_thousand)
{
	static const vf_engine engines[] = {VF_ENGINE_AUTO, VF_ENGINE_INTERPRET};
	for (int i = 0; i < 2; i++) {
		vf_stats stats;
		int64_t wrong, plans;
		vf_context *ctx = vf_context_create(&(vf_options){.cache_kernels = 4, .engine = engines[i]});
		on_all_threads(ctx, many_plans, &wrong, &plans);
		vf_get_stats(ctx, &stats);
		assert_int_equal(wrong, 0);
		assert_int_equal(vf_error_code(ctx), VF_OK);
		assert_int_equal(stats.cache_kernels, 4);
		assert_int_equal(stats.cache_evictions, stats.cache_misses - 4);
		print_message("%d threads, %lld plans, %lld misses, %lld evictions\n", THREADS,
		              (long long)plans, (long long)stats.cache_misses,
		              (long long)stats.cache_evictions);
		vf_context_release(ctx);
	}
}

/* ---- one array ---- */

static vf_array *shared;
static uint16_t shared_bytes[24 * 30];

/* The kernel of a node is made by whoever comes first; all get the same bytes. */
static void *materialize_shared(void *arg)
{
	worker *w = arg;
	uint16_t out[24 * 30];
	for (int i = 0; i < 50; i++) {
		vf_array *v = vf_retain(shared);
		w->wrong += vf_materialize(v, out, sizeof out) != VF_OK ||
		            !turned_right(shared_bytes, out, 24, 30);
		vf_release(v);
		char *text = vf_explain(v);
		w->wrong += !text;
		vf_text_free(w->ctx, text);
		w->plans++;
	}
	return NULL;
}

TEST(one_array_for_all)
{
	for (int round = 0; round < 10; round++) {
		int64_t wrong, plans;
		vf_context *ctx = vf_context_create(&(vf_options){.threads = 2});
		for (int i = 0; i < 24 * 30; i++)
			shared_bytes[i] = (uint16_t)i;
		vf_array *x = vf_wrap(ctx, shared_bytes, VF_U16, 2, (int64_t[]){24, 30}, NULL);
		shared = vf_apply(x, "T[::-1]");
		vf_release(x);
		on_all_threads(ctx, materialize_shared, &wrong, &plans);
		assert_int_equal(wrong, 0);
		vf_release(shared);
		vf_context_release(ctx);
	}
}

/* ---- errors ---- */

/* The error kept is whole: some thread's sentence with the code of the same failure. */
static bool whole_error(vf_context *ctx)
{
	vf_status code = vf_error_code(ctx);
	const char *text = vf_error_text(ctx);
	return code == VF_ERR_SHAPE  ? strncmp(text, "reshape: ", 9) == 0
	       : code == VF_ERR_AXIS ? strncmp(text, "unsqueeze: ", 11) == 0
	                             : false;
}

static void *fail_often(void *arg)
{
	worker *w = arg;
	vf_array *x = vf_declare(w->ctx, VF_U8, 2, (int64_t[]){4, 6}, NULL);
	for (int i = 0; i < 2000; i++) {
		vf_array *v = w->number % 2 ? vf_reshape(x, 1, (int64_t[]){25}) : vf_unsqueeze(x, 9);
		w->wrong += v != NULL;
		vf_release(v);
		w->plans++;
	}
	/* Another thread may still be writing the sentence of the first. */
	w->wrong += vf_error_code(w->ctx) != VF_OK && !whole_error(w->ctx);
	vf_release(x);
	return NULL;
}

TEST(the_first_error_stays)
{
	for (int round = 0; round < 20; round++) {
		int64_t wrong, calls;
		vf_context *ctx = vf_context_create(NULL);
		on_all_threads(ctx, fail_often, &wrong, &calls);
		assert_int_equal(wrong, 0);
		assert_true(whole_error(ctx));
		vf_error_clear(ctx);
		assert_int_equal(vf_error_code(ctx), VF_OK);
		vf_context_release(ctx);
	}
}

/* One thread's clearing does not turn another's failure into a success. */
static void *fail_and_clear(void *arg)
{
	worker *w = arg;
	unsigned char byte[8];
	vf_array *x = vf_declare(w->ctx, VF_U8, 1, (int64_t[]){8}, NULL);
	for (int i = 0; i < 2000; i++) {
		w->wrong += vf_materialize(x, byte, sizeof byte) != VF_ERR_DATA;
		w->wrong += vf_fill(x, byte) == VF_OK || vf_assign(x, NULL) == VF_OK;
		vf_error_clear(w->ctx);
		w->plans++;
	}
	vf_release(x);
	return NULL;
}

TEST(a_failure_is_the_callers_own)
{
	int64_t wrong, calls;
	vf_context *ctx = vf_context_create(NULL);
	on_all_threads(ctx, fail_and_clear, &wrong, &calls);
	assert_int_equal(wrong, 0);
	vf_context_release(ctx);
}

/* ---- children ---- */

static bool twenty_plans(vf_context *ctx)
{
	bool good = true;
	for (int i = 0; i < 20 && good; i++) {
		vf_kernel *k;
		good = one_plan(ctx, 3 + i, 7, &k) && old_kernel(k, 3 + i, 7);
		vf_kernel_release(k);
	}
	return good;
}

static atomic_bool stop;
static atomic_int started;

static void *plans_until_told(void *arg)
{
	worker *w = arg;
	for (int i = 0; !atomic_load(&stop); i++) {
		vf_kernel *k;
		w->wrong += !one_plan(w->ctx, 3 + i % 40, 7, &k);
		vf_kernel_release(k);
		atomic_fetch_add(&started, i == 0);
	}
	return NULL;
}

TEST(a_child_of_a_process_that_compiles)
{
	vf_context *ctx = vf_context_create(&(vf_options){.cache_kernels = 4,
	                                                  .allocate = whole_heap_allocate,
	                                                  .reallocate = whole_heap_reallocate,
	                                                  .deallocate = whole_heap_free});
	pthread_t threads[2];
	worker workers[2] = {{ctx, 0, 0, 0}, {ctx, 1, 0, 0}};
	int good = 0;
	atomic_store(&stop, false);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, plans_until_told, &workers[i]), 0);
	while (atomic_load(&started) < 2)
		sched_yield();
	for (int i = 0; i < 30; i++)
		good += in_child(twenty_plans, ctx);
	atomic_store(&stop, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(good, 30);
	assert_int_equal(workers[0].wrong + workers[1].wrong, 0);
	vf_context_release(ctx);
}

int main(void)
{
	if (!whole_heap_begin())
		return 1;
	return test_all(NULL, NULL);
}
