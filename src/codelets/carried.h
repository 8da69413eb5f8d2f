/* carried.h -- units of a line and more that go to rows anywhere, past the cache.
 *
 * Text of transpose_avx512.c, and of staged.h where there are stores past the cache. They define
 *
 *   carry_unit(d, s, unit, kept, fresh)   moves one such unit to a row. `kept` has the row's line that is not
 *                                         full yet. `fresh`: what stands before the unit in that line of dst
 *                                         is not ours. Nothing is read beside the unit
 *   store_kept(d, kept, held)             writes the first `held` bytes of that line, fewer than a line
 *   LEAST_CARRIED                         the shortest unit that moves so
 *   carries_beside(b)                     whether units of rows side by side do that are no stream
 */

/* Does a block move so? Whole lines side by side need nothing kept (Zen 4, of the fastest copy, as a stream
 * and line by line: heads of 64 bytes, 6 of them, 0.65 and 0.98, of 448 bytes, 5 of them, 0.70 and 0.99). */
static bool is_carried(const vf_block *b, byte *dst)
{
	return b->stream == VF_CARRY && b->unit >= LEAST_CARRIED && !b->pass &&
	       (b->src_step || !units_are_lines(b, row_of_dst(b, dst, 0)));
}

/* What a row kept, once it has all its units. */
INLINE void end_carried(const vf_block *b, byte *dst, const vf_flow *flow, int64_t row)
{
	byte *d = row_of_dst(b, dst, row);
	const int64_t held = (int64_t)((uintptr_t)d & (LINE - 1));
	store_kept(d - held, flow->carry + row * LINE, held);
}

/* Does nothing follow in the rows, and is there something that they kept? */
static bool ends_carried(const vf_block *b, const vf_flow *flow)
{
	return flow->more == 0 && (b->n > 0 || !flow->first);
}

/* Moves a block of them in the order of the source. Its lines are read one after the other, which the
 * processor's own fetching follows (Zen 5, of the fastest copy, so and by one row of dst after the other: f16
 * heads of 80 bytes 0.92 and 0.20, of 160 1.0 and 0.9). */
static void carry_in_order(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow, ahead *next)
{
	for (int64_t a = 0; a < b->n; a++, dst += b->unit) {
		const byte *s = row_in_order(b, src, a);
		for (int64_t row = 0; row < b->rows; row++, s += unit_step(b))
			carry_unit(row_of_dst(b, dst, row), s, b->unit, flow->carry + row * LINE,
			           flow->first && a == 0);
		ahead_ask(next, b->rows * (b->unit / LINE));
	}
	for (int64_t row = 0; row < b->rows && ends_carried(b, flow); row++)
		end_carried(b, dst, flow, row);
}

/* Are the rows of dst one stream? They follow each other, whole, and each takes units from rows of the source
 * side by side. */
static bool rows_are_stream(const vf_block *b, const vf_flow *flow)
{
	return !b->dst_at && b->dst_step == b->n * b->unit && flow->first && flow->more == 0;
}

/* Moves such a stream. What lies further on in each row is asked for: the processor follows a dozen rows
 * badly. (Zen 4, nine shapes, of the fastest copy, 1 KiB later into the first cache, 1, 2 and 4 KiB later
 * into the second: 0.72, 0.73, 0.78, 0.78.) */
static void stream_beside_units(const vf_block *b, byte *dst, const byte *src)
{
	const bool second = vf_takes_l2_hints();
	const int64_t later = second ? 2048 : 1024;
	_Alignas(LINE) byte kept[LINE] = {0};
	byte *d = dst;
	for (int64_t row = 0; row < b->rows; row++, src += unit_step(b))
		for (int64_t a = 0; a < b->n; a++, d += b->unit) {
			const byte *s = row_in_order(b, src, a);
			fetch_span(s, later, b->unit, second);
			carry_unit(d, s, b->unit, kept, d == dst);
		}
	const int64_t held = (int64_t)((uintptr_t)d & (LINE - 1));
	store_kept(d - held, kept, held);
}

/* Moves a block of them one row of dst after the other. */
static void carry_beside(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow, ahead *next)
{
	for (int64_t row = 0; row < b->rows; row++, src += unit_step(b)) {
		byte *d = row_of_dst(b, dst, row);
		for (int64_t a = 0; a < b->n; a++, d += b->unit) {
			carry_unit(d, row_in_order(b, src, a), b->unit, flow->carry + row * LINE,
			           flow->first && a == 0);
			ahead_ask(next, b->unit / LINE);
		}
		if (ends_carried(b, flow))
			end_carried(b, dst + b->n * b->unit, flow, row);
	}
}

/* False where a block does not move so. */
static bool move_carried(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow, ahead *next)
{
	const bool stream = b->beside && rows_are_stream(b, flow);
	if (!is_carried(b, dst) || (b->beside && !stream && !b->src_step && !carries_beside(b)))
		return false;
	if (!b->beside)
		carry_in_order(b, dst, src, flow, next);
	else if (stream)
		stream_beside_units(b, dst, src);
	else
		carry_beside(b, dst, src, flow, next);
	return true;
}
