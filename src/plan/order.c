/* order.c -- loops that read the same lines again go inside the loop over pieces of dst; see group.h.
 *
 * In     leaves; a node's loops, the last of which is over pieces of some KiB
 * Out    how much of the lines is used in the second cache; the same loops, one of them moved inside the last
 * Keeps  the bytes that move: no piece depends on another
 * Tests  tests/unit/test_stages.c, tests/property/test_moves.c
 */
#include "plan/group.h"

#include "plan/strategy.h"

#include <string.h>

enum { LINE = 64, MOST_LOOPS = 64, FAR = 512 };

/* ---- which lines of the source are read ---- */

/* What the loops from k on read: bytes of the lines, and the share of them that is used. */
typedef struct reading {
	double bytes, share;
} reading;

static int64_t step_of(const vf_leaf *leaf, const vf_span *s)
{
	return s->to ? leaf->unit_bytes : s->table ? INT64_MAX : vf_magnitude(s->src);
}

static reading reading_of(const vf_leaf *leaf, int from, int64_t most)
{
	const double places = leaf->table ? leaf->nstream : 1;
	double used = (double)leaf->unit_bytes, times = places, span = used / times;
	int64_t beyond = 0;
	for (;;) {
		const vf_span *next = NULL;
		for (int k = from; k < leaf->nloop; k++) {
			const vf_span *s = &leaf->loops[k];
			const int64_t step = step_of(leaf, s);
			if (step > beyond && (!next || step < step_of(leaf, next)))
				next = s;
		}
		if (!next)
			break;
		beyond = step_of(leaf, next);
		for (int k = from; k < leaf->nloop; k++) {
			const vf_span *s = &leaf->loops[k];
			if (step_of(leaf, s) != beyond)
				continue;
			const double extent = (double)(k == from && s->extent > most ? most : s->extent);
			used *= extent;
			if (times <= places && (double)beyond <= span + LINE)
				span += (extent - 1) * (double)beyond;
			else
				times *= extent;
		}
	}
	reading r = {times * (span + 0.5 * LINE), 0};
	used = used < times * span ? used : times * span;
	r.share = used / r.bytes;
	return r;
}

double vf_used_lines(const vf_leaf *leaf, int rows, int64_t cache_bytes)
{
	const double most = (double)cache_bytes, whole = reading_of(leaf, 0, INT64_MAX).share;
	static const int64_t indices[] = {1, 64, INT64_MAX};
	double used = 0;
	for (int k = rows; k >= 0; k--)
		for (int few = 0; few < 3; few++) {
			reading r = reading_of(leaf, k, indices[few]);
			if (r.bytes > most)
				return used;
			used = r.share > used * whole ? r.share / whole : used;
		}
	return 1;
}

double vf_bytes_read(const vf_leaf *leaf, int64_t cache_bytes)
{
	const double once = reading_of(leaf, 0, INT64_MAX).bytes;
	if (leaf->source < 0 || once <= (double)cache_bytes)
		return 0;
	const double used = vf_used_lines(leaf, leaf->nloop - 1, cache_bytes);
	return once / (used > 0 ? used : 1);
}

static double used_in_second(const vf_planner *p, const vf_leaf *leaf, int rows)
{
	return vf_used_lines(leaf, rows, p->machine->cpu.l2_bytes / 4);
}

bool vf_uses_lines(const vf_planner *p, const vf_leaf *leaf, int rows)
{
	return used_in_second(p, leaf, rows) >= VF_MOST_OF_LINES;
}

/* ---- what stands inside ---- */

/* Bytes of the source from the first to the last that the loops from `depth` on read. */
static int64_t reach_of(const vf_leaf *leaf, int depth)
{
	int64_t bytes = leaf->unit_bytes;
	for (int k = depth; k < leaf->nloop; k++)
		bytes += vf_mean_step(&leaf->loops[k]) * (leaf->loops[k].extent - 1);
	return bytes;
}

/* The loop of [from, to) with the shortest step in the source, if that is shorter than `least`; -1: none. */
static int nearest_loop(const vf_leaf *leaf, int from, int to)
{
	int nearest = -1;
	int64_t least = FAR;
	for (int k = from; k < to; k++) {
		const vf_span *s = &leaf->loops[k];
		const int64_t step = vf_mean_step(s);
		if (!vf_has_list(s) && !vf_is_cut(s) && step > 0 && step < least)
			nearest = k, least = step;
	}
	return nearest;
}

/* Moves loop k to `last`. What is cut into chunks of loop `pieces` then finds that one place further out. */
static void move_inside(vf_span *loops, int nloop, int k, int pieces, int last)
{
	const vf_span moved = loops[k];
	memmove(loops + k, loops + k + 1, (size_t)(last - k) * sizeof *loops);
	loops[last] = moved;
	for (int j = last + 1; j < nloop; j++)
		loops[j].back += vf_needs_chunk(&loops[j]) && j - 1 - loops[j].back == pieces;
}

/* The same of all leaves of a node with `inside`. */
static void move_all(vf_planner *p, vf_node *node, vf_group inside, int k)
{
	const int last = inside.depth - 1;
	for (int j = inside.a; j < inside.b; j++) {
		const vf_leaf *leaf = vf_leaf_at(p, j);
		move_inside(leaf->loops, leaf->nloop, k, last - node->inside, last);
	}
	node->inside++;
}

static double used_lines_moved(const vf_planner *p, const vf_leaf *leaf, int k, int depth)
{
	vf_span loops[MOST_LOOPS];
	vf_leaf moved = *leaf;
	if (leaf->nloop > MOST_LOOPS)
		return 0;
	memcpy(loops, leaf->loops, (size_t)leaf->nloop * sizeof *loops);
	move_inside(loops, leaf->nloop, k, depth - 1, depth - 1);
	moved.loops = loops;
	return used_in_second(p, &moved, depth);
}

/* The leaf that reads most. */
static const vf_leaf *first_reader(const vf_planner *p, vf_group g)
{
	const vf_leaf *first = NULL;
	int64_t most = 0;
	for (int k = g.a; k < g.b; k++) {
		const int64_t bytes = vf_leaf_bytes(vf_leaf_at(p, k), g.depth, false);
		if (vf_leaf_at(p, k)->source >= 0 && bytes > most)
			first = vf_leaf_at(p, k), most = bytes;
	}
	return first;
}

/* Is what loop k reads between two units that are read one after the other inside? Then memory brings it with
 * them, as a processor fetches pairs of lines, and rows that it follows whole. One after the other, a few
 * columns take as long as so many reads of all. (A Xeon with AMX, two columns of f32, 256 bytes apart in rows
 * of 512: 13.3 ms one after the other, 10.8 by 1024 rows at a time; of rows of 160 bytes, 16.8 and 12.8.) */
static bool reads_between(const vf_leaf *leaf, int k)
{
	enum { MOST_COLUMNS = 16, MOST_UNIT = 16 };
	const vf_span *s = &leaf->loops[k], *units = vf_last_loop(leaf);
	const int64_t apart = vf_mean_step(units), step = vf_mean_step(s);
	return leaf->strategy == VF_GATHER && leaf->unit_bytes <= MOST_UNIT && s->extent <= MOST_COLUMNS &&
	       apart <= FAR && units->dst == leaf->unit_bytes && step * (s->extent - 1) < apart;
}

/* Do all leaves that read use at least as much of their lines with loop k inside? */
static bool all_gain(const vf_planner *p, vf_group g, int k)
{
	for (int j = g.a; j < g.b; j++) {
		const vf_leaf *leaf = vf_leaf_at(p, j);
		const vf_span *s = &leaf->loops[k];
		if (vf_has_list(s) || vf_is_cut(s) || vf_is_uneven(&leaf->loops[g.depth - 1]))
			return false;
		if (leaf->source >= 0 && !reads_between(leaf, k) &&
		    used_lines_moved(p, leaf, k, g.depth) < used_in_second(p, leaf, g.depth))
			return false;
	}
	return true;
}

/* Does loop k read the same again, in all leaves? */
static bool all_repeat(const vf_planner *p, vf_group g, int k)
{
	for (int j = g.a; j < g.b; j++) {
		const vf_span *s = &vf_leaf_at(p, j)->loops[k];
		if (vf_is_uneven(s) || vf_is_cut(s) || s->src != 0)
			return false;
	}
	return true;
}

vf_nearness vf_near_inside(vf_planner *p, vf_node *node, vf_group inside, double few)
{
	const vf_leaf *first = first_reader(p, inside);
	const int last = inside.depth - 1, k = first ? nearest_loop(first, node->depth, last) : -1;
	if (k < 0 || p->plan->nplace > 1 || vf_group_bytes(p, inside, false) < 2 * p->machine->stage_bytes)
		return VF_NEAR_AS_IT_IS;
	const bool between = reads_between(first, k);
	if (!between &&
	    (vf_mean_step(&first->loops[k]) >= LINE || used_in_second(p, first, inside.depth) > few))
		return VF_NEAR_AS_IT_IS;
	if (!all_gain(p, inside, k) ||
	    (between ? reach_of(first, inside.depth) > p->machine->cpu.l2_bytes / 4
	             : used_lines_moved(p, first, k, inside.depth) < VF_MOST_OF_LINES))
		return VF_NEAR_TOO_MUCH;
	move_all(p, node, inside, k);
	for (int r = node->depth; r < last - node->inside; r++)
		if (all_repeat(p, inside, r))
			move_all(p, node, inside, r--);
	return VF_NEAR_MOVED;
}

/* Does some leaf read more than the second cache holds? */
static bool reads_much(const vf_planner *p, vf_group g)
{
	for (int k = g.a; k < g.b; k++)
		if (vf_leaf_at(p, k)->source >= 0 &&
		    reach_of(vf_leaf_at(p, k), g.depth) > p->machine->cpu.l2_bytes)
			return true;
	return false;
}

vf_node vf_take_in_order(vf_planner *p, vf_group g, int64_t most)
{
	const int64_t least = 4 * p->machine->stage_bytes;
	vf_nearness is = VF_NEAR_TOO_MUCH;
	vf_node node;
	const bool orders = g.depth == 0 && (p->stream || reads_much(p, g));
	const vf_span *kept = orders ? vf_keep_loops(p, g) : NULL;
	for (int64_t less = most; is == VF_NEAR_TOO_MUCH; less /= 2) {
		if (less != most)
			vf_loops_as_kept(p, g, kept);
		node = (vf_node){.depth = g.depth, .nloop = vf_take_loops(p, g, less < least ? most : less)};
		node.loops = vf_leaf_at(p, g.a)->loops + g.depth;
		if (!kept || less < least)
			break;
		/* A stage asks ahead while it leaves, which it cannot with less inside. */
		is = vf_near_inside(p, &node, (vf_group){g.a, g.b, g.depth + node.nloop},
		                    vf_leaf_at(p, g.a)->stream ? VF_MOST_OF_LINES : 0.35);
	}
	return node;
}
