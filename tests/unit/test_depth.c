/* test_depth.c -- chains far longer than a stack is deep.
 *
 * Everything runs on a thread with a stack of 256 KiB: a chain of 200,000 views; chains whose cuts lie above
 * each other by the thousand, with elements of one size and of two, and over exabytes; texts that nest a
 * hundred thousand deep. What the chains hold is compared with the same moves made on plain memory.
 */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

enum { STACK_BYTES = 256 << 10 };

/* Sanitizers make frames several times as large, and so does a compiler that does not optimise. */
#ifdef __OPTIMIZE__
enum { FRAMES = SANITIZED ? 4 : 1 };
#else
enum { FRAMES = 4 };
#endif

typedef struct deep {
	vf_context *ctx;
	char failure[300];
} deep;

static bool require(deep *d, bool holds, const char *what)
{
	if (!holds && !d->failure[0])
		snprintf(d->failure, sizeof d->failure, "%s; %s \"%s\"", what,
		         vf_status_name(vf_error_code(d->ctx)), vf_error_text(d->ctx));
	return holds;
}

static void on_small_stack(void *(*run)(void *))
{
	pthread_t thread;
	pthread_attr_t attributes;
	deep d = {.ctx = vf_context_create(&(vf_options){.history = INT_MAX})};
	assert_int_equal(pthread_attr_init(&attributes), 0);
	assert_int_equal(pthread_attr_setstacksize(&attributes, (size_t)STACK_BYTES * FRAMES), 0);
	assert_int_equal(pthread_create(&thread, &attributes, run, &d), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	pthread_attr_destroy(&attributes);
	vf_context_release(d.ctx);
	if (d.failure[0])
		fail_msg("%s", d.failure);
}

static vf_array *next(vf_array *before, vf_array *after)
{
	vf_release(before);
	return after;
}

/* By hand: a sanitizer's strstr() measures the whole text each time. */
static int count(const char *text, const char *what)
{
	size_t length = strlen(what);
	int n = 0;
	for (; text && *text; text++)
		n += strncmp(text, what, length) == 0;
	return n;
}

/* ---- what a chain gives ---- */

/* The bytes, as a whole and one by one, and the texts: at least `nodes` of them in explain and in dot. */
static void check_chain(deep *d, vf_array *x, const void *expected, int nodes)
{
	int64_t bytes = vf_size_bytes(x), each = vf_dtype_bytes(vf_dtype_of(x));
	char *out = malloc((size_t)bytes), *text;
	unsigned char one[16];
	require(d, vf_materialize(x, out, (size_t)bytes) == VF_OK, "materialize");
	require(d, memcmp(out, expected, (size_t)bytes) == 0, "not the bytes expected");
	for (int64_t at = 0; at < vf_size(x); at += 131) {
		int64_t columns = vf_shape(x)[1];
		require(d, vf_get(x, (int64_t[]){at / columns, at % columns}, one) == VF_OK, "get");
		require(d, memcmp(one, out + at * each, (size_t)each) == 0, "not the element expected");
	}
	text = vf_explain(x);
	require(d, text && count(text, "\n    ") >= nodes, "explain");
	vf_text_free(d->ctx, text);
	text = vf_dot(x);
	require(d, text && count(text, " [shape=") >= nodes, "dot");
	vf_text_free(d->ctx, text);
	text = vf_source(x, true);
	require(d, text != NULL, "source");
	vf_text_free(d->ctx, text);
	free(out);
}

/* ---- chains ---- */

static void *views(void *user)
{
	enum { OPS = 200000, ROWS = 6, COLUMNS = 4 };
	deep *d = user;
	float in[ROWS * COLUMNS], out[ROWS * COLUMNS];
	for (int i = 0; i < ROWS * COLUMNS; i++)
		in[i] = (float)i;
	vf_array *x = vf_wrap(d->ctx, in, VF_F32, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	for (int i = 0; i < OPS && x; i++)
		x = next(x, i % 2 ? vf_T(x) : vf_flip(x, 1, (int[]){0}));
	/* Two ops turn it by a quarter, eight by nothing. */
	memcpy(out, in, sizeof out);
	if (require(d, x && OPS % 8 == 0, "200,000 views"))
		check_chain(d, x, out, OPS + 1);
	vf_release(x);
	return NULL;
}

enum { SIZE = 5040 };
static const int64_t shapes[3][2] = {{60, 84}, {70, 72}, {63, 80}};

/* The transpose of rows x columns elements of `each` bytes. */
static void transpose(unsigned char *bytes, int64_t rows, int64_t columns, size_t each)
{
	static unsigned char turned[SIZE * sizeof(float)];
	for (int64_t r = 0; r < rows; r++)
		for (int64_t c = 0; c < columns; c++)
			memcpy(turned + (size_t)(c * rows + r) * each,
			       bytes + (size_t)(r * columns + c) * each, each);
	memcpy(bytes, turned, (size_t)(rows * columns) * each);
}

/* Rounds of six transposes, each reshaped to radices that share no boundary with the last ones; then, where
 * `halves`, the elements become two, or one again. */
static vf_array *cut_chain(vf_array *x, unsigned char *bytes, int rounds, bool halves)
{
	int64_t parts = 1;
	for (int round = 0; round < rounds && x; round++) {
		for (int i = 1; i <= 6 && x; i++) {
			const int64_t *shape = shapes[i % 3];
			transpose(bytes, vf_shape(x)[0], vf_shape(x)[1], (size_t)(4 / parts));
			x = next(x, vf_T(x));
			x = next(x, vf_reshape(x, 2, (int64_t[]){shape[0], shape[1] * parts}));
		}
		if (halves) {
			parts = 3 - parts;
			x = next(x, vf_contiguous(x));
			x = next(x, vf_view_dtype(x, parts == 1 ? VF_F32 : VF_U16));
		}
	}
	return x;
}

static void check_cuts(deep *d, int rounds, bool halves, int nodes, int cuts)
{
	static float in[SIZE];
	static unsigned char expected[sizeof in];
	for (int i = 0; i < SIZE; i++)
		in[i] = (float)i;
	memcpy(expected, in, sizeof in);
	vf_array *x = vf_wrap(d->ctx, in, VF_F32, 2, shapes[0], NULL);
	x = cut_chain(x, expected, rounds, halves);
	if (require(d, x && vf_cuts(x) >= cuts, "a chain of cuts"))
		check_chain(d, x, expected, nodes);
	vf_release(x);
}

static void *cuts(void *user)
{
	enum { ROUNDS = 2000 / FRAMES / FRAMES }; /* slow code takes longer, and 256 KiB are what counts */
	check_cuts(user, ROUNDS, false, ROUNDS * 12 + 1, ROUNDS);
	return NULL;
}

static void *cuts_of_two_sizes(void *user)
{
	check_cuts(user, 500, true, 500 * 12 + 1, 1000);
	return NULL;
}

/* What such a chain of exabytes moves is more than there are numbers. */
TEST(figures_of_exabytes)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_kernel_info info;
	vf_array *x = vf_declare(ctx, VF_U8, 2, (int64_t[]){shapes[0][0] << 24, shapes[0][1] << 24}, NULL),
		 *leaf = vf_retain(x);
	for (int i = 1; i <= 30 && x; i++) {
		x = next(x, vf_T(x));
		x = next(x, vf_reshape(x, 2, (int64_t[]){shapes[i % 3][0] << 24, shapes[i % 3][1] << 24}));
	}
	assert_true(vf_cuts(x) >= 4);
	vf_kernel *k = vf_compile(x, 1, &leaf);
	assert_non_null(k);
	vf_kernel_get_info(k, &info);
	assert_true(info.traffic_bytes == INT64_MAX);
	vf_kernel_release(k);
	RELEASE(leaf, x);
	vf_context_release(ctx);
}

/* ---- texts ---- */

static char *nested(const char *before, const char *open, const char *middle, const char *close, int n)
{
	size_t bytes = strlen(before) + strlen(middle) + (size_t)n * (strlen(open) + strlen(close)) + 1;
	char *text = malloc(bytes), *at = stpcpy(text, before);
	for (int i = 0; i < n; i++)
		at = stpcpy(at, open);
	at = stpcpy(at, middle);
	for (int i = 0; i < n; i++)
		at = stpcpy(at, close);
	return text;
}

static void *texts(void *user)
{
	enum { DEEP = 100000 };
	static const struct {
		const char *before, *open, *middle, *close;
	} nests[] = {
	    {"", "(", "x", ")"},
	    {"", "[", "x", "]"},
	    {"", "cat([", "x", "])"},
	    {"x[", "[", "0", "]"},
	    {"x[", "x[", "0", "]"},
	    {"x.flip(", "-", "1)", ""},
	    {"x.reshape(", "2**", "1)", ""},
	    {"x.reshape(", "(", "24", ",)"},
	    {"x.tile(", "x.size(", "0", ")"},
	    {"", "+", "x", ""},
	};
	deep *d = user;
	float in[24] = {0};
	vf_array *x = vf_wrap(d->ctx, in, VF_F32, 2, (int64_t[]){6, 4}, NULL), *y;
	for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
		char *text = nested(nests[i].before, nests[i].open, nests[i].middle, nests[i].close, DEEP);
		y = vf_eval(d->ctx, text, 1, (const char *const[]){"x"}, &x);
		require(d,
		        !y && vf_error_code(d->ctx) == VF_ERR_LIMIT &&
		            strstr(vf_error_text(d->ctx), "nested more than"),
		        nests[i].open);
		vf_error_clear(d->ctx);
		free(text);
	}
	char *chain = nested("", "", "x", ".T.flip(0)", DEEP);
	y = vf_eval(d->ctx, chain, 1, (const char *const[]){"x"}, &x);
	require(d, y != NULL, "a chain in a text");
	free(chain);
	RELEASE(y, x);
	return NULL;
}

TEST(test_views)
{
	on_small_stack(views);
}

TEST(test_cuts)
{
	on_small_stack(cuts);
}

TEST(test_cuts_of_two_sizes)
{
	on_small_stack(cuts_of_two_sizes);
}

TEST(test_texts)
{
	on_small_stack(texts);
}
