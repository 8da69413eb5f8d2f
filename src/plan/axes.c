/* axes.c -- one leaf of those that read at sums of what each axis of dst adds.
 *
 * In     leaves in ascending order of dst, as the job has them
 * Out    one leaf, where the place that an index reads is a sum of numbers, one for its place on each axis of
 *        dst. An axis without an even step has a table; that has to be in the run A of a transposition in
 *        blocks, or outside. Such are borders that are reflected, repeated or rolled, and what is repeated
 *        and then cropped
 * Keeps  the bytes that are written
 * Ends   each round puts a leaf; each axis is removed once
 * Tests  tests/unit/test_packed.c
 *
 * An *axis* is a step of dst that some leaf has a loop of. Axes nest; where a leaf goes on over the end of
 * one, the axis outside is none, and the one inside is as much longer.
 *
 * Leaf by leaf each border was a part of a line of dst, and time and again of one of the source (a Xeon with
 * AMX, of the fastest copy: f32 56 x 56 x 128 with reflected borders to planes 0.23 and 0.57, u8 512 x 512
 * rolled by 1 and turned 0.32 and 0.60, f32 28 x 28 x 128 to planes, each unit twice but the first 0.06 and
 * 0.55).
 */
#include "plan/group.h"
#include "plan/join.h"
#include "plan/margins.h"

#include <string.h>

enum { MOST_AXES = 16, MOST_LEAVES = 64, MOST_TABLE = 16384 };

static const int64_t UNKNOWN = INT64_MIN;

typedef struct axis {
	int64_t step, extent;
	int64_t *at; /* what an index adds; NULL: too many of them, so all leaves must have the same loop */
	int64_t src;
} axis;

typedef struct axes {
	vf_planner *p;
	const vf_leaf *first; /* the longest of those that read */
	int64_t begin, bytes, unit, reads;
	axis of[MOST_AXES]; /* outermost first */
	int n;
} axes;

/* ---- axes ---- */

static bool add_axis(axes *x, int64_t step)
{
	int at = 0;
	while (at < x->n && x->of[at].step > step)
		at++;
	if (at < x->n && x->of[at].step == step)
		return true;
	if (x->n == MOST_AXES || step <= 0)
		return false;
	memmove(x->of + at + 1, x->of + at, (size_t)(x->n++ - at) * sizeof *x->of);
	x->of[at] = (axis){.step = step};
	return true;
}

static void remove_axis(axes *x, int a)
{
	memmove(x->of + a, x->of + a + 1, (size_t)(--x->n - a) * sizeof *x->of);
}

/* Bytes of dst that all of an axis has: a step of the axis outside. */
static int64_t outside(const axes *x, int a)
{
	return a > 0 ? x->of[a - 1].step : x->bytes;
}

/* The axis that a step of dst goes along. */
static int axis_of(const axes *x, int64_t step)
{
	int a = 0;
	while (x->of[a].step > step)
		a++;
	return a;
}

static int64_t place_on(const axes *x, const vf_leaf *leaf, int a)
{
	return (leaf->dst - x->begin) % outside(x, a) / x->of[a].step;
}

/* Makes two loops of one that goes over all of an axis, and on. False where it does not. */
static bool split_loop(const axes *x, vf_leaf *leaf, int k, int a)
{
	vf_span *s = &leaf->loops[k];
	const int64_t most = a > 0 ? outside(x, a) / s->dst : 0;
	if (most < 2 || outside(x, a) % s->dst || s->extent <= most || s->extent % most ||
	    (leaf->dst - x->begin) % outside(x, a) / s->dst || leaf->nloop == leaf->capacity)
		return false;
	memmove(s + 1, s, (size_t)(leaf->nloop++ - k) * sizeof *s);
	s[0] = vf_plain_span(s[1].extent / most, s[1].dst * most, s[1].src * most);
	s[1] = vf_plain_span(most, s[1].dst, s[1].src);
	return true;
}

/* The first axis that the leaf goes beyond; -1: none. Loops that go on from one to the next are split. */
static int axis_left(const axes *x, vf_leaf *leaf)
{
	for (int a = x->n - 1; a >= 0; a--) {
		int64_t last = place_on(x, leaf, a);
		for (int k = 0; k < leaf->nloop; k++) {
			if (axis_of(x, leaf->loops[k].dst) != a)
				continue;
			while (split_loop(x, leaf, k, a))
				k++;
			if (leaf->loops[k].dst % x->of[a].step)
				return a;
			last += (leaf->loops[k].extent - 1) * (leaf->loops[k].dst / x->of[a].step);
		}
		if (last >= outside(x, a) / x->of[a].step)
			return a;
	}
	return -1;
}

static bool find_axes(axes *x)
{
	const vf_plan *plan = x->p->plan;
	if (!add_axis(x, x->unit))
		return false;
	for (int k = 0; k < plan->nleaf; k++)
		for (int j = 0; vf_leaf_at(x->p, k)->source >= 0 && j < vf_leaf_at(x->p, k)->nloop; j++)
			if (!add_axis(x, vf_leaf_at(x->p, k)->loops[j].dst))
				return false;
	for (int a = 0; a < x->n; a++)
		while (a < x->n - 1 && outside(x, a) % x->of[a].step)
			remove_axis(x, a);
	if (outside(x, x->n - 1) % x->unit)
		return false;
	for (int k = 0; k < plan->nleaf; k++) {
		vf_leaf *leaf = &x->p->plan->leaves[k];
		const int a = leaf->source >= 0 ? axis_left(x, leaf) : -1;
		if (a == 0)
			return false;
		if (a > 0)
			remove_axis(x, a - 1), k = -1; /* all leaves anew */
	}
	return true;
}

/* ---- what each index adds ---- */

/* Records what the leaf's indices along an axis add, by its loops from k on. False where something else is
 * known. */
static bool put(const axis *x, const vf_leaf *leaf, const bool *along, int k, int64_t index, int64_t at)
{
	while (k < leaf->nloop && !along[k])
		k++;
	if (k == leaf->nloop) {
		const bool fits = x->at[index] == UNKNOWN || x->at[index] == at;
		x->at[index] = at;
		return fits;
	}
	const vf_span *s = &leaf->loops[k];
	bool fits = true;
	for (int64_t i = 0; fits && i < s->extent; i++)
		fits = put(x, leaf, along, k + 1, index + i * (s->dst / x->step), at + i * s->src);
	return fits;
}

static bool put_axis(const axes *x, const vf_leaf *leaf, int a, int64_t at)
{
	enum { MOST_LOOPS = 64 };
	bool along[MOST_LOOPS] = {0};
	int n = 0, last = 0;
	if (leaf->nloop > MOST_LOOPS)
		return false;
	for (int k = 0; k < leaf->nloop; k++) {
		along[k] = axis_of(x, leaf->loops[k].dst) == a;
		n += along[k], last = along[k] ? k : last;
	}
	const axis *of = &x->of[a];
	if (of->at)
		return put(of, leaf, along, 0, place_on(x, leaf, a), at);
	return n == 1 && leaf->loops[last].extent == of->extent && leaf->loops[last].src == of->src;
}

/* 1: the leaf is put, or is a constant; 0: not yet, as more of its places than one are unknown; -1: it is no
 * sum. */
static int put_leaf(const axes *x, const vf_leaf *leaf)
{
	int64_t rest = leaf->src - x->first->src, at[MOST_AXES];
	int unknown = -1;
	for (int a = 0; leaf->source >= 0 && a < x->n; a++) {
		at[a] = x->of[a].at ? x->of[a].at[place_on(x, leaf, a)] : 0;
		if (at[a] == UNKNOWN && unknown >= 0)
			return 0;
		unknown = at[a] == UNKNOWN ? a : unknown;
		rest -= at[a] == UNKNOWN ? 0 : at[a];
	}
	if (leaf->source < 0)
		return 1;
	if (unknown < 0 && rest != 0)
		return -1;
	if (unknown >= 0)
		at[unknown] = rest;
	for (int a = 0; a < x->n; a++)
		if (!put_axis(x, leaf, a, at[a]))
			return -1;
	return 1;
}

static bool put_leaves(const axes *x)
{
	bool done[MOST_LEAVES] = {0};
	int left = x->p->plan->nleaf, before;
	for (int a = 0; a < x->n; a++)
		if (!put_axis(x, x->first, a, 0))
			return false;
	do {
		before = left;
		for (int k = 0; k < x->p->plan->nleaf; k++) {
			const int is = done[k] ? 0 : put_leaf(x, vf_leaf_at(x->p, k));
			if (is < 0)
				return false;
			done[k] = done[k] || is > 0;
			left -= is;
		}
	} while (left > 0 && left < before);
	return left == 0;
}

/* False out of memory. */
static bool make_tables(axes *x)
{
	for (int a = 0; a < x->n; a++) {
		axis *of = &x->of[a];
		of->extent = outside(x, a) / of->step;
		if (of->extent > MOST_TABLE) {
			for (int k = 0; k < x->first->nloop; k++)
				of->src = x->first->loops[k].dst == of->step ? x->first->loops[k].src
				                                             : of->src;
			continue;
		}
		of->at = vf_arena_alloc(&x->p->plan->arena, of->extent, sizeof *of->at);
		x->p->failed = x->p->failed || !of->at;
		for (int64_t i = 0; of->at && i < of->extent; i++)
			of->at[i] = UNKNOWN;
	}
	return !x->p->failed;
}

/* ---- the leaf ---- */

/* An axis' known indices as a loop; false where they are not one range. */
static bool make_loop(axes *x, int a, vf_leaf *leaf)
{
	const axis *of = &x->of[a];
	int64_t lo = 0, n = of->extent, known = 0;
	vf_span *s = &leaf->loops[leaf->nloop];
	*s = vf_plain_span(n, of->step, of->src);
	if (of->at) {
		while (of->at[lo] == UNKNOWN)
			lo++;
		for (n = 0; lo + n < of->extent && of->at[lo + n] != UNKNOWN; n++)
			of->at[lo + n] -= n ? of->at[lo] : 0;
		for (int64_t i = 0; i < of->extent; i++)
			known += of->at[i] != UNKNOWN;
		leaf->src += of->at[lo], leaf->dst += lo * of->step;
		of->at[lo] = 0;
		const int64_t *at = of->at + lo;
		bool even = n == known;
		for (int64_t i = 2; even && i < n; i++)
			even = at[i] - at[i - 1] == at[1];
		*s = vf_plain_span(n, of->step, n > 1 && even ? at[1] : 0);
		s->table = even ? NULL : at;
		if (n != known)
			return false;
	}
	leaf->nloop += n > 1;
	return true;
}

/* All that is read as one leaf; false where it is not a box. */
static bool make_leaf(axes *x, vf_leaf *leaf)
{
	*leaf = *x->first;
	leaf->capacity = x->n + VF_LEAF_SPARE;
	leaf->loops = vf_arena_alloc(&x->p->plan->arena, leaf->capacity, sizeof *leaf->loops);
	leaf->nloop = 0, leaf->dst = x->begin;
	x->p->failed = x->p->failed || !leaf->loops;
	for (int a = 0; a < x->n && !x->p->failed; a++)
		if (!make_loop(x, a, leaf))
			return false;
	if (x->p->failed || vf_leaf_bytes(leaf, 0, false) != x->reads)
		return false;
	for (int k = leaf->nloop - 2; k >= 0; k--)
		vf_merge_loops(leaf, k);
	vf_merge_unit(leaf);
	return true;
}

/* Puts the leaf in the place of all that read. */
static void replace(vf_plan *plan, const vf_leaf *leaf)
{
	bool put = false;
	int n = 0;
	for (int k = 0; k < plan->nleaf; k++) {
		if (plan->leaves[k].source < 0)
			plan->leaves[n++] = plan->leaves[k];
		else if (!put)
			plan->leaves[n++] = *leaf;
		put = put || plan->leaves[k].source >= 0;
	}
	plan->nleaf = n;
}

/* Several leaves that read units of one source, and nothing by a list; all of it is one piece of dst. */
static bool find_leaves(axes *x)
{
	const vf_plan *plan = x->p->plan;
	const vf_group all = {0, plan->nleaf, 0};
	int64_t longest = 0;
	int readers = 0;
	for (int k = 0; k < plan->nleaf; k++) {
		const vf_leaf *leaf = vf_leaf_at(x->p, k);
		const int64_t bytes = vf_leaf_bytes(leaf, 0, false);
		if (vf_leaf_has_list(leaf))
			return false;
		if (leaf->source < 0)
			continue;
		if (x->first && (leaf->source != x->first->source || leaf->unit_bytes != x->unit))
			return false;
		x->first = bytes > longest ? leaf : x->first;
		longest = bytes > longest ? bytes : longest;
		x->unit = leaf->unit_bytes, x->reads += bytes;
		readers++;
	}
	x->begin = vf_group_begin(x->p, all);
	x->bytes = vf_group_bytes(x->p, all, false);
	return readers > 1 && vf_is_dense(x->p, all);
}

bool vf_join_axes(vf_planner *p)
{
	axes x = {.p = p};
	vf_plan *plan = p->plan;
	vf_leaf one;
	if (!p->stream || plan->computes || plan->nplace > 1 || plan->nleaf < 2 ||
	    plan->nleaf > MOST_LEAVES || !find_leaves(&x))
		return true;
	const vf_kept_leaves k = vf_keep_leaves(p, (vf_group){0, plan->nleaf, 0});
	if (p->failed)
		return false;
	if (find_axes(&x) && make_tables(&x) && put_leaves(&x) && make_leaf(&x, &one) &&
	    vf_takes_tables(p, &one))
		replace(plan, &one);
	else
		vf_put_back_leaves(p, &k);
	return !p->failed;
}
