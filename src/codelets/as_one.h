/* as_one.h -- rows of `apply` that follow each other in dst are taken as one. Those that do not follow where
 * they are read are brought side by side in L1 first.
 *
 * Text of apply.h. A row that begins inside a line has two ends, and each short row costs nearly a call.
 * Taken as one they have neither (a Xeon with AMX, of the fastest copy, before by rows or by a stage: u8 rows
 * of 317 to f32 0.35 and 0.76, f32 rows of 139 to f16 0.27 and 0.59, bytes turned 0.49 and 0.63).
 */
#include "codelets/short.h"

/* ---- which rows ---- */

/* Are all rows whole lines of dst, and begin at lines if they stream? */
static bool are_lines(const work *w, const vf_block *b)
{
	const uintptr_t places = w->dst | (uintptr_t)b->dst_step | (uintptr_t)b->pass->dst_group;
	return b->n * b->pass->to % LINE == 0 && (!b->stream || places % LINE == 0);
}

/* Are rows brought whose elements lie side by side? Whole lines have no such ends, and are brought only where
 * calls count; ends of long rows count little (f32 rows of 2000, cropped, doubled, 0.71 and 0.63). Zen 4, of
 * the fastest copy, brought and as they lie: 64 of 96 columns of f32 to f16 0.32 and 0.50, every sixth row of
 * 64 to bf16 0.23 and 0.42; but 64 of 70 columns of u8 to f16 0.59 and 0.35, f32 rows of 64 upside down to
 * bf16 0.64 and 0.53, queries, keys and values by heads of 64 0.55 and 0.46. */
static bool may_bring(const work *w, const vf_block *b)
{
	enum { SHORT_ROW = 256, LONG_ROW = 6 << 10 };
	const vf_pass *p = b->pass;
	const int64_t bytes = b->n * p->to, read = b->n * p->from;
	const bool upwards = b->src_step > 0 && !b->ahead_step;
	const bool one_by_one = w->fuses && are_lines(w, b) && read >= SHORT_ROW && upwards;
	return b->stride == p->from && p->dst_stride == p->to &&
	       (bytes % LINE != 0 || (bytes < SHORT_ROW && !one_by_one)) && read < LONG_ROW;
}

/* Do an operand's elements follow each other through all rows, as if in one? */
static bool goes_on(const vf_block *b, int64_t k)
{
	const vf_pass *p = b->pass;
	const int64_t step = p->operand_step[k];
	return step == b->n * p->operand_stride[k] && (!p->group || p->operand_group[k] == p->group * step);
}

/* Are rows one run where they are read? */
static bool are_one_run(const vf_block *b)
{
	const vf_pass *p = b->pass;
	return b->src_step == b->n * b->stride && (!p->group || p->src_group == p->group * b->src_step);
}

/* Are all rows taken as one? Short rows that follow each other are, and so are longer ones that begin inside
 * lines. Their operands repeat with each row, or are put side by side. A few rows of lines, not short, go one
 * by one: operands would be prepared for little. */
static bool joins_rows(const work *w, const vf_block *b)
{
	enum { SHORT_IN_LINES = 16 * CHUNK, FEW = 4, SHORT = CHUNK / 4 };
	const vf_pass *p = b->pass;
	const bool on_lines = b->n * p->to % LINE == 0;
	int others = 0;
	for (int64_t k = 0; k < p->noperand; k++)
		others += !goes_on(b, k);
	return !b->dst_at && !b->src_at && (!p->group || p->dst_group == p->group * b->dst_step) &&
	       b->n < (!on_lines       ? SHORT_IN_LINES
	               : b->rows > FEW ? CHUNK
	                               : SHORT) &&
	       b->dst_step == b->n * p->dst_stride && others <= PATTERNS &&
	       (are_one_run(b) || may_bring(w, b));
}

/* ---- rows that are brought ---- */

/* What is read, as if it were one run: rows of `bytes` bytes, `step` apart, in groups `far` apart. */
typedef struct rows_apart {
	const unsigned char *row; /* the next one */
	int64_t done, in;         /* bytes of it that were brought; its place in its group */
	int64_t later;            /* what lies so many bytes behind is asked for */
	int64_t bytes, step, group, far;
} rows_apart;

/* The rows of a block. Where no groups are, all are one. */
static rows_apart rows_of(const vf_block *b, const unsigned char *src)
{
	return (rows_apart){.row = src,
	                    .bytes = b->n * b->stride,
	                    .step = b->src_step,
	                    .group = b->pass->group ? b->pass->group : b->rows,
	                    .far = b->pass->src_group};
}

/* The same with runs of the source as rows: whole groups whose rows follow each other there (Zen 4, u8
 * pictures [64,256,256,3] cropped, less a value a channel, by rows of 3 bytes 0.06 of the fastest copy, by
 * runs of 672 0.56). */
static rows_apart runs_of(const vf_block *b, const unsigned char *src)
{
	rows_apart r = rows_of(b, src);
	if (b->pass->group && b->rows % r.group == 0 && r.step == r.bytes)
		r = (rows_apart){
		    .row = src, .bytes = r.group * r.bytes, .step = r.far, .group = b->rows / r.group};
	return r;
}

static inline int64_t rows_left(const rows_apart *r)
{
	return r->group - r->in;
}

/* Goes on by n rows, all of one group, and to the next group at its end. */
static inline void next_rows(rows_apart *r, int64_t n)
{
	const bool ends = n == rows_left(r);
	r->done = 0, r->in += n, r->row += n * r->step;
	if (ends)
		r->row += r->far - r->in * r->step, r->in = 0;
}

typedef struct bytes32 {
	uint64_t words[4];
} bytes32;

/* Not memcpy(): rows are short. */
static inline void bring(unsigned char *out, const unsigned char *in, int64_t bytes)
{
	enum { SOME = sizeof(bytes32) };
	bytes32 last, some;
	if (bytes <= SOME) {
		copy_short(out, in, bytes);
		return;
	}
	memcpy(&last, in + bytes - SOME, SOME);
	for (int64_t i = 0; i + SOME < bytes; i += SOME) {
		memcpy(&some, in + i, SOME);
		memcpy(out + i, &some, SOME);
	}
	memcpy(out + bytes - SOME, &last, SOME);
}

/* Whole rows of `half` bytes, a constant, to twice as many: two moves each, which may overlap. */
INLINE void bring_halves(rows_apart *r, unsigned char *out, int64_t rows, const int64_t half)
{
	const int64_t row = r->bytes;
	unsigned char first[128], last[128];
	for (int64_t some; rows > 0; rows -= some) {
		const unsigned char *in = r->row;
		some = smaller(rows, rows_left(r));
		for (int64_t k = 0; k < some; k++, in += r->step, out += row) {
			memcpy(first, in, (size_t)half);
			memcpy(last, in + row - half, (size_t)half);
			memcpy(out, first, (size_t)half);
			memcpy(out + row - half, last, (size_t)half);
			if (r->later)
				fetch_span(in, r->later, row, vf_takes_l2_hints());
		}
		next_rows(r, some);
	}
}

/* Brings as many whole short rows as `bytes` bytes have; returns how many bytes they are. A loop that knows
 * how long they are takes half as long for each (Zen 4, of the fastest copy, row by row and so: f32 patches
 * of 16 by 16 to bf16 0.25 and 0.43, u8 34 x 34 cropped to f32 0.52 and 0.66, f32 [8,1024,33,17] by heads,
 * halved, 0.28 and 0.38; but rows of 248 bytes 0.44 and 0.41). */
static int64_t bring_short_rows(rows_apart *r, unsigned char *out, int64_t bytes)
{
	enum { LONGEST = 192 };
	const int64_t row = r->bytes, rows = r->done ? 0 : bytes / row;
	if (rows == 0 || row < 4 || row > LONGEST)
		return 0;
	if (row >= 128)
		bring_halves(r, out, rows, 128);
	else if (row >= 64)
		bring_halves(r, out, rows, 64);
	else if (row >= 32)
		bring_halves(r, out, rows, 32);
	else if (row >= 16)
		bring_halves(r, out, rows, 16);
	else if (row >= 8)
		bring_halves(r, out, rows, 8);
	else
		bring_halves(r, out, rows, 4);
	return rows * row;
}

/* Brings the next `bytes` bytes. */
static void bring_rows(rows_apart *r, unsigned char *out, int64_t bytes)
{
	const int64_t row = r->bytes, short_rows = bring_short_rows(r, out, bytes);
	out += short_rows, bytes -= short_rows;
	while (bytes > 0) {
		const int64_t some = smaller(row - r->done, bytes);
		const unsigned char *in = r->row + r->done;
		bring(out, in, some);
		fetch_elements(in, some, 1, r->later);
		out += some, bytes -= some, r->done += some;
		if (r->done == row)
			next_rows(r, 1);
	}
}

/* How many of n elements go now, if more come: whole lines of dst. */
static int64_t whole_lines(const work *w, const unsigned char *d, int64_t n)
{
	const int64_t to = w->pass->to;
	return n - (w->stream ? (int64_t)((uintptr_t)(d + n * to) & (LINE - 1)) / to : n % LINE);
}

static void apply_apart(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	_Alignas(LINE) unsigned char room[8 << 10];
	const int64_t from = w->pass->from, most = (int64_t)sizeof room / from;
	rows_apart r = runs_of(b, s);
	int64_t left = b->rows * b->n, held = 0, at = 0;
	r.later = w->later;
	w->later = 0, w->fetches = b->pass->noperand > 0;
	while (left > 0 || held > 0) {
		const int64_t more = smaller(most - held, left);
		bring_rows(&r, room + held * from, more * from);
		left -= more, held += more;
		const int64_t some = left > 0 ? whole_lines(w, d, held) : held;
		apply_run(w, d, room, at, some);
		held -= some, at += some, d += some * w->pass->to;
		memmove(room, room + some * from, (size_t)(held * from));
	}
}

/* ---- all rows ---- */

#if VF_FUSES
#include "codelets/fused_rows.h"

/* Does the chain divide by that second value, or, for -1, by any? No ranges are known of one that puts x
 * aside. */
static bool is_divisor(const fused *f, int64_t second)
{
	for (int64_t k = 0; k < f->nstep && !f->beside; k++)
		if (f->steps[k].kind == STEP_DIV && (second < 0 || f->steps[k].operand == second))
			return true;
	return false;
}

/* For a chain that divides: finds the range of a pattern of floats. If the operand is a divisor and all its
 * elements have inverses, puts these behind the pattern, so many bytes. */
static void look_at_pattern(work *w, int64_t k, unsigned char *pattern, int64_t behind)
{
	operand *o = &w->operands[k];
	const int64_t row = o->period * o->bytes, all = row + CHUNK * o->bytes;
	bool inverses;
	float y;
	if (!w->fuses || o->bytes != sizeof y || all > behind || !wants_quotients() ||
	    !is_divisor(&w->chain, -1))
		return;
	inverses = is_divisor(&w->chain, k);
	o->has = (range){X_MOST, 0};
	for (int64_t at = 0; at < row; at += o->bytes) {
		memcpy(&y, pattern + at, sizeof y);
		o->has = range_with(o->has, y);
		inverses = inverses && has_inverse(y);
		y = inverses ? 1 / y : 0;
		memcpy(pattern + behind + at, &y, sizeof y);
	}
	if (inverses)
		repeat(pattern + behind, row, all);
	o->inverses = inverses ? behind : 0;
}
#else
static bool is_divisor(const fused *f, int64_t second)
{
	(void)f, (void)second;
	return false;
}

static bool computes_as_it_lies(const work *w, const vf_block *b)
{
	(void)w, (void)b;
	return false;
}

static bool fused_rows(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	(void)w, (void)b, (void)d, (void)s;
	return false;
}

static void look_at_pattern(work *w, int64_t k, unsigned char *pattern, int64_t behind)
{
	(void)w, (void)k, (void)pattern, (void)behind;
}
#endif

/* Values spread over the rows of a group, and CHUNK more; of a divisor, half of it has their inverses. */
enum { GROUP_BYTES = 12 << 10, GROUP_ROOM = GROUP_BYTES + CHUNK * 8 + LINE, GROUP_BEHIND = GROUP_ROOM / 2 };
typedef struct group_values {
	_Alignas(LINE) unsigned char bytes[GROUP_ROOM];
} group_values;

/* Has each row of a group one value, the same in each group, of which there are several? Then they are spread
 * once for all groups, if that is little beside the first cache. (Zen 4, of the fastest copy, chunk by chunk
 * and so: x * m + b by channels, bf16 7 x 7 0.29 and 0.38, f16 0.23 and 0.40, f32 2 x 2 0.28 and 0.52, u8 of
 * 3 rows of 4 to f32 0.10 and 0.83; AVX2 the first three 0.17 and 0.21, 0.17 and 0.31, 0.27 and 0.47; but f32
 * 14 x 14 of 32, 25 KB each, 0.50 and 0.43.) */
static bool repeats_by_group(const work *w, const vf_block *b, int64_t k)
{
	const vf_pass *p = b->pass;
	const int64_t bytes = p->operand_bytes[k], all = p->group * b->n * bytes;
	const bool divides = w->fuses && is_divisor(&w->chain, k);
	return w->fuses && p->group > 1 && p->operand_group[k] == 0 && p->operand_step[k] != 0 &&
	       p->operand_stride[k] == 0 && bytes <= 8 && all <= GROUP_BYTES && b->rows >= 4 * p->group &&
	       (!divides || all + CHUNK * bytes + LINE <= GROUP_BEHIND);
}

/* Spreads them over the rows of a group, once a call. */
static void fill_group(work *w, const vf_block *b, int64_t k, unsigned char *room)
{
	operand *o = &w->operands[k];
	const int64_t group = b->pass->group, all = group * b->n * o->bytes;
	spread_ones(room, o->at, b->n, o->bytes, group, b->pass->operand_step[k]);
	repeat(room, all, all + CHUNK * o->bytes);
	o->at = room, o->period = group * b->n;
	look_at_pattern(w, k, room, GROUP_BEHIND);
}

/* Makes the operands that do not go on with the rows do so. `groups`: room for values of groups; or NULL. */
static void join_operands(work *w, const vf_block *b, buffer *patterns, group_values *groups)
{
	int used = 0, filled = 0;
	for (int64_t k = 0; k < b->pass->noperand; k++) {
		operand *o = &w->operands[k];
		if (goes_on(b, k))
			continue;
		w->patterns = true;
		if (groups && repeats_by_group(w, b, k)) {
			fill_group(w, b, k, groups[filled++].bytes);
			continue;
		}
		const int64_t step = b->pass->operand_step[k], group = b->pass->group;
		const int64_t far = group ? b->pass->operand_group[k] : 0;
		if (step == 0 && far == 0 && b->n < CHUNK) {
			fill_pattern(o, b, patterns[used].bytes);
			look_at_pattern(w, k, patterns[used++].bytes, BEHIND);
		} else {
			o->row = b->n, o->step = step, o->group = group ? group : b->rows, o->far = far;
			o->room = patterns[used++].bytes;
		}
	}
}

static void run_joined(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	if (are_one_run(b))
		apply_run(w, d, s, 0, b->rows * b->n);
	else if (!computes_as_it_lies(w, b) || !fused_rows(w, b, d, s))
		apply_apart(w, b, d, s);
}

/* Not inlined: the frame of other calls would grow. */
static __attribute__((noinline)) void apply_by_group(work *w, const vf_block *b, unsigned char *d,
                                                     const unsigned char *s)
{
	buffer patterns[PATTERNS];
	group_values groups[PATTERNS];
	join_operands(w, b, patterns, groups);
	run_joined(w, b, d, s);
}

static void apply_joined(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	buffer patterns[PATTERNS]; /* a row and a chunk of up to 8 bytes an element */
	bool by_group = false;
	for (int64_t k = 0; k < b->pass->noperand; k++)
		by_group = by_group || repeats_by_group(w, b, k);
	if (by_group) {
		apply_by_group(w, b, d, s);
		return;
	}
	join_operands(w, b, patterns, NULL);
	run_joined(w, b, d, s);
}
