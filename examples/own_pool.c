/* own_pool.c -- copies run on the program's own threads: vf_options.parallel.
 *
 * The library hands over `count` independent tasks and waits until all have run. What runs them, and
 * where, is the program's affair; here a small pool that takes tasks off a shared counter.
 */
#include "example.h"

#include <pthread.h>
#include <stdatomic.h>
#include <viewfold.h>

enum { THREADS = 4, ROWS = 1500, COLUMNS = 1100 };

struct batch {
	atomic_int_least64_t next;
	int64_t count;
	void (*task)(void *data, int64_t i);
	void *data;
};

static atomic_int tasks_run;

static void *work(void *argument)
{
	struct batch *batch = argument;
	int64_t i;
	while ((i = atomic_fetch_add(&batch->next, 1)) < batch->count) {
		batch->task(batch->data, i);
		atomic_fetch_add(&tasks_run, 1);
	}
	return NULL;
}

/* A vf_parallel_fn. A real pool would keep its threads; the caller takes part as well. */
static void run_on_pool(void *user, int64_t count, void (*task)(void *, int64_t), void *data)
{
	int extra = *(const int *)user - 1, started = 0;
	pthread_t threads[THREADS];
	struct batch batch = {.count = count, .task = task, .data = data};
	while (started < extra && pthread_create(&threads[started], NULL, work, &batch) == 0)
		started++;
	work(&batch);
	while (started > 0)
		pthread_join(threads[--started], NULL);
}

int main(void)
{
	int threads = THREADS;
	float *matrix = example_alloc((size_t)ROWS * COLUMNS, sizeof *matrix);
	float *out = example_alloc((size_t)ROWS * COLUMNS, sizeof *out);
	for (int i = 0; i < ROWS * COLUMNS; i++)
		matrix[i] = (float)i;

	vf_options options = {.threads = threads, .parallel = run_on_pool, .parallel_user = &threads};
	vf_context *ctx = vf_context_create(&options);
	vf_array *x = vf_wrap(ctx, matrix, VF_F32, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
	vf_array *transposed = vf_t(x);
	CHECK(vf_materialize(transposed, out, (size_t)ROWS * COLUMNS * sizeof *out) == VF_OK);
	for (int column = 0; column < COLUMNS; column++)
		for (int row = 0; row < ROWS; row++)
			CHECK(out[column * ROWS + row] == matrix[row * COLUMNS + column]);
	CHECK(atomic_load(&tasks_run) > 1);

	printf("%d tasks on the program's own threads\n", atomic_load(&tasks_run));
	vf_release(transposed);
	vf_release(x);
	vf_context_release(ctx);
	free(out);
	free(matrix);
	return 0;
}
