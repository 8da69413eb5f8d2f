/* small_pixels.h -- a few planes become pixels of up to a line, which follow each other in a stage.
 *
 * Text of staged.h. A square takes 16 bytes of each of as many planes as make 16 bytes of a pixel; a register
 * of two lanes holds two squares side by side. The last planes may be fewer. Their square still writes 16
 * bytes of each pixel, which end in the next pixel. So it goes first, and pixels go upwards: what it writes
 * too much is overwritten.
 */

static bool are_small_pixels(int64_t planes, int64_t unit)
{
	return REGISTER > 16 && planes > 1 && planes * unit <= LINE &&
	       (unit == 1 || unit == 2 || unit == 4 || unit == 8);
}

/* Moves `planes` rows of s from row `from` on, at most 16/unit, to their places in pixels of s->na units. Of
 * each row it takes REGISTER/unit units from b on. */
INLINE void square_of_pixels(byte *dst, const tile *s, int64_t from, int64_t planes, int64_t b,
                             const int unit)
{
	const int side = 16 / unit;
	const int64_t pixel = s->na * unit;
	const byte *src = s->src + b * unit;
	lanes r[16];
	UNROLL for (int i = 0; i < side; i++) r[i] = load_row(src + s->at[from + (i < planes ? i : 0)]);
	transpose(r, unit);
	dst += b * pixel + from * unit;
	UNROLL for (int i = 0; i < side; i++, dst += pixel) store_low(dst, r[i]);
	UNROLL for (int i = 0; i < side; i++, dst += pixel) store_high(dst, r[i]);
}

/* `unit` is a constant. */
INLINE void pixels_of(byte *dst, const tile *s, const int unit, ahead *next)
{
	const int64_t side = 16 / unit, step = REGISTER / unit, last = (s->na - 1) / side * side;
	for (int64_t k = 0; k < s->nb; k += step) {
		const int64_t b = smaller(k, s->nb - step);
		square_of_pixels(dst, s, last, s->na - last, b, unit);
		for (int64_t from = 0; from < last; from += side)
			square_of_pixels(dst, s, from, side, b, unit);
		ahead_ask(next, (s->na * REGISTER + LINE - 1) / LINE);
	}
}

static void move_pixels(byte *dst, const tile *s, int64_t unit, ahead *next)
{
	switch (unit) {
	case 1: pixels_of(dst, s, 1, next); break;
	case 2: pixels_of(dst, s, 2, next); break;
	case 4: pixels_of(dst, s, 4, next); break;
	default: pixels_of(dst, s, 8, next);
	}
}
