/* compile.h -- from a job to code. */
#pragma once

#include "driver/phases.h"
#include "engine/code.h"

/* Returns the code for `job`: from the context's cache, or planned now. Two jobs with the same normal form
 * share code; if several threads ask for one job, it is made once. NULL with the error kept. `job` is
 * borrowed. */
vf_code *vf_code_get(vf_context *ctx, const vf_job *job);

/* Call it once it is sure that the code will run: it is compiled here if it is to be kept, if the context
 * asks for compiled code, or if a run makes many calls; unless another thread is compiling it at this moment.
 * False with the error kept. */
bool vf_code_make_ready(vf_context *ctx, vf_code *code, bool to_keep);

/* Call it before each run of code that is not to be kept. The first run is interpreted, and the code
 * is compiled before the second: compiling costs more than a single run would gain by it. VF_ERR_MEMORY
 * without memory for the text. */
vf_status vf_code_count_run(vf_context *ctx, vf_code *code);

/* Returns what a run of the job takes by the model, in picoseconds; -1 with the error kept. It plans, which
 * takes some ten microseconds, and caches nothing. */
double vf_job_estimate(vf_context *ctx, const vf_job *job);

/* Returns code to be looked at: planned as it would be, but neither compiled nor cached. It must not be
 * run. */
vf_code *vf_code_look(vf_context *ctx, const vf_job *job, vf_look *look);
