
/* n bytes of a part from byte `at` on. A period below 0: so many bytes a unit, the next one below. */
VF_INLINE void vf_put_part(unsigned char *d, const unsigned char *s, long long at, long long n,
                           long long period)
{
	if (period < 0)
		for (long long i = at; i < at + n; i++)
			d[i - at] = s[i % period + i / -period * period];
	else if (at + n <= period)
		__builtin_memcpy(d, s + at, (__SIZE_TYPE__)n);
	else if (period == 1 && n < 16)
		for (long long i = 0; i < n; i++)
			d[i] = *s;
	else if (period == 1)
		__builtin_memset(d, *s, (__SIZE_TYPE__)n);
	else
		for (long long i = 0; i < n; i++)
			d[i] = s[(at + i) % period];
}

/* A long run, behind `ready` bytes that are put together: whole lines go from where they lie. Returns how
 * many bytes are put together then. */
VF_INLINE long long vf_send_run(struct vf_sink *k, long long ready, const unsigned char *s, long long n)
{
	const long long head = -(k->held + ready) & 63;
	const unsigned char *end = s + n;
	__builtin_memcpy(k->bytes + k->held + ready, s, 64); /* what is too much is overwritten */
	vf_sink_send(k, ready + head);
	for (s += head, n -= head; n >= 64; s += 64, n -= 64, k->line += 64)
		vf_stream_line(k->line, s);
	for (long long i = 0; i + 8 <= n; i += 8)
		__builtin_memcpy(k->bytes + i, s + i, 8);
	for (s = end - n % 8; s < end; s++)
		k->bytes[n - (end - s)] = *s;
	return n;
}

/* Rows that follow each other, each of parts side by side: runs, or constants. */
VF_INLINE void vf_parts(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	const long long room = VF_PART / 4, long_run = 128;
	struct vf_sink k;
	long long ready = 0; /* bytes that are put together and not sent */
	(void)flow;
	vf_sink_open(&k, (unsigned char *)dst);
	for (long long r = 0; r < b->rows; r++)
		for (long long p = 0; p < b->planes; p++) {
			const long long *part = b->parts + 3 * p;
			const unsigned char *s = (const unsigned char *)src + b->src_at[p] + r * part[2];
			long long i = 0, n;
			if (part[0] == part[1] && part[0] >= long_run) {
				ready = vf_send_run(&k, ready, s, part[0]);
				continue;
			}
			for (; i < part[0]; i += n, ready += n) {
				if (ready == room) {
					vf_sink_send(&k, ready);
					ready = 0;
				}
				n = vf_least(part[0] - i, room - ready);
				vf_put_part(k.bytes + k.held + ready, s, i, n, part[1]);
			}
		}
	vf_sink_send(&k, ready);
	vf_sink_close(&k);
}
