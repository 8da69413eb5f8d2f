/* fills.h -- one unit, many times: expanded axes, constants.
 *
 * Text of rows.h, after recipes.
 */

static void fill_row(byte *d, const byte *s, int64_t bytes, vec v, int64_t period)
{
	byte *end = d + bytes;
	if (period > WIDTH) {
		for (; d < end; d += period)
			copy_run(d, s, period, true);
		return;
	}
	for (; period == WIDTH && end - d >= LANES; d += LANES)
		store_lanes(d, lanes_of(v));
	for (; end - d >= WIDTH; d += period)
		store_vec(d, v);
	if (d < end)
		store_part(d, v, end - d);
}

/* Short rows that join are blocks: all of them are one row of a recipe. False where that does not fit. */
static bool cook_fill(const vf_block *b, void *dst, const void *src)
{
	form f = {.n = b->rows, .unit = b->n * b->unit, .by = b->src_step, .streams = 1, .period = b->unit};
	if (f.unit * 2 > WIDTH || b->dst_step != f.unit || b->src_step == 0)
		return false;
	return cook_block(&f, &(vf_block){.rows = 1, .stream = b->stream}, dst, src);
}

static void stream_fill(const vf_block *b, byte *dst, const byte *src)
{
	uint16_t block[WIDTH];
	const int64_t row = b->n * b->unit, k = WIDTH / b->unit;
	const bool follow = b->dst_step == row;
	const pick repeat = repeat_of(b->unit, k, block);
	joined out;
	joined_open(&out, dst);
	for (int64_t r = 0; r < b->rows; r++, src += b->src_step) {
		if (!follow && r > 0)
			joined_open(&out, dst + r * b->dst_step);
		joined_fill(&out, picked(repeat, load_part(src, 0, b->unit)), row, k * b->unit);
		if (!follow)
			joined_close(&out);
	}
	if (follow)
		joined_close(&out);
}

/* Rows of one unit each. `unit` is a constant. */
INLINE void copy_each(const vf_block *b, byte *dst, const byte *src, const int unit)
{
	for (int64_t k = 0; k < b->rows; k++, dst += b->dst_step, src += b->src_step)
		memcpy(dst, src, (size_t)unit);
}

/* False where there is no code for the unit. */
static bool copy_units(const vf_block *b, byte *dst, const byte *src)
{
#define CASE(size)                                                                                           \
	case size: copy_each(b, dst, src, size); return true;
	switch (b->n) {
		CASE(1) CASE(2) CASE(3) CASE(4) CASE(6) CASE(8) CASE(12) CASE(16) default : return false;
	}
#undef CASE
}

static void rows_fill(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	uint16_t block[WIDTH];
	const int64_t unit = b->unit, k = unit <= WIDTH ? WIDTH / unit : 0, bytes = b->n * unit;
	(void)flow;
	if (b->n <= 0 || b->rows <= 0)
		return;
	if (cook_fill(b, dst, src))
		return;
	if (b->stream && k) {
		stream_fill(b, dst, src);
		return;
	}
	const pick repeat = k ? repeat_of(unit, k, block) : repeat_of(WIDTH, 1, block);
	vec v = picked(repeat, load_part(src, 0, smaller(unit, WIDTH)));
	if (b->src_step == 0 && bytes <= k * unit) {
		byte pattern[WIDTH];
		store_vec(pattern, v);
		if (copy_units(&(vf_block){.rows = b->rows, .dst_step = b->dst_step, .n = bytes}, dst,
		               pattern))
			return;
	}
	for (int64_t row = 0; row < b->rows; row++) {
		byte *d = (byte *)dst + row * b->dst_step;
		const byte *s = (const byte *)src + row * b->src_step;
		if (b->src_step)
			v = picked(repeat, load_part(s, 0, smaller(unit, WIDTH)));
		if (bytes <= k * unit)
			store_part(d, v, bytes);
		else
			fill_row(d, s, bytes, v, k ? k * unit : unit);
	}
}
