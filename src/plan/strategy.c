/* strategy.c -- the table of strategies, the shape of a leaf, and the choice.
 *
 * In     a leaf whose outer loops are decided
 * Out    its unit, its last loops, the cheapest strategy that applies
 * Keeps  the bytes it moves. VF_UNITS applies to every leaf that reads plain units, VF_PICK to every one with
 *        a table and VF_FILL to every other one, so there is always a choice
 * Tests  tests/unit/test_plan.c
 */
#include "plan/strategy.h"

#include "plan/compute.h"

#include <string.h>

/* ---- the shape of a leaf ---- */

int64_t vf_fill_period(const unsigned char fill[16], int64_t elem_bytes)
{
	static const unsigned char zeros[16];
	if (memcmp(fill, zeros, sizeof zeros) == 0)
		return 1;
	for (int64_t bytes = 1; bytes < elem_bytes; bytes++)
		if (elem_bytes % bytes == 0 && memcmp(fill, fill + bytes, (size_t)(elem_bytes - bytes)) == 0)
			return bytes;
	return elem_bytes;
}

static void add_line(vf_leaf *leaf, int depth, int64_t unit_bytes, int64_t src)
{
	int64_t n = leaf->unit_bytes / unit_bytes;
	leaf->unit_bytes = unit_bytes;
	if (n > 1 || leaf->nloop == depth || vf_is_uneven(vf_last_loop(leaf)))
		leaf->loops[leaf->nloop++] = vf_plain_span(n, unit_bytes, src);
}

/* ---- the order of a leaf's loops ---- */

/* Can the loop be moved? One that is cut stays inside the loop over its chunks, one with a table outside of
 * what a codelet runs, one with a list where it is. */
static bool movable(const vf_leaf *leaf, int k)
{
	return !vf_is_uneven(&leaf->loops[k]) && !vf_is_cut(&leaf->loops[k]);
}

static void move_loop(vf_leaf *leaf, int from, int to)
{
	vf_span moved = leaf->loops[from];
	for (int k = from; k < to; k++) {
		leaf->loops[k] = leaf->loops[k + 1];
		leaf->loops[k].back -= vf_needs_chunk(&leaf->loops[k]);
	}
	leaf->loops[to] = moved;
}

/* Are there enough pixels? To take apart more than a few units pays where there are many pixels (7 x 7 of 8
 * f32: 0.66 of the fastest copy transposed, 0.58 taken apart; 14 x 14 of 24 u8 0.41 and 0.37). Backwards
 * some of a row are enough, if rows of planes follow each other (Zen 4, woven or transposed, and so: u8 56 x
 * 56 x 3 0.37 and 0.45, f32 0.37 and 0.79, 28 x 28 x 4 0.29 and 0.47; but u8 32 x 32 x 3 0.40 and 0.23, f32
 * matrices of 27 x 6 0.51 and 0.39). */
static bool are_enough(const vf_leaf *leaf, int depth, const vf_span *line)
{
	enum { MANY_PIXELS = 64, FOR_TWO = 1024, MIRRORED = 16, MIRRORED_FEW = 56, LONG_ROW = 256 };
	const int64_t unit = leaf->unit_bytes, units = vf_magnitude(line->src) / unit;
	const int64_t row = line->extent * unit;
	bool follow = row >= LONG_ROW;
	for (int k = depth; k < leaf->nloop; k++)
		follow = follow || (leaf->loops[k].dst == row && vf_magnitude(leaf->loops[k].src) != unit);
	if (line->src < 0)
		return follow && (vf_few(units) ? row >= MIRRORED_FEW : line->extent >= MIRRORED);
	return vf_few(units) || line->extent >= (units > vf_square_planes(unit) ? FOR_TWO : MANY_PIXELS);
}

/* The loop over the planes that pixels are taken apart into, its line being the last loop; -1: none. */
static int planes_apart(const vf_leaf *leaf, int depth)
{
	const vf_span *line = &leaf->loops[leaf->nloop - 1];
	if (vf_is_uneven(line) || !are_enough(leaf, depth, line))
		return -1;
	for (int k = leaf->nloop - 2; k >= depth; k--) {
		const vf_span *planes = &leaf->loops[k];
		const bool turns = planes->src >= 0 || !leaf->keeps_order;
		if ((movable(leaf, k) || planes->to) && turns && vf_are_of_pixels(leaf, planes, line))
			return k;
	}
	return -1;
}

/* Elements that are computed become pixels first, as units of the source (f32 [8,3,720,1280] to pixels of u8
 * 0.11 of the fastest copy transposed, 0.40 so; u8 to f32 0.07 and 0.92). */
bool vf_leaf_has_planes(const vf_leaf *leaf, int depth)
{
	const int64_t unit = vf_element_read(leaf);
	return leaf->source >= 0 && !leaf->table && leaf->nloop - depth >= 2 &&
	       vf_plane_unit(leaf->unit_bytes) &&
	       (vf_are_together(leaf, unit) || planes_apart(leaf, depth) >= 0);
}

int vf_source_line(const vf_leaf *leaf, int depth, int line, bool backward)
{
	for (int k = leaf->nloop - 1; k >= depth; k--)
		if (k != line && !leaf->loops[k].dst_list &&
		    (leaf->loops[k].src == leaf->unit_bytes || leaf->loops[k].to ||
		     (backward && leaf->loops[k].src == -leaf->unit_bytes)))
			return k;
	return -1;
}

/* A line of the source that runs backwards starts from its other end. False where it cannot. */
static bool turn_over(vf_leaf *leaf, vf_span *s)
{
	if (s->src > 0)
		return true;
	if (vf_is_cut(s) || leaf->keeps_order)
		return false;
	leaf->dst += (s->extent - 1) * s->dst, leaf->src += (s->extent - 1) * s->src;
	s->dst = -s->dst, s->src = -s->src;
	return true;
}

/* For single units of a constant, far apart: one call takes the longest loop. */
static void order_fill(vf_leaf *leaf, int depth)
{
	int last = leaf->nloop - 1, longest = last;
	if (leaf->loops[last].dst == leaf->unit_bytes)
		return;
	for (int k = depth; k < last; k++)
		if (movable(leaf, k) && leaf->loops[k].extent > leaf->loops[longest].extent)
			longest = k;
	if (movable(leaf, last))
		move_loop(leaf, longest, last);
}

static void order_loops(vf_leaf *leaf, int depth)
{
	int last = leaf->nloop - 1;
	if (vf_leaf_has_planes(leaf, depth)) {
		int planes = planes_apart(leaf, depth);
		if (planes >= 0 && leaf->loops[planes].src < 0)
			turn_over(leaf, &leaf->loops[planes]);
		if (planes >= 0)
			move_loop(leaf, planes, last);
	} else if (vf_leaf_crosses(leaf, depth)) {
		int line = vf_source_line(leaf, depth, last, true);
		if (line >= 0 && movable(leaf, line) && turn_over(leaf, &leaf->loops[line]))
			move_loop(leaf, line, last - 1);
	}
}

/* Is the last loop one over a list, of units so short that a call each would cost more than they do? Past the
 * cache those that are read are asked for, too. A constant is as long as leaf->fill at most. */
static bool has_indexed_units(const vf_leaf *leaf, int depth)
{
	enum { LONGEST = 1024, LONGEST_READ = 8192 };
	if (leaf->nloop == depth || !vf_has_list(vf_last_loop(leaf)))
		return false;
	const int64_t longest = vf_last_loop(leaf)->dst_list ? LONGEST : LONGEST_READ;
	return leaf->unit_bytes <= (leaf->source < 0 ? (int64_t)sizeof leaf->fill : longest);
}

void vf_leaf_shape(vf_leaf *leaf, int depth)
{
	if (leaf->table) {
		if (leaf->nloop == depth || vf_is_uneven(vf_last_loop(leaf)))
			leaf->loops[leaf->nloop++] = vf_plain_span(1, leaf->unit_bytes, leaf->block_bytes);
	} else if (has_indexed_units(leaf, depth)) {
		return;
	} else if (leaf->source < 0) {
		add_line(leaf, depth, leaf->fill_unit, 0);
		order_fill(leaf, depth);
	} else if (leaf->nloop == depth || !vf_fast_unit(leaf->unit_bytes) ||
	           vf_is_uneven(vf_last_loop(leaf))) {
		add_line(leaf, depth, 1, 1);
	} else {
		order_loops(leaf, depth);
	}
}

/* ---- the table, in the order of vf_strategy ---- */

const vf_strategy_row *const vf_strategy_rows[VF_STRATEGIES] = {
    [VF_COPY] = &vf_copy_row,
    [VF_FILL] = &vf_fill_row,
    [VF_GATHER] = &vf_gather_row,
    [VF_INDEX] = &vf_index_row,
    [VF_SCATTER] = &vf_scatter_row,
    [VF_UNITS] = &vf_units_row,
    [VF_INTERLEAVE] = &vf_interleave_row,
    [VF_DEINTERLEAVE] = &vf_deinterleave_row,
    [VF_PICK] = &vf_pick_row,
    [VF_TRANSPOSE] = &vf_transpose_row,
    [VF_APPLY] = &vf_apply_row,
    [VF_WEAVE] = &vf_weave_row,
};

const char *vf_strategy_name(vf_strategy strategy)
{
	return vf_strategy_rows[strategy]->name;
}

/* ---- what the strategies share ---- */

double vf_call_cost(const vf_leaf *leaf, int ninner)
{
	double bytes = (double)leaf->unit_bytes;
	for (int k = leaf->nloop - ninner; k < leaf->nloop; k++)
		bytes *= (double)leaf->loops[k].extent;
	return 4000 / bytes;
}

double vf_row_cost(const vf_leaf *leaf, double row_ps)
{
	return row_ps / (double)(leaf->unit_bytes * vf_last_loop(leaf)->extent);
}

int64_t vf_run_bytes(const vf_leaf *leaf, int nrow)
{
	const vf_span *row = &leaf->loops[leaf->nloop - nrow], *rows = row - 1;
	int64_t bytes = leaf->unit_bytes * row->extent;
	if (leaf->strategy == VF_INTERLEAVE)
		bytes *= row[1].extent;
	return leaf->ninner > nrow && rows->dst == bytes ? bytes * rows->extent : bytes;
}

/* The loop's index if it is cut, else -1. */
static int cut_loop(const vf_leaf *leaf, int k)
{
	return vf_is_cut(&leaf->loops[k]) ? k : -1;
}

void vf_codelet_call_rows(vf_codelet_call *call, const vf_leaf *leaf, int inner)
{
	int line = leaf->nloop - 1 - inner, rows = line - 1;
	call->block.n = leaf->loops[line].extent;
	call->n_loop = cut_loop(leaf, line);
	call->block.rows = 1;
	if (leaf->ninner < inner + 2)
		return;
	call->block.rows = leaf->loops[rows].extent;
	call->block.dst_step = leaf->loops[rows].dst;
	call->block.src_step = leaf->loops[rows].src;
	call->rows_loop = cut_loop(leaf, rows);
}

void vf_codelet_call_sets(vf_codelet_call *call, const vf_leaf *leaf)
{
	const int sets = leaf->nloop - 3;
	if (leaf->ninner < 3)
		return;
	call->block.planes = leaf->loops[sets].extent;
	call->block.src_block = leaf->loops[sets].src;
	call->sets_loop = cut_loop(leaf, sets);
}

void vf_codelet_call_units(vf_codelet_call *call, const vf_leaf *leaf)
{
	const vf_span *line = vf_last_loop(leaf);
	call->block.rows = line->extent;
	call->block.dst_step = line->dst;
	call->block.src_step = leaf->source < 0 ? 0 : line->src;
	call->block.n = 1;
	call->rows_loop = cut_loop(leaf, leaf->nloop - 1);
}

/* Bytes of the lines that one call reads, at least. */
static int64_t bytes_read(const vf_leaf *leaf)
{
	enum { LINE = 64 };
	int64_t bytes = leaf->table ? leaf->block_bytes : leaf->unit_bytes;
	for (int k = leaf->nloop - 1; k >= leaf->nloop - leaf->ninner; k--) {
		int64_t step = vf_magnitude(leaf->loops[k].src);
		int64_t each = step > LINE || step < bytes ? bytes : step;
		if (step != 0 && !vf_product_fits(each, leaf->loops[k].extent, &bytes))
			bytes = INT64_MAX;
	}
	return bytes;
}

/* Do the call's rows go on in a call to come, or are they all the same row? */
static bool rows_go_on(const vf_leaf *leaf)
{
	const vf_span *rows = &leaf->loops[leaf->nloop - leaf->ninner];
	bool go_on = leaf->ninner > 1 && rows->src == 0;
	for (int k = 0; k < leaf->nloop - leaf->ninner; k++)
		go_on = go_on || (leaf->ninner > 1 && leaf->loops[k].src == rows->extent * rows->src);
	return go_on;
}

/* Does a call bring many planes together, a row of each? Their rows are short, so the next call's are asked
 * for at their ends. */
static bool has_planes(const vf_leaf *leaf)
{
	enum { MANY = 8 };
	return leaf->strategy == VF_INTERLEAVE && leaf->ninner == 2 &&
	       leaf->loops[leaf->nloop - 1].extent >= MANY;
}

/* How far on a later call reads. After a short call, or one that reads rows side by side, come other rows.
 * After a piece of a run that goes backwards comes one that lies before it, and is read upwards. 0: the call
 * is long, or the next one reads the same lines. Over patches, the next rows are asked for: the rows of this
 * patch have mostly read what the next patch reads. */
static int64_t read_later(const vf_leaf *leaf, int64_t beside)
{
	enum { LINE = 64, LONG = 16 << 10, LATER = 4096 };
	const bool turned = leaf->ninner == 1 && leaf->loops[leaf->nloop - 1].src < 0;
	const bool patches = leaf->pairs && leaf->strategy == VF_INTERLEAVE;
	const bool starts = leaf->pairs && leaf->strategy == VF_COPY && leaf->ninner == 1;
	int64_t bytes = bytes_read(leaf);
	const bool alone = beside == 1 && !turned && !starts && !has_planes(leaf);
	if (rows_go_on(leaf) || bytes <= 0 || (bytes >= LONG && alone))
		return 0;
	for (int k = leaf->nloop - leaf->ninner - 1; k >= 0; k--) {
		const vf_span *s = &leaf->loops[k];
		int64_t times = LATER / bytes + 1;
		if (vf_is_uneven(s))
			return 0;
		if (patches && k > 0 && 2 * times > s->extent && bytes * s->extent <= LONG) {
			bytes *= s->extent;
			continue;
		}
		int64_t step = s->src * (times < s->extent ? times : 1);
		if (step != 0 && s->extent > 1)
			return step < LINE && step > -LINE ? 0 : step;
	}
	return 0;
}

vf_codelet_call vf_codelet_call_of(const vf_leaf *leaf)
{
	vf_codelet_call call = {.rows_loop = -1, .n_loop = -1, .sets_loop = -1};
	call.block.unit = leaf->unit_bytes;
	call.block.stream = leaf->stream;
	if (leaf->stream && leaf->source >= 0 && leaf->strategy != VF_APPLY)
		call.block.ahead_step = read_later(leaf, 1);
	vf_strategy_rows[leaf->strategy]->call(leaf, &call);
	if (call.codelet == VF_CODELET_copy || call.codelet == VF_CODELET_apply)
		call.block.unit = 0; /* n counts bytes, or elements of the pass */
	if (vf_has_rows(leaf) && call.block.beside) {
		call.block.ahead_step = read_later(leaf, call.block.beside);
		call.block.paired = leaf->pairs;
	}
	return call;
}

/* ---- past the cache ---- */

int64_t vf_bytes_beside(const vf_leaf *leaf)
{
	const vf_block b = vf_codelet_call_of(leaf).block;
	return vf_has_rows(leaf) ? b.beside * b.n * (b.unit ? b.unit : 1) : 0;
}

bool vf_leaf_streams(const vf_leaf *leaf, bool lines)
{
	const vf_strategy_row *row = vf_strategy_rows[leaf->strategy];
	return row->streams && row->streams(leaf, lines);
}

/* The loops of one row of dst: all that the strategy takes but the loop over rows. */
static int row_loops(const vf_leaf *leaf)
{
	if (leaf->strategy == VF_UNITS)
		return 0;
	return leaf->strategy == VF_INTERLEAVE || leaf->strategy == VF_DEINTERLEAVE ? 2 : 1;
}

void vf_leaf_tables_outside(vf_leaf *leaf, int depth)
{
	for (int k = depth, at = depth; k < leaf->nloop; k++) {
		vf_span table = leaf->loops[k];
		if (!table.table)
			continue;
		for (int j = k; j > at; j--) {
			leaf->loops[j] = leaf->loops[j - 1];
			leaf->loops[j].back += vf_needs_chunk(&leaf->loops[j]);
		}
		leaf->loops[at++] = table;
	}
}

void vf_leaf_widen(vf_leaf *leaf, int depth)
{
	int rows = leaf->nloop - leaf->ninner, longest = rows;
	if (leaf->ninner != row_loops(leaf) + 1 || leaf->strategy == VF_TRANSPOSE || !movable(leaf, rows))
		return;
	for (int k = depth; k < rows; k++)
		if (!vf_is_uneven(&leaf->loops[k]) && leaf->loops[k].extent > leaf->loops[longest].extent)
			longest = k;
	vf_span moved = leaf->loops[longest];
	leaf->loops[longest] = leaf->loops[rows];
	leaf->loops[rows] = moved;
	leaf->loops[rows].back += vf_is_cut(&moved) ? rows - longest : 0;
}

/* How many of the last `ninner` loops a codelet can run: those inside the last one with a table or a list.
 * `deinterleave` also runs a table of planes, and `index` a list. */
static int without_table(const vf_leaf *leaf, const vf_strategy_row *row, int ninner)
{
	const bool runs = row == &vf_index_row || (row == &vf_deinterleave_row && vf_last_loop(leaf)->to);
	for (int k = runs ? 2 : 1; k <= ninner; k++)
		if (vf_is_uneven(&leaf->loops[leaf->nloop - k]))
			return k - 1;
	return ninner;
}

/* Beyond the cost of anything, so that it is the last choice. */
static double left_out(unsigned without, int strategy)
{
	return without >> strategy & 1 ? 1e12 : 0;
}

void vf_leaf_choose(vf_leaf *leaf, int depth, unsigned without)
{
	double least = 0;
	leaf->ninner = 0;
	memset(leaf->costs, 0, sizeof leaf->costs);
	for (int k = 0; k < VF_STRATEGIES; k++) {
		const vf_strategy_row *row = vf_strategy_rows[k];
		int ninner = without_table(leaf, row, row->applies(leaf, depth));
		if (ninner == 0)
			continue;
		double cost = leaf->costs[k] = row->cost(leaf, depth) + left_out(without, k);
		if (leaf->ninner == 0 || cost < least) {
			least = cost;
			leaf->ninner = ninner;
			leaf->strategy = (vf_strategy)k;
		}
	}
}
