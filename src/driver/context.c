/* context.c -- making a context, with all that its phases keep in it.
 *
 * In     options
 * Out    a context: defaults filled in, codelets picked, caches and threads ready to be used
 * Tests  tests/unit/test_code.c, tests/unit/test_errors.c
 */
#include "driver/memo.h"
#include "engine/code.h"
#include "engine/process.h"

#include <stdlib.h>
#include <string.h>

/* Blocks of some MB are scratch that a run fills once. By small pages the system would take longer to give it
 * than the run to fill it (a Xeon in a virtual machine, a scratch of 115 MB: 40 ms, by large pages 10). */
static void *std_allocate(void *user, size_t bytes)
{
	enum { MUCH = 4 << 20 };
	(void)user;
	void *block = malloc(bytes);
	if (block && bytes >= MUCH)
		vf_ask_large_pages(block, bytes);
	return block;
}

static void *std_reallocate(void *user, void *block, size_t bytes)
{
	(void)user;
	return realloc(block, bytes);
}

static void std_deallocate(void *user, void *block)
{
	(void)user;
	free(block);
}

static bool can_run_so(int threads, int effort, int engine)
{
	return threads >= 0 && effort >= VF_EFFORT_ESTIMATE && effort <= VF_EFFORT_MEASURE &&
	       engine >= VF_ENGINE_AUTO && engine <= VF_ENGINE_INTERPRET;
}

/* Fills in the defaults of the caller's options. False if only some hooks are given, or a number is out of
 * its range. */
static bool complete_options(vf_options *o)
{
	int hooks = (o->allocate != NULL) + (o->reallocate != NULL) + (o->deallocate != NULL);
	if (hooks != 0 && hooks != 3)
		return false;
	if (!can_run_so(o->threads, (int)o->effort, (int)o->engine) || o->cache_kernels < 0 ||
	    o->history < -1 || o->fold_regions < 0 || o->fold_steps < 0 || o->fold_bytes < 0)
		return false;
	if (hooks == 0) {
		o->allocate = std_allocate;
		o->reallocate = std_reallocate;
		o->deallocate = std_deallocate;
	}
	o->threads = o->threads ? o->threads : 1;
	o->fold_regions = o->fold_regions ? o->fold_regions : 4096;
	o->fold_steps = o->fold_steps ? o->fold_steps : 1000000;
	o->fold_bytes = o->fold_bytes ? o->fold_bytes : 16 << 20;
	o->history = o->history ? o->history : 100;
	o->relay_bytes = o->relay_bytes ? o->relay_bytes : 256 << 20;
	o->cache_kernels = o->cache_kernels ? o->cache_kernels : 256;
	return true;
}

static void close_context(vf_context *ctx)
{
	vf_memos_close(ctx);
	vf_code_close(ctx);
}

int vf_version(void)
{
	return VF_VERSION;
}

vf_context *vf_context_create_sized(const vf_options *options, size_t options_bytes)
{
	vf_options o = {0};
	if (options && !vf_struct_take(&o, sizeof o, options, options_bytes))
		return NULL;
	if (!complete_options(&o))
		return NULL;
	vf_context *ctx = o.allocate(o.memory_user, sizeof *ctx);
	if (!ctx)
		return NULL;
	memset(ctx, 0, sizeof *ctx);
	ctx->options = o;
	atomic_init(&ctx->threads, o.threads);
	atomic_init(&ctx->effort, (int)o.effort);
	atomic_init(&ctx->engine, (int)o.engine);
	atomic_init(&ctx->refs, 1);
	atomic_init(&ctx->error_code, VF_OK);
	atomic_init(&ctx->error_claimed, false);
	ctx->close = close_context;
	if (vf_code_open(ctx) != VF_OK) {
		vf_context_release(ctx);
		return NULL;
	}
	ctx->options.variant = NULL; /* the caller's text was read and may go away */
	return ctx;
}

vf_status vf_context_set(vf_context *ctx, int threads, vf_effort effort, vf_engine engine)
{
	if (!ctx)
		return VF_ERR_ARGUMENT;
	if (!can_run_so(threads, (int)effort, (int)engine))
		return threads < 0
		           ? vf_fail(ctx, VF_ERR_ARGUMENT, "context: %d threads: the number is negative",
		                     threads)
		           : vf_fail(ctx, VF_ERR_ARGUMENT,
		                     "context: effort %d and engine %d: efforts are 0 to %d, engines 0 to %d",
		                     (int)effort, (int)engine, VF_EFFORT_MEASURE, VF_ENGINE_INTERPRET);
	if (threads > 1 && !vf_code_open_pool(ctx))
		return VF_ERR_MEMORY;
	atomic_store_explicit(&ctx->threads, threads > 1 ? threads : 1, memory_order_relaxed);
	atomic_store_explicit(&ctx->effort, (int)effort, memory_order_relaxed);
	atomic_store_explicit(&ctx->engine, (int)engine, memory_order_relaxed);
	return VF_OK;
}

void vf_get_stats_sized(vf_context *ctx, vf_stats *out, size_t out_bytes)
{
	vf_stats stats = {0};
	if (ctx)
		vf_code_stats(ctx, &stats);
	vf_struct_give(out, out_bytes, &stats, sizeof stats);
}
