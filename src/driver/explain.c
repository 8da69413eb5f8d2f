/* explain.c -- what a chain came to, op by op, and then the plan; the graph as DOT.
 *
 * In     an array
 * Out    text: one line a node, operands first, each node once
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

static int first_compound(const vf_map *map)
{
	int64_t strides[VF_MAX_RANK], offset;
	int axis;
	return vf_map_plain(map, strides, &offset, &axis) ? -1 : axis;
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

/* What the fold made of the op. */
static void print_outcome(vf_text *text, const vf_array *a)
{
	const vf_map *map = a->map;
	if (a->ncut)
		vf_text_add(text, "cut: %s; ", a->cut_reason ? a->cut_reason : "");
	if (vf_map_is_ragged(map))
		vf_text_add(text, "ragged: kept in the old radices until an op asks for the new ones");
	else if (map->nregion > 1)
		vf_text_add(text, "regions: %d", map->nregion);
	else if (map->nregion == 1 && first_compound(map) >= 0)
		print_compound(text, map, first_compound(map));
	else
		vf_text_add(text, a->op->terms ? "element by element" : "folded");
	if (a->is_value && a->read_only)
		vf_text_add(text, "; a value, not copied here");
}

/* A leaf by its name, if it was given one; any other node by its number; "..." where it is not kept. */
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
	vf_print_call(text, a, operands.failed ? "" : operands.bytes);
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

/* Each axis whose stride is not that of C order, with both. */
static void print_strides(vf_text *text, const vf_array *a)
{
	int64_t strides[VF_MAX_RANK], expected[VF_MAX_RANK], offset;
	int axis;
	if (a->map->nregion == 0 || !vf_map_plain(a->face, strides, &offset, &axis))
		return;
	vf_c_strides(a->face->rank, a->face->shape, expected);
	for (int i = 0; i < a->face->rank; i++)
		if (a->face->shape[i] > 1 && strides[i] != expected[i])
			vf_text_add(text, "axis %d: stride %" PRId64 ", contiguous would be %" PRId64 "\n", i,
			            strides[i], expected[i]);
}

static void print_step(vf_text *text, vf_context *ctx, const vf_kernel *k, int i)
{
	vf_code_info info;
	const vf_step *step = &k->steps[i];
	char *plan = step->code ? vf_code_plan_text(ctx, step->code) : vf_strdup(ctx, "");
	vf_code_get_info(step->code, &info);
	if (k->nstep > 1 && i == k->nbefore)
		vf_text_add(text, "result:\n");
	if (i < k->nbefore)
		vf_text_add(text, "cut %d: %" PRId64 " bytes of scratch%s\n", i, k->slots[step->to].bytes,
		            k->nblock ? ", gone through block by block" : "");
	vf_text_add(text, "strategy: %s (%s)\n", info.strategy, info.reason);
	vf_text_add(text, "engine: %s%s%s\n", info.engine, *info.why ? ", " : "", info.why);
	if (plan)
		vf_text_append(text, plan, strlen(plan));
	else
		text->failed = true;
	vf_text_free(ctx, plan);
}

static bool print_plan(vf_text *text, const vf_array *a)
{
	int cuts = vf_cuts(a);
	vf_array *one = (vf_array *)(uintptr_t)a;
	vf_kernel *k = cuts >= 0 ? vf_kernel_to_look(1, &one, &(vf_look){0}) : NULL;
	if (!k)
		return false;
	vf_text_add(text, "cuts: %d\n", cuts);
	for (int i = 0; i < k->nstep; i++)
		print_step(text, a->ctx, k, i);
	vf_kernel_release(k);
	return true;
}

typedef bool telling(vf_text *text, const vf_array *a, const vf_history *history);

/* What `tell` says of a's history. */
static char *text_of(const vf_array *a, telling *tell)
{
	vf_text text;
	vf_arena arena;
	vf_history history;
	if (!a)
		return NULL;
	vf_text_init(&text, a->ctx);
	vf_arena_init(&arena, a->ctx);
	const bool fine = vf_history_read(&arena, a, &history) && tell(&text, a, &history);
	vf_arena_drop(&arena);
	if (fine)
		return vf_text_take(&text);
	vf_text_drop(&text);
	return NULL;
}

/* The history and what it came to. */
static bool tell_fold(vf_text *text, const vf_array *a, const vf_history *history)
{
	for (int i = 0; i < history->n; i++)
		print_step_back(text, history, i);
	print_formulas(text, a);
	print_strides(text, a);
	return true;
}

static bool tell_all(vf_text *text, const vf_array *a, const vf_history *history)
{
	return tell_fold(text, a, history) && print_plan(text, a);
}

char *vf_explain(const vf_array *a)
{
	return text_of(a, tell_all);
}

char *vf_fold_text(const vf_array *a)
{
	return text_of(a, tell_fold);
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

static void dot_escaped(vf_text *text, const char *bytes)
{
	for (; bytes && *bytes; bytes++) {
		if (*bytes == '"' || *bytes == '\\')
			vf_text_append(text, "\\", 1);
		vf_text_append(text, bytes, 1);
	}
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
	dot_escaped(text, label.bytes);
	vf_text_add(text, "\\n");
	text->failed = text->failed || label.failed;
	vf_text_drop(&label);
	vf_map_print(&label, a->map, a->elem_bytes);
	dot_escaped(text, label.bytes);
	text->failed = text->failed || label.failed;
	vf_text_drop(&label);
	vf_text_add(text, "\"];\n");
	for (int p = 0; p < step->noperand; p++)
		if (step->operands[p] >= 0)
			vf_text_add(text, "  n%d -> n%d;\n", step->operands[p], i);
}

static bool tell_graph(vf_text *text, const vf_array *a, const vf_history *history)
{
	(void)a;
	vf_text_add(text, "digraph viewfold {\n  node [fontname=\"monospace\"];\n");
	for (int i = 0; i < history->n; i++)
		dot_node(text, history, i);
	vf_text_add(text, "}\n");
	return true;
}

char *vf_dot(const vf_array *a)
{
	return text_of(a, tell_graph);
}
