/* brought_avx512.h -- blocks whose rows of the source share sets of the caches: text of transpose_avx512.c.
 *
 * Lines that are asked for would drive each other out, and lines of many rows side by side come slowly. So a
 * block is cut into slices, some lines of all its rows of the source. A slice is brought to a stage in the
 * second cache as it lies, one row after the other. Two stages take turns: while the rows of one are turned
 * and leave, the next slice is brought to the other, as many lines as leave.
 *
 * (Zen 5, of the fastest copy, as they lie and so: f32 4096 x 4096 0.62 and 0.76, 256 x 256 x 256 reversed
 * 0.52 and 0.66, u16 256 x 256 x 512 0.29 and 0.57, u8 512 x 512 x 512 0.27 and 0.39. A bare loop for
 * f32 4096 x 4096 has 0.72 to 0.85; it has 0.55 if a slice is brought whole before it is turned.)
 */

enum { MOST_BROUGHT = 576 }; /* rows of the source */

/* Bytes of a slice's rows: as many as stages have room for. */
static int64_t brought_bytes(const vf_block *b, const vf_flow *flow)
{
	const int64_t room = (flow->stage_bytes - LINE) / 2 / b->n;
	return smaller(room / LINE * LINE - LINE, VF_BROUGHT);
}

static bool goes_brought(const vf_block *b, const vf_flow *flow)
{
	const bool can = b->unit % 3 && vf_has_run(b->unit) && !b->pass && !b->paired;
	return can && flow && flow->stage && b->stream != VF_STORE && b->n > 0 && b->n <= MOST_BROUGHT &&
	       brought_bytes(b, flow) >= LINE;
}

/* Moves a block that is owned whole. */
static void move_brought(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow)
{
	const int64_t pitch = brought_bytes(b, flow) + LINE, columns = (pitch - LINE) / b->unit;
	int64_t made[MOST_BROUGHT], places[MOST_BROUGHT];
	const int64_t *at = places_of(b->src_at, b->stride, b->n, made);
	byte *begin = flow->stage + (-(uintptr_t)flow->stage & (LINE - 1));
	byte *stage[2] = {begin, begin + b->n * pitch};
	vf_flow some = *flow;
	vf_block part = *b;
	part.src_at = places_of(NULL, pitch, b->n, places), part.rows = smaller(b->rows, columns);
	ahead next = ahead_brought(src, at, b->n, part.rows * b->unit, stage[0], pitch);
	ahead_bring(&next, INT64_MAX);
	for (int64_t row = 0, turn = 0; row < b->rows; row += part.rows, turn = !turn) {
		part.rows = smaller(b->rows - row, columns);
		const int64_t rest = smaller(b->rows - row - part.rows, columns);
		next = ahead_none();
		if (rest > 0)
			next = ahead_brought(src + (row + part.rows) * b->unit, at, b->n, rest * b->unit,
			                     stage[!turn], pitch);
		if (b->dst_at)
			part.dst_at = b->dst_at + row;
		if (b->stream == VF_CARRY)
			some.carry = flow->carry + row * LINE;
		move_block(&part, dst + (b->dst_at ? 0 : row * b->dst_step), &(tile){.src = stage[turn]},
		           &some, (span){row, b->rows}, &next);
		ahead_bring(&next, INT64_MAX);
	}
}
