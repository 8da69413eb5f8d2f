
/* What is near along one run in the source is near along the other in dst. */
VF_INLINE void vf_transpose(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	const struct vf_target t = {(unsigned char *)dst, b->dst_at, b->dst_step, b->rows, 0, 0};
	const struct vf_owned all = {0, b->n};
	struct vf_ahead next = vf_ahead_of(b, flow, b->rows * b->n * b->unit);
	vf_strip(b, &t, (const unsigned char *)src, all, flow, &next);
}
