/* rows_ahead.h -- asking for later rows of a block while its rows are moved, and for what is written soon.
 *
 * What is known of rows here: how long they are and how far apart. The processor follows runs by itself, but
 * starts anew at each row.
 */
#pragma once

#include "codelets/ahead.h"

/* How many bytes ahead a run is asked for if the plan says nothing; 0: it is not. (Zen 3, pixels of 3
 * backwards, bytes read and written a ns: 18 without asking, 23 when asked for 2 to 8 KiB before.) */
static inline int64_t later_run(void)
{
	enum { NEAR = 4096 };
	return NARROW || asks_second() ? NEAR : 0;
}

/* How many bytes ahead lies what is read some 4 KiB later: what the block says, or the same place in a later
 * row. For one row, later_run(). The processor's own fetching follows long rows, but starts anew at each (Zen
 * 4, rows of 1500 bytes, 3000 apart: 9 GB/s, asked for 12). */
static inline int64_t later_row(const vf_block *b, int64_t rows, int64_t row_bytes)
{
	if (b->ahead_step)
		return b->ahead_step;
	return rows > 1 && row_bytes > 0 ? b->src_step * (4096 / row_bytes + 1) : later_run();
}

/* How many bytes ahead lines are asked for that ordinary stores go to. They come from the second cache in the
 * meantime. Otherwise stores wait in their queue, and loads from the same place in another page wait for them
 * (a Xeon with AMX, planes of 150 KB with rows of 224 bytes: 6.1 us without, 3.6 so; memcpy takes 3.0). Where
 * registers are narrow, Zen is not asked: it holds up the loads behind such a hint (Zen 3, pixels of 150 KB
 * mirrored, in the second cache: 17.4 us with hints, 8.4 without; rows of 672 bytes cropped: 9.0 and 5.2). */
enum { TO_WRITE = 320 };

static inline bool hints_writes(void)
{
	return !NARROW || !VF_CODELETS_X86 || asks_second();
}

/* For rows of n bytes, `step` apart: how far on is the place that is written some TO_WRITE bytes later. */
static inline int64_t later_to_write(int64_t n, int64_t step)
{
	return step == n || n <= 0 ? TO_WRITE : step * (TO_WRITE / n + 1);
}

/* Asks for the `bytes` bytes that lie `later` bytes behind p and are written soon. */
static inline __attribute__((always_inline)) void fetch_to_write(const void *p, int64_t later, int64_t bytes)
{
	if (!hints_writes())
		return;
	for (int64_t i = 0; i < bytes; i += LINE)
		__builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)(later + i)), 1, 3);
}

/* Asks for all lines that `bytes` bytes of the source touch, `later` bytes behind p: what whole vectors leave
 * of a row. If `bytes` is 0, asks for the line of the byte before them. `second`: into the second cache. */
static inline void fetch_span(const void *p, int64_t later, int64_t bytes, bool second)
{
	for (int64_t i = 0; i < bytes; i += LINE)
		fetch_into(p, later + i, second);
	fetch_into(p, later + bytes - 1, second);
}

/* What is asked for while rows are read: with each byte, the byte `by` bytes further on, by fetch_into(). If
 * `near`: all lines from `line` up to that byte, into the first cache, those of the gaps between rows too. If
 * `down`, too: a line with each line read, from `line` downwards to `floor`, which goes down `step` a row.
 * Its size counts, too: what only one of the two ways needs shares a place. */
typedef struct rows_ahead {
	union {
		int64_t by;
		uintptr_t floor;
	};
	union {
		int64_t gap, step;
	};
	uintptr_t line;
	bool near, down, second; /* second: into the second cache */
} rows_ahead;

/* DOWN: the processor itself fetches rows that run downwards and have fewer bytes. */
enum { DOWN = 256, SMALL_GAP = 1024 };

/* For `rows` rows of n bytes of a block. Rows with long gaps between them are far apart, and so are long ones
 * that run downwards: the processor does not fetch them as one run (Zen 4, of the fastest copy, u8 2000 x
 * 15000 upside down, into the first cache and into the second: 0.55 and 0.73). If there is one row, the plan
 * says how far on the next one lies. */
static inline rows_ahead rows_ahead_far(const vf_block *b, int64_t rows, int64_t n)
{
	const int64_t step = rows > 1 ? b->src_step : b->ahead_step, gap = (step < 0 ? -step : step) - n;
	const bool far = gap > (SMALL_GAP < 2 * n ? SMALL_GAP : 2 * n) || (rows > 1 && step < 0 && n >= DOWN);
	return (rows_ahead){.by = later_row(b, rows, n), .second = far ? vf_takes_l2_hints() : asks_second()};
}

/* `bytes`: how many are read in all. Few bytes are windows, which are read again: they are asked for into the
 * first cache. What is asked for into the second lies further ahead (a Xeon with AMX, of the fastest copy, by
 * 2 KiB, 4 and 8: f32 rows of 500 rolled by three 0.67, 0.82, 0.82; u8 rows of 1919 with reflected margins
 * 0.63, 0.69, 0.66). */
static inline rows_ahead rows_ahead_near(const void *src, int64_t gap, int64_t bytes)
{
	enum { NEAR = 2048, NEAR_SECOND = 4096, FEW_BYTES = 8 << 10 };
	const bool second = bytes > FEW_BYTES && asks_second();
	return (rows_ahead){.by = second ? NEAR_SECOND : NEAR,
	                    .gap = gap,
	                    .line = (uintptr_t)src,
	                    .near = true,
	                    .second = second};
}

/* Rows that run downwards: each is read upwards, and what follows lies below it. A row's lines are asked for
 * from the last to the first, while the row above is read (Zen 4, of the fastest copy, rows upside down,
 * where later rows were asked for upwards, and so: of 600 to 6000 bytes 0.40 and 0.86, of 264 0.86 and 0.86,
 * of 104 1.06 and 0.62). */
static inline rows_ahead rows_ahead_down(const void *src, int64_t step)
{
	enum { NEAR = 1024 };
	const uintptr_t at = (uintptr_t)src, floor = at - (uintptr_t)(step + NEAR);
	return (rows_ahead){.line = at, .floor = floor, .step = step, .near = true, .down = true};
}

/* Do rows of n bytes run downwards, so near each other that they are one run, gaps and all? */
static inline bool run_down(const vf_block *b, int64_t n)
{
	const int64_t gap = -b->src_step - n;
	return !asks_second() && b->rows > 1 && n >= DOWN && gap >= 0 && gap <= SMALL_GAP && gap <= 2 * n;
}

/* Sets of rows of `copy`; a block without them is one. */
static inline int64_t sets_of(const vf_block *b)
{
	return b->planes > 1 ? b->planes : 1;
}

/* Sets of rows: one run if gaps between rows are `most` bytes at most, and those between sets are small, from
 * the lowest row on where rows run downwards; else the same row of a later set. */
static inline rows_ahead rows_ahead_sets(const vf_block *b, int64_t n, const void *src, int64_t most)
{
	enum { LATER = 4096 };
	const int64_t step = b->src_step, gap = (step < 0 ? -step : step) - n, set = b->rows * (n + gap);
	const int64_t beyond = b->src_block - set;
	if (gap < 0 || gap > most || beyond < 0 || beyond > SMALL_GAP)
		return (rows_ahead){.by = b->src_block * (LATER / (b->rows * n) + 1),
		                    .second = vf_takes_l2_hints()};
	const unsigned char *low = (const unsigned char *)src + (step < 0 ? (b->rows - 1) * step : 0);
	return rows_ahead_near(low, step < 0 ? 0 : gap, sets_of(b) * set);
}

/* Rows with small gaps are asked for as one run, gaps and all, a little ahead. The processor's own fetching
 * follows that, and memory gives lines side by side faster than every few of them (Zen 4, of the fastest
 * copy, as one run and by later rows: rows of 896 bytes, 1024 apart, 0.97 and 0.63; 500, 1000 apart, 0.51 and
 * 0.37; 100, 232 apart, 0.51 and 0.31; with gaps of 2 KiB and more later rows win). The hint is the ordinary
 * one: windows read a row again, and a line that is asked for as read once does not stay. With hints into the
 * second cache, gaps of up to two lines pay (a Xeon with AMX, the same two: rows of 960 bytes, 1920 apart,
 * 0.52 and 0.64; 640, 1280 apart, 0.58 and 0.65; 320, 448 apart, 0.79 and 0.74). `n`: bytes of a row. */
static inline rows_ahead rows_ahead_of(const vf_block *b, int64_t n, const void *src)
{
	enum { TWO_LINES = 2 * LINE, LONG_ROW = 8 << 10 };
	const int64_t gap = b->src_step - n;
	const int64_t most = asks_second() ? TWO_LINES : SMALL_GAP, part = asks_second() ? n : 2 * n;
	if (sets_of(b) > 1)
		return rows_ahead_sets(b, n, src, most < part ? most : part);
	if (!b->ahead_step && b->rows > 1 && gap >= 0 && gap <= (most < part ? most : part))
		return rows_ahead_near(src, gap, b->rows * b->src_step);
	if (!b->ahead_step && n <= LONG_ROW && run_down(b, n))
		return rows_ahead_down(src, -b->src_step);
	return rows_ahead_far(b, b->rows, n);
}

/* Are rows of n bytes so near each other that they are asked for as one run, gaps and all? Longer gaps pay
 * than where bytes are copied. (Zen 4, of the fastest copy, by later rows and so: f32 [128,192,192], 2 x 2
 * pixels to planes 0.41 and 0.65, [10,480,640,3] cropped to planes 0.41 and 0.80; u8 [20,512,512,2], every
 * second row, 0.32 and 0.55; f16 [20,224,224,6] 0.33 and 0.42; but f32 [8,224,224,8], 7 KiB between, 0.60 and
 * 0.44.) */
static inline bool run_with_gaps(const vf_block *b, int64_t rows, int64_t n)
{
	enum { MOST_GAP = 3 << 10 };
	const int64_t gap = b->src_step - n;
	return !asks_second() && rows > 1 && gap >= 0 && gap <= MOST_GAP && gap <= 2 * n;
}

/* Asks for all lines of a run, up to the byte that lies `by` bytes behind p. */
static inline __attribute__((always_inline)) void fetch_run(const void *p, rows_ahead *next)
{
	for (; next->line < (uintptr_t)p + (uintptr_t)next->by; next->line += LINE)
		__builtin_prefetch((const void *)next->line, 0, 3);
}

static inline void fetch_ahead(const void *p, rows_ahead *next)
{
	if (!next->near)
		fetch_into(p, next->by, next->second);
	else if (next->down) {
		if (next->line > next->floor)
			__builtin_prefetch((const void *)(next->line -= LINE), 0, 3);
	} else if (next->second)
		for (; next->line < (uintptr_t)p + (uintptr_t)next->by; next->line += LINE)
			__builtin_prefetch((const void *)next->line, 0, 2);
	else
		fetch_run(p, next);
}

/* Asks for lines from `line` down to `floor`; returns where it ends. Not inlined: others have short loops. */
static __attribute__((noinline)) uintptr_t fetch_lines_down(uintptr_t line, uintptr_t floor)
{
	for (; line > floor; line -= LINE)
		__builtin_prefetch((const void *)(line - LINE), 0, 3);
	return line;
}

/* Asks for the rest of what goes with a row that runs downwards. No call sees the address of `next`, or gcc
 * keeps all of it in memory, and its stores wait in one queue with the lines that leave (a Xeon with AMX, of
 * the fastest copy, u8 and f32 runs: 0.86 with such a call, 0.97 without). */
static inline __attribute__((always_inline)) void fetch_down(rows_ahead *next)
{
	next->line = fetch_lines_down(next->line, next->floor);
	next->floor -= (uintptr_t)next->step;
}

/* The same for the end of a row that whole vectors leave, `bytes` bytes at p. */
static inline void fetch_end(const void *p, int64_t bytes, rows_ahead *next)
{
	if (!next->near && bytes)
		fetch_span(p, next->by, bytes, next->second);
	else if (next->down)
		fetch_down(next);
	else if (next->near)
		fetch_ahead((const unsigned char *)p + bytes + next->gap, next);
}
