/* storage.c -- see storage.h.
 *
 * Which bytes a result reads is asked of the kernel itself, whatever the dtypes along its way: it
 * is run over inputs whose bytes spell their own positions, one byte of the position a run.
 * A byte of the result comes from the input in question if it changes with it.
 */
#include "storage.h"

#include "cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 1000, MAX_TRACED_BYTES = 1 << 24 };

/* One input under examination. */
struct trace {
	struct session *session;
	const struct input *input;
	vf_kernel *kernel;
	size_t out_bytes;
	const void **data;      /* an input each: zeros, or `probe` */
	unsigned char *probe;   /* the input's bytes, made to tell */
	unsigned char *out, *base;
	uint64_t *position;     /* of each byte of the result, in the input */
	int64_t *reads;         /* bytes read of each element */
};

static bool trace_run(struct trace *trace, unsigned char *out)
{
	if (vf_run(trace->kernel, out, trace->out_bytes, trace->data) == VF_OK)
		return true;
	return session_failed(trace->session->ctx);
}

/* Run with byte `digit` of each byte's own position, and add what comes to the positions. */
static bool trace_digit(struct trace *trace, unsigned digit)
{
	for (size_t i = 0; i < trace->input->data_bytes; i++)
		trace->probe[i] = (unsigned char)(i >> (8 * digit));
	if (!trace_run(trace, trace->out))
		return false;
	for (size_t i = 0; i < trace->out_bytes; i++)
		trace->position[i] |= (uint64_t)trace->out[i] << (8 * digit);
	return true;
}

/* Count the bytes that are read of each element. */
static bool trace_reads(struct trace *trace)
{
	size_t bytes = trace->input->data_bytes;
	size_t element = (size_t)vf_dtype_bytes(trace->input->element.dtype);
	memset(trace->probe, 0, bytes);
	if (!trace_run(trace, trace->base))
		return false;
	for (unsigned digit = 0; digit == 0 || (bytes - 1) >> (8 * digit); digit++)
		if (!trace_digit(trace, digit))
			return false;
	memset(trace->probe, 0xff, bytes);
	if (!trace_run(trace, trace->out))
		return false;
	for (size_t i = 0; i < trace->out_bytes; i++)
		if (trace->out[i] != trace->base[i])
			trace->reads[trace->position[i] / element]++;
	return true;
}

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

static bool trace_allocate(struct trace *trace)
{
	size_t bytes = trace->input->data_bytes, out_bytes = trace->out_bytes;
	size_t element = (size_t)vf_dtype_bytes(trace->input->element.dtype);
	trace->probe = malloc(bytes + 1);
	trace->out = malloc(out_bytes + 1);
	trace->base = malloc(out_bytes + 1);
	trace->position = calloc(out_bytes + 1, sizeof *trace->position);
	trace->reads = calloc(bytes / element + 1, sizeof *trace->reads);
	if (trace->probe && trace->out && trace->base && trace->position && trace->reads)
		return true;
	return complain_memory(out_bytes, "the list of what is read");
}

static void trace_free(struct trace *trace)
{
	free(trace->probe);
	free(trace->out);
	free(trace->base);
	free(trace->position);
	free(trace->reads);
}

static bool print_input(struct trace *trace, size_t place, const unsigned char *zeros)
{
	const struct input *input = &trace->session->inputs[place];
	if (input->data_bytes > MAX_TRACED_BYTES || trace->out_bytes > MAX_TRACED_BYTES) {
		printf("%s: too large to follow each byte\n", input->name);
		return true;
	}
	trace->input = input;
	bool done = trace_allocate(trace);
	if (done) {
		trace->data[place] = trace->probe;
		done = (trace->out_bytes == 0 || input->data_bytes == 0 || trace_reads(trace)) &&
		       print_reads(input, trace->reads);
		trace->data[place] = zeros;
	}
	trace_free(trace);
	return done;
}

bool print_storage(struct session *session)
{
	size_t n = (size_t)session->n, largest = 0;
	struct trace trace = {.session = session,
	                      .out_bytes = (size_t)vf_size_bytes(session->result)};
	struct memory zeros = {0};
	for (size_t i = 0; i < n; i++)
		if (session->inputs[i].data_bytes > largest)
			largest = session->inputs[i].data_bytes;
	trace.data = calloc(n + 1, sizeof *trace.data);
	trace.kernel = session_compile(session, session->result);
	bool done = trace.kernel && (trace.data || complain_memory(n, "the inputs")) &&
	            memory_allocate(&zeros, largest, "zeros");
	for (size_t i = 0; i < n && done; i++)
		trace.data[i] = zeros.bytes;
	for (size_t i = 0; i < n && done; i++)
		done = print_input(&trace, i, zeros.bytes);
	memory_release(&zeros);
	free(trace.data);
	if (trace.kernel)
		vf_kernel_release(trace.kernel);
	return done;
}
