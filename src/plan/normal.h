/* normal.h -- a job in its normal form, as one flat array of numbers: what jobs are compared by.
 *
 * Two jobs of the same normal form get the same plan, hence the same code; the array is the key of
 * the code cache, and it is all that the planner reads. From here on everything counts bytes.
 */
#pragma once

#include "core/context.h"
#include "plan/move.h"

/* words[]: elem_bytes, nsource, npiece, dense_bytes, destinations, lists, then per piece
 *     source, dst, src, run_bytes, nloop, fill (2 words), then extent, dst, src, lists per loop
 *
 * A piece moves, at every index of its loops, `run_bytes` contiguous bytes (or fills them). Loops
 * stand outermost first: dst strides are positive and descend; extents are at least 2; no two
 * neighbours chain in both; the source of a fill has offset and strides 0. A loop with a list of offsets has
 * its number in the place of that stride, which is 0; one that writes by a list stands where its step in the
 * source belongs.
 *
 * A piece that computes has run_bytes 0, all its loops, and more words (below). */
typedef struct vf_normal {
	int64_t *words;
	int64_t nword;
	int64_t local[160]; /* where `words` points for the usual job */
} vf_normal;

/* Words by their places in the head; its length is the last. */
enum {
	VF_NORMAL_ELEM_BYTES,
	VF_NORMAL_SOURCES,
	VF_NORMAL_PIECES,
	VF_NORMAL_DENSE_BYTES,
	VF_NORMAL_DESTINATIONS,
	VF_NORMAL_LISTS,
	VF_NORMAL_HEAD
};
enum { VF_NORMAL_PIECE = 7, VF_NORMAL_LOOP = 4 };

/* A loop's word for its lists, and what it says. */
static inline int64_t vf_normal_lists(int list, int dst_list)
{
	return list | (int64_t)dst_list << 32;
}

static inline int vf_normal_list(int64_t word)
{
	return (int)(word & INT32_MAX);
}

static inline int vf_normal_dst_list(int64_t word)
{
	return (int)(word >> 32);
}

/* The words of the piece at `piece`, and the part of them that is one loop's. */
static inline int64_t vf_normal_loop_words(const int64_t *piece)
{
	return VF_NORMAL_LOOP + (piece[3] == 0 ? piece[7] : 0);
}

static inline int64_t vf_normal_piece_words(const int64_t *piece)
{
	return piece[3] == 0 ? piece[8] : VF_NORMAL_PIECE + VF_NORMAL_LOOP * piece[4];
}

/* ---- pieces that compute ---- */

/* words: as above to fill, then
 *     noperand, words of this piece, bytes of the formula
 *     per loop extent, dst, src, lists, and the stride of each operand
 *     source and offset of each operand
 *     the formula: its bytes up to the last term's end */
enum { VF_NORMAL_COMPUTED = VF_NORMAL_PIECE + 3 };

/* Its formula, and where the loops of such a piece begin and its operands' sources and offsets. */
void vf_normal_get_formula(const int64_t *piece, vf_formula *formula);
static inline const int64_t *vf_normal_operands(const int64_t *piece)
{
	return piece + VF_NORMAL_COMPUTED + piece[4] * vf_normal_loop_words(piece);
}

/* ---- all ---- */

/* False with the error kept (VF_ERR_MEMORY, VF_ERR_LIMIT). vf_normal_drop in either case. About
 * 100 ns for a few loops. `normal` must not be moved afterwards: it may point into itself. */
bool vf_normalise(vf_context *ctx, vf_normal *normal, const vf_job *job);
void vf_normal_drop(vf_context *ctx, vf_normal *normal);
