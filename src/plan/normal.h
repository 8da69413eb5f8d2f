/* normal.h -- a job in its normal form, as one flat array of numbers: what jobs are compared by.
 *
 * Two jobs of the same normal form get the same plan, hence the same code; the array is the key of
 * the code cache, and it is all that the planner reads. From here on everything counts bytes.
 */
#pragma once

#include "core/context.h"
#include "plan/move.h"

/* words[]: a head, then of each piece a head and its loops: extent, dst, src, lists of each.
 *
 * A piece moves, at every index of its loops, `run_bytes` contiguous bytes (or fills them). Loops
 * stand outermost first: dst strides are positive and descend; extents are at least 2; no two
 * neighbours chain in both; the source of a fill has offset and strides 0. A loop with a list of offsets has
 * the list's number in its fourth word, and that stride is 0; one that writes by a list stands where its step
 * in the source belongs.
 *
 * A piece that computes has run_bytes 0 and all its loops. In a loop, the strides of the operands follow the
 * lists. The loops are followed by the source and offset of each operand, then by the formula's bytes up to
 * the end of its last term. */
typedef struct vf_normal {
	int64_t *words;
	int64_t nword;
	int64_t local[160]; /* where `words` points for the usual job */
} vf_normal;

/* Words by their places in the head, and in that of a piece; lengths of these, too. */
enum {
	VF_NORMAL_ELEM_BYTES,
	VF_NORMAL_SOURCES,
	VF_NORMAL_PIECES,
	VF_NORMAL_DENSE_BYTES,
	VF_NORMAL_TIMES,
	VF_NORMAL_READS_MEMORY,
	VF_NORMAL_DESTINATIONS,
	VF_NORMAL_LISTS,
	VF_NORMAL_HEAD
};
enum {
	VF_PIECE_SOURCE, /* -1: it fills */
	VF_PIECE_DST,
	VF_PIECE_SRC,
	VF_PIECE_RUN_BYTES, /* 0: it computes */
	VF_PIECE_LOOPS,
	VF_PIECE_FILL, /* two words */
	VF_NORMAL_PIECE = VF_PIECE_FILL + 2,
	VF_PIECE_OPERANDS = VF_NORMAL_PIECE, /* from here on where it computes */
	VF_PIECE_WORDS,                      /* all of this piece */
	VF_PIECE_FORMULA_BYTES,
	VF_NORMAL_COMPUTED
};
enum { VF_NORMAL_LOOP = 4 };

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

static inline bool vf_piece_computes(const int64_t *piece)
{
	return piece[VF_PIECE_RUN_BYTES] == 0;
}

/* Where its loops begin, the words of one, and those of the piece. */
static inline const int64_t *vf_piece_loops(const int64_t *piece)
{
	return piece + (vf_piece_computes(piece) ? VF_NORMAL_COMPUTED : VF_NORMAL_PIECE);
}

static inline int64_t vf_normal_loop_words(const int64_t *piece)
{
	return VF_NORMAL_LOOP + (vf_piece_computes(piece) ? piece[VF_PIECE_OPERANDS] : 0);
}

static inline int64_t vf_normal_piece_words(const int64_t *piece)
{
	return vf_piece_computes(piece) ? piece[VF_PIECE_WORDS]
	                                : VF_NORMAL_PIECE + VF_NORMAL_LOOP * piece[VF_PIECE_LOOPS];
}

/* Of a piece that computes: its formula, and its operands' sources and offsets. */
void vf_normal_get_formula(const int64_t *piece, vf_formula *formula);
static inline const int64_t *vf_normal_operands(const int64_t *piece)
{
	return vf_piece_loops(piece) + piece[VF_PIECE_LOOPS] * vf_normal_loop_words(piece);
}

/* ---- all ---- */

/* False with the error kept (VF_ERR_MEMORY, VF_ERR_LIMIT). vf_normal_drop in either case. About
 * 100 ns for a few loops. `normal` must not be moved afterwards: it may point into itself. */
bool vf_normalise(vf_context *ctx, vf_normal *normal, const vf_job *job);
void vf_normal_drop(vf_context *ctx, vf_normal *normal);
