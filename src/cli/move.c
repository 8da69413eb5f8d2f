/* move.c -- see move.h.
 *
 * A kernel's units are independent of each other and ascend through the destination. Threads, the calling
 * one among them, take a *grain* of units at a time. Whoever completes another half a chunk lets the pages
 * go, which is safe beside the others' reads and writes: a shared mapping's pages stay in the page cache and
 * come back with a soft fault.
 */
#include "move.h"

#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { GRAINS_A_CHUNK = 16 };

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
};

static void let_go(struct mover *mover)
{
	for (int i = 0; i < mover->session->n; i++)
		memory_let_go(&mover->session->inputs[i].memory);
	if (mover->file)
		replace_let_go(mover->file);
}

static void note_done(struct mover *mover, long long units)
{
	long long done = atomic_fetch_add(&mover->done, units) + units;
	long long released = atomic_load(&mover->released);
	if (done - released >= mover->units_a_release &&
	    atomic_compare_exchange_strong(&mover->released, &released, done))
		let_go(mover);
}

/* Tells how far all are, where `progress` is not NULL. */
static void take_grains(struct mover *mover, struct progress *progress)
{
	while (!atomic_load(&mover->failed)) {
		int64_t begin = atomic_fetch_add(&mover->next, mover->grain);
		if (begin >= mover->units)
			break;
		int64_t left = mover->units - begin, count = left < mover->grain ? left : mover->grain;
		if (vf_run_units(mover->kernel, mover->out, mover->data, begin, begin + count) != VF_OK)
			atomic_store(&mover->failed, true);
		note_done(mover, count);
		double part = (double)atomic_load(&mover->done) / (double)mover->units;
		if (progress)
			progress_show(progress, (size_t)(part * (double)mover->bytes));
	}
}

static void *work(void *mover)
{
	take_grains(mover, NULL);
	return NULL;
}

/* On the request's threads, or as many as can be had. */
static bool run_threads(struct mover *mover)
{
	int others = mover->session->request->threads - 1, started = 0;
	struct progress progress;
	pthread_t *threads = calloc((size_t)others + 1, sizeof *threads);
	if (!threads)
		return complain_memory(0, "threads");
	while (started < others && pthread_create(&threads[started], NULL, work, mover) == 0)
		started++;
	progress_begin(&progress, mover->bytes);
	take_grains(mover, &progress);
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	progress_end(&progress);
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
