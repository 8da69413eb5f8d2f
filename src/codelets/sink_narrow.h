/* sink_narrow.h -- a stream of bytes past the cache by way of L1, for registers narrower than a line.
 *
 * Text of rows_avx2.c and rows_neon.c. As sink_avx512.h, but keeps what is pushed until it has SINK bytes: a
 * load of what two stores have just left would wait for both.
 */

enum { SINK = 2048, SINK_ROOM = SINK + 2 * LINE }; /* whole lines; a push stores less than two */

/* What leaves next, to `line` and on. `kept` holds `held` bytes; those from `first` on are ours. */
typedef struct sink {
	byte *line, *kept;
	size_t held, first;
} sink;

/* `room`: SINK_ROOM bytes, at a line. */
INLINE void sink_open(sink *k, byte *dst, byte *room)
{
	k->held = k->first = (uintptr_t)dst & (LINE - 1);
	k->line = dst - k->held, k->kept = room;
}

/* Whole lines leave; the rest moves to the front. Arguments are values: a sink whose address was passed would
 * be read and written in memory at each push. */
static void sink_leave(byte *line, byte *kept, size_t held, size_t first)
{
	const byte *from = kept;
	int64_t lines = (int64_t)(held / LINE);
	if (lines == 0)
		return;
	if (first) {
		copy_bytes(line + first, from + first, (int64_t)(LINE - first));
		line += LINE, from += LINE, lines--;
	}
	stream_lines(line, from, lines);
	memmove(kept, from + lines * LINE, LINE);
}

INLINE void sink_drain(sink *k)
{
	sink_leave(k->line, k->kept, k->held, k->first);
	k->first = k->held < LINE ? k->first : 0;
	k->line += k->held / LINE * LINE, k->held %= LINE;
}

INLINE void sink_pushed(sink *k, int64_t n)
{
	k->held += (size_t)n;
	if (k->held >= SINK)
		sink_drain(k);
}

/* Pushes the first n bytes of v. */
INLINE void sink_push(sink *k, vec v, int64_t n)
{
	store_vec(k->kept + k->held, v);
	sink_pushed(k, n);
}

INLINE void sink_push_whole(sink *k, vec v)
{
	sink_push(k, v, WIDTH);
}

/* Writes the rest, which does not fill a line. */
static __attribute__((noinline)) void sink_rest(byte *line, const byte *kept, size_t held, size_t first)
{
	copy_bytes(line + first, kept + first, (int64_t)(held - first));
}

INLINE void sink_close(sink *k)
{
	sink_drain(k);
	sink_rest(k->line, k->kept, k->held, k->first);
}
