/* test_offsets.c -- index lists that are tables of offsets: one region however long, and what views make of
 * it. */
#include "graph/array.h"
#include "random.h"
#include "test.h"
#include "support/release.h"

enum { MANY = 60000, ROWS = 700, COLUMNS = 6 };

static vf_context *ctx;
static int32_t numbers[ROWS][COLUMNS];
static vf_array *x;

static int set_up(void **state)
{
	ctx = vf_context_create(NULL);
	for (int i = 0; i < ROWS * COLUMNS; i++)
		numbers[i / COLUMNS][i % COLUMNS] = i;
	x = vf_wrap(ctx, numbers, VF_I32, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	return x ? 0 : -1;
}

static int tear_down(void **state)
{
	vf_release(x);
	vf_context_release(ctx);
	return 0;
}

/* Indices without a pattern, each below `most`. */
static int64_t *some_list(int64_t n, int64_t most)
{
	rng random = rng_make(11, (uint64_t)n);
	int64_t *list = malloc((size_t)n * sizeof *list);
	for (int64_t i = 0; i < n; i++)
		list[i] = rng_below(&random, most);
	return list;
}

/* The elements of `a`, a new reference that is given back. */
static int32_t *elements(vf_array *a)
{
	assert_non_null(a);
	int32_t *out = malloc((size_t)vf_size_bytes(a));
	assert_int_equal(vf_materialize(a, out, (size_t)vf_size_bytes(a)), VF_OK);
	vf_release(a);
	return out;
}

TEST(a_list_of_60000_is_one_region_without_a_cut)
{
	int64_t *list = some_list(MANY, ROWS);
	vf_array *a = vf_take(x, 0, MANY, list),
		 *pair = vf_apply(a, "T[1:3, ::-2].reshape(2, 3, -1)[:, :, :5000]");
	assert_non_null(pair);
	assert_int_equal(a->map->nregion, 1);
	assert_int_equal(vf_cuts(pair), 0);
	int32_t *all = elements(vf_retain(a));
	for (int64_t i = 0; i < MANY; i++)
		assert_memory_equal(all + i * COLUMNS, numbers[list[i]], sizeof numbers[0]);
	int32_t *some = elements(pair);
	for (int64_t i = 0; i < 2 * 3 * 5000; i++) {
		int64_t column = 1 + i / 15000, at = MANY - 1 - 2 * (i / 5000 % 3 * 10000 + i % 5000);
		assert_int_equal(some[i], numbers[list[at]][column]);
	}
	free(all);
	free(some);
	free(list);
	vf_release(a);
}

TEST(views_share_the_table)
{
	int64_t *list = some_list(MANY, ROWS);
	vf_array *a = vf_take(x, 0, MANY, list), *b = vf_apply(a, "flip(0)[100:-100:3].T");
	const vf_table *table = a->map->regions[0].digits[0].table;
	assert_non_null(table);
	assert_ptr_equal(b->map->regions[0].digits[1].table, table);
	vf_release(a);
	assert_int_equal(atomic_load(&((vf_table *)(uintptr_t)table)->refs) >= 1, true);
	int32_t *some = elements(b);
	assert_int_equal(some[1], numbers[list[MANY - 1 - 103]][0]);
	free(some);
	free(list);
}

TEST(a_list_of_a_list_is_one_table)
{
	int64_t *first = some_list(500, ROWS), *second = some_list(900, 500);
	vf_array *a = vf_take(x, 0, 500, first), *b = vf_take(a, 0, 900, second);
	assert_int_equal(b->map->nregion, 1);
	int32_t *all = elements(b);
	for (int64_t i = 0; i < 900; i++)
		assert_memory_equal(all + i * COLUMNS, numbers[first[second[i]]], sizeof numbers[0]);
	free(all);
	free(first);
	free(second);
	vf_release(a);
}

/* A list that splits into an outer and an inner one keeps its two digits; one that steps
 * evenly has no table. */
TEST(sums_and_even_steps_are_seen)
{
	int64_t list[ROWS];
	static const int64_t outer[10] = {3, 9, 1, 0, 7, 4, 2, 8, 6, 5};
	for (int i = 0; i < ROWS; i++)
		list[i] = outer[i / 20 % 10] * 20 + i % 20 * 7 % 20;
	vf_array *a = vf_take(x, 0, 200, list), *b = vf_apply(a, "reshape(10, 20, 6)");
	assert_int_equal(b->map->nregion, 1);
	assert_int_equal(b->map->rank, b->map->space_rank);
	int32_t *all = elements(b);
	for (int i = 0; i < 200; i++)
		assert_memory_equal(all + i * COLUMNS, numbers[list[i]], sizeof numbers[0]);
	free(all);
	vf_release(a);
	for (int i = 0; i < 100; i++) /* twenty runs; every fifth of them is one */
		list[i] = i % 5 ? i * 3 % 100 : i;
	a = vf_take(x, 0, 100, list);
	b = vf_apply(a, "[::5]");
	assert_true(a->map->has_tables);
	assert_false(b->map->has_tables);
	RELEASE(a, b);
}

TEST(writes_go_through_a_table)
{
	enum { N = 500 };
	static int32_t copy[ROWS][COLUMNS], rows[COLUMNS][N];
	int64_t list[ROWS];
	memcpy(copy, numbers, sizeof copy);
	for (int i = 0; i < ROWS; i++)
		list[i] = i * 333 % ROWS;  /* 333 and 700 share no factor */
	for (int i = 20; i < 40; i += 2) { /* no even steps: pairs change places */
		int64_t first = list[i];
		list[i] = list[i + 1];
		list[i + 1] = first;
	}
	for (int i = 0; i < COLUMNS * N; i++)
		rows[i / N][i % N] = -i;
	vf_array *y = vf_wrap(ctx, copy, VF_I32, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	vf_array *from = vf_wrap(ctx, rows, VF_I32, 2, (int64_t[]){N, COLUMNS}, (int64_t[]){1, N});
	vf_array *place = vf_take(y, 0, N, list);
	assert_int_equal(vf_assign(place, from), VF_OK);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < COLUMNS; j++)
			assert_int_equal(copy[list[i]][j], rows[j][i]);
	list[7] = list[300];
	vf_array *twice = vf_take(y, 0, N, list);
	assert_int_equal(vf_assign(twice, from), VF_ERR_TWICE);
	vf_error_clear(ctx);
	RELEASE(twice, place, from, y);
}

/* Threads share it, and it has a text that compiles by itself. */
TEST(a_kernel_of_a_list_has_units_and_a_text)
{
	static int32_t out[MANY][COLUMNS];
	int64_t *list = some_list(MANY, ROWS);
	vf_array *d = vf_declare(ctx, VF_I32, 2, (int64_t[]){ROWS, COLUMNS}, NULL),
		 *a = vf_take(d, 0, MANY, list);
	vf_kernel *k = vf_compile(a, 1, &d);
	const void *data[] = {numbers};
	assert_non_null(k);
	assert_true(vf_kernel_units(k) > 8);
	assert_int_equal(vf_run_units(k, out, data, 5, vf_kernel_units(k)), VF_OK);
	assert_int_equal(vf_run_units(k, out, data, 0, 5), VF_OK);
	for (int64_t i = 0; i < MANY; i++)
		assert_memory_equal(out[i], numbers[list[i]], sizeof out[0]);
	char *text = vf_source(a, true);
	assert_non_null(strstr(text, "static const long long vf_list_1_1[] = {"));
	vf_text_free(ctx, text);
	text = vf_source(a, false);
	assert_non_null(strstr(text, "list1 = (const long long *)src[1];"));
	vf_text_free(ctx, text);
	assert_non_null(text = vf_explain(a));
	vf_text_free(ctx, text);
	vf_kernel_release(k);
	RELEASE(a, d);
	free(list);
}

/* Code knows how long a list is, not what it says. */
TEST(two_lists_of_one_length_share_code)
{
	vf_stats before, after;
	for (int k = 0; k < 5; k++) {
		int64_t *list = some_list(3000 + 2 * (k > 0), ROWS);
		list[0] = k;
		if (k == 2)
			vf_get_stats(ctx, &before);
		int32_t *all = elements(vf_take(x, 0, 3000 + 2 * (k > 0), list));
		assert_memory_equal(all, numbers[k], sizeof numbers[0]);
		free(all);
		free(list);
	}
	vf_get_stats(ctx, &after);
	assert_int_equal(after.cache_misses, before.cache_misses);
}

int main(void)
{
	return test_all(set_up, tear_down);
}
