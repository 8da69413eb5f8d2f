/* columns.h -- transposed blocks by columns, where registers are narrower than a line.
 *
 * Text of transpose_avx2.c, after slices.h. *Columns* are a line of each of many rows of the source, or more
 * lines of fewer rows. They are turned into a stage, where they lie as in dst. Then they leave as long pieces
 * of rows of dst, one after the other; with a pass, each piece is computed before. While lines leave, those
 * of the next columns are asked for, into the second cache.
 *
 * Many rows are the point: on a Zen 3, a line of each of 256 rows comes at nearly the speed of a copy, two
 * lines of each of 128 at half of that. Perhaps the processor then fetches what is not wanted. (Of the
 * fastest copy, before and so: f32 5696 x 5696 0.61 and 0.67, with two lines of 128 rows 0.42; u8 5001 x
 * 5003 0.35 and 0.45. Computed, before by `apply` or a stage: f32 2000 x 3000 less a value a row 0.34 and
 * 0.41, to f16 0.30 and 0.39, u8 to f32 0.45 and 0.51. To turn some while others leave is no faster.)
 */

enum { COMPUTED_BYTES = 16 << 10 };

/* What is asked for while columns leave: `lines` lines of each of n rows, at src + at[i], from row i on.
 * `each`: so many go with a row of dst. */
typedef struct asking {
	const byte *src;
	const int64_t *at;
	int64_t n, i, lines, each;
} asking;

/* Some rows of the source of a block, from row a on, n of them; some rows of dst, from `row` on. The rows of
 * the source are at src + at[i]. `unit`, `from`: bytes of an element of dst, and of the source. */
typedef struct columns {
	const vf_block *b;
	fused *chain;     /* NULL: nothing is computed */
	int64_t first;    /* second values of rows begin there */
	byte *dst, *kept; /* kept: a line for each row of dst */
	const byte *src;
	const int64_t *at;
	int64_t unit, from, a, n, row, rows;
	int64_t pitch; /* bytes from row to row of the stage */
	byte *stage, *computed;
	bool even;        /* pieces begin at lines */
	bool joins;       /* rows of dst follow each other, and are computed */
	bool fresh, last; /* nothing of ours comes before the pieces, or after them */
	asking next;
} columns;

/* Bytes from row to row of the stage: a line more than a piece has, and an odd number of lines, so that rows
 * do not share sets. */
static int64_t pitch_of(int64_t bytes)
{
	return (((bytes + LINE - 1) / LINE + 1) | 1) * LINE;
}

/* ---- pieces leave ---- */

INLINE void ask_lines(asking *q, int64_t n)
{
	for (; n > 0 && q->lines > 0; n--) {
		__builtin_prefetch(q->src + q->at[q->i], 0, 2);
		if (++q->i == q->n)
			q->i = 0, q->src += LINE, q->lines--;
	}
}

/* As leave_lines(), but the lines that go with a row are asked for meanwhile. */
static void leave_asking(byte *dst, const byte *left, int64_t bytes, bool fresh, byte *kept, asking *q)
{
	enum { SOME = 4 * LINE };
	const int64_t from = line_offset(dst), share = (q->each * SOME + bytes - 1) / bytes;
	int64_t ask = q->each;
	const bool whole = from == 0 || !fresh;
	if (whole && from + bytes >= SOME) {
		dst -= from, left -= from, bytes += from, fresh = true;
		for (; bytes >= SOME; bytes -= SOME, dst += SOME, left += SOME, ask -= share) {
			ask_lines(q, smaller(share, ask));
			stream_lines(dst, left, SOME / LINE);
		}
	}
	ask_lines(q, ask);
	leave_lines(dst, left, bytes, fresh, kept);
}

/* ---- pieces that are computed ---- */

/* Reverses the bytes of each element, of a register's worth of them at least. */
static void turn_bytes(byte *out, const byte *in, int64_t bytes, int64_t each)
{
	const __m256i from = _mm256_broadcastsi128_si256(turned_places(each));
	for (int64_t i = 0; i < bytes; i += REGISTER) {
		const int64_t k = smaller(i, bytes - REGISTER);
		store_lanes(out + k, _mm256_shuffle_epi8(load_row(in + k), from));
	}
}

/* Computes n elements, a vector at least. What is less than a vector is computed with some before it. */
static void compute_elements(const fused *f, byte *out, const byte *in, int64_t n)
{
	const int64_t i = n - LANES;
	if (f->turns)
		turn_bytes(out, in, n * f->to_bytes, f->turns);
	else if (fused_run(f, out, in, n, false) < n)
		fused_units(f, out + i * f->to_bytes, in + i * f->from_bytes, i, 1, false);
}

/* Computes the piece of a row of dst. */
static void compute_piece(const columns *c, byte *out, const byte *in, int64_t row)
{
	enum { FEW = 32, WIDEST = 16 };
	fused *f = c->chain;
	for (int64_t k = 0; f->varies && k < f->nstep; k++) {
		fused_step *s = &f->steps[k];
		if (s->values && s->of_rows)
			s->run = (const byte *)(s->values + c->first + c->a);
		else if (s->values)
			s->y = s->values[row];
	}
	if (c->n < FEW) {
		byte few[FEW * WIDEST] = {0}, results[FEW * WIDEST];
		memcpy(few, in, (size_t)(c->n * c->from));
		compute_elements(f, results, few, FEW);
		memcpy(out, results, (size_t)(c->n * c->unit));
		return;
	}
	compute_elements(f, out, in, c->n);
}

/* ---- columns ---- */

static void turn_columns(const columns *c)
{
	const byte *src = c->src + c->row * c->from;
	const int64_t *at = c->at + c->a;
	const bool table = c->b->src_at != NULL;
	const grid g = {c->stage, src + (table ? 0 : *at), table ? at : NULL, c->pitch, c->b->stride, c->n,
	                c->rows};
	int64_t made[CHUNK];
	ahead none = ahead_none();
	const tile t = {.src = src, .at = at, .na = c->n, .nb = c->rows};
	if (!move_grid(&g, c->from, &none))
		move_tile(&(target){c->stage, places_of(NULL, c->pitch, c->rows, made)}, &t, c->from, &none);
}

/* n rows of dst leave, from `row` on. Their pieces lie `pitch` bytes apart, with room before each for what
 * was kept. All that is put there first, as loads wait for stores that stand behind lines which leave. */
static void leave_rows(columns *c, byte *left, int64_t pitch, int64_t row, int64_t n)
{
	const vf_block *b = c->b;
	byte *dst = c->dst + c->a * c->unit, *kept = c->kept + row * LINE;
	int64_t made[CHUNK];
	const int64_t *to = b->dst_at ? b->dst_at + row : places_of(NULL, b->dst_step, n, made);
	dst += b->dst_at ? 0 : row * b->dst_step;
	for (int64_t i = 0; i < n && !c->fresh; i++) {
		const int64_t held = line_offset(dst + to[i]);
		copy_bytes(left + i * pitch - held, kept + i * LINE, held);
	}
	for (int64_t i = 0; i < n; i++)
		leave_asking(dst + to[i], left + i * pitch, c->n * c->unit, c->fresh,
		             c->last ? NULL : kept + i * LINE, &c->next);
}

/* A block without rows of the source: what was kept is written. */
static void leave_kept(const columns *c)
{
	for (int64_t i = 0; i < c->b->rows; i++) {
		byte *d = c->dst + (c->b->dst_at ? c->b->dst_at[i] : i * c->b->dst_step);
		copy_bytes(d - line_offset(d), c->kept + i * LINE, line_offset(d));
	}
}

/* Some rows are computed, then they leave. Where lines are carried, or are left in parts, loads of what is
 * computed wait for stores behind lines that leave: so there are many (Zen 3, of the fastest copy, one row at
 * a time and so: f32 [64,700,600] by (0,2,1) / 255 0.28 and 0.36, 5696 x 5696 0.48 and 0.44). */
static void leave_computed(columns *c)
{
	const int64_t pitch = pitch_of(c->n * c->unit),
		      most = c->even ? 1 : larger(COMPUTED_BYTES / pitch, 1);
	for (int64_t i = 0, n; i < c->rows; i += n) {
		byte *first = c->computed + LINE;
		n = smaller(most, c->rows - i);
		for (int64_t k = 0; k < n; k++)
			compute_piece(c, first + k * pitch, c->stage + (i + k) * c->pitch, c->row + i + k);
		leave_rows(c, first, pitch, c->row + i, n);
	}
}

/* The same where rows of dst follow each other: they leave as one stream. What does not fill a line is
 * kept. */
static void leave_joined(columns *c)
{
	const int64_t bytes = c->n * c->unit, most = larger(COMPUTED_BYTES / bytes, 1), each = c->next.each;
	for (int64_t i = 0, n; i < c->rows; i += n) {
		byte *d = c->dst + (c->row + i) * bytes, *out = c->computed + line_offset(d);
		const bool fresh = c->row + i == 0;
		n = smaller(most, c->rows - i);
		if (!fresh)
			memcpy(c->computed, c->kept, LINE);
		for (int64_t k = 0; k < n; k++)
			compute_piece(c, out + k * bytes, c->stage + (i + k) * c->pitch, c->row + i + k);
		c->next.each = each * n;
		leave_asking(d, out, n * bytes, fresh, c->row + i + n < c->b->rows ? c->kept : NULL,
		             &c->next);
	}
}

/* Finds what is read after these columns: others of these rows, those of the block's next rows, or the next
 * block's. */
static void find_next_columns(columns *c, const vf_flow *flow, int64_t step, int64_t chunk)
{
	const vf_block *b = c->b;
	const int64_t past = c->row + c->rows, after = c->a + c->n;
	int64_t bytes = smaller(step, b->rows) * c->from;
	c->next = (asking){.n = 0};
	if (past < b->rows) {
		bytes = smaller(step, b->rows - past) * c->from;
		c->next = (asking){.src = c->src + past * c->from + LINE - 1, .at = c->at + c->a, .n = c->n};
		c->next.lines = (bytes + LINE - 1) / LINE;
	} else if (after < b->n) {
		c->next = (asking){.src = c->src, .at = c->at + after, .n = smaller(chunk, b->n - after)};
		c->next.lines = bytes / LINE + 1;
	} else if (flow->ahead && b->ahead_rows > 0) {
		c->next = (asking){.src = flow->ahead, .at = flow->ahead_at ? flow->ahead_at : c->at};
		c->next.n = smaller(smaller(chunk, b->ahead_rows), b->n);
		c->next.lines = smaller(bytes, b->ahead_bytes) / LINE + 1;
	}
}

static void move_columns(columns *c)
{
	c->next.each = (c->next.n * c->next.lines + c->rows - 1) / c->rows;
	turn_columns(c);
	if (c->joins)
		leave_joined(c);
	else if (c->chain)
		leave_computed(c);
	else
		leave_rows(c, c->stage, c->pitch, c->row, c->rows);
	ask_lines(&c->next, c->next.n * c->next.lines);
}

/* ---- a block ---- */

/* How many rows of the source are best taken together. */
static int64_t rows_beside(const vf_block *b)
{
	return b->beside ? b->beside : vf_column_rows(b->unit);
}

/* How many are taken: nearly as many. The block's rows are shared out evenly, as whole lines of dst. */
static int64_t rows_together(const vf_block *b)
{
	const int64_t most = rows_beside(b), power = b->unit & -b->unit;
	const int64_t line = LINE / smaller(power, LINE), parts = larger((b->n + most / 2) / most, 1);
	return larger((b->n + parts - 1) / parts + line - 1, line) / line * line;
}

/* Bytes of what is kept of rows of dst between their pieces. */
static int64_t kept_bytes(const vf_block *b)
{
	return b->stream == VF_CARRY ? 0 : b->rows * LINE;
}

/* How many columns are taken together; 0: the stage has no room. */
static int64_t columns_together(const vf_block *b, const vf_flow *flow, int64_t chunk)
{
	const int64_t from = b->pass ? b->pass->from : b->unit, cell = CELL(from) / from;
	const int64_t bytes = flow->stage_bytes - COMPUTED_BYTES - kept_bytes(b) - 5 * LINE;
	const int64_t room = larger(bytes, 0) / pitch_of(chunk * from);
	const int64_t lines = larger(rows_beside(b) / chunk, 1);
	return smaller(smaller(lines * cell, CHUNK / cell * cell), room / cell * cell);
}

/* Does a block go by columns? All that is computed does, others where the plan says so. */
static bool goes_by_columns(const vf_block *b, const vf_flow *flow)
{
	const bool runs = b->stream == VF_CARRY || b->stream == VF_LINES;
	return flow && flow->stage && (b->pass ? b->stream != VF_STORE : b->beside && runs) &&
	       b->n <= MOST_UNITS && vf_has_run(b->unit) && columns_together(b, flow, rows_together(b)) > 0;
}

/* `first`: the second value of the block's first row. */
static void move_by_columns(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow, fused *chain,
                            int64_t first)
{
	const bool carries = b->stream == VF_CARRY;
	const int64_t chunk = rows_together(b), step = columns_together(b, flow, chunk);
	const bool joins = b->stream == VF_JOINED && !b->dst_at && b->dst_step == b->n * b->unit;
	byte *begin = flow->stage + (-(uintptr_t)flow->stage & (LINE - 1));
	int64_t made[MOST_UNITS];
	columns c = {.b = b, .chain = chain, .first = first, .dst = dst, .src = src, .unit = b->unit};
	c.from = b->pass ? b->pass->from : b->unit;
	c.at = places_of(b->src_at, b->stride, b->n, made);
	c.computed = begin;
	c.even = are_lines(b, dst + (b->dst_at ? *b->dst_at : 0), 0);
	c.joins = chain && joins && chunk >= b->n;
	c.kept = carries ? flow->carry : begin + COMPUTED_BYTES + 2 * LINE;
	c.stage = begin + COMPUTED_BYTES + kept_bytes(b) + 4 * LINE;
	c.pitch = pitch_of(chunk * c.from);
	if (b->n == 0)
		leave_kept(&c);
	for (c.a = 0; c.a < b->n; c.a += chunk)
		for (c.row = 0; c.row < b->rows; c.row += step) {
			c.n = smaller(chunk, b->n - c.a), c.rows = smaller(step, b->rows - c.row);
			c.fresh = c.a == 0 && (!carries || flow->first);
			c.last = c.a + c.n >= b->n && (!carries || flow->more == 0);
			find_next_columns(&c, flow, step, chunk);
			move_columns(&c);
		}
}

/* Moves what is computed. False where it does not go by columns. */
static bool move_computed(const vf_block *b, byte *dst, const byte *src, const vf_flow *flow)
{
	vf_block owned = *b;
	fused chain;
	float values[SECONDS_ROOM];
	int64_t from;
	if (!fuse_alone(b->pass, &chain))
		return false;
	if (!owned_part(b, flow, &owned, &dst, &src, &from))
		return true;
	if (!goes_by_columns(&owned, flow) ||
	    (chain.varies && !find_seconds(&chain, b, flow, from + owned.n, values)))
		return false;
	for (int64_t k = 0; k < chain.nstep; k++)
		if (chain.steps[k].values) /* floats now, and some change from row to row */
			chain.steps[k].from = 0, chain.steps[k].bytes = sizeof *values;
	chain.to_write = 0;
	if (!chain.turns && !chain.varies)
		find_quotients(&chain);
	move_by_columns(&owned, dst, src, flow, &chain, from);
	return true;
}
