/* slices.h -- transposed blocks by way of the second cache, where registers are narrower than a line.
 *
 * Text of staged.h. A block is cut into slices of some 100 KiB, which go to two stages in turns: while one
 * fills, what waits in the other leaves, run after run. A run is some lines of a row of dst, side by side.
 */

/* ---- what waits in a stage ---- */

/* Runs of dst that are transposed already, `bytes` bytes each. In the stage they lie `pitch` apart, each at
 * the offset in a line that it has in dst. They leave a few lines at a time while the next ones are
 * transposed. So reading and writing overlap, and each run leaves as a few lines side by side (Zen 3, bytes
 * of dst a ns: 6 to 12 by lines that go each to another row, 11 to 17 by two lines a row, 16 to 19 by four;
 * f32 4352 x 3840: 0.52 of the fastest copy line by line, 0.60 by a stage, 0.72 by two in turns). */
typedef struct waiting {
	target t;
	const byte *stage;
	int64_t pitch, bytes, runs;
	int64_t each; /* lines that leave while one is transposed */
	bool fresh;   /* what stands in a run's first line before it is not ours */
	bool last;    /* what does not fill a line leaves, too */
	byte *to;     /* of the run under way */
	const byte *from;
	int64_t lines;
} waiting;

/* Begins the next run: its ends, which do not fill lines, are written at once; its lines are under way. */
static void open_run(waiting *w)
{
	const byte *from = w->stage;
	byte *to = w->t.dst + *w->t.at;
	int64_t held = line_offset(to), end = held + w->bytes;
	to -= held;
	held = w->fresh ? held : 0;
	if (held && end >= LINE) {
		copy_bytes(to + held, from + held, LINE - held);
		to += LINE, from += LINE, end -= LINE, held = 0;
	}
	w->to = to, w->from = from, w->lines = end / LINE;
	const int64_t whole = w->lines * LINE, rest = w->lines ? whole : held;
	if (w->last)
		copy_bytes(to + rest, from + rest, end - rest);
	w->stage += w->pitch, w->t.at++, w->runs--;
}

/* Lets some lines leave, as far as there are any. */
static void leave_some(waiting *w, int64_t lines)
{
	while (lines > 0 && (w->lines > 0 || w->runs > 0)) {
		if (w->lines == 0)
			open_run(w);
		const int64_t n = smaller(lines, w->lines);
		stream_lines(w->to, w->from, n);
		w->to += n * LINE, w->from += n * LINE, w->lines -= n, lines -= n;
	}
}

/* What goes on while a slice is transposed: what is read next is asked for, and lines leave. */
typedef struct meanwhile {
	ahead *next;
	waiting *leaves;
} meanwhile;

/* `lines`: of the slice, transposed since the last call. */
static inline void go_on(const meanwhile *m, int64_t lines)
{
	ahead_ask(m->next, lines);
	leave_some(m->leaves, lines * m->leaves->each);
}

/* ---- into the stage ---- */

/* Rows of the source that are read side by side, a line of each in turn: as many as the processor follows by
 * itself, half as many where they share sets of L1 (Zen 3, bytes of the source a ns: 8 rows 19, 16 rows 17 to
 * 21, 32 rows 8 to 10; a power of two apart 19, 8, 6). */
enum { SIDE_BY_SIDE = 16 };

static int64_t side_of(const vf_block *b, int64_t taken)
{
	enum { SETS = 2048 };
	const int64_t step = b->src_at ? (b->n > 1 ? b->src_at[1] - b->src_at[0] : 0) : b->stride;
	const int64_t rows = (step & -step) >= SETS ? SIDE_BY_SIDE / 2 : SIDE_BY_SIDE;
	return b->unit == 1 ? SIDE_BY_SIDE : rows > taken ? rows : taken;
}

/* Moves STEPS steps along each row of s. s has a multiple of TAKEN rows, all units of these steps, and 16
 * bytes to read at each step. */
enum { STEPS = 4 };
INLINE void whole_cell(byte *dst, const int64_t *to, const tile *s, const int unit)
{
	const int columns = COLUMNS(unit), taken = TAKEN(unit), by = columns * unit;
	for (int k = 0; k < STEPS; k++) {
		const byte *src = s->src + k * by;
		for (int64_t a = 0; a < s->na; a += taken) {
			const int64_t *at = s->at + a;
			lanes r[16];
			UNROLL for (int i = 0; i < columns; i++)
			    r[i] = widen(load_both(src + at[i], src + at[i + taken - columns]), unit);
			transpose(r, WIDE(unit));
			UNROLL for (int i = 0; i < columns; i++)
			{
				byte *d = dst + to[k * columns + i] + a * unit;
				if (unit % 3)
					store_lanes(d, r[i]);
				else
					store_some(d, lanes_joined(narrow_lanes(r[i], unit)), taken * unit);
			}
		}
	}
}

/* The same for units of one byte, where a register has two lanes: 16 rows at a time, as many as the processor
 * follows. */
INLINE void whole_bytes(byte *dst, const int64_t *to, const tile *s)
{
	enum { ROWS = 16 };
	for (int64_t b = 0; b < LINE; b += REGISTER)
		for (int64_t a = 0; a < s->na; a += ROWS) {
			lanes r[ROWS];
			UNROLL for (int i = 0; i < ROWS; i++) r[i] = load_row(s->src + b + s->at[a + i]);
			transpose(r, 1);
			UNROLL for (int i = 0; i < ROWS; i++)
			{
				store_low(dst + to[b + i] + a, r[i]);
				store_high(dst + to[b + i + REGISTER / 2] + a, r[i]);
			}
		}
}

/* Are the rows of a block short, and do they follow each other? Then they are asked for as they lie. */
static bool short_rows_follow(const vf_block *b)
{
	enum { SHORT_ROW = 4096 };
	const int64_t row = b->rows * b->unit;
	return !b->src_at && row < SHORT_ROW && b->stride >= row && b->stride < row + LINE;
}

/* Moves a slice: `side` rows of the source at a time, a line of each before the next line of any. `unit` is a
 * constant. */
INLINE void slice_of_lines(target t, const tile *s, const int unit, int64_t side, const meanwhile *m)
{
	const int columns = COLUMNS(unit) * STEPS, reads = (STEPS - 1) * COLUMNS(unit) * unit + 16;
	ahead none = ahead_none();
	for (int64_t a = 0; a < s->na; a += side)
		for (int64_t b = 0; b < s->nb; b += columns) {
			tile cell = {s->src + b * unit, s->at + a, smaller(s->na - a, side),
			             smaller(s->nb - b, columns), NULL};
			ahead_rows(m->next, cell.src, cell.at, (int)cell.na);
			if (unit == 1 && cell.na == SIDE_BY_SIDE && cell.nb == LINE)
				whole_bytes(t.dst + a * unit, t.at + b, &cell);
			else if (cell.na % TAKEN(unit) == 0 && (s->nb - b) * unit >= reads)
				whole_cell(t.dst + a * unit, t.at + b, &cell, unit);
			else
				tile_of((target){t.dst + a * unit, t.at + b}, &cell, unit, &none);
			go_on(m, (cell.na * columns * unit + LINE - 1) / LINE);
		}
}

static void move_slice(const target *t, const tile *s, const vf_block *b, const meanwhile *m)
{
#define CASE(size)                                                                                           \
	case size: slice_of_lines(*t, s, size, side_of(b, TAKEN(size)), m); break;
	switch (b->unit) {
		EACH_UNIT(CASE)
	default: tile_any(t, s, b->unit, m->next);
	}
#undef CASE
}

/* ---- slices ---- */

enum { MOST_RUNS = 512, KEPT = MOST_RUNS * LINE };

/* Two stages of `bytes` bytes each. `kept` has a line for each run: what the run leaves of a line for the
 * next slice. */
typedef struct stages {
	byte *stage[2], *kept;
	int64_t bytes;
} stages;

static stages stages_of(const vf_flow *flow)
{
	byte *kept = flow->stage + (-(uintptr_t)flow->stage & (LINE - 1));
	const int64_t bytes = (flow->stage_bytes - KEPT - LINE) / 2 / LINE * LINE;
	return (stages){{kept + KEPT, kept + KEPT + bytes}, kept, bytes};
}

/* How a block is cut: slices of `chunk` units of `rows` rows, whose runs lie `pitch` apart in a stage. */
typedef struct slicing {
	int64_t chunk, rows, pitch;
} slicing;

static slicing slicing_of(const vf_block *b, const byte *dst, int64_t stage)
{
	enum { PIECE = 512, BYTES_PIECE = 256, STRIP = 32 };
	const int64_t power = b->unit & -b->unit, line = LINE / smaller(power, LINE);
	const int64_t most = b->unit == 1 ? BYTES_PIECE : PIECE;
	slicing c = {.chunk = smaller(larger(most / (line * b->unit), 1) * line, b->n)};
	const bool even = b->stream == VF_LINES && line_offset(dst) == 0 && c.chunk * b->unit % LINE == 0;
	c.pitch = (c.chunk * b->unit + LINE - 1) / LINE * LINE + (even ? 0 : LINE);
	c.rows = smaller((stage - LINE) / c.pitch, MOST_RUNS);
	if (c.rows > STRIP)
		c.rows -= c.rows % STRIP; /* so all steps of a slice are whole */
	return c;
}

/* What the slices of a block share, and what one hands to the next. */
typedef struct moving {
	const vf_block *b;
	const slicing *c;
	const tile *s; /* rows of the slice; at and na are set for each */
	target t;
	byte *stages[2], *kept;
	bool fresh, last;
	meanwhile m;
} moving;

/* Moves units [a, a + na) of the rows to a stage, while what waits in the other one leaves. Then these
 * wait. */
static void stage_slice(moving *v, int64_t a, int64_t na)
{
	const int64_t unit = v->b->unit, bytes = na * unit, rows = v->s->nb, lines = rows * bytes / LINE;
	int64_t at[MOST_RUNS], from[CHUNK];
	const bool fresh = v->fresh && a == 0, last = v->last && a + na >= v->b->n;
	byte *stage = v->stages[0], *dst = v->t.dst + a * unit;
	waiting *w = v->m.leaves;
	for (int64_t i = 0; i < rows; i++) {
		const int64_t held = line_offset(dst + v->t.at[i]);
		at[i] = i * v->c->pitch + held;
		if (!fresh)
			copy_bytes(stage + i * v->c->pitch, v->kept + i * LINE, held);
	}
	tile s = *v->s;
	s.na = na, s.at = from;
	if (v->b->src_at)
		s.at = v->b->src_at + a;
	else
		for (int64_t i = 0; i < na; i++)
			from[i] = (a + i) * v->b->stride;
	const int64_t left = w->lines + w->runs * ((w->bytes + LINE - 1) / LINE);
	w->each = lines > 0 ? (left + lines - 1) / lines : left;
	move_slice(&(target){stage, at}, &s, v->b, &v->m);
	leave_some(w, INT64_MAX);
	for (int64_t i = 0; !last && i < rows; i++) {
		const byte *end = stage + at[i] + bytes;
		copy_bytes(v->kept + i * LINE, end - line_offset(end), line_offset(end));
	}
	*w = (waiting){
	    .t = {dst, v->t.at}, .stage = stage, .pitch = v->c->pitch, .fresh = fresh, .last = last};
	w->bytes = bytes, w->runs = rows;
	v->stages[0] = v->stages[1], v->stages[1] = stage;
}

/* Has the flow room for slices of a block? */
static bool goes_by_slices(const vf_block *b, const vf_flow *flow)
{
	return STAGES && flow && flow->stage_bytes > 2 * KEPT && b->stream != VF_STORE && b->unit <= 16;
}

/* Moves a block by two stages in turns. */
static void move_slices(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow, ahead *next)
{
	const stages r = stages_of(flow);
	const slicing c = slicing_of(b, dst + (b->dst_at ? *b->dst_at : 0), r.bytes);
	int64_t made[MOST_RUNS];
	const bool carries = b->stream == VF_CARRY;
	const int64_t *at = places_of(b->dst_at, b->dst_step, smaller(b->rows, MOST_RUNS), made);
	waiting leaves = {0};
	moving v = {.b = b, .c = &c, .stages = {r.stage[0], r.stage[1]}, .m = {next, &leaves}};
	v.fresh = !carries || flow->first, v.last = !carries || flow->more == 0;
	for (int64_t row = 0; row < b->rows; row += c.rows) {
		const tile s = {src + row * b->unit, NULL, 0, smaller(b->rows - row, c.rows), NULL};
		int64_t a = 0;
		v.s = &s;
		v.t = b->dst_at ? (target){dst, at + row} : (target){dst + row * b->dst_step, at};
		v.kept = carries ? flow->carry + row * LINE : r.kept;
		do {
			stage_slice(&v, a, smaller(b->n - a, c.chunk));
			a += c.chunk;
		} while (a < b->n);
	}
	leave_some(&leaves, INT64_MAX);
}
