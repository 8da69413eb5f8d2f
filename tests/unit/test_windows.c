/* test_windows.c -- windows that overlap go by planes without their overlap, and what repeats without its
 * repeats, to every place in a line; planes in any order are read once. */
#include "plan_world.h"

#include "engine/cache.h"
#include "viewfold.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 20, LINE = 64 };

static unsigned char source[MOST], expected[MOST];
static _Alignas(LINE) unsigned char room[MOST + 2 * LINE];

/* Windows of `size` units, `apart` from each other, that begin `step` apart: along the rows and columns of
 * pictures of `channels` planes. */
typedef struct windows {
	vf_dtype dtype;
	size_t bytes, channels, rows, columns, size, step, apart;
	bool last; /* channels are */
} windows;

static size_t expect_windows(const windows *c)
{
	const size_t past = (c->size - 1) * c->apart + 1;
	const size_t rows = (c->rows - past) / c->step + 1, columns = (c->columns - past) / c->step + 1;
	const size_t each = c->channels * c->size * c->size, all = rows * columns * each;
	for (size_t k = 0; k < all; k++) {
		const size_t at = k / each, in = k % each;
		const size_t y = at / columns * c->step + in / c->size % c->size * c->apart;
		const size_t x = at % columns * c->step + in % c->size * c->apart;
		const size_t channel = in / c->size / c->size;
		const size_t from = c->last ? (y * c->columns + x) * c->channels + channel
		                            : (channel * c->rows + y) * c->columns + x;
		memcpy(expected + k * c->bytes, source + from * c->bytes, c->bytes);
	}
	return all * c->bytes;
}

static bool weaves;

static vf_machine streaming(void)
{
	vf_machine m = machine;
	m.piece_bytes = m.staged_bytes = 4 << 10, m.stream_bytes = 1, m.lines = m.wide = true;
	m.weaves = weaves;
	m.cpu.l2_bytes = 256 << 10;
	return m;
}

/* `n` bytes are expected of the array; the second time it may be compiled. */
static void check_bytes(vf_array *y, size_t n, const char *text)
{
	char name[32];
	vf_dtype_name(vf_dtype_of(y), name, sizeof name);
	assert_true(n < MOST);
	for (size_t at = 0; at < 2 * LINE; at += 24) {
		memset(room, 0xA5, sizeof room);
		assert_int_equal(vf_materialize(y, room + at, n), VF_OK);
		if (memcmp(room + at, expected, n) != 0)
			fail_msg("%s of %s, %zu bytes into a line", text, name, at);
		for (size_t i = 0; i < at; i++)
			assert_true(room[i] == 0xA5);
		for (size_t i = at + n; i < sizeof room; i++)
			assert_true(room[i] == 0xA5);
	}
}

static const vf_engine engines[] = {VF_ENGINE_INTERPRET, VF_ENGINE_AUTO};

/* The chain of an array of that shape writes what is expected, in both engines. */
static void check(const char *text, vf_dtype dtype, int rank, const int64_t *shape, size_t n)
{
	for (size_t e = 0; e < sizeof engines / sizeof engines[0]; e++) {
		const vf_options options = {.engine = engines[e]};
		vf_context *context = vf_context_create(&options);
		context->cache->machine = streaming();
		vf_array *x = vf_wrap(context, source, dtype, rank, shape, NULL), *y = vf_apply(x, text);
		check_bytes(y, n, text);
		vf_release(y);
		vf_release(x);
		vf_context_release(context);
	}
}

static void fill_source(void)
{
	for (size_t i = 0; i < sizeof source; i++)
		source[i] = (unsigned char)(i * 7 + i / 251);
}

/* All windows, their elements side by side before or behind the channels. */
static void windows_text(const windows *c, char *text, size_t bytes)
{
	const int axis = c->last ? 0 : 1;
	const size_t reach = (c->size - 1) * c->apart + 1;
	char each[32] = "";
	if (c->apart > 1)
		snprintf(each, sizeof each, "[..., ::%zu]", c->apart);
	snprintf(text, bytes, "unfold(%d,%zu,%zu)%s.unfold(%d,%zu,%zu)%s%s.contiguous()", axis, reach,
	         c->step, each, axis + 1, reach, c->step, each, c->last ? "" : ".permute(1,2,0,3,4)");
}

TEST(windows_are_their_elements)
{
	static const windows cases[] = {
	    {VF_U8, 1, 16, 20, 37, 3, 1, 1},        {VF_U16, 2, 16, 20, 37, 3, 1, 1},
	    {VF_F32, 4, 24, 12, 33, 3, 1, 1},       {VF_F64, 8, 24, 11, 17, 3, 1, 1},
	    {VF_U8, 1, 3, 40, 60, 3, 1, 1},         {VF_U16, 2, 3, 30, 41, 3, 1, 1},
	    {VF_U8, 1, 16, 20, 37, 5, 1, 1},        {VF_F32, 4, 12, 15, 30, 5, 1, 1},
	    {VF_U16, 2, 13, 19, 31, 7, 2, 1},       {VF_U8, 1, 32, 20, 30, 3, 1, 1, true},
	    {VF_U16, 2, 13, 31, 17, 3, 1, 1, true}, {VF_F32, 4, 16, 20, 37, 2, 1, 1, true},
	    {VF_F32, 4, 1, 70, 137, 3, 1, 1, true}, {VF_U8, 1, 3, 31, 61, 4, 1, 1},
	    {VF_U8, 1, 3, 31, 61, 3, 2, 1},         {VF_U16, 2, 3, 31, 61, 3, 2, 1},
	    {VF_U16, 2, 1, 31, 61, 3, 1, 1},        {VF_U16, 2, 2, 41, 51, 4, 3, 1},
	    {VF_F32, 4, 4, 41, 41, 2, 1, 1},        {VF_F32, 4, 1, 41, 81, 3, 2, 1},
	    {VF_U16, 2, 3, 20, 40, 3, 1, 2},        {VF_U16, 2, 24, 21, 33, 3, 2, 1, true},
	    {VF_U8, 1, 64, 14, 14, 3, 1, 1},        {VF_F32, 4, 64, 14, 14, 3, 1, 1},
	    {VF_U8, 1, 16, 21, 51, 3, 2, 1},        {VF_F32, 4, 40, 21, 51, 3, 2, 1},
	    {VF_U16, 2, 16, 22, 50, 4, 2, 1},       {VF_F32, 4, 48, 12, 40, 2, 1, 1},
	    {VF_U8, 1, 16, 20, 40, 3, 1, 2},        {VF_U8, 1, 1, 41, 141, 5, 1, 1},
	    {VF_U8, 1, 1, 31, 81, 7, 2, 1},         {VF_U16, 2, 1, 31, 81, 5, 1, 1},
	    {VF_F32, 4, 1, 31, 61, 5, 1, 1},        {VF_F32, 4, 3, 41, 41, 3, 1, 1},
	    {VF_F32, 4, 1, 51, 71, 7, 2, 1},        {VF_F32, 4, 3, 41, 41, 3, 1, 1, true},
	};
	fill_source();
	enum { CASES = sizeof cases / sizeof cases[0] };
	for (size_t k = 0; k < 2 * CASES; k++) {
		const windows *c = &cases[k % CASES];
		weaves = k >= CASES;
		const int64_t first[] = {(int64_t)c->channels, (int64_t)c->rows, (int64_t)c->columns};
		const int64_t last[] = {(int64_t)c->rows, (int64_t)c->columns, (int64_t)c->channels};
		char text[160];
		windows_text(c, text, sizeof text);
		check(text, c->dtype, 3, c->last ? last : first, expect_windows(c));
	}
	weaves = false;
}

/* Planes of pixels, in the order of a list of channels. */
typedef struct ordered {
	vf_dtype dtype;
	size_t bytes, pixels, channels, taken;
	const char *text;
	unsigned char order[16]; /* of the first of those that are taken; the rest follow each other */
	size_t rolled;           /* or so many of the last come first */
} ordered;

static size_t expect_ordered(const ordered *c)
{
	for (size_t p = 0; p < c->taken; p++)
		for (size_t i = 0; i < c->pixels; i++) {
			const size_t rolled = (p + c->channels - c->rolled) % c->channels;
			const size_t channel = c->rolled ? rolled : p < sizeof c->order ? c->order[p] : p;
			memcpy(expected + (p * c->pixels + i) * c->bytes,
			       source + (i * c->channels + channel) * c->bytes, c->bytes);
		}
	return c->taken * c->pixels * c->bytes;
}

TEST(planes_come_in_any_order)
{
	static const ordered cases[] = {
	    {VF_U8, 1, 70001, 3, 3, "[:, [2,1,0]].T", {2, 1, 0}, 0},
	    {VF_U8, 1, 70001, 3, 3, "[:, [1,2,0]].T", {1, 2, 0}, 0},
	    {VF_U16, 2, 40003, 4, 3, "[:, [2,1,0]].T", {2, 1, 0}, 0},
	    {VF_F32, 4, 20000, 4, 4, "[:, [3,0,2,1]].T", {3, 0, 2, 1}, 0},
	    {VF_F64, 8, 10001, 4, 3, "[:, [2,3,1]].T", {2, 3, 1}, 0},
	    {VF_U8, 1, 50, 3, 3, "[:, [1,2,0]].T", {1, 2, 0}, 0},
	    {VF_F32, 4, 9003, 6, 6, "[:, [4,0,2,1,5,3]].T", {4, 0, 2, 1, 5, 3}, 0},
	    {VF_U16, 2, 9001, 7, 5, "[:, [4,2,6,3,5]].T", {4, 2, 6, 3, 5}, 0},
	    {VF_U16, 2, 20000, 8, 8, "[:, [5,6,7,0,1,3,2,4]].T", {5, 6, 7, 0, 1, 3, 2, 4}, 0},
	    {VF_U8, 1, 3001, 64, 64, ".roll(5,1).T", {0}, 5},
	    {VF_F32, 4, 2048, 64, 64, ".roll(1,1).T", {0}, 1},
	    {VF_U16, 2, 1777, 100, 100, ".roll(-3,1).T", {0}, 97},
	};
	fill_source();
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		const ordered *c = &cases[k];
		const int64_t shape[] = {(int64_t)c->pixels, (int64_t)c->channels};
		check(c->text, c->dtype, 2, shape, expect_ordered(c));
	}
}

/* Pixels of eight to planes, rolled: both parts are taken apart whole, not a plane of each at a time. */
TEST(planes_of_parts_are_not_taken_one_by_one)
{
	vf_machine on = streaming();
	on.piece_bytes = 24 << 10, on.staged_bytes = 16 << 10;
	expect_on(&on, 1, 2,
	          MOVES({0, 0, 95872, 3, LOOPS({32, 100352, 100352}, {8, 12544, 1}, {560, 1, 8}), {0}},
	                {0, 560, 0, 3, LOOPS({32, 100352, 100352}, {8, 12544, 1}, {11984, 1, 8}), {0}}),
	          "root: units 0 to 16\n"
	          "  loop 16(200704)\n"
	          "    deinterleave: source 0+95872 -> dst+0, unit 1 | 2(100352,100352) 560(1,8) 8(12544,1)\n"
	          "root: units 16 to 912\n"
	          "  loop 32(100352)\n"
	          "    loop 28(428)\n"
	          "      deinterleave (stream): source 0+0 -> dst+560, unit 1 | 428(1,8) 8(12544,1)\n");
}

/* Read once: planes in their order there, backwards or by offsets, or of pixels that go backwards; many are
 * rows of a transposition. Of pixels of which one is left out in between each plane is gathered. */
TEST(planes_in_any_order_are_read_once)
{
	const vf_machine on = streaming();
	expect_on(&on, 1, 1, MOVES({0, 0, 2, 2, LOOPS({3, 50000, -1}, {50000, 1, 3}), {0}}),
	          "root: units 0 to 40\n"
	          "  loop 40(1250)\n"
	          "    deinterleave (stream): source 0+0 -> dst+100000, unit 1 | 1250(1,3) "
	          "3(-50000,1)\n");
	expect_on(&on, 1, 1, MOVES({0, 0, 149997, 2, LOOPS({3, 50000, 1}, {50000, 1, -3}), {0}}),
	          "root: units 0 to 40\n"
	          "  loop 40(1250)\n"
	          "    deinterleave (stream): source 0+149997 -> dst+0, unit 1 | 1250(1,-3) 3(50000,1)\n");
	expect_on(&on, 1, 2,
	          MOVES({0, 0, 1, 2, LOOPS({2, 50000, 1}, {50000, 1, 3}), {0}},
	                {0, 100000, 0, 1, LOOPS({50000, 1, 3}), {0}}),
	          "root: units 0 to 40\n"
	          "  loop 40(1250)\n"
	          "    deinterleave (stream): source 0+0 -> dst+0, unit 1 | 1250(1,3) "
	          "3(50000,table)\n");
	expect_on(&on, 4, 2,
	          MOVES({0, 0, 60, 2, LOOPS({4, 1000, 1}, {1000, 1, 64}), {0}},
	                {0, 4000, 0, 2, LOOPS({60, 1000, 1}, {1000, 1, 64}), {0}}),
	          "root: units 0 to 32\n"
	          "  loop 32(128)\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 | 64(4000,4) 32|8(4,256); 1000 by 64 "
	          "units in blocks of 32 by 64, carried\n");
}

/* Pictures with margins that go on in a mirror. */
typedef struct margins {
	vf_dtype dtype;
	size_t bytes, pictures, rows, columns, margin;
	const char *text;
} margins;

static size_t mirrored(size_t at, size_t margin, size_t n)
{
	return at < margin ? margin - at : at - margin < n ? at - margin : 2 * n + margin - 2 - at;
}

static size_t expect_margins(const margins *c)
{
	const size_t row = c->columns + 2 * c->margin, picture = row * (c->rows + 2 * c->margin);
	for (size_t k = 0; k < c->pictures * picture; k++) {
		const size_t y = mirrored(k % picture / row, c->margin, c->rows);
		const size_t x = mirrored(k % row, c->margin, c->columns);
		const size_t from = (k / picture * c->rows + y) * c->columns + x;
		memcpy(expected + k * c->bytes, source + from * c->bytes, c->bytes);
	}
	return c->pictures * picture * c->bytes;
}

TEST(margins_are_their_elements)
{
	static const margins cases[] = {
	    {VF_U8, 1, 3, 150, 117, 1, "pad([1,1,1,1], mode='reflect')"},
	    {VF_U16, 2, 3, 90, 117, 3, "pad([3,3,3,3], mode='reflect')"},
	    {VF_F32, 4, 2, 101, 64, 8, "pad([8,8,8,8], mode='reflect')"},
	    {VF_F32, 4, 20, 28, 28, 3, "pad([3,3,3,3], mode='reflect')"},
	    {VF_F64, 8, 3, 61, 73, 4, "pad([4,4,4,4], mode='reflect')"},
	};
	fill_source();
	weaves = true;
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		const margins *c = &cases[k];
		const int64_t shape[] = {(int64_t)c->pictures, (int64_t)c->rows, (int64_t)c->columns};
		check(c->text, c->dtype, 3, shape, expect_margins(c));
	}
	weaves = false;
}

/* Pictures, channels last, whose planes have each column `times` times. */
typedef struct repeats {
	vf_dtype dtype;
	size_t bytes, pictures, rows, columns, channels, times;
	const char *text;
} repeats;

static size_t expect_repeats(const repeats *c)
{
	const size_t row = c->columns * c->times, all = c->pictures * c->channels * c->rows * row;
	for (size_t k = 0; k < all; k++) {
		const size_t x = k % row / c->times, y = k / row % c->rows, plane = k / row / c->rows;
		const size_t picture = plane / c->channels, channel = plane % c->channels;
		const size_t from = ((picture * c->rows + y) * c->columns + x) * c->channels + channel;
		memcpy(expected + k * c->bytes, source + from * c->bytes, c->bytes);
	}
	return all * c->bytes;
}

TEST(repeats_are_their_elements)
{
	static const repeats cases[] = {
	    {VF_U8, 1, 3, 60, 64, 32, 2, "permute(0,3,1,2).repeat_interleave(2,3)"},
	    {VF_U16, 2, 3, 36, 40, 24, 3, "permute(0,3,1,2).repeat_interleave(3,3)"},
	    {VF_F32, 4, 3, 30, 30, 16, 3, "permute(0,3,1,2).repeat_interleave(3,3)"},
	    {VF_F32, 4, 2, 30, 36, 16, 4, "permute(0,3,1,2).repeat_interleave(4,3)"},
	    {VF_F64, 8, 2, 30, 36, 24, 2, "permute(0,3,1,2).repeat_interleave(2,3)"},
	    {VF_F32, 4, 2, 30, 30, 16, 5, "permute(0,3,1,2).repeat_interleave(5,3)"},
	    {VF_U8, 1, 2, 60, 30, 16, 7, "permute(0,3,1,2).repeat_interleave(7,3)"},
	    {VF_U16, 2, 1, 1, 1024, 96, 3, "permute(0,3,1,2).repeat_interleave(3,3)"},
	    {VF_U16, 2, 1, 7, 513, 32, 3, "permute(0,3,1,2).repeat_interleave(3,3)"},
	};
	fill_source();
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		const repeats *c = &cases[k];
		const int64_t shape[] = {(int64_t)c->pictures, (int64_t)c->rows, (int64_t)c->columns,
		                         (int64_t)c->channels};
		check(c->text, c->dtype, 4, shape, expect_repeats(c));
	}
}

/* Planes hold what windows read once; every second one is a row of a call, others are one run. Windows of few
 * wide units, and short rows of them, are transposed as they are; those of up to a line are put together of a
 * few runs. */
TEST(planes_hold_each_unit_once)
{
	const vf_machine on = streaming();
	const vf_move *steps = MOVES(
	    {0, 0, 0, 5, LOOPS({10, 12672, 128}, {22, 576, 2}, {64, 9, 768}, {3, 3, 64}, {3, 1, 1}), {0}});
	const vf_move *bytes = MOVES(
	    {0, 0, 0, 5, LOOPS({10, 4320, 32}, {30, 144, 1}, {16, 9, 384}, {3, 3, 32}, {3, 1, 1}), {0}});
	const vf_move *few = MOVES(
	    {0, 0, 0, 5, LOOPS({10, 810, 32}, {30, 27, 1}, {3, 9, 384}, {3, 3, 32}, {3, 1, 1}), {0}});
	expect_on(&on, 2, 1, steps,
	          "root: units 0 to 10\n"
	          "  loop 10(25344) staged 25344|25344 bytes at +0, windows of 3 units of 2 bytes\n"
	          "    transpose: source 0+0 -> dst+0, unit 2 | 45(384,2) 192(2,128); 192 by 45 "
	          "units in blocks of 192 by 45, stored\n");
	expect_on(&on, 1, 1, bytes,
	          "root: units 0 to 1\n"
	          "  loop 1(43200) staged 43200|43200 bytes at +0, windows of 3 units of 1 bytes\n"
	          "    transpose: source 0+0 -> dst+0, unit 1 | 320(48,1) 48(1,32); 48 by 320 units "
	          "in blocks of 48 by 320, stored\n");
	expect_on(&on, 4, 1, bytes,
	          "root: units 0 to 10\n"
	          "  loop 10(17280)\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 | 30(576,4) 144(4,4); 144 by 30 units "
	          "in blocks of 144 by 30, joined\n");
	vf_machine pairs = on;
	pairs.cpu.pairs = true; /* rows of windows are near, not many rows of the source far apart */
	expect_on(&pairs, 4, 1, bytes,
	          "root: units 0 to 10\n"
	          "  loop 10(17280)\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 | 30(576,4) 144(4,4); 144 by 30 units "
	          "in blocks of 144 by 30, joined\n");
	const vf_move *last = MOVES(
	    {0, 0, 0, 4, LOOPS({10, 8640, 512}, {960, 9, 1}, {3, 3, 512}, {3, 1, 16}), {0}});
	expect_on(&on, 4, 1, last,
	          "root: units 0 to 10\n"
	          "  loop 10(34560) staged 34560|34560 bytes at +0, windows of 3 units of 4 bytes\n"
	          "    interleave: source 0+0 -> dst+0, unit 4 | 992(12,4) 3(4,2048)\n");
	expect_on(&on, 1, 1, few,
	          "root: units 0 to 1\n"
	          "  loop 1(8100) staged 8100|8100 bytes at +0, whole windows of 27 bytes, of 3 planes\n"
	          "    interleave: source 0+0 -> dst+0, unit 1 10(288,32) | 3(96,384) 32(3,1) 3(1,32)\n");
	expect_on(&on, 4, 1, few,
	          "root: units 0 to 10\n"
	          "  loop 10(3240)\n"
	          "    transpose: source 0+0 -> dst+0, unit 4 | 30(108,4) 27(4,4); 27 by 30 units "
	          "in blocks of 27 by 30, joined\n");
}

/* Of one channel, and of a few, where lines are woven: in rows of as many windows as a spool holds the runs
 * of. */
TEST(windows_of_few_channels_are_woven)
{
	vf_machine on = weaving_machine();
	on.stream_bytes = 1, on.chunk_bytes = 4000;
	expect_on(&on, 1, 1,
	          MOVES({0, 0, 0, 4, LOOPS({2000, 7500, 304}, {300, 25, 1}, {5, 5, 304}, {5, 1, 1}), {0}}),
	          "root: units 0 to 6000\n"
	          "  loop 2000(7500)\n"
	          "    loop 3(3000) woven, 1 times 3000|1500 bytes at +0 in rows of 1500, of 1 boxes each\n"
	          "      weave: source 0+0 -> dst+0, unit 25 120|60(25,1) [0 1 2 3 4 1+0 1+1 1+2 1+3 1+4 2+0 "
	          "2+1 2+2 2+3 2+4 3+0 3+1 3+2 3+3 3+4 4+0 4+1 4+2 4+3 4+4] of 1\n");
	expect_on(
	    &on, 4, 1,
	    MOVES({0, 0, 0, 4, LOOPS({2000, 2700, 304}, {300, 9, 1}, {3, 3, 304}, {3, 1, 1}), {0}}),
	    "root: units 0 to 8000\n"
	    "  loop 2000(10800)\n"
	    "    loop 4(3528) woven, 1 times 3528|216 bytes at +0 in rows of 504, of 1 boxes each\n"
	    "      weave: source 0+0 -> dst+0, unit 36 98|6(36,4) [0 1 2 3 4 5 6 7 8 9 10 11 1+0 1+1 1+2 1+3 "
	    "1+4 1+5 1+6 1+7 1+8 1+9 1+10 1+11 2+0 2+1 2+2 2+3 2+4 2+5 2+6 2+7 2+8 2+9 2+10 2+11] of 4\n");
	expect_on(&on, 4, 1,
	          MOVES({0,
	                 0,
	                 0,
	                 5,
	                 LOOPS({2000, 8100, 304}, {300, 27, 1}, {3, 9, 20000}, {3, 3, 304}, {3, 1, 1}),
	                 {0}}),
	          "root: units 0 to 22000\n"
	          "  loop 2000(32400)\n"
	          "    loop 11(3024) woven, 1 times 3024|2160 bytes at +0 in rows of 1512, of 1 boxes each\n"
	          "      weave: source 0+0 -> dst+0, unit 12 28|20(108,4) 3(36,80000) 3(12,1216)\n");
	expect_on(&on, 1, 1, MOVES({0, 0, 0, 2, LOOPS({800000, 9, 1}, {9, 1, 1}), {0}}),
	          "root: units 0 to 2041\n"
	          "  loop 2041(3528) woven, 1 times 3528|2880 bytes at +0 in rows of 504, of 1 boxes each\n"
	          "    weave: source 0+0 -> dst+0, unit 9 392|320(9,1)\n");
	expect_on(&on, 1, 1, MOVES({0, 0, 0, 2, LOOPS({800000, 3, 1}, {3, 1, 1}), {0}}),
	          "root: units 0 to 625\n"
	          "  loop 625(3840)\n"
	          "    gather (stream): source 0+0 -> dst+0, unit 3 | 1280(3,1)\n");
}

/* The same of what repeats: one piece of dst, or rows of several. */
TEST(stages_hold_each_unit_once)
{
	const vf_machine on = streaming();
	const vf_loop *loops = LOOPS({3, 152064, 38016}, {24, 6336, 1}, {36, 176, 1056}, {44, 4, 24},
	                             {4, 1, 0});
	const vf_move *piece = MOVES({0, 0, 0, 5, loops, {0}});
	const vf_move *rows = MOVES({0, 0, 0, 3, LOOPS({96, 3072, 1}, {1024, 3, 96}, {3, 1, 0}), {0}});
	expect_on(&on, 1, 1, piece,
	          "root: units 0 to 3\n"
	          "  loop 3(152064) staged 38016|38016 bytes at +0, repeats of 4 units of 1 bytes\n"
	          "    deinterleave: source 0+0 -> dst+0, unit 1 | 1584(1,24) 24(1584,1)\n");
	const vf_loop *five = LOOPS({3, 190080, 38016}, {24, 7920, 1}, {36, 220, 1056}, {44, 5, 24},
	                            {5, 1, 0});
	expect_on(&on, 4, 1, MOVES({0, 0, 0, 5, five, {0}}),
	          "root: units 0 to 9\n"
	          "  loop 3(760320)\n"
	          "    loop 3(10560) staged 2112|2112 bytes at +0, 24 times (6336,2368), repeats of "
	          "5 units of 4 bytes\n"
	          "      transpose: source 0+0 -> dst+0, unit 4 | 24(2368,4) 528(4,96); 528 by 24 "
	          "units in blocks of 528 by 24, stored\n");
	expect_on(&on, 2, 1, rows,
	          "root: units 0 to 4\n"
	          "  loop 2(294912)\n"
	          "    loop 2(3072) staged 1024|1024 bytes at +0, 48 times (2048,1216), repeats of 3 "
	          "units of 2 bytes\n"
	          "      transpose: source 0+0 -> dst+0, unit 2 | 48(1216,2) 512(2,192); 512 by 48 units "
	          "in blocks of 512 by 48, stored\n");
}

/* Packed on the way it would be a row at a time: those of dst come twice. Long ones are, and go on evenly. */
TEST(stages_hold_short_rows_that_repeat)
{
	vf_machine on = streaming();
	on.cpu.pairs = true;
	on.piece_bytes = 24 << 10, on.staged_bytes = 16 << 10;
	expect_on(&on, 4, 1,
	          MOVES({0,
	                 0,
	                 0,
	                 6,
	                 LOOPS({8, 1048576, 262144}, {512, 2048, 1}, {32, 64, 8192}, {2, 32, 0}, {16, 2, 512},
	                       {2, 1, 0}),
	                 {0}}),
	          "root: units 0 to 256\n"
	          "  loop 8(4194304)\n"
	          "    loop 8(524288)\n"
	          "      loop 4(2048) staged 1024|1024 bytes at +0, 64 times (4096,1216), repeats of 2 units "
	          "of 4 bytes\n"
	          "        transpose: source 0+0 -> dst+0, unit 4 2(38912,128) | 32(1216,4) 256(4,2048); "
	          "256 by 64 units in blocks of 256 by 32, stored\n");
}

/* Nor is a piece that computes planned twice, because the leaf that reads it writes wider elements apart. */
TEST(what_computes_is_one_piece)
{
	const int64_t shape[] = {96, 256};
	vf_context *context = vf_context_create(NULL);
	context->cache->machine = streaming();
	vf_array *x = vf_wrap(context, source, VF_F16, 2, shape, NULL), *y = vf_apply(x, "T.to(f32)");
	char *plan = vf_phase_text(y, "plan"), *first = strstr(plan, "root: units 0 to ");
	assert_non_null(first);
	assert_null(strstr(first + 1, "root: "));
	assert_null(strstr(plan, "windows"));
	vf_text_free(context, plan);
	vf_release(y);
	vf_release(x);
	vf_context_release(context);
}

/* Products next to INT64_MAX, and steps and tables that were as many as the indices of a loop. */
TEST(declared_arrays_of_any_size_are_planned)
{
	static const struct {
		vf_dtype dtype;
		int rank;
		int64_t shape[3];
		const char *expression;
	} rows[] = {
	    {VF_U8, 2, {INT64_C(28000000000000000), 64}, "x.unfold(0, 3, 7)"},
	    {VF_F64, 2, {INT64_C(502590090685511), 100}, "x.unfold(1, 3, 1).permute(2, 1, 0)"},
	    {VF_U8, 3, {INT64_C(1000000000039), 14, 64}, "x.unfold(0, 3, 1).unfold(1, 3, 1)"},
	    {VF_C128, 3, {7, 7, INT64_C(5559060566555523)}, "cat([x, x[..., ::-2]], -1).T"},
	    {VF_U8, 2, {INT64_C(1000000000000000), 4096}, "x.T.pad([0, 1], value=1)"},
	};
	vf_context *context = vf_context_create(NULL);
	context->cache->machine = streaming();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		vf_array *x = vf_declare(context, rows[i].dtype, rows[i].rank, rows[i].shape, NULL);
		vf_array *y = vf_eval(context, rows[i].expression, 1, (const char *[]){"x"}, &x);
		char *plan = vf_phase_text(y, "plan");
		if (!plan)
			fail_msg("%s: %s", rows[i].expression, vf_error_text(context));
		vf_text_free(context, plan);
		vf_release(y);
		vf_release(x);
	}
	vf_context_release(context);
}

int main(void)
{
	return test_all(open_context, close_context);
}
