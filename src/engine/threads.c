/* threads.c -- a small pool that starts when it is first needed.
 *
 * In     a count of tasks, one function for all
 * Out    every task run once
 * Keeps  one batch runs at a time: a second caller runs its batch alone and does not wait. Tasks are taken
 *        from one counter, so a slow thread takes fewer
 * Tests  tests/unit/test_code.c (under ThreadSanitizer too)
 */
#include "engine/threads.h"

#include "engine/cache.h"
#include "engine/process.h"

#include <pthread.h>

/* task(data, i) for each i in [0, count), on `threads` - 1 workers and the calling thread. */
typedef struct batch {
	int threads;
	int64_t count;
	void (*task)(void *data, int64_t i);
	void *data;
} batch;

struct vf_pool {
	pthread_mutex_t busy; /* held by the caller whose batch runs */

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t work, done;
	uint64_t number; /* of the batch; a worker takes part in each once */
	batch now;
	int joined;  /* workers that took part in the batch; `now.threads` - 1 at most */
	int working; /* those of them that still run tasks */
	bool ending;

	atomic_llong next; /* task of the batch */
	unsigned generation;
	int started, room; /* of `threads` */
	pthread_t *threads;
};

static void run_tasks(vf_pool *pool, batch b)
{
	for (;;) {
		int64_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
		if (i >= b.count)
			return;
		b.task(b.data, i);
	}
}

static void *worker(void *arg)
{
	vf_pool *pool = arg;
	uint64_t seen = 0;
	pthread_mutex_lock(&pool->lock);
	for (;;) {
		while (!pool->ending && (pool->number == seen || pool->now.count == 0))
			pthread_cond_wait(&pool->work, &pool->lock);
		if (pool->ending)
			break;
		seen = pool->number;
		batch b = pool->now;
		if (pool->joined >= b.threads - 1)
			continue;
		pool->joined++;
		pool->working++;
		pthread_mutex_unlock(&pool->lock);
		run_tasks(pool, b);
		pthread_mutex_lock(&pool->lock);
		if (--pool->working == 0)
			pthread_cond_signal(&pool->done);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* With `busy` held. Returns false without memory; the run does not fail, but has fewer threads. */
static bool make_room(vf_context *ctx, vf_pool *pool, int workers)
{
	if (workers <= pool->room)
		return true;
	pthread_t *threads = ctx->options.reallocate(ctx->options.memory_user, pool->threads,
	                                             (size_t)workers * sizeof *threads);
	if (!threads)
		return false;
	pool->threads = threads;
	pool->room = workers;
	return true;
}

/* With `busy` held. Workers take no signals: those are left to the program's threads. */
static void start_workers(vf_context *ctx, vf_pool *pool, int workers)
{
	vf_signals before;
	if (pool->started >= workers || !make_room(ctx, pool, workers))
		return;
	vf_signals_block(&before);
	while (pool->started < workers &&
	       pthread_create(&pool->threads[pool->started], NULL, worker, pool) == 0)
		pool->started++; /* as many as there can be */
	vf_signals_restore(&before);
}

static void post(vf_pool *pool, batch b)
{
	pthread_mutex_lock(&pool->lock);
	atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
	pool->now = b;
	pool->joined = 0;
	pool->number++;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

/* Workers that come later find no batch; waits for those that are still inside. */
static void settle(vf_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->now.count = 0;
	while (pool->working > 0)
		pthread_cond_wait(&pool->done, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

static void run_batch(vf_context *ctx, vf_pool *pool, const batch *b)
{
	bool ours = pool && pool->generation == vf_fork_generation() && b->count > 1 && b->threads > 1 &&
	            pthread_mutex_trylock(&pool->busy) == 0;
	if (!ours) {
		for (int64_t i = 0; i < b->count; i++)
			b->task(b->data, i);
		return;
	}
	start_workers(ctx, pool, b->threads - 1);
	post(pool, *b);
	run_tasks(pool, *b);
	settle(pool);
	pthread_mutex_unlock(&pool->busy);
}

/* ---- units ---- */

typedef struct sharing {
	const vf_share *share;
	atomic_int status;
} sharing;

static void run_grain(void *data, int64_t i)
{
	sharing *s = data;
	const vf_share *share = s->share;
	int64_t begin = i * share->grain, left = share->units - begin;
	vf_status status = share->run(share->data, begin,
	                              begin + (left < share->grain ? left : share->grain));
	if (status != VF_OK)
		atomic_store_explicit(&s->status, (int)status, memory_order_relaxed);
}

vf_status vf_share_run(vf_context *ctx, const vf_share *share)
{
	sharing s = {.share = share};
	int64_t tasks = (share->units + share->grain - 1) / share->grain;
	atomic_init(&s.status, VF_OK);
	if (ctx->options.parallel)
		ctx->options.parallel(ctx->options.parallel_user, tasks, run_grain, &s);
	else
		run_batch(ctx, ctx->pool, &(batch){ctx->threads, tasks, run_grain, &s});
	return (vf_status)atomic_load_explicit(&s.status, memory_order_relaxed);
}

/* ---- the pool ---- */

vf_pool *vf_pool_open(vf_context *ctx)
{
	vf_pool *pool = vf_alloc_zero(ctx, sizeof *pool);
	if (!pool)
		return NULL;
	pool->generation = vf_fork_generation();
	pthread_mutex_init(&pool->busy, NULL);
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->done, NULL);
	return pool;
}

void vf_pool_close(vf_context *ctx, vf_pool *pool)
{
	if (pool->generation == vf_fork_generation()) {
		pthread_mutex_lock(&pool->lock);
		pool->ending = true;
		pthread_cond_broadcast(&pool->work);
		pthread_mutex_unlock(&pool->lock);
		for (int k = 0; k < pool->started; k++)
			pthread_join(pool->threads[k], NULL);
		pthread_cond_destroy(&pool->done);
		pthread_cond_destroy(&pool->work);
		pthread_mutex_destroy(&pool->lock);
		pthread_mutex_destroy(&pool->busy);
	}
	vf_dealloc(ctx, pool->threads);
	vf_dealloc(ctx, pool);
}
