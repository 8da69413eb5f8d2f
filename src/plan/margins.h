/* margins.h -- what is transposed in blocks: borders around it become rows of it, and what is too long for a
 * table is cut. */
#pragma once

#include "plan/tree.h"

/* Indices of a loop that may all have a place in one table. */
enum { VF_LONG_TABLE = 16384 };

/* axes.c. Rewrites leaves that are as the job has them. False out of memory, which is kept. */
bool vf_join_axes(vf_planner *p);

/* Rewrites leaves that are joined. False out of memory, which is kept. */
bool vf_take_margins(vf_planner *p);

/* cut_long.c. The same. */
bool vf_cut_long(vf_planner *p);

/* Has the leaf margins? Then it goes in blocks, and nothing else can move it. */
bool vf_has_margins(const vf_leaf *leaf);

/* Would all of the leaf's margins be in the run A of its blocks, and pay? `more`: other constants are between
 * its rows (strategies/transpose.c). */
bool vf_takes_margins(vf_planner *p, const vf_leaf *leaf, bool more);

/* Would the leaf be transposed in blocks, and all of its tables be in their run A, or outside? */
bool vf_takes_tables(vf_planner *p, const vf_leaf *leaf);
