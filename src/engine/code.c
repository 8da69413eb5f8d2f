/* code.c -- code that is run, and looked at; code.h is the contract.
 *
 * In     code, as driver/compile.c makes it; where its buffers are
 * Out    the moved bytes; texts
 * Tests  tests/unit/test_code.c, tests/property/test_moves.c
 */
#include "engine/code.h"

#include "codegen/interpret.h"
#include "engine/cache.h"
#include "engine/threads.h"

/* Results smaller than this stay on the calling thread; each task is at least half of this. */
enum { PARALLEL_BYTES = 256 << 10 };

void vf_code_release(vf_context *ctx, vf_code *code)
{
	if (!code || atomic_fetch_sub_explicit(&code->refs, 1, memory_order_acq_rel) != 1)
		return;
	vf_jit_free(&code->jit);
	vf_plan_drop(ctx, code->plan);
	vf_dealloc(ctx, code);
}

/* ---- running ---- */

double vf_code_estimate(const vf_code *code)
{
	return vf_plan_estimate(code->plan);
}

int64_t vf_code_units(const vf_code *code)
{
	return code->plan->units;
}

static void run_with(const vf_context *ctx, const vf_code *code, void *dst, const void *const *sources,
                     unsigned char *scratch, vf_units units)
{
	const unsigned char *const *src = (const unsigned char *const *)sources;
	if (vf_code_is_settled(code) && code->jit.entry)
		code->jit.entry(dst, src, scratch, units.begin, units.end);
	else
		vf_interpret(code->plan, ctx->codelets, dst, src, scratch, units);
	if (code->plan->streams)
		ctx->codelets->fence();
}

vf_status vf_code_run_units(vf_context *ctx, const vf_code *code, void *dst, const void *const *sources,
                            int64_t begin, int64_t end)
{
	if (begin >= end)
		return VF_OK;
	if (code->plan->scratch_bytes == 0) {
		run_with(ctx, code, dst, sources, NULL, (vf_units){begin, end});
		return VF_OK;
	}
	/* A stage has the same offset in a cache line as its place, so the scratch must begin on a line. */
	unsigned char *block = vf_alloc_array(ctx, code->plan->scratch_bytes + 64, 1);
	if (!block)
		return VF_ERR_MEMORY;
	unsigned char *scratch = block + (-(uintptr_t)block & 63);
	run_with(ctx, code, dst, sources, scratch, (vf_units){begin, end});
	vf_dealloc(ctx, block);
	return VF_OK;
}

typedef struct whole_run {
	vf_context *ctx;
	const vf_code *code;
	void *dst;
	const void *const *sources;
} whole_run;

static vf_status run_some(const void *data, int64_t begin, int64_t end)
{
	const whole_run *run = data;
	return vf_code_run_units(run->ctx, run->code, run->dst, run->sources, begin, end);
}

/* Returns how many tasks to cut a run into: a few for each thread, so that a slow thread holds up little. */
static int64_t tasks_of(vf_context *ctx, const vf_plan *plan)
{
	int64_t threads = atomic_load_explicit(&ctx->threads, memory_order_relaxed), tasks = 4 * threads;
	if (plan->out_bytes < PARALLEL_BYTES || (threads < 2 && !ctx->options.parallel))
		return 1;
	if (tasks > plan->out_bytes / (PARALLEL_BYTES / 2))
		tasks = plan->out_bytes / (PARALLEL_BYTES / 2);
	return tasks < plan->units ? tasks : plan->units;
}

vf_status vf_code_run(vf_context *ctx, const vf_code *code, void *dst, const void *const *sources)
{
	int64_t units = code->plan->units, tasks = tasks_of(ctx, code->plan);
	if (tasks <= 1)
		return vf_code_run_units(ctx, code, dst, sources, 0, units);
	whole_run run = {ctx, code, dst, sources};
	return vf_share_run(ctx, &(vf_share){units, (units + tasks - 1) / tasks, run_some, &run});
}

/* ---- looking ---- */

void vf_code_get_info(const vf_code *code, vf_code_info *out)
{
	out->strategy = code->plan->strategy;
	out->reason = code->plan->reason;
	out->engine = "interpreter";
	out->why = "it is compiled when it runs again";
	out->compile_ns = 0;
	if (!vf_code_is_settled(code))
		return;
	if (code->jit.entry || (code->looked_at && !code->why[0]))
		out->engine = "jit";
	out->why = code->why;
	out->compile_ns = code->jit.compile_ns;
}

char *vf_code_plan_text(vf_context *ctx, const vf_code *code)
{
	vf_text text;
	vf_text_init(&text, ctx);
	vf_plan_print(code->plan, &text);
	vf_plan_print_candidates(code->plan, &text);
	return vf_text_take(&text);
}

char *vf_code_source(vf_context *ctx, const vf_code *code, const vf_labels *labels)
{
	unsigned used;
	return vf_emit(ctx, code->plan, labels, &used);
}

char *vf_code_source_steps(vf_context *ctx, const vf_code *const *codes, const vf_labels *labels, int n)
{
	const vf_plan **plans = vf_alloc_array(ctx, n, sizeof *plans);
	if (!plans)
		return NULL;
	for (int k = 0; k < n; k++)
		plans[k] = codes[k]->plan;
	char *text = vf_emit_steps(ctx, plans, labels, n);
	vf_dealloc(ctx, plans);
	return text;
}

int64_t vf_code_scratch(const vf_code *code)
{
	return code->plan->scratch_bytes;
}

/* ---- once per context ---- */

vf_status vf_code_open(vf_context *ctx)
{
	ctx->codelets = vf_codelets_pick(ctx->options.variant);
	if (!ctx->codelets)
		return vf_fail(ctx, VF_ERR_ARGUMENT, "context: no codelets of variant %s on this processor",
		               ctx->options.variant);
	ctx->cache = vf_cache_open(ctx, ctx->options.cache_kernels);
	if (!ctx->cache)
		return VF_ERR_MEMORY;
	ctx->cache->machine.lines = ctx->codelets->lines;
	ctx->cache->machine.wide = ctx->codelets->wide;
	ctx->cache->machine.weaves = ctx->codelets->of[VF_CODELET_weave] != vf_plain_weave;
	return ctx->options.threads < 2 || vf_code_open_pool(ctx) ? VF_OK : VF_ERR_MEMORY;
}

/* If several threads open a pool, the first one wins. */
bool vf_code_open_pool(vf_context *ctx)
{
	vf_pool *none = NULL;
	if (ctx->options.parallel || ctx->pool)
		return true;
	vf_pool *pool = vf_pool_open(ctx);
	if (pool && !atomic_compare_exchange_strong(&ctx->pool, &none, pool))
		vf_pool_close(ctx, pool);
	return pool != NULL;
}

void vf_code_close(vf_context *ctx)
{
	if (ctx->pool)
		vf_pool_close(ctx, ctx->pool);
	if (ctx->cache)
		vf_cache_close(ctx, ctx->cache);
	ctx->pool = NULL;
	ctx->cache = NULL;
}

void vf_code_stats(vf_context *ctx, vf_stats *out)
{
	vf_cache *cache = ctx->cache;
	pthread_mutex_lock(&cache->lock);
	out->cache_hits = cache->hits;
	out->cache_misses = cache->misses;
	out->cache_evictions = cache->evictions;
	out->cache_kernels = cache->count;
	pthread_mutex_unlock(&cache->lock);
	out->kernels_compiled = atomic_load_explicit(&cache->compiled, memory_order_relaxed);
	out->kernels_interpreted = atomic_load_explicit(&cache->interpreted, memory_order_relaxed);
	out->compile_ns = atomic_load_explicit(&cache->compile_ns, memory_order_relaxed);
}

char *vf_wisdom_save(vf_context *ctx)
{
	return ctx ? vf_choices_save(ctx, &ctx->cache->choices, &ctx->cache->machine) : NULL;
}

vf_status vf_wisdom_load(vf_context *ctx, const char *text)
{
	if (!ctx)
		return VF_ERR_ARGUMENT;
	if (!text)
		return vf_fail(ctx, VF_ERR_ARGUMENT, "wisdom: the text is NULL");
	return vf_choices_load(ctx, &ctx->cache->choices, &ctx->cache->machine, text);
}
