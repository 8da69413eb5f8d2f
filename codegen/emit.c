/* emit.c -- a plan's roots and nodes as C text; leaves are emit_leaf.c's, what stands around them
 * emit_text.c's.
 *
 * In     a plan
 * Out    nested loops over constants and moving pointers
 * Keeps  deterministic. Only numbers and fixed words are written, so no text of a caller's can get through.
 *        libtcc does not optimise: pointers move by constants, only the place of a unit is multiplied in a
 *        loop, and division is done once a call, to find the first unit
 * Tests  tests/unit/test_emit.c, tests/unit/test_jit.c
 */
#include "codegen/leave.h"
#include "codegen/writer.h"

#include <stdio.h>
#include <string.h>

/* ---- loops ---- */

const char *vf_list_place(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int list)
{
	const vf_span *s = &leaf->loops[k];
	char times[VF_EXPRESSION_CHARS] = "";
	if (s->goes_on)
		vf_times(times, leaf, k - 1 - s->back, s->extent);
	snprintf(buffer, VF_EXPRESSION_CHARS, "list%d%.100s", list, times);
	return buffer;
}

/* Prints the entry of a table or a list for index `times` of loop k. */
static void print_entry(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int list,
                        const char *times)
{
	char place[VF_EXPRESSION_CHARS];
	if (!list)
		snprintf(buffer, VF_EXPRESSION_CHARS, "rows%d[%s]", k, times);
	else if (leaf->loops[k].goes_on)
		snprintf(buffer, VF_EXPRESSION_CHARS, "(%.100s)[%s]", vf_list_place(place, leaf, k, list),
		         times);
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "list%d[%s]", list, times);
}

/* Returns the first leaf that moves through loop k as leaf x does, and from the same pointer; x if none
 * before it does. */
static int moves_like(const vf_writer *w, const vf_stream *before, vf_leaf_range leaves, int x, int k)
{
	const vf_leaf *leaf = &w->plan->leaves[x];
	for (int y = leaves.a; y < x; y++) {
		const vf_leaf *other = &w->plan->leaves[y];
		const vf_stream *s = &before[x - leaves.a], *t = &before[y - leaves.a];
		if (other->source == leaf->source && other->loops[k].src == leaf->loops[k].src &&
		    vf_same_offsets(&other->loops[k], &leaf->loops[k]) && s->level == t->level &&
		    s->index == t->index)
			return y;
	}
	return x;
}

/* Copies the leaves' pointers, for restore_streams(). Returns NULL without memory: the text has failed
 * then. */
static vf_stream *keep_streams(vf_writer *w, vf_leaf_range leaves)
{
	int n = leaves.b - leaves.a;
	vf_stream *kept = vf_arena_alloc(&w->arena, n, sizeof *kept);
	if (kept)
		memcpy(kept, w->streams + leaves.a, (size_t)n * sizeof *kept);
	w->text.failed = w->text.failed || !kept;
	return kept;
}

static void restore_streams(vf_writer *w, vf_leaf_range leaves, const vf_stream *kept)
{
	memcpy(w->streams + leaves.a, kept, (size_t)(leaves.b - leaves.a) * sizeof *kept);
}

/* Declares a leaf's pointer for loop k, which starts at `from`, and appends to `steps` how it moves. `times`
 * names an index that moves it at once, or is NULL. */
static void declare_source(vf_writer *w, const vf_leaf *leaf, int k, const char *from, const char *times,
                           vf_text *steps)
{
	const int64_t step = leaf->loops[k].src;
	char name[VF_EXPRESSION_CHARS], number[VF_CONSTANT_CHARS], at[VF_EXPRESSION_CHARS];
	vf_stream_name(w, leaf, name);
	vf_constant(number, step);
	if (step == 0) {
		print_entry(at, leaf, k, leaf->loops[k].list, times);
		vf_line(w, "const unsigned char *%s = %s + %s;", name, from, at);
		return;
	}
	vf_line(w, times ? "const unsigned char *%s = %s + %s * %s;" : "const unsigned char *%s = %s;", name,
	        from, times, number);
	vf_text_add(steps, ", %s += %s", name, number);
}

/* Declares the pointers of all leaves that move through loop k; leaves that move alike share one. */
static void declare_sources(vf_writer *w, vf_leaf_range leaves, int k, int level, const char *times,
                            vf_text *steps)
{
	int count = 0;
	const vf_stream *before = keep_streams(w, leaves);
	for (int x = leaves.a; before && x < leaves.b; x++) {
		const vf_leaf *leaf = &w->plan->leaves[x];
		const bool even = leaf->source >= 0 && leaf->loops[k].src != 0;
		const bool uneven = times && (leaf->loops[k].table || leaf->loops[k].list);
		char from[VF_EXPRESSION_CHARS];
		if (!even && !uneven)
			continue;
		const int first = moves_like(w, before, leaves, x, k);
		vf_stream_name(w, leaf, from);
		w->streams[x] = first < x ? w->streams[first]
		                          : (vf_stream){level, count++, before[x - leaves.a].included};
		if (first == x)
			declare_source(w, leaf, k, from, times, steps);
	}
}

static void declare_dst(vf_writer *w, int64_t step, int level, const char *times, vf_out_pointer *place,
                        vf_text *steps)
{
	char number[VF_CONSTANT_CHARS], name[sizeof place->dst];
	if (step == 0)
		return;
	snprintf(name, sizeof name, "d%d", level);
	vf_constant(number, step);
	vf_line(w, times ? "unsigned char *%s = %s + %s * %s;" : "unsigned char *%s = %s;", name, place->dst,
	        times, number);
	vf_text_add(steps, ", %s += %s", name, number);
	memcpy(place->dst, name, sizeof name);
}

/* Does loop k of a leaf write at uneven steps: to several destinations, or by a list? */
static bool writes_uneven(const vf_writer *w, const vf_leaf *leaf, int k)
{
	return vf_goes_to_places(w->plan, &leaf->loops[k]) || leaf->loops[k].dst_list;
}

/* Declares where index `times` of such a loop writes. */
static void declare_destination(vf_writer *w, const vf_leaf *leaf, int k, const char *times,
                                vf_out_pointer *place)
{
	char name[sizeof place->dst], at[VF_EXPRESSION_CHARS];
	if (leaf->loops[k].dst_list)
		print_entry(at, leaf, k, leaf->loops[k].dst_list, times);
	else
		snprintf(at, sizeof at, "to_place[%s]", times);
	snprintf(name, sizeof name, "d%d", w->level++);
	vf_line(w, "unsigned char *%s = %s + %s;", name, place->dst, at);
	memcpy(place->dst, name, sizeof name);
}

/* Declares the pointers of loop k; `steps` says how they move. */
static void declare_pointers(vf_writer *w, vf_leaf_range leaves, int k, const char *times,
                             vf_out_pointer *place, vf_text *steps)
{
	const vf_leaf *first = &w->plan->leaves[leaves.a];
	int level = w->level++;
	vf_text_init(steps, w->arena.ctx);
	if (!writes_uneven(w, first, k))
		declare_dst(w, first->loops[k].dst, level, times, place, steps);
	else if (times)
		declare_destination(w, first, k, times, place);
	declare_sources(w, leaves, k, level, times, steps);
	w->text.failed = w->text.failed || steps->failed;
}

/* A loop with a table has one leaf. */
static void write_loop_table(vf_writer *w, vf_leaf_range leaves, int k)
{
	char name[64];
	const vf_span *s = &w->plan->leaves[leaves.a].loops[k];
	snprintf(name, sizeof name, "static const long long rows%d[]", k);
	if (s->table)
		vf_write_array(w, name, s->table, s->extent);
}

/* Does one of the leaves read by a table or a list along loop k? */
static bool read_uneven(const vf_writer *w, vf_leaf_range leaves, int k)
{
	bool uneven = false;
	for (int x = leaves.a; x < leaves.b; x++)
		uneven = uneven || w->plan->leaves[x].loops[k].table || w->plan->leaves[x].loops[k].list;
	return uneven;
}

/* Does loop k run once, and move no pointer? */
static bool runs_once(const vf_writer *w, vf_leaf_range leaves, int k)
{
	const vf_leaf *first = &w->plan->leaves[leaves.a];
	return first->loops[k].extent == 1 && !read_uneven(w, leaves, k) && !writes_uneven(w, first, k);
}

void vf_open_loop(vf_writer *w, vf_leaf_range leaves, int k, vf_out_pointer *place)
{
	vf_text steps;
	char extent[VF_EXPRESSION_CHARS], index[16];
	const vf_leaf *first = &w->plan->leaves[leaves.a];
	if (runs_once(w, leaves, k))
		return;
	vf_extent_text(extent, first, k);
	write_loop_table(w, leaves, k);
	vf_comment_loop(w, leaves, k);
	declare_pointers(w, leaves, k, NULL, place, &steps);
	vf_open(w, "for (long long i%d = 0; i%d < %s; i%d++%s)", k, k, extent, k, vf_text_bytes(&steps));
	vf_text_drop(&steps);
	snprintf(index, sizeof index, "i%d", k);
	if (writes_uneven(w, first, k))
		declare_destination(w, first, k, index, place);
	if (!read_uneven(w, leaves, k))
		return;
	vf_text_init(&steps, w->arena.ctx);
	declare_sources(w, leaves, k, w->level++, index, &steps);
	vf_text_drop(&steps);
}

/* ---- nodes ---- */

static void write_node(vf_writer *w, const vf_node *node, vf_out_pointer place);

static void write_children(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	for (int k = 0; k < node->nchild; k++)
		write_node(w, &node->children[k], place);
}

static void write_stage(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	char at[VF_EXPRESSION_CHARS], bytes[VF_EXPRESSION_CHARS];
	vf_offset(at, place.dst, node->stage_lo - place.lo);
	if (vf_has_stage(node))
		vf_line(w,
		        "unsigned char *stage = scratch + ((__SIZE_TYPE__)(%s) & 63); /* lies on lines as "
		        "its place does */",
		        at);
	else
		vf_line(w, "unsigned char *stage = %s;", at);
	if (node->placing) {
		vf_line(w, "unsigned char *planes = %s; /* what takes turns in dst, each side by side */",
		        vf_offset(at, "scratch", node->placing->at));
		w->in_planes = true;
		write_children(w, node, (vf_out_pointer){"planes", 0});
		w->in_planes = false;
		vf_write_placing(w, node);
	} else {
		write_children(w, node, (vf_out_pointer){"stage", node->stage_lo});
	}
	vf_node_at_last(bytes, node, node->stage_bytes, node->stage_tail);
	for (int64_t k = 0; vf_has_stage(node) && k < vf_leavings(node); k++)
		vf_write_leave(w, node, k, place, bytes);
}

static void write_body(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	if (node->computes)
		vf_write_computed(w, node, place);
	else if (node->parting)
		vf_write_parting(w, node, place);
	else if (node->staged)
		write_stage(w, node, place);
	else
		write_children(w, node, place);
}

/* From the first leaf below a node to the last one. Children may have a leaf in common. */
static vf_leaf_range leaves_of(const vf_writer *w, const vf_node *node)
{
	if (node->leaf)
		return (vf_leaf_range){vf_leaf_with_operands(w, node->leaf).a,
		                       (int)(node->leaf - w->plan->leaves) + 1};
	vf_leaf_range all = leaves_of(w, &node->children[0]);
	for (int k = 1; k < node->nchild; k++) {
		const vf_leaf_range one = leaves_of(w, &node->children[k]);
		all.a = one.a < all.a ? one.a : all.a;
		all.b = one.b > all.b ? one.b : all.b;
	}
	return all;
}

/* Writes a node inside others as plain nested loops. */
static void write_node(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	if (node->leaf) {
		vf_write_leaf(w, node->leaf, node->depth, place);
		return;
	}
	vf_leaf_range leaves = leaves_of(w, node);
	vf_stream *kept = keep_streams(w, leaves);
	if (!kept)
		return;
	const int indent = w->indent;
	vf_open_block(w);
	for (int k = 0; k < node->nloop; k++)
		vf_open_loop(w, leaves, node->depth + k, &place);
	write_body(w, node, place);
	vf_close_to(w, indent);
	restore_streams(w, leaves, kept);
}

/* ---- roots: loops over units, which may begin and end anywhere ---- */

static void write_range(vf_writer *w, const vf_node *root)
{
	char first[VF_CONSTANT_CHARS], stop[VF_CONSTANT_CHARS];
	vf_constant(first, root->first_unit);
	vf_constant(stop, root->first_unit + root->units);
	if (w->plan->nroot == 1)
		vf_line(w, "const long long from = begin, stop = end;");
	else if (root->first_unit == 0)
		vf_line(w, "const long long from = begin, stop = end < %s ? end : %s;", stop, stop);
	else
		vf_line(
		    w,
		    "const long long from = begin > %s ? begin - %s : 0, stop = (end < %s ? end : %s) - %s;",
		    first, first, stop, stop, first);
}

/* Writes the indices of unit `from`, for loops that run more than once. */
static void write_first_unit(vf_writer *w, const vf_node *root, vf_leaf_range leaves)
{
	int64_t inner = root->units;
	for (int k = 0; k < root->nloop; k++) {
		char quotient[VF_EXPRESSION_CHARS] = "from", radix[VF_CONSTANT_CHARS + 4] = "";
		const int64_t outer = inner;
		inner /= root->loops[k].extent;
		if (runs_once(w, leaves, k))
			continue;
		if (inner > 1)
			snprintf(quotient, sizeof quotient, "from / %lld", (long long)inner);
		if (outer < root->units)
			snprintf(radix, sizeof radix, " %% %lld", (long long)root->loops[k].extent);
		vf_line(w, "long long i%d = %s%s;", k, quotient, radix);
	}
}

/* Writes the step to the next unit: the indices count as an odometer does. */
static void write_next_unit(vf_writer *w, const vf_node *root, vf_leaf_range leaves)
{
	const int indent = w->indent;
	int first = 0;
	while (runs_once(w, leaves, first))
		first++;
	for (int k = root->nloop - 1; k > first; k--) {
		if (runs_once(w, leaves, k))
			continue;
		vf_open(w, "if (++i%d == %lld)", k, (long long)root->loops[k].extent);
		vf_line(w, "i%d = 0;", k);
	}
	vf_line(w, "i%d++;", first);
	vf_close_to(w, indent);
}

/* Only loop k runs more than once: pointers move from unit to unit. */
static void write_one_loop(vf_writer *w, const vf_node *root, int k, vf_leaf_range leaves,
                           vf_out_pointer place)
{
	vf_text steps;
	vf_comment_loop(w, leaves, k);
	declare_pointers(w, leaves, k, "from", &place, &steps);
	snprintf(w->unit, sizeof w->unit, "i%d", k);
	vf_open(w, "for (long long i%d = from; i%d < stop; i%d++%s)", k, k, k, vf_text_bytes(&steps));
	vf_text_drop(&steps);
	write_body(w, root, place);
	vf_close(w);
}

/* Several loops have units: the pointers of each unit are found from its indices. */
static void write_odometer(vf_writer *w, const vf_node *root, vf_leaf_range leaves, vf_out_pointer place)
{
	write_first_unit(w, root, leaves);
	for (int k = 0; k < root->nloop; k++) {
		write_loop_table(w, leaves, k);
		if (!runs_once(w, leaves, k))
			vf_comment_loop(w, leaves, k);
	}
	snprintf(w->unit, sizeof w->unit, "u");
	vf_open(w, "for (long long u = from; u < stop; u++)");
	for (int k = 0; k < root->nloop; k++) {
		vf_text steps;
		char index[16];
		snprintf(index, sizeof index, "i%d", k);
		if (runs_once(w, leaves, k))
			continue;
		declare_pointers(w, leaves, k, index, &place, &steps);
		vf_text_drop(&steps);
	}
	write_body(w, root, place);
	write_next_unit(w, root, leaves);
	vf_close(w);
}

/* Returns the only loop of a root that runs more than once, or the first one if none does; -1 if several
 * do. */
static int only_loop(const vf_writer *w, const vf_node *root, vf_leaf_range leaves)
{
	int found = 0, n = 0;
	for (int k = 0; k < root->nloop; k++)
		if (!runs_once(w, leaves, k))
			found = k, n++;
	return n > 1 ? -1 : found;
}

void vf_write_root(vf_writer *w, const vf_node *root)
{
	vf_leaf_range leaves = leaves_of(w, root);
	vf_stream *kept = keep_streams(w, leaves);
	vf_out_pointer place = {"dst", 0};
	if (!kept)
		return;
	vf_open_block(w);
	write_range(w, root);
	w->unit_loops = root->nloop;
	const int only = only_loop(w, root, leaves);
	if (root->nloop == 0) {
		vf_open(w, "if (from < stop)");
		write_body(w, root, place);
		vf_close(w);
	} else if (only >= 0 && !read_uneven(w, leaves, only) &&
	           !writes_uneven(w, w->plan->leaves + leaves.a, only)) {
		write_one_loop(w, root, only, leaves, place);
	} else {
		write_odometer(w, root, leaves, place);
	}
	vf_close(w);
	restore_streams(w, leaves, kept);
}
