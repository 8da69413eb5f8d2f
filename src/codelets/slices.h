/* slices.h -- transposed blocks by way of the second cache, where registers are narrower than a line.
 *
 * Text of staged.h. A block is cut into slices: up to WAIT_ROWS rows of dst, a run of each, some lines. A few
 * rows of the source are read side by side, a cell at a time: a line of each, or as many lines as units of 3
 * bytes fill. A cell is transposed at once into the runs, which wait in a stage in the second cache until
 * they are whole. Two stages take turns: while one fills, as much leaves the other. So dst is written by runs
 * of lines, and the source is read a line after the other of a few rows, whether they share sets of the
 * caches or not.
 *
 * Before each run in a stage stands the line that came before it in its row: rows of dst may begin anywhere.
 * Rows of dst that follow each other wait whole, and leave as one stream.
 *
 * (Zen 3, of the fastest copy, with slices that were brought as they are and turned in L1, and so: f32
 * 5696 x 5696 0.40 and 0.56, 8192 x 4096 0.41 and 0.49, f64 4000 x 4000 0.46 and 0.68, 16 bytes 2048 x 4096
 * 0.35 and 0.73, u16 8000 x 8000 0.39 and 0.50. Runs of 512 bytes lose a twentieth. 16 rows side by side
 * where 8 do lose a sixth.)
 */

enum { WAIT_ROWS = 256, MOST_UNITS = 2048 }; /* of a slice; of a block's rows */

/* Rows so far apart share sets of the first cache, which hold WAYS lines. Those that are brought: two bytes
 * for each row of a slice at most. */
enum { SHARED = 2048, WAYS = 8, WIDEST_SIDE = 16, BROUGHT_PITCH = 2 * WAIT_ROWS + LINE };

/* Bytes of a run, of a row's part of a cell, and rows of a cell: as few as fill registers of dst. Units of 3,
 * 6 and 12 bytes fill three lines. */
#define RUN(unit) ((unit) % 3 ? VF_RUN : 3 * LINE)
#define CELL(unit) ((unit) % 3 ? LINE : 3 * LINE)
#define SIDE(unit) ((unit) < 3 ? 16 : 8)

/* ---- rows of dst that wait ---- */

/* `run`: of the next row, in its stage, where rows lie `pitch` apart. It goes to dst + *at. `before`: where
 * the line before its next run stands, in the other stage; NULL where no line is kept, or this is a row's
 * last run: then what does not fill a line goes to `kept`. `fresh`, `last`: nothing of ours comes before the
 * runs, or after them. Where rows of dst follow each other, `at` is NULL: `rows` runs of a stream wait. */
typedef struct waiting {
	const byte *run;
	byte *before, *dst, *kept;
	const int64_t *at;
	int64_t rows, bytes, pitch;
	bool fresh, last;
} waiting;

/* The next row leaves. `run` and `pitch` are constants. */
INLINE void leave_waiting(waiting *w, const int64_t run, const int64_t pitch)
{
	byte *to = w->dst + *w->at;
	const int64_t held = line_offset(to);
	if (w->bytes == run && (held == 0 || (!w->fresh && !w->last))) {
		stream_lines(to - held, w->run - held, run / LINE);
	} else {
		byte unused[LINE];
		leave_lines(to, w->run, w->bytes, w->fresh, w->last ? NULL : unused);
	}
	if (w->before) {
		memcpy(w->before, w->run + w->bytes - LINE, LINE);
		w->before += pitch;
	} else if (pitch > run && !w->last) {
		memcpy(w->kept, w->run + w->bytes - line_offset(to + w->bytes), LINE);
	}
	w->run += pitch, w->kept += LINE, w->at++, w->rows--;
}

/* The next `run` bytes of a stream leave: rows of dst that follow each other, whole and on lines. */
INLINE void leave_stream(waiting *w, const int64_t run)
{
	stream_lines(w->dst, w->run, run / LINE);
	w->dst += run, w->run += run, w->rows--;
}

/* The next row, or the next part of a stream, leaves. */
INLINE void leave_next(waiting *w, const int64_t run, const int64_t pitch)
{
	if (w->at)
		leave_waiting(w, run, pitch);
	else
		leave_stream(w, run);
}

static void leave_all(waiting *w, int64_t unit)
{
	while (w->rows > 0)
		leave_next(w, RUN(unit), w->pitch);
}

/* `bytes` bytes of a stage that go to dst as a stream. Runs of whole lines wait. What is before and after
 * them leaves at once; what does not fill a line goes to `kept`, or to dst where that is NULL. Before the
 * bytes stands what they complete of a line; `fresh`: that is not ours. */
static waiting stream_of(byte *dst, const byte *stage, int64_t bytes, bool fresh, byte *kept, int64_t unit)
{
	const int64_t held = line_offset(dst), run = RUN(unit);
	const int64_t skip = fresh && held ? LINE - held : -held;
	const int64_t n = larger(bytes - skip, 0) / run;
	waiting w = {.run = stage + skip, .dst = dst + skip, .rows = n};
	if (n == 0) {
		leave_lines(dst, stage, bytes, fresh, kept);
		return w;
	}
	copy_bytes(dst, stage, larger(skip, 0));
	leave_lines(w.dst + n * run, w.run + n * run, bytes - skip - n * run, true, kept);
	return w;
}

/* ---- a slice ---- */

/* `n` rows of the source, at src + at[i], `bytes` bytes of each. `next`, `next_at`: what is read after its
 * last rows; next_at NULL: nothing is. `shared`: its rows share sets of the first cache. Rows of
 * dst lie `pitch` bytes apart in the stage: a run, a run and a line before it, or whole rows. */
typedef struct slice {
	const byte *src, *next;
	const int64_t *at, *next_at;
	int64_t n, bytes;
	byte *stage;
	int64_t pitch;
	bool shared;
} slice;

/* Turns a cell into a stage. Of bytes, a register takes 32 columns of one row: 16 rows fill registers of dst
 * then; of other units it takes two rows. */
INLINE void turn_cell(byte *stage, const byte *src, const int64_t *at, const int unit, const int64_t pitch)
{
	const int columns = COLUMNS(unit), taken = unit == 1 ? columns : TAKEN(unit);
	const int64_t by = unit == 1 ? REGISTER : columns * unit;
	for (int64_t b = 0; b < CELL(unit); b += by)
		for (int64_t a = 0; a < SIDE(unit); a += taken) {
			byte *to = stage + b / unit * pitch + a * unit;
			lanes r[16];
			if (unit == 1) {
				UNROLL for (int i = 0; i < columns; i++) r[i] = load_row(src + b + at[a + i]);
				transpose(r, unit);
			} else if (unit % 3 == 0 && b + by == CELL(unit)) {
				load_step(r, src + b, at + a, unit, by);
			} else {
				load_step(r, src + b, at + a, unit, 16);
			}
			UNROLL for (int i = 0; i < columns; i++)
			{
				if (unit == 1) {
					store_low(to + i * pitch, r[i]);
					store_high(to + (i + columns) * pitch, r[i]);
				} else if (unit % 3) {
					store_lanes(to + i * pitch, r[i]);
				} else {
					store_some(to + i * pitch, r[i], taken * unit);
				}
			}
		}
}

/* Brings `n` rows of a slice, from row a on, side by side. With each row the one LATER rows on is asked
 * for. */
static void bring_rows(byte *to, const slice *s, int64_t a, int64_t n)
{
	enum { LATER = 8 };
	for (int64_t i = a; i < a + n; i++, to += BROUGHT_PITCH) {
		const byte *src = s->src + s->at[i], *later = src;
		if (i + LATER < s->n)
			later = s->src + s->at[i + LATER];
		else if (s->next_at)
			later = s->next + s->next_at[i + LATER - s->n];
		for (int64_t k = 0; k < s->bytes; k += LINE) {
			const int64_t b = smaller(k, s->bytes - LINE);
			__builtin_prefetch(later + k, 0, 3);
			const lanes low = load_row(src + b), high = load_row(src + b + REGISTER);
			store_lanes(to + b, low);
			store_lanes(to + b + REGISTER, high);
		}
	}
}

/* Turns a side of rows, those at src + at[i], into a stage, while others leave. If `ask`, with each cell the
 * bytes that are read some lines later are asked for, in these rows or in those that are read after them.
 * What is less than a cell is turned together with what comes before it. */
INLINE void turn_rows(const slice *s, byte *stage, const int unit, const int64_t pitch, bool ask, waiting *w)
{
	const int cell = CELL(unit), side = SIDE(unit);
	const int64_t later_bytes = smaller((unit == 3 ? 6 : 4) * LINE, s->bytes & -LINE);
	for (int64_t k = 0; k < s->bytes; k += cell) {
		const int64_t b = smaller(k, s->bytes - cell), past = k + later_bytes - s->bytes;
		const byte *later = past < 0 ? s->src + k + later_bytes : s->next + past;
		const int64_t *later_at = past < 0 ? s->at : s->next_at;
		for (int64_t c = 0; c < cell && ask && later_at; c += LINE)
			for (int i = 0; i < side; i++)
				__builtin_prefetch(later + c + later_at[i], 0, 2);
		turn_cell(stage + b / unit * pitch, s->src + b, s->at, unit, pitch);
		for (int i = 0; i < side * cell / RUN(unit) && w->rows > 0; i++)
			leave_next(w, RUN(unit), pitch);
	}
}

/* Turns a slice, some rows side by side. Where those share sets, and are more than a set holds, they are
 * brought first. What is less than a side is turned together with what comes before it. */
INLINE void turn_slice(const slice *s, const int unit, const int64_t pitch, waiting *w)
{
	const int side = SIDE(unit);
	const bool bring = side > WAYS && s->shared;
	byte brought[WIDEST_SIDE * BROUGHT_PITCH];
	int64_t made[WIDEST_SIDE];
	waiting left = *w; /* in registers */
	for (int64_t k = 0; k < s->n; k += side) {
		const int64_t a = smaller(k, s->n - side), after = smaller(k + side, s->n - side);
		slice rows = *s;
		rows.at = s->at + a;
		if (bring) {
			bring_rows(brought, s, a, side);
			rows.src = brought, rows.at = places_of(NULL, BROUGHT_PITCH, side, made);
		} else if (a + side < s->n) {
			rows.next = s->src, rows.next_at = s->at + after;
		}
		turn_rows(&rows, s->stage + a * unit, unit, pitch, !bring, &left);
	}
	*w = left;
}

/* Turns a slice; then what waits has left. */
static void move_slice(const slice *s, int64_t unit, waiting *w)
{
#define CASE(size)                                                                                           \
	case size:                                                                                           \
		if (s->n < SIDE(size) || s->bytes < CELL(size))                                              \
			break;                                                                               \
		if (s->pitch == RUN(size))                                                                   \
			turn_slice(s, size, RUN(size), w);                                                   \
		else if (s->pitch == RUN(size) + LINE)                                                       \
			turn_slice(s, size, RUN(size) + LINE, w);                                            \
		else                                                                                         \
			turn_slice(s, size, s->pitch, w);                                                    \
		goto turned;
	switch (unit) {
		EACH_UNIT(CASE)
	}
#undef CASE
	int64_t made[WAIT_ROWS];
	ahead none = ahead_none();
	const tile t = {.src = s->src, .at = s->at, .na = s->n, .nb = s->bytes / unit};
	move_tile(&(target){s->stage, places_of(NULL, s->pitch, t.nb, made)}, &t, unit, &none);
turned:
	leave_all(w, unit);
}

/* ---- a block ---- */

/* How many rows of dst have room in a stage: whole cells. */
static int64_t rows_that_wait(const vf_flow *flow)
{
	enum { MOST_PITCH = VF_RUN + LINE };
	return smaller((flow->stage_bytes - 3 * LINE) / (2 * MOST_PITCH) / LINE * LINE, WAIT_ROWS);
}

/* Does a block go by slices, and has the flow room for them? */
static bool goes_by_slices(const vf_block *b, const vf_flow *flow)
{
	return STAGES && flow && rows_that_wait(flow) >= LINE && b->stream != VF_STORE &&
	       b->n <= MOST_UNITS && vf_has_run(b->unit);
}

/* Do n rows of the source share sets of the first cache? */
static bool share_sets(const int64_t *at, int64_t n)
{
	const int64_t step = n > 1 ? at[1] - at[0] : 0;
	return (step & -step) >= SHARED;
}

/* What is read after the last rows of a slice of rows [row, row + rows) of dst: the block's next rows of the
 * source, or as many as are its last ones, the next bytes of its first ones, or the next block. */
static void find_next(slice *s, const vf_block *b, const vf_flow *flow, const int64_t *at, int64_t row,
                      int64_t rows)
{
	if (s->at + s->n < at + b->n)
		s->next = s->src, s->next_at = at + smaller(s->at + s->n - at, b->n - SIDE(b->unit));
	else if (row + rows < b->rows)
		s->next = s->src + rows * b->unit, s->next_at = at;
	else if (flow->ahead && b->ahead_rows >= b->n)
		s->next = flow->ahead, s->next_at = flow->ahead_at ? flow->ahead_at : at;
}

/* Moves a block, slice by slice: along the rows of dst first. */
static void move_slices(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow)
{
	const bool carries = b->stream == VF_CARRY, first = !carries || flow->first;
	const bool all = !carries || flow->more == 0;
	const bool even = are_lines(b, dst + (b->dst_at ? *b->dst_at : 0), all ? 0 : b->n * b->unit);
	const int64_t chunk = RUN(b->unit) / b->unit, pitch = RUN(b->unit) + (even ? 0 : LINE);
	const int64_t most = rows_that_wait(flow);
	byte *begin = flow->stage + (-(uintptr_t)flow->stage & (LINE - 1)) + LINE;
	byte *stage[2] = {begin, begin + most * pitch};
	int64_t made[WAIT_ROWS], from[MOST_UNITS];
	const int64_t *to = places_of(b->dst_at, b->dst_step, smaller(b->rows, WAIT_ROWS), made);
	const int64_t *at = places_of(b->src_at, b->stride, b->n, from);
	const bool shared = share_sets(at, b->n);
	waiting w = {.rows = 0};
	for (int64_t row = 0, turn = 0; row < b->rows; row += most) {
		const int64_t rows = smaller(b->rows - row, most);
		const waiting begun = {.dst = dst + (b->dst_at ? 0 : row * b->dst_step),
		                       .at = b->dst_at ? to + row : to,
		                       .kept = carries ? flow->carry + row * LINE : NULL,
		                       .rows = rows,
		                       .pitch = pitch};
		for (int64_t i = 0; i < rows && !first; i++)
			memcpy(stage[turn] + i * pitch - line_offset(begun.dst + begun.at[i]),
			       begun.kept + i * LINE, LINE);
		for (int64_t a = 0; a < b->n; a += chunk, turn = !turn) {
			slice s = {
			    .src = src + row * b->unit, .next = src, .at = at + a, .stage = stage[turn]};
			s.n = smaller(b->n - a, chunk), s.bytes = rows * b->unit, s.pitch = pitch;
			s.shared = shared;
			find_next(&s, b, flow, at, row, rows);
			move_slice(&s, b->unit, &w);
			w = begun;
			w.run = s.stage, w.dst += a * b->unit, w.bytes = s.n * b->unit;
			w.fresh = first && a == 0, w.last = all && a + s.n == b->n;
			w.before = !even && a + s.n < b->n ? stage[!turn] - LINE : NULL;
		}
	}
	leave_all(&w, b->unit);
}

/* Bytes of one of the two stages, where rows of dst follow each other. */
static int64_t half_stage(const vf_flow *flow)
{
	return (flow->stage_bytes - 2 * LINE) / 2 / LINE * LINE;
}

/* Do rows of dst follow each other, and has a stage room for slices of them? */
static bool joins_slices(const vf_block *b, const vf_flow *flow)
{
	const int64_t row = b->n * b->unit, cell = CELL(b->unit) / b->unit;
	return b->stream == VF_JOINED && !b->dst_at && b->dst_step == row &&
	       2 * cell * row + LINE <= half_stage(flow);
}

/* Moves rows that follow each other in dst. A slice has all units of some rows, less of small blocks: nothing
 * is turned while the last slice leaves. No slice is less than a cell, if the block is not. */
static void move_joined(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow)
{
	const int64_t row = b->n * b->unit, cell = CELL(b->unit) / b->unit, half = half_stage(flow);
	const int64_t room = smaller((half - LINE) / row, WAIT_ROWS) - cell;
	const int64_t most = larger(smaller(room, b->rows / 4) / cell, 1) * cell;
	byte *begin = flow->stage + (-(uintptr_t)flow->stage & (LINE - 1));
	byte *stage[2] = {begin, begin + half};
	int64_t from[MOST_UNITS];
	const int64_t *at = places_of(b->src_at, b->stride, b->n, from);
	const bool shared = share_sets(at, b->n);
	waiting w = {.rows = 0};
	for (int64_t r = 0, turn = 0, n; r < b->rows; r += n, turn = !turn, dst += n * row) {
		n = b->rows - r < most + cell ? b->rows - r : most;
		slice s = {.src = src + r * b->unit, .next = src, .at = at, .n = b->n};
		s.stage = stage[turn] + line_offset(dst), s.pitch = row, s.bytes = n * b->unit;
		s.shared = shared;
		find_next(&s, b, flow, at, r, n);
		move_slice(&s, b->unit, &w);
		byte *kept = r + n < b->rows ? stage[!turn] : NULL;
		w = stream_of(dst, s.stage, n * row, r == 0, kept, b->unit);
	}
	leave_all(&w, b->unit);
}
