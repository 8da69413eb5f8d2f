/* fused_rows.h -- rows of `apply` that follow each other in dst, but not where they are read, as they lie.
 *
 * Text of as_one.h, after fused.h. A row's whole lines of dst are computed from where the source lies. A line
 * that has the end of one row and the beginning of the next is put together in L1: nothing else is. Ordinary
 * stores need no whole lines: there each row ends with a vector that may be computed twice.
 * (Zen 4, of the fastest copy, all rows brought side by side first and so: f32 rows of 428 of 512 to bf16
 * 0.38 and 0.55, divided 0.44 and 0.66, u8 rows of 434 to f16 0.57 and 0.60; rows of 117 0.47 and 0.47.)
 */

/* Are rows long enough to be computed so? A second value for each row is put side by side for chunks, which
 * do not end where rows do. */
static bool computes_as_it_lies(const work *w, const vf_block *b)
{
	enum { SHORT = 256 };
	bool alike = w->fuses && b->n >= SHORT;
	for (int64_t k = 0; k < b->pass->noperand; k++)
		alike = alike && !w->operands[k].row;
	return alike;
}

/* The last `rest` bytes of a row and the first of the next one: `bytes` in all, which both rows have. `room`
 * has three times as many. */
static const byte *joint(byte *room, const byte *end, const byte *next, int64_t rest, int64_t bytes)
{
	byte *both = room + bytes;
	bring(both + rest - bytes, end - bytes, bytes);
	bring(both + rest, next, bytes);
	return both;
}

/* Computes n elements that are read at `in`; they are those from `at` on of all rows. Returns how many. */
static int64_t fused_from(work *w, byte *d, const byte *in, int64_t at, int64_t n)
{
	fused_go_to(w, at, n);
	return fused_run(&w->row, d, in, n, w->stream);
}

/* The same for a row or the rest of one, some lines at a time, which go with what is asked for. */
static int64_t fused_row(work *w, byte *d, const byte *s, int64_t at, int64_t n, rows_ahead *next)
{
	enum { SOME = 2 * UNITS * LANES };
	const int64_t from = w->pass->from, to = w->pass->to;
	int64_t i = 0, done = SOME;
	for (; done == SOME && i < n; i += done) {
		const int64_t some = smaller(SOME, n - i);
		for (int64_t line = 0; next && line < some * from; line += LINE)
			fetch_ahead(s + i * from + line, next);
		done = fused_from(w, d + i * to, s + i * from, at + i, some);
	}
	if (w->stream || i == n)
		return i;
	i = n - LANES;
	return i + fused_from(w, d + i * to, s + i * from, at + i, LANES);
}

/* False if second values are neither one nor side by side, and for rows that lie far apart and are not long:
 * their lines are asked for row by row (f32 rows of 300, 800, 1340 of 1920 0.45 and 0.29, 0.55 and 0.50, 0.48
 * and 0.60). Not inlined: the frame of a small call would grow. */
static __attribute__((noinline)) bool fused_rows(work *w, const vf_block *b, byte *d, const byte *s)
{
	enum { MOST = 8 * LINE, FAR_ROW = 4096 }; /* MOST: of the source for a line of dst */
	_Alignas(LINE) byte room[3 * MOST];
	const int64_t from = w->pass->from, to = w->pass->to, n = b->n, line = LINE / to;
	rows_ahead next = rows_ahead_of(b, n * from, s);
	rows_apart row = rows_of(b, s);
	if ((b->stream && !next.near && n * from < FAR_ROW) || !fused_begin(w))
		return false;
	int64_t i = w->stream ? (int64_t)(-(uintptr_t)d & (LINE - 1)) / to : 0;
	for (int64_t k = 0; k < i;)
		k += fused_edge(w, d, s, 0, k, n);
	for (int64_t r = 0, at = 0; r < b->rows; r++, d += n * to, at += n) {
		i += fused_row(w, d + i * to, row.row + i * from, at + i, n - i, b->stream ? &next : NULL);
		if (b->stream)
			fetch_end(row.row + n * from - 1, 1, &next);
		const int64_t rest = n - i;
		const byte *end = row.row + n * from;
		while (r == b->rows - 1 && i < n)
			i += fused_edge(w, d, row.row, at, i, n);
		next_rows(&row, 1);
		if (i < n)
			fused_from(w, d + i * to, joint(room, end, row.row, rest * from, line * from), at + i,
			           line);
		i = rest ? line - rest : 0;
	}
	return true;
}
