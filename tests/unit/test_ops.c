/* test_ops.c -- the list of operations against every other list that names them.
 *
 * A hole in one of them is a failure that tells the list and the operation.
 */
#include "chains.h"
#include "op_forms.h"
#include "oracle.h"
#include "table.h"
#include "test.h"

#include <inttypes.h>
#include <stdio.h>

enum { TEXT = 1024 };

static bool is_listed(const char *name)
{
	for (int k = 0; k < VF_OP_COUNT; k++)
		if (strcmp(op_names[k].name, name) == 0)
			return true;
	return false;
}

/* ---- what is told ---- */

TEST(every_operation_is_told_of)
{
	vf_op_info op;
	assert_int_equal(vf_op_count(), VF_OP_COUNT);
	assert_false(vf_op_get_info(-1, &op));
	assert_false(vf_op_get_info(VF_OP_COUNT, &op));
	for (int k = 0; k < VF_OP_COUNT; k++) {
		assert_true(vf_op_get_info(k, &op));
		assert_string_equal(op.name, op_names[k].name);
		const char *texts[] = {op.meaning, op.map, op.torch, op.example, op.input, op.result};
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			if (!texts[i] || !*texts[i])
				fail_msg("%s: text %zu of its row in ops.def is missing", op.name, i);
		assert_int_equal(op.gives_list, op_names[k].form == OP_LIST);
		assert_int_equal(op.takes_list, vf_op_row((vf_op_id)k)->operands == VF_OPERAND_MANY);
		assert_true(strlen(op.parameters) + 1 < sizeof op.parameters);
		assert_true(strchr(op.meaning, '\0')[-1] == '.' && strchr(op.map, '\0')[-1] == '.');
	}
}

TEST(names_and_aliases_are_unique)
{
	for (int k = 0; k < VF_OP_COUNT; k++) {
		const vf_op *op = vf_op_row((vf_op_id)k);
		assert_ptr_equal(vf_op_find(op->name, strlen(op->name)), op);
		for (const char *alias = op->aliases; alias && *alias;) {
			size_t length = strcspn(alias, " ");
			if (vf_op_find(alias, length) != op)
				fail_msg("%.*s is another operation than %s", (int)length, alias, op->name);
			alias += length + strspn(alias + length, " ");
		}
	}
}

/* The declaration in the public header, which no table can make. */
TEST(every_operation_is_declared)
{
	static char header[1 << 20];
	FILE *f = fopen(VF_TEST_DIR "/../include/viewfold.h", "r");
	assert_non_null(f);
	header[fread(header, 1, sizeof header - 1, f)] = 0;
	fclose(f);
	for (int k = 0; k < VF_OP_COUNT; k++) {
		char call[64];
		const char *name = op_names[k].name;
		snprintf(call, sizeof call, "vf_%s(vf_array *a",
		         strcmp(name, "index_select") == 0 ? "take" : name);
		if (strcmp(name, "[]") == 0)
			continue; /* in expressions only */
		if (op_names[k].form == OP_JOIN)
			snprintf(call, sizeof call, "vf_%s(int n, vf_array *const *arrays", name);
		if (!strstr(header, call))
			fail_msg("viewfold.h does not declare %s", call);
	}
}

/* ---- examples ---- */

typedef struct text {
	char bytes[TEXT];
	size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	int n = vsnprintf(t->bytes + t->length, TEXT - t->length, format, values);
	va_end(values);
	t->length += (size_t)n;
	assert_true(t->length < TEXT);
}

/* Nested lists of i32, as Python prints them. */
static void put_elements(text *t, const vf_array *a, int axis, int64_t *index)
{
	int32_t value;
	if (axis == vf_rank(a)) {
		assert_int_equal(vf_get(a, index, &value), VF_OK);
		put(t, "%" PRId32, value);
		return;
	}
	put(t, "[");
	for (int64_t i = 0; i < vf_shape(a)[axis]; i++) {
		put(t, "%s", i ? ", " : "");
		index[axis] = i;
		put_elements(t, a, axis + 1, index);
	}
	put(t, "]");
}

static void put_array(text *t, const vf_array *a, bool elements)
{
	int64_t index[VF_MAX_RANK];
	char name[16];
	if (elements) {
		assert_int_equal(vf_dtype_of(a), VF_I32);
		put_elements(t, a, 0, index);
		return;
	}
	put(t, "%s[", vf_dtype_name(vf_dtype_of(a), name, sizeof name));
	for (int i = 0; i < vf_rank(a); i++)
		put(t, i ? ",%" PRId64 : "%" PRId64, vf_shape(a)[i]);
	put(t, "]");
}

/* x=i32[2,3] y=i32[2]: over memory that counts up. */
static int make_inputs(vf_context *ctx, const char *input, int32_t *memory, const char **names,
                       vf_array **arrays)
{
	static char letters[2][2] = {"x", "y"};
	table_leaf leaves[TABLE_ARRAYS];
	char declarations[TEXT];
	snprintf(declarations, sizeof declarations, "%s", input);
	int n = 0;
	for (char *at = strtok(declarations, " "); at; at = strtok(NULL, " "), n++) {
		assert_true(n < 2 && at[0] == letters[n][0] && at[1] == '=');
		assert_int_equal(table_leaves(at + 2, leaves), 1);
		names[n] = letters[n];
		arrays[n] = vf_wrap(ctx, memory, leaves[0].dtype, leaves[0].rank, leaves[0].shape, NULL);
		assert_non_null(arrays[n]);
	}
	return n;
}

static void run_example(vf_context *ctx, const vf_op_info *op, text *t)
{
	int32_t memory[64];
	const char *names[2];
	vf_array *arrays[2], *parts[8];
	bool elements = op->result[0] == '[';
	for (int i = 0; i < 64; i++)
		memory[i] = i;
	int n = make_inputs(ctx, op->input, memory, names, arrays), nparts = 1;
	if (op->gives_list)
		nparts = vf_apply_parts(arrays[0], op->example + 1, 8, parts);
	else
		parts[0] = vf_eval(ctx, op->example, n, names, arrays);
	if (nparts < 0 || !parts[0])
		fail_msg("%s: %s", op->example, vf_error_text(ctx));
	for (int i = 0; i < nparts; i++) {
		put(t, "%s", i ? ", " : "");
		put_array(t, parts[i], elements);
		vf_release(parts[i]);
	}
	for (int i = 0; i < n; i++)
		vf_release(arrays[i]);
}

TEST(every_example_gives_its_result)
{
	vf_context *ctx = vf_context_create(NULL);
	for (int k = 0; k < VF_OP_COUNT; k++) {
		vf_op_info op;
		text t = {.length = 0};
		assert_true(vf_op_get_info(k, &op));
		run_example(ctx, &op, &t);
		if (strcmp(t.bytes, op.result) != 0)
			fail_msg("%s of %s is %s, not %s", op.example, op.input, t.bytes, op.result);
		if (strcmp(op.name, "[]") != 0 && !strstr(op.example, op.written))
			fail_msg("%s: its example %s is another's", op.name, op.example);
	}
	vf_context_release(ctx);
}

/* ---- the tests' own lists ---- */

TEST(the_oracle_has_a_rule_for_each)
{
	int n;
	const oracle_op *rules = oracle_table(&n);
	for (int k = 0; k < VF_OP_COUNT; k++)
		if (op_names[k].form != OP_ELEMENT && !oracle_find(op_names[k].name))
			fail_msg("%s has no rule in tests/support/oracle_ops.def", op_names[k].name);
	for (int k = 0; k < n; k++)
		if (!is_listed(rules[k].name))
			fail_msg("%s has a rule in tests/support/oracle_ops.def, but no row in ops.def",
			         rules[k].name);
}

/* Random chains have each of them in time, print it, and the library reads what is printed. */
TEST(chains_have_each)
{
	int n;
	const chain_maker *makers = chain_makers(&n);
	for (int k = 0; k < VF_OP_COUNT; k++) {
		/* chains_make.c joins by itself */
		bool found = op_names[k].form == OP_JOIN || op_names[k].form == OP_ELEMENT;
		for (int i = 0; i < n; i++)
			found = found || strcmp(makers[i].op, op_names[k].name) == 0;
		if (!found)
			fail_msg("%s has no maker in tests/support/chains_ops.c", op_names[k].name);
	}
	for (int i = 0; i < n; i++)
		if (!is_listed(makers[i].op))
			fail_msg("%s has a maker in tests/support/chains_ops.c, but no row in ops.def",
			         makers[i].op);
}

static void see_op(void *user, const oracle_call *call)
{
	bool *seen = user;
	for (int k = 0; k < VF_OP_COUNT; k++)
		seen[k] = seen[k] || strcmp(op_names[k].name, call->op) == 0;
}

TEST(each_comes_up_in_random_chains)
{
	bool seen[VF_OP_COUNT] = {false};
	const chain_taste taste = {.most_ops = 12, .elements = 400, .several = true};
	char printed[CHAIN_TEXT];
	for (uint64_t number = 0; number < 3000; number++) {
		chain c;
		chain_make(&c, 7, number, &taste);
		chain_each_op(c.root, see_op, seen);
		assert_non_null(chain_text(c.root, printed));
		chain_drop(&c);
	}
	for (int k = 0; k < VF_OP_COUNT; k++)
		if (!seen[k] && op_names[k].form != OP_ELEMENT)
			fail_msg("%s did not come up in 3,000 random chains", op_names[k].name);
}
