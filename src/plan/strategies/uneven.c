/* uneven.c -- whether a transposition in blocks takes loops that are not even: margins, tables.
 *
 * In     a leaf with such loops
 * Out    whether its runs have them, and blocks are the best way
 * Tests  tests/unit/test_margins.c, tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/group.h"
#include "plan/margins.h"
#include "plan/strategies/runs.h"
#include "plan/strategy.h"

enum { LINE = 64 };

/* Are rows of dst a few units, one of them in a margin? They are woven. (Zen 4, of the fastest copy, in
 * blocks and woven: planes to pixels with one more, u8 3 to 4 0.045 and 0.69, f32 0.57 and 0.70, u8 6 to 8
 * 0.09 and 0.62, 10 to 12 0.12 and 0.43; but f32 10 to 12 0.47 and 0.38, u8 15 to 16 0.67 and 0.35. AVX2: u8
 * 3 to 4 0.25 and 0.42, 5 to 6 0.31 and 0.21.) */
static bool has_few_with_margins(const vf_blocking *b)
{
	enum { FEW = 8, SOME = 16, SHORT = 32 };
	const int64_t units = b->a.count;
	return b->p->machine->wide ? units <= FEW || (units < SOME && b->a.bytes < SHORT) : vf_few(units);
}

/* Margins of a third and more are read for little (f16 [64,77,768] to rows of 128 0.61 of the fastest copy,
 * 0.54), and small matrices have a table each (f32 28 x 28 0.47, 0.33). With half a line to a register,
 * narrow units whose rows have other constants between them lost, too (AVX2, u8 256 x 256 0.40 and 0.26). */
static bool margins_pay(const vf_blocking *b, bool more)
{
	const vf_planner *p = b->p;
	int64_t all = 0, taken = 0;
	for (int k = 0; k < b->leaf->nloop; k++)
		all += b->leaf->loops[k].before || b->leaf->loops[k].after;
	for (int k = 0; k < b->a.nloop; k++) {
		const vf_span *s = &b->a.loops[k];
		taken += s->before || s->after;
		if (3 * (s->before + s->after) >= s->extent)
			return false;
	}
	return taken == all && b->unit <= 16 && is_power_of_two(b->unit) && !has_few_with_margins(b) &&
	       b->a.bytes * b->b.count >= p->machine->staged_bytes &&
	       (p->machine->wide || b->unit > 2 || !more);
}

bool vf_takes_margins(vf_planner *p, const vf_leaf *leaf, bool more)
{
	vf_blocking b;
	vf_leaf copy = *leaf;
	const int depth = vf_uncut(leaf, 0);
	return vf_leaf_wants_blocks(p, leaf, depth) && vf_init_blocking(&b, p, &copy, depth) &&
	       vf_find_near(&b, depth) && vf_find_runs(&b) && margins_pay(&b, more);
}

bool vf_takes_tables(vf_planner *p, const vf_leaf *leaf)
{
	vf_blocking b;
	vf_leaf copy = *leaf;
	int taken = 0;
	if (!vf_leaf_wants_blocks(p, leaf, 0) || !vf_init_blocking(&b, p, &copy, 0) || !vf_find_near(&b, 0) ||
	    !vf_find_runs(&b))
		return false;
	for (int k = 0; k < b.a.nloop; k++) {
		const bool uneven = b.a.loops[k].table != NULL;
		if (uneven && vf_mean_step(&b.a.loops[k]) < b.near)
			return false; /* the run B should have it */
		taken += uneven;
	}
	for (int k = 0; k < b.nloop; k++)
		if (b.loops[k].table && vf_mean_step(&b.loops[k]) < LINE)
			return false;
	return taken > 0 && b.unit <= 16 && b.b.bytes >= LINE &&
	       b.a.bytes * b.b.count >= p->machine->staged_bytes;
}
