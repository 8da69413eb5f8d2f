/* transpose.c -- side by side along two different loops.
 *
 * Small ones are one call of the codelet. Beyond the cache the loops are blocked: the A run, side by side in
 * dst, the B run, side by side in the source (runs.h), and outside them the rest, slowest in dst first.
 *
 * Both runs are cut into blocks, wherever their loops end. A run of several loops has a table of offsets on
 * the side where it is not even. Which blocks: blocks.c.
 *
 * What is near in the source but not side by side (every second pixel, one channel of three), units whose
 * bytes change places, and rows that share sets of L1 are packed first: one pass brings a block's rows of B
 * side by side in scratch, in L1, and the transposition reads them there.
 */
#include "plan/compute.h"
#include "plan/group.h"
#include "plan/margins.h"
#include "plan/strategies/runs.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64, PAGE = 4096 };
enum { NEAR = 64 };

/* ---- loops ---- */

static void add_loop(vf_leaf *leaf, vf_span loop)
{
	leaf->loops[leaf->nloop++] = loop;
}

/* A short loop, which reads again the lines that a block has brought. */
static bool is_near(const vf_span *s)
{
	return s->extent <= 16 && !vf_is_uneven(s) && vf_magnitude(s->src) <= NEAR;
}

static bool has_near_table(const vf_span *s)
{
	for (int64_t i = 0; s->table && i < s->extent; i++)
		if (s->extent > 16 || vf_magnitude(s->table[i]) > NEAR)
			return false;
	return s->table != NULL;
}

static int64_t step_of(const vf_blocking *b, int k)
{
	return vf_magnitude(b->unit < LINE || vf_is_uneven(&b->loops[k]) ? b->loops[k].dst : b->loops[k].src);
}

/* Adds the near loops that are left, or the others: slowest in dst first; units of lines, in the source. */
static void add_rest(vf_blocking *b, bool near)
{
	for (;;) {
		int slowest = -1;
		for (int k = 0; k < b->nloop; k++) {
			bool is = is_near(&b->loops[k]) || has_near_table(&b->loops[k]);
			if (is == near && (slowest < 0 || step_of(b, k) > step_of(b, slowest)))
				slowest = k;
		}
		if (slowest < 0)
			return;
		add_loop(b->leaf, vf_take_loop(b, slowest));
	}
}

/* The loop over blocks of `chunk` units, `src` bytes from one to the next in the source. `even`: second
 * values go on by one step. */
static vf_span over_blocks(const vf_blocking *b, const vf_line_run *r, int64_t chunk, bool uneven_dst,
                           int64_t src, bool even)
{
	const int64_t n = (r->count + chunk - 1) / chunk;
	vf_span s = vf_plain_span(n, uneven_dst ? 0 : chunk * r->loops->dst, src);
	s.seconds = even ? vf_seconds_times(b, r->loops, chunk) : NULL;
	return s;
}

static vf_span in_block(const vf_line_run *r, int64_t chunk, int back)
{
	int64_t rest = r->count % chunk;
	const vf_span *s = r->loops;
	return (vf_span){.extent = chunk,
	                 .tail = rest ? rest : chunk,
	                 .dst = s->dst,
	                 .src = s->src,
	                 .back = back,
	                 .seconds = s->seconds};
}

static int64_t carried_bytes(const vf_tiling *t)
{
	return t->stream == VF_CARRY ? t->chunk_b * (t->paired ? 2 * LINE : LINE) + t->heads_at : 0;
}

/* Is there room for what near loops carry inside both loops over blocks, each index its own? So lines are
 * read once (of the fastest copy: u8 666741 by 20, each column three times, turned 0.22 and 0.52). */
static bool carries_inside(const vf_blocking *b)
{
	enum { MOST = 32 << 10 };
	int64_t bytes = carried_bytes(b->t);
	for (int k = 0; k < b->nloop; k++)
		bytes *= is_near(&b->loops[k]) || has_near_table(&b->loops[k]) ? b->loops[k].extent : 1;
	return bytes <= MOST;
}

/* Blocks of A inside those of B where lines are carried along the rows, else outside. Loops that read the
 * same lines again stand inside both, or inside those of B. */
static void add_blocks(vf_blocking *b)
{
	vf_leaf *leaf = b->leaf;
	vf_tiling *t = b->t;
	const int64_t src_a = t->src_at ? 0 : t->chunk_a * b->a.loops->src;
	const vf_span over_a = over_blocks(b, &b->a, t->chunk_a, false, src_a, !t->src_at);
	const vf_span over_b = over_blocks(b, &b->b, t->chunk_b, t->dst_at, t->chunk_b / b->piece * b->near,
	                                   true);
	bool a_first = t->stream == VF_LINES;
	add_rest(b, false);
	*(a_first ? &t->loop_a : &t->loop_b) = leaf->nloop;
	add_loop(leaf, a_first ? over_a : over_b);
	if (!a_first && !carries_inside(b))
		add_rest(b, true);
	*(a_first ? &t->loop_b : &t->loop_a) = leaf->nloop;
	add_loop(leaf, a_first ? over_b : over_a);
	add_rest(b, true);
	b->b.loops->src = b->near / b->piece; /* what is asked for of a block goes by that */
	add_loop(leaf, in_block(&b->b, t->chunk_b, leaf->nloop - 1 - t->loop_b));
	add_loop(leaf, in_block(&b->a, t->chunk_a, leaf->nloop - 1 - t->loop_a));
	leaf->ninner = 2;
}

/* ---- entry ---- */

/* Are rows of the source of these matrices short, and followed by those of others that no stage holds, too?
 * Then blocks read both, if matrices are no shorter than joined pieces should be (a Xeon with AMX, of the
 * fastest copy, by matrices and by blocks: f32 [39,582,8,22] by (2,1,3,0) 0.24 and 0.64, [31,16,31,65] 0.30
 * and 0.73, [16,16,16,16,15] by (3,0,2,4,1) 0.09 and 0.84; near ones f64 [25,1428,56] by (1,2,0) 0.85 and
 * 0.71; short ones u16 8 by 8 of 17 channels 0.52 and 0.30, u8 [17,63,466,32] by (2,1,3,0) 0.41 and 0.23). */
static bool reads_on(const vf_planner *p, const vf_leaf *leaf, int depth, const vf_span *b, int64_t bytes)
{
	enum { SHORT = 640, LONG = 512, LONG_NARROW = 1536 };
	const int64_t row = b->extent * vf_element_read(leaf);
	const int64_t least = leaf->unit_bytes > 2 ? LONG : LONG_NARROW;
	bool on = false;
	for (const vf_span *s = leaf->loops + depth; s < b; s++)
		on = on || (s->extent > 1 && vf_magnitude(s->src) == row &&
		            vf_magnitude(s->dst) > p->machine->staged_bytes);
	return on && p->machine->wide && row < SHORT && bytes >= least;
}

/* Short rows of dst that follow each other, of a matrix that a stage holds: it is transposed there, by
 * ordinary stores of whole registers, and leaves as one (of the fastest copy on a Zen 4: u8 64 x 64
 * 0.19 to 0.47, 16 bits 40 x 128 0.12 to 0.27, 48 x 100 0.16 to 0.30). In parts it would be read by parts of
 * rows (a Xeon with AMX: f32 5 x 1600 0.38, by blocks 0.53). Rows a power of two apart share sets of L1
 * where a line is read in parts. A row may be of two matrices (f32 14 x 14 turned, beside the next one 0.29
 * and 0.47; rows of 448 bytes 0.72 and 0.66). What is computed goes so, too. But
 * rows of whole lines do not (Zen 5, f32 turned and divided, 31 x 45 0.22 and 0.44, 32 x 128 0.84 and
 * 0.73). */
static bool fits_stage(const vf_planner *p, const vf_leaf *leaf, int depth)
{
	enum { FEWEST = 5, SHORT = 16, PARTS = 2, SHORT_ROW = 256 };
	const vf_span *a = vf_last_loop(leaf), *b = a - 1;
	int64_t unit = leaf->unit_bytes, step = vf_magnitude(a->src), n = a->extent;
	const int64_t from = vf_element_read(leaf);
	if (!p->stream || leaf->nloop - depth < 2 || leaf->table || a->table || !vf_fast_unit(unit))
		return false;
	if (b->extent <= PARTS && b - leaf->loops > depth && b->dst == unit * n &&
	    vf_magnitude(b->src) >= n * step && b->extent * n * unit <= SHORT_ROW)
		n *= (b--)->extent;
	const int64_t bytes = n * b->extent * larger(from, unit);
	if (b->table || (leaf->compute && n * unit % LINE == 0) || n > VF_MOST_JOINED ||
	    bytes > p->machine->staged_bytes || reads_on(p, leaf, depth, b, bytes))
		return false;
	return n >= FEWEST && b->dst == unit * n && (b->src == from || (b->src == -from && b->dst % LINE)) &&
	       b->extent * unit >= SHORT && (step & -step) < PAGE / 2;
}

/* Small matrices that follow each other in the source. Blocks would take a call for each, and write lines in
 * parts. Units of lines lose (Zen 4, of the fastest copy: 8 by 2 of 64 bytes 0.73 and 0.40, but 4 by 4 of 32
 * 0.24 and 0.71, turned over 0.03 and 0.79, f32 [80000,5,3,12].permute(0, 2, 1, 3) 0.08 and 0.76). */
static bool is_tiny(const vf_leaf *leaf, int depth)
{
	enum { TINY = 1024, UNIT = 12 };
	const vf_span *s = vf_last_loop(leaf), *first = leaf->loops + depth;
	int64_t unit = leaf->unit_bytes;
	if (s > first && !vf_is_uneven(s) && s->dst == unit && s->src == unit)
		unit *= (s--)->extent;
	if (s - first < 2 || unit < UNIT || unit >= LINE || vf_is_uneven(s) || vf_is_uneven(s - 1))
		return false;
	const int64_t bytes = unit * s->extent * s[-1].extent;
	return s->dst == unit && bytes <= TINY && vf_magnitude(s[-1].src) == unit &&
	       vf_magnitude(s[-2].src) == bytes;
}

/* Is a matrix in the caches packed, small as it is? Its units would be picked or gathered one by one. (Zen
 * 4, of memcpy, so and in blocks: u8 64 x 64 x 3 turned, its bytes in another order, 0.005 and 0.15, u16 40 x
 * 40 x 4 0.021 and 0.28; every second column of f32 [40,80] turned 0.08 and 0.32, of [12,20] 0.09 and 0.05,
 * every third of f64 [30,64] 0.35 and 0.23.) */
static bool packs_small(const vf_planner *p, const vf_leaf *leaf, int depth)
{
	enum { SMALL = 1024, LONG = 8 };
	if (p->stream || !vf_packs(leaf, depth) || leaf->compute || vf_few(vf_last_loop(leaf)->extent))
		return false;
	const int64_t step = vf_magnitude(leaf->loops[vf_packed_line(leaf, depth)].src);
	return leaf->table || (step != leaf->unit_bytes && leaf->unit_bytes < LONG &&
	                       vf_leaf_bytes(leaf, depth, false) > SMALL);
}

bool vf_leaf_wants_blocks(const vf_planner *p, const vf_leaf *leaf, int depth)
{
	if ((!vf_leaf_crosses(leaf, depth) && !vf_has_gaps(p, leaf, depth)) ||
	    vf_leaf_has_planes(leaf, depth) || fits_stage(p, leaf, depth) ||
	    (p->machine->lines && is_tiny(leaf, depth)) || p->machine->without >> VF_TRANSPOSE & 1 ||
	    vf_has_few_lines(p, leaf, depth))
		return false;
	return vf_leaf_bytes(leaf, depth, false) >
	       (packs_small(p, leaf, depth) ? 0 : p->machine->piece_bytes);
}

bool vf_wants_blocks(const vf_planner *p, vf_group g)
{
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	return vf_leaf_wants_blocks(p, leaf, vf_uncut(leaf, g.depth));
}

/* Taken apart, pixels of many units are as good as blocks: margins around them have loops of their own (16 of
 * f32 0.40 of the fastest copy; loops that are shared 0.22). */
bool vf_wants_own_loops(const vf_planner *p, vf_group g)
{
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	const int depth = vf_uncut(leaf, g.depth);
	if (vf_wants_blocks(p, g))
		return true;
	if (!leaf->wide || !vf_leaf_has_planes(leaf, depth))
		return false;
	const vf_span *last = vf_last_loop(leaf);
	return !vf_few(last->src / leaf->unit_bytes) && !vf_few(last->extent) &&
	       vf_leaf_bytes(leaf, depth, false) > p->machine->piece_bytes;
}

/* A rule, not a choice: in the order of dst each unit would be read from a line of its own, at 9 GB/s at
 * best. */
static void tell_order(vf_blocking *b, double cost)
{
	enum { FASTEST_COPY = 50 }; /* picoseconds a byte */
	vf_weighing c = {.of = "order"};
	vf_weigh(&c, "blocks of both runs", cost / FASTEST_COPY);
	vf_weighing_keep(b->p, b->leaf, &c);
}

/* Behind all else in scratch: the table that a block is given, and what stands for a row of fill. */
static int64_t place_blanks(vf_blocking *b, int64_t at)
{
	vf_tiling *t = b->t;
	if (!t->blanks)
		return at;
	t->rows_at = (at + LINE - 1) / LINE * LINE;
	at = t->rows_at + vf_block_rows(t, b->unit) * (int64_t)sizeof *t->src_at;
	t->blank_at = (at + LINE - 1) / LINE * LINE;
	t->blank_bytes = t->chunk_b / b->piece * b->near;
	return t->blank_at + t->blank_bytes + LINE;
}

static void want_scratch(vf_blocking *b)
{
	vf_tiling *t = b->t;
	const int inside = (int)larger(t->loop_a, t->loop_b);
	const vf_span *near = &b->leaf->loops[inside + 1];
	int64_t carry = t->carry_bytes = carried_bytes(t);
	for (int k = inside + 1; k < b->leaf->nloop - b->leaf->ninner; k++, near++)
		carry *= near->extent;
	t->pack_at = b->p->pooled + carry;
	int64_t rows = t->chunk_a + (t->stream == VF_LINES ? LINE / b->unit : 0); /* the last line's, too */
	/* A text that needs no library packs what a codelet computes as it reads. */
	int64_t bytes = b->p->pooled + carry + (t->packs ? rows * t->pack.dst_step : 0);
	vf_want_scratch(b->p, vf_place_slices(b, place_blanks(b, bytes)));
}

int64_t vf_carried_row(vf_planner *p, vf_group g, bool alone)
{
	vf_blocking b;
	vf_leaf copy = *vf_leaf_at(p, g.a);
	g.depth = vf_uncut(&copy, g.depth);
	if (!vf_init_blocking(&b, p, &copy, g.depth))
		return INT64_MAX;
	if (!vf_find_near(&b, g.depth) || b.unit >= (alone ? LINE : 17) || !vf_find_runs(&b))
		return INT64_MAX;
	vf_choose_blocks(&b);
	const bool follows = b.t->stream == VF_JOINED && !alone && b.b.loops[0].dst < 0;
	return b.t->stream == VF_CARRY || follows ? b.a.bytes : INT64_MAX;
}

/* In the caches parts of strips cost more than a stage (f32 64 x 40 to f16: 0.24 of memcpy, staged 0.46). */
static bool fills_strips(const vf_blocking *b)
{
	enum { MANY = 4, COLUMNS = 16 };
	const int64_t strip = vf_strip(b), columns = smaller(strip, COLUMNS);
	return (b->a.count % strip == 0 || b->a.count >= MANY * strip) &&
	       (b->b.count % columns == 0 || b->b.count >= MANY * columns);
}

/* Finds the runs and their blocks. False where there are none. */
static bool find_blocks(vf_blocking *b, int depth)
{
	const vf_leaf *leaf = b->leaf;
	if (!vf_bring_seconds(b, depth) || !vf_find_near(b, depth) || !vf_find_runs(b) || b->p->failed ||
	    (leaf->compute && ((!b->p->stream && !fills_strips(b)) || vf_stages_better(b))))
		return false;
	vf_choose_blocks(b);
	if (vf_is_packed(b) || (!b->t->waits && vf_rows_collide(b)))
		vf_pack_rows(b); /* and makes blocks smaller */
	return vf_fits_seconds(b);
}

static bool set_in_blocks(vf_planner *p, vf_group g)
{
	vf_blocking b;
	g.depth = vf_uncut(vf_leaf_at(p, g.a), g.depth); /* what is cut stays where it is */
	if (!vf_init_blocking(&b, p, &p->plan->leaves[g.a], g.depth))
		return false;
	vf_leaf *leaf = b.leaf;
	int64_t dst = leaf->dst, src = leaf->src;
	const double cost = vf_cost_of_blocks(leaf, g.depth);
	if (!find_blocks(&b, g.depth)) {
		leaf->dst = dst, leaf->src = src;
		return false;
	}
	tell_order(&b, cost);
	b.t->src_at = vf_run_offsets(&b, &b.a, b.t->chunk_a, false);
	b.t->dst_at = vf_run_offsets(&b, &b.b, b.t->chunk_b, true);
	if (vf_has_margins(leaf))
		vf_find_blanks(&b);
	if (vf_heads_wait(&b))
		b.t->heads_at = b.t->chunk_b * LINE;
	leaf->nloop = g.depth;
	add_blocks(&b);
	leaf->strategy = VF_TRANSPOSE;
	leaf->unit_bytes = b.unit;
	leaf->tiling = b.t;
	vf_set_operands(&b);
	want_scratch(&b);
	return true;
}

bool vf_leaf_in_blocks(vf_planner *p, vf_group g)
{
	return vf_wants_blocks(p, g) && set_in_blocks(p, g);
}

static bool wants_small_blocks(vf_planner *p, vf_group g)
{
	enum { SMALL = 1024 };
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	const int depth = vf_uncut(leaf, g.depth);
	return p->stream && !leaf->stream && !leaf->compute && !(p->machine->without >> VF_TRANSPOSE & 1) &&
	       vf_leaf_bytes(leaf, depth, false) >= SMALL && vf_leaf_crosses(leaf, depth) &&
	       !vf_leaf_has_planes(leaf, depth) &&
	       vf_cost_of_blocks(leaf, depth) < vf_cost_elsewhere(p, leaf, depth, false);
}

bool vf_any_small_blocks(vf_planner *p, vf_group g)
{
	bool any = false;
	for (int k = g.a; k < g.b; k++)
		any = any || wants_small_blocks(p, (vf_group){k, k + 1, g.depth});
	return any;
}

bool vf_leaf_in_cache_blocks(vf_planner *p, vf_group g)
{
	const bool stream = p->stream;
	p->stream = false;
	const bool blocked = set_in_blocks(p, g);
	p->stream = stream;
	return blocked;
}

bool vf_leaf_in_small_blocks(vf_planner *p, vf_group g)
{
	const int64_t pooled = p->pooled;
	if (!wants_small_blocks(p, g))
		return false;
	p->pooled = p->staged;
	const bool blocked = vf_leaf_in_cache_blocks(p, g);
	p->pooled = pooled;
	return blocked;
}

/* ---- the strategy's row ---- */

static int applies(const vf_leaf *leaf, int depth)
{
	const vf_span *a = vf_last_loop(leaf);
	bool matrix = vf_moves_units(leaf) && leaf->nloop - depth >= 2 && a->dst == leaf->unit_bytes &&
	              a[-1].src == leaf->unit_bytes && !vf_is_uneven(a) && !vf_is_uneven(a - 1) &&
	              !vf_takes_columns(leaf, a - 1);
	return matrix ? 2 : 0;
}

/* Whole register tiles are 16 bytes wide and high; narrower ones go by units. A call costs 13 others. */
static double cost(const vf_leaf *leaf, int depth)
{
	const vf_span *a = vf_last_loop(leaf), *b = a - 1;
	double least = (double)smaller(a->extent, b->extent) * (double)leaf->unit_bytes;
	(void)depth;
	return (least >= 16 ? (least < LINE ? 2 : 1) * (20 + 60 / (double)leaf->unit_bytes)
	                    : 300 / (double)leaf->unit_bytes) +
	       13 * vf_call_cost(leaf, 2);
}

/* Rows with less than a line between them are asked for as one run: each line once (of the fastest copy on a
 * Xeon with AMX, of 2 to 8 million rows: u8 by 8 0.27 and 0.52, u16 by 6 0.36 and 0.61). Rows that go
 * downwards end where it begins (u8 666741 by 20 turned by 90 degrees 0.32 and 0.60). */
static void ask_for_lines(const vf_leaf *leaf, vf_block *block)
{
	if (!vf_rows_are_run(leaf))
		return;
	const int64_t step = block->ahead_step;
	block->ahead_bytes += (block->ahead_rows - 1) * vf_magnitude(step);
	block->ahead_rows = 1;
	block->ahead_step = step > 0 ? step : 0; /* not side by side: counted from the other end */
}

static void call_of(const vf_leaf *leaf, vf_codelet_call *call)
{
	const vf_tiling *t = leaf->tiling;
	vf_block *block = &call->block;
	vf_codelet_call_rows(call, leaf, 0);
	call->codelet = VF_CODELET_transpose;
	block->src_step = t ? t->unit_step : 0;
	block->stride = vf_last_loop(leaf)->src;
	block->stream = t ? t->stream : VF_STORE;
	if (!t)
		return;
	block->table = t->packs ? NULL : leaf->table;
	block->beside = t->beside;
	block->paired = t->paired;
	block->stride = t->src_at ? 0 : block->stride;
	block->dst_step = t->dst_at ? 0 : block->dst_step;
	block->ahead_into = t->ahead_into;
	block->ahead_rows = t->ahead_into ? block->n : 0;
	block->ahead_step = t->ahead_into ? block->stride : 0;
	block->ahead_bytes = t->ahead_into ? block->rows * (&vf_last_loop(leaf)[-1])->src : 0;
	if (t->ahead_into)
		ask_for_lines(leaf, block);
	if (t->fuses)
		block->pass = t->pack.pass;
	else if (t->packs)
		block->stride = t->pack.dst_step;
}

const vf_strategy_row vf_transpose_row = {"transpose", applies, cost, call_of, NULL};
