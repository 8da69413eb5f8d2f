/* variant.h -- the tables themselves; for cpu.c and the files that define them. */
#pragma once

#include "codelets/codelet.h"

#if defined __x86_64__ && (defined __GNUC__ || defined __clang__)
#define VF_CODELETS_X86 1
#else
#define VF_CODELETS_X86 0
#endif
#if VF_CODELETS_X86 && !defined VF_WITHOUT_AVX512
#define VF_CODELETS_AVX512 1
#else
#define VF_CODELETS_AVX512 0
#endif
#if defined __aarch64__ && (defined __GNUC__ || defined __clang__)
#define VF_CODELETS_NEON 1
#else
#define VF_CODELETS_NEON 0
#endif

enum { LINE = 64 }; /* bytes that memory takes and gives together */

#if VF_CODELETS_X86
extern const vf_codelets vf_codelets_avx2;
vf_codelet vf_transpose_avx2, vf_apply_avx2;
/* Move a stored block of `transpose` whose rows are even, or one of `interleave`, by steps (grid.h). False,
 * and nothing done, where it has none. */
bool vf_store_steps(const vf_block *b, void *dst, const void *src, const vf_flow *flow);
bool vf_store_pixels(const vf_block *b, void *dst, const void *src);

/* Are rows of n units long enough for them where registers hold a line? Longer units of less than a line are
 * one strip (Zen 4, 37 rows of 12 f32, of memcpy, by a strip and by steps 0.25 and 0.23; of 20 u16 0.05 and
 * 0.21). */
static inline bool vf_has_steps(int64_t n, int64_t unit)
{
	return unit <= 2 || n * unit >= LINE;
}
#endif
#if VF_CODELETS_AVX512
extern const vf_codelets vf_codelets_avx512;
vf_codelet vf_transpose_avx512, vf_apply_avx512;
#endif
#if VF_CODELETS_NEON
extern const vf_codelets vf_codelets_neon;
vf_codelet vf_transpose_neon, vf_apply_neon;
#endif

/* Does this processor want all hints for reading to go into the second cache, those for runs too? A Xeon with
 * AMX copies 26 GB/s so, and 24.5 by hints into the first cache, because these hold buffers by which lines
 * leave. Zen follows runs by itself, and hints into the first cache are no slower there. */
static inline bool asks_second(void)
{
#if VF_CODELETS_X86
	return __builtin_cpu_is("intel");
#else
	return false;
#endif
}

/* Does this processor take hints into the second cache as well as those into the first? AMD's from family 26
 * on (Zen 5) drop some. Compilers know older families by name. */
static inline bool vf_takes_l2_hints(void)
{
#if VF_CODELETS_X86
	return !__builtin_cpu_is("amd") || __builtin_cpu_is("amdfam17h") || __builtin_cpu_is("amdfam19h");
#else
	return false;
#endif
}
