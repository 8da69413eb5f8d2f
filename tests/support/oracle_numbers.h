/* oracle_numbers.h -- one element as a number. */
#ifndef TESTS_SUPPORT_ORACLE_NUMBERS_H
#define TESTS_SUPPORT_ORACLE_NUMBERS_H

#include "oracle.h"

typedef enum kind { IS_BOOL, IS_INTEGER, IS_FLOAT, IS_COMPLEX, IS_OPAQUE } kind;

static inline kind kind_of(vf_dtype dtype)
{
	if (dtype == VF_BOOL)
		return IS_BOOL;
	if (dtype == VF_C64 || dtype == VF_C128)
		return IS_COMPLEX;
	if (dtype == VF_F16 || dtype == VF_BF16 || dtype == VF_F32 || dtype == VF_F64)
		return IS_FLOAT;
	return dtype > VF_OPAQUE_BASE ? IS_OPAQUE : IS_INTEGER;
}

static inline bool has_sign(vf_dtype dtype)
{
	return dtype == VF_I8 || dtype == VF_I16 || dtype == VF_I32 || dtype == VF_I64;
}

static inline int bits_of(vf_dtype dtype)
{
	return (int)(8 * oracle_dtype_bytes(dtype));
}

/* Of a complex type the type of its parts, else the type itself. */
vf_dtype oracle_part_of(vf_dtype dtype);
/* One element, by the contract of vf_to(). */
void oracle_convert(vf_dtype from, vf_dtype to, const unsigned char *in, unsigned char *out);
void oracle_swap_bytes(vf_dtype dtype, const unsigned char *in, unsigned char *out);
/* x + y, x - y, x * y, x / y: all of `dtype`. */
void oracle_combine(char sign, vf_dtype dtype, const unsigned char *x, const unsigned char *y,
                    unsigned char *out);
bool oracle_is_less(vf_dtype dtype, const unsigned char *x, const unsigned char *y);
bool oracle_is_nan(vf_dtype dtype, const unsigned char *p);
/* False where the type does not hold the number. */
bool oracle_write_number(vf_dtype dtype, const oracle_number *n, unsigned char *out);

#endif
