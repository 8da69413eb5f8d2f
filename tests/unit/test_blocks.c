/* test_blocks.c -- blocks of matrices that are turned, whose rows of dst start anywhere: how much of both
 * sides they have, and where the next one is asked for.
 */
#include "plan_world.h"
#include "test.h"

/* A matrix of 1999 rows, and what a block of it has: units of dst's rows, units of the source's; the cache
 * into which the next block is asked for, 0: it is not; rows of the source that are taken together, 0: as the
 * codelet likes. */
typedef struct turned {
	int unit; /* bytes */
	int64_t columns, chunk_a, chunk_b, into, beside;
} turned;

static void expect_turned(const vf_machine *on, turned m)
{
	enum { ROWS = 1999 };
	const vf_loop loops[] = {{m.columns, ROWS, 1}, {ROWS, 1, m.columns}};
	vf_plan *plan = plan_on(on, m.unit, 1, MOVES({0, 0, 0, 2, loops, {0}}));
	const vf_tiling *t = plan->leaves[0].tiling;
	assert_non_null(t);
	assert_int_equal(t->stream, VF_CARRY);
	if (t->chunk_a != m.chunk_a || t->chunk_b != m.chunk_b || t->ahead_into != m.into ||
	    t->beside != m.beside)
		fail_msg("units of %d, %lld columns: blocks of %lld by %lld, the next one into %lld, %lld "
		         "rows together",
		         m.unit, (long long)m.columns, (long long)t->chunk_a, (long long)t->chunk_b,
		         (long long)t->ahead_into, (long long)t->beside);
	vf_plan_drop(ctx, plan);
}

static void expect_each(const vf_machine *on, const turned *m, size_t n)
{
	for (size_t k = 0; k < n; k++)
		expect_turned(on, m[k]);
}
#define EXPECT_EACH(on, m) expect_each(on, m, sizeof(m) / sizeof *(m))

/* However a machine is bent, the first block completes the first line of its rows: 2 units of 32 bytes. */
TEST(first_blocks_complete_a_line)
{
	vf_machine short_rows = machine;
	short_rows.row_shift = -4;
	expect_turned(&short_rows, (turned){32, 500, 2, 500, 2});
}

/* Where lines leave by pairs, pieces of the source are as long as the second cache holds what their rows
 * carry. Of halves whole rows only, and not pages apart. Nothing is asked for then; of other pieces the
 * next are. */
TEST(long_pieces_of_few_rows_are_left_to_the_processor)
{
	static const turned all[] = {{4, 2400, 32, 2400, 0}, {4, 600, 32, 600, 2},  {8, 9000, 16, 9000, 0},
	                             {2, 4800, 64, 4800, 0}, {2, 4096, 64, 832, 2}, {2, 9600, 64, 960, 2},
	                             {1, 4800, 128, 1600, 2}};
	vf_machine wide = machine_by_pairs();
	wide.wide = wide.lines = true;
	wide.cpu.l2_bytes = 2 << 20;
	EXPECT_EACH(&wide, all);
}

/* Elsewhere f32, f64, pixels of 3 and units of other sizes have long pieces, as their lines are asked for
 * side by side; not f32 from rows a page apart, nor units of 1 and 2 bytes, but for where hints into
 * the second cache are taken. */
TEST(what_is_read_side_by_side_has_long_pieces)
{
	static const turned all[] = {{4, 9001, 32, 2256, 2}, {4, 8192, 32, 640, 2},   {8, 9001, 16, 1128, 2},
	                             {2, 9001, 128, 608, 2}, {1, 9001, 128, 1152, 2}, {12, 9001, 16, 1501, 2},
	                             {3, 9001, 64, 819, 2},  {9, 9001, 56, 4501, 2},  {20, 9001, 25, 4501, 2},
	                             {48, 9001, 10, 4501, 2}};
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	EXPECT_EACH(&wide, all);
	static const turned narrow[] = {{2, 9001, 64, 4512, 2}, {1, 9001, 128, 3008, 2}};
	wide.cpu.l2_hints = true;
	EXPECT_EACH(&wide, narrow);
}

/* Registers narrower than a line take columns of many rows. Rows that share sets go by slices, and so do
 * short ones of longer units. */
TEST(narrow_registers_take_columns_of_many_rows)
{
	static const turned columns[] = {{1, 9001, 1024, 1152, 2, 512},
	                                 {2, 9001, 1024, 1152, 2, 512},
	                                 {4, 9001, 512, 1136, 2, 256},
	                                 {8, 9001, 512, 608, 2, 256}},
			    slices[] = {{4, 8192, 512, 1184, 2}, {4, 100, 64, 100, 2}};
	vf_machine narrow = machine;
	narrow.lines = true, narrow.wide = false;
	EXPECT_EACH(&narrow, columns);
	EXPECT_EACH(&narrow, slices);
}

/* Units of lines that lie side by side are asked for into the second cache from 8 rows, where such hints are
 * taken; elsewhere into the first from 4. There short ones that are no lines have longer pieces, and are not
 * asked for, where rows of the source are long. */
TEST(units_of_lines_come_from_as_many_rows_as_hints_allow)
{
	static const turned dropped[] = {{320, 9001, 4, 127, 1, 4}, {1024, 9001, 4, 40, 1, 4}},
			    taken[] = {{320, 9001, 8, 127, 2, 8}, {1024, 9001, 8, 40, 2, 8}},
			    alone[] = {{300, 9001, 8, 265, 0, 8}, {900, 9001, 8, 45, 2, 8}},
			    short_rows[] = {{300, 100, 8, 100, 2, 8}},
			    narrow[] = {{900, 9001, 8, 90, 0, 8}, {320, 9001, 8, 127, 2, 8}};
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	EXPECT_EACH(&wide, dropped);
	wide.cpu.l2_hints = true;
	EXPECT_EACH(&wide, taken);
	wide.cpu.avx2 = true;
	EXPECT_EACH(&wide, alone);
	EXPECT_EACH(&wide, short_rows);
	wide.wide = false;
	EXPECT_EACH(&wide, narrow);
}

/* Rows of the source that share sets are brought, up to 256 at a time. Where hints into the second cache are
 * taken, only those of bytes are, 32 KiB and more apart, and of two bytes 512 KiB apart; others are read as
 * they lie. Of rows that are joined many are, 256 KiB apart. */
TEST(rows_that_share_sets_are_brought_where_hints_are_dropped)
{
	static const turned brought[] = {{1, 32768, 256, 16384, 2}, {2, 16384, 256, 8192, 2}},
			    far[] = {{1, 32768, 256, 16384, 2}, {2, 262144, 256, 10112, 2}},
			    near[] = {{1, 8192, 128, 1216, 2}, {2, 16384, 128, 640, 2}};
	static const struct {
		int64_t rows, columns;
		bool waits;
	} joined[] = {{100, 131072, true}, {100, 65536, false}, {40, 131072, false}};
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	EXPECT_EACH(&wide, brought);
	wide.cpu.l2_hints = true;
	EXPECT_EACH(&wide, far);
	EXPECT_EACH(&wide, near);
	/* nine planes, 2 MiB apart, are few */
	const vf_loop few[] = {{1024, 9216, 1}, {1024, 9, 1024}, {9, 1, 1048576}};
	vf_plan *plan_of_few = plan_on(&wide, 2, 1, MOVES({0, 0, 0, 3, few, {0}}));
	assert_false(plan_of_few->leaves[0].tiling->waits);
	vf_plan_drop(ctx, plan_of_few);
	for (size_t k = 0; k < sizeof joined / sizeof *joined; k++) {
		const vf_loop loops[] = {{joined[k].columns, joined[k].rows, 1},
		                         {joined[k].rows, 1, joined[k].columns}};
		vf_plan *plan = plan_on(&wide, 2, 1, MOVES({0, 0, 0, 2, loops, {0}}));
		const vf_tiling *t = plan->leaves[0].tiling;
		assert_int_equal(t->stream, VF_JOINED);
		assert_int_equal(t->waits, joined[k].waits);
		vf_plan_drop(ctx, plan);
	}
}

/* Matrices of 7 rows of 7 units of 192 bytes that lie in order: the processor fetches the next one, if it is
 * behind this one. */
TEST(matrices_that_are_no_run_are_asked_for)
{
	enum { MATRIX = 49 };
	const struct {
		int64_t first, step;
		int into;
	} all[] = {{0, MATRIX, 0}, {5925 * MATRIX, -MATRIX, 2}, {0, 2 * MATRIX, 2}};
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		const vf_loop loops[] = {{5926, MATRIX, all[k].step}, {7, 7, 1}, {7, 1, 7}};
		vf_plan *plan = plan_on(&wide, 192, 1, MOVES({0, 0, all[k].first, 3, loops, {0}}));
		assert_non_null(plan->leaves[0].tiling);
		assert_int_equal(plan->leaves[0].tiling->ahead_into, all[k].into);
		vf_plan_drop(ctx, plan);
	}
}

/* Units of 214 bytes, 256 apart, in rows far apart: blocks take them as they lie. Not if gaps are as long as
 * units, nor if there are none, nor in small matrices. Results of 1.7 MB go past caches of which five eighths
 * are less. */
TEST(units_with_gaps_are_moved_as_they_lie)
{
	const struct {
		int64_t unit, rows, matrices, stream, step;
	} all[] = {{107, 497, 1, 100000, 256}, {107, 497, 1, 2600000, 256}, {107, 497, 1, 2900000, 0},
	           {64, 497, 1, 100000, 0},    {128, 497, 1, 100000, 0},    {107, 12, 400, 100000, 0}};
	enum { PITCH = 128, COLUMNS = 16 };
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		const int64_t unit = all[k].unit, rows = all[k].rows, row = rows * unit;
		wide.stream_bytes = all[k].stream, wide.cpu.l2_bytes = 2 << 20;
		const vf_loop loops[] = {{all[k].matrices, COLUMNS * row, 2 * rows * COLUMNS * PITCH},
		                         {COLUMNS, row, PITCH},
		                         {rows, unit, COLUMNS * PITCH},
		                         {unit, 1, 1}};
		vf_plan *plan = plan_on(&wide, 2, 1, MOVES({0, 0, 9, 4, loops, {0}}));
		const vf_tiling *t = plan->leaves[0].tiling;
		assert_int_equal(t ? t->unit_step : 0, all[k].step);
		vf_plan_drop(ctx, plan);
	}
}

/* Pixels of 3 that cross, their bytes in the other order. Wide registers order them as they cross, if a whole
 * pixel is there to be read; else they are packed first. In the caches small ones go so, too. */
TEST(bytes_of_pixels_change_places_as_these_cross)
{
	const struct {
		bool wide;
		int64_t side, channels, stream;
		bool blocks, packs;
	} all[] = {{true, 512, 3, 100000, true, false},   {false, 512, 3, 100000, true, true},
	           {true, 512, 4, 100000, true, true},    {true, 64, 3, INT64_MAX, true, false},
	           {false, 64, 3, INT64_MAX, true, true}, {true, 4, 3, INT64_MAX, false, false}};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		const int64_t side = all[k].side, pixel = all[k].channels;
		vf_machine bent = machine;
		bent.wide = all[k].wide, bent.lines = true, bent.stream_bytes = all[k].stream;
		const vf_loop loops[] = {
		    {side, side * pixel, pixel}, {side, pixel, side * pixel}, {pixel, 1, -1}};
		vf_plan *plan = plan_on(&bent, 1, 1, MOVES({0, 0, pixel - 1, 3, loops, {0}}));
		const vf_tiling *t = plan->leaves[0].tiling;
		assert_int_equal(t != NULL, all[k].blocks);
		assert_int_equal(t && t->packs, all[k].packs);
		vf_plan_drop(ctx, plan);
	}
	/* the last byte of the last pixel may be beyond the source */
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	const vf_loop loops[] = {{512, 1536, 3}, {512, 3, 1536}, {2, 1, 1}};
	expect_on(&wide, 1, 2, MOVES({0, 0, 0, 3, loops, {0}}, {0, 2, 0, 2, loops, {0}}),
	          "root: units 0 to 64\n"
	          "  loop 8(98304)\n"
	          "    loop 8(192)\n"
	          "      transpose: source 0+0 -> dst+0, unit 3 | 64(1536,3) 64(3,1536) [0 1 0] of 1536; 512 "
	          "by 512 units in blocks of 64 by 64, carried\n");
}

int main(void)
{
	return test_all(open_context, close_context);
}
