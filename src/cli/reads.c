/* reads.c -- see reads.h.
 *
 * Bytes that are moved are followed through the kernel (trace.h). Bytes that are computed cannot be followed:
 * vf_boxes() tells what the map reads for each element.
 */
#include "reads.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

static void add_read(struct reads *reads, size_t i, struct read_element read)
{
	struct element_reads *element = &reads->elements[i];
	int64_t *counts = reads->counts[read.input], size = vf_size(reads->session->inputs[read.input].array);
	if (element->n < MOST_READS)
		element->at[element->n++] = read;
	if (read.element != ALL_ELEMENTS)
		counts[read.element]++;
	for (int64_t k = 0; read.element == ALL_ELEMENTS && k < size; k++)
		counts[k] += counts[k] == 0;
}

/* ---- bytes that are moved ---- */

static int64_t unit_of(const struct reads *reads, int input)
{
	return vf_dtype_bytes(reads->session->inputs[input].element.dtype);
}

static void follow_element(struct reads *reads, size_t i, int input, const uint64_t *position, size_t bytes)
{
	uint64_t unit = (uint64_t)unit_of(reads, input);
	if (position[0] == TRACE_ELSEWHERE)
		return;
	for (size_t byte = 0; byte < bytes; byte++)
		if (byte == 0 || position[byte] / unit != position[byte - 1] / unit)
			add_read(reads, i,
			         (struct read_element){input, (int64_t)(position[byte] / unit),
			                               (int64_t)(position[byte] % unit)});
}

static bool follow_bytes(struct reads *reads, struct trace *trace, size_t bytes)
{
	for (int input = 0; input < reads->session->n; input++) {
		if (!trace_input(trace, input))
			return false;
		for (size_t i = 0; i < trace->out_bytes / bytes; i++)
			follow_element(reads, i, input, trace->position + i * bytes, bytes);
	}
	return true;
}

/* ---- elements that are computed ---- */

/* Add what element `index` of the result, its number `i`, reads of one input. */
static bool ask_map(struct reads *reads, size_t i, const int64_t *index, int input)
{
	int64_t one[VF_MAX_RANK];
	const struct session *session = reads->session;
	vf_box boxes[MOST_READS];
	for (int axis = 0; axis < VF_MAX_RANK; axis++)
		one[axis] = 1;
	int64_t n = vf_boxes(session->result, index, one, session->inputs[input].array, VF_BOXES_BY_RESULT,
	                     MOST_READS, boxes);
	if (n < 0)
		return session_failed(session->ctx);
	for (int64_t k = 0; k < n; k++) {
		int64_t element = n > MOST_READS || boxes[k].n > 0
		                      ? ALL_ELEMENTS
		                      : boxes[k].from_bytes / unit_of(reads, input);
		add_read(reads, i, (struct read_element){input, element, 0});
		if (element == ALL_ELEMENTS)
			break;
	}
	return true;
}

static bool ask_map_of_all(struct reads *reads)
{
	const vf_array *result = reads->session->result;
	const int64_t *shape = vf_shape(result), size = vf_size(result);
	int64_t index[VF_MAX_RANK] = {0};
	for (int64_t i = 0; i < size; i++) {
		for (int input = 0; input < reads->session->n; input++)
			if (!ask_map(reads, (size_t)i, index, input))
				return false;
		for (int axis = vf_rank(result) - 1; axis >= 0 && ++index[axis] == shape[axis]; axis--)
			index[axis] = 0;
	}
	return true;
}

/* ---- entry ---- */

/* The text of a map ends in a formula if elements are computed. */
static bool is_computed(const struct session *session, bool *computed)
{
	char *map = vf_map_text(session->result);
	if (!map)
		return session_failed(session->ctx);
	*computed = strstr(map, " = ") != NULL;
	vf_text_free(session->ctx, map);
	return true;
}

static bool reads_allocate(struct reads *reads, size_t size)
{
	const struct session *session = reads->session;
	reads->elements = calloc(size + 1, sizeof *reads->elements);
	reads->constants = malloc(memory_size(vf_size_bytes(session->result)) + 1);
	reads->counts = calloc((size_t)session->n + 1, sizeof *reads->counts);
	bool done = reads->elements && reads->constants && reads->counts;
	for (int i = 0; i < session->n && done; i++) {
		reads->counts[i] = calloc((size_t)vf_size(session->inputs[i].array) + 1,
		                          sizeof **reads->counts);
		done = reads->counts[i] != NULL;
	}
	return done || complain_memory(0, "the list of what is read");
}

bool reads_find(struct reads *reads, struct session *session)
{
	struct trace trace = {0};
	*reads = (struct reads){.session = session};
	if (!reads_allocate(reads, (size_t)vf_size(session->result)) ||
	    !is_computed(session, &reads->computed))
		return false;
	bool done = trace_open(&trace, session, SIZE_MAX);
	if (done)
		memcpy(reads->constants, trace.base, trace.out_bytes);
	if (done && reads->computed)
		done = ask_map_of_all(reads);
	else if (done)
		done = follow_bytes(reads, &trace, (size_t)vf_dtype_bytes(vf_dtype_of(session->result)));
	trace_close(&trace);
	return done;
}

void reads_drop(struct reads *reads)
{
	for (int i = 0; reads->counts && i < reads->session->n; i++)
		free(reads->counts[i]);
	free(reads->counts);
	free(reads->constants);
	free(reads->elements);
}
