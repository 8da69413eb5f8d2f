/* move.h -- what the fold hands to the plan: strided copies and fills, with what is done to an element on the
 * way.
 *
 * A *move* says, for every index (i_0, ..., i_{n-1}) with 0 <= i_k < extent_k,
 *
 *     dst[dst_offset + sum i_k * loop_k.dst] = source[src_offset + sum i_k * loop_k.src]
 *
 * or, where source is -1, = fill. All numbers count elements of `elem_bytes` bytes.
 *
 * A move with a *formula* writes formula(source[...]) in place of source[...], or formula(fill). Where a term
 * of it has an operand j, that is
 *
 *     source of operands[j] [offset + sum i_k * operands[j].strides[k]]
 *
 * Then `src_offset` and the loops' src (and their tables) count elements of formula->from, and `fill` is one
 * of them; what an operand counts are elements of the type of the terms that read it. All of dst counts
 * elements of formula->to, which are those of the job. Moves with and without a formula stand side by side in
 * one job. An operand has a source, has no tables, and is read for each element of the move: stride 0 where
 * it is stretched.
 *
 * A *job* is a list of moves into one destination. What its maker promises:
 *   - no element of the destination is written twice, by one move or by two;
 *   - every offset reached is inside its buffer, and arithmetic on elements and on bytes
 *     stays inside int64_t;
 *   - source and destination buffers do not overlap;
 *   - extents are >= 1 (an empty move is left out); loops are in no particular order;
 *   - buffers have any alignment; source elements may be read many times (stride 0).
 * A job may have several destinations (`nplace`), alike but for where they are: a loop of its one move whose
 * dst is VF_PLACE_STEP bytes writes at index i in destination i. The kernel is given the first as `dst`, the
 * others as its last nplace - 1 sources, which no move reads. Offsets in one are below VF_PLACE_STEP.
 * The kernel is given the lists behind the sources.
 *
 * `dst_offset` 0 is the byte the kernel is given as `dst`; `src_offset` 0 likewise. Offsets
 * may be negative where the buffer's pointer is not its lowest address.
 */
#pragma once

#include "core/formula.h"

/* Bytes; a number that stands for "the next destination", and is never added to an address. */
#define VF_PLACE_STEP (INT64_C(1) << 40)
enum { VF_MOST_PLACES = 4 };

typedef struct vf_loop {
	int64_t extent;
	int64_t dst, src; /* strides, in elements */
	/* NULL; else i_k reads table[i_k] elements on in place of i_k * src, which is 0. */
	const int64_t *table;
	/* NULL; else i_k writes dst_table[i_k] elements on: in writes through views only; dst is 0. */
	const int64_t *dst_table;
	int list, dst_list; /* which of the job's lists these are, from 1 on; 0: no table */
} vf_loop;

/* A table that the kernel is given, behind its sources, as offsets in bytes: code knows how many there are,
 * not what they are. */
typedef struct vf_list {
	const int64_t *table; /* in elements, one an index */
	int64_t n, elem_bytes;
	bool backwards; /* the last index first: its loop writes downwards */
} vf_list;

/* An array that a formula reads beside the move's source. */
typedef struct vf_operand {
	int source;             /* index into the kernel's sources */
	int64_t offset;         /* in elements of the operand's type, as the strides */
	const int64_t *strides; /* one a loop of the move */
} vf_operand;

typedef struct vf_move {
	int source; /* index into the kernel's sources; -1: fill */
	int64_t dst_offset, src_offset;
	int nloop; /* up to 256 */
	const vf_loop *loops;
	unsigned char fill[16];     /* one element; elements beyond 16 bytes are only ever filled with zero */
	const vf_formula *formula;  /* NULL: bytes move as they are */
	const vf_operand *operands; /* formula->noperand of them */
} vf_move;

typedef struct vf_job {
	int64_t elem_bytes; /* 1 to 65535 */
	int nsource;
	int nmove;
	const vf_move *moves;
	/* Elements from dst 0 that the moves together cover without a gap, from dst 0: the whole
	 * result of a materialise. 0 where that is not so (an assign through a view). */
	int64_t dst_dense;
	/* The result is made by so many jobs like this, one after the other; 0, as 1: this is all. */
	int64_t times;
	/* What it reads is in no cache, however little it writes: a block of a cut that is gone through. */
	bool reads_memory;
	int nplace; /* destinations; 0, as 1: one */
	int nlist;
	const vf_list *lists;
} vf_job;
