/* planes_avx512.h -- 2, 3 or 4 planes to pixels and back, whole vectors on both sides.
 *
 * Text of kernels_avx512.c. A step takes one vector of each plane, and makes (or takes) as many vectors of
 * pixels: two permutations of two vectors each make one, whatever the unit. Units are
 * 1, 2, 4 or 8 bytes.
 */

/* For each vector that comes out: its bytes from vectors 0 and 1, and from 2 and 3. */
typedef struct mix {
	__m512i first[4], second[4];
	__mmask64 from_second[4];
} mix;

/* Byte i of vector l comes from byte at[l][i] of the sources side by side. */
INLINE void mix_make(mix *m, int l, const uint8_t *at)
{
	__m512i index = load64(at);
	m->first[l] = index; /* 7 bits count */
	m->second[l] = _mm512_sub_epi8(index, _mm512_set1_epi8((char)128));
	m->from_second[l] = _mm512_movepi8_mask(index);
}

/* Pixels of `planes` units from whole planes. */
static void mix_to_pixels(mix *m, int planes, int unit_log)
{
	uint8_t at[64];
	uint32_t inverse = 65536 / (uint32_t)planes + 1; /* exact: below 256 */
	for (uint32_t l = 0; l < (uint32_t)planes; l++) {
		for (uint32_t i = 0; i < 64; i++) {
			uint32_t unit = (64 * l + i) >> unit_log, c = i & ((1U << unit_log) - 1);
			uint32_t pixel = (unit * inverse) >> 16,
				 plane = unit - pixel * (uint32_t)planes;
			at[i] = (uint8_t)(plane * 64 + (pixel << unit_log) + c);
		}
		mix_make(m, (int)l, at);
	}
}

static void mix_to_planes(mix *m, int planes, int unit_log)
{
	uint8_t at[64];
	for (uint32_t p = 0; p < (uint32_t)planes; p++) {
		for (uint32_t i = 0; i < 64; i++) {
			uint32_t unit = i >> unit_log, c = i & ((1U << unit_log) - 1);
			at[i] = (uint8_t)(((unit * (uint32_t)planes + p) << unit_log) + c);
		}
		mix_make(m, (int)p, at);
	}
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

/* One row of n bytes a plane. */
INLINE void pixels_row(const mix *m, byte *dst, const byte *src, int64_t n, int64_t plane_step,
                       const int planes)
{
	__m512i v[4];
	for (; n >= 64; n -= 64, src += 64, dst += 64 * planes) {
		UNROLL for (int p = 0; p < planes; p++) v[p] = load64(src + p * plane_step);
		UNROLL for (int l = 0; l < planes; l++)
		    store64(dst + 64 * l, mixed(m, l, v, planes));
	}
	if (n <= 0)
		return;
	UNROLL for (int p = 0; p < planes; p++) v[p] = load_some(src + p * plane_step, n);
	UNROLL for (int l = 0; l < planes; l++)
	{
		int64_t left = n * planes - 64 * l;
		if (left > 0)
			store_some(dst + 64 * l, mixed(m, l, v, planes), least(left, 64));
	}
}

INLINE void planes_row(const mix *m, byte *dst, const byte *src, int64_t n, int64_t plane_step,
                       const int planes)
{
	__m512i v[4];
	for (; n >= 64; n -= 64, dst += 64, src += 64 * planes) {
		UNROLL for (int l = 0; l < planes; l++) v[l] = load64(src + 64 * l);
		UNROLL for (int p = 0; p < planes; p++)
		    store64(dst + p * plane_step, mixed(m, p, v, planes));
	}
	if (n <= 0)
		return;
	UNROLL for (int l = 0; l < planes; l++)
	{
		int64_t left = n * planes - 64 * l;
		v[l] = left > 0 ? load_some(src + 64 * l, least(left, 64)) : _mm512_setzero_si512();
	}
	UNROLL for (int p = 0; p < planes; p++)
	    store_some(dst + p * plane_step, mixed(m, p, v, planes), n);
}

static int unit_log(int64_t unit)
{
	return unit == 1 ? 0 : unit == 2 ? 1 : unit == 4 ? 2 : unit == 8 ? 3 : -1;
}

#define VF_EACH_PLANES(row)                                                                        \
	switch (planes) {                                                                          \
	case 2:                                                                                    \
		for (; rows > 0; rows--, d += dst_step, s += src_step)                             \
			row(&m, d, s, n *unit, plane_step, 2);                                     \
		break;                                                                             \
	case 3:                                                                                    \
		for (; rows > 0; rows--, d += dst_step, s += src_step)                             \
			row(&m, d, s, n *unit, plane_step, 3);                                     \
		break;                                                                             \
	default:                                                                                   \
		for (; rows > 0; rows--, d += dst_step, s += src_step)                             \
			row(&m, d, s, n *unit, plane_step, 4);                                     \
	}

static void wide_interleave(void *dst, const void *src, int64_t rows, int64_t dst_step,
                            int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                            int64_t unit)
{
	byte *d = dst;
	const byte *s = src;
	mix m;
	if (planes < 2 || planes > 4 || unit_log(unit) < 0) {
		rows_interleave(dst, src, rows, dst_step, src_step, n, planes, plane_step, unit);
		return;
	}
	mix_to_pixels(&m, (int)planes, unit_log(unit));
	VF_EACH_PLANES(pixels_row)
}

static void wide_deinterleave(void *dst, const void *src, int64_t rows, int64_t dst_step,
                              int64_t src_step, int64_t n, int64_t planes, int64_t plane_step,
                              int64_t unit)
{
	byte *d = dst;
	const byte *s = src;
	mix m;
	if (planes < 2 || planes > 4 || unit_log(unit) < 0) {
		rows_deinterleave(dst, src, rows, dst_step, src_step, n, planes, plane_step, unit);
		return;
	}
	mix_to_planes(&m, (int)planes, unit_log(unit));
	VF_EACH_PLANES(planes_row)
}
#undef VF_EACH_PLANES
