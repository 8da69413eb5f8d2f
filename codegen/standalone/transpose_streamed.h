/* Units from d to the next line, where lines begin with a unit; else 0. */
VF_INLINE long long vf_to_line(const unsigned char *d, long long unit)
{
	const long long bytes = (long long)(-(__SIZE_TYPE__)d & 63);
	return 64 % unit || bytes % unit ? 0 : bytes / unit;
}

/* What is near along one run in the source is near along the other in dst. A strip of rows at a time is put
 * together in the first cache, and leaves it by whole lines; `stream` says how rows go on: 0, they are stored
 * at once; 1, a block has the lines that begin in it; 2, what is left of a line is kept for the next block,
 * 64 bytes a row; 3, rows are whole, and follow each other but where dst_at says other places. */
VF_INLINE void vf_transpose(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	const int strip = b->unit < 64 ? 64 / (int)b->unit : 1;
	const long long unit = b->unit, strips = (b->rows + strip - 1) / strip;
	unsigned char *d = (unsigned char *)dst;
	const unsigned char *s = (const unsigned char *)src;
	unsigned char stage[VF_STAGE] __attribute__((aligned(64)));
	const int joined = b->stream == 3 && !b->dst_at, apart = b->stream && !joined;
	long long from = 0, to = b->n, left = 0, first = 0;
	if (b->stream == 1) {
		from = flow->first ? 0 : vf_to_line(d, unit);
		to = b->n + vf_least(vf_to_line(d + b->n * unit, unit), flow->more);
	}
	if (joined)
		first = left = (long long)((__SIZE_TYPE__)d & 63);
	const long long bytes = (to - from) * unit, pitch = (b->n * unit + 191) / 64 * 64;
	const int alike = b->stream == 1 || (b->stream && !b->dst_at && b->dst_step % 64 == 0),
		  lines = alike && bytes % 64 == 0 && ((__SIZE_TYPE__)(d + from * unit) & 63) == 0 &&
	                  (unit % 64 == 0 || (VF_LANES == 4 && 16 % unit == 0));
	struct vf_ahead next = vf_ahead_of(b, flow, b->rows * bytes);
	if (lines || !b->stream) {
		const struct vf_target t = {d + from * unit, b->dst_at, b->dst_step, b->rows, 0, lines};
		vf_strip(b, &t, s, from, to, flow, &next);
		return;
	}
	for (long long k = 0; k < strips; k++) {
		const long long r0 = k * strip;
		const int rows = (int)vf_least(strip, b->rows - r0);
		unsigned char *out[64];
		long long place[64];
		const struct vf_target t = {stage, place, 0, rows, b->rows - r0 - rows, 0};
		for (int r = 0; r < rows; r++) {
			out[r] = d + (b->dst_at ? b->dst_at[r0 + r] : (r0 + r) * b->dst_step) + from * unit;
			place[r] = joined ? left + r * bytes
			                  : r * pitch + (long long)((__SIZE_TYPE__)out[r] & 63);
			if (b->stream == 2 && !flow->first)
				__builtin_memcpy(stage + r * pitch, flow->carry + (r0 + r) * 64, 64);
		}
		vf_strip(b, &t, s + r0 * unit, from, to, flow, &next);
		if (joined) {
			unsigned char *line = out[0] - left;
			const long long sent = vf_send(line, stage, first, left + rows * bytes);
			left += rows * bytes - sent;
			if (sent)
				__builtin_memcpy(stage, stage + sent, 64);
			if (sent)
				first = 0;
			if (k == strips - 1)
				vf_send_rest(line + sent, stage, first, left);
		}
		for (int r = 0; apart && r < rows; r++) {
			unsigned char *bytes_of = stage + r * pitch;
			const long long before = place[r] - r * pitch, held = before + bytes,
					begins = b->stream != 2 || flow->first ? before : 0;
			const long long sent = vf_send(out[r] - before, bytes_of, begins, held);
			if (b->stream == 2 && flow->more)
				__builtin_memcpy(flow->carry + (r0 + r) * 64, bytes_of + sent, 64);
			else
				vf_send_rest(out[r] - before + sent, bytes_of + sent, sent ? 0 : begins,
				             held - sent);
		}
	}
}
