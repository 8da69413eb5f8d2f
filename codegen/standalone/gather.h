
VF_INLINE void vf_gather_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                              long long n)
{
	s += i * b->stride;
#if 0
	/* pixels of 3 bytes backwards: 5 of them, and a byte of the sixth; no processor guesses where the
	 * next row begins */
	for (; b->unit == 3 && b->stride == -3 && n >= 6; n -= 5, d += 15, s -= 15) {
		vf_v1 v;
		__builtin_memcpy(&v, s - 13, 16);
		v = __builtin_shufflevector(v, v, 13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0);
		__builtin_memcpy(d, &v, 16);
		__builtin_prefetch(s + b->src_step);
	}
#endif
	vf_move(d, s, n, b->unit, b->stride, b->unit);
}

/* Units a stride apart in the source become neighbours. */
VF_INLINE void vf_gather(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	vf_rows(b, dst, src, b->unit, vf_gather_part);
}
