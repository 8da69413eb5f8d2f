/* test_phases.c -- vf_phase_text(): every phase between an array and its code says what it made. */
#include "viewfold.h"
#include "test.h"

static vf_context *ctx;

static int set_up(void **state)
{
	ctx = vf_context_create(NULL);
	return ctx ? 0 : -1;
}

static int tear_down(void **state)
{
	vf_context_release(ctx);
	return 0;
}

static vf_array *eval(const char *expression)
{
	vf_array *x = vf_declare(ctx, VF_U16, 2, (int64_t[]){4, 6}, NULL);

	vf_array *y = vf_eval(ctx, expression, 1, (const char *[]){"x"}, &x);
	assert_non_null(y);
	vf_release(x);
	return y;
}

static void has(const char *expression, const char *phase, const char *part)
{
	vf_array *y = eval(expression);
	char *text = vf_phase_text(y, phase);
	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("%s, phase %s: no \"%s\" in\n%s", expression, phase, part, text);
	vf_text_free(ctx, text);
	vf_release(y);
}

TEST_WITH(a_stage_says_what_it_made, set_up, tear_down)
{
	has("x.T[::2]", "fold", "(3,4):(2,6)+0\n    folded");
	has("x.T[::2]", "job", "job: 1 moves of 1 sources, in elements of 2 bytes\n  source 0+0 -> dst+0:");
	has("x.T[::2]", "normal",
	    "normal: 1 pieces of 1 sources, in bytes\n  source 0+0 -> dst+0, runs of 2: "
	    "3(8,4) 4(2,12)\n");
	has("x.T[::2]", "choice", "choice: units of ");
	has("x.T[::2]", "plan", "root: units 0 to ");
	has("x.T[::2]", "c", "vf_kernel(");
}

TEST_WITH(fills_formulas_and_tables_are_said, set_up, tear_down)
{
	has("x.pad([1, 0], value=257)", "job", "  0x0101 -> dst+0:");
	has("x.to('f32') / 255", "job", ", computed: 2 terms of 0 operands, u16 to f32\n");
	has("x.to('f32') / 255", "normal", " -> dst+0, computed:");
	has("x.T.reshape(3, 8).T", "job", "job: 1 moves of 1 sources, in elements of 2 bytes\n");
}

TEST_WITH(a_name_that_is_none_is_refused, set_up, tear_down)
{
	vf_array *y = eval("x");
	assert_null(vf_phase_text(y, "jobs"));
	assert_int_equal(vf_error_code(ctx), VF_ERR_ARGUMENT);
	assert_string_equal(vf_error_text(ctx),
	                    "phase_text: 'jobs' is none of fold, job, normal, choice, plan, c");
	vf_error_clear(ctx);
	assert_null(vf_phase_text(y, NULL));
	vf_error_clear(ctx);
	assert_null(vf_phase_text(NULL, "job"));
	vf_release(y);
}

/* The two items of the list that an expression of x comes to. */
static void eval_two(const char *list, vf_array *out[2])
{
	vf_array *x = vf_declare(ctx, VF_U16, 2, (int64_t[]){300, 301}, NULL);
	assert_int_equal(vf_set_name(x, "x"), VF_OK);
	assert_int_equal(vf_eval_parts(ctx, list, &(vf_names){1, (const char *[]){"x"}, &x}, 2, out), 2);
	vf_release(x);
}

static void tells(char *text, const char *part)
{
	assert_non_null(text);
	if (!strstr(text, part))
		fail_msg("no \"%s\" in\n%s", part, text);
	vf_text_free(ctx, text);
}

TEST_WITH(several_arrays_are_one_kernel, set_up, tear_down)
{
	vf_array *cut[3] = {NULL}, *planes[3] = {NULL};
	eval_two("(x.T.reshape(300, 301).T, x[::-1])", cut);
	eval_two("(x[:, ::2][:, :100], x[:, 1::2][:, :100])", planes);
	tells(vf_explain_all(2, cut),
	      "\n%4 = x[::-1]\n    (300,301):(-301,1)+89999\n    folded\nresult 0: %3\n"
	      "axis 0: stride 1, contiguous would be 300\n");
	tells(vf_explain_all(2, cut),
	      "\nresult 1: %4\naxis 0: stride -301, contiguous would be 301\ncuts: 1\n");
	tells(vf_explain_all(2, cut), "\ncut 0: 180600 bytes of scratch\nstrategy: ");
	tells(vf_explain_all(2, cut), "\nresult 1:\nstrategy: copy ");
	tells(vf_explain_all(2, planes), "\ncuts: 0\nresults 0, 1, in one move:\nstrategy: ");
	tells(vf_dot_all(2, planes), "label=\"result 1\"];\n  n4 -> r1;\n");
	tells(vf_phase_text_all(2, planes, "fold"), "\nresult 1: %4\n");
	tells(vf_phase_text_all(2, planes, "job"), "job: 1 moves of 2 sources");
	assert_null(vf_explain_all(3, planes)); /* one is NULL */
	assert_null(vf_dot_all(0, planes));
	assert_int_equal(vf_error_code(ctx), VF_OK);
	for (int i = 0; i < 2; i++)
		vf_release(cut[i]), vf_release(planes[i]);
}

TEST_WITH(looking_compiles_nothing, set_up, tear_down)
{
	static const char *const phases[] = {"fold", "job", "normal", "choice", "plan", "c"};
	vf_array *y = eval("x.flip(0)");
	for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
		char *text = vf_phase_text(y, phases[i]);
		assert_non_null(text);
		vf_text_free(ctx, text);
	}
	vf_stats stats;
	vf_get_stats(ctx, &stats);
	assert_int_equal(stats.kernels_compiled, 0);
	assert_int_equal(stats.kernels_interpreted, 0);
	vf_release(y);
}
