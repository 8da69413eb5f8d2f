/* test_elements.c -- element functions by the C functions: what they come to, where they are cut, what is
 * refused.
 *
 * Values bit by bit, and random chains: tests/py/test_elements.py.
 */
#include "viewfold.h"
#include "test.h"
#include "support/release.h"

enum { H = 4, W = 5, C = 3, N = H * W * C };

typedef struct world {
	vf_context *ctx;
	uint8_t pixels[N];
	float mean[C], std[C];
	vf_array *x, *m, *s;
} world;

static world open_world(void)
{
	world w = {.ctx = vf_context_create(NULL), .mean = {0.25f, 120.5f, 3}, .std = {0.5f, 3, 7}};
	assert_non_null(w.ctx);
	for (int i = 0; i < N; i++)
		w.pixels[i] = (uint8_t)(i * 37);
	return w;
}

/* Where the world stays. */
static void wrap(world *w)
{
	w->x = vf_wrap(w->ctx, w->pixels, VF_U8, 3, (int64_t[]){H, W, C}, NULL);
	w->m = vf_wrap(w->ctx, w->mean, VF_F32, 1, (int64_t[]){C}, NULL);
	w->s = vf_wrap(w->ctx, w->std, VF_F32, 1, (int64_t[]){C}, NULL);
	vf_set_name(w->x, "x");
	vf_set_name(w->m, "mean");
	vf_set_name(w->s, "std");
}

static void close_world(world *w)
{
	RELEASE(w->x, w->m, w->s);
	vf_context_release(w->ctx);
}

/* Give `a` back and keep what was made of it. */
static vf_array *then(vf_array *a, vf_array *made)
{
	vf_release(a);
	return made;
}

static vf_array *normalised(const world *w)
{
	vf_array *y = vf_to(w->x, VF_F32);
	y = then(y, vf_sub(y, w->m));
	y = then(y, vf_div(y, w->s));
	y = then(y, vf_permute(y, 3, (int[]){2, 0, 1}));
	assert_non_null(y);
	return y;
}

static float expected(const world *w, int c, int i)
{
	float x = (float)w->pixels[i * C + c] - w->mean[c];
	return x / w->std[c];
}

static void check_normalised(const world *w, const float *out)
{
	for (int c = 0; c < C; c++)
		for (int i = 0; i < H * W; i++) {
			float value = expected(w, c, i);
			assert_memory_equal(&out[c * H * W + i], &value, sizeof value);
		}
}

static void expect_text(vf_array *a, const char *formula)
{
	char *text = vf_map_text(a);
	assert_non_null(text);
	const char *found = strchr(text, '=');
	assert_string_equal(found ? found + 2 : "", formula);
	vf_text_free(vf_context_of(a), text);
}

static void expect_error(vf_context *ctx, vf_status status, const char *sentence)
{
	assert_string_equal(vf_error_text(ctx), sentence);
	assert_int_equal(vf_error_code(ctx), status);
	vf_error_clear(ctx);
}

TEST(a_picture_is_normalised)
{
	float out[N], one;
	world w = open_world();
	wrap(&w);
	vf_array *y = normalised(&w);
	assert_int_equal(vf_dtype_of(y), VF_F32);
	expect_text(y, "(f32(x) - mean) / std");
	char *source = vf_source(y, false);
	assert_non_null(strstr(source, "/* apply: (f32(x) - mean) / std */"));
	vf_text_free(w.ctx, source);
	assert_int_equal(vf_cuts(y), 0);
	assert_int_equal(vf_materialize(y, out, sizeof out), VF_OK);
	check_normalised(&w, out);
	assert_int_equal(vf_get(y, (int64_t[]){1, 2, -1}, &one), VF_OK);
	assert_true(one == expected(&w, 1, 2 * W + W - 1));
	assert_null(vf_data(y));
	assert_int_equal(vf_leaves(y, 0, NULL), 3);
	vf_release(y);
	close_world(&w);
}

TEST(kernels_take_other_buffers)
{
	float out[N], wide[2 * N];
	world w = open_world();
	w.x = vf_declare(w.ctx, VF_U8, 3, (int64_t[]){H, W, C}, NULL);
	w.m = vf_declare(w.ctx, VF_F32, 1, (int64_t[]){C}, NULL);
	w.s = vf_declare(w.ctx, VF_F32, 1, (int64_t[]){C}, NULL);
	vf_array *y = normalised(&w), *inputs[] = {w.s, w.x, w.m};
	const void *data[] = {w.std, w.pixels, w.mean};
	vf_kernel *k = vf_compile(y, 3, inputs);
	assert_non_null(k);
	assert_int_equal(vf_run(k, out, sizeof out, data), VF_OK);
	check_normalised(&w, out);
	vf_kernel_release(k);
	/* Every second element of a buffer, the last first. */
	vf_array *place = vf_wrap(w.ctx, wide, VF_F32, 1, (int64_t[]){2 * N}, NULL);
	place = then(place, vf_slice(place, 0, VF_NONE, VF_NONE, -2));
	place = then(place, vf_reshape(place, 3, (int64_t[]){C, H, W}));
	k = vf_compile_to(1, &place, &y, 3, inputs);
	assert_non_null(k);
	memset(wide, 0, sizeof wide);
	assert_int_equal(vf_run_to(k, (void *[]){wide}, data), VF_OK);
	for (int i = 0; i < N; i++) {
		assert_true(wide[2 * i] == 0);
		out[i] = wide[2 * N - 1 - 2 * i];
	}
	check_normalised(&w, out);
	vf_kernel_release(k);
	RELEASE(place, y);
	close_world(&w);
}

TEST(what_is_written_may_be_read)
{
	float values[6] = {0, 1, 2, 3, 4, 5};
	vf_context *ctx = vf_context_create(NULL);
	vf_array *x = vf_wrap(ctx, values, VF_F32, 1, (int64_t[]){6}, NULL);
	vf_array *y = vf_flip(x, 1, (int[]){0});
	y = then(y, vf_add_number(y, 0.5));
	assert_int_equal(vf_assign(x, y), VF_OK);
	for (int i = 0; i < 6; i++)
		assert_true(values[i] == (float)(5 - i) + 0.5f);
	RELEASE(y, x);
	vf_context_release(ctx);
}

TEST(what_joins_exactly)
{
	static const struct {
		const char *chain, *formula;
	} rows[] = {
	    {"to(f32).to(u8)", ""},
	    {"to(f32).to(f64)", "f64(x)"},
	    {"to(f16).to(f32)", "f32(x)"},
	    {"to(f32).to(i8)", "i8(f32(x))"}, /* which cuts off at 127, where i8(x) wraps */
	    {"to(i16).to(i8)", "i8(x)"},
	    {"to(i8).to(f32)", "f32(i8(x))"},
	    {"to(u16).byteswap().byteswap()", "u16(x)"},
	    {"byteswap()", ""},
	    {"to(u16).byteswap().to(f32)", "f32(byteswap(u16(x)))"},
	    {"to(f32).to(f32).to(c64).to(f32)", "f32(x)"},
	    {"add(1).add(1)", "x + 1 + 1"},
	    {"mul(0.1).rsub(1).rdiv(2)", "2 / (1 - f32(x) * 0.1)"},
	};
	world w = open_world();
	wrap(&w);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		vf_array *y = vf_apply(w.x, rows[i].chain);
		assert_non_null(y);
		expect_text(y, rows[i].formula);
		vf_release(y);
	}
	close_world(&w);
}

TEST(where_it_is_cut)
{
	static const struct {
		const char *expression;
		int cuts;
	} rows[] = {
	    {"(x.float() / 255).pad([0, 0, 1, 1, 1, 1], value=0.5).permute(2, 0, 1)", 0},
	    {"cat([x.float(), x.float() / 255, x.float().flip(0) / 255])", 0},
	    {"(x.float() / 255).contiguous()[::-1].unfold(0, 2, 1).reshape(-1)", 0},
	    {"(x.float() - mean) / (mean * 2)", 1},
	    {"(x.float() / 255).view(i32)", 1},
	    {"(x.float() / 255).permute(2, 0, 1).as_strided((2, 2), (1, 3))", 1},
	    {"cat([x.float(), x.float() / 255]) + 1", 0},
	    {"cat([x.float(), x.float() / 255]) * cat([x.float(), x.float() / 255])", 2},
	    {"cat([x.float() / 255, x.float()]).to(f16)", 0},
	    {"x.float().pad([1, 1]) / 255", 1},
	    {"x + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1", 0},
	    {"x + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1", 1},
	};
	static float out[8 * N];
	const char *names[] = {"x", "mean"};
	world w = open_world();
	wrap(&w);
	vf_array *arrays[] = {w.x, w.m};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		vf_array *y = vf_eval(w.ctx, rows[i].expression, 2, names, arrays);
		if (!y)
			fail_msg("%s: %s", rows[i].expression, vf_error_text(w.ctx));
		if (vf_cuts(y) != rows[i].cuts)
			fail_msg("%s: %d cuts, not %d", rows[i].expression, vf_cuts(y), rows[i].cuts);
		assert_true(vf_size_bytes(y) <= (int64_t)sizeof out);
		assert_int_equal(vf_materialize(y, out, (size_t)vf_size_bytes(y)), VF_OK);
		vf_release(y);
	}
	close_world(&w);
}

TEST(what_is_refused)
{
	const float value = 1;
	world w = open_world();
	wrap(&w);
	vf_array *y = normalised(&w), *part = vf_narrow(y, 0, 1, 1);
	assert_int_equal(vf_fill(part, &value), VF_ERR_WRITE);
	expect_error(w.ctx, VF_ERR_WRITE,
	             "fill: the destination is computed, or a view of what is; it has no place");
	assert_int_equal(vf_set(y, (int64_t[]){0, 0, 0}, &value), VF_ERR_WRITE);
	expect_error(w.ctx, VF_ERR_WRITE, "set: element 0 has no place that can be written");
	vf_array *inputs[] = {w.x, w.m, w.s};
	assert_null(vf_compile_to(1, &part, &part, 3, inputs));
	expect_error(w.ctx, VF_ERR_WRITE,
	             "compile_to: the destination is computed, or a view of what is; it has no place");
	vf_array *turned = vf_permute(y, 3, (int[]){1, 2, 0});
	assert_int_equal(vf_assign(w.x, turned), VF_ERR_DTYPE);
	expect_error(w.ctx, VF_ERR_DTYPE, "assign: the source is f32, the destination u8");
	assert_null(vf_compile_to(1, &w.x, &turned, 3, inputs));
	expect_error(w.ctx, VF_ERR_DTYPE, "compile_to: the source is f32, the destination u8");
	assert_null(vf_add_number(w.x, 300));
	expect_error(w.ctx, VF_ERR_DTYPE, "value: 300 does not fit u8");
	assert_null(vf_mul_number(w.x, 0.5));
	expect_error(w.ctx, VF_ERR_DTYPE,
	             "mul: 0.5 is no number for elements of u8; convert them with vf_to()");
	assert_null(vf_clamp(y, NULL, NULL));
	expect_error(w.ctx, VF_ERR_ARGUMENT, "clamp: neither min nor max is given");
	assert_null(vf_add(y, w.s));
	expect_error(w.ctx, VF_ERR_SHAPE, "add: shapes (3, 4, 5) and (3,) do not stretch to each other");
	assert_null(vf_add(NULL, w.s));
	assert_null(vf_to(w.x, 99));
	expect_error(w.ctx, VF_ERR_DTYPE, "to: elements of none are only moved");
	RELEASE(turned, part, y);
	close_world(&w);
}

static void expect_loops(const char *text, const char *loops)
{
	vf_context *ctx = vf_context_create(NULL);
	vf_array *in[] = {vf_declare(ctx, VF_F32, 2, (int64_t[]){50, 64}, NULL),
	                  vf_declare(ctx, VF_F32, 2, (int64_t[]){50, 128}, NULL),
	                  vf_declare(ctx, VF_F32, 1, (int64_t[]){50}, NULL)};
	vf_array *a = vf_eval(ctx, text, 3, (const char *const[]){"x", "y", "m"}, in);
	char *plan = a ? vf_phase_text(a, "plan") : NULL;
	assert_non_null(plan);
	if (!strstr(plan, loops))
		fail_msg("%s: no \"%s\" in\n%s", text, loops, plan);
	vf_text_free(ctx, plan);
	RELEASE(a, in[0], in[1], in[2]);
	vf_context_release(ctx);
}

/* Of two operands that is computed that lies side by side, not what stretches over it; what must be brought
 * side by side before what lies so. */
TEST(which_operand_is_the_base)
{
	static const char as_it_lies[] = "apply: source 0+0 -> dst+0, unit 4 | 50(256,256) 64(4,4)";
	expect_loops("x - x[:, :1]", as_it_lies);
	expect_loops("x[:, -1:] - x", as_it_lies);
	expect_loops("m[:, None] / x", as_it_lies);
	expect_loops("x * (1 - m)[:, None]", as_it_lies);
	expect_loops("(1 - m)[:, None] * x", as_it_lies);
	expect_loops("x + y[:, ::2]", "gather: source 0+0 -> dst+0, unit 4 | 3200(4,8)");
	expect_loops("y[:, ::2] + x", "gather: source 0+0 -> dst+0, unit 4 | 3200(4,8)");
}

TEST(reach_and_boxes)
{
	int64_t low, high;
	vf_box boxes[4];
	world w = open_world();
	wrap(&w);
	vf_array *y = normalised(&w), *part = vf_narrow(y, 1, 1, 1);
	assert_int_equal(vf_reach(part, w.x, &low, &high), VF_OK);
	assert_int_equal(low, W * C);
	assert_int_equal(high, 2 * W * C);
	assert_int_equal(vf_reach(part, w.m, &low, &high), VF_OK);
	assert_int_equal(high - low, sizeof w.mean);
	assert_true(vf_boxes(y, NULL, NULL, w.x, VF_BOXES_BY_LEAF, 4, boxes) == 1);
	assert_true(boxes[0].elem_bytes == 1 && boxes[0].to_bytes == -1);
	RELEASE(part, y);
	close_world(&w);
}
