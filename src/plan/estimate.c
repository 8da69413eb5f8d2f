/* estimate.c -- what a whole plan takes, by the model that chose its parts.
 *
 * In     a plan
 * Out    picoseconds of one run
 * Keeps  the plan
 * Tests  tests/unit/test_relay.c
 *
 * It tells plans apart that differ by half and more. (A Xeon with AMX, 244 random chains of 4 to 300 MB,
 * estimated by measured time: half of them 0.79 to 1.11, nine in ten 0.56 to 1.32.)
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/strategy.h"

/* What memory takes for a byte of dst and what is read for it, in picoseconds. */
enum { MEMORY = 80 };

enum { LINE = 64 };

/* How much of a line lies between a block's rows of the source, in the mean: several may be in one. */
static double lines_apart(const vf_leaf *leaf)
{
	enum { FEW = 64 };
	const int64_t *at = leaf->tiling->src_at;
	const int64_t n = smaller(leaf->tiling->count_a, FEW);
	double sum = 0;
	if (!at)
		return (double)smaller(vf_magnitude(leaf->loops[leaf->nloop - 1].src), LINE) / LINE;
	for (int64_t i = 1; i < n; i++)
		sum += (double)smaller(vf_magnitude(at[i] - at[i - 1]), LINE) / LINE;
	return n > 1 ? sum / (double)(n - 1) : 1;
}

/* Are a block's lines still in the first cache when the next one reads more of them? */
static bool lines_stay(const vf_leaf *leaf)
{
	enum { IN_FIRST = 40 << 10 };
	const int k = leaf->nloop - 3;
	return k >= 0 && leaf->loops[k].src != 0 && vf_magnitude(leaf->loops[k].src) < LINE &&
	       leaf->tiling->chunk_a * LINE <= IN_FIRST;
}

/* What a block takes to read its rows of the source, in picoseconds a byte of dst, by the lines that it
 * touches. (A Xeon with AMX: 4 to 5 ns for a line of which 6 to 14 bytes are in a block, 1.7 ns where it
 * stays.) */
static double rate_of_lines(const vf_leaf *leaf)
{
	enum { A_LINE = 4000, A_NEAR_LINE = 1700 };
	const vf_span *line = &leaf->loops[leaf->nloop - 2];
	const double unit = (double)leaf->unit_bytes, n = (double)line->extent;
	const double span = (n - 1) * (double)vf_magnitude(line->src) + unit;
	const double lines = span < LINE ? lines_apart(leaf) : span / LINE;
	return (lines_stay(leaf) ? A_NEAR_LINE : A_LINE) * lines / (n * unit);
}

/* Does the processor fetch a block's rows by itself, as they follow each other in the source? */
static bool rows_follow(const vf_leaf *leaf)
{
	const vf_span *row = &leaf->loops[leaf->nloop - 1], *line = row - 1;
	return !leaf->tiling->src_at &&
	       vf_magnitude(row->src) - line->extent * vf_magnitude(line->src) < LINE;
}

/* In the caches it is what bytes, units and calls take; past them lines, and the ends of rows that are no
 * whole lines; of computed rows that are joined each row, too (Zen 5, f32 to u8 by rows of 4 bytes: 1500
 * picoseconds a byte). (A Xeon with AMX, 150 permutations: u8 155 picoseconds a byte, u16 130, f32 120, f64
 * 110.) */
static double rate_of_blocks(const vf_plan *plan, const vf_leaf *leaf)
{
	enum {
		A_BYTE = 60,
		A_UNIT = 120,
		A_ROW = 2000,
		A_CALL = 150000,
		STREAMED = 110,
		STREAMED_UNIT = 45,
		AN_END = 20000,
		A_PACK = 20000
	};
	const vf_tiling *t = leaf->tiling;
	const double unit = (double)leaf->unit_bytes, row = (double)t->count_a * unit;
	const double lines = rate_of_lines(leaf);
	const double line = (double)leaf->loops[leaf->nloop - 2].extent * unit;
	const double calls = A_CALL / ((double)t->chunk_a * (double)t->chunk_b * unit) +
	                     (t->packs && !t->fuses && t->src_at ? A_PACK / ((double)t->pack.rows * line)
	                                                         : 0);
	if (t->stream == VF_STORE)
		return A_BYTE + A_UNIT / unit + A_ROW / row + calls +
		       (plan->reads_memory && !rows_follow(leaf) ? lines : 0);
	const double streamed = STREAMED + STREAMED_UNIT / unit;
	const double least = (lines + calls < streamed ? streamed : lines + calls) +
	                     (t->stream == VF_JOINED && leaf->compute ? A_ROW / row : 0);
	return t->stream == VF_CARRY && !t->heads_at ? least + AN_END / row : least;
}

/* Not vf_leaf_bytes(): loops that are cut have whole chunks here, which may come to more than 2^63 bytes. */
static double bytes_of(const vf_leaf *leaf)
{
	double bytes = (double)leaf->unit_bytes;
	for (int k = 0; k < leaf->nloop; k++)
		bytes *= (double)leaf->loops[k].extent;
	return bytes;
}

/* How many second values are read as they lie, neither one nor side by side. */
static int scattered_operands(const vf_leaf *leaf)
{
	const vf_computation *c = leaf->compute;
	int n = 0;
	for (int k = 0; k < c->noperand; k++) {
		const int64_t step = vf_last_loop(&vf_operands(leaf)[k])->src;
		n += c->operand_at[k] < 0 && step != 0 && step != c->sweeps.operand_bytes[k];
	}
	return n;
}

/* What `apply` takes beside what memory does: calls, rows, and elements that are not side by side. (A Xeon
 * with AMX: rows of 4 elements 19 ns where they begin anywhere, 4 to 5 ns where they are brought. Zen 4: 60
 * to 90 ns for rows of some lines between those that others write.) */
static double rate_of_apply(const vf_plan *plan, const vf_leaf *leaf)
{
	enum { A_CALL = 100000, BROUGHT = 4500, AN_ELEMENT = 2000, SCATTERED = 400 };
	enum { A_ROW = 20000, BETWEEN_OTHERS = 60000, IN_TURN = 10000, FEW_PLACES = 256 };
	const bool between = leaf->stream && !leaf->pairs && bytes_of(leaf) < (double)plan->out_bytes;
	const vf_computation *c = leaf->compute;
	const vf_span *line = vf_last_loop(leaf), *rows = leaf->ninner > 1 ? line - 1 : NULL;
	const int64_t bytes = line->extent * c->to, step = rows ? vf_magnitude(rows->dst) : bytes;
	const double row = (double)bytes;
	double rate = A_CALL / (row * (rows ? (double)rows->extent : 1));
	const int64_t places = c->group ? c->group : rows ? rows->extent : 1;
	if (step != bytes && !(c->beside && places <= FEW_PLACES))
		rate += (c->together ? IN_TURN : between ? BETWEEN_OTHERS : A_ROW) / row;
	else if (rows && rows->src != line->extent * c->from)
		rate += BROUGHT / row;
	rate += line->dst == c->to ? 0 : SCATTERED / (double)c->to;
	const int apart = scattered_operands(leaf) + (line->src != c->from);
	return rate + apart * (AN_ELEMENT / (double)c->to);
}

/* To a stage near units are gathered faster than `gather` is weighed at, as its next lines are there (u8
 * pixels of 3 to planes 120 picoseconds a byte). */
static double rate_of_leaf(const vf_plan *plan, const vf_leaf *leaf)
{
	static const double of_near = 0.35;
	if (leaf->strategy == VF_APPLY && leaf->compute)
		return rate_of_apply(plan, leaf);
	if (leaf->strategy == VF_GATHER && plan->computes && leaf->loops[leaf->nloop - 1].extent >= LINE &&
	    vf_magnitude(leaf->loops[leaf->nloop - 1].src) <= LINE)
		return of_near * leaf->costs[VF_GATHER];
	return leaf->tiling ? rate_of_blocks(plan, leaf) : leaf->costs[leaf->strategy];
}

/* What it takes `apply` to stream rows that begin or end inside lines. Others write the rest of these lines.
 * Memory's time does not hide it. (A Xeon with AMX: 60 to 80 ns a row; Zen 5 80 to 200; Zen 4 300 to 500.) */
static double time_of_ends(const vf_leaf *leaf)
{
	enum { A_ROW = 250000, A_ROW_BY_PAIRS = 120000 };
	const vf_span *line = vf_last_loop(leaf), *rows = leaf->ninner > 1 ? line - 1 : NULL;
	if (leaf->strategy != VF_APPLY || !leaf->compute || !leaf->stream || !rows)
		return 0;
	const int64_t bytes = line->extent * leaf->compute->to, step = vf_magnitude(rows->dst);
	const bool ends = step != bytes && bytes >= LINE && (bytes | step | leaf->dst) % LINE;
	return ends ? (leaf->pairs ? A_ROW_BY_PAIRS : A_ROW) * bytes_of(leaf) / (double)bytes : 0;
}

/* Does a leaf gather so many units that the second cache has no room for their lines, as they share its sets?
 * Then none is there when the next unit of it is read (Zen 5, u8 1024 apart: 0.02 of the fastest copy). */
static bool lines_collide(const vf_leaf *leaf)
{
	enum { IN_CACHE = 1 << 20 };
	const vf_span *line = vf_last_loop(leaf);
	const int64_t apart = vf_magnitude(line->src), shared = apart & -apart;
	return leaf->strategy == VF_GATHER && apart >= LINE && line->extent > IN_CACHE / larger(shared, LINE);
}

/* Does the leaf read lines that the one before it has brought: by the same loops, from near the same place?
 * (A Xeon with AMX, of the fastest copy: means of 2 x 2 cells of f32 [64,448,448], whose four elements were
 * counted as four readings, by a relay 0.19, by one pass 0.41.) */
static bool reads_again(const vf_leaf *leaf, const vf_leaf *before)
{
	enum { NEAR = 16 << 10 };
	bool same = before && leaf->source >= 0 && leaf->source == before->source &&
	            leaf->nloop == before->nloop && vf_magnitude(leaf->src - before->src) <= NEAR;
	for (int k = 0; same && k < leaf->nloop; k++)
		same = leaf->loops[k].extent == before->loops[k].extent &&
		       leaf->loops[k].src == before->loops[k].src && !leaf->loops[k].table &&
		       !before->loops[k].table;
	return same;
}

static double time_of_leaf(const vf_plan *plan, const vf_leaf *leaf, const vf_leaf *before, double rate)
{
	enum { IN_CACHE = 1 << 20, A_BYTE_READ = 60, CROSSED = 180, A_LINE = 4000 };
	if (plan->streams && leaf->nloop > 0 && lines_collide(leaf) &&
	    rate < A_LINE / (double)leaf->unit_bytes)
		rate = A_LINE / (double)leaf->unit_bytes;
	if (leaf->compute && leaf->compute->crossed) /* reads each line once */
		return CROSSED * bytes_of(leaf);
	const double least = plan->streams || plan->out_bytes >= IN_CACHE ? MEMORY : 0;
	const double move = bytes_of(leaf) * (rate < least ? least : rate);
	const double read = reads_again(leaf, before) ? 0 : A_BYTE_READ * vf_bytes_read(leaf, IN_CACHE);
	return (move < read ? read : move) + time_of_ends(leaf);
}

/* The time for lines of dst that are written in parts: every piece of some bytes reads its line and writes it
 * back. It is 0 where what the loops from `depth` on write stays in the cache until others write the rest. */
static double time_of_parts(const vf_plan *plan, const vf_leaf *leaf, int depth)
{
	enum { IN_CACHE = 1 << 20, NEAR = 64 << 10, A_LINE = 8000 };
	int64_t run = leaf->unit_bytes, next = LINE, span = run;
	for (int k = leaf->nloop - 1; k >= depth; k--) {
		const vf_span *s = &leaf->loops[k];
		const int64_t step = s->to ? LINE : vf_magnitude(s->dst);
		if (step == run)
			run *= s->extent;
		else if (step < next)
			next = step;
		span += step * (s->extent - 1);
	}
	if (run >= LINE || span <= NEAR || plan->result_bytes < IN_CACHE)
		return 0;
	return bytes_of(leaf) / (double)run * (double)next / LINE * A_LINE;
}

/* `around`: a node around this one whose call moves what its leaves would, or whose stage takes it; or NULL.
 * `before`: the leaf that moves before this one, or NULL. `shared`: how many loops it has in common with
 * others. */
static double time_of_node(const vf_plan *plan, const vf_node *node, const vf_node *around,
                           const vf_leaf *before, int shared)
{
	enum { A_PICK = 60 };
	double sum = 0;
	if (node->leaf) {
		const vf_leaf *leaf = node->leaf;
		const bool parts = around && around->parting;
		sum = time_of_leaf(plan, leaf, before,
		                   parts ? around->parting->cost : rate_of_leaf(plan, leaf));
		return around ? sum : sum + time_of_parts(plan, leaf, shared);
	}
	const bool takes = node->parting || node->staged || node->placing;
	if (node->nchild > 1)
		shared = node->depth + node->nloop;
	for (int k = 0; k < node->nchild; k++) {
		const vf_node *child = &node->children[k];
		sum += time_of_node(plan, child, takes ? node : around, k > 0 ? child[-1].leaf : NULL,
		                    shared);
		if (node->placing && child->leaf)
			sum += A_PICK * bytes_of(child->leaf);
	}
	return sum;
}

double vf_plan_estimate(const vf_plan *plan)
{
	double sum = 0;
	for (int k = 0; k < plan->nroot; k++)
		sum += time_of_node(plan, &plan->roots[k], NULL, NULL, 0);
	return sum;
}
