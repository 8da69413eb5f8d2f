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

/* One row. The stage begins where the line of dst begins. */
INLINE void stream_units(byte *dst, const byte *src, int64_t n, const int unit, int64_t stride)
{
	_Alignas(LINE) byte stage[FAR_STAGE + LINE];
	int64_t held = (int64_t)((uintptr_t)dst & (LINE - 1)), others = held; /* bytes before dst */
	byte *line = dst - held;
	while (n > 0) {
		const int64_t now = smaller(n, (FAR_STAGE - held) / unit);
		bring_units(stage + held, src, now, unit, stride);
		n -= now, src += now * stride, held += now * unit;
		const int64_t whole = held & -LINE, first = others && whole ? LINE : 0;
		if (first)
			copy_bytes(line + others, stage + others, LINE - others), others = 0;
		stream_lines(line + first, stage + first, (whole - first) / LINE);
		if (whole)
			memcpy(stage, stage + whole, LINE);
		line += whole, held -= whole;
	}
	copy_bytes(line + others, stage + others, held - others);
}

#define STREAM_FAR(bytes)                                                                                    \
	case bytes:                                                                                          \
		for (int64_t k = 0; k < b->rows; k++)                                                        \
			stream_units((byte *)dst + k * b->dst_step, (const byte *)src + k * b->src_step,     \
			             b->n, bytes, b->stride);                                                \
		return true;

/* False for other units, and for those that vectors bring faster: where registers are shorter than a line
 * (see WHOLE_LINES), units of 3 bytes and more. */
static bool gather_staged(const vf_block *b, void *dst, const void *src)
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
