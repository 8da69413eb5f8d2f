/* json.c -- see json.h. */
#include "json.h"

#include "cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- pieces ------------------------------------------------------------- */

static void json_text(const char *text, size_t length)
{
	putchar('"');
	for (const char *end = text + length; text < end; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 0x20)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

void json_string(const char *text)
{
	json_text(text, strlen(text));
}

void json_word(const char *key, const char *value)
{
	printf("\"%s\": ", key);
	json_string(value);
	printf(", ");
}

static void json_numbers(int n, const int64_t *numbers)
{
	putchar('[');
	for (int i = 0; i < n; i++)
		printf(i ? ", %" PRId64 : "%" PRId64, numbers[i]);
	putchar(']');
}

static void print_strides(const vf_array *array)
{
	int64_t strides[VF_MAX_RANK], offset;
	if (vf_strides(array, strides, &offset) == VF_OK) {
		printf("\"strides\": ");
		json_numbers(vf_rank(array), strides);
		printf(", \"offset\": %" PRId64 ", ", offset);
	} else {
		printf("\"strides\": null, \"offset\": null, ");
		vf_error_clear(vf_context_of(array));
	}
}

static bool print_array(const struct session *session, const vf_array *array)
{
	char name[16], *map = vf_map_text(array);
	if (!map)
		return session_failed(session->ctx);
	json_word("dtype", vf_dtype_name(vf_dtype_of(array), name, sizeof name));
	printf("\"shape\": ");
	json_numbers(vf_rank(array), vf_shape(array));
	printf(", ");
	print_strides(array);
	printf("\"map\": ");
	json_string(map);
	vf_text_free(session->ctx, map);
	return true;
}

static bool json_facts(struct session *session)
{
	json_word("expr", session->request->expression);
	return print_array(session, session->result);
}

/* ---- show --------------------------------------------------------------- */

static void add_values(struct text *out, const vf_array *array, int axis, const unsigned char **next)
{
	if (axis == vf_rank(array)) {
		cell_write_json(vf_dtype_of(array), *next, out);
		*next += vf_dtype_bytes(vf_dtype_of(array));
		return;
	}
	text_print(out, "[");
	for (int64_t i = 0; i < vf_shape(array)[axis]; i++) {
		text_print(out, i ? ", " : "");
		add_values(out, array, axis + 1, next);
	}
	text_print(out, "]");
}

static bool print_values(const vf_array *array, const unsigned char *bytes)
{
	struct text text = {0};
	add_values(&text, array, 0, &bytes);
	if (!text.failed)
		printf("%s", text.bytes);
	bool failed = text.failed;
	text_drop(&text);
	return failed ? complain_memory(0, "the values") : true;
}

bool json_show(struct session *session)
{
	struct memory memory;
	size_t bytes = memory_size(vf_size_bytes(session->result));
	if (!memory_allocate(&memory, bytes, "the values"))
		return false;
	bool done = vf_materialize(session->result, memory.bytes, bytes) == VF_OK ||
	            session_failed(session->ctx);
	printf(done ? "{" : "");
	done = done && json_facts(session);
	printf(done ? ", \"values\": " : "");
	done = done && print_values(session->result, memory.bytes);
	printf(done ? "}\n" : "");
	memory_release(&memory);
	return done;
}

/* ---- explain ------------------------------------------------------------ */

static void print_inputs(const struct session *session)
{
	char name[16];
	printf(", \"inputs\": [");
	for (int i = 0; i < session->n; i++) {
		const struct input *input = &session->inputs[i];
		printf(i ? ", {" : "{");
		json_word("name", input->name);
		json_word("dtype", vf_dtype_name(input->element.dtype, name, sizeof name));
		printf("\"shape\": ");
		json_numbers(input->rank, input->shape);
		printf("}");
	}
	printf("]");
}

static const char indent[] = "    ";

static bool is_note(const char *line)
{
	return strncmp(line, indent, sizeof indent - 1) == 0;
}

/* The '=' of "%1 = x.T"; NULL in any other line. */
static const char *equals_of(const char *line)
{
	const char *equals = strstr(line, " = "), *end = strchr(line, '\n');
	return equals && equals < end && !memchr(line, ' ', (size_t)(equals - line)) ? equals : NULL;
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
	line += line_length(line);
	return *line ? line + 1 : line;
}

/* "%1 = x.T" and the indented lines that follow it. Returns what comes after. */
static const char *print_step(const char *line, const char *equals)
{
	printf("{\"name\": ");
	json_text(line, (size_t)(equals - line));
	printf(", \"made\": ");
	json_text(equals + 3, line_length(equals + 3));
	printf(", \"notes\": [");
	const char *first = line = next_line(line);
	for (; is_note(line); line = next_line(line)) {
		printf(line == first ? "" : ", ");
		json_text(line + sizeof indent - 1, line_length(line) - (sizeof indent - 1));
	}
	printf("]}");
	return line;
}

/* The text of vf_explain(): first the steps, each a line and its notes, then lines about the plan. */
static void print_steps(const char *line)
{
	const char *equals, *first = line;
	printf(", \"steps\": [");
	while ((equals = equals_of(line))) {
		printf(line == first ? "" : ", ");
		line = print_step(line, equals);
	}
	printf("], \"plan\": [");
	for (first = line; *line; line = next_line(line)) {
		printf(line == first ? "" : ", ");
		json_text(line, line_length(line));
	}
	printf("]");
}

static bool print_result(const struct session *session, const vf_array *array)
{
	int64_t radices[VF_MAX_RANK];
	bool done = print_array(session, array);
	printf(", \"bytes\": %" PRId64 ", \"cuts\": %d, \"radices\": ", vf_size_bytes(array), vf_cuts(array));
	json_numbers(vf_radices(array, radices), radices);
	return done;
}

bool json_explain(const struct session *session, int n, vf_array *const *arrays, bool list)
{
	char *text = vf_explain_all(n, arrays);
	bool done = text ? true : session_failed(session->ctx);
	if (!text)
		return false;
	printf("{");
	json_word("expr", session->request->expression);
	printf(list ? "\"results\": [" : "");
	for (int i = 0; i < n && done; i++) {
		printf(list ? i ? ", {" : "{" : "");
		done = print_result(session, arrays[i]);
		printf(list ? "}" : "");
	}
	printf(list ? "]" : "");
	print_inputs(session);
	print_steps(text);
	printf("}\n");
	vf_text_free(session->ctx, text);
	return done;
}
