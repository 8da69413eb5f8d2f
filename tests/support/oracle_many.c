/* oracle_many.c -- rules of the ops with several sources, constants among them. */
#include "oracle_ops.h"

#include <string.h>

/* ---- cat and stack ---------------------------------------------------------- */

/* i[0]: axis. */
static vf_status same_dtype(int n, const oracle_array *const *in)
{
	for (int k = 1; k < n; k++)
		if (in[k]->dtype != in[0]->dtype)
			return VF_ERR_DTYPE;
	return VF_OK;
}

/* torch.cat of arrays of shape (0,) alone: none of them counts, so the axis may be any. */
static bool all_empty_lists(int n, const oracle_array *const *in)
{
	for (int k = 0; k < n; k++)
		if (in[k]->rank != 1 || in[k]->shape[0] != 0)
			return false;
	return true;
}

vf_status cat_shape(SHAPE_ARGS)
{
	if (same_dtype(n, in) != VF_OK)
		return VF_ERR_DTYPE;
	if (all_empty_lists(n, in))
		call->i[0] = 0;
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	oracle_copy_shape(out, in[0]);
	for (int k = 1; k < n; k++) {
		if (in[k]->rank != in[0]->rank)
			return VF_ERR_SHAPE;
		for (int axis = 0; axis < in[0]->rank; axis++)
			if (axis != call->i[0] && in[k]->shape[axis] != in[0]->shape[axis])
				return VF_ERR_SHAPE;
		if (__builtin_add_overflow(out->shape[call->i[0]], in[k]->shape[call->i[0]],
		                           &out->shape[call->i[0]]))
			return VF_ERR_OVERFLOW;
	}
	return VF_OK;
}
int cat_rule(RULE_ARGS)
{
	int operand = 0;
	int64_t axis = ask->call->i[0];
	memcpy(from, index, (size_t)ask->out->rank * sizeof *from);
	while (from[axis] >= ask->in[operand]->shape[axis])
		from[axis] -= ask->in[operand++]->shape[axis];
	return operand;
}

vf_status stack_shape(SHAPE_ARGS)
{
	if (same_dtype(n, in) != VF_OK)
		return VF_ERR_DTYPE;
	int rank = in[0]->rank;
	if (oracle_axis(rank + 1, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (rank == ORACLE_RANK)
		return VF_ERR_LIMIT;
	for (int k = 1; k < n; k++)
		if (in[k]->rank != rank ||
		    memcmp(in[k]->shape, in[0]->shape, (size_t)rank * sizeof *in[0]->shape) != 0)
			return VF_ERR_SHAPE;
	for (int k = 0; k <= rank; k++) {
		if (k == call->i[0])
			out->shape[out->rank++] = n;
		if (k < rank)
			out->shape[out->rank++] = in[0]->shape[k];
	}
	return VF_OK;
}
int stack_rule(RULE_ARGS)
{
	for (int k = 0, r = 0; k < ask->out->rank; k++)
		if (k != ask->call->i[0])
			from[r++] = index[k];
	return (int)index[ask->call->i[0]];
}

/* hstack and vstack see scalars as (1,), and vstack sees (n,) as (1, n). */
static vf_status lifted_cat(oracle_call *call, int n, const oracle_array *const *in, oracle_array *out,
                            int least, int64_t axis)
{
	oracle_array lifted[ORACLE_MANY];
	const oracle_array *list[ORACLE_MANY];
	for (int k = 0; k < n; k++) {
		lifted[k] = *in[k];
		list[k] = &lifted[k];
		for (; lifted[k].rank < least; lifted[k].rank++) {
			memmove(lifted[k].shape + 1, lifted[k].shape,
			        (ORACLE_RANK - 1) * sizeof *lifted[k].shape);
			lifted[k].shape[0] = 1;
		}
	}
	call->i[0] = lifted[0].rank == 1 ? 0 : axis;
	return cat_shape(call, n, list, out);
}
int lifted_rule(RULE_ARGS)
{
	int64_t axis = ask->call->i[0], at = index[axis], full[ORACLE_RANK];
	int operand = 0;
	for (;; operand++) {
		const oracle_array *in = ask->in[operand];
		int front = ask->out->rank - in->rank;
		int64_t extent = axis < front ? 1 : in->shape[axis - front];
		if (at < extent)
			break;
		at -= extent;
	}
	memcpy(full, index, (size_t)ask->out->rank * sizeof *full);
	full[axis] = at;
	int front = ask->out->rank - ask->in[operand]->rank;
	memcpy(from, full + front, (size_t)ask->in[operand]->rank * sizeof *from);
	return operand;
}
vf_status hstack_shape(SHAPE_ARGS)
{
	return lifted_cat(call, n, in, out, 1, 1);
}
vf_status vstack_shape(SHAPE_ARGS)
{
	return lifted_cat(call, n, in, out, 2, 0);
}
/* ---- pad --------------------------------------------------------------------- */

/* v: before and after for the last axis, then for the one before it, and so on. */
static int64_t before(const oracle_call *call, int rank, int axis)
{
	int pair = rank - 1 - axis;
	return 2 * pair < call->n ? call->v[2 * pair] : 0;
}
static int64_t after(const oracle_call *call, int rank, int axis)
{
	int pair = rank - 1 - axis;
	return 2 * pair < call->n ? call->v[2 * pair + 1] : 0;
}

/* What is left of an axis once its negative pads are taken off. */
static int64_t cropped(int64_t extent, int64_t low, int64_t high)
{
	return extent + (low < 0 ? low : 0) + (high < 0 ? high : 0);
}

/* PyTorch pads no further than one reflection, or one turn of what is left; cropping away more
 * than there is, and filling the place again, is refused there. */
static vf_status pad_axis(vf_pad_mode mode, int64_t extent, int64_t low, int64_t high, int64_t *padded)
{
	if (__builtin_add_overflow(extent, low, padded) || __builtin_add_overflow(*padded, high, padded))
		return VF_ERR_OVERFLOW;
	if (*padded < 0)
		return VF_ERR_SHAPE;
	int64_t left = cropped(extent, low, high);
	if (mode == VF_PAD_CONSTANT)
		return left < 0 ? VF_ERR_SHAPE : VF_OK;
	if (extent == 0 && (low > 0 || high > 0))
		return VF_ERR_SHAPE;
	if (mode == VF_PAD_REFLECT && (low > 0 || high > 0) && (low >= extent || high >= extent))
		return VF_ERR_SHAPE;
	if (mode == VF_PAD_CIRCULAR && (left < 0 || low > left || high > left))
		return VF_ERR_SHAPE;
	return VF_OK;
}

vf_status pad_shape(SHAPE_ARGS)
{
	int rank = in[0]->rank;
	if (call->n % 2 != 0 || call->n / 2 > rank)
		return VF_ERR_SHAPE;
	if (call->has_value && call->mode != VF_PAD_CONSTANT)
		return VF_ERR_ARGUMENT;
	out->rank = rank;
	for (int k = 0; k < rank; k++) {
		int64_t low = before(call, rank, k), high = after(call, rank, k), extent = in[0]->shape[k];
		vf_status status = pad_axis(call->mode, extent, low, high, &out->shape[k]);
		if (status != VF_OK)
			return status;
	}
	return VF_OK;
}

static int64_t clamp(int64_t i, int64_t extent)
{
	return i < 0 ? 0 : i >= extent ? extent - 1 : i;
}
static int64_t reflect(int64_t i, int64_t extent)
{
	return i < 0 ? -i : i >= extent ? 2 * (extent - 1) - i : i;
}

int pad_rule(RULE_ARGS)
{
	for (int k = 0; k < ask->out->rank; k++) {
		int64_t extent = ask->in[0]->shape[k], low = before(ask->call, ask->out->rank, k),
			left = cropped(extent, low, after(ask->call, ask->out->rank, k)), i = index[k] - low;
		switch (ask->call->mode) {
		case VF_PAD_REFLECT: i = reflect(i, extent); break;
		case VF_PAD_REPLICATE: i = clamp(i, extent); break;
		case VF_PAD_CIRCULAR:
			i = ((index[k] - (low > 0 ? low : 0)) % left + left) % left - (low < 0 ? low : 0);
			break;
		default:
			if (i < 0 || i >= extent)
				return ORACLE_FILL;
		}
		from[k] = i;
	}
	return 0;
}
