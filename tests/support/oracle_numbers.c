/* oracle_numbers.c -- one element, from the contract in viewfold.h.
 *
 * A number is read exactly, as a sign and m * 2^e, and rounded once by counting bits. Sums, products and
 * quotients are made in double and rounded to the narrower type, which comes to one rounding: double has
 * more than twice its bits, and two.
 */
#include "oracle_numbers.h"

#include <math.h>
#include <string.h>

/* ---- bits ---- */

static uint64_t load_bits(vf_dtype dtype, const unsigned char *p)
{
	uint8_t one;
	uint16_t two;
	uint32_t four;
	uint64_t eight;
	switch (oracle_dtype_bytes(dtype)) {
	case 1: memcpy(&one, p, sizeof one); return one;
	case 2: memcpy(&two, p, sizeof two); return two;
	case 4: memcpy(&four, p, sizeof four); return four;
	default: memcpy(&eight, p, sizeof eight); return eight;
	}
}

static void store_bits(vf_dtype dtype, uint64_t bits, unsigned char *p)
{
	uint8_t one = (uint8_t)bits;
	uint16_t two = (uint16_t)bits;
	uint32_t four = (uint32_t)bits;
	switch (oracle_dtype_bytes(dtype)) {
	case 1: memcpy(p, &one, sizeof one); break;
	case 2: memcpy(p, &two, sizeof two); break;
	case 4: memcpy(p, &four, sizeof four); break;
	default: memcpy(p, &bits, sizeof bits);
	}
}

static uint64_t low_mask(int bits)
{
	return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* ---- numbers ---- */

/* +-m * 2^e. */
typedef struct number {
	enum { FINITE, INFINITE, NAN_ } is;
	bool negative;
	uint64_t m;
	int e;
} number;

typedef struct format {
	int exponent, fraction; /* bits of each */
} format;

static format format_of(vf_dtype dtype)
{
	return dtype == VF_F16    ? (format){5, 10}
	       : dtype == VF_BF16 ? (format){8, 7}
	       : dtype == VF_F32  ? (format){8, 23}
	                          : (format){11, 52};
}

static int least_exponent(format f)
{
	return 2 - (1 << (f.exponent - 1));
}

static number read_float(format f, uint64_t bits)
{
	uint64_t exponent = bits >> f.fraction & low_mask(f.exponent), m = bits & low_mask(f.fraction);
	number n = {FINITE, bits >> (f.exponent + f.fraction) & 1, m, least_exponent(f) - f.fraction};
	if (exponent == low_mask(f.exponent))
		n.is = m ? NAN_ : INFINITE;
	else if (exponent > 0) {
		n.m |= (uint64_t)1 << f.fraction;
		n.e += (int)exponent - 1;
	}
	return n;
}

static int top_bit(uint64_t m)
{
	int top = 0;
	while (m >>= 1)
		top++;
	return top;
}

/* m / 2^by, to nearest, ties to even. */
static uint64_t shift_and_round(uint64_t m, int by)
{
	if (by <= 0)
		return m << -by;
	if (by > 64)
		return 0;
	uint64_t kept = by == 64 ? 0 : m >> by, rest = m & low_mask(by), half = (uint64_t)1 << (by - 1);
	return kept + (rest > half || (rest == half && (kept & 1)));
}

static uint64_t write_float(format f, number n)
{
	uint64_t sign = (uint64_t)n.negative << (f.exponent + f.fraction), infinite = low_mask(f.exponent)
	                                                                              << f.fraction;
	if (n.is == NAN_)
		return infinite | (uint64_t)1 << (f.fraction - 1);
	if (n.is == INFINITE || n.m == 0)
		return sign | (n.is == INFINITE ? infinite : 0);
	int least = least_exponent(f), exponent = top_bit(n.m) + n.e;
	if (exponent < least)
		exponent = least;
	if (exponent > -least + 1)
		return sign | infinite;
	uint64_t bits = shift_and_round(n.m, exponent - f.fraction - n.e);
	bits += (uint64_t)(exponent - least) << f.fraction;
	return sign | (bits > infinite ? infinite : bits);
}

static number read_integer(vf_dtype dtype, uint64_t bits)
{
	int width = bits_of(dtype);
	bool negative = has_sign(dtype) && bits >> (width - 1) & 1;
	return (number){FINITE, negative, (negative ? 0 - bits : bits) & low_mask(width), 0};
}

/* What is beyond the type's end is that end, NaN 0. */
static uint64_t cut_off(vf_dtype dtype, number n)
{
	uint64_t most = low_mask(bits_of(dtype) - has_sign(dtype)), least = has_sign(dtype) ? most + 1 : 0;
	uint64_t end = n.negative ? least : most, m = n.m;
	if (n.is == NAN_ || (n.is == FINITE && n.m == 0))
		return 0;
	bool beyond = n.is == INFINITE || top_bit(n.m) + n.e >= 64;
	if (!beyond)
		m = n.e >= 0 ? n.m << n.e : n.e <= -64 ? 0 : n.m >> -n.e;
	if (beyond || m > end)
		m = end;
	return n.negative ? 0 - m : m;
}

/* Neither type is complex. */
static number read_real(vf_dtype dtype, const unsigned char *p)
{
	uint64_t bits = load_bits(dtype, p);
	if (dtype == VF_BOOL)
		return (number){FINITE, false, bits != 0, 0};
	return kind_of(dtype) == IS_FLOAT ? read_float(format_of(dtype), bits) : read_integer(dtype, bits);
}

static void write_real(vf_dtype dtype, number n, bool of_integer, unsigned char *p)
{
	if (dtype == VF_BOOL)
		store_bits(dtype, n.is != FINITE || n.m != 0, p);
	else if (kind_of(dtype) == IS_FLOAT)
		store_bits(dtype, write_float(format_of(dtype), n), p);
	else if (of_integer)
		store_bits(dtype, n.negative ? 0 - n.m : n.m, p);
	else
		store_bits(dtype, cut_off(dtype, n), p);
}

/* ---- one element ---- */

vf_dtype oracle_part_of(vf_dtype dtype)
{
	return dtype == VF_C64 ? VF_F32 : dtype == VF_C128 ? VF_F64 : dtype;
}

void oracle_convert(vf_dtype from, vf_dtype to, const unsigned char *in, unsigned char *out)
{
	vf_dtype a = oracle_part_of(from), b = oracle_part_of(to);
	if (from == to) {
		memcpy(out, in, (size_t)oracle_dtype_bytes(to));
		return;
	}
	bool whole = kind_of(from) <= IS_INTEGER;
	number re = read_real(a, in), im = {FINITE, false, 0, 0};
	if (a != from)
		im = read_real(a, in + oracle_dtype_bytes(a));
	if (to == VF_BOOL && (im.is != FINITE || im.m != 0))
		re = im;
	write_real(b, re, whole, out);
	if (b != to)
		write_real(b, im, whole, out + oracle_dtype_bytes(b));
}

void oracle_swap_bytes(vf_dtype dtype, const unsigned char *in, unsigned char *out)
{
	int64_t part = oracle_dtype_bytes(oracle_part_of(dtype)), all = oracle_dtype_bytes(dtype);
	for (int64_t k = 0; k < all; k++)
		out[k] = in[k / part * part + part - 1 - k % part];
}

/* Exact but for f64, which it is itself. */
static double as_double(vf_dtype dtype, const unsigned char *p)
{
	number n = read_real(dtype, p);
	double size = n.is == NAN_ ? NAN : n.is == INFINITE ? HUGE_VAL : ldexp((double)n.m, n.e);
	return n.negative ? -size : size;
}

static void from_double(vf_dtype dtype, double x, unsigned char *p)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	write_real(dtype, read_float(format_of(VF_F64), bits), false, p);
}

static double of_floats(char sign, double x, double y)
{
	volatile double result = sign == '+' ? x + y : sign == '-' ? x - y : sign == '*' ? x * y : x / y;
	return result;
}

static uint64_t of_integers(char sign, uint64_t x, uint64_t y)
{
	return sign == '+' ? x + y : sign == '-' ? x - y : x * y;
}

void oracle_combine(char sign, vf_dtype dtype, const unsigned char *x, const unsigned char *y,
                    unsigned char *out)
{
	if (kind_of(dtype) == IS_FLOAT)
		from_double(dtype, of_floats(sign, as_double(dtype, x), as_double(dtype, y)), out);
	else
		store_bits(dtype, of_integers(sign, load_bits(dtype, x), load_bits(dtype, y)), out);
}

bool oracle_is_less(vf_dtype dtype, const unsigned char *x, const unsigned char *y)
{
	if (kind_of(dtype) == IS_FLOAT)
		return as_double(dtype, x) < as_double(dtype, y);
	number a = read_real(dtype, x), b = read_real(dtype, y);
	if (a.negative != b.negative)
		return a.negative;
	return a.negative ? a.m > b.m : a.m < b.m;
}

bool oracle_is_nan(vf_dtype dtype, const unsigned char *p)
{
	vf_dtype part = oracle_part_of(dtype);
	if (kind_of(part) != IS_FLOAT)
		return false;
	return read_real(part, p).is == NAN_ ||
	       (part != dtype && read_real(part, p + oracle_dtype_bytes(part)).is == NAN_);
}

/* The same, but for which NaN one is. */
bool oracle_same_but_nan(vf_dtype dtype, const unsigned char *x, const unsigned char *y)
{
	int64_t part = oracle_dtype_bytes(oracle_part_of(dtype));
	for (int64_t at = 0; at < oracle_dtype_bytes(dtype); at += part) {
		bool nan = oracle_is_nan(oracle_part_of(dtype), x + at) &&
		           oracle_is_nan(oracle_part_of(dtype), y + at);
		if (!nan && memcmp(x + at, y + at, (size_t)part) != 0)
			return false;
	}
	return true;
}

/* False where the type does not hold the number. */
bool oracle_write_number(vf_dtype dtype, const oracle_number *n, unsigned char *out)
{
	double back;
	unsigned char again[16];
	uint64_t bits;
	memcpy(&bits, &n->value, sizeof bits);
	write_real(dtype, read_float(format_of(VF_F64), bits), false, out);
	if (kind_of(dtype) == IS_FLOAT)
		return true;
	oracle_convert(dtype, VF_F64, out, again);
	memcpy(&back, again, sizeof back);
	return back == n->value;
}
