/* stretches.c -- what is computed of all of a cut, in C order, block by block.
 *
 * In     a cut, and the formula that all its elements go through
 * Out    stretches: blocks that are alike, each a run of the cut's C order
 * How    Along an axis regions begin and end. From one such place to the next each region reads on by a step
 *        of its own: blocks of some indices there are a stretch, and a shorter last one is another. Where one
 *        index is more than a block, it is split along the next axis, for all indices at once
 * Keeps  every element is in one block
 * Ends   one axis further in each time
 * Tests  tests/unit/test_relay.c
 */
#include "driver/job.h"
#include "graph/make.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STRETCHES = 24, MOST_REGIONS = 64 };

/* Blocks of one level: how many there are, elements from one to the next in the result, and by how many bytes
 * each source moves. */
typedef struct level {
	int64_t count, out;
	vf_sources sources;
	int64_t *by;
} level;

typedef struct splitting {
	vf_arena *arena;
	const vf_storage *cut;
	const vf_formula *formula;
	int64_t most; /* bytes of a block */
	struct copied *copies;
	vf_blocks *out;
} splitting;

static int64_t rest_of(const vf_work *w, int axis)
{
	int64_t elements = 1;
	for (int a = axis + 1; a < w->rank; a++)
		elements *= w->shape[a];
	return elements;
}

/* ---- along an axis ---- */

/* The indices of an axis that a region has: n pieces of `weight` from `from` on; each reads `stride` further
 * on. What goes on unevenly is one piece. */
typedef struct pieces {
	int64_t from, n, weight, stride;
} pieces;

static pieces pieces_of(const vf_region *r, int axis)
{
	int first, last;
	int64_t reach = 0;
	region_axis(r, axis, &first, &last);
	if (first == last)
		return (pieces){r->base[axis], 1, 1, 0};
	const vf_digit *d = &r->digits[first];
	for (int k = first + 1; k < last; k++)
		reach += (r->digits[k].extent - 1) * r->digits[k].weight;
	if (d->table || r->base[axis] % d->weight + reach >= d->weight)
		return (pieces){r->base[axis], 1, reach + (d->extent - 1) * d->weight + 1, 0};
	return (pieces){r->base[axis] - r->base[axis] % d->weight, d->extent, d->weight, d->stride};
}

/* Has the region a few parts along an axis with other regions between them, as margins are? Returns how many;
 * 1: it is one. */
static int64_t parts_along(const vf_region *r, int axis)
{
	enum { FEW = 4 };
	int first, last;
	int64_t reach = 1;
	region_axis(r, axis, &first, &last);
	for (int k = first + 1; k < last; k++)
		reach += (r->digits[k].extent - 1) * r->digits[k].weight;
	const vf_digit *d = first < last ? &r->digits[first] : NULL;
	return d && d->extent <= FEW && reach < d->weight ? d->extent : 1;
}

/* Makes each such part a region. */
static void part_regions(vf_work *w, int axis)
{
	int n, first, last;
	vf_region *all = work_take(w, &n);
	for (int i = 0; i < n && w->state == WORK_OK; i++) {
		const int64_t parts = parts_along(&all[i], axis);
		region_axis(&all[i], axis, &first, &last);
		for (int64_t k = 0; k < parts && w->state == WORK_OK; k++) {
			vf_region *part = parts > 1 ? work_copy_region(w, &all[i]) : &all[i];
			if (part && parts > 1)
				region_fix_digit(part, first, k);
			if (part)
				work_add(w, part);
		}
	}
}

/* From place to place along an axis, where the same regions go on: in steps of `unit` indices. */
typedef struct segment {
	int64_t lo, hi, unit;
} segment;

static bool has_part(const pieces *p, const segment *s)
{
	return p->from < s->hi && p->from + p->n * p->weight > s->lo;
}

/* May pieces be cut at the segment's units? */
static bool fits_units(const pieces *p, const segment *s)
{
	return (s->lo - p->from) % p->weight == 0 && s->unit % p->weight == 0 &&
	       (s->hi - s->lo) % s->unit == 0;
}

/* An axis of the cut, or of one index of axes before it. */
typedef struct axis {
	const vf_work *w;
	int at;
	int64_t rest;   /* elements of an index */
	pieces *pieces; /* of each region */
	const level *outer;
	int64_t element; /* of the result, where the first index is */
} axis;

/* The unit of a segment: the longest piece of any region; all of it where they do not go on alike. */
static int64_t unit_of(const axis *x, segment s)
{
	s.unit = 1;
	for (int i = 0; i < x->w->nregion; i++)
		if (has_part(&x->pieces[i], &s) && x->pieces[i].weight > s.unit)
			s.unit = x->pieces[i].weight;
	for (int i = 0; i < x->w->nregion; i++)
		if (has_part(&x->pieces[i], &s) && !fits_units(&x->pieces[i], &s))
			return s.hi - s.lo;
	return s.unit;
}

/* ---- sources that move apart ---- */

/* A storage that regions read by several steps, as cat([x, x.flip(0)]) does, is a source for each step: a
 * copy stands for it. */
typedef struct copied {
	vf_storage storage;
	const vf_storage *of; /* which may be a copy, too */
	struct copied *before;
} copied;

/* What it is a copy of; NULL: it is none. */
static const vf_storage *copied_from(const splitting *s, const vf_storage *storage)
{
	for (const copied *c = s->copies; c; c = c->before)
		if (storage == &c->storage)
			return c->of;
	return NULL;
}

static const vf_storage *new_copy(splitting *s, const vf_storage *storage)
{
	copied *c = vf_arena_alloc(s->arena, 1, sizeof *c);
	if (!c)
		return NULL;
	c->of = storage, c->before = s->copies;
	s->copies = c;
	return &c->storage;
}

/* Do they read on by the same step? Not if that cannot be told in int64_t. */
static bool steps_alike(const pieces *p, const pieces *q)
{
	int64_t a, b;
	if (p->weight == q->weight)
		return p->stride == q->stride;
	return vf_product_fits(p->stride, q->weight, &a) && vf_product_fits(q->stride, p->weight, &b) &&
	       a == b;
}

/* Gives the regions of a segment that read one source by another step than the first one does a source of
 * their own. False without memory. */
static bool part_sources(splitting *s, const axis *x, const segment *seg, vf_work *w)
{
	work_clone(w, x->w);
	for (int i = 0; i < w->nregion && w->state == WORK_OK; i++) {
		const vf_storage *source = x->w->regions[i].source, *found = NULL;
		const pieces *p = &x->pieces[i];
		bool first = true;
		if (!source || !has_part(p, seg))
			continue;
		for (int k = 0; k < i && !found; k++) {
			const pieces *q = &x->pieces[k];
			if (x->w->regions[k].source != source || !has_part(q, seg))
				continue;
			first = false;
			if (steps_alike(p, q))
				found = w->regions[k].source;
		}
		w->regions[i].source = found ? found : first ? source : new_copy(s, source);
		if (!w->regions[i].source)
			return false;
	}
	return w->state == WORK_OK;
}

/* The level of blocks of seg->unit indices. */
static bool level_of(splitting *s, const axis *x, const segment *seg, level *out)
{
	const int64_t elem_bytes = s->cut->below->elem_bytes;
	*out = (level){.count = (seg->hi - seg->lo) / seg->unit, .out = seg->unit * x->rest};
	out->by = vf_arena_alloc(s->arena, x->w->nregion, sizeof *out->by);
	for (int i = 0; out->by && i < x->w->nregion; i++) {
		const pieces *p = &x->pieces[i];
		if (!x->w->regions[i].source || !has_part(p, seg))
			continue;
		const int at = vf_sources_find(s->arena, &out->sources, x->w->regions[i].source);
		if (at < 0)
			return false;
		out->by[at] = out->count > 1 ? p->stride * (seg->unit / p->weight) * elem_bytes : 0;
	}
	return out->by != NULL;
}

/* ---- a stretch ---- */

/* The jobs of one block, whose regions w has. */
static bool make_jobs(splitting *s, vf_work *w, vf_stretch *t)
{
	const vf_array *below = s->cut->below;
	const int64_t to = vf_dtype_bytes(s->formula->to);
	vf_map map = *below->map;
	map.space_rank = w->rank, map.space = w->shape;
	map.nregion = w->nregion, map.regions = w->regions;
	map.size = w->rank ? w->shape[0] * rest_of(w, 0) : 1;
	vf_map *read = vf_c_map(s->arena, 1, &map.size, s->cut);
	const bool made = read && vf_job_of_map(s->arena, &map, below->elem_bytes, &t->below, &t->sources) &&
	                  vf_job_of_map(s->arena, read, to, &t->above, &t->above_sources);
	vf_map_drop(below->ctx, read);
	if (!made)
		return false;
	((vf_move *)(uintptr_t)t->above.moves)->formula = s->formula; /* of the one move, made here */
	t->below.reads_memory = true;
	t->above.times = below->map->size / map.size;
	t->scratch_bytes = map.size * below->elem_bytes;
	return true;
}

static void set_shifts(const splitting *s, vf_stretch *t, int at, const level *l)
{
	t->counts[at] = l->count;
	t->out_shifts[at] = l->out * vf_dtype_bytes(s->formula->to);
	for (int i = 0; i < t->sources.n && l->by; i++) {
		int k = -1;
		for (const vf_storage *x = t->sources.list[i]; x && k < 0; x = copied_from(s, x))
			k = vf_sources_at(&l->sources, x);
		t->shifts[at * t->sources.n + i] = k < 0 ? 0 : l->by[k];
	}
}

/* Adds the blocks of a segment, seg->unit indices each. */
static bool add_stretch(splitting *s, const axis *x, const segment *seg)
{
	const int64_t to = vf_dtype_bytes(s->formula->to);
	vf_stretch *t = s->out->nstretch < MOST_STRETCHES ? &s->out->stretches[s->out->nstretch++] : NULL;
	vf_work block;
	level inner;
	if (!t)
		return false;
	work_clone(&block, x->w);
	work_slice(&block, x->at, seg->lo, 1, seg->unit);
	if (block.state != WORK_OK || !level_of(s, x, seg, &inner) || !make_jobs(s, &block, t))
		return false;
	t->shifts = vf_arena_alloc(s->arena, 2 * (int64_t)t->sources.n, sizeof *t->shifts);
	if (!t->shifts)
		return false;
	set_shifts(s, t, 0, x->outer);
	set_shifts(s, t, 1, &inner);
	for (int i = 0; i < t->sources.n; i++) /* from here on they are what is read, some several times */
		for (const vf_storage *of; (of = copied_from(s, t->sources.list[i]));)
			t->sources.list[i] = of;
	t->out_at = (x->element + seg->lo * x->rest) * to;
	return true;
}

/* ---- all of them ---- */

static bool split_along(splitting *s, const axis *before);

/* Splits one index of a segment along the next axis; it is so at all others. */
static bool split_further(splitting *s, const axis *x, const segment *seg)
{
	vf_work one;
	level all;
	axis next = {&one, x->at + 1, 0, NULL, x->outer, x->element + seg->lo * x->rest};
	work_clone(&one, x->w);
	work_slice(&one, x->at, seg->lo, 1, 1);
	if (seg->hi - seg->lo > 1) {
		if (!level_of(s, x, seg, &all))
			return false;
		next.outer = &all;
	}
	return one.state == WORK_OK && split_along(s, &next);
}

/* Blocks of a segment are about alike, some units each. */
static bool split_segment(splitting *s, const axis *all, const segment *seg)
{
	vf_work parted;
	axis parts = *all, *x = &parts;
	if (seg->hi - seg->lo > seg->unit) {
		if (!part_sources(s, all, seg, &parted))
			return false;
		parts.w = &parted;
	}
	const int64_t length = seg->hi - seg->lo, bytes = seg->unit * x->rest * s->cut->below->elem_bytes;
	if (seg->unit == 1 && bytes > s->most && x->at + 1 < x->w->rank &&
	    (length == 1 || x->outer->count == 1))
		return split_further(s, x, seg);
	const int64_t units = length / seg->unit, most = bytes < s->most ? s->most / bytes : 1;
	const int64_t blocks = (units + most - 1) / most, n = (units + blocks - 1) / blocks * seg->unit;
	const segment even = {seg->lo, seg->lo + length / n * n, n},
		      last = {even.hi, seg->hi, seg->hi - even.hi};
	if (!add_stretch(s, x, &even))
		return false;
	const int at = s->out->nstretch;
	const bool added = last.unit == 0 || add_stretch(s, x, &last);
	if (added && last.unit)
		s->out->stretches[at].shorter = true;
	return added;
}

static int by_value(const void *x, const void *y)
{
	const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
	return (a > b) - (a < b);
}

/* Splits along the axis before->at; what depends on it is not set there yet. */
static bool split_along(splitting *s, const axis *before)
{
	vf_work parted;
	axis x = *before;
	work_clone(&parted, x.w);
	part_regions(&parted, x.at);
	if (parted.state != WORK_OK)
		return false;
	x.w = &parted;
	const int64_t n = 2 * (int64_t)x.w->nregion, extent = x.w->shape[x.at];
	int64_t *places = vf_arena_alloc(s->arena, n, sizeof *places);
	x.rest = rest_of(x.w, x.at);
	x.pieces = vf_arena_alloc(s->arena, x.w->nregion, sizeof *x.pieces);
	if (!places || !x.pieces)
		return false;
	for (int i = 0; i < x.w->nregion; i++) {
		const pieces p = x.pieces[i] = pieces_of(&x.w->regions[i], x.at);
		const int64_t to = p.from + p.n * p.weight;
		places[2 * i] = p.from, places[2 * i + 1] = to < extent ? to : extent;
	}
	qsort(places, (size_t)n, sizeof *places, by_value);
	for (int64_t i = 0; i + 1 < n; i++) {
		segment seg = {places[i], places[i + 1], 0};
		if (seg.lo == seg.hi)
			continue;
		seg.unit = unit_of(&x, seg);
		if (!split_segment(s, &x, &seg))
			return false;
	}
	return true;
}

bool vf_stretches_find(vf_arena *arena, const vf_storage *cut, const vf_formula *formula, int64_t most,
                       vf_blocks *out)
{
	splitting s = {arena, cut, formula, most, NULL, out};
	const vf_map *map = cut->below->map;
	const level once = {.count = 1};
	vf_work w;
	if (map->nregion > MOST_REGIONS)
		return false;
	for (int i = 0; i < map->nregion; i++)
		if (map->regions[i].source && map->regions[i].source->kind == VF_STORAGE_CUT)
			return false;
	work_init(&w, arena);
	w.limit += 4 * map->nregion;
	work_load(&w, map);
	*out = (vf_blocks){.cut = cut};
	out->stretches = vf_arena_alloc(arena, MOST_STRETCHES, sizeof *out->stretches);
	if (!out->stretches || w.state != WORK_OK || w.rank == 0 ||
	    !split_along(&s, &(axis){.w = &w, .outer = &once}))
		return false;
	return out->nstretch > 1 || out->stretches->counts[0] * out->stretches->counts[1] > 1;
}
