/* oracle_elements.c -- functions of elements, from the contract in viewfold.h.
 *
 * Results lie in the world's own space. Which NaN it is that a function makes is left open: `nan` says that
 * there is one.
 */
#include "oracle_numbers.h"
#include "oracle_ops.h"

#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

static bool holds_integers(vf_dtype to, vf_dtype a)
{
	if (has_sign(to) == has_sign(a))
		return bits_of(to) >= bits_of(a);
	return has_sign(to) && bits_of(to) > bits_of(a);
}

/* The least type of the greater kind that holds both. */
static vf_dtype common_type(vf_dtype a, vf_dtype b)
{
	static const vf_dtype integers[] = {VF_U8, VF_I8, VF_U16, VF_I16, VF_U32, VF_I32, VF_U64, VF_I64};
	if (kind_of(a) != kind_of(b))
		return kind_of(a) > kind_of(b) ? a : b;
	if (a == b)
		return a;
	if (kind_of(a) == IS_FLOAT)
		return bits_of(a) == bits_of(b) ? VF_F32 : bits_of(a) > bits_of(b) ? a : b;
	for (int k = 0; k < 8; k++)
		if (holds_integers(integers[k], a) && holds_integers(integers[k], b))
			return integers[k];
	return 0;
}

static vf_dtype type_with_number(vf_dtype a, const oracle_number *n)
{
	kind of_number = n->is_float ? IS_FLOAT : IS_INTEGER;
	if (of_number <= kind_of(a))
		return a;
	return n->is_float ? VF_F32 : VF_I64;
}

/* ---- the ops ---- */

static vf_status open_result(oracle_array *out, vf_dtype dtype)
{
	out->dtype = dtype;
	out->bytes = out->unit = oracle_dtype_bytes(dtype);
	out->parts = 1;
	return oracle_allocate(out);
}

/* Elements that are made anew. */
typedef struct maker {
	const oracle_call *call;
	int n;
	const oracle_array *const *in;
	const oracle_world *world;
	vf_dtype dtype; /* that it computes in */
	unsigned char low[16], high[16];
} maker;

/* Element e of the result's shape, of an operand that is stretched to it. */
static void read_stretched(const maker *m, int k, const oracle_array *out, int64_t e, unsigned char *element)
{
	const oracle_array *in = m->in[k];
	int64_t index[ORACLE_RANK + 1], from[ORACLE_RANK + 1];
	oracle_unravel(out->rank, out->shape, e, index);
	for (int i = 0; i < in->rank; i++)
		from[i] = in->shape[i] == 1 ? 0 : index[out->rank - in->rank + i];
	int64_t place = oracle_ravel(in->rank, in->shape, from);
	for (int64_t p = 0; p < in->parts; p++)
		memcpy(element + p * in->unit, oracle_at(m->world, in->cells[place * in->parts + p]),
		       (size_t)in->unit);
}

/* To the lowest first: `high` may be less than that. */
static void clamp(const maker *m, const unsigned char *x, unsigned char *result)
{
	const oracle_number *ends = m->call->number;
	size_t bytes = (size_t)oracle_dtype_bytes(m->dtype);
	memcpy(result, ends[0].given && oracle_is_less(m->dtype, x, m->low) ? m->low : x, bytes);
	if (ends[1].given && oracle_is_less(m->dtype, m->high, result))
		memcpy(result, m->high, bytes);
}

static void make_element(const maker *m, const oracle_array *out, int64_t e, unsigned char *result)
{
	const char *op = m->call->op;
	unsigned char x[16], y[16], wide[16];
	read_stretched(m, 0, out, e, wide);
	oracle_convert(m->in[0]->dtype, m->dtype, wide, x);
	if (m->n > 1) {
		read_stretched(m, 1, out, e, wide);
		oracle_convert(m->in[1]->dtype, m->dtype, wide, y);
	} else {
		memcpy(y, m->low, sizeof y);
	}
	if (strcmp(op, "to") == 0)
		memcpy(result, x, (size_t)out->bytes);
	else if (strcmp(op, "byteswap") == 0)
		oracle_swap_bytes(m->dtype, x, result);
	else if (strcmp(op, "clamp") == 0)
		clamp(m, x, result);
	else if (strcmp(op, "rsub") == 0 || strcmp(op, "rdiv") == 0)
		oracle_combine(op[1] == 's' ? '-' : '/', m->dtype, y, x, result);
	else
		oracle_combine(op[0] == 'a'   ? '+'
		               : op[0] == 's' ? '-'
		               : op[0] == 'd' ? '/'
		                              : '*',
		               m->dtype, x, y, result);
}

static void make_all(oracle_world *w, const maker *m, oracle_array *out)
{
	unsigned char *bytes = malloc((size_t)(out->count * out->bytes) + 1);
	if (!bytes)
		abort();
	for (int64_t e = 0; e < out->count; e++) {
		unsigned char *result = bytes + e * out->bytes;
		make_element(m, out, e, result);
		out->nan = out->nan ||
		           (strcmp(m->call->op, "byteswap") != 0 && oracle_is_nan(out->dtype, result));
	}
	int64_t at = oracle_world_computed(w, bytes, out->count * out->bytes);
	for (int64_t e = 0; e < out->count; e++)
		out->cells[e] = at + e * out->bytes;
	free(bytes);
}

static vf_status stretch(int n, const oracle_array *const *in, oracle_array *out)
{
	out->rank = 0;
	for (int k = 0; k < n; k++)
		out->rank = in[k]->rank > out->rank ? in[k]->rank : out->rank;
	for (int i = 0; i < out->rank; i++) {
		out->shape[i] = 1;
		for (int k = 0; k < n; k++) {
			int axis = i - (out->rank - in[k]->rank);
			int64_t extent = axis < 0 ? 1 : in[k]->shape[axis];
			if (extent != 1 && out->shape[i] != 1 && extent != out->shape[i])
				return VF_ERR_SHAPE;
			out->shape[i] = extent == 1 ? out->shape[i] : extent;
		}
	}
	return VF_OK;
}

/* The type that the call computes in; 0 where there is none. */
static vf_dtype type_of_call(const oracle_call *call, int n, const oracle_array *const *in)
{
	vf_dtype dtype = in[0]->dtype;
	if (kind_of(dtype) > IS_FLOAT || (n > 1 && kind_of(in[1]->dtype) > IS_FLOAT))
		return 0;
	if (n > 1)
		dtype = common_type(in[0]->dtype, in[1]->dtype);
	for (int k = 0; k < 2 && n == 1; k++)
		if (call->number[k].given)
			dtype = type_with_number(dtype, &call->number[k]);
	bool divides = strcmp(call->op, "div") == 0 || strcmp(call->op, "rdiv") == 0;
	if (divides && dtype && kind_of(dtype) != IS_FLOAT)
		dtype = VF_F32;
	return dtype == VF_BOOL ? 0 : dtype;
}

/* The array itself, as a value or not. */
static vf_status as_it_is(const oracle_array *in, oracle_array *out, bool value)
{
	int64_t *cells;
	*out = *in;
	out->cells = NULL;
	vf_status status = oracle_allocate(out);
	cells = out->cells;
	if (status == VF_OK)
		memcpy(cells, in->cells, (size_t)(in->count * in->parts) * sizeof *cells);
	out->value = out->value || value;
	if (value)
		out->low = out->high = -1;
	return status;
}

static vf_status finish(oracle_world *w, maker *m, vf_dtype dtype, oracle_array *out)
{
	m->world = w;
	vf_status status = stretch(m->n, m->in, out);
	if (status == VF_OK)
		status = open_result(out, dtype);
	if (status == VF_OK)
		make_all(w, m, out);
	return status;
}

static vf_status move_bits(oracle_world *w, maker *m, oracle_array *out)
{
	const oracle_array *in = m->in[0];
	bool swaps = strcmp(m->call->op, "byteswap") == 0;
	m->dtype = swaps ? in->dtype : m->call->dtype;
	if (kind_of(in->dtype) == IS_OPAQUE || kind_of(m->dtype) == IS_OPAQUE)
		return VF_ERR_DTYPE;
	if (swaps ? oracle_dtype_bytes(oracle_part_of(in->dtype)) == 1 : in->dtype == m->dtype)
		return as_it_is(in, out, swaps);
	if (swaps && in->nan)
		return (vf_status)ORACLE_TOO_LARGE; /* which NaN it is would show */
	return finish(w, m, m->dtype, out);
}

vf_status oracle_elements(oracle_world *w, const oracle_call *call, int n, const oracle_array *const *in,
                          oracle_array *out)
{
	maker m = {.call = call, .n = n, .in = in};
	const oracle_number minus_one = {.given = true, .value = -1};
	out->value = true;
	out->nan = false;
	out->low = out->high = -1;
	if (strcmp(call->op, "to") == 0 || strcmp(call->op, "byteswap") == 0)
		return move_bits(w, &m, out);
	m.dtype = type_of_call(call, n, in);
	if (n == 1 && strcmp(call->op, "neg") != 0 && !call->number[0].given && !call->number[1].given)
		return VF_ERR_ARGUMENT;
	if (!m.dtype)
		return VF_ERR_DTYPE;
	bool fits = (!call->number[0].given || oracle_write_number(m.dtype, &call->number[0], m.low)) &&
	            (!call->number[1].given || oracle_write_number(m.dtype, &call->number[1], m.high));
	if (strcmp(call->op, "neg") == 0 && kind_of(m.dtype) == IS_FLOAT)
		fits = oracle_write_number(m.dtype, &minus_one, m.low);
	else if (strcmp(call->op, "neg") == 0)
		memset(m.low, 0xff, sizeof m.low);
	return fits ? finish(w, &m, m.dtype, out) : VF_ERR_DTYPE;
}
