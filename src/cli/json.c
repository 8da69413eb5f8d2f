/* json.c -- see json.h. */
#include "json.h"

#include "cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- pieces ------------------------------------------------------------- */

void json_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
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

/* The next line of a text, which is cut up in place; "" beyond the last line. */
static char *take_line(char **text)
{
	char *line = *text;
	*text += strcspn(line, "\n");
	if (**text)
		*(*text)++ = '\0';
	return line;
}

/* The '=' of "%1 = x.T"; NULL in any other line. */
static char *equals_of(char *line)
{
	char *equals = line + strcspn(line, " ");
	return strncmp(equals, " = ", 3) == 0 ? equals : NULL;
}

/* Print "%1 = x.T" and its notes. Returns the line behind them. */
static char *print_step(char *line, char *equals, char **text)
{
	static const char indent[] = "    ";
	const size_t by = sizeof indent - 1;
	*equals = '\0';
	printf("{");
	json_word("name", line);
	json_word("made", equals + 3);
	printf("\"notes\": [");
	line = take_line(text);
	for (int k = 0; strncmp(line, indent, by) == 0; k++, line = take_line(text)) {
		printf(k ? ", " : "");
		json_string(line + by);
	}
	printf("]}");
	return line;
}

/* Print the text of vf_explain_all() line by line. */
static void print_steps(char *text)
{
	char *line = take_line(&text), *equals;
	printf(", \"steps\": [");
	for (int k = 0; (equals = equals_of(line)); k++) {
		printf(k ? ", " : "");
		line = print_step(line, equals, &text);
	}
	printf("], \"plan\": [");
	for (int k = 0; *line || *text; k++, line = take_line(&text)) {
		printf(k ? ", " : "");
		json_string(line);
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
