/* terms.c -- element functions: what each does, in which type.
 *
 * In     an array, and a number or a second array; which function
 * Out    the terms that it adds to a formula
 * Tests  tests/py/test_elements.py (against NumPy), tests/unit/test_elements.c
 */
#include "graph/make.h"

#include <math.h>
#include <string.h>

/* ---- result types ---- */

typedef enum category { IS_BOOL, IS_INTEGER, IS_FLOAT, IS_NOTHING } category;

static category category_of(vf_dtype dtype)
{
	if (dtype == VF_BOOL)
		return IS_BOOL;
	return vf_dtype_is_integer(dtype) ? IS_INTEGER : vf_dtype_is_float(dtype) ? IS_FLOAT : IS_NOTHING;
}

/* Refuse complex and opaque elements. */
static bool check_computes(vf_fold *f, vf_dtype dtype)
{
	char name[16];
	if (category_of(dtype) != IS_NOTHING)
		return true;
	return fold_fail(f, VF_ERR_DTYPE, "no arithmetic with elements of %s",
	                 vf_dtype_name(dtype, name, sizeof name));
}

/* The smallest integer type that holds all values of both. u64 and a signed type give f64, as in NumPy. */
static vf_dtype promote_integers(vf_dtype a, vf_dtype b)
{
	static const vf_dtype with_sign[] = {VF_I16, VF_I32, VF_I64};
	vf_dtype wide = vf_dtype_bytes(a) >= vf_dtype_bytes(b) ? a : b, narrow = wide == a ? b : a;
	if (vf_dtype_is_signed(wide) == vf_dtype_is_signed(narrow))
		return wide;
	if (vf_dtype_is_signed(wide) && vf_dtype_bytes(wide) > vf_dtype_bytes(narrow))
		return wide;
	vf_dtype unsigned_one = vf_dtype_is_signed(a) ? b : a;
	for (int i = 0; i < 3; i++)
		if (vf_dtype_bytes(with_sign[i]) == 2 * vf_dtype_bytes(unsigned_one))
			return with_sign[i];
	return VF_F64;
}

static vf_dtype promote(vf_dtype a, vf_dtype b)
{
	category ca = category_of(a), cb = category_of(b);
	if (a == b)
		return a;
	if (ca != cb)
		return ca > cb ? a : b;
	if (ca == IS_INTEGER)
		return promote_integers(a, b);
	if (vf_dtype_bytes(a) == vf_dtype_bytes(b))
		return VF_F32; /* f16 and bf16 */
	return vf_dtype_bytes(a) > vf_dtype_bytes(b) ? a : b;
}

/* The type for an array of type `a` and one of type `b`. */
static bool type_of_both(vf_fold *f, vf_dtype a, vf_dtype b, vf_dtype *dtype)
{
	*dtype = promote(a, b);
	return check_computes(f, a) && check_computes(f, b);
}

/* The type for an array (*dtype) and a number. A number that has a type counts as an array of it. Else it
 * counts only if its kind is greater than the array's. */
static bool type_of_number(vf_fold *f, const vf_number *number, vf_dtype *dtype)
{
	if (number->dtype)
		return type_of_both(f, *dtype, number->dtype, dtype);
	category kind = number->kind == VF_NUMBER_FLOAT  ? IS_FLOAT
	                : number->kind == VF_NUMBER_BOOL ? IS_BOOL
	                                                 : IS_INTEGER;
	if (!check_computes(f, *dtype))
		return false;
	if (number->is_complex)
		return fold_fail(f, VF_ERR_DTYPE, "no arithmetic with complex numbers");
	if (kind > category_of(*dtype))
		*dtype = kind == IS_FLOAT ? VF_F32 : VF_I64;
	return true;
}

static bool check_not_bool(vf_fold *f, vf_dtype dtype)
{
	return dtype != VF_BOOL ||
	       fold_fail(f, VF_ERR_DTYPE, "no arithmetic with elements of bool; convert with to()");
}

/* ---- what each function does ---- */

static bool number_to(vf_fold *f, const vf_number *number, vf_dtype dtype, unsigned char out[16])
{
	return vf_number_to_element(f->ctx, number, dtype, out);
}

static bool arithmetic(vf_fold *f, vf_terms *t, vf_term_kind kind)
{
	vf_term *term = &t->terms[t->n++];
	bool number = f->n == 1;
	t->dtype = f->in[0]->dtype;
	if (number ? !type_of_number(f, &f->args[0].number, &t->dtype)
	           : !type_of_both(f, t->dtype, f->in[1]->dtype, &t->dtype))
		return false;
	if ((kind == VF_TERM_DIV || kind == VF_TERM_OVER) && category_of(t->dtype) != IS_FLOAT)
		t->dtype = VF_F32;
	*term = (vf_term){.kind = kind, .dtype = t->dtype, .operand = number ? -1 : 0};
	return check_not_bool(f, t->dtype) &&
	       (!number || number_to(f, &f->args[0].number, t->dtype, term->value));
}

#define ARITHMETIC(name, kind)                                                                               \
	VF_TERMS_OF(name)                                                                                    \
	{                                                                                                    \
		return arithmetic(f, t, kind);                                                               \
	}
ARITHMETIC(add, VF_TERM_ADD)
ARITHMETIC(sub, VF_TERM_SUB)
ARITHMETIC(mul, VF_TERM_MUL)
ARITHMETIC(div, VF_TERM_DIV)
ARITHMETIC(rsub, VF_TERM_FROM)
ARITHMETIC(rdiv, VF_TERM_OVER)

/* x * -1. It is exact, and 0 gives -0. */
VF_TERMS_OF(neg)
{
	vf_term *term = &t->terms[t->n++];
	vf_number minus = {.kind = VF_NUMBER_INT, .i = -1};
	t->dtype = f->in[0]->dtype;
	*term = (vf_term){.kind = VF_TERM_MUL, .dtype = t->dtype, .operand = -1};
	if (!check_computes(f, t->dtype) || !check_not_bool(f, t->dtype))
		return false;
	if (vf_dtype_is_float(t->dtype))
		return number_to(f, &minus, t->dtype, term->value);
	memset(term->value, 0xff, (size_t)vf_dtype_bytes(t->dtype));
	return true;
}

/* The lowest or highest value of a type; of a float type, infinity. */
static bool end_of(vf_fold *f, vf_dtype dtype, bool highest, unsigned char out[16])
{
	int bits = (int)(8 * vf_dtype_bytes(dtype));
	uint64_t half = (uint64_t)1 << (bits - 1);
	vf_number n = {.kind = VF_NUMBER_FLOAT, .re = highest ? (double)INFINITY : -(double)INFINITY};
	if (category_of(dtype) == IS_INTEGER && vf_dtype_is_signed(dtype))
		n = (vf_number){.kind = VF_NUMBER_INT,
		                .i = highest ? (int64_t)(half - 1) : -(int64_t)(half - 1) - 1};
	else if (category_of(dtype) == IS_INTEGER)
		n = (vf_number){.kind = VF_NUMBER_UINT, .i = highest ? (int64_t)(half - 1 + half) : 0};
	if (n.kind == VF_NUMBER_UINT && (dtype != VF_U64 || !highest))
		n.kind = VF_NUMBER_INT;
	return number_to(f, &n, dtype, out);
}

/* -1 if an integer is below all values of an integer type, 1 if it is above them, else 0. */
static int side_of(const vf_number *n, vf_dtype dtype)
{
	const bool is_signed = vf_dtype_is_signed(dtype);
	const int bits = (int)(8 * vf_dtype_bytes(dtype)) - is_signed;
	if (category_of(dtype) != IS_INTEGER || (n->kind != VF_NUMBER_INT && n->kind != VF_NUMBER_UINT))
		return 0;
	if (n->kind == VF_NUMBER_INT && n->i < 0) {
		const int64_t least = bits < 63 ? -((int64_t)1 << bits) : INT64_MIN;
		return n->i < (is_signed ? least : 0) ? -1 : 0;
	}
	return bits < 64 && (uint64_t)n->i >> bits ? 1 : 0;
}

/* A lower bound below all values of the type, or an upper bound above them, is ignored. A bound beyond the
 * other end is an error: it does not fit. If a bound is NaN, every element becomes NaN, as x + NaN. */
VF_TERMS_OF(clamp)
{
	vf_term *term = &t->terms[t->n++];
	const vf_arg *low = &f->args[0], *high = &f->args[1];
	const vf_number *nan = NULL;
	t->dtype = f->in[0]->dtype;
	if (!low->given && !high->given)
		return fold_fail(f, VF_ERR_ARGUMENT, "neither min nor max is given");
	for (int i = 0; i < 2; i++) {
		if (!f->args[i].given)
			continue;
		if (!type_of_number(f, &f->args[i].number, &t->dtype))
			return false;
		double bound = vf_number_real(&f->args[i].number);
		nan = bound != bound ? &f->args[i].number : nan;
	}
	if (nan) {
		*term = (vf_term){.kind = VF_TERM_ADD, .dtype = t->dtype, .operand = -1};
		return number_to(f, nan, t->dtype, term->value);
	}
	*term = (vf_term){.kind = VF_TERM_CLAMP, .dtype = t->dtype, .operand = -1};
	return check_not_bool(f, t->dtype) &&
	       (low->given && side_of(&low->number, t->dtype) >= 0
	            ? number_to(f, &low->number, t->dtype, term->value)
	            : end_of(f, t->dtype, false, term->value)) &&
	       (high->given && side_of(&high->number, t->dtype) <= 0
	            ? number_to(f, &high->number, t->dtype, term->high)
	            : end_of(f, t->dtype, true, term->high));
}

static bool check_known(vf_fold *f, vf_dtype dtype)
{
	char name[16];
	if (vf_dtype_bytes(dtype) && dtype < VF_OPAQUE_BASE)
		return true;
	return fold_fail(f, VF_ERR_DTYPE, "elements of %s are only moved",
	                 vf_dtype_name(dtype, name, sizeof name));
}

VF_TERMS_OF(to)
{
	t->dtype = (vf_dtype)f->args[0].i;
	return check_known(f, f->in[0]->dtype) && check_known(f, t->dtype);
}

VF_TERMS_OF(byteswap)
{
	t->dtype = f->in[0]->dtype;
	t->terms[t->n++] = (vf_term){.kind = VF_TERM_SWAP, .dtype = t->dtype, .operand = -1};
	return check_known(f, t->dtype);
}
