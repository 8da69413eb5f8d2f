/* cycle_beside.h -- rows by a recipe whose vectors are all picked alike, read side by side as in beside.h.
 *
 * Text of cycle.h.
 */

/* A group of rows that are read side by side. What is read next lies `later` bytes further on. The row before
 * the group is there, too: row r of a call is row[r % CYCLE_ROWS]. */
enum { CYCLE_ROWS = VF_MOST_BESIDE + 1 };

typedef struct cycle_group {
	int64_t first, rows, later;
	cycle_row row[CYCLE_ROWS];
	cycle_run run[VF_MOST_BESIDE]; /* each from the cycle on that reads lowest */
} cycle_group;

/* The run from the end on that reads lowest. A cycle is one vector. */
INLINE cycle_run lowest_first(const cycle *c, cycle_run run)
{
	const int64_t to = c->advance < 0 ? run.cycles - 1 : 0;
	return (cycle_run){run.dst + to * WIDTH, run.src + to * c->advance, run.cycles};
}

/* What is left of such a run after n cycles, now from its first cycle in dst on. */
INLINE cycle_run rest_of(const cycle *c, cycle_run run, int64_t n)
{
	const int64_t to = c->advance < 0 ? 1 - run.cycles : n;
	return (cycle_run){run.dst + to * WIDTH, run.src + to * c->advance, run.cycles - n};
}

/* Writes a line or two of each row, from cycle `from` on; a cycle is one vector. As much as possible is
 * worked out before the loop: the more instructions stand between two loads, the less far ahead the processor
 * reads. */
INLINE void put_lines(const cycle *c, const cycle_group *g, int64_t from, const few_picks *f, const manner m)
{
	const bool back = c->advance < 0;
	const int some = VECTORS * m.lines;
	const int64_t by = back ? -c->advance : c->advance, read = by * some, rows = g->rows;
	const int64_t first = back ? -(from + some - 1) : from, to = first * WIDTH, at = first * c->advance;
	const int64_t ask = g->later + from * by + c->lowest;
	for (int64_t k = 0; k < rows; k++) {
		byte *dst = g->run[k].dst + to;
		const byte *src = g->run[k].src;
		fetch_far(src, ask);
		for (int64_t next = LINE; next < read; next += LINE)
			fetch_far(src, ask + next);
		UNROLL for (int v = 0; v < some; v++)
		    stream_vec(dst + v * WIDTH, few_of(f, src + at + v * c->advance, 0, m));
	}
}

/* Asks for those lines of the next rows that whole cycles do not reach. */
INLINE void fetch_ends(const cycle *c, const cycle_group *g)
{
	for (int64_t r = g->first; r < g->first + g->rows; r++) {
		const byte *src = g->row[r % CYCLE_ROWS].reach.src;
		for (int p = 0; p < c->streams; p++) {
			fetch_span(src + c->low[p], g->later, 2 * LINE, vf_takes_l2_hints());
			fetch_span(src + c->past[p] - 2 * LINE, g->later, 2 * LINE, vf_takes_l2_hints());
		}
	}
}

/* Writes some lines of each row in turn, as far as all rows have them; then the rest, row by row. */
INLINE void put_group(const cycle *c, const cycle_group *g, const manner m)
{
	const int some = VECTORS * m.lines;
	int64_t all = INT64_MAX;
	few_picks f;
	load_picks(&f, c, m);
	for (int64_t k = 0; k < g->rows; k++)
		all = smaller(all, g->run[k].cycles / some * some);
	for (int64_t i = 0; i < all; i += some)
		put_lines(c, g, i, &f, m);
	if (all * WIDTH < c->row)
		fetch_ends(c, g);
	for (int64_t k = 0; k < g->rows; k++) {
		const cycle_run rest = rest_of(c, g->run[k], all);
		put_cycles(c, &rest, 0, m);
	}
}

/* The ends of rows are written after the whole vectors of their group. */
INLINE void put_beside(const cycle *c, const call *of, const manner m)
{
	const vf_block *b = of->b;
	const int64_t groups = (b->rows - 1) / b->beside + 1, rows = (b->rows - 1) / groups + 1;
	const bool joined = b->dst_step == c->row;
	cycle_group g;
	for (g.first = 0; g.first < b->rows; g.first += g.rows) {
		g.rows = smaller(b->rows - g.first, rows), g.later = g.rows * b->src_step;
		if (g.first + g.rows == b->rows && b->ahead_step)
			g.later = b->ahead_step - g.first * b->src_step;
		for (int64_t k = 0; k < g.rows; k++) {
			cycle_row *row = &g.row[(g.first + k) % CYCLE_ROWS];
			*row = open_row(c, of, g.first + k, m);
			g.run[k] = lowest_first(c, put_ends(c, row, m));
		}
		put_group(c, &g, m);
		for (int64_t r = g.first; r < g.first + g.rows; r++) {
			const cycle_row *row = &g.row[r % CYCLE_ROWS];
			begin_one(c, joined && r ? &g.row[(r - 1) % CYCLE_ROWS] : NULL, row, m);
			if (!joined || r == b->rows - 1)
				end_one(c, row, m);
		}
	}
}

/* `n`, the number of sources, is a constant. Pairs of lines gain where a register holds a line and rows are
 * not short. A Xeon with AMX, of the fastest copy, by lines and by pairs: every second column and row of f16
 * 0.65 and 0.70, f32 of every second row 0.70 and 0.75, u8, rows of 960 bytes, 0.59 and 0.54; by registers of
 * half a line f32 0.61 and 0.58. */
INLINE void put_beside_of(const cycle *c, const call *of, const int n)
{
	enum { SHORT_ROW = 1024 };
	if (of->b->paired && VECTORS == 1 && c->row >= SHORT_ROW)
		put_beside(c, of, (manner){n, 1, 2});
	else
		put_beside(c, of, (manner){n, 1, 1});
}

/* Not part of put_in_cycles(): its variables would cost rows that stay in registers a fifth. */
static __attribute__((noinline)) void put_all_beside(const cycle *c, const call *of)
{
	switch (c->sources) {
	case 1: put_beside_of(c, of, 1); break;
	case 2: put_beside_of(c, of, 2); break;
	case 3: put_beside_of(c, of, 3); break;
	default: put_beside_of(c, of, 4);
	}
}
