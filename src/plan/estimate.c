/* estimate.c -- what a whole plan takes, by the model that chose its parts.
 *
 * In     a plan
 * Out    picoseconds of one run
 * Keeps  the plan
 * Tests  tests/unit/test_relay.c
 *
 * It tells plans apart that differ by half and more. (A Xeon with AMX, 242 random chains of 4 to 300 MB,
 * estimated by measured time: half of them 0.77 to 1.06, nine in ten 0.54 to 1.40.)
 */
#include "plan/group.h"

/* What memory takes for a byte of dst and what is read for it, in picoseconds. */
enum { MEMORY = 80 };

/* In the caches it is what bytes, units and calls take; past them lines, and the ends of rows that are no
 * whole lines. */
static double rate_of_blocks(const vf_leaf *leaf)
{
	enum { A_BYTE = 60, A_UNIT = 120, A_ROW = 2000, A_CALL = 150000, STREAMED = 125, AN_END = 20000 };
	const vf_tiling *t = leaf->tiling;
	const double unit = (double)leaf->unit_bytes, row = (double)t->count_a * unit;
	if (t->stream == VF_STORE)
		return A_BYTE + A_UNIT / unit + A_ROW / row +
		       A_CALL / ((double)t->chunk_a * (double)t->chunk_b * unit);
	return t->stream == VF_CARRY ? STREAMED + AN_END / row : STREAMED;
}

/* Not vf_leaf_bytes(): loops that are cut have whole chunks here, which may come to more than 2^63 bytes. */
static double bytes_of(const vf_leaf *leaf)
{
	double bytes = (double)leaf->unit_bytes;
	for (int k = 0; k < leaf->nloop; k++)
		bytes *= (double)leaf->loops[k].extent;
	return bytes;
}

static double time_of_leaf(const vf_plan *plan, const vf_leaf *leaf, double rate)
{
	enum { IN_CACHE = 1 << 20, A_BYTE_READ = 60 };
	const double least = plan->streams || plan->out_bytes >= IN_CACHE ? MEMORY : 0;
	const double move = bytes_of(leaf) * (rate < least ? least : rate);
	const double read = leaf->tiling ? 0 : A_BYTE_READ * vf_bytes_read(leaf, IN_CACHE);
	return move < read ? read : move;
}

/* `parting`: of a node around this one, whose call moves what its leaves would; or NULL. */
static double time_of_node(const vf_plan *plan, const vf_node *node, const vf_parting *parting)
{
	enum { A_PICK = 60 };
	double sum = 0;
	if (node->leaf)
		return time_of_leaf(plan, node->leaf,
		                    parting              ? parting->cost
		                    : node->leaf->tiling ? rate_of_blocks(node->leaf)
		                                         : node->leaf->costs[node->leaf->strategy]);
	for (int k = 0; k < node->nchild; k++) {
		const vf_node *child = &node->children[k];
		sum += time_of_node(plan, child, node->parting ? node->parting : parting);
		if (node->placing && child->leaf)
			sum += A_PICK * bytes_of(child->leaf);
	}
	return sum;
}

double vf_plan_estimate(const vf_plan *plan)
{
	double sum = 0;
	for (int k = 0; k < plan->nroot; k++)
		sum += time_of_node(plan, &plan->roots[k], NULL);
	return sum;
}
