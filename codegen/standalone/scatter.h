
/* Neighbours become units a stride apart. */
VF_INLINE void vf_scatter(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	unsigned char *d = (unsigned char *)dst;
	const unsigned char *s = (const unsigned char *)src;
	(void)flow;
	for (long long r = 0; r < b->rows; r++)
		vf_move(d + r * b->dst_step, s + r * b->src_step, b->n, b->stride, b->unit, b->unit);
}
