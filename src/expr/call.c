/* call.c -- read the arguments of a call, find the operands among them, and make the op.
 *
 * In     "(...)" after the name of an op; x, where the op is written x.op(...)
 * Out    the array that vf_make() gave, or the list of a list op's parts
 * Rules  x.op(...) and op(x, ...) are the same; cat and its like take a list of arrays, which
 *        may be bare: cat(x, y, dim=1)
 */
#include "expr/expr.h"

#include <stdio.h>
#include <string.h>

enum { MAX_KEYWORDS = 256 };

/* ---- reading ---- */

static bool add_keyword(vf_expr *e, vf_call *call, const vf_keyword *k)
{
	if (call->nkeywords == MAX_KEYWORDS)
		return vf_expr_fail(e, VF_ERR_LIMIT, k->at, "more than %d keywords", MAX_KEYWORDS);
	if (!vf_arena_reserve(&e->arena, &call->keywords, call->nkeywords, &call->keyword_capacity,
	                      sizeof *k))
		return false;
	call->keywords[call->nkeywords++] = *k;
	return true;
}

/* name=value, of which the name is the next token and '=' the one after. */
static bool parse_keyword(vf_expr *e, vf_call *call)
{
	vf_keyword k = {
	    .name = e->text + e->token.start, .length = e->token.end - e->token.start, .at = e->token.start};
	vf_expr_advance(e);
	vf_expr_advance(e);
	return vf_expr_expression(e, &k.value) && add_keyword(e, call, &k);
}

static bool next_is_keyword(const vf_expr *e)
{
	return e->token.kind == VF_TOKEN_NAME && vf_lexer_next(e->text, e->length, e->token.end).kind == '=';
}

static bool parse_argument(vf_expr *e, vf_call *call)
{
	if (next_is_keyword(e))
		return parse_keyword(e, call);
	size_t at = e->token.start;
	if (!vf_expr_item(e, &call->positional))
		return false;
	return call->nkeywords == 0 ||
	       vf_expr_fail(e, VF_ERR_SYNTAX, at, "a positional argument after a keyword");
}

bool vf_call_parse(vf_expr *e, const char *name, size_t name_length, size_t at, vf_call *call)
{
	char quote[VF_QUOTE];
	*call = (vf_call){.at = at, .operand_keyword = -1};
	vf_expr_advance(e); /* the parenthesis */
	while (e->token.kind != ')') {
		if (!parse_argument(e, call))
			return false;
		if (e->token.kind == ',')
			vf_expr_advance(e);
		else if (e->token.kind != ')')
			return vf_expr_expected(e, "')' after the arguments of %s",
			                        vf_expr_quote(quote, name, name_length));
	}
	vf_expr_advance(e);
	return true;
}

/* ---- operands ---- */

/* The operand as a keyword: input=x, tensors=[x, y]. */
static const vf_value *operand_keyword(vf_call *call, vf_value_kind kind)
{
	static const char *const names[] = {"input", "tensor", "a", "m", "tensors", "arrays"};
	for (int64_t i = 0; i < call->nkeywords; i++) {
		const vf_keyword *k = &call->keywords[i];
		for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
			if (k->value.kind == kind && vf_name_is(k->name, k->length, names[j])) {
				call->operand_keyword = i;
				return &k->value;
			}
		}
	}
	return NULL;
}

bool vf_call_operand(vf_expr *e, const char *name, vf_call *call, vf_value *out)
{
	char found[VF_QUOTE];
	const vf_value *first = call->positional.n > 0 ? &call->positional.items[0] : NULL;
	if (first && first->kind != VF_VALUE_ARRAY)
		return vf_expr_fail(e, VF_ERR_SYNTAX, first->at,
		                    "%s: the first argument must be an array, not %s", name,
		                    vf_value_describe(first, found));
	call->used = first != NULL;
	if (!first)
		first = operand_keyword(call, VF_VALUE_ARRAY);
	if (!first)
		return vf_expr_fail(e, VF_ERR_SYNTAX, call->at, "%s: missing the array, its first argument",
		                    name);
	*out = *first;
	return true;
}

/* The items of a list operand, the arrays that come bare, or the rows of one that comes alone; NULL with an
 * error where those cannot be had. */
static const vf_value *many_values(vf_expr *e, vf_call *call, int64_t *n)
{
	const vf_values *values = &call->positional;
	const vf_value *list = NULL;
	vf_value rows;
	*n = 0;
	if (values->n == 0)
		list = operand_keyword(call, VF_VALUE_LIST);
	else if (values->items[0].kind == VF_VALUE_LIST)
		list = &values->items[0];
	if (list) {
		call->used = values->n > 0;
		*n = list->as.list.n;
		return list->as.list.items;
	}
	while (*n < values->n && values->items[*n].kind == VF_VALUE_ARRAY)
		++*n;
	call->used = *n;
	if (*n != 1)
		return values->items;
	if (!vf_expr_rows(e, values->items, &rows))
		return NULL;
	*n = rows.as.list.n;
	return rows.as.list.items;
}

static vf_array **many_operands(vf_expr *e, const vf_op *op, vf_call *call, int64_t *n)
{
	char found[VF_QUOTE];
	const vf_value *values = many_values(e, call, n);
	if (!values && *n > 0)
		return NULL;
	if (*n == 0) {
		vf_expr_fail(e, VF_ERR_SYNTAX, call->at, "%s: takes a list of arrays, at least one",
		             op->name);
		return NULL;
	}
	vf_array **operands = vf_arena_alloc(&e->arena, *n, sizeof *operands);
	for (int64_t i = 0; operands && i < *n; i++) {
		operands[i] = values[i].as.array;
		if (values[i].kind != VF_VALUE_ARRAY) {
			vf_expr_fail(e, VF_ERR_SYNTAX, values[i].at, "%s: takes a list of arrays, not of %s",
			             op->name, vf_value_describe(&values[i], found));
			return NULL;
		}
	}
	return operands;
}

/* ---- what is no operand ---- */

int64_t vf_call_count(const vf_call *call)
{
	return call->positional.n - call->used + call->nkeywords - (call->operand_keyword >= 0);
}

const vf_value *vf_call_sole(const vf_call *call, const char *name)
{
	if (vf_call_count(call) != 1)
		return NULL;
	if (call->positional.n > call->used)
		return &call->positional.items[call->used];
	const vf_keyword *k = &call->keywords[call->operand_keyword == 0];
	return vf_name_is(k->name, k->length, name) ? &k->value : NULL;
}

/* ---- making ---- */

static bool give_array(vf_expr *e, size_t at, vf_array *array, vf_value *out)
{
	*out = vf_value_array(at, array);
	return vf_expr_hold(e, 1, &array);
}

/* view(u8) goes to the row "view_dtype": an op has a twin for element types where a row has
 * its name and "_dtype". */
static const vf_op *dtype_twin(const vf_op *op, const vf_call *call)
{
	char name[VF_QUOTE];
	const vf_value *v = vf_call_sole(call, "dtype");
	if (!v || (v->kind != VF_VALUE_DTYPE && v->kind != VF_VALUE_TEXT))
		return op;
	snprintf(name, sizeof name, "%s_dtype", op->name);
	const vf_op *twin = vf_op_find(name, strlen(name));
	return twin ? twin : op;
}

static bool make_many(vf_expr *e, const vf_op *op, vf_call *call, vf_value *out)
{
	vf_arg args[VF_MAX_PARAMS];
	int64_t n;
	vf_array **operands = many_operands(e, op, call, &n);
	if (!operands || !vf_call_bind(e, op, call, vf_dtype_of(operands[0]), args))
		return false;
	return give_array(e, call->at, vf_make(op, (int)n, operands, args, VF_MAX_PARAMS), out);
}

static bool make_one(vf_expr *e, const vf_op *op, vf_call *call, vf_array *a, vf_value *out)
{
	vf_arg args[VF_MAX_PARAMS];
	vf_array **parts = NULL;
	op = dtype_twin(op, call);
	if (!vf_call_bind(e, op, call, vf_dtype_of(a), args))
		return false;
	if (op->result == VF_RESULT_ARRAY)
		return give_array(
		    e, call->at,
		    vf_make(op, args[0].array ? 2 : 1, (vf_array *[]){a, args[0].array}, args, VF_MAX_PARAMS),
		    out);
	int64_t n = op->parts(op, a, args, &parts);
	bool ok = n >= 0 && vf_expr_hold(e, n, parts) && vf_value_arrays(e, call->at, n, parts, out);
	vf_dealloc(e->ctx, parts);
	return ok;
}

bool vf_call_op(vf_expr *e, const vf_op *op, vf_call *call, const vf_value *receiver, vf_value *out)
{
	vf_value operand;
	e->at = call->at;
	if (op->operands == VF_OPERAND_MANY && receiver)
		return vf_expr_fail(e, VF_ERR_SYNTAX, call->at,
		                    "%s: a function of a list of arrays, write %s([x, y])", op->name,
		                    op->name);
	if (op->operands == VF_OPERAND_MANY)
		return make_many(e, op, call, out);
	if (receiver)
		operand = *receiver;
	else if (!vf_call_operand(e, op->name, call, &operand))
		return false;
	return make_one(e, op, call, operand.as.array, out);
}
