/* normal.h -- a job in its normal form, as one flat array of numbers: what jobs are compared by.
 *
 * Two jobs of the same normal form get the same plan, hence the same code; the array is the key of
 * the code cache, and it is all that the planner reads. From here on everything counts bytes.
 */
#ifndef VF_PLAN_NORMAL_H
#define VF_PLAN_NORMAL_H

#include "core/context.h"
#include "plan/move.h"

/* words[]: elem_bytes, nsource, npiece, dense_bytes, then per piece
 *     source, dst, src, run_bytes, nloop, fill (2 words), then extent, dst, src per loop
 *
 * A piece moves, at every index of its loops, `run_bytes` contiguous bytes (or fills them). Loops
 * stand outermost first: dst strides are positive and descend; extents are at least 2; no two
 * neighbours chain in both; the source of a fill has offset and strides 0. */
typedef struct vf_normal {
	int64_t *words;
	int64_t nword;
	int64_t local[160]; /* where `words` points for the usual job */
} vf_normal;

enum { VF_NORMAL_HEAD = 4, VF_NORMAL_PIECE = 7, VF_NORMAL_LOOP = 3 };

/* False with the error kept (VF_ERR_MEMORY, VF_ERR_LIMIT). vf_normal_drop in either case. About
 * 100 ns for a few loops. `normal` must not be moved afterwards: it may point into itself. */
bool vf_normalise(vf_context *ctx, vf_normal *normal, const vf_job *job);
void vf_normal_drop(vf_context *ctx, vf_normal *normal);

#endif
