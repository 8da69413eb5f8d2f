/* transpose_computed_avx512.c -- transposed blocks whose elements are computed.
 *
 * In     a tile of transpose_avx512.c, and its chain of elements
 * Out    its units in dst, computed: stored, past the cache to rows that lie on lines, or shifted
 * Tests  tests/unit/test_packed.c, tests/unit/test_transpose.c
 */
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/shifted_pairs_avx512.h"

/* `unit` and `how`, not KEEP, are constants. */
INLINE void computed_of(target t, tile s, const int unit, const way how, ahead *next)
{
	const int64_t head = how == STREAM ? units_before_line(&t, &s, unit) : 0;
	if (head > 0) {
		int64_t repeated[64];
		const tile first = {s.src, strip_rows(s.at, head, STRIP(unit), repeated), head, s.nb, s.f};
		t.bytes = head * unit;
		edge_of(&t, &first, unit, STORE, next);
		t.dst += head * unit, s.at += head, s.na -= head;
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

/* A function of its own for each unit and way, as in transpose_stored_avx512.c. */
#define COMPUTED_GOES(size, how)                                                                             \
	static __attribute__((noinline)) void computed_##size##_##how(const target *t, const tile *s,        \
	                                                              ahead *next)                           \
	{                                                                                                    \
		computed_of(*t, *s, size, how, next);                                                        \
	}
#define EACH_WAY(size) COMPUTED_GOES(size, STORE) COMPUTED_GOES(size, STREAM) COMPUTED_GOES(size, SHIFT)
EACH_COMPUTED(EACH_WAY)
#undef EACH_WAY
#undef COMPUTED_GOES

void vf_move_computed(const target *t, const tile *s, int64_t unit, way how, ahead *next)
{
#define CASE(size)                                                                                           \
	case size:                                                                                           \
		if (how == STORE)                                                                            \
			computed_##size##_STORE(t, s, next);                                                 \
		else if (how == STREAM)                                                                      \
			computed_##size##_STREAM(t, s, next);                                                \
		else                                                                                         \
			computed_##size##_SHIFT(t, s, next);                                                 \
		break;
	switch (unit) {
		EACH_COMPUTED(CASE)
	default: break;
	}
#undef CASE
}
#endif
