/* test_measure.c -- measured planning and its wisdom: the bytes stay what they are, the text goes round. */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 300 };

static uint32_t image[SIDE][SIDE], turned[SIDE][SIDE];

static vf_context *open_context(vf_effort effort)
{
	vf_options options = {.effort = effort};
	vf_context *ctx = vf_context_create(&options);
	assert_non_null(ctx);
	return ctx;
}

static void turn(vf_context *ctx)
{
	vf_array *x = vf_wrap(ctx, image, VF_U32, 2, (int64_t[]){SIDE, SIDE}, NULL);
	vf_array *y = vf_T(x);
	memset(turned, 0, sizeof turned);
	assert_int_equal(vf_materialize(y, turned, sizeof turned), VF_OK);
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			assert_int_equal(turned[i][j], image[j][i]);
	RELEASE(y, x);
}

static int lines(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

TEST(a_measured_plan_moves_the_same_bytes)
{
	vf_context *ctx = open_context(VF_EFFORT_MEASURE);
	turn(ctx);
	char *wisdom = vf_wisdom_save(ctx);
	assert_int_equal(lines(wisdom), 2);
	vf_text_free(ctx, wisdom);
	vf_context_release(ctx);
}

/* ---- measuring without memory ---- */

static int64_t left;    /* allocations that are granted */
static bool ever_after; /* and then none; else all but one */

static bool refuses(void)
{
	return left-- <= 0 && (ever_after || left == -1);
}

static void *allocate(void *user, size_t bytes)
{
	return refuses() ? NULL : malloc(bytes);
}

static void *reallocate(void *user, void *block, size_t bytes)
{
	return refuses() ? NULL : realloc(block, bytes);
}

static void give_back(void *user, void *block)
{
	free(block);
}

/* Each allocation fails once, alone, and with all after it. What was only tried leaves no error behind a call
 * that succeeds. */
TEST(what_measuring_lacks_is_no_error)
{
	int succeeded = 0;
	for (int way = 0; way < 2; way++)
		for (int at = 0; at < 700; at++) {
			left = INT64_MAX;
			ever_after = way == 1;
			vf_options options = {.effort = VF_EFFORT_MEASURE,
			                      .allocate = allocate,
			                      .reallocate = reallocate,
			                      .deallocate = give_back};
			vf_context *ctx = vf_context_create(&options);
			vf_array *x = vf_wrap(ctx, image, VF_U32, 2, (int64_t[]){60, 50}, NULL), *y = vf_T(x);
			left = at;
			vf_status status = vf_materialize(y, turned, 60 * 50 * sizeof **turned);
			succeeded += status == VF_OK;
			assert_int_equal(vf_error_code(ctx), status);
			RELEASE(y, x);
			vf_context_release(ctx);
		}
	assert_true(succeeded > 100);
}

TEST(an_estimate_learns_nothing)
{
	vf_context *ctx = open_context(VF_EFFORT_ESTIMATE);
	turn(ctx);
	char *wisdom = vf_wisdom_save(ctx);
	assert_int_equal(lines(wisdom), 1);
	vf_text_free(ctx, wisdom);
	vf_context_release(ctx);
}

TEST(wisdom_goes_round)
{
	vf_context *first = open_context(VF_EFFORT_MEASURE), *second = open_context(VF_EFFORT_ESTIMATE);
	turn(first);
	char *wisdom = vf_wisdom_save(first);
	assert_int_equal(vf_wisdom_load(second, wisdom), VF_OK);
	turn(second);
	char *again = vf_wisdom_save(second);
	assert_string_equal(wisdom, again);
	vf_text_free(first, wisdom);
	vf_text_free(second, again);
	vf_context_release(first);
	vf_context_release(second);
}

TEST(foreign_and_damaged_texts_teach_nothing)
{
	vf_context *ctx = open_context(VF_EFFORT_ESTIMATE);
	char *own = vf_wisdom_save(ctx), damaged[512];
	assert_int_equal(vf_wisdom_load(ctx, "viewfold-wisdom 0.0.0 abacus 1 2 3\n0123456789abcdef 1\n"),
	                 VF_OK);
	snprintf(damaged, sizeof damaged, "%sffff 99\nffff 1\n", own);
	assert_int_equal(vf_wisdom_load(ctx, damaged), VF_OK);
	snprintf(damaged, sizeof damaged, "%sffff 70000000\nffff 00000000\n", own);
	assert_int_equal(vf_wisdom_load(ctx, damaged), VF_OK);
	snprintf(damaged, sizeof damaged, "%smachine 0000000\n", own);
	assert_int_equal(vf_wisdom_load(ctx, damaged), VF_OK);
	snprintf(damaged, sizeof damaged, "%sffff", own);
	assert_int_equal(vf_wisdom_load(ctx, damaged), VF_OK);
	char *after = vf_wisdom_save(ctx);
	assert_string_equal(own, after);
	assert_int_equal(vf_wisdom_load(ctx, "no such text"), VF_ERR_ARGUMENT);
	vf_text_free(ctx, own);
	vf_text_free(ctx, after);
	vf_context_release(ctx);
}

TEST(tuning_is_wisdom)
{
	vf_context *ctx = open_context(VF_EFFORT_ESTIMATE), *second = open_context(VF_EFFORT_ESTIMATE);
	assert_int_equal(vf_tune(ctx, 0.05), VF_OK);
	turn(ctx);
	char *wisdom = vf_wisdom_save(ctx);
	assert_int_equal(lines(wisdom), 2);
	assert_non_null(strstr(wisdom, "\nmachine "));
	assert_int_equal(vf_wisdom_load(second, wisdom), VF_OK);
	char *again = vf_wisdom_save(second);
	assert_string_equal(wisdom, again);
	vf_text_free(ctx, wisdom);
	vf_text_free(second, again);
	vf_context_release(ctx);
	vf_context_release(second);
}

TEST(seconds_that_are_none)
{
	vf_context *ctx = open_context(VF_EFFORT_ESTIMATE);
	const double none[] = {0, -1, NAN, INFINITY, 3601};
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		assert_int_equal(vf_tune(ctx, none[i]), VF_ERR_ARGUMENT);
		assert_non_null(strstr(vf_error_text(ctx), "tune: "));
		vf_error_clear(ctx);
	}
	assert_int_equal(vf_tune(NULL, 1), VF_ERR_ARGUMENT);
	vf_context_release(ctx);
}

/* Each place of every bend, results streamed, so that there are blocks: the bytes stay what they are. */
TEST(no_bend_changes_the_bytes)
{
	for (int what = 0; what < 8; what++)
		for (char place = '1'; place < '9'; place++) {
			char text[256], bend[] = "60000000";
			vf_context *ctx = open_context(VF_EFFORT_ESTIMATE);
			char *own = vf_wisdom_save(ctx);
			bend[what] = place;
			snprintf(text, sizeof text, "%smachine %s\n", own, bend);
			vf_text_free(ctx, own);
			assert_int_equal(vf_wisdom_load(ctx, text), VF_OK);
			turn(ctx);
			vf_context_release(ctx);
		}
}

int main(void)
{
	for (int i = 0; i < SIDE * SIDE; i++)
		image[i / SIDE][i % SIDE] = (uint32_t)i * 2654435761u;
	return test_all(NULL, NULL);
}
