/* test_stages.c -- what several leaves come to: shared loops, stages, what is woven. */
#include "plan_world.h"
#include "test.h"

/* ---- shared loops and stages ---- */

TEST(small_moves_are_one_root)
{
	expect(1, 2, MOVES({0, 0, 0, 1, LOOPS({50, 1, 1}), {0}}, {1, 50, 0, 1, LOOPS({50, 1, -1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 50(1,1)\n"
	       "  gather: source 1+0 -> dst+50, unit 1 | 50(1,-1)\n");
}

/* Rows of 8 with a margin of 1: 40 images of 8 x 6 from 6 x 6. */
TEST(a_loop_in_common_is_run_once)
{
	expect(4, 3,
	       MOVES({0, 1, 0, 2, LOOPS({240, 8, 6}, {6, 1, 1}), {0}}, {-1, 0, 0, 1, LOOPS({240, 8, 0}), {0}},
	             {-1, 7, 0, 1, LOOPS({240, 8, 0}), {0}}),
	       "root: units 0 to 8\n"
	       "  loop 8(960)\n"
	       "    pick: source 0+0 -> dst+0, unit 32 | 30(32,24) [=00 =00 =00 =00 0 1 2 3 4 5 6 7 8 9 10 "
	       "11 12 13 14 15 "
	       "16 17 18 19 20 21 22 23 =00 =00 =00 =00] of 24\n");
}

TEST(a_loop_that_divides_is_split_to_be_shared)
{
	expect(1, 2,
	       MOVES({0, 0, 0, 2, LOOPS({6, 400, 300}, {300, 1, 1}), {0}},
	             {1, 300, 0, 2, LOOPS({6, 400, 100}, {100, 1, -1}), {0}}),
	       "root: units 0 to 3\n"
	       "  loop 3(800)\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 2(400,300) 300(1,1)\n"
	       "    gather: source 1+0 -> dst+300, unit 1 | 2(400,100) 100(1,-1)\n");
}

TEST(past_the_cache_a_contiguous_piece_is_staged)
{
	expect(4, 2, MOVES({0, 0, 0, 1, LOOPS({20000, 2, 1}), {0}}, {1, 1, 0, 1, LOOPS({20000, 2, 1}), {0}}),
	       "root: units 0 to 160\n"
	       "  loop 160(1000) staged 1000|1000 bytes at +0, reading ahead 1 times 500\n"
	       "    pick: source 0+0 -> dst+0, unit 8 | 125(8,4) [0 1 2 3 1+0 1+1 1+2 1+3] of 4\n");
}

/* What is read in order stays in the cache up to 100000 bytes, what crosses up to a quarter. */
TEST(a_transposition_is_streamed_earlier_than_a_copy)
{
	for (int k = 0; k < 3; k++) {
		const int64_t n = k == 0 ? 50 : 100;
		vf_plan *plan = plan_on(
		    &machine, 4, 1,
		    MOVES({0, 0, 0, 2, LOOPS({100, n, k == 2 ? 2 * n : 1}, {n, 1, k == 2 ? 1 : 100}), {0}}));
		assert_int_equal(plan->streams, k == 1);
		vf_plan_drop(ctx, plan);
	}
}

/* Rows of two sources, and of runs and a constant. */
TEST(runs_side_by_side_are_rows_of_parts)
{
	expect(4, 2,
	       MOVES({0, 0, 0, 2, LOOPS({2000, 36, 20}, {20, 1, 1}), {0}},
	             {1, 20, 0, 2, LOOPS({2000, 36, 16}, {16, 1, 1}), {0}}),
	       "root: units 0 to 334\n"
	       "  loop 334(864) streamed, 6|2 rows of 144 bytes at +0, of 2 parts each\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 6|2(144,80) 80(1,1)\n"
	       "    copy: source 1+0 -> dst+80, unit 1 | 6|2(144,64) 64(1,1)\n");
	expect(4, 2,
	       MOVES({0, 5, 0, 2, LOOPS({2000, 30, 20}, {20, 1, 1}), {0}},
	             {-1, 0, 0, 3, LOOPS({2000, 30, 0}, {2, 25, 0}, {5, 1, 0}), {0}}),
	       "root: units 0 to 250\n"
	       "  loop 250(960) streamed, 8|8 rows of 120 bytes at +0, of 3 parts each\n"
	       "    fill: 0x00 -> dst+0, unit 1 2(100,0) | 8(120,0) 20(1,0)\n"
	       "    copy: source 0+0 -> dst+20, unit 1 | 8(120,80) 80(1,1)\n");
}

/* Expects rows of so many parts in a plan; NULL: of none. */
static void expect_parts(const vf_machine *on, int elem_bytes, int nmove, const vf_move *moves,
                         const char *expected)
{
	vf_text text = text_on(on, elem_bytes, nmove, moves);
	const char *found = strstr(text.bytes, expected ? expected : "parts each");
	if (expected ? !found : found != NULL)
		fail_msg("expected rows %s, found:\n%s", expected ? expected : "of no parts", text.bytes);
	vf_text_drop(&text);
}

/* Where registers hold a line, a margin of 16 pixels of 12 bytes is one part of a row; a mirrored row of 256
 * bytes by itself is none, as what it reads is not asked for. Narrow registers leave rows of many short parts
 * to a stage. */
TEST(mirrors_of_some_lines_are_parts_beside_runs)
{
	const vf_move *margins = MOVES(
	    {0, 0, 48, 3, LOOPS({2000, 768, 672}, {16, 3, -3}, {3, 1, 1}), {0}},
	    {0, 48, 0, 2, LOOPS({2000, 768, 672}, {672, 1, 1}), {0}},
	    {0, 720, 666, 3, LOOPS({2000, 768, 672}, {16, 3, -3}, {3, 1, 1}), {0}});
	const vf_move *alone = MOVES({0, 0, 63, 2, LOOPS({2000, 96, 64}, {64, 1, -1}), {0}},
	                             {-1, 64, 0, 2, LOOPS({2000, 96, 0}, {32, 1, 0}), {0}});
	const vf_move *pictures = MOVES({-1, 0, 0, 2, LOOPS({9000, 400, 0}, {60, 1, 0}), {0}},
	                                {-1, 60, 0, 3, LOOPS({9000, 400, 0}, {14, 20, 0}, {3, 1, 0}), {0}},
	                                {0, 63, 0, 3, LOOPS({9000, 400, 196}, {14, 20, 14}, {14, 1, 1}), {0}},
	                                {-1, 77, 0, 3, LOOPS({9000, 400, 0}, {14, 20, 0}, {3, 1, 0}), {0}},
	                                {-1, 340, 0, 2, LOOPS({9000, 400, 0}, {60, 1, 0}), {0}});
	vf_machine narrow = machine_of(16 << 10, 16 << 10), wide = narrow;
	wide.wide = wide.lines = wide.weaves = true;
	expect_parts(&wide, 4, 3, margins, "of 3 parts each");
	expect_parts(&narrow, 4, 3, margins, NULL);
	expect_parts(&wide, 4, 2, alone, NULL);
	expect_parts(&narrow, 4, 5, pictures, NULL);
}

/* Rows with a mirror of 3 before them, and with one at an uneven place: each byte of it is a part. What has
 * no parts goes by a stage, and none of it streams to that by itself. */
TEST(mirrors_beside_runs_are_parts)
{
	vf_machine big = machine_of(24 << 10, 16 << 10);
	expect_on(&big, 1, 2,
	          MOVES({0, 0, 3, 2, LOOPS({50, 20003, 20000}, {3, 1, -1}), {0}},
	                {0, 3, 0, 2, LOOPS({50, 20003, 20000}, {20000, 1, 1}), {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(20003) streamed, 1|1 rows of 20003 bytes at +0, of 2 parts each\n"
	          "    gather: source 0+3 -> dst+0, unit 1 | 3(1,-1)\n"
	          "    loop 5(4000)\n"
	          "      copy (stream): source 0+0 -> dst+3, unit 1 | 4000(1,1)\n");
	expect_on(&big, 1, 4,
	          MOVES({0, 0, 3, 1, LOOPS({50, 20003, 20000}), {0}},
	                {0, 1, 9, 1, LOOPS({50, 20003, 20000}), {0}},
	                {0, 2, 1, 1, LOOPS({50, 20003, 20000}), {0}},
	                {0, 3, 0, 2, LOOPS({50, 20003, 20000}, {20000, 1, 1}), {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(20003) streamed, 1|1 rows of 20003 bytes at +0, of 4 parts each\n"
	          "    copy: source 0+3 -> dst+0, unit 1 3(1,table) | 1(1,1)\n"
	          "    loop 5(4000)\n"
	          "      copy (stream): source 0+0 -> dst+3, unit 1 | 4000(1,1)\n");
	expect_on(&big, 1, 2,
	          MOVES({0, 0, 0, 2, LOOPS({50, 20024, 20000}, {20000, 1, 1}), {0}},
	                {0, 20000, 2, 3, LOOPS({50, 20024, 20000}, {8, 3, 3}, {3, 1, -1}), {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(20024) staged 20024|20024 bytes at +0, reading ahead 1 times 20000\n"
	          "    loop 5(4000)\n"
	          "      copy: source 0+0 -> dst+0, unit 1 | 4000(1,1)\n"
	          "    pick: source 0+0 -> dst+20000, unit 3 | 8(3,3) [2 1 0] of 3\n");
}

/* Every second element is of a source that runs backwards, one in four a constant. */
TEST(what_takes_turns_is_put_together_from_planes)
{
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

/* 64 pictures of 469 x 36, turned and rolled by 3 rows: a picture would fit half of this L1, but what is
 * behind the 3 rows goes by two stages already. There is one scratch. */
TEST(no_stage_is_around_another)
{
	vf_machine big = machine_of(24 << 10, 16 << 10);
	expect_on(&big, 1, 2,
	          MOVES({0, 0, 17350, 3, LOOPS({64, 16884, 16884}, {3, 36, 1}, {36, 1, 469}), {0}},
	                {0, 108, 16884, 3, LOOPS({64, 16884, 16884}, {466, 36, 1}, {36, 1, 469}), {0}}),
	          "root: units 0 to 64\n"
	          "  loop 64(16884)\n"
	          "    gather: source 0+17350 -> dst+0, unit 1 | 3(36,1) 36(1,469)\n"
	          "    loop 2(8388) staged 8388|8388 bytes at +108, reading ahead 1 times 8448\n"
	          "      transpose: source 0+16884 -> dst+108, unit 1 | 233(36,1) 36(1,469)\n");
}

/* Patches of 8 by 8 of 17 channels, upside down: 17 by 56 of a row of patches are one block in the stage. */
TEST(what_crosses_in_a_stage_goes_by_blocks)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
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
	          "    loop 7(15232) staged 15232|15232 bytes at +0, reading ahead 1 times 15232\n"
	          "      transpose: source 0+0 -> dst+1904, unit 2 2(0,576) | 288|160(34,2) "
	          "17(2,6272); 17 by 448 units in blocks of 17 by 288, stored\n");
}

/* Of few pictures each band asks for the rows of the next; of many for its share of the next picture, borders
 * that are not used and all. */
TEST(shares_of_many_pictures_are_asked_for)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	expect_on(
	    &big, 4, 1,
	    MOVES(
		{0, 0, 182, 4, LOOPS({3, 19600, 19600}, {14, 1400, -14}, {14, 100, 1}, {100, 1, 196}), {0}}),
	    "root: units 0 to 21\n"
	    "  loop 3(78400)\n"
	    "    loop 7(11200) staged 11200|11200 bytes at +0, reading ahead 100 times 112\n"
	    "      transpose: source 0+728 -> dst+0, unit 4 2(5600,-56) | 14(400,4) 100(4,784)\n");
	expect_on(
	    &big, 4, 1,
	    MOVES(
		{0, 0, 182, 4, LOOPS({9, 19600, 19600}, {14, 1400, -14}, {14, 100, 1}, {100, 1, 196}), {0}}),
	    "root: units 0 to 63\n"
	    "  loop 9(78400)\n"
	    "    loop 7(11200) staged 11200|11200 bytes at +0, reading ahead 1 times 11200\n"
	    "      transpose: source 0+728 -> dst+0, unit 4 2(5600,-56) | 14(400,4) 100(4,784)\n");
	expect_on(
	    &big, 4, 1,
	    MOVES({0, 0, 15, 4, LOOPS({9, 14400, 19600}, {12, 1200, 14}, {12, 100, 1}, {100, 1, 196}), {0}}),
	    "root: units 0 to 36\n"
	    "  loop 9(57600)\n"
	    "    loop 4(14400) staged 14400|14400 bytes at +0, reading ahead 1 times 19584\n"
	    "      transpose: source 0+60 -> dst+0, unit 4 3(4800,56) | 12(400,4) 100(4,784)\n");
}

/* [39,582,8,22] by (2,1,3,0): matrices of 39 rows of 88 bytes, and what follows such a row in the source goes
 * to another one far away. With registers of a line a block reads both. */
TEST(matrices_that_share_lines_are_blocks)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	const vf_move *turned = MOVES(
	    {0, 0, 0, 4, LOOPS({8, 499356, 22}, {582, 858, 176}, {22, 39, 1}, {39, 1, 102432}), {0}});
	expect_on(&big, 4, 1, turned,
	          "root: units 0 to 1168\n"
	          "  loop 8(1997424)\n"
	          "    loop 146(13728) staged 13728|6864 bytes at +0, reading ahead 156 times 88\n"
	          "      transpose: source 0+0 -> dst+0, unit 4 4|2(3432,704) | 22(156,4) 39(4,409728)\n");
	big.wide = big.lines = true;
	expect_on(
	    &big, 4, 1, turned,
	    "root: units 0 to 97\n"
	    "  loop 97(20592)\n"
	    "    transpose: source 0+0 -> dst+0, unit 4 3(0,1408) | 352(156,4) 39(4,409728); 39 by 1056 "
	    "units in blocks of 39 by 352, joined\n");
}

/* Two channels backwards, each to a plane of its own: the second one's piece is read while its lines are in
 * the cache. */
TEST(loops_over_the_same_lines_are_inside)
{
	vf_machine lines = machine;
	lines.lines = true;
	expect_on(&lines, 2, 1, MOVES({0, 0, 799999, 2, LOOPS({2, 400000, -1}, {400000, 1, -2}), {0}}),
	          "root: units 0 to 400\n"
	          "  loop 200(4000)\n"
	          "    loop 2(800000)\n"
	          "      gather (stream): source 0+1599998 -> dst+0, unit 2 | 2000(2,-4)\n");
}

/* A few columns of long rows. Where registers hold a line they are gathered, and read together where one lies
 * between two units of another; else they are transposed. */
TEST(columns_are_gathered_together)
{
	vf_machine wide = machine;
	wide.lines = wide.wide = true;
	expect_on(&wide, 4, 1, MOVES({0, 0, 3, 2, LOOPS({3, 100000, 1}, {100000, 1, 40}), {0}}),
	          "root: units 0 to 375\n"
	          "  loop 125(3200)\n"
	          "    loop 3(400000)\n"
	          "      gather (stream): source 0+12 -> dst+0, unit 4 | 800(4,160)\n");
	expect(4, 1, MOVES({0, 0, 3, 2, LOOPS({3, 100000, 1}, {100000, 1, 40}), {0}}),
	       "root: units 0 to 1563\n"
	       "  loop 1563(256)\n"
	       "    transpose: source 0+12 -> dst+0, unit 4 | 3(400000,4) 64|32(4,160); 100000 by 3 units in "
	       "blocks of 64 by 3, streamed\n");
	expect_on(&wide, 4, 1, MOVES({0, 0, 3, 2, LOOPS({3, 100000, 40}, {100000, 1, 40}), {0}}),
	          "root: units 0 to 375\n"
	          "  loop 3(400000)\n"
	          "    loop 125(3200)\n"
	          "      gather (stream): source 0+12 -> dst+0, unit 4 | 800(4,160)\n");
}

/* Rows of 130 units, which neither lie on lines nor fill a block. Where both runs could go on along the
 * second axis, the one along dst does. Of 257 there is no good part: the last one is cut off. A row is not
 * cut for two units that a block has no room for. */
TEST(short_rows_are_long_along_dst)
{
	vf_machine wide = machine;
	wide.lines = wide.wide = true;
	expect_on(&wide, 2, 1,
	          MOVES({0, 0, 0, 3, LOOPS({128, 33280, 1}, {256, 130, 128}, {130, 1, 32768}), {0}}),
	          "root: units 0 to 528\n"
	          "  loop 16(4160)\n"
	          "    loop 33(128)\n"
	          "      transpose: source 0+0 -> dst+0, unit 2 | 128(66560,2) 64|32(2,65536); 2080 by 128 "
	          "units in blocks of 64 by 128, streamed\n");
	expect_on(&wide, 2, 1,
	          MOVES({0, 0, 0, 3, LOOPS({128, 33410, 1}, {257, 130, 128}, {130, 1, 32896}), {0}}),
	          "root: units 0 to 272\n"
	          "  loop 16(4160)\n"
	          "    loop 17(256)\n"
	          "      transpose: source 0+0 -> dst+0, unit 2 | 128(66820,2) 128|32(2,65792); 2080 by 128 "
	          "units in blocks of 128 by 128, carried\n"
	          "root: units 272 to 273\n"
	          "  transpose: source 0+65536 -> dst+66560, unit 2 | 128(66820,2) 130(2,65792); 130 by 128 "
	          "units in blocks of 130 by 128, carried\n");
}

/* A matrix and itself backwards take turns; pairs that a mirror takes apart, each row twice. */
TEST(what_would_move_in_bits_is_woven)
{
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
	          "      weave: source 0+0 -> dst+0, unit 4 10(400,40) 5(80,4000) 5(16,table) 4(4,20)\n");
}

/* Rows of 12 units turned around, twice each: `pick` keeps up with memory. */
TEST(what_pick_puts_together_is_not_woven)
{
	vf_machine wide = machine;
	wide.weaves = true;
	expect_on(&wide, 2, 1, MOVES({0, 0, 11, 3, LOOPS({3000, 24, 12}, {2, 12, 0}, {12, 1, -1}), {0}}),
	          "root: units 0 to 150\n"
	          "  loop 150(960) staged 960|960 bytes at +0, reading ahead 1 times 480\n"
	          "    pick: source 0+0 -> dst+0, unit 48 | 20(48,24) [22 23 20 21 18 19 16 17 14 15 12 "
	          "13 10 11 8 9 6 7 4 5 2 3 0 1 22 23 20 21 18 19 16 17 14 15 12 13 10 11 8 9 6 7 4 5 2 "
	          "3 0 1] of 24\n");
}

/* Pixels 2 by 2 times: a call for each row twice would begin anew as often. `pick` keeps up with memory, so
 * they are not woven. */
TEST(rows_that_repeat_are_no_calls)
{
	vf_machine wide = machine_of(24 << 10, 16 << 10);
	wide.wide = wide.lines = true;
	const vf_move *moves = MOVES(
	    {0, 0, 0, 4, LOOPS({1000, 256, 64}, {2, 128, 0}, {64, 2, 1}, {2, 1, 0}), {0}});
	for (int weaves = 0; weaves <= 1; weaves++) {
		wide.weaves = weaves;
		expect_on(&wide, 4, 1, moves,
		          "root: units 0 to 63\n"
		          "  loop 63(16384) staged 16384|8192 bytes at +0, reading ahead 1 times 4096\n"
		          "    pick: source 0+0 -> dst+0, unit 8 2(512,0) | 16|8(1024,256) 64(8,4) [0 1 2 3 "
		          "0 1 2 3] of 4\n");
	}
}

/* Rows of 3 beside rows of 1, which a stage would hold: it would leave by a pass of its own. */
/* Rows between borders share more than those do: they are woven by themselves, where pictures are long. */
TEST(rows_between_borders_are_woven)
{
	vf_machine wide = machine;
	wide.weaves = true;
	expect_on(&wide, 2, 4,
	          MOVES({-1, 0, 0, 2, LOOPS({4, 91204, 0}, {302, 1, 0}), {0}},
	                {-1, 302, 0, 3, LOOPS({4, 91204, 0}, {300, 302, 0}, {2, 301, 0}), {0}},
	                {0, 303, 0, 3, LOOPS({4, 91204, 180000}, {300, 302, 600}, {300, 1, 2}), {0}},
	                {-1, 90902, 0, 2, LOOPS({4, 91204, 0}, {302, 1, 0}), {0}}),
	          "root: units 0 to 4\n"
	          "  loop 4(182408) staged 604|604 bytes at +0\n"
	          "    fill: 0x00 -> dst+0, unit 1 | 604(1,0)\n"
	          "root: units 4 to 204\n"
	          "  loop 4(182408)\n"
	          "    loop 50(3624) woven, 1 times 3624|3624 bytes at +604 in rows of 604, of 2 boxes each\n"
	          "      weave: 0x00 -> dst+604, unit 2 6(604,0) 2(602,0)\n"
	          "      weave: source 0+0 -> dst+606, unit 2 6(604,1200) 300(2,4)\n"
	          "root: units 204 to 208\n"
	          "  loop 4(182408) staged 604|604 bytes at +181804\n"
	          "    fill: 0x00 -> dst+181804, unit 1 | 604(1,0)\n");
}

TEST(short_rows_side_by_side_are_woven)
{
	vf_machine wide = machine;
	wide.weaves = wide.wide = wide.lines = true;
	expect_on(&wide, 4, 2,
	          MOVES({0, 0, 0, 2, LOOPS({100000, 4, 3}, {3, 1, 1}), {0}},
	                {1, 3, 0, 1, LOOPS({100000, 4, 1}), {0}}),
	          "root: units 0 to 417\n"
	          "  loop 417(3840) woven, 1 times 3840|2560 bytes at +0 in rows of 256, of 2 boxes each\n"
	          "    weave: source 0+0 -> dst+0, unit 12 240|160(16,12)\n"
	          "    weave: source 1+0 -> dst+12, unit 4 240|160(16,4)\n");
}

/* 12 planes to pixels, each beside that of the row as far from the other end: planes of a stage, as each line
 * has bytes of all of them. */
TEST(what_planes_hold_is_not_woven)
{
	vf_machine wide = machine;
	wide.weaves = wide.wide = true;
	wide.piece_bytes = 24 << 10, wide.staged_bytes = 16 << 10;
	expect_on(&wide, 1, 2,
	          MOVES({0, 0, 0, 3, LOOPS({100, 46080, 1920}, {1920, 24, 1}, {12, 2, 192000}), {0}},
	                {0, 1, 190080, 3, LOOPS({100, 46080, -1920}, {1920, 24, 1}, {12, 2, 192000}), {0}}),
	          "root: units 0 to 300\n"
	          "  loop 100(46080)\n"
	          "    loop 3(15360) staged 15360|15360 bytes at +0, put together from 2 planes by blocks of "
	          "2 bytes, reading ahead 12 times 640, 12 times 640\n"
	          "      interleave: source 0+0 -> dst+0, unit 1 | 640(12,1) 12(1,192000)\n"
	          "      interleave: source 0+190080 -> dst+7744, unit 1 | 640(12,1) 12(1,192000)\n");
}

/* Windows of columns: each strand of a line would be waited for in the second cache. */
TEST(what_crosses_beyond_the_first_cache_goes_by_blocks)
{
	vf_machine wide = machine;
	wide.weaves = true;
	expect_on(&wide, 2, 1, MOVES({0, 0, 0, 3, LOOPS({599, 1800, 1}, {600, 3, 601}, {3, 1, 1}), {0}}),
	          "root: units 0 to 15\n"
	          "  loop 15(256)\n"
	          "    transpose: source 0+0 -> dst+0, unit 2 | 599(3600,2) 128|8(2,2); 1800 by 599 units in "
	          "blocks of 128 by 599, carried\n");
}

/* Two matrices, one after the other, with a constant beside each pair: one leaf at first. */
TEST(a_constant_is_cut_where_the_next_leaf_begins)
{
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

TEST(a_piece_with_gaps_is_not_staged)
{
	expect(4, 1, MOVES({0, 0, 0, 1, LOOPS({50000, 2, 1}), {0}}),
	       "root: units 0 to 200\n"
	       "  loop 200(2000)\n"
	       "    scatter: source 0+0 -> dst+0, unit 4 | 250(8,4)\n");
}

/* A codelet asks for the rows of the block after its own without looking where the table ends. */
TEST(tables_of_rows_hold_whole_blocks)
{
	const vf_move move = {0, 0, 0, 3, LOOPS({1000, 1110, 1}, {30, 37, 50000}, {37, 1, 1001}), {0}};
	vf_plan *plan = plan_on(&machine, 4, 1, &move);
	const vf_tiling *t = plan->leaves[0].tiling;
	assert_true(t && t->src_at && t->ahead_into);
	int64_t n = vf_whole_blocks(t->count_a, t->chunk_a);
	assert_int_equal(t->count_a, 1110);
	assert_true(n > t->count_a && n - t->count_a < t->chunk_a);
	assert_int_equal(t->src_at[t->count_a - 1], (29 * 50000 + 36 * 1001) * 4);
	for (int64_t i = t->count_a; i < n; i++)
		assert_int_equal(t->src_at[i], t->src_at[t->count_a - 1]);
	vf_plan_drop(ctx, plan);
}

/* From block to block of several matrices: where the next one is asked for is where it is read. */
TEST(the_block_after_one_may_be_of_the_next_matrix)
{
	const vf_move move = {
	    0, 0, 0, 4, LOOPS({3, 600000, 2700000}, {2, 300000, 1000}, {300, 1000, 1}, {1000, 1, 2700}), {0}};
	vf_plan *plan = plan_on(&machine, 4, 1, &move);
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
}

/* Rows a power of two apart are packed by pieces that the second cache holds. */
TEST(rows_that_share_sets_are_packed_by_lines)
{
	vf_machine pairs = machine;
	pairs.cpu.l2_bytes = 2 << 20, pairs.cpu.pairs = true;
	const vf_move *moves = MOVES({0, 0, 0, 2, LOOPS({4096, 96, 1}, {96, 1, 4096}), {0}});
	expect_on(
	    &machine, 2, 1, moves,
	    "root: units 0 to 19\n"
	    "  loop 19(43008)\n"
	    "    transpose: source 0+0 -> dst+0, unit 2 | 224|64(192,2) 96(2,8192); 96 by 4096 units in "
	    "blocks of 96 by 224, joined\n");
	expect_on(
	    &pairs, 2, 1, moves,
	    "root: units 0 to 12\n"
	    "  loop 12(67584)\n"
	    "    transpose: source 0+0 -> dst+0, unit 2 | 352|224(192,2) 96(2,8192); 96 by 4096 units in "
	    "blocks of 96 by 352, joined, line after line of a row\n");
	expect_on(
	    &pairs, 2, 1, MOVES({0, 0, 0, 2, LOOPS({4096, 128, 1}, {128, 1, 4096}), {0}}),
	    "root: units 0 to 7\n"
	    "  loop 7(155648)\n"
	    "    transpose: source 0+0 -> dst+0, unit 2 | 608|448(256,2) 128(2,8192); 128 by 4096 units in "
	    "blocks of 128 by 608, streamed, line after line of a row\n");
	pairs.wide = true;
	expect_on(&pairs, 2, 1, MOVES({0, 0, 0, 2, LOOPS({4096, 72, 1}, {72, 1, 4096}), {0}}),
	          "root: units 0 to 8\n"
	          "  loop 8(73728)\n"
	          "    transpose: source 0+0 -> dst+0, unit 2 | 512(144,2) 72(2,8192); 72 by 4096 units in "
	          "blocks of 72 by 512, joined, line after line of a row\n");
}

/* Pixels of 96 bytes to planes on lines gather in a stage only where lines leave by pairs, and so do those of
 * 128: whether pieces of the source end inside lines does not count. */
TEST(rows_gather_in_a_stage_where_lines_leave_by_pairs)
{
	static const struct {
		int64_t channels;
		bool pairs, paired;
	} row[] = {{96, false, false}, {128, false, false}, {96, true, true}, {128, true, true}};
	vf_machine wide = machine;
	wide.wide = true;
	for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
		const int64_t n = row[k].channels;
		wide.cpu.pairs = row[k].pairs;
		vf_plan *plan = plan_on(&wide, 1, 1,
		                        MOVES({0, 0, 0, 2, LOOPS({n, 65536, 1}, {65536, 1, n}), {0}}));
		const vf_leaf *leaf = &plan->leaves[0];
		assert_non_null(leaf->tiling);
		assert_int_equal(leaf->tiling->paired, row[k].paired);
		vf_plan_drop(ctx, plan);
	}
}

TEST(extents_beyond_memory)
{
	vf_move m = {0, 0, 0, 2, LOOPS({INT64_C(1) << 40, INT64_C(1) << 20, 0}, {1 << 20, 1, 0}), {0}};
	vf_plan *plan = plan_on(&machine, 4, 1, &m);
	assert_int_equal(plan->out_bytes, INT64_C(1) << 62);
	assert_string_equal(plan->strategy, "fill");
	vf_plan_drop(ctx, plan);
}

/* Planes to pixels with a constant behind each, rolled by 5: what is read before and behind the seam is one
 * part of all pixels, and goes to one plane. */
TEST(parts_of_blocks_share_a_plane)
{
	vf_machine wide = machine_of(16 << 10, 16 << 10);
	wide.lines = wide.wide = true;
	expect_on(&wide, 1, 3,
	          MOVES({0, 0, 195, 3, LOOPS({500, 800, 600}, {5, 4, 1}, {3, 1, 200}), {0}},
	                {0, 20, 0, 3, LOOPS({500, 800, 600}, {195, 4, 1}, {3, 1, 200}), {0}},
	                {-1, 3, 0, 2, LOOPS({500, 800, 0}, {200, 4, 0}), {7}}),
	          "root: units 0 to 25\n"
	          "  loop 25(16000) staged 16000|16000 bytes at +0, put together from 1 planes by blocks of "
	          "4 bytes, reading ahead 1 times 11995\n"
	          "    interleave: source 0+195 -> dst+0, unit 1 | 20(600,600) 5(3,1) 3(1,200)\n"
	          "    interleave: source 0+0 -> dst+15, unit 1 | 20(600,600) 195(3,1) 3(1,200)\n");
}

/* ---- bands ---- */

static vf_machine machine_that_weaves(void)
{
	vf_machine on = machine;
	on.lines = on.weaves = true;
	return on;
}

/* 40 pictures of 96 x 96 with margins of 2: three bands, of which the first and the last are one leaf. */
TEST(a_picture_with_margins_is_three_bands)
{
	const vf_machine on = machine_that_weaves();
	expect_on(&on, 1, 3,
	          MOVES({-1, 0, 0, 3, LOOPS({40, 10000, 0}, {2, 9800, 0}, {200, 1, 0}), {0}},
	                {-1, 200, 0, 4, LOOPS({40, 10000, 0}, {96, 100, 0}, {2, 98, 0}, {2, 1, 0}), {0}},
	                {0, 202, 0, 3, LOOPS({40, 10000, 9216}, {96, 100, 96}, {96, 1, 1}), {0}}),
	          "root: units 0 to 40\n"
	          "  loop 40(10000)\n"
	          "    band streamed, 1|1 rows of 200 bytes at +0, of 1 part each\n"
	          "      fill: 0x00 -> dst+0, unit 200 2(9800,0)\n"
	          "    band streamed, 96|96 rows of 100 bytes at +200, of 3 parts each\n"
	          "      fill: 0x00 -> dst+200, unit 2 96(100,0) 2(98,0)\n"
	          "      copy: source 0+0 -> dst+202, unit 96 96(100,96)\n"
	          "    band streamed, 1|1 rows of 200 bytes at +9800, of 1 part each\n"
	          "      fill: 0x00 -> dst+0, unit 200 2(9800,0)\n");
}

/* Mirrors in place of margins: two rows upside down above, each with a mirror at both ends. */
TEST(mirrored_margins_are_bands)
{
	const vf_machine on = machine_that_weaves();
	expect_on(&on, 1, 6,
	          MOVES({0, 0, 194, 3, LOOPS({40, 9800, 9216}, {2, 100, -96}, {2, 1, -1}), {0}},
	                {0, 2, 192, 3, LOOPS({40, 9800, 9216}, {2, 100, -96}, {96, 1, 1}), {0}},
	                {0, 98, 286, 3, LOOPS({40, 9800, 9216}, {2, 100, -96}, {2, 1, -1}), {0}},
	                {0, 200, 2, 3, LOOPS({40, 9800, 9216}, {96, 100, 96}, {2, 1, -1}), {0}},
	                {0, 202, 0, 3, LOOPS({40, 9800, 9216}, {96, 100, 96}, {96, 1, 1}), {0}},
	                {0, 298, 94, 3, LOOPS({40, 9800, 9216}, {96, 100, 96}, {2, 1, -1}), {0}}),
	          "root: units 0 to 40\n"
	          "  loop 40(9800)\n"
	          "    band streamed, 2|2 rows of 100 bytes at +0, of 3 parts each\n"
	          "      copy: source 0+194 -> dst+0, unit 1 2(100,-96) 2(1,-1)\n"
	          "      copy: source 0+192 -> dst+2, unit 96 2(100,-96)\n"
	          "      copy: source 0+286 -> dst+98, unit 1 2(100,-96) 2(1,-1)\n"
	          "    band streamed, 96|96 rows of 100 bytes at +200, of 3 parts each\n"
	          "      copy: source 0+2 -> dst+200, unit 1 96(100,96) 2(1,-1)\n"
	          "      copy: source 0+0 -> dst+202, unit 96 96(100,96)\n"
	          "      copy: source 0+94 -> dst+298, unit 1 96(100,96) 2(1,-1)\n");
}

/* Rows of one picture, two runs each: in calls of whole rows. */
TEST(rows_of_two_runs_are_parts)
{
	const vf_machine on = machine_that_weaves();
	expect_on(&on, 1, 2,
	          MOVES({0, 0, 290, 2, LOOPS({700, 300, 300}, {10, 1, 1}), {0}},
	                {0, 10, 0, 2, LOOPS({700, 300, 300}, {290, 1, 1}), {0}}),
	          "root: units 0 to 54\n"
	          "  loop 54(3900) streamed, 13|11 rows of 300 bytes at +0, of 2 parts each\n"
	          "    copy: source 0+290 -> dst+0, unit 10 13|11(300,300)\n"
	          "    copy: source 0+0 -> dst+10, unit 290 13|11(300,300)\n");
}

/* What is no faster so: small pieces that are read from two places on, rows of long runs. */
TEST(other_rows_are_no_parts)
{
	const vf_machine on = machine_that_weaves();
	const struct {
		int n;
		vf_move moves[4];
	} cases[] = {
	    {4,
	     {{0, 0, 11860, 3, (const vf_loop[]){{40, 12544, 12544}, {3, 224, 224}, {12, 1, 1}}, {0}},
	      {0, 12, 11872, 3, (const vf_loop[]){{40, 12544, 12544}, {3, 224, 224}, {212, 1, 1}}, {0}},
	      {0, 672, 212, 3, (const vf_loop[]){{40, 12544, 12544}, {53, 224, 224}, {12, 1, 1}}, {0}},
	      {0, 684, 0, 3, (const vf_loop[]){{40, 12544, 12544}, {53, 224, 224}, {212, 1, 1}}, {0}}}},
	    {2,
	     {{0, 0, 20000, 2, (const vf_loop[]){{40, 30000, 30000}, {10000, 1, 1}}, {0}},
	      {0, 10000, 0, 2, (const vf_loop[]){{40, 30000, 30000}, {20000, 1, 1}}, {0}}}},
	};
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		vf_plan *plan = plan_on(&on, 1, cases[k].n, cases[k].moves);
		vf_text text;
		vf_text_init(&text, ctx);
		vf_plan_print(plan, &text);
		if (strstr(text.bytes, "parts each"))
			fail_msg("case %d: %s", (int)k, text.bytes);
		vf_text_drop(&text);
		vf_plan_drop(ctx, plan);
	}
}

int main(void)
{
	return test_all(open_context, close_context);
}

/* Long rows of patches, one after the other of the source: pixel_shuffle(2) of 4 channels. Not where rows
 * are short, or lines need not leave by pairs. */
TEST(rows_of_patches_go_in_the_order_of_the_source)
{
	vf_machine lines = machine, pairs;
	lines.lines = true, lines.piece_bytes = lines.staged_bytes = lines.chunk_bytes = 16 << 10;
	pairs = lines;
	pairs.cpu.pairs = true;
	const vf_move *shuffled = MOVES(
	    {0,
	     0,
	     0,
	     5,
	     LOOPS({4, 1048576, 1048576}, {512, 2048, 512}, {2, 1024, 524288}, {512, 2, 1}, {2, 1, 262144}),
	     {0}});
	expect_on(&pairs, 4, 1, shuffled,
	          "root: units 0 to 1024\n"
	          "  loop 4(4194304)\n"
	          "    loop 2(4096)\n"
	          "      loop 128(32768)\n"
	          "        interleave (stream): source 0+0 -> dst+0, unit 4 4(8192,2048) | 1(4096,2097152) "
	          "512(8,4) 2(4,1048576)\n");
	expect_on(&lines, 4, 1, shuffled,
	          "root: units 0 to 1024\n"
	          "  loop 4(4194304)\n"
	          "    loop 256(16384)\n"
	          "      interleave (stream): source 0+0 -> dst+0, unit 4 2(8192,2048) | 2(4096,2097152) "
	          "512(8,4) 2(4,1048576)\n");
	expect_on(
	    &pairs, 4, 1,
	    MOVES({0,
	           0,
	           0,
	           5,
	           LOOPS({64, 65536, 65536}, {128, 512, 128}, {2, 256, 32768}, {128, 2, 1}, {2, 1, 16384}),
	           {0}}),
	    "root: units 0 to 1024\n"
	    "  loop 64(262144)\n"
	    "    loop 16(16384)\n"
	    "      interleave (stream): source 0+0 -> dst+0, unit 4 8(2048,512) | 2(1024,131072) 128(8,4) "
	    "2(4,65536)\n");
}
