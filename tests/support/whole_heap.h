/* whole_heap.h -- memory for a context whose process forks while threads allocate.
 *
 * The C library's malloc is whole in a forked child; AddressSanitizer's (seen with gcc 12) is not where
 * another thread was inside it. So a test that forks allocates under a lock that is taken before a fork, and
 * forks when its threads have started: starting one allocates too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Before the library's own locks are set up: handlers of forks run last in first out. */
bool whole_heap_begin(void);

void *whole_heap_allocate(void *user, size_t bytes);
void *whole_heap_reallocate(void *user, void *block, size_t bytes);
void whole_heap_free(void *user, void *block);
