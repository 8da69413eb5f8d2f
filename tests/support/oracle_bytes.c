/* oracle_bytes.c -- the ops that look past elements: at storage, or at an element's bytes. */
#include "oracle_ops.h"

/* ---- as_strided ------------------------------------------------------------- */

static vf_status strided_reach(const oracle_call *call, int64_t elements)
{
	int64_t low = call->i[0], high = call->i[0], span;
	for (int k = 0; k < call->n; k++) {
		if (__builtin_mul_overflow(call->v[k] - 1, call->w[k], &span))
			return VF_ERR_OVERFLOW;
		if (__builtin_add_overflow(span < 0 ? low : high, span, span < 0 ? &low : &high))
			return VF_ERR_OVERFLOW;
	}
	return low < 0 || high >= elements ? VF_ERR_BOUNDS : VF_OK;
}

/* v: shape, w: strides, i[0]: offset from the storage's first element, or the operand's own. */
vf_status as_strided_cells(CELLS_ARGS)
{
	if (call->standard && in->low >= 0 && in->count) {
		call->i[0] = (in->cells[0] - in->low) / in->bytes;
		out->tolerate |= (in->cells[0] - in->low) % in->bytes != 0;
	}
	if (call->n != call->m)
		return VF_ERR_SHAPE;
	if (call->standard && in->count == 0 && oracle_product(call->n, call->v) != 0)
		return VF_ERR_ARGUMENT; /* where it began is not kept */
	out->rank = call->n;
	for (int k = 0; k < call->n; k++) {
		if (call->v[k] < 0)
			return VF_ERR_SHAPE;
		out->shape[k] = call->v[k];
	}
	if (in->low < 0)
		out->tolerate = true;
	int64_t elements = in->low < 0 ? in->count : (in->high - in->low) / out->bytes, index[ORACLE_RANK];
	vf_status status = oracle_product(call->n, call->v) == 0 ? VF_OK : strided_reach(call, elements);
	if (status == VF_OK && in->low < 0)
		status = (vf_status)ORACLE_TOO_LARGE;
	out->unit = out->bytes;
	out->parts = 1;
	if (status == VF_OK)
		status = oracle_allocate(out);
	if (status != VF_OK)
		return status;
	for (int64_t e = 0; e < out->count; e++) {
		int64_t offset = call->i[0];
		oracle_unravel(out->rank, out->shape, e, index);
		for (int k = 0; k < out->rank; k++)
			offset += index[k] * call->w[k];
		out->cells[e] = in->low + offset * out->bytes;
	}
	return VF_OK;
}

/* ---- the same bytes as another type -------------------------------------------- */

/* Give `out` the bytes of `in`, one after the other, as elements of out->bytes. */
static vf_status regroup(const oracle_array *in, oracle_array *out, int64_t unit)
{
	out->unit = unit;
	out->parts = out->bytes / unit;
	vf_status status = oracle_allocate(out);
	if (status != VF_OK)
		return status;
	for (int64_t p = 0; p < out->count * out->parts; p++)
		out->cells[p] = in->cells[p * unit / in->unit] + p * unit % in->unit;
	return VF_OK;
}

/* PyTorch wants what becomes one element to lie side by side, and aligned to itself in the
 * storage. Where that is not so the library may refuse, or must move the right bytes. */
static bool joins_cleanly(const oracle_array *in, const oracle_array *out)
{
	int64_t per = out->bytes / in->unit;
	if (out->bytes <= in->unit)
		return true;
	for (int64_t p = 0; p < in->count * in->parts; p++) {
		int64_t first = in->cells[p - p % per];
		if (in->cells[p] != first + p % per * in->unit)
			return false;
		if (in->low >= 0 && (first - in->low) % out->bytes != 0)
			return false;
	}
	return !in->value;
}

/* The greatest size that both are made of. */
static int64_t common(int64_t a, int64_t b)
{
	return b == 0 ? a : common(b, a % b);
}

vf_status view_dtype_cells(CELLS_ARGS)
{
	int64_t old = in->bytes;
	out->dtype = call->dtype;
	out->bytes = oracle_dtype_bytes(call->dtype);
	if (out->bytes == 0)
		return VF_ERR_DTYPE;
	oracle_copy_shape(out, in);
	if (old != out->bytes) {
		if (in->rank == 0 || (old % out->bytes != 0 && out->bytes % old != 0))
			return VF_ERR_DTYPE;
		int64_t *last = &out->shape[in->rank - 1];
		if (out->bytes > old && *last % (out->bytes / old) != 0)
			return VF_ERR_DTYPE;
		*last = old > out->bytes ? *last * (old / out->bytes) : *last / (out->bytes / old);
	}
	out->tolerate |= !joins_cleanly(in, out);
	if (in->low >= 0 && (in->high - in->low) % out->bytes != 0)
		out->low = out->high = -1;
	return regroup(in, out, common(in->unit, out->bytes));
}

static vf_dtype part_of(vf_dtype dtype)
{
	return dtype == VF_C64 ? VF_F32 : dtype == VF_C128 ? VF_F64 : 0;
}

/* Bytes [skip, skip + out->bytes) of each element. */
static vf_status part_cells(const oracle_array *in, oracle_array *out, int64_t skip)
{
	out->dtype = part_of(in->dtype);
	out->bytes = in->bytes / 2;
	out->unit = common(in->unit, out->bytes);
	out->parts = out->bytes / out->unit;
	oracle_copy_shape(out, in);
	vf_status status = oracle_allocate(out);
	for (int64_t p = 0; status == VF_OK && p < out->count * out->parts; p++) {
		int64_t byte = p / out->parts * in->bytes + skip + p % out->parts * out->unit;
		out->cells[p] = in->cells[byte / in->unit] + byte % in->unit;
	}
	return status;
}

vf_status real_cells(CELLS_ARGS)
{
	if (part_of(in->dtype))
		return part_cells(in, out, 0);
	oracle_copy_shape(out, in);
	return regroup(in, out, in->unit);
}
vf_status imag_cells(CELLS_ARGS)
{
	return part_of(in->dtype) ? part_cells(in, out, in->bytes / 2) : VF_ERR_DTYPE;
}

vf_status view_as_real_cells(CELLS_ARGS)
{
	if (!part_of(in->dtype))
		return VF_ERR_DTYPE;
	if (in->rank == ORACLE_RANK)
		return VF_ERR_LIMIT;
	out->dtype = part_of(in->dtype);
	out->bytes = in->bytes / 2;
	oracle_copy_shape(out, in);
	out->shape[out->rank++] = 2;
	return regroup(in, out, common(in->unit, out->bytes));
}

vf_status view_as_complex_cells(CELLS_ARGS)
{
	if (in->dtype != VF_F32 && in->dtype != VF_F64)
		return VF_ERR_DTYPE;
	if (in->rank == 0 || in->shape[in->rank - 1] != 2)
		return VF_ERR_SHAPE;
	out->dtype = in->dtype == VF_F32 ? VF_C64 : VF_C128;
	out->bytes = 2 * in->bytes;
	oracle_copy_shape(out, in);
	out->rank--;
	out->tolerate |= !joins_cleanly(in, out);
	if (in->low >= 0 && (in->high - in->low) % out->bytes != 0)
		out->low = out->high = -1;
	return regroup(in, out, in->unit);
}
