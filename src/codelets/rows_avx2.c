/* rows_avx2.c -- the table of the AVX2 variant: 16 bytes a step, by the byte shuffle of a lane. */
#include "codelets/variant.h"

#if VF_CODELETS_X86
#include "codelets/vec256.h"

typedef __m128i vec;
enum { WIDTH = 16 };

typedef __m128i pick; /* the shuffle itself clears where the index is negative */

#include "codelets/vec16.h"

INLINE vec picked(pick p, vec v)
{
	return _mm_shuffle_epi8(v, p);
}

INLINE vec merged(vec below, pick p, vec v)
{
	return _mm_or_si128(below, _mm_shuffle_epi8(v, p));
}

INLINE void store_part(byte *p, vec v, int64_t bytes)
{
	store_some(p, _mm256_castsi128_si256(v), bytes);
}

#define transpose_codelet vf_transpose_avx2
#define scatter_codelet vf_plain_scatter
#define SPREADS(unit, stride) 0
#include "codelets/recipe.h"

/* A line does not fit a register, and bytes do not cross the halves of one: ordinary stores. */
#define cook_lines cook
#include "codelets/joined_rows.h"
#include "codelets/index.h"
#include "codelets/matrices.h"
#include "codelets/rows.h"

const vf_codelets vf_codelets_avx2 = {
    .name = "avx2",
    .of = {[VF_CODELET_copy] = rows_copy,
           [VF_CODELET_leave] = rows_leave,
           [VF_CODELET_fill] = rows_fill,
           [VF_CODELET_gather] = rows_gather,
           [VF_CODELET_index] = rows_index,
           [VF_CODELET_scatter] = vf_plain_scatter,
           [VF_CODELET_interleave] = rows_interleave,
           [VF_CODELET_deinterleave] = rows_deinterleave,
           [VF_CODELET_pick] = rows_pick,
           [VF_CODELET_parts] = rows_parts,
           [VF_CODELET_transpose] = vf_transpose_avx2,
           [VF_CODELET_apply] = vf_apply_avx2},
    .fence = fence,
};
#endif
