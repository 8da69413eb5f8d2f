/* pattern.c -- history by example: the nodes of one evaluation serve all evaluations like it.
 *
 * In     a result, and the operands of its expression
 * Out    the nodes between them, detached from both: each operand is replaced by a stand-in, and the result
 *        by a copy that has its op, its arguments and its map
 * Keeps  what vf_history_read() finds below the result
 * Tests  tests/unit/test_history.c, tests/unit/test_memo.c
 */
#include "graph/array.h"

#include <string.h>

/* ---- making one ---- */

/* A node of which there is history only. */
static vf_array *new_history(vf_context *ctx)
{
	vf_array *a = vf_alloc_quietly(ctx, sizeof *a);
	if (!a)
		return NULL;
	memset(a, 0, sizeof *a);
	a->ctx = ctx;
	atomic_init(&a->history_refs, 1);
	return a;
}

static vf_pattern *new_pattern(const vf_array *result, int n)
{
	vf_context *ctx = result->ctx;
	vf_pattern *p = vf_alloc_quietly(ctx, sizeof *p + (size_t)n * sizeof *p->operands);
	if (!p)
		return NULL;
	memset(p, 0, sizeof *p);
	atomic_init(&p->refs, 1);
	bool whole = (p->result = new_history(ctx)) != NULL;
	for (; p->n < n && whole; p->n += whole)
		whole = (p->operands[p->n] = new_history(ctx)) != NULL;
	whole = whole &&
	        (p->result->map = p->result->face = vf_alloc_quietly(ctx, vf_map_bytes(result->map)));
	if (whole) {
		p->result->map->has_tables = false; /* nor will the copy have tables */
		return p;
	}
	vf_pattern_release(ctx, p);
	return NULL;
}

static int deepest(int n, vf_array *const *arrays)
{
	int depth = 0;
	for (int i = 0; i < n; i++)
		depth = arrays[i]->depth > depth ? arrays[i]->depth : depth;
	return depth;
}

static int find(int n, vf_array *const *operands, const vf_array *a)
{
	int i = 0;
	while (i < n && operands[i] != a)
		i++;
	return i < n ? i : -1;
}

/* Link the nodes from `first` down to the operands by `next`, each once. The last one is its own `next`.
 * Returns whether the history of one of them ends. */
static bool link_nodes(vf_array *first, int n, vf_array *const *operands)
{
	vf_array *last = first->next = first;
	bool ends = false;
	for (vf_array *a = first;; a = a->next) {
		ends = ends || (a->op && a->nparent == 0);
		for (int i = 0; i < a->nparent; i++)
			if (find(n, operands, a->parents[i]) < 0 && !a->parents[i]->next)
				last = last->next = a->parents[i]->next = a->parents[i];
		if (a->next == a)
			return ends;
	}
}

/* Unlink them. With a pattern, its stand-ins replace the operands. */
static void unlink_nodes(vf_array *first, int n, vf_array *const *operands, const vf_pattern *p)
{
	for (vf_array *a = first, *next; a; a = next == a ? NULL : next) {
		next = a->next;
		a->next = NULL;
		for (int i = 0; i < a->nparent && p; i++) {
			int k = find(n, operands, a->parents[i]);
			if (k < 0)
				continue;
			vf_forget(a->parents[i]);
			a->parents[i] = vf_remember(p->operands[k]);
		}
	}
}

/* `place` takes the result's place in its history. The result gets `parents`, which become the operands. */
static void give_place(vf_array *result, vf_array *place, int n, vf_array *const *operands,
                       vf_array **parents)
{
	place->dtype = result->dtype;
	place->elem_bytes = result->elem_bytes;
	place->is_value = result->is_value;
	place->read_only = result->read_only;
	place->op = result->op;
	place->args = result->args;
	place->narg = result->narg;
	place->parents = result->parents;
	place->nparent = result->nparent;
	vf_map_copy(place->map, result->map);
	result->args = NULL;
	result->narg = 0;
	result->parents = parents;
	result->nparent = n;
	for (int i = 0; i < n; i++)
		parents[i] = vf_remember(operands[i]);
}

vf_pattern *vf_pattern_take(vf_array *result, int n, vf_array *const *operands)
{
	vf_context *ctx = result->ctx;
	int below = deepest(n, operands);
	bool ends = link_nodes(result, n, operands);
	vf_pattern *p = ends && below > 0 ? NULL : new_pattern(result, n);
	vf_array **parents = p ? vf_alloc_quietly(ctx, (size_t)n * sizeof *parents) : NULL;
	unlink_nodes(result, n, operands, parents ? p : NULL);
	if (!parents) {
		vf_pattern_release(ctx, p);
		return NULL;
	}
	p->depth = result->depth > below ? result->depth - below : 1;
	give_place(result, p->result, n, operands, parents);
	vf_pattern_follow(result, p);
	return p;
}

/* ---- using one ---- */

void vf_pattern_follow(vf_array *a, vf_pattern *p)
{
	int depth = deepest(a->nparent, a->parents) + p->depth;
	bool fits = a->nparent > 0 && depth <= a->ctx->options.history;
	atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
	a->pattern = p;
	a->depth = fits ? depth : p->depth;
	for (int i = 0; i < a->nparent && !fits; i++)
		vf_forget(a->parents[i]);
	a->nparent = fits ? a->nparent : 0;
}

void vf_pattern_release(vf_context *ctx, vf_pattern *p)
{
	if (!p || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1)
		return;
	if (p->result)
		vf_forget(p->result);
	for (int i = 0; i < p->n; i++)
		vf_forget(p->operands[i]);
	vf_dealloc(ctx, p);
}
