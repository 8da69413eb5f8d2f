/* threads.h -- a range of units run by several threads; private to src/engine/. */
#ifndef VF_ENGINE_THREADS_H
#define VF_ENGINE_THREADS_H

#include "core/context.h"

typedef struct vf_pool vf_pool;

/* A pool; no worker is started yet. NULL with VF_ERR_MEMORY kept. */
vf_pool *vf_pool_open(vf_context *ctx);
/* Ends and joins the workers. */
void vf_pool_close(vf_context *ctx, vf_pool *pool);

/* Call task(data, i) for each i in [0, count), on `threads` - 1 workers and the calling thread; returns when
 * all are done. A pool that is busy, could not start, or was left behind by a fork does it all on
 * the calling thread. */
typedef struct vf_batch {
	int threads;
	int64_t count;
	void (*task)(void *data, int64_t i);
	void *data;
} vf_batch;
void vf_pool_run(vf_context *ctx, vf_pool *pool, const vf_batch *batch);

#endif
