/* far_units.h -- units so far apart that a vector would bring only one: by way of a stage, past the cache.
 *
 * Text of the files rows_*.c, in rows.h. Each unit is one load and one store, into a stage in the first
 * cache. The stage leaves in whole lines. A register that is filled unit by unit takes several times as long
 * for each (a Xeon with AMX, one column of f16 [2682358,40], of the fastest copy: 0.39 so, staged 0.51). On
 * AMD's processors that take such hints, units more than a line apart are asked for into the second cache (of
 * that column, Zen 4, into the first 0.42, into the second 0.52; but AVX2, bytes 24 apart, 0.47 and 0.20).
 */

/* Bytes of a stage: many lines, so that most stores into a line are done before the line is loaded. */
enum { FAR_STAGE = 4096 };

INLINE void bring_units(byte *stage, const byte *src, int64_t n, const int unit, int64_t stride)
{
	enum { UNITS_AHEAD = 32 };
	const bool far = stride > LINE || stride < -LINE,
		   second = far && vf_takes_l2_hints() && !asks_second();
	for (int64_t i = 0; i < n; i++, src += stride, stage += unit) {
		fetch_into(src, UNITS_AHEAD * stride, second);
		memcpy(stage, src, (size_t)unit);
	}
}

/* A stage that begins where a line of dst begins: `held` bytes of it, of which the first `others` are not
 * ours. */
typedef struct far_stage {
	_Alignas(LINE) byte bytes[FAR_STAGE + LINE];
	byte *line;
	int64_t held, others;
} far_stage;

INLINE void far_begin(far_stage *f, byte *dst)
{
	f->held = f->others = (int64_t)((uintptr_t)dst & (LINE - 1));
	f->line = dst - f->held;
}

/* Its whole lines leave. */
INLINE void far_leave(far_stage *f)
{
	const int64_t whole = f->held & -LINE, first = f->others && whole ? LINE : 0;
	if (first)
		copy_bytes(f->line + f->others, f->bytes + f->others, LINE - f->others), f->others = 0;
	stream_lines(f->line + first, f->bytes + first, (whole - first) / LINE);
	if (whole)
		memcpy(f->bytes, f->bytes + whole, LINE);
	f->line += whole, f->held -= whole;
}

INLINE void far_end(far_stage *f)
{
	copy_bytes(f->line + f->others, f->bytes + f->others, f->held - f->others);
}

/* One row. */
INLINE void stream_units(byte *dst, const byte *src, int64_t n, const int unit, int64_t stride)
{
	far_stage f;
	far_begin(&f, dst);
	while (n > 0) {
		const int64_t now = smaller(n, (FAR_STAGE - f.held) / unit);
		bring_units(f.bytes + f.held, src, now, unit, stride);
		n -= now, src += now * stride, f.held += now * unit;
		far_leave(&f);
	}
	far_end(&f);
}

/* Short rows that follow each other in dst, as those of patches that are put back do. Where rows share lines
 * of the source, each line is asked for once. (Zen 4, of the fastest copy, unit by unit into a register and
 * so: patches of 8 x 8 u8 in 16 channels put back to planes 0.09 and 0.28, of 4 x 4 f16 0.09 and 0.20, of 4 x
 * 4 f32 in one channel 0.17 and 0.40.) */
INLINE void stream_short_rows(const vf_block *b, byte *dst, const byte *src, const int unit)
{
	far_stage f;
	const int64_t n = b->n, stride = b->stride, row = n * unit;
	const int64_t near = b->src_step < 0 ? -b->src_step : b->src_step;
	const int64_t later = later_row(b, b->rows, row);
	const bool second = vf_takes_l2_hints() && !asks_second();
	far_begin(&f, dst);
	for (int64_t r = 0; r < b->rows; r++, src += b->src_step) {
		const byte *s = src;
		byte *to = f.bytes + f.held;
		if (r == 0 || near >= LINE || (int64_t)((uintptr_t)src & (LINE - 1)) < near)
			for (int64_t i = 0; i < n; i++)
				fetch_into(src + i * stride, later, second);
		for (int64_t i = 0; i < n; i++, s += stride, to += unit)
			memcpy(to, s, (size_t)unit);
		f.held += row;
		if (f.held + row > FAR_STAGE)
			far_leave(&f);
	}
	far_leave(&f);
	far_end(&f);
}

#define STREAM_FAR(bytes)                                                                                    \
	case bytes:                                                                                          \
		if (short_rows)                                                                              \
			stream_short_rows(b, dst, src, bytes);                                               \
		for (int64_t k = 0; !short_rows && k < b->rows; k++)                                         \
			stream_units((byte *)dst + k * b->dst_step, (const byte *)src + k * b->src_step,     \
			             b->n, bytes, b->stride);                                                \
		return true;

/* Of short rows, all are taken as one. False for other units, and for those that vectors bring faster: where
 * registers are shorter than a line (see WHOLE_LINES), units of 3 bytes and more. */
static bool gather_staged(const vf_block *b, void *dst, const void *src, bool short_rows)
{
	enum { FEW_BYTES = 2 };
	if (!WHOLE_LINES && b->unit > FEW_BYTES)
		return false;
	switch (b->unit) {
		STREAM_FAR(1)
		STREAM_FAR(2)
		STREAM_FAR(3)
		STREAM_FAR(4)
		STREAM_FAR(6)
		STREAM_FAR(8)
		STREAM_FAR(12)
		STREAM_FAR(16)
	}
	return false;
}
#undef STREAM_FAR
