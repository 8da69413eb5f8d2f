/* relay.c -- see relay.h.
 *
 * In     an array that reads leaves; what it takes as one pass
 * Out    the same array over a cut: made again from its history, or of its map, or of what is computed
 * Keeps  the elements; what is read of each leaf
 * Tests  tests/unit/test_relay.c, tests/property/
 */
#include "driver/relay.h"

#include "driver/compile.h"
#include "driver/job.h"
#include "graph/history.h"
#include "graph/make.h"

#include <string.h>

enum { MOST_STEPS = 48, MOST_TRIES = 12, MOST_REGIONS = 256 };

/* A pass more has to gain a fifth, of what is computed a fourth: the model is no better than that. (Zen 5,
 * f32 [32,3,224,224] to f16 pixels of patches, where the model sees a gain of 1.31: without a relay 0.43 of
 * the fastest copy, with it 0.28.) */
static const double least_gain = 1.25, least_computed = 1.33;

typedef struct relaying {
	vf_context *ctx;
	const vf_array *a;
	vf_history history;
	vf_array **nodes;   /* for each step of the history: the array, made again */
	vf_array **above;   /* the same over a relay; NULL where that cannot be */
	int64_t most_bytes; /* of a relay */
	double least;       /* what the best way takes, in picoseconds */
	vf_array *best;     /* NULL: one pass */
} relaying;

/* ---- made again ---- */

static bool map_reads(const vf_map *map, const vf_storage *s)
{
	for (int i = 0; i < map->nregion; i++)
		if (map->regions[i].source == s)
			return true;
	return false;
}

/* Does the array read this storage, itself or by what it computes? Then it holds the storage's leaf. */
static bool reads(const vf_array *a, const vf_storage *s)
{
	bool reads = map_reads(a->map, s);
	for (int i = 0; i < a->nlayer && !reads; i++)
		reads = map_reads(a->layers[i].maps[0], s);
	return reads;
}

/* A leaf of the history that is still held: by the array at least. A leaf that is not may be gone. */
static vf_array *held_leaf(const relaying *r, const vf_array *leaf)
{
	const bool held = atomic_load_explicit(&leaf->refs, memory_order_relaxed) > 0 && leaf->own &&
	                  reads(r->a, leaf->own);
	return held ? vf_retain((vf_array *)(uintptr_t)leaf) : NULL;
}

/* Makes a step of the history again. `arrays`: one for each step before it. */
static vf_array *make_again(const vf_past *step, vf_array *const *arrays)
{
	enum { MOST_OPERANDS = 16 };
	vf_array *operands[MOST_OPERANDS];
	if (step->ends || step->noperand > MOST_OPERANDS || step->node->op->terms)
		return NULL;
	for (int k = 0; k < step->noperand; k++)
		operands[k] = arrays[step->operands[k]];
	return vf_make(step->node->op, step->noperand, operands, step->node->args, step->node->narg);
}

static void release_all(int n, vf_array **arrays)
{
	for (int i = 0; i < n; i++) {
		vf_release(arrays[i]);
		arrays[i] = NULL;
	}
}

/* Makes all steps from the leaves again. False where one cannot be made, or where so many regions would take
 * too long to plan again and again. */
static bool make_nodes(relaying *r)
{
	for (int i = 0; i < r->history.n; i++) {
		const vf_past *step = &r->history.steps[i];
		r->nodes[i] = step->node->op ? make_again(step, r->nodes) : held_leaf(r, step->node);
		if (!r->nodes[i] || r->nodes[i]->map->nregion > MOST_REGIONS)
			return false;
	}
	return true;
}

/* ---- a relay ---- */

/* An array without a history that reads `below` from a cut. */
static vf_array *view_of_cut(vf_array *below)
{
	const vf_map *map = below->map;
	vf_array *node = vf_node_create(below->ctx, below->dtype, &(vf_origin){0});
	vf_storage *s = node ? vf_node_cut(node, below) : NULL;
	vf_arena arena;
	vf_arena_init(&arena, below->ctx);
	vf_map *read = s ? vf_c_map(&arena, map->rank, map->shape, s) : NULL;
	vf_arena_drop(&arena);
	return node ? vf_node_finish(node, read) : NULL;
}

static bool is_same_digit(const vf_digit *x, const vf_digit *y)
{
	return x->axis == y->axis && x->extent == y->extent && x->weight == y->weight &&
	       x->stride == y->stride && x->table == y->table && x->first == y->first;
}

static bool is_same_region(const vf_region *x, const vf_region *y, int rank)
{
	bool same = x->source == y->source && x->offset == y->offset && x->ndigit == y->ndigit &&
	            memcmp(x->base, y->base, (size_t)rank * sizeof *x->base) == 0 &&
	            memcmp(x->fill, y->fill, sizeof x->fill) == 0;
	for (int k = 0; same && k < x->ndigit; k++)
		same = is_same_digit(&x->digits[k], &y->digits[k]);
	return same;
}

/* Have the arrays the same elements? A chain that is written twice has nodes of its own each time. */
static bool is_same(const vf_array *x, const vf_array *y)
{
	const vf_map *m = x->map, *n = y->map;
	bool same = x->dtype == y->dtype && m->rank == n->rank && m->space_rank == n->space_rank &&
	            m->nregion == n->nregion &&
	            memcmp(m->shape, n->shape, (size_t)m->rank * sizeof *m->shape) == 0 &&
	            memcmp(m->space, n->space, (size_t)m->space_rank * sizeof *m->space) == 0;
	for (int i = 0; same && i < m->nregion; i++)
		same = is_same_region(&m->regions[i], &n->regions[i], m->space_rank);
	return same;
}

/* Step i over the relay: itself where the relay is not below it. NULL if it cannot be made of others than its
 * own operands: as_strided() sees the storage below them. */
static vf_array *step_above(const relaying *r, int i)
{
	const vf_past *step = &r->history.steps[i];
	bool moves = false;
	for (int k = 0; k < step->noperand; k++) {
		const int operand = step->operands[k];
		if (!r->above[operand])
			return NULL;
		moves = moves || r->above[operand] != r->nodes[operand];
	}
	if (!moves)
		return vf_retain(r->nodes[i]);
	return step->node->op == vf_op_row(VF_OP_as_strided) ? NULL : make_again(step, r->above);
}

/* Makes the array again with step `at`, and all that are the same, replaced by a cut. NULL where some step
 * does not allow it. */
static vf_array *make_above(relaying *r, int at)
{
	const int last = r->history.n - 1;
	vf_array *relay = view_of_cut(r->nodes[at]);
	for (int i = 0; relay && i <= last; i++)
		r->above[i] = is_same(r->nodes[i], r->nodes[at]) ? vf_retain(relay) : step_above(r, i);
	vf_array *made = r->above[last] ? vf_narrow_cut(r->above[last], relay->cuts[0]) : NULL;
	release_all(r->history.n, r->above);
	vf_release(relay);
	return made;
}

/* ---- which one ---- */

/* Does the node read leaves alone, and nothing that lies outside of what the array reads? */
static bool stays_inside(const relaying *r, const vf_array *node)
{
	for (int i = 0; i < node->map->nregion; i++) {
		const vf_storage *s = node->map->regions[i].source;
		int64_t low, high, least, most;
		if (s && (s->kind == VF_STORAGE_CUT || vf_reach(node, s->below, &low, &high) != VF_OK ||
		          vf_reach(r->a, s->below, &least, &most) != VF_OK || low < least || high > most))
			return false;
	}
	return node->nlayer == 0 && node->map->nregion > 0;
}

/* The one cut that an array reads; NULL if there are several. */
static const vf_storage *only_cut(const vf_array *a)
{
	const vf_storage *cut = NULL;
	for (int i = 0; i < a->map->nregion; i++) {
		const vf_storage *s = a->map->regions[i].source;
		if (!s || s->kind != VF_STORAGE_CUT || s == cut)
			continue;
		if (cut)
			return NULL;
		cut = s;
	}
	return cut;
}

/* Is each leaf that r->a reads read here, or by the relay? */
static bool reads_all(const relaying *r, const vf_array *made, const vf_array *relay)
{
	for (int i = 0; i < r->a->map->nregion; i++) {
		const vf_storage *s = r->a->map->regions[i].source;
		if (s && !reads(made, s) && !reads(relay, s))
			return false;
	}
	return true;
}

/* May the array over the cut be made? What is computed, or was before it is moved, reads all that it read
 * before, and no more. */
static bool may_read(const relaying *r, const vf_array *made, const vf_storage *cut)
{
	return made->nlayer > 0 || cut->below->nlayer > 0 ||
	       (stays_inside(r, cut->below) && reads_all(r, made, cut->below));
}

/* What both passes take, in picoseconds. Negative if they may not be made, or without memory. */
static double weigh(const relaying *r, const vf_array *made)
{
	const bool computes = made->nlayer > 0;
	const vf_storage *cut = computes ? made->layers[0].maps[0]->regions[0].source : only_cut(made);
	if (!cut || !may_read(r, made, cut))
		return -1;
	vf_arena arena;
	vf_blocks blocks;
	bool by_blocks;
	vf_arena_init(&arena, r->ctx);
	const double takes = vf_cut_estimate(&arena, made, cut, &by_blocks, &blocks);
	const int64_t bytes = by_blocks ? vf_longest_stretch(&blocks)->scratch_bytes : cut->bytes;
	vf_arena_drop(&arena);
	return bytes <= r->most_bytes ? takes : -1;
}

/* Keeps `made` if it is the best so far. */
static void keep(relaying *r, vf_array *made, double takes)
{
	if (takes <= 0 || takes >= r->least)
		return;
	vf_release(r->best);
	r->best = vf_retain(made);
	r->least = takes;
}

/* The same by its estimate; releases `made`. */
static void try_relay(relaying *r, vf_array *made)
{
	keep(r, made, made ? weigh(r, made) : -1);
	vf_release(made);
}

/* ---- of what is computed ---- */

/* The step of the chain that has the elements of `base`, made again; `base` where none has. Steps that
 * compute are not made again, nor those after them. */
static vf_array *chain_of(relaying *r, vf_array *base)
{
	if (!r->nodes || !r->above)
		return base;
	make_nodes(r);
	for (int i = 0; i < r->history.n && r->nodes[i]; i++)
		if (is_same(r->nodes[i], base))
			return r->nodes[i];
	return base;
}

/* Keeps what computes of a relay of `base` that is made by way of a relay itself. */
static void try_second(relaying *r, vf_array *base)
{
	vf_arena arena;
	vf_arena_init(&arena, r->ctx);
	vf_passes passes = {.one = vf_array_estimate(&arena, base)};
	vf_array *below = passes.one > 0 ? vf_relay(chain_of(r, base), r->most_bytes, &passes) : NULL;
	vf_array *made = below ? vf_compute_last(r->a, below) : NULL;
	const double last = made ? vf_array_estimate(&arena, made) : -1;
	vf_arena_drop(&arena);
	if (last > 0 && vf_size_bytes(base) <= r->most_bytes)
		keep(r, made, passes.two + last + VF_NEW_MEMORY * (double)vf_size_bytes(base));
	vf_release(made);
	vf_release(below);
}

/* The base as a relay. Where that takes long, too, its own chain may have one. */
static void try_base(relaying *r, bool again)
{
	vf_array *base = vf_formula_base(r->a);
	try_relay(r, base ? vf_compute_last(r->a, base) : NULL);
	if (base && again)
		try_second(r, base);
	vf_release(base);
}

/* ---- all ---- */

/* The latest steps first: a relay near the end leaves little to do above it. A try makes and plans the chain
 * anew, which takes some 150 us, of many regions more: all tries together may take a quarter of what one pass
 * does, so that a chain that runs once loses little. What is computed has one try, of some 100 us, or two
 * where other elements are around it; some more where there is time for them. */
static void try_all(relaying *r, double one_pass)
{
	enum { FEW_REGIONS = 64, SOME_TRIES = 3, IN_CACHES = 1 << 20 };
	const int64_t share = 1 + r->a->map->nregion / FEW_REGIONS;
	const double a_try = 2e8 * (double)share;
	double left = one_pass / 4;
	if (r->a->nlayer > 1) {
		try_relay(r, vf_computed_planes(r->a));
		return;
	}
	if (r->a->nlayer > 0) {
		if (vf_size_bytes(r->a) >= IN_CACHES) /* ends of rows take long past the caches */
			try_relay(r, vf_computed_box(r->a));
		try_base(r, left >= SOME_TRIES * a_try);
		return;
	}
	for (int way = 0; way < VF_GATHERINGS && left >= a_try; way++) {
		vf_array *made = vf_gather_first(r->a, (vf_gathering)way);
		left -= made ? a_try / 4 : 0; /* nothing of the chain is made anew */
		try_relay(r, made);
	}
	const bool again = r->nodes && r->above && make_nodes(r);
	int tries = 0;
	for (int i = r->history.n - 2; again && i >= 0 && tries < MOST_TRIES && left >= a_try; i--)
		if (r->nodes[i]->op) {
			try_relay(r, make_above(r, i));
			tries++, left -= a_try;
		}
}

vf_array *vf_relay(const vf_array *a, int64_t most_bytes, vf_passes *passes)
{
	vf_arena arena;
	vf_array *one = (vf_array *)(uintptr_t)a; /* only read */
	relaying r = {.ctx = a->ctx,
	              .a = a,
	              .most_bytes = most_bytes,
	              .least = passes->one / (a->nlayer ? least_computed : least_gain)};
	const bool passed = vf_errors_pass(true);
	vf_arena_init(&arena, a->ctx);
	const bool read = vf_history_read(&arena, 1, &one, &r.history) && r.history.n <= MOST_STEPS;
	r.nodes = read ? vf_arena_alloc(&arena, r.history.n, sizeof(vf_array *)) : NULL;
	r.above = read ? vf_arena_alloc(&arena, r.history.n, sizeof(vf_array *)) : NULL;
	try_all(&r, passes->one);
	if (r.nodes && r.above)
		release_all(r.history.n, r.nodes);
	vf_arena_drop(&arena);
	vf_errors_pass(passed);
	passes->two = r.best ? r.least : 0;
	return r.best;
}
