/* sheet.c -- several rows of dst, a piece of each, in one stage: see sheet.h.
 *
 * In     leaves in ascending order of dst, not shaped yet
 * Out    the node's loops: those that all leaves share. The one over rows and one along the piece are cut
 *        into chunks. Inside are the chunk of rows, whose step is that of the stage, and that of the piece
 * Keeps  the bytes that move; each row of the stage is congruent with its place modulo 64
 * Ends   leaves are as they were where it returns false
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/sheet.h"

#include "plan/strategies/strategies.h"

#include <string.h>

enum { LINE = 64, MOST_SHARED = 16 };

/* Places among the loops that all leaves share, outermost first. */
typedef struct sheet {
	vf_group g;
	int nshared;
	int row;             /* over rows: along it the leaves read side by side */
	int piece;           /* the innermost ones from here on are the piece */
	int64_t rows;        /* of a sheet */
	int64_t chunk;       /* indices of loop `piece` */
	const vf_span *kept; /* the loops of all leaves as they were */
} sheet;

static int64_t magnitude(int64_t x)
{
	return x < 0 ? -x : x;
}

/* ---- which loops ---- */

static const vf_span *shared_loop(const vf_planner *p, const sheet *s, int leaf, int k)
{
	return &vf_leaf_at(p, leaf)->loops[s->g.depth + k];
}

/* The longest step of a leaf in the source along a shared loop. */
static int64_t longest_step(const vf_planner *p, const sheet *s, int k)
{
	int64_t step = 0;
	for (int x = s->g.a; x < s->g.b; x++) {
		int64_t one = magnitude(shared_loop(p, s, x, k)->src);
		step = vf_leaf_at(p, x)->source >= 0 && one > step ? one : step;
	}
	return step;
}

/* Blocks far apart are picked one by one: a transposition packs them. */
static bool has_tables(const vf_planner *p, const sheet *s)
{
	for (int x = s->g.a; x < s->g.b; x++) {
		if (vf_leaf_at(p, x)->table)
			return true;
		for (int k = 0; k < s->nshared; k++)
			if (vf_is_uneven(shared_loop(p, s, x, k)))
				return true;
	}
	return false;
}

/* Bytes that are not side by side are gathered one by one. */
static bool gathers_bytes(const vf_planner *p, const sheet *s)
{
	for (int x = s->g.a; x < s->g.b; x++) {
		const vf_leaf *leaf = vf_leaf_at(p, x);
		if (leaf->source >= 0 && leaf->unit_bytes == 1 &&
		    magnitude(shared_loop(p, s, x, s->row)->src) > 1)
			return true;
	}
	return false;
}

/* The loop along which all read side by side, or nearly so. */
static bool find_row(const vf_planner *p, sheet *s)
{
	enum { NEAR = 16 };
	int64_t least = NEAR + 1;
	for (int k = 0; k < s->nshared - 1; k++) {
		int64_t step = longest_step(p, s, k), extent = shared_loop(p, s, s->g.a, k)->extent;
		if (step > 0 && step < least && step * extent >= LINE)
			least = step, s->row = k;
	}
	return least <= NEAR && longest_step(p, s, s->nshared - 1) >= LINE && !gathers_bytes(p, s);
}

/* What all leaves write inside shared loop k. */
static int64_t body_of(const vf_planner *p, const sheet *s, int k)
{
	return vf_group_bytes(p, (vf_group){s->g.a, s->g.b, s->g.depth + k + 1}, false);
}

/* Rows of a sheet: a few less than wanted where that makes sheets even. Then no loop is cut, and a line that
 * runs backwards can be started from its other end. */
static int64_t even_rows(int64_t extent, int64_t wanted)
{
	int64_t sheets = (extent + wanted - 1) / wanted;
	for (int64_t n = sheets; n <= sheets + sheets / 2 + 1 && n < extent; n++)
		if (extent % n == 0)
			return extent / n;
	return wanted < extent ? wanted : extent;
}

/* As many rows as fill some lines of the source; along each as many of the innermost loops as fit. */
static bool find_size(const vf_planner *p, sheet *s)
{
	enum { READ = 4 * LINE, MOST_ROWS = 128, LEAST_PIECE = 2 * LINE };
	const vf_span *row = shared_loop(p, s, s->g.a, s->row);
	int64_t wanted = READ / longest_step(p, s, s->row);
	wanted = wanted < MOST_ROWS ? wanted : MOST_ROWS;
	s->rows = even_rows(row->extent, wanted);
	const vf_machine *m = p->machine;
	int64_t most = (m->staged_bytes < m->piece_bytes ? m->staged_bytes : m->piece_bytes) / s->rows;
	s->piece = s->nshared - 1;
	while (s->piece - 1 > s->row && body_of(p, s, s->piece - 1) <= most)
		s->piece--;
	int64_t body = body_of(p, s, s->piece), extent = shared_loop(p, s, s->g.a, s->piece)->extent;
	s->chunk = most / body < extent ? most / body : extent;
	return s->chunk > 0 && s->chunk * body >= LEAST_PIECE;
}

/* ---- the loops of a sheet ---- */

static vf_span outer_part(const vf_span *s, int64_t chunk)
{
	return vf_plain_span((s->extent + chunk - 1) / chunk, s->dst * chunk, s->src * chunk);
}

static vf_span inner_part(const vf_span *s, int64_t chunk, int back)
{
	vf_span inner = vf_plain_span(chunk, s->dst, s->src);
	inner.tail = s->extent - (s->extent - 1) / chunk * chunk;
	inner.back = inner.tail != chunk ? back : 0;
	return inner;
}

/* rows and piece become loops over chunks where they are, and loops in a chunk inside loop `piece`. */
static void cut_leaf(vf_leaf *leaf, const sheet *s, int64_t pitch)
{
	vf_span *row = leaf->loops + s->g.depth + s->row, *piece = leaf->loops + s->g.depth + s->piece;
	vf_span inner_row = inner_part(row, s->rows, s->piece - s->row),
		inner_piece = inner_part(piece, s->chunk, 1);
	inner_row.dst = pitch;
	*row = outer_part(row, s->rows);
	*piece = outer_part(piece, s->chunk);
	memmove(piece + 3, piece + 1, (size_t)(leaf->loops + leaf->nloop - piece - 1) * sizeof *piece);
	piece[1] = inner_row, piece[2] = inner_piece;
	leaf->nloop += 2;
}

static int64_t tail_of(int64_t extent, int64_t chunk)
{
	return extent - (extent - 1) / chunk * chunk;
}

/* Tries one geometry: the node's stage; false where a row's piece has gaps. */
static bool lay_out(vf_planner *p, const sheet *s, vf_node *node)
{
	const vf_span row = *shared_loop(p, s, s->g.a, s->row);
	vf_group in_row = {s->g.a, s->g.b, s->g.depth + s->piece + 2};
	for (int k = s->g.a; k < s->g.b; k++)
		cut_leaf(&p->plan->leaves[k], s, 0);
	if (!vf_stage_dense(p, node, in_row))
		return false;
	node->depth = s->g.depth, node->nloop = s->piece + 1;
	node->loops = vf_leaf_at(p, s->g.a)->loops + s->g.depth;
	node->stage_rows = s->rows;
	node->rows_loop = s->g.depth + s->row, node->rows_tail = tail_of(row.extent, s->rows);
	node->stage_dst_step = row.dst;
	node->stage_src_step = vf_stage_pitch(node->stage_bytes, row.dst);
	for (int k = s->g.a; k < s->g.b; k++)
		p->plan->leaves[k].loops[in_row.depth - 1].dst = node->stage_src_step;
	return true;
}

/* ---- entry ---- */

bool vf_sheet(vf_planner *p, vf_group g, vf_node *node, vf_group *inside)
{
	sheet s = {.g = g};
	if (!p->stream || g.b - g.a < 2 || !(s.kept = vf_keep_loops(p, g)))
		return false;
	s.nshared = vf_share_loops(p, g, MOST_SHARED);
	if (s.nshared < 2 || has_tables(p, &s) || !find_row(p, &s) || !find_size(p, &s) ||
	    !lay_out(p, &s, node))
		return vf_loops_as_kept(p, g, s.kept);
	*inside = (vf_group){g.a, g.b, g.depth + node->nloop};
	vf_want_scratch(p, s.rows * node->stage_src_step + LINE);
	vf_place_rows(p, node, inside);
	return true;
}
