/* peel.c -- the interior of leaves that lie among each other: see peel.h.
 *
 * In     leaves in ascending order of dst, their loops whole
 * Out    perhaps more leaves. The windows of a padded picture read one range of its rows for each row of
 *        the window: 9 leaves for 3 x 3. Cut at each other's bounds, 9 leaves of one range have all inside;
 *        plan/join.c makes one of them. What is left is borders
 * Keeps  the bytes that move
 * Ends   each axis is cut once
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 *
 * An *axis* is a step of dst that some leaf has a loop of. Axes nest: a leaf's dst, counted in steps, widest
 * first, is its place on each, and its range there is its loop, or the one index.
 */
#include "plan/peel.h"

#include "plan/group.h"
#include "plan/join.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_AXES = 16, MOST_READING = 128, MOST_PEELED = 512, MOST_BOUNDS = 32, FEWEST = 3 };

typedef struct peeling {
	vf_plan *plan;
	int64_t steps[MOST_AXES]; /* of the axes, descending */
	int naxis;
	int64_t bounds[MOST_AXES]
		      [MOST_BOUNDS]; /* where leaves that read begin and end along each, ascending */
	int nbound[MOST_AXES];
	vf_leaf *leaves; /* MOST_PEELED: those that read, then constants */
	int n;
	int64_t unit_bytes;
	bool among;  /* those that read are several and lie among each other */
	bool failed; /* out of memory, which is kept */
} peeling;

/* ---- axes ---- */

static bool add_axis(peeling *p, int64_t step)
{
	int at = 0;
	while (at < p->naxis && p->steps[at] > step)
		at++;
	if (at < p->naxis && p->steps[at] == step)
		return true;
	if (p->naxis == MOST_AXES)
		return false;
	memmove(p->steps + at + 1, p->steps + at, (size_t)(p->naxis - at) * sizeof *p->steps);
	p->steps[at] = step;
	p->naxis++;
	return true;
}

static int64_t place_on(const peeling *p, int64_t dst, int axis)
{
	for (int k = 0; k < axis; k++)
		dst %= p->steps[k];
	return dst / p->steps[axis];
}

/* The leaf's loop along an axis; -1: it has one index of it. */
static int loop_on(const peeling *p, const vf_leaf *leaf, int axis)
{
	for (int k = 0; k < leaf->nloop; k++)
		if (leaf->loops[k].dst == p->steps[axis])
			return k;
	return -1;
}

/* Splits loops that go on from one axis to the next into one for each axis: they were merged where source and
 * dst allow it. */
static bool split_merged(peeling *p, vf_leaf *leaf)
{
	for (int axis = p->naxis - 1; axis > 0; axis--) {
		int k = loop_on(p, leaf, axis);
		int64_t most = p->steps[axis - 1] / p->steps[axis];
		if (k < 0 || leaf->loops[k].extent <= most)
			continue;
		vf_span *s = &leaf->loops[k];
		if (s->extent % most || leaf->nloop == leaf->capacity || loop_on(p, leaf, axis - 1) >= 0)
			return false;
		memmove(s + 1, s, (size_t)(leaf->nloop++ - k) * sizeof *s);
		s[0].extent = s[0].tail = s[1].extent / most;
		s[0].dst *= most, s[0].src *= most;
		s[1].extent = s[1].tail = most;
	}
	return true;
}

/* And back: merges what chains. */
static void merge_loops(vf_leaf *leaf)
{
	vf_merge_unit(leaf);
	for (int k = leaf->nloop - 2; k >= 0; k--)
		vf_merge_loops(leaf, k);
}

/* Does each of the leaf's loops along an axis stay inside one step of the axis outside, and all else inside
 * one step of the last axis? */
static bool nests(const peeling *p, const vf_leaf *leaf)
{
	int64_t dst = leaf->dst, rest = leaf->unit_bytes;
	for (int k = 0; k < leaf->nloop; k++)
		rest += (leaf->loops[k].extent - 1) * leaf->loops[k].dst;
	for (int axis = 0; axis < p->naxis; axis++) {
		int k = loop_on(p, leaf, axis);
		int64_t place = dst / p->steps[axis], extent = k < 0 ? 1 : leaf->loops[k].extent;
		dst %= p->steps[axis], rest -= (extent - 1) * p->steps[axis];
		if (axis > 0 && place + extent > p->steps[axis - 1] / p->steps[axis])
			return false;
	}
	return dst + rest <= p->steps[p->naxis - 1];
}

static bool axes_nest(peeling *p)
{
	if (p->naxis == 0)
		return false;
	for (int axis = 1; axis < p->naxis; axis++)
		if (p->steps[axis - 1] % p->steps[axis])
			return false;
	for (int k = 0; k < p->n; k++)
		if (p->leaves[k].dst < 0 || !split_merged(p, &p->leaves[k]) || !nests(p, &p->leaves[k]))
			return false;
	return true;
}

/* ---- cutting ---- */

/* A leaf with loops of its own, and room for some more. */
static bool copy_leaf(peeling *p, const vf_leaf *leaf, int more, vf_leaf *copy)
{
	*copy = *leaf;
	copy->capacity += more;
	copy->loops = vf_arena_alloc(&p->plan->arena, copy->capacity, sizeof *copy->loops);
	p->failed = p->failed || !copy->loops;
	if (!p->failed)
		memcpy(copy->loops, leaf->loops, (size_t)leaf->nloop * sizeof *copy->loops);
	return !p->failed;
}

/* Indices [from, from + n) of loop k. */
static bool take_part(peeling *p, const vf_leaf *leaf, int k, int64_t from, int64_t n, vf_leaf *part)
{
	if (!copy_leaf(p, leaf, 0, part))
		return false;
	vf_span *s = &part->loops[k];
	part->dst += from * s->dst, part->src += from * s->src;
	s->extent = s->tail = n;
	if (n > 1)
		return true;
	memmove(s, s + 1, (size_t)(leaf->nloop - k - 1) * sizeof *s);
	part->nloop--;
	return true;
}

static int by_value(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* Where leaves begin and end along an axis; false where those are too many places. */
static bool find_bounds(peeling *p, int axis)
{
	int64_t *bounds = p->bounds[axis];
	int n = 0;
	for (int k = 0; k < p->n; k++) {
		int loop = loop_on(p, &p->leaves[k], axis);
		int64_t place = place_on(p, p->leaves[k].dst, axis);
		int64_t ends[2] = {place, place + (loop < 0 ? 1 : p->leaves[k].loops[loop].extent)};
		for (int j = 0; j < 2; j++) {
			if (n > 0 && bsearch(&ends[j], bounds, (size_t)n, sizeof *bounds, by_value))
				continue;
			if (n == MOST_BOUNDS)
				return false;
			bounds[n++] = ends[j];
			qsort(bounds, (size_t)n, sizeof *bounds, by_value);
		}
	}
	p->nbound[axis] = n;
	return true;
}

/* Cut leaf `at` at the bounds inside it; false where there is no room or no memory. */
static bool cut_leaf(peeling *p, int at, int axis)
{
	const vf_leaf whole = p->leaves[at];
	int k = loop_on(p, &whole, axis);
	if (k < 0)
		return true;
	int64_t place = place_on(p, whole.dst, axis), from = 0, extent = whole.loops[k].extent;
	vf_leaf *part = &p->leaves[at];
	for (int j = 0; j <= p->nbound[axis]; j++) {
		int64_t to = j < p->nbound[axis] ? p->bounds[axis][j] - place : extent;
		if (to <= from || to > extent)
			continue;
		if (!part && p->n == MOST_PEELED)
			return false;
		part = part ? part : &p->leaves[p->n++];
		if (!take_part(p, &whole, k, from, to - from, part))
			return false;
		part = NULL, from = to;
	}
	return true;
}

/* Cuts the leaves from `first` on. With only two bounds along an axis all have the same range: nothing is
 * cut. */
static bool cut_axis(peeling *p, int axis, int first)
{
	int whole = p->n;
	for (int k = first; p->nbound[axis] > 2 && k < whole; k++)
		if (!cut_leaf(p, k, axis))
			return false;
	return true;
}

/* ---- which leaves, and whether it pays ---- */

static bool reads(const vf_leaf *leaf)
{
	return leaf->source >= 0;
}

/* A copy whose loops may be split; a run is a loop over units of `unit` bytes meanwhile. */
static bool add_leaf(peeling *p, const vf_leaf *leaf, int64_t unit)
{
	vf_leaf *copy = &p->leaves[p->n++];
	int64_t n = leaf->unit_bytes / unit;
	if (!copy_leaf(p, leaf, MOST_AXES, copy))
		return false;
	copy->unit_bytes = unit;
	if (n > 1)
		copy->loops[copy->nloop++] = vf_plain_span(n, unit, unit);
	return true;
}

/* Bytes of the unit of all that read; their element where units differ. */
static int64_t find_unit(const vf_plan *plan)
{
	int64_t unit = 0;
	for (int k = 0; k < plan->nleaf; k++) {
		const vf_leaf *leaf = &plan->leaves[k];
		if (reads(leaf) && unit && leaf->unit_bytes != unit)
			return plan->elem_bytes;
		unit = reads(leaf) ? leaf->unit_bytes : unit;
	}
	return unit;
}

/* Collects the leaves that read. False where they do not all lie among each other, unless they are runs. Then
 * only constants are cut, and become parts of one row (codelet `parts`). */
static bool collect(peeling *p)
{
	enum { RUN = 64 };
	const vf_plan *plan = p->plan;
	int64_t end = INT64_MIN;
	p->unit_bytes = find_unit(plan);
	p->among = true;
	for (int k = 0; k < plan->nleaf; k++) {
		const vf_leaf *leaf = &plan->leaves[k];
		if (!reads(leaf))
			continue;
		p->among = p->among && (p->n == 0 || leaf->dst < end);
		if (leaf->unit_bytes % p->unit_bytes || vf_leaf_has_list(leaf) || p->n == MOST_READING ||
		    !add_leaf(p, leaf, p->unit_bytes))
			return false;
		const vf_leaf *copy = &p->leaves[p->n - 1];
		const int64_t its_end = vf_leaf_end(copy, 0, false);
		end = its_end > end ? its_end : end;
		for (int j = 0; j < copy->nloop; j++)
			if (!add_axis(p, copy->loops[j].dst))
				return false;
	}
	p->among = p->among && p->n >= FEWEST;
	return p->among || (p->n > 0 && p->unit_bytes >= RUN);
}

static int by_dst(const void *a, const void *b)
{
	const vf_leaf *x = a, *y = b;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

static bool cut_constant(peeling *p, const vf_leaf *leaf)
{
	int first = p->n;
	if (first == MOST_PEELED || !add_leaf(p, leaf, leaf->unit_bytes))
		return false;
	if (leaf->source >= 0 || p->naxis == 0 || !split_merged(p, &p->leaves[first]) ||
	    !nests(p, &p->leaves[first])) {
		p->leaves[first] = *leaf;
		return true;
	}
	for (int axis = 0; axis < p->naxis; axis++)
		for (int k = first, whole = p->n; k < whole; k++)
			if (!cut_leaf(p, k, axis))
				return false;
	return true;
}

/* Constants around what is cut are cut between rows likewise, so that they share its loops; one that does
 * not lie along the axes stays whole. */
static bool cut_constants(peeling *p)
{
	enum { ROW = 256 };
	while (p->naxis > 0 && p->steps[p->naxis - 1] < ROW)
		p->naxis--;
	for (int k = 0; k < p->plan->nleaf; k++)
		if (!reads(&p->plan->leaves[k]) && !cut_constant(p, &p->plan->leaves[k]))
			return false;
	return true;
}

static bool replace(peeling *p)
{
	vf_plan *plan = p->plan;
	vf_leaf *all = vf_arena_alloc(&plan->arena, p->n, sizeof *all);
	if (!all)
		return false;
	for (int k = 0; k < p->n; k++)
		merge_loops(&p->leaves[k]);
	memcpy(all, p->leaves, (size_t)p->n * sizeof *all);
	qsort(all, (size_t)p->n, sizeof *all, by_dst);
	plan->leaves = all;
	plan->nleaf = p->n;
	return true;
}

/* ---- constants ---- */

/* Finds where leaves that read begin: breaks[0] for the first, then those behind all that read before them,
 * ascending. Returns how many follow the first; 0 where there are lists. */
static int find_breaks(const vf_plan *plan, int64_t breaks[MOST_BOUNDS])
{
	int64_t end = INT64_MIN;
	int n = 0;
	for (int k = 0; k < plan->nleaf && n < MOST_BOUNDS; k++) {
		const vf_leaf *leaf = &plan->leaves[k];
		if (vf_leaf_has_list(leaf))
			return 0;
		if (leaf->source < 0)
			continue;
		if (n == 0 || leaf->dst >= end)
			breaks[n++] = leaf->dst;
		const int64_t its_end = vf_leaf_end(leaf, 0, false);
		end = its_end > end ? its_end : end;
	}
	return n > 0 ? n - 1 : 0;
}

/* The first index of a constant's loop that belongs to the leaf that begins at `at`, `first` being where the
 * first leaf does. A border before each picture begins before its picture: counted from its own begin it
 * would be cut a picture too late. */
static int64_t index_of_break(const vf_leaf *constant, int64_t at, int64_t first)
{
	const int64_t step = constant->loops->dst, before = first - constant->dst;
	const bool leads = before > 0 && before < at - first && (at - first) % step == 0;
	return leads ? (at - first) / step : (at - constant->dst + step - 1) / step;
}

/* Cuts a constant at breaks[1] to breaks[n]; the parts go to p->leaves. */
static bool break_constant(peeling *p, const vf_leaf *leaf, const int64_t *breaks, int n)
{
	const vf_span *s = leaf->loops;
	int64_t from = 0;
	for (int k = 1; k <= n + 1; k++) {
		int64_t to = s->extent;
		if (k <= n) {
			if (breaks[k] <= leaf->dst || breaks[k] >= leaf->dst + s->extent * s->dst)
				continue;
			to = index_of_break(leaf, breaks[k], breaks[0]);
		}
		if (to <= from || to > s->extent)
			continue;
		if (p->n == MOST_PEELED || !take_part(p, leaf, 0, from, to - from, &p->leaves[p->n++]))
			return false;
		from = to;
	}
	return true;
}

/* Cuts constants that lie among leaves one after the other where the next of those begins, so that each
 * part shares a leaf's loops: the alpha channel of two pictures in a row is one constant. */
static bool break_constants(peeling *p)
{
	int64_t breaks[MOST_BOUNDS];
	const vf_plan *plan = p->plan;
	const int n = find_breaks(plan, breaks);
	bool cut = n > 0;
	for (int k = 0; k < plan->nleaf && cut; k++) {
		const vf_leaf *leaf = &plan->leaves[k];
		const bool breaks_it = leaf->source < 0 && leaf->nloop > 0 && leaf->loops->dst > 0 &&
		                       !vf_is_uneven(leaf->loops);
		if (breaks_it)
			cut = break_constant(p, leaf, breaks, n);
		else if (p->n < MOST_PEELED)
			p->leaves[p->n++] = *leaf;
		else
			cut = false;
	}
	cut = cut && !p->failed && p->n > plan->nleaf ? replace(p) : !p->failed;
	p->n = 0;
	return cut;
}

bool vf_peel_leaves(vf_plan *plan)
{
	peeling p = {.plan = plan};
	if (plan->nleaf < 2)
		return true;
	p.leaves = vf_arena_alloc(&plan->arena, MOST_PEELED, sizeof *p.leaves);
	if (!p.leaves || !break_constants(&p))
		return false;
	if (plan->nleaf < FEWEST)
		return true;
	if (!collect(&p) || !axes_nest(&p))
		return !p.failed;
	bool cut = true;
	for (int axis = 0; axis < p.naxis && cut; axis++)
		cut = find_bounds(&p, axis) && (!p.among || cut_axis(&p, axis, 0));
	if (!cut || !cut_constants(&p) || p.n == plan->nleaf)
		return !p.failed;
	return replace(&p);
}
