/* cpu.c -- read the machine, pick the codelets. */
#include "codelets/cpu.h"
#include "codelets/variant.h"

#if VF_CODELETS_X86
#include <cpuid.h>
#endif
#include <string.h>

#if VF_CODELETS_X86
/* clang's __builtin_cpu_supports() knows no name for it. */
static bool has_f16c(void)
{
	unsigned a, b, c = 0, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}
#endif

vf_cpu vf_cpu_read(void)
{
	vf_cpu cpu = {32 << 10, 1 << 20, 16 << 20, 4096, false, false, false, false};
	vf_cpu_read_memory(&cpu);
#if VF_CODELETS_X86
	__builtin_cpu_init();
	cpu.pairs = !__builtin_cpu_is("amd");
	cpu.l2_hints = vf_takes_l2_hints();
	cpu.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
	           __builtin_cpu_supports("fma") && has_f16c();
#endif
#if VF_CODELETS_AVX512
	cpu.avx512 = cpu.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
	             __builtin_cpu_supports("avx512vbmi");
#endif
	return cpu;
}

const vf_codelets *vf_codelets_pick(const char *variant)
{
	vf_cpu cpu = vf_cpu_read();
	const vf_codelets *best_first[] = {
#if VF_CODELETS_AVX512
		cpu.avx512 ? &vf_codelets_avx512 : NULL,
#endif
#if VF_CODELETS_X86
		cpu.avx2 ? &vf_codelets_avx2 : NULL,
#endif
#if VF_CODELETS_NEON
		&vf_codelets_neon,
#endif
		&vf_codelets_plain,
	};
	(void)cpu;
	for (size_t k = 0; k < sizeof best_first / sizeof best_first[0]; k++)
		if (best_first[k] && (!variant || strcmp(variant, best_first[k]->name) == 0))
			return best_first[k];
	return NULL;
}
