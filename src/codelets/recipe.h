/* recipe.h -- rows of dst made vector by vector, each picked from vectors of the source.
 *
 * Text of the files rows_*.c, which first define
 *
 *   vec, WIDTH                  a vector and its bytes
 *   pick, pick_make(from)       byte i of a result is byte from[i] of a vector; nothing where from[i] < 0
 *   picked(pick, vec)           such a result, 0 where there is nothing
 *   merged(below, pick, vec)    the same put over `below`, which must be 0 where the pick has something
 *   load_vec, store_vec         of WIDTH bytes; store_part: of the first n, 0 <= n <= WIDTH
 *   load_part(p, from, to)      bytes [from, to) of a vector at p, the rest undefined; from may be >= to
 *
 * Reversing, gathering, swizzling, interleaving and its inverse are one thing: each vector of a row of dst is
 * picked from some vectors of the source and from constants, in the same way at every step. That way is a
 * *recipe*. A call makes it, or finds it kept; the loop only loads, picks and stores.
 */
#include "codelets/rows_ahead.h"

#include <stdbool.h>
#include <string.h>

enum { SOURCES = 16, STREAMS = 16, FEW = 4, BLOCK = 64 };

static int64_t clip(int64_t x)
{
	return x < 0 ? 0 : smaller(x, WIDTH);
}

/* ---- what a recipe is ---- */

/* How a vector of dst is made: `constant`, and over it what each pick takes from the vector at its `at`,
 * counted from the step's place in the source. */
typedef struct step {
	vec constant;
	pick picks[SOURCES];
	int64_t at[SOURCES];
} step;

/* The bytes [from, to) that are needed of each source's vector. */
typedef struct window {
	signed char from[SOURCES], to[SOURCES];
} window;

/* A row of dst: `steps` steps, each the first `bytes` bytes of its vector, then the first `last_bytes` of one
 * more. */
typedef struct recipe {
	step step;
	int nsource;
	window whole, last;
	int64_t bytes, last_bytes, steps;
	int64_t advance; /* from a step's place in the source to the next step's; not 0 */
	/* slack: bytes from the end of the first step's vectors to the end of what the row needs; negative:
	 * those vectors read so many bytes too much. under: bytes that the last step's vectors read before
	 * what the row needs. */
	int64_t slack, under;
} recipe;

static int64_t row_bytes_of(const recipe *r)
{
	return r->steps * r->bytes + r->last_bytes;
}

/* ---- making one ---- */

/* What a recipe is looked up by: n blocks of `unit` bytes, which advance by `by` bytes a block in each
 * stream. With a table, streams begin at `at`, and table[i] says what byte i of a block is (codelet.h,
 * `pick`). Without one, streams are `stride` apart, and a block has `period` bytes of each; those of a single
 * stream are repeated until the block is full. */
typedef struct form {
	int64_t n, unit, by, streams, stride, period;
	int64_t skip; /* for a cycle: where its first vector begins in a block */
	const int64_t *at;
	const uint16_t *table;
} form;

/* What a recipe is made from: n blocks of `unit` bytes. Byte i of each comes from place from[i] of stream
 * of[i] - 1; where of[i] is 0 it is the constant from[i]. Streams begin at `at` and advance by `by` a block.
 * A block needs bytes [low, high) of each stream, none unless low < high. */
typedef struct draft {
	int64_t n, unit, by, streams;
	int64_t at[STREAMS], low[STREAMS], high[STREAMS];
	uint8_t of[BLOCK], from[BLOCK];
	int64_t skip;
} draft;

static draft draft_of(const form *f)
{
	draft d = {.n = f->n, .unit = f->unit, .by = f->by, .streams = f->streams, .skip = f->skip};
	for (int p = 0; p < (int)f->streams; p++) {
		d.at[p] = f->table ? f->at[p] : p * f->stride;
		d.low[p] = f->table ? BLOCK : 0, d.high[p] = f->table ? 0 : f->period;
	}
	for (int64_t i = 0; i < f->unit && !f->table; i++) {
		d.of[i] = (uint8_t)(f->streams == 1 ? 1 : i / f->period + 1);
		d.from[i] = (uint8_t)(i % f->period);
	}
	for (int64_t i = 0; i < f->unit && f->table; i++) {
		const uint16_t entry = f->table[i], place = entry & 255;
		const int p = entry >> 8;
		d.of[i] = (uint8_t)(entry < 0x8000 ? p + 1 : 0), d.from[i] = (uint8_t)place;
		if (entry < 0x8000)
			d.low[p] = smaller(d.low[p], place), d.high[p] = larger(d.high[p], place + 1);
	}
	return d;
}

/* How many blocks a step takes: the number at which a block is cheapest; 0 where not even one fits. */
static int64_t choose_blocks(const draft *d)
{
	int64_t by = d->by < 0 ? -d->by : d->by, widest = 0, best = 0, best_cost = 1, full = WIDTH / d->unit;
	for (int p = 0; p < (int)d->streams; p++)
		widest = larger(widest, d->high[p] - d->low[p]);
	for (int64_t m = 1, k = 0; m <= FEW && k < full; m++) {
		int64_t sources = 0;
		k = m * WIDTH < widest ? 0 : smaller(full, (m * WIDTH - widest) / by + 1);
		for (int p = 0; p < (int)d->streams && k > 0; p++)
			if (d->high[p] > d->low[p])
				sources += ((k - 1) * by + d->high[p] - d->low[p] + WIDTH - 1) / WIDTH;
		if (k > 0 && sources <= SOURCES && (best == 0 || (sources + 1) * best < best_cost * k))
			best = k, best_cost = sources + 1;
	}
	return best;
}

/* Where the bytes of a vector of dst come from: stream + 1 in `of`, place in the block in `from`, place in
 * the step in `at`. Where `of` is 0, `from` is a constant. `at` counts from the step's block at the lowest
 * address, which is its last one where streams go backwards. */
typedef struct layout {
	int64_t k, rest; /* blocks of a step; of the last one */
	uint8_t of[WIDTH], from[WIDTH];
	uint16_t at[WIDTH];
} layout;

/* A pick that repeats the first `unit` bytes of a vector k times. Sets block[j] to j / unit. The numbers have
 * 16 bits so that the loop becomes vectors: a call for one short row must not spend its time here. */
static pick repeat_of(int64_t unit, int64_t k, uint16_t *block)
{
	const uint16_t inverse = (uint16_t)(65536 / unit + 1), by = (uint16_t)unit,
		       used = (uint16_t)(k * unit);
	signed char in_block[WIDTH];
	for (int j = 0; j < WIDTH; j++) {
		uint16_t q = (uint16_t)(((uint32_t)j * inverse) >> 16); /* exact for j < 64 */
		block[j] = by == 1 ? (uint16_t)j : q;
		in_block[j] = (signed char)(j < used ? j - block[j] * by : -1);
	}
	return pick_make(in_block);
}

static void lay_out(layout *l, const draft *d)
{
	uint16_t base = d->by < 0 ? (uint16_t)((1 - l->k) * d->by) : 0, by = (uint16_t)d->by, block[WIDTH];
	const pick repeat = repeat_of(d->unit, l->k, block);
	store_vec(l->of, picked(repeat, load_vec(d->of)));
	store_vec(l->from, picked(repeat, load_vec(d->from)));
	for (int j = 0; j < WIDTH; j++)
		l->at[j] = (uint16_t)(base + block[j] * by + l->from[j]);
}

/* Adds source s: the vector of stream p that begins `first` bytes after the lowest byte that the step
 * needs. */
static void add_source(recipe *r, int s, const draft *d, const layout *l, int p, int64_t first)
{
	signed char index[WIDTH];
	const int64_t by = d->by < 0 ? -d->by : d->by, needs = d->high[p] - d->low[p];
	const uint16_t low = (uint16_t)(d->low[p] + first);
	const uint8_t stream = (uint8_t)(p + 1);
	for (int j = 0; j < WIDTH; j++) {
		uint16_t at = (uint16_t)(l->at[j] - low);
		index[j] = (signed char)(l->of[j] == stream && at < WIDTH ? at : 0x80);
	}
	r->step.picks[s] = pick_make(index);
	r->step.at[s] = d->at[p] + d->low[p] + first + (d->by < 0 ? (l->k - 1) * d->by : 0);
	r->whole.from[s] = 0;
	r->whole.to[s] = (signed char)clip((l->k - 1) * by + needs - first);
	r->last.from[s] = (signed char)(d->by < 0 ? clip((l->k - l->rest) * by - first) : 0);
	r->last.to[s] = (signed char)(d->by < 0 ? r->whole.to[s] : clip((l->rest - 1) * by + needs - first));
	int64_t end = d->at[p] + d->high[p] + (d->by < 0 ? 0 : (d->n - 1) * d->by);
	r->slack = smaller(r->slack, end - r->step.at[s] - WIDTH);
}

static void add_constants(recipe *r, const layout *l)
{
	uint8_t bytes[WIDTH];
	for (int j = 0; j < WIDTH; j++)
		bytes[j] = l->of[j] ? 0 : l->from[j];
	r->step.constant = load_vec(bytes);
}

/* False where no step fits: a block is wider than a vector, or needs more than SOURCES vectors. n >= 1. */
static bool recipe_make(recipe *r, const draft *d)
{
	layout l = {.k = choose_blocks(d)};
	if (l.k == 0)
		return false;
	l.rest = d->n % l.k;
	r->bytes = l.k * d->unit, r->last_bytes = l.rest * d->unit;
	r->steps = d->n / l.k, r->advance = l.k * d->by;
	r->slack = INT64_MAX / 2;
	r->under = d->by < 0 && l.rest ? (l.rest - l.k) * d->by : 0;
	r->nsource = 0;
	lay_out(&l, d);
	add_constants(r, &l);
	for (int p = 0; p < (int)d->streams; p++) {
		int64_t by = d->by < 0 ? -d->by : d->by, needs = d->high[p] - d->low[p];
		for (int64_t first = 0; needs > 0 && first < (l.k - 1) * by + needs; first += WIDTH)
			add_source(r, r->nsource++, d, &l, p, first);
	}
	return true;
}

/* A copy of a form, with the tables that it points to. */
typedef struct kept_form {
	form form;
	int64_t at[STREAMS];
	uint16_t table[BLOCK];
} kept_form;

static void keep_form(kept_form *k, const form *f)
{
	k->form = *f;
	if (!f->table)
		return;
	memcpy(k->at, f->at, (size_t)f->streams * sizeof *k->at);
	memcpy(k->table, f->table, (size_t)f->unit * sizeof *k->table);
}

/* Compares number by number: a load of another size than the store before it waits for all lines that leave
 * (a Xeon with AMX, bf16 heads of 64 turned around, by calls of 1.5 KB: from 0.32 to 0.59 of the fastest
 * copy). */
static bool is_kept(const kept_form *k, const form *f)
{
	const form *x = &k->form;
	if (x->n != f->n || x->unit != f->unit || x->by != f->by || x->streams != f->streams ||
	    x->stride != f->stride || x->period != f->period || x->skip != f->skip || !x->table != !f->table)
		return false;
	return !f->table || (memcmp(k->at, f->at, (size_t)f->streams * sizeof *k->at) == 0 &&
	                     memcmp(k->table, f->table, (size_t)f->unit * sizeof *k->table) == 0);
}

static uint64_t hash_of(const form *f)
{
	uint64_t entries = 0;
	if (f->table && f->unit >= 4)
		memcpy(&entries, f->table, sizeof entries);
	const uint64_t sizes = (uint64_t)f->n * 31 + (uint64_t)f->unit * 7 + (uint64_t)f->by;
	const uint64_t places = (uint64_t)f->stride + (uint64_t)(f->table && f->streams > 1 ? f->at[1] : 0);
	return (entries * 0x9e3779b97f4a7c15u + (sizes + places) * 0xbf58476d1ce4e5b9u) >> 48;
}

/* Defines name(form). It returns what `make` makes of a form, or NULL where that fails. The calls of a loop
 * ask for the same form again and again, and to make it costs as much as to move some KiB. So each thread
 * keeps the last ones, `count` at most: they take memory of every thread. */
#define KEEP_BY_FORM(name, type, make, count)                                                                \
	static const type *name(const form *f)                                                               \
	{                                                                                                    \
		static _Thread_local struct {                                                                \
			kept_form form;                                                                      \
			type made;                                                                           \
			bool known, is_made;                                                                 \
		} kept[count];                                                                               \
		const int k = (int)(hash_of(f) % (count));                                                   \
		if (!kept[k].known || !is_kept(&kept[k].form, f)) {                                          \
			const draft d = draft_of(f);                                                         \
			kept[k].is_made = make(&kept[k].made, &d);                                           \
			keep_form(&kept[k].form, f), kept[k].known = true;                                   \
		}                                                                                            \
		return kept[k].is_made ? &kept[k].made : NULL;                                               \
	}

KEEP_BY_FORM(recipe_of, recipe, recipe_make, 8)

/* ---- one step ---- */

/* What a loop keeps of a step in registers. n, the number of sources, is a constant, or more than FEW. */
INLINE step step_of(const recipe *r, const int n)
{
	step t;
	t.constant = r->step.constant;
	if (n <= FEW)
		UNROLL for (int s = 0; s < n; s++) t.picks[s] = r->step.picks[s], t.at[s] = r->step.at[s];
	return t;
}

INLINE vec take_whole(const recipe *r, const step *t, const byte *src, const int n)
{
	vec v = t->constant;
	if (n <= FEW)
		UNROLL for (int s = 0; s < n; s++) v = merged(v, t->picks[s], load_vec(src + t->at[s]));
	else
		for (int s = 0; s < r->nsource; s++)
			v = merged(v, r->step.picks[s], load_vec(src + r->step.at[s]));
	return v;
}

static vec take_part(const recipe *r, const window *w, const byte *src)
{
	vec v = r->step.constant;
	for (int s = 0; s < r->nsource; s++)
		v = merged(v, r->step.picks[s], load_part(src + r->step.at[s], w->from[s], w->to[s]));
	return v;
}

/* ---- rows ---- */

/* Steps [begin, end) of a row may read whole vectors; its first `stores` steps may write whole vectors. */
typedef struct range {
	int64_t begin, end, stores;
} range;

/* `above`: bytes after what the row reads that may be read too. `after`: bytes after the row in dst that may
 * be written too. */
static range whole_steps(const recipe *r, int64_t above, int64_t after)
{
	if (!r->steps)
		return (range){0, 0, 0};
	int64_t spare = r->slack + above, by = r->advance, left = row_bytes_of(r) + after - WIDTH;
	range g = {0, r->steps, r->steps};
	if (by < 0)
		g.begin = spare >= 0 ? 0 : (-spare - by - 1) / -by;
	else if (spare < (r->steps - 1) * by)
		g.end = spare < 0 ? 0 : spare / by + 1;
	if (left < (r->steps - 1) * r->bytes)
		g.stores = left < 0 ? 0 : left / r->bytes + 1;
	g.begin = smaller(g.begin, r->steps);
	return g;
}

static void careful_steps(const recipe *r, byte *dst, const byte *src, int64_t begin, int64_t end)
{
	for (int64_t i = begin; i < end; i++)
		store_part(dst + i * r->bytes, take_part(r, &r->whole, src + i * r->advance), r->bytes);
}

/* A vector may write too much. The next step, or the next row, overwrites that: steps and rows run
 * upwards. */
INLINE void cook_row(const recipe *r, byte *dst, const byte *src, range g, const int n)
{
	const step t = step_of(r, n);
	const int64_t end = smaller(g.end, g.stores), by = r->advance, bytes = r->bytes;
	careful_steps(r, dst, src, 0, g.begin);
	byte *d = dst + g.begin * bytes;
	const byte *s = src + g.begin * by;
	for (int64_t i = g.begin; i < end; i++, d += bytes, s += by) {
		fetch_to_write(d, TO_WRITE, 1);
		store_vec(d, take_whole(r, &t, s, n));
	}
	careful_steps(r, dst, src, larger(g.begin, end), r->steps);
	if (r->last_bytes)
		store_part(dst + r->steps * bytes, take_part(r, &r->last, src + r->steps * by),
		           r->last_bytes);
}

/* The rows [begin, end) that may read whole vectors in all steps, the last one too. Where rows join, these
 * may also write whole vectors: later rows overwrite what is too much. */
static void inner_rows(const recipe *r, const vf_block *b, bool joined, int64_t *begin, int64_t *end)
{
	int64_t top = r->last_bytes ? r->steps : r->steps - 1;
	int64_t over = larger(0, (r->advance < 0 ? 0 : top * r->advance) - r->slack);
	const bool back = b->src_step < 0;
	int64_t low = back ? over : r->under, high = back ? r->under : over,
		apart = back ? -b->src_step : b->src_step;
	*begin = 0, *end = b->rows;
	if ((low > 0 || high > 0) && apart == 0)
		*end = 0;
	else if (apart > 0)
		*begin = (low + apart - 1) / apart, *end = b->rows - (high + apart - 1) / apart;
	int64_t row = row_bytes_of(r), too_much = top * r->bytes + WIDTH - row;
	if (joined && too_much > 0)
		*end = smaller(*end, b->rows - (too_much + row - 1) / row);
	if (*begin >= *end)
		*begin = *end = b->rows;
}

/* Moves those rows. Where they do not join, the end of each is written in parts. */
INLINE void cook_inner(const recipe *r, const vf_block *b, byte *dst, const byte *src, int64_t rows,
                       const int n)
{
	const step t = step_of(r, n);
	const bool joined = b->dst_step == row_bytes_of(r);
	const int64_t steps = r->steps, by = r->advance, bytes = r->bytes, last = r->last_bytes;
	const int64_t stores = joined ? steps : whole_steps(r, 0, 0).stores;
	for (int64_t k = 0; k < rows; k++, dst += b->dst_step, src += b->src_step) {
		byte *d = dst;
		const byte *s = src;
		int64_t i = 0;
		for (; i < stores; i++, d += bytes, s += by) {
			fetch_to_write(d, TO_WRITE, 1);
			store_vec(d, take_whole(r, &t, s, n));
		}
		for (; i < steps; i++, d += bytes, s += by)
			store_part(d, take_whole(r, &t, s, n), bytes);
		if (last && joined)
			store_vec(d, take_whole(r, &t, s, n));
		else if (last)
			store_part(d, take_whole(r, &t, s, n), last);
	}
}

INLINE void cook_rows(const recipe *r, const vf_block *b, byte *dst, const byte *src, const int n)
{
	const int64_t row = row_bytes_of(r);
	const bool joined = b->dst_step == row;
	int64_t begin, end;
	inner_rows(r, b, joined, &begin, &end);
	for (int64_t k = 0; k < b->rows; k++) {
		if (k == begin) {
			cook_inner(r, b, dst + k * b->dst_step, src + k * b->src_step, end - begin, n);
			k = end;
			if (k == b->rows)
				return;
		}
		int64_t above = b->src_step < 0 ? k * -b->src_step : (b->rows - 1 - k) * b->src_step;
		int64_t after = joined ? (b->rows - 1 - k) * row : 0;
		cook_row(r, dst + k * b->dst_step, src + k * b->src_step, whole_steps(r, above, after), n);
	}
}

/* Defines a function that calls `rows` with the number of sources as a constant. dst and src are the call's.
 * The block's n and unit are not used: the recipe has them. */
#define COOK(name, rows)                                                                                     \
	static void name(const recipe *r, const vf_block *b, void *dst, const void *src)                     \
	{                                                                                                    \
		switch (r->nsource) {                                                                        \
		case 0: rows(r, b, dst, src, 0); break;                                                      \
		case 1: rows(r, b, dst, src, 1); break;                                                      \
		case 2: rows(r, b, dst, src, 2); break;                                                      \
		case 3: rows(r, b, dst, src, 3); break;                                                      \
		case 4: rows(r, b, dst, src, 4); break;                                                      \
		default: rows(r, b, dst, src, FEW + 1);                                                      \
		}                                                                                            \
	}
COOK(cook, cook_rows)
