/* call.h -- the one kernel call that moves a leaf's inner loops, as numbers.
 *
 * Emitter and interpreter both go through this, so the text that runs and the interpreter can differ
 * in how they loop, never in what they call.
 */
#ifndef VF_CODEGEN_CALL_H
#define VF_CODEGEN_CALL_H

#include "plan/plan.h"

typedef enum vf_kernel_id {
	VF_K_COPY,
	VF_K_STREAM,
	VF_K_STREAM_AHEAD,
	VF_K_COPY_ROWS,
	VF_K_STREAM_ROWS,
	VF_K_FILL_ROWS,
	VF_K_REVERSE_ROWS,
	VF_K_GATHER_ROWS,
	VF_K_SCATTER_ROWS,
	VF_K_INTERLEAVE_ROWS,
	VF_K_DEINTERLEAVE_ROWS,
	VF_K_SHUFFLE_ROWS,
	VF_K_TILE,
	VF_K_TILE_RUN,
	VF_KERNELS
} vf_kernel_id;

/* kernel(dst, src, number[0], ..., number[nnumber - 1]); shuffle_rows takes the leaf's table besides. VF_TILE
 * makes no such call: see vf_call_tile. */
enum { VF_CALL_NUMBERS = 8 };
typedef struct vf_call {
	vf_kernel_id kernel;
	int nnumber;
	int64_t number[VF_CALL_NUMBERS];
	const unsigned char *table;
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

/* Pieces [begin, end) of a VF_TILE leaf; dst and src stand at its place. */
void vf_call_tile(const vf_kernels *kernels, const vf_leaf *leaf, unsigned char *dst, const unsigned char *src,
                  unsigned char *scratch, int64_t begin, int64_t end);

/* One streaming copy out of a staged node's stage: dst, src, bytes; what is read next, its rows, step and bytes. */
typedef struct vf_leaving {
	int64_t dst, src;              /* from the node's place, from the stage */
	int64_t taken;                 /* of the stage's bytes, by the copies before: the last one takes the rest */
	int64_t take;                  /* bytes; 0: the rest */
	int64_t next, rows, step, bytes; /* from ahead_src; rows 0: nothing to ask for */
} vf_leaving;

/* How many there are; copy k. */
int64_t vf_leavings(const vf_node *node);
vf_leaving vf_leaving_of(const vf_node *node, int64_t k);

/* "vf_k_copy"; its parameters as C text; the function itself, for tcc_add_symbol. */
const char *vf_kernel_symbol(vf_kernel_id id);
const char *vf_kernel_parameters(vf_kernel_id id);
const void *vf_kernel_address(const vf_kernels *kernels, vf_kernel_id id);

#endif
