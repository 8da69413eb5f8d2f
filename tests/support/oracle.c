/* oracle.c -- the address space, arrays of cells, and the one loop that asks the rules. */
#include "oracle_ops.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the address space --------------------------------------------------- */

static const int64_t BUFFER_SPACE = (int64_t)1 << 40;
static const int64_t CONSTANTS = (int64_t)1 << 60;
static const int64_t COMPUTED = (int64_t)1 << 61;

void oracle_world_init(oracle_world *w)
{
	w->n = 0;
	w->constant_bytes = 0;
	w->nconstant = 0;
	w->computed = NULL;
	w->computed_bytes = w->computed_room = 0;
}

void oracle_world_drop(oracle_world *w)
{
	free(w->computed);
	w->computed = NULL;
}

int oracle_world_add(oracle_world *w, unsigned char *bytes, int64_t length)
{
	assert(w->n < (int)(sizeof w->buffers / sizeof w->buffers[0]));
	w->buffers[w->n] = (oracle_buffer){bytes, length, (w->n + 1) * BUFFER_SPACE};
	return w->n++;
}

/* Constants begin at multiples of 16 bytes, so that equal ones are found again. */
int64_t oracle_world_constant(oracle_world *w, const unsigned char *value, int64_t length)
{
	for (int k = 0; k < w->nconstant; k++)
		if (w->constant_length[k] == length &&
		    memcmp(w->constants + w->constant_at[k], value, (size_t)length) == 0)
			return CONSTANTS + w->constant_at[k];
	int64_t at = w->constant_bytes;
	assert(at + length <= (int64_t)sizeof w->constants && w->nconstant < ORACLE_CONSTANTS);
	memcpy(w->constants + at, value, (size_t)length);
	w->constant_at[w->nconstant] = at;
	w->constant_length[w->nconstant++] = length;
	w->constant_bytes += (length + 15) / 16 * 16;
	return CONSTANTS + at;
}

int64_t oracle_world_computed(oracle_world *w, const unsigned char *bytes, int64_t length)
{
	int64_t at = w->computed_bytes, end = at + (length + 15) / 16 * 16;
	if (end > w->computed_room) {
		w->computed_room = 2 * end;
		w->computed = realloc(w->computed, (size_t)w->computed_room);
		if (!w->computed)
			abort();
	}
	if (length > 0)
		memcpy(w->computed + at, bytes, (size_t)length);
	w->computed_bytes = end;
	return COMPUTED + at;
}

bool oracle_is_computed(int64_t address)
{
	return address >= COMPUTED;
}

bool oracle_is_constant(int64_t address)
{
	return address >= CONSTANTS;
}

unsigned char *oracle_at(const oracle_world *w, int64_t address)
{
	if (oracle_is_computed(address))
		return w->computed + (address - COMPUTED);
	if (oracle_is_constant(address))
		return (unsigned char *)w->constants + (address - CONSTANTS);
	const oracle_buffer *b = &w->buffers[address / BUFFER_SPACE - 1];
	assert(address >= b->base && address < b->base + b->length);
	return b->bytes + (address - b->base);
}

/* ---- dtypes -------------------------------------------------------------- */

static const struct {
	vf_dtype dtype;
	int64_t bytes;
	const char *name;
} dtypes[] = {
    {VF_BOOL, 1, "bool"}, {VF_U8, 1, "u8"},   {VF_I8, 1, "i8"},   {VF_U16, 2, "u16"}, {VF_I16, 2, "i16"},
    {VF_U32, 4, "u32"},   {VF_I32, 4, "i32"}, {VF_U64, 8, "u64"}, {VF_I64, 8, "i64"}, {VF_F16, 2, "f16"},
    {VF_BF16, 2, "bf16"}, {VF_F32, 4, "f32"}, {VF_F64, 8, "f64"}, {VF_C64, 8, "c64"}, {VF_C128, 16, "c128"},
};

int64_t oracle_dtype_bytes(vf_dtype dtype)
{
	for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++)
		if (dtypes[k].dtype == dtype)
			return dtypes[k].bytes;
	return dtype > VF_OPAQUE_BASE ? dtype - VF_OPAQUE_BASE : 0;
}

const char *oracle_dtype_name(vf_dtype dtype, char buffer[16])
{
	for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++)
		if (dtypes[k].dtype == dtype)
			return dtypes[k].name;
	snprintf(buffer, 16, "bytes%d", (int)(dtype - VF_OPAQUE_BASE) & 0xffff);
	return buffer;
}

/* ---- numbers of elements ---------------------------------------------------- */

int64_t oracle_product(int n, const int64_t *extents)
{
	for (int k = 0; k < n; k++)
		if (extents[k] == 0)
			return 0;
	int64_t product = 1;
	for (int k = 0; k < n; k++)
		if (__builtin_mul_overflow(product, extents[k], &product))
			return -1;
	return product;
}

int64_t oracle_ravel(int rank, const int64_t *shape, const int64_t *index)
{
	int64_t number = 0;
	for (int k = 0; k < rank; k++) {
		assert(index[k] >= 0 && index[k] < shape[k]);
		number = number * shape[k] + index[k];
	}
	return number;
}

void oracle_unravel(int rank, const int64_t *shape, int64_t number, int64_t *index)
{
	for (int k = rank - 1; k >= 0; k--) {
		index[k] = number % shape[k];
		number /= shape[k];
	}
}

static void next_index(int rank, const int64_t *shape, int64_t *index)
{
	for (int k = rank - 1; k >= 0; k--) {
		if (++index[k] < shape[k])
			return;
		index[k] = 0;
	}
}

/* ---- arrays -------------------------------------------------------------- */

/* NumPy refuses extents beyond all bounds even where an extent of 0 leaves no element. */
static int64_t nonzero_product(int n, const int64_t *extents)
{
	int64_t product = 1;
	for (int k = 0; k < n; k++)
		if (extents[k] != 0 && __builtin_mul_overflow(product, extents[k], &product))
			return -1;
	return product;
}

vf_status oracle_allocate(oracle_array *out)
{
	out->count = oracle_product(out->rank, out->shape);
	if (out->count < 0)
		return VF_ERR_OVERFLOW;
	out->tolerate |= out->count == 0 && nonzero_product(out->rank, out->shape) < 0;
	if (out->count > ORACLE_COUNT)
		return (vf_status)ORACLE_TOO_LARGE;
	out->cells = malloc((size_t)(out->count * out->parts + 1) * sizeof *out->cells);
	assert(out->cells);
	return VF_OK;
}

void oracle_drop(oracle_array *a)
{
	free(a->cells);
	a->cells = NULL;
}

void oracle_copy_shape(oracle_array *out, const oracle_array *in)
{
	out->rank = in->rank;
	memcpy(out->shape, in->shape, sizeof out->shape);
}

void oracle_leaf(oracle_array *a, const oracle_world *w, int buffer, int64_t first_byte, vf_dtype dtype,
                 int rank, const int64_t *shape, const int64_t *strides)
{
	int64_t low = 0, high = 0, index[ORACLE_RANK] = {0};
	memset(a, 0, sizeof *a);
	a->dtype = dtype;
	a->bytes = a->unit = oracle_dtype_bytes(dtype);
	a->parts = 1;
	a->rank = rank;
	memcpy(a->shape, shape, (size_t)rank * sizeof *shape);
	if (oracle_allocate(a) != VF_OK)
		abort();
	int64_t first = w->buffers[buffer].base + first_byte;
	for (int64_t e = 0; e < a->count; e++, next_index(rank, shape, index)) {
		int64_t offset = 0;
		for (int k = 0; k < rank; k++)
			offset += index[k] * strides[k];
		if (offset < low)
			low = offset;
		if (offset > high)
			high = offset;
		a->cells[e] = first + offset * a->bytes;
	}
	a->low = first + low * a->bytes;
	a->high = a->count ? first + (high + 1) * a->bytes : a->low;
}

void oracle_read(const oracle_array *a, const oracle_world *w, unsigned char *out)
{
	for (int64_t p = 0; p < a->count * a->parts; p++)
		memcpy(out + p * a->unit, oracle_at(w, a->cells[p]), (size_t)a->unit);
}

/* ---- asking the rules ------------------------------------------------------ */

vf_status oracle_axis(int rank, int64_t *axis)
{
	if (*axis < -(int64_t)rank || *axis >= rank)
		return VF_ERR_AXIS;
	if (*axis < 0)
		*axis += rank;
	return VF_OK;
}

/* Operands of different units (a dtype view beside a leaf) come down to what both are made of. */
static int64_t common_unit(int n, const oracle_array *const *in)
{
	int64_t unit = in[0]->unit;
	for (int k = 1; k < n; k++)
		for (int64_t rest = in[k]->unit; rest;) {
			int64_t next = unit % rest;
			unit = rest;
			rest = next;
		}
	return unit;
}

static void copy_element(oracle_array *out, int64_t e, const oracle_array *in, int64_t from)
{
	for (int64_t p = 0; p < out->parts; p++) {
		int64_t byte = p * out->unit;
		out->cells[e * out->parts + p] = in->cells[from * in->parts + byte / in->unit] +
		                                 byte % in->unit;
	}
}

static void fill_element(oracle_array *out, int64_t e, int64_t constant)
{
	for (int64_t p = 0; p < out->parts; p++)
		out->cells[e * out->parts + p] = constant + p * out->unit;
}

static void gather(const oracle_op *op, const oracle_ask *ask, oracle_array *out, int64_t constant)
{
	int64_t index[ORACLE_RANK + 1] = {0}, from[ORACLE_RANK + 1];
	for (int64_t e = 0; e < out->count; e++, next_index(out->rank, out->shape, index)) {
		int operand = op->rule(ask, index, from);
		if (operand == ORACLE_FILL) {
			fill_element(out, e, constant);
			continue;
		}
		const oracle_array *in = ask->in[operand];
		copy_element(out, e, in, oracle_ravel(in->rank, in->shape, from));
	}
}

static void inherit(const oracle_op *op, int n, const oracle_array *const *in, oracle_array *out)
{
	for (int k = 0; k < n; k++) {
		out->value |= in[k]->value;
		out->tolerate |= in[k]->tolerate;
		out->nan |= in[k]->nan;
		out->sealed |= in[k]->sealed;
		out->maybe_sealed |= in[k]->maybe_sealed;
	}
	if (op->value)
		out->value = true;
	out->low = op->value || n > 1 ? -1 : in[0]->low;
	out->high = op->value || n > 1 ? -1 : in[0]->high;
}

static vf_status by_rule(oracle_world *w, const oracle_op *op, oracle_call *call, int n,
                         const oracle_array *const *in, oracle_array *out)
{
	static const unsigned char zeros[256];
	vf_status status = op->shape(call, n, in, out);
	if (status == VF_OK && out->rank > ORACLE_RANK)
		status = VF_ERR_LIMIT;
	if (status == VF_OK)
		status = oracle_allocate(out);
	if (status != VF_OK)
		return status;
	const unsigned char *value = out->bytes <= (int64_t)sizeof call->value ? call->value : zeros;
	gather(op, &(oracle_ask){call, n, in, out}, out, oracle_world_constant(w, value, out->bytes));
	return VF_OK;
}

vf_status oracle_apply(oracle_world *w, const oracle_call *asked, int n, const oracle_array *const *in,
                       oracle_array *out)
{
	int64_t strides[ORACLE_RANK];
	oracle_call call = *asked;
	const oracle_op *op = oracle_find(call.op);
	assert(op && n >= 1);
	memset(out, 0, sizeof *out);
	out->dtype = in[0]->dtype;
	out->bytes = in[0]->bytes;
	out->unit = common_unit(n, in);
	out->parts = out->bytes / out->unit;
	inherit(op, n, in, out);
	if (op->elements)
		return oracle_elements(w, &call, n, in, out);
	if (in[0]->nan && strcmp(call.op, "view_dtype") == 0)
		return (vf_status)ORACLE_TOO_LARGE; /* which NaN it is would show */
	vf_status status = op->cells ? op->cells(&call, in[0], out) : by_rule(w, op, &call, n, in, out);
	if (status == VF_OK && op->remakes && !oracle_is_strided(out, strides))
		out->low = out->high = -1;
	return status;
}
