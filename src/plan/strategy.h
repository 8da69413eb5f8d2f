/* strategy.h -- the table of strategies: how one leaf can be moved, when, and at what price. */
#ifndef VF_PLAN_STRATEGY_H
#define VF_PLAN_STRATEGY_H

#include "plan/plan.h"

/* A row's functions look at a leaf that has loops [depth, nloop) left and is shaped (below). */
typedef struct vf_strategy_row {
	const char *name;
	/* How many of the last loops the strategy takes, 0 if it does not apply. */
	int (*applies)(const vf_leaf *leaf, int depth);
	/* Estimated picoseconds for each byte of result, data in cache. */
	double (*cost)(const vf_leaf *leaf, int depth);
} vf_strategy_row;

extern const vf_strategy_row vf_strategy_rows[VF_STRATEGIES];

/* Give the leaf its last loop, and bring loops that a strategy takes together next to each other: the
 * planes of pixels to the end, the source's own line before the destination's. On the way in unit_bytes is the length of its contiguous run; on the way
 * out it is what the kernels take as a unit: an element or pixel of a size they are fast for, the
 * period of a fill, or 1 where a run is moved as bytes. leaf->loops has room for one more. At least one loop is left after. */
void vf_leaf_shape(vf_leaf *leaf, int depth);

/* The length in bytes of the shortest pattern that, repeated, is one element of a fill. */
int64_t vf_fill_period(const unsigned char fill[16], int64_t elem_bytes);

/* Do the loops from `depth` on contain planes and pixels, which kernels take apart or together? `leaf` is not
 * shaped yet. */
bool vf_leaf_has_planes(const vf_leaf *leaf, int depth);

/* Do source and destination run side by side along different loops? `leaf` is not shaped yet. */
bool vf_leaf_crosses(const vf_leaf *leaf, int depth);

/* Where the strategy of a leaf takes a loop of rows, let it be the longest of those that are left: a call for
 * many rows costs little more than one for two. For leaves that write to a cache, where order is free. */
void vf_leaf_widen(vf_leaf *leaf, int depth);

/* Does the leaf, its strategy chosen, stream well by itself? Where not `lines`, only what is copied in long
 * runs; else also what fills some lines without a gap. */
bool vf_leaf_streams(const vf_leaf *leaf, bool lines);

/* Choose the cheapest row that applies to a shaped leaf: sets strategy and ninner. */
void vf_leaf_choose(vf_leaf *leaf, int depth);

#endif
