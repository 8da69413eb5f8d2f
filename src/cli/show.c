/* show.c -- viewfold show: the values as NumPy prints them, then what the array is.
 *
 * Of a large array only the corners are printed. They are a view of their own, so only they are read.
 */
#include "json.h"
#include "print.h"
#include "cell.h"
#include "trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More corner elements than MAX_PRINTED are refused: NumPy would print them for hours. */
enum { MAX_PRINTED = 1 << 20, MAX_LISTED = 1000, MAX_TRACED_BYTES = 1 << 24 };

static const int64_t edges[2 * PRINT_EDGE] = {0, 1, 2, -3, -2, -1};

/* The view that is printed, a new reference. In a large array long axes keep only their ends. */
static vf_array *corners(vf_array *array, struct printable *out)
{
	vf_array *view = vf_retain(array);
	bool large = vf_size(array) > PRINT_THRESHOLD;
	for (int axis = 0; axis < vf_rank(array) && view; axis++) {
		out->shortened[axis] = large && vf_shape(array)[axis] > 2 * PRINT_EDGE;
		if (!out->shortened[axis])
			continue;
		vf_array *next = vf_take(view, axis, 2 * PRINT_EDGE, edges);
		vf_release(view);
		view = next;
	}
	return view;
}

static bool print_view(struct session *session, vf_array *view, struct printable *out)
{
	struct memory memory;
	struct element element = session_element(session, vf_dtype_of(view));
	size_t bytes = memory_size(vf_size_bytes(view));
	if (vf_size(view) > MAX_PRINTED)
		return complain("%" PRId64 " elements are too many to print, shortened as they are",
		                vf_size(view));
	if (!memory_allocate(&memory, bytes, "the values"))
		return false;
	bool done = vf_materialize(view, memory.bytes, bytes) == VF_OK || session_failed(session->ctx);
	if (done) {
		out->element = &element;
		out->bytes = memory.bytes;
		out->rank = vf_rank(view);
		memcpy(out->shape, vf_shape(view), (size_t)out->rank * sizeof *out->shape);
		done = print_array(out);
	}
	memory_release(&memory);
	return done;
}

static bool print_values(struct session *session)
{
	struct printable printable = {0};
	vf_array *view = corners(session->result, &printable);
	if (!view)
		return session_failed(session->ctx);
	bool done = print_view(session, view, &printable);
	vf_release(view);
	return done;
}

/* "(2, 3)", "(3,)", "()": as Python writes tuples. */
static void print_tuple(const char *label, int n, const int64_t *numbers)
{
	printf("%-8s (", label);
	for (int i = 0; i < n; i++)
		printf(i ? ", %" PRId64 : "%" PRId64, numbers[i]);
	printf(n == 1 ? ",)\n" : ")\n");
}

static void print_strides(struct session *session)
{
	int64_t strides[VF_MAX_RANK], offset;
	if (vf_strides(session->result, strides, &offset) == VF_OK) {
		print_tuple("strides", vf_rank(session->result), strides);
		printf("%-8s %" PRId64 "\n", "offset", offset);
	} else {
		static const char prefix[] = "strides: ";
		const char *why = vf_error_text(session->ctx);
		if (strncmp(why, prefix, sizeof prefix - 1) == 0)
			why += sizeof prefix - 1;
		printf("%-8s compound: %s\n", "strides", why);
		vf_error_clear(session->ctx);
	}
}

static bool print_facts(struct session *session)
{
	char name[16];
	vf_array *result = session->result;
	printf("%-8s %s\n", "dtype", vf_dtype_name(vf_dtype_of(result), name, sizeof name));
	print_tuple("shape", vf_rank(result), vf_shape(result));
	print_strides(session);
	char *map = vf_map_text(result);
	if (!map)
		return session_failed(session->ctx);
	printf("%-8s %s\n", "storage", map);
	vf_text_free(session->ctx, map);
	return true;
}

/* ---- storage ------------------------------------------------------------ */

/* Elements that lie next to each other along the axis that runs fastest. */
static int64_t row_length(const struct input *input)
{
	if (input->rank == 0)
		return 1;
	return input->shape[input->fortran ? 0 : input->rank - 1];
}

static bool list_elements(const struct input *input, const int64_t *reads, size_t n)
{
	struct cell_format format;
	struct text line = {0};
	if (!cell_format_fit(&format, &input->element, input_data(input), n, false))
		return false;
	size_t row = (size_t)row_length(input);
	for (size_t i = 0; i < n; i++) {
		text_print(&line, reads[i] ? " [" : "  ");
		cell_write(&format, input_data(input) + i * format.bytes, &line);
		text_print(&line, reads[i] ? "]" : " ");
		if ((i + 1) % row == 0 || i + 1 == n) {
			while (line.length && line.bytes[line.length - 1] == ' ')
				line.bytes[--line.length] = 0;
			printf(" %s\n", line.failed ? "" : line.bytes);
			text_clear(&line);
		}
	}
	bool failed = line.failed;
	text_drop(&line);
	return failed ? complain_memory(0, "a line of text") : true;
}

static bool print_reads(const struct input *input, const int64_t *reads)
{
	char name[16];
	size_t element = (size_t)vf_dtype_bytes(input->element.dtype);
	size_t n = input->data_bytes / element, some = 0, often = 0;
	for (size_t i = 0; i < n; i++) {
		some += reads[i] > 0;
		often += reads[i] > (int64_t)element;
	}
	printf("%s: %zu %s in memory, %zu read, %zu more than once\n", input->name, n,
	       vf_dtype_name(input->element.dtype, name, sizeof name), some, often);
	return n > MAX_LISTED || list_elements(input, reads, n);
}

/* Count the bytes that are read of each element. */
static bool count_reads(struct trace *trace, int place, int64_t *reads)
{
	size_t element = (size_t)vf_dtype_bytes(trace->session->inputs[place].element.dtype);
	if (!trace_input(trace, place))
		return false;
	for (size_t i = 0; i < trace->out_bytes; i++)
		if (trace->position[i] != TRACE_ELSEWHERE)
			reads[trace->position[i] / element]++;
	return true;
}

static bool print_input(struct trace *trace, int place)
{
	const struct input *input = &trace->session->inputs[place];
	if (input->data_bytes > MAX_TRACED_BYTES) {
		printf("%s: too large to follow each byte\n", input->name);
		return true;
	}
	int64_t *reads = calloc((size_t)vf_size(input->array) + 1, sizeof *reads);
	bool done = reads ? count_reads(trace, place, reads) && print_reads(input, reads)
	                  : complain_memory(input->data_bytes, "the list of what is read");
	free(reads);
	return done;
}

/* Print each input's elements in the order of memory, with those in brackets that the result reads. Of an
 * input of more than MAX_LISTED elements, print only the counts. */
static bool print_storage(struct session *session)
{
	struct trace trace;
	if (vf_size_bytes(session->result) > MAX_TRACED_BYTES) {
		printf("the result is too large to follow each byte\n");
		return true;
	}
	bool done = trace_open(&trace, session, MAX_TRACED_BYTES);
	for (int i = 0; i < session->n && done; i++)
		done = print_input(&trace, i);
	trace_close(&trace);
	return done;
}

int command_show(const struct request *request)
{
	struct session session;
	if (!session_open(&session, request, BYTES_READ))
		return STATUS_FAILED;
	if (request->json)
		return session_end(&session, json_show(&session));
	bool done = print_values(&session) && print_facts(&session) &&
	            (!request->storage || print_storage(&session));
	return session_end(&session, done);
}
