/* drawing.c -- see drawing.h.
 *
 * A grid is measured from its innermost axes outwards. Each axis repeats the block of the axes inside it, to
 * the right or downwards, and so the block grows. The place of a cell is then a sum over its index.
 */
#include "drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	CELL_HEIGHT = 26,
	DIGIT_WIDTH = 8,
	CELL_LEAST = 32,
	GAP = 16, /* between blocks of the innermost outer axis; wider farther out */
	/* room for indices beside a grid, and for its name */
	INDEX_MARGIN = 18,
	INDEX_DIGIT = 6,
	GROUP_LINE = 13,
	WIDE = 900,
	WRAP = 24,
	HEADER = 48,
	MARGIN = 24,
	TITLE = 40,
	TOP = MARGIN + TITLE,
	BETWEEN = 66, /* inputs and the result beside them */
	UNDER = 28,
	LEGEND_LINE = 18
};

#define FONT "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

/* ---- colours ------------------------------------------------------------ */

static int to_byte(double linear)
{
	double v = linear <= 0 ? 0 : linear >= 1 ? 1 : linear;
	v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
	return (int)lround(v * 255);
}

/* Oklch to sRGB: equal steps look equal, and dark text stays readable on every hue. */
static int from_oklch(double lightness, double chroma, double hue)
{
	double a = chroma * cos(hue), b = chroma * sin(hue);
	double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
	double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
	double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
	l = l * l * l, m = m * m * m, s = s * s * s;
	int red = to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
	int green = to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
	int blue = to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
	return red << 16 | green << 8 | blue;
}

int drawing_colour(int64_t row, int64_t rows, int64_t column, int64_t columns)
{
	if (rows <= 1)
		row = column, rows = columns, column = 0, columns = 1;
	/* From orange by green and blue to violet, never back to where it began. */
	double hue = 0.9 + (rows > 1 ? 4.5 * (double)row / (double)(rows - 1) : 0);
	double shade = columns > 1 ? (double)column / (double)(columns - 1) : 0.4;
	return from_oklch(0.93 - 0.19 * shade, 0.055 + 0.065 * shade, hue);
}

/* ---- layout ------------------------------------------------------------- */

struct layout {
	int rank; /* of what is drawn: at least 2, even if the array has less */
	int64_t shape[66];
	bool down[66];     /* the axis runs downwards */
	int step[66];      /* pixels from one index to the next */
	int width, height; /* of everything, headings included */
	int cell_width;
	int left, top; /* of the first cell of an innermost grid: room for indices and its name */
	bool wrapped;  /* one long axis in several rows */
};

static int greater(int a, int b)
{
	return a > b ? a : b;
}

static int label_width(const struct grid *grid, int64_t n)
{
	size_t longest = 0;
	for (int64_t i = 0; i < n; i++) {
		bool beside = grid->cells[i].badge > 1 && strlen(grid->cells[i].label) > 3;
		size_t length = strlen(grid->cells[i].label) + beside;
		longest = length > longest ? length : longest;
	}
	return greater((int)longest * DIGIT_WIDTH + 12, CELL_LEAST);
}

static int64_t cell_count(const struct grid *grid)
{
	int64_t n = 1;
	for (int i = 0; i < grid->rank; i++)
		n *= grid->shape[i];
	return n;
}

/* Axes of extent 1 go in front if the array has fewer than two. A single long axis is drawn in rows. */
static void choose_shape(struct layout *layout, const struct grid *grid)
{
	int extra = grid->rank < 2 ? 2 - grid->rank : 0;
	layout->rank = grid->rank + extra;
	for (int i = 0; i < layout->rank; i++)
		layout->shape[i] = i < extra ? 1 : grid->shape[i - extra];
	if (grid->rank == 1 && grid->shape[0] > WRAP) {
		layout->wrapped = true;
		layout->shape[0] = (grid->shape[0] + WRAP - 1) / WRAP;
		layout->shape[1] = WRAP;
	}
}

static bool has_indices(const struct layout *layout, const struct grid *grid)
{
	return !grid->in_memory && !layout->wrapped && grid->rank > 0;
}

static int text_width(const char *text, int digit)
{
	return (int)strlen(text) * digit;
}

/* Set the room beside an innermost grid and above it. Returns the width of its name, "[1,0]"; 0 if it has no
 * name, since it is the only grid. */
static int make_room(struct layout *layout, const struct grid *grid)
{
	int name = 0;
	if (!has_indices(layout, grid))
		return 0;
	layout->left = layout->top = INDEX_MARGIN;
	if (grid->rank < 3)
		return 0;
	layout->top += GROUP_LINE;
	for (int axis = 0; axis < grid->rank - 2; axis++)
		name += 1 + snprintf(NULL, 0, "%" PRId64, grid->shape[axis] - 1);
	return (name + 1) * INDEX_DIGIT;
}

static struct layout lay_out(const struct grid *grid)
{
	struct layout layout = {0};
	choose_shape(&layout, grid);
	int last = layout.rank - 1, name = make_room(&layout, grid);
	layout.cell_width = label_width(grid, cell_count(grid));
	layout.step[last] = layout.cell_width;
	layout.step[last - 1] = CELL_HEIGHT;
	layout.down[last - 1] = true;
	int width = (int)layout.shape[last] * layout.cell_width + layout.left;
	int height = (int)layout.shape[last - 1] * CELL_HEIGHT + layout.top;
	width = greater(width, name);
	bool down = false;
	for (int axis = last - 2, gap = GAP; axis >= 0; axis--, gap += GAP / 2) {
		int n = (int)layout.shape[axis];
		if (!down && (width + gap) * n > WIDE)
			down = true;
		layout.down[axis] = down;
		layout.step[axis] = (down ? height : width) + gap;
		if (down)
			height += layout.step[axis] * (n - 1);
		else
			width += layout.step[axis] * (n - 1);
		if (n > 1)
			down = !down;
	}
	width = greater(width, text_width(grid->heading, 9));
	layout.width = greater(width, text_width(grid->note, 8));
	layout.height = height + HEADER;
	return layout;
}

/* ---- printing ----------------------------------------------------------- */

static void print_escaped(struct text *svg, const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c == '&')
			text_print(svg, "&amp;");
		else if (*c == '<')
			text_print(svg, "&lt;");
		else if (*c == '>')
			text_print(svg, "&gt;");
		else
			text_print(svg, "%c",
			           (unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e ? '?' : *c);
}

static void print_text(struct text *svg, const char *class, int x, int y, const char *text)
{
	text_print(svg, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
	print_escaped(svg, text);
	text_print(svg, "</text>\n");
}

static void print_cell(struct text *svg, const struct drawn_cell *cell, int x, int y, int width)
{
	static const char *const classes[] = {"f", "p", "c"};
	text_print(svg, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"",
	           classes[cell->look], x + 1, y + 1, width - 2, CELL_HEIGHT - 2);
	if (cell->look == CELL_FILLED)
		text_print(svg, " fill=\"#%06x\"", (unsigned)cell->colour);
	text_print(svg, "/>");
	text_print(svg, "<text class=\"%s\" x=\"%d\" y=\"%d\">", cell->look == CELL_FILLED ? "n" : "q",
	           x + width / 2 - (cell->badge > 1 ? 4 : 0), y + CELL_HEIGHT / 2 + 4);
	print_escaped(svg, cell->label);
	text_print(svg, "</text>");
	if (cell->badge > 1)
		text_print(svg, "<text class=\"b\" x=\"%d\" y=\"%d\">%d</text>", x + width - 5, y + 11,
		           cell->badge);
	text_print(svg, "\n");
}

/* Print the indices along the top and the left of one innermost grid, whose cells begin at (x, y), and the
 * name of that grid. */
static void print_indices(struct text *svg, const struct layout *layout, const struct grid *grid,
                          const int64_t *index, int x, int y)
{
	int last = layout->rank - 1;
	for (int64_t i = 0; i < layout->shape[last]; i++)
		text_print(svg, "<text class=\"i\" x=\"%d\" y=\"%d\">%" PRId64 "</text>\n",
		           x + (int)i * layout->cell_width + layout->cell_width / 2, y - 5, i);
	for (int64_t i = 0; grid->rank > 1 && i < layout->shape[last - 1]; i++)
		text_print(svg, "<text class=\"i\" x=\"%d\" y=\"%d\">%" PRId64 "</text>\n", x - 9,
		           y + (int)i * CELL_HEIGHT + CELL_HEIGHT / 2 + 4, i);
	if (grid->rank < 3)
		return;
	text_print(svg, "<text class=\"g\" x=\"%d\" y=\"%d\">", x - layout->left + 4, y - 5 - GROUP_LINE);
	for (int axis = 0; axis < last - 1; axis++)
		text_print(svg, axis ? ",%" PRId64 : "[%" PRId64, index[axis]);
	text_print(svg, "]</text>\n");
}

/* Returns its height. */
static int print_grid(struct text *svg, const struct grid *grid, int x0, int y0)
{
	struct layout layout = lay_out(grid);
	int64_t index[66] = {0}, n = cell_count(grid);
	bool indices = has_indices(&layout, grid);
	int last = layout.rank - 1;
	print_text(svg, "h", x0, y0 + 12, grid->heading);
	print_text(svg, "s", x0, y0 + 30, grid->note);
	for (int64_t i = 0; i < n; i++) {
		int x = x0 + layout.left, y = y0 + HEADER + layout.top - 4;
		for (int axis = 0; axis <= last; axis++)
			*(layout.down[axis] ? &y : &x) += (int)index[axis] * layout.step[axis];
		if (indices && index[last] == 0 && index[last - 1] == 0)
			print_indices(svg, &layout, grid, index, x, y);
		print_cell(svg, &grid->cells[i], x, y, layout.cell_width);
		for (int axis = last; axis >= 0 && ++index[axis] == layout.shape[axis] && axis; axis--)
			index[axis] = 0;
	}
	return layout.height;
}

static void print_head(struct text *svg, int width, int height, const char *title)
{
	text_print(svg,
	           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	           "viewBox=\"0 0 %d %d\">\n<title>",
	           width, height, width, height);
	print_escaped(svg, title);
	text_print(svg,
	           "</title>\n<style>\n"
	           "text{font:13px " FONT ";fill:#1d2733}\n"
	           ".n,.q,.i{text-anchor:middle}.q{fill:#8a94a0}.c+.q{font-style:italic}\n"
	           ".t{font-size:16px;font-weight:600}.h{font-size:14px;font-weight:600}\n"
	           ".s,.l{font-size:12px;fill:#5a6672}.i,.g{font-size:10px;fill:#8a94a0}\n"
	           ".b{font-size:9px;text-anchor:end;fill:#1d2733}\n"
	           ".f{stroke:#1d2733;stroke-opacity:.25}.p{fill:#f6f7f9;stroke:#dfe3e8}\n"
	           ".c{fill:#fff;stroke:#aab3bd;stroke-dasharray:3 2}\n"
	           ".a{fill:none;stroke:#8a94a0;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}\n"
	           "</style>\n"
	           "<rect width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#fff\"/>\n",
	           width, height);
}

/* Where everything stands. Inputs stand one below the other. The result stands to their right if there is
 * room, else below them. */
struct sheet {
	bool beside;
	int x, y;          /* of the result */
	int inputs_bottom; /* 0: there are none */
	int bottom, width; /* of all grids, and of the whole */
};

static struct sheet place(const char *title, const struct grid *grids, int n, const char *const *legend)
{
	struct sheet sheet = {.width = text_width(title, 10)};
	struct layout result = lay_out(&grids[n - 1]);
	int left = 0;
	for (int i = 0; i < n - 1; i++) {
		struct layout layout = lay_out(&grids[i]);
		left = greater(left, layout.width);
		sheet.inputs_bottom = (i ? sheet.inputs_bottom + UNDER : TOP) + layout.height;
	}
	for (int i = 0; legend[i]; i++)
		sheet.width = greater(sheet.width, text_width(legend[i], 8));
	sheet.beside = n > 1 && left + BETWEEN + result.width <= WIDE;
	sheet.x = MARGIN + (sheet.beside ? left + BETWEEN : 0);
	sheet.y = sheet.beside || n == 1 ? TOP : sheet.inputs_bottom + 2 * UNDER;
	sheet.bottom = greater(sheet.inputs_bottom, sheet.y + result.height);
	left = greater(left, sheet.x - MARGIN + result.width);
	sheet.width = greater(sheet.width, left) + 2 * MARGIN;
	return sheet;
}

static void print_arrow(struct text *svg, const struct sheet *sheet)
{
	int x = sheet->beside ? sheet->x - BETWEEN / 2 - 13 : MARGIN + 16;
	int y = sheet->beside ? TOP + HEADER + CELL_HEIGHT / 2 : sheet->inputs_bottom + UNDER / 2;
	text_print(svg, "<path class=\"a\" d=\"M%d %d%s\"/>\n", x, y,
	           sheet->beside ? "h26m-7 -7l7 7l-7 7" : "v18m-6 -6l6 6l6 -6");
}

void drawing_print(struct text *svg, const char *title, const struct grid *grids, int n,
                   const char *const *legend)
{
	struct sheet sheet = place(title, grids, n, legend);
	int lines = 0, top = TOP;
	while (legend[lines])
		lines++;
	print_head(svg, sheet.width, sheet.bottom + 16 + lines * LEGEND_LINE + MARGIN - 8, title);
	print_text(svg, "t", MARGIN, MARGIN + 14, title);
	for (int i = 0; i < n - 1; i++)
		top += print_grid(svg, &grids[i], MARGIN, top) + UNDER;
	if (n > 1)
		print_arrow(svg, &sheet);
	print_grid(svg, &grids[n - 1], sheet.x, sheet.y);
	for (int i = 0; i < lines; i++)
		print_text(svg, "l", MARGIN, sheet.bottom + 24 + i * LEGEND_LINE, legend[i]);
	text_print(svg, "</svg>\n");
}
