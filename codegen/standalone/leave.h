
/* A stage to its place. Meanwhile the lines that are read next are asked for. */
VF_INLINE void vf_leave(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	struct vf_ahead next = vf_ahead_of(b, flow, b->rows * b->n);
	for (long long r = 0; r < b->rows; r++) {
		unsigned char *d = (unsigned char *)dst + r * b->dst_step;
		const unsigned char *s = (const unsigned char *)src + r * b->src_step;
		const long long head = vf_least(b->n, (long long)(-(__SIZE_TYPE__)d & 63));
		__builtin_memcpy(d, s, (__SIZE_TYPE__)head);
		long long at = head;
		for (; at + 64 <= b->n; at += 64) {
			vf_stream_line(d + at, s + at);
			vf_ask(b, flow, &next, 64);
		}
		__builtin_memcpy(d + at, s + at, (__SIZE_TYPE__)(b->n - at));
	}
}
