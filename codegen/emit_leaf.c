/* emit_leaf.c -- a leaf as C text: its own loops around one kernel call, or around moves written out.
 *
 * In     a leaf, the pointers it starts from
 * Out    a block that leaves those pointers as they were
 * Keeps  what call.h says for the call; written out moves are the same elements in the same order. A
 *        body of a few units is written out because a call costs as much as ten of them
 * Tests  tests/unit/test_emit.c, tests/property/test_moves.c
 */
#include "codegen/writer.h"

#include <stdio.h>

/* At most this many loads and stores are written out one by one. */
enum { MOST_MOVES = 16 };

/* ---- moves written out ---- */

/* Loads that move one unit: its bytes by 8, 4, 2, 1. */
static int64_t moves_of(int64_t bytes)
{
	return bytes / 8 + ((bytes >> 2) & 1) + ((bytes >> 1) & 1) + (bytes & 1);
}

/* How many of the last loops to write out; 0 where a call serves better. A plain run counts as one unit. */
static int loops_written_out(const vf_leaf *leaf, int depth)
{
	int64_t moves = moves_of(leaf->unit_bytes);
	int k = leaf->nloop;
	if (leaf->source < 0 || leaf->stream || leaf->table || leaf->stage_step)
		return 0;
	if (leaf->strategy == VF_COPY || leaf->strategy == VF_ROWS) {
		const vf_span *run = &leaf->loops[--k];
		if (run->tail != run->extent)
			return 0;
		moves = moves_of(run->extent);
	}
	for (; moves <= MOST_MOVES && k > depth; k--) {
		const vf_span *s = &leaf->loops[k - 1];
		if (s->tail != s->extent || s->extent > MOST_MOVES / moves)
			break;
		moves *= s->extent;
	}
	/* What is left over for the call must be nothing of what the strategy would have taken. */
	return moves <= MOST_MOVES && k <= leaf->nloop - leaf->ninner ? leaf->nloop - k : 0;
}

static void write_move(vf_writer *w, int64_t bytes, int64_t dst, int64_t src)
{
	char to[VF_EXPRESSION_CHARS], from[VF_EXPRESSION_CHARS];
	for (int64_t size = 8; bytes > 0; size /= 2) {
		for (; bytes >= size; bytes -= size, dst += size, src += size) {
			w->moves |= 1u << size;
			vf_line(w, "*(b%d *)(%s) = *(const b%d *)(%s);", (int)size, vf_offset(to, "d", dst),
			        (int)size, vf_offset(from, "s", src));
		}
	}
}

static void write_moves(vf_writer *w, const vf_leaf *leaf, int k, int64_t dst, int64_t src)
{
	const vf_span *s = &leaf->loops[k];
	if (k == leaf->nloop)
		write_move(w, leaf->unit_bytes, dst, src);
	else if (leaf->unit_bytes == 1 && k == leaf->nloop - 1 && s->dst == 1 && s->src == 1)
		write_move(w, s->extent, dst, src);
	else
		for (int64_t i = 0; i < s->extent; i++)
			write_moves(w, leaf, k + 1, dst + i * s->dst, src + i * s->src);
}

/* ---- the call ---- */

static void write_pattern(vf_writer *w, const vf_leaf *leaf)
{
	char bytes[16 * 6 + 1];
	int at = 0;
	for (int64_t k = 0; k < leaf->fill_unit; k++)
		at += snprintf(bytes + at, sizeof bytes - (size_t)at, k ? ", %d" : "%d", leaf->fill[k]);
	vf_line(w, "static const unsigned char s[] = {%s};", bytes);
}

static void write_call(vf_writer *w, const vf_leaf *leaf, const char *dst, const char *src)
{
	vf_call call = vf_call_of(leaf);
	char numbers[VF_CALL_NUMBERS * (VF_NUMBER_CHARS + 2)], cut[16], from[2 * VF_EXPRESSION_CHARS];
	int at = 0;
	snprintf(cut, sizeof cut, "n%d", leaf->nloop - leaf->ninner);
	for (int k = 0; k < call.nnumber; k++) {
		char number[VF_NUMBER_CHARS];
		at += snprintf(numbers + at, sizeof numbers - (size_t)at, ", %s",
		               k == call.cut ? cut : vf_number(number, call.number[k]));
	}
	if (call.back < 0)
		snprintf(from, sizeof from, "%s", src);
	else if (call.back == call.cut)
		snprintf(from, sizeof from, "%s - (%s - 1) * %lld", src, cut, (long long)call.back_bytes);
	else
		vf_offset(from, src, -(call.number[call.back] - 1) * call.back_bytes);
	w->used |= 1u << call.kernel;
	vf_line(w, "%s(%s, %s%s%s);", vf_kernel_symbol(call.kernel), dst, from, numbers, call.table ? ", table" : "");
}

static void write_table(vf_writer *w, const vf_leaf *leaf)
{
	char bytes[64 * 4 + 1];
	int at = 0;
	for (int64_t k = 0; k < leaf->unit_bytes; k++)
		at += snprintf(bytes + at, sizeof bytes - (size_t)at, k ? ", %d" : "%d", leaf->table[k]);
	vf_line(w, "static const unsigned char table[] = {%s};", bytes);
}

/* ---- the tile engine ---- */

/* The descriptor is numbers only, eight a line. */
static void write_descriptor(vf_writer *w, const vf_tiling *tiling)
{
	int64_t words = vf_tile_words(&tiling->tile);
	const int64_t *word = (const int64_t *)(const void *)&tiling->tile;
	vf_line(w, "static const long long t[] = {");
	for (int64_t k = 0; k < words; k += 8) {
		char line[8 * (VF_NUMBER_CHARS + 2)], number[VF_NUMBER_CHARS];
		int at = 0;
		for (int64_t j = k; j < words && j < k + 8; j++)
			at += snprintf(line + at, sizeof line - (size_t)at, "%s,", vf_number(number, word[j]));
		vf_line(w, "\t%s", line);
	}
	vf_line(w, "};");
}

static void write_tile(vf_writer *w, const vf_leaf *leaf, vf_place place)
{
	const vf_tiling *tiling = leaf->tiling;
	char name[VF_EXPRESSION_CHARS], dst[VF_EXPRESSION_CHARS], src[VF_EXPRESSION_CHARS];
	char begin[VF_EXPRESSION_CHARS] = "0", end[VF_EXPRESSION_CHARS];
	vf_offset(dst, place.dst, leaf->dst + tiling->dst_offset - place.lo);
	vf_offset(src, vf_stream_name(w, leaf, name), leaf->src + tiling->src_offset);
	vf_number(end, tiling->tile.pieces);
	if (w->first_piece >= 0) {
		vf_offset(begin, "u", -w->first_piece);
		vf_offset(end, "stop", -w->first_piece);
	}
	w->used |= 1u << VF_K_TILE_RUN;
	vf_line(w, "{ /* tile, from source %d */", leaf->source);
	w->indent++;
	write_descriptor(w, tiling);
	vf_line(w, "vf_k_tile_run(t, %s, %s, scratch, %s, %s);", dst, src, begin, end);
	w->indent--;
	vf_line(w, "}");
}

/* ---- the leaf ---- */

/* d and s move by loop k's step, less what the loop inside it, k + 1 of `stop`, has moved them. */
static void write_leaf_step(vf_writer *w, const vf_leaf *leaf, int k, int stop)
{
	const vf_span *s = &leaf->loops[k];
	char number[VF_NUMBER_CHARS];
	int64_t dst = s->dst, src = s->src;
	if (k + 1 < stop) {
		dst = vf_rewind(dst, s[1].extent, s[1].dst);
		src = vf_rewind(src, s[1].extent, s[1].src);
	}
	if (dst)
		vf_line(w, "d += %s;", vf_number(number, dst));
	if (src)
		vf_line(w, "s += %s;", vf_number(number, src));
}

static void write_inner(vf_writer *w, const vf_leaf *leaf, int written)
{
	if (written)
		write_moves(w, leaf, leaf->nloop - written, 0, 0);
	else
		write_call(w, leaf, "d", "s");
}

void vf_write_leaf(vf_writer *w, const vf_leaf *leaf, int depth, vf_place place)
{
	char name[VF_EXPRESSION_CHARS], start[VF_EXPRESSION_CHARS];
	int written = loops_written_out(leaf, depth);
	int stop = leaf->nloop - (written ? written : leaf->ninner);
	if (leaf->strategy == VF_TILE) {
		write_tile(w, leaf, place);
		return;
	}
	vf_line(w, "{ /* %s, from source %d */", vf_strategy_name(leaf->strategy), leaf->source);
	w->indent++;
	vf_line(w, "unsigned char *d = %s;", vf_offset(start, place.dst, leaf->dst - place.lo));
	if (leaf->source < 0)
		write_pattern(w, leaf);
	else
		vf_line(w, "const unsigned char *s = %s;",
		        vf_offset(start, vf_stream_name(w, leaf, name), leaf->src));
	if (leaf->table)
		write_table(w, leaf);
	for (int k = depth; k < stop; k++) {
		bool cut = leaf->loops[k].tail != leaf->loops[k].extent;
		char n[VF_NUMBER_CHARS];
		snprintf(n, sizeof n, cut ? "n%lld" : "%lld", cut ? (long long)k : (long long)leaf->loops[k].extent);
		vf_line(w, "for (long long i%d = 0; i%d < %s; i%d++) {", k, k, n, k);
		w->indent++;
	}
	write_inner(w, leaf, written);
	for (int k = stop - 1; k >= depth; k--) {
		write_leaf_step(w, leaf, k, stop);
		w->indent--;
		vf_line(w, "}");
	}
	w->indent--;
	vf_line(w, "}");
}
