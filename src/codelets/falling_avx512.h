/* falling_avx512.h -- rows past the cache that are filled from their ends to their beginnings.
 *
 * As sink_avx512.h, but the lines of a row follow each other downwards. So what is mirrored is read upwards,
 * which the processor's own fetching follows. Rows follow each other upwards, without a gap: the line in
 * which one ends waits until the next one begins there.
 */
#pragma once

#include "codelets/sink_avx512.h"

/* `line` fills: its bytes from `held` on are in `carry`. */
typedef struct falling {
	byte *line;
	int64_t held;
	int64_t others;      /* the first bytes of the line in which this row begins that are not ours */
	bool fresh;          /* nothing of the row has come */
	__m512i carry, turn; /* turn: byte i comes from byte i - held, around the end */
	__m512i before, top; /* the lines in which the row before ends, and this one */
	__mmask64 low;       /* the first `held` bytes */
} falling;

INLINE void falling_open(falling *k, const byte *dst)
{
	k->others = (int64_t)((uintptr_t)dst & (LINE - 1));
	k->top = k->carry = _mm512_setzero_si512();
}

INLINE void falling_row(falling *k, byte *end)
{
	k->held = (int64_t)((uintptr_t)end & (LINE - 1));
	k->line = end - k->held;
	k->turn = _mm512_sub_epi8(load64(first_places), _mm512_set1_epi8((char)k->held));
	k->low = first_bytes(k->held);
	k->before = k->top;
	k->fresh = true;
}

/* Pushes a whole vector, which comes before those that were pushed. The first one fills no line. */
INLINE void falling_push(falling *k, __m512i v)
{
	const __m512i turned = _mm512_permutexvar_epi8(k->turn, v);
	if (k->fresh)
		k->top = turned;
	else
		stream64(k->line, _mm512_mask_mov_epi8(k->carry, k->low, turned));
	k->fresh = false, k->carry = turned, k->line -= LINE;
}

/* Writes the line in which the row begins, at byte `from` of it. */
INLINE void falling_begins(falling *k, byte *line, __m512i v, int64_t from)
{
	const __m512i both = _mm512_mask_mov_epi8(v, first_bytes(from), k->before);
	if (k->others)
		_mm512_mask_storeu_epi8(line, ~first_bytes(k->others), both);
	else
		stream64(line, both);
	k->others = 0;
}

/* The row is whole vectors: the first of its lines has come. */
INLINE void falling_whole(falling *k)
{
	falling_begins(k, k->line, k->carry, k->held);
}

/* Pushes the last `left` bytes of v, 1 to 63, which are the first of the row. */
INLINE void falling_rest(falling *k, __m512i v, int64_t left)
{
	const int64_t from = k->held - left; /* below 0: of the line before */
	const __m512i turned = _mm512_permutexvar_epi8(k->turn, v);
	if (k->fresh)
		k->top = from > 0 ? _mm512_mask_mov_epi8(turned, first_bytes(from), k->before) : turned;
	const __m512i line = _mm512_mask_mov_epi8(k->carry, k->low, turned);
	if (from < 0 && !k->fresh)
		stream64(k->line, line);
	if (from < 0)
		falling_begins(k, k->line - LINE, turned, from + LINE);
	else if (!k->fresh)
		falling_begins(k, k->line, line, from);
}

/* Writes the line in which the last row ends. */
INLINE void falling_close(const falling *k, byte *end)
{
	const int64_t held = (int64_t)((uintptr_t)end & (LINE - 1));
	_mm512_mask_storeu_epi8(end - held, first_bytes(held) & ~first_bytes(k->others), k->top);
}
