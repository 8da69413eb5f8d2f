/* random.h -- reproducible random numbers for tests: the same seed, the same numbers, anywhere. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rng {
	uint64_t state;
} rng;

/* splitmix64 */
static inline uint64_t rng_next(rng *r)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* A stream of its own for each (seed, number). */
static inline rng rng_make(uint64_t seed, uint64_t number)
{
	rng r = {seed * 0xd1342543de82ef95u + number};
	rng_next(&r);
	r.state ^= number << 32;
	return r;
}

/* One of 0 .. n-1; n >= 1. */
static inline int64_t rng_below(rng *r, int64_t n)
{
	return (int64_t)((rng_next(r) >> 1) % (uint64_t)n);
}

/* One of low .. high. */
static inline int64_t rng_range(rng *r, int64_t low, int64_t high)
{
	return low + rng_below(r, high - low + 1);
}

static inline bool rng_chance(rng *r, int percent)
{
	return rng_below(r, 100) < percent;
}

#endif
