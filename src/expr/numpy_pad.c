/* numpy_pad.c -- np.pad(x, widths, mode, constant_values=...) as the arguments of x.pad().
 *
 * In     widths: one number for all, (before, after) for all, or a pair for each axis from the first on
 * Out    the pairs of torch.nn.functional.pad, the last axis first; NumPy's names for modes replaced
 */
#include "expr/expr.h"

#include <string.h>

static bool is_list(const vf_value *v)
{
	return v->kind == VF_VALUE_LIST;
}

/* One number, or one or two in a list: what stands before and after. */
static bool take_pair(vf_expr *e, const vf_value *v, int64_t pair[2])
{
	char found[VF_QUOTE];
	int64_t n = is_list(v) ? v->as.list.n : 1;
	const vf_value *items = is_list(v) ? v->as.list.items : v;
	for (int i = 0; i < 2; i++) {
		const vf_value *item = n == 1 || n == 2 ? &items[n == 1 ? 0 : i] : v;
		if (!vf_value_is_int(item))
			return vf_expr_fail(e, VF_ERR_SYNTAX, item->at, "pad: 'pad_width' takes one or two integers an axis, not %s",
			                    vf_value_describe(item, found));
		pair[i] = item->as.number.i;
		if (pair[i] < 0)
			return vf_expr_fail(e, VF_ERR_ARGUMENT, item->at, "pad: the width %lld is negative", (long long)pair[i]);
	}
	return true;
}

static bool take_widths(vf_expr *e, const vf_value *v, int rank, vf_value *out)
{
	int64_t pads[2 * VF_MAX_RANK];
	bool nested = is_list(v) && v->as.list.n > 0 && is_list(&v->as.list.items[0]);
	if (nested && v->as.list.n != 1 && v->as.list.n != rank)
		return vf_expr_fail(e, VF_ERR_SHAPE, v->at, "pad: %lld pairs for an array of rank %d",
		                    (long long)v->as.list.n, rank);
	for (int i = 0; i < rank; i++) {
		int axis = rank - 1 - i;
		const vf_value *pair = nested ? &v->as.list.items[v->as.list.n == 1 ? 0 : axis] : v;
		if (!take_pair(e, pair, &pads[2 * (ptrdiff_t)i]))
			return false;
	}
	return vf_value_ints(e, v->at, 2 * (int64_t)rank, pads, out);
}

static void rename_mode(vf_value *v)
{
	if (v->kind == VF_VALUE_TEXT && strcmp(v->as.text, "edge") == 0)
		v->as.text = "replicate";
	else if (v->kind == VF_VALUE_TEXT && strcmp(v->as.text, "wrap") == 0)
		v->as.text = "circular";
}

static void rename_keyword(vf_keyword *k)
{
	static const char *const names[][2] = {{"pad_width", "pad"}, {"constant_values", "value"}};
	for (int i = 0; i < 2; i++)
		if (vf_name_is(k->name, k->length, names[i][0])) {
			k->name = names[i][1];
			k->length = strlen(names[i][1]);
		}
	if (vf_name_is(k->name, k->length, "mode"))
		rename_mode(&k->value);
}

bool vf_numpy_pad(vf_expr *e, vf_call *call)
{
	vf_values *values = &call->positional;
	vf_value *widths = values->n > 1 ? &values->items[1] : NULL;
	if (values->n == 0 || values->items[0].kind != VF_VALUE_ARRAY)
		return true; /* the call itself says what is missing */
	if (values->n > 2)
		rename_mode(&values->items[2]);
	for (int64_t i = 0; i < call->nkeywords; i++) {
		vf_keyword *k = &call->keywords[i];
		rename_keyword(k);
		if (!widths && vf_name_is(k->name, k->length, "pad"))
			widths = &k->value;
	}
	return !widths || take_widths(e, widths, vf_rank(values->items[0].as.array), widths);
}
