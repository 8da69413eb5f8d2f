/* move.c -- see move.h.
 *
 * A kernel's units are independent of each other and ascend through the destination. Threads
 * take a *grain* of units at a time. Whoever completes another half a chunk lets the pages go,
 * which is safe beside the others' reads and writes: a shared mapping's pages stay in the page
 * cache and come back with a soft fault. A chain that gathers all of a source for each piece of
 * its result gets no further that way than it must: every PATIENCE seconds the calling thread
 * lets go what is more than a chunk.
 */
#include "move.h"

#include "measure.h"
#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TICK_NS = 100000000, GRAINS_A_CHUNK = 16, PATIENCE = 2 };

struct mover {
	struct session *session;
	const struct replacement *file;
	vf_kernel *kernel;
	void *out;
	const void **data;
	size_t bytes;
	int64_t units, grain;
	int64_t units_a_release;
	atomic_llong next, done, released;
	atomic_bool failed;
	int running; /* threads; under the lock */
	pthread_mutex_t lock;
	pthread_cond_t ended;
};

static void let_go(struct mover *mover)
{
	for (int i = 0; i < mover->session->n; i++)
		memory_let_go(&mover->session->inputs[i].memory);
	if (mover->file)
		replace_let_go(mover->file);
}

/* Bytes of this process that are in memory, as the system counts them; 0 where it does not say. */
static size_t resident_bytes(void)
{
	unsigned long long total, resident;
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file)
		return 0;
	int n = fscanf(file, "%llu %llu", &total, &resident);
	fclose(file);
	return n == 2 ? (size_t)resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static void note_done(struct mover *mover, long long units)
{
	long long done = atomic_fetch_add(&mover->done, units) + units;
	long long released = atomic_load(&mover->released);
	if (done - released >= mover->units_a_release &&
	    atomic_compare_exchange_strong(&mover->released, &released, done))
		let_go(mover);
}

static void *work(void *argument)
{
	struct mover *mover = argument;
	while (!atomic_load(&mover->failed)) {
		int64_t begin = atomic_fetch_add(&mover->next, mover->grain);
		if (begin >= mover->units)
			break;
		int64_t left = mover->units - begin, count = left < mover->grain ? left : mover->grain;
		if (vf_run_units(mover->kernel, mover->out, mover->data, begin, begin + count) != VF_OK)
			atomic_store(&mover->failed, true);
		note_done(mover, count);
	}
	pthread_mutex_lock(&mover->lock);
	mover->running--;
	pthread_cond_signal(&mover->ended);
	pthread_mutex_unlock(&mover->lock);
	return NULL;
}

/* ---- the calling thread waits ------------------------------------------- */

static void sleep_a_tick(struct mover *mover)
{
	struct timespec wake;
	clock_gettime(CLOCK_REALTIME, &wake);
	wake.tv_nsec += TICK_NS;
	wake.tv_sec += wake.tv_nsec / 1000000000;
	wake.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&mover->ended, &mover->lock, &wake);
}

/* Wait for the threads, keep what is resident in bounds, and tell how far they are. */
static void watch(struct mover *mover)
{
	size_t bound = (size_t)mover->session->request->chunk_bytes;
	int64_t last = clock_ns(); /* when pages were let go */
	struct progress progress;
	progress_begin(&progress, mover->bytes);
	pthread_mutex_lock(&mover->lock);
	while (mover->running > 0) {
		sleep_a_tick(mover);
		if (clock_ns() - last > PATIENCE * INT64_C(1000000000) && resident_bytes() > bound) {
			let_go(mover);
			last = clock_ns();
		}
		double part = (double)atomic_load(&mover->done) / (double)mover->units;
		progress_show(&progress, (size_t)(part * (double)mover->bytes));
	}
	pthread_mutex_unlock(&mover->lock);
	progress_end(&progress);
}

/* ---- pieces ------------------------------------------------------------- */

/* Start the request's threads, at least one, and wait for all of them. */
static bool run_threads(struct mover *mover)
{
	int wanted = mover->session->request->threads, started = 0;
	pthread_t *threads = calloc((size_t)wanted, sizeof *threads);
	if (!threads)
		return complain_memory(0, "threads");
	pthread_mutex_init(&mover->lock, NULL);
	pthread_cond_init(&mover->ended, NULL);
	pthread_mutex_lock(&mover->lock);
	while (started < wanted && pthread_create(&threads[started], NULL, work, mover) == 0)
		started++;
	mover->running = started ? started : 1;
	pthread_mutex_unlock(&mover->lock);
	if (started == 0)
		work(mover); /* no threads to be had: the calling one does it, without progress */
	watch(mover);
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pthread_cond_destroy(&mover->ended);
	pthread_mutex_destroy(&mover->lock);
	free(threads);
	return true;
}

/* Units that come to about `bytes`, at least one. */
static int64_t units_of(const struct mover *mover, size_t bytes)
{
	double units = (double)mover->units * ((double)bytes / (double)mover->bytes);
	return units < 1 ? 1 : (int64_t)units;
}

static bool move_pieces(struct mover *mover)
{
	struct session *session = mover->session;
	size_t chunk = (size_t)session->request->chunk_bytes;
	size_t n = (size_t)session->n;
	mover->kernel = session_compile(session, session->result);
	mover->data = calloc(n ? n : 1, sizeof *mover->data);
	bool done = mover->kernel && (mover->data || complain_memory(n, "the inputs"));
	if (done) {
		for (size_t i = 0; i < n; i++)
			mover->data[i] = input_data(&session->inputs[i]);
		mover->units = vf_kernel_units(mover->kernel);
		mover->grain = units_of(mover, chunk / GRAINS_A_CHUNK);
		mover->units_a_release = units_of(mover, chunk / 2);
		done = run_threads(mover);
	}
	if (done && atomic_load(&mover->failed))
		done = session_failed(session->ctx);
	if (mover->kernel)
		vf_kernel_release(mover->kernel);
	free(mover->data);
	return done;
}

bool move_result(struct session *session, void *out, size_t bytes, const struct replacement *file)
{
	if ((int64_t)bytes > session->request->chunk_bytes) {
		struct mover mover = {.session = session, .file = file, .out = out, .bytes = bytes};
		return move_pieces(&mover);
	}
	if (vf_materialize(session->result, out, bytes) != VF_OK)
		return session_failed(session->ctx);
	return true;
}
