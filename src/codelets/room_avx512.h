/* room_avx512.h -- a stream of bytes past the cache by way of a room in L1, for rows of dst that follow each
 * other: for squares_avx512.h and joined_avx512.h.
 *
 * What comes is stored to the room at any places, some lines a turn. Whole lines leave a turn after they
 * came: a load would wait for what was just written.
 */
#pragma once

#include "codelets/variant.h"
#include "codelets/vec512.h"

/* Bytes [from, to) of the room are on their way: they go to `line` and on. The first `first` of them are not
 * ours. */
typedef struct row_room {
	byte *line, *bytes;
	int64_t first, from, to, most;
} row_room;

/* At `bytes`, which is a line's beginning, there is space for `most` bytes and two turns more. */
INLINE void room_open(row_room *k, byte *dst, byte *bytes, int64_t most)
{
	k->first = (int64_t)((uintptr_t)dst & (LINE - 1));
	k->line = dst - k->first;
	k->bytes = bytes, k->most = most;
	k->from = 0, k->to = k->first;
}

/* Lets whole lines leave, up to `end`. */
INLINE void room_leave(row_room *k, int64_t end)
{
	for (; k->from + LINE <= end; k->from += LINE, k->line += LINE) {
		const __m512i line = load64(k->bytes + k->from);
		if (k->first)
			_mm512_mask_storeu_epi8(k->line, ~first_bytes(k->first), line);
		else
			stream64(k->line, line);
		k->first = 0;
	}
}

/* n more bytes came, at k->bytes + k->to. Afterwards there is space for the next turn. */
INLINE void room_took(row_room *k, int64_t n)
{
	room_leave(k, k->to);
	k->to += n;
	if (k->to <= k->most)
		return;
	room_leave(k, k->to);
	store64(k->bytes, load64(k->bytes + k->from));
	k->to -= k->from, k->from = 0;
}

static void room_close(row_room *k)
{
	room_leave(k, k->to);
	const __mmask64 ours = first_bytes(k->to - k->from) & ~first_bytes(k->first);
	_mm512_mask_storeu_epi8(k->line, ours, load64(k->bytes + k->from));
}
