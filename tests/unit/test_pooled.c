/* test_pooled.c -- what goes by a stage of the second cache, and what is asked for there. */
#include "plan_world.h"

#include "plan/strategy.h"
#include "test.h"

/* Where lines leave by pairs. */
static vf_machine pairing_machine(void)
{
	vf_machine m = machine_of(16 << 10, 16 << 10);
	m.cpu.pairs = true;
	return m;
}

/* Planes of 60 x 100, turned, with a margin of 2 beside and another of 5 above each: five planes are one
 * stage. */
TEST(what_crosses_between_margins_goes_by_pools)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	expect_on(&big, 4, 3,
	          MOVES({-1, 0, 0, 2, LOOPS({100, 6510, 0}, {310, 1, 0}), {1, 1, 1, 1}},
	                {-1, 310, 0, 3, LOOPS({100, 6510, 0}, {100, 62, 0}, {2, 1, 0}), {0}},
	                {0, 312, 0, 3, LOOPS({100, 6510, 6000}, {100, 62, 1}, {60, 1, 100}), {0}}),
	          "root: units 0 to 20\n"
	          "  loop 20(130200) staged 130200|130200 bytes at +0, reading ahead 1 times 120000\n"
	          "    fill: 0x01 -> dst+0, unit 1 | 5(26040,0) 1240(1,0)\n"
	          "    fill: 0x00 -> dst+1240, unit 1 5(26040,0) | 100(248,0) 8(1,0)\n"
	          "    transpose: source 0+0 -> dst+1248, unit 4 5(26040,24000) 4(7936,128) | "
	          "32|4(248,4) 60(4,400); 60 by 100 units in blocks of 60 by 32, stored\n");
}

/* Patches of 14 x 14 pixels of three bytes, 32 of them side by side, and of 4 x 4: units of 42 and
 * of 24 bytes, whose rows are one stream. */
TEST(patches_of_odd_rows_go_by_blocks)
{
	vf_machine big = machine_of(16 << 10, 16 << 10), pairs = pairing_machine();
	expect_on(
	    &big, 1, 1,
	    MOVES({0, 0, 0, 4, LOOPS({512, 18816, 18816}, {32, 588, 42}, {14, 42, 1344}, {42, 1, 1}), {0}}),
	    "root: units 0 to 512\n"
	    "  loop 512(18816)\n"
	    "    transpose: source 0+0 -> dst+0, unit 42 | 32(588,42) 14(42,1344); 14 by 32 units in blocks "
	    "of 14 by 32, joined\n");
	expect_on(&pairs, 1, 1,
	          MOVES({0, 0, 0, 4, LOOPS({512, 6144, 6144}, {64, 96, 24}, {4, 24, 1536}, {24, 1, 1}), {0}}),
	          "root: units 0 to 512\n"
	          "  loop 512(6144)\n"
	          "    transpose: source 0+0 -> dst+0, unit 24 | 64(96,24) 4(24,1536); 4 by 64 units in "
	          "blocks of 4 by 64, joined\n");
	/* Put back, a plane after the other: a stage would read 392 bytes of each patch. */
	expect_on(&pairs, 2, 1,
	          MOVES({0,
	                 0,
	                 0,
	                 6,
	                 LOOPS({16, 602112, 602112}, {3, 200704, 196}, {32, 6272, 18816}, {14, 448, 14},
	                       {32, 14, 588}, {14, 1, 1}),
	                 {0}}),
	          "root: units 0 to 512\n"
	          "  loop 16(1204224)\n"
	          "    loop 32(12544)\n"
	          "      transpose: source 0+0 -> dst+0, unit 28 | 42(896,28) 32(28,1176); 32 by 42 "
	          "units in blocks of 32 by 42, joined\n");
}

/* Heads turned around: short rows backwards, each from pages of its own, are woven to one row of dst; rows of
 * 2 KiB, and those that follow each other in the source, are gathered. */
TEST(heads_that_are_turned_around_are_woven)
{
	vf_machine weaves = weaving_machine();
	expect_on(&weaves, 2, 1,
	          MOVES({0, 0, 63, 3, LOOPS({1000, 768, 64}, {12, 64, 65536}, {64, 1, -1}), {0}}),
	          "root: units 0 to 24\n"
	          "  loop 24(64512) woven, 1 times 64512|52224 bytes at +0 in rows of 1536, of 1 "
	          "boxes each\n"
	          "    weave: source 0+126 -> dst+0, unit 2 42|34(1536,128) 12(128,131072) 64(2,-2)\n");
	expect_on(&weaves, 2, 1,
	          MOVES({0, 0, 1023, 3, LOOPS({100, 12288, 1024}, {12, 1024, 131072}, {1024, 1, -1}), {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(49152)\n"
	          "    gather (stream): source 0+2046 -> dst+0, unit 2 2(24576,2048) | 12(2048,262144) "
	          "1024(2,-2)\n");
	expect_on(&weaves, 2, 1, MOVES({0, 0, 63, 2, LOOPS({12000, 64, 64}, {64, 1, -1}), {0}}),
	          "root: units 0 to 24\n"
	          "  loop 24(64000)\n"
	          "    gather (stream): source 0+126 -> dst+0, unit 2 | 500(128,128) 64(2,-2)\n");
}

/* Planes to pixels, rolled by 8 of 32: both parts of a row of the source are read at once. With ends that
 * cost more, where lines leave by pairs, longer rows are worth that: planes of 217 x 181 between margins. */
TEST(what_reads_short_runs_goes_by_pools)
{
	vf_machine big = machine_of(16 << 10, 16 << 10), pairs = pairing_machine();
	expect_on(&big, 2, 2,
	          MOVES({0, 0, 7, 3, LOOPS({320, 8192, 32}, {24, 256, 1}, {256, 1, 10240}), {0}},
	                {0, 6144, 0, 3, LOOPS({320, 8192, 32}, {8, 256, 1}, {256, 1, 10240}), {0}}),
	          "root: units 0 to 40\n"
	          "  loop 40(131072) staged 131072|131072 bytes at +0, reading ahead 256 times 496\n"
	          "    transpose: source 0+14 -> dst+0, unit 2 8(16384,64) | 24(512,2) 256(2,20480); 256 by "
	          "24 units in blocks of 256 by 24, stored\n"
	          "    transpose: source 0+0 -> dst+12288, unit 2 2(0,256) | 32(512,8) 256(2,20480); 256 "
	          "by 64 units in blocks of 256 by 32, stored, packed by pieces of 8\n");
	const vf_move *margins = MOVES(
	    {0, 16, 0, 3, LOOPS({20, 45069, 39277}, {181, 249, 1}, {217, 1, 181}), {0}},
	    {-1, 0, 0, 3, LOOPS({20, 45069, 0}, {181, 249, 0}, {16, 1, 0}), {0}},
	    {-1, 233, 0, 3, LOOPS({20, 45069, 0}, {181, 249, 0}, {16, 1, 0}), {1, 1, 1, 1}});
	static const char strips[] =
	    "root: units 0 to 20\n"
	    "  loop 20(180276)\n"
	    "    fill: 0x00 -> dst+0, unit 1 | 181(996,0) 64(1,0)\n"
	    "root: units 20 to 160\n"
	    "  loop 20(180276)\n"
	    "    loop 7(128)\n"
	    "      transpose: source 0+0 -> dst+64, unit 4 | 181(996,4) 32|25(4,724); 217 by 181 units "
	    "in blocks of 32 by 181, carried\n"
	    "root: units 160 to 180\n"
	    "  loop 20(180276)\n"
	    "    fill: 0x01 -> dst+932, unit 1 | 181(996,0) 64(1,0)\n";
	expect_on(&pairs, 4, 3, margins, strips);
	expect_on(&big, 4, 3, margins, strips);
}

/* Planes of 400 x 400, turned, with a margin of 2: rows above and below are of no pool, what lies between
 * is. */
TEST(what_no_pool_takes_goes_before_it)
{
	vf_machine pairs = pairing_machine();
	expect_on(&pairs, 2, 4,
	          MOVES({-1, 0, 0, 3, LOOPS({20, 163216, 0}, {2, 162408, 0}, {808, 1, 0}), {0}},
	                {-1, 808, 0, 3, LOOPS({20, 163216, 0}, {400, 404, 0}, {2, 1, 0}), {0}},
	                {0, 810, 0, 3, LOOPS({20, 163216, 160000}, {400, 404, 1}, {400, 1, 400}), {0}},
	                {-1, 1210, 0, 3, LOOPS({20, 163216, 0}, {400, 404, 0}, {2, 1, 0}), {0}}),
	          "root: units 0 to 5\n"
	          "  loop 5(1305728)\n"
	          "    fill: 0x00 -> dst+0, unit 1 2(324816,0) | 4(326432,0) 1616(1,0)\n"
	          "root: units 5 to 105\n"
	          "  loop 20(326432)\n"
	          "    loop 5(64640) staged 64640|64640 bytes at +1616, reading ahead 400 times 160\n"
	          "      fill: 0x00 -> dst+1616, unit 1 | 80(808,0) 4(1,0)\n"
	          "      transpose: source 0+0 -> dst+1620, unit 2 2(576,230400) | 80(808,2) 288|112(2,800); "
	          "400 by 80 units in blocks of 288 by 80, stored\n"
	          "      fill: 0x00 -> dst+2420, unit 1 | 80(808,0) 4(1,0)\n");
}

/* A matrix that is more than a stage is not cut into parts of its rows. */
TEST(what_no_stage_holds_goes_by_blocks)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	expect_on(&big, 2, 1, MOVES({0, 0, 0, 3, LOOPS({20, 12800, 12800}, {50, 256, 1}, {256, 1, 50}), {0}}),
	          "root: units 0 to 20\n"
	          "  loop 20(25600)\n"
	          "    transpose: source 0+0 -> dst+0, unit 2 | 50(512,2) 256(2,100); 256 by 50 units in "
	          "blocks of 256 by 50, joined\n");
}

/* Pixels of 100 bytes to planes with a margin below and beside: of 13 planes, which a stage has room for,
 * each byte would be gathered. */
TEST(what_a_stage_would_gather_goes_by_pools)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	expect_on(
	    &big, 1, 3,
	    MOVES(
		{0, 0, 0, 4, LOOPS({10, 118800, 108900}, {100, 1188, 1}, {33, 35, 3300}, {33, 1, 100}), {0}},
		{-1, 33, 0, 4, LOOPS({10, 118800, 0}, {100, 1188, 0}, {33, 35, 0}, {2, 1, 0}), {0}},
		{-1, 1155, 0, 3, LOOPS({10, 118800, 0}, {100, 1188, 0}, {33, 1, 0}), {0}}),
	    "root: units 0 to 10\n"
	    "  loop 10(118800) staged 118800|118800 bytes at +0, reading ahead 1 times 108900\n"
	    "    transpose: source 0+0 -> dst+0, unit 1 33(35,3300) | 100(1188,1) 33(1,100); 33 by 100 units "
	    "in blocks of 33 by 100, stored\n"
	    "    fill: 0x00 -> dst+33, unit 1 33(35,0) | 100(1188,0) 2(1,0)\n"
	    "    fill: 0x00 -> dst+1155, unit 1 | 100(1188,0) 33(1,0)\n");
}

/* Pixels of 8 frames side by side, turned, their bytes in the other order: blocks are as far apart as frames,
 * and what lies between is not asked for. */
TEST(blocks_apart_are_asked_for_as_units)
{
	vf_machine big = machine_of(24 << 10, 16 << 10);
	big.wide = true;
	expect_on(
	    &big, 1, 2,
	    MOVES({0, 0, 38591, 4, LOOPS({64, 2400, -3}, {100, 24, 192}, {6, 3, 19200}, {3, 1, -1}), {0}},
	          {0, 18, 191, 4, LOOPS({64, 2400, -3}, {100, 24, 192}, {2, 3, 19200}, {3, 1, -1}), {0}}),
	    "root: units 0 to 2\n"
	    "  loop 2(76800) staged 76800|76800 bytes at +0, reading ahead 600 times 96, 200 times 96\n"
	    "    transpose: source 0+38496 -> dst+74400, unit 3 100(24,192) | 32(-2400,3) 6(3,19200) [2 1 0] "
	    "of 19200; 6 by 32 units in blocks of 6 by 32, stored\n"
	    "    pick: source 0+189 -> dst+18, unit 3 32(2400,-3) 100(24,192) | 2(3,19200) [2 1 0] of "
	    "19200\n");
}

/* Every third column with a constant beside each byte: half of it is read, by steps within a line. */
TEST(what_takes_turns_with_constants_goes_by_pools)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	big.cpu.l2_bytes = 2 << 20;
	expect_on(&big, 1, 2,
	          MOVES({0, 0, 0, 2, LOOPS({200, 10000, 3}, {5000, 2, 600}), {0}},
	                {-1, 1, 0, 2, LOOPS({200, 10000, 0}, {5000, 2, 0}), {0}}),
	          "root: units 0 to 8\n"
	          "  loop 4(500000)\n"
	          "    loop 2(5000) staged 5000|5000 bytes at +0, 50 times (10000,5328), put "
	          "together from 1 planes by blocks of 2 bytes, reading ahead 2500 times 148\n"
	          "      transpose: source 0+0 -> dst+0, unit 1 14(192,115200) | 50(2624,3) "
	          "192|4(1,600); 2500 by 50 units in blocks of 192 by 50, stored\n");
}

/* Pictures of 64 channels of a byte to planes with a margin beside: a stage has rows of each plane, as parts
 * of the planes would read parts of pixels. */
TEST(rows_of_planes_with_margins_share_a_stage)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	const vf_move *moves = MOVES(
	    {-1, 0, 0, 1, LOOPS({28672, 114, 0}), {0}}, {-1, 113, 0, 1, LOOPS({28672, 114, 0}), {1}},
	    {0, 1, 0, 4, LOOPS({4, 817152, 802816}, {64, 12768, 1}, {112, 114, 7168}, {112, 1, 64}), {0}});
	const vf_move *floats = MOVES(
	    {-1, 0, 0, 1, LOOPS({14336, 58, 0}), {0}}, {-1, 57, 0, 1, LOOPS({14336, 58, 0}), {1, 1, 1, 1}},
	    {0, 1, 0, 4, LOOPS({4, 207872, 200704}, {64, 3248, 1}, {56, 58, 3584}, {56, 1, 64}), {0}});
	expect_on(&big, 1, 3, moves,
	          "root: units 0 to 28\n"
	          "  loop 4(817152)\n"
	          "    loop 7(1824) staged 1824|1824 bytes at +0, 64 times (12768,2144), reading "
	          "ahead 1 times 114688\n"
	          "      fill: 0x00 -> dst+0, unit 1 16(114,0) | 64(2144,0)\n"
	          "      transpose: source 0+0 -> dst+1, unit 1 16(114,7168) | 64(2144,1) "
	          "112(1,64); 112 by 64 units in blocks of 112 by 64, stored\n"
	          "      fill: 0x01 -> dst+113, unit 1 16(114,0) | 64(2144,0)\n");
	expect_on(&big, 4, 3, floats,
	          "root: units 0 to 28\n"
	          "  loop 4(831488)\n"
	          "    loop 7(1856) staged 1856|1856 bytes at +0, 64 times (12992,2112), reading "
	          "ahead 1 times 114688\n"
	          "      fill: 0x00 -> dst+0, unit 1 8(232,0) | 64(2112,0) 4(1,0)\n"
	          "      transpose: source 0+0 -> dst+4, unit 4 8(232,14336) 2(67584,128) | "
	          "32(2112,4) 56(4,256); 56 by 64 units in blocks of 56 by 32, stored\n"
	          "      fill: 0x01 -> dst+228, unit 1 8(232,0) | 64(2112,0) 4(1,0)\n");
}

/* A matrix of 260 by 74 and its margins are more than a stage, yet half of this L1: they share their
 * loop. */
TEST(margins_stay_with_what_half_of_a_cache_holds)
{
	vf_machine big = machine_of(24 << 10, 16 << 10);
	expect_on(&big, 1, 3,
	          MOVES({0, 74, 0, 3, LOOPS({50, 19388, 300}, {260, 74, 1}, {74, 1, 15000}), {0}},
	                {-1, 0, 0, 2, LOOPS({50, 19388, 0}, {74, 1, 0}), {0}},
	                {-1, 19314, 0, 2, LOOPS({50, 19388, 0}, {74, 1, 0}), {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(19388)\n"
	          "    fill: 0x00 -> dst+0, unit 1 | 74(1,0)\n"
	          "    loop 2(9620) staged 9620|9620 bytes at +74, reading ahead 74 times 130\n"
	          "      transpose: source 0+0 -> dst+74, unit 1 | 130(74,1) 74(1,15000)\n"
	          "    fill: 0x00 -> dst+19314, unit 1 | 74(1,0)\n");
}

/* Rows with less than a line between them, of 7 bytes each: whole lines, not a hint a row. Downwards the run
 * begins at the last of a block's rows, and the next block after it. */
static void expect_one_run(int64_t step, int64_t ahead)
{
	const int64_t rows = 100000, first = step < 0 ? -step * (rows - 1) : 0;
	vf_turn turns[VF_MOST_TURNS];
	vf_plan *plan = plan_on(&machine, 1, 1,
	                        MOVES({0, 0, first, 2, LOOPS({7, rows, 1}, {rows, 1, step}), {0}}));
	const vf_block b = vf_codelet_call_of(&plan->leaves[0]).block;
	assert_int_equal(b.ahead_rows, 1);
	assert_int_equal(b.ahead_bytes, 7 + (b.n - 1) * (step < 0 ? -step : step));
	assert_true(vf_turns_of_blocks(&plan->leaves[0], turns) > 0);
	assert_int_equal(turns[0].step, ahead * b.n + (step < 0 ? (b.n - 1) * step : 0));
	vf_plan_drop(ctx, plan);
}

TEST(rows_nearer_than_a_line_are_asked_for_once)
{
	expect_one_run(8, 8);
	expect_one_run(-8, -8);
	expect_one_run(70, 70);
}

/* 20 columns, each three times: the repeats stand inside the loop over blocks, and carry each their own. */
TEST(rows_that_repeat_are_read_once)
{
	expect(1, 1, MOVES({0, 0, 0, 3, LOOPS({20, 120003, 1}, {3, 40001, 0}, {40001, 1, 20}), {0}}),
	       "root: units 0 to 40\n"
	       "  loop 40(1024)\n"
	       "    transpose: source 0+0 -> dst+0, unit 1 3(40001,0) | 20(120003,1) 1024|65(1,20); 40001 by "
	       "20 units in blocks of 1024 by 20, carried\n");
}

/* Columns of a matrix of 1000 by 800, its rows with three more at either end, the other way, and the same
 * mirrored: a table of places is as far as its places are, so what crosses by one goes by blocks. */
TEST(what_crosses_by_tables_goes_by_blocks)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	expect_on(
	    &big, 4, 6,
	    MOVES({0, 0, 2400, 2, LOOPS({800, 2012, 1}, {3, 1, -800}), {0}},
	          {0, 3, 0, 2, LOOPS({800, 2012, 1}, {1000, 1, 800}), {0}},
	          {0, 1003, 798400, 2, LOOPS({800, 2012, 1}, {3, 1, -800}), {0}},
	          {0, 1006, 3199, 2, LOOPS({800, 2012, -1}, {3, 1, -800}), {0}},
	          {0, 1009, 799, 2, LOOPS({800, 2012, -1}, {1000, 1, 800}), {0}},
	          {0, 2009, 799199, 2, LOOPS({800, 2012, -1}, {3, 1, -800}), {0}}),
	    "root: units 0 to 64\n"
	    "  loop 2(3219200)\n"
	    "    loop 32(128)\n"
	    "      transpose: source 0+9600 -> dst+0, unit 4 | 400(8048,4) 32|14(4,0); 1006 by 800 units "
	    "in blocks of 32 by 400, carried\n"
	    "root: units 64 to 128\n"
	    "  loop 2(-3219200)\n"
	    "    loop 32(128)\n"
	    "      transpose: source 0+9600 -> dst+6434376, unit 4 | 400(-8048,4) 32|14(4,0); 1006 by 800 "
	    "units in blocks of 32 by 400, carried\n");
}

/* [46,47,10,46,4] of 32 bits, by (1,4,2,3,0): rows of dst are short, start anywhere, and the run along the
 * source has what they would go on by. A stage has a piece of 4 planes, and leaves by rows. */
TEST(short_rows_go_by_pools_of_rows)
{
	vf_machine pairs = pairing_machine();
	const vf_move *turned = MOVES(
	    {0,
	     0,
	     0,
	     5,
	     LOOPS({47, 84640, 1840}, {4, 21160, 1}, {10, 2116, 184}, {46, 46, 4}, {46, 1, 86480}),
	     {0}});
	expect_on(&pairs, 4, 1, turned,
	          "root: units 0 to 188\n"
	          "  loop 47(338560)\n"
	          "    loop 4(21160) staged 21160|21160 bytes at +0, 4 times (84640,21472), reading ahead 46 "
	          "times 1840\n"
	          "      transpose: source 0+0 -> dst+0, unit 4 15(0,128) | 32|12(21472,4) 46(4,345920); 46 "
	          "by 460 units in blocks of 46 by 32, stored\n");
	pairs.cpu.pairs = false;
	expect_on(&pairs, 4, 1, turned,
	          "root: units 0 to 47\n"
	          "  loop 47(338560)\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 3(0,2496) 2(128,11069440) | 624|592(84640,4) "
	          "32|14(4,345920); 46 by 1840 units in blocks of 32 by 624, carried\n");
}

/* Two matrices that turn, as elements of the same pixels: each is transposed to planes of its own, where a
 * stage of the first cache would gather 2 bytes of each line. */
TEST(what_takes_turns_and_crosses_goes_by_planes_of_pools)
{
	vf_machine big = machine_of(16 << 10, 16 << 10);
	expect_on(&big, 2, 2,
	          MOVES({0, 0, 0, 2, LOOPS({64, 8192, 1}, {4096, 2, 64}), {0}},
	                {1, 1, 63, 2, LOOPS({64, 8192, -1}, {4096, 2, 64}), {0}}),
	          "root: units 0 to 8\n"
	          "  loop 8(2048) staged 2048|2048 bytes at +0, 64 times (16384,2240), put together from 2 "
	          "planes by blocks of 4 bytes, reading ahead 1 times 65536, 1 times 65536\n"
	          "    transpose: source 0+0 -> dst+0, unit 2 2(576,36864) | 64(1088,2) 288|224(2,128); 512 "
	          "by 64 units in blocks of 288 by 64, stored\n"
	          "    transpose: source 1+0 -> dst+138176, unit 2 2(576,36864) | 64(-1088,2) "
	          "288|224(2,128); 512 by 64 units in blocks of 288 by 64, stored\n");
	expect_on(&big, 2, 2,
	          MOVES({0, 0, 0, 3, LOOPS({16, 32768, 16384}, {128, 256, 1}, {128, 2, 128}), {0}},
	                {0, 1, 245760, 3, LOOPS({16, 32768, -16384}, {128, 256, 1}, {128, 2, 128}), {0}}),
	          "root: units 0 to 64\n"
	          "  loop 16(65536)\n"
	          "    loop 4(16384) staged 16384|16384 bytes at +0, put together from 2 planes by blocks of "
	          "4 bytes, reading ahead 1 times 8192, 1 times 8192\n"
	          "      transpose: source 0+0 -> dst+0, unit 2 | 32(256,2) 128(2,256)\n"
	          "      transpose: source 0+491520 -> dst+8256, unit 2 | 32(256,2) 128(2,256)\n");
}

/* Rows of 394 bytes that follow each other downwards are one stream where registers hold a line; elsewhere
 * they go by a pool where lines leave by pairs. */
TEST(rows_that_follow_downwards_are_joined)
{
	vf_machine pairs = pairing_machine();
	pairs.lines = true;
	const vf_move *turned = MOVES(
	    {0, 0, 639, 3, LOOPS({94, 126080, 126080}, {640, 197, -1}, {197, 1, 640}), {0}});
	expect_on(&pairs, 2, 1, turned,
	          "root: units 0 to 188\n"
	          "  loop 94(252160)\n"
	          "    loop 2(126080) staged 126080|126080 bytes at +0, reading ahead 1 times 126080\n"
	          "      transpose: source 0+640 -> dst+125686, unit 2 | 320(-394,2) "
	          "197(2,1280); 197 by 320 units in blocks of 197 by 320, stored\n");
	pairs.wide = true;
	expect_on(&pairs, 2, 1, turned,
	          "root: units 0 to 94\n"
	          "  loop 94(252160)\n"
	          "    transpose: source 0+0 -> dst+251766, unit 2 | 640(-394,2) 197(2,1280); "
	          "197 by 640 units in blocks of 197 by 640, joined, line after line of a row\n");
}

/* Rows that share sets of L1 do not stay there for the next piece: what crosses goes by blocks, not woven. */
TEST(what_collides_is_not_woven)
{
	vf_machine weaves = weaving_machine();
	expect_on(
	    &weaves, 1, 1, MOVES({0, 0, 0, 3, LOOPS({100, 3264, 32}, {204, 16, 51200}, {16, 1, 2}), {0}}),
	    "root: units 0 to 52\n"
	    "  loop 26(128)\n"
	    "    loop 2(169728)\n"
	    "      transpose: source 0+0 -> dst+0, unit 16 | 52|48(3264,32) 8|4(16,51200) [0 2 4 6 8 10 "
	    "12 14 16 18 20 22 24 26 28 30] of 51200; 204 by 100 units in blocks of 8 by 52, "
	    "streamed\n");
	expect_on(&weaves, 1, 1,
	          MOVES({0, 0, 0, 3, LOOPS({1600, 3264, 32}, {204, 16, 51264}, {16, 1, 2}), {0}}),
	          "root: units 0 to 80\n"
	          "  loop 80(65280) woven, 1 times 65280|65280 bytes at +0 in rows of 3264, of 1 boxes "
	          "each\n"
	          "    weave: source 0+0 -> dst+0, unit 16 20(3264,32) 204(16,51264) [0 2 4 6 8 10 12 14 "
	          "16 18 20 22 24 26 28 30] of 51264\n");
}

/* 13 columns in another order, turned: where rows of dst are found by a table, they are as long as others. */
TEST(what_crosses_by_a_table_costs_what_blocks_do)
{
	static const int order[13] = {6, 10, 5, 11, 12, 9, 0, 7, 8, 4, 3, 2, 1};
	vf_machine weaves = weaving_machine();
	const vf_loop *loops = LOOPS({500, 1248, 1248}, {96, 13, 1});
	vf_move moves[13];
	for (int k = 0; k < 13; k++)
		moves[k] = (vf_move){0, k, 96 * order[k], 2, loops, {0}};
	expect_on(&weaves, 2, 13, moves,
	          "root: units 0 to 500\n"
	          "  loop 500(2496)\n"
	          "    transpose: source 0+1152 -> dst+0, unit 2 | 96(26,2) 13(2,0); 13 by 96 units in "
	          "blocks of 13 by 96, joined\n");
}

/* Pixels of 12 pictures of f32, each channel to a plane: what is near in the source is another loop. Of 8,
 * and of narrower ones, blocks are put together. */
TEST(pixels_of_many_pictures_are_transposed)
{
	vf_machine big = weaving_machine();
	big.weaves = false;
	const vf_move *many = MOVES({0, 0, 0, 3, LOOPS({3, 60000, 1}, {5000, 12, 3}, {12, 1, 15000}), {0}});
	const vf_move *few = MOVES({0, 0, 0, 3, LOOPS({3, 40000, 1}, {5000, 8, 3}, {8, 1, 15000}), {0}});
	expect_on(&big, 4, 1, many,
	          "root: units 0 to 10\n"
	          "  loop 10(24000)\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 | 1500(240000,4) 12(4,60000); 12 by 1500 "
	          "units in blocks of 12 by 1500, carried\n");
	expect_on(&big, 4, 1, few,
	          "root: units 0 to 12\n"
	          "  loop 4(40000)\n"
	          "    loop 3(160000)\n"
	          "      pick (stream): source 0+0 -> dst+0, unit 32 | 1250(32,12) [0 1 2 3 1+0 1+1 "
	          "1+2 1+3 2+0 2+1 2+2 2+3 3+0 3+1 3+2 3+3 4+0 4+1 4+2 4+3 5+0 5+1 5+2 5+3 6+0 6+1 "
	          "6+2 6+3 7+0 7+1 7+2 7+3] of 12\n");
	expect_on(&big, 2, 1, many,
	          "root: units 0 to 25\n"
	          "  loop 5(24000)\n"
	          "    loop 5(0)\n"
	          "      transpose: source 0+0 -> dst+0, unit 2 | 608|568(120000,2) 12(2,30000); 12 "
	          "by 3000 units in blocks of 12 by 608, carried\n");
}

/* 10000 matrices of 4 by 4 units of 32 bytes are woven, or copied in a stage. */
TEST(small_matrices_of_fat_units_are_no_blocks)
{
	vf_machine big = weaving_machine();
	const vf_move *matrices = MOVES({0, 0, 0, 3, LOOPS({10000, 16, 16}, {4, 4, 1}, {4, 1, 4}), {0}});
	expect_on(&big, 32, 1, matrices,
	          "root: units 0 to 79\n"
	          "  loop 79(65536) woven, 1 times 65536|8192 bytes at +0 in rows of 4096, of 1 boxes each\n"
	          "    weave: source 0+0 -> dst+0, unit 32 128|16(512,512) 4(128,32) 4(32,128)\n");
	big.weaves = false;
	expect_on(&big, 32, 1, matrices,
	          "root: units 0 to 313\n"
	          "  loop 313(16384) staged 16384|8192 bytes at +0, reading ahead 1 times 16384\n"
	          "    copy: source 0+0 -> dst+0, unit 1 4(32,128) 4(128,32) | 32|16(512,512) 32(1,1)\n");
}

/* 20000 pixels of 12, to planes by a list of channels: 7 and 8, 5 and 6, two times the first, the tenth.
 * Each pixel is taken apart once; planes leave as often as the list has them. */
TEST(lists_of_channels_leave_a_stage_plane_by_plane)
{
	vf_machine big = weaving_machine();
	big.weaves = false;
	expect_on(&big, 4, 3,
	          MOVES({0, 0, 7, 3, LOOPS({2, 40000, -2}, {2, 20000, 1}, {20000, 1, 12}), {0}},
	                {0, 80000, 0, 2, LOOPS({2, 20000, 0}, {20000, 1, 12}), {0}},
	                {0, 120000, 9, 1, LOOPS({20000, 1, 12}), {0}}),
	          "root: units 0 to 10\n"
	          "  loop 10(8000) staged 8000|8000 bytes at +0, 10 times (80000,8256), leaving 7 times "
	          "(80000,table), reading ahead 1 times 95992\n"
	          "    deinterleave: source 0+0 -> dst+0, unit 4 | 2000(4,48) 10(8256,4)\n");
}

/* A long list of 40 of 64 is one table, too. */
TEST(long_lists_of_channels_are_one_table)
{
	vf_machine big = weaving_machine();
	big.weaves = false;
	vf_move list[20];
	const vf_loop *loops = LOOPS({2, 2000, 1}, {2000, 1, 64});
	for (int k = 0; k < 20; k++)
		list[k] = (vf_move){0, 4000 * k, 37 * k % 63, 2, loops, {0}};
	expect_on(&big, 4, 20, list,
	          "root: units 0 to 5\n"
	          "  loop 5(1600) staged 1600|1600 bytes at +0, 64 times (8000,1856), leaving 40 times "
	          "(8000,table), reading ahead 1 times 102400\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 | 64(1856,4) 400(4,256); 400 by 64 units "
	          "in blocks of 400 by 64, stored\n");
}

/* A matrix of bytes turned, each row of it three times; pixels to planes, three times; wider units go by
 * blocks each time. */
TEST(rows_that_repeat_leave_a_stage_several_times)
{
	vf_machine big = weaving_machine();
	big.weaves = false, big.wide = true;
	expect_on(&big, 1, 1, MOVES({0, 0, 0, 3, LOOPS({2000, 9000, 1}, {3, 3000, 0}, {3000, 1, 2000}), {0}}),
	          "root: units 0 to 80\n"
	          "  loop 40(450000)\n"
	          "    loop 2(1500) staged 1500|1500 bytes at +0, 50 times (9000,1768), leaving 3 times "
	          "(3000), reading ahead 1500 times 50\n"
	          "      transpose: source 0+0 -> dst+0, unit 1 | 50(1768,1) 1500(1,2000); 1500 by 50 "
	          "units in blocks of 1500 by 50, stored\n");
	expect_on(&big, 4, 1, MOVES({0, 0, 0, 3, LOOPS({3, 60000, 0}, {6, 10000, 1}, {10000, 1, 6}), {0}}),
	          "root: units 0 to 2\n"
	          "  loop 2(20000) staged 20000|20000 bytes at +0, 6 times (40000,20288), leaving 3 times "
	          "(240000), reading ahead 1 times 120000\n"
	          "    deinterleave: source 0+0 -> dst+0, unit 4 | 5000(4,24) 6(20288,4)\n");
	expect_on(&big, 4, 1, MOVES({0, 0, 0, 3, LOOPS({300, 900, 1}, {3, 300, 0}, {300, 1, 300}), {0}}),
	          "root: units 0 to 30\n"
	          "  loop 3(1200)\n"
	          "    loop 10(128)\n"
	          "      transpose: source 0+0 -> dst+0, unit 4 | 300(3600,4) 32|12(4,1200); 300 by 300 "
	          "units in blocks of 32 by 300, carried\n");
}

/* A matrix turned, stacked with itself mirrored: 149 is prime, and no pool has rows of it. So 128 rows go by
 * two pools of 64, and 21 by another. */
TEST(rows_without_a_good_part_are_cut_for_a_pool)
{
	vf_machine big = weaving_machine();
	big.weaves = false;
	expect_on(&big, 2, 2,
	          MOVES({0, 0, 0, 2, LOOPS({149, 4608, 1}, {2304, 2, 4095}), {0}},
	                {0, 1, 148, 2, LOOPS({149, 4608, -1}, {2304, 2, 4095}), {0}}),
	          "root: units 0 to 12\n"
	          "  loop 2(589824)\n"
	          "    loop 6(1536) staged 1536|1536 bytes at +0, 64 times (9216,1728), put "
	          "together from 2 planes by blocks of 4 bytes, reading ahead 384 times 128, 384 "
	          "times 128\n"
	          "      transpose: source 0+0 -> dst+0, unit 2 | 64(832,2) "
	          "384(2,8190); 384 by 64 units in blocks of 384 by 64, stored\n"
	          "      transpose: source 0+170 -> dst+105664, unit 2 | 64(-832,2) "
	          "384(2,8190); 384 by 64 units in blocks of 384 by 64, stored\n"
	          "root: units 12 to 14\n"
	          "  loop 2(4608) staged 4608|4608 bytes at +1179648, 21 times (9216,4800), put "
	          "together from 2 planes by blocks of 4 bytes, reading ahead 1152 times 42, 1152 "
	          "times 42\n"
	          "    transpose: source 0+256 -> dst+0, unit 2 | 21(2368,2) "
	          "1152(2,8190); 1152 by 21 units in blocks of 1152 by 21, stored\n"
	          "    transpose: source 0+0 -> dst+97088, unit 2 | 21(-2368,2) "
	          "1152(2,8190); 1152 by 21 units in blocks of 1152 by 21, stored\n");
}

/* Channels last with a mirrored row above and two mirrored pixels beside: what is mirrored reads along the
 * lines of its row, and goes with it. */
TEST(mirrored_margins_of_turned_planes_go_with_their_rows)
{
	const vf_machine weaves = weaving_machine();
	expect_on(
	    &weaves, 4, 6,
	    MOVES(
		{0, 0, 42, 3, LOOPS({40, 53856, 48000}, {2, 24, -1}, {24, 1, 2000}), {0}},
		{0, 48, 40, 3, LOOPS({40, 53856, 48000}, {40, 24, 1}, {24, 1, 2000}), {0}},
		{0, 1008, 78, 3, LOOPS({40, 53856, 48000}, {2, 24, -1}, {24, 1, 2000}), {0}},
		{0, 1056, 2, 4, LOOPS({40, 53856, 48000}, {50, 1056, 40}, {2, 24, -1}, {24, 1, 2000}), {0}},
		{0, 1104, 0, 4, LOOPS({40, 53856, 48000}, {50, 1056, 40}, {40, 24, 1}, {24, 1, 2000}), {0}},
		{0, 2064, 38, 4, LOOPS({40, 53856, 48000}, {50, 1056, 40}, {2, 24, -1}, {24, 1, 2000}), {0}}),
	    "root: units 0 to 20\n"
	    "  loop 20(430848)\n"
	    "    gather: source 0+164 -> dst+96, unit 4 2(215424,192000) | 2(-96,4) 24(4,8000)\n"
	    "    transpose: source 0+160 -> dst+192, unit 4 2(215424,192000) | 40(96,4) 24(4,8000)\n"
	    "    gather: source 0+308 -> dst+4128, unit 4 2(215424,192000) | 2(-96,4) 24(4,8000)\n"
	    "root: units 20 to 1020\n"
	    "  loop 40(215424)\n"
	    "    loop 25(8448) staged 8448|8448 bytes at +4224, reading ahead 1 times 7680\n"
	    "      gather: source 0+4 -> dst+4320, unit 4 2(4224,160) | 2(-96,4) 24(4,8000)\n"
	    "      transpose: source 0+0 -> dst+4416, unit 4 2(4224,160) | 40(96,4) 24(4,8000)\n"
	    "      gather: source 0+148 -> dst+8352, unit 4 2(4224,160) | 2(-96,4) 24(4,8000)\n");
}

/* The same with a margin of one: the row above and the column beside make no run of dst. */
TEST(a_stage_of_fewer_leaves_is_one_run)
{
	const vf_machine weaves = weaving_machine();
	const vf_loop *corner = LOOPS({100, 211584, 200704}, {64, 1, 3136});
	const vf_loop *above = LOOPS({100, 211584, 200704}, {56, 64, 1}, {64, 1, 3136});
	const vf_loop *beside = LOOPS({100, 211584, 200704}, {56, 3712, 56}, {64, 1, 3136});
	const vf_loop *inner = LOOPS({100, 211584, 200704}, {56, 3712, 56}, {56, 64, 1}, {64, 1, 3136});
	expect_on(&weaves, 2, 6,
	          MOVES({0, 0, 57, 2, corner, {0}}, {0, 64, 56, 3, above, {0}},
	                {0, 3648, 110, 2, corner, {0}}, {0, 3712, 1, 3, beside, {0}},
	                {0, 3776, 0, 4, inner, {0}}, {0, 7360, 54, 3, beside, {0}}),
	          "root: units 0 to 50\n"
	          "  loop 50(846336)\n"
	          "    gather: source 0+114 -> dst+0, unit 2 | 2(423168,401408) 64(2,6272)\n"
	          "    transpose: source 0+112 -> dst+128, unit 2 2(423168,401408) | 56(128,2) 64(2,6272)\n"
	          "    gather: source 0+220 -> dst+7296, unit 2 | 2(423168,401408) 64(2,6272)\n"
	          "root: units 50 to 2850\n"
	          "  loop 100(423168)\n"
	          "    loop 28(14848) staged 14848|14848 bytes at +7424, reading ahead 64 times 224\n"
	          "      gather: source 0+2 -> dst+7424, unit 2 | 2(7424,112) 64(2,6272)\n"
	          "      transpose: source 0+0 -> dst+7552, unit 2 2(7424,112) | 56(128,2) 64(2,6272)\n"
	          "      gather: source 0+108 -> dst+14720, unit 2 | 2(7424,112) 64(2,6272)\n");
}

/* Pixels to planes, turned: rows of dst that are read side by side are far apart. Not where they follow each
 * other, but by narrow registers; nor long rows. */
TEST(short_rows_far_apart_go_by_pools)
{
	vf_machine wide = weaving_machine(), narrow = wide;
	narrow.wide = narrow.weaves = false;
	const vf_move *pixels = MOVES(
	    {0, 0, 0, 4, LOOPS({20, 120000, 120000}, {3, 40000, 1}, {200, 200, 3}, {200, 1, 600}), {0}});
	const vf_move *longer = MOVES(
	    {0, 0, 0, 4, LOOPS({5, 750000, 750000}, {3, 250000, 1}, {500, 500, 3}, {500, 1, 1500}), {0}});
	const vf_move *beside = MOVES(
	    {0, 0, 0, 3, LOOPS({2, 5760000, 5760000}, {19200, 300, 1}, {300, 1, 19200}), {0}});
	expect_on(&wide, 1, 1, pixels,
	          "root: units 0 to 20\n"
	          "  loop 20(120000) staged 120000|120000 bytes at +0, reading ahead 1 times 120000\n"
	          "    transpose: source 0+0 -> dst+0, unit 1 | 600(40000,1) 200(1,600); 200 by 600 units in "
	          "blocks of 200 by 600, stored\n");
	expect_on(&wide, 1, 1, longer,
	          "root: units 0 to 40\n"
	          "  loop 5(750000)\n"
	          "    loop 2(0)\n"
	          "      loop 4(128)\n"
	          "        transpose: source 0+0 -> dst+0, unit 1 | 768|732(250000,1) 128|116(1,1500); 500 "
	          "by 1500 units in blocks of 128 by 768, carried\n");
	expect_on(&wide, 1, 1, beside,
	          "root: units 0 to 68\n"
	          "  loop 2(5760000)\n"
	          "    loop 34(172800)\n"
	          "      transpose: source 0+0 -> dst+0, unit 1 | 576|192(300,1) 300(1,19200); 300 by 19200 "
	          "units in blocks of 300 by 576, joined\n");
	expect_on(&narrow, 1, 1, beside,
	          "root: units 0 to 96\n"
	          "  loop 2(5760000)\n"
	          "    loop 48(120000) staged 120000|120000 bytes at +0, reading ahead 300 times 400\n"
	          "      transpose: source 0+0 -> dst+0, unit 1 2(192,3686400) | 400(300,1) "
	          "192|108(1,19200); 300 by 400 units in blocks of 192 by 400, stored\n");
}

int main(void)
{
	return test_all(open_context, close_context);
}
