/* weave.c -- lines put together from any places. plan/weave.c makes these nodes; no leaf chooses it. */
#include "plan/strategies/strategies.h"

static int applies(const vf_leaf *leaf, int depth)
{
	(void)leaf, (void)depth;
	return 0;
}

const vf_strategy_row vf_weave_row = {"weave", applies, NULL, NULL, NULL};
