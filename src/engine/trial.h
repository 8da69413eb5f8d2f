/* trial.h -- plans of one job, run on scratch and timed. */
#pragma once

#include "plan/plan.h"

enum { VF_TRIAL_SOURCES = 64 };

typedef struct vf_trial {
	vf_context *ctx;
	int nbuffer;                       /* the destination, then the sources */
	int64_t low[VF_TRIAL_SOURCES + 1]; /* what the job reaches of each, from where its pointer stands */
	int64_t high[VF_TRIAL_SOURCES + 1];
	unsigned char *blocks[VF_TRIAL_SOURCES + 1];
	const unsigned char *sources[VF_TRIAL_SOURCES];
	unsigned char *scratch;
	int64_t scratch_bytes;
} vf_trial;

/* Buffers as far as the job reaches, of the context's memory. False where it cannot be tried: too many
 * sources, elements computed on the way, beyond 2 GiB, no memory. No error is kept. To be closed either
 * way. */
bool vf_trial_open(vf_trial *trial, vf_context *ctx, const vf_normal *normal);
void vf_trial_close(vf_trial *trial);

/* Nanoseconds that one run of the plan takes, by the interpreter: it calls the codelets that compiled code
 * would call, in the same order. INT64_MAX without memory for the plan's scratch. */
int64_t vf_trial_run(vf_trial *trial, const vf_plan *plan);
