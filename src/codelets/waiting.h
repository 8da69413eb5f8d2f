/* waiting.h -- short rows past the cache where registers are narrower than lines.
 *
 * Text of rows.h. Rows go to a room in L1 by ordinary stores, some KiB of them, and then its whole lines
 * leave. By a line at a time each load waits for the stores before it. (Zen 4 with AVX2, of the fastest copy,
 * by a line at a time and so: rows of 50 bytes, 56 apart, 0.28 and 0.46; of 20, 24 apart, 0.17 and 0.30.)
 */

enum { WAITING = 8 << 10 };

/* What waits in L1 until it leaves past the cache. room[0] goes to `line`, where a line begins; `held` bytes
 * are here, of which the first `first` are another's. */
typedef struct waiting {
	byte *line;
	int64_t held, first;
	_Alignas(64) byte room[WAITING + 2 * LINE];
} waiting;

/* Lets whole lines go. */
static void let_lines_go(waiting *w)
{
	int64_t at = 0;
	if (w->first && w->held >= LINE) {
		copy_bytes(w->line + w->first, w->room + w->first, LINE - w->first);
		at = LINE, w->first = 0;
	}
	for (; at + LINE <= w->held; at += LINE)
		stream_lines(w->line + at, w->room + at, 1);
	memcpy(w->room, w->room + at, LINE);
	w->line += at, w->held -= at;
}

/* Asks for what some rows read, or for what later ones do. */
static void ask_for_rows(const vf_block *b, const byte *src, rows_ahead *next)
{
	if (next->near)
		fetch_ahead(src + (b->rows - 1) * b->src_step + b->n, next);
	else
		for (int64_t r = 0; r < b->rows; r++)
			fetch_span(src + r * b->src_step, next->by, b->n, next->second);
}

static void copy_rows(const vf_block *b, byte *dst, const byte *src);

/* Rows of less than a line, which fill dst without a gap. */
static __attribute__((noinline)) void stream_short(const vf_block *b, byte *dst, const byte *src)
{
	rows_ahead next = rows_ahead_of(b, b->n, src);
	vf_block some = {.dst_step = b->n, .src_step = b->src_step, .n = b->n};
	waiting w;
	w.held = w.first = (int64_t)((uintptr_t)dst & (LINE - 1));
	w.line = dst - w.held;
	for (int64_t set = sets_of(b); set > 0; set--, src += b->src_block)
		for (int64_t r = 0; r < b->rows; r += some.rows) {
			const byte *s = src + r * b->src_step;
			some.rows = smaller(b->rows - r, WAITING / b->n);
			if (w.held + some.rows * b->n > WAITING)
				let_lines_go(&w);
			some.rows = smaller(some.rows, (WAITING + LINE - w.held) / b->n);
			ask_for_rows(&some, s, &next);
			copy_rows(&some, w.room + w.held, s);
			w.held += some.rows * b->n;
		}
	let_lines_go(&w);
	copy_bytes(w.line + w.first, w.room + w.first, w.held - w.first);
}
