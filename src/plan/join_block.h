/* join_block.h -- blocks of at most 64 bytes, each byte from a place of a source or a constant; for join.c.
 *
 * Leaves under the same outer loops that together write every byte of a block are one leaf, which strategy
 * `pick` moves. So is a single leaf whose inner loops permute the bytes of a block.
 */
#pragma once

#include "plan/plan.h"

enum { VF_MOST_BLOCK = 64 };

/* Makes a block that leaf[0] begins: the smallest of which many follow each other, or the largest. Returns
 * how many leaves it takes; 0: there is no block; -1 out of memory. */
int vf_join_block(vf_plan *plan, vf_leaf *leaf, int n);

/* How many of n leaves, from the first on, lie in an even row (join.c). */
int vf_count_even(const vf_leaf *leaf, int n);
