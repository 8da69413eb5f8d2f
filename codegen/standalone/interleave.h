
#if VF_LANES == 4
/* 16 elements of 4 bytes of 3 planes. */
VF_INLINE void vf_pixels_of_3(unsigned char *d, const unsigned char *s, long long stride)
{
	static const int first[3][16] = {{0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5},
	                                 {21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26},
	                                 {0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0}};
	static const int third[3][16] = {{0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15},
	                                 {0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15},
	                                 {26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31}};
	const vf_vector x = vf_load(s), y = vf_load(s + stride), z = vf_load(s + 2 * stride);
	for (int l = 0; l < 3; l++) {
		const vf_vector two = _mm512_permutex2var_epi32(x, _mm512_loadu_si512(first[l]), y);
		vf_store(d + 64 * l, _mm512_permutex2var_epi32(two, _mm512_loadu_si512(third[l]), z));
	}
}
#endif

VF_INLINE void vf_interleave_part(const struct vf_block *b, unsigned char *__restrict d,
                                  const unsigned char *__restrict s, long long i, long long n,
                                  const unsigned char *index)
{
	(void)index;
	s += i * b->unit;
	for (long long p = 0; p < b->planes; p++)
		vf_fetch_later(b, s + p * b->stride, n * b->unit, b->n * b->planes * b->unit);
#if VF_LANES == 4
	for (; b->unit == 4 && b->planes == 3 && n >= 16; n -= 16, s += 64, d += 192)
		vf_pixels_of_3(d, s, b->stride);
#endif
	__asm__("" : "+r"(n)); /* a short loop of known length would be taken apart into single elements */
#define VF_TOGETHER(type)                                                                                    \
	for (long long j = 0; j < n; j++)                                                                    \
		for (long long p = 0; p < b->planes; p++)                                                    \
	((type *)d)[j * b->planes + p] = ((const type *)(s + p * b->stride))[j]
	switch (b->unit) {
	case 1: VF_TOGETHER(vf_b1); break;
	case 2: VF_TOGETHER(vf_b2); break;
	case 4: VF_TOGETHER(vf_b4); break;
	case 8: VF_TOGETHER(vf_b8); break;
	default:
		for (long long p = 0; p < b->planes; p++)
			vf_move(d + p * b->unit, s + p * b->stride, n, b->planes * b->unit, b->unit, b->unit);
	}
}

/* Planes become pixels. */
VF_INLINE void vf_interleave(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	vf_rows(b, dst, src, b->planes * b->unit, vf_interleave_part, 0);
}
