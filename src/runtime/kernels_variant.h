/* kernels_variant.h -- the tables themselves; for cpu.c and the files that define them. */
#ifndef VF_RUNTIME_KERNELS_VARIANT_H
#define VF_RUNTIME_KERNELS_VARIANT_H

#include "runtime/kernels.h"

#if defined __x86_64__ && (defined __GNUC__ || defined __clang__)
#define VF_KERNELS_X86 1
#else
#define VF_KERNELS_X86 0
#endif

#if VF_KERNELS_X86
extern const vf_kernels vf_kernels_avx2;
extern const vf_kernels vf_kernels_avx512;
#endif

#endif
