/* shifted_pairs_avx512.h -- rows of dst that start anywhere, two lines of each at a time: for
 * transpose_avx512.c.
 *
 * Two strips of source rows go together. The lines of the first wait until those of the second are there. So
 * both lines that a row of dst gets leave one after the other; they are put together in registers, with what
 * the row held back.
 */
#pragma once

#include "codelets/tiles_avx512.h"

/* 16 bytes of each row of two strips, turned. */
typedef struct two_steps {
	__m512i first[16], second[16];
} two_steps;

INLINE two_steps load_two(const tile *s, int64_t b, const int unit, int64_t bytes)
{
	two_steps r;
	const int64_t strip = STRIP(unit);
	const tile first = part_of(s, 0, strip, b, s->nb - b, unit),
		   second = part_of(s, strip, strip, b, s->nb - b, unit);
	load_step(r.first, &first, unit, bytes);
	load_step(r.second, &second, unit, bytes);
	return r;
}

INLINE void leave_two(const target *t, int64_t b, const two_steps *r, const int64_t columns, const way how,
                      ahead *next)
{
	enum { TOGETHER = 4 };
	UNROLL for (int64_t i = 0; i < columns; i++)
	{
		put_two(t, b + i, r->first[i], r->second[i], how);
		if (i % TOGETHER == TOGETHER - 1)
			ahead_ask(next, 2 * TOGETHER);
	}
}

/* Moves two strips of narrow units by 16 bytes of each source row, and what is left. */
INLINE void two_narrow_strips(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	const int64_t columns = 16 / unit, strip = STRIP(unit), each = 2 * strip * 16 / LINE;
	int64_t b = 0;
	for (; b + columns <= s->nb; b += columns) {
		const two_steps r = load_two(s, b, unit, 16);
		const int64_t column = b % strip;
		ahead_rows(next, row_of(s, b - column, unit), s->at + column / columns * each, (int)each);
		leave_two(t, b, &r, columns, how, next);
	}
	if (b < s->nb) {
		const two_steps r = load_two(s, b, unit, (s->nb - b) * unit);
		leave_two(t, b, &r, s->nb - b, how, next);
	}
}

/* Moves two strips, some columns at a time: a line of each row, so that what waits stays in the first cache.
 * Where nothing is asked for, the processor follows as many rows as one strip of halves has: then all of it
 * waits, behind the carry. */
INLINE void two_strips(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	_Alignas(64) byte held[LINE * LINE];
	const int64_t strip = STRIP(unit), some = t->paired ? s->nb : strip;
	for (int64_t b = 0; b < s->nb; b += some) {
		const int64_t columns = smaller(some, s->nb - b);
		const tile first = part_of(s, 0, strip, b, columns, unit),
			   second = part_of(s, strip, strip, b, columns, unit);
		target to = *t;
		to.at += b, to.heads.row += b, to.kept += b * t->pitch;
		to.held = t->paired ? to.kept + LINE : held, to.held_pitch = t->paired ? t->pitch : LINE;
		if (t->strips != SECOND_STRIP)
			keep_strip(&(target){.kept = to.held, .pitch = to.held_pitch}, &first, unit, next);
		if (t->strips != FIRST_STRIP)
			strip_of(&to, &second, unit, how, next);
		if (!t->paired)
			ahead_column(next, s, b * unit, strip * unit);
	}
}

/* The same, computed, or by squares of narrow units. The second strip waits, too, as such code is long. */
INLINE void two_kept_strips(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	_Alignas(64) byte held[LINE * LINE], held_too[LINE * LINE];
	const int64_t strip = STRIP(unit), pitch = t->paired ? t->pitch : LINE;
	for (int64_t b = 0; b < s->nb; b += strip) {
		const int64_t columns = smaller(strip, s->nb - b);
		const tile first = part_of(s, 0, strip, b, columns, unit),
			   second = part_of(s, strip, strip, b, columns, unit);
		byte *one = t->paired ? t->kept + b * pitch + LINE : held;
		if (t->strips != SECOND_STRIP)
			keep_strip(&(target){.kept = one, .pitch = pitch}, &first, unit, next);
		if (t->strips == FIRST_STRIP)
			continue;
		keep_strip(&(target){.kept = held_too, .pitch = LINE}, &second, unit, next);
		for (int64_t i = 0; i < columns; i++)
			put_two(t, b + i, load64(one + i * pitch), load64(held_too + i * LINE), how);
	}
}

/* Two strips of halves that are computed: both lines of a row of dst leave as they are made. (Zen 4, of the
 * fastest copy, by a stage and so: eight shapes of f32 to f16 and i16 0.41 and 0.46.) */
INLINE void two_computed_strips(const target *t, const tile *s, const way how, ahead *next)
{
	enum { HALF = 2, EACH = 2 * STRIP(HALF) / LANES };
	int64_t b = 0;
	for (; b + LANES <= s->nb; b += LANES) {
		__m512i first[LANES], second[LANES];
		const byte *src = row_of(s, b, HALF);
		const int lines = narrow_lines(s, b);
		halves_of_columns(s->f, first, src, s->at);
		halves_of_columns(s->f, second, src, s->at + STRIP(HALF));
		for (int k = 0; k < LANES; k++) {
			put_two(t, b + k, first[k], second[k], how);
			read_beside(next, src + LINE - 1, s->at + k * EACH, EACH, lines);
			ahead_ask(next, EACH);
		}
	}
	const tile rest = part_of(s, 0, s->na, b, s->nb - b, HALF);
	target to = *t;
	to.at += b, to.heads.row += b, to.kept += b * t->pitch;
	two_kept_strips(&to, &rest, HALF, how, next);
}

INLINE void next_strips(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	if (unit == 2 && s->f && !t->paired && !computes_in_place(s->f, unit))
		two_computed_strips(t, s, how, next);
	else if ((s->f && !computes_in_place(s->f, unit)) || (unit <= 2 && !s->f && lines_collide(s, unit)))
		two_kept_strips(t, s, unit, how, next);
	else if (unit == 1 || (unit == 2 && !t->paired))
		two_narrow_strips(t, s, unit, how, next);
	else
		two_strips(t, s, unit, how, next);
}

/* Moves a tile, two strips at a time. */
INLINE void shifted_pairs(target t, const tile *s, const int unit, ahead *next)
{
	const int64_t two = PAIR / unit;
	const bool last = t.last;
	for (int64_t a = 0; a < s->na; a += two, t.dst += PAIR, t.fresh = false) {
		int64_t repeated[PAIR];
		tile part = part_of(s, a, smaller(s->na - a, two), 0, s->nb, unit);
		t.bytes = part.na * unit, t.last = last && a + two >= s->na;
		if (t.bytes < PAIR && !last) {
			strips_of(t, &part, unit, SHIFT, next);
			continue;
		}
		part.at = strip_rows(part.at, part.na, two, repeated);
		if (t.fresh || t.last)
			next_strips(&t, &part, unit, EDGES, next);
		else
			next_strips(&t, &part, unit, SECOND, next);
	}
}

/* Writes the last c bytes of each row, where the row ends with a whole line of its own. */
INLINE void shifted_end(const target *t, const tile *s, int64_t unit)
{
	for (int64_t b = 0; b < s->nb; b++) {
		byte *d = t->dst + t->at[b] + s->na * unit;
		int64_t c = (int64_t)((uintptr_t)d & (LINE - 1));
		__m512i v = load64(t->kept + b * t->pitch);
		leave_some(heads_of(t, b), d - c, shifted(v, v, c), 0, c);
	}
}
