/* bind.c -- match the arguments of a call to the parameters of an op, or of a composed operation.
 *
 * In     the arguments as written: positional ones, then keywords
 * Out    one vf_arg a parameter, converted to what its kind asks for
 * Rules  Python's: positional ones in order, each parameter once, none unknown, none missing;
 *        and the bare lists of PyTorch: permute(0, 2, 1) is permute([0, 2, 1])
 */
#include "expr/expr.h"

#include <string.h>
#include <stdio.h>

/* "'dims'", or "argument 2" of a parameter without a name. */
static const char *param_name(const vf_binding *b, int p, char out[VF_QUOTE])
{
	if (b->params[p].name)
		snprintf(out, VF_QUOTE, "'%s'", b->params[p].name);
	else
		snprintf(out, VF_QUOTE, "argument %d", p + 1);
	return out;
}

static bool wrong_kind(vf_binding *b, int p, const vf_value *v, const char *wanted)
{
	char name[VF_QUOTE], found[VF_QUOTE];
	return vf_expr_fail(b->e, vf_value_no_int(v), v->at, "%s: %s takes %s, not %s", b->name,
	                    param_name(b, p, name), wanted, vf_value_describe(v, found));
}

/* ---- one value to one vf_arg ---- */

static bool take_int(vf_binding *b, int p, const vf_value *v)
{
	if (!vf_value_is_int(v))
		return wrong_kind(b, p, v, "an integer");
	if (v->as.number.i == VF_NONE) /* no axis, extent or offset; and it must not pass for None */
		return vf_expr_fail(b->e, VF_ERR_OVERFLOW, v->at, "%s: %lld is out of range", b->name,
		                    (long long)VF_NONE);
	b->args[p].i = v->as.number.i;
	return true;
}

static bool take_ints(vf_binding *b, int p, int64_t n, const vf_value *values)
{
	int64_t *ints = vf_arena_alloc(&b->e->arena, n > 0 ? n : 1, sizeof *ints);
	if (!ints)
		return false;
	for (int64_t i = 0; i < n; i++) {
		if (!vf_value_is_int(&values[i]))
			return wrong_kind(b, p, &values[i], "integers");
		ints[i] = values[i].as.number.i;
	}
	b->args[p].ints = ints;
	b->args[p].n = n;
	return true;
}

static bool take_list(vf_binding *b, int p, const vf_value *v)
{
	b->args[p].is_list = v->kind == VF_VALUE_LIST;
	if (b->args[p].is_list)
		return take_ints(b, p, v->as.list.n, v->as.list.items);
	return take_ints(b, p, 1, v);
}

static bool take_number(vf_binding *b, int p, const vf_value *v)
{
	if (v->kind != VF_VALUE_NUMBER)
		return wrong_kind(b, p, v, "a number");
	b->e->at = v->at;
	return vf_number_to_element(b->e->ctx, &v->as.number, b->dtype, b->args[p].value);
}

/* A number as it is written, or where `array` is allowed the second operand. */
static bool take_other(vf_binding *b, int p, const vf_value *v, bool array)
{
	if (array && v->kind == VF_VALUE_ARRAY) {
		b->args[p].is_list = true;
		b->args[p].array = v->as.array;
		return true;
	}
	if (v->kind != VF_VALUE_NUMBER)
		return wrong_kind(b, p, v, array ? "a number or an array" : "a number");
	b->args[p].number = v->as.number;
	return true;
}

static bool take_mode(vf_binding *b, int p, const vf_value *v)
{
	static const char modes[] = "'constant', 'reflect', 'replicate' or 'circular'";
	b->args[p].i = vf_value_word(v, modes);
	return b->args[p].i >= 0 || wrong_kind(b, p, v, modes);
}

/* NumPy's codes count bytes: 'f4', '>f4'. The type that was meant, or 0. */
static vf_dtype type_of_code(const char *code)
{
	char name[8];
	code += strspn(code, "<>=|");
	if (!code[0] || code[1] < '1' || code[1] > '8' || code[2])
		return 0;
	return vf_dtype_parse(name,
	                      (size_t)snprintf(name, sizeof name, "%c%d", code[0], 8 * (code[1] - '0')));
}

static bool no_dtype(vf_binding *b, const vf_value *v)
{
	char quote[VF_QUOTE], name[24], hint[VF_QUOTE] = "";
	vf_dtype meant = type_of_code(v->as.text);
	if (meant)
		snprintf(hint, sizeof hint, ": names count bits, %s%s",
		         vf_dtype_name(meant, name, sizeof name),
		         v->as.text[0] == '>' ? ", and byteswap() turns bytes" : "");
	return vf_expr_fail(b->e, VF_ERR_NAME, v->at, "%s: no element type '%s'%s", b->name,
	                    vf_expr_quote(quote, v->as.text, strlen(v->as.text)), hint);
}

static bool take_dtype(vf_binding *b, int p, const vf_value *v)
{
	if (v->kind != VF_VALUE_DTYPE && v->kind != VF_VALUE_TEXT)
		return wrong_kind(b, p, v, "an element type");
	size_t length = v->kind == VF_VALUE_TEXT ? strlen(v->as.text) : 0;
	vf_dtype dtype = v->kind == VF_VALUE_TEXT ? vf_dtype_parse(v->as.text, length) : v->as.dtype;
	if (dtype == 0)
		return no_dtype(b, v);
	b->args[p].i = dtype;
	return true;
}

static bool take_text(vf_binding *b, int p, const vf_value *v)
{
	if (v->kind != VF_VALUE_TEXT)
		return wrong_kind(b, p, v, "a text in quotes");
	b->args[p].text = v->as.text;
	return true;
}

static bool take(vf_binding *b, int p, const vf_value *v)
{
	const vf_param *param = &b->params[p];
	if (b->values)
		b->values[p] = *v;
	bool none = param->optional && (param->kind != VF_PARAM_INT || param->standard == VF_NONE);
	if (v->kind == VF_VALUE_NONE && none)
		return true; /* as if it were left out */
	b->args[p].given = true;
	switch (param->kind) {
	case VF_PARAM_INT: return take_int(b, p, v);
	case VF_PARAM_INTS: return take_list(b, p, v);
	case VF_PARAM_VALUE: return take_number(b, p, v);
	case VF_PARAM_NUMBER:
	case VF_PARAM_OTHER: return take_other(b, p, v, param->kind == VF_PARAM_OTHER);
	case VF_PARAM_MODE: return take_mode(b, p, v);
	case VF_PARAM_DTYPE: return take_dtype(b, p, v);
	case VF_PARAM_TEXT: return take_text(b, p, v);
	case VF_PARAM_ANY:
	case VF_PARAM_REST: return true;
	case VF_PARAM_SIZES:
	case VF_PARAM_ITEMS:
	case VF_PARAM_END: break;
	}
	return wrong_kind(b, p, v, "keywords");
}

/* ---- positional arguments ---- */

/* Whether p is the last parameter that a positional argument can reach. */
static bool is_last(const vf_binding *b, int p)
{
	return p + 1 == b->n || b->params[p + 1].kind == VF_PARAM_SIZES;
}

/* How many of the n values a bare list for parameter p takes. In the last place it is all of them;
 * before a parameter that no integer fits, such as a mode, all integers; otherwise one. */
static int64_t bare_length(const vf_binding *b, int p, int64_t n, const vf_value *values)
{
	vf_param_kind kind = b->params[p].kind;
	vf_param_kind next = p + 1 < b->n ? b->params[p + 1].kind : VF_PARAM_END;
	int64_t run = 0;
	if (kind != VF_PARAM_INTS)
		return kind == VF_PARAM_REST ? n : 1;
	while (run < n && vf_value_is_int(&values[run]))
		run++;
	if (run == 0)
		return 1;
	if (is_last(b, p))
		return n;
	return next == VF_PARAM_MODE || next == VF_PARAM_TEXT || next == VF_PARAM_DTYPE ? run : 1;
}

/* "(it takes dims, dtype)" */
static void describe_params(const vf_binding *b, char *out, size_t size)
{
	size_t n = 0;
	*out = '\0';
	for (int p = 0; p < b->n && n < size; p++) {
		const char *name = b->params[p].name;
		if (name)
			n += (size_t)snprintf(out + n, size - n, "%s%s", n ? ", " : "", name);
	}
	if (n == 0)
		snprintf(out, size, "none");
}

static bool too_many(vf_binding *b, const vf_value *v)
{
	char names[128];
	describe_params(b, names, sizeof names);
	return vf_expr_fail(b->e, VF_ERR_SYNTAX, v->at, "%s: too many arguments (it takes %s)", b->name,
	                    names);
}

/* Take all n values from `first` on as one list. A sole list, or a sole None that may be left out, is taken
 * as it is. */
static bool take_rest(vf_binding *b, int p, int64_t n, const vf_value *first)
{
	const bool received = first == b->receiver;
	const vf_value *more = received ? b->call->positional.items : first + 1;
	vf_values values = {0};
	if (n == 1 && !received &&
	    (first->kind == VF_VALUE_LIST || (first->kind == VF_VALUE_NONE && b->params[p].optional)))
		return take(b, p, first);
	if (!vf_values_add(b->e, &values, first))
		return false;
	for (int64_t i = 0; i < n - 1; i++)
		if (!vf_values_add(b->e, &values, &more[i]))
			return false;
	const vf_value list = vf_value_list(b->call->at, &values, true);
	return take(b, p, &list);
}

static bool take_some(vf_binding *b, int p, int64_t n, const vf_value *first)
{
	if (b->params[p].kind == VF_PARAM_REST)
		return take_rest(b, p, n, first);
	b->args[p].given = n > 1;
	return n > 1 ? take_ints(b, p, n, first) : take(b, p, first);
}

static bool bind_positional(vf_binding *b)
{
	const int64_t before = b->receiver != NULL, n = before + b->call->positional.n;
	int p = 0;
	for (int64_t i = b->call->used, length; i < n; i += length, p++) {
		const vf_value *v = i < before ? b->receiver : &b->call->positional.items[i - before];
		if (p == b->n || b->params[p].kind == VF_PARAM_SIZES)
			return too_many(b, v);
		length = bare_length(b, p, n - i, v);
		if (!take_some(b, p, length, v))
			return false;
	}
	return true;
}

/* ---- keywords ---- */

/* PyTorch's dim and dims and NumPy's axis and axes are one word, with or without a number after
 * it: the length of that word in `name`, or 0. */
static size_t axis_word(const char *name, size_t length)
{
	static const char *const words[] = {"dims", "dim", "axis", "axes"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);
		if (length < n || memcmp(name, words[i], n) != 0)
			continue;
		if (length == n || (length == n + 1 && vf_is_digit(name[n])))
			return n;
	}
	return 0;
}

static bool same_axis_word(const vf_keyword *k, const char *name)
{
	size_t mine = axis_word(k->name, k->length);
	size_t other = name ? axis_word(name, strlen(name)) : 0;
	return mine && other && vf_name_is(k->name + mine, k->length - mine, name + other);
}

static bool is_exact_name(const vf_keyword *k, const vf_param *param)
{
	if (param->kind == VF_PARAM_SIZES)
		return false;
	return (param->name && vf_name_is(k->name, k->length, param->name)) ||
	       vf_name_in(param->alias, k->name, k->length);
}

/* The parameter that a keyword names, -1 if none. Exact names go before axis words. Of two parameters
 * with one name (axis2 is NumPy's for either axis of swapaxes) it is the one that has no value yet. */
static int find_param(const vf_binding *b, const vf_keyword *k)
{
	const vf_param *params = b->params;
	int found = -1;
	for (int p = 0; p < b->n; p++)
		if (is_exact_name(k, &params[p]) && (found < 0 || b->args[found].given))
			found = p;
	for (int p = 0; p < b->n && found < 0; p++)
		if (params[p].kind < VF_PARAM_ANY &&
		    (same_axis_word(k, params[p].name) || same_axis_word(k, params[p].alias)))
			found = p;
	return found;
}

static bool given_twice(vf_binding *b, const vf_keyword *k)
{
	char quote[VF_QUOTE];
	return vf_expr_fail(b->e, VF_ERR_SYNTAX, k->at, "%s: argument '%s' given twice", b->name,
	                    vf_expr_quote(quote, k->name, k->length));
}

static bool take_size(vf_binding *b, int p, const vf_keyword *k)
{
	char quote[VF_QUOTE], found[VF_QUOTE];
	vf_arg *arg = &b->args[p];
	if (!vf_value_is_int(&k->value))
		return vf_expr_fail(
		    b->e, vf_value_no_int(&k->value), k->value.at, "%s: '%s' takes an integer, not %s",
		    b->name, vf_expr_quote(quote, k->name, k->length), vf_value_describe(&k->value, found));
	for (int64_t i = 0; i < arg->n; i++)
		if (vf_name_is(k->name, k->length, b->size_names[i]))
			return given_twice(b, k);
	char *name = vf_arena_alloc(&b->e->arena, (int64_t)k->length + 1, 1);
	if (!name)
		return false;
	memcpy(name, k->name, k->length);
	b->size_names[arg->n] = name;
	b->sizes[arg->n++] = k->value.as.number.i;
	return true;
}

/* The row's SIZES parameter with room for all keywords; -1 if it has none, -2 without memory. */
static int open_sizes(vf_binding *b)
{
	for (int p = 0; p < b->n; p++) {
		if (b->params[p].kind != VF_PARAM_SIZES)
			continue;
		int64_t room = b->call->nkeywords > 0 ? b->call->nkeywords : 1;
		b->args[p].given = true;
		b->args[p].names = b->size_names = vf_arena_alloc(&b->e->arena, room, sizeof *b->size_names);
		b->args[p].ints = b->sizes = vf_arena_alloc(&b->e->arena, room, sizeof *b->sizes);
		return b->sizes && b->size_names ? p : -2;
	}
	return -1;
}

static bool bind_keyword(vf_binding *b, const vf_keyword *k, int sizes)
{
	char quote[VF_QUOTE], names[128];
	int p = find_param(b, k);
	if (p < 0 && sizes >= 0)
		return take_size(b, sizes, k);
	if (p < 0) {
		describe_params(b, names, sizeof names);
		return vf_expr_fail(b->e, VF_ERR_SYNTAX, k->at, "%s: no argument '%s' (it takes %s)", b->name,
		                    vf_expr_quote(quote, k->name, k->length), names);
	}
	if (b->args[p].given)
		return given_twice(b, k);
	return take(b, p, &k->value);
}

static bool bind_keywords(vf_binding *b)
{
	int sizes = open_sizes(b);
	if (sizes == -2)
		return false;
	for (int64_t i = 0; i < b->call->nkeywords; i++)
		if (i != b->call->operand_keyword && !bind_keyword(b, &b->call->keywords[i], sizes))
			return false;
	return true;
}

/* ---- all of it ---- */

static bool check_missing(vf_binding *b)
{
	char name[VF_QUOTE];
	for (int p = 0; p < b->n; p++)
		if (!b->args[p].given && !b->params[p].optional)
			return vf_expr_fail(b->e, VF_ERR_SYNTAX, b->call->at, "%s: missing argument %s",
			                    b->name, param_name(b, p, name));
	return true;
}

bool vf_bind(vf_binding *b)
{
	if (!bind_positional(b) || !bind_keywords(b) || !check_missing(b))
		return false;
	b->e->at = b->call->at; /* what fails from here on is the operation */
	return true;
}

bool vf_call_bind(vf_expr *e, const vf_op *op, const vf_call *call, vf_dtype dtype, vf_arg *args)
{
	vf_binding b = {.e = e, .name = vf_op_written(op), .params = op->params, .call = call};
	b.dtype = dtype;
	b.args = args;
	while (b.n < VF_MAX_PARAMS && op->params[b.n].kind != VF_PARAM_END)
		b.n++;
	for (int p = 0; p < VF_MAX_PARAMS; p++)
		args[p] = (vf_arg){.i = p < b.n ? op->params[p].standard : 0};
	return vf_bind(&b);
}
