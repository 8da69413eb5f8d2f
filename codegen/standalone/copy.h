
/* Bytes, by rows. */
VF_INLINE void vf_copy(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	for (long long r = 0; r < b->rows; r++)
		__builtin_memcpy((unsigned char *)dst + r * b->dst_step,
		                 (const unsigned char *)src + r * b->src_step, (__SIZE_TYPE__)b->n);
}
