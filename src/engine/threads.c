/* threads.c -- a small pool that starts when it is first needed.
 *
 * In     a count of tasks, one function for all
 * Out    every task run once
 * Keeps  one batch at a time: a second caller runs its own alone rather than wait. Tasks are taken
 *        from one counter, so a slow thread takes fewer
 * Tests  tests/unit/test_code.c (under ThreadSanitizer too)
 */
#include "engine/threads.h"

#include "engine/cache.h"

#include <pthread.h>
#include <signal.h>

/* What the workers do at present. */
typedef struct batch {
	int64_t count;
	void (*task)(void *data, int64_t i);
	void *data;
} batch;

struct vf_pool {
	pthread_mutex_t busy; /* held by the caller whose batch runs */

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t work, done;
	uint64_t number; /* of the batch; a worker does each once */
	batch now;
	int working; /* workers inside the batch */
	bool ending;

	atomic_llong next; /* task of the batch */
	unsigned generation;
	int wanted, started;
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

/* With `busy` held. Signals are left to the threads of the program. */
static void start_workers(vf_pool *pool)
{
	sigset_t all, before;
	if (pool->started == pool->wanted)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (pool->started < pool->wanted) {
		if (pthread_create(&pool->threads[pool->started], NULL, worker, pool) != 0)
			pool->wanted = pool->started; /* no more are to be had */
		else
			pool->started++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void post(vf_pool *pool, batch b)
{
	pthread_mutex_lock(&pool->lock);
	atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
	pool->now = b;
	pool->number++;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

/* Workers that have not come by now find no batch; those inside are waited for. */
static void settle(vf_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->now.count = 0;
	while (pool->working > 0)
		pthread_cond_wait(&pool->done, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

void vf_pool_run(vf_pool *pool, int64_t count, void (*task)(void *data, int64_t i), void *data)
{
	bool ours = pool && pool->generation == vf_fork_generation() && count > 1 &&
	            pthread_mutex_trylock(&pool->busy) == 0;
	if (ours)
		start_workers(pool);
	if (!ours) {
		for (int64_t i = 0; i < count; i++)
			task(data, i);
		return;
	}
	batch b = {count, task, data};
	post(pool, b);
	run_tasks(pool, b);
	settle(pool);
	pthread_mutex_unlock(&pool->busy);
}

vf_pool *vf_pool_open(vf_context *ctx, int threads)
{
	vf_pool *pool = vf_alloc_zero(ctx, sizeof *pool);
	if (!pool)
		return NULL;
	pool->wanted = threads - 1;
	pool->generation = vf_fork_generation();
	pool->threads = vf_alloc_array(ctx, pool->wanted, sizeof *pool->threads);
	if (!pool->threads) {
		vf_dealloc(ctx, pool);
		return NULL;
	}
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
