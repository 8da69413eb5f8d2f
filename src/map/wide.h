/* wide.h -- sums of products of strides and extents, in 128 bits where the machine has such integers.
 *
 * Keeps  A 32-bit machine has none. There a sum that int64_t cannot hold is reported, never wrapped, and the
 *        caller answers "undecided". The memory of such a machine is far smaller than such sums.
 */
#pragma once

#include "core/context.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_unsigned;
#else
typedef int64_t wide;
typedef uint64_t wide_unsigned;
#endif

/* A few numbers up to this can be added without a check. */
#define WIDE_ROOM ((wide)((wide_unsigned)-1 >> 3))

/* *sum += a * b. False if `wide` cannot hold the sum. */
static inline bool wide_add_product(wide *sum, wide a, wide b)
{
#ifdef __SIZEOF_INT128__
	*sum += a * b; /* fits: at most 130 products of int64_t, each checked as a reach of a storage */
	return true;
#else
	return vf_mul_add(sum, a, b);
#endif
}

/* Returns the x in [0, m) with a x = b (mod m). Needs gcd(a, m) = 1, a >= 0, b >= 0, m > 0. */
int64_t vf_solve_congruence(int64_t a, int64_t b, int64_t m);
