/* test_plan.c -- what jobs come to: normal forms, strategies, shared loops, chunks, stages.
 *
 * The machine is a fixed one: pieces of 1000 bytes, chunks of 4000, streaming from 100000 on.
 */
#include "plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static vf_context *ctx;

static const vf_machine machine = {.cpu = {32 << 10, 1 << 20, 16 << 20, 4096, false, false},
                                   .piece_bytes = 1000,
                                   .staged_bytes = 1000,
                                   .stage_bytes = 100,
                                   .chunk_bytes = 4000,
                                   .stream_bytes = 100000};

#define LOOPS(...)                                                                                           \
	(const vf_loop[])                                                                                    \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}
#define MOVES(...)                                                                                           \
	(const vf_move[])                                                                                    \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

/* The plan's text after its first line, which holds the reason. */
static void expect_on(const vf_machine *on, int elem_bytes, int nmove, const vf_move *moves,
                      const char *expected)
{
	vf_job job = {elem_bytes, 2, nmove, moves, 0};
	vf_normal normal;
	vf_text text;
	assert_true(vf_normalise(ctx, &normal, &job));
	vf_plan *plan = vf_plan_make(ctx, &normal, on);
	assert_non_null(plan);
	vf_text_init(&text, ctx);
	vf_plan_print(plan, &text);
	assert_string_equal(strchr(text.bytes, '\n') + 1, expected);
	vf_text_drop(&text);
	vf_plan_drop(ctx, plan);
	vf_normal_drop(ctx, &normal);
}

static void expect(int elem_bytes, int nmove, const vf_move *moves, const char *expected)
{
	expect_on(&machine, elem_bytes, nmove, moves, expected);
}

/* ---- one leaf ---- */

static void test_what_chains_is_one_copy(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({2, 12, 12}, {3, 4, 4}, {4, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 96(1,1)\n");
}

static void test_order_extent_one_and_both_flipped_do_not_matter(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 23, 23, 4, LOOPS({4, -1, -1}, {1, 99, -7}, {2, -12, -12}, {3, -4, -4}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 96(1,1)\n");
}

static void test_rank_zero_is_a_copy_of_one_element(void **state)
{
	(void)state;
	expect(8, 1, MOVES({1, 5, -2, 0, NULL, {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 1-16 -> dst+40, unit 1 | 8(1,1)\n");
}

static void test_strategies(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({3, 20, 30}, {20, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 3(80,120) 80(1,1)\n");
	expect(4, 1, MOVES({0, 0, 19, 1, LOOPS({20, 1, -1}), {0}}),
	       "root: units 0 to 1\n"
	       "  gather: source 0+76 -> dst+0, unit 4 | 20(4,-4)\n");
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({3, 5, 1}, {5, 1, 3}), {0}}),
	       "root: units 0 to 1\n"
	       "  deinterleave: source 0+0 -> dst+0, unit 4 | 5(4,12) 3(20,4)\n");
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({3, 5, 50}, {5, 1, 3}), {0}}),
	       "root: units 0 to 1\n"
	       "  gather: source 0+0 -> dst+0, unit 4 | 3(20,200) 5(4,12)\n");
	expect(2, 1, MOVES({0, 0, 0, 3, LOOPS({2, 200, 400}, {50, 4, 1}, {4, 1, 50}), {0}}),
	       "root: units 0 to 1\n"
	       "  interleave: source 0+0 -> dst+0, unit 2 | 2(400,800) 50(8,2) 4(2,100)\n");
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({9, 7, 1}, {2, 63, 70}, {7, 1, 10}), {0}}),
	       "root: units 0 to 1\n"
	       "  interleave: source 0+0 -> dst+0, unit 4 | 2(252,280) 9(28,4) 7(4,40)\n");
	expect(2, 1, MOVES({0, 0, 0, 2, LOOPS({22, 22, 1}, {22, 1, 200}), {0}}),
	       "root: units 0 to 1\n"
	       "  transpose: source 0+0 -> dst+0, unit 2 | 22(44,2) 22(2,400)\n");
	expect(4, 1, MOVES({0, 0, 0, 1, LOOPS({9, 3, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  scatter: source 0+0 -> dst+0, unit 4 | 9(12,4)\n");
	expect(4, 1, MOVES({0, 0, 0, 1, LOOPS({9, 3, 5}), {0}}),
	       "root: units 0 to 1\n"
	       "  units: source 0+0 -> dst+0, unit 4 | 9(12,20)\n");
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({3, 50, 1}, {50, 1, 0}), {0}}),
	       "root: units 0 to 1\n"
	       "  fill: source 0+0 -> dst+0, unit 4 | 3(200,4) 50(4,0)\n");
}

static void test_small_blocks_are_shuffled(void **state)
{
	(void)state;
	expect(1, 1, MOVES({0, 0, 2, 2, LOOPS({50, 3, 3}, {3, 1, -1}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+0 -> dst+0, unit 3 | 50(3,3) [2 1 0] of 3\n");
	expect(2, 2, MOVES({0, 1, 4, 1, LOOPS({50, 2, 4}), {0}}, {0, 0, 7, 1, LOOPS({50, 2, 4}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+8 -> dst+0, unit 4 | 50(4,8) [6 7 0 1] of 8\n");
}

/* One move whose blocks overlap in the source, come from several planes, or run against them. */
static void test_blocks_of_one_move(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 0, 3, 2, LOOPS({30, 3, 6}, {3, 1, 6}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+12 -> dst+0, unit 12 | 30(12,24) [0 1 2 3 24 25 26 27 48 49 50 51] of 24\n");
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({70, 6, 1}, {2, 3, 0}, {3, 1, 100}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+0 -> dst+0, unit 6 | 70(6,1) [0 1+0 2+0 0 1+0 2+0] of 1\n");
	expect(1, 1, MOVES({0, 0, 99, 2, LOOPS({80, 4, -1}, {4, 1, 100}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+99 -> dst+0, unit 4 | 80(4,-1) [0 1+0 2+0 3+0] of -1\n");
	expect(1, 1, MOVES({0, 0, 0, 4, LOOPS({20, 16, 64}, {4, 4, 4}, {2, 2, 32}, {2, 1, 2}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+0 -> dst+0, unit 16 | 20(16,64) [0 2 32 34 4 6 36 38 8 10 40 42 12 14 44 "
	       "46] of 64\n");
	expect(2, 1, MOVES({0, 0, 0, 2, LOOPS({50, 6, 1}, {6, 1, 50}), {0}}),
	       "root: units 0 to 1\n"
	       "  interleave: source 0+0 -> dst+0, unit 2 | 50(12,2) 6(2,100)\n");
}

/* No codelet runs a table: within a piece the loop over rows is the call's. */
static void test_tables_are_outside_of_rows(void **state)
{
	(void)state;
	expect(1, 3,
	       MOVES({0, 0, 0, 2, LOOPS({10, 51, 200}, {17, 1, 1}), {0}},
	             {0, 17, 90, 2, LOOPS({10, 51, 200}, {17, 1, 1}), {0}},
	             {0, 34, 40, 2, LOOPS({10, 51, 200}, {17, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 3(17,table) | 10(51,200) 17(1,1)\n");
}

/* Windows of several rows: each a block from so many places. Where the source goes on along the blocks, they
 * are transposed. */
static void test_windows_of_several_rows_are_blocks(void **state)
{
	(void)state;
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({50, 15, 2}, {5, 3, 200}, {3, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+0 -> dst+0, unit 15 | 50(15,2) [0 1 2 1+0 1+1 1+2 2+0 2+1 2+2 3+0 3+1 3+2 "
	       "4+0 4+1 "
	       "4+2] of 2\n");
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({50, 8, 1}, {4, 2, 200}, {2, 1, 1000}), {0}}),
	       "root: units 0 to 2\n"
	       "  loop 2(1024)\n"
	       "    transpose: source 0+0 -> dst+0, unit 4 | 32|18(32,4) 8(4,4000); "
	       "8 by 50 units in blocks of 8 by 32, stored\n");
}

/* Windows of 2 x 3 of two pictures whose upper border is a constant: the other rows are one leaf, and
 * constants beside them are cut where they begin. */
static void test_inside_a_border_windows_are_blocks(void **state)
{
	(void)state;
	expect(
	    1, 6,
	    MOVES({-1, 0, 0, 2, LOOPS({40, 480, 0}, {12, 1, 0}), {1}},
	          {-1, 12, 0, 3, LOOPS({39, 12, 0}, {2, 6, 0}, {3, 1, 0}), {1}},
	          {0, 492, 0, 3, LOOPS({39, 480, 100}, {39, 12, 2}, {3, 1, 1}), {0}},
	          {0, 15, 0, 3, LOOPS({40, 480, 100}, {39, 12, 2}, {3, 1, 1}), {0}},
	          {1, 498, 0, 3, LOOPS({39, 480, 100}, {39, 12, 2}, {3, 1, 1}), {0}},
	          {1, 21, 0, 3, LOOPS({40, 480, 100}, {39, 12, 2}, {3, 1, 1}), {0}}),
	    "root: units 0 to 1\n"
	    "  fill: 0x01 -> dst+0, unit 1 | 12(1,0)\n"
	    "  fill: 0x01 -> dst+12, unit 1 | 78(6,0) 3(1,0)\n"
	    "  units: source 0+0 -> dst+15, unit 3 | 39(12,2)\n"
	    "  units: source 1+0 -> dst+21, unit 3 | 39(12,2)\n"
	    "  fill: 0x01 -> dst+480, unit 1 | 39(480,0) 12(1,0)\n"
	    "root: units 1 to 21\n"
	    "  loop 20(960)\n"
	    "    pick: source 0+0 -> dst+492, unit 12 | 2|1(480,100) 39(12,2) [0 1 2 2+0 2+1 2+2 1+0 1+1 1+2 "
	    "3+0 3+1 3+2] of 2\n");
}

/* What lies between blocks so far apart is read by a loop outside: blocks would read each line again and
 * again. */
static void test_sparse_blocks_are_transposed(void **state)
{
	(void)state;
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({64, 100, 1}, {50, 2, 64}, {2, 1, 5000}), {0}}),
	       "root: units 0 to 1\n"
	       "  transpose: source 0+0 -> dst+0, unit 1 | 64(100,1) 100(1,5000); "
	       "100 by 64 units in blocks of 100 by 64, stored\n");
}

/* Units of a line and more go past the cache in the order of the source, where that is one run to few rows of
 * dst. Else some rows of it go side by side: they are many, or have gaps. */
static void test_units_of_lines_go_as_they_are_read(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({4096, 32, 384}, {12, 131072, 32}, {32, 1, 1}), {0}}),
	       "root: units 0 to 196\n"
	       "  loop 196(2688)\n"
	       "    transpose: source 0+0 -> dst+0, unit 128 | 12(524288,128) 21|1(128,1536); 4096 by 12 "
	       "units "
	       "in blocks of 21 by 12, carried\n");
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({4096, 32, 768}, {12, 131072, 32}, {32, 1, 1}), {0}}),
	       "root: units 0 to 512\n"
	       "  loop 512(1024)\n"
	       "    transpose: source 0+0 -> dst+0, unit 128 | 12(524288,128) 8(128,3072); "
	       "4096 by 12 units in blocks of 8 by 12, carried, 8 rows of the source side by side\n");
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({512, 32, 3072}, {96, 16384, 32}, {32, 1, 1}), {0}}),
	       "root: units 0 to 64\n"
	       "  loop 64(1024)\n"
	       "    transpose: source 0+0 -> dst+0, unit 128 | 96(65536,128) 8(128,12288); "
	       "512 by 96 units in blocks of 8 by 96, carried, 8 rows of the source side by side\n");
}

/* Rows of two halves, one of them by two loops: together they are 256 bytes, worth a stage. */
static void test_loops_that_divide_are_shared(void **state)
{
	(void)state;
	expect(2, 2,
	       MOVES({0, 0, 63, 2, LOOPS({2000, 128, 64}, {64, 1, -1}), {0}},
	             {0, 64, 64000 + 63, 3, LOOPS({2, 128000, -64000}, {1000, 128, 64}, {64, 1, -1}), {0}}),
	       "root: units 0 to 668\n"
	       "  loop 2(256000)\n"
	       "    loop 334(768) staged 768|256 bytes at +0, reading ahead 1 times 384\n"
	       "      gather: source 0+126 -> dst+0, unit 2 | 3|1(256,128) 64(2,-2)\n"
	       "      gather: source 0+128126 -> dst+128, unit 2 | 3|1(256,128) 64(2,-2)\n");
}

static void test_leaves_in_an_even_row_are_one(void **state)
{
	(void)state;
	expect(1, 3,
	       MOVES({0, 1, 150, 1, LOOPS({50, 3, 1}), {0}}, {0, 0, 100, 1, LOOPS({50, 3, 1}), {0}},
	             {0, 2, 200, 1, LOOPS({50, 3, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  interleave: source 0+100 -> dst+0, unit 1 | 50(3,1) 3(1,50)\n");
	expect(3, 2, MOVES({0, 4, 3, 1, LOOPS({4, 1, 1}), {0}}, {0, 0, 0, 1, LOOPS({3, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 9(1,1)\n"
	       "  copy: source 0+9 -> dst+12, unit 1 | 12(1,1)\n");
	expect(3, 2, MOVES({0, 1, 3, 0, NULL, {0}}, {0, 0, 2, 0, NULL, {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+6 -> dst+0, unit 1 | 6(1,1)\n");
}

static void test_planes_are_staged_beside_each_other(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({3, 20000, 1}, {20000, 1, 3}), {0}}),
	       "root: units 0 to 250\n"
	       "  loop 250(320) staged 320|320 bytes at +0, 3 times (80000,512), reading ahead 1 times 960\n"
	       "    deinterleave: source 0+0 -> dst+0, unit 4 | 80(4,12) 3(80000,4)\n");
}

static void test_a_short_run_becomes_the_unit(void **state)
{
	(void)state;
	expect(1, 1, MOVES({0, 0, 15, 2, LOOPS({6, 3, -3}, {3, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  gather: source 0+15 -> dst+0, unit 3 | 6(3,-3)\n");
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({6, 3, 9}, {3, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  gather: source 0+0 -> dst+0, unit 12 | 6(12,36)\n");
}

static void test_a_fill_moves_its_shortest_pattern(void **state)
{
	(void)state;
	expect(8, 1, MOVES({-1, 0, 77, 1, LOOPS({6, 1, 5}), {0}}),
	       "root: units 0 to 1\n"
	       "  fill: 0x00 -> dst+0, unit 1 | 48(1,0)\n");
	expect(8, 1, MOVES({-1, 0, 0, 1, LOOPS({6, 2, 0}), {1, 2, 1, 2, 1, 2, 1, 2}}),
	       "root: units 0 to 1\n"
	       "  fill: 0x0102 -> dst+0, unit 2 | 6(16,0) 4(2,0)\n");
	expect(4, 1, MOVES({-1, 0, 0, 1, LOOPS({6, 2, 0}), {1, 2, 3, 4}}),
	       "root: units 0 to 1\n"
	       "  fill: 0x01020304 -> dst+0, unit 4 | 6(8,0)\n");
}

/* ---- units ---- */

static void test_long_work_is_cut_into_units(void **state)
{
	(void)state;
	expect(1, 1, MOVES({0, 0, 0, 1, LOOPS({10000, 1, 1}), {0}}),
	       "root: units 0 to 4\n"
	       "  loop 4(2500)\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 2500(1,1)\n");
	expect(1, 1, MOVES({0, 0, 0, 2, LOOPS({100, 50, 70}, {50, 1, 1}), {0}}),
	       "root: units 0 to 5\n"
	       "  loop 5(1000)\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 20(50,70) 50(1,1)\n");
}

static void test_moves_apart_are_roots_in_order_of_dst(void **state)
{
	(void)state;
	expect(1, 2, MOVES({0, 5000, 0, 1, LOOPS({5000, 1, 1}), {0}}, {1, 0, 0, 1, LOOPS({5000, 1, 1}), {0}}),
	       "root: units 0 to 2\n"
	       "  loop 2(2500)\n"
	       "    copy: source 1+0 -> dst+0, unit 1 | 2500(1,1)\n"
	       "root: units 2 to 4\n"
	       "  loop 2(2500)\n"
	       "    copy: source 0+0 -> dst+5000, unit 1 | 2500(1,1)\n");
}

/* ---- shared loops and stages ---- */

static void test_small_moves_are_one_root(void **state)
{
	(void)state;
	expect(1, 2, MOVES({0, 0, 0, 1, LOOPS({50, 1, 1}), {0}}, {1, 50, 0, 1, LOOPS({50, 1, -1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 50(1,1)\n"
	       "  gather: source 1+0 -> dst+50, unit 1 | 50(1,-1)\n");
}

/* Rows of 8 with a margin of 1: 40 images of 8 x 6 from 6 x 6. */
static void test_a_loop_in_common_is_run_once(void **state)
{
	(void)state;
	expect(4, 3,
	       MOVES({0, 1, 0, 2, LOOPS({240, 8, 6}, {6, 1, 1}), {0}}, {-1, 0, 0, 1, LOOPS({240, 8, 0}), {0}},
	             {-1, 7, 0, 1, LOOPS({240, 8, 0}), {0}}),
	       "root: units 0 to 8\n"
	       "  loop 8(960)\n"
	       "    pick: source 0+0 -> dst+0, unit 32 | 30(32,24) [=00 =00 =00 =00 0 1 2 3 4 5 6 7 8 9 10 "
	       "11 12 13 14 15 "
	       "16 17 18 19 20 21 22 23 =00 =00 =00 =00] of 24\n");
}

static void test_a_loop_that_divides_is_split_to_be_shared(void **state)
{
	(void)state;
	expect(1, 2,
	       MOVES({0, 0, 0, 2, LOOPS({6, 400, 300}, {300, 1, 1}), {0}},
	             {1, 300, 0, 2, LOOPS({6, 400, 100}, {100, 1, -1}), {0}}),
	       "root: units 0 to 3\n"
	       "  loop 3(800)\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 2(400,300) 300(1,1)\n"
	       "    gather: source 1+0 -> dst+300, unit 1 | 2(400,100) 100(1,-1)\n");
}

static void test_past_the_cache_a_contiguous_piece_is_staged(void **state)
{
	(void)state;
	expect(4, 2, MOVES({0, 0, 0, 1, LOOPS({20000, 2, 1}), {0}}, {1, 1, 0, 1, LOOPS({20000, 2, 1}), {0}}),
	       "root: units 0 to 160\n"
	       "  loop 160(1000) staged 1000|1000 bytes at +0, reading ahead 1 times 500\n"
	       "    pick: source 0+0 -> dst+0, unit 8 | 125(8,4) [0 1 2 3 1+0 1+1 1+2 1+3] of 4\n");
}

/* What is read in order stays in the cache up to 100000 bytes, what crosses up to a quarter. */
static void test_a_transposition_is_streamed_earlier_than_a_copy(void **state)
{
	(void)state;
	for (int k = 0; k < 3; k++) {
		const int64_t n = k == 0 ? 50 : 100;
		vf_job job = {
		    4, 1, 1,
		    MOVES({0, 0, 0, 2, LOOPS({100, n, k == 2 ? 2 * n : 1}, {n, 1, k == 2 ? 1 : 100}), {0}}),
		    0};
		vf_normal normal;
		assert_true(vf_normalise(ctx, &normal, &job));
		vf_plan *plan = vf_plan_make(ctx, &normal, &machine);
		assert_non_null(plan);
		assert_int_equal(plan->streams, k == 1);
		vf_plan_drop(ctx, plan);
		vf_normal_drop(ctx, &normal);
	}
}

/* Rows of two sources, and of runs and a constant. */
static void test_runs_side_by_side_are_rows_of_parts(void **state)
{
	(void)state;
	expect(4, 2,
	       MOVES({0, 0, 0, 2, LOOPS({2000, 30, 20}, {20, 1, 1}), {0}},
	             {1, 20, 0, 2, LOOPS({2000, 30, 10}, {10, 1, 1}), {0}}),
	       "root: units 0 to 250\n"
	       "  loop 250(960) streamed, 8|8 rows of 120 bytes at +0, of 2 parts each\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 8(120,80) 80(1,1)\n"
	       "    copy: source 1+0 -> dst+80, unit 1 | 8(120,40) 40(1,1)\n");
	expect(4, 2,
	       MOVES({0, 5, 0, 2, LOOPS({2000, 30, 20}, {20, 1, 1}), {0}},
	             {-1, 0, 0, 3, LOOPS({2000, 30, 0}, {2, 25, 0}, {5, 1, 0}), {0}}),
	       "root: units 0 to 250\n"
	       "  loop 250(960) streamed, 8|8 rows of 120 bytes at +0, of 3 parts each\n"
	       "    fill: 0x00 -> dst+0, unit 1 2(100,0) | 8(120,0) 20(1,0)\n"
	       "    copy: source 0+0 -> dst+20, unit 1 | 8(120,80) 80(1,1)\n");
}

/* Every second element is of a source that runs backwards, one in four a constant. */
static void test_what_takes_turns_is_put_together_from_planes(void **state)
{
	(void)state;
	expect(
	    2, 3,
	    MOVES({0, 0, 0, 1, LOOPS({50000, 4, 1}), {0}}, {1, 1, 49999, 1, LOOPS({50000, 4, -1}), {0}},
	          {-1, 2, 0, 2, LOOPS({50000, 4, 0}, {2, 1, 0}), {7, 7}}),
	    "root: units 0 to 400\n"
	    "  loop 400(1000) staged 1000|1000 bytes at +0, put together from 2 planes by blocks of 8 bytes, "
	    "reading ahead 1 times 250\n"
	    "    copy: source 0+0 -> dst+0, unit 2 | 125(2,2)\n"
	    "    gather: source 1+99998 -> dst+320, unit 2 | 125(2,-2)\n");
}

/* Planes of 60 x 100, turned, with a margin of 2 beside and 5 above each: five planes are one stage. */
static void test_what_crosses_between_margins_goes_by_pools(void **state)
{
	(void)state;
	vf_machine big = machine;
	big.piece_bytes = big.staged_bytes = 16 << 10;
	expect_on(&big, 4, 3,
	          MOVES({-1, 0, 0, 2, LOOPS({100, 6510, 0}, {310, 1, 0}), {0}},
	                {-1, 310, 0, 3, LOOPS({100, 6510, 0}, {100, 62, 0}, {2, 1, 0}), {0}},
	                {0, 312, 0, 3, LOOPS({100, 6510, 6000}, {100, 62, 1}, {60, 1, 100}), {0}}),
	          "root: units 0 to 20\n"
	          "  loop 20(130200) staged 130200|130200 bytes at +0, reading ahead 1 times 120000\n"
	          "    fill: 0x00 -> dst+0, unit 1 | 5(26040,0) 1240(1,0)\n"
	          "    fill: 0x00 -> dst+1240, unit 1 5(26040,0) | 100(248,0) 8(1,0)\n"
	          "    transpose: source 0+0 -> dst+1248, unit 4 5(26040,24000) 4(7936,128) | "
	          "32|4(248,4) 60(4,400); 60 by 100 units in blocks of 60 by 32, stored\n");
}

/* Patches of 8 by 8 of 17 channels, upside down: 17 by 56 of a row of patches are one block in the stage. */
static void test_what_crosses_in_a_stage_goes_by_blocks(void **state)
{
	(void)state;
	vf_machine big = machine;
	big.piece_bytes = big.staged_bytes = 16 << 10;
	expect_on(&big, 2, 1,
	          MOVES({0,
	                 0,
	                 392,
	                 6,
	                 LOOPS({20, 53312, 53312}, {7, 7616, 448}, {7, 1088, 8}, {8, 136, -56}, {8, 17, 1},
	                       {17, 1, 3136}),
	                 {0}}),
	          "root: units 0 to 140\n"
	          "  loop 20(106624)\n"
	          "    loop 7(15232) staged 15232|15232 bytes at +0, reading ahead 17 times 896\n"
	          "      transpose: source 0+0 -> dst+1904, unit 2 2(0,576) | 288|160(34,2) "
	          "17(2,6272); 17 by 448 units in blocks of 17 by 288, stored\n");
}

/* Two channels backwards, each to a plane of its own: the second one's piece is read while its lines are in
 * the cache. */
static void test_loops_over_the_same_lines_are_inside(void **state)
{
	(void)state;
	vf_machine lines = machine;
	lines.lines = true;
	expect_on(&lines, 2, 1, MOVES({0, 0, 799999, 2, LOOPS({2, 400000, -1}, {400000, 1, -2}), {0}}),
	          "root: units 0 to 400\n"
	          "  loop 200(4000)\n"
	          "    loop 2(800000)\n"
	          "      gather (stream): source 0+1599998 -> dst+0, unit 2 | 2000(2,-4)\n");
}

/* A matrix and itself backwards take turns; pairs that a mirror takes apart, each row twice. */
static void test_what_would_move_in_bits_is_woven(void **state)
{
	(void)state;
	vf_machine wide = machine;
	wide.weaves = true;
	expect_on(&wide, 2, 2,
	          MOVES({0, 0, 0, 2, LOOPS({500, 500, 250}, {250, 2, 1}), {0}},
	                {1, 1, 249, 2, LOOPS({500, 500, 250}, {250, 2, -1}), {0}}),
	          "root: units 0 to 125\n"
	          "  loop 125(4000) woven, 1 times 4000|4000 bytes at +0 in rows of 1000, of 2 boxes each\n"
	          "    weave: source 0+0 -> dst+0, unit 2 4(1000,500) 250(4,2)\n"
	          "    weave: source 1+498 -> dst+2, unit 2 4(1000,500) 250(4,-2)\n");
	/* windows rolled within, which a table reads: a box for each of its places */
	expect_on(&wide, 4, 2,
	          MOVES({0,
	                 0,
	                 2,
	                 5,
	                 LOOPS({50, 2000, 5000}, {20, 100, 10}, {5, 20, 1000}, {3, 4, 1}, {4, 1, 5}),
	                 {0}},
	                {0,
	                 12,
	                 0,
	                 5,
	                 LOOPS({50, 2000, 5000}, {20, 100, 10}, {5, 20, 1000}, {2, 4, 1}, {4, 1, 5}),
	                 {0}}),
	          "root: units 0 to 100\n"
	          "  loop 50(8000)\n"
	          "    loop 2(4000) woven, 1 times 4000|4000 bytes at +0 in rows of 400, of 5 boxes each\n"
	          "      weave: source 0+8 -> dst+0, unit 4 10(400,40) 5(80,4000) 5(16,table) 4(4,20)\n");
	expect_on(&wide, 2, 1, MOVES({0, 0, 11, 3, LOOPS({3000, 24, 12}, {2, 12, 0}, {12, 1, -1}), {0}}),
	          "root: units 0 to 38\n"
	          "  loop 38(3840) woven, 1 times 3840|1920 bytes at +0 in rows of 384, of 2 boxes each\n"
	          "    weave: source 0+0 -> dst+0, unit 48 80|40(48,24) [22 23 20 21 18 19 16 17 14 15 12 13 "
	          "10 11 8 9 6 7 4 5 2 3 0 1 22 23 20 21 18 19 16 17 14 15 12 13 10 11 8 9 6 7 4 5 2 3 0 1] "
	          "of 24\n");
}

/* Two matrices, one after the other, with a constant beside each pair: one leaf at first. */
static void test_a_constant_is_cut_where_the_next_leaf_begins(void **state)
{
	(void)state;
	vf_machine wide = machine;
	wide.weaves = true;
	expect_on(&wide, 2, 3,
	          MOVES({0, 0, 0, 3, LOOPS({100, 300, 400}, {100, 3, 2}, {2, 1, 1}), {0}},
	                {1, 30000, 0, 3, LOOPS({100, 300, 400}, {100, 3, 2}, {2, 1, 1}), {0}},
	                {-1, 2, 0, 1, LOOPS({20000, 3, 0}), {0}}),
	          "root: units 0 to 17\n"
	          "  loop 17(3600) woven, 1 times 3600|2400 bytes at +0 in rows of 600, of 2 boxes each\n"
	          "    weave: source 0+0 -> dst+0, unit 4 6|4(600,800) 100(6,4)\n"
	          "    weave: 0x00 -> dst+4, unit 2 6|4(600,0) 100(6,0)\n"
	          "root: units 17 to 34\n"
	          "  loop 17(3600) woven, 1 times 3600|2400 bytes at +60000 in rows of 600, of 2 boxes each\n"
	          "    weave: source 1+0 -> dst+60000, unit 4 6|4(600,800) 100(6,4)\n"
	          "    weave: 0x00 -> dst+60004, unit 2 6|4(600,0) 100(6,0)\n");
}

static void test_a_piece_with_gaps_is_not_staged(void **state)
{
	(void)state;
	expect(4, 1, MOVES({0, 0, 0, 1, LOOPS({50000, 2, 1}), {0}}),
	       "root: units 0 to 200\n"
	       "  loop 200(2000)\n"
	       "    scatter: source 0+0 -> dst+0, unit 4 | 250(8,4)\n");
}

/* A codelet asks for the rows of the block after its own without looking where the table ends. */
static void test_tables_of_rows_hold_whole_blocks(void **state)
{
	(void)state;
	const vf_move move = {0, 0, 0, 3, LOOPS({1000, 1110, 1}, {30, 37, 50000}, {37, 1, 1001}), {0}};
	vf_normal normal;
	assert_true(vf_normalise(ctx, &normal, &(vf_job){4, 1, 1, &move, 0}));
	vf_plan *plan = vf_plan_make(ctx, &normal, &machine);
	assert_non_null(plan);
	const vf_tiling *t = plan->leaves[0].tiling;
	assert_true(t && t->src_at && t->ahead_into);
	int64_t n = vf_whole_blocks(t->count_a, t->chunk_a);
	assert_int_equal(t->count_a, 1110);
	assert_true(n > t->count_a && n - t->count_a < t->chunk_a);
	assert_int_equal(t->src_at[t->count_a - 1], (29 * 50000 + 36 * 1001) * 4);
	for (int64_t i = t->count_a; i < n; i++)
		assert_int_equal(t->src_at[i], t->src_at[t->count_a - 1]);
	vf_plan_drop(ctx, plan);
	vf_normal_drop(ctx, &normal);
}

/* From block to block of several matrices: where the next one is asked for is where it is read. */
static void test_the_block_after_one_may_be_of_the_next_matrix(void **state)
{
	(void)state;
	const vf_move move = {
	    0, 0, 0, 4, LOOPS({3, 600000, 2700000}, {2, 300000, 1000}, {300, 1000, 1}, {1000, 1, 2700}), {0}};
	vf_normal normal;
	assert_true(vf_normalise(ctx, &normal, &(vf_job){4, 1, 1, &move, 0}));
	vf_plan *plan = vf_plan_make(ctx, &normal, &machine);
	assert_non_null(plan);
	const vf_leaf *leaf = &plan->leaves[0];
	assert_true(leaf->tiling && leaf->tiling->ahead_into);
	vf_turn turns[VF_MOST_TURNS];
	const int n = vf_turns_of_blocks(leaf, turns), blocks = leaf->nloop - leaf->ninner;
	int64_t at[16] = {0}, src = 0, seen = 0;
	assert_in_range(blocks, 3, 16);
	for (int k = blocks - 1; k >= 0; seen++) {
		int j = 0;
		while (j < n - 1 && at[turns[j].loop] == turns[j].last)
			j++;
		int64_t next = src + turns[j].step;
		for (k = blocks - 1; k >= 0 && ++at[k] == leaf->loops[k].extent; k--)
			at[k] = 0;
		src = 0;
		for (int i = 0; i < blocks; i++)
			src += at[i] * leaf->loops[i].src;
		assert_true(k < 0 || next == src);
	}
	assert_true(seen > 6);
	vf_plan_drop(ctx, plan);
	vf_normal_drop(ctx, &normal);
}

static void test_extents_beyond_memory(void **state)
{
	(void)state;
	vf_move m = {0, 0, 0, 2, LOOPS({INT64_C(1) << 40, INT64_C(1) << 20, 0}, {1 << 20, 1, 0}), {0}};
	vf_job job = {4, 1, 1, &m, 0};
	vf_normal normal;
	assert_true(vf_normalise(ctx, &normal, &job));
	vf_plan *plan = vf_plan_make(ctx, &normal, &machine);
	assert_non_null(plan);
	assert_int_equal(plan->out_bytes, INT64_C(1) << 62);
	assert_string_equal(plan->strategy, "fill");
	vf_plan_drop(ctx, plan);
	vf_normal_drop(ctx, &normal);
}

static int open_context(void **state)
{
	(void)state;
	ctx = vf_context_create(NULL);
	return ctx ? 0 : -1;
}

static int close_context(void **state)
{
	(void)state;
	vf_context_release(ctx);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_what_chains_is_one_copy),
	    cmocka_unit_test(test_order_extent_one_and_both_flipped_do_not_matter),
	    cmocka_unit_test(test_rank_zero_is_a_copy_of_one_element),
	    cmocka_unit_test(test_strategies),
	    cmocka_unit_test(test_small_blocks_are_shuffled),
	    cmocka_unit_test(test_blocks_of_one_move),
	    cmocka_unit_test(test_tables_are_outside_of_rows),
	    cmocka_unit_test(test_windows_of_several_rows_are_blocks),
	    cmocka_unit_test(test_inside_a_border_windows_are_blocks),
	    cmocka_unit_test(test_sparse_blocks_are_transposed),
	    cmocka_unit_test(test_units_of_lines_go_as_they_are_read),
	    cmocka_unit_test(test_loops_that_divide_are_shared),
	    cmocka_unit_test(test_leaves_in_an_even_row_are_one),
	    cmocka_unit_test(test_planes_are_staged_beside_each_other),
	    cmocka_unit_test(test_a_short_run_becomes_the_unit),
	    cmocka_unit_test(test_a_fill_moves_its_shortest_pattern),
	    cmocka_unit_test(test_long_work_is_cut_into_units),
	    cmocka_unit_test(test_moves_apart_are_roots_in_order_of_dst),
	    cmocka_unit_test(test_small_moves_are_one_root),
	    cmocka_unit_test(test_a_loop_in_common_is_run_once),
	    cmocka_unit_test(test_a_loop_that_divides_is_split_to_be_shared),
	    cmocka_unit_test(test_past_the_cache_a_contiguous_piece_is_staged),
	    cmocka_unit_test(test_a_transposition_is_streamed_earlier_than_a_copy),
	    cmocka_unit_test(test_runs_side_by_side_are_rows_of_parts),
	    cmocka_unit_test(test_what_takes_turns_is_put_together_from_planes),
	    cmocka_unit_test(test_what_crosses_between_margins_goes_by_pools),
	    cmocka_unit_test(test_what_crosses_in_a_stage_goes_by_blocks),
	    cmocka_unit_test(test_loops_over_the_same_lines_are_inside),
	    cmocka_unit_test(test_what_would_move_in_bits_is_woven),
	    cmocka_unit_test(test_a_constant_is_cut_where_the_next_leaf_begins),
	    cmocka_unit_test(test_a_piece_with_gaps_is_not_staged),
	    cmocka_unit_test(test_tables_of_rows_hold_whole_blocks),
	    cmocka_unit_test(test_the_block_after_one_may_be_of_the_next_matrix),
	    cmocka_unit_test(test_extents_beyond_memory),
	};
	return cmocka_run_group_tests(tests, open_context, close_context);
}
