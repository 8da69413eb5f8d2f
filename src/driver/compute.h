/* compute.h -- a job with formulas, element by element.
 *
 * Exact and slow: what planned code is held against, and what runs where there is none.
 */
#ifndef VF_DRIVER_COMPUTE_H
#define VF_DRIVER_COMPUTE_H

#include "core/context.h"
#include "plan/move.h"

/* Immutable; holds copies of the moves and no pointer to data. */
typedef struct vf_compute vf_compute;

bool vf_job_has_formulas(const vf_job *job);

/* NULL without memory. `job` is borrowed. */
vf_compute *vf_compute_create(vf_context *ctx, const vf_job *job);
void vf_compute_release(vf_context *ctx, vf_compute *compute);
/* As vf_code_run(), on the calling thread. */
void vf_compute_run(const vf_compute *compute, void *dst, const void *const *sources);

#endif
