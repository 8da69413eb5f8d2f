/* drawing.h -- grids of numbered, coloured cells as an SVG picture. */
#pragma once

#include "text.h"

#include <stdint.h>

enum cell_look { CELL_FILLED, CELL_PALE, CELL_CONSTANT };

struct drawn_cell {
	char label[40];
	enum cell_look look;
	int colour; /* of a filled cell: as drawing_colour() made it, 0xRRGGBB */
	int badge;  /* a small number in the corner; below 2: none */
};

/* An array. Its last two axes are a grid. The axis before them puts grids side by side, if there is room; the
 * next axis puts those one below the other, and so on in turn. */
struct grid {
	char heading[120], note[120]; /* two lines above it */
	int rank;
	int64_t shape[64];
	struct drawn_cell *cells; /* in C order */
	bool in_memory;           /* a storage: no indices stand beside the cells */
};

/* The colour of place `column` of `columns` in row `row` of `rows`: hues go by the row, shades by the
 * column. One row alone has its hues by the column. */
int drawing_colour(int64_t row, int64_t rows, int64_t column, int64_t columns);

/* Add a whole picture to `svg`: a title, `n` grids, of which the last is the result, and below them the lines
 * of `legend`, up to a NULL. */
void drawing_print(struct text *svg, const char *title, const struct grid *grids, int n,
                   const char *const *legend);
