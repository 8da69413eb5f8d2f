/* moved_computed_avx512.h -- a tile that is computed, whichever way it goes: for transpose_computed_avx512.c
 * and transpose_seconds_avx512.c.
 */
#pragma once

#include "codelets/widened_avx512.h"

/* `unit` and `how`, not KEEP, are constants. */
INLINE void computed_of(target t, tile s, const int unit, const way how, ahead *next)
{
	const int64_t head = how == STREAM ? units_before_line(&t, &s, unit) : 0;
	if (head > 0) {
		int64_t repeated[64];
		tile first = part_of(&s, 0, head, 0, s.nb, unit);
		first.at = strip_rows(s.at, head, STRIP(unit), repeated);
		t.bytes = head * unit;
		edge_of(&t, &first, unit, STORE, next);
		t.dst += head * unit, s.at += head, s.na -= head, s.a += head;
	}
	if (how == STREAM && is_widened(&t, &s, unit)) {
		if (unit == 2)
			widened_of(t, &s, 1, 2, next);
		else if (s.f->from_bytes == 1)
			widened_of(t, &s, 1, 4, next);
		else
			widened_of(t, &s, 2, 4, next);
		return;
	}
	const bool pairs = unit == 2 || (unit > 2 && unit <= 8 && !t.paired);
	if (how == SHIFT && pairs && s.na > 0 && !is_computed_after(s.f, unit)) {
		shifted_pairs(t, &s, unit, next);
		return;
	}
	tile_of(t, &s, unit, how, next);
	if (how == SHIFT && !t.paired && t.last && s.na * unit % LINE == 0 && !(t.fresh && s.na == 0))
		shifted_end(&t, &s, unit);
}
