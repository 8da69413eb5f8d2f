/* emit_stage.c -- what several leaves write together, as C text: into a stage and out of it, or by one call.
 *
 * In     a node whose children write together: by a stage, by planes, by parts of rows, or by woven lines
 * Out    the call that does it. In a text by itself, lines are woven by loops: the boxes of a row, one by one
 * Tests  tests/unit/test_emit.c
 */
#include "codegen/leave.h"
#include "codegen/writer.h"
#include "codelets/weave.h"

#include <stdio.h>

/* ---- planes to the stage ---- */

void vf_write_placing(vf_writer *w, const vf_node *node)
{
	const vf_placing *placing = node->placing;
	const vf_block *b = &placing->block;
	char tail[VF_EXPRESSION_CHARS];
	vf_open_block(w);
	if (b->table)
		vf_write_bytes(w, "static const unsigned short table[]", b->table, b->unit);
	if (b->src_at)
		vf_write_array(w, "static const long long places[]", b->src_at, b->planes);
	vf_write_block(w, placing->tail != b->n ? "struct vf_block" : "static const struct vf_block", "b",
	               placing->codelet, b);
	if (placing->tail != b->n)
		vf_line(w, "b.n = %s;", vf_node_at_last(tail, node, b->n, placing->tail));
	vf_line(w, "vf_%s(&b, stage, planes, 0);", vf_codelet_name(placing->codelet));
	vf_close(w);
}

/* ---- parts of rows ---- */

/* Returns where a part is read. If it is a constant, declares its pattern. */
static const char *part_place(vf_writer *w, const vf_part *part, int k, char buffer[VF_EXPRESSION_CHARS])
{
	const vf_leaf *leaf = &w->plan->leaves[part->leaf];
	char name[VF_EXPRESSION_CHARS];
	if (leaf->source >= 0)
		return vf_offset(buffer, vf_stream_name(w, leaf, name),
		                 part->src - w->streams[part->leaf].included);
	snprintf(buffer, VF_EXPRESSION_CHARS, "fill%d", k);
	vf_write_pattern(w, buffer, leaf, leaf->fill_unit);
	return buffer;
}

static void tell_parting(vf_writer *w, const vf_parting *r)
{
	const vf_block *b = &r->block;
	if (r->codelet == VF_CODELET_weave)
		vf_line(w, "/* rows of %lld bytes that follow each other, each of %lld box%s */",
		        (long long)b->unit, (long long)b->planes, b->planes == 1 ? "" : "es");
	else
		vf_line(w, "/* rows of %lld bytes that follow each other, each of %d part%s */",
		        (long long)b->n, r->n, r->n == 1 ? "" : "s");
}

/* ---- lines that are woven, as loops ---- */

static void add_step(vf_text *t, const char *index, int64_t step)
{
	char number[VF_CONSTANT_CHARS];
	if (step)
		vf_text_add(t, " + %s * %s", index, vf_constant(number, step));
}

/* Adds where the innermost run of a box goes, counted from the begin of a row, and where it comes from. */
static void add_places(vf_text *to, vf_text *from, const vf_row_box *box)
{
	char number[VF_CONSTANT_CHARS];
	vf_text_add(to, "%s", vf_constant(number, box->at));
	vf_text_add(from, "from%lld", (long long)box->place);
	if (box->offset)
		vf_text_add(from, " + %s", vf_constant(number, box->offset));
	add_step(from, "r", box->row_step);
	add_step(from, "q", box->piece_step);
	for (int k = 0; k < VF_BOX_LOOPS; k++) {
		char index[16];
		snprintf(index, sizeof index, "j%d", k);
		add_step(to, index, box->loops[k].to);
		add_step(from, index, box->loops[k].from);
	}
}

/* Writes one box of row r of piece q; the row begins at e. With `cut`, only `room` bytes of the row are
 * there. */
static void write_box(vf_writer *w, const vf_row_box *box, bool cut)
{
	vf_text to, from;
	int nloop = 0;
	const long long bytes = box->bytes;
	vf_text_init(&to, w->arena.ctx);
	vf_text_init(&from, w->arena.ctx);
	add_places(&to, &from, box);
	w->text.failed = w->text.failed || to.failed || from.failed;
	for (; nloop < VF_BOX_LOOPS && box->loops[nloop].extent; nloop++)
		vf_open(w, "for (long long j%d = 0; j%d < %lld; j%d++)", nloop, nloop,
		        (long long)box->loops[nloop].extent, nloop);
	if (!cut) {
		vf_line(w, "__builtin_memcpy(e + %s, %s, %lld);", vf_text_bytes(&to), vf_text_bytes(&from),
		        bytes);
	} else {
		vf_open_block(w);
		vf_line(w, "const long long at = %s;", vf_text_bytes(&to));
		vf_line(w, "if (at < room)");
		vf_line(
		    w,
		    "\t__builtin_memcpy(e + at, %s, (__SIZE_TYPE__)(room - at < %lld ? room - at : %lld));",
		    vf_text_bytes(&from), bytes, bytes);
		vf_close(w);
	}
	for (; nloop > 0; nloop--)
		vf_close(w);
	vf_text_drop(&to);
	vf_text_drop(&from);
}

/* Does what a call weaves fit the scratch that the codelet would use for its strands? Then it is put together
 * there, and leaves as lines. */
static bool stays_in_scratch(const vf_block *b)
{
	return b->rows * b->n <= (int64_t)VF_WEAVE_ROOM - 64;
}

static void write_row(vf_writer *w, const vf_block *b, bool cut)
{
	vf_line(w, "unsigned char *__restrict__ e = %s + q * %lld + r * %lld;",
	        stays_in_scratch(b) ? "stage" : "d", (long long)b->n, (long long)b->unit);
	for (int64_t k = 0; k < b->planes; k++)
		write_box(w, &b->boxes[k], cut);
}

/* Writes as loops what codelet `weave` does: the whole rows of each piece, then what there is of a last
 * one. */
static void write_woven(vf_writer *w, const vf_node *node)
{
	const vf_parting *r = node->parting;
	const vf_block *b = &r->block;
	const int64_t n = r->cuts_n ? r->tail : b->n, pieces = r->cuts_n ? b->rows : r->tail;
	char often[VF_EXPRESSION_CHARS];
	vf_line(w, "const long long pieces = %s;", vf_node_at_last(often, node, b->rows, pieces));
	vf_line(w, "const long long rows = %s;", vf_node_at_last(often, node, b->n / b->unit, n / b->unit));
	if (stays_in_scratch(b))
		vf_line(w, "unsigned char *stage = scratch;");
	vf_open(w, "for (long long q = 0; q < pieces; q++)");
	vf_open(w, "for (long long r = 0; r < rows; r++)");
	write_row(w, b, false);
	vf_close(w);
	if (b->n % b->unit || n % b->unit) {
		vf_line(w, "const long long r = rows, room = %s;",
		        vf_node_at_last(often, node, b->n % b->unit, n % b->unit));
		write_row(w, b, true);
	}
	vf_close(w);
	if (!stays_in_scratch(b))
		return;
	vf_write_block(w, "struct vf_block", "b", VF_CODELET_leave,
	               &(vf_block){.rows = 1, .n = b->rows * b->n, .dst_step = b->n, .src_step = b->n});
	if (pieces != b->rows || n != b->n)
		vf_line(w, "b.n = %s;", vf_node_at_last(often, node, b->rows * b->n, pieces * n));
	vf_line(w, "vf_leave(&b, d, stage, 0);");
}

/* ---- the call ---- */

/* Adds a box, its fields by name; fields that are 0 are left out. */
static void add_box(vf_text *text, const vf_row_box *box)
{
	const struct {
		const char *name;
		int64_t value;
	} fields[] = {{"bytes", box->bytes},       {"place", box->place},           {"offset", box->offset},
	              {"row_step", box->row_step}, {"piece_step", box->piece_step}, {"later", box->later},
	              {"stays", box->stays}};
	char number[3][VF_CONSTANT_CHARS];
	vf_text_add(text, "{.at = %s", vf_constant(number[0], box->at));
	for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
		if (fields[k].value)
			vf_text_add(text, ", .%s = %s", fields[k].name,
			            vf_constant(number[0], fields[k].value));
	for (int k = 0; k < VF_BOX_LOOPS && box->loops[k].extent; k++)
		vf_text_add(text, "%s{%s, %s, %s}", k ? ", " : ", .loops = {",
		            vf_constant(number[0], box->loops[k].extent),
		            vf_constant(number[1], box->loops[k].to),
		            vf_constant(number[2], box->loops[k].from));
	vf_text_add(text, box->loops[0].extent ? "}}" : "}");
}

/* Writes the boxes of `weave`, one a line. */
static void write_boxes(vf_writer *w, const vf_block *b)
{
	vf_line(w, "static const struct vf_row_box boxes[] = {");
	for (int64_t k = 0; k < b->planes; k++) {
		vf_text line;
		vf_text_init(&line, w->arena.ctx);
		vf_text_add(&line, "\t");
		add_box(&line, &b->boxes[k]);
		vf_text_add(&line, k + 1 < b->planes ? "," : "};");
		vf_line_text(w, &line);
	}
}

/* Writes the numbers of `parts`, one part a line. */
static void write_parts(vf_writer *w, const vf_parting *r)
{
	vf_line(w, "static const long long parts[] = { /* bytes, period, from row to row in the source */");
	for (int k = 0; k < r->n; k++) {
		char number[3][VF_CONSTANT_CHARS];
		for (int j = 0; j < 3; j++)
			vf_constant(number[j], r->block.parts[3 * k + j]);
		vf_line(w, "\t%s, %s, %s%s", number[0], number[1], number[2], k + 1 < r->n ? "," : "};");
	}
}

/* Writes the flow of a call that writes on where the one before ended. */
static void write_going_on(vf_writer *w, const vf_parting *r)
{
	char first[64] = "0", more[64] = "1";
	if (r->begins)
		snprintf(first, sizeof first, "%s == from", w->unit);
	if (r->ends)
		snprintf(more, sizeof more, "%s + 1 < stop", w->unit);
	vf_line(w, "struct vf_flow flow = {0, 0, %s, %s, scratch, 0, {0}, 0, 0, {0}};", first, more);
}

static void write_parts_call(vf_writer *w, const vf_node *node)
{
	const vf_parting *r = node->parting;
	const bool weaves = r->codelet == VF_CODELET_weave;
	char often[VF_EXPRESSION_CHARS];
	if (weaves)
		write_boxes(w, &r->block);
	else
		write_parts(w, r);
	vf_write_block(w, "struct vf_block", "b", r->codelet, &r->block);
	int64_t most = r->cuts_n ? r->block.n : r->block.rows;
	if (r->tail != most)
		vf_line(w, "b.%s = %s;", r->cuts_n ? "n" : "rows",
		        vf_node_at_last(often, node, most, r->tail));
	if (weaves)
		vf_line(w, "struct vf_flow flow = {0, 0, %s == from, 0, scratch, 0, {0}, 0, 0, {0}};",
		        w->unit);
	if (r->goes_on)
		write_going_on(w, r);
	vf_line(w, "vf_%s(&b, d, d, %s);", vf_codelet_name(r->codelet), weaves || r->goes_on ? "&flow" : "0");
}

/* The codelets count places from dst. */
void vf_write_parting(vf_writer *w, const vf_node *node, vf_out_pointer place)
{
	const vf_parting *r = node->parting;
	const bool loops = r->codelet == VF_CODELET_weave && w->standalone;
	char to[VF_EXPRESSION_CHARS], from[VF_EXPRESSION_CHARS];
	tell_parting(w, r);
	vf_line(w, "unsigned char *d = %s;", vf_offset(to, place.dst, node->stage_lo - place.lo));
	if (!loops)
		vf_line(w, "long long places[%d];", r->n);
	for (int k = 0; k < r->n; k++) {
		part_place(w, &r->parts[k], k, from);
		if (loops)
			vf_line(w, "const unsigned char *from%d = %s;", k, from);
		else
			vf_line(w, "places[%d] = (long long)((__SIZE_TYPE__)(%s) - (__SIZE_TYPE__)d);", k,
			        from);
	}
	if (loops)
		write_woven(w, node);
	else
		write_parts_call(w, node);
}

/* ---- out of a stage ---- */

/* Writes call k of those by which the stage leaves. */
void vf_write_leave(vf_writer *w, const vf_node *node, int64_t k, vf_out_pointer place, const char *bytes)
{
	vf_leaving l = vf_leaving_of(node, k);
	char dst[VF_EXPRESSION_CHARS], src[VF_EXPRESSION_CHARS], next[VF_EXPRESSION_CHARS];
	bool apart = vf_leaves_to_places(w->plan, node);
	vf_offset(dst, place.dst, node->stage_lo + (apart ? 0 : l.dst) - place.lo);
	vf_offset(src, "stage", l.src);
	l.block.n = l.take;
	vf_open_block(w);
	vf_write_block(w, "struct vf_block", "b", VF_CODELET_leave, &l.block);
	if (!l.take && l.taken)
		vf_line(w, "b.n = %s - %lld;", bytes, (long long)l.taken);
	else if (!l.take)
		vf_line(w, "b.n = %s;", bytes);
	if (l.asking) {
		vf_asking_place(w, node, l.asking, l.next, next);
		vf_line(w, "struct vf_flow flow = {%s, 0, 0, 0, 0, 0, {0}, 0, 0, {0}};", next);
	}
	if (apart)
		vf_line(w, "vf_leave(&b, %s + to_place[%lld], %s, %s);", dst, (long long)k, src,
		        l.asking ? "&flow" : "0");
	else
		vf_line(w, "vf_leave(&b, %s, %s, %s);", dst, src, l.asking ? "&flow" : "0");
	vf_close(w);
}
