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

/* Array i of those that an expression may name: false where it is NULL (which is no new failure) or
 * will not do. */
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

static bool check_arrays(vf_context *ctx, int n, const char *const *names, vf_array *const *arrays)
{
	if (n < 0 || (n > 0 && (!names || !arrays))) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "expression: %d arrays, but no names or no arrays", n);
		return false;
	}
	for (int i = 0; i < n; i++)
		if (!check_array(ctx, i, names, arrays))
			return false;
	return true;
}

static bool at_end(vf_expr *e)
{
	return e->token.kind == VF_TOKEN_END || vf_expr_expected(e, "an operation or the end");
}

/* The value that a text came to, as a new reference. */
static vf_array *array_of(vf_expr *e, const vf_value *value)
{
	char found[VF_QUOTE];
	if (value->kind == VF_VALUE_ARRAY)
		return vf_retain(value->as.array);
	vf_expr_fail(
	    e, VF_ERR_SYNTAX, value->at, "the result is %s, not an array%s", vf_value_describe(value, found),
	    value->kind == VF_VALUE_LIST ? "; choose an item with [i], or join them with cat or stack" : "");
	return NULL;
}

static bool all_arrays(vf_expr *e, const vf_value *value)
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

/* Both: what the whole text came to; vf_expr_close() must follow. */
static bool express(vf_expr *e, vf_context *ctx, const char *text, const vf_names *names, vf_value *value)
{
	bool ok = vf_expr_open(e, ctx, text);
	e->narrays = names->n;
	e->names = names->names;
	e->arrays = names->arrays;
	return ok && vf_expr_expression(e, value) && at_end(e);
}

static bool apply(vf_expr *e, vf_array *a, const char *chain, vf_value *value)
{
	*value = vf_value_array(0, a);
	return vf_expr_open(e, vf_context_of(a), chain) &&
	       (e->token.kind != VF_TOKEN_NAME || vf_expr_member(e, value)) && vf_expr_postfix(e, value) &&
	       at_end(e);
}

static vf_array *finish(vf_expr *e, bool ok, const vf_value *value)
{
	vf_array *result = ok ? array_of(e, value) : NULL;
	vf_expr_close(e);
	return result;
}

vf_array *vf_expr_eval(vf_context *ctx, const char *expression, int n, const char *const *names,
                       vf_array *const *arrays)
{
	vf_expr e;
	vf_value value;
	if (!check_arrays(ctx, n, names, arrays))
		return NULL;
	if (!expression) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "expression: NULL");
		return NULL;
	}
	vf_budget budget, *before;
	vf_budget_open(&budget, ctx, expression, n, arrays);
	before = vf_budget_share(&budget);
	bool ok = express(&e, ctx, expression, &(vf_names){n, names, arrays}, &value);
	vf_array *result = finish(&e, ok, &value);
	vf_budget_share(before);
	return result;
}

static bool check_chain(vf_array *a, const char *chain)
{
	if (a && !chain)
		vf_fail(vf_context_of(a), VF_ERR_ARGUMENT, "expression: NULL");
	return a && chain;
}

vf_array *vf_expr_apply(vf_array *a, const char *chain)
{
	vf_expr e;
	vf_value value;
	if (!check_chain(a, chain))
		return NULL;
	vf_budget budget, *before;
	vf_budget_open(&budget, vf_context_of(a), chain, 1, &a);
	before = vf_budget_share(&budget);
	bool ok = apply(&e, a, chain, &value);
	vf_array *result = finish(&e, ok, &value);
	vf_budget_share(before);
	return result;
}

/* The arrays of the list that a text came to, where it did; how many. */
static int take_parts(vf_expr *e, bool ok, const vf_value *value, int room, vf_array **out)
{
	int n = -1;
	if (ok && all_arrays(e, value)) {
		n = (int)value->as.list.n; /* at most VF_EXPR_MAX_ITEMS */
		for (int i = 0; out && i < n && n <= room; i++)
			out[i] = vf_retain(value->as.list.items[i].as.array);
	}
	vf_expr_close(e);
	return n;
}

int vf_apply_parts(vf_array *a, const char *chain, int room, vf_array **out)
{
	vf_expr e;
	vf_value value;
	if (!check_chain(a, chain))
		return -1;
	vf_budget budget, *before;
	vf_budget_open(&budget, vf_context_of(a), chain, 1, &a);
	before = vf_budget_share(&budget);
	bool ok = apply(&e, a, chain, &value);
	int n = take_parts(&e, ok, &value, room, out);
	vf_budget_share(before);
	return n;
}

int vf_eval_parts(vf_context *ctx, const char *expression, const vf_names *names, int room, vf_array **out)
{
	vf_expr e;
	vf_value value;
	if (!ctx || !names || !check_arrays(ctx, names->n, names->names, names->arrays))
		return -1;
	if (!expression) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "expression: NULL");
		return -1;
	}
	vf_budget budget, *before;
	vf_budget_open(&budget, ctx, expression, names->n, names->arrays);
	before = vf_budget_share(&budget);
	bool ok = express(&e, ctx, expression, names, &value);
	int n = take_parts(&e, ok, &value, room, out);
	vf_budget_share(before);
	return n;
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
	bool ok = express(&e, ctx, text, &(vf_names){0}, &value) && number_of(&e, &value, dtype, element);
	vf_expr_close(&e);
	if (!ok)
		return vf_failed();
	memset(out, 0, bytes); /* opaque elements are 0 */
	memcpy(out, element, bytes < sizeof element ? bytes : sizeof element);
	return VF_OK;
}
