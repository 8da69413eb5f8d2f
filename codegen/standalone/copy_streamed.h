
VF_INLINE void vf_copy_part(const struct vf_block *b, unsigned char *d, const unsigned char *s, long long i,
                            long long n, const unsigned char *index)
{
	(void)index;
	vf_fetch_later(b, s + i, n, b->n);
	__builtin_memcpy(d, s + i, (__SIZE_TYPE__)n);
}

/* Rows with gaps between them, some of them side by side, a line of each in turn: a processor's own fetching
 * follows many rows at a time. The same lines of the rows that are read next, `later` bytes further on, are
 * asked for. Row `from` is the first. */
VF_INLINE void vf_copy_beside(const struct vf_block *b, unsigned char *d, const unsigned char *s,
                              long long from, long long rows, long long later)
{
	const long long bytes = (b->n - 63) / 64 * 64; /* whole lines, wherever a row begins */
	for (long long i = 0; i < bytes; i += 64)
		for (long long r = from; r < from + rows; r++) {
			const long long at = i + (long long)(-(__SIZE_TYPE__)(d + r * b->dst_step) & 63);
			__builtin_prefetch(s + r * b->src_step + later + i, 0, 2);
			vf_stream_line(d + r * b->dst_step + at, s + r * b->src_step + at);
		}
	/* Lines in which a row ends and the next one begins, and where they go. */
	unsigned char line[16][64], *to[16];
	for (long long r = from; r < from + rows; r++) {
		unsigned char *e = d + r * b->dst_step, *l = line[r - from];
		const unsigned char *row = s + r * b->src_step;
		const long long head = (long long)(-(__SIZE_TYPE__)e & 63);
		long long at = head + bytes;
		if (!r || b->dst_step != b->n)
			__builtin_memcpy(e, row, (__SIZE_TYPE__)head);
		if (b->n - at >= 64) {
			vf_stream_line(e + at, row + at);
			at += 64;
		}
		const long long rest = b->n - at;
		to[r - from] = rest && r + 1 < b->rows && b->dst_step == b->n ? e + at : 0;
		__builtin_memcpy(to[r - from] ? l : e + at, row + at, (__SIZE_TYPE__)rest);
		if (to[r - from])
			__builtin_memcpy(l + rest, row + b->src_step, (__SIZE_TYPE__)(64 - rest));
	}
	for (long long k = 0; k < rows; k++)
		if (to[k])
			vf_stream_line(to[k], line[k]);
}

/* Bytes, by rows: short ones are put together, long ones go as they are but for a line
 * that a row begins in, or side by side. */
VF_INLINE void vf_copy_set(const struct vf_block *b, unsigned char *d, const unsigned char *src)
{
	const int joined = b->dst_step == b->n;
	const long long later = b->rows > 1 && b->n > 0 ? b->src_step * (4096 / b->n + 1) : 0;
	struct vf_sink k;
	if (b->beside > 1 && b->n >= 128) {
		for (long long r = 0; r < b->rows; r += b->beside)
			vf_copy_beside(b, d, src, r, vf_least(b->beside, b->rows - r),
			               b->beside * b->src_step);
		return;
	}
	if (!b->stream || b->n < 512) {
		vf_rows(b, d, src, 1, vf_copy_part, 0);
		return;
	}
	vf_sink_open(&k, d);
	for (long long r = 0; r < b->rows; r++) {
		const unsigned char *s = src + r * b->src_step;
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

/* The same for each set of rows. */
VF_INLINE void vf_copy(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	unsigned char *d = (unsigned char *)dst;
	const unsigned char *s = (const unsigned char *)src;
	(void)flow;
	for (long long k = 0; k == 0 || k < b->planes; k++, d += b->rows * b->n, s += b->src_block)
		vf_copy_set(b, d, s);
}
