/* kernel.h -- a map made runnable: one step a cut, in order, then the result.
 */
#ifndef VF_DRIVER_KERNEL_H
#define VF_DRIVER_KERNEL_H

#include "driver/walk.h"
#include "graph/array.h"
#include "runtime/code.h"

/* Slots hold what steps read: the leaves' storages first, then one a cut. */
typedef struct vf_step {
	vf_code *code; /* NULL where tables of offsets are walked */
	vf_walk *walk;
	int nsource;
	int *slots;            /* of its sources */
	int out_slot;          /* the cut's slot; -1: the caller's buffer */
	int64_t scratch_bytes; /* of out_slot */
} vf_step;

/* What a step came to. */
void vf_step_get_info(const vf_step *step, vf_code_info *out);

/* An input of a run, in bytes from its lowest address: where its element (0, ..., 0) is, how many there are, and
 * which are read, [low, high); equal where none is. */
typedef struct vf_input {
	int64_t origin, bytes, low, high;
} vf_input;

struct vf_kernel {
	atomic_int refs;
	vf_context *ctx; /* kept alive, unless it is a node or a memo that keeps the kernel */
	bool keeps_context;
	int nslot, ninput;
	vf_input *inputs;
	int nstep;
	vf_step *steps;
	/* Where the one cut goes block by block, steps 0 and 1 are of one block: of `nblock`, each moving the
	 * sources of step 0 by shifts[source] bytes and the result by out_shift. Else 0. */
	int64_t nblock, out_shift, *shifts;
	int64_t out_bytes, traffic_bytes;
	char *strategy; /* of all steps */
};

/* The kernel of `a` and the storages of its inputs: `n` given ones first to last, or (n < 0) all that lie
 * below, written to *found (an array the caller gives back); then something else keeps its context
 * alive, and nobody asks what it came to: vf_kernel_get_info() is not for it. */
vf_kernel *vf_kernel_create(const vf_array *a, int n, vf_array *const *inputs, const vf_storage ***found,
                            int *nfound);

/* Run with base addresses (lowest element) of the inputs' storages. VF_ERR_ARGUMENT, as `op`, where `out` overlaps
 * what is read. */
vf_status vf_kernel_run_bases(vf_kernel *k, const char *op, void *out, const unsigned char *const *bases);

/* Type and shape of a leaf, as the tool's inputs are declared: "f32[4,6]". explain.c */
void vf_leaf_print(vf_text *text, const vf_array *leaf);

#endif
