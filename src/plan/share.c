/* share.c -- loops that several leaves run together: see group.h.
 *
 * In     leaves in ascending order of dst, each with all its loops
 * Out    the same, their outer loops alike: split, and cut into chunks, where they have to be
 * Keeps  the bytes that move, and about the order of dst: leaves share a loop only where what they write
 *        at one index ends before the next one begins
 * Cuts   a loop whose body is too small for a unit runs in chunks; the last one may be shorter
 * Ends   each loop is shared once
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/group.h"

#include "plan/strategies/strategies.h"
#include "plan/strategy.h"

#include <string.h>

/* Can `leaf` run the loop (extent, dst) at `depth`? Its own loop has to be the same, or one that splits into
 * it: (12: 4) is (3: 16)(4: 4). */
static bool divides(const vf_leaf *leaf, int depth, int64_t extent, int64_t dst)
{
	if (leaf->nloop <= depth)
		return false;
	const vf_span *own = &leaf->loops[depth];
	int64_t step;
	if (vf_is_cut(own))
		return false;
	if (vf_is_uneven(own))
		return own->extent == extent && own->dst == dst;
	return own->extent % extent == 0 && vf_product_fits(own->dst, own->extent / extent, &step) &&
	       step == dst;
}

/* The loop that leaves [a, b) can run together, as leaves are added one by one. */
typedef struct common {
	vf_span loop;
	int64_t lo, end; /* of all that the leaves write, at one index of the loops outside */
} common;

/* Add leaf g.b - 1 to what leaves [g.a, g.b - 1) have in common; false, and nothing changed, if it
 * does not fit. What is written at one index of the loop must end before the next one begins. */
static bool add_common(const vf_planner *p, vf_group g, common *c)
{
	const vf_leaf *leaf = vf_leaf_at(p, g.b - 1);
	if (leaf->nloop <= g.depth)
		return false;
	common wider = *c;
	int64_t end = vf_leaf_end(leaf, g.depth, false);
	bool first = g.b - g.a == 1, shorter = first || leaf->loops[g.depth].extent < c->loop.extent;
	if (!first && (vf_is_uneven(&leaf->loops[g.depth]) || vf_is_uneven(&c->loop)))
		return false;
	if (shorter)
		wider.loop = leaf->loops[g.depth];
	wider.lo = first ? leaf->dst : c->lo;
	wider.end = first || end > c->end ? end : c->end;
	for (int k = shorter ? g.a : g.b - 1; k < g.b; k++)
		if (!divides(vf_leaf_at(p, k), g.depth, wider.loop.extent, wider.loop.dst))
			return false;
	if (!first && wider.end - wider.lo - (wider.loop.extent - 1) * wider.loop.dst > wider.loop.dst)
		return false;
	*c = wider;
	return true;
}

bool vf_loses_planes(const vf_planner *p, vf_group g)
{
	const bool shares = g.b - g.a > 1 && (p->staged || p->pooled);
	bool loses = false;
	for (int k = g.a; k < g.b && shares; k++)
		loses = loses || vf_leaf_loses_planes(vf_leaf_at(p, k), g.depth, g.depth + 1);
	return loses;
}

/* The outermost loop that all leaves of `g` can run together; false if there is none. */
static bool common_loop(const vf_planner *p, vf_group g, vf_span *out)
{
	common c = {0};
	for (int b = g.a + 1; b <= g.b; b++)
		if (!add_common(p, (vf_group){g.a, b, g.depth}, &c))
			return false;
	*out = c.loop;
	return !vf_loses_planes(p, g);
}

/* Split loop `depth` of a leaf into `extent` times the rest. */
static void split(vf_leaf *leaf, int depth, int64_t extent, int64_t inner, int64_t tail)
{
	vf_span *s = &leaf->loops[depth];
	memmove(s + 1, s, (size_t)(leaf->nloop - depth) * sizeof *s);
	leaf->nloop++;
	s[1].extent = inner;
	s[1].tail = tail;
	s[1].goes_on = vf_has_list(s);
	s[0] = vf_plain_span(extent, s[1].dst * inner, s[1].src * inner);
}

/* Bring all leaves to the common loop. */
static void unify(vf_planner *p, vf_group g, int64_t extent)
{
	for (int k = g.a; k < g.b; k++) {
		vf_leaf *leaf = &p->plan->leaves[k];
		int64_t own = leaf->loops[g.depth].extent;
		if (own != extent)
			split(leaf, g.depth, extent, own / extent, own / extent);
	}
}

/* How many turns come to whole lines of dst. */
static int64_t turns_of_lines(const vf_span *s)
{
	const int64_t twos = s->dst & -s->dst;
	return twos == 0 || twos >= 64 ? 1 : 64 / twos;
}

/* The least number of even chunks from `chunks` on, each a multiple of `turns`; 0: there is none near. */
static int64_t even_chunks(int64_t extent, int64_t chunks, int64_t turns)
{
	const int64_t most = chunks + chunks / 2 + 1;
	for (int64_t even = chunks; even <= most && even < chunks + 32; even++)
		if (extent % even == 0 && extent / even % turns == 0)
			return even;
	return 0;
}

/* Cut the common loop into chunks of about `chunk`: a few more if that makes them even, as a loop with a tail
 * has to stay where it is. They end where lines do, if they can: a line that two share is read, and written
 * twice (200 MB in chunks of 65531 bytes: 0.67 of the fastest copy, in lines 0.97; Xeon with AMX). */
static void cut(vf_planner *p, vf_group g, int64_t chunk)
{
	const vf_span *loop = &vf_leaf_at(p, g.a)->loops[g.depth];
	const int64_t extent = loop->extent, turns = turns_of_lines(loop);
	int64_t chunks = extent / chunk + (extent % chunk != 0), lined = even_chunks(extent, chunks, turns);
	const int64_t even = lined ? lined : even_chunks(extent, chunks, 1);
	chunks = even ? even : chunks;
	chunk = extent / chunks + (extent % chunks != 0);
	if (!even && chunk > 8 * turns)
		chunk = (chunk + turns - 1) / turns * turns;
	chunks = extent / chunk + (extent % chunk != 0);
	for (int k = g.a; k < g.b; k++)
		split(&p->plan->leaves[k], g.depth, chunks, chunk, extent - (chunks - 1) * chunk);
}

bool vf_has_room(const vf_planner *p, vf_group g, int more)
{
	for (int k = g.a; k < g.b; k++)
		if (vf_leaf_at(p, k)->nloop + more >= vf_leaf_at(p, k)->capacity)
			return false;
	return true;
}

int vf_take_loops(vf_planner *p, vf_group g, int64_t most)
{
	int taken = 0;
	vf_span loop;
	while (vf_group_bytes(p, g, false) > most && vf_has_room(p, g, 2) && common_loop(p, g, &loop)) {
		unify(p, g, loop.extent);
		vf_group inner = {g.a, g.b, g.depth + 1};
		int64_t body = vf_group_bytes(p, inner, false);
		taken++;
		if (body <= most / 2 && most / body < loop.extent && !loop.table && !loop.goes_on) {
			cut(p, g, most / body);
			break;
		}
		g = inner;
	}
	return taken;
}

int vf_share_loops(vf_planner *p, vf_group g, int most)
{
	int n = 0;
	vf_span loop;
	for (; n < most && vf_has_room(p, g, 2) && common_loop(p, g, &loop); n++, g.depth++)
		unify(p, g, loop.extent);
	return n;
}

int vf_count_common(const vf_planner *p, vf_group g, bool crossing)
{
	common c = {0};
	int b = g.a;
	while (b < g.b && (crossing || !vf_wants_own_loops(p, (vf_group){b, b + 1, g.depth})) &&
	       add_common(p, (vf_group){g.a, b + 1, g.depth}, &c))
		b++;
	return b - g.a;
}

/* ---- what all of them share ---- */

typedef struct cursor {
	int k;          /* where a leaf's loops have come to */
	int64_t extent; /* what is left of loop k */
} cursor;

/* The least extent of the loops that the leaves have come to; 1 where one has none left. */
static int64_t shortest(const vf_planner *p, vf_group g, const cursor *at)
{
	int64_t least = INT64_MAX;
	for (int k = g.a; k < g.b; k++) {
		if (at[k - g.a].k >= vf_leaf_at(p, k)->nloop)
			return 1;
		least = at[k - g.a].extent < least ? at[k - g.a].extent : least;
	}
	return least;
}

/* True if all leaves have a loop of this extent, and what they write at one index of it ends before the next
 * index begins. */
static bool fits_all(const vf_planner *p, vf_group g, const cursor *at, int64_t extent)
{
	int64_t step = 0, lo = vf_leaf_at(p, g.a)->dst, end = INT64_MIN;
	bool splits = false, planes = false, apart = false;
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const cursor *c = &at[k - g.a];
		int64_t dst = leaf->loops[c->k].dst, own = dst * (c->extent / extent);
		int64_t past = vf_leaf_end(leaf, c->k + 1, false) + own - dst;
		const bool has_planes = vf_leaf_has_planes(leaf, g.depth);
		if (c->extent % extent || (k > g.a && own != step))
			return false;
		splits = splits || c->extent != extent, planes = planes || has_planes;
		apart = apart ||
		        (has_planes && vf_are_of_pixels(leaf, &leaf->loops[c->k], vf_last_loop(leaf)));
		step = own, end = past > end ? past : end;
	}
	/* Planes go in one call: so leaves with planes share no loop that a leaf must be split for, and
	 * planes are not taken from pixels one by one (a Xeon with AMX, pixels of 8 to planes, rolled: u8 112
	 * x 112 0.25 of the fastest copy, and 0.64). */
	return end - lo <= step && !(splits && planes) && !apart;
}

/* Takes the common loop off each leaf. Returns its extent, or 1. Leaves are in the order of dst, so steps in
 * dst tell which loop it is. */
static int64_t take_common(const vf_planner *p, vf_group g, cursor *at)
{
	int64_t extent = shortest(p, g, at);
	if (extent == 1 || !fits_all(p, g, at, extent))
		return 1;
	for (int k = g.a; k < g.b; k++) {
		cursor *c = &at[k - g.a];
		c->extent /= extent;
		if (c->extent == 1 && ++c->k < vf_leaf_at(p, k)->nloop)
			c->extent = vf_leaf_at(p, k)->loops[c->k].extent;
	}
	return extent;
}

/* The bytes from the first to the last that the loops from k on read. */
static int64_t source_span(const vf_leaf *leaf, int k)
{
	int64_t span = leaf->unit_bytes;
	for (; k < leaf->nloop; k++) {
		const vf_offsets ends = vf_offsets_of(&leaf->loops[k]);
		span += ends.hi - ends.lo;
	}
	return span;
}

/* True if the leaf reads whole lines in the loops that are left at `c`, or reads parts of lines that stay in
 * the second cache until the rest of them is read. */
static bool reads_lines(const vf_planner *p, const vf_leaf *leaf, int depth, const cursor *c)
{
	enum { LINE = 64, PART = 8 };
	int line = vf_source_line(leaf, depth, leaf->nloop - 1, true);
	if (line < 0 || leaf->table)
		return false;
	int64_t extent = leaf->loops[line].extent, left = line == c->k ? c->extent : extent;
	if (line >= c->k && left * leaf->unit_bytes >= LINE)
		return true;
	bool enough = line > c->k || left == extent || left * leaf->unit_bytes >= PART;
	return enough && source_span(leaf, line < c->k ? line : c->k) <= p->machine->cpu.l2_bytes / 8;
}

/* Does a stage have a line's worth of the loop that goes along the source? With less, what crosses is
 * gathered there unit by unit (i8 [147,33,33,100] to planes with margins: 0.09 of the fastest copy, by a
 * pool 0.32). */
static bool crosses_in_stage(const vf_planner *p, const vf_leaf *leaf, int depth, const cursor *c)
{
	enum { LINE = 64 };
	const int line = vf_source_line(leaf, depth, leaf->nloop - 1, true);
	if (line < 0 || line >= c->k)
		return true;
	return vf_magnitude(leaf->loops[line].dst) <= p->machine->staged_bytes * leaf->unit_bytes / LINE;
}

/* Does leaf `a` read along lines that `b` reads, with the same steps in all other loops? What is mirrored at
 * the margins of planes that are turned does. */
static bool reads_beside(const vf_leaf *a, const vf_leaf *b, int depth)
{
	enum { NEAR = 64 };
	const int line = vf_source_line(a, depth, a->nloop - 1, true);
	if (a->source != b->source || a->nloop != b->nloop || line < 0 || a->table || b->table ||
	    vf_source_line(b, depth, b->nloop - 1, true) != line)
		return false;
	const vf_offsets x = vf_offsets_of(&a->loops[line]), y = vf_offsets_of(&b->loops[line]);
	const int64_t before = (b->src + y.lo) - (a->src + x.lo), behind = (a->src + x.hi) - (b->src + y.hi);
	bool beside = before <= NEAR && behind <= NEAR;
	for (int k = depth; beside && k < a->nloop; k++)
		beside = k == line || (!vf_is_uneven(&a->loops[k]) && !vf_is_uneven(&b->loops[k]) &&
		                       a->loops[k].src == b->loops[k].src);
	return beside;
}

/* Does leaf k read whole lines, or along those that another leaf reads? */
static bool shares_lines(const vf_planner *p, vf_group g, int k, const cursor *at)
{
	const vf_leaf *leaf = vf_leaf_at(p, k);
	bool lines = reads_lines(p, leaf, g.depth, &at[k - g.a]);
	for (int j = g.a; j < g.b && !lines; j++)
		lines = j != k && reads_beside(leaf, vf_leaf_at(p, j), g.depth) &&
		        reads_lines(p, vf_leaf_at(p, j), g.depth, &at[j - g.a]);
	return lines;
}

/* Is what all leaves write at one index of what they share, `body` bytes, one run of dst? */
static bool is_dense_at(const vf_planner *p, vf_group g, const cursor *at, int64_t body)
{
	int64_t end = INT64_MIN;
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const cursor *c = &at[k - g.a];
		const bool in = c->k < leaf->nloop;
		const int64_t one = vf_leaf_end(leaf, in ? c->k + 1 : leaf->nloop, false) +
		                    (in ? (c->extent - 1) * leaf->loops[c->k].dst : 0);
		end = one > end ? one : end;
	}
	return end - vf_leaf_at(p, g.a)->dst == body;
}

vf_shared vf_find_shared(const vf_planner *p, vf_group g)
{
	cursor at[VF_MOST_SHARING];
	vf_shared s = {.body = vf_group_bytes(p, g, false)};
	if (g.b - g.a > VF_MOST_SHARING)
		return s;
	for (int k = g.a; k < g.b; k++)
		at[k - g.a] = (cursor){g.depth, vf_leaf_at(p, k)->loops[g.depth].extent};
	for (int64_t extent = take_common(p, g, at); extent > 1; extent = take_common(p, g, at))
		s.body /= extent;
	s.lines = s.crosses = true;
	s.dense = is_dense_at(p, g, at, s.body);
	for (int k = g.a; k < g.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(p, k);
		const cursor *c = &at[k - g.a];
		if (!vf_wants_blocks(p, (vf_group){k, k + 1, g.depth}))
			continue;
		s.lines = s.lines && shares_lines(p, g, k, at);
		s.crosses = s.crosses && crosses_in_stage(p, leaf, g.depth, c);
	}
	return s;
}
