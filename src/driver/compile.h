/* compile.h -- from a job to code.
 */
#ifndef VF_DRIVER_COMPILE_H
#define VF_DRIVER_COMPILE_H

#include "driver/stages.h"
#include "engine/code.h"

/* The code for `job`: from the context's cache, or made now. Two jobs that have one normal form share code;
 * concurrent callers of one job make it once. NULL with the error kept. `job` is borrowed. */
vf_code *vf_code_get(vf_context *ctx, const vf_job *job);

/* The same to be looked at: planned as it would be, neither compiled nor cached. It must not be run. */
vf_code *vf_code_look(vf_context *ctx, const vf_job *job, vf_look *look);

#endif
