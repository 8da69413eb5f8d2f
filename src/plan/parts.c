/* parts.c -- runs that lie side by side in each row of dst leave as one stream; see group.h.
 *
 * In     a group under a node that is worth a stage, its leaves shaped: what they write is one piece
 * Out    the node's parting: the runs and constants that each row of dst is made of. Past the cache rows are
 *        put together line by line, and there is no stage
 * Keeps  the bytes that come to dst
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/group.h"

#include "plan/strategies/strategies.h"

/* A stage is as good where parts are shorter than this in the mean, or where a call moves less than this for
 * each part that it gets ready. */
enum { SHORT_PART = 16, SHORT_CALL = 256 };

/* n bytes, or a constant where `period` is less; step: from row to row. */
typedef struct part {
	vf_part place;
	int64_t n, period, step;
} part;

/* A part on its way, and where it begins in a row. */
typedef struct piece {
	int64_t at;
	part part;
} piece;

/* Rows of the group, and what is found of one. */
typedef struct row {
	int64_t lo, bytes, rows, tail;
	vf_span loop; /* over rows; extent 1: there is one row */
	int n;
	piece pieces[VF_MOST_PARTS];
} row;

static const vf_span *widest(const vf_leaf *leaf, int depth)
{
	const vf_span *best = NULL;
	for (int k = depth; k < leaf->nloop; k++)
		if (!best || leaf->loops[k].dst > best->dst)
			best = &leaf->loops[k];
	return best;
}

static bool is_alike(const vf_span *x, const vf_span *y)
{
	return x->dst == y->dst && x->extent == y->extent && x->tail == y->tail && !vf_is_uneven(x);
}

/* The leaf's loop over rows; -1: it has none. */
static int row_loop(const vf_leaf *leaf, int depth, const vf_span *like)
{
	for (int k = depth; k < leaf->nloop && like->extent > 1; k++)
		if (is_alike(&leaf->loops[k], like))
			return k;
	return -1;
}

/* The rows that all leaves go through together, or the whole as one row. False where that one row has fewer
 * bytes at the last index of the node's loops. */
static bool find_rows(const vf_planner *p, vf_group inside, row *r)
{
	const int64_t bytes = vf_group_bytes(p, inside, false), tail = vf_group_bytes(p, inside, true);
	const vf_span *loop = widest(vf_leaf_at(p, inside.a), inside.depth);
	bool all = loop && loop->extent > 1 && loop->dst * loop->extent == bytes &&
	           loop->dst * loop->tail == tail;
	for (int k = inside.a; all && k < inside.b; k++)
		all = row_loop(vf_leaf_at(p, k), inside.depth, loop) >= 0;
	r->loop = all ? *loop : (vf_span){.extent = 1, .tail = 1};
	r->rows = r->loop.extent, r->tail = r->loop.tail;
	r->bytes = all ? loop->dst : bytes;
	return all || bytes == tail;
}

/* The loops of a leaf that go through the parts of one row. */
typedef struct inner {
	const vf_leaf *leaf;
	int nloop;
	const vf_span *loops[16];
} inner;

/* False where there are too many, or one is cut or has a list. */
static bool find_inner(const vf_leaf *leaf, int depth, int rows, inner *in)
{
	*in = (inner){.leaf = leaf};
	for (int k = depth; k < leaf->nloop; k++) {
		if (k == rows)
			continue;
		if (in->nloop == 16 || vf_has_list(&leaf->loops[k]) || vf_is_cut(&leaf->loops[k]))
			return false;
		in->loops[in->nloop++] = &leaf->loops[k];
	}
	return true;
}

/* Takes the loops that go on where the run so far ends. Returns the run's bytes. */
static int64_t take_run(inner *in)
{
	int64_t n = in->leaf->unit_bytes;
	for (int k = 0; k < in->nloop;) {
		const vf_span *s = in->loops[k];
		if (s->dst != n || s->table || (in->leaf->source >= 0 && s->src != n)) {
			k++;
			continue;
		}
		n *= s->extent;
		in->loops[k] = in->loops[--in->nloop];
		k = 0;
	}
	return n;
}

/* Adds the parts of the loops from k on, in the order of dst. False where there are too many. */
static bool add_parts(row *r, const inner *in, int k, piece first)
{
	if (k == in->nloop) {
		int j = r->n;
		if (r->n == VF_MOST_PARTS)
			return false;
		for (; j > 0 && r->pieces[j - 1].at > first.at; j--)
			r->pieces[j] = r->pieces[j - 1];
		r->pieces[j] = first;
		r->n++;
		return true;
	}
	for (int64_t i = 0; i < in->loops[k]->extent; i++) {
		piece one = first;
		one.at += i * in->loops[k]->dst;
		one.part.place.src += in->leaf->source < 0 ? 0 : vf_span_src(in->loops[k], i);
		if (!add_parts(r, in, k + 1, one))
			return false;
	}
	return true;
}

/* The step from row to row in the source. Of a single row, the step to that of the next call, as a hint of
 * what is read next (Zen 5, of the fastest copy: rows of 10752 bytes rolled by 960, 0.46 and 0.99). */
static int64_t step_of_rows(const vf_leaf *leaf, int depth, int rows)
{
	if (rows < 0)
		rows = depth - 1;
	return rows < 0 || vf_is_uneven(&leaf->loops[rows]) ? 0 : leaf->loops[rows].src;
}

static bool add_leaf(const vf_planner *p, vf_group inside, int at, row *r)
{
	const vf_leaf *leaf = vf_leaf_at(p, at);
	const int rows = row_loop(leaf, inside.depth, &r->loop);
	inner in;
	if ((leaf->strategy != VF_COPY && (leaf->strategy != VF_FILL || leaf->source >= 0) &&
	     leaf->strategy != VF_UNITS && leaf->strategy != VF_GATHER) ||
	    leaf->table || leaf->piece_leaves || !find_inner(leaf, inside.depth, rows, &in))
		return false;
	int64_t n = take_run(&in);
	piece one = {.at = leaf->dst - r->lo, .part = {.place = {.leaf = at}, .n = n, .period = n}};
	if (leaf->source < 0 && leaf->fill_unit < n)
		one.part.period = leaf->fill_unit;
	if (leaf->source >= 0)
		one.part.place.src = leaf->src, one.part.step = step_of_rows(leaf, inside.depth, rows);
	return add_parts(r, &in, 0, one);
}

/* True if the parts follow each other and fill the row. */
static bool is_whole(const row *r)
{
	int64_t at = 0;
	for (int k = 0; k < r->n; at += r->pieces[k++].part.n)
		if (r->pieces[k].at != at)
			return false;
	return at == r->bytes && at >= SHORT_PART * r->n && at * r->rows >= SHORT_CALL * r->n;
}

static vf_parting *make_parting(vf_planner *p, const row *r)
{
	vf_parting *made = vf_plan_alloc(p, 1, sizeof *made);
	vf_part *parts = vf_plan_alloc(p, r->n, sizeof *parts);
	int64_t *numbers = vf_plan_alloc(p, 3 * r->n, sizeof *numbers);
	if (p->failed)
		return NULL;
	for (int k = 0; k < r->n; k++) {
		const part *one = &r->pieces[k].part;
		parts[k] = one->place;
		numbers[3 * k] = one->n, numbers[3 * k + 1] = one->period, numbers[3 * k + 2] = one->step;
	}
	*made = (vf_parting){.codelet = VF_CODELET_parts, .tail = r->tail, .n = r->n, .parts = parts};
	made->block = (vf_block){
	    .rows = r->rows, .n = r->bytes, .planes = r->n, .stream = 1, .parts = numbers};
	return made;
}

bool vf_lay_side_by_side(vf_planner *p, vf_node *node, vf_group inside, int64_t lo)
{
	row r = {.lo = lo};
	if (inside.b - inside.a < 2 || p->plan->nplace > 1)
		return false;
	bool fits = find_rows(p, inside, &r);
	for (int k = inside.a; fits && k < inside.b; k++)
		fits = add_leaf(p, inside, k, &r);
	if (!fits || !is_whole(&r))
		return false;
	node->stage_lo = lo;
	node->parting = make_parting(p, &r);
	return node->parting != NULL;
}
