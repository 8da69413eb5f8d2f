/* ahead.h -- asking for the source lines of the next block while the current one is moved.
 *
 * To ask for a line is to give a prefetch hint. If all hints came in one burst, most would be dropped or
 * would hold up what is being moved. So a few lines are asked for at a time, as lines are written. 64 to 128
 * lines on their way are best (Zen 5: 22 GB/s of lines on different pages, 13 without asking).
 */
#pragma once

#include "codelets/variant.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Are registers narrower than lines? Then more instructions stand between the loads of two lines, and fewer
 * lines are on their way. */
#ifdef __AVX512F__
enum { NARROW = 0 };
#else
enum { NARROW = 1 };
#endif

/* ---- into which cache ---- */

/* The empty statement is needed: gcc drops calls of a function that only prefetches. */
static inline __attribute__((always_inline)) void fetch_second(const void *p, int64_t later)
{
	__builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)later), 0, 2);
	__asm__ volatile("");
}

static inline __attribute__((always_inline)) void fetch_into(const void *p, int64_t later, bool second)
{
	if (second) {
		fetch_second(p, later);
		return;
	}
	__builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)later), 0, 3);
	__asm__ volatile("");
}

/* Asks into the cache that suits the processor. Zen 5 drops some hints into the second cache (of the fastest
 * copy, into the second and into the first: rows of 3 KiB, 5760 bytes apart, 0.58 and 0.67; of 80, 256 apart,
 * 0.58 and 0.74; of 80, 960 apart, 0.70 and 0.84). */
static inline __attribute__((always_inline)) void fetch_later(const void *p, int64_t later)
{
	fetch_into(p, later, asks_second());
}

/* The same for what lies far from what is read now, which no processor fetches by itself. Hints into the
 * second cache probably hold none of the buffers by which lines come to the first. Along runs the processor
 * has brought lines to the second cache already (Zen 4, of the fastest copy, into the first and into the
 * second: rows of 3 KiB, 5760 bytes apart, 0.57 and 0.69; lines woven of parts 0.43 and 0.65; but f32 pixels
 * of 16 to planes 0.55 and 0.44, windows of rows 0.90 and 0.74). */
static inline __attribute__((always_inline)) void fetch_far(const void *p, int64_t later)
{
	fetch_into(p, later, vf_takes_l2_hints());
}

/* ---- the next block ---- */

/* What is asked for: rows of `bytes` bytes. The current row is at src; with a table, that is base + *at. Its
 * size counts, as each call sets it up (Zen 5, f32 32 x 32 turned: of 152 bytes 88 ns, of these 144 80). */
typedef struct ahead {
	uintptr_t base, src;
	const int64_t *at;
	int64_t rows, step, each;    /* rows left; bytes from row to row; lines to ask for a line written */
	uintptr_t line, past, bytes; /* the next line of the row; the row's end */
	int into;
	bool run; /* all of it is one run */
	/* For rows that are read side by side. With each line that is read, the line `reach` bytes further on
	 * in its row is asked for; 0: none is; below 0: columns are read from the last one on. Outside of
	 * [begin, end), addresses in the first row that is read, it lies `jump` bytes further, in the next
	 * block. If rows have tables, this block's is rows_at and the next block's next_at. */
	int64_t reach, jump;
	uintptr_t begin, end, table_bytes;
	const int64_t *rows_at, *next_at;
	unsigned char *to; /* the current row is brought here; NULL: rows are asked for */
} ahead;

static inline ahead ahead_none(void)
{
	return (ahead){.rows = 0};
}

/* `lines`: how many lines the block writes. Fields are set one by one, as a struct that is copied waits for
 * all stores before it, and so for lines that leave. */
static inline void ahead_begin(ahead *a, const vf_block *b, const vf_flow *flow, int64_t lines)
{
	memset(a, 0, sizeof *a);
	if (!flow || !flow->ahead || b->ahead_rows <= 0 || b->ahead_bytes <= 0)
		return;
	const int64_t asked = b->ahead_rows * ((b->ahead_bytes + LINE - 1) / LINE);
	a->base = (uintptr_t)flow->ahead, a->at = flow->ahead_at;
	a->src = a->base + (a->at ? (uintptr_t)*a->at : 0);
	a->rows = b->ahead_rows, a->step = b->ahead_step;
	a->each = lines > 0 && asked > lines ? (asked + lines - 1) / lines : 1;
	a->line = a->src & ~(uintptr_t)(LINE - 1);
	a->past = a->src + (uintptr_t)b->ahead_bytes;
	a->bytes = (uintptr_t)b->ahead_bytes, a->into = (int)b->ahead_into;
}

/* Asks for as many rows again, b->ahead_set_step bytes on. They have no table. */
static inline void ahead_next_set(ahead *a, const vf_block *b)
{
	a->base += (uintptr_t)b->ahead_set_step, a->src = a->base, a->rows = b->ahead_rows;
	a->line = a->src & ~(uintptr_t)(LINE - 1), a->past = a->src + a->bytes;
}

static inline ahead ahead_make(const vf_block *b, const vf_flow *flow, int64_t lines)
{
	ahead a;
	ahead_begin(&a, b, flow, lines);
	return a;
}

/* Brings instead: `n` rows of `bytes` bytes, at src + at[i], go side by side to `to`, `pitch` bytes apart. */
static inline ahead ahead_brought(const unsigned char *src, const int64_t *at, int64_t n, int64_t bytes,
                                  unsigned char *to, int64_t pitch)
{
	ahead a = ahead_none();
	a.base = (uintptr_t)src, a.at = a.rows_at = at, a.rows = n;
	a.bytes = (uintptr_t)bytes, a.to = to, a.step = pitch;
	return a;
}

/* Brings the next n lines of these rows, one row after the other. With each line, the line a few rows on is
 * asked for; at the last rows, what follows the first ones. The end of a row is brought by a whole line, if
 * the row has one. (Zen 5, of the fastest copy, 4, 6 and 12 rows on: f32 4096 x 4096 turned 0.67, 0.76, 0.78,
 * f64 4096 x 4096 0.73, 0.74, 0.65.) */
static __attribute__((noinline)) void ahead_bring(ahead *a, int64_t n)
{
	enum { LATER = 6 };
	const bool second = vf_takes_l2_hints();
	const unsigned char *base = (const unsigned char *)a->base;
	const int64_t bytes = (int64_t)a->bytes;
	for (; n > 0 && a->rows > 0; a->line = 0, a->rows--, a->at++, a->to += a->step) {
		const unsigned char *src = base + *a->at, *later = src;
		if (a->rows > LATER)
			later = base + a->at[LATER];
		else if (a->at - a->rows_at >= LATER)
			later = base + bytes + a->rows_at[LATER - a->rows];
		int64_t line = (int64_t)a->line;
		for (; n > 0 && line + LINE <= bytes; line += LINE, n--) {
			fetch_into(later + line, 0, second);
			memcpy(a->to + line, src + line, LINE);
		}
		if (line + LINE <= bytes) {
			a->line = (uintptr_t)line;
			return;
		}
		if (bytes >= LINE)
			memcpy(a->to + bytes - LINE, src + bytes - LINE, LINE);
		else
			memcpy(a->to, src, (size_t)bytes);
	}
}

/* Asks for the lines that go with n written lines, or for all that are left; or brings them. The state is
 * stored once a call, because stores wait in one queue with the lines that leave. */
static inline void ahead_ask(ahead *a, int64_t n)
{
	uintptr_t src = a->src, line = a->line, past = a->past;
	int64_t rows = a->rows;
	if (rows <= 0)
		return;
	if (!NARROW && a->to) {
		ahead_bring(a, n);
		return;
	}
	for (n *= a->each; n > 0;) {
		if (line < past) {
			if (a->into == 2)
				__builtin_prefetch((const void *)line, 0, 2);
			else
				__builtin_prefetch((const void *)line, 0, 3);
			line += LINE, n--;
		}
		if (line >= past) {
			if (--rows == 0)
				break;
			src = a->at ? a->base + (uintptr_t) * ++a->at : src + (uintptr_t)a->step;
			uintptr_t first = src & ~(uintptr_t)(LINE - 1);
			if (first + LINE != line) /* else the row before has asked for it */
				line = first;
			past = src + a->bytes;
		}
	}
	a->src = src, a->line = line, a->past = past, a->rows = rows;
}

/* ---- rows that are read side by side ---- */

/* Asks for the next block as one run, if that is best; returns whether it does. It is for small matrices of
 * units of 1 and 2 bytes that lie one after the other, as their transposes do. One of them is soon read
 * whole, and memory gives the next one fastest as one run: asking for a line of each row in turn takes longer
 * than the rest of the work. (A Xeon with AMX, of the fastest copy, by lines of each row and as one run: u8
 * 100 x 256 x 256 0.46 and 0.58, i16 192 x 192 0.55 and 0.65. Longer units lose, f32 96 x 96 0.61 and 0.57,
 * and so do longer rows, u8 64 x 3136 0.73 and 0.57.) */
static inline bool ahead_one_run(ahead *a, const vf_block *b)
{
	enum { SHORT_ROW = 1024 };
	const int64_t row = b->rows * b->unit;
	if (b->stream != VF_JOINED || b->unit > 2 || b->pass || b->src_at || a->at || row > SHORT_ROW ||
	    b->stride != row || a->step != row || (int64_t)a->bytes != row)
		return false;
	a->bytes = (uintptr_t)(a->rows * row), a->past = a->src + a->bytes, a->rows = 1, a->run = true;
	return true;
}

/* Rows that are read side by side: a few lines of each row, then the next few of each. With each line read,
 * the line some lines further on in its row is asked for. That is nearer than the next block, so the second
 * cache still has it when rows are a power of two apart. Where the row ends in this block, it is a line of
 * the next block's row. `reach` is never longer than a row, so that each line of that row is asked for. Rows
 * that leave by a stage (`paired`) are read in slices of 4 or 8 lines, and the next slice is asked for. A
 * slice has 2 lines for units of 3, 6 and 12 bytes, and 16 for what becomes bytes (a Xeon with AMX: f32
 * turned to u8 0.40 of the fastest copy by 4, 0.44 by 16, 0.40 by 32). src is row 0; the first row that is
 * read is `from`. `a` asks for the block after b. Nothing changes if only one of the two blocks has a table,
 * or if their tables differ and rows are short: u8 48 x 48 x 28 x 28 x 28 (1,3,0,4,2) had 0.58 of the fastest
 * copy, and 0.48 by such lines. Nor do rows of a table that do not leave by a stage: where the last of them
 * stand for more, their lines were not asked for (Zen 5, of the fastest copy: u16 [32,3,224,224] to patches
 * of 4 by 4, 12 rows, 0.13 and 0.52; f32 [16,56,56,3,8,8] by (0,3,1,4,2,5) 0.34 and 0.53). */
enum { SOME_LINES = 12 * LINE, SLICE = 4 * LINE, LONG_SLICE = 8 * LINE, BYTES_SLICE = 16 * LINE };

/* Slices are longer for more rows than the processor follows by itself (a Xeon with AMX, of the fastest copy:
 * 64 rows by 256 bytes 0.89; 72 rows by 256 bytes 0.73, by 512 bytes 0.87; 32 rows 1.02 and 1.01). */
static inline int64_t slice_of(int64_t rows)
{
	enum { FOLLOWED = 64 };
	return rows > FOLLOWED ? LONG_SLICE : SLICE;
}

/* Do rows of dst follow each other downwards? Then those that are joined go from the last one on, and so does
 * what is asked for (a Xeon with AMX, turned by 90 degrees, of the fastest copy, upwards and so: f32 97 x 640
 * 0.32 and 0.58, i64 59 x 1000 0.34 and 0.57). */
static inline bool rows_go_down(const vf_block *b)
{
	return b->rows > 1 && (b->dst_at ? b->dst_at[1] < b->dst_at[0] : b->dst_step < 0);
}

/* Are these short rows that end inside lines? Then the same place in the next block is asked for, or that
 * block as one run if it is one: a row's last line, asked for a row before it is read, came too late (Zen 4,
 * of the fastest copy: f32 [128,256,7,7] channels last 0.33 and 0.45, f16 [128,512,7,7] 0.35 and 0.52, u8 256
 * x 100 turned 0.28 and 0.50; but u8 250 x 196 0.39 and 0.30). */
static inline bool ends_in_lines(const vf_block *b, int64_t row)
{
	return !b->paired && row > LINE && row % LINE && (b->unit >= 4 || b->n * b->unit % LINE == 0);
}

static inline void ahead_side_by_side(ahead *a, const vf_block *b, const void *src, int64_t from)
{
	const int64_t step = b->src_at && b->n > 1 ? b->src_at[1] - b->src_at[0] : b->stride;
	const bool beside = b->stream == VF_LINES && !b->pass && vf_leave_beside(step, b->unit);
	const int64_t slice = b->stream == VF_JOINED    ? slice_of(b->n)
	                      : b->pass && b->unit == 1 ? BYTES_SLICE
	                      : beside                  ? LONG_SLICE
	                      : b->unit % 3             ? SLICE
	                                                : SLICE / 2;
	const int64_t reach = b->paired ? slice : SOME_LINES;
	if (a->rows <= 0 || (b->src_at ? !a->at : a->at || b->stride != a->step) || ahead_one_run(a, b))
		return;
	const uintptr_t row = (uintptr_t)(b->rows * (b->pass ? b->pass->from : b->unit));
	const uintptr_t past = (uintptr_t)src + row;
	const bool short_row = (int64_t)row < reach, parts = short_row && ends_in_lines(b, (int64_t)row);
	if ((short_row && a->at != b->src_at) || (parts && a->rows == 1))
		return;
	a->table_bytes = (uintptr_t)a->rows * sizeof *a->at;
	a->rows = 0;
	a->reach = row < LINE ? LINE : parts ? (int64_t)row : short_row ? (int64_t)row & -LINE : reach;
	a->end = past + (b->src_at ? 0 : (uintptr_t)(from * b->stride));
	a->begin = a->end - row;
	a->jump = (int64_t)(a->base - past);
	if (b->stream == VF_JOINED && rows_go_down(b))
		a->reach = -a->reach, a->jump = (int64_t)(a->base + a->bytes - (uintptr_t)src);
	a->rows_at = b->src_at, a->next_at = a->at;
}

/* A line of each of n rows is read, at src + at[i]: asks for what goes with them. Always inlined: gcc drops
 * calls of a function that only prefetches. */
static inline __attribute__((always_inline)) void ahead_rows(const ahead *a, const unsigned char *src,
                                                             const int64_t *at, int n)
{
	uintptr_t line = (uintptr_t)src + (uintptr_t)a->reach;
	if (a->reach == 0)
		return;
	if (line - a->begin >= a->end - a->begin) {
		const uintptr_t i = (uintptr_t)at - (uintptr_t)a->rows_at;
		line += (uintptr_t)a->jump;
		if (a->rows_at && i + (uintptr_t)n * sizeof *at > a->table_bytes)
			return;
		at = a->rows_at ? a->next_at + i / sizeof *at : at;
	}
	for (int i = 0; i < n; i++)
		__builtin_prefetch((const void *)(line + (uintptr_t)at[i]), 0, 2);
}

/* The same for `lines` lines of one row, one after the other. */
static inline __attribute__((always_inline)) void ahead_run(const ahead *a, const unsigned char *src,
                                                            const int64_t *at, int64_t lines)
{
	const uintptr_t line = (uintptr_t)src + (uintptr_t)a->reach;
	if (a->reach > 0 && line + (uintptr_t)(lines * LINE) <= a->end)
		for (int64_t l = 0; l < lines; l++)
			__builtin_prefetch((const void *)(line + (uintptr_t)(*at + l * LINE)), 0, 2);
	else
		for (int64_t l = 0; l < lines; l++)
			ahead_rows(a, src + l * LINE, at, 1);
}

/* Asks for all that is left. */
static inline void ahead_rest(ahead *a)
{
	a->each = 1;
	while (a->rows > 0)
		ahead_ask(a, 1 << 20);
}
