/* emit.h -- a plan as C text. */
#pragma once

#include "codelets/codelet.h"
#include "plan/plan.h"

/* The function that the text defines; `scratch` holds plan->scratch_bytes. */
typedef void (*vf_entry)(unsigned char *dst, const unsigned char *const *src, unsigned char *scratch,
                         long long begin, long long end);

/* What comments call an array, and how many bytes one index of each axis is. Rank 0: only the name is
 * known. */
typedef struct vf_label {
	const char *name;
	int rank;
	const int64_t *shape, *strides;
} vf_label;

typedef struct vf_labels {
	vf_label dst;
	const vf_label *sources; /* plan->nsource */
} vf_labels;

/* Writes C that libtcc, gcc and clang take, without includes; the same plan gives the same text. It calls the
 * codelets of `used` (bit k: vf_codelet_id k), which it declares but does not define. With `labels` (NULL:
 * without) comments say what each loop runs over. Returns NULL with the error kept; free the text by
 * vf_dealloc. */
char *vf_emit(vf_context *ctx, const vf_plan *plan, const vf_labels *labels, unsigned *used);

/* Writes several plans as one text that compiles by itself as C11 or C++17. After plain C definitions of what
 * they call it has static functions vf_step_1, vf_step_2, ... (unsigned char *dst, const void *const *src,
 * unsigned char *scratch, long long begin, long long end) in this order; they call vf_fence() if a plan
 * streams. The caller adds the function that calls them, and before all that list k of step s as the array
 * vf_list_<s>_<k>. `labels`: one for each plan, or NULL. */
char *vf_emit_steps(vf_context *ctx, const vf_plan *const *plans, const vf_labels *labels, int n);
