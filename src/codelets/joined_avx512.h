/* joined_avx512.h -- short rows of dst that follow each other: for transpose_avx512.c and
 * transpose_seconds_avx512.c.
 */
#pragma once

#include "codelets/room_avx512.h"
#include "codelets/sink_avx512.h"
#include "codelets/tiles_avx512.h"

INLINE void sink_move(sink *k, byte *d)
{
	if (d == sink_place(k))
		return;
	sink_close(k);
	sink_open(k, d, NULL);
}

/* The most units of a row. The stage holds 64/unit rows of up to JOINED_WHOLE units, as lines of 48 bytes at
 * worst; or half as many longer rows. Longer rows are not computed as they are read, and their units are not
 * of 3, 6 or 12 bytes. */
enum { JOINED_UNITS = 1152, JOINED_WHOLE = 480, JOINED_STAGE = 40 << 10 };

/* How many columns go by wider steps. They do if rows are at most half a strip: then the lanes have room for
 * `fold` times as many columns a step. */
INLINE int64_t folded_columns(const tile *s, const int unit)
{
	const int64_t fold = STRIP(unit) / s->na, columns = 16 / WIDE(unit), step = columns * unit;
	const int64_t rest = s->nb * unit - (fold - 1) * step - 16;
	return s->f || fold < 2 || rest < 0 ? 0 : (rest / (fold * step) + 1) * fold * columns;
}

/* Rows on their way to a sink. `down`: they follow each other downwards, and the last one goes first. The
 * first `folded` of them go by wider steps. */
typedef struct joining {
	sink k;
	int64_t folded, row, pitch; /* bytes of a row, and of its place in the stage */
	bool down;
} joining;

/* r has registers that hold `fold` times as many columns, in halves or quarters. They become lines of dst, in
 * its order. `fold` is 2 or 4, and `columns` at least that; both are constants. */
INLINE void lines_of_folds(__m512i *r, const int columns, const int fold)
{
	__m512i line[16];
	UNROLL for (int i = 0; i < columns; i += fold)
	{
		__m512i *v = r + i;
		if (fold == 4) {
			transpose_lanes(v, 1);
		} else {
			const __m512i low = _mm512_shuffle_i64x2(v[0], v[1], 0x44);
			v[1] = _mm512_shuffle_i64x2(v[0], v[1], 0xee), v[0] = low;
		}
		UNROLL for (int k = 0; k < fold; k++) line[k * columns / fold + i / fold] = v[k];
	}
	UNROLL for (int i = 0; i < columns; i++) r[i] = line[i];
}

/* The columns from b on go to the sink, one by one. */
INLINE void push_folds(joining *j, const target *t, int64_t b, const int columns, int64_t together)
{
	for (int64_t i = 0; i < together; i++) {
		const int64_t c = j->down ? together - 1 - i : i;
		sink_move(&j->k, t->dst + t->at[b + c]);
		sink_push_after(&j->k, load64(t->kept + c % columns * LINE),
		                _mm512_set1_epi8((char)(c / columns * j->row)), j->row);
	}
}

/* Do n rows of dst follow each other upwards, `row` bytes each? With -row: downwards? */
INLINE bool rows_follow(const target *t, int64_t n, int64_t row)
{
	int64_t other = 0; /* no bit is set if they do */
	for (int64_t i = 0; i < n; i++)
		other |= t->at[i] - t->at[0] - i * row;
	return other == 0;
}

/* Do all columns follow each other, and are two or four of them a line? */
INLINE bool folds_are_lines(const joining *j, const target *t)
{
	return (j->row == LINE / 2 || j->row == LINE / 4) && j->folded && rows_follow(t, j->folded, j->row);
}

/* `unit` is a constant. */
INLINE void folded_of(joining *j, const target *t, const tile *s, const int unit, ahead *next)
{
	const int64_t strip = STRIP(unit), fold = strip / s->na;
	const int columns = 16 / WIDE(unit), step = columns * unit;
	const int64_t together = fold * columns;
	const bool lines = unit % 3 && columns >= fold && folds_are_lines(j, t);
	int64_t at[64];
	for (int64_t i = 0; i < strip; i++) {
		int64_t part = smaller(i / s->na, fold - 1);
		at[i] = s->at[smaller(i - part * s->na, s->na - 1)] + part * step;
	}
	for (int64_t b0 = 0; b0 < j->folded; b0 += together) {
		const int64_t b = j->down ? j->folded - together - b0 : b0;
		__m512i r[16];
		const tile part = {.src = s->src + b * unit, .at = at, .widened = s->widened};
		load_step(r, &part, unit, 16);
		if (lines) {
			if (fold == 2 && columns >= 2)
				lines_of_folds(r, columns, 2);
			else if (columns >= 4)
				lines_of_folds(r, columns, 4);
			UNROLL for (int i = 0; i < columns; i++) sink_push_whole(&j->k, r[i]);
		} else {
			UNROLL for (int i = 0; i < columns; i++) store64(t->kept + i * LINE, r[i]);
			push_folds(j, t, b, columns, together);
		}
		ahead_ask(next, (together * j->row + LINE - 1) / LINE);
	}
}

/* n columns go from the stage to the sink, to places from t->at on. A load of just what one store has left
 * need not wait for it. `unit` is a constant. */
INLINE void push_columns(joining *j, const target *t, int64_t n, const int unit, asking *q, ahead *next)
{
	const int64_t strip_bytes = STRIP(unit) * unit;
	for (int64_t i = 0; i < n; i++) {
		const int64_t b = j->down ? n - 1 - i : i;
		const byte *from = t->kept + b * j->pitch;
		int64_t left = j->row;
		sink_move(&j->k, t->dst + t->at[b]);
		for (; left > strip_bytes; left -= strip_bytes, from += LINE)
			sink_push(&j->k, load64(from), strip_bytes);
		sink_push(&j->k, load64(from), left);
		if (q)
			ask_slice(q, next);
	}
}

/* Are there so many rows in the source that what is read next is asked for slice by slice (ahead.h)? A Xeon
 * with AMX, of the fastest copy, without and with that, f32 [N,C,56,56] channels last: 60 channels 0.30 and
 * 0.80, 72 0.32 and 0.73; but 17 channels 0.59 and 0.48. */
INLINE bool asks_by_slices(const target *t, const tile *s)
{
	enum { FEW = 48 };
	return t->paired && s->na > FEW;
}

/* The columns of s, the first of which is column b, a line of each row of the source at a time. */
INLINE void staged_slice(joining *j, target t, const tile *s, int64_t b, const int unit, ahead *next)
{
	const bool slices = asks_by_slices(&t, s);
	const int64_t line = s->na <= JOINED_WHOLE ? LINE / unit : LINE / unit / 2;
	const int64_t *at = t.at + b;
	ahead none = ahead_none();
	asking q = ask_after(s, unit);
	for (int64_t done = 0, n; done < s->nb; done += n) {
		n = smaller(s->nb - done, line);
		const int64_t first = j->down ? s->nb - done - n : done;
		const tile part = part_of(s, 0, s->na, first, n, unit);
		keep_columns(t.kept, j->pitch, &part, unit, slices ? &none : next);
		t.at = at + first;
		push_columns(j, &t, n, unit, slices ? &q : NULL, next);
	}
}

/* The columns that do not go by wider steps. `unit` is a constant. */
INLINE void staged_of(joining *j, const target *t, const tile *s, const int unit, ahead *next)
{
	const int64_t slice = slice_of(s->na) / (s->f ? s->f->from_bytes : unit);
	for (int64_t done = j->folded, n; done < s->nb; done += n) {
		n = smaller(s->nb - done, slice);
		const int64_t b = j->down ? j->folded + s->nb - done - n : done;
		const tile part = part_of(s, 0, s->na, b, n, unit);
		staged_slice(j, *t, &part, b, unit, next);
	}
}

/* ---- rows that are laid into a room ---- */

/* A room in L1 needs fewer instructions than a sink: lines leave as they lie there. (Zen 4, of the fastest
 * copy, by sinks and so: f32 24 rows joined 0.44 and 0.55, u8 48 0.29 and 0.41, f16 40 0.35 and 0.51, f64 20
 * 0.57 and 0.60, f16 64 0.73 and 0.73; f32 to f16, 22 rows, 0.25 and 0.31.) */
enum { ROOM = 8 << 10, LAID_TURN = 6 << 10 };

/* Do all rows follow each other, and are some columns of them so few bytes that a room takes them? Where
 * lines leave by pairs, what is read next is asked for as rows leave (asks_by_slices()). Rows that follow
 * downwards are laid in from the last one on, so nothing may be written beyond their ends (Zen 4, of the
 * fastest copy, by sinks and so: 15 shapes 0.34 and 0.38, pixels of 8 u16 0.18 and 0.27, rows of 40 u16 0.32
 * and 0.44). */
INLINE bool goes_by_room(const target *t, const tile *s, const int unit, bool down)
{
	const int64_t row = s->na * unit;
	const bool exact = s->na >= STRIP(unit) || (row <= SHORT_STRIP && unit < 16 && !s->f);
	if (t->paired || unit % 3 == 0 || LINE / unit * row > LAID_TURN)
		return false;
	return down ? exact && rows_follow(t, s->nb, -row)
	            : s->na * 2 > STRIP(unit) && rows_follow(t, s->nb, row);
}

/* Lays some columns one after the other, the i-th at to + places[i]; places are even. A last strip that is
 * short goes by groups of 16 bytes. A longer one begins before its place, and ends with the row; or, if there
 * is no more of the row, the next row is written over what is beyond its end. */
INLINE void lay_columns(byte *to, const int64_t *places, const tile *s, const int unit, ahead *next)
{
	const int64_t strip = STRIP(unit);
	for (int64_t a = 0; a < s->na; a += strip) {
		int64_t repeated[64];
		const int64_t rest = s->na - a;
		const bool ends = rest * unit <= SHORT_STRIP && unit < 16 && !s->f;
		const int64_t from = ends || s->na < strip ? a : smaller(a, s->na - strip);
		byte *d = to + from * unit;
		const target laid = {.dst = d, .at = places, .kept = d, .pitch = places[1]};
		tile part = part_of(s, from, ends ? rest : strip, 0, s->nb, unit);
		part.at = strip_rows(part.at, s->na - from, strip, repeated);
		if (ends)
			short_strip(&laid, &part, unit, next);
		else
			keep_strip(&laid, &part, unit, next);
	}
}

INLINE void laid_of(const target *t, const tile *s, const int unit, bool down, ahead *next)
{
	const int64_t row = s->na * unit, line = LINE / unit;
	int64_t places[64];
	row_room k;
	for (int64_t i = 0; i < line; i++)
		places[i] = down ? -i * row : i * row;
	room_open(&k, t->dst + t->at[down ? s->nb - 1 : 0], t->kept, ROOM);
	for (int64_t done = 0, n; done < s->nb; done += n) {
		n = smaller(s->nb - done, line);
		const tile part = part_of(s, 0, s->na, down ? s->nb - done - n : done, n, unit);
		lay_columns(k.bytes + k.to + (down ? (n - 1) * row : 0), places, &part, unit, next);
		room_took(&k, n * row);
	}
	room_close(&k);
}

/* `unit` is a constant. */
INLINE void joined_of(const target *t, const tile *s, const int unit, ahead *next)
{
	const int64_t strips = (s->na + STRIP(unit) - 1) / STRIP(unit);
	joining j = {.folded = folded_columns(s, unit),
	             .row = s->na * unit,
	             .pitch = strips * LINE,
	             .down = s->nb > 1 && t->at[1] < t->at[0]};
	if (goes_by_room(t, s, unit, j.down)) {
		laid_of(t, s, unit, j.down, next);
		return;
	}
	sink_open(&j.k, t->dst + t->at[j.down ? s->nb - 1 : 0], NULL);
	if (j.down)
		staged_of(&j, t, s, unit, next);
	folded_of(&j, t, s, unit, next);
	if (!j.down)
		staged_of(&j, t, s, unit, next);
	sink_close(&j.k);
}

/* Computes a row of the stage, which holds it as it was read, and sends it to the sink. */
INLINE void push_computed(sink *k, const byte *stage, int64_t na, const fused *f, const int from,
                          const int unit)
{
	const int each = unit / from;
	int64_t at[UNITS], left = na * unit;
	for (int i = 0; i < each; i++)
		at[i] = i * (LINE / each);
	for (; left > 0; stage += LINE) {
		__m512i r[UNITS];
		computed_rows(&(tile){.src = stage, .at = at, .f = f}, r, each, unit);
		UNROLL for (int i = 0; i < each; i++)
		{
			if (left > 0)
				sink_push(k, r[i], smaller(left, LINE));
			left -= LINE;
		}
	}
}

/* joined_of() for what is computed after it is transposed. */
INLINE void joined_after(const target *t, const tile *s, const int from, const int unit, ahead *next)
{
	const int64_t strip = LINE / from, pitch = (s->na + strip - 1) / strip * LINE;
	const int64_t most = s->na * from <= JOINED_WHOLE ? LINE / from : LINE / from / 2;
	sink k;
	sink_open(&k, t->dst + t->at[0], NULL);
	for (int64_t b0 = 0; b0 < s->nb; b0 += most) {
		const int64_t n = smaller(s->nb - b0, most);
		const tile part = {.src = s->src + b0 * from, .at = s->at, .na = s->na, .nb = n};
		keep_columns(t->kept, pitch, &part, from, next);
		for (int64_t b = 0; b < n; b++) {
			sink_move(&k, t->dst + t->at[b0 + b]);
			push_computed(&k, t->kept + b * pitch, s->na, s->f, from, unit);
		}
	}
	sink_close(&k);
}

#if !VF_SECONDS
/* A function of its own for each unit, as in transpose_stored_avx512.c. */
#define JOIN_UNIT(unit)                                                                                      \
	static __attribute__((noinline)) void joined_##unit(const target *t, const tile *s, ahead *next)     \
	{                                                                                                    \
		joined_of(t, s, unit, next);                                                                 \
	}
#define JOIN_AFTER(from, unit)                                                                               \
	static __attribute__((noinline)) void joined_##from##_##unit(const target *t, const tile *s,         \
	                                                             ahead *next)                            \
	{                                                                                                    \
		joined_after(t, s, from, unit, next);                                                        \
	}
EACH_UNIT(JOIN_UNIT)
JOIN_AFTER(1, 2)
JOIN_AFTER(1, 4)
JOIN_AFTER(2, 4)
#undef JOIN_UNIT
#undef JOIN_AFTER

/* False if nothing is computed after the transposition. */
static bool join_after(const target *t, const tile *s, int64_t unit, ahead *next)
{
	const int64_t from = s->f ? s->f->from_bytes : unit;
	if (from == 1 && unit == 2)
		joined_1_2(t, s, next);
	else if (from == 1 && unit == 4)
		joined_1_4(t, s, next);
	else if (from == 2 && unit == 4)
		joined_2_4(t, s, next);
	else
		return false;
	return true;
}

/* s->na: 1 to JOINED_UNITS. */
static void move_joined(target t, const tile *s, int64_t unit, ahead *next)
{
	_Alignas(64) byte stage[JOINED_STAGE];
	t.kept = stage;
	if (join_after(&t, s, unit, next))
		return;
#define CASE(size)                                                                                           \
	case size: joined_##size(&t, s, next); break;
	switch (unit) {
		EACH_UNIT(CASE)
	default: break;
	}
#undef CASE
}
#endif
