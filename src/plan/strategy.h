/* strategy.h -- the table of strategies: how one leaf can be moved, when, and at what price. */
#pragma once

#include "plan/strategies/strategies.h"

extern const vf_strategy_row *const vf_strategy_rows[VF_STRATEGIES];

/* Give the leaf its last loop, and bring loops that a strategy takes together next to each other: the planes
 * of pixels to the end, the source's own line before the destination's. On the way in unit_bytes is the
 * length of its contiguous run. On the way out it is what the codelets take as a unit: an element or pixel of
 * a size they are fast for, the period of a fill, or 1 where a run is moved as bytes. leaf->loops has room
 * for one more loop. At least one loop is left after. */
void vf_leaf_shape(vf_leaf *leaf, int depth);

/* The length in bytes of the shortest pattern that, repeated, is one element of a fill. */
int64_t vf_fill_period(const unsigned char fill[16], int64_t elem_bytes);

/* Do the loops from `depth` on contain planes and pixels, which codelets take apart or together? `leaf` is
 * not shaped yet. */
bool vf_leaf_has_planes(const vf_leaf *leaf, int depth);

/* Do the loops from `depth` on contain them, but not those from `inside` on? Then planes are a loop outside,
 * and each reads all pixels. */
static inline bool vf_leaf_loses_planes(const vf_leaf *leaf, int depth, int inside)
{
	return vf_leaf_has_planes(leaf, depth) && !vf_leaf_has_planes(leaf, inside);
}

/* A loop other than `line` whose steps in the source are one unit, or minus one with `backward`; -1: none. */
int vf_source_line(const vf_leaf *leaf, int depth, int line, bool backward);

/* Do source and destination run side by side along different loops? `leaf` is not shaped yet. */
bool vf_leaf_crosses(const vf_leaf *leaf, int depth);
/* Are units of some lines far apart along the last loop, and near along another, with gaps? That one; -1:
 * they are not. */
int vf_gapped_line(const vf_leaf *leaf, int depth);

/* Are these a few columns of long rows, better gathered one by one than transposed? The last loop runs along
 * dst. */
bool vf_takes_columns(const vf_leaf *leaf, const vf_span *columns);

/* Where the strategy of a leaf takes a loop of rows, let it be the longest of those that are left: a call for
 * many rows costs little more than one for two. For leaves that write to a cache, where order is free. */
void vf_leaf_widen(vf_leaf *leaf, int depth);

/* Lets a leaf that streams copy sets of rows by one call, where all of them follow each other in dst. */
void vf_leaf_take_sets(vf_leaf *leaf, int depth);

/* Brings loops with tables outside of the others that are left, for a leaf that writes to a cache: no codelet
 * runs a table, so a call takes what is inside the last one. */
void vf_leaf_tables_outside(vf_leaf *leaf, int depth);

/* Does the leaf, its strategy chosen, stream well by itself? Where not `lines`, only what is copied in long
 * runs; else also what fills some lines without a gap. */
bool vf_leaf_streams(const vf_leaf *leaf, bool lines);

/* Bytes of the rows that a call of a leaf that streams reads side by side; 0: it does not. */
int64_t vf_bytes_beside(const vf_leaf *leaf);

/* The call that moves the inner loops of a leaf whose strategy is chosen. */
vf_codelet_call vf_codelet_call_of(const vf_leaf *leaf);

/* Choose the cheapest row that applies to a shaped leaf: sets strategy and ninner. Those whose bits are set
 * in `without` are taken only where no other applies. */
void vf_leaf_choose(vf_leaf *leaf, int depth, unsigned without);
