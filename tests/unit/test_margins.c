/* test_margins.c -- planes and pixels between margins, beside each other, with constants, backwards. */
#include "plan_world.h"

#include "plan/strategy.h"
#include "test.h"

/* Pixels of 3 to planes between mirrored margins of 3: rows of all planes are a stage, and one call makes all
 * planes. Margins of one unit do not cost that much. */
TEST(planes_between_margins_go_by_a_pool)
{
	vf_machine wide = weaving_machine();
	wide.weaves = false;
	const vf_loop *beside = LOOPS({9, 122220, 120000}, {3, 40740, 1}, {100, 406, 1200}, {3, 1, -3});
	const vf_loop *pixels = LOOPS({9, 122220, 120000}, {3, 40740, 1}, {100, 406, 1200}, {400, 1, 3});
	expect_on(&wide, 4, 3,
	          MOVES({0, 0, 9, 4, beside, {0}}, {0, 3, 0, 4, pixels, {0}}, {0, 403, 1194, 4, beside, {0}}),
	          "root: units 0 to 36\n"
	          "  loop 9(488880)\n"
	          "    loop 4(40600) staged 40600|40600 bytes at +0, 3 times (162960,40912), reading ahead 1 "
	          "times 120000\n"
	          "      gather: source 0+36 -> dst+0, unit 4 3(40912,4) | 25(1624,4800) 3(4,-12)\n"
	          "      deinterleave: source 0+0 -> dst+12, unit 4 | 25(1624,4800) 400(4,12) 3(40912,4)\n"
	          "      gather: source 0+4776 -> dst+1612, unit 4 3(40912,4) | 25(1624,4800) 3(4,-12)\n");
	expect_on(&wide, 4, 2, MOVES({0, 2, 3, 3, beside, {0}}, {0, 3, 0, 4, pixels, {0}}),
	          "root: units 0 to 1\n"
	          "  units: source 0+12 -> dst+8, unit 4 9(488880,480000) 3(162960,4) | 100(1624,4800)\n"
	          "root: units 1 to 91\n"
	          "  loop 9(488880)\n"
	          "    loop 10(16240)\n"
	          "      deinterleave (stream): source 0+0 -> dst+12, unit 4 | 10(1624,4800) 400(4,12) "
	          "3(162960,4)\n");
}

/* Margins of some pixels cost as much where rows do not end on lines, and so do planes beside others. */
TEST(planes_between_long_margins_go_by_a_pool)
{
	const vf_machine weaves = weaving_machine();
	const vf_loop *beside = LOOPS({9, 1228800, 0}, {3, 409600, 0}, {640, 640, 0}, {2, 560, 0},
	                              {80, 1, 0});
	const vf_loop *pixels = LOOPS({9, 1228800, 921600}, {3, 409600, 1}, {640, 640, 1440}, {480, 1, 3});
	const vf_loop *lines = LOOPS({9, 1228800, 921600}, {3, 409600, 1}, {512, 640, 1440}, {512, 1, 3});
	const vf_loop *on = LOOPS({9, 1228800, 0}, {3, 409600, 0}, {512, 640, 0}, {128, 1, 0});
	const vf_loop *left = LOOPS({9, 1228800, 576000}, {3, 409600, 1}, {640, 640, 900}, {300, 1, 3});
	const vf_loop *right = LOOPS({9, 1228800, 652800}, {3, 409600, 1}, {640, 640, 1020}, {340, 1, 3});
	expect_on(&weaves, 1, 2, MOVES({-1, 0, 0, 5, beside, {7}}, {0, 80, 0, 4, pixels, {0}}),
	          "root: units 0 to 90\n"
	          "  loop 9(1228800)\n"
	          "    loop 10(40960) staged 40960|40960 bytes at +0, 3 times (409600,41152), reading ahead "
	          "1 times 92160\n"
	          "      fill: 0x07 -> dst+0, unit 1 3(41152,0) 2(560,0) | 64(640,0) 80(1,0)\n"
	          "      deinterleave: source 0+0 -> dst+80, unit 1 | 64(640,1440) 480(1,3) 3(41152,1)\n");
	expect_on(&weaves, 1, 2, MOVES({-1, 0, 0, 4, on, {7}}, {0, 128, 0, 4, lines, {0}}),
	          "root: units 0 to 108\n"
	          "  loop 27(409600)\n"
	          "    loop 4(81920)\n"
	          "      fill: 0x07 -> dst+0, unit 1 | 128(640,0) 128(1,0)\n"
	          "root: units 108 to 252\n"
	          "  loop 9(1228800)\n"
	          "    loop 16(20480)\n"
	          "      deinterleave (stream): source 0+0 -> dst+128, unit 1 | 32(640,1440) 512(1,3) "
	          "3(409600,1)\n");
	expect_on(&weaves, 1, 2, MOVES({0, 0, 0, 4, left, {0}}, {1, 300, 0, 4, right, {0}}),
	          "root: units 0 to 90\n"
	          "  loop 9(1228800)\n"
	          "    loop 10(40960) staged 40960|40960 bytes at +0, 3 times (409600,41152), reading ahead "
	          "1 times 65280, 1 times 57600\n"
	          "      deinterleave: source 0+0 -> dst+0, unit 1 | 64(640,900) 300(1,3) 3(41152,1)\n"
	          "      deinterleave: source 1+0 -> dst+300, unit 1 | 64(640,1020) 340(1,3) 3(41152,1)\n");
}

/* Pixels backwards are taken apart by wide registers: up to 12 units, if rows of planes are some pixels, and
 * follow each other or are long. */
TEST(pixels_backwards_are_taken_apart)
{
	const struct {
		bool wide;
		int unit;
		int64_t side, channels;
		bool apart;
	} all[] = {{true, 4, 56, 8, true},   {false, 4, 56, 8, false}, {true, 4, 56, 16, false},
	           {true, 8, 56, 12, false}, {true, 4, 12, 8, false},  {true, 2, 28, 3, true},
	           {true, 1, 32, 3, false},  {true, 4, 112, 8, true}};
	enum { LONG_ROW = 256 };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		vf_machine on = weaving_machine();
		on.weaves = false, on.wide = all[k].wide;
		const int64_t c = all[k].channels, n = all[k].side, row = n * c;
		const vf_loop *loops = LOOPS({100, n * row, n * row}, {c, n * n, 1}, {n, n, row}, {n, 1, -c});
		vf_plan *plan = plan_on(&on, all[k].unit, 1, MOVES({0, 0, row - c, 4, loops, {0}}));
		assert_int_equal(plan->leaves[0].strategy == VF_DEINTERLEAVE, all[k].apart);
		vf_plan_drop(ctx, plan);
		/* rows of the next matrix stand between */
		const vf_loop *apart = LOOPS({n, 100 * n * c, row}, {100, n * c, n * row}, {c, n, 1},
		                             {n, 1, -c});
		plan = plan_on(&on, all[k].unit, 1, MOVES({0, 0, row - c, 4, apart, {0}}));
		assert_int_equal(plan->leaves[0].strategy == VF_DEINTERLEAVE,
		                 all[k].apart && n * all[k].unit >= LONG_ROW);
		vf_plan_drop(ctx, plan);
	}
}

/* Rows of constants need no long ones to stream: 100 floats, but not 60, and not by narrow registers. */
TEST(short_rows_of_constants_stream)
{
	const struct {
		bool wide;
		int64_t row;
		bool streams;
	} all[] = {{true, 100, true}, {true, 60, false}, {false, 100, false}, {false, 140, true}};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
		vf_machine on = weaving_machine();
		on.wide = all[k].wide;
		const vf_loop *rows = LOOPS({20000, 640, 0}, {all[k].row, 1, 0});
		vf_plan *plan = plan_on(&on, 4, 1, MOVES({-1, 0, 0, 2, rows, {0}}));
		assert_int_equal(plan->leaves[0].strategy, VF_FILL);
		assert_int_equal(plan->leaves[0].stream, all[k].streams);
		vf_plan_drop(ctx, plan);
	}
}

/* Three planes to pixels whose fourth byte is a constant: as a margin in blocks each pixel would be a row of
 * four. Ten floats of twelve are better so. */
TEST(pixels_with_a_constant_are_woven)
{
	vf_machine weaves = weaving_machine();
	weaves.wide = true;
	const vf_loop *planes = LOOPS({20, 1433600, 1075200}, {358400, 4, 1}, {3, 1, 358400});
	const vf_loop *constant = LOOPS({20, 1433600, 0}, {358400, 4, 0});
	expect_on(
	    &weaves, 1, 2, MOVES({0, 0, 0, 3, planes, {0}}, {-1, 3, 0, 2, constant, {255}}),
	    "root: units 0 to 440\n"
	    "  loop 20(1433600)\n"
	    "    loop 22(65536) woven, 1 times 65536|57344 bytes at +0 in rows of 256, of 2 boxes each\n"
	    "      weave: source 0+0 -> dst+0, unit 1 16384|14336(4,1) 3(1,358400)\n"
	    "      weave: 0xff -> dst+3, unit 1 16384|14336(4,0)\n");
	const vf_loop *many = LOOPS({20, 460800, 384000}, {38400, 12, 1}, {10, 1, 38400});
	const vf_loop *two = LOOPS({20, 460800, 0}, {38400, 12, 0}, {2, 1, 0});
	expect_on(&weaves, 4, 2, MOVES({0, 0, 0, 3, many, {0}}, {-1, 10, 0, 3, two, {0}}),
	          "root: units 0 to 460\n"
	          "  loop 20(1843200)\n"
	          "    loop 23(80640)\n"
	          "      transpose: source 0+0 -> dst+0, unit 4 | 1680|1440(48,4) 12(4,0); 12 by 38400 units "
	          "in blocks of 12 by 1680, joined, 2 of them constant\n");
}

/* Bytes of pixels between margins of zeros are not woven plane by plane, nor does a piece take planes apart
 * where rows of zeros above and below lie beside. */
TEST(planes_between_margins_stay_together)
{
	const vf_machine weaves = weaving_machine();
	const vf_loop *outside = LOOPS({50, 158700, 0}, {3, 52900, 0}, {2, 52210, 0}, {690, 1, 0});
	const vf_loop *beside = LOOPS({50, 158700, 0}, {3, 52900, 0}, {224, 230, 0}, {2, 227, 0}, {3, 1, 0});
	const vf_loop *pixels = LOOPS({50, 158700, 150528}, {3, 52900, 1}, {224, 230, 672}, {224, 1, 3});
	expect_on(
	    &weaves, 1, 2, MOVES({-1, 0, 0, 5, beside, {0}}, {0, 3, 0, 4, pixels, {0}}),
	    "root: units 0 to 100\n"
	    "  loop 50(158700)\n"
	    "    loop 2(25760) staged 25760|25760 bytes at +0, 3 times (52900,26084), reading ahead 1 times "
	    "75264\n"
	    "      fill: 0x00 -> dst+0, unit 1 3(26084,0) 2(227,0) | 112(230,0) 3(1,0)\n"
	    "      deinterleave: source 0+0 -> dst+3, unit 1 | 112(230,672) 224(1,3) 3(26084,1)\n");
	expect_on(
	    &weaves, 1, 3,
	    MOVES({-1, 0, 0, 4, outside, {0}}, {-1, 690, 0, 5, beside, {0}}, {0, 693, 0, 4, pixels, {0}}),
	    "root: units 0 to 5\n"
	    "  loop 5(1587000)\n"
	    "    fill (stream): 0x00 -> dst+0, unit 1 30(52900,0) | 2(52210,0) 690(1,0)\n"
	    "root: units 5 to 105\n"
	    "  loop 50(158700)\n"
	    "    loop 2(25760) staged 25760|25760 bytes at +690, 3 times (52900,26084), reading ahead "
	    "1 times 75264\n"
	    "      fill: 0x00 -> dst+690, unit 1 3(26084,0) 2(227,0) | 112(230,0) 3(1,0)\n"
	    "      deinterleave: source 0+0 -> dst+693, unit 1 | 112(230,672) 224(1,3) 3(26084,1)\n");
}

/* The rows of one small picture go with their margins, though those above and below share no loop with them
 * and are short. */
TEST(margins_of_one_picture_go_with_its_rows)
{
	const vf_machine weaves = weaving_machine();
	const vf_loop *outside = LOOPS({2, 51528, 0}, {456, 1, 0});
	const vf_loop *beside = LOOPS({224, 228, 0}, {2, 226, 0}, {2, 1, 0});
	const vf_loop *rows = LOOPS({224, 228, 224}, {224, 1, 1});
	expect_on(&weaves, 4, 3,
	          MOVES({-1, 0, 0, 2, outside, {0}}, {-1, 456, 0, 3, beside, {0}}, {0, 458, 0, 2, rows, {0}}),
	          "root: units 0 to 1\n"
	          "  fill (stream): 0x00 -> dst+0, unit 1 | 2(206112,0) 1824(1,0)\n"
	          "root: units 1 to 5\n"
	          "  loop 4(64752) streamed, 71|11 rows of 912 bytes at +1824, of 3 parts each\n"
	          "    fill: 0x00 -> dst+1824, unit 8 71|11(912,0) 2(904,0)\n"
	          "    copy: source 0+0 -> dst+1832, unit 896 71|11(912,896)\n");
}

int main(void)
{
	return test_all(open_context, close_context);
}
