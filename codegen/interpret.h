/* interpret.h -- run a plan without compiling it. */
#pragma once

#include "codelets/codelet.h"
#include "plan/plan.h"

/* Runs some units of `plan`. `scratch` holds plan->scratch_bytes (NULL if 0). */
void vf_interpret(const vf_plan *plan, const vf_codelets *codelets, unsigned char *dst,
                  const unsigned char *const *sources, unsigned char *scratch, vf_units units);
