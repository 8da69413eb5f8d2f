/* oracle_formula.h -- one element through a formula, by the contract of core/formula.h. */
#ifndef TESTS_SUPPORT_ORACLE_FORMULA_H
#define TESTS_SUPPORT_ORACLE_FORMULA_H

#include "core/formula.h"

/* Of the element at `src`; operands[j] is that of operand j. `dst` may be `src`. */
void oracle_formula(const vf_formula *formula, const void *src, const void *const *operands, void *dst);

#endif
