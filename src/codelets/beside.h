/* beside.h -- rows past the cache: those that fill dst without a gap, and those that are read side by side, a
 * line of each in turn.
 *
 * Text of rows.h. If rows have gaps between them and are read one after the other, each waits for memory at
 * its start: the processor's own fetching follows a row only once it has seen some of its lines. But it
 * follows many rows at a time. So a group of rows is read together, and the same lines of the next group are
 * asked for meanwhile (Zen 4, of the fastest copy: rows of 3 KiB, 5760 bytes apart, 0.54 to 0.80; of 20 KB,
 * 40 apart, 0.65 to 0.95).
 */

/* ---- one after the other, without a gap in dst ---- */

/* Whole lines of a row from byte `at` on. Returns where they end. */
INLINE int64_t stream_whole(byte *dst, const byte *src, int64_t n, int64_t at, rows_ahead *next)
{
	if (at > 0)
		fetch_ahead(src, next);
	for (; n - at >= LINE; at += LINE) {
		fetch_ahead(src + at, next);
		stream_lines(dst + at, src + at, 1);
	}
	fetch_end(src + at, n - at, next);
	return at;
}

/* Rows of a line and more. Each line of dst is read from where it lies in the source; a line in which two
 * rows meet is read from both. No line is asked for twice, since that costs as much as a line (a
 * Xeon with AMX, every second row and pixel of f16 112 x 112 of 32 channels, of the fastest copy: 0.33, and
 * 0.45). This is no part of stream_rows(), because the loops of shorter rows lost by it there (f32
 * [2000000,10] without its last column 0.78 and 0.68). */
static __attribute__((noinline)) void stream_joined(const vf_block *b, byte *dst, const byte *src)
{
	const int64_t n = b->n, to_set = b->src_block - (b->rows - 1) * b->src_step;
	rows_ahead next = rows_ahead_of(b, b->n, src);
	int64_t at = bytes_to_line(dst, n);
	copy_bytes(dst, src, at);
	for (int64_t sets = sets_of(b) - 1; sets >= 0; sets--)
		for (int64_t left = b->rows - 1; left >= 0; left--, dst += n, at -= n) {
			const int64_t by = left ? b->src_step : to_set;
			at = stream_whole(dst, src, n, at, &next);
			if (left == 0 && sets == 0)
				copy_bytes(dst + at, src + at, n - at);
			else if (at < n)
				stream_joint(dst + at, src + at, n - at, src + by), at += LINE;
			src += by;
		}
}

/* The same for rows that run downwards in the source: the last one first, so that they are read upwards. */
static __attribute__((noinline)) void stream_upwards(const vf_block *b, byte *dst, const byte *src)
{
	const int64_t n = b->n, by = -b->src_step, last = b->rows - 1;
	rows_ahead next = rows_ahead_near(src - last * by, by - n, b->rows * by);
	for (int64_t set = 0; set < sets_of(b); set++, dst += b->rows * n, src += b->src_block) {
		const byte *s = src - last * by;
		if (next.line - (uintptr_t)s > (uintptr_t)(b->rows * by)) /* sets are apart */
			next.line = (uintptr_t)s;
		for (int64_t r = last; r >= 0; r--, s += by) {
			byte *d = dst + r * n;
			int64_t at = bytes_to_line(d, n);
			if (r == 0 && set == 0)
				copy_bytes(d, s, at);
			at = stream_whole(d, s, n, at, &next);
			if (r == last && set + 1 == sets_of(b))
				copy_bytes(d + at, s + at, n - at);
			else if (at < n)
				stream_joint(d + at, s + at, n - at, r < last ? s - by : src + b->src_block);
		}
	}
}

/* ---- side by side ---- */

/* How many bytes leave together: a line, or 128 bytes where lines leave by pairs (codelets/cpu.h). A Xeon
 * with AMX, of the fastest copy, by lines and by pairs: 16 rows of 2 KiB, 4032 bytes apart, 0.58 and 0.69. If
 * there are few rows, both halves leave soon enough without this: four rows of 43 KB 0.84 and 0.68. */
static int64_t grain_of(const vf_block *b)
{
	enum { FEW_ROWS = 4 };
	return b->paired && b->beside > FEW_ROWS && b->n >= 4 * LINE ? 2 * LINE : LINE;
}

/* The bytes from p to the next whole grain. */
static int64_t bytes_to_grain(const byte *p, int64_t grain)
{
	return (int64_t)(-(uintptr_t)p & (uintptr_t)(grain - 1));
}

/* Writes the rest of a row from byte `at` on, behind its whole grains. If no gap follows, and this row is not
 * the `last`, writes the bytes of the next row that share a grain with it, too. */
static void end_row(const vf_block *b, byte *dst, const byte *src, int64_t at, bool last)
{
	const int64_t grain = grain_of(b);
	for (; b->n - at >= LINE; at += LINE)
		stream_lines(dst + at, src + at, 1);
	if (last || b->dst_step != b->n) {
		copy_bytes(dst + at, src + at, b->n - at);
		return;
	}
	if (at < b->n)
		stream_joint(dst + at, src + at, b->n - at, src + b->src_step), at += LINE;
	if (bytes_to_grain(dst + at, grain))
		stream_lines(dst + at, src + b->src_step + at - b->n, 1);
}

/* Writes the bytes before the first whole grain of each row, unless the row before has written them. */
static void begin_rows(const vf_block *b, byte *dst, const byte *src, bool first)
{
	const int64_t rows = b->dst_step != b->n ? b->rows : first;
	for (int64_t k = 0; k < rows; k++, dst += b->dst_step, src += b->src_step) {
		const int64_t head = bytes_to_line(dst, LINE);
		copy_bytes(dst, src, head);
		stream_lines(dst + head, src + head, bytes_to_grain(dst + head, grain_of(b)) / LINE);
	}
}

/* A group of rows. The first whole grain of row k is at dst + to[k] and comes from src + from[k]. What is
 * read next lies `later` bytes further on. */
typedef struct beside_group {
	byte *dst;
	const byte *src;
	int64_t rows, bytes, later; /* bytes: of whole grains that all rows have */
	int64_t from[VF_MOST_BESIDE], to[VF_MOST_BESIDE];
} beside_group;

/* `lines`: of a grain, a constant. `asks`: is what is read next asked for? */
INLINE void stream_grains(const beside_group *g, const int lines, const bool asks)
{
	for (int64_t i = 0; i < g->bytes; i += lines * LINE)
		for (int64_t k = 0; k < g->rows; k++) {
			const byte *s = g->src + g->from[k] + i;
			for (int l = 0; l < lines && asks; l++)
				fetch_far(s + l * LINE, g->later);
			stream_lines(g->dst + g->to[k] + i, s, lines);
		}
}

/* A group of b->rows rows. `first`, `last`: it begins, or ends, the call. */
static void stream_group(const vf_block *b, byte *dst, const byte *src, int64_t later, bool first, bool last)
{
	const int64_t grain = grain_of(b), bytes = (b->n - grain + 1) & -grain;
	beside_group g = {.dst = dst, .src = src, .rows = b->rows, .bytes = bytes, .later = later};
	begin_rows(b, dst, src, first);
	for (int64_t k = 0; k < b->rows; k++) {
		const int64_t head = bytes_to_grain(dst + k * b->dst_step, grain);
		g.from[k] = k * b->src_step + head, g.to[k] = k * b->dst_step + head;
	}
	if (b->paired && b->n >= VF_LONG_BESIDE) /* the processor fetches them: plan/strategies/copy.c */
		stream_grains(&g, 2, false);
	else if (grain > LINE)
		stream_grains(&g, 2, true);
	else
		stream_grains(&g, 1, true);
	for (int64_t k = 0; k < b->rows; k++, dst += b->dst_step, src += b->src_step) {
		const int64_t head = bytes_to_grain(dst, grain);
		fetch_span(src, later, head, vf_takes_l2_hints());
		fetch_span(src + bytes, later, b->n - bytes, vf_takes_l2_hints());
		end_row(b, dst, src, head + bytes, last && k == b->rows - 1);
	}
}

static void stream_beside(const vf_block *b, byte *dst, const byte *src)
{
	const int64_t groups = (b->rows + b->beside - 1) / b->beside, rows = (b->rows + groups - 1) / groups;
	vf_block group = *b;
	for (int64_t r = 0; r < b->rows; r += rows) {
		const bool last = b->rows - r <= rows;
		int64_t later = last && b->ahead_step ? b->ahead_step - r * b->src_step : rows * b->src_step;
		group.rows = smaller(b->rows - r, rows);
		stream_group(&group, dst + r * b->dst_step, src + r * b->src_step, later, r == 0, last);
	}
}
