/* builtin.c -- what is no view: what an array tells of itself, and a few functions of Python. */
#include "core/formula.h"
#include "expr/expr.h"

#include <string.h>

/* ---- properties ---- */

static bool read_shape(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	(void)axis, (void)bare;
	return vf_value_ints(e, at, vf_rank(a), vf_shape(a), out);
}

static bool read_ndim(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	(void)e, (void)axis, (void)bare;
	*out = vf_value_int(at, vf_rank(a));
	return true;
}

static bool read_numel(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	(void)e, (void)axis, (void)bare;
	*out = vf_value_int(at, vf_size(a));
	return true;
}

static bool read_dtype(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	(void)e, (void)axis, (void)bare;
	*out = (vf_value){.kind = VF_VALUE_DTYPE, .at = at, .as.dtype = vf_dtype_of(a)};
	return true;
}

/* All of `numbers`, one an axis, or that of `axis`. */
static bool read_axes(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, const int64_t *numbers,
                      vf_value *out)
{
	int64_t rank = vf_rank(a);
	if (!axis)
		return vf_value_ints(e, at, rank, numbers, out);
	if (*axis < -rank || *axis >= rank)
		return vf_expr_fail(e, VF_ERR_AXIS, at, "no axis %lld in an array of rank %lld",
		                    (long long)*axis, (long long)rank);
	*out = vf_value_int(at, numbers[*axis < 0 ? *axis + rank : *axis]);
	return true;
}

/* PyTorch's size() is the shape; NumPy's size the number of elements. */
static bool read_size(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	if (bare)
		return read_numel(e, a, at, axis, bare, out);
	return read_axes(e, a, at, axis, vf_shape(a), out);
}

static bool read_stride(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	int64_t strides[VF_MAX_RANK];
	(void)bare;
	return vf_strides(a, strides, NULL) == VF_OK && read_axes(e, a, at, axis, strides, out);
}

static bool read_offset(vf_expr *e, vf_array *a, size_t at, const int64_t *axis, bool bare, vf_value *out)
{
	int64_t strides[VF_MAX_RANK], offset;
	(void)e, (void)axis, (void)bare;
	if (vf_strides(a, strides, &offset) != VF_OK)
		return false;
	*out = vf_value_int(at, offset);
	return true;
}

static const vf_property properties[] = {
    /* name, written x.name, x.name(...), name(x), takes an axis */
    {"shape", true, false, true, false, read_shape},
    {"ndim", true, false, true, false, read_ndim},
    {"dtype", true, false, false, false, read_dtype},
    {"size", true, true, false, true, read_size},
    {"stride", false, true, false, true, read_stride},
    {"storage_offset", false, true, false, false, read_offset},
    {"dim", false, true, false, false, read_ndim},
    {"numel", false, true, true, false, read_numel},
    {"nelement", false, true, false, false, read_numel},
};
enum { NPROPERTIES = sizeof properties / sizeof *properties };

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
	const vf_value *v = p->takes_axis ? vf_call_sole(call, "dim") : NULL;
	*axis = NULL;
	if (!v && vf_call_count(call) > 0)
		return vf_expr_fail(e, VF_ERR_SYNTAX, call->at, "%s: takes %s", p->name,
		                    p->takes_axis ? "one argument, 'dim'" : "no arguments");
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
	if (call ? !p->called && !(p->function && call->used) : !p->bare)
		return vf_expr_fail(e, VF_ERR_SYNTAX, at,
		                    call ? "%s: is written without '()'" : "%s: is written %s()", p->name,
		                    p->name);
	if (call && !axis_argument(e, p, call, &axis))
		return false;
	e->at = at;
	return p->read(e, a, at, axis, !call, out);
}

/* ---- functions ---- */

/* The call's positional arguments, if there are one to `most` and no keywords. */
static const vf_value *arguments(vf_expr *e, const char *name, const vf_call *call, int64_t most)
{
	int64_t n = call->positional.n;
	if (n >= 1 && n <= most && call->nkeywords == 0)
		return call->positional.items;
	vf_expr_fail(e, VF_ERR_SYNTAX, call->at, "%s: takes %lld argument%s", name, (long long)most,
	             most == 1 ? "" : "s at most");
	return NULL;
}

static bool refuse(vf_expr *e, const char *name, const vf_value *v)
{
	char found[VF_QUOTE];
	return vf_expr_fail(e, VF_ERR_SYNTAX, v->at, "%s: does not take %s", name,
	                    vf_value_describe(v, found));
}

static bool apply_len(vf_expr *e, const vf_call *call, vf_value *out)
{
	const vf_value *v = arguments(e, "len", call, 1);
	if (!v)
		return false;
	if (v->kind == VF_VALUE_LIST)
		*out = vf_value_int(call->at, v->as.list.n);
	else if (v->kind == VF_VALUE_ARRAY && vf_rank(v->as.array) > 0)
		*out = vf_value_int(call->at, vf_shape(v->as.array)[0]);
	else if (v->kind == VF_VALUE_ARRAY)
		return vf_expr_fail(e, VF_ERR_AXIS, v->at, "len: an array of rank 0 has no length");
	else
		return refuse(e, "len", v);
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

static bool apply_float(vf_expr *e, const vf_call *call, vf_value *out)
{
	const vf_value *v = arguments(e, "float", call, 1);
	vf_number number = {.kind = VF_NUMBER_FLOAT};
	if (!v)
		return false;
	if (v->kind == VF_VALUE_TEXT) {
		if (!parse_float(e, v, &number.re))
			return false;
	} else if (v->kind == VF_VALUE_NUMBER && !v->as.number.is_complex) {
		number.re = vf_number_real(&v->as.number);
	} else {
		return refuse(e, "float", v);
	}
	*out = (vf_value){.kind = VF_VALUE_NUMBER, .at = call->at, .as.number = number};
	return true;
}

static bool apply_int(vf_expr *e, const vf_call *call, vf_value *out)
{
	const vf_value *v = arguments(e, "int", call, 1);
	const double limit = 9223372036854775808.0; /* 2^63 */
	if (!v)
		return false;
	if (v->kind != VF_VALUE_NUMBER || v->as.number.is_complex)
		return refuse(e, "int", v);
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
	const vf_value *v = arguments(e, name, call, 1);
	if (!v)
		return false;
	if (v->kind != VF_VALUE_NUMBER || v->as.number.is_complex)
		return refuse(e, name, v);
	*out = *v;
	e->at = v->at;
	if (!vf_number_to_element(e->ctx, &v->as.number, dtype, element))
		return false;
	if (vf_dtype_is_float(dtype)) {
		vf_formula wide = {.from = dtype, .to = VF_F64, .nterm = 1};
		wide.terms[0] = (vf_term){.kind = VF_TERM_CONVERT, .dtype = VF_F64};
		out->as.number.kind = VF_NUMBER_FLOAT;
		vf_formula_apply(&wide, element, NULL, &out->as.number.re);
	}
	out->as.number.dtype = dtype;
	return true;
}

static bool apply_list(vf_expr *e, const vf_call *call, vf_value *out)
{
	const vf_value *v = arguments(e, "list", call, 1);
	if (!v)
		return false;
	if (v->kind != VF_VALUE_LIST)
		return refuse(e, "list", v);
	*out = *v;
	out->is_tuple = false;
	return true;
}

static bool apply_tuple(vf_expr *e, const vf_call *call, vf_value *out)
{
	if (!apply_list(e, call, out))
		return false;
	out->is_tuple = true;
	return true;
}

static bool apply_reversed(vf_expr *e, const vf_call *call, vf_value *out)
{
	const vf_value *v = arguments(e, "reversed", call, 1);
	vf_values values = {0};
	if (!v)
		return false;
	if (v->kind != VF_VALUE_LIST)
		return refuse(e, "reversed", v);
	for (int64_t i = v->as.list.n; i-- > 0;)
		if (!vf_values_add(e, &values, &v->as.list.items[i]))
			return false;
	*out = vf_value_list(call->at, &values, false);
	return true;
}

/* The integers of one list, or the arguments themselves, taken together from the first on; `empty` is what
 * none come to, VF_NONE: nothing. */
static bool fold_integers(vf_expr *e, const char *name, const vf_call *call, int64_t empty,
                          bool (*step)(int64_t a, int64_t b, int64_t *out), vf_value *out)
{
	const vf_value *v = arguments(e, name, call, empty == VF_NONE ? VF_EXPR_MAX_ITEMS : 1);
	if (!v)
		return false;
	bool list = call->positional.n == 1 && v->kind == VF_VALUE_LIST;
	int64_t n = list ? v->as.list.n : call->positional.n, all = empty;
	const vf_value *items = list ? v->as.list.items : v;
	for (int64_t i = 0; i < n; i++) {
		if (!list && n == 1)
			return refuse(e, name, v);
		if (!vf_value_is_int(&items[i]))
			return refuse(e, name, &items[i]);
		if (i == 0)
			all = items[i].as.number.i;
		else if (!step(all, items[i].as.number.i, &all))
			return vf_expr_fail(e, VF_ERR_OVERFLOW, v->at, "%s: beyond 64 bits", name);
	}
	if (n == 0 && empty == VF_NONE)
		return vf_expr_fail(e, VF_ERR_ARGUMENT, v->at, "%s: an empty list", name);
	*out = vf_value_int(call->at, all);
	return true;
}

static bool lesser(int64_t a, int64_t b, int64_t *out)
{
	*out = a < b ? a : b;
	return true;
}

static bool greater(int64_t a, int64_t b, int64_t *out)
{
	*out = a > b ? a : b;
	return true;
}

static bool apply_min(vf_expr *e, const vf_call *call, vf_value *out)
{
	return fold_integers(e, "min", call, VF_NONE, lesser, out);
}

static bool apply_max(vf_expr *e, const vf_call *call, vf_value *out)
{
	return fold_integers(e, "max", call, VF_NONE, greater, out);
}

static bool apply_sum(vf_expr *e, const vf_call *call, vf_value *out)
{
	return fold_integers(e, "sum", call, 0, vf_sum_fits, out);
}

static bool apply_prod(vf_expr *e, const vf_call *call, vf_value *out)
{
	return fold_integers(e, "prod", call, 1, vf_product_fits, out);
}

static bool apply_range(vf_expr *e, const vf_call *call, vf_value *out)
{
	int64_t bounds[3] = {0, 0, 1}, n = call->positional.n;
	const vf_value *v = arguments(e, "range", call, 3);
	vf_values values = {0};
	if (!v)
		return false;
	for (int64_t i = 0; i < n; i++) {
		if (!vf_value_is_int(&v[i]))
			return refuse(e, "range", &v[i]);
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

/* One list of ix_: its items along axis `axis` of `rank`, the others of extent 1. */
static bool nest(vf_expr *e, const vf_value *list, int64_t axis, int64_t rank, vf_value *out)
{
	vf_values items = {0};
	for (int64_t i = 0; i < list->as.list.n; i++) {
		vf_value item = list->as.list.items[i];
		for (int64_t k = axis + 1; k < rank; k++) {
			vf_values one = {0};
			if (!vf_values_add(e, &one, &item))
				return false;
			item = vf_value_list(list->at, &one, false);
		}
		if (!vf_values_add(e, &items, &item))
			return false;
	}
	*out = vf_value_list(list->at, &items, false);
	for (int64_t k = 0; k < axis; k++) {
		vf_values one = {0};
		if (!vf_values_add(e, &one, out))
			return false;
		*out = vf_value_list(list->at, &one, false);
	}
	return true;
}

/* numpy.ix_: lists that vary along axes of their own. */
static bool apply_ix(vf_expr *e, const vf_call *call, vf_value *out)
{
	int64_t n = call->positional.n;
	const vf_value *v = arguments(e, "ix_", call, VF_MAX_RANK);
	vf_values values = {0};
	vf_value nested;
	if (!v)
		return false;
	for (int64_t i = 0; i < n; i++) {
		if (v[i].kind != VF_VALUE_LIST)
			return refuse(e, "ix_", &v[i]);
		if (v[i].as.list.n == 0) /* nested lists cannot say (0, 1) */
			return vf_expr_fail(e, VF_ERR_ARGUMENT, v[i].at, "ix_: an empty list; slice it away");
		if (!nest(e, &v[i], i, n, &nested) || !vf_values_add(e, &values, &nested))
			return false;
	}
	*out = vf_value_list(call->at, &values, true);
	return true;
}

static const vf_builtin builtins[] = {
    {"len", apply_len},           {"float", apply_float}, {"int", apply_int},      {"list", apply_list},
    {"tensor", apply_list},       {"array", apply_list},  {"tuple", apply_tuple},  {"range", apply_range},
    {"min", apply_min},           {"max", apply_max},     {"sum", apply_sum},      {"prod", apply_prod},
    {"reversed", apply_reversed}, {"ix_", apply_ix},      {"arange", apply_range},
};
enum { NBUILTINS = sizeof builtins / sizeof *builtins };

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
