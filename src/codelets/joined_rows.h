/* joined_rows.h -- rows that fill dst without a gap, past the cache, without registers as wide as a line.
 *
 * Text of rows_avx2.c and rows_neon.c. Lines are completed across the ends of rows in a line of L1.
 */

/* The line that fills. Of its first `held` bytes, those from `first` on are ours. dst: where the next byte
 * goes. */
typedef struct joined {
	byte line[LINE];
	int64_t held, first;
	byte *dst;
} joined;

static void joined_flush(joined *j)
{
	copy_bytes(j->dst - j->held + j->first, j->line + j->first, j->held - j->first);
	j->held = j->first = 0;
}

static void joined_add(joined *j, const byte *src, int64_t bytes, rows_ahead *next)
{
	if (j->held) {
		int64_t n = smaller(bytes, LINE - j->held);
		fetch_ahead(src, next);
		copy_bytes(j->line + j->held, src, n);
		j->held += n, j->dst += n, src += n, bytes -= n;
		if (j->held < LINE)
			return;
		if (j->first)
			joined_flush(j);
		else
			stream_lines(j->dst - LINE, j->line, 1);
		j->held = 0;
	}
	for (; bytes >= LINE; bytes -= LINE, j->dst += LINE, src += LINE) {
		fetch_ahead(src, next);
		stream_lines(j->dst, src, 1);
	}
	fetch_end(src, bytes, next);
	copy_bytes(j->line, src, bytes);
	j->held = bytes, j->dst += bytes;
}

/* n bytes of a pattern, of which v holds `period` whole. If that is all of v, whole lines are made in a
 * register: what is stored first and then loaded waits for the lines that leave before it. */
static void joined_fill(joined *j, vec v, int64_t n, int64_t period)
{
	enum { PERIODS = 4 * LINE / WIDTH };
	byte pattern[(PERIODS + 1) * WIDTH];
	int64_t at = 0;
	for (int64_t i = 0; i < PERIODS && i * period < n; i++)
		store_vec(pattern + i * period, v);
	if (period == WIDTH && n > 2 * LINE) {
		at = j->held ? LINE - j->held : 0;
		joined_add(j, pattern, at, &(rows_ahead){.by = 0});
		const vec w = at % WIDTH ? load_vec(pattern + at % WIDTH) : v;
		for (; n - at >= LINE; at += LINE, j->dst += LINE)
			for (int64_t i = 0; i < LINE; i += WIDTH)
				stream_vec(j->dst + i, w);
	}
	for (; at < n; at += PERIODS * period)
		joined_add(j, pattern + at % period, smaller(n - at, PERIODS * period),
		           &(rows_ahead){.by = 0});
}

static void joined_open(joined *j, byte *dst)
{
	const int64_t first = (int64_t)((uintptr_t)dst & (LINE - 1));
	*j = (joined){.held = first, .first = first, .dst = dst};
}

static void joined_close(joined *j)
{
	if (j->held)
		joined_flush(j);
}

/* A line of dst in which a row ends, with `bytes` bytes at src, and the next one begins. Its loads wait for
 * its own stores, and these for the lines that leave before them. */
static void joint_by_line(byte *dst, const byte *src, int64_t bytes, const byte *next)
{
	byte line[LINE];
	copy_bytes(line, src, bytes);
	copy_bytes(line + bytes, next, LINE - bytes);
	stream_lines(dst, line, 1);
}
