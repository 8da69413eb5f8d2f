/* bench.c -- viewfold bench: one chain, or the rows of a list, beside copies of as many bytes.
 *
 * A row is "NAME TAB INPUTS TAB EXPR", the inputs with spaces between them. Empty lines and lines that begin
 * with '#' are passed over.
 *
 * The compiled kernel, the interpreter, memcpy and a streaming copy of the result's bytes take turns until
 * the time is up. Each number is the median of its runs. Small buffers stay in the caches: one run that is
 * not timed comes first, then many runs are timed at once. Large buffers are put out of all caches before
 * each run. The first runs are compared with those of the plain codelets, as kernel and interpreter share the
 * machine's codelets: it is an error if a byte differs.
 */
#define _GNU_SOURCE
#include "measure.h"
#include "memory.h"
#include "report.h"
#include "session.h"
#include "wisdom.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEAST_SAMPLES = 5,
	LEAST_INTERPRETED = 3,
	LEAST_BATCH_NS = 20000,
	MAX_BATCH = 1 << 20,
	TRIES = 2,
	COMPILES = 5,
	MAX_INPUTS = 64
};

/* A copy that takes turns with the kernel: its way, how many runs are timed at once, and its times. */
struct rival {
	const struct copy_way *way;
	int batch;
	struct samples ns;
};

struct beside {
	const char *path;
	void *library;
	/* Writes the result in C order to `dst`; `src` has the inputs in the order of the command line. */
	void (*run)(void *dst, const void *const src[]);
	struct samples ns;
};

/* The same chain by another way, over the same bytes. */
struct twin {
	struct request request;
	struct session session;
	vf_kernel *kernel;
};

struct bench {
	const struct request *request;
	struct session session;
	vf_kernel *kernel;
	struct twin interpreter;
	const void **data;
	struct memory out, copy; /* the result; what memcpy reads */
	bool cold;
	struct samples kernel_ns, interpret_ns;
	struct beside beside[MAX_BESIDE];   /* as many as the request has */
	struct rival plain_copy, streaming; /* streaming.way is NULL if memcpy is the only way */
};

/* ---- --beside FILE.so: somebody's own loop for the same chain ------------ */

static bool beside_open(struct beside *beside, const char *path)
{
	beside->path = path;
	beside->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!beside->library)
		return complain("--beside %s: %s", path, dlerror());
	void *found = dlsym(beside->library, "vf_beside");
	if (!found)
		return complain("--beside %s: it has no function vf_beside", path);
	memcpy(&beside->run, &found, sizeof found); /* C has no cast from object to function */
	return true;
}

/* Run it into `out`, which has `length` bytes; they must be those of `wanted` then. */
static bool beside_check(struct beside *beside, void *out, const void *const src[], const void *wanted,
                         size_t length)
{
	const unsigned char *came = out, *expected = wanted;
	memset(out, 0xa5, length);
	beside->run(out, src);
	for (size_t i = 0; i < length; i++)
		if (came[i] != expected[i])
			return complain("--beside %s: its result differs at byte %zu of %zu", beside->path, i,
			                length);
	return true;
}

static void beside_close(struct beside *beside)
{
	if (beside->library)
		dlclose(beside->library);
	*beside = (struct beside){0};
}

/* ---- preparation -------------------------------------------------------- */

/* The chain without compiling, by the codelets of `variant`. */
static bool twin_open(struct twin *twin, const struct request *request, const char *variant)
{
	twin->request = *request;
	twin->request.engine = VF_ENGINE_INTERPRET;
	twin->request.variant = variant;
	if (!session_load(&twin->session, &twin->request, BYTES_NONE) || !session_link(&twin->session))
		return false;
	twin->kernel = session_compile(&twin->session, twin->session.result);
	return twin->kernel != NULL;
}

static void twin_close(struct twin *twin)
{
	if (twin->kernel)
		vf_kernel_release(twin->kernel);
	session_close(&twin->session);
}

static bool allocate(struct bench *bench)
{
	size_t n = (size_t)bench->session.n, bytes = memory_size(vf_size_bytes(bench->session.result));
	if (bytes == 0)
		return complain("bench: the result has no elements, there is nothing to time");
	bench->data = calloc(n ? n : 1, sizeof *bench->data);
	if (!bench->data)
		return complain_memory(n, "the inputs");
	if (!memory_allocate(&bench->out, bytes, "the result") ||
	    !memory_allocate(&bench->copy, bytes, "the copy"))
		return false;
	size_t total = 2 * bytes;
	for (size_t i = 0; i < n; i++) {
		bench->data[i] = input_data(&bench->session.inputs[i]);
		total += bench->session.inputs[i].data_bytes;
	}
	bench->cold = bench->request->cache == CACHE_COLD ||
	              (bench->request->cache == CACHE_BY_SIZE && total > 4 * second_level_bytes());
	return true;
}

/* ---- runs --------------------------------------------------------------- */

static bool run_kernel(const struct bench *bench, const struct session *session, vf_kernel *kernel, void *out)
{
	return vf_run(kernel, out, bench->out.length, bench->data) == VF_OK || session_failed(session->ctx);
}

/* Run it into `out`, which must be what `copy` holds then. */
static bool check_kernel(struct bench *bench, const char *name, const struct session *session,
                         vf_kernel *kernel)
{
	memset(bench->out.bytes, 0xa5, bench->out.length);
	if (!run_kernel(bench, session, kernel, bench->out.bytes))
		return false;
	if (memcmp(bench->out.bytes, bench->copy.bytes, bench->out.length) == 0)
		return true;
	size_t i = 0;
	while (bench->out.bytes[i] == bench->copy.bytes[i])
		i++;
	return complain("bench: %s and plain codelets differ at byte %zu of the result", name, i);
}

/* Compare both engines' results with the plain codelets'. This also fetches all pages. From then on `copy`,
 * which memcpy reads, holds the result. */
static bool check(struct bench *bench)
{
	struct twin plain = {0};
	struct request unmeasured = *bench->request;
	unmeasured.effort = VF_EFFORT_ESTIMATE, unmeasured.wisdom = NULL;
	bool done = twin_open(&plain, &unmeasured, "plain") &&
	            run_kernel(bench, &plain.session, plain.kernel, bench->copy.bytes) &&
	            check_kernel(bench, "interpreter", &bench->interpreter.session,
	                         bench->interpreter.kernel) &&
	            check_kernel(bench, "kernel", &bench->session, bench->kernel);
	twin_close(&plain);
	return done;
}

static bool open_besides(struct bench *bench)
{
	for (int i = 0; i < bench->request->nbeside; i++)
		if (!beside_open(&bench->beside[i], bench->request->beside[i]) ||
		    !beside_check(&bench->beside[i], bench->out.bytes, bench->data, bench->copy.bytes,
		                  bench->out.length))
			return false;
	return true;
}

static void make_cold(struct bench *bench)
{
	caches_evict(bench->out.bytes, bench->out.length);
	for (int i = 0; i < bench->session.n; i++)
		caches_evict(bench->data[i], bench->session.inputs[i].data_bytes);
}

/* Run the kernel or, if `beside` is not NULL, somebody's own loop. */
static void run_once(struct bench *bench, vf_kernel *kernel, const struct beside *beside)
{
	if (beside)
		beside->run(bench->out.bytes, bench->data);
	else
		vf_run(kernel, bench->out.bytes, bench->out.length, bench->data);
}

/* Nanoseconds of one run; `times` runs in a row are timed. Cold buffers are put out of all caches first. If
 * buffers are warm, a run that is not timed comes first: the streaming copy puts the result out of the
 * caches, and the run after it paid for that (u8 480 x 640 x 3, a crop of 150 KB by planes: 8.8 to 30 us from
 * process to process, 6 us by itself). */
static double time_runs(struct bench *bench, vf_kernel *kernel, const struct beside *beside, int times)
{
	if (bench->cold)
		make_cold(bench);
	else
		run_once(bench, kernel, beside);
	int64_t start = clock_ns();
	for (int i = 0; i < times; i++)
		run_once(bench, kernel, beside);
	return (double)(clock_ns() - start) / times;
}

static double time_kernel(struct bench *bench, vf_kernel *kernel, int times)
{
	return time_runs(bench, kernel, NULL, times);
}

static double time_copy(struct bench *bench, const struct copy_way *way, int times)
{
	if (bench->cold) {
		caches_evict(bench->out.bytes, bench->out.length);
		caches_evict(bench->copy.bytes, bench->copy.length);
	}
	return copy_by_threads(&(struct copy_job){.way = way,
	                                          .target = bench->out.bytes,
	                                          .source = bench->copy.bytes,
	                                          .length = bench->out.length,
	                                          .times = times,
	                                          .threads = bench->request->threads,
	                                          .warm = !bench->cold});
}

/* How many runs of `ns` nanoseconds must be timed at once. */
static int batch_of(const struct bench *bench, double ns)
{
	if (bench->cold || ns >= LEAST_BATCH_NS)
		return 1;
	double times = LEAST_BATCH_NS / (ns < 1 ? 1 : ns) + 1;
	return times < MAX_BATCH ? (int)times : MAX_BATCH;
}

static double best_try(struct bench *bench, const struct copy_way *way)
{
	double least = time_copy(bench, way, 1);
	for (int i = 1; i < TRIES; i++) {
		double ns = time_copy(bench, way, 1);
		least = ns < least ? ns : least;
	}
	return least;
}

/* Choose memcpy and the fastest streaming copy. A few runs of each copy decide. */
static void choose_rivals(struct bench *bench)
{
	int n;
	const struct copy_way *ways = copy_ways(&n);
	double least = 0;
	bench->plain_copy.way = &ways[0];
	bench->plain_copy.batch = batch_of(bench, best_try(bench, &ways[0]));
	for (int i = 1; i < n; i++) {
		double ns = best_try(bench, &ways[i]);
		if (bench->streaming.way && ns >= least)
			continue;
		least = ns;
		bench->streaming.way = &ways[i];
		bench->streaming.batch = batch_of(bench, ns);
	}
}

static void time_rival(struct bench *bench, struct rival *rival)
{
	if (rival->way)
		samples_add(&rival->ns, time_copy(bench, rival->way, rival->batch));
}

static void measure(struct bench *bench)
{
	int kernel_batch = batch_of(bench, time_kernel(bench, bench->kernel, 1));
	int plain_batch = batch_of(bench, time_kernel(bench, bench->interpreter.kernel, 1));
	choose_rivals(bench);
	int64_t start = clock_ns(), budget = (int64_t)(bench->request->seconds * 1e9), plain_spent = 0;
	for (int i = 0; i < LEAST_SAMPLES || clock_ns() - start < budget; i++) {
		if (i == MAX_SAMPLES)
			break;
		samples_add(&bench->kernel_ns, time_kernel(bench, bench->kernel, kernel_batch));
		for (int k = 0; k < bench->request->nbeside; k++)
			samples_add(&bench->beside[k].ns,
			            time_runs(bench, NULL, &bench->beside[k], kernel_batch));
		time_rival(bench, &bench->plain_copy);
		time_rival(bench, &bench->streaming);
		if (i >= LEAST_INTERPRETED && plain_spent > budget / 4)
			continue;
		int64_t before = clock_ns();
		samples_add(&bench->interpret_ns, time_kernel(bench, bench->interpreter.kernel, plain_batch));
		plain_spent += clock_ns() - before;
	}
}

/* Make the leaves, the result and its kernel, and add the times that this took. */
static bool build_once(struct session *fresh, struct samples *build, struct samples *compile)
{
	vf_kernel_info info;
	int64_t start = clock_ns();
	if (!session_link(fresh))
		return false;
	vf_kernel *kernel = session_compile(fresh, fresh->result);
	if (!kernel)
		return false;
	samples_add(build, (double)(clock_ns() - start));
	vf_kernel_get_info(kernel, &info);
	samples_add(compile, (double)info.compile_ns);
	vf_kernel_release(kernel);
	return true;
}

/* Measure what a chain costs the first time: from the expression's text to a kernel that could run, and
 * libtcc's share of it. Each measurement has a new context. */
static bool measure_compile(const struct bench *bench, struct report *report)
{
	struct samples build = {0}, compile = {0};
	int times = bench->request->effort == VF_EFFORT_MEASURE ? 1 : COMPILES;
	for (int i = 0; i < times; i++) {
		struct session fresh;
		if (!session_load(&fresh, bench->request, BYTES_NONE))
			return false;
		bool done = build_once(&fresh, &build, &compile);
		session_close(&fresh);
		if (!done)
			return false;
	}
	report->build_ns = samples_quantile(&build, 0.5);
	report->compile_ns = samples_quantile(&compile, 0.5);
	return true;
}

/* ---- one chain ---------------------------------------------------------- */

static bool prepare(struct bench *bench)
{
	bench->kernel = session_compile(&bench->session, bench->session.result);
	return bench->kernel && twin_open(&bench->interpreter, bench->request, bench->request->variant) &&
	       allocate(bench) && check(bench) && open_besides(bench);
}

static void finish(struct bench *bench)
{
	if (bench->kernel)
		vf_kernel_release(bench->kernel);
	for (int i = 0; i < MAX_BESIDE; i++)
		beside_close(&bench->beside[i]);
	memory_release(&bench->out);
	memory_release(&bench->copy);
	free(bench->data);
	twin_close(&bench->interpreter);
	session_close(&bench->session);
}

/* The fastest copy is the one of the two with the lesser median. */
static void report_copies(struct bench *bench, struct report *report)
{
	report->memcpy_ns = report->copy_ns = samples_quantile(&bench->plain_copy.ns, 0.5);
	report->copy_name = bench->plain_copy.way->name;
	double streaming_ns = samples_quantile(&bench->streaming.ns, 0.5);
	if (bench->streaming.way && streaming_ns < report->memcpy_ns) {
		report->copy_ns = streaming_ns;
		report->copy_name = bench->streaming.way->name;
	}
}

static void fill_report(struct bench *bench, struct report *report)
{
	vf_kernel_get_info(bench->kernel, &report->info);
	report->dtype = vf_dtype_of(bench->session.result);
	report->rank = vf_rank(bench->session.result);
	report->shape = vf_shape(bench->session.result);
	report->kernel_ns = samples_quantile(&bench->kernel_ns, 0.5);
	report->kernel_low_ns = samples_quantile(&bench->kernel_ns, 0.25);
	report->kernel_high_ns = samples_quantile(&bench->kernel_ns, 0.75);
	report->interpret_ns = samples_quantile(&bench->interpret_ns, 0.5);
	for (int i = 0; i < bench->request->nbeside; i++)
		report->beside_ns[i] = samples_quantile(&bench->beside[i].ns, 0.5);
	report_copies(bench, report);
	report->samples = bench->kernel_ns.n;
	report->evicted_by = bench->cold ? caches_evicted_by() : NULL;
}

/* `name` is the name of the chain's row in a list; NULL: there is no list. Complains. */
static bool time_chain(const struct request *request, const char *name)
{
	struct bench *bench = calloc(1, sizeof *bench);
	struct report report = {.request = request, .name = name};
	if (!bench)
		return complain_memory(sizeof *bench, "the measurements");
	bench->request = request;
	bool done = session_open(&bench->session, request, BYTES_OWN) && prepare(bench);
	if (done) {
		measure(bench);
		done = measure_compile(bench, &report) && wisdom_keep(bench->session.ctx, request);
	}
	if (done) {
		fill_report(bench, &report);
		report_print(&report);
	}
	finish(bench);
	free(bench);
	return done;
}

/* ---- the rows of a list -------------------------------------------------- */

/* Put the words between spaces into `words`. Returns their number, or -1 if there are more than `most`. */
static int split_words(char *text, char **words, int most)
{
	int n = 0;
	char *rest = NULL;
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (n == most)
			return -1;
		words[n++] = word;
	}
	return n;
}

/* `line` is cut into its parts in place. */
static bool time_row(const struct request *request, char *line)
{
	char *inputs[MAX_INPUTS], *rest = NULL;
	const char *name = strtok_r(line, "\t", &rest);
	char *words = strtok_r(NULL, "\t", &rest);
	struct request row = *request;
	row.expression = strtok_r(NULL, "\t", &rest);
	if (!row.expression || strtok_r(NULL, "\t", &rest))
		return complain("bench: a row is a name, inputs and an expression, with a tab between each");
	row.inputs = inputs;
	row.ninputs = split_words(words, inputs, MAX_INPUTS);
	if (row.ninputs < 0)
		return complain("bench: more than %d inputs", MAX_INPUTS);
	return request_check_inputs(&row) == STATUS_OK && time_chain(&row, name);
}

static bool time_rows(const struct request *request, FILE *list)
{
	char *line = NULL;
	size_t room = 0;
	bool done = true;
	for (long number = 1; getline(&line, &room, list) >= 0; number++) {
		line[strcspn(line, "\r\n")] = 0;
		if (!line[0] || line[0] == '#' || time_row(request, line))
			continue;
		done = complain("bench: %s: line %ld is left out", request->list, number);
	}
	if (ferror(list))
		done = complain("%s: %s", request->list, strerror(errno));
	free(line);
	return done;
}

static bool time_list(const struct request *request)
{
	if (strcmp(request->list, "-") == 0)
		return time_rows(request, stdin);
	FILE *list = fopen(request->list, "r");
	if (!list)
		return complain("%s: %s", request->list, strerror(errno));
	bool done = time_rows(request, list);
	fclose(list);
	return done;
}

int command_bench(const struct request *request)
{
	memory_use_huge_pages(!request->small_pages);
	bool done = request->list ? time_list(request) : time_chain(request, NULL);
	return done ? STATUS_OK : STATUS_FAILED;
}
