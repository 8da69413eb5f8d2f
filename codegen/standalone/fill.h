
VF_INLINE void vf_fill_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                            long long n, const unsigned char *index)
{
	(void)index;
	(void)i;
	vf_move(d, s, n, b->unit, 0, b->unit);
}

/* One unit many times. */
VF_INLINE void vf_fill(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	vf_rows(b, dst, src, b->unit, vf_fill_part, 0);
}
