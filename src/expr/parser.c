/* parser.c -- read an expression by recursive descent and evaluate it on the way.
 *
 *     expression = term { ("+" | "-") term }
 *     term       = unary { ("*" | "/" | "//" | "%") unary }
 *     unary      = ("-" | "+") unary | primary postfix [ "**" unary ]
 *     postfix    = { "." name [ "(" arguments ")" ] | "[" items "]" }
 *     primary    = number | text { text } | "..." | name | space "." name | name "(" arguments ")"
 *                | "{" { expression ":" expression "," } "}" | "(" expression ")" | "(" [ item { "," item } [
 *                "," ] ] ")" | "[" ... "]"
 *     item       = [ "*" ] expression
 *     "[ ... ]"  = "[" [ item { "," item } [ "," ] ] "]" | "[" expression "for" name "in" expression "]"
 *
 * In     the tokens of one expression, the arrays it may name
 * Out    its value; each op on the way became a node
 * Ends   each step reads a token; every recursion passes unary(), which counts the depth
 */
#include "expr/composed.h"

#include <string.h>

void vf_expr_advance(vf_expr *e)
{
	e->token = vf_lexer_next(e->text, e->length, e->token.end);
}

static const char *token_text(const vf_expr *e, vf_token token)
{
	return e->text + token.start;
}

static size_t token_length(vf_token token)
{
	return token.end - token.start;
}

/* ---- literals ---- */

static bool parse_number(vf_expr *e, bool negative, vf_value *out)
{
	vf_token token = e->token;
	char quote[VF_QUOTE];
	*out = (vf_value){.kind = VF_VALUE_NUMBER, .at = token.start};
	vf_literal_state state = vf_literal_parse(e, token_text(e, token), token_length(token), negative,
	                                          &out->as.number);
	vf_expr_quote(quote, token_text(e, token), token_length(token));
	vf_expr_advance(e);
	switch (state) {
	case VF_LITERAL_OK: return true;
	case VF_LITERAL_MEMORY: return false;
	case VF_LITERAL_HUGE:
		return vf_value_huge(e, token.start, negative, out, "the integer %s is beyond 64 bits",
		                     quote);
	case VF_LITERAL_BAD: break;
	}
	return vf_expr_fail(e, VF_ERR_SYNTAX, token.start, "'%s' is no number", quote);
}

/* Texts side by side become one text. */
static bool parse_text(vf_expr *e, vf_value *out)
{
	vf_token first = e->token, last = first;
	for (; e->token.kind == VF_TOKEN_TEXT; vf_expr_advance(e))
		last = e->token;
	char *whole = vf_arena_alloc(&e->arena, (int64_t)(last.end - first.start), 1);
	size_t n = 0;
	for (vf_token t = first; whole && t.start <= last.start;
	     t = vf_lexer_next(e->text, e->length, t.end)) {
		char *part = vf_literal_text(e, t);
		if (!part)
			return false;
		memcpy(whole + n, part, strlen(part));
		n += strlen(part);
	}
	*out = (vf_value){.kind = VF_VALUE_TEXT, .at = first.start, .as.text = whole};
	return whole != NULL;
}

/* ---- lists ---- */

bool vf_expr_item(vf_expr *e, vf_values *values)
{
	vf_value v;
	char found[VF_QUOTE];
	bool star = e->token.kind == '*';
	if (star)
		vf_expr_advance(e);
	if (!vf_expr_expression(e, &v))
		return false;
	if (!star)
		return vf_values_add(e, values, &v);
	if (v.kind != VF_VALUE_LIST)
		return vf_expr_fail(e, VF_ERR_SYNTAX, v.at, "'*' takes a list, not %s",
		                    vf_value_describe(&v, found));
	return vf_values_add_all(e, values, &v);
}

/* "(a)" is a; "(a,)", "(a, b)" and "()" are tuples; "[...]" is a list. */
static bool parse_list(vf_expr *e, vf_value *out)
{
	vf_values values = {0};
	size_t at = e->token.start;
	bool is_tuple = e->token.kind == '(', comma = false, star = false;
	int close = is_tuple ? ')' : ']';
	vf_token keyword;
	vf_expr_advance(e);
	if (!is_tuple && vf_comprehension_find(e, &keyword) && !vf_comprehension(e, keyword, &values))
		return false;
	while (e->token.kind != close) {
		star = star || e->token.kind == '*';
		if (!vf_expr_item(e, &values))
			return false;
		if (e->token.kind == ',') {
			comma = true;
			vf_expr_advance(e);
		} else if (e->token.kind != close) {
			return vf_expr_expected(e, "',' or '%c'", close);
		}
	}
	vf_expr_advance(e);
	if (is_tuple && !comma && !star && values.n == 1)
		*out = values.items[0];
	else
		*out = vf_value_list(at, &values, is_tuple);
	return true;
}

/* "{key: value, ...}" */
static bool parse_dict(vf_expr *e, vf_value *out)
{
	vf_values values = {0};
	size_t at = e->token.start;
	vf_value item;
	vf_expr_advance(e);
	while (e->token.kind != '}') {
		if (!vf_expr_expression(e, &item) || !vf_values_add(e, &values, &item))
			return false;
		if (e->token.kind != ':')
			return vf_expr_expected(e, "':' after a key");
		vf_expr_advance(e);
		if (!vf_expr_expression(e, &item) || !vf_values_add(e, &values, &item))
			return false;
		if (e->token.kind == ',')
			vf_expr_advance(e);
		else if (e->token.kind != '}')
			return vf_expr_expected(e, "',' or '}'");
	}
	vf_expr_advance(e);
	*out = vf_value_list(at, &values, false);
	out->kind = VF_VALUE_DICT;
	return true;
}

/* ---- names ---- */

/* In which forms a namespace may hold a composed operation. */
static unsigned forms_of(vf_dialect dialect)
{
	switch (dialect) {
	case VF_DIALECT_FUNCTIONAL: return VF_FORM_FUNCTIONAL;
	case VF_DIALECT_NUMPY: return VF_FORM_NUMPY;
	case VF_DIALECT_EINOPS: return VF_FORM_EINOPS;
	case VF_DIALECT_TORCH: break;
	}
	return VF_FORM_TORCH;
}

/* name(...): an op, composed or not, a property's function form, or a builtin. The next token is the
 * parenthesis. */
static bool parse_function(vf_expr *e, vf_token name, vf_dialect dialect, vf_value *out)
{
	const char *text = token_text(e, name);
	size_t length = token_length(name);
	const vf_op *op = vf_op_find(text, length);
	const vf_property *property = vf_property_find(text, length);
	const vf_builtin *builtin = vf_builtin_find(text, length);
	const vf_composed *composed = vf_composed_find(text, length, forms_of(dialect));
	vf_value operand, type;
	vf_call call;
	bool known = op || composed || builtin || (property && property->function);
	if (!known && !(vf_expr_constant(text, length, &type) && type.kind == VF_VALUE_DTYPE))
		return vf_expr_no_op(e, text, length, name.start);
	if (!vf_call_parse(e, text, length, name.start, &call))
		return false;
	if (!known)
		return vf_expr_typed_number(e, type.as.dtype, &call, out);
	if (composed && vf_composed_means(composed, &call))
		return vf_composed_call(e, composed, &call, NULL, dialect == VF_DIALECT_NUMPY, out);
	if (op)
		return vf_call_op(e, op, &call, NULL, out);
	if (builtin)
		return vf_builtin_call(e, builtin, &call, out);
	return vf_call_operand(e, property->name, &call, &operand) &&
	       vf_property_read(e, property, operand.as.array, &call, name.start, out);
}

/* Refuse a name: it is an op without its parentheses, or nothing at all. */
static bool no_member(vf_expr *e, vf_token name)
{
	const vf_op *op = vf_op_find(token_text(e, name), token_length(name));
	unsigned called = VF_FORM_METHOD | VF_FORM_TORCH | VF_FORM_NUMPY | VF_FORM_FUNCTIONAL |
	                  VF_FORM_EINOPS;
	if (op || vf_composed_find(token_text(e, name), token_length(name), called))
		return vf_expr_expected(e, "'(' after %.*s", (int)token_length(name), token_text(e, name));
	return vf_expr_no_op(e, token_text(e, name), token_length(name), name.start);
}

/* space.name: what follows the longest namespace there is. The first part has been read. */
static bool parse_namespaced(vf_expr *e, vf_token first, vf_dialect dialect, vf_value *out)
{
	char path[VF_QUOTE];
	size_t n = token_length(first);
	memcpy(path, token_text(e, first), n);
	for (bool more = true; more;) {
		if (e->token.kind != '.')
			return vf_expr_expected(e, "'.' after %.*s", (int)n, path);
		vf_expr_advance(e);
		if (e->token.kind != VF_TOKEN_NAME)
			return vf_expr_expected(e, "a name after %.*s.", (int)n, path);
		first = e->token;
		more = n + 1 + token_length(first) < sizeof path;
		if (more) {
			path[n] = '.';
			memcpy(path + n + 1, token_text(e, first), token_length(first));
			more = vf_namespace_find(path, n + 1 + token_length(first), &dialect);
			n += more ? 1 + token_length(first) : 0;
		}
		vf_expr_advance(e);
	}
	if (e->token.kind == '(')
		return parse_function(e, first, dialect, out);
	out->at = first.start;
	return vf_expr_constant(token_text(e, first), token_length(first), out) || no_member(e, first);
}

static bool parse_name(vf_expr *e, vf_value *out)
{
	vf_token name = e->token;
	vf_dialect dialect;
	vf_expr_advance(e);
	out->at = name.start;
	if (e->token.kind == '(')
		return parse_function(e, name, VF_DIALECT_TORCH, out);
	if (vf_expr_array(e, token_text(e, name), token_length(name), out))
		return true;
	if (vf_namespace_find(token_text(e, name), token_length(name), &dialect))
		return parse_namespaced(e, name, dialect, out);
	return vf_expr_constant(token_text(e, name), token_length(name), out) ||
	       vf_expr_no_array(e, token_text(e, name), token_length(name), name.start);
}

/* ---- postfix ---- */

/* x.name, without parentheses. */
static bool read_attribute(vf_expr *e, vf_token name, vf_value *value)
{
	const char *text = token_text(e, name);
	const vf_op *op = vf_op_find(text, token_length(name));
	const vf_property *property = vf_property_find(text, token_length(name));
	vf_call call = {.at = name.start, .operand_keyword = -1};
	const vf_composed *composed = vf_composed_find(text, token_length(name), VF_FORM_ATTRIBUTE);
	const vf_value operand = *value;
	if (composed)
		return vf_composed_call(e, composed, &call, &operand, false, value);
	if (op && op->attribute)
		return vf_call_op(e, op, &call, &operand, value);
	if (property && !op)
		return vf_property_read(e, property, operand.as.array, NULL, name.start, value);
	return no_member(e, name);
}

bool vf_expr_member(vf_expr *e, vf_value *value)
{
	vf_token name = e->token;
	const char *text = token_text(e, name);
	const vf_value operand = *value;
	vf_call call;
	vf_expr_advance(e);
	if (e->token.kind != '(')
		return read_attribute(e, name, value);
	const vf_op *op = vf_op_find(text, token_length(name));
	const vf_property *property = vf_property_find(text, token_length(name));
	const vf_composed *composed = vf_composed_find(text, token_length(name), VF_FORM_METHOD);
	if (!op && !property && !composed)
		return vf_expr_no_op(e, text, token_length(name), name.start);
	if (!vf_call_parse(e, text, token_length(name), name.start, &call))
		return false;
	if (composed && vf_composed_means(composed, &call))
		return vf_composed_call(e, composed, &call, &operand, false, value);
	if (op)
		return vf_call_op(e, op, &call, &operand, value);
	return vf_property_read(e, property, operand.as.array, &call, name.start, value);
}

static bool parse_member(vf_expr *e, vf_value *value)
{
	char found[VF_QUOTE];
	vf_expr_advance(e); /* the point */
	if (e->token.kind != VF_TOKEN_NAME)
		return vf_expr_expected(e, "the name of an operation after '.'");
	if (value->kind == VF_VALUE_ARRAY)
		return vf_expr_member(e, value);
	return vf_expr_fail(e, VF_ERR_SYNTAX, e->token.start, "%s has no operations%s",
	                    vf_value_describe(value, found),
	                    value->kind == VF_VALUE_LIST ? "; choose one of its items with [i]" : "");
}

bool vf_expr_postfix(vf_expr *e, vf_value *value)
{
	bool ok = true;
	while (ok && (e->token.kind == '.' || e->token.kind == '['))
		ok = e->token.kind == '.' ? parse_member(e, value) : vf_expr_index(e, value);
	return ok;
}

/* ---- operators ---- */

static bool parse_primary(vf_expr *e, vf_value *out)
{
	switch (e->token.kind) {
	case VF_TOKEN_NUMBER: return parse_number(e, false, out);
	case VF_TOKEN_TEXT: return parse_text(e, out);
	case VF_TOKEN_NAME: return parse_name(e, out);
	case VF_TOKEN_ELLIPSIS:
		*out = (vf_value){.kind = VF_VALUE_ELLIPSIS, .at = e->token.start};
		vf_expr_advance(e);
		return true;
	case '(':
	case '[': return parse_list(e, out);
	case '{': return parse_dict(e, out);
	}
	return vf_expr_expected(e, "an expression");
}

/* -9223372036854775808 has no positive twin, so a sign before a number is read with it, unless
 * ** binds tighter. */
static bool is_signed_number(const vf_expr *e)
{
	return e->token.kind == VF_TOKEN_NUMBER &&
	       vf_lexer_next(e->text, e->length, e->token.end).kind != VF_TOKEN_POWER;
}

static bool parse_unary(vf_expr *e, vf_value *out);

static bool parse_signed(vf_expr *e, vf_value *out)
{
	size_t at = e->token.start;
	bool negative = e->token.kind == '-';
	vf_expr_advance(e);
	if (!is_signed_number(e))
		return parse_unary(e, out) && vf_expr_negate(e, at, negative, out);
	if (!parse_number(e, negative, out))
		return false;
	if (out->kind == VF_VALUE_NUMBER) /* what is refused is refused at the number itself */
		out->at = at;
	return vf_expr_postfix(e, out);
}

static bool parse_power(vf_expr *e, vf_value *out)
{
	if (!parse_primary(e, out) || !vf_expr_postfix(e, out))
		return false;
	if (e->token.kind != VF_TOKEN_POWER)
		return true;
	const vf_value base = *out;
	vf_value exponent;
	size_t at = e->token.start;
	vf_expr_advance(e);
	return parse_unary(e, &exponent) && vf_expr_binary(e, VF_TOKEN_POWER, at, &base, &exponent, out);
}

static bool parse_unary(vf_expr *e, vf_value *out)
{
	if (e->depth == VF_EXPR_MAX_DEPTH)
		return vf_expr_fail(e, VF_ERR_LIMIT, e->token.start, "nested more than %d deep",
		                    VF_EXPR_MAX_DEPTH);
	e->depth++;
	bool ok = e->token.kind == '-' || e->token.kind == '+' ? parse_signed(e, out) : parse_power(e, out);
	e->depth--;
	return ok;
}

/* operand { sign operand }, from the left, for the signs of one precedence. */
static bool parse_binary(vf_expr *e, const int *signs, bool (*operand)(vf_expr *, vf_value *), vf_value *out)
{
	if (!operand(e, out))
		return false;
	for (;;) {
		const vf_value left = *out;
		vf_value right;
		vf_token sign = e->token;
		const int *known = signs;
		while (*known && *known != sign.kind)
			known++;
		if (!*known)
			return true;
		vf_expr_advance(e);
		if (!operand(e, &right) || !vf_expr_binary(e, sign.kind, sign.start, &left, &right, out))
			return false;
	}
}

static bool parse_term(vf_expr *e, vf_value *out)
{
	static const int signs[] = {'*', '/', VF_TOKEN_FLOOR, '%', 0};
	return parse_binary(e, signs, parse_unary, out);
}

bool vf_expr_bound(vf_expr *e, vf_value *out)
{
	static const int signs[] = {'+', '-', 0};
	return parse_binary(e, signs, parse_term, out);
}

bool vf_expr_expression(vf_expr *e, vf_value *out)
{
	return vf_expr_bound(e, out) && vf_value_fits(e, out);
}

bool vf_expr_inner(vf_expr *e, const char *text, const vf_local *locals, vf_value *out)
{
	vf_expr inner = *e;
	inner.text = text;
	inner.length = strlen(text);
	inner.token = (vf_token){.end = 0};
	inner.narrays = 0;
	inner.locals = locals;
	vf_expr_advance(&inner);
	bool ok = vf_expr_expression(&inner, out);
	e->arena = inner.arena;
	e->items = inner.items;
	e->held = inner.held;
	e->nheld = inner.nheld;
	e->held_capacity = inner.held_capacity;
	out->at = e->at;
	return ok;
}
