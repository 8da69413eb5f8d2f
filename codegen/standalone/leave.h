
/* A stage to its place. Meanwhile the lines that are read next are asked for. */
VF_INLINE void vf_leave(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	for (long long r = 0; flow && r < b->ahead_rows; r++)
		for (long long i = 0; i < b->ahead_bytes; i += 64)
			__builtin_prefetch(flow->ahead + r * b->ahead_step + i);
	for (long long r = 0; r < b->rows; r++)
		vf_stream((unsigned char *)dst + r * b->dst_step,
		          (const unsigned char *)src + r * b->src_step, b->n);
}
