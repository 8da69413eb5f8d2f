/* cell.c -- see cell.h. */
#include "cell.h"

#include "core/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements as numbers ------------------------------------------------ */

/* Returns the size of an integer element; `*negative` is its sign. A bool counts as 0 or 1. */
static uint64_t integer_size(vf_dtype dtype, const unsigned char *element, bool *negative)
{
	const int64_t bytes = vf_dtype_bytes(dtype);
	const uint64_t bits = vf_bits_read(bytes, element), sign = (uint64_t)1 << (8 * bytes - 1);
	*negative = vf_dtype_is_signed(dtype) && (bits & sign);
	if (dtype == VF_BOOL)
		return bits != 0;
	return *negative ? sign - (bits - sign) : bits;
}

/* The type of each part of a complex type; for a float type, that type. */
static vf_dtype part_type(vf_dtype dtype)
{
	return dtype == VF_C64 ? VF_F32 : dtype == VF_C128 ? VF_F64 : dtype;
}

/* Part `part` of a float or complex element: 0 real, 1 imaginary. */
static double float_part(vf_dtype dtype, const unsigned char *element, size_t part)
{
	const vf_dtype type = part_type(dtype);
	return vf_real_read(type, element + part * (size_t)vf_dtype_bytes(type));
}

static enum width width_of(vf_dtype dtype)
{
	if (dtype == VF_F64 || dtype == VF_C128)
		return WIDTH_64;
	return dtype == VF_F16 ? WIDTH_16 : WIDTH_32;
}

static bool is_float(vf_dtype dtype)
{
	return dtype >= VF_F16 && dtype <= VF_C128;
}

static bool is_complex(vf_dtype dtype)
{
	return dtype == VF_C64 || dtype == VF_C128;
}

/* ---- choosing ----------------------------------------------------------- */

static bool fit_floats(struct cell_format *format, const unsigned char *elements, size_t n)
{
	vf_dtype dtype = format->element->dtype;
	double *values = malloc((n ? n : 1) * sizeof *values);
	if (!values)
		return complain_memory(n * sizeof *values, "the numbers to print");
	for (size_t part = 0; part < (is_complex(dtype) ? 2 : 1); part++) {
		for (size_t i = 0; i < n; i++)
			values[i] = float_part(dtype, elements + i * format->bytes, part);
		column_fit(part ? &format->imaginary : &format->real, values, n, width_of(dtype), part > 0);
	}
	free(values);
	return true;
}

static int decimal_columns(uint64_t size, bool negative)
{
	int columns = negative ? 2 : 1;
	while (size /= 10)
		columns++;
	return columns;
}

static void fit_integers(struct cell_format *format, const unsigned char *elements, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool negative;
		uint64_t size = integer_size(format->element->dtype, elements + i * format->bytes, &negative);
		int columns = decimal_columns(size, negative);
		if (columns > format->columns)
			format->columns = columns;
	}
}

bool cell_format_fit(struct cell_format *format, const struct element *element, const unsigned char *elements,
                     size_t n, bool alone)
{
	*format = (struct cell_format){
	    .element = element, .bytes = (size_t)vf_dtype_bytes(element->dtype), .alone = alone};
	if (is_float(element->dtype))
		return fit_floats(format, elements, n);
	if (element->dtype < VF_OPAQUE_BASE)
		fit_integers(format, elements, n);
	return true;
}

/* ---- writing ------------------------------------------------------------ */

static void write_integer(const struct cell_format *format, const unsigned char *element, struct text *out)
{
	bool negative;
	uint64_t size = integer_size(format->element->dtype, element, &negative);
	int columns = format->alone ? 0 : format->columns - decimal_columns(size, negative);
	text_print(out, "%*s%s%" PRIu64, columns, "", negative ? "-" : "", size);
}

static void write_complex(const struct cell_format *format, double real, double imaginary, struct text *out)
{
	char re[NUMBER_BYTES], im[NUMBER_BYTES];
	if (format->alone) {
		enum width width = format->real.width;
		bool has_real = real != 0 || 1 / real < 0;
		number_scalar(imaginary, width, has_real, true, im);
		if (has_real)
			text_print(out, "(%s%sj)", number_scalar(real, width, false, true, re), im);
		else
			text_print(out, "%sj", im);
		return;
	}
	column_write(&format->imaginary, imaginary, im);
	int used = (int)strlen(im), length = used;
	while (used > 0 && im[used - 1] == ' ')
		used--;
	text_print(out, "%s%.*sj%*s", column_write(&format->real, real, re), used, im, length - used, "");
}

static void write_float(const struct cell_format *format, const unsigned char *element, struct text *out)
{
	char buffer[NUMBER_BYTES];
	vf_dtype dtype = format->element->dtype;
	double value = float_part(dtype, element, 0);
	if (is_complex(dtype))
		write_complex(format, value, float_part(dtype, element, 1), out);
	else if (format->alone)
		text_print(out, "%s", number_scalar(value, width_of(dtype), false, false, buffer));
	else
		text_print(out, "%s", column_write(&format->real, value, buffer));
}

/* The bytes in hex: "0001ff". */
static void write_opaque(const struct cell_format *format, const unsigned char *element, struct text *out)
{
	for (size_t i = 0; i < format->bytes; i++)
		text_print(out, "%02x", element[i]);
}

void cell_write(const struct cell_format *format, const unsigned char *element, struct text *out)
{
	vf_dtype dtype = format->element->dtype;
	if (dtype == VF_BOOL)
		text_print(out, *element ? (format->alone ? "True" : " True") : "False");
	else if (is_float(dtype))
		write_float(format, element, out);
	else if (dtype < VF_OPAQUE_BASE)
		write_integer(format, element, out);
	else
		write_opaque(format, element, out);
}

/* ---- as JSON ------------------------------------------------------------ */

static void add_json_float(struct text *out, double value, enum width width)
{
	char buffer[NUMBER_BYTES];
	const char *quote = isfinite(value) ? "" : "\"";
	text_print(out, "%s%s%s", quote, number_scalar(value, width, false, false, buffer), quote);
}

void cell_write_json(vf_dtype dtype, const unsigned char *element, struct text *out)
{
	const struct element type = {.dtype = dtype};
	const struct cell_format format = {
	    .element = &type, .bytes = (size_t)vf_dtype_bytes(dtype), .alone = true};
	bool number = dtype < VF_OPAQUE_BASE && dtype != VF_BOOL;
	if (number && is_float(dtype)) {
		text_print(out, is_complex(dtype) ? "[" : "");
		add_json_float(out, float_part(dtype, element, 0), width_of(dtype));
		text_print(out, is_complex(dtype) ? ", " : "");
		if (is_complex(dtype))
			add_json_float(out, float_part(dtype, element, 1), width_of(dtype));
		text_print(out, is_complex(dtype) ? "]" : "");
	} else if (number) {
		write_integer(&format, element, out);
	} else if (dtype == VF_BOOL) {
		text_print(out, *element ? "true" : "false");
	} else {
		text_print(out, "\"");
		write_opaque(&format, element, out);
		text_print(out, "\"");
	}
}

/* ---- counting ----------------------------------------------------------- */

void cell_count(vf_dtype dtype, int64_t k, unsigned char *element)
{
	const size_t bytes = (size_t)vf_dtype_bytes(dtype);
	memset(element, 0, bytes);
	if (dtype >= VF_OPAQUE_BASE)
		for (size_t i = 0; i < bytes; i++)
			element[i] = (unsigned char)((uint64_t)k * bytes + i);
	else if (dtype == VF_BOOL)
		element[0] = (unsigned char)(k & 1);
	else if (is_float(dtype))
		vf_real_write(part_type(dtype), (double)k, element);
	else
		vf_bits_write((int64_t)bytes, (uint64_t)k, element);
}
