/* test_codelets.c -- the codelets over rows, of every variant this processor runs, against their formulas.
 *
 * Sizes, strides and alignments are drawn with a fixed seed; a failure prints the case. test_transpose.c
 * tries the transposes.
 */
#include "codelet_world.h"

#include "codelets/weave.h"
#include "test.h"

/* ---- one call ---- */

static const char *const names[] = {
#define X(name) #name,
    VF_CODELET_LIST(X)
#undef X
};

typedef struct trial {
	vf_codelet_id id;
	vf_block b;
	int64_t src_at[400], dst_at[400], parts[3 * 16];
	vf_row_box boxes[5];
	uint16_t table[64];
	reach src, dst;
	const unsigned char *from; /* of offset 0 */
	unsigned char *room;       /* that a flow has; or NULL */
	unsigned char *to;         /* in `expected` */
} trial;

static void add_reach(void *context, origin o)
{
	trial *t = context;
	reach_add(&t->dst, o.dst);
	if (o.stream >= 0)
		reach_add(&t->src, o.src);
}

static void write_expected(void *context, origin o)
{
	trial *t = context;
	t->to[o.dst] = (unsigned char)(o.stream < 0 ? o.constant : t->from[o.src]);
}

/* Compares what the codelet writes with the formula. t->from is set. */
static void run_trial(trial *t, const vf_codelets *k, int64_t at)
{
	const vf_block *b = &t->b;
	int64_t base = at - (t->dst.low > t->dst.high ? 0 : t->dst.low),
		bytes = at + reach_bytes(t->dst) + MARGIN;
	assert_true(bytes <= AREA);
	memset(expected, PATTERN, (size_t)bytes), memset(result, PATTERN, (size_t)bytes);
	t->to = expected + base;
	visit_all(t->id, b, write_expected, t);
	vf_flow flow = {.ahead = t->from, .first = 1, .carry = t->room};
	k->of[t->id](b, result + base, t->from, b->ahead_rows || t->room ? &flow : NULL);
	k->fence();
	if (memcmp(result, expected, (size_t)bytes) != 0)
		fail_msg("%s %s: byte %lld of dst; rows %lld steps %lld %lld n %lld unit %lld stride %lld "
		         "planes %lld "
		         "src_block %lld stream %lld",
		         k->name, names[t->id], (long long)(first_difference(bytes) - base),
		         (long long)b->rows, (long long)b->dst_step, (long long)b->src_step, (long long)b->n,
		         (long long)b->unit, (long long)b->stride, (long long)b->planes,
		         (long long)b->src_block, (long long)b->stream);
}

static void place_and_run(trial *t, rng *r, const vf_codelets *k)
{
	t->src = t->dst = reach_none();
	visit_all(t->id, &t->b, add_reach, t);
	if (reach_bytes(t->src) > AREA || reach_bytes(t->dst) > AREA / 2)
		return; /* a rare draw is too large */
	t->from = place_source(r, 0, t->src);
	run_trial(t, k, MARGIN + (rng_chance(r, 30) ? 0 : rng_below(r, 64)));
}

/* ---- what is tried ---- */

/* Sets of rows that fill dst, near each other or far. */
static void draw_sets(vf_block *b, rng *r)
{
	b->planes = rng_range(r, 2, 9), b->rows = rng_range(r, 0, 20), b->n = rng_range(r, 0, 200);
	b->dst_step = b->n, b->src_step = rng_chance(r, 70) ? b->n + rng_range(r, 0, 80) : any_step(r, b->n);
	const int64_t set = b->rows * (b->src_step < 0 ? -b->src_step : b->src_step);
	b->src_block = rng_chance(r, 60) ? set + rng_range(r, 0, 900) : rng_range(r, -4000, 4000);
	b->beside = rng_chance(r, 30) && b->src_step < 0 && b->n >= 64 ? VF_LAST_FIRST : 0;
}

static void draw_copy(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->n = rng_chance(r, 20) ? rng_range(r, 0, 5000) : any_count(r);
	b->dst_step = any_dst_step(r, b->n), b->src_step = any_step(r, b->n);
	if (rng_chance(r, 10)) { /* rows that are read side by side */
		b->n = rng_range(r, 60, 3000), b->rows = rng_range(r, 0, 40);
		b->beside = rng_range(r, 0, VF_MOST_BESIDE), b->paired = rng_chance(r, 50);
		b->dst_step = any_dst_step(r, b->n);
		b->src_step = rng_chance(r, 50) ? 4096 : b->n + rng_range(r, 0, 3000);
		b->src_step = rng_chance(r, 30) ? -b->src_step : b->src_step;
		b->ahead_step = rng_chance(r, 30) ? rng_range(r, -9000, 9000) : 0;
	}
	if (rng_chance(r, 10)) { /* rows that run downwards */
		b->n = b->dst_step = rng_range(r, 64, 1000), b->rows = rng_range(r, 0, 40);
		b->src_step = -b->n - (rng_chance(r, 50) ? 0 : rng_range(r, 0, b->n));
		b->beside = VF_LAST_FIRST;
	}
	if (t->id == VF_CODELET_copy && rng_chance(r, 30))
		draw_sets(b, r);
	if (t->id == VF_CODELET_leave) {
		b->ahead_rows = rng_range(r, 0, 20), b->ahead_step = 300,
		b->ahead_bytes = rng_range(r, 0, 200);
		b->ahead_into = rng_range(r, 1, 2);
	}
}

static void draw_fill(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->n = any_count(r), b->unit = any_unit(r);
	b->dst_step = any_dst_step(r, b->n * b->unit), b->src_step = any_step(r, b->unit);
}

/* Rows of many lines: side by side, one after the other, in whole lines or not. */
static void draw_long_gather(vf_block *b, rng *r)
{
	const int64_t units[] = {1, 2, 3, 4, 6, 8, 12, 16};
	b->unit = units[rng_below(r, 8)];
	b->n = rng_range(r, 380, 6000) / b->unit, b->stride = rng_range(r, 1, 4) * b->unit;
	if (rng_chance(r, 40))
		b->n = b->n / 64 * 64 + 64;
	if (b->stride == b->unit || rng_chance(r, 30))
		b->stride = -b->stride;
	const int64_t row = b->n * b->unit, read = b->n * (b->stride < 0 ? -b->stride : b->stride);
	b->src_step = read + (rng_chance(r, 50) ? 0 : rng_range(r, -b->unit, 3000));
	b->dst_step = row + (rng_chance(r, 70) ? 0 : rng_range(r, 0, 3) * (rng_chance(r, 50) ? 64 : b->unit));
	if (rng_chance(r, 50)) { /* rows that are read side by side */
		b->rows = rng_range(r, 0, 40), b->beside = rng_range(r, 0, VF_MOST_BESIDE);
		b->paired = rng_chance(r, 50);
		b->src_step = rng_chance(r, 30) ? -b->src_step : b->src_step;
		b->ahead_step = rng_chance(r, 30) ? rng_range(r, -9000, 9000) : 0;
	}
}

static void draw_gather(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->n = any_count(r), b->unit = any_unit(r);
	int64_t gap = rng_chance(r, 60) ? rng_range(r, 0, 4) * b->unit : rng_range(r, 0, 300);
	b->stride = rng_chance(r, 20) ? rng_range(r, 1, b->unit) : b->unit + gap;
	if (rng_chance(r, 40))
		b->stride = -b->stride;
	b->dst_step = any_dst_step(r, b->n * b->unit), b->src_step = any_step(r, b->n * b->unit);
	if (rng_chance(r, 25))
		draw_long_gather(b, r);
}

/* Places in dst are drawn without replacement: a shuffle of even ones. */
static void draw_index(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->n = any_count(r) / 2, b->unit = any_unit(r);
	b->stride = b->unit + (rng_chance(r, 40) ? 0 : rng_range(r, 0, 30));
	for (int64_t i = 0; i < b->n; i++) {
		int64_t j = rng_below(r, i + 1);
		t->dst_at[i] = t->dst_at[j];
		t->dst_at[j] = i * b->stride;
		t->src_at[i] = rng_range(r, -2000, 2000);
	}
	int which = (int)rng_below(r, 3);
	b->src_at = which == 0 ? NULL : t->src_at;
	b->dst_at = which == 1 ? NULL : t->dst_at;
	b->ahead_step = b->src_at && rng_chance(r, 50) ? rng_range(r, 1, 20) : 0;
	b->dst_step = any_dst_step(r, b->n * b->stride), b->src_step = any_step(r, b->n * b->stride);
}

static void draw_scatter(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->n = any_count(r) / 2, b->unit = any_unit(r);
	b->stride = b->unit + (rng_chance(r, 60) ? rng_range(r, 0, 4) * b->unit : rng_range(r, 0, 30));
	b->dst_step = any_dst_step(r, b->n * b->stride), b->src_step = any_step(r, b->n * b->unit);
	if (rng_chance(r, 40))
		b->stride = -b->stride;
}

/* Rows so long that they move in several pieces, of pixels that are taken apart in two passes, or in part. */
static void draw_long_pixels(trial *t, rng *r)
{
	static const int whole[] = {6, 8, 12, 16};
	vf_block *b = &t->b;
	const bool in_part = rng_chance(r, 50);
	b->unit = 1 << rng_below(r, 4), b->planes = in_part ? rng_range(r, 2, 4) : whole[rng_below(r, 4)];
	b->src_block = (b->planes + (in_part ? rng_range(r, 1, 12) : 0)) * b->unit;
	b->rows = 1, b->n = rng_range(r, 400, 60000 / b->src_block + 400);
	b->stride = b->n * b->unit + rng_range(r, 0, 100);
}

/* Whole pixels backwards, in rows that follow each other in dst: several in a line, or some lines each. */
static void draw_mirrored(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->unit = 1 << rng_below(r, 4);
	b->planes = rng_chance(r, 50) ? rng_range(r, 2, 4) : rng_range(r, 5, 32);
	b->src_block = -b->planes * b->unit;
	b->n = rng_range(r, 1, rng_chance(r, 50) ? 64 : 300) / b->unit + 1, b->rows = rng_range(r, 1, 9);
	b->dst_step = b->n * b->unit, b->src_step = any_step(r, -b->n * b->src_block);
	b->stride = b->rows * b->dst_step + rng_range(r, 0, 100);
}

static void draw_planes(trial *t, rng *r)
{
	if (t->id == VF_CODELET_deinterleave && rng_chance(r, 20)) {
		(rng_chance(r, 50) ? draw_long_pixels : draw_mirrored)(t, r);
		return;
	}
	vf_block *b = &t->b;
	bool pixels = t->id == VF_CODELET_interleave;
	b->n = any_count(r), b->unit = any_unit(r);
	b->planes = rng_chance(r, 50) ? rng_range(r, 1, 5) : rng_range(r, 1, 34);
	b->n /= b->unit > 16 ? 8 : b->planes > 5 ? rng_range(r, 1, 8) : 1;
	if (pixels && rng_chance(r, 40)) /* small matrices */
		b->planes = rng_range(r, 2, 40), b->n = rng_range(r, 1, 40), b->unit = 1 << rng_below(r, 4);
	int64_t plane = b->n * b->unit, row = pixels ? plane * b->planes : plane;
	b->src_block = (b->planes + (rng_chance(r, 50) ? rng_range(r, 0, 3) : 0)) * b->unit;
	b->rows = rng_range(r, 0, 6);
	b->dst_step = any_dst_step(r, row), b->src_step = any_step(r, pixels ? plane : b->n * b->src_block);
	if (!pixels && rng_chance(r, 25))
		b->src_block = -b->src_block;
	int64_t reach_of_plane = (b->dst_step < 0 ? -b->dst_step : b->dst_step) * b->rows;
	b->stride = pixels ? rng_range(r, 0, 2 * plane + 10) : reach_of_plane + rng_range(r, 0, 100);
	if (rng_chance(r, 20))
		b->stride = -b->stride;
	if (pixels || rng_chance(r, 50))
		return;
	for (int64_t p = 0; p < b->planes; p++) /* the last one first, with gaps */
		t->dst_at[b->planes - 1 - p] = p * (reach_of_plane + 100) + rng_range(r, 0, 100);
	b->dst_at = t->dst_at;
}

/* The table of a block that is put together from runs of bytes, as rolled and reversed ones are. */
static void draw_runs(trial *t, rng *r, int64_t wide)
{
	for (int64_t i = 0, left = 0, from = 0; i < t->b.unit; i++, left--, from++) {
		if (left == 0 || from % 256 == wide) {
			left = rng_range(r, 1, 30);
			from = rng_below(r, t->b.planes) * 256 + rng_below(r, wide);
		}
		t->table[i] = (uint16_t)(left > 25 ? 0x8000 + i : from);
	}
}

/* A block that puts units of several places side by side, as stacked arrays are, or mirrored ones. */
static void draw_side_by_side(trial *t, rng *r)
{
	vf_block *b = &t->b;
	const int64_t unit = 1 << rng_below(r, 4);
	b->planes = rng_range(r, 2, 4), b->unit = b->planes * unit;
	b->src_block = rng_chance(r, 50) ? unit : -unit;
	b->n = any_count(r);
	for (int64_t i = 0; i < b->unit; i += unit) {
		const int64_t from = rng_below(r, b->planes) * 256 + rng_below(r, 40);
		for (int64_t k = 0; k < unit; k++)
			t->table[i + k] = (uint16_t)(from + k);
	}
}

static void draw_pick(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->n = any_count(r), b->unit = rng_chance(r, 60) ? rng_range(r, 1, 16) : rng_range(r, 1, 64);
	b->planes = rng_chance(r, 50) ? 1 : rng_chance(r, 70) ? rng_range(r, 1, 4) : rng_range(r, 1, 16);
	int64_t wide = rng_chance(r, 60) ? b->unit : rng_range(r, 1, 64);
	b->src_block = rng_chance(r, 50) ? wide : rng_range(r, 1, 100);
	if (rng_chance(r, 30))
		b->src_block = -b->src_block;
	for (int p = 0; p < b->planes; p++)
		t->src_at[p] = rng_range(r, -1000, 3000);
	int64_t constants = rng_chance(r, 40) ? 0 : rng_chance(r, 5) ? 100 : rng_range(r, 0, 50);
	for (int i = 0; i < b->unit; i++)
		t->table[i] = (uint16_t)(rng_chance(r, (int)constants)
		                             ? 0x8000 + rng_below(r, 256)
		                             : rng_below(r, b->planes) * 256 + rng_below(r, wide));
	if (rng_chance(r, 40))
		draw_runs(t, r, wide);
	if (rng_chance(r, 25))
		draw_side_by_side(t, r);
	b->dst_step = any_dst_step(r, b->n * b->unit);
	b->src_step = any_step(r, b->n * (b->src_block < 0 ? -b->src_block : b->src_block));
}

static void draw_parts(trial *t, rng *r)
{
	vf_block *b = &t->b;
	b->planes = rng_range(r, 1, 16), b->parts = t->parts;
	for (int p = 0; p < b->planes; p++) {
		int64_t *part = t->parts + 3 * p, most = rng_chance(r, 50) ? 40 : 300;
		bool repeats = rng_chance(r, 40);
		part[0] = rng_range(r, 1, rng_chance(r, 10) ? 3000 : most);
		part[1] = repeats ? rng_range(r, 1, 16) : part[0];
		part[2] = repeats && part[1] < part[0] && rng_chance(r, 50) ? 0 : any_step(r, part[0]);
		if (rng_chance(r, 25)) { /* units that run downwards */
			part[1] = -rng_range(r, 1, 16);
			part[0] = rng_range(r, 1, rng_chance(r, 80) ? 12 : 60) * -part[1];
		}
		t->src_at[p] = rng_range(r, -1000, 3000);
		b->n += part[0];
	}
	b->dst_step = b->n;
}

/* A row is a box beside a box, several times; in each, runs at steps that may overlap or go backwards. */
static void draw_weave(trial *t, rng *r)
{
	static unsigned char room[VF_WEAVE_ROOM];
	vf_block *b = &t->b;
	const int64_t times = rng_range(r, 1, 12);
	b->rows = rng_range(r, 0, 3), b->planes = rng_range(r, 1, 5), b->boxes = t->boxes;
	b->ahead_into = rng_below(r, 3);
	for (int p = 0; p < b->planes; p++) {
		const int64_t inner = rng_range(r, 1, 6),
			      bytes = rng_range(r, 1, rng_chance(r, 40) ? 150 : 9);
		t->boxes[p] = (vf_row_box){.at = b->unit,
		                           .bytes = bytes,
		                           .place = p,
		                           .offset = rng_range(r, -90, 90),
		                           .row_step = any_step(r, 60),
		                           .piece_step = rng_range(r, -5000, 5000),
		                           .later = 4000,
		                           .loops = {{times, 0, rng_range(r, -200, 200)},
		                                     {1, 0, 0},
		                                     {inner, bytes, rng_range(r, -70, 70)}}};
		t->src_at[p] = rng_range(r, -1000, 3000);
		b->unit += bytes * inner;
	}
	for (int p = 0; p < b->planes; p++)
		t->boxes[p].loops[0].to = b->unit;
	b->unit *= times;
	b->n = rng_range(r, 0, b->unit < 500 ? 3000 : 3 * b->unit);
	for (int p = 0; p < b->planes && b->rows > 0 && b->n >= b->unit; p++)
		if (rng_chance(r, 25)) { /* of all of a row, whatever of it is written */
			vf_row_box *box = &t->boxes[p];
			box->row_step = box->piece_step = box->later = 0, box->stays = 1;
		}
	t->room = rng_chance(r, 90) ? room + rng_below(r, 2) : NULL;
}

typedef void draw(trial *t, rng *r);
static draw *const draws[] = {[VF_CODELET_copy] = draw_copy,         [VF_CODELET_leave] = draw_copy,
                              [VF_CODELET_fill] = draw_fill,         [VF_CODELET_gather] = draw_gather,
                              [VF_CODELET_index] = draw_index,       [VF_CODELET_scatter] = draw_scatter,
                              [VF_CODELET_interleave] = draw_planes, [VF_CODELET_deinterleave] = draw_planes,
                              [VF_CODELET_pick] = draw_pick,         [VF_CODELET_parts] = draw_parts,
                              [VF_CODELET_weave] = draw_weave};

static void try_all(rng *r, const vf_codelets *k, int turns)
{
	for (int turn = 0; turn < turns; turn++)
		for (int id = 0; id < (int)(sizeof draws / sizeof draws[0]); id++) {
			trial t = {.id = (vf_codelet_id)id};
			t.b.stream = rng_chance(r, 50), t.b.rows = rng_range(r, 0, 12);
			t.b.src_at = t.src_at, t.b.table = t.table;
			draws[id](&t, r);
			place_and_run(&t, r, k);
		}
}

TEST(codelets_equal_their_formulas)
{
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *k = vf_codelets_pick(variants[v]);
		rng r = rng_make(3, v);
		if (k)
			try_all(&r, k, SANITIZED ? 300 : 800);
	}
}

/* ---- planes of two arrays ---- */

static void add_stream_reach(void *context, origin o)
{
	reach_add((reach *)context + (o.stream == 1), o.src);
}

/* How many spools a row of n units of 4 bytes is picked from. Unit i is the one at i * by % n in the source,
 * where `gap` bytes lie between units. */
static int64_t spools_of(int64_t n, int64_t by, int64_t gap)
{
	static vf_row_box boxes[400];
	vf_weaving *w = calloc(1, sizeof *w);
	const vf_block b = {.unit = 4 * n, .planes = n, .boxes = boxes};
	assert_non_null(w);
	for (int64_t i = 0; i < n; i++)
		boxes[i] = (vf_row_box){
		    .at = 4 * i, .bytes = 4, .offset = i * by % n * (4 + gap), .row_step = n * (4 + gap)};
	vf_weave_make(w, &b, NULL);
	const int64_t spools = w->nspool;
	free(w);
	return spools;
}

/* What a row costs that takes every third byte, n of them. */
static int64_t cost_of_thirds(int64_t n)
{
	const vf_row_box box = {.bytes = 1, .row_step = 3 * n, .loops = {{n, 1, 3}}};
	const vf_block b = {.unit = n, .planes = 1, .boxes = &box};
	vf_weaving *w = calloc(1, sizeof *w);
	assert_non_null(w);
	vf_weave_make(w, &b, NULL);
	const int64_t cost = w->cost;
	assert_int_equal(w->nspool, 0);
	free(w);
	return cost;
}

/* Strands that the first cache cannot hold beside what is read cost more. */
TEST(strands_of_long_rows_cost_more)
{
	assert_true(cost_of_thirds(8192) > 20 * cost_of_thirds(512));
	assert_true(cost_of_thirds(1024) < 3 * cost_of_thirds(512));
}

/* A register for each 64 bytes that a row reads, if they are at most 16: an even number of them. */
TEST(what_changes_places_within_rows_is_picked_from_spools)
{
	assert_int_equal(spools_of(64, 37, 0), 4);
	assert_int_equal(spools_of(100, 37, 0), 8);
	assert_int_equal(spools_of(257, 37, 0), 0);
	assert_int_equal(spools_of(64, 1, 0), 0);   /* strands are straight */
	assert_int_equal(spools_of(16, 7, 200), 0); /* much lies between */
}

/* Two planes, each at the end of its own array: nothing past either may be read. */
TEST(planes_of_two_arrays_stay_apart)
{
	for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
		const vf_codelets *k = vf_codelets_pick(variants[v]);
		rng r = rng_make(4, v);
		for (int turn = 0; k && turn < 500; turn++) {
			bool pick = rng_chance(&r, 50);
			trial t = {.id = pick ? VF_CODELET_pick : VF_CODELET_interleave};
			t.b = (vf_block){.rows = rng_range(&r, 1, 5), .n = any_count(&r) + 1, .planes = 2};
			t.b.unit = 1 << rng_below(&r, 4), t.b.src_block = t.b.unit,
			t.b.stream = rng_chance(&r, 50);
			const bool whole = rng_chance(&r, 30); /* rows are whole lines, and lie on them */
			t.b.n = whole ? rng_range(&r, 1, 8) * 64 / t.b.unit : t.b.n;
			t.b.src_step = t.b.n * t.b.unit;
			t.b.src_at = t.src_at, t.b.table = t.table;
			reach each[2] = {reach_none(), reach_none()};
			for (int i = 0; i < t.b.unit; i++)
				t.table[i] = (uint16_t)i;
			for (int i = 0; i < t.b.unit; i++)
				t.table[t.b.unit + i] = (uint16_t)(256 + i);
			if (pick && rng_chance(&r, 50))
				t.b.src_block = -t.b.unit;
			if (pick)
				t.b.unit *= 2;
			t.b.dst_step = t.b.n * t.b.unit * (pick ? 1 : 2);
			visit_all(t.id, &t.b, add_stream_reach, each);
			t.from = place_source(&r, 0, each[0]);
			t.b.stride = t.src_at[1] = place_source(&r, 1, each[1]) - t.from;
			t.src = t.dst = reach_none();
			visit_all(t.id, &t.b, add_reach, &t);
			run_trial(&t, k, MARGIN + (whole ? 0 : rng_below(&r, 64)));
		}
	}
}

/* What a codelet keeps of a call is looked up by what a table and places say, not by where they stand. */
TEST(tables_that_change_are_other_tables)
{
	enum { BLOCKS = 300, UNIT = 12 };
	uint16_t table[UNIT];
	int64_t src_at[2] = {0, UNIT};
	const vf_codelets *plain = vf_codelets_pick("plain");
	for (int turn = 0; turn < 24; turn++) {
		const vf_codelets *k = vf_codelets_pick(turn % 2 ? NULL : "avx2");
		src_at[1] = turn % 5 * UNIT;
		for (int i = 0; i < UNIT; i++) /* the first bytes are the same each time */
			table[i] = (uint16_t)((i > 7 && turn / 2 % 2) << 8 |
			                      (i < 5 ? i : (i * 5 + turn) % UNIT));
		const vf_block b = {.rows = 1,
		                    .n = BLOCKS,
		                    .unit = UNIT,
		                    .src_block = UNIT,
		                    .planes = 2,
		                    .src_at = src_at,
		                    .table = table,
		                    .stream = turn % 3 > 0};
		(k ? k : plain)->of[VF_CODELET_pick](&b, result, sources[0], NULL);
		plain->of[VF_CODELET_pick](&b, expected, sources[0], NULL);
		assert_memory_equal(result, expected, BLOCKS * UNIT);
	}
}

TEST(tables_are_picked_by_name)
{
	assert_ptr_equal(vf_codelets_pick("plain"), &vf_codelets_plain);
	assert_null(vf_codelets_pick("abacus"));
	assert_non_null(vf_codelets_pick(NULL));
	for (int id = 0; id < VF_CODELETS; id++)
		assert_true(vf_codelets_pick(NULL)->of[id] != NULL);
}

int main(void)
{
	world_make();
	int failed = test_all(NULL, NULL);
	world_drop();
	return failed;
}
