/* oracle_formula.c -- see oracle_formula.h: term after term, each by oracle_numbers.c. */
#include "oracle_formula.h"

#include "oracle_numbers.h"

#include <string.h>

static const void *second(const vf_term *t, const void *const *operands)
{
	return t->operand >= 0 ? operands[t->operand] : t->value;
}

/* x of a term that computes, with its v. */
static void compute(const vf_term *t, const void *x, const void *v, unsigned char *out)
{
	static const char signs[] = {[VF_TERM_ADD] = '+', [VF_TERM_SUB] = '-',  [VF_TERM_MUL] = '*',
	                             [VF_TERM_DIV] = '/', [VF_TERM_FROM] = '-', [VF_TERM_OVER] = '/'};
	bool turned = t->kind == VF_TERM_FROM || t->kind == VF_TERM_OVER;
	oracle_combine(signs[t->kind], t->dtype, turned ? v : x, turned ? x : v, out);
}

static void clamp(const vf_term *t, unsigned char *element)
{
	if (oracle_is_less(t->dtype, element, t->value))
		memcpy(element, t->value, sizeof t->value);
	if (oracle_is_less(t->dtype, t->high, element))
		memcpy(element, t->high, sizeof t->high);
}

/* To bool, of bool too, anything but 0 is 1. */
static void convert(vf_dtype from, vf_dtype to, unsigned char *element)
{
	unsigned char made[16] = {0};
	if (from == to && to != VF_BOOL)
		return;
	oracle_convert(from == to ? (vf_dtype)VF_U8 : from, to, element, made);
	memcpy(element, made, sizeof made);
}

void oracle_formula(const vf_formula *formula, const void *src, const void *const *operands, void *dst)
{
	unsigned char x[16] = {0}, aside[16] = {0};
	vf_dtype dtype = formula->from;
	memcpy(x, src, (size_t)oracle_dtype_bytes(dtype));
	for (int i = 0; i < formula->nterm; dtype = formula->terms[i++].dtype) {
		const vf_term *t = &formula->terms[i];
		if (t->kind == VF_TERM_BESIDE) {
			memcpy(aside, x, sizeof aside);
			memcpy(x, second(t, operands), (size_t)oracle_dtype_bytes(t->dtype));
		} else if (t->kind == VF_TERM_CONVERT) {
			convert(dtype, t->dtype, x);
		} else if (t->kind == VF_TERM_SWAP) {
			unsigned char plain[16];
			memcpy(plain, x, sizeof plain);
			oracle_swap_bytes(dtype, plain, x);
		} else if (t->kind == VF_TERM_CLAMP) {
			clamp(t, x);
		} else if (t->operand == VF_PUT_ASIDE) {
			compute(t, aside, x, x);
		} else {
			compute(t, x, second(t, operands), x);
		}
	}
	memcpy(dst, x, (size_t)oracle_dtype_bytes(formula->to));
}
