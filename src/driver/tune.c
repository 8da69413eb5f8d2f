/* tune.c -- vf_tune: the jobs that stand for many.
 *
 * In     a context, a time
 * Out    the context plans in the way that is fastest on this machine; engine/tune.c finds it
 * Keeps  plans that were made before stay as they are
 * Tests  tests/unit/test_measure.c, tests/cli/test_tune.sh
 */
#include "driver/job.h"
#include "engine/cache.h"
#include "engine/measure.h"
#include "engine/trial.h"

enum { JOBS = 6, MOST_RANK = 4, MOST_SECONDS = 3600 };

/* Permutations of about 64 MB: rows of dst on lines and off them, short and long ones, rows of the source a
 * power of two apart, units of one to eight bytes. */
static const struct {
	vf_dtype dtype;
	int rank;
	int64_t shape[MOST_RANK];
	int dims[MOST_RANK];
} sketches[JOBS] = {
    {VF_F32, 2, {4064, 4032}, {1, 0}},
    {VF_F32, 2, {4021, 4099}, {1, 0}},
    {VF_F32, 4, {32, 64, 89, 88}, {0, 2, 3, 1}},
    {VF_U8, 3, {400, 400, 400}, {2, 1, 0}},
    {VF_U16, 4, {64, 250, 16, 128}, {0, 2, 3, 1}},
    {VF_F64, 2, {2816, 3072}, {1, 0}},
};

static bool normalise(vf_context *ctx, const vf_array *a, vf_normal *normal)
{
	vf_arena arena;
	vf_job job = {0};
	vf_sources sources = {0};
	vf_arena_init(&arena, ctx);
	bool done = vf_job_of_array(&arena, a, &job, &sources) && vf_normalise(ctx, normal, &job);
	vf_arena_drop(&arena);
	return done;
}

/* Makes the job of sketch k. False with the error kept. */
static bool draw(vf_context *ctx, int k, vf_normal *normal)
{
	vf_array *x = vf_declare(ctx, sketches[k].dtype, sketches[k].rank, sketches[k].shape, NULL);
	vf_array *y = vf_permute(x, sketches[k].rank, sketches[k].dims);
	bool done = y && normalise(ctx, y, normal);
	vf_release(y);
	vf_release(x);
	return done;
}

static void tune(vf_context *ctx, const vf_normal *normals, double seconds)
{
	vf_cache *cache = ctx->cache;
	const vf_normal *jobs[JOBS];
	for (int k = 0; k < JOBS; k++)
		jobs[k] = &normals[k];
	int64_t deadline = vf_now_ns() + (int64_t)(seconds * 1e9);
	vf_choices_tune(&cache->choices, vf_tune_jobs(ctx, jobs, JOBS, &cache->machine, deadline));
}

vf_status vf_tune(vf_context *ctx, double seconds)
{
	int n = 0;
	if (!ctx)
		return VF_ERR_ARGUMENT;
	if (!(seconds > 0 && seconds <= MOST_SECONDS))
		return vf_fail(ctx, VF_ERR_ARGUMENT, "tune: %g seconds: more than 0 and at most %d", seconds,
		               MOST_SECONDS);
	vf_normal *normals = vf_alloc_array(ctx, JOBS, sizeof *normals);
	if (!normals)
		return VF_ERR_MEMORY;
	while (n < JOBS && draw(ctx, n, &normals[n]))
		n++;
	if (n == JOBS)
		tune(ctx, normals, seconds);
	for (int k = 0; k < n; k++)
		vf_normal_drop(ctx, &normals[k]);
	vf_dealloc(ctx, normals);
	return n == JOBS ? VF_OK : vf_failed();
}
