/* sink_avx512.h -- a stream of bytes past the cache, put together in registers.
 *
 * A sink takes vectors of 1 to 64 bytes, fills line after line of dst with them, and lets each line go when
 * it is full. It may be opened at any address, and any number of bytes may come. By a buffer in L1 it would
 * be half as fast: stores to the buffer wait in one queue with those to memory, and a load that needs two of
 * them waits until they have left the queue.
 */
#pragma once

#include "codelets/variant.h"
#include "codelets/vec512.h"

enum { SINK_ROOM = LINE };

/* The line that fills: its first `held` bytes have come, in `carry`; those from `first` on are ours. */
typedef struct sink {
	byte *line;
	int64_t held, first;
	bool stays;          /* lines stay in the cache */
	__m512i carry, turn; /* turn: byte i comes from byte i - held, around the end */
	__mmask64 old;       /* the first `held` bytes */
} sink;

INLINE void sink_hold(sink *k, int64_t held)
{
	k->held = held;
	k->turn = _mm512_sub_epi8(load64(first_places), _mm512_set1_epi8((char)held));
	k->old = first_bytes(held);
}

/* `room` is not used here: sinks that keep lines in L1 need it. */
INLINE void sink_open(sink *k, byte *dst, byte *room)
{
	(void)room;
	int64_t held = (int64_t)((uintptr_t)dst & (LINE - 1));
	k->line = dst - held, k->first = held, k->carry = _mm512_setzero_si512();
	k->stays = false;
	sink_hold(k, held);
}

/* Where the next byte goes. */
INLINE byte *sink_place(const sink *k)
{
	return k->line + k->held;
}

INLINE void sink_let_go(sink *k, __m512i line)
{
	if (k->first)
		_mm512_mask_storeu_epi8(k->line, ~first_bytes(k->first), line);
	else if (k->stays)
		store64(k->line, line);
	else
		stream64(k->line, line);
	k->first = 0;
	k->line += LINE;
}

/* Pushes a whole vector. Its first bytes, turned to their place, fill the line. The others stand at the start
 * of the next one. */
INLINE void sink_push_whole(sink *k, __m512i v)
{
	__m512i turned = _mm512_permutexvar_epi8(k->turn, v);
	sink_let_go(k, _mm512_mask_mov_epi8(turned, k->old, k->carry));
	k->carry = turned;
}

/* Pushes n bytes of a vector that is turned already; 0 < n <= 64. True if `*line` is full now, and may go. */
INLINE bool sink_fills(sink *k, __m512i turned, int64_t n, __m512i *line)
{
	const bool full = k->held + n >= LINE;
	*line = _mm512_mask_mov_epi8(turned, k->old, k->carry);
	k->carry = full ? turned : *line;
	if (n < LINE)
		sink_hold(k, (k->held + n) % LINE);
	return full;
}

INLINE void sink_put(sink *k, __m512i turned, int64_t n)
{
	__m512i line;
	if (sink_fills(k, turned, n, &line))
		sink_let_go(k, line);
}

/* Pushes the first n bytes of v. */
INLINE void sink_push(sink *k, __m512i v, int64_t n)
{
	sink_put(k, _mm512_permutexvar_epi8(k->turn, v), n);
}

/* Pushes the n bytes of v after the first `skip`; each byte of the vector `skip` holds that number. */
INLINE void sink_push_after(sink *k, __m512i v, __m512i skip, int64_t n)
{
	sink_put(k, _mm512_permutexvar_epi8(_mm512_add_epi8(k->turn, skip), v), n);
}

INLINE void sink_close(const sink *k)
{
	if (k->held > k->first)
		_mm512_mask_storeu_epi8(k->line, k->old & ~first_bytes(k->first), k->carry);
}
