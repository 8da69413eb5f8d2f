/* code.h -- a job made runnable: run, looked at, given back. driver/compile.h makes it. */
#pragma once

#include "codegen/emit.h"
#include "core/context.h"
#include "plan/move.h"

/* Code for one job shape; reference-counted, immutable, holds no pointers to data, may run on any
 * number of threads at once. Stays valid while referenced, evicted from the cache or not. */
typedef struct vf_code vf_code;

void vf_code_release(vf_context *ctx, vf_code *code);

/* Independent units of work; running each once, in any order and on any threads, is the whole job.
 * Ascending units visit the destination in ascending order as far as the moves allow. */
int64_t vf_code_units(const vf_code *code);
/* Units [begin, end) on the calling thread. Cannot fail once the code exists, but for scratch
 * (VF_ERR_MEMORY). */
vf_status vf_code_run_units(vf_context *ctx, const vf_code *code, void *dst, const void *const *sources,
                            int64_t begin, int64_t end);
/* All of it, on as many threads as the context's options and the job's size call for. */
vf_status vf_code_run(vf_context *ctx, const vf_code *code, void *dst, const void *const *sources);

/* To look. Strings belong to the code. */
typedef struct vf_code_info {
	const char *strategy; /* one word, or several joined by "+" in the order of the nests */
	const char *reason;   /* one line: the cost model's choice and why */
	const char *engine;   /* "jit" or "interpreter"; of code to look at, what it would be */
	const char *why;      /* why that engine; "" where nothing needs saying */
	int64_t compile_ns;
} vf_code_info;
void vf_code_get_info(const vf_code *code, vf_code_info *out);
/* The plan, readable, many lines; the C text. NULL with the error kept. */
char *vf_code_plan_text(vf_context *ctx, const vf_code *code);
char *vf_code_source(vf_context *ctx, const vf_code *code, const vf_labels *labels);
/* Several codes as one text that compiles by itself but for the function that calls them (vf_emit_steps).
 * NULL with the error kept. */
char *vf_code_source_steps(vf_context *ctx, const vf_code *const *codes, const vf_labels *labels, int n);
/* Bytes of scratch that a run of units wants, aligned to 64: what the text's `scratch` is to have. */
int64_t vf_code_scratch(const vf_code *code);

/* Once per context. */
bool vf_code_open_pool(vf_context *ctx); /* where there is none; false with VF_ERR_MEMORY kept */
vf_status vf_code_open(vf_context *ctx); /* sets ctx->codelets, ctx->cache; may start nothing */
void vf_code_close(vf_context *ctx);     /* joins threads, frees the cache */
void vf_code_stats(vf_context *ctx, vf_stats *out);
