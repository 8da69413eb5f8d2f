/* lower.h -- a formula as sweeps, the primitive steps of the codelet `apply`. */
#pragma once

#include "codelets/sweep.h"
#include "core/formula.h"

typedef struct vf_sweeps {
	int64_t n;
	vf_sweep of[VF_PASS_SWEEPS];
	int64_t operand_bytes[VF_PASS_OPERANDS]; /* of an element of each operand */
} vf_sweeps;

/* The sweeps that come to the formula's terms, bit for bit. Every formula has some, or
 * none where bytes stay. */
void vf_lower(const vf_formula *formula, vf_sweeps *out);
