
/* `bytes` from s on are read; the same of a row that comes some 4 KiB later are asked for; rows are of
 * row_bytes. A processor follows long rows by itself, but starts anew at each. */
VF_INLINE void vf_fetch_later(const struct vf_block *b, const unsigned char *s, long long bytes,
                              long long row_bytes)
{
	if (!b->stream || b->rows < 2 || row_bytes < 1)
		return;
	s += b->src_step * (4096 / row_bytes + 1);
	for (long long i = 0; i < bytes; i += 64)
		__builtin_prefetch(s + i, 0, 2);
	__builtin_prefetch(s + bytes - 1, 0, 2);
}

/* What is read next: the line to ask for, bytes from it to the end of its row, and how many lines to ask for
 * while one is written. */
struct vf_ahead {
	const unsigned char *line;
	long long row, bytes, each;
};

VF_INLINE struct vf_ahead vf_ahead_of(const struct vf_block *b, const struct vf_flow *flow, long long written)
{
	const long long lines = b->ahead_rows * ((b->ahead_bytes + 63) / 64);
	struct vf_ahead a = {0, 0, b->ahead_bytes, 1};
	if (b->ahead_rows)
		a.line = flow->ahead + (flow->ahead_at ? flow->ahead_at[0] : 0);
	if (written >= 64)
		a.each = (lines + written / 64 - 1) / (written / 64);
	return a;
}

/* A few at a time, as lines are written: of many at once a processor drops most. */
VF_INLINE void vf_ask(const struct vf_block *b, const struct vf_flow *flow, struct vf_ahead *a,
                      long long written)
{
	for (long long n = (written + 63) / 64 * a->each; n > 0 && a->row < b->ahead_rows; n--) {
		__builtin_prefetch(a->line, 0, 2);
		a->line += 64, a->bytes -= 64;
		if (a->bytes > 0 || ++a->row == b->ahead_rows)
			continue;
		a->line = flow->ahead + (flow->ahead_at ? flow->ahead_at[a->row] : a->row * b->ahead_step);
		a->bytes = b->ahead_bytes;
	}
}
