/* apply_avx512.c -- `apply` of the AVX-512 variant. */
#include "codelets/variant.h"

#if VF_CODELETS_X86
#include "codelets/ahead.h"
#include "codelets/floats_avx512.h"

#include <stdbool.h>

#define VF_HALF 1
#define VF_STREAMS 1
#define VF_FUSES 1
#include "codelets/sweeps.h"

static inline int64_t half_to_f32(f32 *d, const u16 *s, int64_t n)
{
	int64_t i = 0;
	for (; i + 16 <= n; i += 16)
		_mm512_storeu_ps((void *)(d + i), _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(s + i))));
	return i;
}

static inline int64_t f32_to_half(u16 *d, const f32 *s, int64_t n)
{
	int64_t i = 0;
	for (; i + 16 <= n; i += 16)
		_mm256_storeu_si256((void *)(d + i),
		                    _mm512_maskz_cvtps_ph(0xffff, _mm512_loadu_ps((const void *)(s + i)),
		                                          _MM_FROUND_TO_NEAREST_INT));
	return i;
}

static inline int64_t f64_to_odd(f32 *d, const f64 *s, int64_t n)
{
	int64_t i = 0;
	for (; i + LANES <= n; i += LANES)
		v_put((void *)(d + i), v_odd((const void *)(s + i)));
	return i;
}

#include "codelets/fused.h"

#define apply_codelet vf_apply_avx512
#include "codelets/apply.h"
#endif
