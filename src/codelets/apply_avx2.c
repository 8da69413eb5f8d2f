/* apply_avx2.c -- `apply` of the AVX2 variant; its processors have F16C and FMA too. */
#include "codelets/variant.h"

#if VF_CODELETS_X86
#include "codelets/floats_avx2.h"

#include <stdbool.h>

#define VF_STREAMS 1
#define VF_FUSES 1
#include "codelets/sweeps.h"
#include "codelets/fused.h"

#define apply_codelet vf_apply_avx2
#include "codelets/apply.h"
#endif
