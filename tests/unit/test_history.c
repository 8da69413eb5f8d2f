/* test_history.c -- what an array keeps alive, and what it remembers: chains that feed themselves stay small,
 * storages that no map reads are let go, and vf_explain() shows as much of a chain as is kept.
 */
#include "support/meter.h"
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

#include <pthread.h>

enum { FRAMES = SANITIZED ? 5000 : 100000, ROLLS = SANITIZED ? 100000 : 2000000 };
enum { ROWS = 64, COLUMNS = 16 };

typedef struct world {
	meter m;
	vf_context *ctx;
	int gone; /* leaves that were let go */
} world;

static void open_world(world *w, vf_options options)
{
	*w = (world){.gone = 0};
	meter_init(&w->m, 0);
	meter_use(&w->m, &options);
	w->ctx = vf_context_create(&options);
	assert_non_null(w->ctx);
}

static void close_world(world *w)
{
	assert_int_equal(vf_error_code(w->ctx), VF_OK);
	vf_context_release(w->ctx);
	assert_int_equal(atomic_load(&w->m.blocks), 0);
}

static long long blocks(const world *w)
{
	return atomic_load(&w->m.blocks);
}

static void note(void *user)
{
	++*(int *)user;
}

static vf_array *next(vf_array *before, vf_array *after)
{
	assert_non_null(after);
	vf_release(before);
	return after;
}

static vf_array *new_row(world *w, unsigned char *bytes)
{
	vf_array *row = vf_wrap(w->ctx, bytes, VF_U8, 2, (int64_t[]){1, COLUMNS}, NULL);
	assert_non_null(row);
	assert_int_equal(vf_on_release(row, note, &w->gone), VF_OK);
	return row;
}

static int count(const char *text, const char *what)
{
	int n = 0;
	for (; text && (text = strstr(text, what)); text++)
		n++;
	return n;
}

static char *explain(vf_array *a)
{
	char *text = vf_explain(a);
	assert_non_null(text);
	return text;
}

/* ---- chains that feed themselves ---- */

typedef vf_array *frame(world *w, vf_array *h, vf_array *row);

/* h after each frame: 64 rows, of which the map reads `rows_read`, in as many blocks of memory as before. */
static void feed(frame *step, int frames, int rows_read)
{
	static unsigned char bytes[ROWS + 1][COLUMNS];
	unsigned char out[ROWS][COLUMNS];
	world w;
	open_world(&w, (vf_options){.engine = VF_ENGINE_INTERPRET});
	vf_array *h = vf_full(w.ctx, VF_U8, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	long long most = 0;
	for (int i = 0; i < frames; i++) {
		memset(bytes[i % (ROWS + 1)], i, COLUMNS);
		vf_array *row = new_row(&w, bytes[i % (ROWS + 1)]);
		h = next(h, step(&w, h, row));
		vf_release(row);
		assert_true(i < 2 * ROWS || w.gone == i + 1 - rows_read);
		if (i < 1000)
			most = blocks(&w) > most ? blocks(&w) : most;
		else if (blocks(&w) > most)
			fail_msg("%lld blocks after %d frames, %lld at most before", blocks(&w), i, most);
	}
	assert_int_equal(vf_materialize(h, out, sizeof out), VF_OK);
	for (int r = 0; r < ROWS; r++)
		assert_int_equal(out[r][COLUMNS - 1], (unsigned char)(frames - ROWS + r));
	vf_release(h);
	assert_int_equal(w.gone, frames);
	close_world(&w);
}

static vf_array *slice_then_cat(world *w, vf_array *h, vf_array *row)
{
	vf_array *tail = vf_slice(h, 0, 1, VF_NONE, 1), *all = vf_cat(2, (vf_array *[]){tail, row}, 0);
	vf_release(tail);
	return all;
}

static vf_array *cat_then_slice(world *w, vf_array *h, vf_array *row)
{
	vf_array *all = vf_cat(2, (vf_array *[]){h, row}, 0), *tail = vf_slice(all, 0, 1, VF_NONE, 1);
	vf_release(all);
	return tail;
}

static vf_array *by_text(world *w, vf_array *h, vf_array *row)
{
	return vf_eval(w->ctx, "cat([h[1:], row])", 2, (const char *const[]){"h", "row"},
	               (vf_array *[]){h, row});
}

TEST(a_window_of_64_rows_holds_64_rows_for_100000_frames)
{
	feed(slice_then_cat, FRAMES, ROWS);
}

TEST(so_does_one_that_is_written_as_text)
{
	feed(by_text, FRAMES / 10, ROWS);
}

/* The slice reports strides on the value of 65 rows, so that as_strided() can reach all of them. */
TEST(a_view_of_a_value_holds_what_the_value_reads)
{
	feed(cat_then_slice, FRAMES / 10, ROWS + 1);
}

TEST(two_million_rolls_stay_small)
{
	unsigned char bytes[ROWS];
	world w;
	long long most = 0;
	int turns = 0;
	for (int i = 0; i < ROWS; i++)
		bytes[i] = (unsigned char)i;
	open_world(&w, (vf_options){0});
	vf_array *h = vf_wrap(w.ctx, bytes, VF_U8, 1, (int64_t[]){ROWS}, NULL);
	for (int i = 0; i < ROLLS; i++) {
		h = next(h, vf_roll(h, 1, (int64_t[]){i % 7}, 1, (int[]){0}));
		turns = (turns + i % 7) % ROWS;
		if (i < 1000)
			most = blocks(&w) > most ? blocks(&w) : most;
		else if (blocks(&w) > most)
			fail_msg("%lld blocks after %d rolls, %lld at most before", blocks(&w), i, most);
	}
	unsigned char first;
	assert_int_equal(vf_get(h, (int64_t[]){0}, &first), VF_OK);
	assert_int_equal(first, (ROWS - turns) % ROWS);
	char *map = vf_map_text(h);
	assert_true(count(map, "@") <= 2);
	vf_text_free(w.ctx, map);
	vf_release(h);
	close_world(&w);
}

/* Remembered expressions are no way around it, nor is a history of them. */
TEST(an_expression_fed_to_itself_stays_small)
{
	unsigned char bytes[4][6] = {{0}};
	world w;
	long long most = 0;
	open_world(&w, (vf_options){0});
	vf_array *h = vf_wrap(w.ctx, bytes, VF_U8, 2, (int64_t[]){4, 6}, NULL);
	assert_int_equal(vf_on_release(h, note, &w.gone), VF_OK);
	for (int i = 0; i < FRAMES; i++) {
		h = next(h, vf_apply(h, i % 2 ? "T.flip(0).T" : "flip(1)[::-1, ::-1]"));
		if (i < 1000)
			most = blocks(&w) > most ? blocks(&w) : most;
		else if (blocks(&w) > most)
			fail_msg("%lld blocks after %d expressions, %lld at most before", blocks(&w), i,
			         most);
	}
	char *text = explain(h);
	assert_in_range(count(text, "\n    "), 2, 500);
	vf_text_free(w.ctx, text);
	assert_int_equal(w.gone, 0);
	vf_release(h);
	assert_int_equal(w.gone, 1);
	close_world(&w);
}

/* What was padded in and cropped out leaves the map: it does not grow. */
TEST(a_map_loses_the_regions_that_it_does_not_read)
{
	unsigned char bytes[ROWS] = {0};
	world w;
	open_world(&w, (vf_options){0});
	vf_array *h = vf_wrap(w.ctx, bytes, VF_U8, 1, (int64_t[]){ROWS}, NULL);
	assert_int_equal(vf_on_release(h, note, &w.gone), VF_OK);
	for (int i = 1; i <= 3 * ROWS; i++) {
		h = next(h, vf_slice(h, 0, 1, VF_NONE, 1));
		h = next(h, vf_pad(h, 2, (int64_t[]){0, 1}, VF_PAD_CONSTANT, NULL));
		char *map = vf_map_text(h);
		assert_int_equal(count(map, "@"), i < ROWS ? 2 : 0);
		assert_int_equal(count(map, "fill"), 1);
		vf_text_free(w.ctx, map);
		assert_int_equal(w.gone, i >= ROWS);
	}
	vf_release(h);
	close_world(&w);
}

/* ---- what is held, and what is not ---- */

TEST(an_array_holds_what_it_reads_and_what_its_strides_lie_on)
{
	unsigned char one[COLUMNS] = {1}, two[COLUMNS] = {2}, first;
	world w;
	open_world(&w, (vf_options){0});
	vf_array *x = new_row(&w, one), *y = new_row(&w, two);
	vf_array *both = vf_cat(2, (vf_array *[]){x, y}, 0), *copy = vf_contiguous(both);
	vf_array *top = vf_slice(both, 0, 0, 1, 1), *fixed = vf_roll(top, 1, (int64_t[]){0}, 1, (int[]){0});
	RELEASE(x, y, both, copy);
	assert_int_equal(w.gone, 0); /* `top` reads x and lies on both */
	vf_array *back = vf_as_strided(top, 1, (int64_t[]){1}, (int64_t[]){1}, COLUMNS);
	vf_release(top);
	assert_int_equal(vf_get(back, (int64_t[]){0}, &first), VF_OK);
	assert_int_equal(first, 2);
	vf_release(back);
	assert_int_equal(w.gone, 1); /* y; `fixed` is a value of its own and reads x */
	vf_release(fixed);
	assert_int_equal(w.gone, 2);
	close_world(&w);
}

TEST(an_array_without_elements_holds_what_it_was_cut_from)
{
	unsigned char one[COLUMNS] = {9}, first;
	world w;
	open_world(&w, (vf_options){0});
	vf_array *x = new_row(&w, one), *none = vf_slice(x, 0, 1, 1, 1), *still = vf_T(none);
	RELEASE(x, none);
	assert_int_equal(w.gone, 0);
	vf_array *back = vf_as_strided(still, 1, (int64_t[]){1}, (int64_t[]){1}, 0);
	vf_release(still);
	assert_int_equal(vf_get(back, (int64_t[]){0}, &first), VF_OK);
	assert_int_equal(first, 9);
	vf_release(back);
	assert_int_equal(w.gone, 1);
	close_world(&w);
}

TEST(a_cut_holds_what_it_is_made_of)
{
	unsigned char bytes[24], out[24];
	world w;
	for (int i = 0; i < 24; i++)
		bytes[i] = (unsigned char)i;
	open_world(&w, (vf_options){0});
	vf_array *x = vf_wrap(w.ctx, bytes, VF_U8, 2, (int64_t[]){6, 4}, NULL), *y;
	assert_int_equal(vf_on_release(x, note, &w.gone), VF_OK);
	y = vf_apply(x, "T.reshape(3, 8).roll(1, 0).contiguous().as_strided((24,), (1,), 0)");
	assert_non_null(y);
	vf_release(x);
	assert_int_equal(vf_materialize(y, out, sizeof out), VF_OK);
	assert_int_equal(out[8], 0);
	assert_int_equal(out[9], 4);
	assert_int_equal(w.gone, 0);
	vf_release(y);
	assert_int_equal(w.gone, 1);
	close_world(&w);
}

/* ---- what is remembered ---- */

TEST(a_chain_of_released_steps_is_explained_whole)
{
	unsigned char bytes[4][6] = {{0}};
	world w;
	open_world(&w, (vf_options){0});
	vf_array *h = vf_wrap(w.ctx, bytes, VF_U8, 2, (int64_t[]){4, 6}, NULL);
	assert_int_equal(vf_set_name(h, "picture"), VF_OK);
	for (int i = 0; i < 99; i++)
		h = next(h, vf_T(h));
	char *text = explain(h), *graph = vf_dot(h);
	assert_non_null(strstr(text, "picture = u8[4,6]"));
	assert_non_null(strstr(text, "%1 = picture.T"));
	assert_non_null(strstr(text, "%99 = %98.T"));
	assert_int_equal(count(graph, "shape=box"), 99);
	assert_int_equal(count(graph, " -> "), 99);
	vf_text_free(w.ctx, text);
	vf_text_free(w.ctx, graph);
	vf_release(h);
	close_world(&w);
}

/* The storage of a leaf that only history knows is let go; its name and shape are still there. */
TEST(history_holds_no_storage)
{
	unsigned char one[COLUMNS] = {1}, two[COLUMNS] = {2};
	world w;
	open_world(&w, (vf_options){0});
	vf_array *x = new_row(&w, one), *y = new_row(&w, two), *both = vf_cat(2, (vf_array *[]){x, y}, 0);
	assert_int_equal(vf_set_name(y, "lower"), VF_OK);
	vf_array *top = vf_slice(both, 0, 0, 1, 1), *apart = vf_roll(top, 1, (int64_t[]){3}, 1, (int[]){1});
	RELEASE(both, top, x, y);
	assert_int_equal(w.gone, 1);
	char *text = explain(apart);
	assert_non_null(strstr(text, "cat([%0, lower]"));
	assert_non_null(strstr(text, "lower = u8[1,16]"));
	vf_text_free(w.ctx, text);
	vf_release(apart);
	assert_int_equal(w.gone, 2);
	close_world(&w);
}

/* A chain of `ops` transpositions, of which `kept` are explained. */
static void expect_history(int history, int ops, int kept)
{
	unsigned char bytes[4][6] = {{0}};
	world w;
	open_world(&w, (vf_options){.history = history});
	vf_array *h = vf_wrap(w.ctx, bytes, VF_U8, 2, (int64_t[]){4, 6}, NULL);
	for (int i = 0; i < ops; i++)
		h = next(h, vf_T(h));
	char *text = explain(h), *graph = vf_dot(h);
	assert_int_equal(count(text, ".T"), kept);
	assert_int_equal(count(text, "= ....T"), kept < ops);
	assert_int_equal(count(text, "the operations before are not kept"), kept < ops);
	assert_int_equal(count(graph, "shape="), kept + (kept == ops));
	assert_int_equal(count(graph, "style=dashed"), kept < ops);
	vf_text_free(w.ctx, text);
	vf_text_free(w.ctx, graph);
	vf_release(h);
	close_world(&w);
}

TEST(a_chain_of_more_operations_than_are_kept_begins_anew)
{
	expect_history(3, 3, 3);
	expect_history(3, 4, 1);
	expect_history(3, 6, 3);
	expect_history(3, 7, 4 - 3);
	expect_history(-1, 5, 1);
	expect_history(0, 100, 100);
	expect_history(0, 101, 1);
	expect_history(1000, 999, 999);
}

/* The same chain by calls and by remembered texts, one operation or several a text. */
TEST(remembered_texts_are_explained_as_calls_are)
{
	unsigned char bytes[4][6] = {{0}};
	world w;
	open_world(&w, (vf_options){0});
	vf_array *x = vf_wrap(w.ctx, bytes, VF_U8, 2, (int64_t[]){4, 6}, NULL), *calls = vf_retain(x);
	assert_int_equal(vf_set_name(x, "x"), VF_OK);
	for (int i = 0; i < 8; i++)
		calls = next(calls, i % 2 ? vf_T(calls) : vf_flip(calls, 1, (int[]){0}));
	char *expected = explain(calls);
	for (int round = 0; round < 4; round++) {
		vf_array *texts = vf_retain(x);
		texts = next(texts, vf_apply(texts, "flip(0).T"));
		texts = next(texts, vf_apply(texts, "flip(0).T.flip(0)"));
		texts = next(texts, vf_apply(texts, "T.flip(0).T"));
		char *text = explain(texts);
		assert_string_equal(text, expected);
		vf_text_free(w.ctx, text);
		vf_release(texts);
	}
	vf_text_free(w.ctx, expected);
	RELEASE(calls, x);
	close_world(&w);
}

/* ---- threads ---- */

/* Steps of one chain, read and released by several threads at once. */
static void *read_history(void *user)
{
	vf_array *shared = user;
	vf_context *ctx = vf_context_of(shared);
	for (int i = 0; i < 300; i++) {
		vf_array *h = vf_retain(shared);
		for (int k = 0; k < 7; k++) {
			vf_array *after = vf_apply(h, k % 2 ? "T.flip(0)" : "roll(1, 1)");
			vf_release(h);
			h = after;
		}
		char *text = vf_explain(h);
		bool good = text && strstr(text, "roll") && strstr(text, "shared");
		vf_text_free(ctx, text);
		vf_release(h);
		if (!good)
			return (void *)"not explained";
	}
	return NULL;
}

TEST(threads_read_one_history)
{
	unsigned char bytes[4][6] = {{0}};
	world w;
	pthread_t threads[4];
	open_world(&w, (vf_options){0});
	vf_array *x = vf_wrap(w.ctx, bytes, VF_U8, 2, (int64_t[]){4, 6}, NULL),
		 *shared = vf_apply(x, "flip(1).T");
	assert_int_equal(vf_set_name(x, "shared"), VF_OK);
	vf_release(x);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_history, shared), 0);
	for (int i = 0; i < 4; i++) {
		void *wrong;
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	vf_release(shared);
	close_world(&w);
}
