/* print.c -- a plan as text: one root, loop, or leaf a line, indented by depth.
 *
 *     root: units 0..2047
 *       loop 2048 (dst 13456), staged: 13456 bytes
 *         rows: source 0+0 -> dst 236, 56 (dst 232, src 224) 224 (dst 1, src 1), unit 1
 *
 * Keeps  deterministic: numbers of the plan only
 */
#include "plan/compute.h"
#include "plan/strategy.h"

static void add_indent(vf_text *text, int level)
{
	vf_text_add(text, "%*s", 2 * level, "");
}

static void add_extent(vf_text *text, const vf_span *s)
{
	vf_text_add(text, "%lld", (long long)s->extent);
	if (s->tail != s->extent)
		vf_text_add(text, "|%lld", (long long)s->tail);
}

static void add_steps(vf_text *text, const vf_span *s)
{
	if (s->dst_list)
		vf_text_add(text, "(list %d,", s->dst_list);
	else if (s->dst == VF_PLACE_STEP)
		vf_text_add(text, "(next dst,");
	else
		vf_text_add(text, "(%lld,", (long long)s->dst);
	if (s->list)
		vf_text_add(text, "list %d)", s->list);
	else if (s->table)
		vf_text_add(text, "table)");
	else
		vf_text_add(text, "%lld)", (long long)s->src);
}

/* " [2 1 0] of 3": where a block's bytes come from; =00: a constant; 1+2: byte 2 of the second place. */
static void print_table(const vf_leaf *leaf, vf_text *text)
{
	for (int64_t k = 0; k < leaf->unit_bytes; k++) {
		int entry = leaf->table[k];
		vf_text_add(text, k ? " " : " [");
		if (entry >= 0x8000)
			vf_text_add(text, "=%02x", entry & 255);
		else if (entry > 255)
			vf_text_add(text, "%d+%d", entry >> 8, entry & 255);
		else
			vf_text_add(text, "%d", entry);
	}
	vf_text_add(text, "] of %lld", (long long)leaf->block_bytes);
}

static void print_tiling(const vf_tiling *t, vf_text *text)
{
	static const char *const manners[] = {"stored", "streamed", "carried", "joined"};
	vf_text_add(text, "; %lld by %lld units in blocks of %lld by %lld, %s", (long long)t->count_a,
	            (long long)t->count_b, (long long)t->chunk_a, (long long)t->chunk_b, manners[t->stream]);
	if (t->beside)
		vf_text_add(text, ", %lld rows of the source side by side", (long long)t->beside);
	if (t->paired)
		vf_text_add(text, ", line after line of a row");
	if (t->packs && t->pack_units > 1)
		vf_text_add(text, ", packed by pieces of %lld", (long long)t->pack_units);
	if (t->blanks)
		vf_text_add(text, ", %lld of them constant", (long long)t->nblank);
	if (t->pack_codelet == VF_CODELET_apply)
		vf_text_add(text,
		            t->fuses ? "; computed as it is read" : "; computed on the way to the pack");
}

static void print_leaf(const vf_leaf *leaf, int depth, int level, vf_text *text)
{
	add_indent(text, level);
	vf_text_add(text, "%s%s: ", vf_strategy_name(leaf->strategy), leaf->stream ? " (stream)" : "");
	if (leaf->source < 0) {
		vf_text_add(text, "0x");
		for (int64_t k = 0; k < leaf->fill_unit; k++)
			vf_text_add(text, "%02x", leaf->fill[k]);
	} else if (leaf->reads_stage && !leaf->compute) {
		vf_text_add(text, "the stage");
	} else {
		vf_text_add(text, "source %d%+lld", leaf->source, (long long)leaf->src);
	}
	if (leaf->strategy == VF_APPLY && leaf->compute->staged)
		vf_text_add(text,
		            leaf->compute->first ? " -> a stage of %lld bytes, as"
		                                 : ", by a stage of %lld bytes,",
		            (long long)leaf->compute->stage_bytes);
	vf_text_add(text, " -> dst%+lld, unit %lld", (long long)leaf->dst, (long long)leaf->unit_bytes);
	for (int k = depth; k < leaf->nloop; k++) {
		if (leaf->loops[k].extent == 1 && k < leaf->nloop - leaf->ninner)
			continue;
		vf_text_add(text, k == leaf->nloop - leaf->ninner ? " | " : " ");
		add_extent(text, &leaf->loops[k]);
		add_steps(text, &leaf->loops[k]);
	}
	if (leaf->strategy == VF_APPLY && leaf->compute->beside && leaf->compute->group)
		vf_text_add(text, ", rows by %lld(%lld,%lld)", (long long)leaf->compute->group,
		            (long long)leaf->compute->dst_group, (long long)leaf->compute->src_group);
	if (leaf->table)
		print_table(leaf, text);
	if (leaf->tiling)
		print_tiling(leaf->tiling, text);
	vf_text_add(text, "\n");
}

static void print_parting(const vf_node *node, vf_text *text)
{
	const vf_parting *r = node->parting;
	const vf_block *b = &r->block;
	if (r->codelet == VF_CODELET_weave)
		vf_text_add(text,
		            " woven, %lld times %lld|%lld bytes at %+lld in rows of %lld, of %lld boxes each",
		            (long long)b->rows, (long long)b->n, (long long)r->tail,
		            (long long)node->stage_lo, (long long)b->unit, (long long)b->planes);
	else
		vf_text_add(text, " streamed, %lld|%lld rows of %lld bytes at %+lld, of %d part%s each",
		            (long long)b->rows, (long long)r->tail, (long long)b->n,
		            (long long)node->stage_lo, r->n, r->n == 1 ? "" : "s");
}

/* What puts planes, or one plane several times, together to dst. */
static void print_pixels(const vf_placing *placing, vf_text *text)
{
	const vf_block *b = &placing->block;
	if (placing->whole) {
		vf_text_add(text, ", whole windows of %lld bytes, of %lld planes", (long long)b->unit,
		            (long long)b->planes);
		return;
	}
	const int64_t unit = b->table ? b->src_block : b->unit, count = b->table ? b->unit / unit : b->planes;
	vf_text_add(text, ", %s of %lld units of %lld bytes",
	            b->stride || (b->table && b->planes > 1) ? "windows" : "repeats", (long long)count,
	            (long long)unit);
}

static void print_node(const vf_node *node, int level, vf_text *text)
{
	if (node->leaf) {
		print_leaf(node->leaf, node->depth, level, text);
		return;
	}
	for (int k = 0; k < node->nloop; k++) {
		if (node->loops[k].extent == 1 && (k < node->nloop - 1 || !(node->staged || node->parting)))
			continue;
		add_indent(text, level++);
		vf_text_add(text, "loop ");
		add_extent(text, &node->loops[k]);
		vf_text_add(text, "(%lld)", (long long)node->loops[k].dst);
		if (node->staged && k == node->nloop - 1)
			vf_text_add(text, " staged %lld|%lld bytes at %+lld", (long long)node->stage_bytes,
			            (long long)node->stage_tail, (long long)node->stage_lo);
		if (node->staged && k == node->nloop - 1 && node->stage_rows > 1)
			vf_text_add(text, ", %lld times (%lld,%lld)", (long long)node->stage_rows,
			            (long long)node->stage_dst_step, (long long)node->stage_src_step);
		if (node->again && k == node->nloop - 1)
			vf_text_add(text, ", leaving %lld times (%lld%s)", (long long)node->again,
			            (long long)node->again_dst, node->again_at ? ",table" : "");
		if (vf_has_stage(node) && node->placing && k == node->nloop - 1)
			vf_text_add(text, ", put together from %lld planes by blocks of %lld bytes",
			            (long long)node->placing->block.planes,
			            (long long)node->placing->block.unit);
		else if (node->placing && k == node->nloop - 1)
			print_pixels(node->placing, text);
		if (node->parting && k == node->nloop - 1)
			print_parting(node, text);
		for (int j = 0; j < node->nahead && k == node->nloop - 1; j++)
			vf_text_add(text, "%s %lld times %lld", j ? "," : ", reading ahead",
			            (long long)(node->ahead[j].parts * node->ahead[j].rows),
			            (long long)node->ahead[j].bytes);
		vf_text_add(text, "\n");
	}
	if (node->parting && node->nloop == 0) {
		add_indent(text, level++);
		vf_text_add(text, "band");
		print_parting(node, text);
		vf_text_add(text, "\n");
	}
	for (int k = 0; k < node->nchild; k++)
		print_node(&node->children[k], level, text);
}

void vf_plan_print(const vf_plan *plan, vf_text *text)
{
	vf_text_add(text, "plan: %s\n", plan->reason);
	for (int k = 0; k < plan->nroot; k++) {
		const vf_node *root = &plan->roots[k];
		vf_text_add(text, "root: units %lld to %lld\n", (long long)root->first_unit,
		            (long long)(root->first_unit + root->units));
		print_node(root, 1, text);
	}
}

/* ---- what was weighed ---- */

static void print_candidates(const vf_leaf *leaf, vf_text *text)
{
	vf_weighing c = {.of = "strategy, in picoseconds a byte with data in cache"};
	for (int k = 0; k < VF_STRATEGIES; k++)
		vf_weigh(&c, vf_strategy_name((vf_strategy)k), leaf->costs[k]);
	if (c.among[c.won].cost > 0)
		vf_weighing_print(&c, text);
	if (vf_has_rows(leaf) && leaf->stream) {
		const vf_codelet_call call = vf_codelet_call_of(leaf);
		c = vf_weigh_rows(leaf, &call);
		vf_weighing_print(&c, text);
	}
	vf_weighing_print(leaf->weighed, text);
}

void vf_plan_print_candidates(const vf_plan *plan, vf_text *text)
{
	enum { MOST = 8 };
	vf_text_add(text, "estimate: %.1f ps a byte\n", vf_plan_estimate(plan) / (double)plan->out_bytes);
	vf_text_add(text, "candidates, in times of the fastest copy where nothing else is said:\n");
	for (int k = 0; k < plan->nleaf && k < MOST; k++) {
		vf_text_add(text, "  dst%+lld\n", (long long)plan->leaves[k].dst);
		print_candidates(&plan->leaves[k], text);
	}
	if (plan->nleaf > MOST)
		vf_text_add(text, "  and of %d leaves more\n", plan->nleaf - MOST);
}
