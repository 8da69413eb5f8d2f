/* threads.h -- a range of units run by several threads. */
#pragma once

#include "core/context.h"

typedef struct vf_pool vf_pool;

/* A pool; no worker is started yet. NULL with VF_ERR_MEMORY kept. */
vf_pool *vf_pool_open(vf_context *ctx);
/* Ends and joins the workers. */
void vf_pool_close(vf_context *ctx, vf_pool *pool);

/* Units [0, units), taken `grain` at a time. */
typedef struct vf_share {
	int64_t units, grain;
	vf_status (*run)(const void *data, int64_t begin, int64_t end);
	const void *data;
} vf_share;

/* Runs them all, on the calling thread and those of the context's pool, or by the function that the context
 * was given for this (vf_options.parallel). Returns VF_OK, or the status of a unit that failed. The calling
 * thread runs all if the pool is busy, could not start, or was left behind by a fork. */
vf_status vf_share_run(vf_context *ctx, const vf_share *share);
