/* copies.h -- ways of copying bytes, for the question how fast this machine can.
 *
 * glibc's memcpy writes past the caches only from a size on that depends on what the machine reports, and
 * below it each line of the target is read before it is written. The streaming copies write full lines past
 * the caches at any size. Which of them is fastest differs by machine, pages and size: measure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct copy_way {
	const char *name;
	/* Copies `length` bytes that do not overlap. `target` begins at a multiple of 64. */
	void (*run)(void *target, const void *source, size_t length, bool by_l2);
	bool by_l2; /* what it is called with: whether lines are asked for into L2 */
};

/* The ways that this processor has; `*n` of them, the first is memcpy. */
const struct copy_way *copy_ways(int *n);
