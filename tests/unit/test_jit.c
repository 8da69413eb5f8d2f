/* test_jit.c -- text to code: what libtcc refuses, what the system denies, forks, threads.
 *
 * Skipped where this build or this machine cannot make code, but for the test of denial.
 */
#include "codegen/jit.h"
#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static const char good[] =
    "void vf_copy(const void *block, void *dst, const void *src, void *flow);\n"
    "void vf_kernel(unsigned char *dst, const unsigned char *const *src, unsigned char *scratch,\n"
    "               long long begin, long long end)\n"
    "{ long long block[16] = {1, 0, 0, end - begin}; vf_copy(block, dst + begin, src[0] + begin, 0); }\n";

static const unsigned uses_copy = 1u << VF_CODELET_copy;

/* The text compiled, run over eight bytes, and freed. */
static bool runs(void)
{
	vf_jit jit;
	char message[256];
	unsigned char out[8] = {0}, in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	const unsigned char *sources[] = {in};
	if (!vf_jit_compile(&jit, good, uses_copy, &vf_codelets_plain, message, sizeof message))
		return false;
	jit.entry(out, sources, NULL, 2, 6);
	vf_jit_free(&jit);
	return memcmp(out, (unsigned char[]){0, 0, 3, 4, 5, 6, 0, 0}, 8) == 0;
}

/* Runs `body` in a child; it has 20 seconds. True if it returned true. */
static bool in_child(bool (*body)(void))
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		alarm(20);
		_exit(body() ? 0 : 1);
	}
	int status = -1;
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

#if defined __linux__ && !defined PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

/* The system denies executable memory from now on: code is refused in words, nothing exits. */
static bool denied(void)
{
#ifdef __linux__
	vf_jit jit;
	char message[256];
	if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0L, 0L, 0L) != 0)
		return true; /* an older kernel */
	return !vf_jit_compile(&jit, good, uses_copy, &vf_codelets_plain, message, sizeof message) &&
	       message[0] != 0;
#else
	return true;
#endif
}

TEST(denied_before_the_first_compile)
{
	assert_true(in_child(denied));
}

static void needs_code(void)
{
	if (vf_jit_refusal()[0])
		skip();
}

TEST(code_runs)
{
	needs_code();
	assert_true(runs());
}

static void refused(const char *text, unsigned used, const char *says)
{
	vf_jit jit;
	char message[256];
	assert_false(vf_jit_compile(&jit, text, used, &vf_codelets_plain, message, sizeof message));
	if (!strstr(message, says))
		fail_msg("\"%s\" does not say \"%s\"", message, says);
	assert_null(jit.entry);
	assert_null(jit.pages);
}

TEST(what_libtcc_refuses_is_told_not_printed)
{
	needs_code();
	int before = dup(2), quiet[2];
	assert_int_equal(pipe(quiet), 0);
	dup2(quiet[1], 2);
	refused("void vf_kernel(void) { x = ; }", 0, "'x' undeclared");
	refused(good, 0, "vf_copy");
	refused("int other;", 0, "vf_kernel");
	refused("", 0, "");
	refused("#error no\n", 0, "no");
	dup2(before, 2);
	close(quiet[1]);
	char byte;
	assert_int_equal(read(quiet[0], &byte, 1), 0);
	close(quiet[0]);
	close(before);
	assert_true(runs());
}

TEST(no_page_is_writable_and_executable)
{
	needs_code();
	vf_jit jit;
	char message[256], line[512];
	assert_true(vf_jit_compile(&jit, good, uses_copy, &vf_codelets_plain, message, sizeof message));
	FILE *maps = fopen("/proc/self/maps", "r");
	if (maps) {
		while (fgets(line, sizeof line, maps))
			assert_null(strstr(line, " rwx"));
		fclose(maps);
	}
	vf_jit_free(&jit);
}

/* ---- processes ---- */

TEST(denied_after_a_compile)
{
	needs_code();
	assert_true(runs());
	assert_true(in_child(denied));
}

#ifdef __linux__
/* From now on the kernel ends a process that asks mprotect for write and execute together. */
static bool forbid_both(void)
{
	struct sock_filter rules[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mprotect, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
	    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_WRITE | PROT_EXEC, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool runs_without_both(void)
{
	return !forbid_both() || runs();
}
#endif

/* Not for a moment: libtcc by itself makes the pages it relocates to writable and executable. */
TEST(nothing_ever_asks_for_both)
{
	needs_code();
#ifdef __linux__
	assert_true(in_child(runs_without_both));
#endif
}

static atomic_bool stop;

static void *compile_on(void *arg)
{
	bool *good_so_far = arg;
	while (!atomic_load(&stop))
		*good_so_far = runs() && *good_so_far;
	return NULL;
}

TEST(children_of_a_process_that_compiles)
{
	needs_code();
	pthread_t threads[3];
	bool went_well[3] = {true, true, true};
	atomic_store(&stop, false);
	for (int k = 0; k < 3; k++)
		assert_int_equal(pthread_create(&threads[k], NULL, compile_on, &went_well[k]), 0);
	int children = 0;
	for (int k = 0; k < 40; k++)
		children += in_child(runs);
	atomic_store(&stop, true);
	for (int k = 0; k < 3; k++) {
		pthread_join(threads[k], NULL);
		assert_true(went_well[k]);
	}
	assert_int_equal(children, 40);
}
