/* builtin.c -- what is no view: what an array tells of itself, and a few functions of Python. */
#include "expr/expr.h"

#include <string.h>

/* ---- properties ---- */

/* What is told; PyTorch's size() is the shape, NumPy's size the number of elements. */
enum { NOTHING, SHAPE, RANK, SIZE, TYPE, STRIDES, OFFSET };

static const vf_property properties[] = {
    /* name, what x.name, x.name(...) and name(x) are */
    {"shape", SHAPE, NOTHING, SHAPE},      {"ndim", RANK, NOTHING, RANK},
    {"dtype", TYPE, NOTHING, NOTHING},     {"size", SIZE, SHAPE, NOTHING},
    {"stride", NOTHING, STRIDES, NOTHING}, {"storage_offset", NOTHING, OFFSET, NOTHING},
    {"dim", NOTHING, RANK, NOTHING},       {"numel", NOTHING, SIZE, SIZE},
    {"nelement", NOTHING, SIZE, NOTHING},
};
enum { NPROPERTIES = sizeof properties / sizeof *properties };

/* All of `numbers`, one an axis, or that of `axis`. */
static bool read_axes(vf_expr *e, vf_array *a, const int64_t *axis, const int64_t *numbers, vf_value *out)
{
	int64_t rank = vf_rank(a);
	if (!axis)
		return vf_value_ints(e, e->at, rank, numbers, out);
	if (*axis < -rank || *axis >= rank)
		return vf_expr_fail(e, VF_ERR_AXIS, e->at, "no axis %lld in an array of rank %lld",
		                    (long long)*axis, (long long)rank);
	*out = vf_value_int(e->at, numbers[*axis < 0 ? *axis + rank : *axis]);
	return true;
}

/* axis: NULL if none was given. */
static bool read_property(vf_expr *e, int what, vf_array *a, const int64_t *axis, vf_value *out)
{
	int64_t strides[VF_MAX_RANK], offset;
	if ((what == STRIDES || what == OFFSET) && vf_strides(a, strides, &offset) != VF_OK)
		return false;
	switch (what) {
	case SHAPE: return read_axes(e, a, axis, vf_shape(a), out);
	case STRIDES: return read_axes(e, a, axis, strides, out);
	case OFFSET: *out = vf_value_int(e->at, offset); break;
	case RANK: *out = vf_value_int(e->at, vf_rank(a)); break;
	case SIZE: *out = vf_value_int(e->at, vf_size(a)); break;
	default: *out = (vf_value){.kind = VF_VALUE_DTYPE, .at = e->at, .as.dtype = vf_dtype_of(a)};
	}
	return true;
}

const vf_property *vf_property_find(const char *name, size_t length)
{
	for (int i = 0; i < NPROPERTIES; i++)
		if (vf_name_is(name, length, properties[i].name))
			return &properties[i];
	return NULL;
}

/* The one argument, size(axis), wherever it is written; NULL where there is none. */
static bool axis_argument(vf_expr *e, const vf_property *p, const vf_call *call, const int64_t **axis)
{
	bool takes_axis = p->called == SHAPE || p->called == STRIDES;
	const vf_value *v = takes_axis ? vf_call_sole(call, "dim") : NULL;
	*axis = NULL;
	if (!v && vf_call_count(call) > 0)
		return vf_expr_fail(e, VF_ERR_SYNTAX, call->at, "%s: takes %s", p->name,
		                    takes_axis ? "one argument, 'dim'" : "no arguments");
	if (!v || v->kind == VF_VALUE_NONE)
		return true;
	if (!vf_value_is_int(v))
		return vf_expr_fail(e, VF_ERR_SYNTAX, v->at, "%s: 'dim' takes an integer", p->name);
	*axis = &v->as.number.i;
	return true;
}

bool vf_property_read(vf_expr *e, const vf_property *p, vf_array *a, vf_call *call, size_t at, vf_value *out)
{
	const int64_t *axis = NULL;
	int what = !call ? p->bare : p->called || !call->used ? p->called : p->function;
	if (!what)
		return vf_expr_fail(e, VF_ERR_SYNTAX, at,
		                    call ? "%s: is written without '()'" : "%s: is written %s()", p->name,
		                    p->name);
	if (call && !axis_argument(e, p, call, &axis))
		return false;
	e->at = at;
	return read_property(e, what, a, axis, out);
}

/* ---- functions ---- */

/* Whether there are one to `most` positional arguments and no keywords. */
static bool check_arguments(vf_expr *e, const char *name, const vf_call *call, int64_t most)
{
	int64_t n = call->positional.n;
	return (n >= 1 && n <= most && call->nkeywords == 0) ||
	       vf_expr_fail(e, VF_ERR_SYNTAX, call->at, "%s: takes %lld argument%s", name, (long long)most,
	                    most == 1 ? "" : "s at most");
}

static bool refuse(vf_expr *e, const char *name, const vf_value *v)
{
	char found[VF_QUOTE];
	return vf_expr_fail(e, VF_ERR_SYNTAX, v->at, "%s: does not take %s", name,
	                    vf_value_describe(v, found));
}

static bool apply_len(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	const vf_value *v = call->positional.items;
	if (v->kind == VF_VALUE_LIST)
		*out = vf_value_int(call->at, v->as.list.n);
	else if (v->kind == VF_VALUE_ARRAY && vf_rank(v->as.array) > 0)
		*out = vf_value_int(call->at, vf_shape(v->as.array)[0]);
	else if (v->kind == VF_VALUE_ARRAY)
		return vf_expr_fail(e, VF_ERR_AXIS, v->at, "len: an array of rank 0 has no length");
	else
		return refuse(e, b->name, v);
	return true;
}

static bool parse_float(vf_expr *e, const vf_value *v, double *out)
{
	char quote[VF_QUOTE];
	size_t length = strlen(v->as.text);
	switch (vf_literal_float(e, v->as.text, length, out)) {
	case VF_LITERAL_OK: return true;
	case VF_LITERAL_MEMORY: return false;
	case VF_LITERAL_BAD:
	case VF_LITERAL_HUGE: break;
	}
	return vf_expr_fail(e, VF_ERR_SYNTAX, v->at, "float: '%s' is no number",
	                    vf_expr_quote(quote, v->as.text, length));
}

static bool apply_float(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	const vf_value *v = call->positional.items;
	vf_number number = {.kind = VF_NUMBER_FLOAT};
	if (v->kind == VF_VALUE_TEXT) {
		if (!parse_float(e, v, &number.re))
			return false;
	} else if (v->kind == VF_VALUE_NUMBER && !v->as.number.is_complex) {
		number.re = vf_number_real(&v->as.number);
	} else {
		return refuse(e, b->name, v);
	}
	*out = (vf_value){.kind = VF_VALUE_NUMBER, .at = call->at, .as.number = number};
	return true;
}

static bool apply_int(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	const vf_value *v = call->positional.items;
	const double limit = 9223372036854775808.0; /* 2^63 */
	if (v->kind != VF_VALUE_NUMBER || v->as.number.is_complex)
		return refuse(e, b->name, v);
	const vf_number *number = &v->as.number;
	if (number->kind == VF_NUMBER_UINT)
		*out = *v;
	else if (number->kind != VF_NUMBER_FLOAT)
		*out = vf_value_int(call->at, number->i);
	else if (number->re > -limit && number->re < limit)
		*out = vf_value_int(call->at, (int64_t)number->re);
	else
		return vf_expr_fail(e, VF_ERR_OVERFLOW, v->at, "int: %g is beyond 64 bits", number->re);
	return true;
}

/* np.float32(0.1): a number that has a type, and that type's value. */
bool vf_expr_typed_number(vf_expr *e, vf_dtype dtype, const vf_call *call, vf_value *out)
{
	char name[16];
	unsigned char element[16];
	vf_dtype_name(dtype, name, sizeof name);
	if (!check_arguments(e, name, call, 1))
		return false;
	const vf_value *v = call->positional.items;
	if (v->kind != VF_VALUE_NUMBER || v->as.number.is_complex)
		return refuse(e, name, v);
	*out = *v;
	e->at = v->at;
	if (!vf_number_to_element(e->ctx, &v->as.number, dtype, element))
		return false;
	if (vf_dtype_is_float(dtype)) {
		out->as.number.kind = VF_NUMBER_FLOAT;
		out->as.number.re = vf_real_read(dtype, element);
	}
	out->as.number.dtype = dtype;
	return true;
}

/* Turn a list into a tuple or back, or reverse it. */
enum { AS_LIST, AS_TUPLE, REVERSED };

static bool apply_list(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	const vf_value *v = call->positional.items;
	vf_values values = {0};
	if (v->kind != VF_VALUE_LIST)
		return refuse(e, b->name, v);
	*out = *v;
	for (int64_t i = v->as.list.n; b->which == REVERSED && i-- > 0;)
		if (!vf_values_add(e, &values, &v->as.list.items[i]))
			return false;
	if (b->which == REVERSED)
		*out = vf_value_list(call->at, &values, false);
	out->is_tuple = b->which == AS_TUPLE;
	return true;
}

/* Two integers taken together; false beyond 64 bits. */
enum { LEAST, MOST, SUM, PRODUCT };

static bool take_together(int which, int64_t a, int64_t b, int64_t *out)
{
	if (which == SUM)
		return vf_sum_fits(a, b, out);
	if (which == PRODUCT)
		return vf_product_fits(a, b, out);
	*out = (which == LEAST) == (a < b) ? a : b;
	return true;
}

/* The integers of one list, or for min() and max() the arguments themselves, from the first on. */
static bool apply_fold(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	const vf_value *v = call->positional.items;
	bool list = call->positional.n == 1 && v->kind == VF_VALUE_LIST;
	int64_t n = list ? v->as.list.n : call->positional.n, all = b->which == PRODUCT;
	const vf_value *items = list ? v->as.list.items : v;
	for (int64_t i = 0; i < n; i++) {
		if ((!list && n == 1) || !vf_value_is_int(&items[i]))
			return refuse(e, b->name, &items[i]);
		if (i == 0)
			all = items[i].as.number.i;
		else if (!take_together(b->which, all, items[i].as.number.i, &all))
			return vf_expr_fail(e, VF_ERR_OVERFLOW, v->at, "%s: beyond 64 bits", b->name);
	}
	if (n == 0 && b->which <= MOST)
		return vf_expr_fail(e, VF_ERR_ARGUMENT, v->at, "%s: an empty list", b->name);
	*out = vf_value_int(call->at, all);
	return true;
}

static bool apply_range(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	int64_t bounds[3] = {0, 0, 1}, n = call->positional.n;
	const vf_value *v = call->positional.items;
	vf_values values = {0};
	for (int64_t i = 0; i < n; i++) {
		if (!vf_value_is_int(&v[i]))
			return refuse(e, b->name, &v[i]);
		bounds[n == 1 ? 1 : i] = v[i].as.number.i;
	}
	if (bounds[2] == 0)
		return vf_expr_fail(e, VF_ERR_ARGUMENT, v[2].at, "range: a step of 0");
	for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1];) {
		vf_value item = vf_value_int(call->at, i);
		if (!vf_values_add(e, &values, &item))
			return false;
		if (!vf_sum_fits(i, bounds[2], &i))
			break;
	}
	*out = vf_value_list(call->at, &values, false);
	return true;
}

/* The value as the only item of a list. */
static bool wrap(vf_expr *e, size_t at, vf_value *value)
{
	vf_values one = {0};
	bool added = vf_values_add(e, &one, value);
	*value = vf_value_list(at, &one, false);
	return added;
}

/* One list of ix_: its items along axis `axis` of `rank`, the others of extent 1. */
static bool nest(vf_expr *e, const vf_value *list, int64_t axis, int64_t rank, vf_value *out)
{
	vf_values items = {0};
	for (int64_t i = 0; i < list->as.list.n; i++) {
		vf_value item = list->as.list.items[i];
		for (int64_t k = axis + 1; k < rank; k++)
			if (!wrap(e, list->at, &item))
				return false;
		if (!vf_values_add(e, &items, &item))
			return false;
	}
	*out = vf_value_list(list->at, &items, false);
	for (int64_t k = 0; k < axis; k++)
		if (!wrap(e, list->at, out))
			return false;
	return true;
}

/* numpy.ix_: lists that vary along axes of their own. */
static bool apply_ix(vf_expr *e, const vf_builtin *b, const vf_call *call, vf_value *out)
{
	const vf_value *v = call->positional.items;
	vf_values values = {0};
	vf_value nested;
	for (int64_t i = 0, n = call->positional.n; i < n; i++) {
		if (v[i].kind != VF_VALUE_LIST)
			return refuse(e, b->name, &v[i]);
		if (v[i].as.list.n == 0) /* nested lists cannot say (0, 1) */
			return vf_expr_fail(e, VF_ERR_ARGUMENT, v[i].at, "ix_: an empty list; slice it away");
		if (!nest(e, &v[i], i, n, &nested) || !vf_values_add(e, &values, &nested))
			return false;
	}
	*out = vf_value_list(call->at, &values, true);
	return true;
}

static const vf_builtin builtins[] = {
    /* name, arguments at most, function, which of those that it is */
    {"len", 1, apply_len, 0},
    {"float", 1, apply_float, 0},
    {"int", 1, apply_int, 0},
    {"list", 1, apply_list, AS_LIST},
    {"tensor", 1, apply_list, AS_LIST},
    {"array", 1, apply_list, AS_LIST},
    {"tuple", 1, apply_list, AS_TUPLE},
    {"reversed", 1, apply_list, REVERSED},
    {"range", 3, apply_range, 0},
    {"arange", 3, apply_range, 0},
    {"min", VF_EXPR_MAX_ITEMS, apply_fold, LEAST},
    {"max", VF_EXPR_MAX_ITEMS, apply_fold, MOST},
    {"sum", 1, apply_fold, SUM},
    {"prod", 1, apply_fold, PRODUCT},
    {"ix_", VF_MAX_RANK, apply_ix, 0},
};
enum { NBUILTINS = sizeof builtins / sizeof *builtins };

bool vf_builtin_call(vf_expr *e, const vf_builtin *builtin, const vf_call *call, vf_value *out)
{
	return check_arguments(e, builtin->name, call, builtin->most) &&
	       builtin->apply(e, builtin, call, out);
}

const vf_builtin *vf_builtin_find(const char *name, size_t length)
{
	for (int i = 0; i < NBUILTINS; i++)
		if (vf_name_is(name, length, builtins[i].name))
			return &builtins[i];
	return NULL;
}

const char *vf_builtin_name(int i)
{
	if (i < NPROPERTIES)
		return properties[i].name;
	return i < NPROPERTIES + NBUILTINS ? builtins[i - NPROPERTIES].name : NULL;
}
