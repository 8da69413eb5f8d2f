/* grid.h -- tiles by steps without tables: rows of dst are evenly apart, and rows of the source mostly are.
 *
 * Text of staged.h. A step is what load_step() moves: TAKEN rows of the source by COLUMNS units. Two steps
 * beside each other fill a line of each row of dst. They go down the rows of dst. So each line of dst is
 * written once, while TAKEN or twice as many rows of the source are read side by side.
 *
 * Pointers go on by four rows, and compilers may not look through that: they would keep a pointer for each
 * row instead, more than there are registers (Zen 3, in the second cache, bare loops, of memcpy, by a pointer
 * for each row and so: bytes 512 x 512 0.39 and 0.51, u16 256 x 256 0.48 and 0.75).
 */

#define NOT_SEEN_THROUGH(p) __asm__("" : "+r"(p))

/* Unit a of row b is at src + a*stride + b*unit, or at src + at[a] + b*unit, and goes to
 * dst + b*step + a*unit. */
typedef struct grid {
	byte *dst;
	const byte *src;
	const int64_t *at; /* NULL: there is a stride */
	int64_t step, stride, na, nb;
} grid;

/* Has it steps? */
INLINE bool has_steps(const grid *g, const int unit)
{
	return g->na >= TAKEN(unit) && g->nb >= COLUMNS(unit);
}

/* Loads and transposes a step's registers, 16 bytes of each row. */
INLINE void load_even(lanes *r, const byte *src, int64_t stride, const int unit)
{
	const int columns = COLUMNS(unit);
	const byte *high = src + columns * stride;
	NOT_SEEN_THROUGH(high);
	UNROLL for (int i = 0; i < columns; i++)
	{
		if (i > 0 && i % 4 == 0) {
			src += 4 * stride, high += 4 * stride;
			NOT_SEEN_THROUGH(src);
			NOT_SEEN_THROUGH(high);
		}
		r[i] = load_both(src + i % 4 * stride, high + i % 4 * stride);
	}
	turn_step(r, unit);
}

INLINE void store_even(byte *dst, int64_t step, const lanes *r, const int unit)
{
	const int columns = COLUMNS(unit);
	UNROLL for (int i = 0; i < columns; i++)
	{
		if (i > 0 && i % 4 == 0) {
			dst += 4 * step;
			NOT_SEEN_THROUGH(dst);
		}
		if (unit % 3)
			store_lanes(dst + i % 4 * step, r[i]);
		else
			store_some(dst + i % 4 * step, r[i], TAKEN(unit) * unit);
	}
}

/* A step from row a and byte `from` of it, to column a of the rows at dst. */
INLINE void one_step(const grid *g, byte *dst, int64_t a, int64_t from, const int unit)
{
	lanes r[16];
	if (g->at)
		load_step(r, g->src + from, g->at + a, unit, 16);
	else
		load_even(r, g->src + a * g->stride + from, g->stride, unit);
	store_even(dst + a * unit, g->step, r, unit);
}

/* The same of the last bytes of rows: of units of 3, 6 and 12 bytes it reads 12 bytes of each, not 16. */
INLINE void last_step(const grid *g, byte *dst, int64_t a, int64_t from, const int unit)
{
	const byte *src = g->src + from + (g->at ? 0 : a * g->stride);
	lanes r[16];
	int64_t made[32];
	load_step(r, src, places_of(g->at ? g->at + a : NULL, g->stride, TAKEN(unit), made), unit,
	          unit % 3 ? 16 : 12);
	store_even(dst + a * unit, g->step, r, unit);
}

/* `steps` steps beside each other, from row a of the source on, and so down the rows of dst. The last ones
 * include some units that are moved already. */
INLINE void strip_of_grid(const grid *g, int64_t a, const int unit, const int steps, ahead *next)
{
	const int columns = COLUMNS(unit), bytes = columns * unit;
	const int64_t row = g->nb * unit;
	byte *dst = g->dst;
	int64_t at = 0;
	for (; at <= row - 16; at += bytes, dst += columns * g->step) {
		one_step(g, dst, a, at, unit);
		if (steps == 2)
			one_step(g, dst, a + TAKEN(unit), at, unit);
		if (next->rows > 0)
			ahead_ask(next, (steps * columns * REGISTER + LINE - 1) / LINE);
	}
	for (; at < row; at += bytes) {
		const int64_t from = smaller(at, row - bytes);
		for (int k = 0; k < steps; k++)
			last_step(g, g->dst + from / unit * g->step, a + k * TAKEN(unit), from, unit);
	}
}

/* Moves a grid that has steps. The last strip includes some rows that are moved already. `unit` and `table`
 * are constants. */
INLINE void move_steps(const grid *g, const int unit, const bool table, ahead *next)
{
	const int taken = TAKEN(unit);
	const grid known = {g->dst, g->src, table ? g->at : NULL, g->step, g->stride, g->na, g->nb};
	int64_t a = 0;
	for (; a + 2 * taken <= g->na; a += 2 * taken)
		strip_of_grid(&known, a, unit, 2, next);
	for (; a < g->na; a += taken)
		strip_of_grid(&known, smaller(a, g->na - taken), unit, 1, next);
}

/* False where it has no steps, or the unit has no code. */
static bool move_grid(const grid *g, int64_t unit, ahead *next)
{
#define CASE(size)                                                                                           \
	case size:                                                                                           \
		if (!has_steps(g, size))                                                                     \
			return false;                                                                        \
		if (g->at)                                                                                   \
			move_steps(g, size, true, next);                                                     \
		else                                                                                         \
			move_steps(g, size, false, next);                                                    \
		return true;
	switch (unit) {
		EACH_UNIT(CASE)
	default: return false;
	}
#undef CASE
}
