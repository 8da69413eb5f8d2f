/* formula.h -- what is done to an element between being read and being written.
 *
 * A *formula* is a list of *terms*. The element is read as `from`; each term makes a new element of it, in
 * order; the last one's type is `to`, which is written. A term computes in one type, with one rounding:
 * terms are never fused or joined if that would round differently. NumPy's and IEEE 754's rules hold:
 *
 *     CONVERT    to `dtype`. Float to float rounds to nearest, ties to even; beyond the largest it gives
 *                infinity. Float to integer drops the fraction and keeps what fits; NaN becomes 0, and a
 *                value beyond the type's end becomes that end (NumPy leaves both to the processor; PyTorch
 *                too). Integer to integer keeps the low bits. To bool: 0 is false, all else (NaN as well) is
 *                true. Complex to real drops the imaginary part.
 *     SWAP       the bytes of the element in the other order (of a complex one: of each part); its type stays
 *     ADD SUB MUL DIV      x + v, x - v, x * v, x / v in `dtype`, the element's type: a float. Integers: all
 *                          but DIV;
 *                they wrap.
 *     FROM OVER  v - x, v / x
 *     CLAMP      y is `value` where x < value, else x; the result is `high` where y > high, else y. NaN
 *                stays NaN, and -0 stays -0 where a bound is 0
 *     BESIDE     x is put aside, and the terms that follow work on v. The next term of ADD to OVER with the
 *                operand VF_PUT_ASIDE takes x back; its v is what those terms made. At most one x is aside
 *
 * f16 and bf16 compute in float and round the result; for these four operations that is one rounding.
 * Complex elements: CONVERT and SWAP only. bool: CONVERT only.
 *
 * where v is `value`, or, where `operand` >= 0, an element of that operand, which has the term's type.
 */
#pragma once

#include "core/dtype.h"

typedef enum vf_term_kind {
	VF_TERM_CONVERT,
	VF_TERM_SWAP,
	VF_TERM_ADD,
	VF_TERM_SUB,
	VF_TERM_MUL,
	VF_TERM_DIV,
	VF_TERM_FROM,
	VF_TERM_OVER,
	VF_TERM_CLAMP,
	VF_TERM_BESIDE,
	VF_TERMS
} vf_term_kind;

typedef struct vf_term {
	vf_term_kind kind;
	vf_dtype dtype;          /* of the element that it makes */
	int operand;             /* ADD to OVER, BESIDE: which operand; -1: `value` */
	unsigned char value[16]; /* one element of `dtype`; CLAMP: the lowest */
	unsigned char high[16];  /* CLAMP: the highest */
} vf_term;

enum { VF_PUT_ASIDE = -2 };
enum { VF_MOST_TERMS = 16, VF_MOST_OPERANDS = 8 }; /* a formula with more is taken apart by a cut */

typedef struct vf_formula {
	vf_dtype from, to;
	int nterm, noperand;
	vf_term terms[VF_MOST_TERMS];
} vf_formula;

/* Names of what is read. NULL: x for the base; a, b, ... for operands. */
typedef struct vf_formula_names {
	const char *base, *operands[VF_MOST_OPERANDS];
} vf_formula_names;

/* formula_text.c. "(f32(x) - mean) / std". */
void vf_formula_print(vf_text *text, const vf_formula *formula, const vf_formula_names *names);
