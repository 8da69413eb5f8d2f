/* lines.h -- whole lines past the cache: rows go into a sink, vector by vector.
 *
 * Text of the files rows_*.c, after recipe.h and a sink.
 */

/* ---- rows by a recipe ---- */

/* Asks for each line once: with the first step that reaches it. Steps are `by` bytes. */
INLINE void fetch_new(const byte *p, int64_t later, int64_t by, bool second)
{
	if ((int)WIDTH == (int)LINE || (int64_t)(((uintptr_t)p + (uintptr_t)later) & (LINE - 1)) < by)
		fetch_into(p, later, second);
}

/* The steps of a row. The last one may be shorter, and may be the only one. */
INLINE int64_t steps_of(const recipe *r)
{
	return r->steps + (r->last_bytes > 0);
}

/* Bytes from the first step's place in the source to where one more step would be, whichever way. */
INLINE int64_t bytes_of_steps(const recipe *r)
{
	return (r->advance < 0 ? -r->advance : r->advance) * steps_of(r);
}

/* Asks for the lines that a row's last step reads, and for the end of its highest vector. Rows end inside
 * lines, and a line that is not asked for holds up each row (f64 rows of 800 bytes backwards: 0.4 to 0.9 of
 * the fastest copy, Zen 4). */
INLINE void fetch_row_ends(const recipe *r, const byte *src, rows_ahead next, const step *t, const int n)
{
	const int64_t last = (steps_of(r) - 1) * r->advance;
	UNROLL for (int p = 0; p < n; p++)
	{
		fetch_into(src + t->at[p], next.by + last, next.second);
		fetch_into(src + t->at[p], next.by + larger(last, 0) + LINE - 1, next.second);
	}
}

/* `n`, the number of sources, is a constant where this is called, or more than FEW. */
INLINE void sink_row(sink *k, const recipe *r, const byte *src, range g, rows_ahead next, const int n)
{
	const step t = step_of(r, n);
	const byte *s = src;
	int64_t i = 0, by = r->advance < 0 ? -r->advance : r->advance;
	/* Asked for upwards, whichever way it is read: the processor's own fetching follows better. */
	int64_t up = next.by + (r->advance < 0 ? (r->steps - 1) * r->advance : 0);
	for (; i < g.begin; i++, s += r->advance)
		sink_push(k, take_part(r, &r->whole, s), r->bytes);
	for (; i < g.end; i++, s += r->advance, up += by) {
		if (next.by && n <= FEW)
			UNROLL for (int p = 0; p < n; p++) fetch_new(src + t.at[p], up, by, next.second);
		if (r->bytes == WIDTH)
			sink_push_whole(k, take_whole(r, &t, s, n));
		else
			sink_push(k, take_whole(r, &t, s, n), r->bytes);
	}
	if (next.by && n <= FEW)
		fetch_row_ends(r, src, next, &t, n);
	for (; i < r->steps; i++, s += r->advance)
		sink_push(k, take_part(r, &r->whole, s), r->bytes);
	if (r->last_bytes)
		sink_push(k, take_part(r, &r->last, s), r->last_bytes);
}

/* What is asked for while rows of n bytes are read that are turned around. A row is asked for upwards,
 * and read downwards: the processor itself fetches the start of none that lies apart from the one before.
 * Long rows are asked for into the second cache (Zen 4, of the fastest copy, into the first cache and so:
 * pixels of 3, rows of 1752 bytes 2400 apart, 0.31 and 0.45; but of 672 768 apart 0.62 and 0.51). */
INLINE rows_ahead turned_ahead(const vf_block *b, int64_t n)
{
	enum { LONG = 896, LATER = 8192 };
	rows_ahead next = rows_ahead_far(b, b->rows, n);
	if ((int)WIDTH == (int)LINE && b->rows > 1 && n >= LONG && b->src_step - n >= LINE &&
	    vf_takes_l2_hints())
		next.by = b->src_step * (LATER / n + 1), next.second = true;
	return next;
}

/* Are such rows one run, gaps and all, whose lines are asked for upwards, more than a row ahead? Not
 * pixels of 3 (Zen 4, of the fastest copy, by later rows and so: rows of 600 bytes 1200 apart 0.27 and
 * 0.58, of 992 1500 apart 0.46 and 0.73, of 2518 3000 apart 0.63 and 0.75; but of 90 200 apart 0.57 and
 * 0.51, pixels, rows of 4800 5760 apart 0.67 and 0.60). */
INLINE bool turned_run(const recipe *r, const vf_block *b, int64_t n)
{
	return (int)WIDTH == (int)LINE && !asks_second() && b->rows > 1 && r->bytes == WIDTH &&
	       b->src_step - n >= LINE && vf_are_turned_run(n, b->src_step);
}

/* The same for what turned_run() says. */
INLINE rows_ahead turned_run_ahead(const recipe *r, const vf_block *b, const byte *src, int64_t n)
{
	rows_ahead next = rows_ahead_near(src + (r->steps - 1) * r->advance, b->src_step - n, 0);
	next.by += b->src_step;
	return next;
}

/* What is asked for while the rows of a block are read. Here a run with gaps pays if these are long (Zen 4,
 * of the fastest copy, by later rows and so: u8 [40,3,480,640], every second row and column, 0.21 and 0.48;
 * pixels of 3 turned, [40,240,320,3], every second row, 0.25 and 0.50; but [40,224,224,3] cropped to rows of
 * 570 bytes, 102 between, 0.67 and 0.51). */
INLINE rows_ahead gathered_ahead(const recipe *r, const vf_block *b, const byte *src)
{
	const int64_t n = bytes_of_steps(r), gap = b->src_step - n;
	if (r->advance < 0)
		return turned_run(r, b, n) ? turned_run_ahead(r, b, src, n) : turned_ahead(b, n);
	const bool run = (int)WIDTH == (int)LINE && gap >= n / 2;
	return run && run_with_gaps(b, b->rows, n) ? rows_ahead_near(src, gap, 0)
	                                           : rows_ahead_far(b, b->rows, n);
}

/* Rows that join and may all read whole vectors. Short ones would spend most of the time on what sink_row()
 * does at each row. */
INLINE void sink_inner(sink *k, const recipe *r, const vf_block *b, const byte *src, int64_t rows,
                       const int n)
{
	const step t = step_of(r, n);
	const int64_t by = r->advance < 0 ? -r->advance : r->advance;
	const int64_t turned = r->advance < 0 ? (r->steps - 1) * r->advance : 0;
	rows_ahead next = gathered_ahead(r, b, src);
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		int64_t up = next.by + turned;
		for (int64_t i = 0; i < r->steps; i++, s += r->advance, up += by) {
			if (next.near)
				fetch_run(src + up - next.by + by, &next);
			else if (next.by && n <= FEW)
				UNROLL for (int p = 0; p < n; p++)
				    fetch_new(src + t.at[p], up, by, next.second);
			if (r->bytes == WIDTH)
				sink_push_whole(k, take_whole(r, &t, s, n));
			else
				sink_push(k, take_whole(r, &t, s, n), r->bytes);
		}
		if (!next.near && next.by && n <= FEW)
			fetch_row_ends(r, src, next, &t, n);
		if (r->last_bytes)
			sink_push(k, take_whole(r, &t, s, n), r->last_bytes);
	}
}

INLINE void sink_rows(const recipe *r, const vf_block *b, byte *dst, const byte *src, const int n)
{
	const int64_t row = row_bytes_of(r), read = bytes_of_steps(r);
	const rows_ahead next = r->advance < 0 ? turned_ahead(b, read) : rows_ahead_far(b, b->rows, read);
	_Alignas(LINE) byte room[SINK_ROOM];
	sink k;
	sink_open(&k, dst, room);
	int64_t begin = b->rows, end = b->rows;
	if (b->dst_step == row)
		inner_rows(r, b, false, &begin, &end);
	for (int64_t i = 0; i < b->rows; i++, src += b->src_step) {
		if (i == begin && begin < end) {
			sink_inner(&k, r, b, src, end - begin, n);
			src += (end - begin) * b->src_step, i = end;
			if (i == b->rows)
				break;
		}
		int64_t above = b->src_step < 0 ? i * -b->src_step : (b->rows - 1 - i) * b->src_step;
		if (b->dst_step != row)
			sink_open(&k, dst + i * b->dst_step, room);
		sink_row(&k, r, src, whole_steps(r, above, 0), next, n);
		if (b->dst_step != row)
			sink_close(&k);
	}
	if (b->dst_step == row)
		sink_close(&k);
}

COOK(cook_lines, sink_rows)
