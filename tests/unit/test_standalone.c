/* test_standalone.c -- vf_standalone(): what a caller says reaches comments and one name, nothing else. */
#include "viewfold.h"
#include "test.h"

typedef struct world {
	vf_context *ctx;
	vf_array *x, *y; /* y: x.T */
} world;

static int setup(void **state)
{
	static world w;
	w.ctx = vf_context_create(NULL);
	w.x = vf_declare(w.ctx, VF_F32, 2, (int64_t[]){4, 6}, NULL);
	w.y = vf_apply(w.x, "T");
	*state = &w;
	return w.ctx && w.x && w.y ? 0 : -1;
}

static int teardown(void **state)
{
	world *w = *state;
	vf_release(w->y);
	vf_release(w->x);
	vf_context_release(w->ctx);
	return 0;
}

TEST_WITH(a_name_is_a_name, setup, teardown)
{
	world *w = *state;
	static const char *const bad[] = {
	    "",    "1st",      "a-b",
	    "a b", "vf_copy",  "vf_step_1",
	    "a*/", "\xc3\xa4", "a123456789012345678901234567890123456789012345678901234567890123"};
	for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
		assert_null(vf_standalone(w->y, (&(vf_standalone_options){.name = bad[k]})));
		assert_int_equal(vf_error_code(w->ctx), VF_ERR_ARGUMENT);
		assert_non_null(strstr(vf_error_text(w->ctx), "name"));
		vf_error_clear(w->ctx);
	}
	char *text = vf_standalone(w->y, (&(vf_standalone_options){.name = "_Turn_2"}));
	assert_non_null(
	    strstr(text, "\nvoid _Turn_2(void *dst, const void *const src[], void *scratch, long long begin, "
	                 "long long end)\n{\n"));
	assert_non_null(strstr(text, "#define _Turn_2_UNITS 1LL\n"));
	assert_non_null(strstr(text, "#define _Turn_2_SCRATCH_BYTES 0LL\n"));
	assert_non_null(strstr(text, "#define _Turn_2_OUT_BYTES 96LL\n"));
	vf_text_free(w->ctx, text);
}

/* Of what comes before the first line of code, the comment ends where it is to end. */
static void check_comment(const char *text)
{
	const char *code = strstr(text, "\n#");
	assert_memory_equal(text, "/* ", 3);
	assert_ptr_equal(strstr(text, "*/") + 2, code);
	const char *second = strstr(text + 2, "/*");
	assert_true(!second || second > code);
}

TEST_WITH(words_stay_in_the_comment, setup, teardown)
{
	world *w = *state;
	assert_int_equal(vf_set_name(w->x, "x*/y/*z"), VF_OK);
	for (int header = 0; header < 2; header++) {
		vf_standalone_options options = {.expression = "x.T */ int a; /* b */\nint c; // \\\nd",
		                                 .header = header};
		char *text = vf_standalone(w->y, &options);
		assert_non_null(text);
		check_comment(text);
		assert_null(strstr(text, "\nint c"));
		vf_text_free(w->ctx, text);
	}
}

TEST_WITH(a_header_is_what_the_text_declares, setup, teardown)
{
	world *w = *state;
	char *text = vf_standalone(w->y, (&(vf_standalone_options){.name = "turn"}));
	char *header = vf_standalone(w->y, (&(vf_standalone_options){.name = "turn", .header = 1}));
	const char *declared = strstr(header, "#define turn_UNITS"), *end = strstr(declared, "#endif\n");
	char both[800];
	assert_non_null(end);
	end = strstr(end, ");\n") + 3;
	assert_true((size_t)(end - declared) < sizeof both);
	memcpy(both, declared, (size_t)(end - declared));
	both[end - declared] = '\0';
	assert_non_null(strstr(text, both));
	vf_text_free(w->ctx, text);
	vf_text_free(w->ctx, header);
}

TEST_WITH(options_of_another_header, setup, teardown)
{
	world *w = *state;
	struct {
		vf_standalone_options options;
		int newer;
	} newer;
	memset(&newer, 0, sizeof newer);
	newer.options.name = "turn";
	char *text = vf_standalone_sized(w->y, &newer.options, sizeof newer);
	assert_non_null(strstr(text, "void turn("));
	vf_text_free(w->ctx, text);
	memset(&newer.newer, 1, sizeof newer.newer);
	assert_null(vf_standalone_sized(w->y, &newer.options, sizeof newer));
	assert_int_equal(vf_error_code(w->ctx), VF_ERR_ARGUMENT);
	vf_error_clear(w->ctx);
	text = vf_standalone_sized(w->y, &newer.options, sizeof newer.options.name);
	assert_non_null(strstr(text, "void turn("));
	vf_text_free(w->ctx, text);
	assert_null(vf_standalone(NULL, NULL));
}
