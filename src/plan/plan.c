/* plan.c -- a normal job to a plan: one leaf a piece, then the forest over them.
 *
 * In     a job in normal form (normal.h), what the machine is
 * Out    a plan, all of it in one arena
 * Keeps  each byte's source; nothing else is promised of the order but that units ascend with dst
 *        as far as the pieces allow
 * Tests  tests/unit/test_plan.c, tests/property/test_moves.c
 */
#include "plan/plan.h"

#include "plan/compute.h"
#include "plan/group.h"
#include "plan/join.h"
#include "plan/margins.h"
#include "plan/peel.h"
#include "plan/strategy.h"
#include "plan/tree.h"

#include <stdlib.h>
#include <string.h>

vf_machine vf_machine_read(void)
{
	vf_machine machine = {.cpu = vf_cpu_read()};
	machine.piece_bytes = machine.cpu.l1_bytes / 2;
	if (machine.piece_bytes > 32 << 10)
		machine.piece_bytes = 32 << 10;
	machine.stage_bytes = 1 << 10;
	machine.staged_bytes = 16 << 10;
	machine.chunk_bytes = 64 << 10;
	/* Not l3_bytes alone: a virtual machine is told of a whole socket's cache and has a slice of it. */
	machine.stream_bytes = machine.cpu.l3_bytes / 2;
	if (machine.stream_bytes > 2 * machine.cpu.l2_bytes)
		machine.stream_bytes = 2 * machine.cpu.l2_bytes;
	return machine;
}

/* ---- leaves ---- */

static bool read_leaf(vf_plan *plan, vf_leaf *leaf, const int64_t *words)
{
	leaf->source = (int)words[VF_PIECE_SOURCE];
	leaf->dst = words[VF_PIECE_DST];
	leaf->src = words[VF_PIECE_SRC];
	leaf->unit_bytes = words[VF_PIECE_RUN_BYTES];
	leaf->nloop = (int)words[VF_PIECE_LOOPS];
	leaf->capacity = leaf->nloop + VF_LEAF_SPARE;
	leaf->loops = vf_arena_alloc(&plan->arena, leaf->capacity, sizeof *leaf->loops);
	if (!leaf->loops)
		return false;
	memcpy(leaf->fill, words + VF_PIECE_FILL, sizeof leaf->fill);
	leaf->fill_unit = vf_fill_period(leaf->fill, plan->elem_bytes);
	const int64_t *loop = vf_piece_loops(words);
	for (int64_t k = leaf->fill_unit; k < (int64_t)sizeof leaf->fill; k++)
		leaf->fill[k] = leaf->fill[k - leaf->fill_unit];
	for (int k = 0; k < leaf->nloop; k++, loop += VF_NORMAL_LOOP) {
		leaf->loops[k] = vf_plain_span(loop[0], loop[1], loop[2]);
		leaf->loops[k].list = vf_normal_list(loop[3]);
		leaf->loops[k].dst_list = vf_normal_dst_list(loop[3]);
	}
	return true;
}

static int by_dst(const void *a, const void *b)
{
	const vf_leaf *const *x = a, *const *y = b;
	return ((*x)->dst > (*y)->dst) - ((*x)->dst < (*y)->dst);
}

/* No two leaves write one byte, so no two dst are alike and the order is the only one. The leaves of a piece
 * stay together. */
static bool sort_leaves(vf_plan *plan, int npiece)
{
	vf_leaf *sorted = vf_arena_alloc(&plan->arena, plan->nleaf, sizeof *sorted), *to = sorted;
	vf_leaf **first = vf_arena_alloc(&plan->arena, npiece, sizeof *first), *leaf = plan->leaves;
	if (!sorted || !first)
		return false;
	for (int k = 0; k < npiece; k++, leaf += vf_leaves_of_piece(leaf))
		first[k] = leaf;
	qsort(first, (size_t)npiece, sizeof *first, by_dst);
	for (int k = 0; k < npiece; k++) {
		const int n = vf_leaves_of_piece(first[k]);
		memcpy(to, first[k], (size_t)n * sizeof *to);
		to += n;
	}
	plan->leaves = sorted;
	return true;
}

static bool read_leaves(vf_plan *plan, const vf_normal *normal, const vf_machine *machine)
{
	const int64_t *words = normal->words + VF_NORMAL_HEAD, *end = normal->words + normal->nword;
	int npiece = (int)normal->words[VF_NORMAL_PIECES];
	plan->elem_bytes = normal->words[VF_NORMAL_ELEM_BYTES];
	plan->nsource = (int)normal->words[VF_NORMAL_SOURCES];
	plan->nplace = (int)normal->words[VF_NORMAL_DESTINATIONS];
	plan->nlist = (int)normal->words[VF_NORMAL_LISTS];
	for (const int64_t *piece = words; piece < end; piece += vf_normal_piece_words(piece))
		plan->nleaf += vf_computed_leaves(piece);
	plan->leaves = vf_arena_alloc(&plan->arena, plan->nleaf, sizeof *plan->leaves);
	if (!plan->leaves)
		return false;
	for (vf_leaf *leaf = plan->leaves; words < end; words += vf_normal_piece_words(words)) {
		bool read = vf_piece_computes(words) ? vf_computed_read(plan, leaf, words)
		                                     : read_leaf(plan, leaf, words);
		if (!read)
			return false;
		plan->computes = plan->computes || leaf->piece_leaves;
		plan->out_bytes += vf_leaf_bytes(leaf, 0, false);
		leaf += vf_computed_leaves(words);
	}
	plan->result_bytes = plan->out_bytes * normal->words[VF_NORMAL_TIMES];
	plan->reads_memory = normal->words[VF_NORMAL_READS_MEMORY];
	for (int k = 0; k < plan->nleaf; k++)
		plan->leaves[k].wide = machine->wide;
	return npiece < 2 || sort_leaves(plan, npiece);
}

/* ---- the plan's words for itself ---- */

/* "rows+fill": each strategy once, in the order of the leaves. */
static bool name_strategies(vf_plan *plan)
{
	char *name = vf_arena_alloc(&plan->arena, 16 * VF_STRATEGIES, 1);
	if (!name)
		return false;
	unsigned seen = 0;
	for (int k = 0; k < plan->nleaf; k++) {
		vf_strategy strategy = plan->leaves[k].strategy;
		if (plan->leaves[k].only_reads || seen & 1u << strategy)
			continue;
		if (seen)
			strcat(name, "+");
		strcat(name, vf_strategy_name(strategy));
		seen |= 1u << strategy;
	}
	plan->strategy = name;
	return true;
}

/* Results go past the cache from a size on; transpositions from a quarter of it, which is where source and
 * result no longer fit the second cache together: blocks that ask ahead are then worth more than lines that
 * stay (Zen 4, of the fastest copy: f32 512 x 512 cold 0.21 to 0.58, warm 0.15 to 0.45; u8 1000 x 1000 cold
 * 0.16 to 0.36, warm 0.13 to 0.33). Where registers are narrower than a line, that is hardly a gain, and
 * lines that stay are worth two to three times as much (Zen 3, past the cache and stored: f32 500 x 700 cold
 * 0.34, 0.36, warm 0.30, 0.79; f32 512 x 512 cold 0.40, 0.29, warm 0.27, 0.56). But what computes there goes
 * by a stage in the caches, which takes longer (Zen 4 by AVX2, 12 shapes of up to 2 MB, stored and past the
 * cache: cold 0.17 and 0.30, warm 0.24 and 0.27; f32 500 x 2000 to f16 cold 0.04 and 0.28, warm 0.05 and
 * 0.19). Rows that compute and go in another order are transpositions here, too (Zen 4, f32 heads of 64 to
 * 1.2 MB of bf16: cold 0.21 to 0.65, warm 0.36 to 0.41). Units with gaps go past the caches from five eighths
 * on (Zen 4, five shapes of 1.38 to 1.66 MB, cold, 0.34 and 0.73, AVX2 0.33 and 0.70; two of 1.1 MB 0.85 and
 * 0.58). */
static int64_t least_streamed(const vf_plan *plan, const vf_machine *machine)
{
	enum { CROSSING = 4 };
	int64_t least = machine->stream_bytes;
	const bool narrow = vf_is_narrow(machine);
	for (int k = 0; k < plan->nleaf; k++) {
		const vf_leaf *leaf = &plan->leaves[k];
		const bool crosses = vf_leaf_crosses(leaf, 0);
		if (narrow ? crosses && leaf->compute : crosses || vf_computed_crosses(leaf))
			return machine->stream_bytes / CROSSING;
		if (machine->lines && vf_gapped_line(leaf, 0) >= 0)
			least = machine->stream_bytes / 8 * 5;
	}
	return least;
}

static bool tell_reason(vf_plan *plan, int64_t streamed_from)
{
	vf_text text;
	vf_text_init(&text, plan->arena.ctx);
	vf_text_add(&text, "%s: %lld bytes in %lld units", plan->strategy, (long long)plan->out_bytes,
	            (long long)plan->units);
	if (plan->streams)
		vf_text_add(&text, ", streamed past the cache (from %lld bytes on)",
		            (long long)streamed_from);
	if (plan->scratch_bytes)
		vf_text_add(&text, ", staged in %lld bytes", (long long)plan->scratch_bytes);
	char *line = text.failed ? NULL : vf_arena_alloc(&plan->arena, (int64_t)text.length + 1, 1);
	if (line)
		memcpy(line, text.bytes, text.length);
	vf_text_drop(&text);
	plan->reason = line;
	return line != NULL;
}

/* ---- entry ---- */

static void number_units(vf_plan *plan)
{
	for (int k = 0; k < plan->nroot; k++) {
		vf_node *root = &plan->roots[k];
		root->first_unit = plan->units;
		root->units = 1;
		for (int j = 0; j < root->nloop; j++)
			root->units *= root->loops[j].extent;
		plan->units += root->units;
	}
}

/* `as_they_are`: leaves are not rewritten as rows with tables and margins. */
static vf_plan *make_plan(vf_context *ctx, const vf_normal *normal, const vf_machine *machine,
                          bool as_they_are)
{
	vf_plan *plan = vf_alloc_zero(ctx, sizeof *plan);
	if (!plan)
		return NULL;
	vf_arena_init(&plan->arena, ctx);
	vf_planner planner = {.ctx = ctx, .plan = plan, .machine = machine};
	bool made = read_leaves(plan, normal, machine);
	planner.stream = made && plan->result_bytes >= least_streamed(plan, machine);
	made = made && (as_they_are || vf_join_axes(&planner)) &&
	       (plan->computes || (vf_peel_leaves(plan) && vf_join_leaves(plan)));
	const int64_t streamed_from = made ? least_streamed(plan, machine) : INT64_MAX;
	planner.stream = plan->streams = plan->result_bytes >= streamed_from;
	made = made && (as_they_are || vf_take_margins(&planner)) && vf_cut_long(&planner) &&
	       vf_tree_build(&planner);
	if (made)
		number_units(plan);
	made = made && name_strategies(plan) && tell_reason(plan, streamed_from);
	if (made)
		vf_plan_settle_places(plan);
	if (made)
		return plan;
	vf_plan_drop(ctx, plan);
	return NULL;
}

/* Is it so slow that another way may be faster? Of one piece there is none. */
static bool is_slow(const vf_plan *plan, const vf_normal *normal)
{
	enum { SLOW = 250 }; /* picoseconds a byte: a third of the fastest copy */
	return plan->streams && normal->words[VF_NORMAL_PIECES] > 1 &&
	       vf_plan_estimate(plan) > SLOW * (double)plan->out_bytes;
}

vf_plan *vf_plan_make(vf_context *ctx, const vf_normal *normal, const vf_machine *machine)
{
	vf_plan *plan = make_plan(ctx, normal, machine, false);
	if (!plan || !is_slow(plan, normal))
		return plan;
	vf_plan *other = make_plan(ctx, normal, machine, true);
	const bool better = other && vf_plan_estimate(other) < vf_plan_estimate(plan);
	vf_plan_drop(ctx, better || !other ? plan : other);
	return better || !other ? other : plan;
}

void vf_plan_drop(vf_context *ctx, vf_plan *plan)
{
	if (!plan)
		return;
	vf_arena_drop(&plan->arena);
	vf_dealloc(ctx, plan);
}
