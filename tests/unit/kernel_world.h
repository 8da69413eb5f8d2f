/* kernel_world.h -- where kernels are tried: for test_kernels.c and test_tiles.c.
 *
 * A variant and its plain twin write into equal buffers with a pattern around; the whole buffers must come
 * out equal, so a byte too many shows. The source often ends (or begins) at a page without access, so
 * does a byte too many read.
 */
#ifndef TESTS_KERNEL_WORLD_H
#define TESTS_KERNEL_WORLD_H

#include "random.h"

#include "runtime/cpu.h"
#include "runtime/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { AREA = 1 << 19, SIDE = 4096 };

static const char *const variants[] = {"avx2", "avx512"};

/* A source between two pages without access, two destinations. */

static unsigned char *source;
static unsigned char *results[2]; /* the variant's, the plain twin's */

static inline void world_make(void)
{
	unsigned char *pages =
	    mmap(NULL, AREA + 2 * SIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(pages != MAP_FAILED);
	assert_int_equal(mprotect(pages, SIDE, PROT_NONE), 0);
	assert_int_equal(mprotect(pages + SIDE + AREA, SIDE, PROT_NONE), 0);
	source = pages + SIDE;
	rng r = rng_make(1, 2);
	for (int k = 0; k < AREA; k++)
		source[k] = (unsigned char)rng_next(&r);
	for (int k = 0; k < 2; k++)
		results[k] = aligned_alloc(SIDE, AREA);
	assert_true(results[0] && results[1]);
}

static inline void world_drop(void)
{
	munmap(source - SIDE, AREA + 2 * SIDE);
	free(results[0]), free(results[1]);
}

/* Bytes that a case reads and writes, relative to the pointers it is given. */
typedef struct reach {
	int64_t low, high;
} reach;

static inline void reach_add(reach *r, int64_t count, int64_t step)
{
	if (count <= 0)
		return;
	if (step < 0)
		r->low += (count - 1) * step;
	else
		r->high += (count - 1) * step;
}

/* A pointer into the source such that the reach ends at its end, begins at its start, or neither. */
static inline const unsigned char *place_source(rng *r, reach at)
{
	int64_t first = 0, last = AREA - (at.high - at.low);
	assert_true(last >= 0);
	int64_t where = rng_chance(r, 40)   ? last
	                : rng_chance(r, 30) ? first
	                                    : rng_range(r, first, last);
	return source + where - at.low;
}

static inline void results_clear(int64_t low, int64_t high)
{
	for (int k = 0; k < 2; k++)
		memset(results[k] + low, 0xa5, (size_t)(high - low));
}

static inline bool results_equal(int64_t low, int64_t high)
{
	return memcmp(results[0] + low, results[1] + low, (size_t)(high - low)) == 0;
}

static inline int64_t first_difference(int64_t low, int64_t high)
{
	while (low < high && results[0][low] == results[1][low])
		low++;
	return low;
}

static const int64_t units[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 24, 32, 33, 48, 64, 100};

static inline int64_t any_unit(rng *r)
{
	return units[rng_below(r, (int64_t)(sizeof units / sizeof units[0]))];
}

/* Mostly short, sometimes long. */
static inline int64_t any_count(rng *r)
{
	return rng_chance(r, 70) ? rng_range(r, 0, 40) : rng_range(r, 0, 400);
}

#endif
