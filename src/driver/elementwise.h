/* elementwise.h -- a job with formulas, element by element.
 *
 * Exact and slow: what planned code is held against, and what runs where there is none.
 */
#ifndef VF_DRIVER_ELEMENTWISE_H
#define VF_DRIVER_ELEMENTWISE_H

#include "core/context.h"
#include "plan/move.h"

/* Immutable; holds copies of the moves and no pointer to data. */
typedef struct vf_elementwise vf_elementwise;

bool vf_job_has_formulas(const vf_job *job);

/* NULL without memory. `job` is borrowed. */
vf_elementwise *vf_elementwise_create(vf_context *ctx, const vf_job *job);
void vf_elementwise_release(vf_context *ctx, vf_elementwise *elementwise);
/* As vf_code_run(), on the calling thread. */
void vf_elementwise_run(const vf_elementwise *elementwise, void *dst, const void *const *sources);

#endif
