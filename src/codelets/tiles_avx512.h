/* tiles_avx512.h -- a tile, strip after strip: for transpose_avx512.c and transpose_stored_avx512.c. */
#pragma once

#include "codelets/strip_avx512.h"

/* The offsets of a strip's rows. If there are fewer rows, the last one is repeated. */
INLINE const int64_t *strip_rows(const int64_t *at, int64_t n, int64_t strip, int64_t *repeated)
{
	if (n >= strip)
		return at;
	for (int64_t i = 0; i < strip; i++)
		repeated[i] = at[i < n ? i : n - 1];
	return repeated;
}

/* Moves strip after strip to a stage, where each row of dst has lines of its own. `unit` is a constant. */
INLINE void keep_columns(byte *stage, int64_t pitch, const tile *s, const int unit, ahead *next)
{
	const int64_t strip = STRIP(unit);
	for (int64_t a = 0; a < s->na; a += strip) {
		int64_t repeated[64];
		const target to = {.kept = stage + a / strip * LINE, .pitch = pitch};
		tile part = part_of(s, a, strip, 0, s->nb, unit);
		part.at = strip_rows(part.at, s->na - a, strip, repeated);
		keep_strip(&to, &part, unit, next);
	}
}

/* Moves a strip that is short, or SHIFT's first one, by way of a stage. */
INLINE void edge_of(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	enum { ROWS = 16 };
	_Alignas(64) byte stage[ROWS * LINE];
	const target staged = {.kept = stage, .pitch = LINE};
	for (int64_t b = 0; b < s->nb; b += ROWS) {
		const tile part = part_of(s, 0, s->na, b, smaller(s->nb - b, ROWS), unit);
		keep_strip(&staged, &part, unit, next);
		for (int64_t i = 0; i < part.nb; i++) {
			byte *d = t->dst + t->at[b + i];
			__m512i v = load64(stage + i * LINE);
			if (how == SHIFT)
				put_edge(heads_of(t, b + i), d, v, t->kept + (b + i) * t->pitch, t->bytes,
				         t->fresh);
			else
				store_some(d, v, t->bytes);
		}
	}
}

enum { SHORT_STRIP = 48 }; /* bytes */

/* One row of a group of short_strip(): `bytes` bytes, of 16, of column i of each lane. */
INLINE void store_columns(const target *t, int64_t column, __m512i v, const int n, int64_t bytes,
                          int64_t left)
{
	const __m128i lane[4] = {_mm512_castsi512_si128(v), _mm512_extracti32x4_epi32(v, 1),
	                         _mm512_extracti32x4_epi32(v, 2), _mm512_extracti32x4_epi32(v, 3)};
	const __mmask16 some = (__mmask16)first_bytes(bytes);
	UNROLL for (int k = 0; k < 4; k++)
	{
		if (k * n >= left)
			return;
		byte *d = t->dst + t->at[column + k * n];
		if (bytes == 16)
			_mm_storeu_si128((void *)d, lane[k]);
		else
			_mm_mask_storeu_epi8(d, some, lane[k]);
	}
}

/* Stores a strip of up to SHORT_STRIP bytes, in groups of 16 bytes. As a square it would be mostly rows that
 * are repeated (a Xeon with AMX, of the fastest copy: u8 [2,96,16,2048,3], 16 rows of pixels to planes, 0.26
 * and 0.48). */
INLINE void short_strip(const target *t, const tile *s, const int unit, ahead *next)
{
	const int n = 16 / unit, columns = STRIP(unit);
	target to = *t;
	for (int64_t a = 0; a < s->na; a += n, to.dst += 16) {
		const int64_t bytes = smaller(n, s->na - a) * unit;
		for (int64_t b = 0; b < s->nb; b += columns) {
			const byte *src = row_of(s, b, unit);
			const int64_t left = smaller(s->nb - b, columns);
			const __mmask64 some = first_bytes(left * unit);
			__m512i r[16];
			UNROLL for (int i = 0; i < n; i++)
			    r[i] = _mm512_maskz_loadu_epi8(some, src + s->at[a + i]);
			transpose(r, unit);
			UNROLL for (int i = 0; i < n; i++)
			    store_columns(&to, b + i, r[i], n, bytes, left - i);
			read_beside(next, src, s->at + a, n, 1);
			ahead_ask(next, n);
		}
	}
}

/* Moves strip after strip of some units of B. `unit` and `how` are constants where this is called. */
INLINE void strips_of(target t, const tile *s, const int unit, const way how, ahead *next)
{
	const int64_t strip = STRIP(unit);
	for (int64_t a = 0; a < s->na; a += strip, t.dst += strip * unit, t.fresh = false) {
		int64_t repeated[64], n = smaller(s->na - a, strip);
		if (how == STORE && n < strip && s->na >= strip) { /* some units are stored again */
			t.dst -= (strip - n) * unit;
			a = s->na - strip, n = strip;
		}
		tile part = part_of(s, a, n, 0, s->nb, unit);
		part.at = strip_rows(part.at, n, strip, repeated);
		t.bytes = n * unit;
		if (n == strip && !(how == SHIFT && t.fresh))
			strip_of(&t, &part, unit, how, next);
		else if (how == STORE && !s->f && unit < 16 && unit % 3 && t.bytes <= SHORT_STRIP)
			short_strip(&t, &part, unit, next);
		else
			edge_of(&t, &part, unit, how, next);
	}
}

/* ---- by a stage, so that the lines of a row leave one after the other ---- */

/* Both halves of 128 bytes of dst leave together (cpu.h, `pairs`). Strips of a slice of the source rows are
 * put into a stage. It holds t->bytes of each row of dst. For SHIFT it holds before them the PAIR bytes that
 * the row produced last; those that are not written yet belong to the next pair. */
enum { PAIR = 2 * LINE, STAGE = 32 << 10 };

/* STREAM: the rows lie on lines. */
INLINE void leave_streamed(const target *t, int64_t b, const byte *stage)
{
	byte *d = t->dst + t->at[b];
	int64_t l = 0;
	for (; t->bytes - l >= LINE; l += LINE)
		stream64(d + l, load64(stage + l));
	if (l < t->bytes)
		store_some(d + l, load64(stage + l), t->bytes - l);
}

/* SHIFT: writes only whole pairs, and the row's first and last one. */
INLINE void leave_shifted(const target *t, int64_t b, const byte *stage)
{
	byte *d = t->dst + t->at[b];
	const int64_t c = (int64_t)((uintptr_t)d & (PAIR - 1)), from = t->fresh ? c : 0, to = c + t->bytes;
	byte *pair = d - c;
	const byte *s = stage - c;
	int64_t l = 0;
	if (from > 0 && to >= PAIR) {
		leave_some(heads_of(t, b), pair, load64(s), from, to);
		leave_some(heads_of(t, b), pair + LINE, load64(s + LINE), from - LINE, to - LINE);
		l = PAIR;
	}
	for (; to - l >= PAIR; l += PAIR) {
		stream64(pair + l, load64(s + l));
		stream64(pair + l + LINE, load64(s + l + LINE));
	}
	for (; t->last && l < to; l += LINE)
		leave_some(heads_of(t, b), pair + l, load64(s + l), from - l, to - l);
	byte *kept = t->kept + b * t->pitch;
	store64(kept, load64(stage + t->bytes - PAIR));
	store64(kept + LINE, load64(stage + t->bytes - LINE));
}

/* What is asked for while the rows of dst of a slice leave: with each of them a part of the next slice, one
 * row of the source after the other. As many lines are asked for as leave, unless computing makes elements
 * longer or shorter. */
typedef struct asking {
	const byte *src;
	const int64_t *at, *past;
	int64_t lines, line; /* of a row of the source; the next one */
	int64_t each;        /* lines with a row of dst */
} asking;

INLINE asking ask_after(const tile *s, int64_t unit)
{
	const int64_t lines = (s->nb * (s->f ? s->f->from_bytes : unit) + LINE - 1) / LINE;
	return (asking){s->src, s->at, s->at + s->na, lines, 0, (s->na * lines + s->nb - 1) / s->nb};
}

/* Called when a row of dst has left. Rows of the source that start anywhere touch one line more, which is the
 * first of the next slice. So each line is named by its last byte, not by its first; and by its first one
 * where the slice before is the next. */
INLINE void ask_slice(asking *q, ahead *next)
{
	const int64_t named = next->reach < 0 ? 0 : LINE - 1;
	for (int64_t k = 0; k < q->each && q->at < q->past; k++) {
		ahead_rows(next, q->src + q->line * LINE + named, q->at, 1);
		if (++q->line == q->lines)
			q->line = 0, q->at++;
	}
	ahead_ask(next, q->each);
}

/* The rows of dst leave the stage, and the next slice is asked for as ask_slice() does it. The count is kept
 * here: by ask_slice() f32 to f16 turned has 0.59 of the fastest copy, so it has 0.62. `lines`: of a row of
 * the source. */
INLINE void leave_slice(const target *t, const tile *s, const byte *stage, int64_t lines, const way how,
                        ahead *next)
{
	const int64_t pitch = (t->bytes + LINE - 1) & -LINE, front = how == SHIFT ? PAIR : 0;
	const int64_t each = (s->na * lines + s->nb - 1) / s->nb;
	int64_t a = 0, l = 0;
	for (int64_t b = 0; b < s->nb; b++) {
		if (how == STREAM)
			leave_streamed(t, b, stage + b * pitch);
		else
			leave_shifted(t, b, stage + b * (pitch + front) + front);
		for (int64_t k = 0; k < each && a < s->na; k++) {
			ahead_rows(next, s->src + l * LINE + LINE - 1, s->at + a, 1);
			if (++l == lines)
				l = 0, a++;
		}
		ahead_ask(next, pitch / LINE);
	}
}

/* Elements that computing makes longer are transposed first: while they are short they take fewer lines, and
 * so fewer shuffles (u8 to f32: 3 for a line, 5 where f32 is transposed). Not with second values, which go
 * with rows of the source. */
INLINE bool is_computed_after(const fused *f, const int unit)
{
	return f && unit <= 4 && f->from_bytes == 1 && unit > 1 && !f->varies;
}

/* Makes of each of `columns` lines of bytes `lines` lines of dst, two columns at a time. */
INLINE void widen_lines(const target *t, const byte *narrow, int64_t columns, int64_t lines, const fused *f,
                        const int unit)
{
	const int each = unit;
	int64_t at[UNITS];
	for (int i = 0; i < 2 * each; i++)
		at[i] = i % each * (LINE / each) + i / each * LINE;
	for (int64_t b = 0; b < columns; b += 2, narrow += 2 * LINE) {
		__m512i r[UNITS];
		byte *d = t->kept + b * t->pitch;
		computed_rows(&(tile){.src = narrow, .at = at, .f = f}, r, 2 * each, unit);
		UNROLL for (int i = 0; i < each; i++) if (i < lines) store64(d + i * LINE, r[i]);
		if (b + 1 == columns)
			break;
		UNROLL for (int i = 0; i < each; i++) if (i < lines)
		    store64(d + t->pitch + i * LINE, r[each + i]);
	}
}

/* Puts a slice of bytes into the stage, computed after it is transposed. `unit` is a constant. */
INLINE void computed_after(const target *t, const tile *s, const int unit)
{
	_Alignas(64) byte narrow[LINE * LINE];
	const int64_t side = LINE;
	const target kept = {.kept = narrow, .pitch = LINE};
	ahead none = ahead_none();
	for (int64_t b = 0; b < s->nb; b += side)
		for (int64_t a = 0; a < s->na; a += side) {
			int64_t repeated[64], n = smaller(side, s->na - a),
					      columns = smaller(side, s->nb - b);
			const tile part = {.src = s->src + b,
			                   .at = strip_rows(s->at + a, n, side, repeated),
			                   .na = side,
			                   .nb = columns};
			const target to = {.kept = t->kept + b * t->pitch + a * unit, .pitch = t->pitch};
			vf_keep_1(&kept, &part, &none);
			widen_lines(&to, narrow, columns, (n * unit + LINE - 1) / LINE, s->f, unit);
		}
}

/* Called for each column of units of a line at most, at `at` in the rows: asks where a line begins. */
INLINE void ahead_column(const ahead *next, const tile *s, int64_t at, int64_t unit)
{
	if (at % LINE < unit)
		ahead_rows(next, s->src + at / LINE * LINE + LINE - 1, s->at, (int)s->na);
}

/* How many columns a slice has: ahead_side_by_side() asks for as many. */
INLINE int64_t slice_columns(const tile *s, const int unit)
{
	const int64_t read = s->f ? s->f->from_bytes : unit;
	return smaller((s->f && unit == 1 ? BYTES_SLICE : SLICE) / read, SLICE);
}

/* Moves a slice: strip after strip goes to the stage, then its rows of dst leave. `unit` is a constant. */
INLINE void paired_slice(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	_Alignas(64) byte stage[STAGE + SLICE * PAIR + LINE]; /* the last row may be read a line beyond */
	const int64_t front = how == SHIFT ? PAIR : 0;
	const int64_t pitch = front + ((s->na * unit + LINE - 1) & -LINE);
	for (int64_t b = 0; how == SHIFT && b < s->nb; b++) {
		store64(stage + b * pitch, load64(t->kept + b * t->pitch));
		store64(stage + b * pitch + LINE, load64(t->kept + b * t->pitch + LINE));
	}
	const target all = {.kept = stage + front, .pitch = pitch};
	ahead none = ahead_none();
	if (is_computed_after(s->f, unit))
		computed_after(&all, s, unit);
	else
		keep_columns(all.kept, pitch, s, unit, &none);
	const int64_t read = s->nb * (s->f ? s->f->from_bytes : unit);
	leave_slice(t, s, stage, (read + LINE - 1) / LINE, how, next);
}

/* Moves a tile slice by slice, each by some units of A at a time, as many as the stage holds. Not for units
 * of 3, 6 and 12. */
INLINE void paired_of(target t, const tile *s, const int unit, const way how, ahead *next)
{
	enum { MOST = 512 };
	const int64_t read = s->f ? s->f->from_bytes : unit;
	const int64_t slice = is_computed_after(s->f, unit)
	                          ? smaller(SLICE, STAGE / (LINE * unit) / (how == SHIFT ? 4 : 1)) / read
	                          : slice_columns(s, unit);
	const int64_t some = smaller(STAGE / slice, MOST) / unit;
	const target whole = t;
	for (int64_t b = 0; b < s->nb; b += slice) {
		t = whole;
		t.at += b, t.heads.row += b, t.kept += b * t.pitch;
		int64_t a = 0;
		do {
			/* Never below 0. Told to gcc, which warns of a stage overrun otherwise. */
			const int64_t n = larger(smaller(some, s->na - a), 0);
			const tile part = part_of(s, a, n, b, smaller(slice, s->nb - b), unit);
			t.bytes = part.na * unit, t.last = whole.last && a + some >= s->na;
			paired_slice(&t, &part, unit, how, next);
			t.dst += some * unit, t.fresh = false;
			a += some;
		} while (a < s->na);
	}
}

/* ---- pairs of narrow units ---- */

/* Units of 1 and 2 bytes take as long to transpose as to leave. So while one line of each source row is
 * transposed, the rows of dst of the line before it leave, a few a step, and what is read next is asked
 * for. */

/* Rows of dst that wait in a stage, a pair of lines each. */
typedef struct waiting {
	byte *dst;
	const int64_t *at;
	const byte *stage;
	int64_t rows;
} waiting;

INLINE void leave_pairs(waiting *w, int64_t n)
{
	for (; n > 0 && w->rows > 0; n--, w->rows--, w->at++, w->stage += PAIR) {
		byte *d = w->dst + *w->at;
		stream64(d, load64(w->stage));
		stream64(d + LINE, load64(w->stage + LINE));
	}
}

/* Moves part k of 8 of a line of each row to the stage: 16 bytes of half of the rows. */
INLINE void narrow_step(byte *stage, const tile *s, int k, const int unit)
{
	const int columns = 16 / unit, strip = STRIP(unit);
	__m512i r[16];
	load_step(r, &(tile){.src = s->src + k % 4 * 16, .at = s->at + k / 4 * strip}, unit, 16);
	stage += k % 4 * columns * PAIR + k / 4 * LINE;
	UNROLL for (int i = 0; i < columns; i++) store64(stage + i * PAIR, r[i]);
}

/* Asks for part k of 8 of what goes with a line of each row: all lines that some rows have in the next slice,
 * row after row. `line`: of the slice, which has `lines`. */
INLINE void narrow_ask(const tile *slice, int64_t line, int64_t lines, int k, const int unit, ahead *next)
{
	const int64_t rows = PAIR / unit, from = (line * rows + k * rows / 8) / lines,
		      to = (line * rows + (k + 1) * rows / 8) / lines;
	const int64_t read = slice->f ? (slice->nb * slice->f->from_bytes + LINE - 1) / LINE : lines;
	for (int64_t a = from; a < to; a++)
		ahead_run(next, slice->src + LINE - 1, slice->at + a, read);
	ahead_ask(next, rows / 8);
}

/* Moves line l of each row of a slice to the stage, while the rows that wait leave. */
INLINE void narrow_line(byte *stage, const tile *part, int64_t l, waiting *w, const int unit, ahead *next)
{
	const int64_t line = LINE / unit;
	const tile one = {.src = part->src + l * LINE, .at = part->at, .na = part->na, .nb = line};
	for (int k = 0; k < 8; k++) {
		narrow_step(stage, &one, k, unit);
		leave_pairs(w, line / 8);
		narrow_ask(part, l, part->nb / line, k, unit, next);
	}
}

/* The same for longer elements that are computed, and become such units. */
INLINE void computed_line(byte *stage, const tile *part, int64_t l, waiting *w, const int unit, ahead *next)
{
	const byte *src = row_of(part, l * LANES, unit);
	for (int k = 0; k < 8; k++) {
		if (k % 4 == 0)
			keep_narrow(stage + k / 4 * LINE, PAIR, part->f, src, part->at + k / 4 * STRIP(unit),
			            unit);
		leave_pairs(w, LANES / 8);
		narrow_ask(part, l, part->nb / LANES, k, unit, next);
	}
}

/* Moves PAIR/unit units of A by whole lines of B, to rows of dst that lie on lines. */
INLINE void narrow_pairs(const target *t, const tile *s, const int unit, ahead *next)
{
	_Alignas(64) byte stage[2][LINE * PAIR];
	const int64_t line = s->f ? LANES : LINE / unit,
		      slice = s->f ? slice_columns(s, unit) : LONG_SLICE / unit;
	waiting w = {.rows = 0};
	int turn = 0;
	for (int64_t b = 0; b < s->nb; b += slice) {
		const tile part = part_of(s, 0, s->na, b, smaller(slice, s->nb - b), unit);
		for (int64_t l = 0; l < part.nb / line; l++, turn ^= 1) {
			if (s->f)
				computed_line(stage[turn], &part, l, &w, unit, next);
			else
				narrow_line(stage[turn], &part, l, &w, unit, next);
			w = (waiting){t->dst, t->at + b + l * line, stage[turn], line};
		}
	}
	leave_pairs(&w, line);
}

/* Do rows of dst leave while others are transposed? Of source rows of 256 bytes and less, too few leave so
 * (u8 256 x 256 x 256 by (2,0,1): 0.57 of the fastest copy, 0.62 without). */
INLINE bool goes_beside(const tile *s, const int unit)
{
	if (unit > 2 || s->na * unit != PAIR || s->nb * unit <= SLICE)
		return false;
	if (s->f)
		return s->f->from_bytes == 4 || unit == 1;
	return vf_leave_beside(s->at[1] - s->at[0], unit);
}

/* Moves whole lines by narrow_pairs(). What does not fill a line goes by a stage of its own. */
INLINE void narrow_of(target *t, const tile *s, const int unit, ahead *next)
{
	const int64_t whole = s->nb - s->nb % (s->f ? LANES : LINE / unit);
	const tile part = part_of(s, 0, s->na, 0, whole, unit),
		   rest = part_of(s, 0, s->na, whole, s->nb - whole, unit);
	narrow_pairs(t, &part, unit, next);
	t->at += whole;
	if (rest.nb > 0)
		paired_of(*t, &rest, unit, STREAM, next);
}

/* Moves a tile; not KEEP, nor SHIFT of units of 3, 6 and 12. STREAM: all strips of a few lines of the source
 * rows come before the next lines. So the two lines of a pair in a row of dst leave shortly after each other;
 * on a Zen 4 single lines stream half as fast as pairs. Four lines go at a time, as one is slower where rows
 * are short. Of units of 1 and 2 bytes one goes at a time: four would be 128 rows of dst and more (u8 2880 x
 * 2880: from 0.76 to 0.85 of the fastest copy). So does one where rows are read from a stage (Zen 5, a bare
 * loop over f32 4096 x 4096 by four 0.6, by two 0.75, by one 0.8). */
INLINE void tile_of(target t, const tile *s, const int unit, const way how, ahead *next)
{
	const int64_t lines = s->f ? 4 * LINE / s->f->from_bytes
	                           : (unit < 4 || next->to ? 1 : 4) * STRIP(unit);
	const int64_t slice = how == STREAM ? lines : s->nb;
	const int64_t *at = t.at;
	if (t.paired && how == STREAM && goes_beside(s, unit)) {
		narrow_of(&t, s, unit, next);
		return;
	}
	if (t.paired && how != STORE && unit % 3) {
		paired_of(t, s, unit, how, next);
		return;
	}
	for (int64_t b = 0; b < s->nb; b += slice) {
		const tile part = part_of(s, 0, s->na, b, smaller(slice, s->nb - b), unit);
		t.at = at + b;
		strips_of(t, &part, unit, how, next);
	}
}

/* Units before the first line of rows that are streamed. */
INLINE int64_t units_before_line(const target *t, const tile *s, int64_t unit)
{
	return smaller((int64_t)(-(uintptr_t)(t->dst + t->at[0]) & (LINE - 1)) / unit, s->na);
}

/* transpose_stored_avx512.c: a tile by ordinary stores, and past the cache to rows that lie on lines. */
void vf_move_stored(const target *t, const tile *s, int64_t unit, ahead *next);
void vf_move_streamed(target t, tile s, int64_t unit, ahead *next);

/* transpose_computed_avx512.c: a tile whose elements are computed. how: STORE, STREAM or SHIFT. */
void vf_move_computed(const target *t, const tile *s, int64_t unit, way how, ahead *next);

/* transpose_seconds_avx512.c: such a tile of f32 with second values; and one whose rows are joined. */
void vf_move_seconds(const target *t, const tile *s, way how, ahead *next);
void vf_join_seconds(const target *t, const tile *s, ahead *next);

/* Moves a stored block of whole squares of even rows; false: it is none. */
bool vf_store_squares(const vf_block *b, byte *dst, const byte *src, ahead *next);

/* vf_move_pairs(): moves what no whole square takes of a stored block of units of 1 and 2 bytes.
 * vf_has_pairs(): is there any? vf_whole_squares(): whole squares are n by rows units. */
bool vf_has_pairs(const vf_block *b);
void vf_move_pairs(const vf_block *b, byte *dst, const byte *src);
void vf_whole_squares(const vf_block *b, int64_t *n, int64_t *rows);
