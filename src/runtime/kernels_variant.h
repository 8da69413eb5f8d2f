/* kernels_variant.h -- the tables themselves; for cpu.c and the files that define them. */
#ifndef VF_RUNTIME_KERNELS_VARIANT_H
#define VF_RUNTIME_KERNELS_VARIANT_H

#include "runtime/kernels.h"

#if defined __x86_64__ && (defined __GNUC__ || defined __clang__)
#define VF_KERNELS_X86 1
#else
#define VF_KERNELS_X86 0
#endif

enum { LINE = 64 }; /* bytes that go to memory, and come, together */

#if VF_KERNELS_X86
extern const vf_kernels vf_kernels_avx2;
extern const vf_kernels vf_kernels_avx512;

/* tile_avx2.c, tile_avx512.c */
void vf_tile_avx2(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
                  int64_t src_step, int64_t unit);
void vf_tile_avx512(void *dst, const void *src, int64_t na, int64_t nb, int64_t dst_step,
                    int64_t src_step, int64_t unit);
void vf_tile_run_avx2(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                      int64_t end);
void vf_tile_run_avx512(const vf_tile_descriptor *t, void *dst, const void *src, void *scratch, int64_t begin,
                        int64_t end);
#endif

#endif
