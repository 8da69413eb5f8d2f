/* pool.c -- a stage in the second cache for leaves that go badly by themselves: see pool.h.
 *
 * In     leaves in ascending order of dst, not shaped yet
 * Out    the node's loops: of those that all leaves share, as many as it takes until what is inside fits; its
 *        stage
 * Keeps  the bytes that move
 * Ends   leaves are as they were where it returns false
 * Tests  tests/unit/test_pooled.c, tests/unit/test_margins.c, tests/property/test_moves.c
 */
#include "plan/pool.h"

#include "plan/strategies/strategies.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64, MOST_SHARED = 16 };

/* Bytes side by side in dst, in whatever order they are read. */
static int64_t dst_run(const vf_leaf *leaf, int depth)
{
	int64_t run = leaf->unit_bytes;
	for (int k = leaf->nloop - 1; k >= depth && leaf->loops[k].dst == run; k--)
		run *= leaf->loops[k].extent;
	return run;
}

/* Does the leaf read less than two lines side by side, mostly parts of lines? Others may read the rest of
 * these (bf16 [10,256,32,32] to pixels and rolled, in rows of 24 and 8 pixels: 0.14 of the fastest copy, by a
 * pool 0.41). */
static bool reads_short(const vf_leaf *leaf, int depth)
{
	enum { TWO_LINES = 128 };
	const int line = vf_source_line(leaf, depth, leaf->nloop - 1, true);
	return line >= 0 && leaf->loops[line].extent * leaf->unit_bytes < TWO_LINES;
}

/* Does the leaf write short pieces? Where lines leave best by pairs, ends cost more if it crosses: each end
 * is part of two lines (a Xeon with AMX, of the fastest copy, without and with a pool: f32 [135,217,181] with
 * margins turned 0.25 and 0.44). */
static bool is_short(vf_planner *p, vf_group one)
{
	enum { SHORT = 384, CROSSING = 1024 };
	const vf_leaf *leaf = vf_leaf_at(p, one.a);
	const bool crosses = !leaf->table && p->machine->cpu.pairs && vf_wants_blocks(p, one);
	return (vf_leaf_crosses(leaf, one.depth) && reads_short(leaf, one.depth)) ||
	       (crosses ? vf_carried_row(p, one, false) < CROSSING : dst_run(leaf, one.depth) < SHORT);
}

/* Is half of what the group writes short pieces, or more? At each of their ends is a line of dst that another
 * leaf writes, too. */
static bool has_short_pieces(vf_planner *p, vf_group g)
{
	int64_t bytes = 0;
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		if (leaf->source >= 0 && is_short(p, (vf_group){k, k + 1, g.depth}))
			bytes += vf_leaf_bytes(leaf, g.depth, false);
	}
	return bytes >= vf_group_bytes(p, g, false) / 2;
}

/* Are pixels taken apart into planes whose rows lie between margins, or those of other planes? Where one ends
 * inside a line of dst, another leaf writes that line, too. (Zen 4, of the fastest copy, f32 [20,224,224,3]
 * to planes, mirrored margins of 3: 0.31, by a pool 0.51; seven shapes with margins of 80 and 100 pixels,
 * beside each other and rolled 0.34 and 0.49, AVX2 0.28 and 0.43; but margins of one unit, [16,256,256,3],
 * 0.68 and 0.48.) */
static bool has_planes_between(const vf_planner *p, vf_group g)
{
	enum { LONG_ROW = 2048, LONG_MARGIN = 512 };
	int64_t nplanes = 0, ends = 0;
	bool margins = false;
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const int64_t run = dst_run(leaf, g.depth);
		const int64_t unit = leaf->source < 0 ? leaf->fill_unit : leaf->unit_bytes;
		const bool planes = vf_leaf_has_planes(leaf, g.depth);
		ends |= run;
		nplanes += planes && run >= LINE && run < LONG_ROW;
		margins = margins || (!planes && run > unit && run <= LONG_MARGIN);
	}
	return ends % LINE && nplanes + margins > 1 && nplanes > 0;
}

/* Do the loops inside read whole lines, and cross wherever those of `g` do? A leaf that is little of the
 * whole need not: others read its lines, too, or it costs little. */
static bool fits(const vf_planner *p, vf_group g, vf_group inside)
{
	enum { LITTLE = 16 };
	const int64_t all = vf_group_bytes(p, inside, false);
	for (int k = inside.a; k < inside.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const bool little = vf_leaf_bytes(leaf, inside.depth, false) < all / LITTLE;
		if (vf_leaf_has_list(leaf) || (!little && !vf_uses_lines(p, leaf, inside.depth)))
			return false;
		const int uncut = vf_uncut(leaf, inside.depth);
		if (!little && vf_leaf_crosses(leaf, g.depth) && !vf_leaf_crosses(leaf, uncut))
			return false;
		if (!little && vf_leaf_loses_planes(leaf, g.depth, uncut))
			return false;
	}
	return true;
}

/* Are units too long to be transposed in registers? Then each is stored where it belongs. The nearer these
 * places are the better, but a stage of twice the first cache has whole rows of most patches (a Xeon with
 * AMX, of the fastest copy, patches of 14 x 14 of f16 planes of 728 columns: no pool 0.44, of 48 KiB 0.33, of
 * 96 KiB 0.48). */
static bool has_long_units(const vf_planner *p, vf_group g)
{
	return g.b - g.a == 1 && vf_leaf_at(p, g.a)->unit_bytes > 16;
}

/* Bytes of a stage at most: an eighth of the second cache, as what is read for it takes as much and more. */
static int64_t most_bytes(const vf_planner *p, vf_group g)
{
	enum { LEAST = 64 << 10, MOST = 256 << 10 };
	const vf_cpu *cpu = &p->machine->cpu;
	const int64_t l2 = cpu->l2_bytes, least = l2 / 4 < LEAST ? l2 / 4 : LEAST;
	if (has_long_units(p, g))
		return 2 * cpu->l1_bytes;
	return l2 / 8 < least ? least : l2 / 8 > MOST ? MOST : l2 / 8;
}

/* ---- rows ---- */

/* Pieces that are far apart in dst may lie side by side in the source: columns of a turned matrix, planes of
 * pixels. A stage then holds a row of each. */

/* The leaf's loop that is like that one in dst, and steps by a line of the source at most; -1: none. */
static int row_loop(const vf_leaf *leaf, int depth, const vf_span *like)
{
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (s->dst == like->dst && s->extent == like->extent && !vf_is_uneven(s) && !vf_is_cut(s) &&
		    vf_magnitude(s->src) <= LINE)
			return k;
	}
	return -1;
}

vf_span vf_rows_loop(const vf_planner *p, vf_group g)
{
	vf_span best = {0};
	int first = g.a;
	while (first + 1 < g.b && vf_leaf_at(p, first)->source < 0)
		first++;
	const vf_leaf *leaf = vf_leaf_at(p, first);
	for (int k = g.depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		bool all = s->src != 0 && (best.extent == 0 || vf_magnitude(s->src) < vf_magnitude(best.src));
		for (int j = g.a; all && j < g.b; j++)
			all = row_loop(vf_leaf_at(p, j), g.depth, s) >= 0;
		best = all ? *s : best;
	}
	return best;
}

enum { MOST_ROWS = 64, TWO_LINES = 2 * LINE };

int64_t vf_most_rows(const vf_span *loop)
{
	const int64_t two = TWO_LINES / vf_magnitude(loop->src);
	return smaller(two, MOST_ROWS);
}

int64_t vf_rows_of_pool(const vf_span *loop)
{
	enum { MOST_READ = 4 * LINE };
	const int64_t step = vf_magnitude(loop->src), two = TWO_LINES / step;
	const int64_t most = two > MOST_ROWS && loop->extent % two == 0 ? two : MOST_ROWS;
	int64_t n = loop->extent < most ? loop->extent : most;
	while (n > 1 && (loop->extent % n || n * step > MOST_READ))
		n--;
	return n;
}

/* Takes `n` indices of the loop out of each leaf. Returns their steps in the source, of each leaf that reads;
 * NULL out of memory, which is kept. */
static int64_t *take_rows(vf_planner *p, vf_group g, const vf_span *loop, int64_t n)
{
	int64_t *steps = vf_plan_alloc(p, g.b - g.a, sizeof *steps);
	int nreader = 0;
	for (int k = g.a; steps && k < g.b; k++) {
		vf_leaf *leaf = &p->plan->leaves[k];
		const int at = row_loop(leaf, g.depth, loop);
		vf_span *s = &leaf->loops[at];
		if (leaf->source >= 0)
			steps[nreader++] = s->src;
		if (n < s->extent) {
			*s = vf_plain_span(s->extent / n, s->dst * n, s->src * n);
			continue;
		}
		leaf->nloop--;
		memmove(s, s + 1, (size_t)(leaf->nloop - at) * sizeof *s);
	}
	return steps;
}

/* Puts them back as a loop of step `pitch`, inside a loop that is cut: that one stays where it is. */
static void put_rows(vf_planner *p, vf_group inside, int64_t n, const int64_t *steps, int64_t pitch)
{
	for (int k = inside.a; k < inside.b; k++) {
		vf_leaf *leaf = &p->plan->leaves[k];
		const int at = vf_uncut(leaf, inside.depth);
		vf_span *s = &leaf->loops[at];
		memmove(s + 1, s, (size_t)(leaf->nloop - at) * sizeof *s);
		leaf->nloop++;
		*s = vf_plain_span(n, pitch, leaf->source >= 0 ? *steps++ : 0);
	}
}

/* Lays out a stage of rows. Not where they follow each other without a gap: those are a piece. `rows`: the
 * loop whose indices are the rows, all of them; NULL: any loop. */
static bool stage_rows(vf_planner *p, vf_group g, const vf_span *rows, vf_node *node, vf_group *inside)
{
	const int64_t most = most_bytes(p, g);
	vf_share_loops(p, g, MOST_SHARED);
	const vf_span loop = rows ? *rows : vf_rows_loop(p, g);
	const int64_t n = rows ? loop.extent : loop.extent ? vf_rows_of_pool(&loop) : 1;
	const int64_t *steps = n > 1 ? take_rows(p, g, &loop, n) : NULL;
	if (!steps)
		return false;
	node->nloop = vf_take_loops(p, g, most / n - (rows ? LINE : 0)); /* chunks end where lines do */
	*inside = (vf_group){g.a, g.b, g.depth + node->nloop};
	if (node->nloop == 0 || !vf_stage_dense(p, node, *inside) || node->stage_bytes * n > most ||
	    node->stage_tail < p->machine->stage_bytes || node->stage_bytes == loop.dst ||
	    !vf_has_room(p, g, 1))
		return false;
	const vf_span *first = &vf_leaf_at(p, g.a)->loops[inside->depth];
	if (!rows && g.b - g.a == 1 && vf_is_cut(first) && n * vf_magnitude(loop.src) < LINE)
		return false; /* no block goes along a cut loop: only the rows would be side by side */
	node->stage_rows = n;
	node->stage_dst_step = loop.dst;
	node->stage_src_step = vf_stage_pitch(node->stage_bytes, loop.dst);
	const bool turns = g.b - g.a > 1 && vf_place_staged(p, node, inside);
	put_rows(p, *inside, n, steps, turns ? node->placing->block.src_step : node->stage_src_step);
	return true;
}

/* ---- both ---- */

/* Lays out a stage that is one piece of dst: all that the leaves write inside loops that they share. */
static bool stage_piece(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	const int64_t most = most_bytes(p, g);
	node->nloop = vf_take_loops(p, g, most);
	*inside = (vf_group){g.a, g.b, g.depth + node->nloop};
	if (node->nloop == 0 || vf_group_bytes(p, *inside, false) > most || !vf_stage_dense(p, node, *inside))
		return false;
	if (g.b - g.a > 1)
		vf_place_staged(p, node, inside);
	return true;
}

/* Do rows of dst follow each other that are read side by side? Then lines are carried from row to row. */
static bool rows_follow(const vf_leaf *leaf, int depth, int64_t row)
{
	bool follow = false;
	for (int k = depth; k < leaf->nloop; k++)
		follow = follow || (vf_magnitude(leaf->loops[k].src) == leaf->unit_bytes &&
		                    vf_magnitude(leaf->loops[k].dst) == row);
	return follow;
}

/* Is it a turned matrix whose rows of dst are short, and start anywhere? Each end of a row is a part of a
 * line (a Xeon with AMX, of the fastest copy: bf16 [135,256,12,64] with 3 more of axis 1, its first and
 * last axes changed, 0.24 and with a pool 0.41). On a Zen 4 longer rows lose by it, those of few units,
 * and where registers are wide those that follow each other: pixels by (0,3,2,1) u8 [241,200,200,3] 0.20
 * and 0.37, f16 [241,112,112,3] 0.23 and 0.42, f64 [141,50,50,3] 0.25 and 0.48, by AVX2 21 of u8 and f16
 * 0.28 and 0.37; but f32 [2441,28,28,3] 0.23 and 0.19, u8 [41,900,900,3] 0.39 and 0.26. Long units are
 * put together from parts of lines, too (patches of u8 pixels, 7 x 7 0.28 and 0.52, on a Zen 4 0.16 and
 * 0.30; 14 x 14 0.41 and 0.62, 0.23 and 0.44; but 4 x 4 of f16 0.57 and 0.51). Not where a stage would
 * have parts of a line of the source, and another the rest (a Xeon with AMX: bf16 [135,256,12,100] turned
 * by (3,1,2,0), by 50 rows of 100 0.24, by none 0.35), but for pixels of half a line. */
static bool has_short_rows(vf_planner *p, vf_group g)
{
	enum { SHORT_OF_PAIRS = 800, SHORT = 500, FEW_UNITS = 48, SHORT_OF_LONG = 1280, FEW = 4 };
	const vf_leaf *leaf = vf_leaf_at(p, g.a);
	if (leaf->table || !vf_wants_blocks(p, g))
		return false;
	const vf_span loop = vf_rows_loop(p, g);
	const int64_t n = loop.extent ? vf_rows_of_pool(&loop) : 1;
	const int64_t read = n * vf_magnitude(loop.src);
	if (!has_long_units(p, g) && n > 1 && read % LINE && (read > LINE / 2 || n < loop.extent))
		return false;
	const int64_t row = vf_carried_row(p, g, true);
	if (has_long_units(p, g))
		return row < SHORT_OF_LONG && row > FEW * leaf->unit_bytes;
	if (p->machine->cpu.pairs)
		return row < SHORT_OF_PAIRS;
	return row < SHORT && row >= FEW_UNITS * leaf->unit_bytes &&
	       (vf_is_narrow(p->machine) || !rows_follow(leaf, g.depth, row));
}

/* Does a stage read some part of a line, and other stages the rest of it? Where lines go by pairs, to read
 * single lines of longer runs is as bad (a Xeon with AMX, of the fastest copy: f32 56 x 56 x 64, channels
 * first with margins of 1 beside, 0.36 and 0.48). So are pieces of up to 512 bytes where units are long (f16
 * patches of 14 x 14 put back, a plane after the other: 0.44, carried 0.58). */
static bool reads_parts(const vf_planner *p, vf_group inside)
{
	const bool units = has_long_units(p, inside);
	const int64_t whole = units ? 8 * LINE : p->machine->cpu.pairs ? 4 * LINE : LINE;
	bool parts = false;
	for (int k = inside.a; k < inside.b; k++)
		for (int j = 0; j < inside.depth; j++) {
			const int64_t step = vf_magnitude(vf_leaf_at(p, k)->loops[j].src);
			parts = parts || (step > 0 && step < whole);
		}
	return parts;
}

/* The loop with the shortest step in the source, if that is less than half a line; NULL: there is none. */
static const vf_span *nearest(const vf_leaf *leaf, int depth)
{
	const vf_span *best = NULL;
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		const int64_t step = vf_magnitude(s->src);
		if (!vf_is_uneven(s) && step > 0 && step < LINE / 2 &&
		    (!best || step < vf_magnitude(best->src)))
			best = s;
	}
	return best;
}

/* Would a stage of the first cache hold less than half a line of what some leaf reads side by side? (bf16
 * [1,16,4096,64] turned, beside itself mirrored, as pixels of two: 0.05 of the fastest copy, by a pool 0.31.)
 */
static bool reads_little(const vf_planner *p, vf_group g)
{
	enum { HALF_LINE = LINE / 2 };
	bool little = false;
	for (int k = g.a; k < g.b; k++) {
		const vf_span *line = nearest(vf_leaf_at(p, k), g.depth);
		little = little || (line && p->machine->staged_bytes * vf_magnitude(line->src) <
		                                HALF_LINE * vf_magnitude(line->dst));
	}
	return little;
}

/* Does some leaf cross, now that it has a plane of its own? Others took turns with it before. */
static bool crosses_in_planes(const vf_planner *p, const vf_node *node, vf_group inside)
{
	bool crosses = false;
	for (int k = inside.a; node->placing && k < inside.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		crosses = crosses || vf_leaf_crosses(leaf, vf_uncut(leaf, inside.depth));
	}
	return crosses;
}

bool vf_lay_out_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	const vf_node before = *node;
	const vf_kept_leaves k = vf_keep_leaves(p, g);
	if (p->failed)
		return false;
	const bool piece = stage_piece(p, g, node, inside) && fits(p, g, *inside);
	if (piece && !reads_parts(p, *inside))
		return true;
	if (has_long_units(p, g))
		return false;
	*node = before;
	vf_put_back_leaves(p, &k);
	if (stage_rows(p, g, NULL, node, inside) && fits(p, g, *inside))
		return true;
	*node = before;
	vf_put_back_leaves(p, &k);
	return piece && stage_piece(p, g, node, inside);
}

bool vf_lay_out_rows(vf_planner *p, vf_group g, const vf_span *rows, vf_node *node, vf_group *inside)
{
	return stage_rows(p, g, rows, node, inside) && fits(p, g, *inside);
}

/* Is a stage of the first cache enough for all that they share? */
static bool fits_stages(const vf_planner *p, vf_group g)
{
	const vf_shared s = vf_find_shared(p, g);
	return s.lines && s.crosses && s.body <= p->machine->staged_bytes;
}

bool vf_may_pool(vf_planner *p, vf_group g)
{
	const bool alone = g.b - g.a == 1;
	return p->stream && p->plan->nplace <= 1 &&
	       (alone ? has_short_rows(p, g) : has_short_pieces(p, g) || has_planes_between(p, g)) &&
	       (alone || !fits_stages(p, g) || reads_little(p, g));
}

bool vf_fits_pool(vf_planner *p, vf_group g)
{
	vf_node node = {.depth = g.depth};
	vf_group inside;
	if (!vf_may_pool(p, g))
		return false;
	const vf_kept_leaves k = vf_keep_leaves(p, g);
	if (p->failed)
		return false;
	const bool staged = g.b - g.a > 1 && fits_stages(p, g);
	const bool fits = vf_lay_out_pool(p, g, &node, &inside) &&
	                  (!staged || crosses_in_planes(p, &node, inside));
	vf_end_try(p, &k);
	return fits;
}

void vf_set_pool(vf_planner *p, vf_node *node, vf_group inside)
{
	const int64_t stage = (node->stage_rows - 1) * node->stage_src_step + node->stage_bytes;
	node->loops = vf_leaf_at(p, inside.a)->loops + node->depth;
	p->pooled = node->placing ? node->placing->bytes : stage + LINE;
	vf_want_scratch(p, p->pooled);
	vf_look_ahead(p, node, inside);
	p->stream = false;
}

bool vf_pool(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	*node = (vf_node){.depth = g.depth};
	if (!vf_lay_out_pool(p, g, node, inside))
		return false;
	vf_set_pool(p, node, *inside);
	return true;
}

void vf_pool_end(vf_planner *p)
{
	p->stream = true;
	p->pooled = 0;
}
