/* compile.c -- from a job to code, phase by phase.
 *
 * In     a job
 * Out    its code. Each phase turns one value into the next:
 *            normalise  job          normal form: one for all jobs that mean the same; the cache's key
 *            choose     normal form  the machine that it is planned for, as it is or as measuring found it
 *                                    faster
 *            plan       both         plan
 *            emit       plan         C text
 *            compile    C text       code in memory, by libtcc; the last two when the code runs again, or is
 *                                    to be kept
 * Keeps  what cannot be compiled is interpreted, and says why; that is an error only where the context asks
 *        for code (VF_ENGINE_JIT)
 * Tests  tests/unit/test_code.c, tests/unit/test_phases.c, tests/property/test_moves.c
 */
#include "driver/compile.h"

#include "codegen/emit.h"
#include "engine/cache.h"
#include "engine/measure.h"

/* Longer plans are interpreted: their text would take milliseconds to compile. */
enum { MOST_COMPILED_LEAVES = 400 };

/* With so many calls of codelets, at 20 ns each, interpreting costs about as much as compiling. */
enum { MANY_CALLS = 8192 };

/* ---- choose, plan ---- */

/* `look` is NULL if nobody looks. */
static bool plan(vf_context *ctx, vf_code *code, const vf_normal *normal, vf_look *look)
{
	vf_cache *cache = ctx->cache;
	vf_machine machine = vf_choose_machine(ctx, &cache->choices, normal, code->hash, &cache->machine);
	if (look)
		vf_look_at_choice(look, &machine);
	code->plan = vf_plan_make(ctx, normal, &machine);
	return code->plan != NULL;
}

/* Returns why the plan is not compiled at all; "" if it may be. */
static const char *reason_to_interpret(const vf_context *ctx, const vf_plan *plan)
{
	if (ctx->engine == VF_ENGINE_INTERPRET)
		return "the context asks for the interpreter";
	if (ctx->engine == VF_ENGINE_AUTO && plan->nleaf > MOST_COMPILED_LEAVES)
		return "the plan has too many pieces to be worth compiling";
	return vf_jit_refusal();
}

/* ---- emit, compile ---- */

/* Returns false without memory for the text. If libtcc refuses the text, code->why says so. */
static bool emit_and_compile(vf_context *ctx, vf_code *code)
{
	unsigned used;
	char *text = vf_emit(ctx, code->plan, NULL, &used);
	if (!text)
		return false;
	if (!vf_jit_compile(&code->jit, text, used, ctx->codelets, code->refusal, sizeof code->refusal))
		code->why = code->refusal;
	vf_dealloc(ctx, text);
	if (code->why[0])
		vf_log(ctx, "compile: %s; the plan is interpreted", code->why);
	return true;
}

/* From now on the code does not change: it is compiled, or interpreted for good. */
static bool settle(vf_context *ctx, vf_code *code)
{
	vf_cache *cache = ctx->cache;
	atomic_store_explicit(&code->tier, VF_TIER_SETTLED, memory_order_release);
	if (code->jit.entry) {
		atomic_fetch_add_explicit(&cache->compiled, 1, memory_order_relaxed);
		atomic_fetch_sub_explicit(&cache->interpreted, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&cache->compile_ns, code->jit.compile_ns, memory_order_relaxed);
	}
	if (code->jit.entry || ctx->engine != VF_ENGINE_JIT)
		return true;
	vf_fail(ctx, VF_ERR_COMPILE, "compile: %s", code->why);
	return false;
}

/* Only one of several threads compiles; for the others the code stays as it was. */
static bool compile_from(vf_context *ctx, vf_code *code, int tier)
{
	if (!atomic_compare_exchange_strong(&code->tier, &tier, VF_TIER_COMPILING))
		return true;
	if (emit_and_compile(ctx, code))
		return settle(ctx, code);
	atomic_store_explicit(&code->tier, tier, memory_order_release);
	return false;
}

/* ---- tiers ---- */

/* Counts the calls of codelets in one run, up to `most`. */
static int64_t calls_below(const vf_plan *plan, int64_t most)
{
	int64_t calls = 0;
	for (int i = 0; i < plan->nleaf && calls < most; i++) {
		const vf_leaf *leaf = &plan->leaves[i];
		int64_t n = 1;
		for (int k = 0; k < leaf->nloop - leaf->ninner && n < most; k++)
			n = leaf->loops[k].extent < most / n ? n * leaf->loops[k].extent : most;
		calls += n;
	}
	return calls < most ? calls : most;
}

/* Compiles the code at once if it is to be kept, if the context asks for compiled code, or if a run makes
 * many calls. Else it is compiled when it runs again. */
static bool compile_if_due(vf_context *ctx, vf_code *code, bool to_keep)
{
	int tier = atomic_load_explicit(&code->tier, memory_order_acquire);
	if (tier == VF_TIER_SETTLED || tier == VF_TIER_COMPILING)
		return true;
	if (!to_keep && ctx->engine != VF_ENGINE_JIT && calls_below(code->plan, MANY_CALLS) < MANY_CALLS)
		return true;
	return compile_from(ctx, code, tier);
}

vf_status vf_code_count_run(vf_context *ctx, vf_code *code)
{
	int tier = atomic_load_explicit(&code->tier, memory_order_acquire);
	if (tier == VF_TIER_NEW)
		atomic_compare_exchange_strong(&code->tier, &tier, VF_TIER_RUN_ONCE);
	else if (tier == VF_TIER_RUN_ONCE && !compile_from(ctx, code, tier))
		return vf_failed();
	return VF_OK;
}

bool vf_code_make_ready(vf_context *ctx, vf_code *code, bool to_keep)
{
	return compile_if_due(ctx, code, to_keep);
}

/* Chooses and plans; what is compiled is compiled later. */
static bool make(vf_context *ctx, vf_code *code, const vf_normal *normal)
{
	if (!plan(ctx, code, normal, NULL))
		return false;
	atomic_fetch_add_explicit(&ctx->cache->interpreted, 1, memory_order_relaxed);
	code->why = reason_to_interpret(ctx, code->plan);
	return code->why[0] ? settle(ctx, code) : true;
}

/* ---- the whole ---- */

vf_code *vf_code_get(vf_context *ctx, const vf_job *job)
{
	vf_normal normal;
	if (!vf_normalise(ctx, &normal, job))
		return NULL;
	bool mine, made = true;
	vf_code *code = vf_cache_take(ctx, ctx->cache, normal.words, normal.nword, &mine);
	if (mine) {
		made = make(ctx, code, &normal);
		vf_cache_made(ctx, ctx->cache, code, made);
	}
	vf_normal_drop(ctx, &normal);
	if (made)
		return code;
	vf_code_release(ctx, code);
	return NULL;
}

double vf_job_estimate(vf_context *ctx, const vf_job *job)
{
	vf_normal normal;
	double picoseconds = -1;
	if (!vf_normalise(ctx, &normal, job))
		return -1;
	vf_plan *made = vf_plan_make(ctx, &normal, &ctx->cache->machine);
	if (made)
		picoseconds = vf_plan_estimate(made);
	vf_plan_drop(ctx, made);
	vf_normal_drop(ctx, &normal);
	return picoseconds;
}

vf_code *vf_code_look(vf_context *ctx, const vf_job *job, vf_look *look)
{
	vf_normal normal;
	if (!vf_normalise(ctx, &normal, job))
		return NULL;
	vf_look_at_normal(look, &normal);
	vf_code *code = vf_cache_unlisted(ctx, normal.words, normal.nword);
	bool planned = code && plan(ctx, code, &normal, look);
	vf_normal_drop(ctx, &normal);
	if (!planned) {
		vf_code_release(ctx, code);
		return NULL;
	}
	code->looked_at = true;
	atomic_store_explicit(&code->tier, VF_TIER_SETTLED, memory_order_relaxed);
	code->why = reason_to_interpret(ctx, code->plan);
	return code;
}
