/* emit_leaf.c -- a leaf as C text: its own loops around one call, or around moves written out.
 *
 * In     a leaf, the pointers it starts from
 * Out    a block of text that leaves those pointers as they were
 * Keeps  moves written out move the same elements in the same order as the call. A body of a few units is
 *        written out because a call costs as much as ten of them
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/writer.h"

#include <stdio.h>
#include <string.h>

/* At most this many loads and stores are written out one by one. */
enum { MOST_MOVES = 16 };

/* ---- moves written out ---- */

/* Returns how many loads move one unit: its bytes by 8, 4, 2, 1. */
static int64_t moves_of(int64_t bytes)
{
	return bytes / 8 + ((bytes >> 2) & 1) + ((bytes >> 1) & 1) + (bytes & 1);
}

/* Returns how many of the last loops to write out; 0 if a call is better. A plain run counts as one unit. */
static int loops_written_out(const vf_plan *plan, const vf_leaf *leaf, int depth)
{
	int64_t moves = moves_of(leaf->unit_bytes);
	int k = leaf->nloop;
	if (leaf->source < 0 || leaf->stream || leaf->table || leaf->tiling)
		return 0;
	if (leaf->strategy == VF_COPY) {
		const vf_span *run = &leaf->loops[--k];
		if (vf_is_cut(run))
			return 0;
		moves = moves_of(run->extent * leaf->unit_bytes);
	}
	for (; moves <= MOST_MOVES && k > depth; k--) {
		const vf_span *s = &leaf->loops[k - 1];
		if (vf_is_cut(s) || vf_has_list(s) || vf_goes_to_places(plan, s) ||
		    s->extent > MOST_MOVES / moves)
			break;
		moves *= s->extent;
	}
	/* The loops that the strategy's call would take must all be written out. */
	return moves <= MOST_MOVES && k <= leaf->nloop - leaf->ninner ? leaf->nloop - k : 0;
}

/* Where written out moves read and write. */
typedef struct spot {
	const char *dst, *src;
	int64_t dst_at, src_at;
} spot;

static void write_move(vf_writer *w, int64_t bytes, spot at)
{
	char to[VF_EXPRESSION_CHARS], from[VF_EXPRESSION_CHARS];
	for (int64_t size = 8; bytes > 0; size /= 2) {
		for (; bytes >= size; bytes -= size, at.dst_at += size, at.src_at += size) {
			w->uses.moves |= 1u << size;
			vf_line(w, "*(b%d *)(%s) = *(const b%d *)(%s);", (int)size,
			        vf_offset(to, at.dst, at.dst_at), (int)size,
			        vf_offset(from, at.src, at.src_at));
		}
	}
}

static void write_moves(vf_writer *w, const vf_leaf *leaf, int k, spot at)
{
	const vf_span *s = &leaf->loops[k];
	if (k == leaf->nloop) {
		write_move(w, leaf->unit_bytes, at);
	} else if (k == leaf->nloop - 1 && !s->table && s->dst == leaf->unit_bytes &&
	           s->src == leaf->unit_bytes) {
		write_move(w, s->extent * leaf->unit_bytes, at);
	} else {
		for (int64_t i = 0; i < s->extent; i++) {
			spot inner = {at.dst, at.src, at.dst_at + i * s->dst, at.src_at + vf_span_src(s, i)};
			write_moves(w, leaf, k + 1, inner);
		}
	}
}

/* ---- the leaf ---- */

static void write_title(vf_writer *w, const vf_leaf *leaf)
{
	char origin[32] = "a constant";
	if (leaf->source >= 0)
		snprintf(origin, sizeof origin, "src[%d]", leaf->source);
	vf_open_block(w);
	if (leaf->tiling)
		vf_line(w, "/* %s %lld x %lld units of %lld bytes from %s, in blocks of %lld x %lld */",
		        vf_strategy_name(leaf->strategy), (long long)leaf->tiling->count_a,
		        (long long)leaf->tiling->count_b, (long long)leaf->unit_bytes, origin,
		        (long long)leaf->tiling->chunk_a, (long long)leaf->tiling->chunk_b);
	else if (leaf->unit_bytes == 1)
		vf_line(w, "/* %s: bytes from %s */", vf_strategy_name(leaf->strategy), origin);
	else
		vf_line(w, "/* %s: units of %lld bytes from %s */", vf_strategy_name(leaf->strategy),
		        (long long)leaf->unit_bytes, origin);
}

static const char *declare_source(vf_writer *w, const vf_leaf *leaf, char name[VF_EXPRESSION_CHARS])
{
	char from[VF_EXPRESSION_CHARS];
	int64_t included = w->streams[leaf - w->plan->leaves].included;
	vf_source_place(w, leaf, from);
	if (leaf->src == included)
		return vf_stream_name(w, leaf, name);
	w->streams[leaf - w->plan->leaves] = (vf_stream){w->level++, 0, leaf->src};
	vf_stream_name(w, leaf, name);
	vf_line(w, "const unsigned char *%s = %s;", name, from);
	return name;
}

void vf_declare_place(vf_writer *w, const vf_leaf *leaf, vf_out_pointer *place)
{
	char from[VF_EXPRESSION_CHARS];
	if (leaf->dst == place->lo)
		return;
	vf_offset(from, place->dst, leaf->dst - place->lo);
	snprintf(place->dst, sizeof place->dst, "d%d", w->level++);
	place->lo = leaf->dst;
	vf_line(w, "unsigned char *%s = %s;", place->dst, from);
}

void vf_write_leaf(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place)
{
	char src[VF_EXPRESSION_CHARS] = "s";
	if (leaf->strategy == VF_APPLY) {
		vf_write_apply(w, leaf, depth, place);
		return;
	}
	int written = loops_written_out(w->plan, leaf, depth);
	int stop = leaf->nloop - (written ? written : leaf->ninner);
	const vf_leaf_range range = vf_leaf_with_operands(w, leaf);
	vf_stream kept[VF_PASS_OPERANDS + 1];
	const int indent = w->indent;
	memcpy(kept, w->streams + range.a, (size_t)(range.b - range.a) * sizeof *kept);
	write_title(w, leaf);
	vf_comment_call(w, leaf);
	vf_declare_place(w, leaf, &place);
	if (leaf->source >= 0)
		declare_source(w, leaf, src);
	if (!written)
		vf_write_constants(w, leaf);
	for (int k = depth; k < stop; k++)
		vf_open_loop(w, range, k, &place);
	if (leaf->source >= 0)
		vf_stream_name(w, leaf, src);
	if (written)
		write_moves(w, leaf, stop, (spot){place.dst, src, 0, 0});
	else
		vf_write_call(w, leaf, place.dst, src);
	vf_close_to(w, indent);
	memcpy(w->streams + range.a, kept, (size_t)(range.b - range.a) * sizeof *kept);
}
