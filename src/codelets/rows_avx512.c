/* rows_avx512.c -- the table of the AVX-512 variant: VBMI's byte permutation picks any 64 bytes. */
#include "codelets/variant.h"

#if VF_CODELETS_X86
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

#define transpose_codelet vf_transpose_avx512
#define scatter_codelet wide_scatter
/* Whether units are scattered by masks. */
#define SPREADS(unit, stride) ((unit) <= 16 && (stride) >= (unit) && (stride) <= WIDTH / 4)
static vf_codelet wide_scatter;
#include "codelets/recipe.h"
#include "codelets/lines_avx512.h"
#include "codelets/index.h"
#include "codelets/matrices.h"
#include "codelets/rows.h"
#include "codelets/planes_avx512.h"

/* ---- past the cache ---- */

static void wide_fill(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const byte *s = src;
	const int64_t row = b->n * b->unit, k = b->unit <= WIDTH ? WIDTH / b->unit : 0;
	uint16_t block[WIDTH];
	if (!b->stream || k == 0 || b->n <= 0 || b->rows <= 0 || (b->dst_step == row && 2 * row <= WIDTH)) {
		rows_fill(b, dst, src, flow);
		return;
	}
	const pick repeat = repeat_of(b->unit, k, block);
	sink out = sink_open(dst);
	for (int64_t r = 0; r < b->rows; r++, s += b->src_step) {
		if (b->dst_step != row)
			out = sink_open((byte *)dst + r * b->dst_step);
		joined_fill(&out, picked(repeat, load_some(s, b->unit)), row, k * b->unit);
		if (b->dst_step != row)
			sink_close(&out);
	}
	if (b->dst_step == row)
		sink_close(&out);
}

/* ---- scattering: masked stores leave what is between ---- */

/* `k` units of a vector, spread. */
typedef struct spread {
	pick picked;
	int64_t k, base; /* base: of the vector of dst, from the first unit */
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
    .of = {[VF_CODELET_copy] = rows_copy,
           [VF_CODELET_leave] = rows_leave,
           [VF_CODELET_fill] = wide_fill,
           [VF_CODELET_gather] = rows_gather,
           [VF_CODELET_index] = rows_index,
           [VF_CODELET_scatter] = wide_scatter,
           [VF_CODELET_interleave] = wide_interleave,
           [VF_CODELET_deinterleave] = wide_deinterleave,
           [VF_CODELET_pick] = rows_pick,
           [VF_CODELET_parts] = rows_parts,
           [VF_CODELET_transpose] = vf_transpose_avx512,
           [VF_CODELET_apply] = vf_apply_avx512},
    .fence = fence,
};
#endif
