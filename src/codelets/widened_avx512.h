/* widened_avx512.h -- elements that become longer, transposed before they are computed, past the cache to
 * rows that lie on lines: for moved_computed_avx512.h.
 *
 * While they are short they take fewer lines, so fewer shuffles and fewer stores to a stage: one line of it
 * becomes two or four of dst. Not with second values, which go with rows of the source. (Zen 4, of the
 * fastest copy, computed first and so: u8 [32,128,3136] to f32, by (0,2,1), 0.41 and 0.56, u8 1024 x 3584 to
 * f16 0.37 and 0.50. Rows that start anywhere gain nothing.)
 */
#pragma once

#include "codelets/shifted_pairs_avx512.h"

/* Does a tile go so? Where lines leave by pairs, it goes by a stage of more columns. Of units of 2 bytes half
 * a line of each row is read at a time; that is slower only if it does not stay (Zen 4, to f32, bf16 2048 x
 * 4096 0.40 and 0.46, but u16 4032 x 2000 0.73 and 0.68). */
INLINE bool is_widened(const target *t, const tile *s, const int unit)
{
	const int64_t from = s->f->from_bytes;
	if (t->paired || VF_SECONDS || unit > 4 || from >= unit || s->na * from <= LINE / 2)
		return false;
	return from == 1 || lines_collide(s, 2);
}

/* Computes the columns of a stage, two at a time, which become lines of dst; t->bytes of each. */
INLINE void leave_widened(const target *t, const byte *narrow, const tile *s, const int from, const int unit,
                          ahead *next)
{
	const int each = unit / from;
	int64_t at[UNITS];
	for (int i = 0; i < 2 * each; i++)
		at[i] = i % each * (LINE / each) + i / each * LINE;
	for (int64_t b = 0; b < s->nb; b += 2, narrow += 2 * LINE) {
		__m512i r[UNITS];
		computed_rows(&(tile){.src = narrow, .at = at, .f = s->f}, r, 2 * each, unit);
		UNROLL for (int i = 0; i < 2 * each; i++)
		{
			const int64_t l = i % each * LINE, column = b + i / each;
			if (column < s->nb)
				leave_some((row_heads){0}, t->dst + t->at[column] + l, r[i], 0, t->bytes - l);
		}
		ahead_ask(next, 2 * (each - 1)); /* the stage asks for one a column */
	}
}

/* `from` and `unit` are constants. */
INLINE void widened_of(target t, const tile *s, const int from, const int unit, ahead *next)
{
	_Alignas(64) byte narrow[LINE * LINE];
	const int64_t side = LINE / from, *places = t.at;
	const target kept = {.kept = narrow, .pitch = LINE};
	for (int64_t a = 0; a < s->na; a += side, t.dst += side * unit) {
		int64_t repeated[LINE];
		const int64_t n = smaller(s->na - a, side);
		tile part = {.at = strip_rows(s->at + a, n, side, repeated), .na = side, .f = s->f};
		t.bytes = n * unit;
		for (int64_t b = 0; b < s->nb; b += side) {
			part.src = s->src + b * from, part.nb = smaller(side, s->nb - b), t.at = places + b;
			const tile moved = only_moved(&part);
			keep_strip(&kept, &moved, from, next);
			leave_widened(&t, narrow, &part, from, unit, next);
		}
	}
}
