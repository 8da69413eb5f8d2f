/* crossed.h -- `apply` where rows of dst are columns of the source: x.T - m.
 *
 * Text of apply.h. A *strip* is some rows of dst. It is done by parts of PART elements of each row. Of each
 * part, GROUP columns of the source at a time are turned in registers and kept in L1 as floats. Then these
 * GROUP rows of dst are computed and leave, pairs of lines after each other. While a part is turned, the
 * source of the next part is asked for; while it leaves, the second values of the next part are.
 *
 * Rows of dst that begin inside a pair of lines leave by a buffer. Bytes of a pair that the next part fills
 * are kept.
 *
 * The source of the next part is asked for row by row. By a line of each row in turn the same took half as
 * long again. A Xeon with AMX, of the fastest copy, by a stage in the second cache and by this: f32 3968 x
 * 4160 x.T - m 0.45 and 0.57, 4096 x 4096 0.43 and 0.52, 4001 x 3907 0.36 and 0.47.
 */
#pragma once

enum { PART = 128, GROUP = LINE / 4, PAIR = 2 * LINE, MOST_PART = PART * 4, MOST_ROWS = 256 };

typedef struct crossing {
	const vf_block *b;
	work *w;
	fused leaves; /* from floats to dst, with the second values of a row */
	int64_t rows, i, to;
	int64_t asked;      /* rows of the next part that have been asked for */
	int64_t next;       /* first element of the next part; -1: the next strip's */
	int64_t ahead;      /* bytes from what is read now to what the next part reads */
	unsigned char *dst; /* the strip's */
	const unsigned char *src;
	int64_t at[PART];
	_Alignas(LINE) unsigned char stage[GROUP * MOST_PART];
	_Alignas(LINE) unsigned char buffer[PAIR + MOST_PART], kept[MOST_ROWS][PAIR];
} crossing;

static bool crosses(const vf_block *b, const work *w, const unsigned char *d)
{
	const vf_pass *p = b->pass;
	bool all = !w->chain.turns && !w->chain.beside && w->stream && !b->dst_at && !b->src_at &&
	           !p->group && b->stride != p->from && b->src_step == p->from && b->rows >= GROUP &&
	           b->n >= PART && b->dst_step % p->to == 0 && (uintptr_t)d % (uintptr_t)p->to == 0;
	for (int64_t k = 0; k < p->noperand; k++)
		all = all && (p->operand_stride[k] == 0 || p->operand_stride[k] == p->operand_bytes[k]);
	return all;
}

/* Asks for what the next part reads, of n rows more. */
INLINE void cross_ask(crossing *c, int64_t n)
{
	const int64_t bytes = c->rows * c->w->row.from_bytes;
	for (; n > 0 && c->asked < PART; n--, c->asked++) {
		const uintptr_t row = (uintptr_t)(c->src + c->at[c->asked] + c->ahead);
		for (uintptr_t line = row & ~(uintptr_t)(LINE - 1); line < row + (uintptr_t)bytes;
		     line += LINE)
			__builtin_prefetch((const void *)line, 0, 2);
	}
}

/* Turns LANES columns, from src on, of LANES rows, from row j of the part on, into rows of the stage. */
INLINE void cross_square(const crossing *c, unsigned char *stage, const unsigned char *src, int64_t j)
{
	vec v[LANES];
	load_units(c->w->row.from, v, LANES, src, c->at + j);
	v_turn(v);
	UNROLL for (int k = 0; k < LANES; k++) v_put(stage + (k * PART + j) * (int64_t)sizeof(float), v[k]);
}

/* Turns GROUP columns of the part into the stage, from column `first` of the strip on. */
static void cross_group(crossing *c, int64_t first)
{
	const fused *f = &c->w->row;
	const int64_t some = (LANES * GROUP + c->rows - 1) / c->rows;
	for (int64_t j = 0; j < PART; j += LANES) {
		for (int64_t k = 0; k < GROUP; k += LANES)
			cross_square(c, c->stage + k * PART * (int64_t)sizeof(float),
			             c->src + (first + k) * f->from_bytes, j);
		cross_ask(c, some);
	}
}

/* Sets the second values of a row of the strip, from the part's first element on, and asks for the next
 * part's. */
static void cross_row(crossing *c, int64_t row)
{
	for (int64_t k = 0; k < c->leaves.nstep; k++) {
		fused_step *step = &c->leaves.steps[k];
		if (step->operand < 0)
			continue;
		const operand *o = &c->w->operands[step->operand];
		const int64_t next = c->w->pass->operand_step[step->operand];
		const unsigned char *at = o->at + row * next + c->i * o->stride;
		if (o->stride == 0 && step->from)
			sweep_loops[step->from](&step->y, at, 1, NULL, NULL);
		else if (o->stride == 0)
			memcpy(&step->y, at, sizeof step->y);
		else
			step->run = at;
		const int64_t later = c->next < 0
		                          ? c->w->pass->operand_later[step->operand] - c->i * o->stride
		                          : (c->next - c->i) * o->stride;
		for (int64_t line = 0; line < PART * o->stride; line += LINE)
			fetch_far(at + line, later);
	}
}

/* Computes a row's part from its floats at x, and writes it to `out`. */
INLINE void leave_part(const crossing *c, unsigned char *out, const unsigned char *x, bool lines)
{
	enum { SOME = UNITS * LANES };
	for (int64_t at = 0; at < PART; at += SOME)
		fused_units(&c->leaves, out + at * c->to, x + at * (int64_t)sizeof(float), at, UNITS, lines);
}

/* A part of a row that begins inside a pair. Whole pairs leave; the bytes of a last, unfinished pair are
 * kept. */
static void leave_kept(crossing *c, unsigned char *d, unsigned char *kept, const unsigned char *x)
{
	const int64_t part = PART * c->to, inside = (int64_t)((uintptr_t)d & (PAIR - 1));
	unsigned char *all = c->buffer;
	memcpy(all, kept, PAIR);
	leave_part(c, all + inside, x, false);
	if (c->i > 0) {
		stream_lines(d - inside, all, part / LINE);
	} else {
		memcpy(d, all + inside, (size_t)(PAIR - inside));
		stream_lines(d - inside + PAIR, all + PAIR, (part - PAIR) / LINE);
	}
	memcpy(kept, all + part, PAIR);
}

/* Writes the last elements of a row, which are no whole part, and what was kept. x has the floats of the part
 * that ends with the row. */
static void leave_last(crossing *c, unsigned char *row, unsigned char *kept, const unsigned char *x)
{
	const int64_t n = c->b->n, left = n % PART;
	unsigned char *d = row + (n - left) * c->to;
	const int64_t inside = (int64_t)((uintptr_t)d & (PAIR - 1)), bytes = inside + left * c->to;
	const int64_t whole = bytes / LINE * LINE;
	_Alignas(LINE) unsigned char part[MOST_PART];
	memcpy(c->buffer, kept, PAIR);
	if (left) {
		leave_part(c, part, x, false);
		memcpy(c->buffer + inside, part + (PART - left) * c->to, (size_t)(left * c->to));
	}
	stream_lines(d - inside, c->buffer, whole / LINE);
	memcpy(d - inside + whole, c->buffer + whole, (size_t)(bytes - whole));
}

/* A part: PART elements of each row, from element i on. */
static void cross_part(crossing *c, int64_t i, bool last)
{
	const int64_t n = c->b->n, stride = c->b->stride, row_step = c->b->dst_step;
	c->i = i, c->asked = 0;
	c->next = i + 2 * PART <= n ? i + PART : i + PART < n ? n - PART : -1;
	c->ahead = c->next < 0 ? c->w->pass->later - i * stride : (c->next - i) * stride;
	for (int64_t j = 0; j < PART; j++)
		c->at[j] = (i + j) * stride;
	for (int64_t done = 0; done < c->rows;) {
		const int64_t first = done + GROUP <= c->rows ? done : c->rows - GROUP;
		cross_group(c, first);
		for (; done < first + GROUP; done++) {
			const unsigned char *x = c->stage + (done - first) * PART * (int64_t)sizeof(float);
			unsigned char *row = c->dst + done * row_step;
			cross_row(c, done);
			if (last)
				leave_last(c, row, c->kept[done], x);
			else if ((uintptr_t)row % PAIR == 0)
				leave_part(c, row + i * c->to, x, true);
			else
				leave_kept(c, row + i * c->to, c->kept[done], x);
		}
	}
}

static void cross_strip(crossing *c)
{
	const int64_t n = c->b->n;
	for (int64_t i = 0; i + PART <= n; i += PART)
		cross_part(c, i, false);
	if (n % PART)
		cross_part(c, n - PART, true);
	else
		for (int64_t r = 0; r < c->rows; r++)
			leave_last(c, c->dst + r * c->b->dst_step, c->kept[r], NULL);
}

/* If second values differ from row to row, the inverses that were found for the first row do not hold. */
static void cross_begin(crossing *c)
{
	bool known = true;
	c->leaves = c->w->row;
	c->leaves.from = 0, c->leaves.from_bytes = sizeof(float), c->leaves.to_write = 0;
	for (int64_t k = 0; k < c->leaves.nstep; k++)
		known = known && (c->leaves.steps[k].operand < 0 || c->leaves.steps[k].run);
	for (int64_t k = 0; k < c->leaves.nstep && !known; k++)
		c->leaves.steps[k].inverse = 0, c->leaves.steps[k].inverses = 0;
}

static void apply_crossed(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	crossing c;
	c.b = b, c.w = w, c.to = b->pass->to;
	if (!fused_begin(w))
		return;
	cross_begin(&c);
	for (int64_t r = 0; r < b->rows; r += c.rows) {
		c.rows = b->rows - r;
		while (c.rows > MOST_ROWS)
			c.rows = c.rows > 2 * MOST_ROWS ? MOST_ROWS : c.rows / 2;
		c.dst = d + r * b->dst_step, c.src = s + r * b->src_step;
		cross_strip(&c);
		for (int64_t k = 0; k < b->pass->noperand; k++)
			w->operands[k].at += c.rows * b->pass->operand_step[k];
	}
}
