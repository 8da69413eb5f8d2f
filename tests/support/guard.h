/* guard.h -- buffers that fault when a byte beside them is touched.
 *
 * One end of the buffer meets a page without access (which end is the caller's choice); the
 * rest of its pages is filled with a pattern that guard_intact() looks for.
 */
#ifndef TESTS_SUPPORT_GUARD_H
#define TESTS_SUPPORT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct guard_buffer {
	unsigned char *bytes;
	size_t length;
	unsigned char *pages; /* the mapping, its first and last page without access */
	size_t page_bytes;
} guard_buffer;

/* `at_end`: the last byte is the one that meets the page without access. */
guard_buffer guard_make(size_t length, bool at_end);
/* Whether the bytes beside the buffer are as they were made. */
bool guard_intact(const guard_buffer *g);
void guard_drop(guard_buffer *g);

#endif
