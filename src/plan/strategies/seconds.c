/* seconds.c -- second values of a transposition in blocks that computes; see runs.h.
 *
 * In     a builder whose leaf computes, and the leaves of its operands, which have the same loops
 * Out    how each loop of the builder moves each operand; then what the tiling, its pass and the operands'
 *        leaves say of that
 * When   an operand moves along B by one step. Where a transposition computes as it reads: along A or along
 *        B, not along both. Where elements are packed: it stays along B, or goes from element to element.
 *        Others would be gathered one by one, as an array beside the result would
 * Keeps  which elements meet
 * Tests  tests/unit/test_transpose.c, tests/property/test_moves.c, tests/cli/standalone.sh
 */
#include "plan/compute.h"
#include "plan/margins.h"
#include "plan/strategies/runs.h"

#include <string.h>

enum { LINE = 64 };

static int count_of(const vf_blocking *b)
{
	return b->leaf->compute ? b->leaf->compute->noperand : 0;
}

bool vf_bring_seconds(vf_blocking *b, int depth)
{
	const int n = count_of(b);
	for (int k = 0; k < b->nloop && n > 0; k++) {
		int64_t *steps = vf_plan_alloc(b->p, n, sizeof *steps);
		for (int j = 0; steps && j < n; j++)
			steps[j] = vf_operands(b->leaf)[j].loops[depth + k].src;
		if (!steps || vf_is_uneven(&b->loops[k]))
			return false;
		b->loops[k].seconds = steps;
	}
	return n == 0 || !vf_has_margins(b->leaf);
}

const int64_t *vf_seconds_times(const vf_blocking *b, const vf_span *s, int64_t times)
{
	const int n = count_of(b);
	int64_t *steps = s->seconds ? vf_plan_alloc(b->p, n, sizeof *steps) : NULL;
	for (int j = 0; steps && j < n; j++)
		steps[j] = s->seconds[j] * times;
	return steps;
}

void vf_turn_seconds(vf_blocking *b, vf_span *s)
{
	if (!s->seconds)
		return;
	for (int j = 0; j < count_of(b); j++)
		b->second_src[j] += (s->extent - 1) * s->seconds[j];
	s->seconds = vf_seconds_times(b, s, -1);
}

/* ---- along which run ---- */

bool vf_seconds_go_on(const vf_blocking *b, const vf_span *s)
{
	bool all = !b->p->failed; /* without memory some loops have none */
	for (int j = 0; all && s->seconds && b->b.nloop > 0 && j < count_of(b); j++) {
		const int64_t step = b->b.loops[0].seconds[j] * b->b.count;
		all = all && (s->src < 0 ? -s->seconds[j] : s->seconds[j]) == step;
	}
	return all;
}

static bool moves_along(const vf_line_run *r, int j)
{
	bool moves = false;
	for (int k = 0; k < r->nloop; k++)
		moves = moves || r->loops[k].seconds[j] != 0;
	return moves;
}

bool vf_fuses_seconds(const vf_blocking *b)
{
	int64_t values = 0;
	for (int j = 0; j < count_of(b); j++) {
		const bool rows = moves_along(&b->a, j);
		if (rows && moves_along(&b->b, j))
			return false;
		values += rows ? b->t->chunk_a + LINE : b->t->chunk_b;
	}
	return values <= VF_MOST_SECONDS;
}

bool vf_fits_seconds(const vf_blocking *b)
{
	bool beside = b->p->stream;
	for (int j = 0; j < count_of(b); j++) {
		const int64_t step = b->b.loops[0].seconds[j];
		beside = beside && (step == 0 || step == b->leaf->compute->sweeps.operand_bytes[j]);
	}
	return count_of(b) == 0 || beside || b->t->fuses;
}

/* ---- what is said of it ---- */

/* Offsets of an operand along an uneven run A; NULL for an even one. */
static const int64_t *offsets_along(vf_blocking *b, int j)
{
	vf_line_run r = b->a;
	for (int k = 0; k < r.nloop; k++)
		r.loops[k].src = r.loops[k].seconds[j];
	return vf_run_offsets(b, &r, b->t->chunk_a, false);
}

void vf_set_second_steps(vf_blocking *b, vf_pass *pass)
{
	pass->noperand = count_of(b);
	for (int j = 0; j < count_of(b); j++) {
		pass->operand_bytes[j] = b->leaf->compute->sweeps.operand_bytes[j];
		b->t->second_at[j] = moves_along(&b->a, j) ? offsets_along(b, j) : NULL;
		pass->operand_step[j] = b->t->second_at[j] ? 0 : b->a.loops[0].seconds[j];
		pass->operand_stride[j] = b->b.loops[0].seconds[j];
	}
}

void vf_set_operands(const vf_blocking *b)
{
	vf_leaf *leaf = b->leaf;
	vf_computation *c = (vf_computation *)(uintptr_t)leaf->compute;
	for (int j = 0; j < count_of(b); j++) {
		vf_leaf *operand = leaf - c->noperand + j;
		memcpy(operand->loops, leaf->loops, (size_t)leaf->nloop * sizeof *leaf->loops);
		operand->nloop = leaf->nloop, operand->ninner = leaf->ninner;
		operand->dst = leaf->dst;
		operand->src += b->second_src[j];
		for (int k = 0; k < leaf->nloop; k++)
			operand->loops[k].src = leaf->loops[k].seconds ? leaf->loops[k].seconds[j] : 0;
		c->operand_at[j] = -1;
	}
}
