/* kernel.h -- goals made runnable: steps that fill scratch, one for each cut, then steps that write
 * results. */
#pragma once

#include "driver/phases.h"
#include "driver/relay.h"
#include "graph/array.h"
#include "plan/move.h"
#include "engine/code.h"

/* A run works on slots. First come the places that are written: a destination's leaf, or a buffer for a
 * result in C order. Then the inputs, which are only read. Both are the caller's. Then scratch, one for each
 * cut, and numbers that the kernel holds. All counts are bytes from the lowest address. */
typedef struct vf_slot {
	int64_t origin;      /* of the element of index (0, ..., 0) */
	int64_t bytes;       /* its size; of scratch, the size that is wanted */
	int64_t low, high;   /* [low, high) is read or written; equal: nothing is */
	int64_t lines;       /* of 64 bytes that are read; only counted where the kernel is described */
	unsigned char *held; /* the kernel's own numbers, only read; NULL: it holds none here */
} vf_slot;

/* One of the job's lists, in bytes. */
typedef struct vf_offsets {
	int64_t n, *at;
} vf_offsets;

/* One copy. Its moves count from the place of the first move in each source and in the destination, so steps
 * that differ in these places alone share code. A shift is the bytes from a slot's base to such a place. */
typedef struct vf_step {
	vf_code *code;
	int to; /* its destination; of several, the first one: the others stand last among its sources */
	int64_t to_shift;
	int nsource;
	int *slots;      /* of its sources */
	int64_t *shifts; /* of each source */
	int nlist;
	vf_offsets *lists; /* which the code gets after its sources */
} vf_step;

/* Blocks [first, past), in rows of `row` blocks (job.h). */
typedef struct vf_stretch_run {
	int64_t first, past, row, out_at, out_shifts[2];
	int64_t *shifts, *above_shifts; /* of each source of its two steps, for both levels */
} vf_stretch_run;

typedef struct vf_request vf_request;

struct vf_kernel {
	atomic_int refs;
	vf_context *ctx; /* kept alive, unless a node or a memo keeps the kernel */
	bool keeps_context;
	int nplace, ngiven, nslot; /* slots [0, nplace) are places, [nplace, ngiven) inputs */
	vf_slot *slots;
	int nbefore, nstep; /* steps [0, nbefore) fill scratch, in order; the others are independent */
	vf_step *steps;
	bool to_places; /* made by vf_compile_to() */
	/* If the one cut goes block by block, there are `nblock` blocks; else 0. Those of stretch s fill the
	 * scratch by step s, and write by step nbefore + s. */
	int64_t nblock;
	vf_stretch_run *stretches;
	/* Several results are written together, in this many bands, so that what they read of one source is
	 * still in cache. For one result it is the number of its units. */
	int64_t nband;
	int64_t out_bytes, traffic_bytes;
	vf_passes passes; /* by way of a relay; all 0: without one */
	char *strategy;   /* of all steps */
};

/* What a kernel must do: write the elements of `src` to the place `dst`, a view of leaves with the same shape
 * and type. If `dst` is NULL, write them in C order to a buffer of the caller's. */
typedef struct vf_goal {
	const vf_array *dst, *src;
	bool cut; /* `src` is read whole before any goal's result is written */
} vf_goal;

struct vf_request {
	vf_context *ctx;
	const char *op; /* for sentences */
	int ngoal;
	const vf_goal *goals; /* no element is written twice; only what is cut may read what is written */
	int ninput; /* -1: all leaves below the sources except places, in the order of vf_leaves() */
	vf_array *const *inputs;
	/* True: a caller keeps the kernel, and may ask for its info. False: what keeps it also keeps the
	 * context alive. */
	bool described;
	/* Not NULL: the one goal's source was made for it, by way of a relay (relay.h). The order of leaves
	 * and the traffic are this one's. */
	const vf_array *meant;
	/* Not NULL: the kernel is only looked at, not run. Nothing is compiled, and moves count from where
	 * the buffers begin, as texts show them. */
	vf_look *look;
};

/* Returns NULL with the error kept. If `given` is not NULL, *given becomes an array of nplace + ninput
 * storages: what each place and input is. It holds nothing to use for a place that is a buffer. The caller
 * frees the array by vf_dealloc(). */
vf_kernel *vf_kernel_create(const vf_request *request, const vf_storage ***given);

/* kernel.c. The same of the goals as they are, without a relay, and with code that is only planned. */
vf_kernel *vf_kernel_build(const vf_request *request, const vf_storage ***given);

/* Makes a kernel that materialises n arrays, or, with `look`, one to be looked at. NULL with the error
 * kept. */
vf_kernel *vf_kernel_of(int n, vf_array *const *arrays, vf_look *look, const vf_storage ***given);

/* Returns VF_ERR_ARGUMENT if a place overlaps anything else that is read or written. bases[slot] is the
 * slot's lowest address. */
vf_status vf_kernel_check_apart(const vf_kernel *k, const char *op, unsigned char *const *bases);

/* Runs the kernel on its given storages, all of which must be in memory. With `places` the results go there;
 * these must not overlap what is read. */
vf_status vf_kernel_run_on(const vf_kernel *k, const char *op, void *const *places,
                           const vf_storage *const *given);

/* standalone.c. The kernel as a text by itself; arrays[i] is what it writes to place i. */
char *vf_standalone_text(vf_array *const *arrays, const vf_kernel *k, const vf_standalone_options *options);
/* Reads the options that this library knows, and checks them. False with the error kept. */
bool vf_standalone_take(vf_context *ctx, vf_standalone_options *out, const vf_standalone_options *options,
                        size_t options_bytes);

/* labels.c. Returns what the comments in a kernel's text call its arrays: one vf_labels for each step, in the
 * arena; NULL without memory. `arrays` are the kernel's results. Names and axes are those of the results and
 * of the leaves below them; a cut has only a name. */
const vf_labels *vf_labels_of(vf_arena *arena, vf_array *const *arrays, const vf_kernel *k);

/* explain.c. Prints type and shape of a leaf, as the tool's inputs are declared: "f32[4,6]". */
void vf_leaf_print(vf_text *text, const vf_array *leaf);
