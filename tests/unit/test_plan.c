/* test_plan.c -- what jobs come to: normal forms, strategies, units. */
#include "plan_world.h"
#include "plan/strategy.h"
#include "test.h"

/* ---- one leaf ---- */

TEST(what_chains_is_one_copy)
{
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({2, 12, 12}, {3, 4, 4}, {4, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 96(1,1)\n");
}

TEST(order_extent_one_and_both_flipped_do_not_matter)
{
	expect(4, 1, MOVES({0, 23, 23, 4, LOOPS({4, -1, -1}, {1, 99, -7}, {2, -12, -12}, {3, -4, -4}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 96(1,1)\n");
}

TEST(rank_zero_is_a_copy_of_one_element)
{
	expect(8, 1, MOVES({1, 5, -2, 0, NULL, {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 1-16 -> dst+40, unit 1 | 8(1,1)\n");
}

TEST(strategies)
{
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

TEST(small_blocks_are_shuffled)
{
	expect(1, 1, MOVES({0, 0, 2, 2, LOOPS({50, 3, 3}, {3, 1, -1}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+0 -> dst+0, unit 3 | 50(3,3) [2 1 0] of 3\n");
	expect(2, 2, MOVES({0, 1, 4, 1, LOOPS({50, 2, 4}), {0}}, {0, 0, 7, 1, LOOPS({50, 2, 4}), {0}}),
	       "root: units 0 to 1\n"
	       "  pick: source 0+8 -> dst+0, unit 4 | 50(4,8) [6 7 0 1] of 8\n");
	/* of two channels, the second of which begins three samples later */
	expect(4, 1, MOVES({0, 0, 2, 3, LOOPS({2, 200, 3}, {100, 2, 4}, {2, 1, -2}), {0}}),
	       "root: units 0 to 2\n"
	       "  loop 2(800)\n"
	       "    pick: source 0+0 -> dst+0, unit 8 | 100(8,16) [8 9 10 11 0 1 2 3] of 16\n");
}

/* Planes of pixels of 7, the bytes of each turned: blocks of pixels are packed, bytes turned on the way. */
TEST(few_near_units_are_packed)
{
	expect(1, 1, MOVES({0, 0, 1, 3, LOOPS({7, 100000, 10}, {50000, 2, 70}, {2, 1, -1}), {0}}),
	       "root: units 0 to 261\n"
	       "  loop 261(384)\n"
	       "    transpose: source 0+0 -> dst+0, unit 2 | 7(100000,10) 192|80(2,70) [1 0] of 70; 50000 by "
	       "7 units in blocks of 192 by 7, carried\n");
}

/* Margins of 2 in margins of 2: of each, the rows beside the picture share its loop. */
TEST(margins_are_cut_where_rows_begin_and_end)
{
	expect(4, 3,
	       MOVES({-1, 0, 0, 2, LOOPS({64, 85, 0}, {2, 1, 0}), {7}},
	             {-1, 87, 0, 2, LOOPS({62, 85, 0}, {2, 1, 0}), {0}},
	             {0, 174, 0, 2, LOOPS({60, 85, 81}, {81, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  fill: 0x07000000 -> dst+0, unit 4 | 2(340,0) 2(4,0)\n"
	       "  fill: 0x00 -> dst+348, unit 1 | 8(1,0)\n"
	       "  fill: 0x07000000 -> dst+680, unit 4 | 60(340,0) 2(4,0)\n"
	       "  fill: 0x00 -> dst+688, unit 1 | 60(340,0) 8(1,0)\n"
	       "root: units 1 to 21\n"
	       "  loop 20(1020)\n"
	       "    copy: source 0+0 -> dst+696, unit 1 | 3(340,324) 324(1,1)\n"
	       "root: units 21 to 22\n"
	       "  fill: 0x07000000 -> dst+21080, unit 4 | 2(340,0) 2(4,0)\n"
	       "  fill: 0x00 -> dst+21088, unit 1 | 8(1,0)\n");
}

/* Rows beside the row before each: but for the first, they share their loop. */
TEST(rows_beside_rolled_ones)
{
	expect(1, 3,
	       MOVES({0, 0, 0, 2, LOOPS({100, 80, 40}, {40, 1, 1}), {0}},
	             {0, 40, 3960, 1, LOOPS({40, 1, 1}), {0}},
	             {0, 120, 0, 2, LOOPS({99, 80, 40}, {40, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 | 2(40,3960) 40(1,1)\n"
	       "root: units 1 to 10\n"
	       "  loop 9(880)\n"
	       "    copy: source 0+40 -> dst+80, unit 1 2(40,-40) | 11(80,40) 40(1,1)\n");
}

/* One move whose blocks overlap in the source, come from several planes, or run against them. */
TEST(blocks_of_one_move)
{
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
TEST(tables_are_outside_of_rows)
{
	expect(1, 3,
	       MOVES({0, 0, 0, 2, LOOPS({10, 51, 200}, {17, 1, 1}), {0}},
	             {0, 17, 90, 2, LOOPS({10, 51, 200}, {17, 1, 1}), {0}},
	             {0, 34, 40, 2, LOOPS({10, 51, 200}, {17, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  copy: source 0+0 -> dst+0, unit 1 3(17,table) | 10(51,200) 17(1,1)\n");
}

/* Windows of several rows: each a block from so many places. Where the source goes on along the blocks, they
 * are transposed. */
TEST(windows_of_several_rows_are_blocks)
{
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
TEST(inside_a_border_windows_are_blocks)
{
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

/* Two of each four columns: pieces of a run that leaves gaps. Every second number, along two loops. */
TEST(pieces_are_one_run)
{
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({2, 200000, 1}, {100, 2000, 4}, {2000, 1, 400}), {0}}),
	       "root: units 0 to 32\n"
	       "  loop 2(0)\n"
	       "    loop 16(128)\n"
	       "      transpose: source 0+0 -> dst+0, unit 1 | 128|72(200000,2) 128|80(1,400); 2000 by 200 "
	       "units in blocks of 128 by 128, carried, packed by pieces of 2\n");
	expect(2, 1, MOVES({0, 0, 0, 3, LOOPS({4, 40000, 2}, {1000, 40, 8}, {40, 1, 8000}), {0}}),
	       "root: units 0 to 25\n"
	       "  loop 25(0)\n"
	       "    transpose: source 0+0 -> dst+0, unit 2 | 160(80000,4) 40(2,16000); 40 by 4000 units in "
	       "blocks of 40 by 160, carried\n");
}

/* Windows of 3 by 3, every second one, of 32 planes: units of 3, of which 3 rows at a time are packed. */
TEST(windows_apart_are_units)
{
	expect(4, 1,
	       MOVES({0,
	              0,
	              0,
	              5,
	              LOOPS({55, 15840, 224}, {55, 288, 2}, {32, 9, 12544}, {3, 3, 112}, {3, 1, 1}),
	              {0}}),
	       "root: units 0 to 55\n"
	       "  loop 55(63360)\n"
	       "    transpose: source 0+0 -> dst+0, unit 12 2(32256,224) | 28|27(1152,8) 96(12,448); 96 by "
	       "55 units in blocks of 96 by 28, joined\n");
}

/* Windows of 3 by 3 whose rows lie within a line, of planes that do not; windows of three planes are no
 * blocks of 9 places. */
TEST(windows_of_planes_are_transposed)
{
	expect(1, 1,
	       MOVES({0,
	              0,
	              0,
	              5,
	              LOOPS({50, 28800, 56}, {50, 576, 1}, {64, 9, 3136}, {3, 3, 56}, {3, 1, 1}),
	              {0}}),
	       "root: units 0 to 50\n"
	       "  loop 50(28800)\n"
	       "    transpose: source 0+0 -> dst+0, unit 1 3(256,0) | 50(576,1) 256|64(1,1); 576 by 50 units "
	       "in blocks of 256 by 50, streamed\n");
	expect(
	    2, 1,
	    MOVES({0, 0, 0, 5, LOOPS({50, 1350, 56}, {50, 27, 1}, {3, 9, 3136}, {3, 3, 56}, {3, 1, 1}), {0}}),
	    "root: units 0 to 50\n"
	    "  loop 50(2700)\n"
	    "    transpose: source 0+0 -> dst+0, unit 2 | 50(54,2) 27(2,2); 27 by 50 units in blocks of 27 "
	    "by 50, joined\n");
}

/* Windows of 16 rows of pixels of 4 units of 2 bytes, turned: 16 places a block. Of 8 rows it is a block. */
TEST(tall_windows_are_transposed)
{
	expect(2, 1, MOVES({0, 0, 0, 2, LOOPS({500, 16, 4}, {16, 1, 2000}), {0}}),
	       "root: units 0 to 2\n"
	       "  loop 2(9216)\n"
	       "    transpose: source 0+0 -> dst+0, unit 2 | 288|212(32,8) 16(2,4000); 16 by 500 units in "
	       "blocks of 16 by 288, stored\n");
	expect(
	    2, 1, MOVES({0, 0, 0, 2, LOOPS({500, 8, 4}, {8, 1, 2000}), {0}}),
	    "root: units 0 to 10\n"
	    "  loop 10(800)\n"
	    "    pick: source 0+0 -> dst+0, unit 16 | 50(16,8) [0 1 1+0 1+1 2+0 2+1 3+0 3+1 4+0 4+1 5+0 5+1 "
	    "6+0 6+1 7+0 7+1] of 8\n");
}

/* Three channels of four whose pixels rows of the same block read, too: there are no gaps between them. */
TEST(pieces_have_gaps_between_them)
{
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({3, 51200, 1}, {400, 128, 4}, {128, 1, 1600}), {0}}),
	       "root: units 0 to 50\n"
	       "  loop 50(1024)\n"
	       "    transpose: source 0+0 -> dst+0, unit 1 4(256,0) | 3(51200,1) 256(1,1600); 1024 by 3 "
	       "units in "
	       "blocks of 256 by 3, streamed\n");
}

/* Columns whose number has no factors: as many as a table has room for, together. */
TEST(runs_of_prime_extents_stay_whole)
{
	expect(2, 1, MOVES({0, 0, 0, 3, LOOPS({1709, 1000, 3}, {3, 1709000, 1}, {1000, 1, 6144}), {0}}),
	       "root: units 0 to 33\n"
	       "  loop 33(0)\n"
	       "    transpose: source 0+0 -> dst+0, unit 2 8(256,1572864) | 160|7(3418000,2) "
	       "128|104(2,12288); 1000 by 5127 units in blocks of 128 by 160, carried\n");
}

/* What lies between blocks so far apart is read by a loop outside: blocks would read each line again and
 * again. */
TEST(sparse_blocks_are_transposed)
{
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({64, 100, 1}, {50, 2, 64}, {2, 1, 5000}), {0}}),
	       "root: units 0 to 1\n"
	       "  transpose: source 0+0 -> dst+0, unit 1 | 64(100,1) 100(1,5000); "
	       "100 by 64 units in blocks of 100 by 64, stored\n");
}

/* Rows upside down that one call has all of are read upwards; parts of more such rows, rows far apart, and
 * rows of less than a line are not. */
TEST(whole_slabs_upside_down_are_read_upwards)
{
	static const struct {
		vf_loop loops[3];
		int64_t src;
		bool upwards;
	} cases[] = {
	    {{{1000, 512, 512}, {8, 64, -64}, {64, 1, 1}}, 448, true},
	    {{{1000, 488, 512}, {8, 61, -64}, {61, 1, 1}}, 448, false}, /* a line is 64 */
	    {{{1000, 512, 1056}, {8, 64, -132}, {64, 1, 1}}, 924, false},
	    {{{1, 0, 0}, {8000, 64, -64}, {64, 1, 1}}, 511936, false},
	    {{{1000, 512, 512}, {8, 64, 64}, {64, 1, 1}}, 0, false},
	};
	vf_machine on = machine;
	on.lines = true;
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		const vf_move move = {0, 0, cases[k].src, 3, cases[k].loops, {0}};
		vf_plan *plan = plan_on(&on, 1, 1, &move);
		const vf_codelet_call call = vf_codelet_call_of(&plan->leaves[0]);
		const bool upwards = call.block.beside == VF_LAST_FIRST;
		if (upwards != cases[k].upwards)
			fail_msg("case %d: %s", (int)k, upwards ? "upwards" : "downwards");
		vf_plan_drop(ctx, plan);
	}
}

/* Units of a line and more go past the cache in the order of the source, where that is one run to few
 * rows of dst. Else some rows of it go side by side: they are many, or have gaps. */
TEST(units_of_lines_go_as_they_are_read)
{
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({4096, 32, 384}, {12, 131072, 32}, {32, 1, 1}), {0}}),
	       "root: units 0 to 196\n"
	       "  loop 196(2688)\n"
	       "    transpose: source 0+0 -> dst+0, unit 128 | 12(524288,128) 21|1(128,1536); 4096 by 12 "
	       "units "
	       "in blocks of 21 by 12, carried\n");
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({4096, 32, 768}, {12, 131072, 32}, {32, 1, 1}), {0}}),
	       "root: units 0 to 1024\n"
	       "  loop 1024(512)\n"
	       "    transpose: source 0+0 -> dst+0, unit 128 | 12(524288,128) 4(128,3072); "
	       "4096 by 12 units in blocks of 4 by 12, carried, 4 rows of the source side by side\n");
	expect(4, 1, MOVES({0, 0, 0, 3, LOOPS({512, 32, 3072}, {96, 16384, 32}, {32, 1, 1}), {0}}),
	       "root: units 0 to 128\n"
	       "  loop 128(512)\n"
	       "    transpose: source 0+0 -> dst+0, unit 128 | 96(65536,128) 4(128,12288); "
	       "512 by 96 units in blocks of 4 by 96, carried, 4 rows of the source side by side\n");
}

/* Where lines leave by pairs, long rows of the source go side by side, however few rows of dst they go to; of
 * whole pairs, where those are many and not a multiple of 64 KiB apart. */
TEST(long_rows_are_read_side_by_side)
{
	const vf_machine pairs = machine_by_pairs();
	expect_on(&pairs, 4, 1,
	          MOVES({0, 0, 0, 3, LOOPS({4000, 240, 2880}, {12, 960000, 240}, {240, 1, 1}), {0}}),
	          "root: units 0 to 500\n"
	          "  loop 500(7680)\n"
	          "    transpose: source 0+0 -> dst+0, unit 960 | "
	          "12(3840000,960) 8(960,11520); 4000 by 12 units in blocks of 8 by 12, carried, 8 rows of "
	          "the source side by side\n");
	expect_on(&pairs, 4, 1,
	          MOVES({0, 0, 0, 3, LOOPS({401, 512, 16384}, {32, 205312, 512}, {512, 1, 1}), {0}}),
	          "root: units 0 to 51\n"
	          "  loop 51(16384)\n"
	          "    transpose: source 0+0 -> dst+0, unit 2048 | "
	          "32(821248,2048) 8|1(2048,65536); 401 by 32 units in blocks of 8 by 32, carried, 8 rows of "
	          "the source side by side\n");
	expect_on(&pairs, 4, 1,
	          MOVES({0, 0, 0, 3, LOOPS({512, 512, 16384}, {32, 262144, 512}, {512, 1, 1}), {0}}),
	          "root: units 0 to 512\n"
	          "  loop 512(2048)\n"
	          "    transpose: source 0+0 -> dst+0, unit 2048 | "
	          "32(1048576,2048) 1(2048,65536); 512 by 32 units in blocks of 1 by 32, carried\n");
}

/* So do rows that are copied, with gaps or backwards, unless they go to dst a multiple of 8 KiB apart. */
TEST(long_rows_are_copied_side_by_side)
{
	const vf_machine pairs = machine_by_pairs();
	expect_on(&pairs, 4, 1, MOVES({0, 0, 0, 2, LOOPS({4000, 3000, 4000}, {3000, 1, 1}), {0}}),
	          "root: units 0 to 250\n"
	          "  loop 250(192000)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 | 16(12000,16000) 12000(1,1)\n");
	expect_on(&pairs, 4, 1, MOVES({0, 0, 0, 2, LOOPS({4000, 4096, 5000}, {4096, 1, 1}), {0}}),
	          "root: units 0 to 500\n"
	          "  loop 500(131072)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 | 8(16384,20000) 16384(1,1)\n");
	expect_on(&pairs, 4, 1, MOVES({0, 0, 0, 2, LOOPS({4000, 256, 5000}, {256, 1, 1}), {0}}),
	          "root: units 0 to 1334\n"
	          "  loop 1334(3072)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 | 3|1(1024,20000) 1024(1,1)\n");
}

/* Rows of two turned matrices are as short as those of one: they meet in a stage. */
TEST(rows_of_two_small_matrices_are_staged)
{
	const vf_machine roomy = machine_of(16000, 16000);
	expect_on(
	    &roomy, 4, 1,
	    MOVES({0, 0, 0, 4, LOOPS({3000, 392, 196}, {14, 28, 1}, {2, 14, 588000}, {14, 1, 14}), {0}}),
	    "root: units 0 to 300\n"
	    "  loop 300(15680) staged 15680|15680 bytes at +0, reading ahead 2 times 7840\n"
	    "    transpose: source 0+0 -> dst+0, unit 4 10(1568,784) | 14(112,4) 28(4,56); 28 by 14 units in "
	    "blocks of 28 by 14, stored\n");
}

/* A part of a result streams where the whole does. */
TEST(parts_of_a_long_result_stream)
{
	const vf_move *moves = MOVES({0, 0, 0, 1, LOOPS({20000, 1, 2}), {0}});
	for (int times = 1; times <= 5; times += 4) {
		const vf_job job = {
		    .elem_bytes = 1, .nsource = 1, .nmove = 1, .moves = moves, .times = times};
		vf_normal normal;
		assert_true(vf_normalise(ctx, &normal, &job));
		vf_plan *plan = vf_plan_make(ctx, &normal, &machine);
		assert_non_null(plan);
		assert_int_equal(plan->streams, times > 1);
		vf_plan_drop(ctx, plan);
		vf_normal_drop(ctx, &normal);
	}
}

/* Rows of two halves, one of them by two loops: together they are 256 bytes, worth a stage. */
TEST(loops_that_divide_are_shared)
{
	expect(2, 2,
	       MOVES({0, 0, 63, 2, LOOPS({2000, 128, 64}, {64, 1, -1}), {0}},
	             {0, 64, 64000 + 63, 3, LOOPS({2, 128000, -64000}, {1000, 128, 64}, {64, 1, -1}), {0}}),
	       "root: units 0 to 668\n"
	       "  loop 2(256000)\n"
	       "    loop 334(768) staged 768|256 bytes at +0, reading ahead 1 times 384\n"
	       "      gather: source 0+126 -> dst+0, unit 2 | 3|1(256,128) 64(2,-2)\n"
	       "      gather: source 0+128126 -> dst+128, unit 2 | 3|1(256,128) 64(2,-2)\n");
}

TEST(leaves_in_an_even_row_are_one)
{
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

/* Without a stage: up to 16 of them are as many runs that a processor writes side by side. */
TEST(planes_are_written_where_they_go)
{
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({3, 20000, 1}, {20000, 1, 3}), {0}}),
	       "root: units 0 to 250\n"
	       "  loop 250(320)\n"
	       "    deinterleave: source 0+0 -> dst+0, unit 4 | 80(4,12) 3(80000,4)\n");
}

/* Rows of 80 pixels behind a border that is mirrored twice. The border has a table, the pixels have none. */
TEST(pixels_beside_a_table_have_none)
{
	expect(1, 3,
	       MOVES({0, 0, 6, 3, LOOPS({3, 1680, 1}, {20, 84, 240}, {3, 1, -3}), {0}},
	             {0, 3, 3, 2, LOOPS({3, 1680, 1}, {20, 84, 240}), {0}},
	             {0, 4, 0, 3, LOOPS({3, 1680, 1}, {20, 84, 240}, {80, 1, 3}), {0}}),
	       "root: units 0 to 6\n"
	       "  loop 3(1680)\n"
	       "    loop 2(840)\n"
	       "      units: source 0+6 -> dst+0, unit 1 4(1,table) | 10(84,240)\n"
	       "      gather: source 0+0 -> dst+4, unit 1 | 10(84,240) 80(1,3)\n");
}

/* The middle of small pictures: rows of all of them follow each other. So do rows of whole lines that are
 * repeated a few times, but not many times. Rows that are read side by side have no sets. */
TEST(rows_of_small_pictures_are_one_stream)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	big.lines = true, big.chunk_bytes = 64 << 10;
	expect_on(&big, 1, 1, MOVES({0, 0, 0, 3, LOOPS({2000, 2500, 3136}, {50, 50, 56}, {50, 1, 1}), {0}}),
	          "root: units 0 to 80\n"
	          "  loop 80(62500)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 | 25(2500,3136) 50(50,56) 50(1,1)\n");
	expect_on(&big, 1, 1, MOVES({0, 0, 0, 3, LOOPS({2000, 2500, 3136}, {50, 50, -56}, {50, 1, 1}), {0}}),
	          "root: units 0 to 80\n"
	          "  loop 80(62500)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 | 25(2500,3136) 50(50,-56) 50(1,1)\n");
	expect_on(&big, 1, 1, MOVES({0, 0, 0, 3, LOOPS({3000, 384, 128}, {3, 128, 0}, {128, 1, 1}), {0}}),
	          "root: units 0 to 20\n"
	          "  loop 20(57600)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 | 150(384,128) 3(128,0) 128(1,1)\n");
	expect_on(&big, 1, 1, MOVES({0, 0, 0, 3, LOOPS({3000, 1152, 128}, {9, 128, 0}, {128, 1, 1}), {0}}),
	          "root: units 0 to 215\n"
	          "  loop 215(16128) staged 16128|4608 bytes at +0, reading ahead 1 times 1792\n"
	          "    copy: source 0+0 -> dst+0, unit 1 9(128,0) | 14|4(1152,128) 128(1,1)\n");
	expect_on(&big, 1, 1,
	          MOVES({0, 0, 0, 3, LOOPS({2000, 8000, 90000}, {20, 400, 4000}, {400, 1, 1}), {0}}),
	          "root: units 0 to 250\n"
	          "  loop 250(64000)\n"
	          "    copy (stream): source 0+0 -> dst+0, unit 1 8(8000,90000) | 20(400,4000) 400(1,1)\n");
}

/* Narrow registers take 6, 8 or 12 units of many pixels apart, and a few units of pixels that two lines hold.
 * 16 units are transposed. */
TEST(pixels_by_two_passes)
{
	const vf_machine big = machine_of(12000, 12000);
	expect_on(&big, 2, 1, MOVES({0, 0, 0, 2, LOOPS({6, 40000, 1}, {40000, 1, 6}), {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(1600)\n"
	          "    deinterleave: source 0+0 -> dst+0, unit 2 | 800(2,12) 6(80000,2)\n");
	expect_on(&big, 2, 1, MOVES({0, 0, 6, 2, LOOPS({3, 40000, 1}, {40000, 1, 13}), {0}}),
	          "root: units 0 to 25\n"
	          "  loop 25(3200)\n"
	          "    deinterleave: source 0+12 -> dst+0, unit 2 | 1600(2,26) 3(80000,2)\n");
	vf_plan *plan = plan_on(&big, 2, 1, MOVES({0, 0, 0, 2, LOOPS({16, 40000, 1}, {40000, 1, 16}), {0}}));
	assert_int_equal(plan->leaves[0].strategy, VF_TRANSPOSE);
	vf_plan_drop(ctx, plan);
}

/* Wide registers take up to 16 units of many pixels apart, and put as many planes together. */
TEST(pixels_of_many_units)
{
	vf_machine wide = machine;
	wide.wide = wide.lines = true;
	const vf_move *apart = MOVES({0, 0, 0, 2, LOOPS({7, 100, 1}, {100, 1, 7}), {0}});
	expect_on(&wide, 2, 1, apart,
	          "root: units 0 to 2\n"
	          "  loop 2(100)\n"
	          "    deinterleave: source 0+0 -> dst+0, unit 2 | 50(2,14) 7(200,2)\n");
	expect_on(&wide, 2, 1, MOVES({0, 0, 0, 2, LOOPS({7, 20, 1}, {20, 1, 7}), {0}}),
	          "root: units 0 to 1\n  interleave: source 0+0 -> dst+0, unit 2 | 7(40,2) 20(2,14)\n");
	expect_on(&wide, 4, 1, MOVES({0, 0, 0, 2, LOOPS({300, 13, 1}, {13, 1, 300}), {0}}),
	          "root: units 0 to 4\n"
	          "  loop 4(3900)\n"
	          "    interleave: source 0+0 -> dst+0, unit 4 | 75(52,4) 13(4,1200)\n");
}

TEST(borders_share_the_loops_of_their_pictures)
{
	expect(1, 3,
	       MOVES({-1, 0, 0, 2, LOOPS({30, 400, 0}, {100, 1, 0}), {0}},
	             {0, 100, 6000, 2, LOOPS({10, 400, 600}, {300, 1, 1}), {0}},
	             {0, 4100, 0, 2, LOOPS({20, 400, 600}, {300, 1, 1}), {0}}),
	       "root: units 0 to 5\n"
	       "  loop 5(800)\n"
	       "    fill: 0x00 -> dst+0, unit 1 | 2(400,0) 100(1,0)\n"
	       "    copy: source 0+6000 -> dst+100, unit 1 | 2(400,600) 300(1,1)\n"
	       "root: units 5 to 15\n"
	       "  loop 10(800)\n"
	       "    fill: 0x00 -> dst+4000, unit 1 | 2(400,0) 100(1,0)\n"
	       "    copy: source 0+0 -> dst+4100, unit 1 | 2(400,600) 300(1,1)\n");
}

TEST(a_short_run_becomes_the_unit)
{
	expect(1, 1, MOVES({0, 0, 15, 2, LOOPS({6, 3, -3}, {3, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  gather: source 0+15 -> dst+0, unit 3 | 6(3,-3)\n");
	expect(4, 1, MOVES({0, 0, 0, 2, LOOPS({6, 3, 9}, {3, 1, 1}), {0}}),
	       "root: units 0 to 1\n"
	       "  gather: source 0+0 -> dst+0, unit 12 | 6(12,36)\n");
}

TEST(a_fill_moves_its_shortest_pattern)
{
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

TEST(long_work_is_cut_into_units)
{
	expect(1, 1, MOVES({0, 0, 0, 1, LOOPS({10000, 1, 1}), {0}}),
	       "root: units 0 to 4\n"
	       "  loop 4(2500)\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 2500(1,1)\n");
	expect(1, 1, MOVES({0, 0, 0, 2, LOOPS({100, 50, 70}, {50, 1, 1}), {0}}),
	       "root: units 0 to 5\n"
	       "  loop 5(1000)\n"
	       "    copy: source 0+0 -> dst+0, unit 1 | 20(50,70) 50(1,1)\n");
}

TEST(moves_apart_are_roots_in_order_of_dst)
{
	expect(1, 2, MOVES({0, 5000, 0, 1, LOOPS({5000, 1, 1}), {0}}, {1, 0, 0, 1, LOOPS({5000, 1, 1}), {0}}),
	       "root: units 0 to 2\n"
	       "  loop 2(2500)\n"
	       "    copy: source 1+0 -> dst+0, unit 1 | 2500(1,1)\n"
	       "root: units 2 to 4\n"
	       "  loop 2(2500)\n"
	       "    copy: source 0+0 -> dst+5000, unit 1 | 2500(1,1)\n");
}

/* The text of a plan of columns of `unit` bytes in any order, `bands` times, each from rows of its own. */
static vf_text columns_in_any_order(const vf_machine *on, int unit, int columns, int bands)
{
	enum { MOST = 128, PICTURES = 416, ROWS = 168, BAND = 8 };
	vf_loop loops[MOST][2];
	vf_move moves[MOST];
	const int64_t row = columns;
	for (int k = 0; k < columns * bands; k++) {
		const int64_t first = k < columns ? 0 : BAND, left = k < columns ? BAND : ROWS - BAND;
		const int64_t from = (k < columns ? ROWS - BAND : 0) * row + k % columns * 37 % columns;
		loops[k][0] = (vf_loop){PICTURES, ROWS * row, 200 * row};
		loops[k][1] = (vf_loop){bands == 1 ? ROWS : left, row, row};
		moves[k] = (vf_move){0, first * row + k % columns, from, 2, loops[k], {0}};
	}
	return text_on(on, unit, columns * bands, moves);
}

/* Columns in any order are woven, also where rows change places by bands: a copy for each unit, or a pool of
 * them, takes ten times as long. */
TEST(columns_in_any_order_are_woven)
{
	vf_machine weaves = machine_of(128 << 10, 16 << 10);
	weaves.wide = weaves.lines = weaves.weaves = true, weaves.chunk_bytes = 64 << 10;
	for (int bands = 1; bands <= 2; bands++)
		for (int unit = 4; unit <= 8; unit += 4) {
			vf_text text = columns_in_any_order(&weaves, unit, unit == 4 ? 64 : 40, bands);
			assert_non_null(strstr(text.bytes, "woven"));
			assert_null(strstr(text.bytes, "copy"));
			vf_text_drop(&text);
		}
}

int main(void)
{
	return test_all(open_context, close_context);
}
