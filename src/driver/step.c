/* step.c -- one copy of a kernel: its code, and the lists that the code is given.
 *
 * Tests  tests/unit/test_run.c, tests/unit/test_offsets.c
 */
#include "driver/compile.h"
#include "driver/job.h"
#include "driver/kernel.h"

static bool make_list(vf_context *ctx, vf_offsets *offsets, const vf_list *list)
{
	*offsets = (vf_offsets){list->n, vf_alloc_array(ctx, list->n, sizeof *offsets->at)};
	for (int64_t i = 0; offsets->at && i < list->n; i++)
		offsets->at[i] = list->table[list->backwards ? list->n - 1 - i : i] * list->elem_bytes;
	return offsets->at != NULL;
}

static bool make_lists(vf_context *ctx, vf_step *step, const vf_job *job)
{
	if (job->nlist == 0)
		return true;
	step->lists = vf_alloc_array(ctx, job->nlist, sizeof *step->lists);
	if (!step->lists)
		return false;
	for (; step->nlist < job->nlist; step->nlist++)
		if (!make_list(ctx, &step->lists[step->nlist], &job->lists[step->nlist]))
			return false;
	return true;
}

bool vf_step_make(const vf_request *request, vf_step *step, const vf_job *job)
{
	vf_context *ctx = request->ctx;
	vf_look *look = request->look;
	if (look)
		vf_look_at_job(look, job);
	if (!make_lists(ctx, step, job))
		return false;
	step->code = look ? vf_code_look(ctx, job, look) : vf_code_get(ctx, job, request->described);
	return step->code != NULL;
}

void vf_step_drop(vf_context *ctx, vf_step *step)
{
	vf_code_release(ctx, step->code);
	for (int i = 0; i < step->nlist; i++)
		vf_dealloc(ctx, step->lists[i].at);
	vf_dealloc(ctx, step->lists);
	vf_dealloc(ctx, step->shifts);
}
