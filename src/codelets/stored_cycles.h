/* stored_cycles.h -- rows by a recipe that stay in the cache, in cycles of three whole lines.
 *
 * Text of rows_avx512.c, after cycle.h. The steps of a recipe are whole blocks. Where these do not fill a
 * line, steps overlap, and nearly every store touches two lines; cycles fill lines. (Zen 4, of the fastest
 * copy: u8 pixels of 3 twice as wide and high 0.37 and 0.54, ten shapes that repeat units of 3, 6 and 12
 * bytes 0.44 and 0.59.)
 */

INLINE void store_cycle(const cycle *c, const few_picks *f, reach_of r, byte *dst, const byte *src,
                        const manner m)
{
	const int64_t at = src - r.src;
	fetch_to_write(dst, TO_WRITE, m.vectors);
	if (at + c->under >= -r.below && at + c->over <= r.above)
		UNROLL for (int i = 0; i < m.vectors; i++) store_vec(dst + i * WIDTH, few_of(f, src, i, m));
	else
		UNROLL for (int i = 0; i < m.vectors; i++)
		    store_vec(dst + i * WIDTH, careful_of(c, r, (cursor){src, i}, m.n));
}

/* Rows of n blocks, a cycle and more. The last cycle of a row overlaps the one before it. */
INLINE void store_rows(const cycle *c, const call *of, int64_t n)
{
	const manner m = {1, CYCLE_MOST, 1};
	const int64_t bytes = m.vectors * WIDTH, first = n - bytes / c->unit, last = first * c->unit;
	few_picks f;
	load_picks(&f, c, m);
	for (int64_t r = 0; r < of->b->rows; r++) {
		const reach_of reach = reach_of_row(of, r);
		byte *dst = of->dst + r * of->b->dst_step;
		const byte *src = reach.src;
		for (int64_t i = 0; i < last; i += bytes, src += c->advance)
			store_cycle(c, &f, reach, dst + i, src, m);
		store_cycle(c, &f, reach, dst + last, reach.src + first * c->by, m);
	}
}

/* False where rows are shorter than a cycle, where lines are whole blocks, or where a line needs more than
 * one load. Steps load less then: a line that begins inside a block seldom lies in 64 bytes of the source
 * (pixels of 3 mirrored, in the second cache: 0.78 of the fastest copy, by two loads a line 0.44). */
static bool store_cycles(form *f, const vf_block *b, byte *dst, const byte *src)
{
	const int64_t common = smaller(f->unit & -f->unit, WIDTH);
	if (f->unit / common != CYCLE_MOST || f->n < WIDTH / common)
		return false;
	f->skip = 0;
	const cycle *c = cycle_of(f);
	if (!c || c->sources > 1)
		return false;
	store_rows(c, &(call){b, dst, src}, f->n);
	return true;
}
