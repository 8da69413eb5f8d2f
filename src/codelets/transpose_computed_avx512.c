/* transpose_computed_avx512.c -- transposed blocks whose elements are computed.
 *
 * In     a tile of transpose_avx512.c, and its chain of elements
 * Out    its units in dst, computed: stored, past the cache to rows that lie on lines, or shifted
 * Tests  tests/unit/test_packed.c, tests/unit/test_transpose.c
 */
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/moved_computed_avx512.h"

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
