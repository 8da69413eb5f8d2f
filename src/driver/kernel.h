/* kernel.h -- goals made runnable: steps that fill scratch, one a cut, then steps that write results. */
#pragma once

#include "driver/phases.h"
#include "graph/array.h"
#include "plan/move.h"
#include "engine/code.h"

/* What a run works on: first the places that are written (a destination's leaf, or a buffer for a result
 * in C order), then the inputs that are only read; both are the caller's. Then scratch, one a cut, and
 * numbers that the kernel holds. Bytes from the lowest address. */
typedef struct vf_slot {
	int64_t origin;      /* of the element of index (0, ..., 0) */
	int64_t bytes;       /* as many as there are; of scratch, as many as are wanted */
	int64_t low, high;   /* [low, high) is read or written; equal: nothing is */
	int64_t lines;       /* of 64 bytes that are read; maintained where the kernel is described */
	unsigned char *held; /* the kernel's own numbers, which are only read; NULL: none, but scratch */
} vf_slot;

/* A list of the job's, in bytes. */
typedef struct vf_offsets {
	int64_t n, *at;
} vf_offsets;

/* One copy. Its moves count from where the first one of each source, and of the destination, stands, so
 * that steps which differ in these places alone share code: shifts are bytes from a slot's base to there. */
typedef struct vf_step {
	vf_code *code;
	int to; /* of several results in one move, the first one's; the others stand behind its sources */
	int64_t to_shift;
	int nsource;
	int *slots;      /* of its sources */
	int64_t *shifts; /* of each source */
	int nlist;
	vf_offsets *lists; /* which the code is given behind its sources */
} vf_step;

typedef struct vf_request vf_request;

struct vf_kernel {
	atomic_int refs;
	vf_context *ctx; /* kept alive, unless it is a node or a memo that keeps the kernel */
	bool keeps_context;
	int nplace, ngiven, nslot; /* slots [0, nplace) are places, [nplace, ngiven) inputs */
	vf_slot *slots;
	int nbefore, nstep; /* steps [0, nbefore) fill scratch, in order; the others are independent */
	vf_step *steps;
	bool to_places; /* made by vf_compile_to() */
	/* Where the one cut goes block by block, steps 0 and 1 are of one block: of `nblock`, each moving the
	 * sources of step 0 by block_shifts[source] bytes and the result by out_shift. Else 0. */
	int64_t nblock, out_shift, *block_shifts;
	/* Several results are written together, in so many bands: what they read of one source is in cache
	 * then. */
	int64_t nband;
	int64_t out_bytes, traffic_bytes;
	char *strategy; /* of all steps */
};

/* What a kernel is to bring about: the elements of `src` in the place `dst`, a view of leaves, of the same
 * shape and type; or, where that is NULL, in C order in a buffer of the caller's. */
typedef struct vf_goal {
	const vf_array *dst, *src;
	bool cut; /* `src` is read whole before any goal's result is written */
} vf_goal;

struct vf_request {
	vf_context *ctx;
	const char *op; /* for sentences */
	int ngoal;
	const vf_goal *goals; /* no two write one element; what is not cut reads nothing that is written */
	int ninput; /* -1: all leaves below the sources that are no places, in the order of vf_leaves() */
	vf_array *const *inputs;
	/* It will be kept by a caller, who may ask what it came to; else by something that keeps the context
	 * alive. */
	bool described;
	/* Not NULL: not to be run. Nothing is compiled, and moves count from where the buffers begin, as
	 * texts say it. */
	vf_look *look;
};

/* NULL with the error kept. With `given`: written to *given, what each place and input is: storages (of
 * places that are buffers, none that is anything); an array of nplace + ninput, which the caller gives
 * back by vf_dealloc(). */
vf_kernel *vf_kernel_create(const vf_request *request, const vf_storage ***given);

/* A kernel that materialises n arrays, or with `look` the same to be looked at. NULL with the error kept. */
vf_kernel *vf_kernel_of(int n, vf_array *const *arrays, vf_look *look, const vf_storage ***given);

/* VF_ERR_ARGUMENT where a place overlaps what else is read or written; bases[slot] is the lowest address. */
vf_status vf_kernel_check_apart(const vf_kernel *k, const char *op, unsigned char *const *bases);

/* Run on what it was given, all of which must be in memory. With `places` the results go
 * there, and must be apart from what is read. */
vf_status vf_kernel_run_on(const vf_kernel *k, const char *op, void *const *places,
                           const vf_storage *const *given);

/* standalone.c. The kernel's text by itself; arrays[i] is what it writes to place i. */
char *vf_standalone_text(vf_array *const *arrays, const vf_kernel *k, const vf_standalone_options *options);
/* The options as this library knows them, checked. False with the error kept. */
bool vf_standalone_take(vf_context *ctx, vf_standalone_options *out, const vf_standalone_options *options,
                        size_t options_bytes);

/* labels.c. What the comments of a kernel's text call its arrays: one vf_labels a step of a kernel that
 * writes them, in the arena; NULL without memory. Names and axes are those of the leaves below them, and of
 * the results; what is a cut has a name alone. */
const vf_labels *vf_labels_of(vf_arena *arena, vf_array *const *arrays, const vf_kernel *k);

/* Type and shape of a leaf, as the tool's inputs are declared: "f32[4,6]". explain.c */
void vf_leaf_print(vf_text *text, const vf_array *leaf);
