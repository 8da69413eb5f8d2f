/* step.c -- one copy of a kernel: compiled or interpreted code, or tables of offsets that are walked.
 *
 * Tests  tests/unit/test_run.c, tests/unit/test_offsets.c
 */
#include "driver/compile.h"
#include "driver/job.h"
#include "driver/kernel.h"

bool vf_step_make(const vf_request *request, vf_step *step, const vf_job *job)
{
	vf_context *ctx = request->ctx;
	vf_look *look = request->look;
	if (look)
		vf_look_at_job(look, job);
	if (vf_job_has_formulas(job) && vf_job_has_tables(job))
		step->elementwise = vf_elementwise_create(ctx, job);
	else if (vf_job_has_tables(job))
		step->walk = vf_walk_create(ctx, job);
	else
		step->code = look ? vf_code_look(ctx, job, look) : vf_code_get(ctx, job, request->described);
	return step->code || step->walk || step->elementwise;
}

void vf_step_drop(vf_context *ctx, vf_step *step)
{
	if (step->code)
		vf_code_release(ctx, step->code);
	vf_walk_release(ctx, step->walk);
	vf_elementwise_release(ctx, step->elementwise);
	vf_dealloc(ctx, step->shifts);
}

static void run_plain(const vf_step *step, void *dst, const void *const *sources)
{
	if (step->walk)
		vf_walk_run(step->walk, dst, sources);
	else
		vf_elementwise_run(step->elementwise, dst, sources);
}

int64_t vf_step_units(const vf_step *step)
{
	return step->code ? vf_code_units(step->code) : 1;
}

vf_status vf_step_run(vf_context *ctx, const vf_step *step, void *dst, const void *const *sources)
{
	if (step->code)
		return vf_code_run(ctx, step->code, dst, sources);
	run_plain(step, dst, sources);
	return VF_OK;
}

vf_status vf_step_run_units(vf_context *ctx, const vf_step *step, void *dst, const void *const *sources,
                            int64_t begin, int64_t end)
{
	if (step->code)
		return vf_code_run_units(ctx, step->code, dst, sources, begin, end);
	if (begin < end)
		run_plain(step, dst, sources);
	return VF_OK;
}

void vf_step_get_info(const vf_step *step, vf_code_info *out)
{
	if (step->code)
		vf_code_get_info(step->code, out);
	else if (step->elementwise)
		*out = (vf_code_info){.strategy = "elements",
		                      .reason = "a formula is applied to each",
		                      .engine = "walk",
		                      .why = "elements that are read by tables are computed one by one"};
	else
		*out = (vf_code_info){.strategy = "tables",
		                      .reason = "offsets are read from tables",
		                      .engine = "walk",
		                      .why = "tables of offsets are walked, not compiled"};
}
