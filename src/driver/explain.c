/* explain.c -- what a chain came to, op by op, and then the plan; the graph as DOT.
 *
 * In     arrays, whose bytes are written in one pass
 * Out    text: one line a node, operands first, each node once; what the arrays are; the pass
 * Tests  tests/cli/
 */
#include "driver/kernel.h"
#include "driver/job.h"
#include "graph/history.h"

#include <inttypes.h>
#include <string.h>

/* ---- one node ---- */

void vf_leaf_print(vf_text *text, const vf_array *a)
{
	char name[16];
	vf_text_add(text, "%s", vf_dtype_name(a->dtype, name, sizeof name));
	vf_text_append(text, "[", 1);
	for (int i = 0; i < a->map->rank; i++)
		vf_text_add(text, i ? ",%" PRId64 : "%" PRId64, a->map->shape[i]);
	vf_text_append(text, "]", 1);
}

static void print_compound(vf_text *text, const vf_map *map, int axis)
{
	const vf_region *r = &map->regions[0];
	const char *separator = "";
	vf_text_add(text, "compound: axis %d is (", axis);
	for (int k = 0; k < r->ndigit; k++) {
		if (r->digits[k].axis != axis)
			continue;
		if (r->digits[k].table)
			vf_text_add(text, "%s%" PRId64 ":table", separator, r->digits[k].extent);
		else
			vf_text_add(text, "%s%" PRId64 ":%" PRId64, separator, r->digits[k].extent,
			            r->digits[k].stride);
		separator = ", ";
	}
	vf_text_add(text, ")");
}

/* Prints what the fold made of the op. */
static void print_outcome(vf_text *text, const vf_array *a)
{
	const vf_map *map = a->map;
	if (a->ncut)
		vf_text_add(text, "cut: %s; ", a->cut_reason ? a->cut_reason : "");
	if (vf_map_is_ragged(map))
		vf_text_add(text, "ragged: kept in the old radices until an op asks for the new ones");
	else if (map->nregion > 1)
		vf_text_add(text, "regions: %d", map->nregion);
	else if (vf_map_compound(map) >= 0)
		print_compound(text, map, vf_map_compound(map));
	else
		vf_text_add(text, a->op->terms ? "element by element" : "folded");
	if (a->is_value && a->read_only)
		vf_text_add(text, "; a value, not copied here");
}

/* Prints a leaf by its name, if it has one; any other node by its number; "..." if it is not kept. */
static void print_reference(vf_text *text, const vf_history *history, int i)
{
	const char *name = i < 0 ? "..." : history->steps[i].node->name;
	if (name)
		vf_text_append(text, name, strlen(name));
	else
		vf_text_add(text, "%%%d", i);
}

/* "[x, %2]"; "[...]" where the history ends. */
static void print_operands(vf_text *text, const vf_history *history, const vf_past *step)
{
	for (int p = 0; p < step->noperand; p++) {
		vf_text_add(text, p ? ", " : "[");
		print_reference(text, history, step->operands[p]);
	}
	vf_text_add(text, step->noperand ? "]" : "[...]");
}

/* "%1.flip(0)", "%1.sub(mean)", "cat([x, %2], 0)" */
static void print_call(vf_text *text, const vf_history *history, const vf_past *step)
{
	const vf_array *a = step->node;
	if (a->op->operands == VF_OPERAND_ONE) {
		print_reference(text, history, step->noperand ? step->operands[0] : -1);
		vf_text_add(text, *a->op->name == '[' ? "" : ".");
		if (step->noperand < 2) {
			vf_print_call(text, a, NULL);
			return;
		}
		vf_text_add(text, "%s(", a->op->name);
		print_reference(text, history, step->operands[1]);
		vf_text_add(text, ")");
		return;
	}
	vf_text operands;
	vf_text_init(&operands, a->ctx);
	print_operands(&operands, history, step);
	vf_print_call(text, a, vf_text_bytes(&operands));
	text->failed = text->failed || operands.failed;
	vf_text_drop(&operands);
}

static void print_step_back(vf_text *text, const vf_history *history, int i)
{
	const vf_past *step = &history->steps[i];
	const vf_array *a = step->node;
	print_reference(text, history, i);
	vf_text_add(text, " = ");
	if (a->op)
		print_call(text, history, step);
	else
		vf_leaf_print(text, a);
	vf_text_add(text, "\n    ");
	vf_map_print(text, a->map, a->elem_bytes);
	if (a->op) {
		vf_text_add(text, "\n    ");
		print_outcome(text, a);
	}
	if (step->ends)
		vf_text_add(text, "\n    the operations before are not kept (vf_options.history)");
	vf_text_add(text, "\n");
}

/* "formula: (f32(x) - mean) / std", one a layer. */
static void print_formulas(vf_text *text, const vf_array *a)
{
	for (int i = 0; i < a->nlayer; i++) {
		vf_text_add(text, "formula: ");
		vf_layer_print(text, &a->layers[i]);
		vf_text_add(text, "\n");
	}
}

/* Prints each axis whose stride is not that of C order, with both strides. */
static void print_strides(vf_text *text, const vf_array *a)
{
	int64_t strides[VF_MAX_RANK], expected[VF_MAX_RANK];
	if (a->map->nregion == 0 || !vf_map_plain(a->face, strides))
		return;
	vf_c_strides(a->face->rank, a->face->shape, expected);
	for (int i = 0; i < a->face->rank; i++)
		if (a->face->shape[i] > 1 && strides[i] != expected[i])
			vf_text_add(text, "axis %d: stride %" PRId64 ", contiguous would be %" PRId64 "\n", i,
			            strides[i], expected[i]);
}

/* "result:", or "results 0, 1, 2, in one move:" in the order in which the step writes them. */
static void print_written(vf_text *text, const vf_kernel *k, const vf_step *step)
{
	bool several = false;
	if (k->nplace == 1) {
		vf_text_add(text, "result:\n");
		return;
	}
	for (int s = 0; s < step->nsource; s++)
		several = several || step->slots[s] < k->nplace;
	vf_text_add(text, several ? "results %d" : "result %d", step->to);
	for (int s = 0; s < step->nsource; s++)
		if (step->slots[s] < k->nplace)
			vf_text_add(text, ", %d", step->slots[s]);
	vf_text_add(text, several ? ", in one move:\n" : ":\n");
}

/* The scratch of the one cut that goes block by block, or which blocks the next plans are of. */
static void print_stretch(vf_text *text, const vf_kernel *k, int i)
{
	if (i == 0)
		vf_text_add(text, "cut 0: %" PRId64 " bytes of scratch, gone through block by block\n",
		            k->slots[k->steps[0].to].bytes);
	if (k->nbefore > 1)
		vf_text_add(text, "blocks %" PRId64 " to %" PRId64 ":\n", k->stretches[i].first,
		            k->stretches[i].past);
}

static void print_step(vf_text *text, const vf_kernel *k, int i)
{
	vf_code_info info;
	const vf_step *step = &k->steps[i];
	vf_code_get_info(step->code, &info);
	if (k->nplace > 1 ? i >= k->nbefore : k->nstep > 1 && i == k->nbefore)
		print_written(text, k, step);
	if (i < k->nbefore && k->nblock)
		print_stretch(text, k, i);
	else if (i < k->nbefore)
		vf_text_add(text, "cut %d: %" PRId64 " bytes of scratch\n", i, k->slots[step->to].bytes);
	vf_text_add(text, "strategy: %s (%s)\n", info.strategy, info.reason);
	vf_text_add(text, "engine: %s%s%s\n", info.engine, *info.why ? ", " : "", info.why);
	if (step->code)
		vf_text_join_bytes(text, vf_code_plan_text(text->ctx, step->code));
}

/* A cut that several arrays read is counted once. */
static int count_cuts(const vf_kernel *k)
{
	int n = 0;
	for (int i = k->ngiven; i < k->nslot; i++)
		n += !k->slots[i].held;
	return n;
}

/* ---- all of it ---- */

/* What is looked at. */
typedef struct view {
	int n;
	vf_array *const *arrays;
	vf_history history;
} view;

typedef bool telling(vf_text *text, const view *v);

static bool tell_plan(vf_text *text, const view *v)
{
	vf_kernel *k = vf_kernel_of(v->n, v->arrays, &(vf_look){0}, NULL);
	if (!k)
		return false;
	vf_text_add(text, "cuts: %d\n", count_cuts(k));
	if (k->passes.two > 0)
		vf_text_add(text, "relay: %d passes take %.3g ms by the model, one takes %.3g ms\n",
		            count_cuts(k) + 1, k->passes.two / 1e9, k->passes.one / 1e9);
	if (!k->nblock && k->nstep - k->nbefore > 1 && k->nband > 1)
		vf_text_add(text, "written in %" PRId64 " bands\n", k->nband);
	/* What leaves the scratch is alike for all stretches, but for its length. */
	for (int i = 0; i < (k->nblock ? k->nbefore + 1 : k->nstep); i++)
		print_step(text, k, i);
	vf_kernel_release(k);
	return true;
}

/* Returns what `tell` says about the arrays and their history. */
static char *text_of(int n, vf_array *const *arrays, telling *tell)
{
	vf_text text;
	vf_arena arena;
	view v = {.n = n, .arrays = arrays};
	if (!vf_are_of_one_context("explain", n, arrays))
		return NULL;
	vf_text_init(&text, arrays[0]->ctx);
	vf_arena_init(&arena, arrays[0]->ctx);
	const bool fine = vf_history_read(&arena, n, arrays, &v.history) && tell(&text, &v);
	vf_arena_drop(&arena);
	if (fine)
		return vf_text_take(&text);
	vf_text_drop(&text);
	return NULL;
}

/* Tells the history and what it came to. */
static bool tell_fold(vf_text *text, const view *v)
{
	for (int i = 0; i < v->history.n; i++)
		print_step_back(text, &v->history, i);
	for (int i = 0; i < v->n; i++) {
		if (v->n > 1) {
			vf_text_add(text, "result %d: ", i);
			print_reference(text, &v->history, v->history.results[i]);
			vf_text_add(text, "\n");
		}
		print_formulas(text, v->arrays[i]);
		print_strides(text, v->arrays[i]);
	}
	return true;
}

static bool tell_all(vf_text *text, const view *v)
{
	return tell_fold(text, v) && tell_plan(text, v);
}

char *vf_explain(const vf_array *a)
{
	vf_array *one = (vf_array *)(uintptr_t)a; /* only read */
	return vf_explain_all(1, &one);
}

char *vf_explain_all(int n, vf_array *const *arrays)
{
	return text_of(n, arrays, tell_all);
}

char *vf_fold_text(int n, vf_array *const *arrays)
{
	return text_of(n, arrays, tell_fold);
}

char *vf_map_text(const vf_array *a)
{
	vf_text text;
	if (!a)
		return NULL;
	vf_text_init(&text, a->ctx);
	vf_map_print(&text, a->map, a->elem_bytes);
	for (int i = 0; i < a->nlayer; i++) {
		vf_text_add(&text, i ? " | " : " = ");
		vf_layer_print(&text, &a->layers[i]);
	}
	return vf_text_take(&text);
}

/* ---- DOT ---- */

/* Adds a part of a label with its quotes escaped, and drops the part. */
static void dot_escaped(vf_text *text, vf_text *part)
{
	for (const char *at = vf_text_bytes(part); *at; at++) {
		if (*at == '"' || *at == '\\')
			vf_text_append(text, "\\", 1);
		vf_text_append(text, at, 1);
	}
	text->failed = text->failed || part->failed;
	vf_text_drop(part);
}

/* A node whose operands are not kept has a dashed outline. */
static void dot_node(vf_text *text, const vf_history *history, int i)
{
	const vf_past *step = &history->steps[i];
	const vf_array *a = step->node;
	vf_text label;
	vf_text_init(&label, a->ctx);
	if (a->name)
		vf_text_add(&label, "%s = ", a->name);
	if (a->op)
		vf_print_call(&label, a, NULL);
	else
		vf_leaf_print(&label, a);
	vf_text_add(text, "  n%d [shape=%s, %slabel=\"", i,
	            a->op ? (a->ncut ? "octagon" : "box") : "cylinder", step->ends ? "style=dashed, " : "");
	dot_escaped(text, &label);
	vf_text_add(text, "\\n");
	vf_map_print(&label, a->map, a->elem_bytes);
	dot_escaped(text, &label);
	vf_text_add(text, "\"];\n");
	for (int p = 0; p < step->noperand; p++)
		if (step->operands[p] >= 0)
			vf_text_add(text, "  n%d -> n%d;\n", step->operands[p], i);
}

/* Each of several results has a node that says which one it is. */
static bool tell_graph(vf_text *text, const view *v)
{
	vf_text_add(text, "digraph viewfold {\n  node [fontname=\"monospace\"];\n");
	for (int i = 0; i < v->history.n; i++)
		dot_node(text, &v->history, i);
	for (int i = 0; i < v->n && v->n > 1; i++)
		vf_text_add(text, "  r%d [shape=plaintext, label=\"result %d\"];\n  n%d -> r%d;\n", i, i,
		            v->history.results[i], i);
	vf_text_add(text, "}\n");
	return true;
}

char *vf_dot(const vf_array *a)
{
	vf_array *one = (vf_array *)(uintptr_t)a; /* only read */
	return vf_dot_all(1, &one);
}

char *vf_dot_all(int n, vf_array *const *arrays)
{
	return text_of(n, arrays, tell_graph);
}
