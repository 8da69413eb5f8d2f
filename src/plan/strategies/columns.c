/* columns.c -- blocks of a transposition by columns (codelets/columns.h), where registers are narrower than a
 * line.
 *
 * In     the runs of a leaf (runs.h), the machine, how rows of dst are streamed
 * Out    the tiling's numbers of blocks
 * Tests  tests/unit/test_blocks.c, tests/unit/test_transpose.c
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/strategies/runs.h"

enum { LINE = 64 };

/* The fewest rows of the source for which units are moved so; the last block has so many, too. */
enum { FEWEST = 192 };

/* Do more rows of the source share sets of a cache, as rows so far apart do, than its ways hold? */
static bool share_many(const vf_blocking *b, int64_t apart)
{
	enum { WAYS = 8 };
	const vf_span *a = b->a.loops;
	const int64_t step = vf_magnitude(a->table ? a->table[1] - a->table[0] : a->src);
	return b->a.nloop > 0 && (step & -step) >= apart && a->extent > WAYS;
}

/* Are plain units better as columns than as slices? Of 1 and 2 bytes they are, also where rows of the source
 * follow each other. Longer ones are if rows are even, and read by long pieces (Zen 3, of the fastest copy,
 * by blocks or slices, and so: u8 64 x 700 x 600 0.29 and 0.37, u16 64 x 300 x 400 0.23 and 0.31, f32 64 x
 * 300 x 200 0.37 and 0.33; [112,20,79,56] by (3,0,2,1) 0.54 and 0.33, [15,8,182,183] by (1,3,2,0) 0.56 and
 * 0.42; rows of 1904 0.55 and 0.62, of 1920 0.55 and 0.51). */
static bool moves_by_columns(const vf_blocking *b)
{
	enum { SHORT = 128, LONG = 512, APART = 512 };
	const bool longer = b->unit > 2;
	if (b->a.count < FEWEST || !vf_has_slices(b) || !is_power_of_two(b->unit) || share_many(b, APART) ||
	    vf_magnitude(b->b.loops->dst) < SHORT)
		return false;
	return longer ? b->a.nloop == 1 && !b->a.loops->table && b->b.bytes >= LONG && !vf_reads_one_run(b)
	              : b->b.bytes >= 2 * SHORT;
}

/* What is computed goes so from fewer rows on, but where rows share sets and `apply` crosses them instead
 * (Zen 3, of the fastest copy, crossed and so: f32 3000 x 2048 turned / 255 0.37 and 0.31; by a stage and so:
 * f16 7594 x 2048 turned, bytes turned, 0.11 and 0.21). Of fewer rows, or short ones, a stage is as good (150
 * f32 to f16 0.24 and 0.36, 64 f32 / 255 0.40 and 0.33, 190 of 42 0.48 and 0.26); bytes whose results lie on
 * no lines are crossed, too (u8 342 x 342 x 341 by (0,2,1) to f32 0.37 and 0.29). */
static bool computes_by_columns(const vf_blocking *b)
{
	enum { APART = 4096, FEWEST_COMPUTED = 144, SHORT = 256 };
	const int64_t from = b->leaf->compute->from;
	return b->a.count >= FEWEST_COMPUTED && b->b.count * from >= SHORT && b->near == from &&
	       (from > 1 || vf_rows_on_lines(b)) && vf_fuses_alone(b->leaf) && vf_fuses_seconds(b) &&
	       (!share_many(b, APART) || vf_crossed_loop(b->p, b->leaf) < 0);
}

bool vf_goes_by_columns(const vf_blocking *b)
{
	if (!vf_is_narrow(b->p->machine) || !b->p->stream || b->unit > 16)
		return false;
	return b->leaf->compute ? computes_by_columns(b) : moves_by_columns(b);
}

/* Rows of a block: twice as many as are taken together, or somewhat less so that the last block has enough,
 * too. */
static int64_t rows_of_block(const vf_blocking *b)
{
	const int64_t together = vf_column_rows(b->unit), most = 2 * together, step = LINE;
	int64_t rows = most;
	if (b->a.count <= most + together / 2)
		return b->a.count;
	while (rows > together && b->a.count % rows > 0 && b->a.count % rows < FEWEST)
		rows -= step;
	return rows;
}

/* What is computed has shorter blocks, as texts that stand alone pack it. A quarter of small matrices, so
 * threads have something to share. */
void vf_blocks_by_columns(vf_blocking *b, int64_t stream)
{
	enum { PIECE = 4096, LEAST = 1024, MOST_COLUMNS = 1024 };
	const vf_computation *c = b->leaf->compute;
	const int64_t piece = smaller(PIECE, larger(b->b.bytes / 4, LEAST));
	b->t->stream = stream;
	b->t->waits = true;
	b->t->beside = vf_column_rows(b->unit);
	b->t->chunk_a = stream == VF_JOINED ? b->a.count : rows_of_block(b);
	b->t->chunk_b = c ? LEAST / larger(c->from, c->to) : piece / b->unit;
	b->t->chunk_b = smaller(smaller(b->t->chunk_b, MOST_COLUMNS), b->b.count);
}

bool vf_blocks_that_wait(vf_blocking *b, int64_t stream)
{
	const bool columns = vf_goes_by_columns(b), slices = !columns && vf_goes_by_slices(b, stream);
	if (columns)
		vf_blocks_by_columns(b, stream);
	if (slices)
		vf_blocks_by_slices(b, stream);
	return columns || slices;
}
