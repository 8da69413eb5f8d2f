/* formula.c -- a formula applied to one element.
 *
 * In     a formula, an element of formula->from, one of each operand
 * Out    the element of formula->to
 * Keeps  one rounding a term; no term is joined with another
 * How    a conversion reads any type as an *exact* number: an integer of 64 bits with its
 *        sign, or doubles
 * Tests  tests/py/test_formula.py (against NumPy, bit by bit)
 */
#include "core/formula.h"

#include <math.h>
#include <string.h>

typedef enum exact_kind { EXACT_INT, EXACT_UINT, EXACT_REAL } exact_kind;

typedef struct exact {
	exact_kind kind;
	int64_t i;     /* INT; UINT: its bits */
	double re, im; /* REAL */
} exact;

/* ---- reading ---- */

static uint64_t read_bits(int64_t bytes, const unsigned char *p)
{
	uint64_t bits = 0;
	for (int64_t i = 0; i < bytes; i++)
		bits |= (uint64_t)p[vf_byte_place(i, bytes)] << (8 * i);
	return bits;
}

static exact read_exact(vf_dtype dtype, const unsigned char *p)
{
	vf_dtype part = vf_dtype_part(dtype);
	if (part)
		return (exact){EXACT_REAL, 0, vf_real_read(part, p),
		               vf_real_read(part, p + vf_dtype_bytes(part))};
	if (vf_dtype_is_float(dtype))
		return (exact){EXACT_REAL, 0, vf_real_read(dtype, p), 0};
	int64_t bytes = vf_dtype_bytes(dtype);
	uint64_t bits = read_bits(bytes, p);
	if (dtype == VF_BOOL)
		return (exact){EXACT_UINT, bits != 0, 0, 0};
	if (!vf_dtype_is_signed(dtype))
		return (exact){EXACT_UINT, (int64_t)bits, 0, 0};
	uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
	return (exact){EXACT_INT, (int64_t)((bits ^ sign) - sign), 0, 0};
}

/* ---- writing ---- */

/* A double that rounds to fewer than 48 bits as the integer does. */
static double sticky(const exact *n)
{
	uint64_t bits = (uint64_t)n->i;
	bool negative = n->kind == EXACT_INT && n->i < 0;
	uint64_t magnitude = negative ? 0 - bits : bits;
	if (magnitude >> 52)
		magnitude = (magnitude & ~(uint64_t)0xfff) | ((magnitude & 0xfff) ? 0x1000 : 0);
	return negative ? -(double)magnitude : (double)magnitude;
}

/* The real part as a float type; an integer of 64 bits is rounded once. */
static void write_real(const exact *n, vf_dtype dtype, unsigned char *p)
{
	double value = n->kind == EXACT_INT ? (double)n->i : (double)(uint64_t)n->i;
	vf_real_write(dtype, n->kind == EXACT_REAL ? n->re : dtype == VF_F64 ? value : sticky(n), p);
}

/* The fraction is dropped; beyond the type's ends its ends. */
static uint64_t saturate(double value, vf_dtype dtype)
{
	int bits = (int)(8 * vf_dtype_bytes(dtype));
	bool is_signed = vf_dtype_is_signed(dtype);
	double end = ldexp(1, is_signed ? bits - 1 : bits);
	uint64_t most = is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
	if (value != value)
		return 0;
	if (value >= end)
		return most;
	if (value >= 0)
		return (uint64_t)value;
	if (!is_signed)
		return 0;
	return value < -end ? ~most : (uint64_t)(int64_t)value;
}

static void write_exact(const exact *n, vf_dtype dtype, unsigned char *p)
{
	vf_dtype part = vf_dtype_part(dtype);
	if (part) {
		exact imaginary = {EXACT_REAL, 0, n->kind == EXACT_REAL ? n->im : 0, 0};
		write_real(n, part, p);
		write_real(&imaginary, part, p + vf_dtype_bytes(part));
	} else if (vf_dtype_is_float(dtype)) {
		write_real(n, dtype, p);
	} else if (dtype == VF_BOOL) {
		*p = n->kind == EXACT_REAL ? n->re != 0 || n->im != 0 : n->i != 0;
	} else {
		vf_bits_write(vf_dtype_bytes(dtype),
		              n->kind == EXACT_REAL ? saturate(n->re, dtype) : (uint64_t)n->i, p);
	}
}

/* ---- terms ---- */

static void swap(vf_dtype dtype, unsigned char *p)
{
	vf_dtype part = vf_dtype_part(dtype);
	int64_t bytes = vf_dtype_bytes(dtype), n = part ? vf_dtype_bytes(part) : bytes;
	for (int64_t at = 0; at < bytes; at += n)
		for (int64_t i = 0; i < n / 2; i++) {
			unsigned char kept = p[at + i];
			p[at + i] = p[at + n - 1 - i];
			p[at + n - 1 - i] = kept;
		}
}

#define COMPUTE(kind, x, v)                                                                                  \
	((kind) == VF_TERM_ADD    ? (x) + (v)                                                                \
	 : (kind) == VF_TERM_SUB  ? (x) - (v)                                                                \
	 : (kind) == VF_TERM_MUL  ? (x) * (v)                                                                \
	 : (kind) == VF_TERM_FROM ? (v) - (x)                                                                \
	 : (kind) == VF_TERM_DIV  ? (x) / (v)                                                                \
	                          : (v) / (x))

static double compute_double(vf_term_kind kind, double x, double v)
{
	return COMPUTE(kind, x, v);
}

static float compute_float(vf_term_kind kind, float x, float v)
{
	return COMPUTE(kind, x, v);
}

static uint64_t compute_bits(vf_term_kind kind, uint64_t x, uint64_t v)
{
	return kind == VF_TERM_ADD    ? x + v
	       : kind == VF_TERM_SUB  ? x - v
	       : kind == VF_TERM_FROM ? v - x
	                              : x * v;
}

static void compute(const vf_term *t, const unsigned char *operand, unsigned char *p)
{
	int64_t bytes = vf_dtype_bytes(t->dtype);
	exact result = {EXACT_REAL, 0, 0, 0};
	if (!vf_dtype_is_float(t->dtype)) {
		vf_bits_write(bytes, compute_bits(t->kind, read_bits(bytes, p), read_bits(bytes, operand)),
		              p);
		return;
	}
	double x = vf_real_read(t->dtype, p), v = vf_real_read(t->dtype, operand);
	result.re = t->dtype == VF_F64 ? compute_double(t->kind, x, v)
	                               : (double)compute_float(t->kind, (float)x, (float)v);
	write_real(&result, t->dtype, p);
}

/* Whether element a is less than element b; not where one is NaN. */
static bool less(vf_dtype dtype, const unsigned char *a, const unsigned char *b)
{
	exact x = read_exact(dtype, a), y = read_exact(dtype, b);
	if (x.kind == EXACT_REAL)
		return x.re < y.re;
	return x.kind == EXACT_INT ? x.i < y.i : (uint64_t)x.i < (uint64_t)y.i;
}

static void clamp(const vf_term *t, unsigned char *p)
{
	size_t bytes = (size_t)vf_dtype_bytes(t->dtype);
	if (less(t->dtype, p, t->value))
		memcpy(p, t->value, bytes);
	if (less(t->dtype, t->high, p))
		memcpy(p, t->high, bytes);
}

static const void *second(const vf_term *t, const void *const *operands)
{
	return t->operand >= 0 ? operands[t->operand] : t->value;
}

void vf_formula_apply(const vf_formula *formula, const void *src, const void *const *operands, void *dst)
{
	unsigned char element[16] = {0}, aside[16] = {0};
	vf_dtype dtype = formula->from;
	memcpy(element, src, (size_t)vf_dtype_bytes(dtype));
	for (int i = 0; i < formula->nterm; i++) {
		const vf_term *t = &formula->terms[i];
		if (t->kind == VF_TERM_BESIDE) {
			memcpy(aside, element, sizeof aside);
			memcpy(element, second(t, operands), (size_t)vf_dtype_bytes(t->dtype));
		} else if (t->kind < VF_TERM_CLAMP && t->operand == VF_PUT_ASIDE) {
			compute(t, element, aside);
			memcpy(element, aside, sizeof element);
		} else if (t->kind == VF_TERM_CONVERT) {
			exact n = read_exact(dtype, element);
			write_exact(&n, t->dtype, element);
		} else if (t->kind == VF_TERM_SWAP) {
			swap(t->dtype, element);
		} else if (t->kind == VF_TERM_CLAMP) {
			clamp(t, element);
		} else {
			compute(t, second(t, operands), element);
		}
		dtype = t->dtype;
	}
	memcpy(dst, element, (size_t)vf_dtype_bytes(formula->to));
}
