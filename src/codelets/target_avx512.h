/* target_avx512.h -- where a strip goes in dst, and how its lines leave: for strip_avx512.h. */
#pragma once

#include "codelets/variant.h"
#include "codelets/vec512.h"

#include <stdbool.h>

/* STORE, STREAM: lines go to their rows of dst, in cache or past it. SHIFT: past the cache, to rows that
 * start anywhere. SECOND, EDGES: the same, after a line that is held; EDGES: one is the first or the last of
 * its row. KEEP: each line goes to a line of a stage. */
typedef enum way { STORE, STREAM, SHIFT, SECOND, EDGES, KEEP } way;

/* Where beginnings of rows wait (vf_flow), or NULL; which row of a block this is, and how many there are. */
typedef struct row_heads {
	byte *at;
	int64_t row, rows;
} row_heads;

/* Where one strip of A is stored: `bytes` bytes for each row of B. More than 64 for units of 3, 6 and 12 that
 * SHIFT moves, and for what leaves paired by a stage. */
typedef struct target {
	byte *dst; /* STORE, STREAM, SHIFT: row b at dst + at[b] */
	const int64_t *at;
	byte *kept; /* at kept + b*pitch: SHIFT: row b's carry; KEEP: its place */
	int64_t pitch, bytes;
	byte *held; /* SECOND, EDGES: row b's first line, at held + b*held_pitch */
	int64_t held_pitch;
	enum { BOTH_STRIPS, FIRST_STRIP, SECOND_STRIP } strips; /* shifted_pairs_avx512.h */
	bool fresh, last; /* SHIFT: nothing has been put yet; nothing comes later */
	row_heads heads;  /* SHIFT: those of row 0 */
	bool paired;      /* STREAM, SHIFT: the lines of a row leave one after the other */
} target;

/* A row's bytes have the same offset c in each line. The row's *carry* is the last 64 bytes that it has
 * produced. The last c of them are not written yet. */

/* The last c bytes of `before`, then the first 64 - c of v. */
INLINE __m512i shifted(__m512i before, __m512i v, int64_t c)
{
	const __m512i iota = _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48,
	                                     47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32,
	                                     31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
	                                     15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	/* In 7 bits, indices below 0 count from the end of the second table. */
	return _mm512_permutex2var_epi8(v, _mm512_sub_epi8(iota, _mm512_set1_epi8((char)c)), before);
}

/* Writes the next 64 bytes v of a row, whose place in dst is d. */
INLINE void put_line(byte *d, __m512i v, byte *carry)
{
	int64_t c = (int64_t)((uintptr_t)d & 63);
	stream64(d - c, shifted(load64(carry), v, c));
	store64(carry, v);
}

/* By value, so that the target may stay in registers. */
INLINE row_heads heads_of(const target *t, int64_t b)
{
	return (row_heads){t->heads.at, t->heads.row + b, t->heads.rows};
}

/* Writes the line at p where a row begins or ends: bytes [from, to) are its own. A beginning waits for the
 * end of the row before: a part of a line is read before it is written, and later stores wait for it. (Zen 4,
 * of the fastest copy, by parts and so: u8 282 x 28000 turned 0.25 and 0.36, u16 282 x 14208 0.36 and 0.55,
 * u16 [131,217,181] 0.29 and 0.45, f32 282 x 7104 0.52 and 0.65.) */
static void put_part(row_heads h, byte *p, __m512i v, int64_t from, int64_t to)
{
	if (h.at && from > 0) {
		store64(h.at + h.row * LINE, v);
		if (h.row > 0)
			return;
	} else if (h.at && h.row + 1 < h.rows) {
		const __m512i next = load64(h.at + (h.row + 1) * LINE);
		stream64(p, _mm512_mask_mov_epi8(next, first_bytes(to), v));
		return;
	}
	_mm512_mask_storeu_epi8(p, ~0ULL << from & first_bytes(to), v);
}

/* Writes the line at p, of which bytes [from, to) are this row's, if there are any. */
INLINE void leave_some(row_heads h, byte *p, __m512i v, int64_t from, int64_t to)
{
	if (from <= 0 && to >= LINE)
		stream64(p, v);
	else if (from < LINE && to > 0)
		put_part(h, p, v, from > 0 ? from : 0, to);
}

/* Writes the next `bytes` <= 64 bytes of a row, whose place in dst is d: its first ones (`fresh`), or its
 * last ones (fewer than 64). */
static void put_edge(row_heads h, byte *d, __m512i v, byte *carry, int64_t bytes, bool fresh)
{
	const int64_t c = (int64_t)((uintptr_t)d & (LINE - 1)), end = c + bytes;
	leave_some(h, d - c, shifted(load64(carry), v, c), fresh ? c : 0, end);
	store64(carry, v);
	if (bytes < LINE)
		leave_some(h, d - c + LINE, shifted(v, v, c), 0, end - LINE);
}

/* Writes two lines of row b. `how`, a constant: EDGES: its first ones (t->fresh), or its last ones (t->last),
 * t->bytes in all. */
INLINE void put_two(const target *t, int64_t b, __m512i first, __m512i v, const way how)
{
	byte *d = t->dst + t->at[b], *carry = t->kept + b * t->pitch;
	const int64_t c = (int64_t)((uintptr_t)d & (LINE - 1));
	const __m512i one = shifted(load64(carry), first, c), two = shifted(first, v, c);
	if (how == EDGES) {
		const int64_t from = t->fresh ? c : 0, end = t->last ? c + t->bytes : 2 * LINE;
		const row_heads h = heads_of(t, b);
		leave_some(h, d - c, one, from, end);
		leave_some(h, d - c + LINE, two, from - LINE, end - LINE);
		leave_some(h, d - c + 2 * LINE, shifted(v, v, c), from - 2 * LINE, end - 2 * LINE);
	} else {
		stream64(d - c, one);
		stream64(d - c + LINE, two);
	}
	store64(carry, v);
}

/* Puts a whole line, or 48 bytes of units of 3, 6 and 12. `bytes` and `how` are constants. */
INLINE void put(const target *t, int64_t b, __m512i v, const way how, const int64_t bytes)
{
	if (how == KEEP)
		store64(t->kept + b * t->pitch, v);
	else if (how == SHIFT)
		put_line(t->dst + t->at[b], v, t->kept + b * t->pitch);
	else if (how == SECOND || how == EDGES)
		put_two(t, b, load64(t->held + b * t->held_pitch), v, how);
	else if (bytes < LINE)
		store_some(t->dst + t->at[b], v, bytes);
	else if (how == STREAM)
		stream64(t->dst + t->at[b], v);
	else
		store64(t->dst + t->at[b], v);
}
