
VF_INLINE void vf_copy_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                            long long n, const unsigned char *index)
{
	(void)index;
	vf_fetch_later(b, s + i, n, b->n);
	__builtin_memcpy(d, s + i, (__SIZE_TYPE__)n);
}

/* Bytes, by rows: short ones are put together, long ones go as they are but for a line
 * that a row begins in. */
VF_INLINE void vf_copy(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	unsigned char *d = (unsigned char *)dst;
	const int joined = b->dst_step == b->n;
	const long long later = b->rows > 1 && b->n > 0 ? b->src_step * (4096 / b->n + 1) : 0;
	struct vf_sink k;
	(void)flow;
	if (!b->stream || b->n < 512) {
		vf_rows(b, dst, src, 1, vf_copy_part, 0);
		return;
	}
	vf_sink_open(&k, d);
	for (long long r = 0; r < b->rows; r++) {
		const unsigned char *s = (const unsigned char *)src + r * b->src_step;
		long long n = b->n;
		if (r && !joined) {
			vf_sink_close(&k);
			vf_sink_open(&k, d + r * b->dst_step);
		}
		if (k.held) {
			const long long take = vf_least(64 - k.held, n);
			__builtin_memcpy(k.bytes + k.held, s, (__SIZE_TYPE__)take);
			vf_sink_send(&k, take);
			s += take, n -= take;
		}
		for (; n >= 64; n -= 64, s += 64, k.line += 64) {
			vf_stream_line(k.line, s);
			__builtin_prefetch(s + later, 0, 2);
		}
		__builtin_memcpy(k.bytes + k.held, s, (__SIZE_TYPE__)n);
		k.held += n;
	}
	vf_sink_close(&k);
}
