/* leave.c -- the calls by which a stage goes to its place; see leave.h.
 *
 * In     a staged node
 * Out    for each call: which bytes of the stage it takes, and which lines of the source are asked for
 *        meanwhile
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/leave.h"

/* Returns how many sets of rows are asked for. */
static int64_t asked_parts(const vf_node *node)
{
	int64_t parts = 0;
	for (int k = 0; k < node->nahead; k++)
		parts += node->ahead[k].parts;
	return parts;
}

/* Do all rows of a stage leave by one call? No, if each of them asks for a part of one row of the source, or
 * if each goes to a destination of its own. */
static bool leave_together(const vf_node *node)
{
	return node->stage_rows > 1 && node->stage_dst_step != VF_PLACE_STEP &&
	       (node->nahead == 0 || node->ahead[0].rows > 1);
}

int64_t vf_leavings(const vf_node *node)
{
	if (node->again)
		return node->again;
	if (leave_together(node))
		return 1;
	return node->stage_rows > 1 || node->nahead == 0 ? node->stage_rows : asked_parts(node);
}

static void ask(vf_leaving *l, const vf_asking *asking, int64_t bytes)
{
	l->asking = asking;
	l->block.ahead_rows = asking->rows;
	l->block.ahead_step = asking->step;
	l->block.ahead_bytes = bytes;
	l->block.ahead_into = asking->into;
}

/* Part k of a stage of one row, which leaves in as many parts as there are sets of rows to ask for. */
static vf_leaving part_of(const vf_node *node, int64_t k)
{
	int64_t parts = asked_parts(node), part = node->stage_tail / parts / 64 * 64, set = k;
	const vf_asking *asking = node->ahead;
	vf_leaving l = {.dst = k * part, .src = k * part, .taken = k * part};
	l.take = k + 1 < parts ? part : 0;
	l.block.rows = 1;
	for (; set >= asking->parts; asking++)
		set -= asking->parts;
	l.next = set * asking->part_step;
	ask(&l, asking, asking->bytes);
	return l;
}

/* Time k of the node->again times that a stage leaves: all of it, or one row. Each time asks for the same
 * share of what is read next. */
static vf_leaving again_of(const vf_node *node, int64_t k)
{
	enum { LINE = 64 };
	vf_leaving l = {.dst = k * node->again_dst, .src = node->again_at ? node->again_at[k] : 0};
	l.block.rows = 1;
	if (!node->again_at && node->stage_rows > 1) {
		l.block.rows = node->stage_rows;
		l.block.dst_step = node->stage_dst_step, l.block.src_step = node->stage_src_step;
	}
	if (!node->nahead)
		return l;
	const vf_asking *a = node->ahead;
	const bool one = a->rows == 1;
	const int64_t all = one ? a->bytes : a->rows, whole = one ? LINE : 1;
	const int64_t part = (all + node->again * whole - 1) / (node->again * whole) * whole;
	const int64_t from = k * part, left = all - from < part ? all - from : part;
	if (left <= 0)
		return l;
	ask(&l, a, one ? left : a->bytes);
	l.block.ahead_rows = one ? 1 : left;
	l.next = one ? from : from * a->step;
	return l;
}

/* If several rows ask for one row of the source, each asks for its part of it; else the first call asks for
 * all rows. */
vf_leaving vf_leaving_of(const vf_node *node, int64_t k)
{
	if (node->again)
		return again_of(node, k);
	if (node->stage_rows == 1 && node->nahead)
		return part_of(node, k);
	vf_leaving l = {.dst = k * node->stage_dst_step, .src = k * node->stage_src_step};
	int64_t parts = node->nahead && node->ahead[0].rows == 1 ? node->stage_rows : 1;
	l.block.rows = 1;
	if (leave_together(node)) {
		l.block.rows = node->stage_rows;
		l.block.dst_step = node->stage_dst_step, l.block.src_step = node->stage_src_step;
	}
	if (!node->nahead || k >= parts)
		return l;
	ask(&l, node->ahead, node->ahead[0].bytes / parts);
	l.next = k * l.block.ahead_bytes;
	return l;
}
