/* overlap.c -- bounded integer equations: sum c_k x_k = b, 0 <= x_k <= u_k.
 *
 * In     strides as coefficients, extents - 1 as bounds; the effort that may be spent
 * Out    a solution, none, or undecided once the effort is spent
 * How    Terms of equal coefficient are merged into one. The search goes depth first, from the greatest
 *        coefficient. A term takes only values whose remainder is within reach of the later terms and
 *        divisible by the gcd of their coefficients (Banerjee's test and the gcd test of dependence
 *        analysis, at every step). The last two terms are solved at once: their solutions are one
 *        progression, which the extended Euclidean algorithm gives. numpy.shares_memory solves the same
 *        problem in the same way. The general problem is NP-complete, hence the bound.
 *        A table's values are tried one by one.
 * Ends   each level fixes one term; each value tried takes one from the effort
 * Tests  tests/unit/test_overlap.c (against brute force), tests/py/test_overlap.py (against NumPy)
 */
#include "map/overlap.h"

#include "map/wide.h"
#include "map/work.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 2 * VF_MAX_DIGITS + 4 };

typedef struct term {
	int64_t coefficient; /* > 0 */
	wide bound;          /* >= 1; the sum of the bounds of its unknowns */
	wide value;
} term;

/* A term as the caller gave it. Unknowns of equal coefficient share the value of one `term`. */
typedef struct unknown {
	int64_t coefficient, bound, value;
	int label; /* the caller's */
} unknown;

typedef struct equation {
	int nunknown, n;
	unknown unknowns[MAX_TERMS];
	term terms[MAX_TERMS];
	wide reach[MAX_TERMS + 1];     /* the most that terms [k, n) add up to */
	int64_t common[MAX_TERMS + 1]; /* gcd of their coefficients; 0 for none */
	bool beyond;                   /* a sum was too large for `wide` */
	bool nontrivial;               /* the solution with every term at half its bound does not count */
	int64_t *effort;               /* left */
} equation;

static void add_product(equation *e, wide *sum, wide a, wide b)
{
	if (!wide_add_product(sum, a, b))
		e->beyond = true;
}

static void add_unknown(equation *e, int64_t coefficient, int64_t bound, int label)
{
	if (coefficient != 0 && bound > 0)
		e->unknowns[e->nunknown++] = (unknown){coefficient, bound, 0, label};
}

static int by_coefficient(const void *x, const void *y)
{
	const unknown *a = x, *b = y;
	return (a->coefficient < b->coefficient) - (a->coefficient > b->coefficient);
}

static void prepare(equation *e)
{
	qsort(e->unknowns, (size_t)e->nunknown, sizeof *e->unknowns, by_coefficient);
	for (int i = 0; i < e->nunknown; i++) {
		const unknown *u = &e->unknowns[i];
		if (e->n == 0 || e->terms[e->n - 1].coefficient != u->coefficient)
			e->terms[e->n++] = (term){u->coefficient, 0, 0};
		add_product(e, &e->terms[e->n - 1].bound, 1, u->bound);
	}
	e->reach[e->n] = 0;
	e->common[e->n] = 0;
	for (int k = e->n - 1; k >= 0; k--) {
		e->reach[k] = e->reach[k + 1];
		add_product(e, &e->reach[k], e->terms[k].coefficient, e->terms[k].bound);
		e->common[k] = vf_gcd(e->terms[k].coefficient, e->common[k + 1]);
	}
}

/* Hand out each term's value to its unknowns. Each takes as much as it can. */
static void share_out(equation *e)
{
	for (int i = 0, k = -1; i < e->nunknown; i++) {
		unknown *u = &e->unknowns[i];
		k += k < 0 || e->terms[k].coefficient != u->coefficient;
		term *t = &e->terms[k];
		u->value = t->value < u->bound ? (int64_t)t->value : u->bound;
		t->value -= u->value;
	}
}

static wide floor_div(wide a, wide b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static wide ceil_div(wide a, wide b)
{
	return -floor_div(-a, b);
}

/* The values of term k that leave a remainder which the later terms could make up: *low, *low + *step, ...,
 * up to *high. */
static void candidates(const equation *e, int k, wide rest, wide *low, wide *high, wide *step)
{
	const term *t = &e->terms[k];
	wide c = t->coefficient, modulus = e->common[k + 1];
	*low = rest > e->reach[k + 1] ? ceil_div(rest - e->reach[k + 1], c) : 0;
	*high = rest / c < t->bound ? rest / c : t->bound;
	*step = 1;
	if (modulus == 0) { /* the last term: it must make up all of the rest */
		if (rest % c != 0)
			*high = *low - 1;
		return;
	}
	wide common = vf_gcd(t->coefficient, (int64_t)modulus);
	if (rest % common != 0) {
		*high = *low - 1;
		return;
	}
	*step = modulus / common;
	wide first = vf_solve_congruence((int64_t)(c / common), (int64_t)(rest / common % *step),
	                                 (int64_t)*step);
	*low = first + ceil_div(*low - first, *step) * *step;
}

/* Whether terms [0, k) are at half their bounds. */
static bool half_up_to(const equation *e, int k)
{
	for (int i = 0; i < k; i++)
		if (2 * e->terms[i].value != e->terms[i].bound)
			return false;
	return true;
}

/* Solve the last one or two terms. Each value that candidates() gives for the first of them is a solution. */
static overlap_answer finish(equation *e, int k, wide rest)
{
	wide low, high, step;
	term *t = &e->terms[k], *last = t + (k + 1 < e->n);
	candidates(e, k, rest, &low, &high, &step);
	if (low <= high && e->nontrivial && 2 * low == t->bound && half_up_to(e, k))
		low += step; /* with the others at half, this one at half is the trivial solution */
	if (low > high)
		return OVERLAP_NO;
	t->value = low;
	if (last != t)
		last->value = (rest - low * t->coefficient) / last->coefficient;
	return OVERLAP_YES;
}

static overlap_answer search(equation *e, int k, wide rest)
{
	wide low, high, step;
	if (k + 2 >= e->n)
		return finish(e, k, rest);
	candidates(e, k, rest, &low, &high, &step);
	for (wide x = low; x <= high; x += step) {
		if (*e->effort <= 0)
			return OVERLAP_UNDECIDED;
		--*e->effort;
		e->terms[k].value = x;
		overlap_answer answer = search(e, k + 1, rest - e->terms[k].coefficient * x);
		if (answer != OVERLAP_NO)
			return answer;
	}
	return OVERLAP_NO;
}

static overlap_answer solve(equation *e, wide b)
{
	prepare(e);
	if (e->beyond || e->reach[0] > WIDE_ROOM)
		return OVERLAP_UNDECIDED;
	if (b < 0 || b > e->reach[0])
		return OVERLAP_NO;
	if (e->common[0] && b % e->common[0] != 0)
		return OVERLAP_NO;
	if (e->n == 0)
		return e->nontrivial ? OVERLAP_NO : OVERLAP_YES;
	overlap_answer answer = search(e, 0, b);
	if (answer == OVERLAP_YES)
		share_out(e);
	return answer;
}

/* What a digit reads: values at least `gap` apart, `span` from the lowest to the highest. */
typedef struct digit_spread {
	wide gap, span;
} digit_spread;

static int by_number(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* The spread of a table. Its values are sorted in `room`. */
static digit_spread table_spread(const vf_digit *d, int64_t *room)
{
	for (int64_t i = 0; i < d->extent; i++)
		room[i] = vf_digit_at(d, i);
	qsort(room, (size_t)d->extent, sizeof *room, by_number);
	digit_spread s = {(wide)room[1] - room[0], (wide)room[d->extent - 1] - room[0]};
	for (int64_t i = 2; i < d->extent; i++)
		if ((wide)room[i] - room[i - 1] < s.gap)
			s.gap = (wide)room[i] - room[i - 1];
	return s;
}

static digit_spread spread_of(const vf_digit *d, int64_t *room)
{
	if (d->table)
		return table_spread(d, room);
	wide stride = llabs(d->stride);
	return (digit_spread){stride, stride * (d->extent - 1)};
}

/* Sort the digits by their gaps. If each gap is beyond all that the digits of smaller gaps reach together, no
 * element is read twice. This is the usual case. */
static bool obviously_once(const vf_region *r, int64_t *room)
{
	digit_spread spreads[VF_MAX_DIGITS + 2];
	wide reach = 0;
	for (int k = 0; k < r->ndigit; k++) {
		digit_spread s = spread_of(&r->digits[k], room);
		int at = k;
		for (; at > 0 && spreads[at - 1].gap > s.gap; at--)
			spreads[at] = spreads[at - 1];
		spreads[at] = s;
	}
	for (int k = 0; k < r->ndigit; k++) {
		if (spreads[k].gap <= reach)
			return false;
		reach += spreads[k].span;
	}
	return true;
}

/* Whether an earlier digit has the stride of digit k, whatever the signs. Then a step of one digit undoes a
 * step of the other, and two indices meet. */
static bool repeats_stride(const vf_region *r, int k)
{
	for (int i = 0; i < k; i++)
		if (llabs(r->digits[i].stride) == llabs(r->digits[k].stride))
			return true;
	return false;
}

/* Digit values x and y read one element where sum s_k (x_k - y_k) = 0; at least one difference is not 0. Put
 * z_k = x_k - y_k + extent_k - 1, in [0, 2 (extent_k - 1)]: sum |s_k| z_k = sum |s_k| (extent_k - 1). */
static overlap_answer strides_twice(const vf_region *r, int64_t *effort)
{
	equation e = {.nontrivial = true, .effort = effort};
	wide b = 0;
	for (int k = 0; k < r->ndigit; k++) {
		int64_t stride = llabs(r->digits[k].stride), bound = r->digits[k].extent - 1;
		if (stride == 0 || repeats_stride(r, k))
			return OVERLAP_YES;
		if (bound > INT64_MAX / 2)
			return OVERLAP_UNDECIDED;
		add_unknown(&e, stride, 2 * bound, k);
		add_product(&e, &b, stride, bound);
	}
	return solve(&e, b);
}

static int64_t most_values(const vf_region *r)
{
	int64_t most = 0;
	for (int k = 0; k < r->ndigit; k++)
		if (r->digits[k].table && r->digits[k].extent > most)
			most = r->digits[k].extent;
	return most;
}

/* Append to the *n listed elements all that digits [k, ndigit) read, from `at` on. */
static void list_elements(const vf_region *r, int k, int64_t at, int64_t *elements, int64_t *n)
{
	if (k == r->ndigit)
		elements[(*n)++] = at;
	for (int64_t d = 0; k < r->ndigit && d < r->digits[k].extent; d++)
		list_elements(r, k + 1, at + vf_digit_at(&r->digits[k], d), elements, n);
}

/* Decide for a region with tables: list and sort all of its elements. */
static overlap_answer elements_twice(vf_arena *arena, const vf_region *r, int64_t *effort)
{
	int64_t size = 1, n = 0;
	for (int k = 0; k < r->ndigit; k++)
		size *= r->digits[k].extent;
	int64_t *elements = size <= *effort ? vf_arena_raw(arena, size, sizeof *elements) : NULL;
	if (!elements)
		return OVERLAP_UNDECIDED;
	*effort -= size;
	list_elements(r, 0, 0, elements, &n);
	qsort(elements, (size_t)n, sizeof *elements, by_number);
	for (int64_t i = 1; i < n; i++)
		if (elements[i] == elements[i - 1])
			return OVERLAP_YES;
	return OVERLAP_NO;
}

overlap_answer vf_region_twice(vf_context *ctx, const vf_region *r, int64_t *effort)
{
	int64_t tables = most_values(r);
	if (tables == 0)
		return obviously_once(r, NULL) ? OVERLAP_NO : strides_twice(r, effort);
	vf_arena arena;
	vf_arena_init(&arena, ctx);
	int64_t *room = vf_arena_raw(&arena, tables, sizeof *room);
	overlap_answer answer = OVERLAP_UNDECIDED;
	if (room)
		answer = obviously_once(r, room) ? OVERLAP_NO : elements_twice(&arena, r, effort);
	vf_arena_drop(&arena);
	return answer;
}

/* Add the region's digits to the equation. `side`: 1 for its left side, -1 for its right. With a negative
 * coefficient the unknown x becomes bound - x. */
static void add_digits(equation *e, const vf_region *r, int64_t bytes, int side, wide *b)
{
	for (int k = 0; k < r->ndigit; k++) {
		int64_t c = r->digits[k].stride * bytes * side, bound = r->digits[k].extent - 1;
		if (c < 0)
			add_product(e, b, -c, bound);
		add_unknown(e, llabs(c), bound, (side > 0 ? 0 : VF_MAX_DIGITS + 2) + k);
	}
}

static void read_digits(const equation *e, const vf_region *r, int side, int64_t *digits)
{
	int first = side > 0 ? 0 : VF_MAX_DIGITS + 2;
	for (int k = 0; k < r->ndigit; k++)
		digits[k] = 0;
	for (int i = 0; i < e->nunknown; i++) {
		const unknown *u = &e->unknowns[i];
		int k = u->label - first;
		if (k < 0 || k >= r->ndigit)
			continue;
		bool turned = r->digits[k].stride * side < 0;
		digits[k] = turned ? u->bound - u->value : u->value;
	}
}

/* Solve a.at + a.offset + sum sa x + i = b.at + b.offset + sum sb y + j, in bytes; i and j are bytes within
 * an element. */
static overlap_answer strides_meet(const vf_placed *a, const vf_placed *b, int64_t *effort)
{
	equation e = {.effort = effort};
	wide rest = 0;
	add_product(&e, &rest, 1, b->at);
	add_product(&e, &rest, b->region->offset, b->elem_bytes);
	add_product(&e, &rest, -1, a->at);
	add_product(&e, &rest, -a->region->offset, a->elem_bytes);
	add_digits(&e, a->region, a->elem_bytes, 1, &rest);
	add_digits(&e, b->region, b->elem_bytes, -1, &rest);
	add_unknown(&e, 1, a->elem_bytes - 1, -1);
	/* The coefficient of j is -1: j becomes elem_bytes - 1 - j. */
	add_product(&e, &rest, 1, b->elem_bytes - 1);
	add_unknown(&e, 1, b->elem_bytes - 1, -1);
	overlap_answer answer = solve(&e, rest);
	if (answer == OVERLAP_YES) {
		read_digits(&e, a->region, 1, a->digits);
		read_digits(&e, b->region, -1, b->digits);
	}
	return answer;
}

static int first_table(const vf_region *r)
{
	for (int k = 0; k < r->ndigit; k++)
		if (r->digits[k].table)
			return k;
	return -1;
}

/* Try the values of each table one by one. What is left then has only strides. */
overlap_answer vf_regions_meet(const vf_placed *a, const vf_placed *b, int64_t *effort)
{
	int k = first_table(a->region);
	if (k < 0 && first_table(b->region) < 0)
		return strides_meet(a, b, effort);
	if (k < 0)
		return vf_regions_meet(b, a, effort);
	vf_digit digits[VF_MAX_DIGITS + 2];
	vf_region fixed = *a->region;
	vf_placed part = {&fixed, a->elem_bytes, a->at, a->digits};
	overlap_answer answer = OVERLAP_NO;
	memcpy(digits, fixed.digits, (size_t)fixed.ndigit * sizeof *digits);
	fixed.digits = digits;
	digits[k] = vf_plain_digit(digits[k].axis, 1, 1, 0);
	for (int64_t d = 0; d < a->region->digits[k].extent && answer != OVERLAP_YES; d++) {
		if (--*effort < 0)
			return OVERLAP_UNDECIDED;
		fixed.offset = a->region->offset + vf_digit_at(&a->region->digits[k], d);
		overlap_answer here = vf_regions_meet(&part, b, effort);
		answer = here == OVERLAP_NO ? answer : here;
		if (here == OVERLAP_YES)
			a->digits[k] = d;
	}
	return answer;
}
