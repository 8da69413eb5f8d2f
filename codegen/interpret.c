/* interpret.c -- walk a plan's forest and call the codelets.
 *
 * In     a plan, pointers, a range of units
 * Out    the bytes that the generated text would have written
 * Keeps  no state but its stack, so any number of threads may run it at once. It recurses as deep as the
 *        forest and the loops left in a leaf
 * Tests  tests/property/test_moves.c
 */
#include "codegen/interpret.h"

#include "codegen/leave.h"
#include "plan/compute.h"
#include "plan/strategy.h"

/* The state of a walk. at[k] is the present index of loop k. */
typedef struct walk {
	const vf_codelets *codelets;
	const unsigned char *const *sources;
	unsigned char *scratch;
	const vf_plan *plan;
	int64_t places[VF_MOST_PLACES]; /* bytes from the first destination to each */
	int unit_loops;                 /* of the root that runs */
	int64_t unit, from, stop; /* counted in the root: the unit that runs, and the range of this call */
	int64_t at[512];
} walk;

/* Where a leaf writes and reads at the present indices of its loops. */
typedef struct spot {
	unsigned char *dst;
	const unsigned char *src;
} spot;

/* ---- several destinations ---- */

static void find_places(walk *w, const unsigned char *dst)
{
	const int n = w->plan->nplace;
	w->places[0] = 0;
	for (int k = 1; k < n; k++)
		w->places[k] = (int64_t)((uintptr_t)w->sources[w->plan->nsource - n + k] - (uintptr_t)dst);
}

/* ---- loops ---- */

/* Returns the list of loop k, from where the loop begins in it. `loops` are those of a leaf or of a node. */
static const int64_t *list_at(const walk *w, const vf_span *loops, int k, int number)
{
	const int64_t *list = (const int64_t *)(const void *)w->sources[w->plan->nsource + number - 1];
	const vf_span *s = &loops[k];
	return s->goes_on ? list + w->at[k - 1 - s->back] * s->extent : list;
}

/* Bytes from index 0 of loop k to index i: in the destination, and in the source. */
static int64_t step_dst(const walk *w, const vf_span *loops, int k, int64_t i)
{
	const vf_span *s = &loops[k];
	if (s->dst_list)
		return list_at(w, loops, k, s->dst_list)[i];
	return vf_goes_to_places(w->plan, s) ? w->places[i] : i * s->dst;
}

static int64_t step_src(const walk *w, const vf_span *loops, int k, int64_t i)
{
	const vf_span *s = &loops[k];
	return s->list ? list_at(w, loops, k, s->list)[i] : vf_span_src(s, i);
}

/* ---- leaves ---- */

static int64_t extent_of(const walk *w, const vf_leaf *leaf, int k)
{
	const vf_span *s = &leaf->loops[k];
	int chunk = k - 1 - s->back;
	return vf_is_cut(s) && w->at[chunk] == leaf->loops[chunk].extent - 1 ? s->tail : s->extent;
}

/* Finds where the next block of a blocked leaf reads, as the text does. */
static void look_ahead(const walk *w, const vf_leaf *leaf, const unsigned char *src, vf_flow *flow)
{
	const vf_tiling *t = leaf->tiling;
	vf_turn turns[VF_MOST_TURNS];
	const int n = vf_turns_of_blocks(leaf, turns);
	int k = 0;
	if (n == 0)
		return;
	while (k < n - 1 && w->at[turns[k].loop] == turns[k].last)
		k++;
	flow->ahead = (const unsigned char *)((uintptr_t)src + (uintptr_t)turns[k].step);
	if (!t->src_at)
		return;
	int64_t a = w->at[t->loop_a];
	if (t->loop_a > turns[k].loop)
		a = 0;
	else if (t->loop_a == turns[k].loop)
		a = a < turns[k].last ? a + 1 : 0;
	flow->ahead_at = t->src_at + a * t->chunk_a;
}

static void row_state(const walk *w, const vf_leaf *leaf, vf_flow *flow)
{
	const vf_tiling *t = leaf->tiling;
	int64_t a = w->at[t->loop_a], last = leaf->loops[t->loop_a].extent - 1;
	flow->first = a == 0;
	flow->more = a == last ? 0 : t->count_a - (a + 1) * t->chunk_a;
	for (int k = t->loop_a + 1; k < leaf->nloop - leaf->ninner; k++)
		flow->carry += w->at[k] * vf_carry_step(leaf, k);
	flow->heads = t->heads_at ? flow->carry + t->heads_at : NULL;
	if (t->stream != VF_CARRY || t->loop_a >= w->unit_loops)
		return;
	if (w->unit - a < w->from || w->unit - a + last >= w->stop)
		flow->heads = NULL;
	flow->first = flow->first || w->unit == w->from;
	flow->more = a == last || w->unit + 1 == w->stop ? 0 : 1;
}

/* How many rows of A the block reads: its own, and with VF_LINES those that fill its last line. */
static int64_t packed_rows(const vf_leaf *leaf, const vf_block *b, const unsigned char *dst, int64_t more)
{
	if (leaf->tiling->stream != VF_LINES)
		return b->n;
	int64_t rows = (int64_t)(-(uintptr_t)(dst + b->n * b->unit) & 63) / b->unit;
	return b->n + (rows < more ? rows : more);
}

/* Returns the offsets of a block's rows. For rows that are constants, fills a row in scratch, and gives them
 * its offset. */
static const int64_t *rows_of_block(const walk *w, const vf_leaf *leaf, const unsigned char *src)
{
	const vf_tiling *t = leaf->tiling;
	const int64_t a = w->at[t->loop_a], first = a * t->chunk_a, rows = vf_block_rows(t, leaf->unit_bytes);
	unsigned char *blank = w->scratch + t->blank_at;
	int64_t *at = (int64_t *)(void *)(w->scratch + t->rows_at);
	const vf_block fill = {.rows = 1, .n = t->blank_bytes / leaf->fill_unit, .unit = leaf->fill_unit};
	if (!t->blanks)
		return t->src_at + first;
	w->codelets->of[VF_CODELET_fill](&fill, blank, leaf->fill, NULL);
	memcpy(at, t->src_at + first, (size_t)rows * sizeof *at);
	for (const int64_t *k = t->blanks + t->first_blank[a]; *k < first + rows; k++)
		at[*k - first] = (int64_t)((uintptr_t)blank - (uintptr_t)src);
	return at;
}

/* Packs: brings the `rows` rows that the block reads side by side into scratch. */
static const unsigned char *pack(const walk *w, const vf_leaf *leaf, const vf_block *b, int64_t rows,
                                 const unsigned char *src, vf_flow *flow)
{
	const vf_tiling *t = leaf->tiling;
	vf_codelet *codelet = w->codelets->of[t->pack_codelet];
	unsigned char *to = w->scratch + t->pack_at;
	vf_block p = t->pack;
	p.n = b->rows / t->pack_units;
	p.rows = rows;
	const int64_t *at = t->src_at ? rows_of_block(w, leaf, src) : NULL;
	if (!at || t->pack_codelet == VF_CODELET_apply) {
		p.src_at = at ? at : p.src_at;
		codelet(&p, to, src, flow);
		return to;
	}
	for (int64_t a = 0; a < rows; a += p.rows) {
		p.rows = rows - a < t->pack.rows ? rows - a : t->pack.rows;
		codelet(&p, to + a * p.dst_step, src + at[a], NULL);
	}
	return to;
}

static const unsigned char *operand_at(const walk *w, const vf_leaf *leaf, int number);

static void run_blocked(const walk *w, const vf_leaf *leaf, vf_block *b, spot at)
{
	const vf_tiling *t = leaf->tiling;
	vf_flow flow = {.carry = w->scratch, .stage_bytes = t->stage_bytes};
	const bool packs = t->packs && !t->fuses;
	b->src_at = t->src_at && !packs ? rows_of_block(w, leaf, at.src) : NULL;
	b->dst_at = t->dst_at ? t->dst_at + w->at[t->loop_b] * t->chunk_b : NULL;
	if (t->ahead_into)
		look_ahead(w, leaf, at.src, &flow);
	row_state(w, leaf, &flow);
	for (int k = 0; leaf->compute && k < leaf->compute->noperand; k++) {
		flow.operands[k] = operand_at(w, leaf, k);
		flow.operand_at[k] = t->second_at[k] ? t->second_at[k] + w->at[t->loop_a] * t->chunk_a : NULL;
	}
	if (t->stage_bytes)
		flow.stage = w->scratch + t->stage_at;
	const unsigned char *src = at.src;
	if (packs)
		src = pack(w, leaf, b, packed_rows(leaf, b, at.dst, flow.more), src, &flow);
	w->codelets->of[VF_CODELET_transpose](b, at.dst, src, &flow);
}

static void set_lists(const walk *w, const vf_leaf *leaf, vf_block *b)
{
	const int line = leaf->nloop - 1;
	const vf_span *s = &leaf->loops[line];
	b->src_at = s->list ? list_at(w, leaf->loops, line, s->list) : NULL;
	b->dst_at = s->dst_list ? list_at(w, leaf->loops, line, s->dst_list) : NULL;
}

static const unsigned char *operand_at(const walk *w, const vf_leaf *leaf, int number)
{
	const vf_leaf *operand = &vf_operands(leaf)[number];
	const int64_t stage = leaf->compute->operand_at[number];
	const int nloop = leaf->nloop - leaf->ninner;
	const unsigned char *at = stage < 0 ? w->sources[operand->source] + operand->src : w->scratch + stage;
	for (int k = 0; k < nloop; k++)
		at += w->at[k] * operand->loops[k].src;
	return at;
}

/* What is the same for all calls of a leaf. The last two fields are set only if it computes. */
typedef struct calling {
	const vf_leaf *leaf;
	vf_codelet_call call;
	vf_pass pass;
	const unsigned char *ahead;
} calling;

static void run_apply(const walk *w, const calling *c, const vf_block *b, spot at)
{
	vf_flow flow = {.ahead = c->ahead};
	for (int k = 0; k < c->pass.noperand; k++)
		flow.operands[k] = operand_at(w, c->leaf, k);
	w->codelets->of[VF_CODELET_apply](b, at.dst, at.src, &flow);
}

static void run_call(const walk *w, const calling *c, spot at)
{
	const vf_leaf *leaf = c->leaf;
	const vf_codelet_call *call = &c->call;
	vf_block b = call->block;
	int64_t places[16];
	if (call->rows_loop >= 0)
		b.rows = extent_of(w, leaf, call->rows_loop);
	if (call->sets_loop >= 0)
		b.planes = extent_of(w, leaf, call->sets_loop);
	if (call->n_loop >= 0)
		b.n = extent_of(w, leaf, call->n_loop) *
		      (call->codelet == VF_CODELET_copy ? leaf->unit_bytes : 1);
	if (leaf->tiling) {
		run_blocked(w, leaf, &b, at);
		return;
	}
	for (int k = 0; leaf->table && k < leaf->nstream; k++) {
		uintptr_t there = (uintptr_t)w->sources[leaf->stream_source[k]],
			  here = (uintptr_t)w->sources[leaf->source];
		places[k] = leaf->stream_at[k] + (int64_t)(there - here);
	}
	if (leaf->table)
		b.src_at = places;
	if (vf_call_goes_to_places(w->plan, leaf))
		b.dst_at = w->places;
	if (leaf->strategy == VF_INDEX)
		set_lists(w, leaf, &b);
	if (leaf->strategy == VF_APPLY)
		run_apply(w, c, &b, at);
	else
		w->codelets->of[call->codelet](&b, at.dst, at.src, NULL);
}

/* Runs the loops of a leaf that its call does not take. */
static void run_loops(walk *w, const calling *c, int depth, spot at)
{
	const vf_leaf *leaf = c->leaf;
	if (depth == leaf->nloop - leaf->ninner) {
		run_call(w, c, at);
		return;
	}
	int64_t extent = extent_of(w, leaf, depth);
	for (int64_t k = 0; k < extent; k++) {
		w->at[depth] = k;
		run_loops(w, c, depth + 1,
		          (spot){at.dst + step_dst(w, leaf->loops, depth, k),
		                 at.src + step_src(w, leaf->loops, depth, k)});
	}
}

/* Where what is asked for lies. That may be outside the source, so the address is computed as a number, not
 * by pointer arithmetic. */
static const unsigned char *next_of(const walk *w, const vf_node *node, const vf_asking *a)
{
	uintptr_t next = (uintptr_t)w->sources[a->leaf->source] + (uintptr_t)a->src;
	for (int j = 0; j < node->depth + node->nloop; j++)
		next += (uintptr_t)step_src(w, a->leaf->loops, j, w->at[j]);
	if (a->turn)
		next += (uintptr_t)(w->at[node->depth + node->nloop - 1] * a->turn);
	return (const unsigned char *)next;
}

/* Runs a leaf that computes. `from` is the node whose child it is, which asks for the next block; or NULL. */
static void run_computed(walk *w, const vf_node *node, const vf_node *from, spot at)
{
	calling c = {.leaf = node->leaf, .call = vf_codelet_call_of(node->leaf)};
	vf_pass_of(node->leaf, &c.pass);
	c.call.block.pass = &c.pass;
	if (from && from->nahead) {
		vf_ask_ahead(from, &c.call.block);
		c.ahead = next_of(w, from, &from->ahead[0]);
	}
	run_loops(w, &c, node->depth, at);
}

static void run_leaf(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	const vf_leaf *leaf = node->leaf;
	const unsigned char *src = leaf->source < 0    ? leaf->fill
	                           : leaf->reads_stage ? w->scratch
	                                               : w->sources[leaf->source] + leaf->src;
	for (int k = 0; k < node->depth; k++)
		src += step_src(w, leaf->loops, k, w->at[k]);
	spot at = {dst + (leaf->dst - lo), src};
	if (leaf->strategy == VF_APPLY) {
		run_computed(w, node, NULL, at);
		return;
	}
	calling c; /* its pass is not set: it is large */
	c.leaf = leaf;
	c.call = vf_codelet_call_of(leaf);
	run_loops(w, &c, node->depth, at);
}

/* ---- nodes ---- */

static void run_node(walk *w, const vf_node *node, unsigned char *dst, int64_t lo);

static void run_children(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	for (int k = 0; k < node->nchild; k++)
		run_node(w, &node->children[k], dst, lo);
}

static void run_leaving(const walk *w, const vf_node *node, int64_t k, spot at, int64_t bytes)
{
	vf_leaving l = vf_leaving_of(node, k);
	vf_flow flow = {0};
	if (vf_leaves_to_places(w->plan, node))
		l.dst = w->places[k];
	l.block.n = l.take ? l.take : bytes - l.taken;
	if (l.asking)
		flow.ahead = (const unsigned char *)((uintptr_t)next_of(w, node, l.asking) +
		                                     (uintptr_t)l.next);
	w->codelets->of[VF_CODELET_leave](&l.block, at.dst + l.dst, at.src + l.src, l.asking ? &flow : NULL);
}

/* Runs the children into the planes, then puts the planes together in the stage. */
static void run_placing(walk *w, const vf_node *node, unsigned char *stage, bool last)
{
	unsigned char *planes = w->scratch + node->placing->at;
	vf_block b = node->placing->block;
	run_children(w, node, planes, 0);
	b.n = last ? node->placing->tail : b.n;
	w->codelets->of[node->placing->codelet](&b, stage, planes, NULL);
}

/* Returns where a leaf reads at the present indices of its loops 0 to depth - 1. */
static uintptr_t source_at(const walk *w, const vf_leaf *leaf, int depth)
{
	uintptr_t at = (uintptr_t)(leaf->source < 0 ? leaf->fill : w->sources[leaf->source]);
	for (int k = 0; k < depth && leaf->source >= 0; k++)
		at += (uintptr_t)step_src(w, leaf->loops, k, w->at[k]);
	return at;
}

/* The codelet counts places from dst. */
static void run_parting(const walk *w, const vf_node *node, unsigned char *place, bool last)
{
	const vf_parting *r = node->parting;
	int64_t places[VF_MOST_PARTS];
	for (int k = 0; k < r->n; k++) {
		const vf_part *part = &r->parts[k];
		const vf_leaf *leaf = &w->plan->leaves[part->leaf];
		uintptr_t at = source_at(w, leaf, node->depth + node->nloop) + (uintptr_t)part->src;
		places[k] = (int64_t)(at - (uintptr_t)place);
	}
	vf_block b = vf_parting_block(r, last);
	b.src_at = places;
	const bool weaves = r->codelet == VF_CODELET_weave;
	vf_flow flow = {.first = (weaves || r->begins) && w->unit == w->from,
	                .more = r->goes_on && !(r->ends && w->unit + 1 == w->stop),
	                .carry = w->scratch};
	w->codelets->of[r->codelet](&b, place, place, weaves || r->goes_on ? &flow : NULL);
}

/* Brings what is read into the stages, then runs what computes it. */
static void run_computing(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	const vf_node *apply = &node->children[node->nchild - 1];
	const vf_computation *c = apply->leaf->compute;
	if (!c) {
		run_node(w, node->children, w->scratch, node->children->leaf->dst);
		run_node(w, apply, dst, lo);
		return;
	}
	for (const vf_node *gather = node->children; gather < apply; gather++) {
		const int k = vf_gathers_operand(apply->leaf, gather->leaf);
		run_node(w, gather, w->scratch + (k < c->noperand ? c->operand_at[k] : 0), apply->leaf->dst);
	}
	run_computed(w, apply, node, (spot){dst + (apply->leaf->dst - lo), w->scratch});
}

/* Runs one index of a node's loops. Leaves write at dst - lo + leaf->dst. */
static void run_body(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	if (node->computes) {
		run_computing(w, node, dst, lo);
		return;
	}
	if (!node->staged && !node->parting) {
		run_children(w, node, dst, lo);
		return;
	}
	const int chunks = vf_chunks_of(node);
	bool last = chunks < 0 || w->at[node->depth + chunks] == node->loops[chunks].extent - 1;
	unsigned char *place = dst + (node->stage_lo - lo);
	if (node->parting) {
		run_parting(w, node, place, last);
		return;
	}
	unsigned char *stage = vf_has_stage(node) ? w->scratch + ((uintptr_t)place & 63) : place;
	int64_t bytes = last ? node->stage_tail : node->stage_bytes;
	if (node->placing)
		run_placing(w, node, stage, last);
	else
		run_children(w, node, stage, node->stage_lo);
	for (int64_t k = 0; vf_has_stage(node) && k < vf_leavings(node); k++)
		run_leaving(w, node, k, (spot){place, stage}, bytes);
}

static void run_node_loops(walk *w, const vf_node *node, int k, unsigned char *dst, int64_t lo)
{
	if (k == node->nloop) {
		run_body(w, node, dst, lo);
		return;
	}
	for (int64_t i = 0; i < node->loops[k].extent; i++) {
		w->at[node->depth + k] = i;
		run_node_loops(w, node, k + 1,
		               dst + step_dst(w, node->loops - node->depth, node->depth + k, i), lo);
	}
}

static void run_node(walk *w, const vf_node *node, unsigned char *dst, int64_t lo)
{
	if (node->leaf)
		run_leaf(w, node, dst, lo);
	else
		run_node_loops(w, node, 0, dst, lo);
}

/* Runs one unit of a root. The indices of the root's loops are the digits of the unit's number. */
static void run_unit(walk *w, const vf_node *root, unsigned char *dst)
{
	int64_t unit = w->unit;
	for (int k = root->nloop - 1; k >= 0; k--) {
		w->at[k] = unit % root->loops[k].extent;
		unit /= root->loops[k].extent;
	}
	for (int k = 0; k < root->nloop; k++)
		dst += step_dst(w, root->loops, k, w->at[k]);
	run_body(w, root, dst, 0);
}

void vf_interpret(const vf_plan *plan, const vf_codelets *codelets, unsigned char *dst,
                  const unsigned char *const *sources, unsigned char *scratch, vf_units units)
{
	walk w;
	w.codelets = codelets;
	w.sources = sources;
	w.scratch = scratch;
	w.plan = plan;
	find_places(&w, dst);
	for (int k = 0; k < plan->nroot; k++) {
		const vf_node *root = &plan->roots[k];
		int64_t past = root->first_unit + root->units;
		w.unit_loops = root->nloop;
		w.from = units.begin > root->first_unit ? units.begin - root->first_unit : 0;
		w.stop = (units.end < past ? units.end : past) - root->first_unit;
		for (w.unit = w.from; w.unit < w.stop; w.unit++)
			run_unit(&w, root, dst);
	}
}
