/* oracle_axes.c -- rules of the ops that reorder, reverse, roll and repeat along axes.
 *
 * Each op has a shape function (check, make arguments plain, give the result's shape) and a
 * rule that writes to `from` the operand index read by `index`.
 */
#include "oracle_ops.h"

#include <string.h>

/* Make axes non-negative; VF_ERR_AXIS if one is not there or named twice. */
static vf_status plain_axes(int rank, int n, int64_t *axes)
{
	bool seen[ORACLE_RANK] = {false};
	for (int k = 0; k < n; k++) {
		if (oracle_axis(rank, &axes[k]) != VF_OK || seen[axes[k]])
			return VF_ERR_AXIS;
		seen[axes[k]] = true;
	}
	return VF_OK;
}

static int copy_index(const oracle_ask *ask, const int64_t *index, int64_t *from)
{
	memcpy(from, index, (size_t)ask->in[0]->rank * sizeof *from);
	return 0;
}

/* PyTorch lets axes 0 and -1 be named of an array of rank 0, where axes only change places. */
static int named_axes(const oracle_array *in)
{
	return in->rank ? in->rank : 1;
}

/* ---- reordering ---------------------------------------------------------- */

/* All reorderings: result axis k is operand axis v[k]. */
int reorder_rule(RULE_ARGS)
{
	for (int k = 0; k < ask->out->rank; k++)
		from[ask->call->v[k]] = index[k];
	return 0;
}

static vf_status reorder_shape(oracle_call *call, const oracle_array *in, oracle_array *out)
{
	out->rank = in->rank;
	for (int k = 0; k < in->rank; k++)
		out->shape[k] = in->shape[call->v[k]];
	return VF_OK;
}

static void identity_order(oracle_call *call, int rank)
{
	for (int k = 0; k < rank; k++)
		call->v[k] = k;
}

vf_status permute_shape(SHAPE_ARGS)
{
	if (call->n != in[0]->rank)
		return VF_ERR_AXIS;
	if (plain_axes(in[0]->rank, call->n, call->v) != VF_OK)
		return VF_ERR_AXIS;
	return reorder_shape(call, in[0], out);
}
vf_status transpose_shape(SHAPE_ARGS)
{
	int64_t a = call->i[0], b = call->i[1];
	if (oracle_axis(named_axes(in[0]), &a) != VF_OK || oracle_axis(named_axes(in[0]), &b) != VF_OK)
		return VF_ERR_AXIS;
	identity_order(call, in[0]->rank);
	call->v[a] = b;
	call->v[b] = a;
	return reorder_shape(call, in[0], out);
}
vf_status reverse_axes_shape(SHAPE_ARGS)
{
	for (int k = 0; k < in[0]->rank; k++)
		call->v[k] = in[0]->rank - 1 - k;
	return reorder_shape(call, in[0], out);
}
vf_status matrix_transpose_shape(SHAPE_ARGS)
{
	if (in[0]->rank < 2)
		return VF_ERR_SHAPE;
	call->i[0] = -1;
	call->i[1] = -2;
	return transpose_shape(call, n, in, out);
}
vf_status small_transpose_shape(SHAPE_ARGS)
{
	if (in[0]->rank > 2)
		return VF_ERR_SHAPE;
	return reverse_axes_shape(call, n, in, out);
}
/* Axis v[k] goes to place w[k]; the places left over take the other axes in their order. */
vf_status movedim_shape(SHAPE_ARGS)
{
	int rank = in[0]->rank;
	int64_t order[ORACLE_RANK];
	bool placed[ORACLE_RANK] = {false}, moved[ORACLE_RANK] = {false};
	if (call->n != call->m)
		return VF_ERR_AXIS;
	if (plain_axes(named_axes(in[0]), call->n, call->v) != VF_OK ||
	    plain_axes(named_axes(in[0]), call->m, call->w) != VF_OK)
		return VF_ERR_AXIS;
	for (int k = 0; k < call->n; k++) {
		order[call->w[k]] = call->v[k];
		placed[call->w[k]] = moved[call->v[k]] = true;
	}
	for (int place = 0, axis = 0; place < rank; place++) {
		if (placed[place])
			continue;
		while (moved[axis])
			axis++;
		order[place] = axis++;
	}
	memcpy(call->v, order, (size_t)rank * sizeof *order);
	return reorder_shape(call, in[0], out);
}
/* ---- reversing and turning ------------------------------------------------ */

vf_status flip_shape(SHAPE_ARGS)
{
	oracle_copy_shape(out, in[0]);
	if (call->standard) {
		call->n = in[0]->rank;
		identity_order(call, call->n);
	}
	vf_status status = plain_axes(named_axes(in[0]), call->n, call->v);
	if (in[0]->rank == 0)
		call->n = 0;
	return status;
}
int flip_rule(RULE_ARGS)
{
	copy_index(ask, index, from);
	for (int k = 0; k < ask->call->n; k++) {
		int64_t axis = ask->call->v[k];
		from[axis] = ask->out->shape[axis] - 1 - index[axis];
	}
	return 0;
}

static vf_status flip_one_shape(oracle_call *call, int64_t axis, const oracle_array *in, oracle_array *out)
{
	if (axis >= in->rank)
		return VF_ERR_AXIS;
	call->n = 1;
	call->v[0] = axis;
	oracle_copy_shape(out, in);
	return VF_OK;
}
vf_status fliplr_shape(SHAPE_ARGS)
{
	return flip_one_shape(call, 1, in[0], out);
}
vf_status flipud_shape(SHAPE_ARGS)
{
	return flip_one_shape(call, 0, in[0], out);
}
vf_status rot90_shape(SHAPE_ARGS)
{
	oracle_copy_shape(out, in[0]);
	if (call->m != 2 || plain_axes(in[0]->rank, 2, call->w) != VF_OK)
		return VF_ERR_AXIS;
	call->i[0] = (call->i[0] % 4 + 4) % 4;
	if (call->i[0] % 2) {
		out->shape[call->w[0]] = in[0]->shape[call->w[1]];
		out->shape[call->w[1]] = in[0]->shape[call->w[0]];
	}
	return VF_OK;
}

/* One quarter turn from axis a towards b: result (i, j) is operand (j, last - i). */
int rot90_rule(RULE_ARGS)
{
	int64_t a = ask->call->w[0], b = ask->call->w[1];
	const int64_t *shape = ask->in[0]->shape;
	copy_index(ask, index, from);
	switch (ask->call->i[0]) {
	case 1:
		from[a] = index[b];
		from[b] = shape[b] - 1 - index[a];
		break;
	case 2:
		from[a] = shape[a] - 1 - index[a];
		from[b] = shape[b] - 1 - index[b];
		break;
	case 3:
		from[a] = shape[a] - 1 - index[b];
		from[b] = index[a];
		break;
	default: break;
	}
	return 0;
}

/* ---- rolling --------------------------------------------------------------- */

static int64_t wrap(int64_t i, int64_t shift, int64_t extent)
{
	return ((i - shift % extent) % extent + extent) % extent;
}

vf_status roll_shape(SHAPE_ARGS)
{
	oracle_copy_shape(out, in[0]);
	if (call->m == 0)
		return VF_OK;
	if (call->n != call->m && call->n != 1 && call->m != 1)
		return VF_ERR_ARGUMENT;
	oracle_call once = *call;
	out->tolerate |= plain_axes(in[0]->rank, once.m, once.w) != VF_OK;
	for (int k = 0; k < call->m; k++)
		if (oracle_axis(in[0]->rank, &call->w[k]) != VF_OK)
			return VF_ERR_AXIS;
	return VF_OK;
}
int roll_rule(RULE_ARGS)
{
	const oracle_array *in = ask->in[0];
	copy_index(ask, index, from);
	if (ask->call->m == 0) {
		int64_t number = oracle_ravel(in->rank, in->shape, index);
		for (int k = 0; k < ask->call->n; k++)
			number = wrap(number, ask->call->v[k], in->count);
		oracle_unravel(in->rank, in->shape, number, from);
	}
	int n = ask->call->n, m = ask->call->m;
	for (int k = 0; m > 0 && k < (n > m ? n : m); k++) {
		int64_t axis = ask->call->w[m == 1 ? 0 : k];
		from[axis] = wrap(from[axis], ask->call->v[n == 1 ? 0 : k], in->shape[axis]);
	}
	return 0;
}

/* ---- diagonals and windows --------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* i: offset, first axis, second axis. */
vf_status diagonal_shape(SHAPE_ARGS)
{
	int64_t offset = call->i[0], axes[2] = {call->i[1], call->i[2]};
	if (plain_axes(in[0]->rank, 2, axes) != VF_OK)
		return VF_ERR_AXIS;
	int64_t rows = in[0]->shape[axes[0]], columns = in[0]->shape[axes[1]], length = 0;
	if (offset >= 0 && offset < columns)
		length = least(rows, columns - offset);
	if (offset < 0 && offset > -rows)
		length = least(rows + offset, columns);
	for (int k = 0; k < in[0]->rank; k++)
		if (k != axes[0] && k != axes[1])
			out->shape[out->rank++] = in[0]->shape[k];
	out->shape[out->rank++] = length;
	call->i[1] = axes[0];
	call->i[2] = axes[1];
	return VF_OK;
}
int diagonal_rule(RULE_ARGS)
{
	int64_t offset = ask->call->i[0], i = index[ask->out->rank - 1];
	for (int k = 0, r = 0; k < ask->in[0]->rank; k++)
		if (k != ask->call->i[1] && k != ask->call->i[2])
			from[k] = index[r++];
	from[ask->call->i[1]] = i + (offset < 0 ? -offset : 0);
	from[ask->call->i[2]] = i + (offset > 0 ? offset : 0);
	return 0;
}

/* i: axis, size, step. */
vf_status windows_shape(SHAPE_ARGS)
{
	if (oracle_axis(named_axes(in[0]), &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	int64_t extent = in[0]->rank ? in[0]->shape[call->i[0]] : 1, size = call->i[1], step = call->i[2];
	if (step <= 0 || size < 0)
		return VF_ERR_ARGUMENT;
	if (size > extent)
		return VF_ERR_SHAPE;
	out->tolerate |= size == 0;
	oracle_copy_shape(out, in[0]);
	if (out->rank)
		out->shape[call->i[0]] = (extent - size) / step + 1;
	if (out->rank == ORACLE_RANK)
		return VF_ERR_LIMIT;
	out->shape[out->rank++] = size;
	return VF_OK;
}
int windows_rule(RULE_ARGS)
{
	copy_index(ask, index, from);
	if (ask->in[0]->rank == 0)
		return 0;
	from[ask->call->i[0]] = index[ask->call->i[0]] * ask->call->i[2] + index[ask->out->rank - 1];
	return 0;
}

/* ---- stretching and repeating --------------------------------------------------- */

/* Operand axes stand at the end of the result's; an extent of 1 is read for every index. */
int stretched_rule(const oracle_ask *ask, const int64_t *index, int64_t *from)
{
	const oracle_array *in = ask->in[0];
	int front = ask->out->rank - in->rank;
	for (int k = 0; k < in->rank; k++)
		from[k] = in->shape[k] == 1 ? 0 : index[front + k];
	return 0;
}

static vf_status stretch(const oracle_call *call, const oracle_array *in, oracle_array *out, bool keeps)
{
	int front = call->n - in->rank;
	if (front < 0)
		return VF_ERR_SHAPE;
	out->rank = call->n;
	for (int k = 0; k < call->n; k++) {
		int64_t extent = call->v[k], old = k < front ? 1 : in->shape[k - front];
		if (extent == -1 && keeps && k >= front)
			extent = old;
		if (extent < 0 || (old != 1 && old != extent))
			return VF_ERR_SHAPE;
		out->shape[k] = extent;
	}
	return VF_OK;
}
vf_status expand_shape(SHAPE_ARGS)
{
	return stretch(call, in[0], out, true);
}
vf_status broadcast_to_shape(SHAPE_ARGS)
{
	return stretch(call, in[0], out, false);
}
/* Counts stand at the end of the result's axes; missing ones, and missing axes, are 1. */
vf_status tile_shape(SHAPE_ARGS)
{
	out->rank = call->n > in[0]->rank ? call->n : in[0]->rank;
	if (out->rank > ORACLE_RANK)
		return VF_ERR_LIMIT;
	for (int k = 0; k < out->rank; k++) {
		int axis = k - (out->rank - in[0]->rank), which = k - (out->rank - call->n);
		int64_t old = axis < 0 ? 1 : in[0]->shape[axis], count = which < 0 ? 1 : call->v[which];
		if (count < 0)
			return VF_ERR_ARGUMENT;
		if (__builtin_mul_overflow(old, count, &out->shape[k]))
			return VF_ERR_OVERFLOW;
	}
	return VF_OK;
}
int tile_rule(RULE_ARGS)
{
	const oracle_array *in = ask->in[0];
	int front = ask->out->rank - in->rank;
	for (int k = 0; k < in->rank; k++)
		from[k] = index[front + k] % in->shape[k];
	return 0;
}
vf_status repeat_shape(SHAPE_ARGS)
{
	if (call->n < in[0]->rank)
		return VF_ERR_SHAPE;
	return tile_shape(call, n, in, out);
}
/* i: count, axis; without an axis the elements are laid in one row first. */
vf_status repeat_interleave_shape(SHAPE_ARGS)
{
	if (call->i[1] == VF_NONE) {
		out->rank = 1;
		if (call->i[0] < 0)
			return VF_ERR_ARGUMENT;
		return __builtin_mul_overflow(in[0]->count, call->i[0], &out->shape[0]) ? VF_ERR_OVERFLOW
		                                                                        : VF_OK;
	}
	if (oracle_axis(in[0]->rank, &call->i[1]) != VF_OK)
		return VF_ERR_AXIS;
	if (call->i[0] < 0)
		return VF_ERR_ARGUMENT;
	oracle_copy_shape(out, in[0]);
	int64_t *extent = &out->shape[call->i[1]];
	return __builtin_mul_overflow(*extent, call->i[0], extent) ? VF_ERR_OVERFLOW : VF_OK;
}
int repeat_interleave_rule(RULE_ARGS)
{
	if (ask->call->i[1] == VF_NONE) {
		oracle_unravel(ask->in[0]->rank, ask->in[0]->shape, index[0] / ask->call->i[0], from);
		return 0;
	}
	copy_index(ask, index, from);
	from[ask->call->i[1]] /= ask->call->i[0];
	return 0;
}
