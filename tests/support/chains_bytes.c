/* chains_bytes.c -- random arguments of the ops that look at storage or bytes, and of pad. */
#include "chains.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- storage and bytes --------------------------------------------------------------------- */

bool chain_make_as_strided(rng *r, const oracle_array *a, oracle_call *call)
{
	int64_t left = (a->high - a->low) / a->bytes - 1, low = 0;
	if (a->low < 0 || left < 0)
		return false;
	call->n = call->m = (int)rng_range(r, 0, 4);
	for (int k = 0; k < call->n; k++) {
		call->v[k] = rng_range(r, 1, 5);
		int64_t most = call->v[k] > 1 ? left / (call->v[k] - 1) : 7;
		call->w[k] = rng_range(r, 0, most > 9 && rng_chance(r, 60) ? 9 : most);
		int64_t span = (call->v[k] - 1) * call->w[k];
		left -= span;
		if (rng_chance(r, 20)) {
			call->w[k] = -call->w[k];
			low += span;
		}
	}
	int64_t own = a->count ? (a->cells[0] - a->low) / a->bytes : -1;
	call->standard = own >= low && own <= low + left && rng_chance(r, 30);
	call->i[0] = call->standard ? own : low + rng_range(r, 0, left);
	return true;
}
bool chain_make_view_dtype(rng *r, const oracle_array *a, oracle_call *call)
{
	const chain_taste numpy = {.for_numpy = true};
	call->dtype = chain_random_dtype(r, &numpy);
	int64_t bytes = oracle_dtype_bytes(call->dtype);
	if (call->dtype == VF_BOOL)
		return false;
	if (bytes == a->bytes)
		return true;
	if (a->rank == 0)
		return false;
	if (bytes < a->bytes)
		return a->bytes % bytes == 0;
	return bytes % a->bytes == 0 && a->shape[a->rank - 1] % (bytes / a->bytes) == 0;
}
bool chain_make_complex(rng *r, const oracle_array *a, oracle_call *call)
{
	return a->dtype == VF_C64 || a->dtype == VF_C128;
}
bool chain_make_view_as_real(rng *r, const oracle_array *a, oracle_call *call)
{
	return a->rank < CHAIN_RANK && chain_make_complex(r, a, call);
}
bool chain_make_view_as_complex(rng *r, const oracle_array *a, oracle_call *call)
{
	return (a->dtype == VF_F32 || a->dtype == VF_F64) && a->rank && a->shape[a->rank - 1] == 2;
}

/* ---- pad ------------------------------------------------------------------------------------ */

/* The bits of a number that f16 and bf16 hold exactly. */
static uint16_t small_float_bits(double v, int mantissa_bits, int exponent_bits)
{
	int exponent, bias = (1 << (exponent_bits - 1)) - 1;
	unsigned sign = signbit(v) ? 0x8000u : 0;
	if (v == 0)
		return (uint16_t)sign;
	if (isinf(v))
		return (uint16_t)(sign | (unsigned)((1 << exponent_bits) - 1) << mantissa_bits);
	double fraction = frexp(fabs(v), &exponent);
	unsigned mantissa = (unsigned)((fraction * 2 - 1) * (1 << mantissa_bits));
	return (uint16_t)(sign | (unsigned)(exponent - 1 + bias) << mantissa_bits | mantissa);
}

#define STORE(type, number)                                                                                  \
	do {                                                                                                 \
		type stored_ = (type)(number);                                                               \
		memcpy(call->value, &stored_, sizeof stored_);                                               \
	} while (0)

static void store_value(vf_dtype dtype, double re, double im, oracle_call *call)
{
	switch ((int)dtype) {
	case VF_BOOL: STORE(uint8_t, re != 0); break;
	case VF_U8: STORE(uint8_t, re); break;
	case VF_I8: STORE(int8_t, re); break;
	case VF_U16: STORE(uint16_t, re); break;
	case VF_I16: STORE(int16_t, re); break;
	case VF_U32: STORE(uint32_t, re); break;
	case VF_I32: STORE(int32_t, re); break;
	case VF_U64: STORE(uint64_t, re); break;
	case VF_I64: STORE(int64_t, re); break;
	case VF_F16: STORE(uint16_t, small_float_bits(re, 10, 5)); break;
	case VF_BF16: STORE(uint16_t, small_float_bits(re, 7, 8)); break;
	case VF_F32: STORE(float, re); break;
	case VF_F64: STORE(double, re); break;
	case VF_C64: {
		float pair[2] = {(float)re, (float)im};
		memcpy(call->value, pair, sizeof pair);
		break;
	}
	case VF_C128: {
		double pair[2] = {re, im};
		memcpy(call->value, pair, sizeof pair);
		break;
	}
	default: break;
	}
}

void chain_random_value(rng *r, vf_dtype dtype, oracle_call *call)
{
	static const char *const whole[] = {"0", "1", "7", "100"};
	static const char *const minus[] = {"-1", "-3", "-100"};
	static const char *const broken[] = {"0.5", "-1.5", "2.25", "1e2", "-0.0", ".5", "3."};
	static const double values[3][7] = {
	    {0, 1, 7, 100}, {-1, -3, -100}, {0.5, -1.5, 2.25, 1e2, -0.0, .5, 3.}};
	bool is_signed = dtype == VF_I8 || dtype == VF_I16 || dtype == VF_I32 || dtype == VF_I64;
	bool is_float = dtype >= VF_F16 && dtype <= VF_C128, is_complex = dtype == VF_C64 || dtype == VF_C128;
	int kind = is_float ? (int)rng_below(r, 3) : is_signed ? (int)rng_below(r, 2) : 0;
	int64_t k = rng_below(r, kind == 0 ? 4 : kind == 1 ? 3 : 7);
	call->has_value = true;
	if (dtype > VF_OPAQUE_BASE)
		k = 0;
	if (dtype == VF_BOOL) {
		k = k % 2;
		snprintf(call->value_text, sizeof call->value_text, k ? "True" : "False");
	} else if (is_float && rng_chance(r, 10)) {
		snprintf(call->value_text, sizeof call->value_text, "inf");
		store_value(dtype, HUGE_VAL, 0, call);
		return;
	} else {
		snprintf(call->value_text, sizeof call->value_text, "%s",
		         (kind == 0   ? whole
		          : kind == 1 ? minus
		                      : broken)[k]);
	}
	bool imaginary = is_complex && rng_chance(r, 40) && kind != 2;
	if (imaginary)
		strcat(call->value_text, "+2.5j");
	store_value(dtype, values[kind][k], imaginary ? 2.5 : 0, call);
}

bool chain_make_pad(rng *r, const oracle_array *a, oracle_call *call)
{
	if (a->rank == 0)
		return false;
	call->n = 2 * (int)rng_range(r, 1, a->rank > 2 ? 2 : a->rank);
	call->mode = rng_chance(r, 50) ? VF_PAD_CONSTANT : (vf_pad_mode)rng_below(r, 4);
	for (int k = 0; k < call->n; k++) {
		call->v[k] = rng_range(r, 0, 3);
		if (rng_chance(r, 12))
			call->v[k] = rng_range(r, -2, -1);
	}
	if (call->mode == VF_PAD_CONSTANT && rng_chance(r, 60))
		chain_random_value(r, a->dtype, call);
	return true;
}
