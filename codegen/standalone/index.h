
/* Units whose places, in the source or in dst, are read from a list. What is read ahead_step units later is
 * asked for. */
VF_INLINE void vf_index(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	for (long long r = 0; r < b->rows; r++) {
		unsigned char *d = (unsigned char *)dst + r * b->dst_step;
		const unsigned char *s = (const unsigned char *)src + r * b->src_step;
		for (long long i = 0; i < b->n; i++) {
			const long long at = b->src_at ? b->src_at[i] : i * b->stride;
			if (b->ahead_step && b->src_at && i + b->ahead_step < b->n)
				__builtin_prefetch(s + b->src_at[i + b->ahead_step]);
			vf_move(d + (b->dst_at ? b->dst_at[i] : i * b->stride), s + at, 1, 0, 0, b->unit);
		}
	}
}
