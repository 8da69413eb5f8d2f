/* compute.h -- pieces that compute: what is read goes through a formula on its way. */
#pragma once

#include "plan/lower.h"
#include "plan/tree.h"

/* What the last leaf of such a piece does. Before it stand, from the first on: for each operand a leaf that
 * brings it to a stage; then one that brings what is read to a stage, with the same loops over blocks; then
 * for each operand, with the same loops as the last leaf, one that only reads. Where results are computed
 * before they are moved (vf_compute_first()), the second of these does so, and the first ones only read. */
typedef struct vf_computation {
	vf_formula formula;
	vf_sweeps sweeps;
	int64_t from, to; /* bytes of an element */
	int noperand;
	bool staged;         /* reads the stage, at leaf->src from its start; else leaf->source */
	bool beside;         /* rows that are one run where they are read go to places in dst */
	int64_t next_beside; /* how far on the next rows of these kinds lie, if they are asked for; or 0 */
	int64_t later;       /* how far on a run is asked for, where the plan has decided it; or 0 */
	bool together;       /* rows go in turn with those of other pieces (pieces.c) */
	unsigned stays;      /* bit k: operand k stays in the second cache, and is not asked for */
	bool crossed;        /* reads no stage, but columns: codelets/crossed.h */
	bool first;          /* the stage has results: `apply` fills it, another leaf moves them to dst */
	int64_t stage_bytes;
	/* Where an operand's stage is, from the start; -1: it is read as it lies. */
	int64_t operand_at[VF_MOST_OPERANDS];
	int64_t group, dst_group, src_group, operand_group[VF_MOST_OPERANDS]; /* as vf_pass has them */
} vf_computation;

/* Bytes of an element that a leaf reads. */
static inline int64_t vf_element_read(const vf_leaf *leaf)
{
	return leaf->compute ? leaf->compute->from : leaf->unit_bytes;
}

/* Makes the leaves of the piece at `words` (normal.h), from `leaf` on. Their loops are as the piece has them,
 * and they read the source. False with the error kept. */
bool vf_computed_read(vf_plan *plan, vf_leaf *leaf, const int64_t *words);

/* How many leaves the piece has. */
static inline int vf_computed_leaves(const int64_t *words)
{
	return vf_piece_computes(words) ? (int)(2 * words[VF_PIECE_OPERANDS]) + 2 : 1;
}

/* The root of the piece whose first leaf is plan->leaves[a]: loops over blocks; of each block first what
 * brings it to the stage, then what computes it. */
vf_node vf_computed_root(vf_planner *p, int a);

/* Does the leaf read as it writes, by no stage, and by no list? Then its computation says where
 * second values are. */
bool vf_computes_as_it_lies(vf_planner *p, vf_leaf *leaf);

/* Makes the leaves that bring what a block reads to its stages, by loops from `depth` on. Then `leaf` reads
 * the stages. */
void vf_make_stages(vf_planner *p, vf_leaf *leaf, int depth);

/* May it be computed first: do elements become shorter, and does the source have runs of them? */
bool vf_may_compute_first(const vf_planner *p, const vf_leaf *leaf);

/* The other way round, where elements become shorter: the leaf before `leaf` computes what is read to the
 * stage, and `leaf` moves it from there. False where it does not; `leaf` is then as it was. */
bool vf_compute_first(vf_planner *p, vf_leaf *leaf, int depth);

/* The operand leaves of a leaf that computes, one after the other. */
static inline const vf_leaf *vf_operands(const vf_leaf *leaf)
{
	return leaf - leaf->compute->noperand;
}

/* Is each second value one, or are they side by side, along a loop of the leaf? */
bool vf_operands_follow(const vf_leaf *leaf, int loop);

/* The leaf that reads operand k's source. */
static inline const vf_leaf *vf_operand_reader(const vf_leaf *leaf, int k)
{
	const vf_computation *c = leaf->compute;
	return c->operand_at[k] < 0 ? vf_operands(leaf) + k : leaf - 2 * c->noperand - 1 + k;
}

/* Which operand's stage `gather` fills, a leaf of the same node; noperand: the stage of what is computed. */
static inline int vf_gathers_operand(const vf_leaf *leaf, const vf_leaf *gather)
{
	return (int)(gather - (leaf - 2 * leaf->compute->noperand - 1));
}

/* The loop whose elements are side by side in the source, while those of the innermost loop are far apart, if
 * `apply` turns the two by itself (codelets/crossed.h) and gains; else -1. vf_crossed_rows(): how many rows
 * such a block has, of `extent`. */
int vf_crossed_loop(const vf_planner *p, const vf_leaf *leaf);
int64_t vf_crossed_rows(const vf_computation *c, int64_t extent);

/* Are rows that lie side by side read in another order than that of the source? */
bool vf_computed_crosses(const vf_leaf *leaf);

/* The order of rows that have other rows between them in the source. Where rows are one run there, and whole
 * lines in dst, two or more, they go as they are read: such lines leave as fast to any place. (Where they
 * leave by pairs, whole pairs.) Else some of one kind go, then as many of the next: what is read stays near,
 * and dst is written by runs. `first`: operands and what computes, n leaves with the same loops; second
 * values stay the same along the rows between, or lines leave by pairs. A Xeon with AMX, of the fastest copy,
 * by rows, by 32 of each (8 and 128 were less) and as they are read: f32 [8,1024,12,64] by heads + m 0.56,
 * 0.60 and 0.76, heads of 64 to f16 0.44, 0.59 and 0.78, 16 heads of 128 + m 0.52, 0.65. Zen 4, by rows and
 * as they are read: those heads - m, of which each column has one, 0.64 and 0.86; + m 0.66 and 0.54. */
void vf_take_rows_beside(const vf_planner *p, vf_leaf *first, int n);

/* Merges loops of a block, from `depth` on, that go on alike in all that n leaves read and write. */
void vf_merge_alike(vf_leaf *first, int n, int depth);

/* The same. If `apply` takes rows in groups, the last three loops that are left become two. */
void vf_merge_rows(vf_leaf *first, int n, int depth);

/* The pass of a leaf in blocks that computes while it packs: its elements are side by side. */
void vf_packing_pass(const vf_computation *c, vf_pass *pass);

/* The call's fields for asking ahead, of a node that computes and has something to ask for. */
static inline void vf_ask_ahead(const vf_node *node, vf_block *block)
{
	block->ahead_rows = node->ahead[0].rows;
	block->ahead_step = node->ahead[0].step;
	block->ahead_bytes = node->ahead[0].bytes;
	block->ahead_into = node->ahead_first ? 1 : 2;
	if (node->ahead[0].parts > 1)
		block->ahead_sets = node->ahead[0].parts, block->ahead_set_step = node->ahead[0].part_step;
}

/* The call's pass: all but the sweeps' address. */
void vf_pass_of(const vf_leaf *leaf, vf_pass *pass);
