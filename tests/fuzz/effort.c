/* effort.c -- fuzz target: what folding an expression of less than 200 characters takes.
 *
 * Property  Under the default budget no such expression takes more than 64 MB beside its result, and none
 *           runs out of memory where it may have as much. Its time is recorded, not judged.
 *
 * An input is the expression itself, over x, y and z; where it is none, its bytes seed a generator of
 * expressions that leave many regions. With VF_EFFORT_KEEP=DIRECTORY the slowest and the largest are written
 * there as they are found; the corpus holds what searches found.
 */
#include "meter.h"
#include "random.h"
#include "viewfold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 199, MOST_BYTES = 64 << 20, OPS = 22 };

/* ---- a generator of expressions ---- */

typedef struct writer {
	char text[LONGEST + 1];
	size_t length;
	rng random;
} writer;

/* Appends an operation, unless it makes the text too long. */
static void put(writer *w, const char *format, int64_t a, int64_t b, int64_t c)
{
	char op[100];
	int length = snprintf(op, sizeof op, format, a, b, c);
	if (length < 0 || w->length + (size_t)length > LONGEST)
		return;
	memcpy(w->text + w->length, op, (size_t)length + 1);
	w->length += (size_t)length;
}

/* Numbers of every size, more small ones. */
static int64_t number(writer *w)
{
	static const int64_t most[] = {3, 8, 40, 700, 9000};
	return rng_below(&w->random, most[rng_below(&w->random, 5)]) + 1;
}

static void put_op(writer *w)
{
	static const char *const ops[OPS] = {".roll(%" PRId64 ")",
	                                     ".roll(%" PRId64 ",%" PRId64 ")",
	                                     ".unfold(%2$" PRId64 ",%1$" PRId64 ",%3$" PRId64 ")",
	                                     ".T",
	                                     ".reshape(-1)",
	                                     ".reshape(%" PRId64 ",-1)",
	                                     ".flip(%2$" PRId64 ")",
	                                     ".tile(%" PRId64 ",1)",
	                                     ".tile(%" PRId64 ")",
	                                     ".repeat_interleave(%" PRId64 ",%" PRId64 ")",
	                                     "[::%" PRId64 "]",
	                                     "[::-%" PRId64 "]",
	                                     "[%" PRId64 ":]",
	                                     ".diagonal(%" PRId64 ",0,1)",
	                                     ".pad([%" PRId64 ",%" PRId64 "])",
	                                     ".pad([%" PRId64 "]*4, mode='reflect')",
	                                     ".pad([1]*%2$" PRId64 "*2, mode='circular')",
	                                     ".unflatten(0,(-1,%" PRId64 "))",
	                                     ".view(u8)",
	                                     "[[i*i%%%" PRId64 " for i in range(%3$" PRId64 ")]]",
	                                     ".narrow(%2$" PRId64 ",0,%1$" PRId64 ")",
	                                     ".flatten(0,1)"};
	int64_t a = number(w), axis = rng_below(&w->random, 3), c = number(w);
	put(w, ops[rng_below(&w->random, OPS)], a, axis, c);
}

static void put_source(writer *w)
{
	static const char *const sources[] = {"x",
	                                      "y",
	                                      "z",
	                                      "cat([x, x.flip(0), x])",
	                                      "stack([x[i*i%%%" PRId64 "] for i in range(%3$" PRId64 ")])",
	                                      "cat([y.roll(i, i%%2) for i in range(%" PRId64 ")], 1)",
	                                      "stack([z, z.roll(%" PRId64 ")], 1)",
	                                      "cat([y[:, i:] for i in range(%" PRId64 ")], 1)"};
	put(w, sources[rng_below(&w->random, 8)], number(w), 0, number(w));
}

static void generate(writer *w, const uint8_t *data, size_t size)
{
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 1099511628211u;
	w->random = rng_make(hash, size);
	w->length = 0;
	put_source(w);
	for (int64_t n = rng_below(&w->random, 14) + 1; n > 0; n--)
		put_op(w);
}

/* ---- what one takes ---- */

typedef struct cost {
	bool folded;
	double ms;
	long long bytes; /* the most at once, beside what was there before */
} cost;

typedef struct peak_meter {
	meter meter;
	long long most;
} peak_meter;

static void *peak_allocate(void *user, size_t bytes)
{
	peak_meter *p = user;
	vf_options hooks = {0};
	meter_use(&p->meter, &hooks);
	void *block = hooks.allocate(&p->meter, bytes);
	p->most = p->meter.bytes > p->most ? p->meter.bytes : p->most;
	return block;
}

static void *peak_reallocate(void *user, void *block, size_t bytes)
{
	peak_meter *p = user;
	vf_options hooks = {0};
	meter_use(&p->meter, &hooks);
	void *grown = hooks.reallocate(&p->meter, block, bytes);
	p->most = p->meter.bytes > p->most ? p->meter.bytes : p->most;
	return grown;
}

static void peak_free(void *user, void *block)
{
	peak_meter *p = user;
	vf_options hooks = {0};
	meter_use(&p->meter, &hooks);
	hooks.deallocate(&p->meter, block);
}

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static cost fold(const char *text)
{
	static const int64_t shapes[3][3] = {{8192, 3}, {300, 301}, {17, 30, 64}};
	static const int ranks[3] = {2, 2, 3};
	static const char *const names[] = {"x", "y", "z"};
	peak_meter p = {.most = 0};
	meter_init(&p.meter, 0);
	vf_options options = {.allocate = peak_allocate,
	                      .reallocate = peak_reallocate,
	                      .deallocate = peak_free,
	                      .memory_user = &p,
	                      .engine = VF_ENGINE_INTERPRET};
	vf_context *ctx = vf_context_create(&options);
	vf_array *arrays[3];
	for (int i = 0; i < 3; i++)
		arrays[i] = vf_declare(ctx, VF_F32, ranks[i], shapes[i], NULL);
	long long before = p.most = p.meter.bytes;
	double start = now_ms();
	vf_array *a = vf_eval(ctx, text, 3, names, arrays);
	cost c = {a != NULL, now_ms() - start, p.most - before};
	if (a && vf_status_name(vf_error_code(ctx)) && vf_error_code(ctx) == VF_ERR_MEMORY)
		abort();
	vf_release(a);
	for (int i = 0; i < 3; i++)
		vf_release(arrays[i]);
	vf_context_release(ctx);
	if (p.meter.blocks != 0)
		abort();
	return c;
}

/* ---- what is kept ---- */

static void keep(const char *kind, const char *text, double number)
{
	const char *directory = getenv("VF_EFFORT_KEEP");
	char path[512];
	if (!directory)
		return;
	snprintf(path, sizeof path, "%s/%s-%05.0f", directory, kind, number);
	FILE *file = fopen(path, "w");
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
	fprintf(stderr, "%s %.1f: %s\n", kind, number, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static double slowest = 5;
	static long long largest = 5 << 20;
	writer w = {.length = 0};
	size_t length = size > LONGEST ? LONGEST : size;
	if (length)
		memcpy(w.text, data, length);
	cost c = fold(w.text);
	if (!c.folded && c.bytes < 100000) { /* no expression, then */
		generate(&w, data, size);
		c = fold(w.text);
	}
	if (c.bytes > MOST_BYTES) {
		fprintf(stderr, "%lld bytes: %s\n", c.bytes, w.text);
		abort();
	}
	if (c.ms > slowest * 1.05)
		keep("slow", w.text, slowest = c.ms);
	if (c.bytes > largest + largest / 20)
		keep("large", w.text, (double)(largest = c.bytes) * 1e-3);
	return 0;
}
