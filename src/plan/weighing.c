/* weighing.c -- candidates and their costs; see weighing.h.
 *
 * Tests  tests/cli/usage.sh
 */
#include "plan/weighing.h"

#include "plan/tree.h"

void vf_weigh(vf_weighing *c, const char *what, double cost)
{
	const double least = c->n ? c->among[c->won].cost : 0;
	if (cost > 0 && (least <= 0 || cost < least))
		c->won = c->n;
	c->among[c->n++] = (vf_candidate){what, cost};
}

void vf_weighing_keep(vf_planner *p, vf_leaf *leaf, const vf_weighing *c)
{
	vf_weighing *kept = vf_plan_alloc(p, 1, sizeof *kept);
	if (!kept)
		return;
	*kept = *c;
	kept->next = leaf->weighed;
	leaf->weighed = kept;
}

/* The one of the least cost that is not printed yet; -1: none. */
static int next_candidate(const vf_weighing *c, unsigned printed)
{
	int next = -1;
	for (int k = 0; k < c->n; k++)
		if (c->among[k].cost > 0 && !(printed & 1u << k) &&
		    (next < 0 || c->among[k].cost < c->among[next].cost))
			next = k;
	return next;
}

void vf_weighing_print(const vf_weighing *c, vf_text *text)
{
	unsigned printed = 0;
	if (!c)
		return;
	vf_weighing_print(c->next, text);
	vf_text_add(text, "    %s: ", c->of);
	for (int k = next_candidate(c, 0); k >= 0; k = next_candidate(c, printed)) {
		vf_text_add(text, printed ? ", %s %.2f" : "%s %.2f", c->among[k].what, c->among[k].cost);
		printed |= 1u << k;
	}
	vf_text_add(text, printed & (printed - 1) ? "; the least wins\n" : "; nothing else applies\n");
}
