/* apply_neon.c -- `apply` of the NEON variant. */
#include "codelets/variant.h"

#if VF_CODELETS_NEON
#include "codelets/vec128_neon.h"

#include <stdbool.h>

#define VF_HALF 1
#define VF_FUSES 0
#define VF_STREAMS 0
#include "codelets/sweeps.h"

static inline int64_t half_to_f32(f32 *d, const u16 *s, int64_t n)
{
	int64_t i = 0;
	for (; i + 4 <= n; i += 4) {
		uint16x4_t bits = vld1_u16((const void *)(s + i));
		vst1q_f32((void *)(d + i), vcvt_f32_f16(vreinterpret_f16_u16(bits)));
	}
	return i;
}

static inline int64_t f32_to_half(u16 *d, const f32 *s, int64_t n)
{
	int64_t i = 0;
	for (; i + 4 <= n; i += 4) {
		float16x4_t half = vcvt_f16_f32(vld1q_f32((const void *)(s + i)));
		vst1_u16((void *)(d + i), vreinterpret_u16_f16(half));
	}
	return i;
}

#define apply_codelet vf_apply_neon
#include "codelets/apply.h"
#endif
