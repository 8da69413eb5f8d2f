/* storage.c -- see storage.h. */
#include "storage.h"

#include "cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_LISTED = 1000, MAX_COUNTED_BYTES = 1 << 24 };

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

/* ---- what is read ------------------------------------------------------- */

/* The bytes of a box, by its digits from k on, each in the element that it is of. */
static void count_box(const vf_box *box, int k, int64_t at, int64_t element, int64_t *reads)
{
	if (k == box->n)
		for (int64_t byte = at; byte < at + box->elem_bytes; byte++)
			reads[byte / element]++;
	for (int64_t i = 0; k < box->n && i < box->digits[k].extent; i++)
		count_box(box, k + 1, at + i * box->digits[k].from_bytes, element, reads);
}

static bool count_reads(const struct session *session, const struct input *input, int64_t *reads)
{
	int64_t n = vf_boxes(session->result, NULL, NULL, input->array, VF_BOXES_BY_LEAF, 0, NULL);
	vf_box *boxes = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof *boxes);
	if (!boxes)
		return complain_memory(0, "the boxes that are read");
	if (n > 0)
		n = vf_boxes(session->result, NULL, NULL, input->array, VF_BOXES_BY_LEAF, n, boxes);
	for (int64_t k = 0; k < n; k++)
		count_box(&boxes[k], 0, boxes[k].from_bytes, vf_dtype_bytes(input->element.dtype), reads);
	free(boxes);
	return n >= 0 || session_failed(session->ctx);
}

static bool print_input(const struct session *session, const struct input *input)
{
	if (input->data_bytes > MAX_COUNTED_BYTES) {
		printf("%s: too large to follow each byte\n", input->name);
		return true;
	}
	int64_t *reads = calloc((size_t)vf_size(input->array) + 1, sizeof *reads);
	bool done = reads ? count_reads(session, input, reads) && print_reads(input, reads)
	                  : complain_memory(input->data_bytes, "the list of what is read");
	free(reads);
	return done;
}

bool print_storage(struct session *session)
{
	bool done = true;
	if (vf_size_bytes(session->result) > MAX_COUNTED_BYTES) {
		printf("the result is too large to follow each byte\n");
		return true;
	}
	for (int i = 0; i < session->n && done; i++)
		done = print_input(session, &session->inputs[i]);
	return done;
}
