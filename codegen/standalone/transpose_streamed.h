/* Units from d to the next line, where lines begin with a unit; else 0. */
VF_INLINE long long vf_to_line(const unsigned char *d, long long unit)
{
	const long long bytes = (long long)(-(__SIZE_TYPE__)d & 63);
	return 64 % unit || bytes % unit ? 0 : bytes / unit;
}

/* A strip of rows on its way: row r stands in `stage` from place[r] on, and goes to out[r]. */
struct vf_staged {
	unsigned char *stage, *out[64];
	long long place[64];
	long long bytes, pitch; /* of a row; from row to row where they are apart */
	long long first, left;  /* of joined rows' line: bytes that are not ours; bytes that are held */
	int rows, joined;
};

/* The rows of strip k, and what the block before has left of their lines. */
VF_INLINE void vf_lay_rows(struct vf_staged *g, const struct vf_block *b, unsigned char *d, long long r0,
                           const struct vf_flow *flow)
{
	for (int r = 0; r < g->rows; r++) {
		g->out[r] = d + (b->dst_at ? b->dst_at[r0 + r] : (r0 + r) * b->dst_step);
		g->place[r] = g->joined ? g->left + r * g->bytes
		                        : r * g->pitch + (long long)((__SIZE_TYPE__)g->out[r] & 63);
		if (b->stream == 2 && !flow->first)
			__builtin_memcpy(g->stage + r * g->pitch, flow->carry + (r0 + r) * 64, 64);
	}
}

/* Rows that follow each other leave as one; what is left of a line begins the next strip's, or goes with the
 * last one. */
VF_INLINE void vf_send_joined(struct vf_staged *g, int last)
{
	unsigned char *line = g->out[0] - g->left;
	const long long sent = vf_send(line, g->stage, g->first, g->left + g->rows * g->bytes);
	g->left += g->rows * g->bytes - sent;
	if (sent) {
		__builtin_memmove(g->stage, g->stage + sent, 64);
		g->first = 0;
	}
	if (last)
		vf_send_rest(line + sent, g->stage, g->first, g->left);
}

/* Each row by itself; what is left of its last line goes on to the next block, or leaves. */
VF_INLINE void vf_send_apart(const struct vf_staged *g, const struct vf_block *b, struct vf_flow *flow,
                             long long r0)
{
	for (int r = 0; r < g->rows; r++) {
		unsigned char *row = g->stage + r * g->pitch;
		const long long before = g->place[r] - r * g->pitch, held = before + g->bytes,
				begins = b->stream != 2 || flow->first ? before : 0;
		const long long sent = vf_send(g->out[r] - before, row, begins, held);
		if (b->stream == 2 && flow->more)
			__builtin_memcpy(flow->carry + (r0 + r) * 64, row + sent, 64);
		else
			vf_send_rest(g->out[r] - before + sent, row + sent, sent ? 0 : begins, held - sent);
	}
}

VF_INLINE struct vf_owned vf_owned_units(const struct vf_block *b, const unsigned char *d,
                                         const struct vf_flow *flow)
{
	struct vf_owned o = {0, b->n};
	if (b->stream == 1) {
		o.from = flow->first ? 0 : vf_to_line(d, b->unit);
		o.to += vf_least(vf_to_line(d + b->n * b->unit, b->unit), flow->more);
	}
	return o;
}

/* Do rows of so many bytes, the first one's to d, fill lines of dst, units and all? */
VF_INLINE int vf_fills_lines(const struct vf_block *b, const unsigned char *d, long long bytes)
{
	const int alike = b->stream == 1 || (b->stream && !b->dst_at && b->dst_step % 64 == 0);
	return alike && bytes % 64 == 0 && ((__SIZE_TYPE__)d & 63) == 0 &&
	       (b->unit % 64 == 0 || (VF_LANES == 4 && 16 % b->unit == 0));
}

/* From unit to unit of a row of the source. */
VF_INLINE long long vf_unit_step(const struct vf_block *b)
{
	return b->src_step ? b->src_step : b->unit;
}

/* Units that are lines, and go to lines: one after the other as they lie in the source, or side by side, a
 * line of each row of it in turn. */
VF_INLINE void vf_stream_units(const struct vf_block *b, const struct vf_target *t, const unsigned char *s,
                               const struct vf_flow *flow, struct vf_ahead *next)
{
	const long long each = b->beside ? b->n : 1, run = b->beside ? 64 : b->unit;
	for (long long a0 = 0; a0 < b->n; a0 += each)
		for (long long r = 0; r < b->rows; r++)
			for (long long at = 0; at < b->unit; at += run)
				for (long long a = a0; a < a0 + each; a++) {
					vf_stream(vf_row(t, r) + a * b->unit + at,
					          s + vf_place(b, a) + r * vf_unit_step(b) + at, run);
					vf_ask(b, flow, next, run);
				}
}

/* What is near along one run in the source is near along the other in dst. A strip of rows at a time is put
 * together in the first cache, and leaves it by whole lines; `stream` says how rows go on: 0, they are stored
 * at once; 1, a block has the lines that begin in it; 2, what is left of a line is kept for the next block,
 * 64 bytes a row; 3, rows are whole, and follow each other but where dst_at says other places. */
VF_INLINE void vf_transpose(const struct vf_block *b, void *dst, const void *src, struct vf_flow *flow)
{
	const int strip = b->unit < 64 ? 64 / (int)b->unit : 1;
	const struct vf_owned o = vf_owned_units(b, (unsigned char *)dst, flow);
	unsigned char *d = (unsigned char *)dst + o.from * b->unit;
	const unsigned char *s = (const unsigned char *)src;
	unsigned char stage[VF_STAGE] __attribute__((aligned(64)));
	struct vf_staged g;
	g.stage = stage, g.joined = b->stream == 3 && !b->dst_at && b->dst_step > 0;
	g.bytes = (o.to - o.from) * b->unit, g.pitch = (b->n * b->unit + 191) / 64 * 64;
	g.first = g.left = g.joined ? (long long)((__SIZE_TYPE__)d & 63) : 0;
	const int lines = vf_fills_lines(b, d, g.bytes);
	struct vf_ahead next = vf_ahead_of(b, flow, b->rows * g.bytes);
	if (lines || !b->stream) {
		const struct vf_target t = {d, b->dst_at, b->dst_step, b->rows, 0, lines};
		if (lines && b->unit % 64 == 0) {
			vf_stream_units(b, &t, s, flow, &next);
			return;
		}
		vf_strip(b, &t, s, o, flow, &next);
		return;
	}
	for (long long r0 = 0; r0 < b->rows; r0 += strip) {
		g.rows = (int)vf_least(strip, b->rows - r0);
		const struct vf_target t = {stage, g.place, 0, g.rows, b->rows - r0 - g.rows, 0};
		vf_lay_rows(&g, b, d, r0, flow);
		vf_strip(b, &t, s + r0 * vf_unit_step(b), o, flow, &next);
		if (g.joined)
			vf_send_joined(&g, r0 + strip >= b->rows);
		else
			vf_send_apart(&g, b, flow, r0);
	}
}
