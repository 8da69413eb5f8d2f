/* test_expr_limits.c -- where the limits of expressions lie, and what vf_eval() and its like are given. */
#include "expr/composed.h"
#include "expr_world.h"
#include "test.h"

#include <stdio.h>

/* ---- limits ---- */

static char *repeated(const char *head, const char *part, int times, const char *tail)
{
	size_t length = strlen(part);
	char *text = malloc(strlen(head) + length * (size_t)times + strlen(tail) + 1);
	assert_non_null(text);
	strcpy(text, head);
	char *end = text + strlen(head);
	for (int i = 0; i < times; i++, end += length)
		memcpy(end, part, length);
	strcpy(end, tail);
	return text;
}

static void expect_status(world *v, char *text, vf_status wanted)
{
	vf_array *a = world_eval(v, text);
	assert_string_equal(vf_status_name(vf_error_code(v->ctx)), vf_status_name(wanted));
	assert_int_equal(a == NULL, wanted != VF_OK);
	vf_release(a);
	vf_error_clear(v->ctx);
	free(text);
}

TEST(depth_and_length_are_bounded)
{
	world v = world_open(NULL);
	expect_status(&v, repeated("y", "[None][0]", 500, ""), VF_OK);
	expect_status(&v, repeated("y[", "-", VF_EXPR_MAX_DEPTH - 2, "0]"), VF_OK);
	expect_status(&v, repeated("", "(", VF_EXPR_MAX_DEPTH + 1, "x"), VF_ERR_LIMIT);
	expect_status(&v, repeated("x", "[", 100000, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "[", 100000, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "flip(", 100000, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "-", 100000, "1"), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "2**", 100000, "1"), VF_ERR_LIMIT);
	expect_status(&v, repeated("x", " ", VF_EXPR_MAX_BYTES - 1, ""), VF_OK);
	expect_status(&v, repeated("x", " ", VF_EXPR_MAX_BYTES, ""), VF_ERR_LIMIT);
	expect_status(&v, repeated("", "a", VF_EXPR_MAX_BYTES - 1, ""), VF_ERR_NAME);
	expect_status(&v, repeated("y[", "9", 100000, "]"), VF_ERR_OVERFLOW);
	expect_status(&v, repeated("x.flip(", "k=1,", 1000, ")"), VF_ERR_LIMIT);
	world_close(&v);
}

/* ---- the arguments of vf_eval() and vf_apply() ---- */

static void expect_eval_status(vf_context *ctx, int n, const char *const *array_names,
                               vf_array *const *arrays, vf_status wanted)
{
	vf_array *a = vf_eval(ctx, "x", n, array_names, arrays);
	assert_int_equal(vf_error_code(ctx), wanted);
	assert_null(a);
	vf_error_clear(ctx);
}

TEST(bad_arguments)
{
	world v = world_open(NULL), other = world_open(NULL);
	vf_array *x = v.arrays[0], *foreign = other.arrays[0];
	expect_eval_status(v.ctx, -1, world_names, v.arrays, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, NULL, v.arrays, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, world_names, NULL, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){NULL}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){""}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){"1x"}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, (const char *[]){"None"}, &x, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 2, (const char *[]){"x", "x"}, (vf_array *[]){x, x}, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 1, world_names, &foreign, VF_ERR_ARGUMENT);
	expect_eval_status(v.ctx, 2, world_names, (vf_array *[]){x, NULL}, VF_OK); /* NULL in, NULL out */
	expect_eval_status(v.ctx, 0, NULL, NULL, VF_ERR_NAME);
	assert_null(vf_eval(v.ctx, NULL, 0, NULL, NULL));
	assert_int_equal(vf_error_code(v.ctx), VF_ERR_ARGUMENT);
	vf_error_clear(v.ctx);
	assert_null(vf_apply(x, NULL));
	assert_int_equal(vf_error_code(v.ctx), VF_ERR_ARGUMENT);
	vf_error_clear(v.ctx);
	assert_null(vf_apply(NULL, "T"));
	assert_null(vf_eval(NULL, "x", 0, NULL, NULL));
	world_close(&v);
	world_close(&other);
}

static void expect_parts_error(world *v, const char *chain, const char *sentence)
{
	vf_array *part = NULL;
	assert_int_equal(vf_apply_parts(v->arrays[0], chain, 1, &part), -1);
	assert_null(part);
	assert_string_equal(vf_error_text(v->ctx), sentence);
	vf_error_clear(v->ctx);
}

TEST(parts_of_a_chain)
{
	world v = world_open(NULL);
	vf_array *x = v.arrays[0], *none = NULL, *parts[3] = {NULL}; /* x: f32[2,3,4,6] */
	assert_int_equal(vf_apply_parts(x, "unbind(1)", 0, NULL), 3);
	assert_int_equal(vf_apply_parts(x, "unbind(1)", 2, parts), 3);
	assert_null(parts[0]);
	assert_int_equal(vf_apply_parts(x, "unbind(1)", 3, parts), 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(vf_rank(parts[i]), 3);
		vf_release(parts[i]);
	}
	assert_int_equal(vf_apply_parts(x, "[:0].unbind()", 1, &none), 0);
	assert_int_equal(vf_error_code(v.ctx), VF_OK);
	expect_parts_error(&v, "T", "expression:1: the result is an array, not a list of arrays");
	expect_parts_error(&v, "shape", "expression:1: item 0 of the result is an integer, not an array");
	expect_parts_error(&v, "split(1, 4)", "expression:1: split: axis 4 of an array of rank 4");
	expect_parts_error(&v, "split(1) x", "expression:10: expected an operation or the end, found 'x'");
	expect_parts_error(&v, NULL, "expression: NULL");
	assert_int_equal(vf_apply_parts(NULL, "unbind()", 0, NULL), -1);
	world_close(&v);
}

static void expect_no_parts(const world *v, const vf_names *names, const char *text, const char *sentence)
{
	vf_array *part = NULL;
	assert_int_equal(vf_eval_parts(v->ctx, text, names, 1, &part), -1);
	assert_null(part);
	assert_string_equal(vf_error_text(v->ctx), sentence);
	vf_error_clear(v->ctx);
}

TEST(parts_of_an_expression)
{
	world v = world_open(NULL);
	const vf_names names = {1, (const char *const[]){"x"}, v.arrays},
		       none = {1, (const char *const[]){"x"}, NULL};
	vf_array *parts[3] = {NULL};
	assert_int_equal(vf_eval_parts(v.ctx, "x.unbind(1)", &names, 0, NULL), 3);
	assert_int_equal(vf_eval_parts(v.ctx, "[x.T, x]", &names, 1, parts), 2);
	assert_null(parts[0]);
	assert_int_equal(vf_eval_parts(v.ctx, "(x.T, x, x.shape[0] % [x][0])", &names, 3, parts), -1);
	vf_error_clear(v.ctx);
	assert_int_equal(vf_eval_parts(v.ctx, "(x.T, x)", &names, 3, parts), 2);
	assert_ptr_equal(parts[1], v.arrays[0]);
	assert_int_equal(vf_shape(parts[0])[0], 6);
	vf_release(parts[0]);
	vf_release(parts[1]);
	expect_no_parts(&v, &names, "x.T", "expression:3: the result is an array, not a list of arrays");
	expect_no_parts(&v, &names, "[x, 1]",
	                "expression:1: item 1 of the result is an integer, not an array");
	expect_no_parts(&v, &names, NULL, "expression: NULL");
	expect_no_parts(&v, &none, "x", "expression: 1 arrays, but no names or no arrays");
	assert_int_equal(vf_eval_parts(v.ctx, "[x]", NULL, 3, parts), -1);
	assert_int_equal(vf_eval_parts(NULL, "[x]", &names, 3, parts), -1);
	world_close(&v);
}

static void expect_no_number(const world *v, const char *text, vf_dtype dtype, vf_status status,
                             const char *sentence)
{
	unsigned char out[2] = {7, 7};
	assert_int_equal(vf_eval_number(v->ctx, text, dtype, out), status);
	assert_int_equal(out[0], 7);
	assert_string_equal(vf_error_text(v->ctx), sentence);
	vf_error_clear(v->ctx);
}

TEST(numbers_as_elements)
{
	world v = world_open(NULL);
	float single = 0, pair[2] = {0};
	int64_t whole = 0;
	uint16_t half = 0;
	unsigned char opaque[40], zero[40] = {0};
	memset(opaque, 9, sizeof opaque);
	assert_int_equal(vf_eval_number(v.ctx, "-1.5e3", VF_F32, &single), VF_OK);
	assert_true(single == -1500.0f);
	assert_int_equal(vf_eval_number(v.ctx, " -9223372036854775808 ", VF_I64, &whole), VF_OK);
	assert_true(whole == INT64_MIN);
	assert_int_equal(vf_eval_number(v.ctx, "1/4", VF_F16, &half), VF_OK);
	assert_int_equal(half, 0x3400);
	assert_int_equal(vf_eval_number(v.ctx, "1+2j", VF_C64, pair), VF_OK);
	assert_true(pair[0] == 1 && pair[1] == 2);
	assert_int_equal(vf_eval_number(v.ctx, "0", VF_OPAQUE(40), opaque), VF_OK);
	assert_memory_equal(opaque, zero, sizeof zero);
	expect_no_number(&v, "300", VF_U8, VF_ERR_DTYPE, "expression:1: value: 300 does not fit u8");
	expect_no_number(&v, "x", VF_U8, VF_ERR_NAME, "expression:1: no array named 'x' (there are none)");
	expect_no_number(&v, "[1]", VF_U8, VF_ERR_SYNTAX,
	                 "expression:1: the result is a list of 1 item, not a number");
	expect_no_number(&v, "1 2", VF_U8, VF_ERR_SYNTAX,
	                 "expression:3: expected an operation or the end, found '2'");
	expect_no_number(&v, NULL, VF_U8, VF_ERR_ARGUMENT, "number: NULL");
	expect_no_number(&v, "1", 0, VF_ERR_DTYPE, "number: 0 is no element type");
	assert_int_equal(vf_eval_number(NULL, "1", VF_U8, opaque), VF_ERR_ARGUMENT);
	assert_int_equal(vf_dtype_named("torch.half, ", 10), VF_F16);
	assert_int_equal(vf_dtype_named("bytes12", 7), VF_OPAQUE(12));
	assert_int_equal(vf_dtype_named("q32", 3), 0);
	assert_int_equal(vf_dtype_named(NULL, 3), 0);
	world_close(&v);
}

/* An array's name goes before namespaces, constants and types; calls are never arrays. */
TEST(names_of_arrays_go_first)
{
	static const char *const odd[] = {"torch", "F", "u8", "inf", "flip"};
	static const char *const texts[] = {"torch.T", "F.T", "u8.T", "inf.T", "flip(flip, []).T"};
	world v = world_open(NULL);
	char got[256], wanted[256];
	world_describe(&v, world_eval(&v, "x.T"), wanted, sizeof wanted);
	for (int i = 0; i < 5; i++) {
		vf_array *a = vf_eval(v.ctx, texts[i], 1, &odd[i], &v.arrays[0]);
		world_describe(&v, a, got, sizeof got);
		assert_string_equal(got, wanted);
	}
	world_close(&v);
}

TEST(a_kept_error_stays_the_first)
{
	world v = world_open(NULL);
	assert_null(world_eval(&v, "x.premute()"));
	assert_null(world_eval(&v, "x.flip(9)"));
	assert_int_equal(vf_error_code(v.ctx), VF_ERR_NAME);
	vf_array *a = world_eval(&v, "x.T");
	assert_non_null(a);
	vf_release(a);
	world_close(&v);
}

TEST(every_row_is_known)
{
	world v = world_open(NULL);
	int n;
	const vf_op *rows = vf_op_table(&n);
	assert_true(n > 40);
	for (int i = 0; i < n; i++) {
		char text[256];
		if (!vf_lexer_is_name(rows[i].name, strlen(rows[i].name)))
			continue;
		snprintf(text, sizeof text, "%s(x)", rows[i].name);
		vf_release(world_eval(&v, text));
		assert_int_not_equal(vf_error_code(v.ctx), VF_ERR_NAME);
		vf_error_clear(v.ctx);
	}
	world_close(&v);
}
