/* plan.h -- a plan: which loops run in which order, and how each innermost piece is moved.
 *
 * A plan is a value: numbers only, no pointers to data, no code. It is a forest. Its *roots* run
 * one after the other; a *node* runs loops that all leaves below it have in common, and at each
 * index its children, in order; a *leaf* runs the loops it has left and moves what is innermost
 * by one strategy. Emitter and interpreter both walk the same forest.
 *
 * Everything counts bytes but extents. The address that a leaf writes at one index of its loops is
 *
 *     dst + leaf.dst + sum over its loops k of i_k * loops[k].dst
 *
 * and likewise for its source. Loops 0 .. depth-1 of a leaf are run by the nodes above it.
 */
#ifndef VF_PLAN_PLAN_H
#define VF_PLAN_PLAN_H

#include "core/context.h"
#include "plan/normal.h"
#include "plan/tiling.h"

/* At the last index of the loop just outside, a loop runs `tail` times instead of `extent`: so a
 * long loop is cut into chunks. tail == extent where it is not cut. */
typedef struct vf_span {
	int64_t extent, tail, dst, src;
} vf_span;

typedef enum vf_strategy {
	VF_COPY,    /* one contiguous run */
	VF_ROWS,    /* contiguous runs, a constant step apart */
	VF_FILL,    /* a constant */
	VF_SPREAD,  /* one source unit many times, side by side */
	VF_REVERSE, /* units in reverse */
	VF_GATHER,  /* side by side in dst, a constant stride in the source */
	VF_SCATTER, /* side by side in the source, a constant stride in dst */
	VF_NEST,    /* units with a stride on both sides */
	VF_INTERLEAVE,   /* 2 to 4 planes of the source become pixels */
	VF_DEINTERLEAVE, /* pixels become planes */
	VF_SHUFFLE, /* blocks of up to 64 bytes, each permuted alike */
	VF_MATRIX,  /* side by side along two different loops, in cache */
	VF_TILE,    /* the same beyond it, all loops at once: the tile engine */
	VF_STRATEGIES
} vf_strategy;

typedef struct vf_leaf {
	vf_strategy strategy;
	int source; /* -1: fill */
	int64_t dst, src;
	int64_t unit_bytes; /* what moves at one index of all the loops */
	int nloop;
	int ninner;   /* the last `ninner` loops belong to the strategy; 0 until it is chosen */
	int capacity; /* loops that there is room for */
	vf_span *loops;
	unsigned char fill[16]; /* one element, where source is -1 */
	int64_t fill_unit;      /* the shortest pattern that, repeated, is the fill */
	/* VF_SHUFFLE: a unit's byte k comes from byte table[k] of a block of block_bytes of the source. NULL
	 * elsewhere. */
	const unsigned char *table;
	int64_t block_bytes;
	const vf_tiling *tiling; /* VF_TILE: stands for all of the leaf's loops */
	int64_t stage_step;      /* VF_DEINTERLEAVE below a stage: how far apart planes are there; or 0 */
	bool stream;             /* past the cache, without a stage */
} vf_leaf;

typedef struct vf_node {
	const vf_leaf *leaf; /* a leaf's node runs no loops: nloop and nchild are 0 */
	int depth, nloop;    /* runs loops [depth, depth + nloop) of every leaf below */
	const vf_span *loops; /* those loops, as its first leaf has them */
	int nchild;
	struct vf_node *children;
	/* A staged node's children write to scratch what lies at [stage_lo, stage_lo + stage_bytes) from
	 * its place in dst (stage_tail bytes at the last index of its last loop), which then goes to dst
	 * in one streaming copy. With stage_rows > 1 that many such pieces, dst_step apart in dst and
	 * src_step apart in the scratch. */
	bool staged;
	int64_t stage_lo, stage_bytes, stage_tail;
	int64_t stage_rows, stage_dst_step, stage_src_step;
	/* While it goes, what leaf `ahead` (NULL: none) reads at the next index of the node's last loop is asked
	 * for: rows of the source, from ahead_src on, counted like leaf->src. */
	const vf_leaf *ahead;
	int64_t ahead_src, ahead_rows, ahead_step, ahead_bytes;
	int64_t ahead_parts, ahead_part_step; /* so many sets of such rows, while as many parts of the stage leave */
	bool pieces; /* a root whose units are the pieces of its leaf's tiling */
	/* Roots: their units are numbered [first_unit, first_unit + units). One unit is one index of the
	 * root's loops together, or one piece of its only leaf's tile. */
	int64_t first_unit, units;
} vf_node;

typedef struct vf_plan {
	vf_arena arena; /* holds all of the below */
	int64_t elem_bytes, out_bytes, units;
	int64_t scratch_bytes; /* that a run of units needs, each thread its own */
	bool streams; /* non-temporal stores: a fence is due before another thread may look */
	int nsource;
	int nleaf, nroot;
	vf_leaf *leaves; /* in the order in which they run */
	vf_node *roots;
	const char *strategy; /* the strategies, joined by "+" */
	const char *reason;
} vf_plan;

/* What planning depends on beside the job. */
typedef struct vf_machine {
	vf_cpu cpu;
	int64_t piece_bytes;  /* what one unit of several leaves comes to, at most: half of L1 */
	int64_t stage_bytes;  /* what is worth a stage, at least */
	int64_t staged_bytes; /* and at most: so that what is read next is fetched while it leaves */
	int64_t chunk_bytes;  /* what one unit of one leaf comes to, at least */
	int64_t stream_bytes; /* results from here on are streamed past the cache */
	bool lines;           /* kernels that put lines together stream without a stage */
} vf_machine;

vf_machine vf_machine_read(void);

/* The plan of a job in normal form, or NULL with the error kept. Deterministic in its arguments.
 * Microseconds. Given back by vf_plan_drop (NULL is allowed). */
vf_plan *vf_plan_make(vf_context *ctx, const vf_normal *normal, const vf_machine *machine);
void vf_plan_drop(vf_context *ctx, vf_plan *plan);

/* Readable, one loop or leaf a line; the same plan prints the same text. */
void vf_plan_print(const vf_plan *plan, vf_text *text);

const char *vf_strategy_name(vf_strategy strategy);

#endif
