/* cycle.h -- long rows by a recipe past the cache: whole vectors of dst where its lines are.
 *
 * Text of the files rows_*.c, after recipe.h. They also define
 *
 *   stream_vec(p, vec)                  past the cache, to a multiple of WIDTH
 *   stream_both(p, vecs, n, others)     a line past the cache: n bytes of vecs, the rest of others
 *   store_between(p, vecs, from, to)    of a line bytes [from, to)
 *
 * Vectors that stand side by side in dst begin at different bytes of their blocks, until all repeats: a
 * *cycle*. No vector is turned, and none waits for the one before it: it costs its loads, a permutation of
 * each, and its store. The source is read upwards, whichever way dst goes: the processor's own fetching
 * hardly follows downwards (Zen 4, pixels mirrored, of the fastest copy: 0.90 and 0.40).
 */

enum { CYCLE_MOST = 3, CYCLE_PICKS = CYCLE_MOST * FEW, VECTORS = LINE / WIDTH };

typedef struct cycle {
	int vectors, sources, streams;       /* of a cycle; of each vector; of the draft */
	int64_t unit, by, skip, row;         /* of the draft; row: bytes of dst */
	int64_t advance;                     /* of the source, from cycle to cycle */
	int64_t low[STREAMS], past[STREAMS]; /* what a row reads of each stream */
	/* How far a cycle's vectors reach beyond the row that begins where the cycle does: `under` is from
	 * the lowest byte of the row to the lowest of the vectors, `over` from the highest to the highest. */
	int64_t under, over;
	vec constants[CYCLE_MOST];
	pick picks[CYCLE_PICKS];         /* those of vector i begin at i*sources */
	int64_t at[CYCLE_PICKS], lowest; /* lowest: of all `at` */
	uint8_t stream[CYCLE_PICKS];
	uint8_t vector_at[BLOCK]; /* [k]: the vector that begins k bytes into a block */
} cycle;

/* ---- making one ---- */

/* For each byte of a vector: its stream + 1, and its place, counted from that stream's first block. For a
 * constant: 0, and the constant. */
typedef struct byte_places {
	uint8_t of[WIDTH];
	int64_t at[WIDTH];
} byte_places;

static void find_places(byte_places *l, const draft *d, int64_t first)
{
	int64_t in_block = first % d->unit, at = first / d->unit * d->by;
	for (int j = 0; j < WIDTH; j++) {
		l->of[j] = d->of[in_block];
		l->at[j] = d->from[in_block] + (l->of[j] ? at : 0);
		if (++in_block == d->unit)
			in_block = 0, at += d->by;
	}
}

/* The lowest place of a stream that a vector needs, and in *past one past the highest; both 0 if it needs
 * none. */
static int64_t lowest_place(const byte_places *l, int stream, int64_t *past)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (int j = 0; j < WIDTH; j++)
		if (l->of[j] == stream + 1)
			low = smaller(low, l->at[j]), high = larger(high, l->at[j] + 1);
	*past = high;
	return low == INT64_MAX ? *past = 0 : low;
}

static void add_pick(cycle *c, const draft *d, const byte_places *l, int slot, int stream, int64_t low)
{
	signed char index[WIDTH];
	for (int j = 0; j < WIDTH; j++) {
		const int64_t at = l->at[j] - low;
		index[j] = (signed char)(l->of[j] == stream + 1 && at >= 0 && at < WIDTH ? at : -128);
	}
	c->picks[slot] = pick_make(index);
	c->at[slot] = d->at[stream] + low, c->stream[slot] = (uint8_t)stream;
	c->lowest = smaller(c->lowest, c->at[slot]);
	c->under = smaller(c->under, c->at[slot] - c->low[stream]);
	c->over = larger(c->over, c->at[slot] + WIDTH - c->past[stream]);
}

/* Returns how many sources vector i has. Its picks are made once c->sources says how many all vectors have:
 * those that are too many give nothing. */
static int add_vector(cycle *c, const draft *d, int i)
{
	byte_places l;
	int n = 0;
	const int slot = i * c->sources;
	find_places(&l, d, d->skip + (int64_t)i * WIDTH);
	for (int p = 0; p < (int)d->streams; p++) {
		int64_t past, low = lowest_place(&l, p, &past);
		for (; low < past; low += WIDTH, n++)
			if (c->sources)
				add_pick(c, d, &l, slot + n, p, low);
	}
	for (int s = n; s < c->sources; s++) {
		signed char nothing[WIDTH];
		memset(nothing, -128, sizeof nothing);
		c->picks[slot + s] = pick_make(nothing);
		c->at[slot + s] = c->at[slot], c->stream[slot + s] = c->stream[slot];
	}
	for (int j = 0; c->sources && j < WIDTH; j++)
		((uint8_t *)&c->constants[i])[j] = l.of[j] ? 0 : (uint8_t)l.at[j];
	return n;
}

/* False if a cycle is too long, a vector has too many sources, or a vector is of constants alone. */
static bool cycle_make(cycle *c, const draft *d)
{
	const int64_t common = smaller(d->unit & -d->unit, WIDTH), apart = (d->n - 1) * d->by;
	int sources = 0;
	*c = (cycle){.unit = d->unit, .by = d->by, .skip = d->skip, .row = d->n * d->unit};
	c->streams = (int)d->streams;
	c->vectors = (int)(d->unit / common), c->advance = WIDTH / common * d->by;
	if (d->unit > BLOCK || (c->vectors != 1 && c->vectors != CYCLE_MOST))
		return false;
	for (int p = 0; p < (int)d->streams; p++) {
		c->low[p] = d->at[p] + d->low[p] + smaller(apart, 0);
		c->past[p] = d->at[p] + d->high[p] + larger(apart, 0);
	}
	for (int i = 0; i < c->vectors; i++) {
		const int n = add_vector(c, d, i);
		sources = n > sources ? n : sources;
		if (n == 0)
			return false;
	}
	if (sources > FEW)
		return false;
	c->sources = sources, c->lowest = c->under = INT64_MAX, c->over = INT64_MIN;
	for (int i = 0; i < c->vectors; i++) {
		add_vector(c, d, i);
		c->vector_at[(d->skip + (int64_t)i * WIDTH) % d->unit] = (uint8_t)i;
	}
	return true;
}

KEEP_BY_FORM(cycle_of, cycle, cycle_make, 4)

/* ---- a vector ---- */

/* What is constant in the loops: n, the sources of a vector; the vectors of a cycle, 1 or CYCLE_MOST; the
 * lines that leave together, of rows that are read side by side. */
typedef struct manner {
	int n, vectors, lines;
} manner;

/* Vector `index` of the cycle whose place is src. */
typedef struct cursor {
	const byte *src;
	int64_t index;
} cursor;

/* What a call is given. */
typedef struct call {
	const vf_block *b;
	byte *dst;
	const byte *src;
} call;

/* A row at src, and how many bytes may be read below the lowest byte that it reads, and above the highest. */
typedef struct reach_of {
	const byte *src;
	int64_t below, above;
} reach_of;

/* A row of dst: `head` bytes, then whole lines from dst on, then `tail` bytes. */
typedef struct cycle_row {
	byte *dst;
	cursor first, past; /* at the first whole line; behind the last */
	int64_t head, lines, tail;
	reach_of reach;
} cycle_row;

INLINE cursor moved(const cycle *c, cursor k, int64_t vectors, const manner m)
{
	if (m.vectors == 1)
		return (cursor){k.src + vectors * c->advance, 0};
	for (k.index += vectors; k.index < 0; k.index += m.vectors)
		k.src -= c->advance;
	const uint32_t all = (uint32_t)k.index, n = (uint32_t)m.vectors;
	return (cursor){k.src + all / n * c->advance, all % n};
}

INLINE cursor next_of(const cycle *c, cursor k, const manner m)
{
	if (m.vectors == 1 || ++k.index == m.vectors)
		k.src += c->advance, k.index = 0;
	return k;
}

INLINE bool is_safe(const cycle *c, const cycle_row *r, cursor k)
{
	const int64_t at = k.src - r->reach.src;
	return at + c->under >= -r->reach.below && at + c->over <= r->reach.above;
}

/* vector_of() that reads nothing but what the call may. n: its sources. */
INLINE vec careful_of(const cycle *c, reach_of r, cursor k, const int n)
{
	vec v = c->constants[k.index];
	for (int s = 0; s < n; s++) {
		const int64_t slot = k.index * n + s, at = k.src - r.src + c->at[slot];
		const int64_t low = c->low[c->stream[slot]] - r.below - at,
			      past = c->past[c->stream[slot]] + r.above - at;
		const bool all = low <= 0 && past >= WIDTH;
		const byte *from = r.src + at;
		v = merged(v, c->picks[slot], all ? load_vec(from) : load_part(from, clip(low), clip(past)));
	}
	return v;
}

static __attribute__((noinline)) vec careful_vector(const cycle *c, reach_of r, cursor k)
{
	return careful_of(c, r, k, c->sources);
}

INLINE vec vector_of(const cycle *c, const cycle_row *r, cursor k, const manner m)
{
	if (!is_safe(c, r, k))
		return careful_vector(c, r->reach, k);
	const int64_t slot = k.index * m.n;
	vec v = c->constants[k.index];
	UNROLL for (int s = 0; s < m.n; s++)
	    v = merged(v, c->picks[slot + s], load_vec(k.src + c->at[slot + s]));
	return v;
}

/* ---- where rows begin and end ---- */

INLINE reach_of reach_of_row(const call *of, int64_t r)
{
	const int64_t before = r * of->b->src_step, after = (of->b->rows - 1 - r) * of->b->src_step;
	return (reach_of){of->src + before, larger(before, -after), larger(after, -before)};
}

INLINE cycle_row open_row(const cycle *c, const call *of, int64_t r, const manner m)
{
	cycle_row row = {.dst = of->dst + r * of->b->dst_step, .reach = reach_of_row(of, r)};
	row.head = (int64_t)(-(uintptr_t)row.dst & (LINE - 1));
	row.dst += row.head;
	row.lines = (c->row - row.head) / LINE, row.tail = (c->row - row.head) % LINE;
	const int32_t unit = (int32_t)c->unit, head = (int32_t)row.head, index = c->vector_at[head % unit];
	row.first = (cursor){row.reach.src + (head - (int32_t)c->skip - index * WIDTH) / unit * c->by, index};
	row.past = moved(c, row.first, row.lines * VECTORS, m);
	return row;
}

INLINE void line_of(vec *v, const cycle *c, const cycle_row *r, cursor k, const manner m)
{
	for (int i = 0; i < VECTORS; i++, k = next_of(c, k, m))
		v[i] = vector_of(c, r, k, m);
}

INLINE void end_one(const cycle *c, const cycle_row *r, const manner m)
{
	vec v[VECTORS];
	if (r->tail == 0)
		return;
	line_of(v, c, r, r->past, m);
	store_between(r->dst + r->lines * LINE, v, 0, r->tail);
}

/* Writes what comes before the first whole line of r. `last` is the row that ends where r begins, or NULL. */
INLINE void begin_one(const cycle *c, const cycle_row *last, const cycle_row *r, const manner m)
{
	vec v[VECTORS], ends[VECTORS];
	if (r->head == 0)
		return;
	line_of(v, c, r, moved(c, r->first, -VECTORS, m), m);
	if (!last) {
		store_between(r->dst - LINE, v, LINE - r->head, LINE);
		return;
	}
	line_of(ends, c, last, last->past, m);
	stream_both(r->dst - LINE, ends, last->tail, v);
}

/* ---- a row ---- */

/* The whole cycles that are left of a row, as many as fill lines. */
typedef struct cycle_run {
	byte *dst;
	const byte *src;
	int64_t cycles;
} cycle_run;

/* What a loop keeps of a cycle in registers. */
typedef struct few_picks {
	vec constants[CYCLE_MOST];
	pick picks[CYCLE_PICKS];
	int64_t at[CYCLE_PICKS];
} few_picks;

/* Fills *f. To return it by value would copy all of it. */
INLINE void load_picks(few_picks *f, const cycle *c, const manner m)
{
	UNROLL for (int i = 0; i < m.vectors; i++) f->constants[i] = c->constants[i];
	UNROLL for (int s = 0; s < m.vectors * m.n; s++) f->picks[s] = c->picks[s], f->at[s] = c->at[s];
}

/* Vector i of a cycle at src. */
INLINE vec few_of(const few_picks *f, const byte *src, const int i, const manner m)
{
	vec v = f->constants[i];
	UNROLL for (int s = i * m.n; s < i * m.n + m.n; s++)
	    v = merged(v, f->picks[s], load_vec(src + f->at[s]));
	return v;
}

/* Writes the run; the source is read upwards. What lies `later` bytes further on is asked for; 0: nothing
 * is. */
INLINE void put_cycles(const cycle *c, const cycle_run *run, int64_t later, const manner m)
{
	few_picks f;
	int64_t by = c->advance, bytes = m.vectors * WIDTH;
	byte *dst = run->dst;
	const byte *src = run->src;
	load_picks(&f, c, m);
	if (by < 0)
		dst += (run->cycles - 1) * bytes, src += (run->cycles - 1) * by, by = -by, bytes = -bytes;
	for (int64_t k = run->cycles; k > 0; k--, dst += bytes, src += by) {
		if (later)
			for (int64_t i = 0; i < by; i += LINE)
				fetch_later(src + i, later);
		UNROLL for (int i = 0; i < m.vectors; i++) stream_vec(dst + i * WIDTH, few_of(&f, src, i, m));
	}
}

/* Do lines that leave together begin at p? */
INLINE bool begins_lines(const byte *p, const manner m)
{
	return ((uintptr_t)p & (uintptr_t)(m.lines * LINE - 1)) == 0;
}

/* Writes the whole vectors at both ends of a row, up to where whole cycles may be read without care. Returns
 * these cycles. */
INLINE cycle_run put_ends(const cycle *c, const cycle_row *r, const manner m)
{
	int64_t begin = 0, end = r->lines * VECTORS;
	cursor k = r->first, last = r->past;
	for (; begin < end && (k.index || !begins_lines(r->dst + begin * WIDTH, m) || !is_safe(c, r, k));
	     begin++, k = next_of(c, k, m))
		stream_vec(r->dst + begin * WIDTH, vector_of(c, r, k, m));
	for (; begin < end && (last.index || !begins_lines(r->dst + end * WIDTH, m) ||
	                       !is_safe(c, r, moved(c, last, -1, m)));
	     end--) {
		last = moved(c, last, -1, m);
		stream_vec(r->dst + (end - 1) * WIDTH, vector_of(c, r, last, m));
	}
	return (cycle_run){r->dst + begin * WIDTH, k.src, (int32_t)(end - begin) / m.vectors};
}

/* ---- rows ---- */

#include "codelets/cycle_beside.h"

/* One row after the other. What is known of a row stays in registers: what is stored, and then loaded in
 * another size, waits for the lines that leave. If the call has one row, the start of the next call's row is
 * asked for, until the processor's own fetching follows. */
INLINE void put_each(const cycle *c, const call *of, const manner m)
{
	enum { START = 4096 };
	const bool joined = of->b->dst_step == c->row;
	cycle_row last = open_row(c, of, 0, m);
	if (of->b->rows == 1 && of->b->ahead_step)
		fetch_span(of->src + c->low[0], of->b->ahead_step, START, asks_second());
	for (int64_t r = 0; r < of->b->rows; r++) {
		const cycle_row row = open_row(c, of, r, m);
		const cycle_run run = put_ends(c, &row, m);
		put_cycles(c, &run, later_run(), m);
		begin_one(c, joined && r ? &last : NULL, &row, m);
		if (!joined || r == of->b->rows - 1)
			end_one(c, &row, m);
		last = row;
	}
}

/* Are cycles the fastest way? Not for short rows, nor for rows with gaps between them that are read one after
 * the other. If the source goes upwards, a sink of registers is as fast. A sink by way of L1 is slower, for
 * shorter rows, too (Zen 3, u8 pixels of 3 mirrored, of the fastest copy, by the sink and by cycles: rows of
 * 3000 bytes 0.5 and 0.85, of 990 0.38 and 0.46, of 600 0.37 and 0.33). */
static bool suits_cycles(const form *f, const vf_block *b)
{
	enum {
		SHORT = 512,
		SHORT_CYCLES = VECTORS > 1 ? 768 : 4096,
		MOST = 1 << 30
	}; /* MOST: numbers of vectors are of 32 bits */
	const int64_t row = f->n * f->unit, read = (f->n - 1) * larger(f->by, -f->by) + f->unit;
	const bool one = f->unit <= WIDTH && (f->unit & (f->unit - 1)) == 0;
	if (one && row <= MOST && b->beside > 1)
		return row >= SHORT;
	if (row > MOST || (b->rows > 1 && (b->src_step < 0 || b->src_step - read >= LINE)))
		return false;
	return row >= (one ? SHORT : SHORT_CYCLES) && (f->by < 0 || VECTORS > 1);
}

/* False if cycles are not the fastest way, or if rows begin at different bytes of their vectors. */
static bool put_in_cycles(form *f, const vf_block *b, byte *dst, const byte *src)
{
	const int64_t common = smaller(f->unit & -f->unit, WIDTH);
	if (!suits_cycles(f, b) || (b->rows > 1 && b->dst_step % common))
		return false;
	f->skip = (int64_t)(-(uintptr_t)dst & (uintptr_t)(common - 1));
	const cycle *c = cycle_of(f);
	const call of = {b, dst, src};
	if (c && c->vectors == 1 && b->beside > 1) {
		put_all_beside(c, &of);
		return true;
	}
#define CASE(n, v)                                                                                           \
	if (c && c->sources == (n) && c->vectors == (v))                                                     \
	put_each(c, &of, (manner){n, v, 1})
	CASE(1, 1);
	CASE(2, 1);
	CASE(3, 1);
	CASE(4, 1);
	CASE(1, 3);
	CASE(2, 3);
	CASE(3, 3);
	CASE(4, 3);
#undef CASE
	return c;
}
