/* laid_avx512.h -- rows of dst that start anywhere, of units that have no code of their own: for
 * transpose_avx512.c.
 *
 * Units of at most half a line are laid side by side in a stage in L1. Each is stored as a whole register,
 * and the next one over what is too much of it: no branch depends on how units fall on lines. When the stage
 * is full, its lines leave. (Zen 5, f32 [1221,641,5] by (1,0,2), of the fastest copy, units added to a line
 * in a register, and so: 0.51 and 0.62, [1220,640,6] 0.59 and 0.78; of 12, three quarters of a line, 0.91 and
 * 0.80.)
 */
#pragma once

#include "codelets/tiles_avx512.h"

/* ---- a line in a register ---- */

/* A line of dst that fills: its first c bytes have come, those from `from` on are ours. */
typedef struct growing {
	byte *d;
	int64_t c, from;
	__m512i line;
} growing;

INLINE void let_go(growing *g, ahead *next)
{
	if (g->from)
		_mm512_mask_storeu_epi8(g->d, ~0ULL << g->from, g->line);
	else
		stream64(g->d, g->line);
	ahead_ask(next, 1);
	g->from = 0, g->c -= LINE, g->d += LINE;
}

/* Adds a unit by a masked load, from an address before the unit, so that its first byte falls where the line
 * has come to. `small`, a constant: unit <= 64. */
INLINE void grow(growing *g, const byte *s, int64_t unit, __mmask64 whole, const bool small, ahead *next)
{
	g->line = _mm512_mask_loadu_epi8(g->line, whole << g->c,
	                                 (const byte *)((uintptr_t)s - (uintptr_t)g->c));
	g->c += unit;
	if (g->c < LINE)
		return;
	let_go(g, next);
	s += unit;
	while (!small && g->c >= LINE) {
		g->line = load64(s - g->c);
		let_go(g, next);
	}
	g->line = load_some(s - g->c, g->c);
}

INLINE void shifted_any(const target *t, const tile *s, int64_t unit, ahead *next, const bool small)
{
	const __mmask64 whole = first_bytes(unit);
	const byte *src = s->src;
	growing g = {.d = NULL};
	for (int64_t b = 0; b < s->nb; b++, src += unit) {
		byte *row = t->dst + t->at[b], *kept = t->kept + b * t->pitch;
		if (g.d == NULL || g.d + g.c != row) {
			g.c = (int64_t)((uintptr_t)row & (LINE - 1)), g.d = row - g.c;
			g.from = t->fresh ? g.c : 0;
			g.line = load64(kept);
		}
		if (small)
			ahead_column(next, s, b * unit, unit);
		for (int64_t a = 0; a < s->na; a++)
			grow(&g, src + s->at[a], unit, whole, small, next);
		if (t->last && b + 1 < s->nb && g.d + g.c == t->dst + t->at[b + 1])
			continue;
		if (t->last)
			_mm512_mask_storeu_epi8(g.d, first_bytes(g.c) & ~0ULL << g.from, g.line);
		else
			store64(kept, g.line);
		g.d = NULL;
	}
}

/* ---- a stage ---- */

enum { LAID_UNIT = 32, LAID = 4 << 10, LAID_ROWS = 64, LAID_AT_A_TIME = 64 };

/* Bytes that lie in the stage from a line on, and go to `line`: those from `first` on, up to `end`. `kept`:
 * where the last line goes, which is not full; NULL: to dst. */
typedef struct laid_row {
	byte *line, *kept;
	const byte *from;
	int64_t first, end;
} laid_row;

INLINE void leave_row(const laid_row *r)
{
	const byte *s = r->from;
	byte *d = r->line;
	int64_t first = r->first, left = r->end;
	if (first && left >= LINE) {
		_mm512_mask_storeu_epi8(d, ~first_bytes(first), load64(s));
		d += LINE, s += LINE, left -= LINE, first = 0;
	}
	for (; left >= LINE; d += LINE, s += LINE, left -= LINE)
		stream64(d, load64(s));
	if (r->kept)
		store64(r->kept, load64(s));
	else
		_mm512_mask_storeu_epi8(d, first_bytes(left) & ~first_bytes(first), load64(s));
}

static void leave_rows(const laid_row *rows, int n, ahead *next)
{
	for (int i = 0; i < n; i++) {
		leave_row(&rows[i]);
		ahead_ask(next, rows[i].end / LINE);
	}
}

/* Lays what row b of dst has held back at *to. */
INLINE laid_row begin_row(const target *t, int64_t b, byte **to)
{
	byte *row = t->dst + t->at[b], *kept = t->kept + b * t->pitch;
	const int64_t held = (int64_t)((uintptr_t)row & (LINE - 1));
	*to += -(uintptr_t)*to & (LINE - 1);
	const laid_row r = {row - held, t->last ? NULL : kept, *to, t->fresh ? held : 0, held};
	store64(*to, load64(kept));
	*to += held;
	return r;
}

/* s->na is at most LAID_AT_A_TIME. Rows that follow each other leave as one. */
static void shifted_laid(const target *t, const tile *s, int64_t unit, ahead *next)
{
	_Alignas(LINE) byte stage[LAID + LAID_AT_A_TIME * LAID_UNIT + 2 * LINE];
	const __mmask32 whole = (__mmask32)first_bytes(unit);
	laid_row rows[LAID_ROWS];
	byte *to = stage;
	int n = 0;
	for (int64_t b = 0; b < s->nb; b++) {
		const byte *src = s->src + b * unit;
		if (n == 0 || !t->last || rows[n - 1].line + rows[n - 1].end != t->dst + t->at[b])
			rows[n++] = begin_row(t, b, &to);
		ahead_column(next, s, b * unit, unit);
		for (int64_t a = 0; a < s->na; a++, to += unit)
			_mm256_storeu_si256((__m256i *)to, _mm256_maskz_loadu_epi8(whole, src + s->at[a]));
		rows[n - 1].end += s->na * unit;
		if (to - stage >= LAID || n == LAID_ROWS) {
			leave_rows(rows, n, next);
			n = 0, to = stage;
		}
	}
	leave_rows(rows, n, next);
}
