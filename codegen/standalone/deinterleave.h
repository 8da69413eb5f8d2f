/* Pixels become planes. */
VF_INLINE void vf_deinterleave(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	for (long long r = 0; r < b->rows; r++) {
		unsigned char *d = (unsigned char *)dst + r * b->dst_step, *place[32] = {d, d, d, d};
		for (long long p = 0; p < b->planes; p++)
			place[p] = d + (b->dst_at ? b->dst_at[p] : p * b->stride);
		vf_apart(b, place, (const unsigned char *)src + r * b->src_step, b->n);
	}
}
