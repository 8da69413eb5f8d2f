/* compose_split.c -- NumPy's split and its like: into parts that must be equal, or at a list of places. */
#include "expr/composed.h"

#include <inttypes.h>
#include <string.h>

static bool check_sections(vf_bound *b, const vf_array *a, int axis, int64_t sections)
{
	int64_t extent = vf_shape(a)[axis];
	if (sections < 1)
		return vf_bound_fail(b, VF_ERR_ARGUMENT, "the number of parts is %" PRId64, sections);
	return extent % sections == 0 ||
	       vf_bound_fail(b, VF_ERR_SHAPE,
	                     "axis %d of extent %" PRId64 " does not divide into %" PRId64 " equal parts",
	                     axis, extent, sections);
}

/* Split `a` by the list op of this name along `axis`. */
static bool give_parts(vf_bound *b, const char *name, vf_array *a, const vf_arg *sizes, int axis,
                       vf_value *out)
{
	const vf_op *op = vf_op_find(name, strlen(name));
	const vf_arg args[VF_MAX_PARAMS] = {*sizes, {.given = true, .i = axis}};
	vf_array **parts = NULL;
	int64_t n = op->parts(op, a, args, &parts);
	bool ok = n >= 0 && vf_expr_hold(b->e, n, parts) && vf_give_list(b, n, parts, out);
	vf_dealloc(b->e->ctx, parts);
	return ok;
}

/* Split by argument 1 along `axis`. */
static bool split(vf_bound *b, vf_array *a, int axis, vf_value *out)
{
	vf_arg sizes = {.given = true};
	sizes.ints = vf_bound_ints(b, 1, &sizes.n, &sizes.is_list);
	if (!sizes.ints || (!sizes.is_list && !check_sections(b, a, axis, sizes.ints[0])))
		return false;
	return give_parts(b, "tensor_split", a, &sizes, axis, out);
}

/* torch.split_with_sizes: split with a list. */
bool vf_compose_split_with_sizes(vf_bound *b, vf_value *out)
{
	vf_arg sizes = {.given = true, .is_list = true};
	int axis;
	vf_array *a = vf_bound_array(b, 0);
	if (!a || !vf_bound_axis(b, 2, vf_rank(a), &axis))
		return false;
	sizes.ints = vf_bound_ints(b, 1, &sizes.n, NULL);
	return sizes.ints && give_parts(b, "split", a, &sizes, axis, out);
}

bool vf_compose_split(vf_bound *b, vf_value *out)
{
	int axis;
	vf_array *a = vf_bound_array(b, 0);
	return a && vf_bound_axis(b, 2, vf_rank(a), &axis) && split(b, a, axis, out);
}

/* hsplit, vsplit, dsplit. The row's number is the least rank. Without an axis 1, hsplit splits axis 0. */
bool vf_compose_split_axis(vf_bound *b, vf_value *out)
{
	vf_array *a = vf_bound_array(b, 0);
	const int least = b->op->number, axis = (const int[]){1, 0, 2}[least - 1];
	if (!a)
		return false;
	if (vf_rank(a) < least)
		return vf_bound_fail(b, VF_ERR_SHAPE, "the rank is %d and must be %d at least", vf_rank(a),
		                     least);
	return split(b, a, axis < vf_rank(a) ? axis : 0, out);
}
