/* leave.c -- the calls by which a stage goes to its place; see leave.h.
 *
 * In     a staged node
 * Out    for each call what it takes of the stage, and which lines of the source are asked for meanwhile
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/leave.h"

enum { INTO_L1 = 1 };

int64_t vf_leavings(const vf_node *node)
{
	return node->stage_rows > 1 || !node->ahead ? node->stage_rows : node->ahead_parts;
}

static void ask(vf_leaving *l, const vf_node *node, int64_t bytes)
{
	l->block.ahead_rows = node->ahead_rows;
	l->block.ahead_step = node->ahead_step;
	l->block.ahead_bytes = bytes;
	l->block.ahead_into = INTO_L1;
}

/* Part k of a stage that leaves in as many parts as there are sets of rows to ask for. */
static vf_leaving part_of(const vf_node *node, int64_t k)
{
	int64_t part = node->stage_tail / node->ahead_parts / 64 * 64;
	vf_leaving l = {.dst = k * part, .src = k * part, .taken = k * part};
	l.take = k + 1 < node->ahead_parts ? part : 0;
	l.next = k * node->ahead_part_step;
	ask(&l, node, node->ahead_bytes);
	return l;
}

/* Of several rows each asks for its part of the one row of the source, or the first for all rows. */
vf_leaving vf_leaving_of(const vf_node *node, int64_t k)
{
	if (node->stage_rows == 1 && node->ahead && node->ahead_parts > 1)
		return part_of(node, k);
	vf_leaving l = {.dst = k * node->stage_dst_step, .src = k * node->stage_src_step};
	int64_t parts = node->ahead_rows == 1 ? node->stage_rows : 1;
	if (!node->ahead || k >= parts)
		return l;
	ask(&l, node, node->ahead_bytes / parts);
	l.next = k * l.block.ahead_bytes;
	return l;
}
