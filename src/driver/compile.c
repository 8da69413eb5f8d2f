/* compile.c -- from a job to code, stage by stage.
 *
 * In     a job
 * Out    its code. Each stage turns one value into the next:
 *            normalise  job          normal form: one for all jobs that mean the same; the cache's key
 *            choose     normal form  the machine that it is planned for, as it is or as measuring found it
 *                                    faster
 *            plan       both         plan
 *            emit       plan         C text
 *            compile    C text       code in memory, by libtcc
 * Keeps  what cannot be compiled is interpreted, and says why; that is an error only where the context asks
 *        for code (VF_ENGINE_JIT)
 * Tests  tests/unit/test_code.c, tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "driver/compile.h"

#include "codegen/emit.h"
#include "engine/cache.h"

/* Longer plans are interpreted: their text would take milliseconds to compile. */
enum { MOST_COMPILED_LEAVES = 400 };

/* ---- choose, plan ---- */

/* `look` is NULL where nobody looks. */
static bool plan(vf_context *ctx, vf_code *code, const vf_normal *normal, vf_look *look)
{
	vf_cache *cache = ctx->cache;
	vf_machine machine = vf_choose_machine(ctx, &cache->choices, normal, code->hash, &cache->machine);
	if (look)
		vf_look_at_choice(look, &machine);
	code->plan = vf_plan_make(ctx, normal, &machine);
	return code->plan != NULL;
}

/* Why the plan is not to be compiled at all; "" where it is. */
static const char *reason_to_interpret(const vf_context *ctx, const vf_plan *plan)
{
	if (ctx->engine == VF_ENGINE_INTERPRET)
		return "the context asks for the interpreter";
	if (ctx->engine == VF_ENGINE_AUTO && plan->nleaf > MOST_COMPILED_LEAVES)
		return "the plan has too many pieces to be worth compiling";
	return vf_jit_refusal();
}

/* ---- emit, compile ---- */

/* False without memory for the text. Where it is refused, code->why says so. */
static bool emit_and_compile(vf_context *ctx, vf_code *code)
{
	unsigned used;
	char *text = vf_emit(ctx, code->plan, NULL, &used);
	if (!text)
		return false;
	if (!vf_jit_compile(&code->jit, text, used, ctx->codelets, code->refusal, sizeof code->refusal))
		code->why = code->refusal;
	vf_dealloc(ctx, text);
	return true;
}

static void count(vf_cache *cache, const vf_code *code)
{
	bool compiled = code->jit.entry != NULL;
	atomic_fetch_add_explicit(compiled ? &cache->compiled : &cache->interpreted, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&cache->compile_ns, code->jit.compile_ns, memory_order_relaxed);
}

/* All stages but the first. */
static bool make(vf_context *ctx, vf_code *code, const vf_normal *normal)
{
	if (!plan(ctx, code, normal, NULL))
		return false;
	code->why = reason_to_interpret(ctx, code->plan);
	bool tried = !code->why[0];
	if (tried && !emit_and_compile(ctx, code))
		return false;
	if (code->why[0] && ctx->engine == VF_ENGINE_JIT) {
		vf_fail(ctx, VF_ERR_COMPILE, "compile: %s", code->why);
		return false;
	}
	if (code->why[0] && tried)
		vf_log(ctx, "compile: %s; the plan is interpreted", code->why);
	count(ctx->cache, code);
	return true;
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
	code->why = reason_to_interpret(ctx, code->plan);
	return code;
}
