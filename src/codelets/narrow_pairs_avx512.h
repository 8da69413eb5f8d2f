/* narrow_pairs_avx512.h -- units of 1 and 2 bytes to rows of dst that start anywhere: for transpose_avx512.c.
 *
 * Two strips of source rows go together, 16 bytes of each row at a time. So both lines that a row of dst gets
 * leave one after the other, and each is put together in registers: with what the row held back, and what it
 * holds back now.
 */
#pragma once

#include "codelets/tiles_avx512.h"

/* Writes the next two lines of a row. `fresh`, a constant: what stands before them in their line is not
 * ours. */
INLINE void put_pair(byte *d, __m512i first, __m512i second, byte *carry, const bool fresh)
{
	const int64_t c = (int64_t)((uintptr_t)d & (LINE - 1));
	const __m512i line = shifted(fresh ? first : load64(carry), first, c);
	if (fresh)
		_mm512_mask_storeu_epi8(d - c, ~0ULL << c, line);
	else
		stream64(d - c, line);
	stream64(d - c + LINE, shifted(first, second, c));
	store64(carry, second);
}

/* Writes the last `bytes` bytes of a row, two lines at most. */
INLINE void put_last(byte *d, __m512i first, __m512i second, const byte *carry, int64_t bytes, bool fresh)
{
	const int64_t c = (int64_t)((uintptr_t)d & (LINE - 1)), from = fresh ? c : 0, end = c + bytes;
	leave_some(d - c, shifted(load64(carry), first, c), from, end);
	leave_some(d - c + LINE, shifted(first, second, c), from - LINE, end - LINE);
	leave_some(d - c + 2 * LINE, shifted(second, second, c), from - 2 * LINE, end - 2 * LINE);
}

/* How two strips of each row leave: the first of their rows, the last (t->bytes of each), or others. */
typedef enum which_strips { FIRST_STRIPS, MORE_STRIPS, LAST_STRIPS } which_strips;

/* Moves 16 bytes of B, or what is left of it. `which` and `whole` are constants. */
INLINE void two_strips_step(const target *t, const tile *s, int64_t b, const int unit,
                            const which_strips which, const bool whole, ahead *next)
{
	enum { TOGETHER = 4 };
	const int columns = 16 / unit, strip = STRIP(unit);
	const int64_t bytes = whole ? 16 : (s->nb - b) * unit;
	__m512i first[16], second[16];
	load_step(first, s->src + b * unit, s->at, unit, bytes);
	load_step(second, s->src + b * unit, s->at + strip, unit, bytes);
	UNROLL for (int i = 0; i < columns; i++)
	{
		if (!whole && i * unit >= bytes)
			break;
		byte *d = t->dst + t->at[b + i], *carry = t->kept + (b + i) * t->pitch;
		if (which == LAST_STRIPS)
			put_last(d, first[i], second[i], carry, t->bytes, t->fresh);
		else
			put_pair(d, first[i], second[i], carry, which == FIRST_STRIPS);
		if (i % TOGETHER == TOGETHER - 1)
			ahead_ask(next, 2 * TOGETHER);
	}
}

/* Moves two strips of A. */
INLINE void two_strips(const target *t, const tile *s, const int unit, const which_strips which, ahead *next)
{
	const int64_t columns = 16 / unit;
	int64_t b = 0;
	for (; b + columns <= s->nb; b += columns)
		two_strips_step(t, s, b, unit, which, true, next);
	if (b < s->nb)
		two_strips_step(t, s, b, unit, which, false, next);
}

/* Moves a tile, two strips at a time. */
INLINE void shifted_pairs(target t, const tile *s, const int unit, ahead *next)
{
	const int64_t two = PAIR / unit;
	const bool last = t.last;
	for (int64_t a = 0; a < s->na; a += two, t.dst += PAIR, t.fresh = false) {
		int64_t repeated[PAIR];
		tile part = {s->src, s->at + a, smaller(s->na - a, two), s->nb, NULL};
		t.bytes = part.na * unit, t.last = last && a + two >= s->na;
		if (t.bytes < PAIR && !last) {
			strips_of(t, &part, unit, SHIFT, next);
			continue;
		}
		part.at = strip_rows(part.at, part.na, two, repeated);
		if (t.last)
			two_strips(&t, &part, unit, LAST_STRIPS, next);
		else if (t.fresh)
			two_strips(&t, &part, unit, FIRST_STRIPS, next);
		else
			two_strips(&t, &part, unit, MORE_STRIPS, next);
	}
}
