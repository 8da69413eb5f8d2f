/* emit_call.c -- one call of a codelet as C text: the constants it needs, what changes from call to call.
 *
 * In     a leaf; the names of its pointers, at the place where its loops stand
 * Out    `b` (the block's numbers), `flow` where the codelet takes one, and the call
 * Tests  tests/unit/test_emit.c
 */
#include "codegen/writer.h"

#include <stdio.h>
#include <string.h>

/* ---- constants ---- */

typedef struct field {
	const char *name;
	int64_t value;
} field;

/* The numbers of a block, in the order of its fields: those before the pointers, then those after. */
enum { POINTERS = 11, NUMBERS = 17 };
static void list_numbers(const vf_block *b, field list[NUMBERS])
{
	const field all[NUMBERS] = {{"rows", b->rows},
	                            {"dst_step", b->dst_step},
	                            {"src_step", b->src_step},
	                            {"n", b->n},
	                            {"unit", b->unit},
	                            {"stride", b->stride},
	                            {"planes", b->planes},
	                            {"src_block", b->src_block},
	                            {"stream", b->stream},
	                            {"beside", b->beside},
	                            {"paired", b->paired},
	                            {"ahead_rows", b->ahead_rows},
	                            {"ahead_step", b->ahead_step},
	                            {"ahead_bytes", b->ahead_bytes},
	                            {"ahead_into", b->ahead_into},
	                            {"ahead_sets", b->ahead_sets},
	                            {"ahead_set_step", b->ahead_set_step}};
	memcpy(list, all, sizeof all);
}

/* Writes the numbers with their names; those that are 0 are left out. */
static void add_numbers(vf_text *t, const field *list, int n)
{
	char text[VF_CONSTANT_CHARS];
	for (int k = 0; k < n; k++) {
		bool first = t->length && t->bytes[t->length - 1] == '{';
		if (list[k].value)
			vf_text_add(t, "%s.%s = %s", first ? "" : ", ", list[k].name,
			            vf_constant(text, list[k].value));
	}
}

static void add_fields(vf_text *t, const vf_block *b)
{
	field list[NUMBERS];
	list_numbers(b, list);
	add_numbers(t, list, POINTERS);
	if (b->table)
		vf_text_add(t, "%s, .table = table", b->src_at ? ", .src_at = places" : "");
	if (b->parts)
		vf_text_add(t, ", .src_at = places, .parts = parts");
	if (b->boxes)
		vf_text_add(t, ", .src_at = places, .boxes = boxes");
	if (b->pass)
		vf_text_add(t, ", .pass = &pass");
	add_numbers(t, list + POINTERS, NUMBERS - POINTERS);
}

/* Writes a line of numbers, followed by their names. */
static void write_numbers(vf_writer *w, const field *list, int n)
{
	vf_text line;
	char text[VF_CONSTANT_CHARS];
	vf_text_init(&line, w->arena.ctx);
	for (int k = 0; k < n; k++)
		vf_text_add(&line, "%s%s,", k ? " " : "\t", vf_constant(text, list[k].value));
	for (int k = 0; k < n; k++)
		vf_text_add(&line, "%s%s", k ? ", " : " /* ", list[k].name);
	vf_text_add(&line, " */");
	vf_line_text(w, &line);
}

/* Writes all fields in their order, because C++17 has no designators. */
static void write_all_fields(vf_writer *w, const vf_block *b)
{
	field list[NUMBERS];
	list_numbers(b, list);
	write_numbers(w, list, 3);
	write_numbers(w, list + 3, 3);
	write_numbers(w, list + 6, POINTERS - 6);
	vf_line(w, "\t0, %s, %s, %s, /* dst_at, src_at, table, parts */",
	        b->src_at || b->parts ? "places" : "0", b->table ? "table" : "0", b->parts ? "parts" : "0");
	write_numbers(w, list + POINTERS, NUMBERS - POINTERS);
	vf_line(w, "\t0, 0};");
}

/* Returns the bytes that the plain `transpose` puts together at a time: strips of 64 bytes of the source,
 * with room for lines at both ends of a row. */
static int64_t strip_bytes(const vf_block *b)
{
	int64_t rows = b->unit < 64 ? 64 / b->unit : 1;
	return rows * ((b->n * b->unit + 191) / 64 * 64);
}

static void note_use(vf_writer *w, vf_codelet_id id, const vf_block *b)
{
	w->uses.codelets |= 1u << id;
	const int64_t pixel = b->src_block < 0 ? -b->src_block : b->src_block;
	w->uses.many_planes = w->uses.many_planes || (id == VF_CODELET_deinterleave && pixel > 4 * b->unit);
	if (!b->stream)
		return;
	w->uses.streams = true;
	if (id == VF_CODELET_transpose && w->uses.stage_bytes < strip_bytes(b))
		w->uses.stage_bytes = strip_bytes(b);
}

void vf_write_block(vf_writer *w, const char *type, const char *name, vf_codelet_id id, const vf_block *b)
{
	vf_text line;
	note_use(w, id, b);
	vf_text_init(&line, w->arena.ctx);
	vf_text_add(&line, "%s %s = {", type, name);
	if (w->standalone) {
		vf_line_text(w, &line);
		write_all_fields(w, b);
		return;
	}
	add_fields(&line, b);
	vf_text_add(&line, "};");
	vf_line_text(w, &line);
}

/* Writes an array of constants; if there are many, twelve a line. */
void vf_write_array(vf_writer *w, const char *declaration, const int64_t *values, int64_t n)
{
	enum { A_LINE = 12 };
	if (n > A_LINE)
		vf_line(w, "%s = {", declaration);
	for (int64_t k = 0; k < n; k += A_LINE) {
		char line[A_LINE * (VF_CONSTANT_CHARS + 2)], number[VF_CONSTANT_CHARS];
		int at = 0;
		for (int64_t j = k; j < n && j < k + A_LINE; j++)
			at += snprintf(line + at, sizeof line - (size_t)at, j > k ? ", %s" : "%s",
			               vf_constant(number, values[j]));
		if (n <= A_LINE)
			vf_line(w, "%s = {%s};", declaration, line);
		else
			vf_line(w, "\t%s%s", line, k + A_LINE < n ? "," : "};");
	}
}

void vf_write_bytes(vf_writer *w, const char *declaration, const uint16_t *values, int64_t n)
{
	int64_t wide[64] = {0};
	for (int64_t k = 0; k < n; k++)
		wide[k] = values[k];
	vf_write_array(w, declaration, wide, n);
}

/* Writes where the places of a block lie, counted from the leaf's own source. The distance between two
 * sources is known only when the code runs. */
static void write_places(vf_writer *w, const vf_leaf *leaf)
{
	bool one = true;
	for (int k = 0; k < leaf->nstream; k++)
		one = one && leaf->stream_source[k] == leaf->source;
	if (one) {
		vf_write_array(w, "static const long long places[]", leaf->stream_at, leaf->nstream);
		return;
	}
	vf_line(w, "long long places[%d];", leaf->nstream);
	for (int k = 0; k < leaf->nstream; k++)
		vf_line(w, "places[%d] = (long long)src[%d] - (long long)src[%d] + %lld;", k,
		        leaf->stream_source[k], leaf->source, (long long)leaf->stream_at[k]);
}

static bool has_runtime_places(const vf_leaf *leaf)
{
	for (int k = 0; leaf->table && k < leaf->nstream; k++)
		if (leaf->stream_source[k] != leaf->source)
			return true;
	return false;
}

void vf_write_pattern(vf_writer *w, const char *name, const vf_leaf *leaf, int64_t n)
{
	uint16_t bytes[16];
	char declaration[64];
	for (int64_t k = 0; k < n; k++)
		bytes[k] = leaf->fill[k];
	snprintf(declaration, sizeof declaration, "static const unsigned char %s[]", name);
	vf_write_bytes(w, declaration, bytes, n);
}

/* Does the leaf pack? A text by itself has no codelet that computes, so there it packs even what elsewhere
 * the transposition computes itself (fuses). */
static bool packs(const vf_writer *w, const vf_tiling *t)
{
	return t && t->packs && (w->standalone || !t->fuses);
}

static vf_codelet_call call_of(const vf_writer *w, const vf_leaf *leaf)
{
	vf_codelet_call call = vf_codelet_call_of(leaf);
	if (call.block.pass && leaf->strategy == VF_TRANSPOSE && w->standalone) {
		call.block.stride = leaf->tiling->pack.dst_step;
		call.block.pass = NULL;
	}
	return call;
}

/* Does a number of the block change from call to call? */
static bool changes(const vf_plan *plan, const vf_leaf *leaf, const vf_codelet_call *call)
{
	const vf_tiling *t = leaf->tiling;
	return call->rows_loop >= 0 || call->n_loop >= 0 || call->sets_loop >= 0 ||
	       has_runtime_places(leaf) || leaf->strategy == VF_INDEX || vf_call_goes_to_places(plan, leaf) ||
	       call->block.dst_at || (t && (t->src_at || t->dst_at));
}

/* Writes the numbers of the pass that packs, and where it packs to. */
static void write_pack_block(vf_writer *w, const vf_tiling *t)
{
	char at[VF_EXPRESSION_CHARS];
	if (t->pack_codelet == VF_CODELET_apply && !w->standalone)
		vf_write_pass(w, t->pack.pass);
	if (t->pack_codelet != VF_CODELET_apply || !w->standalone)
		vf_write_block(w, "struct vf_block", "p", t->pack_codelet, &t->pack);
	vf_line(w, "unsigned char *pack = %s;", vf_offset(at, "scratch", t->pack_at));
}

/* Writes which rows are constants, and one row of these in scratch. */
static void write_blanks(vf_writer *w, const vf_leaf *leaf)
{
	const vf_tiling *t = leaf->tiling;
	const vf_block row = {.rows = 1, .n = t->blank_bytes / leaf->fill_unit, .unit = leaf->fill_unit};
	char at[VF_EXPRESSION_CHARS];
	vf_write_array(w, "static const long long blanks[]", t->blanks, t->nblank + 1);
	vf_write_array(w, "static const long long first_blank[]", t->first_blank,
	               vf_whole_blocks(t->count_a, t->chunk_a) / t->chunk_a);
	vf_write_pattern(w, "constant", leaf, leaf->fill_unit);
	vf_write_block(w, "static const struct vf_block", "blank_row", VF_CODELET_fill, &row);
	vf_line(w, "unsigned char *blank = %s;", vf_offset(at, "scratch", t->blank_at));
	vf_line(w, "long long *rows_here = (long long *)(%s);", vf_offset(at, "scratch", t->rows_at));
	vf_line(w, "vf_fill(&blank_row, blank, constant, 0);");
}

void vf_write_constants(vf_writer *w, const vf_leaf *leaf)
{
	vf_codelet_call call = call_of(w, leaf);
	const vf_tiling *t = leaf->tiling;
	if (leaf->source < 0)
		vf_write_pattern(w, "s", leaf,
		                 leaf->strategy == VF_INDEX ? leaf->unit_bytes : leaf->fill_unit);
	if (call.block.pass)
		vf_write_pass(w, call.block.pass);
	if (leaf->table) {
		vf_write_bytes(w, "static const unsigned short table[]", leaf->table, leaf->unit_bytes);
		if (!call.block.table || call.block.src_at)
			write_places(w, leaf);
	} else if (packs(w, t) && t->pack.table) {
		vf_write_bytes(w, "static const unsigned short table[]", t->pack.table, t->pack.unit);
		vf_write_array(w, "static const long long places[]", t->pack.src_at, t->pack.planes);
	}
	if (t && t->src_at)
		vf_write_array(w, "static const long long rows_of_src[]", t->src_at,
		               vf_whole_blocks(t->count_a, t->chunk_a) +
		                   (t->blanks ? vf_block_rows(t, leaf->unit_bytes) - t->chunk_a : 0));
	vf_write_second_rows(w, leaf);
	if (t && t->blanks)
		write_blanks(w, leaf);
	if (t && t->dst_at)
		vf_write_array(w, "static const long long rows_of_dst[]", t->dst_at,
		               vf_whole_blocks(t->count_b, t->chunk_b));
	if (call.block.dst_at)
		vf_write_array(w, "static const long long planes_of_dst[]", call.block.dst_at,
		               call.block.planes);
	vf_write_block(w, changes(w->plan, leaf, &call) ? "struct vf_block" : "static const struct vf_block",
	               "b", call.codelet, &call.block);
	if (vf_call_goes_to_places(w->plan, leaf))
		vf_line(w, "b.dst_at = to_place;");
	else if (call.block.dst_at)
		vf_line(w, "b.dst_at = planes_of_dst;");
	if (packs(w, t))
		write_pack_block(w, t);
	if (t)
		vf_write_flow(w, t);
}

/* ---- what changes from call to call ---- */

/* Writes the offsets of a block's rows. Rows that are constants get the offset of the row in scratch. */
static void write_rows_here(vf_writer *w, const vf_leaf *leaf, const char *src)
{
	const vf_tiling *t = leaf->tiling;
	const long long rows = vf_block_rows(t, leaf->unit_bytes), chunk = t->chunk_a;
	char times[VF_EXPRESSION_CHARS];
	vf_line(w, "const long long first_row = 0%s;", vf_times(times, leaf, t->loop_a, chunk));
	vf_line(w, "__builtin_memcpy(rows_here, rows_of_src + first_row, %lld);", rows * 8);
	vf_open(w, "for (long long k = first_blank[first_row / %lld]; blanks[k] < first_row + %lld; k++)",
	        chunk, rows);
	vf_line(w, "rows_here[blanks[k] - first_row] = (long long)blank - (long long)%s;", src);
	vf_close(w);
}

static void write_tiling_state(vf_writer *w, const vf_leaf *leaf, const char *src)
{
	const vf_tiling *t = leaf->tiling;
	char times[VF_EXPRESSION_CHARS];
	if (t->blanks)
		write_rows_here(w, leaf, src);
	if (t->src_at && !packs(w, t))
		vf_line(w, "b.src_at = %s%s;", t->blanks ? "rows_here" : "rows_of_src",
		        t->blanks ? "" : vf_times(times, leaf, t->loop_a, t->chunk_a));
	if (t->dst_at)
		vf_line(w, "b.dst_at = rows_of_dst%s;", vf_times(times, leaf, t->loop_b, t->chunk_b));
	if (t->ahead_into)
		vf_write_ahead(w, leaf, src);
	vf_write_row_state(w, leaf);
	vf_write_block_operands(w, leaf);
}

/* Writes how many rows of A the block reads: its own, and with VF_LINES those that fill its last line. */
static void write_packed_rows(vf_writer *w, const vf_leaf *leaf, const char *dst)
{
	long long unit = leaf->unit_bytes;
	if (leaf->tiling->stream != VF_LINES) {
		vf_line(w, "const long long rows = b.n;");
		return;
	}
	vf_line(w, "long long rows = (long long)(-(__SIZE_TYPE__)(%s + b.n * %lld) & 63) / %lld;", dst, unit,
	        unit);
	vf_line(w, "rows = b.n + (rows < flow.more ? rows : flow.more);");
}

/* Packs: brings what the block reads side by side into `pack`. Computes it on the way in a text by itself. */
static void write_pack(vf_writer *w, const vf_leaf *leaf, const char *src)
{
	const vf_tiling *t = leaf->tiling;
	const char *name = vf_codelet_name(t->pack_codelet);
	const bool computes = t->pack_codelet == VF_CODELET_apply, loops = computes && w->standalone;
	const bool parts = t->src_at && (loops || !computes); /* a call has not all rows */
	const bool operands = computes && t->pack.pass->noperand > 0;
	const char *rows = t->blanks ? "rows_here" : "rows_of_src";
	char to[VF_EXPRESSION_CHARS] = "pack", from[VF_EXPRESSION_CHARS], times[VF_EXPRESSION_CHARS];
	const char *first = t->blanks || !t->src_at ? "" : vf_times(times, leaf, t->loop_a, t->chunk_a);
	snprintf(from, sizeof from, "%s", src);
	if (!loops && t->pack_units > 1)
		vf_line(w, "p.n = b.rows / %lld%s;", (long long)t->pack_units,
		        parts ? "" : ", p.rows = rows");
	else if (!loops)
		vf_line(w, parts ? "p.n = b.rows;" : "p.n = b.rows, p.rows = rows;");
	if (t->src_at && !parts)
		vf_line(w, "p.src_at = %s%s;", rows, first);
	if (parts) {
		const long long each = t->pack.rows;
		vf_open(w, "for (long long a = 0; a < rows; a += %lld)", each);
		if (each > 1)
			vf_line(w, "p.rows = rows - a < %lld ? rows - a : %lld;", each, each);
		snprintf(to, sizeof to, "pack + a * %lld", (long long)t->pack.dst_step);
		snprintf(from, sizeof from, "%.80s + %s[a%.80s]", src, rows, first);
	}
	if (loops)
		vf_write_packed_elements(
		    w, leaf, first, &(vf_element_call){t->src_at ? "1" : "rows", "b.rows", to, from, false});
	else
		vf_line(w, "vf_%s(&p, %s, %s, %s);", name, to, from, operands ? "&flow" : "0");
	if (parts)
		vf_close(w);
}

static void write_lists(vf_writer *w, const vf_leaf *leaf)
{
	const int line = leaf->nloop - 1;
	const vf_span *s = &leaf->loops[line];
	char place[VF_EXPRESSION_CHARS];
	if (s->list)
		vf_line(w, "b.src_at = %s;", vf_list_place(place, leaf, line, s->list));
	if (s->dst_list)
		vf_line(w, "b.dst_at = %s;", vf_list_place(place, leaf, line, s->dst_list));
}

void vf_write_call(vf_writer *w, const vf_leaf *leaf, const char *dst, const char *src)
{
	vf_codelet_call call = call_of(w, leaf);
	char extent[VF_EXPRESSION_CHARS];
	if (call.rows_loop >= 0)
		vf_line(w, "b.rows = %s;", vf_extent_text(extent, leaf, call.rows_loop));
	if (call.sets_loop >= 0)
		vf_line(w, "b.planes = %s;", vf_extent_text(extent, leaf, call.sets_loop));
	if (call.n_loop >= 0) {
		vf_extent_text(extent, leaf, call.n_loop);
		if (call.codelet == VF_CODELET_copy && leaf->unit_bytes != 1)
			vf_line(w, "b.n = %s * %lld;", extent, (long long)leaf->unit_bytes);
		else
			vf_line(w, "b.n = %s;", extent);
	}
	if (leaf->strategy == VF_INDEX)
		write_lists(w, leaf);
	if (leaf->tiling)
		write_tiling_state(w, leaf, src);
	if (packs(w, leaf->tiling)) {
		write_packed_rows(w, leaf, dst);
		write_pack(w, leaf, src);
		src = "pack";
	}
	vf_line(w, "vf_%s(&b, %s, %s, %s);", vf_codelet_name(call.codelet), dst, src,
	        leaf->tiling ? "&flow" : "0");
}
