/* planes_avx512.h -- 2, 3 or 4 planes to pixels and back, whole vectors on both sides.
 *
 * Text of rows_avx512.c. A step takes one vector of each plane, and makes (or takes) as many vectors of
 * pixels: two permutations of two vectors each make one, whatever the unit. Units are
 * 1, 2, 4 or 8 bytes.
 */

/* ---- where each byte comes from ---- */

/* Byte q of vectors side by side, in units of 1 << u bytes: of pixels, from planes of a vector each; of
 * planes, from vectors of pixels. */
#define IN_UNIT(u, q) ((q) & ((1 << (u)) - 1))
#define FROM_PLANES(planes, u, q)                                                                            \
	(uint8_t)((((q) >> (u)) % (planes)) * 64 + (((q) >> (u)) / (planes) << (u)) + IN_UNIT(u, q))
#define FROM_PIXELS(planes, u, q)                                                                            \
	(uint8_t)((((((q) % 64) >> (u)) * (planes) + (q) / 64) << (u)) + IN_UNIT(u, q))
#define BYTES4(from, planes, u, q)                                                                           \
	from(planes, u, q), from(planes, u, q + 1), from(planes, u, q + 2), from(planes, u, q + 3)
#define BYTES16(from, planes, u, q)                                                                          \
	BYTES4(from, planes, u, q), BYTES4(from, planes, u, q + 4), BYTES4(from, planes, u, q + 8),          \
	    BYTES4(from, planes, u, q + 12)
#define BYTES64(from, planes, u, q)                                                                          \
	BYTES16(from, planes, u, q), BYTES16(from, planes, u, q + 16), BYTES16(from, planes, u, q + 32),     \
	    BYTES16(from, planes, u, q + 48)
#define BYTES256(from, planes, u)                                                                            \
	{                                                                                                    \
		BYTES64(from, planes, u, 0), BYTES64(from, planes, u, 64), BYTES64(from, planes, u, 128),    \
		    BYTES64(from, planes, u, 192)                                                            \
	}
#define UNITS(from, planes)                                                                                  \
	{                                                                                                    \
		BYTES256(from, planes, 0), BYTES256(from, planes, 1), BYTES256(from, planes, 2),             \
		    BYTES256(from, planes, 3)                                                                \
	}

/* By planes - 2 and the unit's logarithm. Made here and not at each call: rows may be few and short. */
static const uint8_t from_planes[3][4][256] = {UNITS(FROM_PLANES, 2), UNITS(FROM_PLANES, 3),
                                               UNITS(FROM_PLANES, 4)};
static const uint8_t from_pixels[3][4][256] = {UNITS(FROM_PIXELS, 2), UNITS(FROM_PIXELS, 3),
                                               UNITS(FROM_PIXELS, 4)};

/* ---- vectors ---- */

/* For each vector that comes out: its bytes from vectors 0 and 1, and from 2 and 3. */
typedef struct mix {
	__m512i first[4], second[4];
	__mmask64 from_second[4];
} mix;

static mix mix_make(const uint8_t from[256])
{
	mix m;
	for (int l = 0; l < 4; l++) {
		__m512i index = load64(from + 64 * l);
		m.first[l] = index; /* 7 bits count */
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

/* `left` bytes of each plane, a vector at most. */
INLINE void load_planes(__m512i *v, const byte *src, int64_t left, int64_t plane_step, const int planes)
{
	if (left >= 64)
		UNROLL for (int p = 0; p < planes; p++) v[p] = load64(src + p * plane_step);
	else
		UNROLL for (int p = 0; p < planes; p++) v[p] = load_some(src + p * plane_step, left);
}

/* The same of pixels. */
INLINE void load_pixels(__m512i *v, const byte *src, int64_t left, const int planes)
{
	UNROLL for (int l = 0; l < planes; l++)
	{
		int64_t here = left * planes - 64 * l;
		v[l] = left >= 64  ? load64(src + 64 * l)
		       : here <= 0 ? _mm512_setzero_si512()
		                   : load_some(src + 64 * l, least(here, 64));
	}
}

/* ---- rows of n bytes a plane ---- */

/* One row; `planes` is a constant. */
INLINE void pixels_row(const mix *m, const vf_block *b, byte *dst, const byte *src, const int planes)
{
	__m512i v[4];
	const int64_t plane_step = b->stride;
	int64_t n = b->n * b->unit;
	for (; n >= 64; n -= 64, src += 64, dst += 64 * planes) {
		load_planes(v, src, 64, plane_step, planes);
		UNROLL for (int l = 0; l < planes; l++) store64(dst + 64 * l, mixed(m, l, v, planes));
	}
	if (n <= 0)
		return;
	load_planes(v, src, n, plane_step, planes);
	UNROLL for (int l = 0; l < planes; l++)
	{
		int64_t left = n * planes - 64 * l;
		if (left > 0)
			store_some(dst + 64 * l, mixed(m, l, v, planes), least(left, 64));
	}
}

INLINE void planes_row(const mix *m, const vf_block *b, byte *dst, const byte *src, const int planes)
{
	__m512i v[4];
	int64_t at[4], n = b->n * b->unit;
	UNROLL for (int p = 0; p < planes; p++) at[p] = plane_at(b, p);
	for (; n >= 64; n -= 64, dst += 64, src += 64 * planes) {
		load_pixels(v, src, 64, planes);
		UNROLL for (int p = 0; p < planes; p++) store64(dst + at[p], mixed(m, p, v, planes));
	}
	if (n <= 0)
		return;
	load_pixels(v, src, n, planes);
	UNROLL for (int p = 0; p < planes; p++) store_some(dst + at[p], mixed(m, p, v, planes), n);
}

/* Past the cache, `rows` rows as if in one. */
INLINE void pixels_lines(const mix *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                         const int planes)
{
	__m512i v[4];
	const int64_t n = b->n * b->unit, plane_step = b->stride;
	sink k = sink_open(dst);
	int64_t later = later_row(b, rows, n * planes), left;
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		for (left = n; left >= 64; left -= 64, s += 64) {
			load_planes(v, s, 64, plane_step, planes);
			UNROLL for (int p = 0; p < planes; p++) fetch_later(s + p * plane_step, later);
			UNROLL for (int l = 0; l < planes; l++) sink_push_line(&k, mixed(m, l, v, planes));
		}
		UNROLL for (int p = 0; p < planes; p++) fetch_span(s + p * plane_step, later, left);
		if (left > 0)
			load_planes(v, s, left, plane_step, planes);
		UNROLL for (int l = 0; l < planes; l++) if (left * planes > 64 * l)
		    sink_push(&k, mixed(m, l, v, planes), least(left * planes - 64 * l, 64));
	}
	sink_close(&k);
}

INLINE void planes_lines(const mix *m, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                         const int planes)
{
	__m512i v[4];
	sink k[4];
	const int64_t n = b->n * b->unit;
	int64_t later = later_row(b, rows, n * planes), left;
	UNROLL for (int p = 0; p < planes; p++) k[p] = sink_open(dst + plane_at(b, p));
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		for (left = n; left >= 64; left -= 64, s += 64 * planes) {
			load_pixels(v, s, 64, planes);
			UNROLL for (int l = 0; l < planes; l++) fetch_later(s + 64 * l, later);
			UNROLL for (int p = 0; p < planes; p++) sink_push_line(&k[p], mixed(m, p, v, planes));
		}
		fetch_span(s, later, left * planes);
		if (left <= 0)
			continue;
		load_pixels(v, s, left, planes);
		UNROLL for (int p = 0; p < planes; p++) sink_push(&k[p], mixed(m, p, v, planes), left);
	}
	UNROLL for (int p = 0; p < planes; p++) sink_close(&k[p]);
}

/* ---- the codelets ---- */

static int unit_log(int64_t unit)
{
	return unit == 1 ? 0 : unit == 2 ? 1 : unit == 4 ? 2 : unit == 8 ? 3 : -1;
}

/* All rows: past the cache at once where they join, and else each by itself. `planes` is a constant. */
INLINE void each_row(const mix *m, const vf_block *b, byte *dst, const byte *src, const bool pixels,
                     const int planes)
{
	const int64_t row = b->n * b->unit * (pixels ? planes : 1);
	int64_t at_once = b->stream && b->dst_step == row ? b->rows : 1;
	for (int64_t k = 0; k < b->rows; k += at_once) {
		byte *d = dst + k * b->dst_step;
		const byte *s = src + k * b->src_step;
		if (b->stream && pixels)
			pixels_lines(m, b, d, s, at_once, planes);
		else if (b->stream)
			planes_lines(m, b, d, s, at_once, planes);
		else if (pixels)
			pixels_row(m, b, d, s, planes);
		else
			planes_row(m, b, d, s, planes);
	}
}

INLINE void each_planes(const mix *m, const vf_block *b, byte *dst, const byte *src, const bool pixels)
{
	if (b->planes == 2)
		each_row(m, b, dst, src, pixels, 2);
	else if (b->planes == 3)
		each_row(m, b, dst, src, pixels, 3);
	else
		each_row(m, b, dst, src, pixels, 4);
}

/* 6, 8, 12 or 16 planes are two passes: groups of `inner` of them, and pixels of `outer` groups, by way of a
 * stage. */
typedef struct passes {
	int64_t inner, outer, n; /* n: of a piece that stays in L1 */
} passes;

enum { PASS_STAGE = 8 << 10 };

static passes passes_of(const vf_block *b)
{
	int64_t inner = b->planes % 4 == 0 && b->planes > 8 ? 4 : 2, outer = b->planes / inner;
	if (b->planes <= 4 || b->planes % inner || outer > 4 || unit_log(b->unit * inner) < 0)
		return (passes){0, 0, 0};
	return (passes){inner, outer, PASS_STAGE / (b->planes * b->unit)};
}

static void wide_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow);
static void wide_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow);

static void interleave_twice(const vf_block *b, const passes *p, byte *dst, const byte *src)
{
	_Alignas(64) byte stage[PASS_STAGE];
	vf_block group = {.rows = 1, .unit = b->unit, .planes = p->inner, .stride = b->stride};
	vf_block pixel = {.rows = 1, .unit = b->unit * p->inner, .planes = p->outer, .stream = b->stream};
	for (int64_t i = 0; i < b->n; i += p->n) {
		group.n = pixel.n = least(b->n - i, p->n), pixel.stride = group.n * pixel.unit;
		for (int64_t g = 0; g < p->outer; g++)
			wide_interleave(&group, stage + g * pixel.stride,
			                src + g * p->inner * b->stride + i * b->unit, NULL);
		wide_interleave(&pixel, dst + i * b->planes * b->unit, stage, NULL);
	}
}

static void deinterleave_twice(const vf_block *b, const passes *p, byte *dst, const byte *src)
{
	_Alignas(64) byte stage[PASS_STAGE];
	vf_block group = {
	    .rows = 1, .unit = b->unit, .planes = p->inner, .stride = b->stride, .stream = b->stream};
	vf_block pixel = {.rows = 1, .unit = b->unit * p->inner, .planes = p->outer};
	for (int64_t i = 0; i < b->n; i += p->n) {
		group.n = pixel.n = least(b->n - i, p->n), pixel.stride = group.n * pixel.unit;
		wide_deinterleave(&pixel, stage, src + i * b->planes * b->unit, NULL);
		for (int64_t g = 0; g < p->outer; g++)
			wide_deinterleave(&group, dst + g * p->inner * b->stride + i * b->unit,
			                  stage + g * pixel.stride, NULL);
	}
}

static void wide_interleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const passes p = vf_are_matrices(b->planes, b->n, b->unit) ? (passes){0, 0, 0} : passes_of(b);
	if (p.n) {
		for (int64_t r = 0; r < b->rows; r++)
			interleave_twice(b, &p, (byte *)dst + r * b->dst_step,
			                 (const byte *)src + r * b->src_step);
	} else if (b->planes < 2 || b->planes > 4 || unit_log(b->unit) < 0) {
		rows_interleave(b, dst, src, flow);
	} else {
		const mix m = mix_make(from_planes[b->planes - 2][unit_log(b->unit)]);
		each_planes(&m, b, dst, src, true);
	}
}

static void wide_deinterleave(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const passes p = passes_of(b);
	if (p.n) {
		for (int64_t r = 0; r < b->rows; r++)
			deinterleave_twice(b, &p, (byte *)dst + r * b->dst_step,
			                   (const byte *)src + r * b->src_step);
	} else if (b->planes < 2 || b->planes > 4 || unit_log(b->unit) < 0) {
		rows_deinterleave(b, dst, src, flow);
	} else {
		const mix m = mix_make(from_pixels[b->planes - 2][unit_log(b->unit)]);
		each_planes(&m, b, dst, src, false);
	}
}
