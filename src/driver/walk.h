/* walk.h -- a job with tables of offsets, copied by a plain loop nest.
 *
 * The byte half plans strides. What reads or writes by a table goes through here: every loop of a move in the
 * order of the destination, the innermost one fixed for the size of what it moves.
 */
#ifndef VF_DRIVER_WALK_H
#define VF_DRIVER_WALK_H

#include "core/context.h"
#include "plan/move.h"

/* Immutable; holds copies of the tables and no pointer to data. */
typedef struct vf_walk vf_walk;

/* NULL without memory. `job` is borrowed. */
vf_walk *vf_walk_create(vf_context *ctx, const vf_job *job);
void vf_walk_release(vf_context *ctx, vf_walk *walk);
/* As vf_code_run(), on the calling thread. */
void vf_walk_run(const vf_walk *walk, void *dst, const void *const *sources);

#endif
