/* dtype.c -- element types: their sizes, their names in every spelling, and numbers as elements. */
#include "core/dtype.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct dtype_row {
	vf_dtype dtype;
	int bytes;
	vf_dtype part;     /* the real type of a complex one, else 0 */
	const char *names; /* the language's own first, then PyTorch's and NumPy's */
} dtype_row;

static const dtype_row rows[] = {
    {VF_BOOL, 1, 0, "bool bool_"},
    {VF_U8, 1, 0, "u8 uint8 ubyte"},
    {VF_I8, 1, 0, "i8 int8 byte"},
    {VF_U16, 2, 0, "u16 uint16"},
    {VF_I16, 2, 0, "i16 int16 short"},
    {VF_U32, 4, 0, "u32 uint32"},
    {VF_I32, 4, 0, "i32 int32 int"},
    {VF_U64, 8, 0, "u64 uint64"},
    {VF_I64, 8, 0, "i64 int64 long"},
    {VF_F16, 2, 0, "f16 float16 half"},
    {VF_BF16, 2, 0, "bf16 bfloat16"},
    {VF_F32, 4, 0, "f32 float32 float single"},
    {VF_F64, 8, 0, "f64 float64 double"},
    {VF_C64, 8, VF_F32, "c64 complex64 cfloat"},
    {VF_C128, 16, VF_F64, "c128 complex128 cdouble"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const dtype_row *find_row(vf_dtype dtype)
{
	for (int i = 0; i < ROWS; i++)
		if (rows[i].dtype == dtype)
			return &rows[i];
	return NULL;
}

int64_t vf_dtype_bytes(vf_dtype dtype)
{
	const dtype_row *row = find_row(dtype);
	if (row)
		return row->bytes;
	bool opaque = dtype > VF_OPAQUE_BASE && dtype <= VF_OPAQUE_BASE + 65535;
	return opaque ? dtype - VF_OPAQUE_BASE : 0;
}

vf_dtype vf_dtype_part(vf_dtype dtype)
{
	const dtype_row *row = find_row(dtype);
	return row ? row->part : 0;
}

vf_dtype vf_dtype_complex(vf_dtype part)
{
	return part == VF_F32 ? VF_C64 : part == VF_F64 ? VF_C128 : 0;
}

bool vf_dtype_is_float(vf_dtype dtype)
{
	return dtype == VF_F16 || dtype == VF_BF16 || dtype == VF_F32 || dtype == VF_F64;
}

bool vf_dtype_is_integer(vf_dtype dtype)
{
	return dtype >= VF_U8 && dtype <= VF_I64;
}

char *vf_dtype_name(vf_dtype dtype, char *buffer, size_t size)
{
	const dtype_row *row = find_row(dtype);
	if (row)
		snprintf(buffer, size, "%.*s", (int)strcspn(row->names, " "), row->names);
	else if (vf_dtype_bytes(dtype))
		snprintf(buffer, size, "bytes%d", (int)(dtype - VF_OPAQUE_BASE));
	else
		snprintf(buffer, size, "none");
	return buffer;
}

bool vf_name_in(const char *names, const char *name, size_t length)
{
	while (names && length > 0) {
		if (names[0] == name[0] && strncmp(names, name, length) == 0 &&
		    (names[length] == ' ' || !names[length]))
			return true;
		names = strchr(names, ' ');
		if (names)
			names++;
	}
	return false;
}

/* "bytes12" */
static vf_dtype parse_opaque(const char *name, size_t length)
{
	int bytes = 0;
	if (length < 6 || length > 10 || memcmp(name, "bytes", 5) != 0)
		return 0;
	for (size_t i = 5; i < length; i++) {
		if (name[i] < '0' || name[i] > '9')
			return 0;
		bytes = bytes * 10 + (name[i] - '0');
	}
	return bytes >= 1 && bytes <= 65535 ? VF_OPAQUE(bytes) : 0;
}

vf_dtype vf_dtype_parse(const char *name, size_t length)
{
	static const char *const prefixes[] = {"torch.", "numpy.", "np."};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		size_t prefix = strlen(prefixes[i]);
		if (length > prefix && memcmp(name, prefixes[i], prefix) == 0) {
			name += prefix;
			length -= prefix;
			break;
		}
	}
	for (int i = 0; i < ROWS; i++)
		if (vf_name_in(rows[i].names, name, length))
			return rows[i].dtype;
	return parse_opaque(name, length);
}

vf_dtype vf_dtype_named(const char *name, size_t length)
{
	return name ? vf_dtype_parse(name, length) : 0;
}

/* ---- numbers as elements ---- */

double vf_number_real(const vf_number *n)
{
	if (n->kind == VF_NUMBER_FLOAT)
		return n->re;
	return n->kind == VF_NUMBER_UINT ? (double)(uint64_t)n->i : (double)n->i;
}

static bool refuse(vf_context *ctx, const vf_number *n, vf_dtype dtype)
{
	char name[16];
	vf_dtype_name(dtype, name, sizeof name);
	if (n->is_complex)
		vf_fail(ctx, VF_ERR_DTYPE, "value: complex %g%+gj is no %s", n->re, n->im, name);
	else if (n->kind == VF_NUMBER_FLOAT)
		vf_fail(ctx, VF_ERR_DTYPE, "value: %g is no %s", n->re, name);
	else if (n->kind == VF_NUMBER_UINT)
		vf_fail(ctx, VF_ERR_DTYPE, "value: %llu does not fit %s", (unsigned long long)n->i, name);
	else
		vf_fail(ctx, VF_ERR_DTYPE, "value: %lld does not fit %s", (long long)n->i, name);
	return false;
}

/* Whether `value` is within the bounds of an integer type. */
static bool fits(int64_t value, vf_dtype dtype, int64_t bytes)
{
	if (!vf_dtype_is_signed(dtype))
		return value >= 0 && (bytes == 8 || value < (int64_t)1 << (8 * bytes));
	if (bytes == 8)
		return true;
	int64_t half = (int64_t)1 << (8 * bytes - 1);
	return value >= -half && value < half;
}

/* A number as an integer's bits. A whole number such as 1.0 is accepted; 1.5, inf and nan are not. */
static bool integer_bits(const vf_number *n, vf_dtype dtype, uint64_t *bits)
{
	int64_t value = n->i;
	*bits = (uint64_t)value;
	if (n->kind == VF_NUMBER_UINT)
		return dtype == VF_U64;
	if (n->kind == VF_NUMBER_FLOAT) {
		if (n->re != floor(n->re) || !(n->re >= -0x1p63 && n->re < 0x1p64))
			return false;
		if (n->re >= 0x1p63) {
			*bits = (uint64_t)n->re;
			return dtype == VF_U64;
		}
		value = (int64_t)n->re;
		*bits = (uint64_t)value;
	}
	return fits(value, dtype, vf_dtype_bytes(dtype));
}

static bool store_integer(vf_context *ctx, const vf_number *n, vf_dtype dtype, unsigned char *out)
{
	uint64_t bits;
	if (!integer_bits(n, dtype, &bits))
		return refuse(ctx, n, dtype);
	vf_bits_write(vf_dtype_bytes(dtype), bits, out);
	return true;
}

bool vf_number_to_element(vf_context *ctx, const vf_number *n, vf_dtype dtype, unsigned char out[16])
{
	memset(out, 0, 16);
	vf_dtype part = vf_dtype_part(dtype);
	if (part) {
		vf_real_write(part, vf_number_real(n), out);
		vf_real_write(part, n->is_complex ? n->im : 0, out + vf_dtype_bytes(part));
		return true;
	}
	if (n->is_complex)
		return refuse(ctx, n, dtype);
	if (vf_dtype_is_float(dtype)) {
		vf_real_write(dtype, vf_number_real(n), out);
		return true;
	}
	if (dtype == VF_BOOL) {
		out[0] = vf_number_real(n) != 0;
		return true;
	}
	if (dtype > VF_OPAQUE_BASE)
		return vf_number_real(n) == 0 || refuse(ctx, n, dtype);
	return store_integer(ctx, n, dtype, out);
}
