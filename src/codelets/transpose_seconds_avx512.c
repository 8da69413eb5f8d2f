/* transpose_seconds_avx512.c -- transposed blocks that compute f32 with second values of rows and columns.
 *
 * In     a tile of transpose_avx512.c, and its chain with the block's values
 * Out    as transpose_computed_avx512.c, and rows that are joined
 * Tests  tests/unit/test_transpose.c
 */
#define VF_SECONDS 1
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/joined_avx512.h"
#include "codelets/moved_computed_avx512.h"

enum { F32 = 4 };

static __attribute__((noinline)) void stored(const target *t, const tile *s, ahead *next)
{
	computed_of(*t, *s, F32, STORE, next);
}

static __attribute__((noinline)) void streamed(const target *t, const tile *s, ahead *next)
{
	computed_of(*t, *s, F32, STREAM, next);
}

static __attribute__((noinline)) void moved(const target *t, const tile *s, ahead *next)
{
	computed_of(*t, *s, F32, SHIFT, next);
}

void vf_move_seconds(const target *t, const tile *s, way how, ahead *next)
{
	if (how == STORE)
		stored(t, s, next);
	else if (how == STREAM)
		streamed(t, s, next);
	else
		moved(t, s, next);
}

void vf_join_seconds(const target *t, const tile *s, ahead *next)
{
	_Alignas(64) byte stage[JOINED_STAGE];
	target staged = *t;
	staged.kept = stage;
	joined_of(&staged, s, F32, next);
}
#endif
