/* overlap.c -- bounded integer equations: sum c_k x_k = b, 0 <= x_k <= u_k.
 *
 * In     strides as coefficients, extents - 1 as bounds
 * Out    a solution, none, or undecided after a bounded number of steps
 * How    depth first from the greatest coefficient: at each term only values that leave the rest a
 *        remainder within its reach, and congruent modulo the gcd of its coefficients (the test of Banerjee
 *        and the gcd test of dependence analysis, applied at every step). numpy.shares_memory decides the
 *        same problem in the same way. In general it is NP-complete, hence the bound.
 * Ends   each level fixes one term; at most MAX_STEPS values are tried
 * Tests  tests/property/ (against brute force)
 */
#include "map/overlap.h"

#include "map/work.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum { MAX_TERMS = 2 * VF_MAX_DIGITS + 4, MAX_STEPS = 200000 };

typedef struct term {
	int64_t coefficient; /* > 0 */
	int64_t bound;       /* >= 1 */
	int64_t value;
	int label;           /* the caller's */
} term;

typedef struct equation {
	int n;
	term terms[MAX_TERMS];
	wide reach[MAX_TERMS + 1];    /* of terms [k, n) */
	int64_t common[MAX_TERMS + 1]; /* gcd of their coefficients; 0 for none */
	bool nontrivial; /* all at half their bound does not count as a solution */
	int64_t steps;
} equation;

static void add_term(equation *e, int64_t coefficient, int64_t bound, int label)
{
	if (coefficient != 0 && bound > 0)
		e->terms[e->n++] = (term){coefficient, bound, 0, label};
}

static int by_coefficient(const void *x, const void *y)
{
	const term *a = x, *b = y;
	return (a->coefficient < b->coefficient) - (a->coefficient > b->coefficient);
}

static void prepare(equation *e)
{
	qsort(e->terms, (size_t)e->n, sizeof *e->terms, by_coefficient);
	e->reach[e->n] = 0;
	e->common[e->n] = 0;
	for (int k = e->n - 1; k >= 0; k--) {
		e->reach[k] = e->reach[k + 1] + (wide)e->terms[k].coefficient * e->terms[k].bound;
		e->common[k] = vf_gcd(e->terms[k].coefficient, e->common[k + 1]);
	}
}

static bool is_trivial(const equation *e)
{
	for (int k = 0; k < e->n; k++)
		if (2 * (wide)e->terms[k].value != e->terms[k].bound)
			return false;
	return true;
}

static overlap_answer search(equation *e, int k, wide rest)
{
	if (k == e->n)
		return rest == 0 && !(e->nontrivial && is_trivial(e)) ? OVERLAP_YES : OVERLAP_NO;
	term *t = &e->terms[k];
	wide c = t->coefficient, low = rest - e->reach[k + 1];
	low = low > 0 ? (low + c - 1) / c : 0;
	wide high = rest / c < t->bound ? rest / c : t->bound;
	overlap_answer answer = OVERLAP_NO;
	for (wide x = low; x <= high; x++) {
		wide left = rest - c * x;
		if (++e->steps > MAX_STEPS)
			return OVERLAP_UNDECIDED;
		if (e->common[k + 1] ? left % e->common[k + 1] != 0 : left != 0)
			continue;
		t->value = (int64_t)x;
		answer = search(e, k + 1, left);
		if (answer != OVERLAP_NO)
			return answer;
	}
	return answer;
}

static overlap_answer solve(equation *e, wide b)
{
	prepare(e);
	if (b < 0 || b > e->reach[0])
		return OVERLAP_NO;
	if (e->common[0] && b % e->common[0] != 0)
		return OVERLAP_NO;
	return search(e, 0, b);
}

/* Strides sorted so that each is beyond all that the smaller ones reach: no element twice. The usual case. */
static bool obviously_once(const vf_region *r)
{
	bool used[VF_MAX_DIGITS + 2] = {false};
	wide reach = 0;
	for (int round = 0; round < r->ndigit; round++) {
		int next = -1;
		for (int k = 0; k < r->ndigit; k++)
			if (!used[k] && (next < 0 || llabs(r->digits[k].stride) < llabs(r->digits[next].stride)))
				next = k;
		used[next] = true;
		wide stride = llabs(r->digits[next].stride);
		if (stride <= reach)
			return false;
		reach += stride * (r->digits[next].extent - 1);
	}
	return true;
}

/* Two values x, y of the digits meet where sum s_k (x_k - y_k) = 0, not all differences 0. With z_k = x_k -
 * y_k + extent_k - 1 in [0, 2 (extent_k - 1)] that is sum |s_k| z_k = sum |s_k| (extent_k - 1). */
overlap_answer vf_region_twice(const vf_region *r)
{
	if (obviously_once(r))
		return OVERLAP_NO;
	equation e = {.nontrivial = true};
	wide b = 0;
	for (int k = 0; k < r->ndigit; k++) {
		int64_t stride = llabs(r->digits[k].stride), bound = r->digits[k].extent - 1;
		if (stride == 0)
			return OVERLAP_YES;
		if (bound > INT64_MAX / 2)
			return OVERLAP_UNDECIDED;
		add_term(&e, stride, 2 * bound, k);
		b += (wide)stride * bound;
	}
	return solve(&e, b);
}

/* A negative stride is turned round: x becomes bound - x. `side` is 1 or -1: of the equation. */
static void add_digits(equation *e, const vf_region *r, int64_t bytes, int side, wide *b)
{
	for (int k = 0; k < r->ndigit; k++) {
		int64_t c = r->digits[k].stride * bytes * side, bound = r->digits[k].extent - 1;
		if (c < 0)
			*b += (wide)-c * bound;
		add_term(e, llabs(c), bound, (side > 0 ? 0 : VF_MAX_DIGITS + 2) + k);
	}
}

static void read_digits(const equation *e, const vf_region *r, int side, int64_t *digits)
{
	int first = side > 0 ? 0 : VF_MAX_DIGITS + 2;
	for (int k = 0; k < r->ndigit; k++)
		digits[k] = 0;
	for (int i = 0; i < e->n; i++) {
		int k = e->terms[i].label - first;
		if (k < 0 || k >= r->ndigit)
			continue;
		bool turned = r->digits[k].stride * side < 0;
		digits[k] = turned ? e->terms[i].bound - e->terms[i].value : e->terms[i].value;
	}
}

/* a_at + a.offset + sum sa x + i = b_at + b.offset + sum sb y + j, with i, j bytes within an element. */
overlap_answer vf_regions_meet(const vf_region *a, int64_t a_bytes, int64_t a_at, const vf_region *b,
                               int64_t b_bytes, int64_t b_at, int64_t *digits_a, int64_t *digits_b)
{
	equation e = {0};
	wide rest = (wide)b_at + (wide)b->offset * b_bytes - a_at - (wide)a->offset * a_bytes;
	add_digits(&e, a, a_bytes, 1, &rest);
	add_digits(&e, b, b_bytes, -1, &rest);
	add_term(&e, 1, a_bytes - 1, -1);
	/* -j is turned round as well. */
	rest += b_bytes - 1;
	add_term(&e, 1, b_bytes - 1, -1);
	overlap_answer answer = solve(&e, rest);
	if (answer == OVERLAP_YES) {
		read_digits(&e, a, 1, digits_a);
		read_digits(&e, b, -1, digits_b);
	}
	return answer;
}
