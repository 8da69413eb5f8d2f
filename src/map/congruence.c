/* congruence.c -- one linear congruence.
 *
 * In     a x = b (mod m), gcd(a, m) = 1
 * Out    its one x in [0, m)
 * Keeps  int64_t holds all of it: the coefficients of the Euclidean algorithm stay below m, and the last
 *        product is taken modulo m
 * Tests  tests/unit/test_overlap.c, tests/property/ (slices of compound axes)
 */
#include "map/wide.h"

/* a b modulo m, for a, b in [0, m). */
static int64_t multiply_modulo(int64_t a, int64_t b, int64_t m)
{
#ifdef __SIZEOF_INT128__
	return (int64_t)((wide)a * b % m);
#else
	uint64_t sum = 0, power = (uint64_t)a, modulus = (uint64_t)m; /* below 2^63: their double fits */
	for (; b; b >>= 1) {
		if (b & 1)
			sum = (sum + power) % modulus;
		power = 2 * power % modulus;
	}
	return (int64_t)sum;
#endif
}

int64_t vf_solve_congruence(int64_t a, int64_t b, int64_t m)
{
	int64_t r0 = m, r1 = a % m, t0 = 0, t1 = 1;
	while (r1) {
		int64_t q = r0 / r1, r = r0 - q * r1, t = t0 - q * t1;
		r0 = r1;
		r1 = r;
		t0 = t1;
		t1 = t;
	}
	t0 %= m;
	return multiply_modulo(t0 < 0 ? t0 + m : t0, b % m, m);
}
