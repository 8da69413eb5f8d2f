/* test_memo.c -- expressions that were met before: when they are remembered, that they never mix, and that
 * what is remembered holds on to nothing of a caller's.
 */
#include "driver/ready.h"
#include "support/meter.h"
#include "test.h"
#include "support/release.h"

#include <pthread.h>
#include <stdio.h>

enum { ROWS = 4, COLUMNS = 6, CELLS = ROWS * COLUMNS };

typedef unsigned char cells[CELLS];

static void count_up(unsigned char *bytes, int from)
{
	for (int i = 0; i < CELLS; i++)
		bytes[i] = (unsigned char)(from + i);
}

static vf_array *wrap(vf_context *ctx, unsigned char *bytes)
{
	return vf_wrap(ctx, bytes, VF_U8, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
}

static vf_array *eval(vf_context *ctx, const char *text, vf_array *x, vf_array *y)
{
	vf_array *a = vf_eval(ctx, text, y ? 2 : 1, (const char *const[]){"x", "y"},
	                      (vf_array *const[]){x, y});
	if (!a)
		fail_msg("%s: %s", text, vf_error_text(ctx));
	return a;
}

/* Whether `text` over these operands is remembered the next time. */
static bool remembered(vf_context *ctx, const char *text, vf_array *x, vf_array *y)
{
	vf_array *first = eval(ctx, text, x, y), *second = eval(ctx, text, x, y);
	bool is = vf_ready_is_shared(second);
	char *one = vf_map_text(first), *other = vf_map_text(second);
	assert_string_equal(one, other);
	vf_text_free(ctx, one);
	vf_text_free(ctx, other);
	RELEASE(second, first);
	return is;
}

/* ---- new buffers ---- */

TEST(new_buffers_are_read_and_written)
{
	vf_context *ctx = vf_context_create(NULL);
	for (int round = 0; round < 5; round++) {
		cells bytes, out;
		count_up(bytes, 50 * round);
		vf_array *x = wrap(ctx, bytes), *t = eval(ctx, "x.T[::-1]", x, NULL);
		assert_int_equal(vf_ready_is_shared(t), round > 0);
		assert_int_equal(vf_materialize(t, out, sizeof out), VF_OK);
		for (int i = 0; i < CELLS; i++)
			assert_int_equal(out[i], bytes[i % ROWS * COLUMNS + COLUMNS - 1 - i / ROWS]);
		assert_ptr_equal(vf_data(t), bytes + COLUMNS - 1);
		assert_int_equal(vf_fill(t, &(unsigned char){7}), VF_OK);
		for (int i = 0; i < CELLS; i++)
			assert_int_equal(bytes[i], 7);
		RELEASE(t, x);
	}
	vf_stats stats;
	vf_get_stats(ctx, &stats);
	assert_int_equal(stats.cache_misses, 2); /* to read and to fill */
	vf_context_release(ctx);
}

static void check_computed(vf_array *t, const unsigned char *bytes, const float *row)
{
	float out[CELLS];
	assert_int_equal(vf_materialize(t, out, sizeof out), VF_OK);
	for (int i = 0; i < CELLS; i++) {
		int c = COLUMNS - 1 - i / ROWS;
		float wanted = (float)bytes[i % ROWS * COLUMNS + c] - row[c];
		assert_memory_equal(&out[i], &wanted, sizeof wanted);
	}
}

/* Made again over other buffers, they are what they were: for their bytes, and for what is made of them. */
TEST(chains_that_compute_are_remembered)
{
	vf_context *ctx = vf_context_create(NULL);
	for (int round = 0; round < 5; round++) {
		cells bytes;
		float row[COLUMNS];
		count_up(bytes, 50 * round);
		for (int c = 0; c < COLUMNS; c++)
			row[c] = (float)(c * round) / 3;
		vf_array *x = wrap(ctx, bytes), *y = vf_wrap(ctx, row, VF_F32, 1, (int64_t[]){COLUMNS}, NULL);
		vf_array *t = eval(ctx, "(x.to(f32) - y).T[::-1]", x, y), *sum = eval(ctx, "x + y", x, y);
		assert_int_equal(vf_ready_is_shared(t), round > 0);
		assert_int_equal(vf_ready_is_shared(sum), round > 0);
		vf_array *bits = vf_view_dtype(t, VF_U32), *as_it_was = vf_view_dtype(bits, VF_F32);
		vf_array *turned = vf_T(as_it_was), *back = vf_T(turned);
		vf_array *leaves[] = {t, sum, bits, as_it_was, turned, x, y};
		for (int i = 0; i < 7; i++) {
			if (i == 0)
				check_computed(t, bytes, row);
			vf_release(leaves[i]);
		}
		check_computed(back, bytes, row);
		assert_null(vf_data(back));
		vf_release(back);
	}
	vf_context_release(ctx);
}

TEST(graphs_look_as_they_did)
{
	cells bytes = {0};
	char *explained[3], *drawn[3];
	vf_context *ctx = vf_context_create(NULL);
	for (int round = 0; round < 3; round++) {
		vf_array *x = wrap(ctx, bytes), *t = eval(ctx, "x.T.reshape(24)", x, NULL);
		vf_array *more = eval(ctx, "cat([x[::-1], y[3:], x])", t, t);
		assert_int_equal(vf_ready_is_shared(more), round > 0);
		explained[round] = vf_explain(more);
		drawn[round] = vf_dot(more);
		assert_non_null(strstr(explained[round], "reshape"));
		RELEASE(more, t, x);
	}
	for (int round = 1; round < 3; round++) {
		assert_string_equal(explained[round], explained[0]);
		assert_string_equal(drawn[round], drawn[0]);
	}
	for (int round = 0; round < 3; round++) {
		vf_text_free(ctx, explained[round]);
		vf_text_free(ctx, drawn[round]);
	}
	vf_context_release(ctx);
}

/* ---- what is told apart ---- */

/* The last but one of the elements in C order; x is given back. */
static void expect_byte(vf_context *ctx, vf_array *x, unsigned char expected)
{
	unsigned char out[2 * CELLS];
	for (int round = 0; round < 3; round++) {
		vf_array *a = vf_apply(x, "flatten()[::-1]");
		assert_non_null(a);
		assert_int_equal(vf_dtype_of(a), vf_dtype_of(x));
		assert_int_equal(vf_materialize(a, out, (size_t)vf_size_bytes(a)), VF_OK);
		assert_int_equal(out[vf_dtype_bytes(vf_dtype_of(a))], expected);
		vf_release(a);
	}
	assert_int_equal(vf_error_code(ctx), VF_OK);
	vf_release(x);
}

TEST(strides_types_and_places_are_told_apart)
{
	cells b;
	count_up(b, 0);
	vf_context *ctx = vf_context_create(NULL);
	expect_byte(ctx, wrap(ctx, b), 22);
	expect_byte(ctx, vf_wrap(ctx, b, VF_I8, 2, (int64_t[]){4, 6}, NULL), 22);
	expect_byte(ctx, vf_wrap(ctx, b, VF_U8, 2, (int64_t[]){6, 4}, NULL), 22);
	expect_byte(ctx, vf_wrap(ctx, b, VF_U8, 2, (int64_t[]){4, 6}, (int64_t[]){1, 4}), 19);
	expect_byte(ctx, vf_wrap(ctx, b, VF_U8, 2, (int64_t[]){4, 6}, (int64_t[]){1, 3}), 15);
	expect_byte(ctx, vf_wrap(ctx, b + 23, VF_U8, 2, (int64_t[]){4, 6}, (int64_t[]){-6, -1}), 1);
	expect_byte(ctx, vf_wrap(ctx, b, VF_U16, 2, (int64_t[]){4, 3}, NULL), 20);
	vf_array *x = wrap(ctx, b);
	expect_byte(ctx, vf_narrow(x, 0, 1, 2), 16);
	expect_byte(ctx, vf_narrow(x, 0, 2, 2), 22);
	vf_release(x);
	vf_context_release(ctx);
}

TEST(operands_that_are_one_are_told_from_two)
{
	cells a, b, out;
	count_up(a, 0);
	count_up(b, 100);
	vf_context *ctx = vf_context_create(NULL);
	for (int round = 0; round < 6; round++) {
		vf_array *x = wrap(ctx, a), *y = wrap(ctx, b), *second = round % 2 ? x : y;
		vf_array *z = eval(ctx, "cat([x[:2], y[2:]])", x, second);
		assert_int_equal(vf_ready_is_shared(z), round > 1);
		assert_int_equal(vf_materialize(z, out, sizeof out), VF_OK);
		assert_int_equal(out[11], 11);
		assert_int_equal(out[12], round % 2 ? 12 : 112);
		RELEASE(z, y, x);
	}
	vf_context_release(ctx);
}

TEST(refusals_stay)
{
	cells b = {0};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *all_of_it = wrap(ctx, b), *large = vf_narrow(all_of_it, 0, 0, 2);
	vf_array *small = vf_wrap(ctx, b, VF_U8, 2, (int64_t[]){2, COLUMNS}, NULL);
	vf_array *fixed = vf_wrap_const(ctx, b, VF_U8, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	for (int round = 0; round < 2; round++) {
		vf_array *all = vf_apply(large, "as_strided([24], [1])"), *same = vf_apply(large, "T");
		assert_non_null(all);
		assert_null(vf_apply(small, "as_strided([24], [1])"));
		assert_int_equal(vf_error_code(ctx), VF_ERR_BOUNDS);
		vf_error_clear(ctx);
		assert_int_equal(vf_fill(same, &(unsigned char){1}), VF_OK);
		vf_array *read = vf_apply(fixed, "T");
		assert_int_equal(vf_fill(read, &(unsigned char){1}), VF_ERR_WRITE);
		vf_error_clear(ctx);
		assert_null(vf_eval(ctx, "x.T", 2, (const char *const[]){"x", "x"},
		                    (vf_array *const[]){large, fixed}));
		assert_null(vf_eval(ctx, "x.T", 1, (const char *const[]){"x"}, (vf_array *const[]){NULL}));
		vf_error_clear(ctx);
		RELEASE(read, same, all);
	}
	RELEASE(fixed, small, large, all_of_it);
	vf_context_release(ctx);
}

/* ---- what is remembered ---- */

TEST(only_what_nobody_could_tell_is_remembered)
{
	cells a = {0}, b = {0};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = wrap(ctx, a), *y = wrap(ctx, b), *turned = vf_T(x), *value = vf_contiguous(turned);
	vf_array *none = vf_wrap(ctx, a, VF_U8, 2, (int64_t[]){0, 6}, NULL);
	assert_true(remembered(ctx, "x.T", x, NULL));
	assert_true(remembered(ctx, "stack([x, y]).T", x, y));
	assert_true(remembered(ctx, "x.pad([1, 1]).roll(2, 0)", x, NULL));
	assert_false(remembered(ctx, "x", x, NULL)); /* the operand itself */
	assert_false(remembered(ctx, "x", turned, NULL));
	/* y is not read, and may go before the result */
	assert_false(remembered(ctx, "x.T", x, y));
	assert_true(remembered(ctx, "x.T.contiguous()", x, NULL));
	assert_true(remembered(ctx, "x.T.contiguous().T", x, NULL));
	assert_true(remembered(ctx, "x.T.to(f32)[1:]", x, NULL));
	assert_true(remembered(ctx, "(x * y).byteswap().to(f16)", x, y));
	assert_false(remembered(ctx, "cat([x.to(f16), y.to(f16) * 2])", x, y)); /* two formulas */
	assert_false(remembered(ctx, "x.T", value, NULL));
	assert_false(remembered(ctx, "x[2:2]", x, NULL));
	assert_false(remembered(ctx, "cat([x, y])", x, none));
	vf_array *same = eval(ctx, "x", x, NULL);
	assert_ptr_equal(same, x);
	RELEASE(same, none, value, turned, y, x);
	vf_context_release(ctx);
}

TEST(long_calls_go_their_own_way)
{
	cells a = {0};
	char text[4096] = "x";
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = wrap(ctx, a);
	int kept = 0;
	for (int n = 1; n <= 1000; n++) {
		strcat(text, ".T");
		vf_array *one = eval(ctx, text, x, NULL), *two = eval(ctx, text, x, NULL);
		assert_int_equal(vf_shape(two)[0], n % 2 ? COLUMNS : ROWS);
		kept += vf_ready_is_shared(two);
		RELEASE(two, one);
	}
	assert_true(kept > 800 && kept < 960); /* of 2 bytes each */
	vf_release(x);
	vf_context_release(ctx);
}

static void note(void *user)
{
	++*(int *)user;
}

TEST(no_operand_is_held)
{
	cells a = {0}, out;
	vf_context *ctx = vf_context_create(NULL);
	for (int round = 1; round <= 4; round++) {
		int gone = 0;
		vf_array *x = wrap(ctx, a), *t = NULL;
		assert_int_equal(vf_on_release(x, note, &gone), VF_OK);
		t = eval(ctx, "x.T", x, NULL);
		assert_int_equal(vf_materialize(t, out, sizeof out), VF_OK);
		vf_release(x);
		assert_int_equal(gone, 0);
		vf_release(t);
		assert_int_equal(gone, 1);
	}
	vf_context_release(ctx);
}

TEST(the_table_is_bounded)
{
	cells a = {0}, out;
	meter m;
	vf_options options = {.cache_kernels = 8, .engine = VF_ENGINE_INTERPRET};
	meter_init(&m, 0);
	meter_use(&m, &options);
	vf_context *ctx = vf_context_create(&options);
	vf_array *x = wrap(ctx, a);
	long long most = 0;
	for (int i = 0; i < 3000; i++) {
		char text[64];
		snprintf(text, sizeof text, "x.T.roll(%d, 0)", i % 1500);
		vf_array *t = eval(ctx, text, x, NULL);
		assert_int_equal(vf_materialize(t, out, sizeof out), VF_OK);
		vf_release(t);
		long long live = atomic_load(&m.blocks);
		if (i < 1000)
			most = live > most ? live : most;
		else if (live > most)
			fail_msg("%lld blocks live after %d expressions, %lld at most before", live, i, most);
	}
	vf_release(x);
	vf_context_release(ctx);
	assert_int_equal(atomic_load(&m.blocks), 0);
}

TEST(the_least_recently_used_goes)
{
	cells a = {0};
	vf_context *ctx = vf_context_create(&(vf_options){.cache_kernels = 4});
	vf_array *x = wrap(ctx, a);
	static const char *const order[] = {"x.roll(1)", "x.roll(2)", "x.roll(3)",
	                                    "x.roll(4)", "x.roll(1)", "x.roll(5)"};
	for (int i = 0; i < 6; i++)
		vf_release(eval(ctx, order[i], x, NULL));
	/* 1, 3, 4 and 5 are there; the second went, and takes another's place only now */
	for (int i = 0; i < 4; i++) {
		vf_array *t = eval(ctx, order[i == 1 ? 5 : i], x, NULL);
		assert_true(vf_ready_is_shared(t));
		vf_release(t);
	}
	vf_array *gone = eval(ctx, order[1], x, NULL);
	assert_false(vf_ready_is_shared(gone));
	RELEASE(gone, x);
	vf_context_release(ctx);
}

/* ---- threads ---- */

static void *evaluate_much(void *user)
{
	vf_context *ctx = user;
	for (int i = 0; i < 4000; i++) {
		cells bytes, out;
		char text[64];
		int shift = i % 5;
		count_up(bytes, i);
		snprintf(text, sizeof text, "x.roll(%d, 1).T", shift);
		vf_array *x = wrap(ctx, bytes), *t = vf_eval(ctx, text, 1, (const char *const[]){"x"}, &x);
		vf_status status = vf_materialize(t, out, sizeof out);
		char *explained = i % 50 ? NULL : vf_explain(t);
		bool good = status == VF_OK && out[4] == bytes[(1 - shift + COLUMNS) % COLUMNS] &&
		            (i % 50 || explained);
		vf_text_free(ctx, explained);
		RELEASE(t, x);
		if (!good)
			return (void *)"wrong bytes";
	}
	return NULL;
}

TEST(threads_share_what_is_remembered)
{
	vf_context *ctx = vf_context_create(&(vf_options){.cache_kernels = 3});
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, evaluate_much, ctx), 0);
	for (int i = 0; i < 4; i++) {
		void *wrong;
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	vf_context_release(ctx);
}
