/* kernels_avx512.c -- the table of the AVX-512 variant: VBMI's byte permutation picks any 64 bytes. */
#include "runtime/kernels_variant.h"

#if VF_KERNELS_X86
#include "runtime/vec512.h"

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

INLINE vec load_vec(const byte *p)
{
	return load64(p);
}

INLINE vec load_part(const byte *p, int64_t bytes)
{
	return load_some(p, bytes);
}

INLINE void store_vec(byte *p, vec v)
{
	store64(p, v);
}

INLINE void store_part(byte *p, vec v, int64_t bytes)
{
	store_some(p, v, bytes);
}

INLINE vec either(vec a, vec b)
{
	return _mm512_or_si512(a, b);
}

#include "runtime/recipe.h"
#include "runtime/lines_avx512.h"
#define tile_kernel vf_tile_avx512
#include "runtime/rows_engine.h"
#include "runtime/planes_avx512.h"

/* ---- past the cache ---- */

static void wide_stream_rows(void *dst, const void *src, int64_t rows, int64_t dst_step,
                             int64_t src_step, int64_t bytes)
{
	if (dst_step == bytes && src_step != bytes)
		stream_joined(dst, src, rows, src_step, bytes);
	else
		rows_stream_rows(dst, src, rows, dst_step, src_step, bytes);
}

static void wide_fill(void *dst, const void *src, int64_t rows, int64_t dst_step, int64_t src_step,
                      int64_t n, int64_t unit, int64_t stream)
{
	const byte *s = src;
	step t;
	if (!stream || n <= 0 || rows <= 0 || unit > WIDTH) {
		rows_fill(dst, src, rows, dst_step, src_step, n, unit, stream);
		return;
	}
	gather_step(&t, WIDTH / unit, 0, unit);
	sink k = sink_open(dst);
	for (int64_t i = 0; i < rows; i++, s += src_step) {
		if (dst_step != n * unit)
			k = sink_open((byte *)dst + i * dst_step);
		sink_fill(&k, picked(t.picks[0], load_some(s, unit)), n * unit, t.bytes);
		if (dst_step != n * unit)
			sink_close(&k);
	}
	if (dst_step == n * unit)
		sink_close(&k);
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
	_mm512_mask_storeu_epi8(dst + s->base, s->written,
	                        picked(s->picked, load_part(src, s->k * unit)));
}

static void rows_scatter(void *dst, const void *src, int64_t rows, int64_t dst_step,
                         int64_t src_step, int64_t n, int64_t stride, int64_t unit)
{
	int64_t distance = stride < 0 ? -stride : stride;
	if (n <= 0 || rows <= 0)
		return;
	if (unit > 16 || distance < unit || distance > WIDTH / 4) {
		vf_k_scatter_rows(dst, src, rows, dst_step, src_step, n, stride, unit);
		return;
	}
	int64_t k = (WIDTH - unit) / distance + 1, rest = n % k;
	spread whole = spread_make(k, stride, unit),
	       last = spread_make(rest ? rest : 1, stride, unit);
	for (int64_t r = 0; r < rows; r++) {
		byte *d = (byte *)dst + r * dst_step;
		const byte *s = (const byte *)src + r * src_step;
		for (int64_t i = 0; i < n / k; i++, d += k * stride, s += k * unit)
			spread_step(&whole, d, s, unit);
		if (rest)
			spread_step(&last, d, s, unit);
	}
}

const vf_kernels vf_kernels_avx512 = {
    .name = "avx512",
    .lines = 1,
    .copy = rows_copy,
    .stream = rows_stream,
    .stream_ahead = rows_stream_ahead,
    .fence = rows_fence,
    .copy_rows = rows_copy_rows,
    .stream_rows = wide_stream_rows,
    .fill_rows = wide_fill,
    .reverse_rows = rows_reverse,
    .gather_rows = rows_gather,
    .scatter_rows = rows_scatter,
    .interleave_rows = wide_interleave,
    .deinterleave_rows = wide_deinterleave,
    .shuffle_rows = rows_shuffle,
    .tile = vf_tile_avx512,
    .tile_run = vf_tile_run_avx512,
    .prefetch_rows = rows_prefetch,
};
#endif
