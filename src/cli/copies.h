/* copies.h -- ways of copying bytes, to find out how fast this machine can copy.
 *
 * glibc's memcpy writes past the caches only from a certain size on, which depends on what the machine
 * reports. Below that size each line of the target is read before it is written. The streaming copies write
 * full lines past the caches at any size. Which copy is fastest differs by machine, pages and size: measure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct copy_way {
	const char *name;
	/* Copies `length` bytes that do not overlap. `target` begins at a multiple of 64. */
	void (*run)(void *target, const void *source, size_t length, bool by_l2);
	bool by_l2; /* for run(): whether lines are asked for into L2 */
};

/* The `*n` ways that this processor has; the first is memcpy. */
const struct copy_way *copy_ways(int *n);
