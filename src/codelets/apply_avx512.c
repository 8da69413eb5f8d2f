/* apply_avx512.c -- `apply` of the AVX-512 variant. */
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/rows_ahead.h"
#include "codelets/floats_avx512.h"

#include <stdbool.h>

#define VF_STREAMS 1
#define VF_FUSES 1
#include "codelets/sweeps.h"
#include "codelets/fused.h"

#define apply_codelet vf_apply_avx512
#include "codelets/apply.h"
#endif
