/* refine.h -- several maps of one space, taken apart until each piece is one lattice in all of them.
 *
 * What a move with operands needs: base, operands and destination as strides over the same loops.
 *
 * A *piece* is a row of regions over the same indices: digit k of each has the same axis, extent and weight,
 * and a stride (or table) of its own; all have one base. Column 0 is what the caller began with.
 */
#pragma once

#include "map/work.h"

typedef struct vf_pieces {
	vf_arena *arena;
	int rank, ncolumn; /* of the space; so far */
	int n;
	int64_t capacity;
	vf_region **list; /* each `ncolumn` regions */
	work_state state;
} vf_pieces;

/* No piece yet, in a space of `rank` axes. */
void vf_pieces_open(vf_pieces *pieces, vf_arena *arena, int rank);
/* A piece of column 0 alone; `region` is copied. */
void vf_pieces_add(vf_pieces *pieces, const vf_region *region);
/* The regions of a map as column 1, in its space; column 0 is where C order puts them. */
void vf_pieces_add_map(vf_pieces *pieces, const vf_map *map);
/* A column more: what `w` reads, a resolved map in coordinates of the space. Pieces are split where it has
 * several regions or finer digits. WORK_GIVEN_UP in pieces->state where the radices share no boundary, or a
 * table would have to be read by two digits. */
void vf_pieces_refine(vf_pieces *pieces, const vf_work *w);

/* w in the coordinates of one region of its space: one axis a digit. */
void vf_work_restrict(vf_work *w, int rank, const vf_region *r);
