/* history.c -- see history.h.
 *
 * In     arrays
 * Out    the nodes below them, depth first, with a stack of its own: a chain may be long
 * Keeps  a node of a pattern is listed once for each array that has the pattern: their operands differ
 * Tests  tests/unit/test_history.c, tests/unit/test_memo.c
 */
#include "graph/history.h"

#include "core/lookup.h"

/* Where a node stands: among the nodes of an array's pattern, or (the first scope) outside all patterns. */
typedef struct scope {
	const vf_array *array; /* that has the pattern */
	struct scope *outer;   /* where `array` stands */
	vf_lookup numbers;     /* node to place in the list */
	vf_lookup inner;       /* array to the number of its scope */
} scope;

typedef struct place {
	const vf_array *node;
	scope *scope;
} place;

typedef struct reader {
	vf_arena *arena;
	vf_past *steps;
	place *stack;
	scope **scopes;
	int64_t step_capacity, nstack, stack_capacity, scope_capacity;
	int nstep, nscope;
} reader;

static bool push(reader *r, const place *p)
{
	if (!vf_arena_reserve(r->arena, &r->stack, r->nstack, &r->stack_capacity, sizeof *r->stack))
		return false;
	r->stack[r->nstack++] = *p;
	return true;
}

/* ---- from a pattern's nodes to the array's ---- */

static int find_operand(const vf_pattern *pattern, const vf_array *node)
{
	for (int i = 0; i < pattern->n; i++)
		if (pattern->operands[i] == node)
			return i;
	return -1;
}

static scope *enter(reader *r, const vf_array *array, scope *outer)
{
	int known = vf_lookup_get(&outer->inner, array);
	if (known >= 0)
		return r->scopes[known];
	scope *s = vf_arena_alloc(r->arena, 1, sizeof *s);
	if (!s || !vf_arena_reserve(r->arena, &r->scopes, r->nscope, &r->scope_capacity, sizeof *r->scopes) ||
	    !vf_lookup_put(r->arena, &outer->inner, array, r->nscope))
		return NULL;
	r->scopes[r->nscope++] = s;
	s->array = array;
	s->outer = outer;
	return s;
}

/* Replace an operand of a pattern by the array's own operand (NULL if those are not kept). Replace an array
 * that has a pattern by the pattern's result. False without memory. */
static bool settle(reader *r, place *p)
{
	while (p->scope) {
		const vf_array *array = p->scope->array;
		int operand = array ? find_operand(array->pattern, p->node) : -1;
		if (operand >= 0 && array->nparent == 0) {
			p->node = NULL;
			return true;
		} else if (operand >= 0) {
			*p = (place){array->parents[operand], p->scope->outer};
		} else if (p->node->pattern) {
			p->scope = enter(r, p->node, p->scope);
			p->node = p->node->pattern->result;
		} else {
			return true;
		}
	}
	return false;
}

/* ---- the list ---- */

/* Write the operands' places to `operands`. Operands without a place yet go onto the stack, the first one on
 * top. */
static bool look_at_operands(reader *r, const place *top, int *operands)
{
	bool fits = true;
	for (int i = top->node->nparent - 1; i >= 0 && fits; i--) {
		place p = {top->node->parents[i], top->scope};
		fits = settle(r, &p);
		operands[i] = fits && p.node ? vf_lookup_get(&p.scope->numbers, p.node) : -1;
		if (fits && p.node && operands[i] < 0)
			fits = push(r, &p);
	}
	return fits;
}

static bool add_step(reader *r, const place *p, const int *operands)
{
	if (!vf_arena_reserve(r->arena, &r->steps, r->nstep, &r->step_capacity, sizeof *r->steps) ||
	    !vf_lookup_put(r->arena, &p->scope->numbers, p->node, r->nstep))
		return false;
	bool ends = p->node->op && p->node->nparent == 0;
	for (int i = 0; i < p->node->nparent; i++)
		ends = ends || operands[i] < 0;
	r->steps[r->nstep++] = (vf_past){p->node, p->node->nparent, operands, ends};
	return true;
}

/* A node is listed when it is on top again and all of its operands are listed. */
static bool read_all(reader *r)
{
	while (r->nstack > 0) {
		place top = r->stack[r->nstack - 1];
		int64_t before = r->nstack;
		bool listed = vf_lookup_get(&top.scope->numbers, top.node) >= 0;
		int *operands = listed ? NULL : vf_arena_alloc(r->arena, top.node->nparent, sizeof *operands);
		if (!listed && (!operands || !look_at_operands(r, &top, operands)))
			return false;
		if (r->nstack > before)
			continue;
		r->nstack--;
		if (!listed && !add_step(r, &top, operands))
			return false;
	}
	return true;
}

bool vf_history_read(vf_arena *arena, int n, vf_array *const *arrays, vf_history *history)
{
	scope outside = {0};
	reader r = {.arena = arena};
	int *results = vf_arena_alloc(arena, n, sizeof *results);
	bool fits = results != NULL;
	for (int i = 0; i < n && fits; i++) {
		place p = {arrays[i], &outside};
		fits = settle(&r, &p) && push(&r, &p) && read_all(&r);
		results[i] = fits ? vf_lookup_get(&p.scope->numbers, p.node) : -1;
	}
	*history = (vf_history){r.nstep, r.steps, results};
	return fits;
}
