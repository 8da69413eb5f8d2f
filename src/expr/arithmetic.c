/* arithmetic.c -- what + - * / // % ** make of numbers and lists, as in Python.
 *
 * Integers stay integers, checked: what leaves int64_t is VF_VALUE_HUGE. Python's division
 * floors. What + - * / make of arrays are element functions.
 */
#include "expr/expr.h"

/* How a sign is written. */
static const char *sign_text(int sign)
{
	static const char signs[][3] = {"+", "-", "*", "/", "%"};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (sign == signs[i][0])
			return signs[i];
	return sign == VF_TOKEN_FLOOR ? "//" : "**";
}

/* ---- integers ---- */

static bool floor_divide(int64_t a, int64_t b, int64_t *out)
{
	if (b == -1)
		return vf_difference_fits(0, a, out);
	*out = a / b - (a % b != 0 && (a < 0) != (b < 0));
	return true;
}

static bool floor_remainder(int64_t a, int64_t b, int64_t *out)
{
	int64_t rest = b == -1 ? 0 : a % b;
	*out = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
	return true;
}

/* n >= 0. Where |a| < 2 no square overflows, so the loop ends by n alone. */
static bool power(int64_t a, int64_t n, int64_t *out)
{
	for (*out = 1; n > 0; n >>= 1) {
		if ((n & 1) && !vf_product_fits(*out, a, out))
			return false;
		if (n > 1 && !vf_product_fits(a, a, &a))
			return false;
	}
	return true;
}

static bool integer_result(int sign, int64_t a, int64_t b, int64_t *out)
{
	switch (sign) {
	case '+': return vf_sum_fits(a, b, out);
	case '-': return vf_difference_fits(a, b, out);
	case '*': return vf_product_fits(a, b, out);
	case '%': return floor_remainder(a, b, out);
	case VF_TOKEN_FLOOR: return floor_divide(a, b, out);
	default: return power(a, b, out);
	}
}

/* The sign of a result that is beyond 64 bits. */
static bool result_is_negative(int sign, int64_t a, int64_t b)
{
	if (sign == '+' || sign == '-')
		return a < 0;
	if (sign == VF_TOKEN_POWER)
		return a < 0 && b % 2 != 0;
	return (a < 0) != (b < 0);
}

static bool integers(vf_expr *e, int sign, size_t at, int64_t a, int64_t b, vf_value *out)
{
	out->as.number = (vf_number){.kind = VF_NUMBER_INT};
	if ((sign == '%' || sign == VF_TOKEN_FLOOR) && b == 0)
		return vf_expr_fail(e, VF_ERR_ARGUMENT, at, "%lld %s 0 divides by zero", (long long)a,
		                    sign_text(sign));
	if (sign == VF_TOKEN_POWER && b < 0)
		return vf_expr_fail(e, VF_ERR_ARGUMENT, at, "** takes an exponent >= 0, not %lld",
		                    (long long)b);
	return integer_result(sign, a, b, &out->as.number.i) ||
	       vf_value_huge(e, at, result_is_negative(sign, a, b), out, "%lld %s %lld is beyond 64 bits",
	                     (long long)a, sign_text(sign), (long long)b);
}

/* ---- floating point ---- */

static vf_number as_float(const vf_number *n)
{
	if (n->kind == VF_NUMBER_FLOAT)
		return *n;
	return (vf_number){.kind = VF_NUMBER_FLOAT, .re = vf_number_real(n)};
}

static bool floats(vf_expr *e, int sign, size_t at, const vf_number *x, const vf_number *y, vf_number *out)
{
	vf_number a = as_float(x), b = as_float(y);
	*out = (vf_number){.kind = VF_NUMBER_FLOAT, .is_complex = a.is_complex || b.is_complex};
	switch (sign) {
	case '+':
		out->re = a.re + b.re;
		out->im = a.im + b.im;
		return true;
	case '-':
		out->re = a.re - b.re;
		out->im = a.im - b.im;
		return true;
	case '*':
		out->re = out->is_complex ? a.re * b.re - a.im * b.im : a.re * b.re;
		out->im = out->is_complex ? a.re * b.im + a.im * b.re : 0;
		return true;
	case '/':
		if (out->is_complex)
			break;
		if (b.re == 0)
			return vf_expr_fail(e, VF_ERR_ARGUMENT, at, "%g / 0 divides by zero", a.re);
		out->re = a.re / b.re;
		return true;
	}
	return vf_expr_fail(e, VF_ERR_SYNTAX, at, "%s takes %s numbers here", sign_text(sign),
	                    sign == '/' ? "real" : "integer");
}

static bool numbers(vf_expr *e, int sign, size_t at, const vf_number *a, const vf_number *b, vf_value *out)
{
	if (a->kind == VF_NUMBER_FLOAT || b->kind == VF_NUMBER_FLOAT || sign == '/')
		return floats(e, sign, at, a, b, &out->as.number);
	if (a->kind == VF_NUMBER_UINT || b->kind == VF_NUMBER_UINT)
		return vf_expr_fail(e, VF_ERR_OVERFLOW, at, "'%s' takes integers up to %lld", sign_text(sign),
		                    (long long)INT64_MAX);
	return integers(e, sign, at, a->i, b->i, out);
}

/* ---- lists ---- */

static bool concatenate(vf_expr *e, const vf_value *a, const vf_value *b, vf_value *out)
{
	vf_values values = {0};
	if (!vf_values_add_all(e, &values, a) || !vf_values_add_all(e, &values, b))
		return false;
	*out = vf_value_list(a->at, &values, a->is_tuple);
	return true;
}

static bool repeat(vf_expr *e, const vf_value *list, int64_t times, vf_value *out)
{
	vf_values values = {0};
	if (list->as.list.n == 0)
		times = 0;
	for (int64_t i = 0; i < times; i++)
		if (!vf_values_add_all(e, &values, list))
			return false;
	*out = vf_value_list(list->at, &values, list->is_tuple);
	return true;
}

/* ---- arrays ---- */

static const vf_op *element_op(int sign, bool turned)
{
	switch (sign) {
	case '+': return vf_op_row(VF_OP_add);
	case '-': return vf_op_row(turned ? VF_OP_rsub : VF_OP_sub);
	case '*': return vf_op_row(VF_OP_mul);
	case '/': return vf_op_row(turned ? VF_OP_rdiv : VF_OP_div);
	}
	return NULL;
}

/* What a sign makes of an array and a number, in either order, or of two arrays. */
static bool elements(vf_expr *e, const vf_op *op, size_t at, const vf_value *a, const vf_value *b,
                     vf_value *out)
{
	bool turned = a->kind == VF_VALUE_NUMBER;
	const vf_value *array = turned ? b : a, *other = turned ? a : b;
	vf_arg arg = {.given = true, .is_list = other->kind == VF_VALUE_ARRAY};
	vf_array *operands[2] = {array->as.array, NULL};
	if (arg.is_list)
		operands[1] = other->as.array;
	else
		arg.number = other->as.number;
	e->at = at;
	vf_array *made = vf_make(op, 1 + arg.is_list, operands, &arg, 1);
	*out = vf_value_array(a->at, made);
	return vf_expr_hold(e, 1, &made);
}

static bool has_elements(const vf_value *a, const vf_value *b)
{
	bool first = a->kind == VF_VALUE_ARRAY, second = b->kind == VF_VALUE_ARRAY;
	return (first && (second || b->kind == VF_VALUE_NUMBER)) || (second && a->kind == VF_VALUE_NUMBER);
}

bool vf_expr_binary(vf_expr *e, int sign, size_t at, const vf_value *a, const vf_value *b, vf_value *out)
{
	char left[VF_QUOTE], right[VF_QUOTE];
	if (!vf_value_fits(e, a) || !vf_value_fits(e, b))
		return false;
	if (a->kind == VF_VALUE_NUMBER && b->kind == VF_VALUE_NUMBER) {
		vf_value value = {.kind = VF_VALUE_NUMBER, .at = a->at};
		if (!numbers(e, sign, at, &a->as.number, &b->as.number, &value))
			return false;
		*out = value;
		return true;
	}
	if (sign == '+' && a->kind == VF_VALUE_LIST && b->kind == VF_VALUE_LIST)
		return concatenate(e, a, b, out);
	if (sign == '*' && a->kind == VF_VALUE_LIST && vf_value_is_int(b))
		return repeat(e, a, b->as.number.i, out);
	if (sign == '*' && b->kind == VF_VALUE_LIST && vf_value_is_int(a))
		return repeat(e, b, a->as.number.i, out);
	const vf_op *op = has_elements(a, b) ? element_op(sign, a->kind == VF_VALUE_NUMBER) : NULL;
	if (op)
		return elements(e, op, at, a, b, out);
	bool arrays = a->kind == VF_VALUE_ARRAY || b->kind == VF_VALUE_ARRAY;
	return vf_expr_fail(e, VF_ERR_SYNTAX, at, "'%s' takes numbers, not %s and %s%s", sign_text(sign),
	                    vf_value_describe(a, left), vf_value_describe(b, right),
	                    arrays ? ": arrays have + - * / with numbers and arrays" : "");
}

bool vf_expr_negate(vf_expr *e, size_t at, bool negative, vf_value *value)
{
	char text[VF_QUOTE];
	vf_number *n = &value->as.number;
	if (value->kind == VF_VALUE_HUGE) {
		value->as.huge.negative = value->as.huge.negative != negative;
		return true;
	}
	if (value->kind == VF_VALUE_ARRAY) {
		e->at = at;
		vf_array *made = negative ? vf_neg(value->as.array) : vf_retain(value->as.array);
		*value = vf_value_array(at, made);
		return vf_expr_hold(e, 1, &made);
	}
	if (value->kind != VF_VALUE_NUMBER)
		return vf_expr_fail(e, VF_ERR_SYNTAX, at, "'%s' takes a number, not %s", negative ? "-" : "+",
		                    vf_value_describe(value, text));
	value->at = at;
	if (n->kind == VF_NUMBER_FLOAT) {
		n->re = negative ? -n->re : n->re;
		n->im = negative && n->is_complex ? -n->im : n->im;
		return true;
	}
	bool large = n->kind == VF_NUMBER_UINT;
	if (large && negative && n->i != INT64_MIN)
		return vf_value_huge(e, at, true, value, "-(%llu) is beyond 64 bits",
		                     (unsigned long long)n->i);
	n->kind = large && !negative ? VF_NUMBER_UINT : VF_NUMBER_INT;
	if (large || !negative || n->i != INT64_MIN) {
		n->i = large || !negative ? n->i : -n->i;
		return true;
	}
	return vf_value_huge(e, at, false, value, "-(%lld) is beyond 64 bits", (long long)INT64_MIN);
}
