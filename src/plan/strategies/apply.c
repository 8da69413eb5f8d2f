/* apply.c -- elements that are computed: chosen by plan/compute.c only. The last loops are rows and line. */
#include "plan/compute.h"
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	(void)leaf, (void)depth;
	return 0;
}

static double cost(const vf_leaf *leaf, int depth)
{
	(void)leaf, (void)depth;
	return 0;
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	call->codelet = VF_CODELET_apply;
	vf_codelet_call_rows(call, leaf, 0);
	call->block.stride = vf_last_loop(leaf)->src;
	call->block.ahead_step = leaf->compute->next_beside;
}

const vf_strategy_row vf_apply_row = {"apply", applies, cost, call_of, NULL};
