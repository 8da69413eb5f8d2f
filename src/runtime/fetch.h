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

static inline void fetch_begin_row(fetch *f)
{
	uintptr_t first = f->src + (uintptr_t)*f->at, line = first & ~(uintptr_t)63;
	if (line + 64 != f->line) /* else the row before has asked for it */
		f->line = line;
	f->past = first + f->bytes;
}

static inline fetch fetch_make(const void *src, const int64_t *at, int64_t rows, int64_t bytes)
{
	fetch f = {(uintptr_t)src, at, at + rows, 0, 0, (uintptr_t)bytes};
	if (rows > 0)
		fetch_begin_row(&f);
	return f;
}

static inline fetch fetch_none(void)
{
	return (fetch){0, NULL, NULL, 0, 0, 0};
}

/* Ask for the next n lines, or as many as there are. */
static inline void fetch_lines(fetch *f, int64_t n)
{
	while (n > 0 && f->at != f->end) {
		if (f->line < f->past) {
			__builtin_prefetch((const void *)f->line, 0, 3);
			f->line += 64, n--;
		}
		if (f->line >= f->past && ++f->at != f->end)
			fetch_begin_row(f);
	}
}

#endif
