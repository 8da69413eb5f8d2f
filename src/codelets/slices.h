/* slices.h -- transposed blocks by way of the second cache, where registers are narrower than a line.
 *
 * Text of staged.h. A block is cut into slices: some lines of some rows of the source. The rows of a slice
 * are brought side by side into a stage in the second cache first. So it does not matter how far apart they
 * are, nor whether they share sets of the cache, and memory gives each as one run. Two stages take turns:
 * while one slice is transposed and leaves, the next one is brought, a line with each line that leaves. What
 * is transposed waits in L1, until each row of dst leaves as some lines side by side.
 *
 * (Zen 3, GB/s, where a copy has 12. Reading: rows of 64 bytes 5, of 256 9, of 512 11, if the rows 8 further
 * on are asked for. Past the cache to rows a power of two apart: single lines 6, pairs 13, four lines 20. Of
 * the fastest copy, with slices that met in the second cache behind the transposition, and so: bytes
 * 8192 x 8192 0.20 and 0.28, u16 0.34 and 0.38. Where rows share no sets that is lost: f32 5696 x 5696 0.49
 * and 0.42, f64 4000 x 4000 0.56 and 0.49.)
 */

enum { ROW = 512, RUN = VF_RUN };                    /* bytes of a slice's rows, here and in dst, at most */
enum { PITCH = ROW + LINE, RUN_PITCH = RUN + LINE }; /* from row to row in the second cache, and in L1 */
enum { MOST_ROWS = ROW, KEPT = MOST_ROWS * LINE };

/* ---- rows are brought ---- */

/* What is brought: `bytes` bytes of units [unit, past) of a block's rows, from byte `begin` of each on. */
typedef struct bringing {
	const vf_block *b;
	const vf_flow *flow;
	const byte *base; /* the block's source */
	int64_t unit, past, begin, bytes;
	const byte *src, *later; /* the next line, and what is asked for with it */
	byte *to, *row;          /* where that line goes; where its row began */
	int64_t lines;           /* of the row under way; 0: none is */
} bringing;

/* Where byte `begin` of row i of the source is. Behind the block's last row come those that are read next:
 * the next bytes of its rows, or the next block. */
INLINE const byte *row_to_bring(const bringing *w, int64_t i)
{
	const vf_block *b = w->b;
	const byte *src = w->base + w->begin;
	const int64_t *table = b->src_at;
	int64_t stride = b->stride;
	if (i >= b->n) {
		i -= b->n, src += w->bytes;
		if (w->begin + w->bytes >= b->rows * b->unit && w->flow->ahead && i < b->ahead_rows)
			src = w->flow->ahead, table = w->flow->ahead_at, stride = b->ahead_step;
	}
	return src + (table ? table[i] : i * stride);
}

INLINE void open_row_to_bring(bringing *w)
{
	enum { LATER = 8 };
	w->src = row_to_bring(w, w->unit);
	w->later = w->b->n > LATER ? row_to_bring(w, w->unit + LATER) : w->src;
	w->to = w->row, w->lines = w->bytes / LINE;
}

/* All lines of a row are there: so is its end then, and the next row is under way. */
INLINE void end_row_to_bring(bringing *w)
{
	const int64_t rest = w->bytes % LINE;
	if (rest)
		copy_bytes(w->to, w->src, rest);
	w->row += PITCH;
	if (++w->unit < w->past)
		open_row_to_bring(w);
}

/* Brings `bytes` bytes of the row under way, whole lines. If `leaves`, a constant, a line leaves with each,
 * from `from` to dst. */
INLINE void leave_and_bring(byte *dst, const byte *from, bringing *w, int64_t bytes, const bool leaves)
{
	const byte *src = w->src, *later = w->later;
	byte *to = w->to;
	for (int64_t k = 0; k < bytes; k += LINE) {
		__builtin_prefetch(later + k, 0, 3);
		const lanes low = load_row(src + k), high = load_row(src + k + REGISTER);
		if (leaves)
			stream_lines(dst + k, from + k, 1);
		store_lanes(to + k, low);
		store_lanes(to + k + REGISTER, high);
	}
	w->src += bytes, w->later += bytes, w->to += bytes;
	if ((w->lines -= bytes / LINE) == 0)
		end_row_to_bring(w);
}

/* Brings what is left. */
static void bring_rest(bringing *w)
{
	while (w->unit < w->past)
		if (w->lines)
			leave_and_bring(NULL, NULL, w, w->lines * LINE, false);
		else
			end_row_to_bring(w);
}

/* ---- a slice ---- */

/* A slice that waits in the second cache: `rows` rows of dst, `n` units each. `fresh`, `last`, `kept`: as of
 * pieces. */
typedef struct slice {
	const byte *stage;
	target t; /* t.dst: where its units of row 0 go */
	int64_t n, rows;
	byte *kept;
	bool fresh, last;
} slice;

/* Transposes n rows of the stage into `rows` rows in L1. Both are whole steps. A line of each row of the
 * stage is in L1 meanwhile. The strides are constants: they need no registers. */
INLINE void turn_columns(byte *to, const byte *stage, int64_t n, int64_t rows, const int unit)
{
	const int columns = COLUMNS(unit), taken = TAKEN(unit);
	for (int64_t k = 0; k < rows; k += columns)
		for (int64_t a = 0; a < n; a += taken) {
			const byte *src = stage + a * PITCH + k * unit;
			byte *dst = to + k * RUN_PITCH + a * unit;
			lanes r[16];
			UNROLL for (int i = 0; i < columns; i++)
			    r[i] = load_both(src + i * PITCH, src + (i + columns) * PITCH);
			transpose(r, unit);
			UNROLL for (int i = 0; i < columns; i++) store_lanes(dst + i * RUN_PITCH, r[i]);
		}
}

static void turn_rows(byte *to, const byte *stage, int64_t n, int64_t rows, int64_t unit)
{
#define CASE(size)                                                                                           \
	case size:                                                                                           \
		if (n % TAKEN(size) == 0 && rows % COLUMNS(size) == 0) {                                     \
			turn_columns(to, stage, n, rows, size);                                              \
			return;                                                                              \
		}                                                                                            \
		break;
	switch (unit) {
		CASE(1) CASE(2) CASE(4) CASE(8)
	}
#undef CASE
	const grid g = {to, stage, NULL, RUN_PITCH, PITCH, n, rows};
	ahead none = ahead_none();
	if (!move_grid(&g, unit, &none)) {
		int64_t at[CHUNK], from[CHUNK];
		const tile s = {stage, places_of(NULL, PITCH, n, from), n, rows, NULL};
		move_tile(&(target){to, places_of(NULL, RUN_PITCH, rows, at)}, &s, unit, &none);
	}
}

/* A row of dst leaves L1, where what it completes of a line stands before it. */
INLINE void leave_run(const slice *s, int64_t row, const byte *from, int64_t bytes, bringing *w)
{
	byte *dst = s->t.dst + s->t.at[row];
	int64_t first = line_offset(dst), end = first + bytes;
	dst -= first, from -= first, first = s->fresh ? first : 0;
	if (first && end >= LINE) {
		copy_bytes(dst + first, from + first, LINE - first);
		dst += LINE, from += LINE, end -= LINE, first = 0;
	}
	while (end >= LINE) {
		const int64_t n = w->lines ? smaller(end & -LINE, w->lines * LINE) : end & -LINE;
		if (w->lines)
			leave_and_bring(dst, from, w, n, true);
		else
			stream_lines(dst, from, n / LINE);
		dst += n, from += n, end -= n, first = 0;
	}
	if (!s->last)
		copy_bytes(s->kept + row * LINE, from, end);
	else if (end > first)
		copy_bytes(dst + first, from + first, end - first);
}

/* Moves a slice, some rows of dst at a time, while the next one is brought. */
static void move_slice(const slice *s, int64_t unit, bringing *next)
{
	_Alignas(LINE) byte turned[LINE * RUN_PITCH + 2 * LINE];
	const int64_t most = unit % 3 ? LINE / unit : 16, bytes = s->n * unit;
	bringing w = *next; /* in registers */
	for (int64_t row = 0; row < s->rows; row += most) {
		const int64_t n = smaller(s->rows - row, most);
		byte *first = turned + LINE + line_offset(s->t.dst + s->t.at[row]);
		for (int64_t i = 0; i < n && !s->fresh; i++) {
			const int64_t held = line_offset(s->t.dst + s->t.at[row + i]);
			copy_bytes(first + i * RUN_PITCH - held, s->kept + (row + i) * LINE, held);
		}
		turn_rows(first, s->stage + row * unit, s->n, n, unit);
		for (int64_t i = 0; i < n; i++)
			leave_run(s, row + i, first + i * RUN_PITCH, bytes, &w);
	}
	*next = w;
	bring_rest(next);
}

/* ---- a block ---- */

/* How many units, at most `most` bytes, are whole lines. */
static int64_t units_of_lines(int64_t unit, int64_t most)
{
	const int64_t line = LINE / smaller(unit & -unit, LINE);
	return larger(most / (line * unit), 1) * line;
}

/* Has the flow room for slices of a block? */
static bool goes_by_slices(const vf_block *b, const vf_flow *flow)
{
	enum { LEAST = KEPT + LINE + 2 * LINE * PITCH };
	return STAGES && flow && flow->stage_bytes >= LEAST && b->stream != VF_STORE && vf_has_run(b->unit);
}

/* Sets up *w for units [unit, unit + n) of rows of dst [row, row + rows). */
static void bring_slice(bringing *w, byte *stage, int64_t unit, int64_t n, int64_t row, int64_t rows)
{
	w->row = stage, w->unit = unit, w->past = rows > 0 ? unit + n : unit;
	w->begin = row * w->b->unit, w->bytes = rows * w->b->unit, w->lines = 0;
	if (w->unit < w->past)
		open_row_to_bring(w);
}

/* Moves a block, slice by slice: along the rows of dst first. */
static void move_slices(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow)
{
	const bool carries = b->stream == VF_CARRY, first = !carries || flow->first;
	const bool all = !carries || flow->more == 0;
	byte *kept = flow->stage + (-(uintptr_t)flow->stage & (LINE - 1));
	byte *stage[2] = {kept + KEPT, kept + KEPT + (flow->stage_bytes - KEPT - LINE) / 2 / LINE * LINE};
	const int64_t room = (stage[1] - stage[0]) / PITCH * b->unit;
	const int64_t chunk = smaller(units_of_lines(b->unit, smaller(room, RUN)), b->n);
	const int64_t most = units_of_lines(b->unit, ROW);
	int64_t made[MOST_ROWS];
	const int64_t *at = places_of(b->dst_at, b->dst_step, smaller(b->rows, MOST_ROWS), made);
	bringing next = {.b = b, .flow = flow, .base = src};
	bring_slice(&next, stage[0], 0, chunk, 0, smaller(b->rows, most));
	bring_rest(&next);
	for (int64_t row = 0, a = 0, turn = 0; row < b->rows; turn = !turn) {
		const int64_t n = smaller(b->n - a, chunk), rows = smaller(b->rows - row, most);
		slice s = {.stage = stage[turn], .t = {dst + a * b->unit, at}, .n = n, .rows = rows};
		s.kept = carries ? flow->carry + row * LINE : kept;
		s.fresh = first && a == 0, s.last = all && a + n == b->n;
		if (b->dst_at)
			s.t.at += row;
		else
			s.t.dst += row * b->dst_step;
		a += n;
		if (a == b->n)
			a = 0, row += rows;
		bring_slice(&next, stage[!turn], a, smaller(b->n - a, chunk), row,
		            smaller(b->rows - row, most));
		move_slice(&s, b->unit, &next);
	}
}
