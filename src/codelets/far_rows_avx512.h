/* far_rows_avx512.h -- rows of less than a line that fill dst without a gap, each far from the one before.
 *
 * Text of rows.h, after far_units.h, for what goes past the cache. A row is two loads and two stores, into
 * the stage of far units.
 */

/* Moves n bytes by two moves of `part` bytes, which may overlap: part <= n <= 2 * part. */
INLINE void put_row(byte *to, const byte *s, int64_t n, const int part)
{
	byte first[LINE / 2], last[LINE / 2];
	memcpy(first, s, (size_t)part), memcpy(last, s + n - part, (size_t)part);
	memcpy(to, first, (size_t)part), memcpy(to + n - part, last, (size_t)part);
}

/* Rows of `part` bytes or more. */
INLINE void stream_far_rows(const vf_block *b, byte *dst, const byte *src, const int part)
{
	const int64_t n = b->n;
	rows_ahead next = rows_ahead_of(b, n, src);
	far_stage f;
	far_begin(&f, dst);
	for (int64_t set = sets_of(b); set > 0; set--, src += b->src_block) {
		const byte *s = src;
		for (int64_t left = b->rows, now; left > 0; left -= now) {
			byte *to = f.bytes + f.held;
			now = smaller(left, (FAR_STAGE - f.held) / n);
			for (int64_t r = 0; r < now; r++, s += b->src_step, to += n) {
				fetch_end(s, n, &next);
				put_row(to, s, n, part);
			}
			f.held += now * n;
			if (f.held + n > FAR_STAGE)
				far_leave(&f);
		}
	}
	far_leave(&f);
	far_end(&f);
}

/* Rows of 1 to 63 bytes. (Zen 4, of the fastest copy, row by row into a register and so: 20 of 400
 * bytes 0.26 and 0.42, 20 of 200 0.30 and 0.40, 40 of 400 0.37 and 0.45, f32 patches of 8 x 8 put back 0.24
 * and 0.41, in three channels 0.21 and 0.48.) */
static __attribute__((noinline)) void stream_far(const vf_block *b, byte *dst, const byte *src)
{
	if (b->n >= 32)
		stream_far_rows(b, dst, src, 32);
	else if (b->n >= 16)
		stream_far_rows(b, dst, src, 16);
	else if (b->n >= 8)
		stream_far_rows(b, dst, src, 8);
	else if (b->n >= 4)
		stream_far_rows(b, dst, src, 4);
	else if (b->n >= 2)
		stream_far_rows(b, dst, src, 2);
	else
		stream_far_rows(b, dst, src, 1);
}
