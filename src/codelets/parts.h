/* parts.h -- the codelet `parts`: rows that follow each other in dst, each made of a few runs and constants.
 *
 * Text of rows.h. The files rows_*.c define, for a stream in which parts meet,
 *
 *   seam                            the line that fills
 *   seam_open, seam_close           at any address. With a flow the line goes on from call to call
 *   seam_run(seam, part)            a run, and what is behind it
 *   seam_put(seam, vec, n)          n <= WIDTH bytes of a vector
 *   seam_fill(seam, vec, n, chunk)  n bytes, the vector's first `chunk` over and over
 *
 * (Zen 4, of the fastest copy, woven or by a stage, and so: margins of 1, u8 [100,3,224,224] 0.45 and 0.78,
 * f32 [16,64,112,112] 0.58 and 0.83; mirrored by 8, u8 [297,768,1024] 0.28 and 0.83.)
 */

/* A run; bytes that are the same in all rows; or what is picked for each row: a pattern that changes, or
 * units that run downwards. */
typedef enum part_kind { PART_RUN, PART_SAME, PART_PICKED } part_kind;

/* A short part behind a run: what is picked of the first `bytes` bytes at src. */
typedef struct tail {
	const byte *src;
	int64_t step, bytes;
	pick places;
} tail;

enum { MOST_TAILS = 2 }; /* one of a row, one of the next */

/* A part of the next row, read from src on. `tight`: rows lie about as near in the source as in dst, so what
 * stands beside a run is read anyway. `alone`: the run is so long that what is asked for of a later row would
 * be gone before it is read. Then each run is asked for by itself (Zen 5, rows of 20 KB rolled by 2000 bytes:
 * 0.65 of the fastest copy by later rows, 0.80 so). */
typedef struct part {
	const byte *src;
	int64_t n, step;
	part_kind kind;
	byte byte;                  /* of `v`, for a run */
	bool tight, alone, goes_on; /* goes_on: rows are one run, which is asked for as such */
	rows_ahead next;
	/* SAME: `v` has chunk bytes of it. PICKED: so has what `places` picks of the vector at src + low; the
	 * next chunk is `by` bytes further. */
	int64_t chunk, period, low, by;
	pick places;
	/* RUN: `after` bytes follow: of v, all alike, or, `mixed`, of v and what short parts in `tails`
	 * pick. */
	vec v;
	int64_t after;
	bool mixed;
	int ntail;
	tail tails[MOST_TAILS];
} part;

/* What stands behind a run in this row. To be called behind its last line: what is read there comes later. */
INLINE vec behind_run(part *p)
{
	vec v = p->v;
	for (tail *t = p->tails; t < p->tails + p->ntail; t++) {
		v = merged(v, t->places, load_part(t->src, 0, t->bytes));
		t->src += t->step;
	}
	return v;
}

#ifdef __AVX512F__
#include "codelets/seams_avx512.h"
#else
#include "codelets/seams_narrow.h"
#endif

/* Picks k units of a vector, the last one first. */
static pick units_downwards(int64_t unit, int64_t k)
{
	uint16_t block[WIDTH];
	signed char from[WIDTH];
	repeat_of(unit, k, block);
	const uint16_t by = (uint16_t)unit, last = (uint16_t)(k - 1), used = (uint16_t)(k * unit);
	for (int j = 0; j < WIDTH; j++)
		from[j] = (signed char)(j < used ? j + (last - 2 * block[j]) * by : -1);
	return pick_make(from);
}

static void run_of(part *one, const vf_block *b)
{
	enum { LONG = 12 << 10 };
	const vf_block rows = {.rows = b->rows, .n = one->n, .src_step = one->step};
	one->kind = PART_RUN, one->v = vec_of(0);
	one->tight = one->step > 0 && one->step <= larger(one->n, b->n) + LINE;
	one->next = rows_ahead_of(&rows, one->n, one->src);
	if (!one->next.near)
		one->next.by = one->step ? one->step * (4096 / b->n + 1) : later_run();
	one->goes_on = one->next.near && !one->next.second && !one->next.down;
	one->alone = !asks_second() && !one->next.near && one->n > LONG;
}

/* A pattern, or units that run downwards. */
static void pattern_of(part *one)
{
	uint16_t block[WIDTH];
	const int64_t period = one->period, unit = period < 0 ? -period : period;
	const int64_t k = smaller(one->n, WIDTH) / unit;
	one->kind = period > 0 && one->step == 0 ? PART_SAME : PART_PICKED;
	one->chunk = one->kind == PART_SAME ? WIDTH / unit * unit : k * unit;
	one->low = period < 0 ? unit - one->chunk : 0, one->by = period < 0 ? -one->chunk : 0;
	if (one->kind == PART_SAME && unit == 1) {
		one->v = vec_of(one->src[0]);
		return;
	}
	one->places = period < 0 ? units_downwards(unit, k) : repeat_of(unit, WIDTH / unit, block);
	if (one->kind == PART_SAME)
		one->v = picked(one->places, load_part(one->src, 0, smaller(one->n, unit)));
}

static void part_of(part *one, const vf_block *b, int64_t p, const byte *src)
{
	enum { SHORT = 16 };
	const int64_t *numbers = b->parts + 3 * p;
	one->src = src + b->src_at[p], one->after = 0, one->ntail = 0, one->mixed = false;
	one->n = numbers[0], one->period = numbers[1], one->step = numbers[2];
	if (one->n <= one->period && (one->step || one->n > SHORT))
		run_of(one, b);
	else
		pattern_of(one);
}

/* Of a shorter last chunk that runs downwards, the vector has the last units. */
INLINE void put_picked(seam *k, const part *one)
{
	const byte *s = one->src + one->low;
	for (int64_t left = one->n; left > 0; left -= one->chunk, s += one->by) {
		const int64_t n = smaller(left, one->chunk);
		const vec v = one->by ? load_part(s, one->chunk - n, one->chunk)
		                      : load_part(s, 0, one->period);
		seam_put(k, picked(one->places, v), n);
	}
}

/* Is it a byte over and over? */
static bool is_one_byte(const part *p)
{
	return p->kind == PART_SAME && p->period == 1;
}

/* The first n bytes of a vector, the rest 0. */
static vec first_of_vec(vec v, int64_t n)
{
	byte bytes[WIDTH];
	store_vec(bytes, v);
	memset(bytes + n, 0, (size_t)(WIDTH - n));
	return load_vec(bytes);
}

/* Adds a short part to a run's tails, `at` bytes behind it. */
static void add_tail(part *run, const part *p, int64_t at)
{
	signed char from[WIDTH];
	const int64_t unit = p->period < 0 ? -p->period : p->period, low = p->period < 0 ? unit - p->n : 0;
	int64_t place = -low;
	memset(from, -1, sizeof from);
	for (int64_t i = 0, in = 0; i < p->n; i++) {
		from[at + i] = (signed char)(place + in);
		if (++in == unit)
			in = 0, place -= p->period < 0 ? unit : 0;
	}
	run->tails[run->ntail++] = (tail){.src = p->src + low,
	                                  .step = p->step,
	                                  .bytes = p->period < 0 ? p->n : smaller(unit, p->n),
	                                  .places = pick_make(from)};
}

/* Lets a run write the part behind it, too: a constant of one byte, or, where the run is not long, a short
 * part. False where it cannot. (Zen 4, mirrored by 3, of the fastest copy, short parts by themselves and
 * so: u8 rows of 224 0.44 and 0.60, f32 of 112 0.65 and 0.79, of 224 0.90 and 0.84.) */
static bool join_part(part *run, const part *p)
{
	enum { LONG_RUN = WHOLE_LINES ? 640 : 0 }; /* narrow registers pick by way of L1 */
	const int64_t all = run->after + p->n;
	const bool is_run = run->kind == PART_RUN && run->n >= LINE;
	if (is_run && !run->mixed && is_one_byte(p) && (run->after == 0 || p->src[0] == run->byte)) {
		run->v = p->v, run->byte = p->src[0], run->after = all;
		return true;
	}
	if (!is_run || run->n > LONG_RUN || (p->kind == PART_RUN && p->n >= LINE) || all > WIDTH ||
	    run->ntail == MOST_TAILS)
		return false;
	if (!run->mixed)
		run->v = first_of_vec(run->v, run->after);
	add_tail(run, p, run->after);
	run->mixed = true, run->after = all;
	return true;
}

/* Joins parts to runs before them. Returns how many are left. */
static int64_t join_parts(part *parts, int64_t n)
{
	int64_t left = 1;
	for (int64_t p = 1; p < n; p++)
		if (!join_part(&parts[left - 1], &parts[p]) && left++ < p)
			parts[left - 1] = parts[p];
	return left;
}

/* What the last row of a call has no more: bytes and tails that belong to the row after. */
typedef struct beyond {
	int64_t bytes;
	int tails;
} beyond;

/* Joins the first part to the last run, which then writes it for the row after: so rows go from run to
 * run. */
static beyond join_rows(part *parts, int64_t n)
{
	part *last = &parts[n - 1];
	const int before = n < 2 ? 0 : last->ntail;
	if (n < 2 || !join_part(last, parts))
		return (beyond){0, 0};
	if (last->ntail > before)
		last->tails[before].src += parts->step;
	return (beyond){parts->n, last->ntail - before};
}

static void put_part(seam *k, part *p)
{
	if (p->kind == PART_RUN && p->alone)
		p->next = rows_ahead_near(p->src, 0, p->n);
	if (p->kind == PART_RUN)
		seam_run(k, p);
	else if (p->kind == PART_SAME)
		seam_fill(k, p->v, p->n, p->chunk);
	else
		put_picked(k, p);
	p->src += p->step;
}

static void rows_parts(const vf_block *b, void *dst, const void *src, vf_flow *flow)
{
	part parts[VF_MOST_PARTS], *first = parts;
	if (!b->stream || b->n <= 0 || b->rows <= 0) {
		vf_plain_parts(b, dst, src, flow);
		return;
	}
	for (int64_t p = 0; p < b->planes; p++)
		part_of(&parts[p], b, p, src);
	const int64_t n = join_parts(parts, b->planes);
	const beyond next = join_rows(parts, n);
	part *last = &parts[n - 1];
	seam k;
	seam_open(&k, dst, flow);
	if (next.bytes)
		put_part(&k, first++);
	for (int64_t r = b->rows - 1; r >= 0; r--) {
		if (r == 0)
			last->after -= next.bytes, last->ntail -= next.tails;
		for (part *p = first; p <= last; p++)
			put_part(&k, p);
	}
	seam_close(&k, flow);
}
