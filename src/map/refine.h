/* refine.h -- several maps of one space, split into pieces until each piece is one lattice in all maps.
 *
 * A move with operands needs this: base, operands and destination as strides over the same loops.
 *
 * A *piece* is a row of regions over the same indices, one region for each map. All have the same base, and
 * their digits k have the same axis, extent and weight; each has its own stride or table. Column 0 is what
 * the caller began with.
 */
#pragma once

#include "map/work.h"

typedef struct vf_pieces {
	vf_arena *arena;
	int rank, ncolumn; /* axes of the space; columns so far */
	int n;
	int64_t capacity;
	vf_region **list; /* n pieces, each `ncolumn` regions */
	work_state state;
} vf_pieces;

/* Start with no piece, in a space of `rank` axes. */
void vf_pieces_open(vf_pieces *pieces, vf_arena *arena, int rank);
/* Add a piece that has column 0 only. `region` is copied. */
void vf_pieces_add(vf_pieces *pieces, const vf_region *region);
/* Add each region of a map as a piece: column 1 is the region, column 0 is where C order puts its indices. */
void vf_pieces_add_map(vf_pieces *pieces, const vf_map *map);
/* Add a column: what `w` reads. `w` is a resolved map in coordinates of the space. A piece is split where `w`
 * has several regions or finer digits. pieces->state is WORK_GIVEN_UP if the radices share no boundary, or if
 * two digits would have to read one table. */
void vf_pieces_refine(vf_pieces *pieces, const vf_work *w);

/* Write w in the coordinates of one region of its space: each digit of the region becomes an axis. */
void vf_work_restrict(vf_work *w, int rank, const vf_region *r);
