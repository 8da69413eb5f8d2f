
/* Bytes, by rows of one set or several. */
VF_INLINE void vf_copy(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	unsigned char *d = (unsigned char *)dst;
	const unsigned char *s = (const unsigned char *)src;
	(void)flow;
	for (long long k = 0; k == 0 || k < b->planes; k++, d += b->rows * b->n, s += b->src_block)
		for (long long r = 0; r < b->rows; r++)
			__builtin_memcpy(d + r * b->dst_step, s + r * b->src_step, (__SIZE_TYPE__)b->n);
}
