/* trial.h -- plans of one job, run on scratch and timed. */
#pragma once

#include "plan/plan.h"

enum { VF_TRIAL_SOURCES = 64 };

typedef struct vf_trial {
	vf_context *ctx;
	int nbuffer;                       /* the destination, then the sources */
	int64_t low[VF_TRIAL_SOURCES + 1]; /* what the job reaches of each, counted from its pointer */
	int64_t high[VF_TRIAL_SOURCES + 1];
	unsigned char *blocks[VF_TRIAL_SOURCES + 1];
	const unsigned char *sources[VF_TRIAL_SOURCES];
	unsigned char *scratch;
	int64_t scratch_bytes;
} vf_trial;

/* Makes buffers that are as long as the job reaches, from the context's memory. Returns false if the job
 * cannot be tried: too many sources, lists, elements computed on the way, more than 2 GiB, no memory. Keeps
 * no error. Call vf_trial_close() either way. */
bool vf_trial_open(vf_trial *trial, vf_context *ctx, const vf_normal *normal);
void vf_trial_close(vf_trial *trial);

/* Runs the plan once, by the interpreter, and returns the nanoseconds. It calls the codelets that compiled
 * code would call, in the same order. Returns INT64_MAX without memory for the plan's scratch. */
int64_t vf_trial_run(vf_trial *trial, const vf_plan *plan);
