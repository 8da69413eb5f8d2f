/* calls.c -- what a call costs where the bytes are few: a kernel run again, a new chain, a chain seen before.
 *
 *     bench.calls      one JSON object
 *
 * again   vf_run() of a kernel that is there, compiled and interpreted, and vf_materialize() of an array that
 *         was materialised before, beside a memcpy of the same bytes, in L1
 * fresh   vf_eval() and vf_materialize() of a chain that the context has never met, to its last byte, and
 *         libtcc's share; the arrays and the context are there
 * seen    vf_wrap() of a new buffer and the same two calls, for a text and shapes that were met before: by
 *         its text, and by the C functions; and the part of it that is vf_materialize() of an array that is
 *         there: the copy
 * Medians, on one thread.
 */
#include "viewfold.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 201, BATCH = 1000, FRESH = 200, MOST_BYTES = 64 * 64 * 4 };

static unsigned char source[MOST_BYTES], target[MOST_BYTES];

static double now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *numbers, size_t n)
{
	qsort(numbers, n, sizeof *numbers, ascending);
	return numbers[n / 2];
}

static void expect(vf_context *ctx, int holds)
{
	if (holds)
		return;
	fprintf(stderr, "bench.calls: %s\n", vf_error_text(ctx));
	exit(1);
}

/* Median nanoseconds of one call of fn(data), of batches in a row. */
static double time_calls(void (*fn)(void *data), void *data)
{
	static double samples[SAMPLES];
	for (int i = 0; i < SAMPLES; i++) {
		double start = now_ns();
		for (int k = 0; k < BATCH; k++)
			fn(data);
		samples[i] = (now_ns() - start) / BATCH;
	}
	return median(samples, SAMPLES);
}

/* ---- a kernel run again ---- */

struct again {
	vf_kernel *kernel;
	vf_array *array;
	size_t bytes;
};

static void run_kernel(void *data)
{
	const struct again *again = data;
	vf_run(again->kernel, target, again->bytes, (const void *const[]){source});
}

/* Through a pointer that the compiler cannot see through: a call, as the kernel is one. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void run_copy(void *data)
{
	copy(target, source, ((const struct again *)data)->bytes);
}

static double time_kernel(vf_context *ctx, const char *view, int n)
{
	int64_t shape[] = {n, n};
	vf_array *x = vf_declare(ctx, VF_F32, 2, shape, NULL), *y = vf_apply(x, view);
	struct again again = {.kernel = vf_compile(y, 1, &x), .bytes = (size_t)n * (size_t)n * 4};
	expect(ctx, again.kernel != NULL);
	double ns = time_calls(run_kernel, &again);
	vf_kernel_release(again.kernel);
	vf_release(y);
	vf_release(x);
	return ns;
}

static void materialize(void *data)
{
	const struct again *again = data;
	vf_materialize(again->array, target, again->bytes);
}

static double time_array(vf_context *ctx, const char *view, int n)
{
	int64_t shape[] = {n, n};
	vf_array *x = vf_wrap(ctx, source, VF_F32, 2, shape, NULL);
	struct again again = {.array = vf_apply(x, view), .bytes = (size_t)n * (size_t)n * 4};
	expect(ctx, vf_materialize(again.array, target, again.bytes) == VF_OK);
	double ns = time_calls(materialize, &again);
	vf_release(again.array);
	vf_release(x);
	return ns;
}

static void print_again(vf_context *ctx, vf_context *plain, const char *view, int n)
{
	struct again again = {.bytes = (size_t)n * (size_t)n * 4};
	printf("{\"chain\": \"%s\", \"n\": %d, ", view, n);
	printf("\"kernel_ns\": %.1f, ", time_kernel(ctx, view, n));
	printf("\"interpret_ns\": %.1f, ", time_kernel(plain, view, n));
	printf("\"materialize_ns\": %.1f, ", time_array(ctx, view, n));
	printf("\"memcpy_ns\": %.1f}", time_calls(run_copy, &again));
}

static void print_all_again(vf_context *ctx, vf_context *plain)
{
	static const char *const views[] = {"contiguous()", "flip(0)", "T"};
	enum { VIEWS = sizeof views / sizeof views[0] };
	printf("\"again\": [\n  ");
	for (int i = 0; i < VIEWS; i++)
		for (int n = 8; n <= 64; n *= 2) {
			print_again(ctx, plain, views[i], n);
			printf(i + 1 < VIEWS || n < 64 ? ",\n  " : "]");
		}
}

/* ---- chains ---- */

static const char chain[] = "x.permute(2, 0, 1)[:, :, ::-1]";

struct seen {
	vf_context *ctx;
	vf_array *x, *y; /* y is the chain, made once */
	size_t bytes;
	unsigned turn;
};

static void eval_and_copy(void *data)
{
	const struct seen *seen = data;
	vf_array *y = vf_eval(seen->ctx, chain, 1, (const char *const[]){"x"}, &seen->x);
	vf_materialize(y, target, seen->bytes);
	vf_release(y);
}

/* One place after the other. */
static vf_array *next_buffer(struct seen *seen)
{
	return vf_wrap(seen->ctx, source + seen->turn++ % 64 * 64, VF_U8, 3, (int64_t[]){8, 8, 3}, NULL);
}

static void eval_new_buffer(void *data)
{
	struct seen *seen = data;
	vf_array *x = next_buffer(seen), *y = vf_eval(seen->ctx, chain, 1, (const char *const[]){"x"}, &x);
	vf_materialize(y, target, seen->bytes);
	vf_release(y);
	vf_release(x);
}

static void call_new_buffer(void *data)
{
	struct seen *seen = data;
	vf_array *x = next_buffer(seen), *p = vf_permute(x, 3, (int[]){2, 0, 1}),
		 *y = vf_flip(p, 1, (int[]){2});
	vf_materialize(y, target, seen->bytes);
	vf_release(y);
	vf_release(p);
	vf_release(x);
}

static void copy_only(void *data)
{
	const struct seen *seen = data;
	vf_materialize(seen->y, target, seen->bytes);
}

static void print_fresh(vf_context *ctx)
{
	static double total[FRESH], compile[FRESH];
	vf_stats before, after;
	for (int i = 0; i < FRESH; i++) {
		vf_array *x = vf_wrap(ctx, source, VF_U8, 3, (int64_t[]){8 + i % 20, 16 + i / 20, 3}, NULL);
		struct seen seen = {.ctx = ctx, .x = x, .bytes = (size_t)vf_size_bytes(x)};
		vf_get_stats(ctx, &before);
		double start = now_ns();
		eval_and_copy(&seen);
		total[i] = now_ns() - start;
		vf_get_stats(ctx, &after);
		compile[i] = (double)(after.compile_ns - before.compile_ns);
		vf_release(x);
	}
	expect(ctx, vf_error_code(ctx) == VF_OK && after.cache_misses >= FRESH);
	printf("\"fresh\": {\"total_us\": %.1f, \"libtcc_us\": %.1f},\n", median(total, FRESH) * 1e-3,
	       median(compile, FRESH) * 1e-3);
}

static void print_seen(vf_context *ctx)
{
	struct seen seen = {.ctx = ctx, .x = vf_wrap(ctx, source, VF_U8, 3, (int64_t[]){8, 8, 3}, NULL)};
	seen.y = vf_apply(seen.x, chain + 1);
	expect(ctx, seen.y != NULL);
	seen.bytes = (size_t)vf_size_bytes(seen.y);
	expect(ctx, vf_materialize(seen.y, target, seen.bytes) == VF_OK);
	printf("\"seen\": {\"eval_ns\": %.0f, ", time_calls(eval_new_buffer, &seen));
	printf("\"calls_ns\": %.0f, ", time_calls(call_new_buffer, &seen));
	expect(ctx, vf_error_code(ctx) == VF_OK);
	printf("\"copy_ns\": %.0f},\n", time_calls(copy_only, &seen));
	vf_release(seen.y);
	vf_release(seen.x);
}

int main(void)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_context *plain = vf_context_create(&(vf_options){.engine = VF_ENGINE_INTERPRET});
	if (!ctx || !plain)
		return 1;
	printf("{");
	print_fresh(ctx);
	print_seen(ctx);
	print_all_again(ctx, plain);
	printf("}\n");
	vf_context_release(plain);
	vf_context_release(ctx);
	return 0;
}
