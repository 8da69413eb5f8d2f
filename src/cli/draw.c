/* draw.c -- viewfold draw: the cells of each input's storage, and those that each index reads. */
#include "cell.h"
#include "drawing.h"
#include "replace.h"
#include "trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 256, MOST_BYTES = 4096 }; /* of an element */

/* Where an element of the result comes from. */
struct origin {
	int input; /* -1: a constant */
	int64_t element;
	int64_t byte; /* of that element, where another dtype begins inside it */
};

struct canvas {
	struct session *session;
	struct trace trace;
	size_t size, elem_bytes; /* of the result */
	struct origin *origins;
	struct grid *grids; /* an input each, then the result */
};

static bool check_size(const char *name, int64_t n, int64_t bytes)
{
	if (n > MOST_CELLS)
		return complain("draw: %s has %" PRId64 " elements; a picture holds %d", name, n, MOST_CELLS);
	if (bytes > MOST_BYTES)
		return complain("draw: elements of %" PRId64 " bytes are too large to follow", bytes);
	return true;
}

static bool check_sizes(const struct session *session)
{
	for (int i = 0; i < session->n; i++) {
		const struct input *input = &session->inputs[i];
		if (!check_size(input->name, vf_size(input->array), vf_dtype_bytes(input->element.dtype)))
			return false;
	}
	const vf_array *result = session->result;
	return check_size("the result", vf_size(result), vf_dtype_bytes(vf_dtype_of(result)));
}

/* ---- who reads what ----------------------------------------------------- */

/* Note the origins that lie in input `which`, and count the reads of its elements. */
static void keep_origins(struct canvas *canvas, int which)
{
	struct drawn_cell *cells = canvas->grids[which].cells;
	uint64_t unit = (uint64_t)vf_dtype_bytes(canvas->session->inputs[which].element.dtype);
	for (size_t i = 0; i < canvas->size; i++) {
		const uint64_t *position = canvas->trace.position + i * canvas->elem_bytes;
		if (position[0] == TRACE_ELSEWHERE)
			continue;
		canvas->origins[i] = (struct origin){which, (int64_t)(position[0] / unit),
		                                     (int64_t)(position[0] % unit)};
		for (size_t byte = 0; byte < canvas->elem_bytes; byte++)
			if (byte == 0 || position[byte] / unit != position[byte - 1] / unit)
				cells[position[byte] / unit].badge++;
	}
}

static bool trace_all(struct canvas *canvas)
{
	for (size_t i = 0; i < canvas->size; i++)
		canvas->origins[i].input = -1;
	for (int i = 0; i < canvas->session->n; i++) {
		if (!trace_input(&canvas->trace, i))
			return false;
		keep_origins(canvas, i);
	}
	return true;
}

/* ---- grids -------------------------------------------------------------- */

static void print_shape(char *text, size_t size, int rank, const int64_t *shape)
{
	size_t used = (size_t)snprintf(text, size, "(");
	for (int i = 0; i < rank && used + 24 < size; i++)
		used += (size_t)snprintf(text + used, size - used, i ? ", %" PRId64 : "%" PRId64, shape[i]);
	snprintf(text + used, size - used, rank == 1 ? ",)" : ")");
}

/* The shape as memory has it: the axis that runs fastest is the last. */
static void fill_storage_grid(struct canvas *canvas, int which, int64_t hues, int64_t first_hue)
{
	const struct input *input = &canvas->session->inputs[which];
	struct grid *grid = &canvas->grids[which];
	char name[16], shape[80];
	grid->in_memory = true;
	grid->rank = input->rank;
	for (int i = 0; i < input->rank; i++)
		grid->shape[i] = input->shape[input->fortran ? input->rank - 1 - i : i];
	print_shape(shape, sizeof shape, input->rank, input->shape);
	snprintf(grid->heading, sizeof grid->heading, "%.20s: storage", input->name);
	snprintf(grid->note, sizeof grid->note, "%s %s",
	         vf_dtype_name(input->element.dtype, name, sizeof name), shape);
	int64_t n = vf_size(input->array);
	int64_t row = grid->rank ? grid->shape[grid->rank - 1] : 1;
	for (int64_t i = 0; i < n; i++) {
		struct drawn_cell *cell = &grid->cells[i];
		cell->look = cell->badge ? CELL_FILLED : CELL_PALE;
		cell->colour = drawing_colour(first_hue + i / row, hues, i % row, row);
		snprintf(cell->label, sizeof cell->label, "%" PRId64, i);
	}
}

static void fill_storage_grids(struct canvas *canvas)
{
	int64_t hues = 0, first = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < canvas->session->n; i++) {
			const struct input *input = &canvas->session->inputs[i];
			int64_t n = vf_size(input->array);
			int64_t row = input->rank ? input->shape[input->fortran ? 0 : input->rank - 1] : 1;
			int64_t rows = n ? n / row : 0;
			if (pass) {
				fill_storage_grid(canvas, i, hues, first);
				first += rows;
			} else {
				hues += rows;
			}
		}
}

static bool label_constant(const struct canvas *canvas, size_t i, struct drawn_cell *cell)
{
	struct element element = session_element(canvas->session, vf_dtype_of(canvas->session->result));
	const unsigned char *bytes = canvas->trace.base + i * canvas->elem_bytes;
	struct cell_format format;
	struct text label = {0};
	if (!cell_format_fit(&format, &element, bytes, 1, false))
		return false;
	cell_write(&format, bytes, &label);
	if (!label.failed)
		snprintf(cell->label, sizeof cell->label, "%.12s", label.bytes);
	text_drop(&label);
	return true;
}

static bool fill_result_grid(struct canvas *canvas)
{
	const struct session *session = canvas->session;
	struct grid *grid = &canvas->grids[session->n];
	char name[16], shape[80];
	grid->rank = vf_rank(session->result);
	memcpy(grid->shape, vf_shape(session->result), (size_t)grid->rank * sizeof *grid->shape);
	print_shape(shape, sizeof shape, grid->rank, grid->shape);
	snprintf(grid->heading, sizeof grid->heading, "result: what each index reads");
	char *map = vf_map_text(session->result);
	if (!map)
		return session_failed(session->ctx);
	snprintf(grid->note, sizeof grid->note, "%s %s",
	         vf_dtype_name(vf_dtype_of(session->result), name, sizeof name),
	         strlen(map) < 60 && *map == '(' ? map : shape);
	vf_text_free(session->ctx, map);
	for (size_t i = 0; i < canvas->size; i++) {
		struct drawn_cell *cell = &grid->cells[i];
		const struct origin *origin = &canvas->origins[i];
		if (origin->input < 0) {
			cell->look = CELL_CONSTANT;
			if (!label_constant(canvas, i, cell))
				return false;
			continue;
		}
		cell->colour = canvas->grids[origin->input].cells[origin->element].colour;
		snprintf(cell->label, sizeof cell->label, "%" PRId64, origin->element);
		if (origin->byte)
			snprintf(cell->label, sizeof cell->label, "%" PRId64 "+%" PRId64, origin->element,
			         origin->byte);
	}
	return true;
}

/* ---- the picture -------------------------------------------------------- */

/* Lines for what this picture shows; the rest stays NULL. */
static void choose_legend(const struct canvas *canvas, const char *lines[5])
{
	bool often = false, unread = false, constant = false, inside = false;
	for (int g = 0; g < canvas->session->n; g++) {
		const struct grid *grid = &canvas->grids[g];
		int64_t n = vf_size(canvas->session->inputs[g].array);
		for (int64_t i = 0; i < n; i++) {
			often = often || grid->cells[i].badge > 1;
			unread = unread || grid->cells[i].look == CELL_PALE;
		}
	}
	for (size_t i = 0; i < canvas->size; i++) {
		constant = constant || canvas->origins[i].input < 0;
		inside = inside || (canvas->origins[i].input >= 0 && canvas->origins[i].byte);
	}
	int n = 0;
	if (often)
		lines[n++] = "small number: how often a cell is read";
	if (unread)
		lines[n++] = "pale: never read";
	if (constant)
		lines[n++] = "dashed: a constant, read from no cell";
	if (inside)
		lines[n++] = "i+b: byte b of cell i";
}

static bool draw(struct canvas *canvas)
{
	const struct request *request = canvas->session->request;
	const char *legend[5] = {NULL};
	struct text svg = {0};
	if (!trace_all(canvas))
		return false;
	fill_storage_grids(canvas);
	if (!fill_result_grid(canvas))
		return false;
	choose_legend(canvas, legend);
	drawing_print(&svg, request->expression, canvas->grids, canvas->session->n + 1, legend);
	bool done = svg.failed ? complain_memory(0, "a picture")
	                       : output_save(request->output, svg.bytes, svg.length);
	text_drop(&svg);
	return done;
}

static bool canvas_allocate(struct canvas *canvas)
{
	size_t n = (size_t)canvas->session->n;
	canvas->origins = calloc(canvas->size + 1, sizeof *canvas->origins);
	canvas->grids = calloc(n + 1, sizeof *canvas->grids);
	bool done = canvas->origins && canvas->grids;
	for (size_t i = 0; i <= n && done; i++) {
		canvas->grids[i].cells = calloc(MOST_CELLS, sizeof *canvas->grids[i].cells);
		done = canvas->grids[i].cells != NULL;
	}
	return done ? true : complain_memory(0, "a picture");
}

static void canvas_free(struct canvas *canvas)
{
	for (int i = 0; canvas->grids && i <= canvas->session->n; i++)
		free(canvas->grids[i].cells);
	free(canvas->grids);
	free(canvas->origins);
	trace_close(&canvas->trace);
}

static bool draw_session(struct session *session)
{
	struct canvas canvas = {.session = session,
	                        .size = (size_t)vf_size(session->result),
	                        .elem_bytes = (size_t)vf_dtype_bytes(vf_dtype_of(session->result))};
	bool done = canvas_allocate(&canvas) && trace_open(&canvas.trace, session, SIZE_MAX) && draw(&canvas);
	canvas_free(&canvas);
	return done;
}

int command_draw(const struct request *request)
{
	struct session session;
	size_t length = request->output ? strlen(request->output) : 0;
	if (!request->output)
		return complain_usage("draw needs an output: -o OUT.svg");
	if (!is_stream(request->output) && (length < 5 || strcmp(request->output + length - 4, ".svg") != 0))
		return complain_usage("-o %s: a picture's name ends in .svg", request->output);
	if (!session_open(&session, request, BYTES_NONE))
		return STATUS_FAILED;
	bool done = check_sizes(&session) && draw_session(&session);
	return session_end(&session, done);
}
