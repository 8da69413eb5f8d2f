/* test_beside.c -- what computes past the cache and reads columns, or rows with others between them: the
 * plan, and every element, at every place in a pair of lines, of a machine whose lines leave by pairs.
 */
#include "plan_world.h"

#include "core/half.h"

enum { MOST = 1 << 20 };

static float x[MOST], m[MOST], want[MOST];
static _Alignas(PAIR) unsigned char room[MOST * sizeof(float) + ROOM];

typedef struct example {
	const char *text, *plan;
	int64_t shape[4]; /* of x; the axes of the result are those of x by `order` */
	int order[4];
} example;

/* x of other axes, less m. */
static size_t expect_less(const example *e, int64_t *shape)
{
	int64_t steps[4] = {e->shape[1] * e->shape[2] * e->shape[3], e->shape[2] * e->shape[3], e->shape[3],
	                    1};
	int64_t size = 1;
	for (int k = 0; k < 4; k++)
		shape[k] = e->shape[e->order[k]], size *= shape[k];
	assert_true(size <= MOST);
	for (int64_t i = 0; i < size; i++) {
		int64_t at = 0, rest = i;
		for (int k = 3; k >= 0; k--) {
			at += rest % shape[k] * steps[e->order[k]];
			rest /= shape[k];
		}
		want[i] = x[at] - m[i];
	}
	return (size_t)size * sizeof(float);
}

static vf_machine pairing(int64_t stream_bytes)
{
	vf_machine on = machine;
	on.stream_bytes = stream_bytes, on.lines = on.wide = on.cpu.pairs = true;
	return on;
}

/* A chain of x and m, and what its plan has, or, if it `lacks` that, has not. */
typedef struct chain {
	const char *text, *plan;
	bool lacks;
	const int64_t *of_x, *of_m;
	int rank; /* of m */
	int64_t stream_bytes;
} chain;

static void expect_chain(const chain *c, const char *variant, const void *wanted, size_t bytes)
{
	vf_context *context = open_variant(variant, pairing(c->stream_bytes));
	if (!context)
		return;
	vf_array *in[] = {vf_wrap(context, x, VF_F32, 4, c->of_x, NULL),
	                  vf_wrap(context, m, VF_F32, c->rank, c->of_m, NULL)};
	vf_array *y = vf_eval(context, c->text, 2, (const char *[]){"x", "m"}, in);
	char *plan = vf_phase_text(y, "plan");
	if ((strstr(plan, c->plan) == NULL) != c->lacks)
		fail_msg("%s: %s \"%s\" in\n%s", c->text, c->lacks ? "a" : "no", c->plan, plan);
	expect_bytes(y, room, wanted, bytes, 28, c->text);
	vf_text_free(context, plan);
	vf_release(y);
	vf_release(in[0]);
	vf_release(in[1]);
	vf_context_release(context);
}

static void check(const example *e, const char *variant)
{
	int64_t shape[4];
	const size_t n = expect_less(e, shape);
	const chain c = {e->text, e->plan, false, e->shape, shape, 4, 1};
	expect_chain(&c, variant, want, n);
}

TEST(elements_are_where_they_were_read)
{
	static const example examples[] = {
	    {"x.transpose(2, 3) - m", "64|36(1024,4) 256(4,400)", {1, 2, 256, 100}, {0, 1, 3, 2}},
	    {"x.transpose(2, 3) - m", "apply (stream)", {1, 1, 301, 83}, {0, 1, 3, 2}},
	    {"x.permute(0, 3, 1, 2) - m", "apply (stream)", {1, 17, 19, 71}, {0, 3, 1, 2}},
	    {"x.permute(0, 3, 2, 1) - m", "apply (stream)", {1, 160, 5, 64}, {0, 3, 2, 1}},
	    {"x.permute(0, 2, 1, 3) - m", "3(30720,320) | 32(320,960) 80(4,4)", {2, 96, 3, 80}, {0, 2, 1, 3}},
	    {"x.permute(0, 2, 1, 3) - m", "64(4,4), rows by 3(256,768)", {2, 96, 3, 64}, {0, 2, 1, 3}},
	    {"x.permute(0, 2, 1, 3) - m", "64(4,4), rows by 7(256,1792)", {2, 71, 7, 64}, {0, 2, 1, 3}},
	    {"x.permute(0, 2, 1, 3) - m", "| 11(132,528) 33(4,4)", {1, 99, 4, 33}, {0, 2, 1, 3}},
	    {"x.permute(0, 2, 1, 3) - m", "| 32(64,320) 16(4,4)", {2, 96, 5, 16}, {0, 2, 1, 3}},
	};
	for (int i = 0; i < MOST; i++)
		x[i] = (float)(i % 8191), m[i] = (float)(i % 127);
	for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
		for (size_t v = 0; v < 3; v++)
			check(&examples[k], (const char *[]){"plain", "avx2", "avx512"}[v]);
}

/* Rows of x from the last to the first of each plane, less m: short ones are units of a stage. */
TEST(short_rows_that_are_near_go_by_a_stage)
{
	enum { PLANES = 7, ROWS = 1301, SHORT = 3, LONG = 20 };
	static const struct {
		int64_t row;
		const char *plan;
	} cases[] = {{SHORT, "gather: source 0+15600 -> dst+0, unit 12"},
	             {LONG, "apply (stream): source 0+104000"}};
	for (int i = 0; i < MOST; i++)
		x[i] = (float)(i % 8191), m[i] = (float)(i % 127);
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		const int64_t row = cases[k].row, shape[] = {1, PLANES, ROWS, row};
		const chain c = {"x.flip(2) - m", cases[k].plan, false, shape, shape, 4, 1};
		for (int64_t i = 0; i < PLANES * ROWS * row; i++) {
			const int64_t at = i / row % ROWS;
			want[i] = x[i + (ROWS - 1 - 2 * at) * row] - m[i];
		}
		for (size_t v = 0; v < 3; v++)
			expect_chain(&c, (const char *[]){"plain", "avx2", "avx512"}[v], want,
			             (size_t)(PLANES * ROWS * row) * sizeof(float));
	}
}

/* What is done to an element, and how long it is then. */
typedef struct computing {
	size_t bytes;
	void (*compute)(unsigned char *out, float element);
} computing;

static void as_byte(unsigned char *out, float element)
{
	*out = (unsigned char)element;
}

static void as_half(unsigned char *out, float element)
{
	const uint16_t half = vf_float_half(element);
	memcpy(out, &half, sizeof half);
}

static void turned(unsigned char *out, float element)
{
	unsigned char bytes[sizeof element];
	memcpy(bytes, &element, sizeof element);
	for (size_t k = 0; k < sizeof element; k++)
		out[k] = bytes[sizeof element - 1 - k];
}

/* Elements that are computed as they are read; interpreted once, then compiled. */
static void check_computed(const example *e, const char *variant, int64_t stream_bytes, const computing *c)
{
	static unsigned char wanted[sizeof want];
	int64_t shape[4];
	const size_t n = expect_less(e, shape) / sizeof(float), bytes = n * c->bytes;
	vf_context *context = open_variant(variant, pairing(stream_bytes));
	if (!context)
		return;
	for (size_t i = 0; i < n; i++)
		c->compute(wanted + i * c->bytes, want[i]);
	vf_array *in = vf_wrap(context, x, VF_F32, 4, e->shape, NULL);
	vf_array *y = vf_eval(context, e->text, 1, (const char *[]){"x"}, (vf_array *[]){in});
	char *plan = vf_phase_text(y, "plan");
	if (!strstr(plan, e->plan))
		fail_msg("%s: no \"%s\" in\n%s", e->text, e->plan, plan);
	expect_bytes(y, room, wanted, bytes, 19, e->text);
	vf_text_free(context, plan);
	vf_release(y);
	vf_release(in);
	vf_context_release(context);
}

TEST(elements_that_become_shorter_are_computed_first)
{
	static const example examples[] = {
	    {"x.permute(0, 2, 3, 1).to('u8')", "-> a stage of", {2, 3, 71, 139}, {0, 2, 3, 1}},
	    {"x.permute(0, 2, 3, 1).to('u8')", "-> a stage of", {1, 4, 37, 800}, {0, 2, 3, 1}},
	    {"x.permute(0, 3, 1, 2).to('u8')", "-> a stage of", {2, 71, 139, 3}, {0, 3, 1, 2}},
	    {"x.permute(0, 3, 1, 2).to('u8')", "-> a stage of", {1, 333, 47, 5}, {0, 3, 1, 2}},
	};
	memset(m, 0, sizeof m);
	for (int i = 0; i < MOST; i++)
		x[i] = (float)(i % 251);
	for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
		for (size_t v = 0; v < 6; v++)
			check_computed(&examples[k], (const char *[]){"plain", "avx2", "avx512"}[v % 3],
			               v < 3 ? 1 : 1 << 30, &(computing){1, as_byte});
}

/* In registers, whose lines are shifted to where rows of dst begin. Of 359 rows 352 are whole lines. */
TEST(elements_are_computed_as_they_are_turned)
{
	static const computing ways[] = {{2, as_half}, {sizeof(float), turned}};
	static const example examples[] = {
	    {"x.transpose(2, 3).to('f16')", "1100 units", {1, 1, 70, 1100}, {0, 1, 3, 2}},
	    {"x.transpose(2, 3).to('f16')", "units in blocks", {1, 3, 97, 333}, {0, 1, 3, 2}},
	    {"x.permute(0, 3, 2, 1).to('f16')", "source 0+70400", {1, 47, 359, 50}, {0, 3, 2, 1}},
	    {"x.transpose(2, 3).byteswap()", "1100 units", {1, 1, 70, 1100}, {0, 1, 3, 2}},
	    {"x.transpose(2, 3).byteswap()", "units in blocks", {1, 3, 97, 333}, {0, 1, 3, 2}},
	    {"x.permute(0, 3, 2, 1).byteswap()", "source 0+70400", {1, 47, 359, 50}, {0, 3, 2, 1}},
	};
	for (int i = 0; i < MOST; i++)
		x[i] = (float)(i % 2039);
	for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
		for (size_t v = 0; v < 3; v++)
			check_computed(&examples[k], (const char *[]){"plain", "avx2", "avx512"}[v], 1,
			               &ways[k / 3]);
}

/* Planes less a value each, or less other planes, to pixels: are they computed before they are moved? */
typedef struct pixels {
	const char *text;
	vf_dtype dtype;
	int rank; /* of m */
	int64_t shape[4];
	bool first;
} pixels;

enum { PICTURES = 2, CHANNELS = 3, HEIGHT = 71, WIDTH = 139, PLANE = HEIGHT * WIDTH };

static size_t expect_pixels(const pixels *e, unsigned char *wanted)
{
	const size_t bytes = e->dtype == VF_U8 ? 1 : sizeof(float);
	const int64_t n = (int64_t)PICTURES * PLANE * CHANNELS;
	for (int64_t i = 0; i < n; i++) {
		const int64_t c = i % CHANNELS, at = i / CHANNELS % PLANE, picture = i / CHANNELS / PLANE;
		const float less = e->rank < 4 ? m[c] : m[i];
		const float one = x[(picture * CHANNELS + c) * PLANE + at] - less;
		if (bytes == 1)
			wanted[i] = (unsigned char)one;
		else
			memcpy(wanted + i * (int64_t)bytes, &one, bytes);
	}
	return (size_t)n * bytes;
}

static void check_pixels(const pixels *e, const char *variant, int64_t stream_bytes)
{
	static unsigned char wanted[sizeof want];
	const int64_t planes[] = {PICTURES, CHANNELS, HEIGHT, WIDTH};
	const size_t bytes = expect_pixels(e, wanted);
	const chain c = {e->text, "-> a stage of", !e->first, planes, e->shape, e->rank, stream_bytes};
	expect_chain(&c, variant, wanted, bytes);
}

/* Not where the second values lie as the pixels do, nor where nothing becomes shorter and planes stay. */
TEST(planes_with_second_values_are_computed_first)
{
	static const pixels examples[] = {
	    {"(x - m).permute(0, 2, 3, 1)", VF_F32, 3, {CHANNELS, 1, 1}, true},
	    {"x.permute(0, 2, 3, 1) - m", VF_F32, 1, {CHANNELS}, true},
	    {"(x.permute(0, 2, 3, 1) - m).to('u8')", VF_U8, 1, {CHANNELS}, true},
	    {"x.permute(0, 2, 3, 1) - m", VF_F32, 4, {PICTURES, HEIGHT, WIDTH, CHANNELS}, false},
	    {"(x.permute(0, 2, 3, 1) - m).to('u8')", VF_U8, 4, {PICTURES, HEIGHT, WIDTH, CHANNELS}, false},
	};
	for (int i = 0; i < MOST; i++)
		x[i] = (float)(i % 131 + 100), m[i] = (float)(i % 97);
	for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++)
		for (size_t v = 0; v < 6; v++)
			check_pixels(&examples[k], (const char *[]){"plain", "avx2", "avx512"}[v % 3],
			             v < 3 ? 1 : 1 << 30);
}

int main(void)
{
	return test_all(NULL, NULL);
}
