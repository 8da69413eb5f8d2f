/* example.h -- what the examples share: a check that says what failed and ends the program. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(claim)                                                                                         \
	do {                                                                                                 \
		if (!(claim)) {                                                                              \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #claim);           \
			exit(1);                                                                             \
		}                                                                                            \
	} while (0)

/* Memory for `count` elements of `size` bytes, zeroed; never NULL. */
static inline void *example_alloc(size_t count, size_t size)
{
	void *block = calloc(count, size);
	CHECK(block != NULL);
	return block;
}

#endif
