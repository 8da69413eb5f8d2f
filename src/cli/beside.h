/* beside.h -- --beside FILE.so: somebody's own loop for the same chain, timed in turns with the kernel. */
#pragma once

#include "measure.h"

#include <stdbool.h>

struct beside {
	const char *path;
	void *library;
	/* The result's elements in C order to `dst`; the inputs in the order of the command line. */
	void (*run)(void *dst, const void *const src[]);
	struct samples ns;
};

/* Open the library and find its function vf_beside(). Complains; beside_close() must follow in each case. */
bool beside_open(struct beside *beside, const char *path);
/* Its run over `out`, of `length` bytes. Complains where they are not `wanted` then. */
bool beside_check(struct beside *beside, void *out, const void *const src[], const void *wanted,
                  size_t length);
void beside_close(struct beside *beside);
