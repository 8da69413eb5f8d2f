/* reads.c -- see reads.h. The map tells, by vf_boxes(), element by element of the result. */
#include "reads.h"

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

/* The elements that one element's bytes are of. */
static void add_box(struct reads *reads, size_t i, int input, const vf_box *box)
{
	int64_t unit = vf_dtype_bytes(reads->session->inputs[input].element.dtype);
	for (int64_t at = box->from_bytes; at < box->from_bytes + box->elem_bytes;
	     at = (at / unit + 1) * unit)
		add_read(reads, i, (struct read_element){input, at / unit, at % unit});
}

/* What element `index` of the result reads of one input. */
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
	bool all = n > MOST_READS;
	for (int64_t k = 0; k < n && !all; k++)
		all = boxes[k].n > 0;
	for (int64_t k = 0; k < n && !all; k++)
		add_box(reads, i, input, &boxes[k]);
	if (all)
		add_read(reads, i, (struct read_element){input, ALL_ELEMENTS, 0});
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

/* ---- constants ---- */

/* The result over inputs that are zero. */
static bool find_constants(struct reads *reads)
{
	struct session *session = reads->session;
	size_t longest = 0;
	for (int i = 0; i < session->n; i++) {
		size_t bytes = memory_size(vf_size_bytes(session->inputs[i].array));
		longest = bytes > longest ? bytes : longest;
	}
	unsigned char *zeros = calloc(longest + 1, 1);
	const void **data = calloc((size_t)session->n + 1, sizeof *data);
	vf_kernel *kernel = zeros && data ? session_compile(session, session->result) : NULL;
	for (int i = 0; i < session->n && data; i++)
		data[i] = zeros;
	bool done = zeros && data ? kernel != NULL : complain_memory(longest, "zeros");
	done = done &&
	       (vf_run(kernel, reads->constants, (size_t)vf_size_bytes(session->result), data) == VF_OK ||
	        session_failed(session->ctx));
	vf_kernel_release(kernel);
	free(zeros);
	free(data);
	return done;
}

/* ---- entry ---- */

/* A map that ends in a formula. */
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
	*reads = (struct reads){.session = session};
	return reads_allocate(reads, (size_t)vf_size(session->result)) &&
	       is_computed(session, &reads->computed) && find_constants(reads) && ask_map_of_all(reads);
}

void reads_drop(struct reads *reads)
{
	for (int i = 0; reads->counts && i < reads->session->n; i++)
		free(reads->counts[i]);
	free(reads->counts);
	free(reads->constants);
	free(reads->elements);
}
