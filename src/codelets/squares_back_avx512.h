/* squares_back_avx512.h -- pixels of 5 to 32 units backwards, to planes.
 *
 * Text of squares_avx512.h. As there, but rows are read upwards, which the processor's own fetching follows,
 * and planes are filled from their ends. A turn's rows and the pixels of each come in the other order.
 */

/* Moves `rows` rows as if they were one. */
INLINE void pixels_back(square *q, const vf_block *b, byte *dst, const byte *src, int64_t rows, const size z)
{
	falling k[MOST_PLANES];
	const int64_t turn = z.cells * q->part, row = b->n * q->pixel - (q->pixel - q->planes * b->unit);
	src -= (b->n - 1) * q->pixel;
	ask_for_pixels(q, b, src, rows, row);
	for (int64_t p = 0; p < q->planes; p++)
		falling_open(&k[p], dst + plane_at(b, p));
	for (; rows > 0; rows--, src += b->src_step) {
		const byte *s = src;
		int64_t n = b->n * b->unit, left = row;
		dst += n;
		for (int64_t p = 0; p < q->planes; p++)
			falling_row(&k[p], dst + plane_at(b, p));
		for (; n > 0; n -= LINE, left -= turn, s += turn) {
			if (q->run.near)
				fetch_run(s + turn, &q->run);
			keep_pixels(q, 0, s, left, z);
			for (int64_t p = 0; p < q->planes; p++)
				if (n >= LINE)
					falling_push(&k[p], load64(q->lines[p]));
				else
					falling_rest(&k[p], load64(q->lines[p]), n);
		}
		for (int64_t p = 0; n == 0 && p < q->planes; p++)
			falling_whole(&k[p]);
	}
	for (int64_t p = 0; p < q->planes; p++)
		falling_close(&k[p], dst + plane_at(b, p));
}

/* A row, stored. */
INLINE void pixels_back_stored(const square *q, const vf_block *b, byte *dst, const byte *src, const size z)
{
	const int64_t turn = z.cells * q->part;
	int64_t left = b->n * q->pixel - (q->pixel - q->planes * b->unit);
	src -= (b->n - 1) * q->pixel;
	for (int64_t n = b->n * b->unit; n > 0; n -= LINE, left -= turn, src += turn)
		for (int s = 0; s < z.squares; s++) {
			__m512i r[MOST_CELLS];
			const __mmask64 some = ~first_bytes(larger(LINE - n, 0));
			read_pixels(q, r, s, src, left, z);
			UNROLL for (int p = 0; p < z.cells; p++) if (s * z.cells + p < q->planes)
			    _mm512_mask_storeu_epi8(dst + plane_at(b, s * z.cells + p) + n - LINE, some,
			                            r[p]);
		}
}
