/* lines_avx512.h -- whole lines past the cache, put together in registers.
 *
 * Text of kernels_avx512.c, after recipe.h. What rows come to, vector by vector, goes into a *sink*,
 * which fills line after line of dst and lets each go when it is full, wherever rows begin and end.
 * Through a buffer in L1 it would be half as fast: such stores wait in one queue with those to
 * memory, and a load that needs two of them waits until they have left it.
 */

/* ---- a sink ---- */

/* The line to be filled: of its first `held` bytes, those from `first` on are ours, in `carry`. */
typedef struct sink {
	byte *line;
	int64_t held, first;
	__m512i carry, turn; /* turn: byte i comes from byte i - held, around the end */
	__mmask64 old;       /* the first `held` bytes */
} sink;

INLINE void sink_hold(sink *k, int64_t held)
{
	static const uint8_t places[64] = {
	    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
	    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
	    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
	k->held = held;
	k->turn = _mm512_sub_epi8(load64(places), _mm512_set1_epi8((char)held));
	k->old = first_bytes(held);
}

INLINE sink sink_open(byte *dst)
{
	int64_t held = (int64_t)((uintptr_t)dst & (LINE - 1));
	sink k = {.line = dst - held, .first = held};
	sink_hold(&k, held);
	return k;
}

INLINE void sink_let_go(sink *k, __m512i line)
{
	if (k->first)
		_mm512_mask_storeu_epi8(k->line, ~first_bytes(k->first), line);
	else
		_mm512_stream_si512((void *)k->line, line);
	k->first = 0;
	k->line += LINE;
}

/* A whole vector. Turned, it goes on where the line ends, and what is too much stands at the start
 * of the next. */
INLINE void sink_push_line(sink *k, __m512i v)
{
	__m512i turned = _mm512_permutexvar_epi8(k->turn, v);
	sink_let_go(k, _mm512_mask_mov_epi8(turned, k->old, k->carry));
	k->carry = turned;
}

/* The first n bytes of v; 0 < n <= 64. */
INLINE void sink_push(sink *k, __m512i v, int64_t n)
{
	__m512i turned = _mm512_permutexvar_epi8(k->turn, v);
	__m512i line = _mm512_mask_mov_epi8(turned, k->old, k->carry);
	if (k->held + n < LINE) {
		k->carry = line;
		sink_hold(k, k->held + n);
	} else {
		sink_let_go(k, line);
		k->carry = turned;
		sink_hold(k, k->held + n - LINE);
	}
}

INLINE void sink_close(const sink *k)
{
	if (k->held > k->first)
		_mm512_mask_storeu_epi8(k->line, k->old & ~first_bytes(k->first), k->carry);
}

/* How far ahead the same place of a later row is that is read some 2 KiB later; 0 for one row. The
 * processor's own fetching follows long rows, but starts anew at each. */
static int64_t later_row(int64_t rows, int64_t src_step, int64_t row_bytes)
{
	return rows > 1 && row_bytes > 0 ? src_step * (2048 / row_bytes + 1) : 0;
}

INLINE void fetch_later(const byte *p, int64_t later)
{
	fetch_line((const void *)((uintptr_t)p + (uintptr_t)later));
}

/* ---- rows by a recipe ---- */

/* `n`, the number of sources, is a constant where this is called. */
INLINE void sink_row(sink *k, const recipe *r, const byte *src, range g, int64_t later, const int n)
{
	const step t = r->whole;
	const byte *s = src;
	int64_t i = 0, by = r->src_advance < 0 ? -r->src_advance : r->src_advance;
	/* Asked for upwards, whichever way it is read: what fetches by itself follows better. */
	int64_t up = later + (r->src_advance < 0 ? (r->steps - 1) * r->src_advance : 0);
	for (; i < g.begin; i++, s += r->src_advance)
		sink_push(k, take_part(&t, s), t.bytes);
	for (; i < g.end; i++, s += r->src_advance, up += by) {
		if (later)
			UNROLL for (int p = 0; p < n; p++) fetch_later(src, up + t.at[p]);
		if (t.bytes == LINE)
			sink_push_line(k, take_whole(&t, s, n));
		else
			sink_push(k, take_whole(&t, s, n), t.bytes);
	}
	for (; i < r->steps; i++, s += r->src_advance)
		sink_push(k, take_part(&t, s), t.bytes);
	if (r->last.bytes)
		sink_push(k, take_part(&r->last, s), r->last.bytes);
}

INLINE void sink_rows(const recipe *r, byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                      int64_t src_step, const int n)
{
	int64_t row_bytes = r->steps * r->whole.bytes + r->last.bytes;
	int64_t by = r->src_advance < 0 ? -r->src_advance : r->src_advance;
	int64_t later = later_row(rows, src_step, by * r->steps);
	sink k = sink_open(dst);
	for (int64_t i = 0; i < rows; i++, src += src_step) {
		int64_t others = src_step < 0 ? i * -src_step : (rows - 1 - i) * src_step;
		if (dst_step != row_bytes)
			k = sink_open(dst + i * dst_step);
		sink_row(&k, r, src, whole_steps(r, others, 0), later, n);
		if (dst_step != row_bytes)
			sink_close(&k);
	}
	if (dst_step == row_bytes)
		sink_close(&k);
}

static void cook_lines(const recipe *r, byte *dst, const byte *src, int64_t rows, int64_t dst_step,
                       int64_t src_step)
{
	switch (r->steps ? r->whole.nsource : r->last.nsource) {
	case 1:
		sink_rows(r, dst, src, rows, dst_step, src_step, 1);
		break;
	case 2:
		sink_rows(r, dst, src, rows, dst_step, src_step, 2);
		break;
	case 3:
		sink_rows(r, dst, src, rows, dst_step, src_step, 3);
		break;
	default:
		sink_rows(r, dst, src, rows, dst_step, src_step, 4);
	}
}

/* ---- plain rows, and rows of one pattern ---- */

/* Rows that fill dst without a gap. */
static void stream_joined(byte *dst, const byte *src, int64_t rows, int64_t src_step, int64_t bytes)
{
	int64_t later = later_row(rows, src_step, bytes);
	sink k = sink_open(dst);
	for (int64_t i = 0; i < rows; i++, src += src_step) {
		const byte *s = src, *end = src + bytes;
		for (; end - s >= LINE; s += LINE) {
			fetch_later(s, later);
			sink_push_line(&k, load64(s));
		}
		if (s < end)
			sink_push(&k, load_some(s, end - s), end - s);
	}
	sink_close(&k);
}

/* n bytes of a pattern, of which v holds `period` whole. */
INLINE void sink_fill(sink *k, __m512i v, int64_t n, int64_t period)
{
	if (period == LINE)
		for (; n >= LINE; n -= LINE) sink_push_line(k, v);
	for (; n >= period; n -= period)
		sink_push(k, v, period);
	if (n > 0)
		sink_push(k, v, n);
}
