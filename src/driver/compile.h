/* compile.h -- from a job to code. */
#pragma once

#include "driver/phases.h"
#include "engine/code.h"

/* Returns the code for `job`: from the context's cache, or planned now. Two jobs with the same normal form
 * share code; if several threads ask for one job, it is made once. NULL with the error kept. `job` is
 * borrowed. With `to_keep` the code is compiled here, unless another thread is compiling it at this
 * moment. */
vf_code *vf_code_get(vf_context *ctx, const vf_job *job, bool to_keep);

/* Call it before each run of code that was got without `to_keep`. The first run is interpreted, and the code
 * is compiled before the second: compiling costs more than a single run would gain by it. VF_ERR_MEMORY
 * without memory for the text. */
vf_status vf_code_count_run(vf_context *ctx, vf_code *code);

/* Compiles code that is to be kept after all, as `to_keep` does. False with the error kept. */
bool vf_code_keep(vf_context *ctx, vf_code *code);

/* Returns what a run of the job takes by the model, in picoseconds; negative with the error kept. It plans,
 * which takes some ten microseconds, and caches nothing. */
double vf_job_estimate(vf_context *ctx, const vf_job *job);

/* Returns code to be looked at: planned as it would be, but neither compiled nor cached. It must not be
 * run. */
vf_code *vf_code_look(vf_context *ctx, const vf_job *job, vf_look *look);
