/* lines_avx512.h -- whole lines past the cache, put together in registers.
 *
 * Text of kernels_avx512.c, after recipe.h. What rows come to, vector by vector, goes into a sink.
 */
#include "runtime/sink_avx512.h"


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
