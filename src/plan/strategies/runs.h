/* runs.h -- the two runs of a transposition: for transpose.c.
 *
 *   A run  loops side by side in dst: merged, from the innermost, until they come to RUN_A bytes
 *   B run  loops side by side in the source, likewise until RUN_B
 */
#pragma once

#include "plan/tree.h"

/* A run: its units, innermost loop first. */
typedef struct vf_line_run {
	vf_span loops[8];
	int nloop;
	int64_t count, bytes;
} vf_line_run;

typedef struct vf_blocking {
	vf_planner *p;
	vf_leaf *leaf;
	vf_tiling *t;
	vf_span loops[64]; /* what no run has taken */
	int nloop;
	int64_t unit;
	int64_t near; /* from piece to piece of the B run, in the source: `unit` where nothing lies between */
	int64_t piece; /* units of a piece, which are side by side */
	vf_line_run a, b;
	int64_t second_src[VF_PASS_OPERANDS]; /* how much later each operand begins */
} vf_blocking;

/* Units of a strip, as codelets take them: along both sides blocks are whole strips. */
static inline int64_t vf_strip(const vf_blocking *b)
{
	return b->unit > 16 ? 1 : is_power_of_two(b->unit) ? 64 / b->unit : 192 / b->unit;
}

/* crosses.c. The loop, beside the last, along which what is nearer in the source can be packed; -1: there is
 * none. */
int vf_packed_line(const vf_leaf *leaf, int depth);

/* Side by side in dst, far apart in the source, and another loop near there. */
bool vf_packs(const vf_leaf *leaf, int depth);

/* crosses.c. Are units of a line and more in matrices so small that several should go together? */
bool vf_has_few_lines(const vf_planner *p, const vf_leaf *leaf, int depth);

/* crosses.c. Past the cache such units with gaps (vf_gapped_line()) are moved as they lie. Are there any? */
bool vf_has_gaps(const vf_planner *p, const vf_leaf *leaf, int depth);

/* Take loop k out of those that no run has taken. */
vf_span vf_take_loop(vf_blocking *b, int k);

/* The loop that goes on where `bytes` end, in dst, or in the source in either direction. The longest one,
 * where windows overlap in the source; -1: none. */
int vf_next_loop(const vf_blocking *b, bool dst, int64_t bytes);

/* The leaf's loops from `depth` on, of which no run has taken any. False where there are too few or too many,
 * and out of memory, which is kept. */
bool vf_init_blocking(vf_blocking *b, vf_planner *p, vf_leaf *leaf, int depth);

/* Sets the unit, and the step of the run B in the source; false where the leaf cannot be in blocks. */
bool vf_find_near(vf_blocking *b, int depth);

/* Gives each run its innermost loop. Then the shorter run grows, so that a loop which both could take goes
 * where it is needed. False where there are no two runs. */
bool vf_find_runs(vf_blocking *b);

/* Where the run A is short because the leaf's loop that goes on has no good part: sets that loop, and returns
 * how many of its indices are whole parts. Else 0. */
int64_t vf_whole_parts(const vf_blocking *b, vf_span *loop);

/* Do its units follow each other by one step in the source, or in dst? */
bool vf_run_is_even(const vf_line_run *r, bool of_dst);

/* Offsets of a run's units in the source, or in dst. NULL for an even run (and out of memory, which is
 * kept). There are as many as in whole blocks, the last one again and again: the next block is asked for
 * as if it were whole. In the source a line of them more: vf_block_rows(). */
const int64_t *vf_run_offsets(vf_blocking *b, const vf_line_run *r, int64_t chunk, bool of_dst);

/* Which units of the run A are the leaf's fill. */
void vf_find_blanks(vf_blocking *b);

/* blocks.c. Chooses the blocks: by the model, then as the machine is bent (plan.h). */
void vf_choose_blocks(vf_blocking *b);

/* Sets blocks of so many bytes of both runs: whole strips of the codelet's (64 bytes, or 192 of units of 3,
 * 6, 12). */
void vf_set_blocks(vf_blocking *b, int64_t a_bytes, int64_t b_bytes);

/* Does every row of dst start at a line, or all equally far from one? */
bool vf_rows_on_lines(const vf_blocking *b);

/* Bytes of dst that a line of bytes comes to which are computed after they are transposed, where lines leave
 * by pairs; else 0. */
int64_t vf_computed_row(const vf_blocking *b);

/* Bytes of a row's worth of time that its ends cost: lines that are not whole, another row to follow (f32
 * NCHW to NHWC, rows of 256 bytes: 0.22 of the fastest copy; 0.5 where rows leave as one stream). */
enum { VF_ROW_END = 768, VF_ROW_JOINT = 128 };

/* along.c. Blocks along rows of dst that start anywhere. vf_cost_along_rows(): what they cost, in times of
 * the fastest copy; 0: they do not apply. vf_blocks_along_rows() sets their numbers. vf_heads_wait(): does
 * what a row has of a line wait for the end of the row before? vf_pixels_by_pairs(): are these pixels of 3
 * bytes whose lines leave by pairs? vf_follows_pieces(): does the processor fetch pieces of the source by
 * itself? vf_computes_beside(): are lines of what is computed asked for side by side, by long pieces? */
double vf_cost_along_rows(const vf_blocking *b);
void vf_blocks_along_rows(vf_blocking *b);
bool vf_heads_wait(const vf_blocking *b);
bool vf_pixels_by_pairs(const vf_blocking *b);
bool vf_follows_pieces(const vf_blocking *b);
bool vf_computes_beside(const vf_blocking *b);

/* joined.c. Do whole rows of dst follow each other as one stream? vf_leaves_on_lines(): yet they leave
 * better as lines do. vf_blocks_of_rows() sets their blocks; vf_joins_slices(): what they read is asked for
 * by slices. VF_MOST_JOINED: units of rows that stay whole; VF_FEW_JOINED: rows of the source that the
 * processor follows by itself. */
enum { VF_FEW_JOINED = 64, VF_MOST_JOINED = 256 };
bool vf_rows_follow(const vf_blocking *b);
bool vf_leaves_on_lines(const vf_blocking *b);
bool vf_joins_slices(const vf_blocking *b);
void vf_blocks_of_rows(vf_blocking *b);

/* pack.c. A block's rows of B are packed before they are transposed. */
void vf_pack_rows(vf_blocking *b);

/* transpose.c. Does the leaf cross, and is it more than a call's worth? */
bool vf_leaf_wants_blocks(const vf_planner *p, const vf_leaf *leaf, int depth);

/* Can a transposition past the cache compute what it reads: elements side by side, by what registers do?
 * vf_fuses_alone(): could registers compute what the leaf does, on whatever machine?
 * vf_stages_better(): else, is a stage of what is read better than a pack? */
bool vf_fuses_alone(const vf_leaf *leaf);
bool vf_computes_lines(const vf_blocking *b);
bool vf_stages_better(const vf_blocking *b);

/* Rows of the source that share sets of L1 while they are read in parts. */
bool vf_rows_collide(vf_blocking *b);

/* Do bytes of units change places while these are transposed? Registers that hold a line widen units of 3, 6
 * and 12 anyway. */
bool vf_orders_units(const vf_blocking *b);

/* What is packed before it is transposed lies in L1. */
static inline bool vf_is_packed(const vf_blocking *b)
{
	return (b->leaf->table && !vf_orders_units(b)) || b->leaf->compute ||
	       (b->near != b->unit && !b->t->unit_step);
}

/* seconds.c, for a leaf with operands; of others they do nothing. vf_bring_seconds(): how each loop that no
 * run has taken moves them; false where some loop does it unevenly. vf_seconds_times(): the same, so many
 * times as far; vf_turn_seconds(): from the loop's other end. vf_seconds_go_on(): do they move along the run
 * B and then along this loop by one step? vf_fits_seconds(): can the blocks have second values?
 * vf_fuses_seconds(): can they be computed as they are read? vf_set_second_steps() tells the tiling and its
 * pass; vf_set_operands() gives the operands' leaves the loops that the leaf has now. */
bool vf_bring_seconds(vf_blocking *b, int depth);
const int64_t *vf_seconds_times(const vf_blocking *b, const vf_span *s, int64_t times);
void vf_turn_seconds(vf_blocking *b, vf_span *s);
bool vf_seconds_go_on(const vf_blocking *b, const vf_span *s);
bool vf_fits_seconds(const vf_blocking *b);
bool vf_fuses_seconds(const vf_blocking *b);
void vf_set_second_steps(vf_blocking *b, vf_pass *pass);
void vf_set_operands(const vf_blocking *b);

/* columns.c. Does a block go by columns, from rows of the source that share no sets? vf_blocks_by_columns()
 * sets its numbers; vf_place_slices() places its stage, too. vf_blocks_that_wait(): sets them if a block goes
 * by columns, or by slices. */
bool vf_goes_by_columns(const vf_blocking *b);
void vf_blocks_by_columns(vf_blocking *b, int64_t stream);
bool vf_blocks_that_wait(vf_blocking *b, int64_t stream);

/* slices.c. vf_reads_one_run(): do short rows of the source follow each other? vf_has_slices(): are there
 * slices of such units? vf_goes_by_slices(): does a block go by slices?
 * vf_brings_rows(): are its slices brought as they lie? vf_brings_joined(): are they, of rows that are joined
 * in dst? vf_blocks_by_slices() sets the block's numbers;
 * `stream` says how its rows leave. vf_place_slices() puts its stage behind `at` in scratch, and returns
 * where the stage ends. */
bool vf_reads_one_run(const vf_blocking *b);
bool vf_has_slices(const vf_blocking *b);
bool vf_brings_rows(const vf_blocking *b, int64_t stream);
bool vf_brings_joined(const vf_blocking *b);
bool vf_goes_by_slices(const vf_blocking *b, int64_t stream);
void vf_blocks_by_slices(vf_blocking *b, int64_t stream);
int64_t vf_place_slices(vf_blocking *b, int64_t at);
