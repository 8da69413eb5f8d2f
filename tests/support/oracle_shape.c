/* oracle_shape.c -- rules of the reshape family and of the ops made of reshape and permute. */
#include "oracle_ops.h"

#include <string.h>

/* ---- same elements in the same order ---------------------------------------- */

int same_order_rule(RULE_ARGS)
{
	const oracle_array *in = ask->in[0];
	oracle_unravel(in->rank, in->shape, oracle_ravel(ask->out->rank, ask->out->shape, index), from);
	return 0;
}

/* Work out one -1 among the extents so that they hold `count` elements. */
static vf_status resolve(int n, int64_t *extents, int64_t count)
{
	int64_t *unknown = NULL;
	for (int k = 0; k < n; k++) {
		if (extents[k] < -1 || (extents[k] == -1 && unknown))
			return VF_ERR_SHAPE;
		if (extents[k] == -1)
			unknown = &extents[k];
	}
	if (!unknown)
		return oracle_product(n, extents) == count ? VF_OK : VF_ERR_SHAPE;
	*unknown = 1;
	int64_t known = oracle_product(n, extents);
	if (known <= 0 || count % known != 0)
		return VF_ERR_SHAPE;
	*unknown = count / known;
	return VF_OK;
}

vf_status reshape_shape(SHAPE_ARGS)
{
	vf_status status = resolve(call->n, call->v, in[0]->count);
	out->rank = call->n;
	memcpy(out->shape, call->v, (size_t)call->n * sizeof *call->v);
	return status;
}
/* A view must be plain strided; which of the arrays above a value are is the library's choice, and so it is
 * above elements that a dtype view joined from here and there, and which may have been copied for it. */
vf_status view_shape(SHAPE_ARGS)
{
	vf_status status = reshape_shape(call, n, in, out);
	if (status != VF_OK)
		return status;
	oracle_array result = *in[0];
	int64_t strides[ORACLE_RANK];
	oracle_copy_shape(&result, out);
	bool choice = in[0]->value || in[0]->parts > 1;
	out->tolerate |= choice;
	return oracle_is_strided(&result, strides) || choice ? VF_OK : VF_ERR_VIEW;
}
/* i: first, last. */
vf_status flatten_shape(SHAPE_ARGS)
{
	int rank = in[0]->rank;
	if (oracle_axis(rank ? rank : 1, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (oracle_axis(rank ? rank : 1, &call->i[1]) != VF_OK)
		return VF_ERR_AXIS;
	if (call->i[0] > call->i[1])
		return VF_ERR_AXIS;
	int64_t merged = oracle_product((int)(call->i[1] - call->i[0]) + (rank > 0),
	                                in[0]->shape + call->i[0]);
	if (merged < 0)
		return VF_ERR_OVERFLOW;
	for (int k = 0; k < call->i[0]; k++)
		out->shape[out->rank++] = in[0]->shape[k];
	out->shape[out->rank++] = merged;
	for (int k = (int)call->i[1] + 1; k < rank; k++)
		out->shape[out->rank++] = in[0]->shape[k];
	return VF_OK;
}
vf_status ravel_shape(SHAPE_ARGS)
{
	call->i[0] = 0;
	call->i[1] = -1;
	return flatten_shape(call, n, in, out);
}
/* i[0]: axis; v: sizes. */
vf_status unflatten_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (call->n == 0)
		return VF_ERR_SHAPE;
	vf_status status = resolve(call->n, call->v, in[0]->shape[call->i[0]]);
	if (in[0]->rank + call->n - 1 > ORACLE_RANK)
		return VF_ERR_LIMIT;
	for (int k = 0; k < in[0]->rank; k++) {
		if (k != call->i[0])
			out->shape[out->rank++] = in[0]->shape[k];
		else
			for (int j = 0; j < call->n; j++)
				out->shape[out->rank++] = call->v[j];
	}
	return status;
}
/* v: axes to drop where they are of extent 1; none: all of them. */
vf_status squeeze_shape(SHAPE_ARGS)
{
	bool named[ORACLE_RANK] = {false};
	for (int k = 0; k < call->n; k++) {
		if (oracle_axis(in[0]->rank ? in[0]->rank : 1, &call->v[k]) != VF_OK || named[call->v[k]])
			return VF_ERR_AXIS;
		named[call->v[k]] = true;
	}
	for (int k = 0; k < in[0]->rank; k++)
		if (in[0]->shape[k] != 1 || (call->n && !named[k]))
			out->shape[out->rank++] = in[0]->shape[k];
	return VF_OK;
}
vf_status unsqueeze_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank + 1, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (in[0]->rank == ORACLE_RANK)
		return VF_ERR_LIMIT;
	for (int k = 0; k <= in[0]->rank; k++) {
		if (k == call->i[0])
			out->shape[out->rank++] = 1;
		if (k < in[0]->rank)
			out->shape[out->rank++] = in[0]->shape[k];
	}
	return VF_OK;
}
vf_status contiguous_shape(SHAPE_ARGS)
{
	oracle_copy_shape(out, in[0]);
	if (!oracle_is_contiguous(in[0])) {
		out->value = true;
		out->sealed |= !in[0]->value;
		out->maybe_sealed |= in[0]->value;
		out->low = out->high = -1;
	}
	return VF_OK;
}
/* ---- pixels ------------------------------------------------------------------ */

/* (..., C r r, H, W) to (..., C, H r, W r). */
vf_status pixel_shuffle_shape(SHAPE_ARGS)
{
	if (in[0]->rank < 3)
		return VF_ERR_SHAPE;
	int64_t r = call->i[0], *last = out->shape + in[0]->rank - 3;
	if (r <= 0)
		return VF_ERR_ARGUMENT;
	oracle_copy_shape(out, in[0]);
	if (last[0] % r != 0 || last[0] / r % r != 0)
		return VF_ERR_SHAPE;
	last[0] = last[0] / r / r;
	for (int k = 1; k < 3; k++)
		if (__builtin_mul_overflow(last[k], r, &last[k]))
			return VF_ERR_OVERFLOW;
	return VF_OK;
}
int pixel_shuffle_rule(RULE_ARGS)
{
	int64_t r = ask->call->i[0];
	int c = ask->out->rank - 3, h = c + 1, w = c + 2;
	memcpy(from, index, (size_t)ask->out->rank * sizeof *from);
	from[c] = (index[c] * r + index[h] % r) * r + index[w] % r;
	from[h] = index[h] / r;
	from[w] = index[w] / r;
	return 0;
}

vf_status pixel_unshuffle_shape(SHAPE_ARGS)
{
	if (in[0]->rank < 3)
		return VF_ERR_SHAPE;
	int64_t r = call->i[0], *last = out->shape + in[0]->rank - 3;
	if (r <= 0)
		return VF_ERR_ARGUMENT;
	oracle_copy_shape(out, in[0]);
	for (int k = 1; k < 3; k++) {
		if (last[k] % r != 0)
			return VF_ERR_SHAPE;
		last[k] /= r;
		if (__builtin_mul_overflow(last[0], r, &last[0]))
			return VF_ERR_OVERFLOW;
	}
	return VF_OK;
}
int pixel_unshuffle_rule(RULE_ARGS)
{
	int64_t r = ask->call->i[0];
	int c = ask->out->rank - 3, h = c + 1, w = c + 2;
	memcpy(from, index, (size_t)ask->out->rank * sizeof *from);
	from[c] = index[c] / (r * r);
	from[h] = index[h] * r + index[c] / r % r;
	from[w] = index[w] * r + index[c] % r;
	return 0;
}
