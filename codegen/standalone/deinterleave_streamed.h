/* Pixels become planes. */
VF_INLINE void vf_deinterleave(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	const long long most = b->stream ? 1024 / b->unit : b->n > 0 ? b->n : 1;
	struct vf_sink k[32]; /* as many planes as a call has at most */
	(void)flow;
	for (long long r = 0; r < b->rows; r++) {
		unsigned char *d = (unsigned char *)dst + r * b->dst_step, *place[32] = {d, d, d, d};
		const unsigned char *s = (const unsigned char *)src + r * b->src_step;
		for (long long p = 0; p < b->planes; p++) {
			place[p] = d + (b->dst_at ? b->dst_at[p] : p * b->stride);
			if (b->stream)
				vf_sink_open(&k[p], place[p]);
		}
		for (long long i = 0; i < b->n; i += most) {
			const long long n = vf_least(most, b->n - i);
			for (long long p = 0; b->stream && p < b->planes; p++)
				place[p] = k[p].bytes + k[p].held;
			vf_apart(b, place, s + i * b->src_block, n);
			for (long long p = 0; b->stream && p < b->planes; p++)
				vf_sink_send(&k[p], n * b->unit);
		}
		for (long long p = 0; b->stream && p < b->planes; p++)
			vf_sink_close(&k[p]);
	}
}
