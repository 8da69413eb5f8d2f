/* test_strands.c -- how a woven row is read: weave.h.
 *
 * A load of 64 bytes waits for all lines that it touches. Strands that touch lines which nothing reads are
 * loaded otherwise.
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
