/* column.h -- one format for all the floats of an array, as NumPy's FloatingFormat chooses it:
 * at most 8 digits after the point, points under each other, scientific where numbers are very
 * large, very small or far apart.
 */
#pragma once

#include "number.h"

struct column {
	enum width width;
	bool plus; /* positive numbers have a sign: imaginary parts */
	bool scientific;
	int left, right; /* columns before and after the point */
	int digits;      /* scientific: after the point */
	int exponent_digits;
};

/* Choose a format for n values, those that are not finite included. */
void column_fit(struct column *column, const double *values, size_t n, enum width width, bool plus);

/* One value, padded with spaces. Returns `buffer`, of NUMBER_BYTES. */
char *column_write(const struct column *column, double value, char *buffer);
