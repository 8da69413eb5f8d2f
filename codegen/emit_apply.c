/* emit_apply.c -- elements that are computed, as C text: a block from the source to its stage, from there to
 * dst.
 *
 * In     a node or a leaf that computes; the names of the pointers, at the place where their loops stand
 * Out    the list of sweeps, the pass, and the call of `apply`, with a comment that says what is computed
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/writer.h"
#include "plan/compute.h"

#include <stdio.h>
#include <string.h>

vf_leaf_range vf_leaf_with_operands(const vf_writer *w, const vf_leaf *leaf)
{
	int at = (int)(leaf - w->plan->leaves);
	return (vf_leaf_range){leaf->compute ? at - leaf->compute->noperand : at, at + 1};
}

/* ---- what is computed ---- */

static void write_sweeps(vf_writer *w, const vf_pass *p)
{
	vf_line(w, "static const struct vf_sweep sweeps[] = {");
	for (int64_t k = 0; k < p->nsweep; k++) {
		const vf_sweep *sweep = &p->sweeps[k];
		vf_line(w, "\t{%d, %d, %d, %d, %lluULL, %lluULL}, /* %s */", (int)sweep->id,
		        (int)sweep->operand, (int)sweep->convert, (int)sweep->parts,
		        (unsigned long long)sweep->value, (unsigned long long)sweep->high,
		        vf_sweep_rows[sweep->id].name);
	}
	vf_line(w, "\t{0, -1, 0, 1, 0, 0}};");
}

/* "{4, 4}", or "{0}" for none. */
static const char *list_of(char buffer[VF_EXPRESSION_CHARS], const int64_t *numbers, int64_t n)
{
	int at = snprintf(buffer, VF_EXPRESSION_CHARS, "{");
	for (int64_t k = 0; k < n; k++)
		at += snprintf(buffer + at, VF_EXPRESSION_CHARS - (size_t)at, k ? ", %lld" : "%lld",
		               (long long)numbers[k]);
	snprintf(buffer + at, VF_EXPRESSION_CHARS - (size_t)at, n ? "}" : "0}");
	return buffer;
}

void vf_write_pass(vf_writer *w, const vf_pass *p)
{
	char bytes[VF_EXPRESSION_CHARS], step[VF_EXPRESSION_CHARS], stride[VF_EXPRESSION_CHARS];
	char later[VF_EXPRESSION_CHARS], group[VF_EXPRESSION_CHARS];
	w->uses.passes = true;
	write_sweeps(w, p);
	vf_line(w,
	        "static const struct vf_pass pass = {%lld, %lld, %lld, %lld, %lld, sweeps, %s, %s, %s, %lld, "
	        "%s, %lld, %lld, %lld, %s};",
	        (long long)p->from, (long long)p->to, (long long)p->dst_stride, (long long)p->nsweep,
	        (long long)p->noperand, list_of(bytes, p->operand_bytes, p->noperand),
	        list_of(step, p->operand_step, p->noperand), list_of(stride, p->operand_stride, p->noperand),
	        (long long)p->later, list_of(later, p->operand_later, p->noperand), (long long)p->group,
	        (long long)p->dst_group, (long long)p->src_group,
	        list_of(group, p->operand_group, p->group ? p->noperand : 0));
}

/* ---- the call ---- */

/* Writes a count: a constant, or an expression if it is less in the last chunk. */
static void count_text(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int loop, int64_t constant)
{
	if (loop >= 0)
		vf_extent_text(buffer, leaf, loop);
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "%lld", (long long)constant);
}

/* The same in a text that compiles by itself: loops over elements. */
static void write_loops(vf_writer *w, const vf_leaf *leaf, const vf_codelet_call *call, const char *dst,
                        const char *src)
{
	char rows[VF_EXPRESSION_CHARS], n[VF_EXPRESSION_CHARS], at[VF_EXPRESSION_CHARS];
	vf_pass pass;
	vf_pass_of(leaf, &pass);
	count_text(rows, leaf, call->rows_loop, call->block.rows);
	count_text(n, leaf, call->n_loop, call->block.n);
	for (int k = 0; k < leaf->compute->noperand; k++)
		vf_line(w, "const unsigned char *v%d = %s;", k,
		        vf_source_place(w, &vf_operands(leaf)[k], at));
	vf_element_call elements = {rows, n, dst, src, vf_call_goes_to_places(w->plan, leaf)};
	vf_write_elements(w, &pass, &call->block, &elements);
}

/* Writes the call of `apply`, which runs over the elements. Each operand is given as its pointer stands. */
static void write_apply_call(vf_writer *w, const vf_leaf *leaf, const char *dst, const char *src)
{
	vf_codelet_call call = vf_codelet_call_of(leaf);
	char extent[VF_EXPRESSION_CHARS], at[VF_EXPRESSION_CHARS];
	if (w->standalone) {
		write_loops(w, leaf, &call, dst, src);
		return;
	}
	w->uses.codelets |= 1u << VF_CODELET_apply;
	if (call.rows_loop >= 0)
		vf_line(w, "b.rows = %s;", vf_extent_text(extent, leaf, call.rows_loop));
	if (call.n_loop >= 0)
		vf_line(w, "b.n = %s;", vf_extent_text(extent, leaf, call.n_loop));
	for (int k = 0; k < leaf->compute->noperand; k++)
		vf_line(w, "flow.operands[%d] = %s;", k, vf_source_place(w, &vf_operands(leaf)[k], at));
	vf_line(w, "vf_apply(&b, %s, %s, &flow);", dst, src);
}

/* Writes the formula, with the names that arrays have in comments. */
static void write_formula(vf_writer *w, const vf_leaf *leaf)
{
	const vf_computation *c = leaf->compute;
	const vf_leaf *base = c->first ? leaf : leaf - c->noperand - 1;
	vf_formula_names names = {.base = base->source < 0 ? "constant"
	                                                   : w->labels->sources[base->source].name};
	vf_text text;
	for (int k = 0; k < c->noperand; k++)
		names.operands[k] = w->labels->sources[vf_operand_reader(leaf, k)->source].name;
	vf_text_init(&text, w->arena.ctx);
	vf_text_add(&text, "/* %s: ", vf_strategy_name(leaf->strategy));
	vf_formula_print(&text, &c->formula, &names);
	vf_text_add(&text, " */");
	vf_line_text(w, &text);
}

static void write_title(vf_writer *w, const vf_leaf *leaf)
{
	char type[2][24];
	if (w->labels) {
		write_formula(w, leaf);
		return;
	}
	vf_line(w, "/* %s: %s to %s */", vf_strategy_name(leaf->strategy),
	        vf_dtype_name(leaf->compute->formula.from, type[0], sizeof type[0]),
	        vf_dtype_name(leaf->compute->formula.to, type[1], sizeof type[1]));
}

/* Declares where the leaf reads: the stage, its source, or a constant, as a pointer that loops may move. */
static void declare_source(vf_writer *w, const vf_leaf *leaf)
{
	char from[VF_EXPRESSION_CHARS] = "stage", name[VF_EXPRESSION_CHARS];
	vf_stream *stream = &w->streams[leaf - w->plan->leaves];
	if (leaf->source < 0) {
		vf_write_pattern(w, "same", leaf, leaf->compute->from);
		snprintf(from, sizeof from, "same");
	} else if (!leaf->reads_stage) {
		vf_source_place(w, leaf, from);
	}
	*stream = (vf_stream){w->level++, 0, leaf->src};
	vf_line(w, "const unsigned char *%s = %s;", vf_stream_name(w, leaf, name), from);
}

/* Declares the pointers of operands that have a stage: they are read there. */
static void declare_operands(vf_writer *w, const vf_leaf *leaf)
{
	char name[VF_EXPRESSION_CHARS];
	for (int k = 0; k < leaf->compute->noperand; k++) {
		const vf_leaf *operand = &vf_operands(leaf)[k];
		if (leaf->compute->operand_at[k] < 0)
			continue;
		w->streams[operand - w->plan->leaves] = (vf_stream){w->level++, 0, 0};
		vf_line(w, "const unsigned char *%s = stage%d;", vf_stream_name(w, operand, name), k);
	}
}

/* Writes a leaf that computes. `node` is the node that computes, of which the leaf is a child; or NULL. */
static void write_apply(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place,
                        const vf_node *node)
{
	vf_leaf_range range = vf_leaf_with_operands(w, leaf);
	vf_stream kept[VF_PASS_OPERANDS + 1];
	vf_codelet_call call = vf_codelet_call_of(leaf);
	vf_pass pass;
	char src[VF_EXPRESSION_CHARS], next[VF_EXPRESSION_CHARS];
	int stop = leaf->nloop - leaf->ninner, indent = w->indent;
	memcpy(kept, w->streams + range.a, (size_t)(range.b - range.a) * sizeof *kept);
	vf_open_block(w);
	write_title(w, leaf);
	vf_declare_place(w, leaf, &place);
	declare_source(w, leaf);
	declare_operands(w, leaf);
	vf_pass_of(leaf, &pass);
	call.block.pass = &pass;
	if (node && node->nahead)
		vf_ask_ahead(node, &call.block);
	if (!w->standalone) {
		vf_write_pass(w, &pass);
		vf_write_block(w, "struct vf_block", "b", call.codelet, &call.block);
		vf_line(w, "struct vf_flow flow = {0, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};");
		if (vf_call_goes_to_places(w->plan, leaf))
			vf_line(w, "b.dst_at = to_place;");
		if (call.block.ahead_rows)
			vf_line(w, "flow.ahead = %s;", vf_asking_place(w, node, &node->ahead[0], 0, next));
	}
	for (int k = depth; k < stop; k++)
		vf_open_loop(w, range, k, &place);
	write_apply_call(w, leaf, place.dst, vf_stream_name(w, leaf, src));
	vf_close_to(w, indent);
	memcpy(w->streams + range.a, kept, (size_t)(range.b - range.a) * sizeof *kept);
}

void vf_write_apply(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place)
{
	write_apply(w, leaf, depth, place, NULL);
}

/* Writes a node that computes first: its stage holds results. */
static void write_first(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	const vf_node *apply = node->children, *mover = apply + 1;
	char name[VF_EXPRESSION_CHARS];
	vf_line(w, "unsigned char *stage = scratch; /* %lld bytes: what a block comes to */",
	        (long long)apply->leaf->compute->stage_bytes);
	write_apply(w, apply->leaf, apply->depth, (vf_out_pointer){"stage", apply->leaf->dst}, NULL);
	w->streams[mover->leaf - w->plan->leaves] = (vf_stream){w->level++, 0, 0};
	vf_line(w, "const unsigned char *%s = stage;", vf_stream_name(w, mover->leaf, name));
	vf_write_leaf(w, mover->leaf, mover->depth, place);
}

void vf_write_computed(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	const vf_node *apply = &node->children[node->nchild - 1];
	const vf_computation *c = apply->leaf->compute;
	if (!c) {
		write_first(w, node, place);
		return;
	}
	vf_line(w, "unsigned char *stage = scratch; /* %lld bytes: what a block reads, side by side */",
	        (long long)c->stage_bytes);
	for (const vf_node *gather = node->children; gather < apply; gather++) {
		const int k = vf_gathers_operand(apply->leaf, gather->leaf);
		vf_out_pointer to = {"stage", apply->leaf->dst};
		if (k < c->noperand) {
			snprintf(to.dst, sizeof to.dst, "stage%d", k % VF_PASS_OPERANDS);
			vf_line(w, "unsigned char *%s = scratch + %lld;", to.dst,
			        (long long)c->operand_at[k]);
		}
		vf_write_leaf(w, gather->leaf, gather->depth, to);
	}
	write_apply(w, apply->leaf, apply->depth, place, node);
}

/* ---- second values of a transposition in blocks ---- */

static int count_operands(const vf_leaf *leaf)
{
	return leaf->compute ? leaf->compute->noperand : 0;
}

void vf_write_second_rows(vf_writer *w, const vf_leaf *leaf)
{
	const vf_tiling *t = leaf->tiling;
	char name[64];
	for (int k = 0; k < count_operands(leaf); k++) {
		snprintf(name, sizeof name, "static const long long rows_of_v%d[]", k);
		if (t->second_at[k])
			vf_write_array(w, name, t->second_at[k], vf_whole_blocks(t->count_a, t->chunk_a));
	}
}

void vf_write_block_operands(vf_writer *w, const vf_leaf *leaf)
{
	const vf_tiling *t = leaf->tiling;
	char at[VF_EXPRESSION_CHARS], times[VF_EXPRESSION_CHARS];
	for (int k = 0; k < count_operands(leaf); k++) {
		vf_source_place(w, &vf_operands(leaf)[k], at);
		vf_line(w, w->standalone ? "const unsigned char *block_v%d = %s;" : "flow.operands[%d] = %s;",
		        k, at);
		if (t->second_at[k] && !w->standalone)
			vf_line(w, "flow.operand_at[%d] = rows_of_v%d%s;", k, k,
			        vf_times(times, leaf, t->loop_a, t->chunk_a));
	}
}

void vf_write_packed_elements(vf_writer *w, const vf_leaf *leaf, const char *first,
                              const vf_element_call *call)
{
	for (int k = 0; k < count_operands(leaf); k++)
		if (leaf->tiling->second_at[k])
			vf_line(w, "const unsigned char *v%d = block_v%d + rows_of_v%d[a%.80s];", k, k, k,
			        first);
		else
			vf_line(w, "const unsigned char *v%d = block_v%d;", k, k);
	vf_write_elements(w, leaf->tiling->pack.pass, &leaf->tiling->pack, call);
}
