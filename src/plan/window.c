/* window.c -- windows that overlap: see group.h.
 *
 * In     a leaf whose windows overlap along what it crosses: side by side in dst are k units of a window and
 *        much else, and the next window begins less than k units further on in the source
 * Out    a node for each row of windows. Its leaf moves each unit that they read once, to planes: there is a
 *        plane for each place along the source, and it has side by side what a window takes there.
 *        `interleave`, or `pick`, makes windows from planes; `pick` also makes whole windows of up to a
 *        line, each from a run of places
 * Keeps  the bytes that move
 * Tests  tests/unit/test_windows.c, tests/property/test_moves.c
 *
 * So one of a window's k units is transposed, not all, and what leaves is one run of dst.
 */
#include "plan/group.h"
#include "plan/join.h"
#include "plan/join_block.h"
#include "plan/strategy.h"

#include <string.h>

enum { MOST_LOOPS = 64 };

/* A row of windows, by the leaf's loops: each is `count` units `unit_step` apart, and begins `step` after the
 * one before. */
typedef struct window_row {
	vf_leaf *leaf;
	int row, units;              /* the loops over windows, and over units; -1: units are side by side */
	int64_t unit, count, extent; /* bytes; units, windows */
	int64_t unit_step, step;     /* in the source */
	int64_t places, place_step;  /* in the source, of all windows */
	int64_t plane_bytes;
	int64_t lines; /* rows of windows that a stage has, of the loop outside */
	bool of_rows;
	/* Whole windows are put together, from a run of places of each set of rows. */
	bool of_sets;
	vf_span set, rows;
} window_row;

/* A loop that windows may overlap along; -1: there is none. */
static int find_row(const window_row *r, int depth)
{
	const vf_leaf *leaf = r->leaf;
	const int64_t window = r->count * r->unit_step;
	for (int k = depth; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (k != r->units && !vf_is_uneven(s) && !vf_is_cut(s) && s->src > 0 && s->src < window)
			return k;
	}
	return -1;
}

/* Finds the windows: of units side by side, or of units along the last loop. */
static bool find_windows(window_row *r, int depth)
{
	const vf_span *last = vf_last_loop(r->leaf);
	const int64_t bytes = r->leaf->unit_bytes;
	*r = (window_row){.leaf = r->leaf, .units = -1, .unit = bytes, .count = bytes, .unit_step = 1};
	r->row = find_row(r, depth);
	if (r->row >= 0) {
		r->unit = r->unit_step = common_divisor(bytes, r->leaf->loops[r->row].src);
		r->count = bytes / r->unit;
		return true;
	}
	if (last->dst != bytes || vf_is_uneven(last) || vf_is_cut(last) || last->src <= 0)
		return false;
	r->units = r->leaf->nloop - 1;
	r->unit = bytes, r->count = last->extent, r->unit_step = last->src;
	r->row = find_row(r, depth);
	return r->row >= 0;
}

/* Where unit t of a block that is put together by a table is read; -1: it is not read side by side. */
static int64_t unit_at(const vf_leaf *leaf, int64_t unit, int64_t t)
{
	const uint16_t *entry = leaf->table + t * unit;
	const int64_t at = leaf->stream_at[*entry >> 8 & 127] + (*entry & 255);
	bool whole = *entry >> 15 == 0 && leaf->stream_source[*entry >> 8] == leaf->source;
	for (int64_t i = 1; whole && i < unit; i++)
		whole = entry[i] == entry[0] + i;
	return whole ? at : -1;
}

/* Are the blocks of a table made of windows, each of as many units as the first? */
static bool find_blocks(window_row *r, int64_t unit)
{
	const vf_leaf *leaf = r->leaf;
	const vf_span *last = vf_last_loop(leaf);
	const int64_t n = leaf->unit_bytes / unit, first = unit_at(leaf, unit, 0);
	*r = (window_row){.leaf = r->leaf, .row = leaf->nloop - 1, .units = -1, .unit = unit};
	r->unit_step = unit, r->count = 1;
	while (r->count < n && unit_at(leaf, unit, r->count) == first + r->count * unit)
		r->count++;
	bool windows = first >= 0 && n % r->count == 0 && !vf_is_uneven(last) && !vf_is_cut(last) &&
	               last->dst == leaf->unit_bytes && last->src > 0 && last->src < r->count * unit;
	for (int64_t t = 0; windows && t < n; t++) {
		const int64_t begin = unit_at(leaf, unit, t - t % r->count);
		windows = begin >= 0 && unit_at(leaf, unit, t) == begin + t % r->count * unit;
	}
	return windows;
}

/* Do the unit and the loops inside the loop over windows fill one step of it in dst? */
static bool is_dense(const window_row *r)
{
	const vf_leaf *leaf = r->leaf;
	const int64_t window = leaf->loops[r->row].dst;
	int64_t bytes = leaf->unit_bytes;
	for (int k = 0; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (k > r->row && (vf_is_uneven(s) || vf_is_cut(s) || s->dst <= 0 || s->dst >= window))
			return false;
		bytes *= k > r->row ? s->extent : 1;
	}
	return bytes == window;
}

/* Sets the places, each a plane, that `extent` windows read. */
static void set_places(window_row *r, int64_t extent)
{
	r->extent = extent;
	r->place_step = common_divisor(r->step, r->unit_step);
	r->places = ((extent - 1) * r->step + (r->count - 1) * r->unit_step) / r->place_step + 1;
}

/* Takes as many windows at a time as the cache has room for their planes. False where that is one, or where
 * they share no units (a Xeon with AMX, f32 [688,7,7,32] to windows of 3 by 3, five at a time, of the
 * fastest copy: by planes 0.68, without 0.25). Each window has a place at least, so no more are tried than
 * there is room for. */
static bool find_extent(const vf_planner *p, window_row *r, int depth)
{
	enum { FEWEST = 2 };
	const int64_t most = p->machine->cpu.l2_bytes / 8 / r->plane_bytes;
	const int64_t all = r->leaf->loops[r->row].extent;
	const int64_t whole = r->row == depth ? all / 2 : all; /* a node has a loop */
	for (int64_t extent = whole < most ? whole : most; extent >= FEWEST; extent--) {
		if (all % extent)
			continue;
		set_places(r, extent);
		if (r->places <= most)
			return r->places < r->extent * r->count;
	}
	return false;
}

/* Is it worth a pass more? At once, wide units are transposed about as fast in the caches, and so are short
 * rows, which are joined (a Xeon with AMX, of the fastest copy, at once and by planes: 3 by 3 of 16 channels
 * f32 0.87 and 0.71, u16 0.47 and 0.63; of 64 channels f32 0.53 and 0.70, u16 0.46 and 0.68, u8 0.32 and
 * 0.66; every second one of 32 channels f32 0.38 and 0.71, u8 0.24 and 0.55). With fewer units than these
 * each place is a short row. Blocks of short units are faster by planes where a window begins at each unit (3
 * by 3 of 3 channels u8 0.28 and 0.46; every second one 0.32 and 0.15). */
static bool pays(const vf_planner *p, const window_row *r)
{
	enum { FEWEST = 12, SHORT_ROW = 640 };
	if (r->leaf->table)
		return p->stream && r->unit < 4 && r->step == r->unit &&
		       r->plane_bytes >= FEWEST / 2 * r->unit;
	return r->plane_bytes >= FEWEST * r->unit &&
	       (r->unit < 4 || (p->stream && r->plane_bytes * r->count > SHORT_ROW));
}

/* Does the leaf cross as it is? Where codelets are not fast for its unit, a whole window: would it cross if
 * they were? */
static bool crosses(const vf_planner *p, vf_group g, const window_row *r)
{
	const vf_leaf *leaf = r->leaf;
	bool far = leaf->nloop > r->row + 1 && r->units < 0 && !(p->machine->without >> VF_TRANSPOSE & 1) &&
	           vf_leaf_bytes(leaf, g.depth, false) > p->machine->piece_bytes;
	for (int k = r->row + 1; k < leaf->nloop; k++)
		far = far && vf_magnitude(leaf->loops[k].src) >= 2 * r->count * r->unit;
	return vf_fast_unit(leaf->unit_bytes) ? vf_wants_blocks(p, g) : far;
}

/* Takes several short rows of windows into a stage, so that calls are long. The windows of a row have to be
 * one run. */
static void take_lines(const vf_planner *p, window_row *r, int depth)
{
	enum { LONG = 32 << 10 };
	const vf_span *row = &r->leaf->loops[r->row], *outer = row - 1;
	const int64_t bytes = r->places * r->plane_bytes, written = row->extent * row->dst;
	r->lines = 1;
	if (r->row == depth || r->extent != row->extent || (r->step != r->place_step && !r->of_sets) ||
	    vf_is_uneven(outer) || vf_is_cut(outer))
		return;
	const int64_t most = p->machine->cpu.l2_bytes / 8;
	for (int64_t n = 2; n <= outer->extent && n * bytes <= most && r->lines * written < LONG; n++)
		if (outer->extent % n == 0)
			r->lines = n;
}

/* Do windows take from each place a unit of each of a few rows of the source? `interleave` makes these. */
static bool is_of_rows(const window_row *r)
{
	const vf_leaf *leaf = r->leaf;
	const vf_span *rows = &leaf->loops[r->row + 1];
	return !leaf->table && leaf->nloop == r->row + 2 + (r->units >= 0) && vf_few(rows->extent) &&
	       vf_plane_unit(r->unit) && rows->dst == r->count * r->unit &&
	       common_divisor(leaf->loops[r->row].src, r->unit_step) == r->unit;
}

/* Finds the rows of a window in a block's table, as a loop over sets and one over the rows of a set. */
static bool table_rows(const window_row *r, vf_span *set, vf_span *rows)
{
	const vf_leaf *leaf = r->leaf;
	const int64_t window = r->count * r->unit, n = leaf->unit_bytes / window;
	const int64_t first = unit_at(leaf, r->unit, 0);
	for (int64_t few = 2; few <= 4; few++) {
		const int64_t step = n > 1 ? unit_at(leaf, r->unit, r->count) - first : 0;
		const int64_t next = n > few ? unit_at(leaf, r->unit, few * r->count) - first : 0;
		bool even = n % few == 0;
		for (int64_t k = 0; even && k < n; k++)
			even = unit_at(leaf, r->unit, k * r->count) ==
			       first + k / few * next + k % few * step;
		*set = vf_plain_span(n / few, few * window, next), *rows = vf_plain_span(few, window, step);
		if (even)
			return true;
	}
	return false;
}

/* The same from the leaf's loops. */
static bool loop_rows(const window_row *r, vf_span *set, vf_span *rows)
{
	const vf_leaf *leaf = r->leaf;
	const int nrow = leaf->nloop - r->row - 1 - (r->units >= 0);
	if (nrow < 1 || nrow > 2)
		return false;
	*rows = leaf->loops[r->row + nrow];
	*set = nrow == 2 ? leaf->loops[r->row + 1] : vf_plain_span(1, 0, 0);
	return true;
}

/* Can whole windows be blocks, each put together from a few runs? There is a run for each set of rows: the
 * units that its rows have at a place lie side by side, and so do places. Each line of dst is made from a few
 * lines of these (a Xeon with AMX, of the fastest copy, transposed and so: f16 3 by 3 of 3 channels 0.28 and
 * 0.54). */
static bool has_sets(const vf_planner *p, window_row *r)
{
	enum { MOST_SETS = 4 };
	const int64_t step = common_divisor(r->step, r->unit_step);
	if (!p->machine->wide || !p->stream || !vf_plane_unit(r->unit) || step != r->unit ||
	    !(r->leaf->table ? table_rows(r, &r->set, &r->rows) : loop_rows(r, &r->set, &r->rows)))
		return false;
	const int64_t most = VF_MOST_BLOCK / (r->rows.extent * r->unit); /* places of a block */
	return vf_few(r->rows.extent) && r->set.extent <= MOST_SETS &&
	       (r->count - 1) * r->unit_step / step < most && r->count <= most / r->set.extent;
}

static bool has_windows(vf_planner *p, vf_group g, window_row *r)
{
	vf_leaf *leaf = &p->plan->leaves[g.a];
	*r = (window_row){.leaf = leaf};
	if (!p->machine->lines || leaf->source < 0 || leaf->compute || vf_leaf_has_list(leaf) ||
	    leaf->nloop == g.depth || leaf->nloop > MOST_LOOPS || leaf->nloop + 2 >= leaf->capacity)
		return false;
	if (leaf->table ? !find_blocks(r, p->plan->elem_bytes) : !find_windows(r, g.depth))
		return false;
	const bool of_rows = is_of_rows(r);
	r->step = leaf->loops[r->row].src;
	r->of_sets = is_dense(r) && r->count > 1 && has_sets(p, r);
	if (!is_dense(r) || r->count < 2 || !vf_has_pixels(p, r->count, r->unit) ||
	    !(leaf->table || of_rows || r->of_sets || crosses(p, g, r)))
		return false;
	if ((leaf->table || of_rows || r->of_sets) && vf_weaves_windows(p, g))
		return false;
	r->plane_bytes = leaf->loops[r->row].dst / r->count;
	if (!(of_rows || r->of_sets ? p->stream : pays(p, r)) || !find_extent(p, r, g.depth))
		return false;
	r->of_rows = of_rows || r->of_sets;
	take_lines(p, r, g.depth);
	return true;
}

/* Lets the leaf write one set of rows after the other: of each place a unit of each row. */
static void write_sets(window_row *r, int n)
{
	vf_leaf *leaf = r->leaf;
	const int64_t place = r->rows.extent * r->unit;
	if (r->set.extent > 1)
		leaf->loops[n++] = vf_plain_span(r->set.extent, r->places * place, r->set.src);
	leaf->loops[n++] = vf_plain_span(r->places, place, r->place_step);
	leaf->loops[n++] = vf_plain_span(r->rows.extent, r->unit, r->rows.src);
	leaf->src += leaf->table ? unit_at(leaf, r->unit, 0) : 0;
	leaf->table = NULL;
	leaf->unit_bytes = r->unit;
	leaf->nloop = n;
}

/* Lets the leaf's loops inside those of the node write to planes. */
static void write_to_planes(window_row *r, int nloop)
{
	vf_leaf *leaf = r->leaf;
	int n = nloop;
	vf_span kept[MOST_LOOPS];
	leaf->dst = 0;
	const int many = leaf->nloop - r->row - 1;
	memcpy(kept, leaf->loops + r->row + 1, (size_t)many * sizeof *kept);
	if (r->lines > 1) {
		vf_span *lines = &leaf->loops[r->row - 1], whole = *lines;
		*lines = vf_plain_span(whole.extent / r->lines, whole.dst * r->lines, whole.src * r->lines);
		leaf->loops[n++] = vf_plain_span(r->lines, r->places * r->plane_bytes, whole.src);
	}
	if (r->of_sets) {
		write_sets(r, n);
		return;
	}
	leaf->loops[n++] = vf_plain_span(r->places, r->plane_bytes, r->place_step);
	for (int k = 0; k < many; k++) {
		if (r->row + 1 + k == r->units)
			continue;
		leaf->loops[n] = kept[k];
		leaf->loops[n++].dst /= r->count;
	}
	leaf->nloop = n;
	leaf->unit_bytes = leaf->table ? r->plane_bytes : r->unit;
	leaf->block_bytes = r->place_step;
}

/* The table of each window's first unit. */
static const uint16_t *first_units(vf_planner *p, const window_row *r)
{
	uint16_t *table = vf_plan_alloc(p, r->plane_bytes, sizeof *table);
	for (int64_t i = 0; table && i < r->plane_bytes; i++)
		table[i] = r->leaf->table[i / r->unit * r->unit * r->count + i % r->unit];
	return table;
}

/* Chooses how the leaf's loops from g.depth on are moved: in blocks, or, with a table or planes, by the
 * cheapest strategy. False where blocks are needed and cannot be. */
static bool choose(vf_planner *p, window_row *r, vf_group g)
{
	const bool planes = r->of_rows || vf_leaf_has_planes(r->leaf, g.depth);
	if (!r->leaf->table && !planes)
		return vf_leaf_in_cache_blocks(p, g);
	for (int k = r->leaf->nloop - 2; k >= g.depth; k--)
		vf_merge_loops(r->leaf, k);
	if (r->leaf->table)
		r->leaf->table = first_units(p, r);
	if (p->failed)
		return false;
	vf_leaf_shape(r->leaf, g.depth);
	vf_leaf_choose(r->leaf, g.depth, p->machine->without);
	return true;
}

/* How windows leave. Where one begins at each place, the windows of a row are one run of planes. */
static vf_block block_of(const vf_planner *p, const window_row *r)
{
	const int64_t each = r->plane_bytes / r->unit, row = r->step / r->place_step;
	const bool run = row == 1, lines = r->lines > 1;
	const int64_t line = lines ? r->leaf->loops[r->row - 1].dst : 0;
	return (vf_block){.rows = run ? r->lines : r->extent,
	                  .dst_step = run ? line : r->plane_bytes * r->count,
	                  .src_step = run ? lines * r->places * r->plane_bytes : r->plane_bytes * row,
	                  .n = run ? r->extent * each : each,
	                  .unit = r->unit,
	                  .planes = r->count,
	                  .stream = p->stream};
}

/* Sets up whole windows from runs of places: block.src_at has where the sets are, the table where each byte
 * of a window is. */
static void set_windows(vf_planner *p, const window_row *r, vf_placing *placing)
{
	vf_block *b = &placing->block;
	const int64_t place = r->plane_bytes / r->set.extent, window = r->plane_bytes * r->count;
	uint16_t *table = vf_plan_alloc(p, window, sizeof *table);
	int64_t *at = vf_plan_alloc(p, r->set.extent, sizeof *at);
	if (p->failed)
		return;
	for (int64_t k = 0; k < r->set.extent; k++)
		at[k] = k * r->places * place;
	for (int64_t i = 0; i < window; i++) {
		const int64_t t = i / r->unit, row = t / r->count;
		const int64_t in_place = row * r->unit % place + i % r->unit;
		const int64_t from = t % r->count * (r->unit_step / r->place_step) * place + in_place;
		table[i] = (uint16_t)(row * r->unit / place << 8 | from);
	}
	*placing = (vf_placing){.codelet = VF_CODELET_pick, .leaves = true, .whole = true, .tail = r->extent};
	*b = (vf_block){.rows = r->lines,
	                .dst_step = r->lines > 1 ? r->leaf->loops[r->row - 1].dst : 0,
	                .src_step = r->lines > 1 ? r->places * r->plane_bytes : 0,
	                .n = r->extent,
	                .unit = window,
	                .planes = r->set.extent,
	                .src_block = r->step / r->place_step * place,
	                .stream = p->stream,
	                .src_at = at,
	                .table = table};
}

static vf_placing *make_placing(vf_planner *p, const window_row *r)
{
	vf_placing *placing = vf_plan_alloc(p, 1, sizeof *placing);
	if (placing) {
		*placing = (vf_placing){.block = block_of(p, r)};
		if (r->of_sets)
			set_windows(p, r, placing);
		else
			vf_set_pixels(p, placing, r->unit_step / r->place_step * r->plane_bytes);
		placing->bytes = r->lines * r->places * r->plane_bytes + 64;
	}
	return placing;
}

/* ---- entry ---- */

/* A few planes go by `interleave`, more by `pick`, where any byte of a register goes anywhere in one step. */
bool vf_has_pixels(const vf_planner *p, int64_t count, int64_t unit)
{
	return vf_plane_unit(unit) && vf_planes_join(count, unit, p->machine->wide);
}

void vf_set_pixels(vf_planner *p, vf_placing *placing, int64_t stride)
{
	vf_block *b = &placing->block;
	const int64_t unit = b->unit, count = b->planes;
	placing->codelet = VF_CODELET_interleave, placing->leaves = true, placing->tail = b->n;
	b->stride = stride;
	if (vf_few(count) || !p->machine->wide)
		return;
	uint16_t *table = vf_plan_alloc(p, count * unit, sizeof *table);
	int64_t *at = vf_plan_alloc(p, count, sizeof *at);
	if (p->failed)
		return;
	for (int64_t i = 0; i < count * unit; i++)
		table[i] = (uint16_t)((stride ? i / unit << 8 : 0) | i % unit);
	for (int64_t k = 0; k < count; k++)
		at[k] = k * stride;
	placing->codelet = VF_CODELET_pick;
	b->src_block = unit, b->unit = count * unit, b->planes = stride ? count : 1, b->stride = 0;
	b->table = table, b->src_at = at;
}

bool vf_take_windows(vf_planner *p, vf_group g, vf_node *node)
{
	window_row r;
	if (!has_windows(p, g, &r))
		return false;
	const vf_kept_leaves kept = vf_keep_leaves(p, g);
	vf_node *child = vf_plan_alloc(p, 1, sizeof *child);
	vf_placing *placing = make_placing(p, &r);
	if (p->failed)
		return false;
	vf_span *row = &r.leaf->loops[r.row];
	const int64_t n = row->extent / r.extent, lo = r.leaf->dst;
	const int nloop = r.row + (n > 1);
	const vf_span outer = vf_plain_span(n, row->dst * r.extent, row->src * r.extent);
	write_to_planes(&r, nloop);
	if (n > 1)
		r.leaf->loops[r.row] = outer;
	*node = (vf_node){.depth = g.depth, .nloop = nloop - g.depth, .loops = r.leaf->loops + g.depth};
	node->staged = true, node->placing = placing, node->stage_rows = 1, node->stage_lo = lo;
	node->stage_bytes = node->stage_tail = r.lines * r.extent * r.plane_bytes * r.count;
	p->pooled = placing->bytes;
	const bool chosen = choose(p, &r, (vf_group){g.a, g.b, nloop});
	p->pooled = 0;
	if (!chosen)
		return vf_put_back_leaves(p, &kept);
	vf_want_scratch(p, placing->bytes);
	*child = (vf_node){.leaf = r.leaf, .depth = nloop};
	node->children = child, node->nchild = 1;
	return true;
}
