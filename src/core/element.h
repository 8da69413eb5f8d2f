/* element.h -- elements by their bytes: one text for the library and the tool. */
#pragma once

#include "core/half.h"
#include "viewfold.h"

static inline bool vf_dtype_is_signed(vf_dtype dtype)
{
	return dtype == VF_I8 || dtype == VF_I16 || dtype == VF_I32 || dtype == VF_I64;
}

/* Where byte i of an integer, counted from its lowest, lies among its `bytes` bytes. */
static inline int64_t vf_byte_place(int64_t i, int64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	(void)bytes;
	return i;
#else
	return bytes - 1 - i;
#endif
}

/* The low bytes of an integer, read and written. */
static inline uint64_t vf_bits_read(int64_t bytes, const unsigned char *p)
{
	uint64_t bits = 0;
	for (int64_t i = 0; i < bytes; i++)
		bits |= (uint64_t)p[vf_byte_place(i, bytes)] << (8 * i);
	return bits;
}

static inline void vf_bits_write(int64_t bytes, uint64_t bits, unsigned char *p)
{
	for (int64_t i = 0; i < bytes; i++)
		p[vf_byte_place(i, bytes)] = (unsigned char)(bits >> (8 * i));
}

/* The bytes of an element of a float type as a number; and the bytes of the nearest one, ties to even, beyond
 * the largest infinity. */
static inline double vf_real_read(vf_dtype dtype, const unsigned char *p)
{
	float single;
	double wide;
	uint16_t half;
	if (dtype == VF_F64) {
		memcpy(&wide, p, sizeof wide);
		return wide;
	}
	if (dtype == VF_F32) {
		memcpy(&single, p, sizeof single);
		return (double)single;
	}
	memcpy(&half, p, sizeof half);
	if (dtype == VF_F16)
		return (double)vf_half_float(half);
	return (double)vf_brain_float(half);
}

static inline void vf_real_write(vf_dtype dtype, double value, unsigned char *p)
{
	float single = (float)value, odd = vf_odd_float(value);
	uint16_t half = dtype == VF_F16 ? vf_float_half(odd) : vf_float_brain(odd);
	if (dtype == VF_F64)
		memcpy(p, &value, sizeof value);
	else if (dtype == VF_F32)
		memcpy(p, &single, sizeof single);
	else
		memcpy(p, &half, sizeof half);
}
