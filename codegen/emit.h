/* emit.h -- a plan as C text. */
#ifndef VF_CODEGEN_EMIT_H
#define VF_CODEGEN_EMIT_H

#include "codelets/codelet.h"
#include "plan/plan.h"

/* What the text defines; `scratch` holds plan->scratch_bytes. */
typedef void (*vf_entry)(unsigned char *dst, const unsigned char *const *src,
                         unsigned char *scratch, long long begin, long long end);

/* The text is C that libtcc, gcc and clang take, without includes; the same plan gives the same text.
 * It calls the codelets of `used` (bit k: vf_codelet_id k), which it declares but does not define. NULL
 * with the error kept; vf_dealloc gives it back. */
char *vf_emit(vf_context *ctx, const vf_plan *plan, unsigned *used);

/* The same, with plain C definitions of what it calls: compiles by itself. */
char *vf_emit_standalone(vf_context *ctx, const vf_plan *plan);

/* Several plans in one such text: static functions vf_kernel_1, vf_kernel_2, ... of type vf_entry, in this order, and
 * the definitions that they call once. Who asks adds the function that calls them. */
char *vf_emit_steps(vf_context *ctx, const vf_plan *const *plans, int n);

#endif
