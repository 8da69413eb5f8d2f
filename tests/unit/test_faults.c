/* test_faults.c -- code that cannot be made, met through the public calls.
 *
 * libtcc is refused each of its allocations in turn, in a process's first compile and in a later one, and
 * jit.c its pages or their protection; the linker puts this file between them and the functions they
 * call (--wrap). Each time, in a process of its own: a context that leaves the engine open gives the right
 * bytes all the same and says in its log why it interprets; one that asks for code gets VF_ERR_COMPILE, a
 * sentence, and no byte written. Nothing is printed. After a fault that passes, the next chain is compiled.
 */
#include "viewfold.h"

#include "codegen/tcc_host.h"
#include "test.h"
#include "support/release.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef VF_TCC_RELOCATE_PTR
#define VF_TCC_RELOCATE_PTR 0
#endif

/* ---- faults ---- */

typedef enum fault_kind { TCC_MEMORY, MMAP, MPROTECT, FAULTS } fault_kind;

static struct fault {
	long at;         /* the call that is refused; -1: none */
	bool ever_after; /* and every one after it */
	long calls, refused;
} faults[FAULTS] = {{.at = -1}, {.at = -1}, {.at = -1}};

static bool refuses(fault_kind kind)
{
	struct fault *f = &faults[kind];
	long call = f->calls++;
	bool refused = f->at >= 0 && (call == f->at || (f->ever_after && call > f->at));
	f->refused += refused;
	return refused;
}

/* Without its arena libtcc has nothing but malloc. */
void __real_vf_tcc_arena_open(void);
void __wrap_vf_tcc_arena_open(void);
void __wrap_vf_tcc_arena_open(void)
{
	if (faults[TCC_MEMORY].at < 0)
		__real_vf_tcc_arena_open();
}

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
	return vf_tcc_way_out && refuses(TCC_MEMORY) ? NULL : __real_malloc(bytes);
}

void *__real_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes)
{
	return vf_tcc_way_out && refuses(TCC_MEMORY) ? NULL : __real_realloc(block, bytes);
}

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	return refuses(MMAP) ? MAP_FAILED : __real_mmap(at, bytes, protection, flags, file, offset);
}

int __real_mprotect(void *at, size_t bytes, int protection);
int __wrap_mprotect(void *at, size_t bytes, int protection);
int __wrap_mprotect(void *at, size_t bytes, int protection)
{
	return refuses(MPROTECT) ? -1 : __real_mprotect(at, bytes, protection);
}

/* ---- one run, in a process of its own ---- */

typedef struct trial {
	fault_kind kind;
	long at;
	bool ever_after;
	vf_engine engine;
	bool passes; /* a later compile works again */
	bool later;  /* something was compiled before */
	const char *says;
} trial;

typedef enum outcome { BROKEN = 1, REFUSED = 2, NOT_REACHED = 3 } outcome;

static outcome broken(const char *what, vf_context *ctx)
{
	fprintf(stderr, "%s; %s \"%s\"\n", what, vf_status_name(vf_error_code(ctx)), vf_error_text(ctx));
	return BROKEN;
}

enum { ROWS = 30, COLUMNS = 17, UNTOUCHED = -7 };

/* x[:, :columns].T of numbers that count up, into out. */
static vf_status transposed(vf_context *ctx, int64_t columns, int32_t *out)
{
	static int32_t in[ROWS * COLUMNS];
	for (int i = 0; i < ROWS * COLUMNS; i++) {
		in[i] = i;
		out[i] = UNTOUCHED;
	}
	vf_array *x = vf_wrap(ctx, in, VF_I32, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	vf_array *part = vf_narrow(x, 1, 0, columns), *y = vf_T(part);
	vf_kernel *k = vf_compile(y, 1, &x);
	vf_status status = k ? vf_run(k, out, (size_t)vf_size_bytes(y), (const void *const[]){in})
	                     : vf_error_code(ctx);
	vf_kernel_release(k);
	RELEASE(y, part, x);
	return status;
}

static bool is_transposed(const int32_t *out, int64_t columns)
{
	for (int64_t c = 0; c < columns; c++)
		for (int64_t r = 0; r < ROWS; r++)
			if (out[c * ROWS + r] != r * COLUMNS + c)
				return false;
	return true;
}

static bool is_untouched(const int32_t *out)
{
	for (int i = 0; i < ROWS * COLUMNS; i++)
		if (out[i] != UNTOUCHED)
			return false;
	return true;
}

static void keep_line(void *user, const char *line)
{
	snprintf(user, 200, "%s", line);
}

/* The same, while what is written to stdout and stderr goes to a pipe; *printed if anything was. */
static vf_status transposed_quietly(vf_context *ctx, int32_t *out, bool *printed)
{
	int before[2] = {dup(1), dup(2)}, quiet[2];
	char byte;
	fflush(NULL);
	if (pipe(quiet) != 0)
		abort();
	dup2(quiet[1], 1);
	dup2(quiet[1], 2);
	vf_status status = transposed(ctx, COLUMNS, out);
	fflush(NULL);
	dup2(before[0], 1);
	dup2(before[1], 2);
	close(quiet[1]);
	*printed = read(quiet[0], &byte, 1) != 0;
	close(quiet[0]);
	return status;
}

static outcome refused_well(const trial *t, vf_context *ctx, vf_status status, const int32_t *out,
                            const char *logged)
{
	vf_stats stats;
	vf_get_stats(ctx, &stats);
	if (t->engine == VF_ENGINE_JIT) {
		if (status != VF_ERR_COMPILE || strncmp(vf_error_text(ctx), "compile: ", 9) != 0 ||
		    !vf_error_text(ctx)[9])
			return broken("not VF_ERR_COMPILE with a sentence", ctx);
		if (t->says && strcmp(vf_error_text(ctx) + 9, t->says) != 0)
			return broken("another sentence", ctx);
		if (!is_untouched(out))
			return broken("a failed call wrote", ctx);
	} else if (status != VF_OK || !is_transposed(out, COLUMNS)) {
		return broken("the interpreter did not step in", ctx);
	} else if (stats.kernels_interpreted != 1 || stats.kernels_compiled != t->later) {
		return broken("not interpreted", ctx);
	} else if (t->kind == TCC_MEMORY && !logged[0]) {
		return broken("not told", ctx);
	}
	if (strchr(vf_error_text(ctx), '\n') || strchr(logged, '\n'))
		return broken("more than one line", ctx);
	vf_error_clear(ctx);
	return REFUSED;
}

/* The fault is over. */
static outcome another(const trial *t, vf_context *ctx, outcome before)
{
	int32_t out[ROWS * COLUMNS];
	vf_stats stats;
	vf_status status = transposed(ctx, COLUMNS - 1, out);
	vf_get_stats(ctx, &stats);
	bool works = status == VF_OK && is_transposed(out, COLUMNS - 1);
	if (t->passes && (!works || stats.kernels_compiled != 1))
		return broken("not compiled once the fault was over", ctx);
	if (t->engine == VF_ENGINE_AUTO && !works)
		return broken("the chain after the fault", ctx);
	if (!works && status != VF_ERR_COMPILE)
		return broken("another error after the fault", ctx);
	return before;
}

static outcome run(const trial *t)
{
	int32_t out[ROWS * COLUMNS];
	char logged[200] = "";
	vf_context *ctx = vf_context_create(
	    &(vf_options){.engine = t->engine, .log = keep_line, .log_user = logged});
	if (t->later && transposed(ctx, COLUMNS - 2, out) != VF_OK)
		return broken("the chain before the fault", ctx);
	faults[t->kind] = (struct fault){.at = t->at, .ever_after = t->ever_after};
	bool printed;
	vf_status status = transposed_quietly(ctx, out, &printed);
	faults[t->kind].at = -1;
	if (printed)
		return broken("something was printed", ctx);
	if (faults[t->kind].refused == 0)
		return status == VF_OK && is_transposed(out, COLUMNS) ? NOT_REACHED
		                                                      : broken("without a fault", ctx);
	outcome came = refused_well(t, ctx, status, out, logged);
	if (came == REFUSED)
		came = another(t, ctx, came);
	vf_context_release(ctx);
	return came;
}

static outcome in_child(const trial *t)
{
	int status = -1;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		alarm(100); /* emulated on a busy machine, a compile takes seconds */
		_exit((int)run(t));
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
		print_error("fault %d at call %ld: the process ended by signal %d\n", (int)t->kind, t->at,
		            WTERMSIG(status));
		return BROKEN;
	}
	return (outcome)WEXITSTATUS(status);
}

static void needs_libtcc(void)
{
#if !VF_HAVE_LIBTCC
	skip();
#endif
}

/* ---- the tests ---- */

static long refuse_each_allocation(vf_engine engine, bool ever_after, bool later)
{
	long n = 0;
	outcome came;
	do {
		came = in_child(&(trial){
		    .kind = TCC_MEMORY, .at = n, .ever_after = ever_after, .engine = engine, .later = later});
		if (came != REFUSED && came != NOT_REACHED)
			fail_msg("allocation %ld of libtcc's", n);
		n++;
	} while (came == REFUSED);
	return n - 1;
}

TEST(libtcc_out_of_memory)
{
	needs_libtcc();
	for (int engine = VF_ENGINE_AUTO; engine <= VF_ENGINE_JIT; engine++)
		for (int way = 0; way < 4; way++) {
			long n = refuse_each_allocation((vf_engine)engine, way & 1, way & 2);
			print_message("%ld allocations refused in turn\n", n);
			assert_true(n > 20);
		}
}

static void pages_refused(fault_kind kind, long at, bool passes, const char *says)
{
	for (int engine = VF_ENGINE_AUTO; engine <= VF_ENGINE_JIT; engine++) {
		trial t = {.kind = kind,
		           .at = at,
		           .ever_after = !passes,
		           .engine = (vf_engine)engine,
		           .passes = passes,
		           .says = says};
		assert_int_equal(in_child(&t), REFUSED);
	}
}

/* The first of each is the question whether the system allows code at all, asked once a process. Where libtcc
 * has its own pages (newer ones), the second is its affair: memory that it allocates, a sentence that it
 * makes. */
TEST(no_pages_for_code)
{
	needs_libtcc();
	pages_refused(MMAP, 0, false, "no memory for code could be mapped");
	if (VF_TCC_RELOCATE_PTR)
		pages_refused(MMAP, 1, true, "no memory for code could be mapped");
}

TEST(pages_that_may_not_be_run)
{
	needs_libtcc();
	pages_refused(MPROTECT, 0, false, "the system denies executable memory");
	pages_refused(MPROTECT, 1, true, VF_TCC_RELOCATE_PTR ? "the system denies executable memory" : NULL);
}
