/* test_pieces.c -- pieces of several formulas that write rows in turn: which do, the plan, and every element
 * at many places in a pair of lines.
 */
#include "plan_world.h"

#include "engine/cache.h"
#include "support/release.h"
#include "viewfold.h"

#include <string.h>

enum { PLANES = 7, ROWS = 33, MOST_COLUMNS = 300, MOST_PARTS = 3, PAIR = 128 };
enum { MOST = PLANES * ROWS * MOST_COLUMNS };

static float x[MOST], m[MOST], want[MOST * MOST_PARTS];
static _Alignas(PAIR) unsigned char room[sizeof want + 3 * PAIR];

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

/* Of x and m, f32[7,33,columns]: parts beside each other along the last axis, and what the plan has. */
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

/* NULL: the processor has none of the variant. */
static vf_context *open_variant(const char *variant, bool wide)
{
	vf_context *context = vf_context_create(&(vf_options){.variant = variant});
	if (!context)
		return NULL;
	context->cache->machine = machine_of(16 << 10, 16 << 10);
	context->cache->machine.stream_bytes = 1;
	context->cache->machine.lines = true, context->cache->machine.wide = wide;
	return context;
}

static void expect_bytes(const vf_array *y, size_t bytes, const char *text)
{
	for (size_t at = 0; at < PAIR; at += 12) {
		memset(room, 0xA5, bytes + 3 * PAIR);
		assert_int_equal(vf_materialize(y, room + at, bytes), VF_OK);
		if (memcmp(room + at, want, bytes) != 0)
			fail_msg("%s, %zu bytes into a line", text, at);
		for (size_t i = 0; i < bytes + 3 * PAIR; i++)
			assert_true((i >= at && i < at + bytes) || room[i] == 0xA5);
	}
}

static void check(const example *e, const char *variant, bool wide)
{
	vf_context *context = open_variant(variant, wide);
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
	expect_bytes(y, expect_parts(e), e->text);
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

TEST(rows_that_are_lines_go_in_turn)
{
	static const example examples[] = {
	    {"cat([x * 2, x - m], -1)",
	     "dst+0, unit 4 | 77(128,64) 16(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+64, unit 4 | 77(128,64) 16(4,4)",
	     16,
	     {twice, less}},
	    {"cat([x * 2, x * 3 + m * 2], -1)",
	     "dst+0, unit 4 | 33(256,128) 32(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+128, unit 4 | 33(256,128) 32(4,4)",
	     32,
	     {twice, both}},
	    {"cat([x - m, x * 2, x - m], -1)",
	     "dst+0, unit 4 21(576,192) | 2(384,0) 48(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+192, unit 4 | 21(576,192) 48(4,4)",
	     48,
	     {less, twice, less}},
	};
	check_all(sizeof examples / sizeof *examples, examples, true);
}

TEST(other_rows_go_by_a_stage)
{
	static const example examples[] = {
	    {"cat([x * 2, x - m], -1)",
	     "dst+0, unit 4 | 77(168,84) 21(4,4)\n    "
	     "apply: source 0+0 -> dst+84, unit 4 | 77(168,84) 21(4,4)",
	     21,
	     {twice, less}},
	    {"cat([x * 3 + m * 2, m, x * 2], -1)",
	     "dst+0, unit 4 | 21(480,160) 40(4,4)\n    "
	     "copy: source 0+0 -> dst+160, unit 1 | 21(480,160) 160(1,1)\n    "
	     "apply: source 1+0 -> dst+320, unit 4 | 21(480,160) 40(4,4)",
	     40,
	     {both, second, twice}},
	    {"cat([m, x * 2, x - m], -1)",
	     "copy: source 0+0 -> dst+0, unit 1 | 11(960,320) 320(1,1)\n    "
	     "apply: source 1+0 -> dst+320, unit 4 | 11(960,320) 80(4,4)\n    "
	     "apply: source 1+0 -> dst+640, unit 4 | 11(960,320) 80(4,4)",
	     80,
	     {second, twice, less}},
	};
	check_all(sizeof examples / sizeof *examples, examples, true);
}

/* Where both read the same lines, and these are rows of a line at least. */
TEST(one_formula_goes_with_what_is_moved)
{
	static const example examples[] = {
	    {"cat([x, x * 2], -1)",
	     "copy: source 0+0 -> dst+0, unit 1 | 77(168,84) 84(1,1)\n    "
	     "apply: source 0+0 -> dst+84",
	     21,
	     {first, twice}},
	    {"cat([x, x * 2], -1)", "231(80,40) 40(1,1)\nroot: units 1 to 2", 10, {first, twice}},
	};
	check_all(sizeof examples / sizeof *examples, examples, true);
}

/* One formula, rows of three elements, rows of more than 1 KiB. */
TEST(other_pieces_go_by_themselves)
{
	static const example examples[] = {
	    {"cat([x * 2, m], -1)", "231(128,64) 16(4,4)\nroot: units 1 to 2", 16, {twice, second}},
	    {"cat([x * 2, x - m], -1)", "231(24,12) 3(4,4)\nroot: units 1 to 2", 3, {twice, less}},
	    {"cat([x * 2, x - m], -1)", "300(4,4)\nroot: units 9 to 18", 300, {twice, less}},
	};
	check_all(sizeof examples / sizeof *examples, examples, true);
}

/* Only where a formula puts x aside do lines gain. */
TEST(narrow_registers_gain_where_much_is_computed)
{
	static const example examples[] = {
	    {"cat([x * 2, x - m], -1)", "231(128,64) 16(4,4)\nroot: units 1 to 2", 16, {twice, less}},
	    {"cat([x * 2, x - m], -1)",
	     "dst+0, unit 4 | 77(168,84) 21(4,4)\n    "
	     "apply: source 0+0 -> dst+84, unit 4 | 77(168,84) 21(4,4)",
	     21,
	     {twice, less}},
	    {"cat([x * 2, x * 3 + m * 2], -1)",
	     "dst+0, unit 4 | 33(256,128) 32(4,4)\n    "
	     "apply (stream): source 0+0 -> dst+128, unit 4 | 33(256,128) 32(4,4)",
	     32,
	     {twice, both}},
	};
	check_all(sizeof examples / sizeof *examples, examples, false);
}

int main(void)
{
	return test_all(NULL, NULL);
}
