/* test_pieces.c -- pieces of several formulas that write rows in turn: which do, the plan, and every element
 * at many places in a pair of lines.
 */
#include "plan_world.h"

#include "support/release.h"

enum { PLANES = 7, ROWS = 333, MOST_COLUMNS = 300, MOST_PARTS = 3 };
enum { MOST = PLANES * ROWS * MOST_COLUMNS };

static float x[MOST], m[MOST], want[MOST * MOST_PARTS];
static _Alignas(PAIR) unsigned char room[sizeof want + ROOM];

static float twice(float one, float other)
{
	return one * 2 + 0 * other;
}

static float less(float one, float other)
{
	return one - other;
}

static float first(float one, float other)
{
	return one + 0 * other;
}

static float second(float one, float other)
{
	return 0 * one + other;
}

static float both(float one, float other)
{
	return one * 3 + other * 2;
}

/* Of x and m, f32[7,333,columns]: parts beside each other along the last axis, and what the plan has. */
typedef struct example {
	const char *text, *plan;
	int64_t columns;
	float (*parts[MOST_PARTS])(float, float);
} example;

static size_t expect_parts(const example *e)
{
	size_t n = 0;
	for (int64_t row = 0; row < PLANES * ROWS; row++)
		for (int k = 0; k < MOST_PARTS && e->parts[k]; k++)
			for (int64_t i = row * e->columns; i < (row + 1) * e->columns; i++)
				want[n++] = e->parts[k](x[i], m[i]);
	return n * sizeof *want;
}

static vf_machine streaming(bool wide)
{
	vf_machine on = machine_of(16 << 10, 16 << 10);
	on.stream_bytes = 1, on.lines = true, on.wide = wide;
	return on;
}

static void check(const example *e, const char *variant, bool wide)
{
	vf_context *context = open_variant(variant, streaming(wide));
	if (!context)
		return;
	const int64_t shape[] = {PLANES, ROWS, e->columns};
	vf_array *in[] = {vf_wrap(context, x, VF_F32, 3, shape, NULL),
	                  vf_wrap(context, m, VF_F32, 3, shape, NULL)};
	vf_array *y = vf_eval(context, e->text, 2, (const char *[]){"x", "m"}, in);
	char *plan = vf_phase_text(y, "plan");
	assert_non_null(plan);
	if (!strstr(plan, e->plan))
		fail_msg("%s: no \"%s\" in\n%s", e->text, e->plan, plan);
	expect_bytes(y, room, want, expect_parts(e), 28, e->text);
	vf_text_free(context, plan);
	RELEASE(y, in[0], in[1]);
	vf_context_release(context);
}

static void check_all(size_t n, const example *examples, bool wide)
{
	for (int i = 0; i < MOST; i++)
		x[i] = (float)(i % 8191), m[i] = (float)(i % 127);
	for (size_t k = 0; k < n; k++)
		for (size_t v = 0; v < 3; v++)
			check(&examples[k], (const char *[]){"plain", "avx2", "avx512"}[v], wide);
}

#define CHECK_ALL(examples, wide) check_all(sizeof(examples) / sizeof *(examples), examples, wide)

TEST(rows_that_are_lines_go_in_turn)
{
	static const example examples[] = {
	    {"cat([x * 2, x - m], -1)",
	     "dst+0, unit 4 | 111(128,64) 16(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+64, unit 4 | 111(128,64) 16(4,4)",
	     16,
	     {twice, less}},
	    {"cat([x * 2, x * 3 + m * 2], -1)",
	     "dst+0, unit 4 | 60|51(256,128) 32(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+128, unit 4 | 60|51(256,128) 32(4,4)",
	     32,
	     {twice, both}},
	    {"cat([x - m, x * 2, x - m], -1)",
	     "dst+0, unit 4 21(576,192) | 2(384,0) 48(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+192, unit 4 | 21(576,192) 48(4,4)",
	     48,
	     {less, twice, less}},
	};
	CHECK_ALL(examples, true);
}

TEST(other_rows_go_by_a_stage)
{
	static const example examples[] = {
	    {"cat([x * 2, x - m], -1)",
	     "dst+0, unit 4 | 63(168,84) 21(4,4)\n    "
	     "apply: source 0+0 -> dst+84, unit 4 | 63(168,84) 21(4,4)",
	     21,
	     {twice, less}},
	    {"cat([x * 3 + m * 2, m, x * 2], -1)",
	     "dst+0, unit 4 | 32|27(480,160) 40(4,4)\n    "
	     "copy: source 0+0 -> dst+160, unit 1 | 32|27(480,160) 160(1,1)\n    "
	     "apply: source 1+0 -> dst+320, unit 4 | 32|27(480,160) 40(4,4)",
	     40,
	     {both, second, twice}},
	    {"cat([m, x * 2, x - m], -1)",
	     "copy: source 0+0 -> dst+0, unit 1 | 16|11(960,320) 320(1,1)\n    "
	     "apply: source 1+0 -> dst+320, unit 4 | 16|11(960,320) 80(4,4)\n    "
	     "apply: source 1+0 -> dst+640, unit 4 | 16|11(960,320) 80(4,4)",
	     80,
	     {second, twice, less}},
	    {"cat([x * 2, x - m], -1)", "dst+20, unit 4 | 333(40,20) 5(4,4)", 5, {twice, less}},
	};
	CHECK_ALL(examples, true);
}

/* Where both read the same lines, and these are rows of a line at least. */
TEST(one_formula_goes_with_what_is_moved)
{
	static const example examples[] = {
	    {"cat([x, x * 2], -1)",
	     "copy: source 0+0 -> dst+0, unit 1 | 63(168,84) 84(1,1)\n    "
	     "apply: source 0+0 -> dst+84",
	     21,
	     {first, twice}},
	    {"cat([x, x * 2], -1)", "333(80,40) 40(1,1)\nroot: units 7 to 10", 10, {first, twice}},
	};
	CHECK_ALL(examples, true);
}

/* One formula, rows of one element, rows of more than 1 KiB. */
TEST(other_pieces_go_by_themselves)
{
	static const example examples[] = {
	    {"cat([x * 2, m], -1)", "467|463(128,64) 16(4,4)\nroot: units 5 to 15", 16, {twice, second}},
	    {"cat([x * 2, x - m], -1)", "2331(8,4)\nroot: units 1 to 2", 1, {twice, less}},
	    {"cat([x * 2, x - m], -1)", "300(4,4)\nroot: units 65 to 130", 300, {twice, less}},
	};
	CHECK_ALL(examples, true);
}

/* Only where a formula puts x aside do lines gain. */
TEST(narrow_registers_gain_where_much_is_computed)
{
	static const example examples[] = {
	    {"cat([x * 2, x - m], -1)", "467|463(128,64) 16(4,4)\nroot: units 5 to 10", 16, {twice, less}},
	    {"cat([x * 2, x - m], -1)",
	     "dst+0, unit 4 | 63(168,84) 21(4,4)\n    "
	     "apply: source 0+0 -> dst+84, unit 4 | 63(168,84) 21(4,4)",
	     21,
	     {twice, less}},
	    {"cat([x * 2, x * 3 + m * 2], -1)",
	     "dst+0, unit 4 | 60|51(256,128) 32(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+128, unit 4 | 60|51(256,128) 32(4,4)",
	     32,
	     {twice, both}},
	};
	CHECK_ALL(examples, false);
}

int main(void)
{
	return test_all(NULL, NULL);
}
