/* weave.c -- rows of dst whose lines come from a few lines of the source each, in any order; see group.h.
 *
 * In     leaves in ascending order of dst, not shaped yet
 * Out    the node's loops: those that all leaves share, without the inner ones, which make rows. Its parting:
 *        the boxes that a row is made of, for the codelet `weave`
 * Keeps  the bytes that come to dst
 * Ends   leaves are as they were where it returns false
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/loom.h"

#include "codelets/weave.h"
#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64 };

/* ---- rows ---- */

/* How many indices make a row of up to `good_row` bytes: those that fill lines best. Rows are short, as what
 * is found of a row has to stay in the first cache. */
static int64_t best_each(int64_t body, int64_t extent, int64_t good_row)
{
	int64_t best = 1;
	double least = 1e9;
	for (int64_t n = 1; n <= extent && (n == 1 || n * body <= good_row); n++) {
		const int64_t whole = (n * body + LINE - 1) / LINE * LINE;
		const double waste = (double)whole / (double)(n * body);
		if (waste <= least)
			least = waste, best = n;
	}
	return best;
}

/* What rows are made of: so many bytes, or windows that overlap. */
enum { SPOOL = 64, OF_WINDOWS = -1 };

/* Are the indices of shared loop k windows that overlap, and are runs of one short? */
static bool overlaps(const vf_loom *l, int k)
{
	const int64_t step = vf_loom_loop(l, l->g.a, k)->src, run = vf_read_run(vf_leaf_at(l->p, l->g.a));
	return l->g.b - l->g.a == 1 && step > 0 && step < run && run <= SPOOL;
}

/* How many windows make a row: a spool holds all that they read side by side. So a line is picked from few
 * spools. */
static int64_t windows_a_spool(const vf_loom *l)
{
	enum { LONGEST = 2048 };
	const vf_span *loop = vf_loom_loop(l, l->g.a, l->rows);
	const int64_t n = (SPOOL - vf_read_run(vf_leaf_at(l->p, l->g.a))) / loop->src + 1;
	return smaller(smaller(n, larger(LONGEST / l->body, 1)), loop->extent);
}

/* Sets the shared loop over what rows are made of, and its body. It is -1 where there is none. */
static void find_loop(vf_loom *l, int nshared, bool windows)
{
	enum { SHORT_ROW = 1024, LONG_ROW = 10240, LONG_CALL = 4096 };
	const int64_t most = vf_has_long_runs(l->p, l->g) ? VF_WEAVE_ROW : LONG_ROW;
	l->rows = -1;
	for (int k = nshared - 1; k >= 0 && (l->rows < 0 || !windows); k--) {
		const int64_t body = vf_loom_body(l, k);
		if (body > most || (l->rows >= 0 && body > SHORT_ROW &&
		                    l->body * vf_loom_loop(l, l->g.a, l->rows)->extent >= LONG_CALL))
			break;
		if (vf_loom_makes_rows(l, k) && (!windows || overlaps(l, k)))
			l->rows = k, l->body = body;
	}
}

/* Finds the loop over rows: rows are short, calls are long. good_row: their bytes, or OF_WINDOWS.
 * False where calls would be short, as they write the lines at their ends in parts. */
static bool find_rows(vf_loom *l, int nshared, int64_t good_row)
{
	enum { CALLS_A_UNIT = 32 };
	find_loop(l, nshared, good_row == OF_WINDOWS);
	if (l->rows < 0)
		return false;
	const int64_t extent = vf_loom_loop(l, l->g.a, l->rows)->extent;
	l->each = good_row == OF_WINDOWS ? windows_a_spool(l) : best_each(l->body, extent, good_row);
	l->cut = l->rows;
	if (l->rows > 0 && l->body * extent < l->p->machine->chunk_bytes &&
	    vf_loom_makes_rows(l, l->rows - 1))
		l->cut--;
	return vf_loom_cut_body(l) * vf_loom_loop(l, l->g.a, l->cut)->extent >=
	       l->p->machine->chunk_bytes / CALLS_A_UNIT;
}

/* ---- boxes ---- */

/* How far on the leaf reads what it needs some KiB later. A loop further outside is taken if its next index
 * is not much later than that. 0: unknown. */
static int64_t read_later(const vf_loom *l, const vf_leaf *leaf)
{
	enum { LATER = 4096, MUCH_LATER = 8 * LATER };
	int64_t found = 0;
	for (int k = l->rows; k >= 0; k--) {
		const vf_span *s = &leaf->loops[l->g.depth + k];
		int64_t body = vf_loom_body(l, k), times = LATER / body + 1;
		if (vf_is_uneven(s) || (found && body > MUCH_LATER))
			break;
		if (s->src != 0 && s->extent > 1 && (times < s->extent || k == 0))
			found = s->src * (times < s->extent ? times : 1);
	}
	return found;
}

static bool add_box(vf_loom *l, const vf_leaf *leaf, int64_t at, int64_t bytes, int64_t offset, vf_span inner)
{
	if (l->nbox == VF_MOST_BOXES)
		return false;
	if (!vf_arena_reserve(&l->p->plan->arena, &l->boxes, l->nbox, &l->capacity, sizeof *l->boxes)) {
		l->p->failed = true;
		return false;
	}
	vf_row_box *box = &l->boxes[l->nbox++];
	const vf_span *rows = &leaf->loops[l->g.depth + l->rows], *end = leaf->loops + leaf->nloop;
	const bool reads = leaf->source >= 0;
	int64_t next = 0; /* the row after; may lie beyond the numbers where there is none */
	if (reads && !vf_product_fits(rows->src, l->each, &next))
		return false;
	*box = (vf_row_box){.at = at,
	                    .bytes = bytes,
	                    .place = l->place,
	                    .offset = offset,
	                    .row_step = next,
	                    .piece_step = reads && l->cut < l->rows ? rows[-1].src : 0,
	                    .later = reads ? read_later(l, leaf) : 0,
	                    .stays = !reads};
	vf_span each = *rows;
	int n = 0;
	each.extent = l->each;
	for (const vf_span *s = rows; s <= end; s++) {
		vf_span one = s == rows ? each : s == end ? inner : *s;
		if (one.extent == 1)
			continue;
		if (n == VF_BOX_LOOPS || vf_is_uneven(&one))
			return false;
		box->loops[n].extent = one.extent, box->loops[n].to = one.dst;
		box->loops[n++].from = reads || s == end ? one.src : 0;
	}
	return true;
}

/* The same for a leaf with a table of offsets: a box for each offset. */
static bool add_each_box(vf_loom *l, const vf_leaf *leaf, int64_t at, int64_t bytes, int64_t offset)
{
	enum { MOST_LOOPS = 64 };
	vf_span loops[MOST_LOOPS];
	vf_leaf without = *leaf;
	int k = l->g.depth + l->rows + 1;
	while (k < leaf->nloop && !leaf->loops[k].table)
		k++;
	if (k == leaf->nloop)
		return add_box(l, leaf, at, bytes, offset, vf_plain_span(leaf->unit_bytes / bytes, bytes, 0));
	const vf_span *table = &leaf->loops[k];
	if (leaf->nloop > MOST_LOOPS || table->extent > VF_MOST_BOXES)
		return false;
	without.loops = loops;
	without.nloop--;
	memcpy(loops, leaf->loops, (size_t)k * sizeof *loops);
	memcpy(loops + k, table + 1, (size_t)(leaf->nloop - k - 1) * sizeof *loops);
	bool added = true;
	for (int64_t i = 0; added && i < table->extent; i++)
		added = add_each_box(l, &without, at + i * table->dst, bytes, offset + table->table[i]);
	return added;
}

/* Where byte i of a leaf's block is read. */
static int64_t table_at(const vf_leaf *leaf, int64_t i)
{
	return leaf->stream_at[leaf->table[i] >> 8] + (leaf->table[i] & 255);
}

static int64_t table_run(const vf_leaf *leaf, int64_t i)
{
	int64_t n = 1;
	while (i + n < leaf->unit_bytes && table_at(leaf, i + n) == table_at(leaf, i) + n)
		n++;
	return n;
}

/* Adds the runs of a table. Runs of one length at even steps are one box. */
static bool add_table(vf_loom *l, const vf_leaf *leaf, int64_t at, int64_t offset)
{
	for (int64_t i = 0, next; i < leaf->unit_bytes; i = next) {
		int64_t n = table_run(leaf, i), times = 1, step = 0;
		for (next = i + n; next < leaf->unit_bytes && table_run(leaf, next) == n;
		     next += n, times++) {
			int64_t one = table_at(leaf, next) - table_at(leaf, next - n);
			if (times > 1 && one != step)
				break;
			step = one;
		}
		if (!add_box(l, leaf, at + i, n, offset + table_at(leaf, i), vf_plain_span(times, n, step)))
			return false;
	}
	return true;
}

/* Do the rows of two leaves lie equally far apart in one source? */
static bool moves_alike(const vf_loom *l, const vf_leaf *a, const vf_leaf *b)
{
	bool alike = a->source >= 0 && a->source == b->source;
	for (int k = 0; alike && k <= l->g.depth + l->rows; k++)
		alike = !vf_is_uneven(&a->loops[k]) && !vf_is_uneven(&b->loops[k]) &&
		        a->loops[k].src == b->loops[k].src;
	return alike;
}

/* The place of a leaf: that of a leaf before it which moves alike, or a new one. */
static int place_of(vf_loom *l, int k)
{
	const vf_leaf *leaf = vf_leaf_at(l->p, k);
	for (int p = 0; p < l->nplace; p++)
		if (moves_alike(l, vf_leaf_at(l->p, l->places[p].leaf), leaf))
			return p;
	l->places[l->nplace] = (vf_part){k, leaf->source < 0 ? 0 : leaf->src};
	return l->nplace++;
}

static bool add_leaf(vf_loom *l, int k, int64_t lo)
{
	const vf_leaf *leaf = vf_leaf_at(l->p, k);
	const int64_t n = leaf->source < 0 ? leaf->fill_unit : leaf->unit_bytes;
	l->place = place_of(l, k);
	const int64_t offset = leaf->source < 0 ? 0 : leaf->src - l->places[l->place].src;
	if (leaf->table)
		return add_table(l, leaf, leaf->dst - lo, offset);
	return add_each_box(l, leaf, leaf->dst - lo, n, offset);
}

/* Bytes that the leaf reads by those loops from `depth` on whose step is less than that of loop k. */
static int64_t bytes_within(const vf_leaf *leaf, int depth, int k)
{
	int64_t bytes = leaf->unit_bytes;
	for (int j = depth; j < leaf->nloop; j++)
		if (vf_magnitude(leaf->loops[j].src) < vf_magnitude(leaf->loops[k].src))
			bytes *= leaf->loops[j].extent;
	return bytes;
}

/* Does the leaf read short rows side by side that share sets of the first cache? */
static bool rows_collide(const vf_leaf *leaf, int depth)
{
	enum { APART = 2048, FEW_ROWS = 16 };
	bool collide = false;
	for (int k = depth; k < leaf->nloop; k++) {
		const int64_t step = leaf->loops[k].src;
		collide = collide || (leaf->loops[k].extent >= FEW_ROWS && (step & -step) >= APART &&
		                      bytes_within(leaf, depth, k) <= vf_magnitude(step) / 2);
	}
	return collide;
}

static bool add_boxes(vf_loom *l)
{
	int64_t lo = vf_group_begin(l->p, (vf_group){l->g.a, l->g.b, l->g.depth + l->rows + 1});
	for (int k = l->g.a; k < l->g.b; k++)
		if (!add_leaf(l, k, lo))
			return false;
	l->lines = l->waits = true;
	for (int k = l->g.a; k < l->g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(l->p, k);
		const int depth = l->g.depth + l->rows;
		if (leaf->source < 0)
			continue;
		l->lines = l->lines && vf_uses_lines(l->p, leaf, depth);
		l->waits = l->waits && vf_wants_blocks(l->p, (vf_group){k, k + 1, l->g.depth}) &&
		           (rows_collide(leaf, depth) ||
		            vf_used_lines(leaf, depth, l->p->machine->cpu.l1_bytes / 2) < VF_MOST_OF_LINES);
	}
	return true;
}

/* What memory takes at least, where `pick` would put all of it together: it keeps up with that, too. (Zen 4,
 * of the fastest copy, woven and picked: f32 [4,64,56,56] twice as wide and high 0.46 and 0.49, u8 [8,3,240,
 * 320] four times 0.41 and 0.52, u8 pixels of 3 mirrored, twice 0.27 and 0.43.) */
static double least_woven(const vf_loom *l)
{
	enum { MEMORY = 60 };
	const vf_leaf *leaf = vf_leaf_at(l->p, l->g.a);
	const bool picked = l->g.b - l->g.a == 1 && leaf->table && !vf_has_short_windows(leaf);
	return l->p->stream && picked ? MEMORY : 0;
}

/* Are pixels taken apart plane by plane? Then each plane reads all lines (Zen 4, u8 [50,224,224,3] to planes
 * with margins of 3, of the fastest copy, woven and by a pool: 0.28 and 0.52). */
static bool takes_planes_apart(const vf_loom *l)
{
	bool apart = false;
	for (int k = l->g.a; k < l->g.b; k++)
		apart = apart || vf_leaf_loses_planes(vf_leaf_at(l->p, k), l->g.depth, l->g.depth + l->rows);
	return apart;
}

/* Picoseconds a byte; 0: it cannot be woven. w: room. */
static double cost_of_rows(vf_loom *l, vf_weaving *w)
{
	enum { A_BYTE_FOUND = 3000, STRAND_FOUND = 350000 };
	/* What is read again from the second cache is waited for. That counts where blocks would read it once
	 * (a Xeon with AMX, woven and by blocks: windows of 3 columns u16 600 x 601 0.11 and 0.61, columns of
	 * bf16 3014 x 1536 four times 0.07, 0.27; every second byte of 204 rows 51200 apart 0.25, 0.59). */
	const double waits = !l->p->stream ? 1 : !l->lines ? 4 : l->waits || takes_planes_apart(l) ? 2 : 1;
	const vf_block b = {.unit = l->body * l->each, .planes = l->nbox, .boxes = l->boxes};
	vf_weave_make(w, &b, NULL);
	const double weave = waits * (double)w->cost / (double)b.unit, least = least_woven(l);
	const double find = (double)(A_BYTE_FOUND * b.unit + (l->p->stream ? 0 : STRAND_FOUND * w->nstrand));
	const double all = (weave < least ? least : weave) + find / (double)vf_group_bytes(l->p, l->g, false);
	return w->nstrand < 0 ? 0 : all;
}

/* The cheapest of n rows, each of about so many bytes, or OF_WINDOWS. */
static double cheapest_rows(vf_loom *l, int nshared, int n, const int64_t *rows)
{
	const vf_loom before = *l;
	double least = 0;
	vf_weaving *w = vf_alloc_array(l->p->ctx, 1, sizeof *w);
	l->p->failed = l->p->failed || !w;
	for (int k = 0; k < n && w; k++) {
		vf_loom one = before;
		const bool found = find_rows(&one, nshared, rows[k]) && add_boxes(&one);
		const double cost = found ? cost_of_rows(&one, w) : 0;
		if (cost > 0 && (least == 0 || cost < least))
			least = cost, *l = one;
	}
	vf_dealloc(l->p->ctx, w);
	return least;
}

double vf_cost_woven_windows(vf_loom *l, int nshared)
{
	return cheapest_rows(l, nshared, 1, (const int64_t[]){OF_WINDOWS});
}

double vf_cost_woven(vf_loom *l, int nshared)
{
	if (vf_has_long_runs(l->p, l->g))
		return cheapest_rows(l, nshared, 2, (const int64_t[]){4096, OF_WINDOWS});
	return cheapest_rows(l, nshared, 4, (const int64_t[]){512, 256, 128, OF_WINDOWS});
}

/* ---- the node ---- */

/* To be called once the loop is cut into calls. */
static vf_parting *make_parting(const vf_loom *l, int64_t body)
{
	vf_parting *made = vf_plan_alloc(l->p, 1, sizeof *made);
	vf_part *parts = vf_plan_alloc(l->p, l->nplace, sizeof *parts);
	const vf_span *inside = vf_loom_loop(l, l->g.a, l->cut + 1);
	const bool pieces = l->cut < l->rows;
	if (l->p->failed)
		return NULL;
	memcpy(parts, l->places, (size_t)l->nplace * sizeof *parts);
	*made = (vf_parting){.codelet = VF_CODELET_weave,
	                     .tail = pieces ? inside->tail : inside->tail * body,
	                     .cuts_n = !pieces,
	                     .n = l->nplace,
	                     .cost = l->cost,
	                     .parts = parts};
	made->block = (vf_block){.rows = pieces ? inside->extent : 1,
	                         .n = pieces ? body : inside->extent * body,
	                         .unit = l->body * l->each,
	                         .planes = l->nbox,
	                         .stream = l->p->stream,
	                         .ahead_into = l->p->machine->cpu.l2_hints ? VF_AHEAD_SECOND : VF_AHEAD_FIRST,
	                         .boxes = l->boxes};
	return made;
}

static void make_node(vf_loom *l, vf_node *node)
{
	const int64_t body = vf_loom_cut_body(l);
	vf_loom_cut_calls(l);
	*node = (vf_node){.depth = l->g.depth, .nloop = l->cut + 1};
	node->loops = vf_leaf_at(l->p, l->g.a)->loops + l->g.depth;
	node->stage_lo = vf_group_begin(l->p, (vf_group){l->g.a, l->g.b, l->g.depth + node->nloop + 1});
	node->parting = make_parting(l, body);
	node->children = vf_plan_alloc(l->p, l->g.b - l->g.a, sizeof *node->children);
	for (int k = l->g.a; k < l->g.b && !l->p->failed; k++) {
		l->p->plan->leaves[k].strategy = VF_WEAVE;
		node->children[node->nchild++] = (vf_node){.leaf = vf_leaf_at(l->p, k),
		                                           .depth = l->g.depth + node->nloop};
	}
	vf_want_scratch(l->p, VF_WEAVE_ROOM);
}

/* Makes the node; calls are shorter where lines are used up only then. False where no length does it. */
bool vf_woven_node(vf_loom *l, vf_node *node, const vf_span *kept)
{
	enum { SHORTEST = 4096 };
	for (;; l->chunk /= 2) {
		make_node(l, node);
		const vf_group inside = {l->g.a, l->g.b, l->g.depth + node->nloop};
		if (l->p->failed || l->lines ||
		    vf_near_inside(l->p, node, inside, VF_MOST_OF_LINES) == VF_NEAR_MOVED)
			return true;
		vf_loops_as_kept(l->p, l->g, kept);
		if (l->chunk <= SHORTEST)
			return false;
		vf_share_loops(l->p, l->g, VF_MOST_SHARED);
	}
}
