/* rows_avx512.c -- the table of the AVX-512 variant: VBMI's byte permutation picks any 64 bytes. */
#include "codelets/variant.h"

#if VF_CODELETS_AVX512
#include "codelets/vec512.h"

typedef __m512i vec;
enum { WIDTH = 64 };

typedef struct pick {
	__m512i index;
	__mmask64 used;
} pick;

INLINE pick pick_make(const signed char *from)
{
	__m512i index = load64((const byte *)from);
	return (pick){index, ~_mm512_movepi8_mask(index)};
}

INLINE vec picked(pick p, vec v)
{
	return _mm512_maskz_permutexvar_epi8(p.used, p.index, v);
}

INLINE vec merged(vec below, pick p, vec v)
{
	return _mm512_mask_permutexvar_epi8(below, p.used, p.index, v);
}

INLINE vec vec_of(byte b)
{
	return _mm512_set1_epi8((char)b);
}

INLINE vec load_vec(const byte *p)
{
	return load64(p);
}

INLINE vec load_part(const byte *p, int64_t from, int64_t to)
{
	return _mm512_maskz_loadu_epi8(first_bytes(to) & ~first_bytes(from), p);
}

INLINE void store_vec(byte *p, vec v)
{
	store64(p, v);
}

INLINE void store_part(byte *p, vec v, int64_t bytes)
{
	store_some(p, v, bytes);
}

typedef __m512i lanes;
enum { LANES = 64 };
#define lanes_of(v) (v)
#define load_lanes load_kept
#define store_lanes store64

#define transpose_codelet vf_transpose_avx512
#define scatter_codelet wide_scatter
/* Whether units are scattered by masks. */
#define SPREADS(unit, stride) ((unit) <= 16 && (stride) >= (unit) && (stride) <= WIDTH / 4)
static vf_codelet wide_scatter;
#define stream_vec stream64

INLINE void stream_both(byte *p, const vec *v, int64_t n, const vec *others)
{
	stream_vec(p, _mm512_mask_mov_epi8(*others, first_bytes(n), *v));
}

INLINE void store_between(byte *p, const vec *v, int64_t from, int64_t to)
{
	_mm512_mask_storeu_epi8(p, first_bytes(to) & ~first_bytes(from), *v);
}

#include "codelets/recipe.h"
#include "codelets/room_avx512.h"
#include "codelets/sink_avx512.h"
#include "codelets/lines.h"
#include "codelets/cycle.h"
#include "codelets/stored_cycles.h"

/* ---- plain rows, and rows of one pattern ---- */

/* Rows that fill dst without a gap go into one sink. */
typedef sink joined;
#define joined_close sink_close

INLINE void joined_open(joined *k, byte *dst)
{
	sink_open(k, dst, NULL);
}

/* The end of a row of a line and more is loaded with what stands before it: a load waits for both lines that
 * it touches, masked or not, and nothing else may read the line after the row. */
INLINE void joined_add(joined *k, const byte *s, int64_t bytes, rows_ahead *next)
{
	const byte *end = s + bytes;
	for (; end - s >= LINE; s += LINE) {
		fetch_ahead(s, next);
		sink_push_whole(k, load64(s));
	}
	const int64_t n = end - s;
	fetch_end(s, n, next);
	if (n > 0 && bytes < LINE)
		sink_push(k, load_some(s, n), n);
	else if (n > 0)
		sink_push_after(k, load64(end - LINE), _mm512_set1_epi8((char)(LINE - n)), n);
}

#include "codelets/short_rows_avx512.h"

/* Pushes n bytes of a pattern; the first `period` bytes of v are whole repetitions of it. */
INLINE void joined_fill(sink *k, __m512i v, int64_t n, int64_t period)
{
	if (period == LINE)
		for (; n >= LINE; n -= LINE)
			sink_push_whole(k, v);
	for (; n >= period; n -= period)
		sink_push(k, v, period);
	if (n > 0)
		sink_push(k, v, n);
}

/* Writes the line of dst in which a row ends, with `bytes` bytes at src, and the next row begins. Both rows
 * have at least 64 bytes. Where the next row lies elsewhere, only bytes of the two rows are read. Where it
 * begins less than a line on, what lies between is read in any case, and masks are faster (Zen 5, f32
 * [400000,17] without its last column: 0.84 of the fastest copy, by masks 0.90). */
INLINE void stream_joint(byte *dst, const byte *src, int64_t bytes, const byte *next)
{
	if ((uintptr_t)next - (uintptr_t)(src + bytes) < LINE) {
		const __mmask64 old = first_bytes(bytes);
		const __m512i line = _mm512_maskz_loadu_epi8(old, src);
		stream64(dst, _mm512_mask_loadu_epi8(line, ~old, next - bytes));
		return;
	}
	const __m512i end = load64(src + bytes - LINE);
	stream64(dst, _mm512_permutex2var_epi8(end, places_from(LINE - bytes), load64(next)));
}

#include "codelets/index.h"
#include "codelets/matrices.h"
#define put_pairs store_cycles
#define stage_pairs(f, b, dst, src) false
#include "codelets/rows.h"
#include "codelets/weave_avx512.h"

/* ---- planes: two permutations, each of two vectors, make one vector, whatever the unit ---- */

#define LANE 64
#define stream_lanes stream_vec
#define load_lanes_some load_some
#define store_lanes_some store_some
#define sink_push_lanes sink_push_whole
#define sink_push_lanes_some sink_push
#define to_planes to_pixels
#define load_mirrored load_lanes

/* The last n bytes of those at p. */
INLINE __m512i load_mirrored_some(const byte *p, int64_t n)
{
	return _mm512_maskz_loadu_epi8(~first_bytes(LANES - n), p);
}

/* For each vector that comes out: where its bytes are in vectors 0 and 1, and in vectors 2 and 3. */
typedef struct mix {
	__m512i first[4], second[4];
	__mmask64 from_second[4];
} mix;

INLINE mix mix_make(const uint8_t from[256])
{
	mix m;
	for (int l = 0; l < 4; l++) {
		__m512i index = load64(from + 64 * l);
		m.first[l] = index; /* the permutation looks at 7 bits */
		m.second[l] = _mm512_sub_epi8(index, _mm512_set1_epi8((char)128));
		m.from_second[l] = _mm512_movepi8_mask(index);
	}
	return m;
}

/* `planes` is a constant where this is called. */
INLINE __m512i mixed(const mix *m, int l, const __m512i *v, const int planes)
{
	__m512i first = _mm512_permutex2var_epi8(v[0], m->first[l], v[1]);
	if (planes == 2)
		return first;
	if (planes == 3)
		return _mm512_mask_permutexvar_epi8(first, m->from_second[l], m->second[l], v[2]);
	__m512i second = _mm512_permutex2var_epi8(v[2], m->second[l], v[3]);
	return _mm512_mask_mov_epi8(first, m->from_second[l], second);
}

INLINE void to_pixels(const mix *m, __m512i *out, const __m512i *v, const int planes)
{
	UNROLL for (int l = 0; l < planes; l++) out[l] = mixed(m, l, v, planes);
}

/* Loads `bytes` bytes of pixels, at most a vector a plane. */
INLINE void load_pixels(__m512i *v, const byte *src, int64_t bytes, const int planes)
{
	UNROLL for (int l = 0; l < planes; l++)
	{
		int64_t here = bytes - 64 * l;
		v[l] = here >= 64  ? load_kept(src + 64 * l)
		       : here <= 0 ? _mm512_setzero_si512()
		                   : load_some(src + 64 * l, here);
	}
}
#include "codelets/planes.h"
#include "codelets/squares_avx512.h"

/* ---- scattering: masked stores leave alone what is between units ---- */

/* How k units of a vector are spread over dst. */
typedef struct spread {
	pick picked;
	int64_t k, base; /* base: where the vector of dst begins, from the first unit */
	__mmask64 written;
} spread;

static spread spread_make(int64_t k, int64_t stride, int64_t unit)
{
	signed char index[WIDTH];
	memset(index, -1, sizeof index);
	int64_t base = stride < 0 ? (k - 1) * stride : 0;
	for (int64_t i = 0; i < k; i++)
		for (int64_t c = 0; c < unit; c++)
			index[i * stride - base + c] = (signed char)(i * unit + c);
	pick p = pick_make(index);
	return (spread){p, k, base, p.used};
}

INLINE void spread_step(const spread *s, byte *dst, const byte *src, int64_t unit)
{
	_mm512_mask_storeu_epi8(dst + s->base, s->written, picked(s->picked, load_some(src, s->k * unit)));
}

static void wide_scatter(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const int64_t unit = b->unit, stride = b->stride, distance = stride < 0 ? -stride : stride;
	if (b->n <= 0 || b->rows <= 0)
		return;
	if (!SPREADS(unit, distance)) {
		vf_plain_scatter(b, dst, src, flow);
		return;
	}
	int64_t k = (WIDTH - unit) / distance + 1, rest = b->n % k;
	spread whole = spread_make(k, stride, unit), last = spread_make(rest ? rest : 1, stride, unit);
	for (int64_t r = 0; r < b->rows; r++) {
		byte *d = (byte *)dst + r * b->dst_step;
		const byte *s = (const byte *)src + r * b->src_step;
		for (int64_t i = 0; i < b->n / k; i++, d += k * stride, s += k * unit)
			spread_step(&whole, d, s, unit);
		if (rest)
			spread_step(&last, d, s, unit);
	}
}

const vf_codelets vf_codelets_avx512 = {
    .name = "avx512",
    .lines = 1,
    .wide = 1,
    .of = CODELETS_OF(squares_interleave, squares_deinterleave, wide_weave, vf_apply_avx512),
    .fence = fence,
};
#endif
