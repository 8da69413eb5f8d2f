/* compile.h -- from a job to code. */
#pragma once

#include "driver/phases.h"
#include "engine/code.h"

/* The code for `job`: from the context's cache, or planned now. Two jobs that have one normal form share
 * code; concurrent callers of one job make it once. NULL with the error kept. `job` is borrowed. With
 * `to_keep` it is compiled here, unless another thread compiles it at this moment. */
vf_code *vf_code_get(vf_context *ctx, const vf_job *job, bool to_keep);

/* To be called before each run of code that was not got to be kept: the first run is interpreted, the second
 * compiles first, since a compile costs more than a run that never comes back would gain by it.
 * VF_ERR_MEMORY where there is none for the text. */
vf_status vf_code_count_run(vf_context *ctx, vf_code *code);

/* The same to be looked at: planned as it would be, neither compiled nor cached. It must not be run. */
vf_code *vf_code_look(vf_context *ctx, const vf_job *job, vf_look *look);
