/* one_by_one.h -- rows of `apply` that go to their places one after the other.
 *
 * Text of apply.h, after as_groups.h. Where all rows are whole lines of dst, none has ends to care for, and
 * as little as can be is done for each (Zen 4, of the fastest copy: f32 heads of 64 to bf16 0.42 and 0.74,
 * divided 0.46 and 0.84, less a value each column 0.37 and 0.85, f32 rows upside down to bf16 0.63 and 0.74).
 */

/* Where a row is written and read; its place in its group. */
typedef struct places {
	unsigned char *dst;
	const unsigned char *src;
	int64_t in;
} places;

/* Goes on to the next row, and so do the operands. */
static inline void next_place(work *w, const vf_block *b, places *at)
{
	const vf_pass *p = b->pass;
	const int64_t group = p->group ? p->group : b->rows, back = ++at->in == group ? group : 0;
	at->dst += b->dst_step + (back ? p->dst_group - back * b->dst_step : 0);
	at->src += b->src_step + (back ? p->src_group - back * b->src_step : 0);
	for (int64_t k = 0; k < p->noperand; k++)
		w->operands[k].at += p->operand_step[k] +
		                     (back ? p->operand_group[k] - back * p->operand_step[k] : 0);
	at->in = back ? 0 : at->in;
}

#if VF_FUSES
/* What is asked for while rows are read. Groups have no run, and a later group is asked for. */
static rows_ahead asked_with(const work *w, const vf_block *b, const unsigned char *src)
{
	if (b->pass->group)
		return (rows_ahead){.by = w->later, .second = vf_takes_l2_hints()};
	return rows_ahead_of(b, b->n * b->pass->from, src);
}

/* A row, and what is asked for with it: of long rows some lines at a time. (Short ones by fused_row(), too:
 * heads of 64 0.59 of the fastest copy, so 0.72.) */
INLINE void row_in_lines(work *w, const places *at, int64_t n, rows_ahead *next)
{
	enum { LONG = 384 };
	const int64_t bytes = n * w->pass->from;
	if (n > LONG || n % LANES) {
		fused_row(w, at->dst, at->src, 0, n, next);
	} else {
		for (int64_t line = 0; next && line < bytes; line += LINE)
			fetch_ahead(at->src + line, next);
		fused_run(&w->row, at->dst, at->src, n, w->stream);
	}
	if (next)
		fetch_end(at->src + bytes - 1, 1, next);
}

/* Do rows have no ends to care for? They are whole lines of dst; or they stay in the caches, and have a
 * vector at least. Only rows that stream are asked for. */
static bool have_no_ends(const work *w, const vf_block *b)
{
	enum { LONG = 1024 };
	if (b->stream)
		return are_lines(w, b);
	const bool is_short = b->n >= LANES && b->n * b->pass->from <= LONG;
	const bool fits = !w->chain.turns && b->pass->to <= (int64_t)sizeof(float);
	return !w->later && (are_lines(w, b) || (is_short && fits));
}

/* Asks for the second values of a later row, where hints go into the second cache. */
static void ask_of_operands(const work *w, int64_t n)
{
	for (int64_t k = 0; asks_second() && k < w->pass->noperand; k++) {
		const operand *o = &w->operands[k];
		fetch_elements(o->at, n, o->stride, o->later);
	}
}

/* False, and nothing is done, unless rows have no ends, and second values are one or side by side. Not
 * inlined: the frame of a small call would grow. */
static __attribute__((noinline)) bool fused_in_lines(work *w, const vf_block *b, unsigned char *d,
                                                     const unsigned char *s)
{
	const vf_pass *p = b->pass;
	if (w->next.rows > 0 || !have_no_ends(w, b) || !fused_begin(w))
		return false;
	places at = {d, s, 0};
	rows_ahead next = asked_with(w, b, s);
	const bool apart = p->group ? w->later != 0 : asks_second() || b->src_step != b->n * p->from;
	bool alike = true; /* are second values the same in each row? */
	for (int64_t k = 0; k < p->noperand; k++)
		alike = alike && !p->operand_step[k] && !p->operand_group[k];
	for (int64_t r = 0; r < b->rows; r++) {
		if (!alike)
			fused_begin(w);
		row_in_lines(w, &at, b->n, b->stream && apart ? &next : NULL);
		ask_of_operands(w, b->n);
		next_place(w, b, &at);
	}
	return true;
}
#else
static bool fused_in_lines(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	(void)w, (void)b, (void)d, (void)s;
	return false;
}
#endif

#include "codelets/rows_at_once.h"

/* Asks for the lines of dst inside which the next row begins and ends: others write the rest of them. If
 * they come only then, all that leaves behind them waits. (Zen 4, of the fastest copy, f32 rows of 2560 bytes
 * between margins 0.35 and 0.49, of 1760 0.18 and 0.30, rows of two sources beside each other 0.36 and 0.60;
 * rows of 448 bytes 0.23 and 0.20.) Always inlined: gcc drops calls of what only asks. */
INLINE void ask_for_ends(const work *w, const vf_block *b, const unsigned char *d)
{
	enum { LONG_ROW = 768 };
	const int64_t row = b->n * w->pass->to;
	const uintptr_t next = (uintptr_t)d + (uintptr_t)b->dst_step, end = next + (uintptr_t)row;
	if (!w->stream || row < LONG_ROW || b->dst_at)
		return;
	if (next % LINE)
		fetch_to_write(d, b->dst_step, 1);
	if (end % LINE)
		fetch_to_write(d, b->dst_step + row, 1);
}

static void apply_rows(work *w, const vf_block *b, unsigned char *dst, const unsigned char *src)
{
	places at = {dst, src, 0};
	if (w->fuses && b->rows > 1 && !b->dst_at && !b->src_at &&
	    (rows_at_once(w, b, dst, src) || fused_in_lines(w, b, dst, src)))
		return;
	for (int64_t r = 0; r < b->rows; r++) {
		unsigned char *d = b->dst_at ? dst + b->dst_at[r] : at.dst;
		w->stream = streams_row(b, d);
		ask_for_ends(w, b, d);
		apply_run(w, d, b->src_at ? src + b->src_at[r] : at.src, 0, b->n);
		next_place(w, b, &at);
	}
}

/* The same where rows of operands have offsets. */
static void apply_rows_at(work *w, const vf_block *b, unsigned char *dst, const unsigned char *src,
                          const vf_flow *flow)
{
	const vf_pass *p = b->pass;
	for (int64_t r = 0; r < b->rows; r++) {
		unsigned char *d = dst + (b->dst_at ? b->dst_at[r] : r * b->dst_step);
		for (int64_t k = 0; k < p->noperand; k++)
			w->operands[k].at = flow->operands[k] + (flow->operand_at[k]
			                                             ? flow->operand_at[k][r]
			                                             : r * p->operand_step[k]);
		w->stream = streams_row(b, d);
		apply_run(w, d, src + b->src_at[r], 0, b->n);
	}
}
