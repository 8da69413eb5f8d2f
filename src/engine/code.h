/* code.h -- a job made runnable: run, looked at, given back. driver/compile.h makes it. */
#pragma once

#include "codegen/emit.h"
#include "core/context.h"
#include "plan/move.h"

/* Code for one job shape. It is reference-counted, holds no pointers to data, and may run on any number of
 * threads at once. What it does never changes; it may become compiled between two runs. It stays valid while
 * referenced, even if the cache evicts it. */
typedef struct vf_code vf_code;

void vf_code_release(vf_context *ctx, vf_code *code);

/* The number of independent units of work. Running each once, in any order and on any threads, does the whole
 * job. Ascending units visit the destination in ascending order as far as the moves allow. */
int64_t vf_code_units(const vf_code *code);
/* What a run takes by the model, in picoseconds. */
double vf_code_estimate(const vf_code *code);
/* Runs units [begin, end) on the calling thread. Once the code exists, this can fail only for lack of scratch
 * (VF_ERR_MEMORY). */
vf_status vf_code_run_units(vf_context *ctx, const vf_code *code, void *dst, const void *const *sources,
                            int64_t begin, int64_t end);
/* Runs all units, on as many threads as the context's options and the job's size call for. */
vf_status vf_code_run(vf_context *ctx, const vf_code *code, void *dst, const void *const *sources);

/* What can be seen of code. The strings belong to the code. */
typedef struct vf_code_info {
	const char *strategy; /* one word, or several joined by "+" in the order of the nests */
	const char *reason;   /* one line: the cost model's choice and why */
	const char *engine;   /* "jit" or "interpreter"; for code to look at, what it would be */
	const char *why;      /* why that engine; "" if there is nothing to say */
	int64_t compile_ns;
} vf_code_info;
void vf_code_get_info(const vf_code *code, vf_code_info *out);
/* The plan as readable text of many lines; the C text. NULL with the error kept. */
char *vf_code_plan_text(vf_context *ctx, const vf_code *code);
char *vf_code_source(vf_context *ctx, const vf_code *code, const vf_labels *labels);
/* Several codes as one text, which compiles by itself except for the function that calls them
 * (vf_emit_steps). NULL with the error kept. */
char *vf_code_source_steps(vf_context *ctx, const vf_code *const *codes, const vf_labels *labels, int n);
/* Returns the bytes of scratch that a run of units needs, aligned to 64: the text's `scratch` must have so
 * many. */
int64_t vf_code_scratch(const vf_code *code);

/* Once per context. */
bool vf_code_open_pool(vf_context *ctx); /* opens a pool if there is none; false with VF_ERR_MEMORY kept */
vf_status vf_code_open(vf_context *ctx); /* sets ctx->codelets and ctx->cache; starts no thread */
void vf_code_close(vf_context *ctx);     /* joins threads, frees the cache */
void vf_code_stats(vf_context *ctx, vf_stats *out);
