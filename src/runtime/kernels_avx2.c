/* kernels_avx2.c -- the table of the AVX2 variant: 16 bytes a step, by the byte shuffle of a lane. */
#include "runtime/kernels_variant.h"

#if VF_KERNELS_X86
#include "runtime/vec256.h"

typedef __m128i vec;
enum { WIDTH = 16 };

typedef __m128i pick; /* the shuffle itself clears where the index is negative */

INLINE pick pick_make(const signed char *from)
{
	return load16((const byte *)from);
}

INLINE vec picked(pick p, vec v)
{
	return _mm_shuffle_epi8(v, p);
}

INLINE vec load_vec(const byte *p)
{
	return load16(p);
}

INLINE vec load_part(const byte *p, int64_t bytes)
{
	return load_some(p, bytes);
}

INLINE void store_vec(byte *p, vec v)
{
	store16(p, v);
}

INLINE void store_part(byte *p, vec v, int64_t bytes)
{
	store_some(p, _mm256_castsi128_si256(v), bytes);
}

INLINE vec either(vec a, vec b)
{
	return _mm_or_si128(a, b);
}

#include "runtime/recipe.h"

/* A line does not fit a register, and bytes do not cross the halves of one: ordinary stores. */
#define cook_lines cook
#define tile_kernel vf_tile_avx2
#include "runtime/rows_engine.h"

const vf_kernels vf_kernels_avx2 = {
    .name = "avx2",
    .copy = rows_copy,
    .stream = rows_stream,
    .stream_ahead = rows_stream_ahead,
    .fence = rows_fence,
    .copy_rows = rows_copy_rows,
    .stream_rows = rows_stream_rows,
    .fill_rows = rows_fill,
    .reverse_rows = rows_reverse,
    .gather_rows = rows_gather,
    .scatter_rows = vf_k_scatter_rows,
    .interleave_rows = rows_interleave,
    .deinterleave_rows = rows_deinterleave,
    .shuffle_rows = rows_shuffle,
    .tile = vf_tile_avx2,
    .tile_run = vf_tile_run_avx2,
    .prefetch_rows = rows_prefetch,
};
#endif
