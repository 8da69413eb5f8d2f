/* writer.c -- lines, numbers, pointers and indices as C text; see writer.h. */
#include "codegen/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void write_line(vf_writer *w, const char *format, va_list args, const char *end)
{
	for (int k = 0; k < w->indent; k++)
		vf_text_append(&w->text, "\t", 1);
	vf_text_add_values(&w->text, format, args);
	vf_text_append(&w->text, end, strlen(end));
}

void vf_line(vf_writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	write_line(w, format, args, "\n");
	va_end(args);
}

void vf_line_text(vf_writer *w, vf_text *line)
{
	if (line->failed)
		w->text.failed = true;
	else
		vf_line(w, "%s", line->bytes);
	vf_text_drop(line);
}

void vf_open(vf_writer *w, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	write_line(w, format, args, " {\n");
	va_end(args);
	w->indent++;
}

void vf_open_block(vf_writer *w)
{
	vf_line(w, "{");
	w->indent++;
}

void vf_close(vf_writer *w)
{
	w->indent--;
	vf_line(w, "}");
}

void vf_close_to(vf_writer *w, int indent)
{
	while (w->indent > indent)
		vf_close(w);
}

const char *vf_constant(char buffer[VF_CONSTANT_CHARS], int64_t number)
{
	if (number == INT64_MIN)
		snprintf(buffer, VF_CONSTANT_CHARS, "(-9223372036854775807LL - 1)");
	else
		snprintf(buffer, VF_CONSTANT_CHARS,
		         number > INT32_MAX || number < -INT32_MAX ? "%lldLL" : "%lld", (long long)number);
	return buffer;
}

const char *vf_offset(char buffer[VF_EXPRESSION_CHARS], const char *pointer, int64_t offset)
{
	char number[VF_CONSTANT_CHARS];
	if (offset == 0)
		snprintf(buffer, VF_EXPRESSION_CHARS, "%s", pointer);
	else if (offset > 0)
		snprintf(buffer, VF_EXPRESSION_CHARS, "%s + %s", pointer, vf_constant(number, offset));
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "%s - %s", pointer,
		         vf_constant(number, offset == INT64_MIN ? offset : -offset));
	return buffer;
}

const char *vf_stream_name(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS])
{
	const vf_stream *s = &w->streams[leaf - w->plan->leaves];
	if (s->level < 0)
		snprintf(buffer, VF_EXPRESSION_CHARS,
		         w->standalone ? "(const unsigned char *)src[%d]" : "src[%d]", leaf->source);
	else if (s->index == 0)
		snprintf(buffer, VF_EXPRESSION_CHARS, "s%d", s->level);
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "s%d_%d", s->level, s->index);
	return buffer;
}

const char *vf_source_place(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS])
{
	char name[VF_EXPRESSION_CHARS];
	return vf_offset(buffer, vf_stream_name(w, leaf, name),
	                 leaf->src - w->streams[leaf - w->plan->leaves].included);
}

/* `number`, but `last` at the last of the `extent` indices of loop k. */
static const char *at_last(char buffer[VF_EXPRESSION_CHARS], int k, int64_t extent, int64_t number,
                           int64_t last)
{
	if (extent == 1 || number == last)
		snprintf(buffer, VF_EXPRESSION_CHARS, "%lld", (long long)last);
	else
		snprintf(buffer, VF_EXPRESSION_CHARS, "(i%d == %lld ? %lld : %lld)", k, (long long)extent - 1,
		         (long long)last, (long long)number);
	return buffer;
}

const char *vf_extent_text(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k)
{
	const vf_span *s = &leaf->loops[k];
	int chunk = k - 1 - s->back;
	return at_last(buffer, chunk, vf_is_cut(s) ? leaf->loops[chunk].extent : 1, s->extent, s->tail);
}

const char *vf_node_at_last(char buffer[VF_EXPRESSION_CHARS], const vf_node *node, int64_t number,
                            int64_t last)
{
	const int chunks = vf_chunks_of(node);
	return at_last(buffer, node->depth + chunks, node->loops[chunks].extent, number, last);
}

const char *vf_asking_place(const vf_writer *w, const vf_node *node, const vf_asking *asking, int64_t next,
                            char buffer[VF_EXPRESSION_CHARS])
{
	char name[VF_EXPRESSION_CHARS], turn[VF_EXPRESSION_CHARS] = "";
	const vf_leaf *leaf = asking->leaf;
	if (asking->turn)
		vf_times(turn, leaf, node->depth + node->nloop - 1, asking->turn);
	const int64_t included = w->streams[leaf - w->plan->leaves].included;
	vf_offset(buffer, vf_stream_name(w, leaf, name), asking->src + next - included);
	return strncat(buffer, turn, VF_EXPRESSION_CHARS - 1 - strlen(buffer));
}

const char *vf_times(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int64_t by)
{
	buffer[0] = '\0';
	if (leaf->loops[k].extent > 1)
		snprintf(buffer, VF_EXPRESSION_CHARS, " + i%d * %lld", k, (long long)by);
	return buffer;
}
