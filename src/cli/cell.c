/* cell.c -- see cell.h. */
#include "cell.h"

#include "date.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- elements as numbers ------------------------------------------------ */

/* An integer element, sign in `*negative` and size in the result; bool counts as 0 and 1. */
static uint64_t integer_size(vf_dtype dtype, const unsigned char *element, bool *negative)
{
	union {
		uint8_t u8;
		int8_t i8;
		uint16_t u16;
		int16_t i16;
		uint32_t u32;
		int32_t i32;
		uint64_t u64;
		int64_t i64;
	} value = {.u64 = 0};
	memcpy(&value, element, (size_t)vf_dtype_bytes(dtype));
	int64_t number;
	*negative = false;
	switch (dtype) {
	case VF_BOOL: return value.u8 != 0;
	case VF_U8: return value.u8;
	case VF_U16: return value.u16;
	case VF_U32: return value.u32;
	case VF_U64: return value.u64;
	case VF_I8: number = value.i8; break;
	case VF_I16: number = value.i16; break;
	case VF_I32: number = value.i32; break;
	default: number = value.i64; break;
	}
	*negative = number < 0;
	return *negative ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Part `part` of a float or complex element: 0 real, 1 imaginary. */
static double float_part(vf_dtype dtype, const unsigned char *element, size_t part)
{
	uint16_t bits;
	float single;
	double value;
	switch (dtype) {
	case VF_F16:
	case VF_BF16:
		memcpy(&bits, element, sizeof bits);
		return dtype == VF_F16 ? half_value(bits) : brain_value(bits);
	case VF_F32:
	case VF_C64: memcpy(&single, element + part * sizeof single, sizeof single); return (double)single;
	default: memcpy(&value, element + part * sizeof value, sizeof value); return value;
	}
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
		uint64_t size =
		    integer_size(format->element->dtype, elements + i * format->bytes, &negative);
		int columns = decimal_columns(size, negative);
		if (columns > format->columns)
			format->columns = columns;
	}
}

/* The format of time spans, which are integers but for NaT, "not a time". */
static void fit_spans(struct cell_format *format, const unsigned char *elements, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool negative;
		uint64_t size = integer_size(VF_I64, elements + i * format->bytes, &negative);
		bool none = negative && size == (uint64_t)1 << 63;
		int columns = none ? 5 : decimal_columns(size, negative);
		if (columns > format->columns)
			format->columns = columns;
	}
}

/* A date, or its count where it is beyond the calendar. */
static char *date_text(const struct cell_format *format, const unsigned char *element, char *buffer)
{
	int64_t count;
	memcpy(&count, element, sizeof count);
	if (!date_write(count, format->element->descr, buffer))
		snprintf(buffer, DATE_BYTES, "%" PRId64, count);
	return buffer;
}

static void fit_dates(struct cell_format *format, const unsigned char *elements, size_t n)
{
	char buffer[DATE_BYTES];
	for (size_t i = 0; i < n; i++) {
		int columns = (int)strlen(date_text(format, elements + i * format->bytes, buffer)) + 2;
		if (columns > format->columns)
			format->columns = columns;
	}
}

bool cell_format_fit(struct cell_format *format, const struct element *element,
                     const unsigned char *elements, size_t n, bool alone)
{
	*format = (struct cell_format){
	    .element = element, .bytes = (size_t)vf_dtype_bytes(element->dtype), .alone = alone};
	if (is_float(element->dtype))
		return fit_floats(format, elements, n);
	if (element->dtype < VF_OPAQUE_BASE)
		fit_integers(format, elements, n);
	else if (element->kind == 'm')
		fit_spans(format, elements, n);
	else if (element->kind == 'M')
		fit_dates(format, elements, n);
	return true;
}

/* ---- writing ------------------------------------------------------------ */

static void write_integer(const struct cell_format *format, vf_dtype dtype,
                          const unsigned char *element, struct text *out)
{
	bool negative;
	uint64_t size = integer_size(dtype, element, &negative);
	int columns = format->alone ? 0 : format->columns - decimal_columns(size, negative);
	text_print(out, "%*s%s%" PRIu64, columns, "", negative ? "-" : "", size);
}

static void write_complex(const struct cell_format *format, double real, double imaginary,
                          struct text *out)
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

static void write_float(const struct cell_format *format, const unsigned char *element,
                        struct text *out)
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

static void write_span(const struct cell_format *format, const unsigned char *element,
                       struct text *out)
{
	int64_t value;
	memcpy(&value, element, sizeof value);
	if (value == INT64_MIN)
		text_print(out, "%*s", format->alone ? 0 : format->columns, format->alone ? "NaT" : "'NaT'");
	else
		write_integer(format, VF_I64, element, out);
}

static void write_date(const struct cell_format *format, const unsigned char *element,
                       struct text *out)
{
	char buffer[DATE_BYTES];
	date_text(format, element, buffer);
	int columns = format->alone ? 0 : format->columns - (int)strlen(buffer) - 2;
	const char *quote = format->alone ? "" : "'";
	text_print(out, "%*s%s%s%s", columns, "", quote, buffer, quote);
}

/* A character as Python's repr() shows it between quotes of `quote`; up to U+10FFFF. */
static void write_character(uint32_t c, char quote, bool is_text, struct text *out)
{
	char utf8[4];
	if (c == (unsigned char)quote || c == '\\')
		text_print(out, "\\%c", (int)c);
	else if (c == '\n' || c == '\r' || c == '\t')
		text_print(out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
	else if (c >= 0x20 && c < 0x7f)
		text_print(out, "%c", (int)c);
	else if (c < 0xa1 || !is_text)
		text_print(out, "\\x%02x", (unsigned)c);
	else if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		text_print(out, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
	else if (c < 0x800) {
		utf8[0] = (char)(0xc0 | c >> 6);
		utf8[1] = (char)(0x80 | (c & 63));
		text_add(out, utf8, 2);
	} else if (c < 0x10000) {
		utf8[0] = (char)(0xe0 | c >> 12);
		utf8[1] = (char)(0x80 | (c >> 6 & 63));
		utf8[2] = (char)(0x80 | (c & 63));
		text_add(out, utf8, 3);
	} else {
		utf8[0] = (char)(0xf0 | c >> 18);
		utf8[1] = (char)(0x80 | (c >> 12 & 63));
		utf8[2] = (char)(0x80 | (c >> 6 & 63));
		utf8[3] = (char)(0x80 | (c & 63));
		text_add(out, utf8, 4);
	}
}

static uint32_t character(const struct cell_format *format, const unsigned char *element, size_t i)
{
	uint32_t c = element[i];
	if (format->element->kind == 'U')
		memcpy(&c, element + 4 * i, sizeof c);
	return c;
}

/* b'abc' of S elements, 'abc' of U elements; zeros at the end are no part of them. */
static void write_string(const struct cell_format *format, const unsigned char *element,
                         struct text *out)
{
	bool is_text = format->element->kind == 'U', single = false, twice = false;
	size_t n = format->bytes / (is_text ? 4 : 1);
	while (n > 0 && character(format, element, n - 1) == 0)
		n--;
	for (size_t i = 0; i < n; i++) {
		single = single || character(format, element, i) == '\'';
		twice = twice || character(format, element, i) == '"';
	}
	char quote = single && !twice ? '"' : '\'';
	text_print(out, is_text ? "%c" : "b%c", quote);
	for (size_t i = 0; i < n; i++)
		write_character(character(format, element, i), quote, is_text, out);
	text_print(out, "%c", quote);
}

/* b'\x00\x01': bytes without a meaning. */
static void write_void(const struct cell_format *format, const unsigned char *element,
                       struct text *out)
{
	text_print(out, "b'");
	for (size_t i = 0; i < format->bytes; i++)
		text_print(out, "\\x%02X", element[i]);
	text_print(out, "'");
}

void cell_write(const struct cell_format *format, const unsigned char *element, struct text *out)
{
	vf_dtype dtype = format->element->dtype;
	char kind = format->element->kind;
	if (dtype == VF_BOOL)
		text_print(out, *element ? (format->alone ? "True" : " True") : "False");
	else if (is_float(dtype))
		write_float(format, element, out);
	else if (dtype < VF_OPAQUE_BASE)
		write_integer(format, dtype, element, out);
	else if (kind == 'm')
		write_span(format, element, out);
	else if (kind == 'M')
		write_date(format, element, out);
	else if (kind == 'S' || kind == 'U')
		write_string(format, element, out);
	else
		write_void(format, element, out);
}

/* ---- counting ----------------------------------------------------------- */

static void count_float(vf_dtype dtype, int64_t k, unsigned char *element)
{
	float single = (float)k;
	double value = (double)k;
	uint16_t bits = dtype == VF_F16 ? half_nearest(value) : brain_nearest(single);
	if (dtype == VF_F16 || dtype == VF_BF16)
		memcpy(element, &bits, sizeof bits);
	else if (dtype == VF_F32 || dtype == VF_C64)
		memcpy(element, &single, sizeof single);
	else
		memcpy(element, &value, sizeof value);
}

void cell_count(vf_dtype dtype, int64_t k, unsigned char *element)
{
	size_t bytes = (size_t)vf_dtype_bytes(dtype);
	uint64_t bits = (uint64_t)k;
	if (dtype >= VF_OPAQUE_BASE) {
		for (size_t i = 0; i < bytes; i++)
			element[i] = (unsigned char)(bits * bytes + i);
		return;
	}
	memset(element, 0, bytes);
	if (dtype == VF_BOOL)
		element[0] = (unsigned char)(bits & 1);
	else if (is_float(dtype))
		count_float(dtype, k, element);
	else
		for (size_t i = 0; i < bytes; i++)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
			element[i] = (unsigned char)(bits >> (8 * i));
#else
			element[bytes - 1 - i] = (unsigned char)(bits >> (8 * i));
#endif
}
