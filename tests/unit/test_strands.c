/* test_strands.c -- how a woven row is read: weave.h.
 *
 * A load of 64 bytes waits for all lines that it touches. Strands that touch lines which nothing reads are
 * loaded otherwise. Each line that a row reads is asked for before.
 */
#include "codelets/box.h"
#include "codelets/weave.h"
#include "test.h"

#include <stdlib.h>

enum { ROW = 128, FIRST = 70, ROWS = 32 };

/* 32 rows of 128 bytes, rolled by 70, that are `step` bytes apart in the source: three strands each. */
static bool rolled_rows_are_apart(int64_t step)
{
	const int64_t places[] = {ROW - FIRST, 0};
	const vf_row_box boxes[] = {
	    {.at = 0, .bytes = FIRST, .place = 0, .row_step = ROWS * step, .loops = {{ROWS, ROW, step}}},
	    {.at = FIRST,
	     .bytes = ROW - FIRST,
	     .place = 1,
	     .row_step = ROWS * step,
	     .loops = {{ROWS, ROW, step}}}};
	const vf_block b = {
	    .rows = 1, .n = ROWS * ROW, .unit = ROWS * ROW, .planes = 2, .src_at = places, .boxes = boxes};
	unsigned char *source = calloc((size_t)(ROWS * step), 1);
	vf_weaving *w = malloc(sizeof *w);
	assert_true(source && w);
	vf_weave_make(w, &b, source);
	assert_int_equal(w->nstrand > 2 * ROWS, true);
	const bool apart = w->apart;
	free(w);
	free(source);
	return apart;
}

TEST(rows_far_apart_touch_lines_that_nothing_reads)
{
	assert_true(rolled_rows_are_apart(2048));
	assert_true(rolled_rows_are_apart(4 * ROW));
}

TEST(rows_side_by_side_touch_what_others_read)
{
	assert_false(rolled_rows_are_apart(ROW));
}

/* Is byte `at` of a row in a line that this row, or the next one, asks for, if the row begins `base` bytes
 * behind one? */
static bool is_asked_for(const vf_weaving *w, int64_t n, int64_t base, int64_t at, int64_t later)
{
	enum { LINE = 64 };
	bool asked = false;
	for (int64_t k = 0; k < n && !asked; k++)
		for (int64_t next = 0; next <= w->step[0]; next += w->step[0])
			asked = asked || (base + next + w->wish[k].at - later) / LINE == (base + at) / LINE;
	return asked;
}

/* Rows of `n` units of 4 bytes, `gap` bytes between them, read upwards or from their ends. Without a gap the
 * next row asks for their ends, too. */
static void expect_all_asked_for(int64_t n, int64_t step, int64_t gap)
{
	enum { LINE = 64, LATER = 6400 };
	const int64_t place = 0, bytes = 4 * n;
	const vf_row_box box = {.bytes = 4,
	                        .offset = step < 0 ? bytes - 4 : 0,
	                        .row_step = bytes + gap,
	                        .later = LATER,
	                        .loops = {{n, 4, step}}};
	const vf_block b = {
	    .rows = 1, .n = 8 * bytes, .unit = bytes, .planes = 1, .src_at = &place, .boxes = &box};
	vf_weaving *w = malloc(sizeof *w);
	assert_non_null(w);
	vf_weave_make(w, &b, NULL);
	const int64_t wishes = w->wishes * ((bytes + LINE - 1) / LINE);
	for (int64_t base = 0; base < LINE; base++)
		for (int64_t at = 0; at < bytes; at++)
			assert_true(is_asked_for(w, wishes, base, at, LATER));
	if (gap == 0)
		assert_int_equal(w->wishes, 1);
	free(w);
}

TEST(each_line_that_is_read_is_asked_for)
{
	static const int64_t units[] = {17, 40, 99, 100, 112};
	for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
		expect_all_asked_for(units[k], 4, 52);
		expect_all_asked_for(units[k], -4, 0);
		expect_all_asked_for(units[k], -4, 52);
		expect_all_asked_for(units[k], -4, 1000);
	}
}
