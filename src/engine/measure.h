/* measure.h -- measured planning: which way of planning a job was fastest here. */
#pragma once

#include "engine/choices.h"

/* Returns the machine to plan `normal` for: bent as tuning found, and as is known for this job. If nothing is
 * known and the context's effort says so, measures now. Never fails: without memory for scratch, or beyond
 * its limit, nothing is measured. */
vf_machine vf_choose_machine(vf_context *ctx, vf_choices *choices, const vf_normal *normal, uint64_t hash,
                             const vf_machine *machine);

/* Finds the bend of the machine that is best for all `n` jobs together; a job that cannot be tried is left
 * out. Stops when the clock (vf_now_ns) is past `deadline`, with what it has found by then. */
vf_bend vf_tune_jobs(vf_context *ctx, const vf_normal *const *jobs, int n, const vf_machine *machine,
                     int64_t deadline);
