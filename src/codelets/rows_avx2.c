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

INLINE vec vec_of(byte b)
{
	return _mm_set1_epi8((char)b);
}

INLINE vec merged(vec below, pick p, vec v)
{
	return _mm_or_si128(below, _mm_shuffle_epi8(v, p));
}

INLINE void store_part(byte *p, vec v, int64_t bytes)
{
	store_some(p, _mm256_castsi128_si256(v), bytes);
}

typedef __m256i lanes;
enum { LANES = 32 };

INLINE lanes lanes_of(vec v)
{
	return _mm256_broadcastsi128_si256(v);
}

#define load_lanes load_kept
#define store_lanes store32

#define transpose_codelet vf_transpose_avx2
#define scatter_codelet vf_plain_scatter
#define SPREADS(unit, stride) 0
#define stream_vec stream16

#include "codelets/recipe.h"
#include "codelets/sink_narrow.h"
#include "codelets/lines.h"
#include "codelets/cycle.h"
#include "codelets/lane_pairs.h"
#include "codelets/joined_rows.h"

/* The first n bytes of a, then the others of b. */
INLINE __m256i joined_at(__m256i a, __m256i b, int64_t n)
{
	static const uint64_t of_b[8] = {0, 0, 0, 0, ~0ull, ~0ull, ~0ull, ~0ull};
	return _mm256_blendv_epi8(a, b, load32((const byte *)of_b + 32 - n));
}

/* Writes the line of dst in which a row ends, with `bytes` bytes at src, and the next row of the call begins.
 * Both rows have a line and more. Where the next one begins above the end of this one, or up to 32 bytes
 * below it, the line is put together in registers: the call may read the 32 bytes after this row's end, and
 * those before the next row. */
static void stream_joint(byte *dst, const byte *src, int64_t bytes, const byte *next)
{
	const byte *before = (const byte *)((uintptr_t)next - (uintptr_t)bytes);
	if ((intptr_t)next < (intptr_t)(src + bytes) - 32) {
		joint_by_line(dst, src, bytes, next);
		return;
	}
	const __m256i low = bytes >= 32 ? load32(src) : joined_at(load32(src), load32(before), bytes);
	const __m256i high = bytes <= 32 ? load32(before + 32)
	                                 : joined_at(load32(src + 32), load32(before + 32), bytes - 32);
	stream32(dst, low);
	stream32(dst + 32, high);
}

#include "codelets/index.h"
#include "codelets/matrices.h"
#include "codelets/rows.h"

/* ---- planes ---- */

#define stream_lanes stream32
#define shuffled _mm256_shuffle_epi8
#define either _mm256_or_si256
#define lowest _mm256_min_epu8
#define chosen(from, v, w) _mm256_blendv_epi8(v, w, from)

INLINE lanes in_lanes(const byte *p)
{
	return _mm256_broadcastsi128_si256(load16(p));
}

INLINE lanes from_lanes(const byte *p, int64_t apart)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(p)), load16(p + apart), 1);
}

/* `n`, 2 to 4, is a constant where this is called. */
INLINE void lanes_in_order(lanes *out, const lanes *v, const int n)
{
	enum { LOW_LOW = 0x20, LOW_HIGH = 0x30, HIGH_HIGH = 0x31 };
	out[0] = _mm256_permute2x128_si256(v[0], v[1], LOW_LOW);
	if (n == 2)
		out[1] = _mm256_permute2x128_si256(v[0], v[1], HIGH_HIGH);
	if (n == 3) {
		out[1] = _mm256_permute2x128_si256(v[2], v[0], LOW_HIGH);
		out[2] = _mm256_permute2x128_si256(v[1], v[2], HIGH_HIGH);
	}
	if (n == 4) {
		out[1] = _mm256_permute2x128_si256(v[2], v[3], LOW_LOW);
		out[2] = _mm256_permute2x128_si256(v[0], v[1], HIGH_HIGH);
		out[3] = _mm256_permute2x128_si256(v[2], v[3], HIGH_HIGH);
	}
}

INLINE void store_apart(byte *p, int64_t apart, lanes v)
{
	store16(p, _mm256_castsi256_si128(v));
	store16(p + apart, _mm256_extracti128_si256(v, 1));
}

INLINE lanes halves(const byte *p, int64_t apart)
{
	const __m128i low = _mm_loadl_epi64((const void *)p),
		      high = _mm_loadl_epi64((const void *)(p + apart));
	return _mm256_castsi128_si256(_mm_unpacklo_epi64(low, high));
}

#include "codelets/lanes16.h"
#include "codelets/planes.h"

const vf_codelets vf_codelets_avx2 = {
    .name = "avx2",
    .lines = 1,
    .of = CODELETS_OF(planes_interleave, planes_deinterleave, vf_plain_weave, vf_apply_avx2),
    .fence = fence,
};
#endif
