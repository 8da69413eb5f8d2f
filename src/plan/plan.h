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
#pragma once

#include "codelets/codelet.h"
#include "codelets/cpu.h"
#include "core/context.h"
#include "plan/weighing.h"
#include "plan/normal.h"

/* A loop. Where a long loop is cut into chunks, the loop inside a chunk runs `tail` times instead of `extent`
 * at the last chunk: at the last index of the loop over chunks, `back` + 1 loops further out. tail == extent:
 * every chunk is whole.
 *
 * With a table, index i reads at table[i] and src is 0; such a loop is never cut. With a list it is the same,
 * but the table is the kernel's argument of that number (from 1 on); `dst_list` likewise. `goes_on`: the loop
 * is one chunk of a list, and index i counts from where the chunk begins there. */
typedef struct vf_span {
	int64_t extent, tail, dst, src;
	int back;
	const int64_t *table;
	/* For a table that reads units side by side, in any order, else NULL: the i-th unit of the source
	 * goes to to[i] in dst, and the first one is where the leaf reads. to_step was the loop's step in dst
	 * then; where a stage has another step, places scale with it. */
	const int64_t *to;
	int64_t to_step;
	/* With a table: so many of the first and last indices read nothing, but are the leaf's fill
	 * (margins.c). Their offsets are those of their neighbours. */
	int64_t before, after;
	int list, dst_list;
	bool goes_on;
	/* Of a leaf in blocks that computes: bytes by which each operand moves; NULL: they do not. */
	const int64_t *seconds;
} vf_span;

static inline int64_t smaller(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

static inline int64_t larger(int64_t x, int64_t y)
{
	return x > y ? x : y;
}

static inline bool is_power_of_two(int64_t x)
{
	return x > 0 && (x & (x - 1)) == 0;
}

static inline int64_t common_divisor(int64_t x, int64_t y)
{
	return y == 0 ? x : common_divisor(y, x % y);
}

/* The length of a step, whichever way it goes. */
static inline int64_t vf_magnitude(int64_t step)
{
	return step < 0 ? -step : step;
}

static inline vf_span vf_plain_span(int64_t extent, int64_t dst, int64_t src)
{
	return (vf_span){.extent = extent, .tail = extent, .dst = dst, .src = src};
}

/* Bytes of the source from index 0 of a loop without a list to index i. */
static inline int64_t vf_span_src(const vf_span *s, int64_t i)
{
	return s->table ? s->table[i] : i * s->src;
}

static inline bool vf_has_list(const vf_span *s)
{
	return s->list || s->dst_list;
}

/* Does it read or write at offsets that are no multiples of a step? */
static inline bool vf_is_uneven(const vf_span *s)
{
	return s->table || vf_has_list(s);
}

static inline bool vf_same_offsets(const vf_span *s, const vf_span *t)
{
	return s->table == t->table && s->list == t->list && s->goes_on == t->goes_on;
}

/* How a leaf's last loops are moved: plan/strategies/ has a file for each. */
typedef enum vf_strategy {
	VF_COPY,         /* contiguous runs */
	VF_FILL,         /* a constant, or one unit of the source many times */
	VF_GATHER,       /* side by side in dst, a constant stride in the source: steps, reversals */
	VF_INDEX,        /* units read or written by a list */
	VF_SCATTER,      /* side by side in the source, a constant stride in dst */
	VF_UNITS,        /* units with a stride on both sides */
	VF_INTERLEAVE,   /* a few planes of the source become pixels */
	VF_DEINTERLEAVE, /* pixels become planes */
	VF_PICK,         /* blocks of up to 64 bytes, each put together alike */
	VF_TRANSPOSE,    /* side by side along two different loops */
	VF_APPLY,        /* elements that are computed: plan/compute.h */
	VF_WEAVE,        /* lines put together from any places: plan/weave.c */
	VF_STRATEGIES
} vf_strategy;

/* How VF_TRANSPOSE is blocked: loops over blocks of the run A, which is side by side in dst, and of the run
 * B, side by side in the source. The last two loops of the leaf are those of a block, b and a. */
typedef struct vf_tiling {
	int64_t stream, beside, paired; /* vf_block's; stream: VF_STORE, VF_LINES, VF_CARRY or VF_JOINED */
	int64_t count_a, chunk_a;       /* units of the run, and of a block */
	int64_t count_b, chunk_b;
	int loop_a, loop_b; /* the loops over blocks */
	/* VF_CARRY: bytes of a block's rows that are carried on. Loops inside both of the above, outside of
	 * the block's own two, have such bytes for each of their indices. */
	int64_t carry_bytes;
	/* Where beginnings of rows wait (vf_flow), behind what is carried, if rows follow each other; or 0 */
	int64_t heads_at;
	/* offsets of whole blocks, where the run is not one loop of the source; else NULL */
	const int64_t *src_at;
	const int64_t *dst_at; /* likewise */
	int64_t unit_step;     /* from unit to unit of a row of the source, where there are gaps; else 0 */
	/* the cache that the next block's lines are fetched to; 0: nothing is asked for */
	int64_t ahead_into;
	/* With `packs`, a block's rows of A are first brought into scratch, from pack_at on: gaps are left
	 * out, units put in order. `pack` has the numbers of one such call. It takes all rows; with src_at as
	 * many as are even, or one. */
	bool packs;
	/* A leaf that computes does so on the way to the pack; where `fuses`, in the transposition itself,
	 * except in texts that need no library. */
	bool fuses;
	vf_codelet_id pack_codelet;
	vf_block pack;
	int64_t pack_units; /* units of the transposition in one unit of `pack` */
	int64_t pack_at;
	const int64_t *second_at[VF_PASS_OPERANDS]; /* of operands, as src_at */
	/* Units of the run A that are the leaf's fill, ascending, and one beyond all; NULL: none. A block
	 * that has such units is given a table of its own, at rows_at in scratch. For them it has the offset
	 * of blank_at, where blank_bytes of the fill lie. first_blank[]: the first one of each block of A. */
	const int64_t *blanks, *first_blank;
	int64_t nblank;
	int64_t rows_at, blank_at, blank_bytes;
	bool waits; /* blocks go by slices or columns, which wait in a stage in scratch */
	int64_t stage_at, stage_bytes;
} vf_tiling;

/* Rows of the source that a block may read: with VF_LINES those that fill its last line, too. */
static inline int64_t vf_block_rows(const vf_tiling *t, int64_t unit)
{
	enum { LINE_BYTES = 64 };
	return t->chunk_a + (t->stream == VF_LINES ? LINE_BYTES / unit : 0);
}

/* A run's units, rounded up to whole blocks. */
static inline int64_t vf_whole_blocks(int64_t count, int64_t chunk)
{
	return (count + chunk - 1) / chunk * chunk;
}

typedef struct vf_leaf {
	vf_strategy strategy;
	int source; /* -1: fill */
	int64_t dst, src;
	int64_t unit_bytes; /* what moves at one index of all the loops */
	int nloop;
	int ninner;   /* the last `ninner` loops belong to the strategy; 0 until it is chosen */
	int capacity; /* loops that there is room for */
	vf_span *loops;
	unsigned char fill[16]; /* one element, where source is -1, and the same again as far as it goes */
	int64_t fill_unit;      /* the shortest pattern that, repeated, is the fill */
	/* VF_PICK: how a unit is put together (codelets/codelet.h), from places stream_at[] of the source
	 * that advance by block_bytes a unit. NULL elsewhere. */
	const uint16_t *table;
	int64_t block_bytes;
	int nstream;
	const int64_t *stream_at; /* from leaf->src on, in the source stream_source[] */
	const int *stream_source;
	const vf_tiling *tiling; /* VF_TRANSPOSE in blocks; NULL: a matrix in one call */
	bool stream;             /* past the cache, without a stage */
	bool pairs;              /* streamed, lines leave by pairs (codelets/cpu.h) */
	bool wide;               /* vf_machine.wide: codelets take more planes then */
	/* A piece that computes is several leaves: the first says how many, the last has `compute`. Those
	 * that only read are in no node: they tell where an operand's pointer moves. */
	int piece_leaves; /* 0 in all others */
	const struct vf_computation *compute;
	bool keeps_order; /* no loop of it is turned over: it fills a stage whose loops have tails */
	bool only_reads;
	bool reads_stage; /* reads its piece's stage, at src from its start on, not the source */
	/* What each strategy was weighed at: picoseconds a byte; 0 where it does not apply, or nothing was
	 * weighed. */
	double costs[VF_STRATEGIES];
	const vf_weighing *weighed; /* what else was weighed, the last first; NULL: nothing */
} vf_leaf;

/* How many leaves the piece has that begins with this one. */
static inline int vf_leaves_of_piece(const vf_leaf *first)
{
	return first->piece_leaves ? first->piece_leaves : 1;
}

/* Where the block after one begins: `step` further on in the source, if this one is at the last index of all
 * turns before this turn, but not at index `last` of `loop`. After the last index of all turns nothing is
 * known. */
typedef struct vf_turn {
	int loop;
	int64_t last, step;
} vf_turn;

/* Sets the turns of a leaf in blocks, innermost first; returns how many. Loops between the two over blocks
 * are none: they read again what is there. Loops outside of an uneven one are not followed. */
enum { VF_MOST_TURNS = 4 };
int vf_turns_of_blocks(const vf_leaf *leaf, vf_turn turns[VF_MOST_TURNS]);

/* How far apart a leaf in blocks carries bytes for the indices of loop k; 0 where that loop is not inside
 * both loops over blocks. */
static inline int64_t vf_carry_step(const vf_leaf *leaf, int k)
{
	const vf_tiling *t = leaf->tiling;
	int64_t step = k > t->loop_a && k > t->loop_b ? t->carry_bytes : 0;
	for (int j = k + 1; j < leaf->nloop - leaf->ninner; j++)
		step *= leaf->loops[j].extent;
	return step;
}

/* Are the rows that its blocks read so short and near that they are about one run of the source? */
static inline bool vf_rows_are_run(const vf_leaf *leaf)
{
	enum { LINE_BYTES = 64 };
	const vf_span *rows = &leaf->loops[leaf->nloop - 1], *line = rows - 1;
	const int64_t step = vf_magnitude(rows->src);
	return !leaf->tiling->src_at && step > 0 && step <= 2 * LINE_BYTES &&
	       step - line->extent * line->src < LINE_BYTES;
}

static inline bool vf_leaf_has_list(const vf_leaf *leaf)
{
	for (int k = 0; k < leaf->nloop; k++)
		if (vf_has_list(&leaf->loops[k]))
			return true;
	return false;
}

/* Into which cache a block is asked for while the one before it moves. */
typedef enum vf_ahead { VF_AHEAD_AS_MODEL, VF_AHEAD_FIRST, VF_AHEAD_SECOND, VF_AHEAD_NOT } vf_ahead;

/* What a leaf reads, as `parts` sets of rows, part_step apart; src counts like leaf->src. With each index of
 * the node's last loop it moves `turn` bytes farther than what the leaf itself reads. */
typedef struct vf_asking {
	const vf_leaf *leaf;
	int64_t src, rows, step, bytes;
	int64_t parts, part_step;
	int64_t turn;
	vf_ahead into;
} vf_asking;

enum { VF_MOST_ASKINGS = 4 };

/* How blocks of a stage are put together from planes, which lie in the scratch from `at` on. */
typedef struct vf_placing {
	vf_codelet_id codelet; /* `pick` or `interleave` */
	bool leaves;           /* to dst, not to the stage: windows and repeats */
	bool whole;            /* whole windows, each of a few runs of the planes */
	vf_block block;        /* all blocks of a stage, as the codelet takes them */
	int64_t tail;          /* block.n at the last index of the node's last loop */
	int64_t at, bytes;     /* bytes: of stage and planes */
} vf_placing;

/* A place that rows read from: in a leaf's source, or its constant. */
typedef struct vf_part {
	int leaf;
	int64_t src; /* counts like leaf->src */
} vf_part;

/* Rows of dst that follow each other, and what each is made of: what codelet `parts` or `weave` is given. */
typedef struct vf_parting {
	vf_codelet_id codelet;
	vf_block block; /* but for src_at */
	int64_t tail;   /* rows, or, with cuts_n, n, at the last index of the node's last loop */
	bool cuts_n;
	bool goes_on, begins, ends; /* call after call writes on; the first, and the last, of a unit */
	int n;
	const vf_part *parts;
	double cost; /* picoseconds a byte; 0: no more than memory takes */
} vf_parting;

/* The block at the last index of that loop, or at another. */
static inline vf_block vf_parting_block(const vf_parting *r, bool last)
{
	vf_block b = r->block;
	if (last)
		*(r->cuts_n ? &b.n : &b.rows) = r->tail;
	return b;
}

typedef struct vf_node {
	const vf_leaf *leaf;  /* a leaf's node runs no loops: nloop and nchild are 0 */
	int depth, nloop;     /* runs loops [depth, depth + nloop) of every leaf below */
	const vf_span *loops; /* those loops, as its first leaf has them */
	int inside;           /* the last `inside` of them stand inside the one over chunks: 0 or 1 */
	int nchild;
	struct vf_node *children;
	/* A staged node's children write to scratch. From there the piece goes to dst in one streaming copy.
	 * It lies at [stage_lo, stage_lo + stage_bytes) from the node's place in dst, and has stage_tail
	 * bytes at the last index of the loop over chunks. There are stage_rows such pieces, stage_dst_step
	 * apart in dst and stage_src_step apart in the scratch. */
	bool staged;
	const vf_placing *placing; /* NULL: children write to the stage; else to the planes */
	/* If not NULL, the children are not run: one call moves what they would, to stage_lo from the node's
	 * place in dst. */
	const vf_parting *parting;
	/* Its children fill the stage, but the last one, which reads the stage and writes to dst. The last
	 * computes, or the one before it does. */
	bool computes;
	int64_t stage_lo, stage_bytes, stage_tail;
	int64_t stage_rows, stage_dst_step, stage_src_step;
	/* The stage leaves this many times, again_dst apart; 0: once. With again_at[] one row leaves each
	 * time: the one that lies there in the stage. */
	int64_t again, again_dst;
	const int64_t *again_at;
	/* While the stage leaves, what leaves read at the next index of the node's last loop is asked for,
	 * into the second cache: a set of rows while a part of the stage leaves. */
	vf_asking ahead[VF_MOST_ASKINGS];
	int nahead;
	bool ahead_first; /* into the first cache; only where the node computes */
	/* Roots: their units are numbered [first_unit, first_unit + units). One unit is one index of the
	 * root's loops together. */
	int64_t first_unit, units;
} vf_node;

/* Does what its children write leave by way of a stage? Windows and repeats go to dst from their
 * planes. */
static inline bool vf_has_stage(const vf_node *node)
{
	return node->staged && !(node->placing && node->placing->leaves);
}

/* The loop over chunks: at its last index there may be less. */
static inline int vf_chunks_of(const vf_node *node)
{
	return node->nloop - 1 - node->inside;
}

typedef struct vf_plan {
	vf_arena arena; /* holds all of the below */
	int64_t elem_bytes, out_bytes, units;
	int64_t result_bytes;  /* out_bytes, or more where the result is made by several such plans */
	bool reads_memory;     /* what is read is in no cache, however little is written */
	int64_t scratch_bytes; /* that a run of units needs, each thread its own */
	bool streams;          /* non-temporal stores: a fence is due before another thread may look */
	int nsource;
	int nplace;    /* destinations; a loop whose dst is VF_PLACE_STEP goes through them */
	int nlist;     /* behind the sources: offsets in bytes */
	bool computes; /* some piece does: a leaf is not a piece then */
	int nleaf, nroot;
	vf_leaf *leaves; /* in the order in which they run */
	vf_node *roots;
	const char *strategy; /* the strategies, joined by "+" */
	const char *reason;
	bool apart; /* with several destinations: code can go through them; if not, it must not run */
} vf_plan;

/* Units [begin, end) of one. */
typedef struct vf_units {
	int64_t begin, end;
} vf_units;

/* Of a plan of several destinations: is `s` the loop that goes through them? */
static inline bool vf_goes_to_places(const vf_plan *plan, const vf_span *s)
{
	return plan->nplace > 1 && s->dst == VF_PLACE_STEP;
}

/* Whether that loop is one of those that the leaf's call takes: its rows, or its planes. */
static inline bool vf_call_goes_to_places(const vf_plan *plan, const vf_leaf *leaf)
{
	bool goes = false;
	for (int k = leaf->nloop - leaf->ninner; k < leaf->nloop; k++)
		goes = goes || vf_goes_to_places(plan, &leaf->loops[k]);
	return goes;
}

/* What planning depends on beside the job. */
typedef struct vf_machine {
	vf_cpu cpu;
	int64_t piece_bytes;  /* what one unit of several leaves comes to, at most: half of L1 */
	int64_t stage_bytes;  /* what is worth a stage, at least */
	int64_t staged_bytes; /* and at most: so that what is read next is fetched while it leaves */
	int64_t chunk_bytes;  /* what one unit of one leaf comes to, at least */
	int64_t stream_bytes; /* results from here on are streamed past the cache */
	bool lines;           /* codelets that put lines together stream without a stage */
	bool wide;            /* their registers hold a line */
	bool weaves;          /* `weave` is fast */
	/* The model leaves these at 0, and measuring may bend them (engine/bend.h): blocks of transpositions
	 * beyond the cache become longer, by powers of two, along dst and along the source. */
	int row_shift;
	int line_shift;
	vf_ahead ahead;   /* where the next block of one is asked for */
	unsigned without; /* bits of strategies that are left out where another applies */
} vf_machine;

/* Do the codelets put lines together in registers narrower than a line? */
static inline bool vf_is_narrow(const vf_machine *machine)
{
	return machine->lines && !machine->wide;
}

vf_machine vf_machine_read(void);

/* The plan of a job in normal form, or NULL with the error kept. Deterministic in its arguments.
 * Microseconds. Given back by vf_plan_drop (NULL is allowed). */
vf_plan *vf_plan_make(vf_context *ctx, const vf_normal *normal, const vf_machine *machine);
void vf_plan_drop(vf_context *ctx, vf_plan *plan);

/* destinations.c. Sets plan->apart; gives loops that go through destinations to the nest where a call cannot
 * take them. */
void vf_plan_settle_places(vf_plan *plan);

/* estimate.c. What a run of the plan takes, in picoseconds, by the model. */
double vf_plan_estimate(const vf_plan *plan);

/* Readable, one loop or leaf a line; the same plan prints the same text. */
void vf_plan_print(const vf_plan *plan, vf_text *text);

/* For each leaf (of the first few) what was weighed, with its cost, and which won. */
void vf_plan_print_candidates(const vf_plan *plan, vf_text *text);

const char *vf_strategy_name(vf_strategy strategy);
