
VF_INLINE void vf_pick_part(const struct vf_block *b, unsigned char *__restrict d,
                            const unsigned char *__restrict s, long long i, long long n,
                            const unsigned char *index)
{
	(void)index;
	for (long long k = 0; k < n; k++)
		for (long long j = 0; j < b->unit; j++) {
			const unsigned at = b->table[j];
			d[k * b->unit + j] = (unsigned char)(at >= 0x8000
			                                         ? at & 255
			                                         : s[b->src_at[at >> 8] +
			                                             (i + k) * b->src_block + (at & 255)]);
		}
}

/* Units of which each byte comes from its own place: byte table[j] & 255 of place table[j] >> 8, or a
 * constant. */
VF_INLINE void vf_pick(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	(void)flow;
	vf_rows(b, dst, src, b->unit, vf_pick_part, 0);
}
