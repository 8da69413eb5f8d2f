/* eval.c -- see eval.h: from a text to arrays. */
#include "expr/eval.h"

#include "expr/expr.h"
#include "graph/fold.h"

#include <string.h>

static bool bad_name(vf_context *ctx, const char *name, const char *why)
{
	char quote[VF_QUOTE];
	vf_fail(ctx, VF_ERR_ARGUMENT, "expression: the array '%s' %s",
	        name ? vf_expr_quote(quote, name, strlen(name)) : "", why);
	return false;
}

/* Check array i of those that an expression may name. False if it is NULL (no new error) or cannot be
 * used. */
static bool check_array(vf_context *ctx, int i, const char *const *names, vf_array *const *arrays)
{
	const vf_expr before = {.narrays = i, .names = names, .arrays = arrays};
	vf_value ignored = {.at = 0};
	size_t length = names[i] ? strlen(names[i]) : 0;
	if (!arrays[i])
		return false;
	if (!vf_lexer_is_name(names[i], length) || vf_expr_keyword(names[i], length))
		return bad_name(ctx, names[i], "has no name that an expression could use");
	if (vf_context_of(arrays[i]) != ctx)
		return bad_name(ctx, names[i], "belongs to another context");
	if (vf_expr_array(&before, names[i], length, &ignored))
		return bad_name(ctx, names[i], "is given twice");
	return true;
}

static bool check_arrays(vf_context *ctx, const vf_names *over)
{
	if (over->n < 0 || (over->n > 0 && (!over->names || !over->arrays))) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "expression: %d arrays, but no names or no arrays", over->n);
		return false;
	}
	for (int i = 0; i < over->n; i++)
		if (!check_array(ctx, i, over->names, over->arrays))
			return false;
	return true;
}

static bool at_end(vf_expr *e)
{
	return e->token.kind == VF_TOKEN_END || vf_expr_expected(e, "an operation or the end");
}

static bool is_array(vf_expr *e, const vf_value *value)
{
	char found[VF_QUOTE];
	return value->kind == VF_VALUE_ARRAY ||
	       vf_expr_fail(e, VF_ERR_SYNTAX, value->at, "the result is %s, not an array%s",
	                    vf_value_describe(value, found),
	                    value->kind == VF_VALUE_LIST
	                        ? "; choose an item with [i], or join them with cat or stack"
	                        : "");
}

static bool are_arrays(vf_expr *e, const vf_value *value)
{
	char found[VF_QUOTE];
	if (value->kind != VF_VALUE_LIST)
		return vf_expr_fail(e, VF_ERR_SYNTAX, value->at, "the result is %s, not a list of arrays",
		                    vf_value_describe(value, found));
	for (int64_t i = 0; i < value->as.list.n; i++)
		if (value->as.list.items[i].kind != VF_VALUE_ARRAY)
			return vf_expr_fail(e, VF_ERR_SYNTAX, value->at,
			                    "item %lld of the result is %s, not an array", (long long)i,
			                    vf_value_describe(&value->as.list.items[i], found));
	return true;
}

/* A text, and its arrays: by their names, or (names NULL) the one array that the chain applies to. */
typedef struct question {
	vf_context *ctx;
	const char *text;
	vf_names over;
} question;

/* Evaluate the whole text. vf_expr_close() must follow. */
static bool express(vf_expr *e, const question *q, vf_value *value)
{
	bool ok = vf_expr_open(e, q->ctx, q->text);
	if (q->over.n == 1 && !q->over.names) {
		*value = vf_value_array(0, q->over.arrays[0]);
		return ok && (e->token.kind != VF_TOKEN_NAME || vf_expr_member(e, value)) &&
		       vf_expr_postfix(e, value) && at_end(e);
	}
	e->narrays = q->over.n;
	e->names = q->over.names;
	e->arrays = q->over.arrays;
	return ok && vf_expr_expression(e, value) && at_end(e);
}

/* Write the array that the text gives, or with `list` the arrays of a list, if there is `room` for all.
 * Returns how many there are, -1 on failure. */
static int answer(const question *q, bool list, int room, vf_array **out)
{
	vf_expr e;
	vf_value value;
	vf_budget budget, *before;
	int n = -1;
	if (!q->text) {
		vf_fail(q->ctx, VF_ERR_ARGUMENT, "expression: NULL");
		return -1;
	}
	vf_budget_open(&budget, q->ctx, q->text, q->over.n, q->over.arrays);
	before = vf_budget_share(&budget);
	if (express(&e, q, &value) && (list ? are_arrays(&e, &value) : is_array(&e, &value))) {
		const vf_value *items = list ? value.as.list.items : &value;
		n = list ? (int)value.as.list.n : 1; /* at most VF_EXPR_MAX_ITEMS */
		for (int i = 0; out && i < n && n <= room; i++)
			out[i] = vf_retain(items[i].as.array);
	}
	vf_expr_close(&e);
	vf_budget_share(before);
	return n;
}

vf_array *vf_expr_eval(vf_context *ctx, const char *text, bool chain, const vf_names *over)
{
	vf_array *a = NULL;
	if (chain || check_arrays(ctx, over))
		answer(&(question){ctx, text, *over}, false, 1, &a);
	return a;
}

int vf_apply_parts(vf_array *a, const char *chain, int room, vf_array **out)
{
	return a ? answer(&(question){a->ctx, chain, {1, NULL, &a}}, true, room, out) : -1;
}

int vf_eval_parts(vf_context *ctx, const char *expression, const vf_names *names, int room, vf_array **out)
{
	if (!ctx || !names || !check_arrays(ctx, names))
		return -1;
	return answer(&(question){ctx, expression, *names}, true, room, out);
}

/* ---- numbers ---- */

static bool number_of(vf_expr *e, const vf_value *value, vf_dtype dtype, unsigned char element[16])
{
	char found[VF_QUOTE];
	if (value->kind == VF_VALUE_NUMBER)
		return vf_number_to_element(e->ctx, &value->as.number, dtype, element);
	return vf_value_fits(e, value) &&
	       vf_expr_fail(e, VF_ERR_SYNTAX, value->at, "the result is %s, not a number",
	                    vf_value_describe(value, found));
}

vf_status vf_eval_number(vf_context *ctx, const char *text, vf_dtype dtype, void *out)
{
	vf_expr e;
	vf_value value;
	unsigned char element[16];
	size_t bytes = (size_t)vf_dtype_bytes(dtype);
	if (!ctx || !text || !out)
		return ctx ? vf_fail(ctx, VF_ERR_ARGUMENT, "number: NULL") : VF_ERR_ARGUMENT;
	if (!bytes)
		return vf_fail(ctx, VF_ERR_DTYPE, "number: %d is no element type", (int)dtype);
	bool ok = express(&e, &(question){ctx, text, {0}}, &value) && number_of(&e, &value, dtype, element);
	vf_expr_close(&e);
	if (!ok)
		return vf_failed();
	memset(out, 0, bytes); /* opaque elements are 0 */
	memcpy(out, element, bytes < sizeof element ? bytes : sizeof element);
	return VF_OK;
}
