/* draw.c -- viewfold draw: the cells of each input's storage, and those that each index reads. */
#include "cell.h"
#include "drawing.h"
#include "reads.h"
#include "replace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 256, MOST_BYTES = 4096 }; /* of an element */

enum { MARK_CHARS = 16, MOST_LINES = 16, LINE_CHARS = 160, MOST_REGIONS = 8 };

struct canvas {
	struct session *session;
	size_t size, elem_bytes; /* of the result */
	struct reads reads;
	struct grid *grids; /* an input each, then the result */
	int nline;
	char lines[MOST_LINES][LINE_CHARS]; /* of explanation */
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

/* ---- inputs by letters --------------------------------------------------- */

/* The mark before the numbers of an input's cells, if there are several inputs: the input's name if all names
 * are short, else a letter. Hues alone would not tell the inputs apart. */
static void input_mark(const struct session *session, int which, char mark[MARK_CHARS])
{
	bool names = true;
	for (int i = 0; i < session->n; i++)
		names = names && strlen(session->inputs[i].name) <= 4;
	if (session->n < 2)
		*mark = '\0';
	else if (names)
		snprintf(mark, MARK_CHARS, "%s", session->inputs[which].name);
	else
		snprintf(mark, MARK_CHARS, which < 26 ? "%c" : "%c%d", 'a' + which % 26, which / 26);
}

static void print_heading(const struct session *session, int which, struct grid *grid)
{
	const char *name = session->inputs[which].name;
	char mark[MARK_CHARS];
	input_mark(session, which, mark);
	if (*mark && strcmp(mark, name) != 0)
		snprintf(grid->heading, sizeof grid->heading, "%.20s: storage, %s", name, mark);
	else
		snprintf(grid->heading, sizeof grid->heading, "%.20s: storage", name);
}

/* ---- grids -------------------------------------------------------------- */

static void print_shape(char *text, size_t size, int rank, const int64_t *shape)
{
	size_t used = (size_t)snprintf(text, size, "(");
	for (int i = 0; i < rank && used + 24 < size; i++)
		used += (size_t)snprintf(text + used, size - used, i ? ", %" PRId64 : "%" PRId64, shape[i]);
	snprintf(text + used, size - used, rank == 1 ? ",)" : ")");
}

/* Fill the grid of an input in the order of memory: the axis that runs fastest is the last. */
static void fill_storage_grid(struct canvas *canvas, int which, int64_t hues, int64_t first_hue)
{
	const struct input *input = &canvas->session->inputs[which];
	struct grid *grid = &canvas->grids[which];
	char name[16], shape[80], mark[MARK_CHARS];
	grid->in_memory = true;
	grid->rank = input->rank;
	for (int i = 0; i < input->rank; i++)
		grid->shape[i] = input->shape[input->fortran ? input->rank - 1 - i : i];
	print_shape(shape, sizeof shape, input->rank, input->shape);
	print_heading(canvas->session, which, grid);
	input_mark(canvas->session, which, mark);
	snprintf(grid->note, sizeof grid->note, "%s %s",
	         vf_dtype_name(input->element.dtype, name, sizeof name), shape);
	int64_t n = vf_size(input->array);
	int64_t row = grid->rank ? grid->shape[grid->rank - 1] : 1;
	for (int64_t i = 0; i < n; i++) {
		struct drawn_cell *cell = &grid->cells[i];
		cell->badge = (int)canvas->reads.counts[which][i];
		cell->look = cell->badge ? CELL_FILLED : CELL_PALE;
		cell->colour = drawing_colour(first_hue + i / row, hues, i % row, row);
		snprintf(cell->label, sizeof cell->label, "%s%" PRId64, mark, i);
	}
}

/* The rows of an input as they lie in memory. */
static int64_t count_rows(const struct input *input)
{
	int64_t n = vf_size(input->array);
	return n && input->rank ? n / input->shape[input->fortran ? 0 : input->rank - 1] : n;
}

static void fill_storage_grids(struct canvas *canvas)
{
	const struct session *session = canvas->session;
	int64_t hues = 0, first = 0;
	for (int i = 0; i < session->n; i++)
		hues += count_rows(&session->inputs[i]);
	for (int i = 0; i < session->n; i++) {
		fill_storage_grid(canvas, i, hues, first);
		first += count_rows(&session->inputs[i]);
	}
}

static bool label_constant(const struct canvas *canvas, size_t i, struct drawn_cell *cell)
{
	struct element element = session_element(canvas->session, vf_dtype_of(canvas->session->result));
	const unsigned char *bytes = canvas->reads.constants + i * canvas->elem_bytes;
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

/* Label a cell by what it reads: "x3" is the first element, if bytes are moved; "x3 m0" are the elements
 * that a formula takes. */
static void label_reads(const struct canvas *canvas, const struct element_reads *reads,
                        struct drawn_cell *cell)
{
	int n = canvas->reads.computed ? reads->n : 1;
	size_t used = 0, size = sizeof cell->label;
	char mark[MARK_CHARS];
	for (int k = 0; k < n && used < size; k++) {
		const struct read_element *read = &reads->at[k];
		char *to = cell->label + used;
		input_mark(canvas->session, read->input, mark);
		if (read->element == ALL_ELEMENTS)
			used += (size_t)snprintf(to, size - used, "%s%s*", k ? " " : "", mark);
		else if (read->byte)
			used += (size_t)snprintf(to, size - used, "%s%s%" PRId64 "+%" PRId64, k ? " " : "",
			                         mark, read->element, read->byte);
		else
			used += (size_t)snprintf(to, size - used, "%s%s%" PRId64, k ? " " : "", mark,
			                         read->element);
	}
}

static bool fill_result_cells(struct canvas *canvas)
{
	for (size_t i = 0; i < canvas->size; i++) {
		struct drawn_cell *cell = &canvas->grids[canvas->session->n].cells[i];
		const struct element_reads *reads = &canvas->reads.elements[i];
		if (reads->n == 0) {
			cell->look = CELL_CONSTANT;
			if (!label_constant(canvas, i, cell))
				return false;
			continue;
		}
		const struct read_element *first = &reads->at[0];
		cell->colour =
		    canvas->grids[first->input].cells[first->element < 0 ? 0 : first->element].colour;
		label_reads(canvas, reads, cell);
	}
	return true;
}

/* Fill the grid of the result. A map of one region is its note; more regions, or a formula, are explained
 * below. */
static void fill_result_grid(struct canvas *canvas, const char *map)
{
	const vf_array *result = canvas->session->result;
	struct grid *grid = &canvas->grids[canvas->session->n];
	char name[16], shape[80];
	grid->rank = vf_rank(result);
	memcpy(grid->shape, vf_shape(result), (size_t)grid->rank * sizeof *grid->shape);
	print_shape(shape, sizeof shape, grid->rank, grid->shape);
	snprintf(grid->heading, sizeof grid->heading, "result: what each index reads");
	bool whole = strlen(map) < 60 && *map == '(' && !strpbrk(map, "{=");
	snprintf(grid->note, sizeof grid->note, "%s %s",
	         vf_dtype_name(vf_dtype_of(result), name, sizeof name), whole ? map : shape);
}

/* ---- explanations -------------------------------------------------------- */

static void add_line(struct canvas *canvas, const char *format, ...) PRINTF_LIKE(2, 3);
static void add_line(struct canvas *canvas, const char *format, ...)
{
	va_list list;
	if (canvas->nline == MOST_LINES)
		return;
	va_start(list, format);
	vsnprintf(canvas->lines[canvas->nline++], LINE_CHARS, format, list);
	va_end(list);
}

/* The name of source k in the text of the map: leaves stand in the order in which they are met. */
static const char *source_name(const struct session *session, int k)
{
	vf_array *leaves[64];
	int n = vf_cuts(session->result) ? 0 : vf_leaves(session->result, 64, leaves);
	const char *name = NULL;
	if (n > 64)
		return NULL;
	for (int j = 0; k < n && j < session->n; j++)
		if (leaves[k] == session->inputs[j].array)
			name = session->inputs[j].name;
	for (int i = 0; i < n; i++)
		vf_release(leaves[i]);
	return name;
}

/* Add a region, such as "@(0,4) (6,2):(1,-6)+6 of 1", with the input's name in place of its number. */
static void add_region(struct canvas *canvas, const char *text, size_t length)
{
	char region[LINE_CHARS - 40];
	snprintf(region, sizeof region, "%.*s", (int)length, text);
	char *of = strstr(region, " of ");
	const char *name = of ? source_name(canvas->session, atoi(of + 4)) : NULL;
	if (name)
		snprintf(of, sizeof region - (size_t)(of - region), " of %.20s", name);
	add_line(canvas, "region %s", region);
}

/* Add the regions of "(6,6) { @... | @... }", a line for each. */
static void add_regions(struct canvas *canvas, const char *map)
{
	const char *at = strstr(map, "{ ");
	int n = 0;
	while (at && *at) {
		at += 2;
		size_t length = strcspn(at, "|}");
		if (++n <= MOST_REGIONS)
			add_region(canvas, at, length - 1);
		at = at[length] == '|' ? at + length : NULL;
	}
	if (n > MOST_REGIONS)
		add_line(canvas, "and %d regions more", n - MOST_REGIONS);
}

static void explain_inputs(struct canvas *canvas)
{
	bool often = false, unread = false;
	for (int g = 0; g < canvas->session->n; g++) {
		const struct grid *grid = &canvas->grids[g];
		int64_t n = vf_size(canvas->session->inputs[g].array);
		for (int64_t i = 0; i < n; i++) {
			often = often || grid->cells[i].badge > 1;
			unread = unread || grid->cells[i].look == CELL_PALE;
		}
	}
	if (often)
		add_line(canvas, "small number: how often a cell is read");
	if (unread)
		add_line(canvas, "pale: never read");
}

static void explain_result(struct canvas *canvas)
{
	bool constant = false, inside = false, whole = false;
	for (size_t i = 0; i < canvas->size; i++) {
		const struct element_reads *reads = &canvas->reads.elements[i];
		constant = constant || reads->n == 0;
		for (int k = 0; k < reads->n; k++) {
			inside = inside || (reads->at[k].byte && !canvas->reads.computed && k == 0);
			whole = whole || reads->at[k].element == ALL_ELEMENTS;
		}
	}
	if (constant)
		add_line(canvas, "dashed: a constant, read from no cell");
	if (inside)
		add_line(canvas, "i+b: byte b of cell i");
	if (whole)
		add_line(canvas, "*: all cells, in a step that is made first");
}

static void explain(struct canvas *canvas, const char *map)
{
	const char *formula = strstr(map, " = ");
	if (formula)
		add_line(canvas, "each index: %.140s", formula + 3);
	add_regions(canvas, map);
	explain_inputs(canvas);
	explain_result(canvas);
}

/* ---- the picture -------------------------------------------------------- */

static bool print_picture(const struct canvas *canvas)
{
	const struct request *request = canvas->session->request;
	const char *lines[MOST_LINES + 1] = {NULL};
	struct text svg = {0};
	for (int i = 0; i < canvas->nline; i++)
		lines[i] = canvas->lines[i];
	drawing_print(&svg, request->expression, canvas->grids, canvas->session->n + 1, lines);
	bool done = svg.failed ? complain_memory(0, "a picture")
	                       : output_save(request->output, svg.bytes, svg.length);
	text_drop(&svg);
	return done;
}

static bool draw(struct canvas *canvas)
{
	const struct session *session = canvas->session;
	char *map = vf_map_text(session->result);
	if (!map)
		return session_failed(session->ctx);
	fill_storage_grids(canvas);
	fill_result_grid(canvas, map);
	explain(canvas, map);
	vf_text_free(session->ctx, map);
	return fill_result_cells(canvas) && print_picture(canvas);
}

static bool canvas_allocate(struct canvas *canvas)
{
	size_t n = (size_t)canvas->session->n;
	canvas->grids = calloc(n + 1, sizeof *canvas->grids);
	bool done = canvas->grids != NULL;
	for (size_t i = 0; i <= n && done; i++) {
		canvas->grids[i].cells = calloc(MOST_CELLS, sizeof *canvas->grids[i].cells);
		done = canvas->grids[i].cells != NULL;
	}
	return done || complain_memory(0, "a picture");
}

static void canvas_free(struct canvas *canvas)
{
	for (int i = 0; canvas->grids && i <= canvas->session->n; i++)
		free(canvas->grids[i].cells);
	free(canvas->grids);
	reads_drop(&canvas->reads);
}

static bool draw_session(struct session *session)
{
	struct canvas canvas = {.session = session,
	                        .size = (size_t)vf_size(session->result),
	                        .elem_bytes = (size_t)vf_dtype_bytes(vf_dtype_of(session->result))};
	bool done = canvas_allocate(&canvas) && reads_find(&canvas.reads, session) && draw(&canvas);
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
