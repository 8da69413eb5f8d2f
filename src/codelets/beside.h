/* beside.h -- rows past the cache that are read side by side, a line of each in turn.
 *
 * Text of rows.h. Rows with gaps between them, read one after the other, wait for memory at the start of
 * each: the processor's own fetching follows a row only once it has seen some of its lines. It follows many
 * rows at a time, so a group of rows is read together, and the same lines of the next group are asked for
 * meanwhile (Zen 4, of the fastest copy: rows of 3 KiB, 5760 bytes apart, 0.54 to 0.80; of 20 KB, 40 apart,
 * 0.65 to 0.95).
 */

/* What of a row is left where its first whole lines end: row k of a group, `at` bytes on. */
static void end_row(const vf_block *b, byte *dst, const byte *src, int64_t at, bool last)
{
	int64_t rest = b->n - at;
	if (rest >= LINE)
		stream_lines(dst + at, src + at, 1), at += LINE, rest -= LINE;
	if (rest > 0 && !last && b->dst_step == b->n)
		stream_joint(dst + at, src + at, rest, src + b->src_step);
	else
		copy_bytes(dst + at, src + at, rest);
}

/* The bytes before the first whole line of each row, but for those that the row before has written. */
static void begin_rows(const vf_block *b, byte *dst, const byte *src, bool first)
{
	if (b->dst_step != b->n)
		for (int64_t k = 0; k < b->rows; k++)
			copy_bytes(dst + k * b->dst_step, src + k * b->src_step,
			           bytes_to_line(dst + k * b->dst_step, LINE));
	else if (first)
		copy_bytes(dst, src, bytes_to_line(dst, LINE));
}

/* A group: b->rows rows of it, of which `first` begin and `last` end the call. What is read next lies `later`
 * bytes further on. */
static void stream_group(const vf_block *b, byte *dst, const byte *src, int64_t later, bool first, bool last)
{
	int64_t from[VF_MOST_BESIDE], to[VF_MOST_BESIDE];
	const int64_t bytes = (b->n - LINE + 1) / LINE * LINE;
	begin_rows(b, dst, src, first);
	for (int64_t k = 0; k < b->rows; k++) {
		const int64_t head = bytes_to_line(dst + k * b->dst_step, LINE);
		from[k] = k * b->src_step + head, to[k] = k * b->dst_step + head;
	}
	for (int64_t i = 0; i < bytes; i += LINE)
		for (int64_t k = 0; k < b->rows; k++) {
			fetch_later(src + k * b->src_step + i, later);
			stream_lines(dst + to[k] + i, src + from[k] + i, 1);
		}
	for (int64_t k = 0; k < b->rows; k++) {
		const byte *s = src + k * b->src_step;
		fetch_span(s + bytes, later, b->n - bytes);
		end_row(b, dst + k * b->dst_step, s, bytes + from[k] - k * b->src_step,
		        last && k == b->rows - 1);
	}
}

static void stream_beside(const vf_block *b, byte *dst, const byte *src)
{
	const int64_t groups = (b->rows + b->beside - 1) / b->beside, rows = (b->rows + groups - 1) / groups;
	vf_block group = *b;
	for (int64_t r = 0; r < b->rows; r += rows) {
		const bool last = b->rows - r <= rows;
		int64_t later = last && b->ahead_step ? b->ahead_step - r * b->src_step : rows * b->src_step;
		group.rows = least(b->rows - r, rows);
		stream_group(&group, dst + r * b->dst_step, src + r * b->src_step, later, r == 0, last);
	}
}
