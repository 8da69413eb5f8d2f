/* compose_pad.c -- numpy.pad.
 *
 * In     widths: one number for all, (before, after) for all, a pair for each axis, or {axis: pair}
 * Out    axis by axis: a pad where vf_pad() has the mode and the extent is enough; else the array and its
 *        mirror image repeated, and cut to what is asked for
 */
#include "expr/composed.h"

#include <inttypes.h>
#include <string.h>

typedef enum pad_kind { PAD_CONSTANT, PAD_EDGE, PAD_REFLECT, PAD_SYMMETRIC, PAD_WRAP, PAD_EMPTY } pad_kind;

enum { ARRAY, WIDTHS, MODE, VALUES, REFLECT_TYPE }; /* the parameters */

/* ---- pairs ---- */

/* The values before and after: from a list of one or two, or from a single value. False if it is neither. */
static bool read_pair(const vf_value *v, const vf_value **before, const vf_value **after)
{
	int64_t n = v->kind == VF_VALUE_LIST ? v->as.list.n : 1;
	if (n != 1 && n != 2) /* an empty list has no items to point to */
		return false;
	*before = v->kind == VF_VALUE_LIST ? v->as.list.items : v;
	*after = *before + (n == 2);
	return true;
}

static bool is_nested(const vf_value *v)
{
	return v->kind == VF_VALUE_LIST && v->as.list.n > 0 && v->as.list.items[0].kind == VF_VALUE_LIST;
}

/* Check that argument i is the same for all axes, or a list with one entry for each. */
static bool check_axes(vf_bound *b, int i, int rank)
{
	const vf_value *v = &b->values[i];
	return !is_nested(v) || v->as.list.n == 1 || v->as.list.n == rank ||
	       vf_expr_fail(b->e, VF_ERR_SHAPE, v->at, "pad: %" PRId64 " pairs for an array of rank %d",
	                    v->as.list.n, rank);
}

static const vf_value *of_axis(const vf_value *v, int axis)
{
	return is_nested(v) ? &v->as.list.items[v->as.list.n == 1 ? 0 : axis] : v;
}

/* ---- widths ---- */

static bool take_width(vf_bound *b, const vf_value *v, int64_t *out)
{
	char found[VF_QUOTE];
	if (!vf_value_is_int(v))
		return vf_expr_fail(b->e, vf_value_no_int(v), v->at,
		                    "pad: 'pad_width' takes one or two integers an axis, not %s",
		                    vf_value_describe(v, found));
	*out = v->as.number.i;
	return *out >= 0 ||
	       vf_expr_fail(b->e, VF_ERR_ARGUMENT, v->at, "pad: the width %" PRId64 " is negative", *out);
}

static bool take_widths(vf_bound *b, const vf_value *v, int64_t pair[2])
{
	const vf_value *before, *after;
	if (!read_pair(v, &before, &after))
		before = after = v; /* take_width() refuses it */
	return take_width(b, before, &pair[0]) && take_width(b, after, &pair[1]);
}

/* {axis: pair}; an axis that is not named is not padded. */
static bool read_dict(vf_bound *b, const vf_value *v, int rank, int64_t (*widths)[2])
{
	memset(widths, 0, (size_t)rank * sizeof *widths);
	for (int64_t i = 0; i < v->as.list.n; i += 2) {
		const vf_value *key = &v->as.list.items[i];
		if (!vf_value_is_int(key) || key->as.number.i < -rank || key->as.number.i >= rank)
			return vf_expr_fail(b->e, VF_ERR_AXIS, key->at,
			                    "pad: a key of 'pad_width' is no axis of an array of rank %d",
			                    rank);
		int64_t axis = key->as.number.i;
		if (!take_widths(b, &v->as.list.items[i + 1], widths[axis < 0 ? axis + rank : axis]))
			return false;
	}
	return true;
}

static bool read_widths(vf_bound *b, int rank, int64_t (*widths)[2])
{
	const vf_value *v = &b->values[WIDTHS];
	if (v->kind == VF_VALUE_DICT)
		return read_dict(b, v, rank, widths);
	if (!check_axes(b, WIDTHS, rank))
		return false;
	for (int axis = 0; axis < rank; axis++)
		if (!take_widths(b, of_axis(v, axis), widths[axis]))
			return false;
	return true;
}

/* ---- modes ---- */

/* The number of the mode; -1 with an error. */
static int read_kind(vf_bound *b)
{
	const vf_value *v = &b->values[MODE];
	if (b->given[MODE] && vf_value_word(v, "'linear_ramp' 'maximum' 'mean' 'median' 'minimum'") >= 0) {
		vf_expr_fail(b->e, VF_ERR_NAME, v->at,
		             "pad: mode '%s' computes its values: viewfold does not compute that",
		             v->as.text);
		return -1;
	}
	return vf_bound_word(b, MODE, "'constant', 'edge', 'reflect', 'symmetric', 'wrap' or 'empty'");
}

static bool check_reflect_type(vf_bound *b, pad_kind kind)
{
	int type = vf_bound_word(b, REFLECT_TYPE, "'even' or 'odd'");
	if (type < 0)
		return false;
	if (b->given[REFLECT_TYPE] && kind != PAD_REFLECT && kind != PAD_SYMMETRIC)
		return vf_bound_fail(b, VF_ERR_ARGUMENT,
		                     "'reflect_type' goes with modes 'reflect' and 'symmetric' only");
	if (b->given[VALUES] && kind != PAD_CONSTANT)
		return vf_bound_fail(b, VF_ERR_ARGUMENT, "'constant_values' go with mode 'constant' only");
	return type == 0 || vf_bound_fail(b, VF_ERR_ARGUMENT,
	                                  "reflect_type 'odd' is 2 * edge - value: viewfold does "
	                                  "not compute that");
}

/* ---- axis by axis ---- */

static bool take_fill(vf_bound *b, const vf_array *a, const vf_value *v, unsigned char element[16])
{
	if (v->kind != VF_VALUE_NUMBER)
		return vf_bound_wrong(b, VALUES, v, "numbers");
	b->e->at = v->at;
	if (!vf_number_to_element(b->e->ctx, &v->as.number, vf_dtype_of(a), element))
		return false;
	b->e->at = b->call->at;
	return true;
}

/* vf_pad() of one axis. */
static vf_array *pad_axis(vf_expr *e, vf_array *a, int axis, const int64_t width[2], vf_pad_mode mode,
                          const void *value)
{
	int64_t pads[2 * VF_MAX_RANK] = {0};
	int n = vf_rank(a) - axis;
	memcpy(&pads[2 * (n - 1)], width, 2 * sizeof *pads);
	return vf_keep(e, vf_pad(a, 2 * n, pads, mode, value));
}

/* Before and after have their own values. Later axes fill the corners. */
static vf_array *pad_constant(vf_bound *b, vf_array *a, int axis, const int64_t width[2])
{
	const vf_value *v = of_axis(&b->values[VALUES], axis), *value[2];
	if (!b->given[VALUES])
		return pad_axis(b->e, a, axis, width, VF_PAD_CONSTANT, NULL);
	if (!read_pair(v, &value[0], &value[1])) {
		vf_bound_wrong(b, VALUES, v, "one or two numbers an axis");
		return NULL;
	}
	for (int side = 0; side < 2 && a; side++) {
		unsigned char element[16];
		int64_t one[2] = {side == 0 ? width[0] : 0, side == 1 ? width[1] : 0};
		if (!take_fill(b, a, value[side], element))
			return NULL;
		a = pad_axis(b->e, a, axis, one, VF_PAD_CONSTANT, element);
	}
	return a;
}

/* One period of the endless pattern: the array (wrap), or the array and its mirror image, with its ends
 * (symmetric) or without them (reflect). */
static vf_array *period_of(vf_expr *e, vf_array *a, int axis, pad_kind kind)
{
	int64_t n = vf_shape(a)[axis];
	if (kind == PAD_WRAP)
		return a;
	vf_array *mirror = vf_keep(e, vf_flip(a, 1, &axis));
	if (kind == PAD_REFLECT && mirror)
		mirror = vf_keep(e, vf_narrow(mirror, axis, 1, n - 2));
	return mirror ? vf_keep(e, vf_cat(2, (vf_array *[]){a, mirror}, axis)) : NULL;
}

/* Continue the pattern by `width` elements on both sides. The extent is at least 2. */
static vf_array *pad_periodic(vf_bound *b, vf_array *a, int axis, const int64_t width[2], pad_kind kind)
{
	int64_t counts[VF_MAX_RANK], total, need, n = vf_shape(a)[axis];
	vf_array *period = period_of(b->e, a, axis, kind);
	if (!period)
		return NULL;
	int64_t length = vf_shape(period)[axis], start = (length - width[0] % length) % length;
	if (!vf_sum_fits(n, width[0], &total) || !vf_sum_fits(total, width[1], &total) ||
	    !vf_sum_fits(start, total, &need)) {
		vf_bound_fail(b, VF_ERR_OVERFLOW,
		              "axis %d of extent %" PRId64 " padded by %" PRId64 " and %" PRId64, axis, n,
		              width[0], width[1]);
		return NULL;
	}
	for (int i = 0; i < vf_rank(a); i++)
		counts[i] = i == axis ? (need - 1) / length + 1 : 1;
	vf_array *tiled = vf_keep(b->e, vf_tile(period, vf_rank(a), counts));
	return vf_keep(b->e, vf_narrow(tiled, axis, start, total));
}

static vf_array *pad(vf_bound *b, vf_array *a, int axis, const int64_t width[2], pad_kind kind)
{
	int64_t n = vf_shape(a)[axis], most = width[0] > width[1] ? width[0] : width[1];
	if (most == 0)
		return a;
	if (kind == PAD_CONSTANT || kind == PAD_EMPTY)
		return pad_constant(b, a, axis, width);
	if (n == 0) {
		vf_bound_fail(b, VF_ERR_SHAPE, "axis %d has no element to be padded with", axis);
		return NULL;
	}
	if (kind == PAD_EDGE || n == 1)
		return pad_axis(b->e, a, axis, width, VF_PAD_REPLICATE, NULL);
	if (kind == PAD_REFLECT && most < n)
		return pad_axis(b->e, a, axis, width, VF_PAD_REFLECT, NULL);
	if (kind == PAD_WRAP && most <= n)
		return pad_axis(b->e, a, axis, width, VF_PAD_CIRCULAR, NULL);
	return pad_periodic(b, a, axis, width, kind);
}

/* One number, or none, fills every border: one operation for all axes. */
static bool fills_alike(const vf_bound *b)
{
	return !b->given[VALUES] || b->values[VALUES].kind == VF_VALUE_NUMBER;
}

static vf_array *fill_all(vf_bound *b, vf_array *a, int64_t (*widths)[2])
{
	int64_t pads[2 * VF_MAX_RANK];
	unsigned char element[16];
	int rank = vf_rank(a);
	for (int i = 0; i < rank; i++)
		memcpy(&pads[2 * i], widths[rank - 1 - i], 2 * sizeof *pads);
	if (b->given[VALUES] && !take_fill(b, a, &b->values[VALUES], element))
		return NULL;
	return vf_keep(b->e, vf_pad(a, 2 * rank, pads, VF_PAD_CONSTANT, b->given[VALUES] ? element : NULL));
}

bool vf_compose_pad(vf_bound *b, vf_value *out)
{
	int64_t widths[VF_MAX_RANK][2];
	vf_array *a = vf_bound_array(b, ARRAY);
	int rank = a ? vf_rank(a) : 0, mode = a && read_widths(b, rank, widths) ? read_kind(b) : -1;
	pad_kind kind = (pad_kind)mode;
	if (mode < 0 || !check_reflect_type(b, kind))
		return false;
	if (b->given[VALUES] && !check_axes(b, VALUES, rank))
		return false;
	if (kind == PAD_EMPTY || (kind == PAD_CONSTANT && fills_alike(b)))
		return vf_give(b, fill_all(b, a, widths), out);
	for (int axis = 0; axis < rank && a; axis++)
		a = pad(b, a, axis, widths[axis], kind);
	return vf_give(b, a, out);
}
