/* fetch.h -- asking for the source lines of the next block while the current one is moved.
 *
 * Asked for in a burst, most would be dropped or would hold up what is being moved; so the lines go
 * out a few at a time, as many as lines are written. 64 to 128 lines on their way are best (Zen 5:
 * 22 GB/s of lines on different pages, 13 without asking).
 */
#ifndef VF_RUNTIME_FETCH_H
#define VF_RUNTIME_FETCH_H

#include <stddef.h>
#include <stdint.h>

/* Rows of `bytes` bytes, row k at src + at[k]. */
typedef struct fetch {
	uintptr_t src;
	const int64_t *at,
	    *end; /* the current row's offset; past the last's. Equal: nothing is left */
	uintptr_t line, past; /* the next line of that row; the row's end */
	uintptr_t bytes;
} fetch;

static inline fetch fetch_make(const void *src, const int64_t *at, int64_t rows, int64_t bytes)
{
	uintptr_t first = (uintptr_t)src + (rows > 0 ? (uintptr_t)*at : 0);
	return (fetch){(uintptr_t)src, at,    at + rows, first & ~(uintptr_t)63,
		       first + (uintptr_t)bytes, (uintptr_t)bytes};
}

static inline fetch fetch_none(void)
{
	return (fetch){0, NULL, NULL, 0, 0, 0};
}

/* Ask for the next n lines, or as many as there are. Its state is written once a call: stores stand in
 * one queue with the lines that leave. */
static inline void fetch_lines(fetch *f, int64_t n)
{
	const int64_t *at = f->at, *const end = f->end;
	uintptr_t line = f->line, past = f->past;
	if (at == end)
		return;
	while (n > 0) {
		if (line < past) {
			__builtin_prefetch((const void *)line, 0, 3);
			line += 64, n--;
		}
		if (line >= past) {
			if (++at == end)
				break;
			uintptr_t first = f->src + (uintptr_t)*at, its = first & ~(uintptr_t)63;
			if (its + 64 != line) /* else the row before has asked for it */
				line = its;
			past = first + f->bytes;
		}
	}
	f->at = at, f->line = line, f->past = past;
}

#endif
