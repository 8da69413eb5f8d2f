/* emit.h -- a plan as C text. */
#pragma once

#include "codelets/codelet.h"
#include "plan/plan.h"

/* What the text defines; `scratch` holds plan->scratch_bytes. */
typedef void (*vf_entry)(unsigned char *dst, const unsigned char *const *src, unsigned char *scratch,
                         long long begin, long long end);

/* What comments call an array, and what is an index of its axes in bytes. Rank 0: nothing is known but the
 * name. */
typedef struct vf_label {
	const char *name;
	int rank;
	const int64_t *shape, *strides;
} vf_label;

typedef struct vf_labels {
	vf_label dst;
	const vf_label *sources; /* plan->nsource */
} vf_labels;

/* The text is C that libtcc, gcc and clang take, without includes; the same plan gives the same text.
 * It calls the codelets of `used` (bit k: vf_codelet_id k), which it declares but does not define. With
 * `labels` (NULL: without) comments say what each loop runs over. NULL with the error kept; vf_dealloc gives
 * it back. */
char *vf_emit(vf_context *ctx, const vf_plan *plan, const vf_labels *labels, unsigned *used);

/* Several plans as a text that compiles by itself as C11 or C++17: static functions vf_step_1, vf_step_2, ...
 * (unsigned char *dst, const void *const *src, unsigned char *scratch, long long begin, long long end) in
 * this order, behind plain C definitions of what they call; vf_fence() where a plan streams. Who asks adds
 * the function that calls them, and before all that list k of step s as the array vf_list_<s>_<k>. `labels`:
 * one a plan, or NULL. */
char *vf_emit_steps(vf_context *ctx, const vf_plan *const *plans, const vf_labels *labels, int n);
