
VF_INLINE void vf_interleave_part(const struct vf_block *b, unsigned char *d, const unsigned char *s,
                                  long long i, long long n)
{
	s += i * b->unit;
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
	vf_rows(b, dst, src, b->planes * b->unit, vf_interleave_part);
}
