/* apply.h -- the codelet `apply`: chunks of a row through a list of sweeps.
 *
 * Text of the files apply_*.c, after sweeps.h. They also define
 *
 *   apply_codelet   its name
 *   stream_lines    whole lines past the cache; VF_STREAMS is 0 where there is no such thing
 *   VF_FUSES        1 after fused.h, which computes chains of f32 in registers
 *
 * Chunks stay in L1 from sweep to sweep. The last sweep writes to dst itself, or to a chunk that leaves as
 * lines.
 */
#include "codelets/rows_ahead.h"
#include "codelets/seconds.h"

typedef struct buffer {
	_Alignas(64) unsigned char bytes[CHUNK * WIDEST + ROOM];
} buffer;

#if !VF_FUSES
typedef struct fused {
	int none;
} fused;
#endif

typedef struct work {
	const vf_pass *pass;
	bool divides;  /* a step of `chain` divides */
	bool fuses;    /* computes by `chain`; `row`: the same with second values */
	bool patterns; /* operands repeat: no more than CHUNK at once */
	bool prepared; /* `row` is made, and is the same for every row */
	bool copied;   /* `row` has the chain's steps */
	bool fetches;  /* asks for what is read later */
	bool bursts;   /* reads several runs, each some lines at a time */
	int64_t later; /* so many bytes behind what is read now */
	ahead next;
	fused chain, row;
	int64_t src_stride, stream;
	uintptr_t dst; /* where row 0 is written */
	const unsigned char *src;
	operand operands[VF_PASS_OPERANDS];
	int64_t nown; /* sweeps of x itself, not of what is computed while x is aside */
	buffer chunks[2], spare, gathered, beside[2];
	int64_t sets; /* of rows that are asked for after those of `next` */
	const vf_block *asked;
} work;

/* ---- one chunk ---- */

/* Elements i to i + n of an operand, side by side; NULL if all are the same one. */
static const unsigned char *operand_run(work *w, const operand *o, int64_t i, int64_t n)
{
	if (o->row)
		return spread_rows(o, i, n);
	if (o->period)
		return o->at + i % o->period * o->bytes;
	if (o->stride == 0)
		return NULL;
	if (o->stride == o->bytes)
		return o->at + i * o->stride;
	move_elements(w->gathered.bytes, o->at + i * o->stride, n, (int64_t[]){o->bytes, o->stride},
	              o->bytes);
	return w->gathered.bytes;
}

static void sweep_with_operand(work *w, const vf_sweep *sweep, void *out, const void *in, int64_t i,
                               int64_t n)
{
	const operand *o = &w->operands[sweep->operand];
	const unsigned char *run = operand_run(w, o, i, n), *one = o->at;
	vf_sweep given = *sweep;
	if (sweep->convert) {
		sweep_loops[sweep->convert](w->spare.bytes, run ? run : one, run ? n : 1, NULL, NULL);
		run = run ? w->spare.bytes : NULL, one = w->spare.bytes;
	}
	if (!run)
		memcpy(&given.value, one, (size_t)vf_sweep_rows[sweep->id].from_bytes);
	sweep_loops[sweep->id](out, in, n, run, &given);
}

/* The n elements that sweeps work on while x is put aside, side by side. */
static const unsigned char *elements_beside(work *w, const vf_sweep *sweep, int64_t i, int64_t n)
{
	const operand *o = sweep->operand >= 0 ? &w->operands[sweep->operand] : NULL;
	const unsigned char *run = o ? operand_run(w, o, i, n) : NULL;
	const int64_t strides[2] = {sweep->convert, 0};
	if (run && run != w->gathered.bytes)
		return run;
	if (run)
		memcpy(w->beside[1].bytes, run, (size_t)(n * sweep->convert));
	else
		move_elements(w->beside[1].bytes, o ? o->at : (const unsigned char *)&sweep->value, n,
		              strides, sweep->convert);
	return w->beside[1].bytes;
}

/* A sweep of x with y in place of an operand. */
static void sweep_both(work *w, const vf_sweep *sweep, void *out, const unsigned char *x,
                       const unsigned char *y, int64_t n)
{
	if (sweep->convert) {
		sweep_loops[sweep->convert](w->spare.bytes, x, n, NULL, NULL);
		x = w->spare.bytes;
	}
	sweep_loops[sweep->id](out, x, n, y, sweep);
}

/* Runs all sweeps over elements i to i + n of a row. They lie side by side at `in` and at `out`. */
static void sweep_chunk(work *w, unsigned char *out, const unsigned char *in, int64_t i, int64_t n)
{
	const vf_pass *p = w->pass;
	const unsigned char *aside = NULL;
	int64_t own = 0, beside = 0;
	for (int64_t k = 0; k < p->nsweep; k++) {
		const vf_sweep *sweep = &p->sweeps[k];
		if (sweep->id == VF_SWEEP_NONE) {
			aside = in, beside = 0;
			in = elements_beside(w, sweep, i, n);
			continue;
		}
		const bool back = sweep->operand == VF_SWEEP_ASIDE;
		unsigned char *to = k == p->nsweep - 1 ? out
		                    : aside && !back   ? w->beside[beside++ & 1].bytes
		                                       : w->chunks[own++ & 1].bytes;
		if (back)
			sweep_both(w, sweep, to, aside, in, n);
		else if (sweep->operand >= 0)
			sweep_with_operand(w, sweep, to, in, i, n);
		else
			sweep_loops[sweep->id](to, in, n * sweep->parts, NULL, sweep);
		aside = back ? NULL : aside;
		in = to;
	}
	if (p->nsweep == 0)
		memcpy(out, in, (size_t)(n * p->to));
}

/* ---- one row ---- */

/* Asks for what lies `later` bytes behind n elements. */
static void fetch_elements(const unsigned char *p, int64_t n, int64_t stride, int64_t later)
{
	if (!later || n <= 0)
		return;
	if (stride < 0)
		p += (n - 1) * stride, stride = -stride;
	const uintptr_t from = ((uintptr_t)p + (uintptr_t)later) & ~(uintptr_t)(LINE - 1);
	const uintptr_t past = (uintptr_t)p + (uintptr_t)(later + (n - 1) * stride) + 1;
	for (uintptr_t line = from; line<past; line += stride> LINE ? (uintptr_t)stride : LINE)
		fetch_far((const void *)line, 0);
}

/* Not inlined, as few calls ask so: the loop around is short. */
static __attribute__((noinline)) void fetch_row_part(const work *w, const unsigned char *s, int64_t i,
                                                     int64_t n)
{
	fetch_elements(s, n, w->src_stride, w->later);
	for (int64_t k = 0; k < w->pass->noperand; k++) {
		const operand *o = &w->operands[k];
		if (!o->period && !o->row)
			fetch_elements(o->at + i * o->stride, n, o->stride, o->later);
	}
}

/* How many elements the next chunk has. If the row leaves as lines, a chunk that begins inside a line ends
 * there. */
static int64_t chunk_length(const work *w, const unsigned char *d, int64_t left)
{
	const int64_t to_line = -(int64_t)((uintptr_t)d & (LINE - 1)) & (LINE - 1);
	if (w->stream && to_line && to_line / w->pass->to < left)
		return to_line / w->pass->to;
	return left < CHUNK ? left : CHUNK;
}

static void apply_chunk(work *w, unsigned char *d, const unsigned char *s, int64_t i, int64_t n)
{
	const vf_pass *p = w->pass;
	const bool lines = w->stream && ((uintptr_t)d & (LINE - 1)) == 0 && n * p->to >= LINE;
	unsigned char *out = lines || p->dst_stride != p->to ? w->chunks[1 - (w->nown & 1)].bytes : d;
	if (w->src_stride != p->from) {
		move_elements(w->spare.bytes, s, n, (int64_t[]){p->from, w->src_stride}, p->from);
		memcpy(w->chunks[1].bytes, w->spare.bytes, (size_t)(n * p->from));
		s = w->chunks[1].bytes;
	}
	sweep_chunk(w, out, s, i, n);
	if (lines) {
		const int64_t bytes = n * p->to, whole = bytes / LINE;
		stream_lines(d, out, whole);
		memcpy(d + whole * LINE, out + whole * LINE, (size_t)(bytes - whole * LINE));
	} else if (p->dst_stride != p->to) {
		move_elements(d, out, n, (int64_t[]){p->dst_stride, p->to}, p->to);
	}
}

#if VF_FUSES
static void begin_run(fused_step *step, const operand *o)
{
	const bool known = step->from == 0 && o->has.most > 0;
	step->run = o->row ? o->room : o->at, step->bytes = o->bytes;
	step->inverses = known && step->kind == STEP_DIV ? o->inverses : 0;
	step->runs = known ? o->has : range_unknown();
}

/* Takes the chain over, all but second values that change from row to row. */
static void copy_chain(work *w)
{
	w->copied = true;
	w->row.from = w->chain.from, w->row.to = w->chain.to, w->row.nstep = w->chain.nstep;
	w->row.turns = w->chain.turns, w->row.beside = w->chain.beside;
	w->row.from_bytes = w->chain.from_bytes, w->row.to_bytes = w->chain.to_bytes;
	memcpy(w->row.steps, w->chain.steps, (size_t)w->chain.nstep * sizeof *w->row.steps);
}

/* Finds the second values of a row. False if those of some operand are neither one value nor side by side.
 * Steps are copied once a call: a copy for each row waits for the stores of the row before (Zen 5, f32 heads
 * of 64 times a value a head, of the fastest copy, for each row and once: 0.44 and 0.50). */
static bool fused_begin(work *w)
{
	if (w->prepared)
		return true;
	w->prepared = !w->chain.varies;
	if (!w->copied)
		copy_chain(w);
	for (int64_t k = 0; k < w->row.nstep; k++) {
		fused_step *step = &w->row.steps[k];
		const operand *o = step->operand < 0 ? NULL : &w->operands[step->operand];
		const bool runs = o && (o->period || o->row);
		if (o && !runs && o->stride != 0 && o->stride != o->bytes)
			return false;
		if (o && (runs || o->stride != 0))
			begin_run(step, o);
		else if (o && step->from)
			sweep_loops[step->from](&step->y, o->at, 1, NULL, NULL);
		else if (o)
			memcpy(&step->y, o->at, sizeof step->y);
	}
	if (w->divides)
		find_quotients(&w->row);
	return true;
}

/* Moves the second values on to element i of a row, for n elements. */
static void fused_go_to(work *w, int64_t i, int64_t n)
{
	for (int64_t k = 0; k < w->row.nstep; k++) {
		fused_step *step = &w->row.steps[k];
		const operand *o = step->operand < 0 ? NULL : &w->operands[step->operand];
		if (step->run && o->row) {
			const bool divides = w->divides && step->kind == STEP_DIV && step->from == 0 &&
			                     wants_quotients();
			step->run = spread_rows(o, i, n);
			step->inverses = divides ? spread_inverses(o, i, n) : 0;
		} else if (step->run)
			step->run = o->at + (o->period ? i % o->period : i) * o->bytes;
	}
}

/* The elements from i on, of the n at d and s, that are no whole vector or no whole line. Computes a vector
 * that has them, and stores that part. Returns how many elements; 0 if n are less than a vector. */
static int64_t fused_edge(work *w, unsigned char *d, const unsigned char *s, int64_t at, int64_t i, int64_t n)
{
	_Alignas(64) unsigned char vector[LINE];
	/* Elements of 8 bytes and more are only turned: a vector has fewer of them. */
	const int64_t to = w->row.to_bytes, most = to > 4 ? LANES * 4 / to : LANES;
	const int64_t first = i + most <= n ? i : n - most;
	const int64_t length = chunk_length(w, d + i * to, n - i), some = length < most ? length : most;
	if (first < 0)
		return 0;
	fused_go_to(w, at + first, most);
	fused_run(&w->row, vector, s + first * w->row.from_bytes, most, false);
	v_some(d + i * to, vector + (i - first) * to, some * to);
	return some;
}

/* Asks for n elements of x, and then of each operand that is a run. */
static __attribute__((noinline)) void fetch_bursts(const work *w, const unsigned char *s, int64_t n)
{
	for (int64_t at = 0; at < n * w->row.from_bytes; at += LINE)
		fetch_into(s, at, false);
	for (int64_t k = 0; k < w->row.nstep; k++) {
		const fused_step *step = &w->row.steps[k];
		const operand *o = step->operand < 0 ? NULL : &w->operands[step->operand];
		for (int64_t at = 0; o && step->run && !o->row && !o->period && at < n * o->bytes; at += LINE)
			fetch_into(step->run, at, false);
	}
}

/* Computes whole groups of vectors from element i of a row on; returns how many elements. What is read is
 * asked for some lines at a time, since more hints wait for each other (a Xeon with AMX, f64 to f32 by 3 KiB
 * 0.76 of the fastest copy, by 1 KiB 0.84). */
static int64_t fused_part(work *w, unsigned char *d, const unsigned char *s, int64_t i, int64_t left)
{
	enum { FETCHED = 24 * LINE, BURST = 16 * LINE };
	const bool at_line = ((uintptr_t)d & (LINE - 1)) == 0;
	if (w->stream && !at_line)
		return 0;
	if ((w->patterns || w->next.rows > 0 || w->fetches) && left > CHUNK)
		left = CHUNK;
	if (w->fetches && left > FETCHED / w->row.from_bytes)
		left = FETCHED / w->row.from_bytes & -(2 * LINE);
	if (w->bursts && left > BURST / w->row.from_bytes)
		left = BURST / w->row.from_bytes;
	fused_go_to(w, i, left);
	if (w->bursts)
		fetch_bursts(w, s, left);
	return fused_run(&w->row, d, s, left, w->stream);
}
#else
static bool fused_begin(work *w)
{
	(void)w;
	return false;
}

static int64_t fused_part(work *w, unsigned char *d, const unsigned char *s, int64_t i, int64_t left)
{
	(void)w, (void)d, (void)s, (void)i, (void)left;
	return 0;
}

static int64_t fused_edge(work *w, unsigned char *d, const unsigned char *s, int64_t at, int64_t i, int64_t n)
{
	(void)w, (void)d, (void)s, (void)at, (void)i, (void)n;
	return 0;
}
#endif

/* Goes on to the next set of rows that are asked for; false: there is none. */
static bool next_set(work *w)
{
	if (w->sets <= 0)
		return false;
	ahead_next_set(&w->next, w->asked);
	w->sets--;
	return true;
}

/* Asks for the lines that go with n written lines. Not inlined, either. */
static __attribute__((noinline)) void ask_next(work *w, int64_t n)
{
	ahead_ask(&w->next, n);
	if (w->next.rows <= 0)
		next_set(w);
}

static void ask_rest(work *w)
{
	do
		ahead_rest(&w->next);
	while (next_set(w));
}

/* Elements of a row, n from element `at` on. */
static void apply_run(work *w, unsigned char *d, const unsigned char *s, int64_t at, int64_t n)
{
	const bool fuses = w->fuses && fused_begin(w);
	for (int64_t i = 0; i < n;) {
		unsigned char *to = d + i * w->pass->dst_stride;
		const unsigned char *from = s + i * w->src_stride;
		int64_t length = fuses ? fused_part(w, to, from, at + i, n - i) : 0;
		if (length == 0 && fuses)
			length = fused_edge(w, d, s, at, i, n);
		if (length == 0) {
			length = chunk_length(w, to, n - i);
			apply_chunk(w, to, from, at + i, length);
		}
		if (w->fetches)
			fetch_row_part(w, from, at + i, length);
		ask_next(w, length * (w->pass->to < w->pass->from ? w->pass->to : w->pass->from) / LINE);
		i += length;
	}
}

#include "codelets/as_one.h"

/* ---- rows ---- */

/* Does the row leave past the cache, as lines? Only if no element crosses a line. */
static bool streams_row(const vf_block *b, const unsigned char *d)
{
	const int64_t to = b->pass->to;
	return VF_STREAMS && b->stream && b->pass->dst_stride == to && LINE % to == 0 &&
	       (uintptr_t)d % (uintptr_t)to == 0;
}

/* The number of sweeps of x itself: their results take turns in the two chunks. */
static int64_t own_sweeps(const vf_pass *p)
{
	int64_t n = 0;
	bool aside = false;
	for (int64_t k = 0; k < p->nsweep; k++) {
		if (p->sweeps[k].id == VF_SWEEP_NONE)
			aside = true;
		else if (p->sweeps[k].operand == VF_SWEEP_ASIDE)
			aside = false;
		n += !aside;
	}
	return n;
}

#include "codelets/later.h"

#if VF_FUSES
#include "codelets/crossed.h"
#else
static bool crosses(const vf_block *b, const work *w, const unsigned char *d)
{
	(void)b, (void)w, (void)d;
	return false;
}

static void apply_crossed(work *w, const vf_block *b, unsigned char *d, const unsigned char *s)
{
	(void)w, (void)b, (void)d, (void)s;
}
#endif

static void begin_asking(work *w, const vf_block *b, const vf_flow *flow)
{
	const int64_t sets = b->ahead_sets > 1 ? b->ahead_sets : 1;
	ahead_begin(&w->next, b, flow, b->rows * b->n * b->pass->to / LINE / sets);
	w->asked = b, w->sets = w->next.rows > 0 ? sets - 1 : 0;
}

#include "codelets/as_groups.h"
#include "codelets/packed_rows.h"
#include "codelets/one_by_one.h"

void apply_codelet(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	const vf_pass *p = b->pass;
	work w;
	w.pass = p, w.src_stride = b->stride, w.patterns = w.prepared = w.copied = false;
	w.fuses = false;
	w.nown = own_sweeps(p);
#if VF_FUSES
	w.fuses = p->dst_stride == p->to && (fuse_beside(p, &w.chain) || fuse_turns(p, &w.chain));
	w.row.to_write = later_to_write(b->n * p->to, b->dst_step);
	w.divides = w.fuses && is_divisor(&w.chain, -1);
#endif
	w.stream = streams_row(b, dst), w.dst = (uintptr_t)dst, w.src = src;
	begin_asking(&w, b, flow);
	begin_operands(&w, b, flow);
	if (w.fuses && crosses(b, &w, dst)) {
		apply_crossed(&w, b, dst, src);
		return;
	}
	w.fuses = w.fuses && b->stride == p->from;
	if (b->rows > 1 && joins_rows(&w, b)) {
		apply_joined(&w, b, dst, src);
		ask_rest(&w);
		return;
	}
	if (packs_rows(&w, b))
		apply_packed(&w, b, dst, src);
	else if (joins_groups(&w, b))
		apply_groups(&w, b, dst, src, flow);
	else if (b->src_at && p->noperand > 0)
		apply_rows_at(&w, b, dst, src, flow);
	else
		apply_rows(&w, b, dst, src);
	ask_rest(&w);
}
