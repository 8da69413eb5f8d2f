/* refine.c -- see refine.h.
 *
 * In     regions of a space; maps of that space
 * Out    pieces that are one lattice in all of them
 * How    the new map is restricted to a piece, one axis for each digit (vf_work_restrict). Each region that
 *        comes of it is a finer piece; the older columns are rewritten with its bases and weights
 * Tests  tests/property/ (writes through views; element functions against the oracle)
 */
#include "map/refine.h"

#include <string.h>

/* ---- a map in the coordinates of a region ---- */

/* Restrict w to the lattice of a region along one axis. Each digit of the region becomes an axis of w, from
 * place `axis` on; without digits the axis is removed. Returns how many axes there are now. */
static int restrict_axis(vf_work *w, int axis, int64_t base, const vf_digit *digits, int ndigit)
{
	int64_t span = 0;
	for (int k = 0; k < ndigit; k++)
		span += (digits[k].extent - 1) * digits[k].weight;
	work_slice(w, axis, base, 1, span + 1);
	for (int k = 0; k < ndigit; k++) {
		int64_t extent = digits[k].extent, weight = digits[k].weight;
		span -= (extent - 1) * weight;
		/* No index lies beyond the span, so the axis may have the length that the split needs. */
		int64_t split[VF_MAX_RANK];
		if (weight == 1)
			return k + 1;
		int64_t length;
		if (w->rank == VF_MAX_RANK || !vf_product_fits(extent, weight, &length)) {
			w->state = WORK_GIVEN_UP;
			return 0;
		}
		w->shape[axis + k] = w->final_shape[axis + k] = length;
		for (int i = 0; i <= w->rank; i++)
			split[i] = i < axis + k       ? w->shape[i]
			           : i > axis + k + 1 ? w->shape[i - 1]
			           : i == axis + k    ? extent
			                              : weight;
		work_reshape(w, w->rank + 1, split);
		work_resolve(w);
		if (w->state != WORK_OK)
			return 0;
		work_slice(w, axis + k + 1, 0, 1, span + 1);
	}
	work_drop_axis(w, axis + ndigit);
	return ndigit;
}

void vf_work_restrict(vf_work *w, int rank, const vf_region *r)
{
	int axis = 0;
	for (int a = 0, k = 0; a < rank && w->state == WORK_OK; a++) {
		int end = k;
		while (end < r->ndigit && r->digits[end].axis == a)
			end++;
		axis += restrict_axis(w, axis, r->base[a], r->digits + k, end - k);
		k = end;
	}
}

/* ---- pieces ---- */

void vf_pieces_open(vf_pieces *pieces, vf_arena *arena, int rank)
{
	*pieces = (vf_pieces){.arena = arena, .rank = rank, .ncolumn = 1};
}

static vf_region *add(vf_pieces *pieces, int ncolumn)
{
	vf_region *row = vf_arena_alloc(pieces->arena, ncolumn, sizeof *row);
	if (!row || !vf_arena_reserve(pieces->arena, &pieces->list, pieces->n, &pieces->capacity,
	                              sizeof(vf_region *))) {
		pieces->state = WORK_MEMORY;
		return NULL;
	}
	pieces->list[pieces->n++] = row;
	return row;
}

/* Copy the fields of `from`, with new room for `ndigit` digits and with `base` as the base. */
static bool set(vf_pieces *pieces, vf_region *to, const vf_region *from, const int64_t *base, int ndigit)
{
	*to = *from;
	to->ndigit = ndigit;
	to->digits = vf_arena_alloc(pieces->arena, ndigit + 1, sizeof *to->digits);
	to->base = vf_arena_alloc(pieces->arena, pieces->rank + 1, sizeof *to->base);
	if (!to->digits || !to->base)
		pieces->state = WORK_MEMORY;
	else if (pieces->rank)
		memcpy(to->base, base, (size_t)pieces->rank * sizeof *base);
	return to->digits && to->base;
}

void vf_pieces_add(vf_pieces *pieces, const vf_region *region)
{
	vf_region *row = add(pieces, 1);
	if (row && set(pieces, row, region, region->base, region->ndigit) && row->ndigit)
		memcpy(row->digits, region->digits, (size_t)row->ndigit * sizeof *row->digits);
}

/* Rewrite column `q` of a piece on the finer lattice of `r`, whose axes are q's digits. At most one digit may
 * go through a table. */
static bool refine_column(vf_pieces *pieces, const vf_region *q, const vf_region *r, vf_region *to)
{
	if (!set(pieces, to, q, q->base, r->ndigit))
		return false;
	for (int k = 0, j = 0; k < q->ndigit; k++) {
		const vf_digit *d = &q->digits[k];
		int64_t base = r->base[k];
		int first = j;
		to->base[d->axis] += base * d->weight;
		for (; j < r->ndigit && r->digits[j].axis == k; j++) {
			const vf_digit *finer = &r->digits[j];
			to->digits[j] = (vf_digit){d->axis,
			                           finer->extent,
			                           d->weight * finer->weight,
			                           d->stride * finer->weight,
			                           d->table,
			                           d->first + base * d->stride};
		}
		if (!d->table || j == first)
			to->offset += vf_digit_at(d, base);
		if (d->table && j - first > 1)
			pieces->state = WORK_GIVEN_UP;
	}
	return pieces->state == WORK_OK;
}

/* The new column is r with the axes and weights of the space. */
static bool add_column(vf_pieces *pieces, const vf_region *lattice, const vf_region *r, vf_region *to)
{
	if (!set(pieces, to, r, lattice->base, r->ndigit))
		return false;
	for (int j = 0; j < r->ndigit; j++) {
		to->digits[j] = r->digits[j];
		to->digits[j].axis = lattice->digits[j].axis;
		to->digits[j].weight = lattice->digits[j].weight;
	}
	return true;
}

static void refine_piece(vf_pieces *pieces, const vf_region *row, const vf_work *w, int ncolumn)
{
	vf_work part;
	work_clone(&part, w);
	vf_work_restrict(&part, pieces->rank, &row[0]);
	pieces->state = part.state;
	for (int i = 0; i < part.nregion && pieces->state == WORK_OK; i++) {
		const vf_region *r = &part.regions[i];
		vf_region *finer = add(pieces, ncolumn + 1);
		bool fits = finer != NULL;
		for (int c = 0; c < ncolumn && fits; c++)
			fits = refine_column(pieces, &row[c], r, &finer[c]);
		if (fits)
			add_column(pieces, &finer[0], r, &finer[ncolumn]);
	}
}

void vf_pieces_refine(vf_pieces *pieces, const vf_work *w)
{
	vf_region **list = pieces->list;
	int n = pieces->n, ncolumn = pieces->ncolumn;
	if (w->state != WORK_OK)
		pieces->state = w->state;
	pieces->list = NULL;
	pieces->n = 0;
	pieces->capacity = 0;
	for (int i = 0; i < n && pieces->state == WORK_OK; i++)
		refine_piece(pieces, list[i], w, ncolumn);
	pieces->ncolumn++;
}

void vf_pieces_add_map(vf_pieces *pieces, const vf_map *map)
{
	int64_t strides[VF_MAX_RANK];
	vf_c_strides(map->space_rank, map->space, strides);
	pieces->ncolumn = 2;
	for (int i = 0; i < map->nregion && pieces->state == WORK_OK; i++) {
		const vf_region *r = &map->regions[i];
		vf_region *row = add(pieces, 2);
		if (!row || !set(pieces, &row[0], r, r->base, r->ndigit) ||
		    !set(pieces, &row[1], r, r->base, r->ndigit))
			return;
		row[0].source = NULL;
		row[0].offset = 0;
		for (int a = 0; a < map->space_rank; a++)
			row[0].offset += r->base[a] * strides[a];
		for (int k = 0; k < r->ndigit; k++) {
			const vf_digit *d = &r->digits[k];
			row[0].digits[k] = vf_plain_digit(d->axis, d->extent, d->weight,
			                                  d->weight * strides[d->axis]);
			row[1].digits[k] = *d;
		}
	}
}
