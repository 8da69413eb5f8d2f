/* number.h -- numbers as text, the way NumPy writes them.
 *
 * Floats are written with the fewest digits that name them among all values of their own width. If a limit
 * cuts digits, the rest is correctly rounded. NumPy gets the same from its Dragon4.
 */
#pragma once

#include "core/half.h"
#include "viewfold.h"

enum {
	NUMBER_BYTES = 512, /* any number of this header fits, the final NUL included */
	NO_LIMIT = -1
};

/* The width of a float decides which digits are enough to name it. bf16 counts as f32, into which
 * it is widened. */
enum width { WIDTH_16, WIDTH_32, WIDTH_64 };

/* The nearest value that an f16 has. */
static inline double near_half(double value)
{
	return (double)vf_half_float(vf_float_half(vf_odd_float(value)));
}

/* "12.5", "12.": plain notation with at most `limit` digits after the point. The point is always written;
 * zeros at the end are left out. `plus` writes the sign of positive numbers. Finite values only. */
char *number_plain(double value, enum width width, int limit, bool plus, char *buffer);

/* "1.25e+01", "1.e+01": the same with one digit before the point and an exponent of at least two
 * digits. */
char *number_scientific(double value, enum width width, int limit, bool plus, char *buffer);

/* "1.2500e+001": exactly `digits` after the point, at least `exponent_digits` in the exponent. */
char *number_scientific_fixed(double value, enum width width, int digits, int exponent_digits, bool plus,
                              char *buffer);

/* A float by itself, as str() of a NumPy scalar: "0.1", "1.0", "1e+20", "nan". With `bare` whole
 * numbers have no point: "1". */
char *number_scalar(double value, enum width width, bool plus, bool bare, char *buffer);
