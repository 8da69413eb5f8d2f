/* call.h -- the one kernel call that moves a leaf's inner loops, as numbers.
 *
 * Emitter and interpreter both go through this, so the text that runs and the interpreter can differ
 * in how they loop, never in what they call.
 */
#ifndef VF_CODEGEN_CALL_H
#define VF_CODEGEN_CALL_H

#include "plan/plan.h"

/* The descriptor of the tile engine bears the name of a public operation. */
#define vf_tile vf_tile_descriptor
#include "runtime/kernels.h"
#undef vf_tile

typedef enum vf_kernel_id {
	VF_K_COPY,
	VF_K_STREAM,
	VF_K_COPY_ROWS,
	VF_K_STREAM_ROWS,
	VF_K_FILL_ROWS,
	VF_K_REVERSE_ROWS,
	VF_K_GATHER_ROWS,
	VF_K_SCATTER_ROWS,
	VF_KERNELS
} vf_kernel_id;

/* kernel(dst, src, number[0], ..., number[nnumber - 1]) */
typedef struct vf_call {
	vf_kernel_id kernel;
	int nnumber;
	int64_t number[6];
	/* Where the first inner loop is cut: the number that is `tail` at the last chunk; else -1. */
	int cut;
	int64_t tail;
	/* The kernel wants the lowest address: src lies (number[back] - 1) * back_bytes lower. -1: no. */
	int back;
	int64_t back_bytes;
} vf_call;

/* The call for one index of a leaf's outer loops. */
vf_call vf_call_of(const vf_leaf *leaf);

/* Do it. `n` stands for the number that is cut, if one is. */
void vf_call_run(const vf_kernels *kernels, const vf_call *call, unsigned char *dst,
                 const unsigned char *src, int64_t n);

/* "vf_k_copy"; the parameters after (dst, src); the function itself, for tcc_add_symbol. */
const char *vf_kernel_symbol(vf_kernel_id id);
int vf_kernel_parameters(vf_kernel_id id);
const void *vf_kernel_address(const vf_kernels *kernels, vf_kernel_id id);

#endif
