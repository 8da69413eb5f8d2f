/* node.c -- the two lives of a node: made, held, history, gone. See array.h.
 *
 * Ends   uses lists and no recursion: a chain may be longer than the stack is deep
 * Tests  tests/unit/test_history.c, tests/unit/test_depth.c
 */
#include "graph/array.h"

/* dead: nodes that lost their last holder. forgotten: history that no node is made from any more. */
typedef struct graves {
	vf_array *dead, *forgotten;
} graves;

static void let_go(vf_array *a, graves *g)
{
	if (a && atomic_fetch_sub_explicit(&a->refs, 1, memory_order_acq_rel) == 1) {
		a->next = g->dead;
		g->dead = a;
	}
}

static void forget(vf_array *a, graves *g)
{
	if (a && atomic_fetch_sub_explicit(&a->history_refs, 1, memory_order_acq_rel) == 1) {
		a->next = g->forgotten;
		g->forgotten = a;
	}
}

vf_array *vf_remember(vf_array *a)
{
	atomic_fetch_add_explicit(&a->history_refs, 1, memory_order_relaxed);
	return a;
}

/* ---- what a held node holds ---- */

static void drop_cut(vf_context *ctx, vf_storage *s, graves *g)
{
	if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
		return;
	let_go(s->below, g);
	vf_dealloc(ctx, s);
}

/* Hold what one region reads (`g` NULL), or let it go. For a leaf or a value, that is its node. */
static void move_source(vf_array *a, const vf_storage *source, graves *g)
{
	vf_storage *s = (vf_storage *)(uintptr_t)source; /* only the counts change */
	if (!s || s == a->own || s->kind == VF_STORAGE_ELSEWHERE)
		return;
	if (s->kind != VF_STORAGE_CUT && g)
		let_go(s->below, g);
	else if (s->kind != VF_STORAGE_CUT)
		vf_retain(s->below);
	else if (g)
		drop_cut(a->ctx, s, g);
	else
		atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
}

static void move_sources(vf_array *a, const vf_map *map, graves *g)
{
	for (int i = 0; i < map->nregion; i++)
		move_source(a, map->regions[i].source, g);
}

static void move_all_sources(vf_array *a, graves *g)
{
	move_sources(a, a->map, g);
	if (a->face != a->map)
		move_sources(a, a->face, g);
	for (int i = 0; i < a->nlayer; i++)
		for (int j = 0; j <= a->layers[i].formula.noperand; j++)
			move_sources(a, a->layers[i].maps[j], g);
	move_source(a, a->base, g);
}

void vf_node_hold_sources(vf_array *a)
{
	move_all_sources(a, NULL);
	a->holds_sources = true;
}

vf_array *vf_node_finish(vf_array *node, vf_map *map)
{
	node->map = node->face = map;
	if (map) {
		vf_node_hold_sources(node);
		return node;
	}
	vf_release(node);
	return NULL;
}

/* ---- nodes ---- */

/* Keep the parents as history. Keep none if that would be too much history. */
static bool keep_parents(vf_array *a, int n, vf_array *const *parents)
{
	int deepest = 0;
	for (int i = 0; i < n; i++)
		deepest = parents[i]->depth > deepest ? parents[i]->depth : deepest;
	a->depth = n > 0;
	if (n == 0 || deepest >= a->ctx->options.history)
		return true;
	a->parents = vf_alloc_array(a->ctx, n, sizeof *a->parents);
	if (!a->parents)
		return false;
	a->nparent = n;
	a->depth = deepest + 1;
	for (int i = 0; i < n; i++)
		a->parents[i] = vf_remember(parents[i]);
	return true;
}

vf_array *vf_node_create(vf_context *ctx, vf_dtype dtype, const vf_origin *origin)
{
	vf_array *a = vf_alloc_zero(ctx, sizeof *a);
	if (!a)
		return NULL;
	atomic_init(&a->refs, 1);
	atomic_init(&a->history_refs, 1);
	a->ctx = vf_context_retain(ctx);
	a->dtype = dtype;
	a->elem_bytes = vf_dtype_bytes(dtype);
	a->op = origin->op;
	a->args = origin->narg ? vf_copy_args(ctx, origin->args, origin->narg) : NULL;
	a->narg = a->args ? origin->narg : 0;
	if ((origin->narg && !a->args) || !keep_parents(a, origin->nparent, origin->parents)) {
		vf_release(a);
		return NULL;
	}
	return a;
}

vf_array *vf_retain(vf_array *a)
{
	if (a)
		atomic_fetch_add_explicit(&a->refs, 1, memory_order_relaxed);
	return a;
}

/* The node was held; from here on it is history. */
static void bury(vf_array *a, graves *g)
{
	vf_context *ctx = a->ctx;
	if (a->holds_sources)
		move_all_sources(a, g);
	for (int i = 0; i < a->ncut; i++)
		drop_cut(ctx, a->cuts[i], g);
	vf_attachment *attached = atomic_load_explicit(&a->attached, memory_order_acquire);
	if (attached)
		attached->drop(ctx, attached);
	if (a->own && a->own->release)
		a->own->release(a->own->release_user);
	vf_dealloc(ctx, a->own);
	forget(a, g);
	vf_context_release(ctx);
}

/* The node was history; it is freed. */
static void erase(vf_array *a, graves *g)
{
	vf_context *ctx = a->ctx;
	for (int i = 0; i < a->nparent; i++)
		forget(a->parents[i], g);
	vf_pattern_release(ctx, a->pattern);
	if (a->face != a->map)
		vf_map_drop(ctx, a->face);
	vf_map_drop(ctx, a->map);
	vf_layers_drop(a);
	vf_dealloc(ctx, a->name);
	vf_dealloc(ctx, a->cuts);
	vf_dealloc(ctx, a->cut_reason);
	vf_dealloc(ctx, a->parents);
	vf_dealloc(ctx, a->args);
	vf_dealloc(ctx, a);
}

static vf_array *pop(vf_array **list)
{
	vf_array *a = *list;
	*list = a->next;
	return a;
}

/* Hold the context until all of it is done: history does not hold it. */
static void empty_graves(vf_context *ctx, graves *g)
{
	vf_context_retain(ctx);
	while (g->dead || g->forgotten) {
		if (g->dead)
			bury(pop(&g->dead), g);
		else
			erase(pop(&g->forgotten), g);
	}
	vf_context_release(ctx);
}

void vf_release(vf_array *a)
{
	graves g = {0};
	vf_context *ctx = a ? a->ctx : NULL;
	let_go(a, &g);
	if (g.dead)
		empty_graves(ctx, &g);
}

void vf_forget(vf_array *a)
{
	graves g = {0};
	forget(a, &g);
	while (g.forgotten)
		erase(pop(&g.forgotten), &g);
}
