/* tiles_avx512.h -- a tile, strip after strip: for the files transpose_*_avx512.c. */
#ifndef VF_CODELETS_TILES_AVX512_H
#define VF_CODELETS_TILES_AVX512_H

#include "codelets/strip_avx512.h"

/* The offsets of a strip's rows: if there are fewer, the last again. */
INLINE const int64_t *strip_rows(const int64_t *at, int64_t n, int64_t strip, int64_t *repeated)
{
	if (n >= strip)
		return at;
	for (int64_t i = 0; i < strip; i++)
		repeated[i] = at[i < n ? i : n - 1];
	return repeated;
}

/* A strip that is short, or SHIFT's first: by way of a stage. */
INLINE void edge_of(const target *t, const tile *s, const int unit, const way how, ahead *next)
{
	enum { ROWS = 16 };
	_Alignas(64) byte stage[ROWS * LINE];
	const target staged = {.kept = stage, .pitch = LINE};
	for (int64_t b = 0; b < s->nb; b += ROWS) {
		const tile part = {row_of(s, b, unit), s->at, s->na, smaller(s->nb - b, ROWS), s->f};
		keep_strip(&staged, &part, unit, next);
		for (int64_t i = 0; i < part.nb; i++) {
			byte *d = t->dst + t->at[b + i];
			__m512i v = load64(stage + i * LINE);
			if (how == SHIFT)
				put_edge(d, v, t->kept + (b + i) * t->pitch, t->bytes, t->fresh);
			else
				store_some(d, v, t->bytes);
		}
	}
}

/* Strip after strip of some units of B. `unit` and `how` are constants where this is called. */
INLINE void strips_of(target t, const tile *s, const int unit, const way how, ahead *next)
{
	const int64_t strip = STRIP(unit);
	for (int64_t a = 0; a < s->na; a += strip, t.dst += strip * unit, t.fresh = false) {
		int64_t repeated[64], n = smaller(s->na - a, strip);
		const tile part = {s->src, strip_rows(s->at + a, n, strip, repeated), n, s->nb, s->f};
		t.bytes = n * unit;
		if (n == strip && !(how == SHIFT && t.fresh))
			strip_of(&t, &part, unit, how, next);
		else
			edge_of(&t, &part, unit, how, next);
	}
}

/* Likewise; not KEEP, not SHIFT of units of 3, 6, 12. STREAM: all strips of a few lines of the source rows
 * come before the next lines', so a row of dst gets its two lines shortly after each other. On a Zen 4 single
 * lines stream half as fast as pairs. Four lines at a time, as one is slower where rows are short; one of
 * units of 1 and 2 bytes, of which four are 128 rows of dst and more (u8 2880 x 2880: 0.76 to 0.85 of the
 * fastest copy). */
INLINE void tile_of(target t, const tile *s, const int unit, const way how, ahead *next)
{
	const int64_t lines = s->f ? 4 * LINE / s->f->from_bytes : (unit < 4 ? 1 : 4) * STRIP(unit);
	const int64_t slice = how == STREAM ? lines : s->nb;
	const int64_t *at = t.at;
	for (int64_t b = 0; b < s->nb; b += slice) {
		const tile part = {row_of(s, b, unit), s->at, s->na, smaller(slice, s->nb - b), s->f};
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

/* What no whole square takes of a stored block of units of 1 and 2 bytes. vf_has_pairs(): is there any?
 * vf_whole_squares(): the squares are of n by rows units. */
bool vf_has_pairs(const vf_block *b);
void vf_move_pairs(const vf_block *b, byte *dst, const byte *src);
void vf_whole_squares(const vf_block *b, int64_t *n, int64_t *rows);

#endif
