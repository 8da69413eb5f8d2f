/* parts.c -- runs that lie side by side in each row of dst leave as one stream; see group.h, parts.h.
 *
 * In     a group under a node that is worth a stage, its leaves shaped: what they write is one piece
 * Out    the node's parting: the runs and constants that each row of dst is made of. Past the cache rows are
 *        put together line by line, and there is no stage
 * Keeps  the bytes that come to dst
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/parts.h"

#include "plan/strategies/strategies.h"

/* A stage is as good where parts are shorter than this in the mean, or where a call moves less than this for
 * each part that it gets ready. */
enum { SHORT_PART = 16, SHORT_CALL = 256 };

/* n bytes; or `period` bytes over and over, where it is less; or, below 0, units of -period bytes that run
 * downwards. step: from row to row. */
typedef struct part {
	vf_part place;
	int64_t n, period, step;
} part;

/* A part on its way, and where it begins in a row. */
typedef struct piece {
	int64_t at;
	part part;
} piece;

/* One of `rows` rows. */
typedef struct row {
	int64_t lo, bytes, rows, tail;
	int n;
	piece pieces[VF_MOST_PARTS];
} row;

/* ---- strips ---- */

static bool strip_of(const vf_planner *p, int leaf, int depth, vf_strip *s)
{
	const vf_leaf *l = vf_leaf_at(p, leaf);
	*s = (vf_strip){.leaf = l, .number = leaf, .at = l->dst, .src = l->source < 0 ? 0 : l->src};
	if ((l->strategy != VF_COPY && (l->strategy != VF_FILL || l->source >= 0) &&
	     l->strategy != VF_UNITS && l->strategy != VF_GATHER) ||
	    l->table || l->piece_leaves || l->nloop - depth > VF_STRIP_LOOPS)
		return false;
	for (int k = depth; k < l->nloop; k++)
		if (vf_has_list(&l->loops[k]))
			return false;
		else
			s->loops[s->nloop++] = &l->loops[k];
	if (depth > 0 && l->source >= 0 && !vf_is_uneven(&l->loops[depth - 1]))
		s->later = l->loops[depth - 1].src;
	return true;
}

const vf_span *vf_widest(const vf_strip *s)
{
	const vf_span *best = NULL;
	for (int k = 0; k < s->nloop; k++)
		if (!best || s->loops[k]->dst > best->dst)
			best = s->loops[k];
	return best;
}

static bool are_alike(const vf_span *x, const vf_span *y)
{
	return x->dst == y->dst && x->extent == y->extent && x->tail == y->tail && !vf_is_uneven(x);
}

/* ---- one row ---- */

/* Takes the loops that go on where the run so far ends. Returns the run's bytes. */
static int64_t take_run(vf_strip *in)
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

/* The same for short units that repeat, or run downwards. Returns the part's period. Where registers hold a
 * line, a part may be several of them (Zen 4, margins mirrored by 16, of the fastest copy, by parts of up to
 * 64 bytes and so: f32 [12,224,224,3] 0.26 and 0.75, f16 [8,512,512,4] 0.30 and 0.81; AVX2 0.26, 0.25). */
static int64_t take_units(vf_strip *in, int64_t *n)
{
	enum { LONGEST = 16, LONGEST_PART = 256, LONGEST_NARROW = 64 };
	const int64_t unit = *n, most = in->leaf->wide ? LONGEST_PART : LONGEST_NARROW;
	if (in->leaf->source < 0)
		return in->leaf->fill_unit < unit ? in->leaf->fill_unit : unit;
	for (int k = 0; k < in->nloop && unit <= LONGEST; k++) {
		const vf_span *s = in->loops[k];
		if (s->dst != unit || s->table || s->extent < 2 || unit * s->extent > most ||
		    (s->src != 0 && s->src != -unit))
			continue;
		*n = unit * s->extent;
		in->loops[k] = in->loops[--in->nloop];
		return s->src ? -unit : unit;
	}
	return unit;
}

/* Adds the parts of the loops from k on, in the order of dst. False where there are too many. */
static bool add_parts(row *r, const vf_strip *in, int k, piece first)
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

/* Takes the loop over rows. False if there is none. */
static bool take_rows(vf_strip *s, const vf_span *rows, int64_t *step)
{
	for (int k = 0; k < s->nloop; k++)
		if (are_alike(s->loops[k], rows)) {
			*step = s->leaf->source < 0 ? 0 : s->loops[k]->src;
			s->loops[k] = s->loops[--s->nloop];
			return true;
		}
	return false;
}

static bool add_strip(row *r, const vf_strip *whole, const vf_span *rows)
{
	vf_strip s = *whole;
	piece one = {.at = s.at - r->lo, .part = {.place = {s.number, s.src}, .step = s.later}};
	if (rows && !take_rows(&s, rows, &one.part.step))
		return false;
	for (int k = 0; k < s.nloop; k++)
		if (vf_is_cut(s.loops[k]))
			return false;
	one.part.n = take_run(&s);
	one.part.period = take_units(&s, &one.part.n);
	return add_parts(r, &s, 0, one);
}

/* True if the parts follow each other. */
static bool is_whole(const row *r)
{
	int64_t at = 0;
	for (int k = 0; k < r->n; at += r->pieces[k++].part.n)
		if (r->pieces[k].at != at)
			return false;
	return at >= SHORT_PART * r->n;
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

static int64_t first_of(const vf_strip *strips, int n)
{
	int64_t lo = strips[0].at;
	for (int k = 1; k < n; k++)
		lo = strips[k].at < lo ? strips[k].at : lo;
	return lo;
}

/* Has each part of more than a line that runs downwards a run beside it that is as long? Then its lines are
 * asked for with those (Zen 4, f16 [140,3,128,128], mirrored, with a row of margin, of the fastest copy, in
 * parts 0.36, by strategies 0.94). */
static bool are_mirrors_beside_runs(const row *r)
{
	enum { LINE = 64 };
	int64_t run = LINE, mirror = 0;
	for (int k = 0; k < r->n; k++) {
		const part *one = &r->pieces[k].part;
		if (one->period < 0)
			mirror = larger(mirror, one->n);
		else if (one->period == one->n)
			run = larger(run, one->n);
	}
	return mirror <= run;
}

static bool find_row(row *r, const vf_strip *strips, int n, const vf_span *rows)
{
	*r = (row){.lo = first_of(strips, n), .rows = 1, .tail = 1};
	if (rows)
		r->rows = rows->extent, r->tail = rows->tail;
	for (int k = 0; k < n; k++)
		if (!add_strip(r, &strips[k], rows))
			return false;
	for (int k = 0; k < r->n; k++)
		r->bytes += r->pieces[k].part.n;
	return is_whole(r) && are_mirrors_beside_runs(r) && (!rows || r->bytes == rows->dst);
}

int64_t vf_weigh_parts(const int64_t *parts, int64_t n)
{
	enum { LINE = 64, PICKED = 2, ALONE = 14 };
	bool has_run = false;
	int64_t weight = 0;
	for (int64_t k = 0; k < n; k++)
		has_run = has_run || parts[3 * k] >= LINE;
	for (int64_t k = 0; k < n; k++) {
		const bool light = parts[3 * k] >= LINE || parts[3 * k + 2] == 0;
		weight += light ? 1 : has_run ? PICKED : ALONE;
	}
	return weight;
}

vf_parting *vf_join_strips(vf_planner *p, const vf_strip *strips, int n, const vf_span *rows)
{
	row r;
	return find_row(&r, strips, n, rows) ? make_parting(p, &r) : NULL;
}

/* ---- a group ---- */

vf_node vf_node_in_parts(vf_planner *p, int leaf, int depth)
{
	vf_leaf *l = &p->plan->leaves[leaf];
	l->strategy = l->source < 0 ? VF_FILL : VF_COPY;
	l->ninner = 0;
	return (vf_node){.leaf = l, .depth = depth};
}

bool vf_strips_of(const vf_planner *p, vf_group g, vf_strip *strips)
{
	if (g.b - g.a > VF_MOST_PARTS)
		return false;
	for (int k = g.a; k < g.b; k++)
		if (!strip_of(p, k, g.depth, &strips[k - g.a]))
			return false;
	return true;
}

/* Narrow registers put each short part together in L1. Are those of a row so many that a stage costs less?
 * (Zen 4 by AVX2, of the fastest copy, in parts and by a stage: f32 [64,256,14,14] with margins of 3 0.11 and
 * 0.31, mirrored 0.05 and 0.20, [12,224,224,3] mirrored by 16 0.24 and 0.60.) */
static bool has_many_short_parts(const vf_planner *p, const vf_parting *made)
{
	enum { LINE = 64, SHORT_ONE = 8000, MUCH = 50 }; /* picoseconds; of a byte */
	int64_t cost = 0;
	for (int k = 0; k < made->n; k++) {
		const int64_t *numbers = &made->block.parts[3 * k];
		cost += numbers[0] < LINE && numbers[2] ? SHORT_ONE : 0;
	}
	return !p->machine->weaves && cost > MUCH * made->block.n;
}

bool vf_lay_side_by_side(vf_planner *p, vf_node *node, vf_group inside, double cost)
{
	vf_strip strips[VF_MOST_PARTS];
	const int n = inside.b - inside.a;
	const int64_t bytes = vf_group_bytes(p, inside, false), tail = vf_group_bytes(p, inside, true);
	if (n < 2 || p->plan->nplace > 1 || !vf_strips_of(p, inside, strips))
		return false;
	const vf_span *rows = vf_widest(&strips[0]);
	vf_parting *made = NULL;
	if (rows && rows->extent > 1 && rows->dst * rows->extent == bytes && rows->dst * rows->tail == tail)
		made = vf_join_strips(p, strips, n, rows);
	if (!made && bytes == tail)
		made = vf_join_strips(p, strips, n, NULL);
	if (!made || made->block.n * made->block.rows < SHORT_CALL * made->n)
		return false;
	if (cost == 0 && has_many_short_parts(p, made))
		return false;
	made->cost = cost;
	node->stage_lo = vf_group_begin(p, inside);
	node->parting = made;
	return true;
}
