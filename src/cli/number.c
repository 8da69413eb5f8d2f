/* number.c -- see number.h. */
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the fewest digits -------------------------------------------------- */

/* Whether `text` reads back as `value` at its own width. */
static bool names(const char *text, double value, enum width width)
{
	if (width == WIDTH_64)
		return strtod(text, NULL) == value;
	if (width == WIDTH_32)
		return (double)strtof(text, NULL) == value;
	return near_half(strtod(text, NULL)) == value;
}

/* Set `text` one unit in its last digit further from zero: "9.99e+02" to "1.00e+03". */
static void step_up(char *text)
{
	char *e = strchr(text, 'e'), *digit = e;
	while (digit-- > text) {
		if (*digit == '.' || *digit == '-')
			continue;
		if (*digit != '9') {
			++*digit;
			return;
		}
		*digit = '0';
	}
	/* All digits were nines and are 0.00 now: write 1.00 at the next exponent. */
	int exponent = atoi(e + 1) + 1;
	text[*text == '-'] = '1';
	sprintf(e, "e%+03d", exponent);
}

/* "-d.ddde+xx" with the fewest digits. If some text of a length names the value, the nearest one does, but
 * for values next to a power of two: their interval is lopsided. There the text of step_up() may do. */
static void fewest_digits(double value, enum width width, char text[64])
{
	for (int digits = 0; digits < 17; digits++) {
		sprintf(text, "%.*e", digits, value);
		if (names(text, value, width))
			return;
		step_up(text);
		if (names(text, value, width))
			return;
	}
	sprintf(text, "%.16e", value);
}

/* Digits after the point in "-d.ddde+xx". */
static int fraction_digits(const char *text)
{
	const char *point = strchr(text, '.'), *e = strchr(text, 'e');
	return point ? (int)(e - point) - 1 : 0;
}

/* Remove the zeros at the end of a fraction, but not the point. */
static void trim_zeros(char *text)
{
	size_t length = strlen(text);
	while (length > 0 && text[length - 1] == '0')
		text[--length] = 0;
}

/* ---- notations ---------------------------------------------------------- */

/* Write the digits of "-d.ddde+xx" in plain notation, zeros filled in. */
static char *expand(const char *text, bool plus, char *buffer)
{
	char digits[32], *out = buffer;
	int n = 0, exponent = atoi(strchr(text, 'e') + 1);
	if (*text == '-' || plus)
		*out++ = *text == '-' ? '-' : '+';
	for (; *text != 'e'; text++)
		if (*text >= '0' && *text <= '9')
			digits[n++] = *text;
	if (exponent < 0)
		*out++ = '0';
	for (int i = 0; i <= exponent; i++)
		*out++ = i < n ? digits[i] : '0';
	*out++ = '.';
	for (int i = exponent + 1; i < n; i++)
		*out++ = i < 0 ? '0' : digits[i];
	*out = 0;
	trim_zeros(buffer);
	return buffer;
}

char *number_plain(double value, enum width width, int limit, bool plus, char *buffer)
{
	char text[64];
	fewest_digits(value, width, text);
	int after = fraction_digits(text) - atoi(strchr(text, 'e') + 1);
	if (limit == NO_LIMIT || after <= limit)
		return expand(text, plus, buffer);
	snprintf(buffer, NUMBER_BYTES, plus ? "%+#.*f" : "%#.*f", limit, value);
	trim_zeros(buffer);
	return buffer;
}

/* Write "-d.ddde+xx" always with a point, and with a sign if `plus` asks for it. */
static void copy_scientific(const char *text, bool plus, char *buffer)
{
	const char *e = strchr(text, 'e');
	snprintf(buffer, NUMBER_BYTES, "%s%.*s%s%s", plus && *text != '-' ? "+" : "", (int)(e - text), text,
	         fraction_digits(text) ? "" : ".", e);
}

char *number_scientific_fixed(double value, enum width width, int digits, int exponent_digits, bool plus,
                              char *buffer)
{
	char text[64];
	fewest_digits(value, width, text);
	/* If the fewest digits are just as many, they win over the nearest ones: they name the value. */
	if (fraction_digits(text) == digits)
		copy_scientific(text, plus, buffer);
	else
		snprintf(buffer, NUMBER_BYTES, plus ? "%+#.*e" : "%#.*e", digits, value);
	char *e = strchr(buffer, 'e') + 2;
	int missing = exponent_digits - (int)strlen(e);
	if (missing > 0) {
		memmove(e + missing, e, strlen(e) + 1);
		memset(e, '0', (size_t)missing);
	}
	return buffer;
}

char *number_scientific(double value, enum width width, int limit, bool plus, char *buffer)
{
	char text[64], exponent[16];
	fewest_digits(value, width, text);
	if (limit != NO_LIMIT && fraction_digits(text) > limit)
		snprintf(buffer, NUMBER_BYTES, plus ? "%+#.*e" : "%#.*e", limit, value);
	else
		copy_scientific(text, plus, buffer);
	char *e = strchr(buffer, 'e');
	memcpy(exponent, e, strlen(e) + 1);
	*e = 0;
	trim_zeros(buffer);
	strcat(buffer, exponent);
	return buffer;
}

/* Remove a point that nothing follows, before an exponent or at the end. */
static void drop_point(char *text)
{
	char *point = strchr(text, '.');
	if (point && (point[1] == 0 || point[1] == 'e'))
		memmove(point, point + 1, strlen(point));
}

char *number_scalar(double value, enum width width, bool plus, bool bare, char *buffer)
{
	static const double limits[] = {[WIDTH_16] = 1e3, [WIDTH_32] = 1e6, [WIDTH_64] = 1e16};
	double size = fabs(value);
	if (!isfinite(value)) {
		snprintf(buffer, NUMBER_BYTES, "%s%s",
		         !isnan(value) && value < 0 ? "-"
		         : plus                     ? "+"
		                                    : "",
		         isnan(value) ? "nan" : "inf");
		return buffer;
	}
	if (size != 0 && (size < 1e-4 || size >= limits[width])) {
		number_scientific(value, width, NO_LIMIT, plus, buffer);
		drop_point(buffer);
		return buffer;
	}
	number_plain(value, width, NO_LIMIT, plus, buffer);
	if (bare)
		drop_point(buffer);
	else if (buffer[strlen(buffer) - 1] == '.')
		strcat(buffer, "0");
	return buffer;
}
