/* test_overlap.c -- whether places meet: random bounded equations against brute force.
 *
 * An equation sum c_k x_k = b, 0 <= x_k <= u_k, is an array of strides c and extents u + 1 and one byte at b.
 */
#include "map/overlap.h"
#include "map/wide.h"
#include "random.h"
#include "viewfold.h"
#include "test.h"

enum { MOST_TERMS = 7, MOST_REACH = 20000 };

typedef struct problem {
	int n;
	vf_digit digits[MOST_TERMS];
	int64_t b, reach;
} problem;

static vf_region region_of(const problem *p)
{
	static const vf_storage *const somewhere = (const vf_storage *)(uintptr_t)16;
	return (vf_region){.source = somewhere, .ndigit = p->n, .digits = (vf_digit *)(uintptr_t)p->digits};
}

/* Strides and extents of every size up to `most`, with a b that is often near either end. */
static void make_problem(rng *random, problem *p, int64_t most_stride, int64_t most_extent)
{
	p->n = (int)rng_range(random, 1, MOST_TERMS);
	p->reach = 0;
	for (int k = 0; k < p->n; k++) {
		int64_t extent = rng_range(random, 2, most_extent),
			stride = rng_range(random, 1, most_stride);
		p->digits[k] = vf_plain_digit(k, extent, 1, stride);
		p->reach += (extent - 1) * stride;
	}
	p->b = rng_range(random, -1, p->reach + 1);
	if (rng_range(random, 0, 1))
		p->b = rng_range(random, 0, 1) ? p->b / 50 : p->reach - p->b / 50;
}

/* How many ways (up to 2) each sum can be had. */
static void count_ways(const problem *p, unsigned char *ways)
{
	static unsigned char before[MOST_REACH];
	memset(ways, 0, MOST_REACH);
	ways[0] = 1;
	for (int k = 0; k < p->n; k++) {
		memcpy(before, ways, MOST_REACH);
		for (int64_t x = 1; x < p->digits[k].extent; x++)
			for (int64_t at = x * p->digits[k].stride, i = 0; at + i <= p->reach; i++) {
				int sum = ways[at + i] + before[i];
				ways[at + i] = (unsigned char)(sum > 2 ? 2 : sum);
			}
	}
}

static int64_t value_at(const problem *p, const int64_t *digits)
{
	int64_t sum = 0;
	for (int k = 0; k < p->n; k++) {
		assert_in_range(digits[k], 0, p->digits[k].extent - 1);
		sum += digits[k] * p->digits[k].stride;
	}
	return sum;
}

static overlap_answer ask(const problem *p, int64_t effort, int64_t *digits)
{
	int64_t none[1];
	vf_region all = region_of(p), one = {.source = all.source, .offset = p->b};
	vf_placed a = {&all, 1, 0, digits}, b = {&one, 1, 0, none};
	return vf_regions_meet(&a, &b, &effort);
}

TEST(small_equations_are_decided_as_brute_force_does)
{
	static unsigned char ways[MOST_REACH];
	int yes = 0, no = 0, twice = 0;
	rng random = rng_make(7, 0);
	for (int i = 0; i < 3000; i++) {
		problem p;
		int64_t digits[MOST_TERMS], effort = INT64_MAX;
		make_problem(&random, &p, i % 3 ? 30 : 300, 9);
		assert_true(p.reach < MOST_REACH);
		count_ways(&p, ways);
		overlap_answer expected = p.b >= 0 && p.b <= p.reach && ways[p.b] ? OVERLAP_YES : OVERLAP_NO;
		assert_int_equal(ask(&p, INT64_MAX, digits), expected);
		if (expected == OVERLAP_YES)
			assert_int_equal(value_at(&p, digits), p.b);
		bool visits_twice = memchr(ways, 2, (size_t)p.reach + 1) != NULL;
		vf_region r = region_of(&p);
		assert_int_equal(vf_region_twice(NULL, &r, &effort), visits_twice ? OVERLAP_YES : OVERLAP_NO);
		yes += expected == OVERLAP_YES;
		no += expected == OVERLAP_NO;
		twice += visits_twice;
	}
	assert_true(yes > 500 && no > 500 && twice > 500 && twice < 2900);
}

/* On 32-bit machines large sums are not looked into. */
static bool too_wide(wide sum)
{
	return sum > WIDE_ROOM;
}

/* Small ones against brute force; large ones by their solutions. */
TEST(two_unknowns_take_no_effort)
{
	rng random = rng_make(8, 0);
	int yes = 0;
	for (int i = 0; i < 20000; i++) {
		problem p = {.n = 2};
		int64_t digits[2], most = i % 2 ? 1000 : 3000000000;
		for (int k = 0; k < 2; k++) {
			int64_t extent = rng_range(&random, 2, i % 2 ? 1000 : 1000000000);
			p.digits[k] = vf_plain_digit(k, extent, 1, rng_range(&random, 1, most));
			p.reach += (p.digits[k].extent - 1) * p.digits[k].stride;
		}
		p.b = rng_range(&random, 0, p.reach);
		overlap_answer answer = ask(&p, 0, digits);
		if (too_wide(p.reach)) {
			assert_int_equal(answer, OVERLAP_UNDECIDED);
			continue;
		}
		assert_int_not_equal(answer, OVERLAP_UNDECIDED);
		if (answer == OVERLAP_YES)
			assert_int_equal(value_at(&p, digits), p.b);
		for (int64_t x = 0; most == 1000 && answer == OVERLAP_NO && x < p.digits[0].extent; x++) {
			int64_t rest = p.b - x * p.digits[0].stride;
			int64_t y = rest < 0 || rest % p.digits[1].stride ? p.digits[1].extent
			                                                  : rest / p.digits[1].stride;
			assert_true(y >= p.digits[1].extent);
		}
		yes += answer == OVERLAP_YES;
	}
	assert_true(yes > 1000 && yes < 19000);
}

/* An equation whose search is long: undecided with little effort, decided with more. */
TEST(effort_is_the_callers)
{
	int64_t index_a[4], index_b[4];
	static unsigned char memory[1 << 20];
	vf_context *ctx = vf_context_create(NULL);
	const int64_t shape[4] = {40, 40, 14, 9}, strides[4] = {8731, 8747, 8761, 8783};
	vf_array *a = vf_wrap(ctx, memory, VF_U8, 4, shape, strides);
	int decided_late = 0;
	for (int64_t at = 0; at < 8731 * 5; at += 7) {
		vf_array *b = vf_wrap(ctx, memory + at, VF_U8, 0, NULL, NULL);
		vf_shares little = vf_shares_memory_within(a, b, 1, index_a, index_b);
		vf_shares all = vf_shares_memory_within(a, b, INT64_MAX, index_a, index_b);
		assert_int_not_equal(all, VF_SHARES_UNDECIDED);
		assert_true(little == all || little == VF_SHARES_UNDECIDED);
		decided_late += little == VF_SHARES_UNDECIDED;
		vf_release(b);
	}
	assert_true(decided_late > 10);
	vf_release(a);
	vf_context_release(ctx);
}
