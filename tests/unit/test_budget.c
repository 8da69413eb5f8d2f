/* test_budget.c -- what folding may cost: expressions that took hundreds of megabytes, joins of thousands of
 * arrays, paddings of all axes, and what comes of a small budget.
 */
#include "meter.h"
#include "viewfold.h"
#include "test.h"

#include <stdio.h>

static vf_array *eval(vf_context *ctx, const char *text, vf_array *x)
{
	return vf_eval(ctx, text, 1, (const char *const[]){"x"}, &x);
}

/* The element numbers that an array of declared x reads, by materialising it over counted memory. */
static int32_t *elements(vf_context *ctx, vf_array *a)
{
	if (!a)
		fail_msg("%s", vf_error_text(ctx));
	int32_t *out = malloc((size_t)vf_size_bytes(a) + 1);
	assert_int_equal(vf_materialize(a, out, (size_t)vf_size_bytes(a)), VF_OK);
	vf_release(a);
	return out;
}

/* Within 64 MB, beside what is there before: no allocation beyond it is asked for. */
TEST(the_expressions_of_old_fold_within_64_megabytes)
{
	static const struct {
		int64_t shape[3];
		int rank;
		const char *text;
	} rows[] = {
	    {{512},
	     1,
	     "x.roll(586).tile(3,1).repeat_interleave(5,0).repeat_interleave(2,1).permute(0,1)[::-3]."
	     "diagonal(3,1,0)"
	     ".roll(1132,0)"},
	    {{512, 512},
	     2,
	     "x.roll(586).tile(3,1).repeat_interleave(5,0).repeat_interleave(2,1).permute(0,1)[::-3]"
	     ".diagonal(3,1,0).roll(1132,0)"},
	    {{512, 7000},
	     2,
	     "x.roll(586).tile(3,1).repeat_interleave(5,0).repeat_interleave(2,1).permute(0,1)[::-3]"
	     ".diagonal(3,1,0).roll(1132,0)"},
	    {{3, 600, 9000},
	     3,
	     "cat([x.roll(116).unfold(1,256,2).unfold(2,4000,100)] * 2, 0).tile(1,1,1,100,1)"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		meter m;
		vf_options options = {0};
		meter_init(&m, 64 << 20);
		meter_use(&m, &options);
		vf_context *ctx = vf_context_create(&options);
		vf_array *x = vf_declare(ctx, VF_F32, rows[i].rank, rows[i].shape, NULL),
			 *a = eval(ctx, rows[i].text, x);
		if (!a)
			fail_msg("row %zu: %s", i, vf_error_text(ctx));
		assert_int_equal(m.refused, 0);
		vf_release(a);
		vf_release(x);
		vf_context_release(ctx);
	}
}

TEST(test_4097_arrays_are_stacked)
{
	enum { N = 4097, ROW = 5 };
	static int32_t numbers[N][ROW], out[N][ROW];
	static vf_array *rows[N];
	vf_context *ctx = vf_context_create(NULL);
	for (int i = 0; i < N; i++) {
		int at = i * 1009 % N; /* no even steps between them */
		for (int j = 0; j < ROW; j++)
			numbers[at][j] = i * ROW + j;
		rows[i] = vf_wrap(ctx, numbers[at], VF_I32, 1, (int64_t[]){ROW}, NULL);
	}
	vf_array *a = vf_stack(N, rows, 0);
	if (!a)
		fail_msg("%s", vf_error_text(ctx));
	assert_int_equal(vf_cuts(a), 0);
	assert_int_equal(vf_materialize(a, out, sizeof out), VF_OK);
	for (int i = 0; i < N * ROW; i++)
		assert_int_equal(out[i / ROW][i % ROW], i);
	vf_release(a);
	for (int i = 0; i < N; i++)
		vf_release(rows[i]);
	vf_context_release(ctx);
}

/* Planning looked at all that follow for each of them: 5000 took 157 s and gigabytes. */
TEST(test_2000_arrays_are_joined_within_64_megabytes)
{
	enum { N = 2000, ROWS = 2, ROW = 12 };
	static int32_t numbers[N][ROWS][ROW], out[ROWS][N][ROW];
	static vf_array *parts[N];
	vf_options options = {0};
	meter m;
	meter_init(&m, 64 << 20);
	meter_use(&m, &options);
	vf_context *ctx = vf_context_create(&options);
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < ROWS * ROW; j++)
			numbers[i][j / ROW][j % ROW] = i * ROW * ROWS + j;
		parts[i] = vf_wrap(ctx, numbers[i], VF_I32, 3, (int64_t[]){ROWS, 3, 4}, NULL);
	}
	vf_array *a = vf_cat(N, parts, 1);
	assert_non_null(a);
	if (vf_materialize(a, out, sizeof out) != VF_OK)
		fail_msg("%s", vf_error_text(ctx));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < ROWS * ROW; j++)
			assert_int_equal(out[j / ROW][i][j % ROW], i * ROW * ROWS + j);
	vf_release(a);
	for (int i = 0; i < N; i++)
		vf_release(parts[i]);
	vf_context_release(ctx);
	assert_int_equal(atomic_load(&m.blocks), 0);
}

/* np.pad's index along an axis of n, one before its first. */
static int64_t source_of(const char *mode, int64_t n, int64_t i)
{
	i--;
	if (i >= 0 && i < n)
		return i;
	if (strcmp(mode, "replicate") == 0)
		return i < 0 ? 0 : n - 1;
	if (strcmp(mode, "circular") == 0)
		return i < 0 ? n - 1 : 0;
	return i < 0 ? 1 : n - 2;
}

TEST(all_of_8_axes_are_padded_in_each_mode)
{
	static const char *const modes[] = {"constant", "replicate", "reflect", "circular"};
	enum { RANK = 8, EXTENT = 3, SIZE = 6561 };
	static int32_t numbers[SIZE];
	vf_context *ctx = vf_context_create(NULL);
	const int64_t shape[RANK] = {EXTENT, EXTENT, EXTENT, EXTENT, EXTENT, EXTENT, EXTENT, EXTENT};
	for (int i = 0; i < SIZE; i++)
		numbers[i] = i + 1;
	vf_array *x = vf_wrap(ctx, numbers, VF_I32, RANK, shape, NULL);
	for (int m = 0; m < 4; m++) {
		char text[80];
		snprintf(text, sizeof text, "x.pad([1]*16, mode='%s')", modes[m]);
		int32_t *out = elements(ctx, eval(ctx, text, x));
		for (int64_t i = 0; i < 390625; i++) {
			int64_t source = 0, rest = i, weight = 1;
			bool inside = true;
			for (int k = 0; k < RANK; k++, rest /= EXTENT + 2, weight *= EXTENT) {
				int64_t at = rest % (EXTENT + 2);
				inside = inside && at >= 1 && at <= EXTENT;
				source += source_of(modes[m], EXTENT, at) * weight;
			}
			assert_int_equal(out[i], m == 0 && !inside ? 0 : source + 1);
		}
		free(out);
	}
	vf_release(x);
	vf_context_release(ctx);
}

static int32_t numbers[60][60];

/* What an expression comes to under `options`: 0 folded, 1 with cuts, 2 refused by the field's name. The
 * bytes are those that are wanted in any case. */
static int outcome(const char *text, const vf_options *options, const char *field, const int32_t *wanted)
{
	int result = 2;
	vf_context *ctx = vf_context_create(options);
	vf_array *x = vf_wrap(ctx, numbers, VF_I32, 2, (int64_t[]){60, 60}, NULL), *a = eval(ctx, text, x);
	if (a) {
		result = vf_cuts(a) > 0;
		size_t bytes = (size_t)vf_size_bytes(a);
		int32_t *out = elements(ctx, a);
		assert_memory_equal(out, wanted, bytes);
		free(out);
	} else {
		assert_int_equal(vf_error_code(ctx), VF_ERR_LIMIT);
		if (!strstr(vf_error_text(ctx), field))
			fail_msg("%s: %s", field, vf_error_text(ctx));
	}
	vf_release(x);
	vf_context_release(ctx);
	return result;
}

/* From plenty to next to nothing: folded, then cut, then refused, with the same bytes. */
TEST(a_small_budget_cuts_or_refuses_by_its_name)
{
	static const char *const fields[] = {"fold_regions", "fold_steps", "fold_bytes"};
	static const char text[] =
	    "x.roll([1,2],[0,1]).roll([3,5],[0,1]).roll([1,2],[0,1]).roll([3,5],[0,1]).roll([1,2],[0,1])"
	    ".roll([3,5],[0,1]).roll([1,2],[0,1]).roll([3,5],[0,1]).roll([1,2],[0,1]).roll([3,5],[0,1])";
	for (int i = 0; i < 3600; i++)
		numbers[i / 60][i % 60] = i;
	vf_context *whole = vf_context_create(NULL);
	vf_array *x = vf_wrap(whole, numbers, VF_I32, 2, (int64_t[]){60, 60}, NULL);
	int32_t *wanted = elements(whole, eval(whole, text, x));
	for (int field = 0; field < 3; field++) {
		int last = 0, most = 0;
		for (int64_t budget = 1 << 22; budget > 0; budget /= 2) {
			vf_options options = {0};
			*(field == 0   ? &options.fold_regions
			  : field == 1 ? &options.fold_steps
			               : &options.fold_bytes) = budget;
			last = outcome(text, &options, fields[field], wanted);
			most += last == 1;
		}
		assert_int_equal(last, 2);
		assert_true(most > 0 || field == 2);
	}
	free(wanted);
	vf_release(x);
	vf_context_release(whole);
}

TEST(the_arrays_of_an_expression_are_counted)
{
	vf_options options = {.fold_bytes = 200000};
	vf_context *ctx = vf_context_create(&options);
	vf_array *x = vf_declare(ctx, VF_U8, 1, (int64_t[]){5000}, NULL);
	assert_null(eval(ctx, "stack([x[i*i%5000] for i in range(3000)])", x));
	assert_int_equal(vf_error_code(ctx), VF_ERR_LIMIT);
	assert_non_null(strstr(vf_error_text(ctx), "(fold_bytes)"));
	vf_release(x);
	vf_context_release(ctx);
}

TEST(negative_budgets_make_no_context)
{
	assert_null(vf_context_create(&(vf_options){.fold_regions = -1}));
	assert_null(vf_context_create(&(vf_options){.fold_steps = -1}));
	assert_null(vf_context_create(&(vf_options){.fold_bytes = -1}));
}
