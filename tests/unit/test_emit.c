/* test_emit.c -- the C text: the same each time, nothing of a caller's in it, and right by itself.
 *
 * The standalone text of random jobs is compiled by $CC (cc without it) with warnings as errors, loaded,
 * and run: its bytes are those of the brute force. Skipped where there is no compiler or dlopen.
 */
#include "codegen/emit.h"
#include "codegen/writer.h"
#include "support/jobs.h"
#include "test.h"

#include <stdio.h>
#include <unistd.h>

#include <dlfcn.h>

static vf_context *ctx;

static const vf_machine machine = {.cpu = {32 << 10, 1 << 20, 16 << 20, 4096, false, false},
                                   .piece_bytes = 300,
                                   .staged_bytes = 300,
                                   .stage_bytes = 16,
                                   .chunk_bytes = 200,
                                   .stream_bytes = 100};

static vf_plan *plan_on(const vf_machine *on, const vf_job *job)
{
	vf_normal normal;
	assert_true(vf_normalise(ctx, &normal, job));
	vf_plan *plan = vf_plan_make(ctx, &normal, on);
	assert_non_null(plan);
	vf_normal_drop(ctx, &normal);
	return plan;
}

static vf_plan *plan_of(const vf_job *job)
{
	return plan_on(&machine, job);
}

TEST(the_same_job_gives_the_same_text)
{
	for (uint64_t seed = 1; seed <= 100; seed++) {
		job_case c;
		unsigned used[2];
		job_make(&c, seed);
		vf_plan *plans[2] = {plan_of(&c.job), plan_of(&c.job)};
		char *texts[2] = {vf_emit(ctx, plans[0], NULL, &used[0]),
		                  vf_emit(ctx, plans[1], NULL, &used[1])};
		assert_string_equal(texts[0], texts[1]);
		assert_int_equal(used[0], used[1]);
		assert_null(strchr(texts[0], '#'));
		for (int k = 0; k < 2; k++) {
			vf_dealloc(ctx, texts[k]);
			vf_plan_drop(ctx, plans[k]);
		}
		job_free(&c);
	}
}

/* ---- standalone ---- */

static const char head_of_caller[] =
    "void vf_kernel(unsigned char *, const void *const *, unsigned char *, long long, long long);\n"
    "void vf_kernel(unsigned char *dst, const void *const *src, unsigned char *scratch, long long begin, "
    "long long end)\n";

/* The lists by the names that the text has for them. */
static bool write_lists(const job_case *c, FILE *file)
{
	bool fine = true;
	for (int k = 0; c && k < c->job.nlist; k++) {
		fine = fine && fprintf(file, "static const long long vf_list_1_%d[] = {", k + 1) > 0;
		for (int64_t i = 0; i < c->lists[k].n; i++)
			fine = fine && fprintf(file, "%lld, ", (long long)c->offsets[k][i]) > 0;
		fine = fine && fputs("};\n", file) >= 0;
	}
	return fine;
}

/* Writes the text with a caller's function behind it, and compiles it; true if the object is there. */
static bool compile(const job_case *c, const char *text, const char *caller, const char *source,
                    const char *object)
{
	char command[512];
	const char *cc = getenv("CC");
	FILE *file = fopen(source, "w");
	if (!file || !write_lists(c, file) || fputs(text, file) < 0 || fputs(head_of_caller, file) < 0 ||
	    fputs(caller, file) < 0 || fclose(file) != 0)
		return false;
	snprintf(command, sizeof command,
	         "%s -std=c11 -O2 -Wall -Wextra -Wpedantic -Wshadow -Werror -shared -fPIC -o '%s' '%s'",
	         cc && cc[0] ? cc : "cc", object, source);
	return system(command) == 0;
}

static void run_standalone(job_case *c, const vf_plan *plan, const char *object)
{
	void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(library);
	void *symbol = dlsym(library, "vf_kernel");
	assert_non_null(symbol);
	vf_entry entry;
	memcpy(&entry, &symbol, sizeof entry);
	unsigned char *scratch = aligned_alloc(64, (size_t)plan->scratch_bytes / 64 * 64 + 64);
	memset(c->out, JOB_GUARD, (size_t)c->out_bytes);
	entry(c->dst, c->sources, scratch, 0, plan->units);
	assert_memory_equal(c->out, c->expected, (size_t)c->out_bytes);
	free(scratch);
	dlclose(library);
}

TEST(standalone_text_compiles_and_is_right)
{
	char folder[] = "/tmp/vf-emit-XXXXXX", source[64], object[64];
	if (system("${CC:-cc} --version >/dev/null 2>&1") != 0)
		skip();
	assert_non_null(mkdtemp(folder));
	snprintf(source, sizeof source, "%s/kernel.c", folder);
	unsigned strategies = 0, all = ((1u << VF_STRATEGIES) - 1);
	/* the first jobs, and then those that show a strategy for the first time */
	for (uint64_t seed = 1; seed <= 20 || (strategies != all && seed < 5000); seed++) {
		job_case c;
		unsigned before = strategies;
		(seed % 4 ? job_make : job_make_lists)(&c, seed);
		vf_machine other = machine;
		other.weaves = seed % 3 == 0, other.wide = seed % 2 == 0;
		vf_plan *plan = plan_on(&other, &c.job);
		for (int k = 0; k < plan->nleaf; k++)
			strategies |= 1u << plan->leaves[k].strategy;
		if (seed > 20 && strategies == before) {
			vf_plan_drop(ctx, plan);
			job_free(&c);
			continue;
		}
		char *text = vf_emit_steps(ctx, (const vf_plan *const[]){plan}, NULL, 1);
		/* a name of its own: the loader knows a library by its path */
		snprintf(object, sizeof object, "%s/kernel%llu.so", folder, (unsigned long long)seed);
		assert_true(
		    compile(&c, text, "{\n\tvf_step_1(dst, src, scratch, begin, end);\n}\n", source, object));
		run_standalone(&c, plan, object);
		unlink(object);
		vf_dealloc(ctx, text);
		vf_plan_drop(ctx, plan);
		job_free(&c);
	}
	unlink(source);
	rmdir(folder);
	assert_int_equal(strategies, all);
}

/* Every text of standalone/ at once, which no plan of one machine has. */
TEST(every_definition_compiles)
{
	char source[] = "/tmp/vf-define-XXXXXX", command[512];
	const char *cc = getenv("CC");
	if (system("${CC:-cc} --version >/dev/null 2>&1") != 0)
		skip();
	for (int k = 0; k < 4; k++) {
		/* what leaves a stage is streamed */
		const unsigned late = 1u << VF_CODELET_leave | 1u << VF_CODELET_parts;
		const unsigned left = 1u << VF_CODELET_weave | (k & 1 ? 0 : late);
		const vf_uses uses = {.codelets = ((1u << VF_CODELETS) - 1) & ~left,
		                      .streams = k & 1,
		                      .many_planes = k & 2,
		                      .stage_bytes = 4096};
		vf_text text;
		vf_text_init(&text, ctx);
		vf_text_add(&text, "#if defined(__SSE2__)\n#include <immintrin.h>\n#endif\n%s",
		            vf_block_text);
		vf_write_definitions(&text, &uses);
		FILE *file = k == 0 ? fdopen(mkstemp(source), "w") : fopen(source, "w");
		char *all = vf_text_take(&text);
		assert_non_null(all);
		assert_true(file && fputs(all, file) >= 0 && fclose(file) == 0);
		snprintf(
		    command, sizeof command,
		    "%s -x c -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-unused-function "
		    "-Werror -fsyntax-only '%s'",
		    cc && cc[0] ? cc : "cc", source);
		assert_int_equal(system(command), 0);
		vf_dealloc(ctx, all);
	}
	unlink(source);
}

enum { JOBS = 80 };

/* A function of the caller's own, whose `begin` picks a step. */
static char *text_that_picks(int n)
{
	vf_text text;
	vf_text_init(&text, ctx);
	vf_text_add(&text, "{\n");
	for (int k = 0; k < n; k++)
		vf_text_add(&text, "\tif (begin == %d)\n\t\tvf_step_%d(dst, src, scratch, 0, end);\n", k,
		            k + 1);
	vf_text_add(&text, "}\n");
	return vf_text_take(&text);
}

static void check_picked(vf_entry entry, job_case *c, vf_plan *plan, int k)
{
	unsigned char *scratch = aligned_alloc(64, (size_t)plan->scratch_bytes / 64 * 64 + 64);
	memset(c->out, JOB_GUARD, (size_t)c->out_bytes);
	entry(c->dst, c->sources, scratch, k, plan->units);
	assert_memory_equal(c->out, c->expected, (size_t)c->out_bytes);
	free(scratch);
}

/* Jobs that copy, and many that compute, in one text. */
TEST(several_plans_make_one_text)
{
	static job_case c[JOBS];
	char folder[] = "/tmp/vf-steps-XXXXXX", source[64], object[64];
	vf_plan *plans[JOBS];
	if (system("${CC:-cc} --version >/dev/null 2>&1") != 0)
		skip();
	assert_non_null(mkdtemp(folder));
	snprintf(source, sizeof source, "%s/kernel.c", folder);
	snprintf(object, sizeof object, "%s/kernel.so", folder);
	for (int k = 0; k < JOBS; k++) {
		job_make(&c[k], (uint64_t)k + 100);
		plans[k] = plan_of(&c[k].job);
	}
	char *text = vf_emit_steps(ctx, (const vf_plan *const *)plans, NULL, JOBS),
	     *pick = text_that_picks(JOBS);
	assert_true(text && pick && compile(NULL, text, pick, source, object));
	void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL), *symbol;
	assert_non_null(library);
	symbol = dlsym(library, "vf_kernel");
	vf_entry entry;
	memcpy(&entry, &symbol, sizeof entry);
	for (int k = 0; k < JOBS; k++) {
		check_picked(entry, &c[k], plans[k], k);
		vf_plan_drop(ctx, plans[k]);
		job_free(&c[k]);
	}
	dlclose(library);
	vf_dealloc(ctx, text);
	vf_dealloc(ctx, pick);
	unlink(object);
	unlink(source);
	rmdir(folder);
}

/* ---- numbers ---- */

TEST(steps_beyond_32_bits)
{
	const int64_t far = INT64_C(1) << 40;
	vf_loop loops[3] = {{3, far, -far}, {2, 16, 32}, {2, 1, 7}};
	vf_move move = {0, -far, 3 * far, 3, loops, {0}};
	vf_job job = {4, 1, 1, &move, 0};
	unsigned used;
	vf_plan *plan = plan_of(&job);
	char *text = vf_emit(ctx, plan, NULL, &used);
	assert_non_null(strstr(text, "4398046511104LL"));
	vf_dealloc(ctx, text);
	vf_plan_drop(ctx, plan);
}

/* Pictures upside down, to pixels: a stage asks for a seventh of the next picture, the first one first. */
TEST(shares_are_asked_for_in_order)
{
	const vf_loop loops[] = {{9, 19600, 19600}, {14, 1400, -14}, {14, 100, 1}, {100, 1, 196}};
	const vf_move move = {0, 0, 182, 4, loops, {0}};
	const vf_job job = {4, 1, 1, &move, 0};
	vf_machine big = machine;
	big.piece_bytes = big.staged_bytes = big.chunk_bytes = 16 << 10;
	unsigned used;
	vf_plan *plan = plan_on(&big, &job);
	char *text = vf_emit(ctx, plan, NULL, &used);
	assert_non_null(strstr(text, "s1 + 78400 + i1 * 11312"));
	vf_dealloc(ctx, text);
	vf_plan_drop(ctx, plan);
}

/* A loop that moves many pointers is a long line: cut at 511 characters, it was refused by libtcc. */
TEST(a_line_of_any_length_is_whole)
{
	enum { LONG = 3000 };
	static char name[LONG + 1];
	vf_writer w = {.indent = 1};
	memset(name, 'n', LONG);
	vf_text_init(&w.text, ctx);
	vf_line(&w, "%s;", name);
	vf_open(&w, "for (; %s;)", name);
	assert_false(w.text.failed);
	assert_int_equal(w.text.length, 2 * LONG + (int)strlen("\t;\n\tfor (; ;) {\n"));
	assert_string_equal(w.text.bytes + w.text.length - 6, "n;) {\n");
	vf_text_drop(&w.text);
}

static int open_context(void **state)
{
	ctx = vf_context_create(NULL);
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
