/* strip_avx512.h -- a strip of A, a line of each row of dst, transposed: for transpose_avx512.c and
 * transpose_stored_avx512.c.
 *
 * A strip is 64/unit units of A, each from a row of the source, by all of B. A *step* takes 16/unit units of
 * B. Each register takes 16 bytes of four rows, one row in each 128-bit lane. So the transposition stays
 * inside the lanes, log2(16/unit) unpacks deep, and each register that comes out is a whole line of dst. A
 * *square* takes 64/unit units of B: whole lines of the source too. Units of 3, 6 and 12 bytes are widened to
 * 4, 8 and 16 on the way in and narrowed on the way out: 48 bytes a register.
 */
#pragma once

#include "codelets/rows_ahead.h"
#include "codelets/vec512.h"

#include <stdbool.h>

typedef __m512i lanes;
#define LANES_LOW(bits) _mm512_unpacklo_epi##bits
#define LANES_HIGH(bits) _mm512_unpackhi_epi##bits

INLINE lanes shuffled(lanes r, const signed char *from)
{
	return _mm512_shuffle_epi8(r, _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)from)));
}

#include "codelets/ladder.h"

#include "codelets/computed_avx512.h"

#include "codelets/narrow_avx512.h"

#include "codelets/target_avx512.h"

/* Units of A in a strip: those of a line, or of 48 bytes. */
#define STRIP(unit) (LINE / WIDE(unit))

static const signed char widened_12[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1};

/* From which of 48 bytes in units of 3, 6 or 12 a line of units of 4, 8 or 16 comes; each lane has 12. */
INLINE __m512i widened_line(const signed char *widened)
{
	const __m512i lane = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)widened));
	const int second = 0x0c0c0c0c, third = 2 * second, fourth = 3 * second;
	return _mm512_add_epi8(lane, _mm512_setr_epi32(0, 0, 0, 0, second, second, second, second, third,
	                                               third, third, third, fourth, fourth, fourth, fourth));
}

/* And back: the low 48 bytes of the result. */
INLINE __m512i narrow(__m512i r, const int unit)
{
	const int wide = WIDE(unit);
	byte from[64];
	for (int i = 0; i < 64; i++)
		from[i] = (byte)(i < 48 ? i / unit * wide + i % unit : 0);
	return _mm512_permutexvar_epi8(load64(from), r);
}

/* ---- one strip of A ---- */

/* Loads 16 bytes (12 for units of 3, 6, 12), or `some` of them, of rows at[0], at[n], at[2n], at[3n]. */
INLINE __m512i load_lanes(const byte *src, const int64_t *at, int n, __mmask16 some, bool all)
{
#define ROW(k)                                                                                               \
	(all ? _mm_loadu_si128((const void *)(src + at[(k)*n])) : _mm_maskz_loadu_epi8(some, src + at[(k)*n]))
	__m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(ROW(0)), ROW(1), 1);
	__m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(ROW(2)), ROW(3), 1);
	return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#undef ROW
}

/* The tile without a computation. Called where its strips become code, so that this code does not ask for
 * one. */
INLINE tile only_moved(const tile *s)
{
	return (tile){.src = s->src, .at = s->at, .na = s->na, .nb = s->nb, .widened = s->widened};
}

/* Where the units of row b of a tile begin. */
INLINE const byte *row_of(const tile *s, int64_t b, const int unit)
{
	return s->src + b * (s->f ? s->f->from_bytes : unit);
}

/* na units, from unit `a` on, of nb rows of dst, from row b on. */
INLINE tile part_of(const tile *s, int64_t a, int64_t na, int64_t b, int64_t nb, const int unit)
{
	return (tile){row_of(s, b, unit), s->at + a, na, nb, s->f, s->a + a, s->b + b, s->widened};
}

/* Loads 16 bytes of each row of a strip (12 of units of 3, 6 and 12), or the first `bytes`, and turns them to
 * columns, computed in place if there is `f`. `bytes` is a constant where it is known to be 16 or more. */
INLINE void load_step(__m512i *r, const tile *s, const int unit, int64_t bytes)
{
	const int columns = 16 / WIDE(unit);
	const __mmask16 some = (__mmask16)(bytes >= 16 ? 0xffffU : 0xffffU >> (16 - bytes));
	const bool all = __builtin_constant_p(bytes) && bytes >= 16;
	UNROLL for (int i = 0; i < columns; i++) r[i] = load_lanes(s->src, s->at + i, columns, some, all);
	if (unit % 3 == 0 && (unit < 12 || s->widened))
		UNROLL for (int i = 0; i < columns; i++) r[i] = shuffled(r[i], s->widened);
	if (s->f)
		compute_in_place(s, r, columns, unit);
	transpose(r, WIDE(unit));
	if (unit % 3 == 0)
		UNROLL for (int i = 0; i < columns; i++) r[i] = narrow(r[i], unit);
}

/* How many lines of each row to ask for with row b of a tile. Of rows that SHIFT moves ahead_column() does. A
 * computed square may read two lines of a row, or a part of one: the first part asks for the line. */
INLINE int lines_beside(const tile *s, int64_t b, const int unit, const way how)
{
	if (how == SHIFT || how == SECOND || how == EDGES)
		return 0;
	if (!s->f || computes_in_place(s->f, unit))
		return 1;
	return b * s->f->from_bytes % LINE ? 0 : s->f->from_bytes > unit ? 2 : 1;
}

INLINE void read_beside(const ahead *next, const byte *src, const int64_t *at, int n, const int lines)
{
	if (lines > 0)
		ahead_rows(next, src, at, n);
	if (lines > 1)
		ahead_rows(next, src + LINE, at, n);
}

/* Are lines asked for before they are stored to? A Xeon with AMX gains by it, a Zen 4 loses (us, transposed
 * in the second cache, without and with asking: u16 256 x 256 3.1 and 4.5, u8 512 x 512 7.8 and 9.7, f32 256
 * x 256 6.6 and 7). */
INLINE bool asks_to_write(const way how)
{
	return how == STORE && asks_second();
}

/* Loads what fills a register of each of n rows, from row `a` on, of columns from b on: what is computed, or
 * a line (48 bytes of units of 3, 6 and 12). n and `unit` are constants. */
INLINE void load_rows(__m512i *r, const tile *s, int64_t a, const int n, int64_t b, const int unit)
{
	const tile rows = part_of(s, a, n, b, STRIP(unit), unit);
	if (unit > 1 && s->f)
		computed_rows(&rows, r, n, unit);
	else if (unit % 3)
		UNROLL for (int i = 0; i < n; i++) r[i] = load64(rows.src + rows.at[i]);
	else
		UNROLL for (int i = 0; i < n; i++)
		    r[i] = _mm512_permutexvar_epi8(widened_line(s->widened ? s->widened : widened_12),
		                                   load_some(rows.src + rows.at[i], STRIP(unit) * unit));
}

/* Where lines of a stage overlap, what a column writes beyond its end is put right by the next one. A square
 * puts every n-th column first, so the column before that comes later: its first bytes are written again. */
INLINE void keep_first_ones(const target *t, int64_t b, const __m512i *r, const int n)
{
	if (t->pitch <= 0 || t->pitch >= LINE)
		return;
	UNROLL for (int k = n; k < 4 * n; k += n) store_some(t->kept + (b + k) * t->pitch, r[k], t->pitch);
}

/* Moves a line (48 bytes of units of 3, 6 and 12) of each row of a strip. Four groups of rows are transposed
 * inside the lanes, then the lanes of four registers. So every line of the source is read once. Lines of rows
 * a power of two apart share a set of L1, and would not stay for a second time. */
INLINE void square(const target *t, const tile *s, int64_t b, const int unit, const way how, ahead *next)
{
	const int wide = WIDE(unit), n = 16 / wide;
	const int64_t line = STRIP(unit) * unit;
	const byte *src = row_of(s, b, unit);
	const int beside = lines_beside(s, b, unit, how);
	__m512i r[64];
	if (asks_to_write(how) && wide >= 4 && b + 2 * STRIP(unit) <= s->nb)
		for (int i = 0; i < STRIP(unit); i++)
			fetch_to_write(t->dst + t->at[b + STRIP(unit) + i], 0, 1);
	UNROLL for (int g = 0; g < 4; g++)
	{
		load_rows(r + g * n, s, g * n, n, b, unit);
		if (asks_to_write(how) && wide < 4)
			UNROLL for (int i = g * n; i < (g + 1) * n; i++)
			    fetch_to_write(t->dst + t->at[b + i], 0, 1);
		transpose(r + g * n, wide);
	}
	UNROLL for (int i = 0; i < n; i++)
	{
		transpose_lanes(r + i, n);
		if (wide < 4) {
			UNROLL for (int k = 0; k < 4 * n; k += n) put(t, b + k + i, r[k + i], how, line);
			read_beside(next, src, s->at + 4 * i, 4, beside);
			ahead_ask(next, 4);
		}
	}
	if (wide < 4) {
		if (how == KEEP)
			keep_first_ones(t, b, r, n);
		return;
	}
	/* All rows fit the registers, so they leave in the order of dst: 0.82 against 0.78. */
	UNROLL for (int i = 0; i < 4 * n; i++)
	{
		put(t, b + i, unit % 3 ? r[i] : narrow(r[i], unit), how, line);
		if (i % 8 == 7) {
			read_beside(next, src, s->at + i - 7, 8, beside);
			ahead_ask(next, 8);
		}
	}
	if (n < 2) {
		read_beside(next, src, s->at, 4, beside);
		ahead_ask(next, 4);
	}
}

/* The code of computed squares is long. So those that go to a stage share one copy for each unit. Narrow
 * units go by LANES columns instead, but for those of 2 bytes that are only turned. */
#define EACH_COMPUTED(CASE) CASE(1) CASE(2) CASE(4) CASE(8) CASE(16)
#define KEPT_SQUARE(unit)                                                                                    \
	static __attribute__((noinline)) void kept_square_##unit(const target *t, const tile *s, int64_t b,  \
	                                                         ahead *next)                                \
	{                                                                                                    \
		square(t, s, b, unit, KEEP, next);                                                           \
	}
KEPT_SQUARE(2)
KEPT_SQUARE(4)
KEPT_SQUARE(8)
KEPT_SQUARE(16)
#undef KEPT_SQUARE

INLINE void kept_square(const target *t, const tile *s, int64_t b, const int unit, ahead *next)
{
	if (unit == 2)
		kept_square_2(t, s, b, next);
	else if (unit == 4)
		kept_square_4(t, s, b, next);
	else if (unit == 8)
		kept_square_8(t, s, b, next);
	else
		kept_square_16(t, s, b, next);
}

/* How many columns of a computed strip go at once. */
#define COLUMNS(unit) ((unit) <= 2 ? (int)LANES : STRIP(unit))

/* Computes COLUMNS(unit) columns. Each goes to a line of `stage`. */
INLINE void computed_columns(byte *stage, const tile *s, const int unit)
{
	ahead none = ahead_none();
	if (unit <= 2)
		keep_narrow(stage, LINE, s->f, s->src, s->at, unit);
	else
		kept_square(&(target){.kept = stage, .pitch = LINE}, s, 0, unit, &none);
}

/* Computes fewer columns, which are all that there are. Nothing is read beside them. */
INLINE void few_columns(byte *stage, const tile *s, const int unit)
{
	enum { MOST_ROWS = 64, ROW = 128 };
	_Alignas(64) byte rows[MOST_ROWS * ROW];
	int64_t at[MOST_ROWS];
	const int64_t bytes = s->nb * s->f->from_bytes;
	for (int i = 0; i < STRIP(unit); i++) {
		const byte *row = s->src + s->at[i];
		at[i] = i * ROW;
		store64(rows + at[i], load_some(row, bytes));
		store64(rows + at[i] + LINE,
		        bytes > LINE ? load_some(row + LINE, bytes - LINE) : _mm512_setzero_si512());
	}
	computed_columns(stage, &(tile){rows, at, STRIP(unit), COLUMNS(unit), s->f, s->a, s->b, NULL}, unit);
}

/* Moves the columns of a computed strip that no square takes. The last ones go with some before them, which
 * are computed again. */
INLINE void computed_rest(const target *t, const tile *s, int64_t b, const int unit, const way how)
{
	_Alignas(64) byte stage[LANES * LINE];
	while (b < s->nb) {
		const int64_t from = smaller(b, larger(s->nb - COLUMNS(unit), 0));
		const int64_t end = smaller(from + COLUMNS(unit), s->nb);
		const tile part = part_of(s, 0, s->na, from, end - from, unit);
		if (part.nb == COLUMNS(unit))
			computed_columns(stage, &part, unit);
		else
			few_columns(stage, &part, unit);
		for (; b < end; b++)
			put(t, b, load64(stage + (b - from) * LINE), how, LINE);
	}
}

/* Do so many rows share sets of L1 that a line does not stay until the next step? (Zen 4, of the fastest
 * copy, by steps and by squares: u8 [177,128,176] reversed 0.25 and 0.31, u16 [299,64,208] 0.27 and 0.36.
 * Not on Intel's, a Xeon with AMX: u8 64 x 150016 turned 0.75 and 0.53, u16 48 x 28 x 28 x 28 x 48 reversed
 * 0.63 and 0.54; those two 0.41 and 0.39, 0.44 and 0.45.) */
INLINE bool lines_collide(const tile *s, const int unit)
{
	enum { HALF_OF_L1 = 16 << 10 };
	const int64_t apart = s->at[1] - s->at[0];
	return !asks_second() && (apart & -apart) > HALF_OF_L1 / STRIP(unit);
}

/* Does a strip go by steps where whole lines of its rows would make squares? Squares of units of 1 and 2
 * bytes do not fit the registers, and what is spilled waits among the stores. They pay only where lines go to
 * dst as they are, and not where the source is read as one run (i16 128 x 128: 0.57 of the fastest copy, by
 * steps 0.67). Squares of 4 bytes read 16 lines at once, ask for 16 and write 16. In steps of four the three
 * take turns, and fewer hints are dropped (Zen 4, f32 4032 x 4032: from 0.73 to 0.83 of the fastest copy).
 * But steps lose where so many rows share sets of L1 that a line does not stay for four steps. */
INLINE bool goes_by_steps(const tile *s, const int unit, const way how, bool run)
{
	if ((s->f && !computes_in_place(s->f, unit)) || how == STORE)
		return false;
	if (WIDE(unit) <= 2)
		return (how != KEEP && how != STREAM) || ((how == KEEP || run) && !lines_collide(s, unit));
	return unit == 4 && how != KEEP && !lines_collide(s, unit);
}

/* How many lines of each row to ask for with LANES columns of these, from b on. */
INLINE int narrow_lines(const tile *s, int64_t b)
{
	const int64_t read = LANES * s->f->from_bytes;
	return read >= LINE ? (int)(read / LINE) : b * s->f->from_bytes % LINE == 0;
}

/* Moves a strip of narrow units that are computed, LANES columns at a time, as far as they go. Returns how
 * many columns it moved. `unit` and `how` are constants. */
INLINE int64_t narrow_columns(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	int64_t b = 0;
	for (; b + LANES <= s->nb; b += LANES) {
		__m512i r[LANES];
		const byte *src = row_of(s, b, unit);
		const int lines = narrow_lines(s, b);
		for (int k = 0; asks_to_write(how) && k < LANES; k++)
			fetch_to_write(t->dst + t->at[b + k], 0, 1);
		narrow_of_columns(s->f, r, src, s->at, unit);
		UNROLL for (int k = 0; k < LANES; k++)
		{
			put(t, b + k, r[k], how, LINE);
			read_beside(next, src, s->at + k * STRIP(unit) / LANES, STRIP(unit) / LANES, lines);
		}
		ahead_ask(next, LANES);
	}
	return b;
}

/* Not inlined: they are long. */
#define MOVE_HALVES(name, how)                                                                               \
	static __attribute__((noinline)) int64_t name(const target *t, const tile *s, ahead *next)           \
	{                                                                                                    \
		return narrow_columns(t, s, 2, how, next);                                                   \
	}
MOVE_HALVES(store_halves, STORE)
MOVE_HALVES(stream_halves, STREAM)
MOVE_HALVES(keep_halves, KEEP)
#undef MOVE_HALVES

/* Do such strips have that code? Halves whose lines are put together as they leave go by squares, as more of
 * a line of bytes is read at once. */
INLINE bool goes_narrow(const int unit, const way how)
{
	return unit == 1 || (unit == 2 && (how == STORE || how == STREAM || how == KEEP));
}

INLINE int64_t narrow_strip(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	if (unit == 1)
		return narrow_columns(t, s, 1, how, next);
	if (how == STORE)
		return store_halves(t, s, next);
	return how == STREAM ? stream_halves(t, s, next) : keep_halves(t, s, next);
}

/* The last columns of a strip are fewer than a line's: each step up to column b has asked for the line of
 * some rows. Asks for that of the others, which nobody would. */
INLINE void ask_of_others(const ahead *next, const tile *s, int64_t b, const int unit, int lines)
{
	const int64_t asked = b % STRIP(unit), group = b - asked;
	if (group < s->nb)
		read_beside(next, row_of(s, group, unit), s->at + asked, (int)(STRIP(unit) - asked), lines);
}

/* Moves a whole strip: s->at has the offsets of its rows. */
INLINE void strip_of(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	const int columns = 16 / WIDE(unit);
	const int64_t line = STRIP(unit) * unit, nb = s->nb;
	int64_t b = 0;
	const bool in_place = s->f && unit > 1 && computes_in_place(s->f, unit);
	const bool narrows = s->f && !in_place && goes_narrow(unit, how);
	const bool squares = !narrows && !goes_by_steps(s, unit, how, next->run);
	if (narrows)
		b = narrow_strip(t, s, unit, how, next);
	for (; squares && (nb - b) * unit >= line; b += STRIP(unit)) {
		if (s->f && how == KEEP)
			kept_square(t, s, b, unit, next);
		else
			square(t, s, b, unit, how, next);
	}
	if (s->f && !in_place) {
		ask_of_others(next, s, b, unit, narrows ? narrow_lines(s, b) : lines_beside(s, b, unit, how));
		computed_rest(t, s, b, unit, how);
		return;
	}
	__m512i r[16];
	for (; nb - b >= columns && (nb - b) * unit >= 16; b += columns) {
		const tile part = part_of(s, 0, s->na, b, columns, unit);
		load_step(r, &part, unit, 16);
		UNROLL for (int i = 0; i < columns; i++) put(t, b + i, r[i], how, line);
		const int64_t column = b % STRIP(unit);
		read_beside(next, row_of(s, b - column, unit), s->at + column, columns,
		            lines_beside(s, b, unit, how));
		ahead_ask(next, columns);
	}
	ask_of_others(next, s, b, unit, lines_beside(s, b - b % STRIP(unit), unit, how));
	/* What a mask leaves out is waited for, too, in a line that nothing else may read. So the last
	 * columns go with some before them (Zen 4, f32 [64,39,25,16] by (2,1,3,0), of it columns 1 to 14:
	 * 0.13 of the fastest copy, 0.31). Unrolled: else registers are chosen by a number, and lie in memory
	 * in the loop above, too (f32 4032 x 4032 turned 0.74 and 0.64). */
	for (; b < nb; b += columns) {
		const int64_t from = smaller(b, larger(nb - columns, 0)), n = smaller(nb - from, columns);
		const tile part = part_of(s, 0, s->na, from, n, unit);
		load_step(r, &part, unit, n * unit);
		UNROLL for (int i = 0; i < columns; i++)
		{
			if (i < n && from + i >= b)
				put(t, from + i, r[i], how, line);
		}
	}
}

/* Moves a strip into a stage: the line of row b goes to t->kept + b * t->pitch. */
#define KEEP_UNIT(unit) void vf_keep_##unit(const target *t, const tile *s, ahead *next);
EACH_UNIT(KEEP_UNIT)
#undef KEEP_UNIT

#define KEEP_COMPUTED(unit)                                                                                  \
	static                                                                                               \
	    __attribute__((noinline)) void keep_computed_##unit(const target *t, const tile *s, ahead *next) \
	{                                                                                                    \
		strip_of(t, s, unit, KEEP, next);                                                            \
	}
EACH_COMPUTED(KEEP_COMPUTED)
#undef KEEP_COMPUTED

INLINE void keep_strip(const target *t, const tile *s, const int unit, ahead *next)
{
#define CASE(size)                                                                                           \
	case size: vf_keep_##size(t, s, next); break;
	if (!s->f)
		switch (unit) {
			EACH_UNIT(CASE)
		default: break;
		}
#undef CASE
#define CASE(size)                                                                                           \
	case size: keep_computed_##size(t, s, next); break;
	else
		switch (unit) {
			EACH_COMPUTED(CASE)
		default: break;
		}
#undef CASE
}
