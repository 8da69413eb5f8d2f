/* column.c -- see column.h. The rules and their constants are NumPy's (2.3 and later). */
#include "column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PRECISION = 8 };

/* NumPy compares and divides in the array's own type. The bounds are objects, since a processor that computes
 * with more bits (x87) keeps a literal with more bits too. */
static bool too_small(double value, enum width width)
{
	static const float bound_32 = 1e-4F;
	static const double bound_64 = 1e-4;
	if (width == WIDTH_64)
		return value < bound_64;
	return width == WIDTH_32 ? (float)value < bound_32 : value < near_half(1e-4);
}

static bool too_far_apart(double largest, double smallest, enum width width)
{
	if (width == WIDTH_64)
		return largest / smallest > 1000;
	double ratio = (double)((float)largest / (float)smallest);
	return (width == WIDTH_32 ? ratio : near_half(ratio)) > 1000;
}

static bool needs_scientific(const double *values, size_t n, enum width width)
{
	static const double limits[] = {[WIDTH_16] = 1e3, [WIDTH_32] = 1e6, [WIDTH_64] = 1e8};
	double largest = 0, smallest = (double)INFINITY;
	for (size_t i = 0; i < n; i++) {
		double size = fabs(values[i]);
		if (!isfinite(size) || size == 0)
			continue;
		largest = fmax(largest, size);
		smallest = fmin(smallest, size);
	}
	return largest > 0 && (largest >= limits[width] || too_small(smallest, width) ||
	                       too_far_apart(largest, smallest, width));
}

static void widen(int *columns, ptrdiff_t wanted)
{
	if (wanted > *columns)
		*columns = (int)wanted;
}

static void fit_scientific(struct column *column, double value)
{
	char buffer[NUMBER_BYTES];
	number_scientific(value, column->width, PRECISION, column->plus, buffer);
	const char *point = strchr(buffer, '.'), *e = strchr(buffer, 'e');
	widen(&column->left, point - buffer);
	widen(&column->digits, e - point - 1);
	widen(&column->exponent_digits, (ptrdiff_t)strlen(e) - 2);
}

static void fit_plain(struct column *column, double value)
{
	char buffer[NUMBER_BYTES];
	number_plain(value, column->width, PRECISION, column->plus, buffer);
	const char *point = strchr(buffer, '.');
	widen(&column->left, point - buffer);
	widen(&column->right, (ptrdiff_t)strlen(point) - 1);
}

/* Room for "nan" and "inf", which end where the others' digits end. */
static void fit_special(struct column *column, const double *values, size_t n)
{
	bool special = false, sign = column->plus;
	for (size_t i = 0; i < n; i++) {
		special = special || !isfinite(values[i]);
		sign = sign || (isinf(values[i]) && values[i] < 0);
	}
	if (special)
		widen(&column->left, (sign ? 4 : 3) - (column->right + 1));
}

void column_fit(struct column *column, const double *values, size_t n, enum width width, bool plus)
{
	*column = (struct column){.width = width, .plus = plus};
	column->scientific = needs_scientific(values, n, width);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		if (column->scientific)
			fit_scientific(column, values[i]);
		else
			fit_plain(column, values[i]);
	}
	if (column->scientific)
		column->right = column->exponent_digits + 2 + column->digits;
	fit_special(column, values, n);
}

char *column_write(const struct column *column, double value, char *buffer)
{
	char text[NUMBER_BYTES];
	int left = column->left, right = 0;
	if (!isfinite(value)) {
		number_scalar(value, column->width, column->plus, false, text);
		left = column->left + column->right + 1 - (int)strlen(text);
	} else if (column->scientific) {
		number_scientific_fixed(value, column->width, column->digits, column->exponent_digits,
		                        column->plus, text);
		left -= (int)(strchr(text, '.') - text);
	} else {
		number_plain(value, column->width, PRECISION, column->plus, text);
		const char *point = strchr(text, '.');
		left -= (int)(point - text);
		right = column->right - (int)strlen(point + 1);
	}
	snprintf(buffer, NUMBER_BYTES, "%*s%s%*s", left > 0 ? left : 0, "", text, right > 0 ? right : 0, "");
	return buffer;
}
