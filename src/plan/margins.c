/* margins.c -- constants around what is transposed become rows of it.
 *
 * In     leaves in ascending order of dst, joined
 * Out    for each piece of dst that has one leaf that reads, and constants of one value: where that leaf is
 *        transposed in blocks, its loops along dst reach over the constants beside it, by a table whose
 *        ends read nothing. What is left of the constants are whole runs
 * Keeps  the bytes that are written
 * Tests  tests/unit/test_packed.c, tests/unit/test_pooled.c, tests/unit/test_margins.c
 *
 * By itself, a constant at the ends of rows is a part of a line of each, which is read, and written twice;
 * or all goes by a stage in the second cache. So the transposition takes it for one row more of the
 * source, which lies in scratch. (A Xeon with AMX, of the fastest copy, channels first with margins of 1: i8
 * 28 x 28 x 192 0.28 and 0.47, f16 14 x 14 x 256 0.22 and 0.55, f32 7 x 7 x 512 0.21 and 0.63.)
 */
#include "plan/group.h"
#include "plan/margins.h"

#include <string.h>

enum { MOST_LOOPS = 16, MOST_LEAVES = 64 };

/* The box of dst that the leaf lies in: at each of its loops so many indices before it, in it, and behind. */
typedef struct framing {
	vf_planner *p;
	const vf_leaf *leaf, *constant;
	int64_t begin, end; /* of the box */
	int64_t before[MOST_LOOPS], after[MOST_LOOPS];
} framing;

/* Does one leaf read, and is what else is written one constant? */
static bool find_leaves(framing *f, vf_group piece)
{
	int reader = piece.a;
	for (int k = piece.a; k < piece.b; k++) {
		const vf_leaf *leaf = vf_leaf_at(f->p, k), **of = leaf->source < 0 ? &f->constant : &f->leaf;
		reader = leaf->source < 0 ? reader : k;
		if (leaf->source >= 0 && *of)
			return false;
		if (*of && memcmp(leaf->fill, (*of)->fill, sizeof leaf->fill) != 0)
			return false;
		*of = leaf;
	}
	f->begin = vf_group_begin(f->p, piece);
	f->end = f->begin + vf_group_bytes(f->p, piece, false);
	return f->leaf && f->constant && vf_wants_blocks(f->p, (vf_group){reader, piece.b, 0});
}

/* Do the leaf's loops nest in dst, down to its units, and in the box? */
static bool find_frame(framing *f)
{
	const vf_leaf *leaf = f->leaf;
	int64_t at = leaf->dst - f->begin, outside = f->end - f->begin;
	if (leaf->nloop == 0 || leaf->nloop > MOST_LOOPS || leaf->table || vf_leaf_has_list(leaf))
		return false;
	for (int k = 0; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (s->dst <= 0 || outside % s->dst)
			return false;
		f->before[k] = at / s->dst;
		f->after[k] = outside / s->dst - f->before[k] - s->extent;
		if (f->after[k] < 0 || (s->to && f->before[k] + f->after[k]))
			return false;
		at %= s->dst, outside = s->dst;
	}
	return at == 0 && outside == leaf->unit_bytes;
}

/* Lets the loop reach over what is before and behind it. False out of memory. */
static bool widen(framing *f, vf_span *s, int64_t before, int64_t after)
{
	const int64_t n = before + s->extent + after;
	int64_t *table = vf_plan_alloc(f->p, n, sizeof *table);
	if (!table)
		return false;
	for (int64_t i = 0; i < n; i++) {
		const int64_t inside = i < before ? 0 : i - before;
		table[i] = vf_span_src(s, inside < s->extent ? inside : s->extent - 1);
	}
	*s = vf_plain_span(n, s->dst, 0);
	s->table = table, s->before = before, s->after = after;
	return true;
}

/* Is a loop from `first` on longer than blocks take a table for? */
static bool too_long(const framing *f, int first)
{
	for (int k = first; k < f->leaf->nloop; k++) {
		const int64_t more = f->before[k] + f->after[k];
		if (more > 0 && f->leaf->loops[k].extent > VF_LONG_TABLE - more)
			return true;
	}
	return false;
}

/* Copies the leaf, with its loops from `first` on that long. Returns how many became longer; -1 out of
 * memory. */
static int widen_from(framing *f, int first, vf_leaf *wider)
{
	int widened = 0;
	*wider = *f->leaf;
	wider->loops = vf_plan_alloc(f->p, wider->capacity, sizeof *wider->loops);
	if (!wider->loops)
		return -1;
	memcpy(wider->loops, f->leaf->loops, (size_t)wider->nloop * sizeof *wider->loops);
	memcpy(wider->fill, f->constant->fill, sizeof wider->fill);
	wider->fill_unit = f->constant->fill_unit;
	for (int k = first; k < wider->nloop; k++) {
		if (f->before[k] + f->after[k] == 0)
			continue;
		wider->dst -= f->before[k] * wider->loops[k].dst;
		if (!widen(f, &wider->loops[k], f->before[k], f->after[k]))
			return -1;
		widened++;
	}
	return widened;
}

/* Makes a leaf of the constant at n indices of loop k, from `from` on, at each of the leaf's indices outside.
 * False out of memory. */
static bool add_constant(framing *f, int k, int64_t from, int64_t n, vf_leaf *to)
{
	const vf_leaf *leaf = f->leaf;
	*to = *f->constant;
	to->capacity = k + VF_LEAF_SPARE;
	to->loops = vf_plan_alloc(f->p, to->capacity, sizeof *to->loops);
	if (!to->loops)
		return false;
	to->nloop = k;
	to->unit_bytes = n * leaf->loops[k].dst;
	to->dst = f->begin + from * leaf->loops[k].dst;
	for (int j = 0; j < k; j++) {
		to->dst += f->before[j] * leaf->loops[j].dst;
		to->loops[j] = vf_plain_span(leaf->loops[j].extent, leaf->loops[j].dst, 0);
	}
	return true;
}

/* Leaves of the plan, anew. */
typedef struct leaves {
	vf_leaf *list;
	int n;
	bool changed;
} leaves;

/* Adds `wider`, and the constants around its loops before `first`. False out of memory. */
static bool add_wider(framing *f, const vf_leaf *wider, int first, leaves *to)
{
	for (int k = 0; k < first && !f->p->failed; k++)
		if (f->before[k])
			add_constant(f, k, 0, f->before[k], &to->list[to->n++]);
	to->list[to->n++] = *wider;
	for (int k = first - 1; k >= 0 && !f->p->failed; k--)
		if (f->after[k])
			add_constant(f, k, f->before[k] + f->leaf->loops[k].extent, f->after[k],
			             &to->list[to->n++]);
	to->changed = true;
	return !f->p->failed;
}

/* The last loop that steps by less than half a line of the source and has others inside, or the nearest: what
 * goes along the source's rows. (A Xeon with AMX, of the fastest copy, 15 pictures of u16, channels first and
 * pictures last, with and without margins of 16 that are rows: 3 channels 0.11 and 0.46, 12 0.30 and 0.43,
 * 16 0.45 and 0.41.) */
static int last_near_loop(const vf_leaf *leaf)
{
	enum { HALF_LINE = 32 };
	int nearest = -1, last = -1;
	for (int k = 0; k < leaf->nloop; k++) {
		const vf_span *s = &leaf->loops[k];
		if (vf_is_uneven(s) || s->src == 0)
			continue;
		if (nearest < 0 || vf_magnitude(s->src) < vf_magnitude(leaf->loops[nearest].src))
			nearest = k;
		if (vf_magnitude(s->src) < HALF_LINE && k < leaf->nloop - 1)
			last = k;
	}
	return nearest < last ? last : nearest;
}

bool vf_has_margins(const vf_leaf *leaf)
{
	for (int k = 0; k < leaf->nloop; k++)
		if (leaf->loops[k].before || leaf->loops[k].after)
			return true;
	return false;
}

/* Frames the leaf that reads. Returns whether it took the constants. */
static bool take_margins(vf_planner *p, vf_group piece, leaves *to)
{
	framing f = {.p = p};
	if (piece.b - piece.a < 2 || !find_leaves(&f, piece) || !find_frame(&f))
		return false;
	bool more = false;
	for (int first = 0; first < f.leaf->nloop; first++) {
		vf_leaf wider;
		more = more || (first > 0 && f.before[first - 1] + f.after[first - 1]);
		if (first <= last_near_loop(f.leaf) || too_long(&f, first))
			continue;
		if (widen_from(&f, first, &wider) <= 0)
			return false;
		if (vf_takes_margins(p, &wider, more))
			return add_wider(&f, &wider, first, to);
	}
	return false;
}

/* Takes the constants of one leaf that reads, and lies in leaves from `a` on: as many of them as are a piece
 * of dst. Returns how many leaves that were; 0: none. */
static int take_piece(vf_planner *p, int a, leaves *to)
{
	int b = a, readers = 0;
	for (; b < p->plan->nleaf && readers + (vf_leaf_at(p, b)->source >= 0) <= 1; b++)
		readers += vf_leaf_at(p, b)->source >= 0;
	for (; readers == 1 && b - a > 1 && !p->failed; b--)
		if (vf_is_dense(p, (vf_group){a, b, 0}) && take_margins(p, (vf_group){a, b, 0}, to))
			return b - a;
	return 0;
}

/* How many leaves there can be; 0: no constant stands beside what reads. */
static int most_leaves(const vf_plan *plan)
{
	int most = 0, constants = 0;
	for (int k = 0; k < plan->nleaf; k++)
		if (plan->leaves[k].source < 0)
			constants++;
		else
			most += 2 * plan->leaves[k].nloop + 1;
	return most && constants ? most + constants : 0;
}

bool vf_take_margins(vf_planner *p)
{
	vf_plan *plan = p->plan;
	leaves all = {0};
	const int most = most_leaves(plan);
	if (!p->stream || plan->computes || plan->nplace > 1 || plan->nleaf > MOST_LEAVES || most == 0)
		return true;
	all.list = vf_plan_alloc(p, most, sizeof *all.list);
	for (int a = 0; a < plan->nleaf && !p->failed;) {
		const int taken = take_piece(p, a, &all);
		if (!taken && !p->failed)
			all.list[all.n++] = plan->leaves[a];
		a += taken ? taken : 1;
	}
	if (!p->failed && all.changed)
		plan->leaves = all.list, plan->nleaf = all.n;
	return !p->failed;
}
