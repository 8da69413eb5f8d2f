/* group.c -- what groups write; stages. See group.h.
 *
 * In     leaves, the loops around them decided
 * Out    staged nodes
 * Keeps  the bytes that move; a stage is congruent with its place modulo 64, so lines leave full
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/group.h"

#include "plan/strategy.h"

#include <string.h>

/* ---- how far and how much a group writes ---- */

int64_t vf_leaf_bytes(const vf_leaf *leaf, int depth, bool tail)
{
	int64_t bytes = leaf->unit_bytes;
	for (int k = depth; k < leaf->nloop; k++)
		bytes *= tail ? leaf->loops[k].tail : leaf->loops[k].extent;
	return bytes;
}

int64_t vf_group_bytes(const vf_planner *p, vf_group g, bool tail)
{
	int64_t bytes = 0;
	for (int k = g.a; k < g.b; k++)
		if (!vf_leaf_at(p, k)->only_reads)
			bytes += vf_leaf_bytes(vf_leaf_at(p, k), g.depth, tail);
	return bytes;
}

int64_t vf_leaf_end(const vf_leaf *leaf, int depth, bool tail)
{
	int64_t end = leaf->dst + leaf->unit_bytes;
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		end += s->dst < 0 ? 0 : ((tail ? s->tail : s->extent) - 1) * s->dst;
	}
	return end;
}

/* The lowest byte that it writes there: loops may run downwards in dst once a leaf is shaped. */
static int64_t leaf_begin(const vf_leaf *leaf, int depth)
{
	int64_t begin = leaf->dst;
	for (int k = depth; k < leaf->nloop; k++)
		if (leaf->loops[k].dst < 0)
			begin += (leaf->loops[k].extent - 1) * leaf->loops[k].dst;
	return begin;
}

int64_t vf_group_begin(const vf_planner *p, vf_group g)
{
	int64_t begin = INT64_MAX;
	for (int k = g.a; k < g.b; k++) {
		int64_t one = leaf_begin(vf_leaf_at(p, k), g.depth);
		begin = one < begin ? one : begin;
	}
	return begin;
}

static int64_t end_of_group(const vf_planner *p, vf_group g, bool tail)
{
	int64_t end = INT64_MIN;
	for (int k = g.a; k < g.b; k++) {
		int64_t one = vf_leaf_end(vf_leaf_at(p, k), g.depth, tail);
		end = one > end ? one : end;
	}
	return end;
}

vf_offsets vf_offsets_of(const vf_span *s)
{
	vf_offsets r = {vf_span_src(s, 0), vf_span_src(s, 0)};
	for (int64_t i = s->table ? 1 : s->extent - 1; i < s->extent; i++) {
		const int64_t at = vf_span_src(s, i);
		r.lo = at < r.lo ? at : r.lo, r.hi = at > r.hi ? at : r.hi;
	}
	return r;
}

int64_t vf_mean_step(const vf_span *s)
{
	if (vf_has_list(s) || s->extent <= 1)
		return 0;
	const vf_offsets ends = vf_offsets_of(s);
	return (ends.hi - ends.lo) / (s->extent - 1);
}

/* ---- the loops as they were ---- */

const vf_span *vf_keep_loops(vf_planner *p, vf_group g)
{
	int64_t n = 0;
	for (int k = g.a; k < g.b; k++)
		n += vf_leaf_at(p, k)->nloop + 1;
	vf_span *kept = vf_plan_alloc(p, n, sizeof *kept), *to = kept;
	for (int k = g.a; k < g.b && !p->failed; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		to->extent = leaf->nloop;
		memcpy(to + 1, leaf->loops, (size_t)leaf->nloop * sizeof *to);
		to += leaf->nloop + 1;
	}
	return kept;
}

bool vf_loops_as_kept(vf_planner *p, vf_group g, const vf_span *kept)
{
	for (int k = g.a; k < g.b; k++) {
		vf_leaf *leaf = &p->plan->leaves[k];
		leaf->nloop = (int)kept->extent;
		memcpy(leaf->loops, kept + 1, (size_t)leaf->nloop * sizeof *kept);
		kept += leaf->nloop + 1;
	}
	return false;
}

vf_kept_leaves vf_keep_leaves(vf_planner *p, vf_group g)
{
	const size_t bytes = (size_t)(g.b - g.a) * sizeof(vf_leaf);
	const vf_arena_mark mark = vf_arena_here(&p->plan->arena);
	vf_kept_leaves k = {g, vf_plan_alloc(p, g.b - g.a, sizeof(vf_leaf)), vf_keep_loops(p, g), mark};
	if (!p->failed)
		memcpy(k.leaves, &p->plan->leaves[g.a], bytes);
	return k;
}

bool vf_put_back_leaves(vf_planner *p, const vf_kept_leaves *k)
{
	memcpy(&p->plan->leaves[k->g.a], k->leaves, (size_t)(k->g.b - k->g.a) * sizeof(vf_leaf));
	return vf_loops_as_kept(p, k->g, k->loops);
}

void vf_end_try(vf_planner *p, const vf_kept_leaves *k)
{
	vf_put_back_leaves(p, k);
	vf_arena_back(&p->plan->arena, &k->mark);
}

/* ---- stages ---- */

bool vf_is_dense(const vf_planner *p, vf_group g)
{
	int64_t lo = vf_group_begin(p, g);
	for (int k = g.a; k < g.b; k++)
		for (int j = g.depth; j < vf_leaf_at(p, k)->nloop; j++)
			if (vf_leaf_at(p, k)->loops[j].dst_list)
				return false;
	return vf_group_bytes(p, g, false) == end_of_group(p, g, false) - lo &&
	       vf_group_bytes(p, g, true) == end_of_group(p, g, true) - lo;
}

void vf_want_scratch(vf_planner *p, int64_t bytes)
{
	if (p->plan->scratch_bytes < bytes)
		p->plan->scratch_bytes = bytes;
}

int64_t vf_stage_pitch(int64_t bytes, int64_t step)
{
	int64_t pitch = (bytes + 127) / 64 * 64 + 128;
	return (pitch | 64) + (step & 63);
}

/* ---- what a stage's leaf reads next ---- */

/* The loop of [depth, nloop) with the shortest step in the source beyond `beyond`; NULL: none. */
static const vf_span *next_wider(const vf_leaf *leaf, int depth, int64_t beyond)
{
	const vf_span *best = NULL;
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (vf_magnitude(s->src) > beyond &&
		    (!best || vf_magnitude(s->src) < vf_magnitude(best->src)))
			best = s;
	}
	return best;
}

/* Adds all from the first to the last place that a table reads, where that is little, or no more than is
 * used. */
static void span_table(const vf_span *s, int64_t used, int64_t *src, int64_t *bytes)
{
	enum { LITTLE = 4096 };
	const vf_offsets ends = vf_offsets_of(s);
	const int64_t span = ends.hi - ends.lo;
	if (span <= LITTLE || span <= used)
		*src += ends.lo, *bytes += span;
}

/* Does the leaf read by a list, and some of about each line between an index of the loop outside and the
 * next? */
static bool reads_most_of(const vf_leaf *leaf, int depth)
{
	enum { ROW = 32 << 10, LINE = 64 };
	int64_t row = vf_magnitude(leaf->loops[depth - 1].src), units = 1;
	bool lists = false;
	for (int k = depth; k < leaf->nloop; k++) {
		lists = lists || leaf->loops[k].list;
		units *= leaf->loops[k].list ? leaf->loops[k].extent : 1;
	}
	return lists && row <= ROW && units * (leaf->unit_bytes > LINE ? leaf->unit_bytes : LINE) >= row;
}

enum { MOST_PARTS = 8 };

/* Do rows `step` apart go on `by` bytes from their first one, but for a few? */
static bool goes_on(int64_t by, int64_t rows, int64_t step)
{
	return by % step == 0 && by / step >= rows && by / step <= rows + rows / 8;
}

/* What the leaf reads at the next index, as rows of the source. Runs with gaps of up to a line are one row.
 * What is more than rows is up to `most` sets of them, or the first set. Blocks farther apart are like units.
 */
static vf_asking asking_of(const vf_leaf *leaf, int depth, int64_t most)
{
	enum { GAP = 64 };
	const bool near = leaf->table && vf_magnitude(leaf->block_bytes) <= GAP;
	int64_t bytes = near ? vf_magnitude(leaf->block_bytes) : leaf->unit_bytes, rows = 1, step = 0;
	vf_asking a = {.leaf = leaf, .src = leaf->src + leaf->loops[depth - 1].src, .parts = 1};
	a.into = VF_AHEAD_SECOND;
	for (int k = depth; k < leaf->nloop; k++) {
		if (leaf->loops[k].src < 0)
			a.src += (leaf->loops[k].extent - 1) * leaf->loops[k].src;
		if (leaf->loops[k].table)
			span_table(&leaf->loops[k], vf_leaf_bytes(leaf, depth, false), &a.src, &bytes);
	}
	if (reads_most_of(leaf, depth))
		bytes = vf_magnitude(leaf->loops[depth - 1].src);
	for (const vf_span *s = next_wider(leaf, depth, 0); s;
	     s = next_wider(leaf, depth, vf_magnitude(s->src))) {
		if (rows == 1 && vf_magnitude(s->src) <= bytes + GAP) {
			bytes += (s->extent - 1) * vf_magnitude(s->src);
		} else if (rows == 1 || goes_on(vf_magnitude(s->src), rows, step)) {
			step = rows == 1 ? vf_magnitude(s->src) : step;
			rows += (s->extent - 1) * (vf_magnitude(s->src) / step);
		} else {
			a.parts = s->extent, a.part_step = vf_magnitude(s->src);
			break;
		}
	}
	const bool swaps = a.parts > most && rows <= most;
	a.rows = swaps ? a.parts : rows, a.step = swaps ? a.part_step : step;
	if (swaps)
		a.parts = rows, a.part_step = step;
	else if (a.parts > most)
		a.parts = 1;
	a.bytes = bytes;
	return a;
}

/* What `leaf` reads next. Is what the last loop reads altogether, at one index of the loop outside, one run,
 * but for gaps of a fourth? Then each index of the last loop asks for its share of the next run, and not for
 * rows that end in parts of lines (Zen 4, of the fastest copy, by rows and by shares: f32 [374,100,14,14] to
 * NHWC, upside down, 0.39 and 0.56, mirrored 0.40 and 0.55, AVX2 alike; two f32 [256,100,64], stacked and
 * turned, 0.17 and 0.45; u8 [374,100,28,28] to NHWC, mirrored and divided, 0.34 and 0.51; four without their
 * borders 0.45 and 0.58; longer runs gain nothing). */
static vf_asking asking_by_shares(const vf_planner *p, const vf_leaf *leaf, int depth, int64_t most)
{
	enum { LINE = 64, FEWEST_RUNS = 4 };
	const vf_asking a = asking_of(leaf, depth, most);
	if (a.rows == 1 || depth < 2)
		return a;
	const vf_span *last = &leaf->loops[depth - 1], *outer = last - 1;
	if (vf_is_uneven(last) || vf_is_uneven(outer) || last->extent == 1 || outer->extent < FEWEST_RUNS)
		return a;
	vf_asking run = asking_of(leaf, depth - 1, INT64_MAX);
	const int64_t span = run.bytes + (run.rows - 1) * run.step, room = p->machine->cpu.l2_bytes / 4;
	const int64_t bytes = smaller(span, vf_magnitude(outer->src));
	if (run.parts > 1 || span > 4 * room || bytes > room || last->extent > bytes ||
	    4 * run.rows * run.bytes < 3 * span)
		return a;
	run.rows = 1, run.step = 0;
	run.bytes = (bytes + last->extent * LINE - 1) / (last->extent * LINE) * LINE;
	run.turn = run.bytes - last->src;
	return run;
}

void vf_read_ahead(const vf_planner *p, vf_node *node, const vf_leaf *leaf, int depth)
{
	vf_asking *a = &node->ahead[node->nahead++];
	*a = asking_by_shares(p, leaf, depth, node->computes ? INT64_MAX : MOST_PARTS);
	if (!node->computes &&
	    (node->stage_rows > 1 || node->again || node->stage_tail < 64 * a->parts * VF_MOST_ASKINGS))
		a->parts = 1;
}

/* Is that asked for already? */
static bool is_asked(const vf_planner *p, const vf_node *node, const vf_leaf *leaf, int depth)
{
	const vf_asking x = asking_by_shares(p, leaf, depth, MOST_PARTS);
	for (int k = 0; k < node->nahead; k++) {
		const vf_asking *y = &node->ahead[k];
		int64_t apart = x.src < y->src ? y->src - x.src : x.src - y->src;
		if (y->leaf == leaf ||
		    (y->leaf->source == leaf->source && apart < x.bytes && x.rows == y->rows &&
		     x.turn == y->turn && y->leaf->loops[depth - 1].src == leaf->loops[depth - 1].src))
			return true;
	}
	return false;
}

/* The leaf of those left that reads most; NULL: there is none. */
static const vf_leaf *next_reader(const vf_planner *p, const vf_node *node, vf_group inside)
{
	const vf_leaf *most = NULL;
	int64_t bytes = 0;
	for (int k = inside.a; k < inside.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		int64_t one = vf_leaf_bytes(leaf, inside.depth, false);
		if (leaf->source >= 0 && !vf_is_uneven(&leaf->loops[inside.depth - 1]) && one > bytes &&
		    !is_asked(p, node, leaf, inside.depth)) {
			most = leaf;
			bytes = one;
		}
	}
	return most;
}

static void ask_for_readers(const vf_planner *p, vf_node *node, vf_group inside)
{
	enum { FEWEST = 1024, LINE = 64 };
	for (const vf_leaf *leaf = next_reader(p, node, inside); leaf && node->nahead < VF_MOST_ASKINGS;
	     leaf = next_reader(p, node, inside)) {
		bool more = vf_leaf_bytes(leaf, inside.depth, false) >= FEWEST &&
		            node->stage_rows * node->stage_tail >= LINE * VF_MOST_ASKINGS;
		if (node->nahead > 0 && !more)
			return;
		vf_read_ahead(p, node, leaf, inside.depth);
	}
}

/* What a stage reads next waits in the second cache: the first has the stage and what was read for it, and
 * lines that leave take the buffers that fill it. Of the fastest copy, into the first and the second: a Xeon
 * with AMX, f32 56 x 56 x 64 channels last with margins 0.50 and 0.63; Zen 4, patches of 8 x 8 u8 put back
 * 0.26 and 0.67, f32 [28,28,48,28,48].permute(1, 3, 0, 4, 2) 0.29 and 0.52. What the first cache cannot hold
 * is asked for there all the same, where lines leave one by one: fewer hints are dropped (Zen 5, patches of 7
 * x 7, f32 planes 0.41 and 0.51, f16 pixels 0.52 and 0.57; of 14 x 14 u8 pixels 0.44 and 0.56). */
void vf_look_ahead(const vf_planner *p, vf_node *node, vf_group inside)
{
	if (node->inside) /* with a loop inside, lines are in the second cache, but the first time */
		return;
	ask_for_readers(p, node, inside);
	if (p->machine->wide && !p->machine->cpu.pairs && node->stage_bytes > p->machine->cpu.l1_bytes)
		for (int k = 0; k < node->nahead; k++)
			node->ahead[k].into = VF_AHEAD_FIRST;
}

/* Is a group under that node worth a stage, and not too much? */
static bool fits_stage(const vf_planner *p, const vf_node *node, vf_group inside)
{
	int64_t bytes = vf_group_bytes(p, inside, false);
	return p->stream && node->nloop > 0 && bytes <= p->machine->piece_bytes &&
	       bytes >= p->machine->stage_bytes;
}

bool vf_stage_dense(const vf_planner *p, vf_node *node, vf_group inside)
{
	if (!vf_is_dense(p, inside))
		return false;
	node->staged = true;
	node->stage_lo = vf_group_begin(p, inside);
	node->stage_bytes = vf_group_bytes(p, inside, false);
	node->stage_tail = vf_group_bytes(p, inside, true);
	node->stage_rows = 1;
	return true;
}

bool vf_stage_piece(vf_planner *p, vf_node *node, vf_group inside)
{
	if (!fits_stage(p, node, inside) || !vf_stage_dense(p, node, inside))
		return false;
	vf_want_scratch(p, node->stage_bytes + 64);
	return true;
}

/* Has a node below a stage? All stages lie in the same scratch. What is too long for one stage may go by
 * several, and yet fit one together with what is beside it, where half of L1 is more than staged_bytes. */
static bool has_stage(const vf_node *node)
{
	for (int k = 0; k < node->nchild; k++)
		if (node->children[k].staged || has_stage(&node->children[k]))
			return true;
	return false;
}

void vf_stage(vf_planner *p, vf_node *node, vf_group inside)
{
	bool streams = inside.b - inside.a == 1 && vf_leaf_at(p, inside.a)->stream;
	if (node->staged || streams || has_stage(node) || !fits_stage(p, node, inside))
		return;
	if (vf_is_dense(p, inside) && vf_lay_side_by_side(p, node, inside, 0))
		return;
	if (!vf_stage_piece(p, node, inside))
		return;
	for (int k = inside.a; k < inside.b; k++) /* to the stage, which streams */
		p->plan->leaves[k].stream = false;
	vf_look_ahead(p, node, inside);
}
