/* kernels_avx2.c -- the table of the avx2 variant. */
#include "runtime/kernels_variant.h"

#if VF_KERNELS_X86
const vf_kernels vf_kernels_avx2 = {
	.name = "avx2",
	.copy = vf_k_copy,
	.stream = vf_k_copy,
	.copy_rows = vf_k_copy_rows,
	.stream_rows = vf_k_copy_rows,
	.fill_rows = vf_k_fill_rows,
	.reverse_rows = vf_k_reverse_rows,
	.gather_rows = vf_k_gather_rows,
	.scatter_rows = vf_k_scatter_rows,
	.interleave_rows = vf_k_interleave_rows,
	.deinterleave_rows = vf_k_deinterleave_rows,
	.shuffle_rows = vf_k_shuffle_rows,
	.tile = vf_tile_avx2,
	.tile_run = vf_tile_run_avx2,
	.prefetch_rows = vf_k_prefetch_rows,
};
#endif
