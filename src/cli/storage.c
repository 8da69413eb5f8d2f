/* storage.c -- see storage.h. */
#include "storage.h"

#include "cell.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_LISTED = 1000, MAX_TRACED_BYTES = 1 << 24 };

/* ---- the list ----------------------------------------------------------- */

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

/* ---- the runs ----------------------------------------------------------- */

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

bool print_storage(struct session *session)
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
