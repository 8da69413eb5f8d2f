/* work.c -- the working map: its list of regions, and the transformations that keep regions whole.
 *
 * In     a working map whose regions are in the coordinates of `shape`
 * Out    the same, transformed region by region: one region gives one
 * Keeps  regions disjoint and covering; digits sorted
 * Tests  tests/fold/ (tables), tests/property/ (against the oracle)
 */
#include "map/work.h"

#include <limits.h>
#include <string.h>

void work_init(vf_work *w, vf_arena *arena)
{
	memset(w, 0, offsetof(vf_work, shape));
	w->arena = arena;
	int64_t regions = arena->budget ? arena->budget->regions : VF_MAX_REGIONS;
	w->limit = regions < INT_MAX ? (int)regions : INT_MAX;
}

void work_spend(vf_work *w, int64_t steps, int64_t bytes)
{
	vf_budget *budget = w->arena->budget;
	if (!budget)
		return;
	budget->steps -= steps;
	budget->bytes -= bytes;
	if (w->state == WORK_OK && (budget->steps < 0 || budget->bytes < 0))
		w->state = WORK_GIVEN_UP;
}

void work_add(vf_work *w, const vf_region *r)
{
	if (w->state != WORK_OK)
		return;
	if (w->nregion >= w->limit) {
		w->state = WORK_GIVEN_UP;
		return;
	}
	if (w->nregion == w->capacity) {
		int capacity = w->capacity ? w->capacity * 2 : 4;
		vf_region *grown = vf_arena_raw(w->arena, capacity, sizeof *grown);
		work_spend(w, 0, capacity * (int64_t)sizeof *grown);
		if (!grown) {
			w->state = WORK_MEMORY;
			return;
		}
		if (w->nregion)
			memcpy(grown, w->regions, (size_t)w->nregion * sizeof *grown);
		w->regions = grown;
		w->capacity = capacity;
	}
	w->regions[w->nregion++] = *r;
}

vf_region *work_take(vf_work *w, int *n)
{
	vf_region *taken = w->regions;
	*n = w->state == WORK_OK ? w->nregion : 0;
	w->regions = NULL;
	w->nregion = w->capacity = 0;
	return taken;
}

static void set_shape(vf_work *w, int rank, const int64_t *shape)
{
	w->rank = w->final_rank = rank;
	if (rank) {
		memcpy(w->shape, shape, (size_t)rank * sizeof *shape);
		memcpy(w->final_shape, shape, (size_t)rank * sizeof *shape);
	}
}

/* The array's own shape becomes the shape of the coordinates. Every change of `shape` ends with this. */
static void settle(vf_work *w)
{
	w->final_rank = w->rank;
	if (w->rank)
		memcpy(w->final_shape, w->shape, (size_t)w->rank * sizeof *w->shape);
}

void work_load(vf_work *w, const vf_map *map)
{
	set_shape(w, map->space_rank, map->space);
	w->final_rank = map->rank;
	if (map->rank)
		memcpy(w->final_shape, map->shape, (size_t)map->rank * sizeof *map->shape);
	w->has_strides = map->strides != NULL;
	if (map->strides && map->rank)
		memcpy(w->strides, map->strides, (size_t)map->rank * sizeof *map->strides);
	for (int i = 0; i < map->nregion && w->state == WORK_OK; i++) {
		vf_region *copy = work_copy_region(w, &map->regions[i]);
		if (copy)
			work_add(w, copy);
	}
}

void work_in_space(vf_work *w, int rank, const int64_t *space)
{
	bool same = w->rank == rank;
	for (int a = 0; a < rank && same; a++)
		same = w->shape[a] == space[a];
	if (!same) {
		work_resolve(w);
		work_reshape(w, rank, space);
		work_resolve(w);
	}
	settle(w);
}

void work_plain(vf_work *w, const work_strided *as, const vf_storage *source, const unsigned char *fill)
{
	const int rank = as->rank;
	const int64_t *shape = as->shape, *strides = as->strides;
	set_shape(w, rank, shape);
	vf_region none = {.source = source, .offset = as->offset};
	if (fill)
		memcpy(none.fill, fill, sizeof none.fill);
	int64_t zeros[VF_MAX_RANK] = {0};
	none.base = zeros;
	vf_region *r = work_copy_region(w, &none);
	if (!r)
		return;
	for (int a = 0; a < rank; a++) {
		if (shape[a] == 0) {
			w->has_strides = strides != NULL;
			memcpy(w->strides, strides ? strides : zeros, (size_t)rank * sizeof *zeros);
			return;
		}
		region_insert_digit(r, vf_plain_digit(a, shape[a], 1, strides ? strides[a] : 0));
	}
	work_add(w, r);
}

void work_clone(vf_work *copy, const vf_work *w)
{
	*copy = *w;
	copy->regions = NULL;
	copy->nregion = copy->capacity = 0;
	for (int i = 0; i < w->nregion && copy->state == WORK_OK; i++) {
		vf_region *r = work_copy_region(copy, &w->regions[i]);
		if (r)
			work_add(copy, r);
	}
}

/* ---- axes ---- */

static void renumber(vf_work *w, const int *place, int rank)
{
	for (int i = 0; i < w->nregion; i++) {
		vf_region *r = &w->regions[i];
		vf_digit digits[VF_MAX_DIGITS + 2];
		int64_t base[VF_MAX_RANK] = {0};
		int n = r->ndigit;
		if (n)
			memcpy(digits, r->digits, (size_t)n * sizeof *digits);
		r->ndigit = 0;
		for (int k = 0; k < n; k++) {
			digits[k].axis = place[digits[k].axis];
			region_insert_digit(r, digits[k]);
		}
		for (int a = 0; a < w->rank; a++)
			if (place[a] >= 0)
				base[place[a]] = r->base[a];
		memcpy(r->base, base, (size_t)rank * sizeof *base);
	}
}

void work_permute(vf_work *w, const int *p)
{
	if (w->state != WORK_OK)
		return;
	int place[VF_MAX_RANK];
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK];
	for (int a = 0; a < w->rank; a++) {
		place[p[a]] = a;
		shape[a] = w->shape[p[a]];
		strides[a] = w->has_strides ? w->strides[p[a]] : 0;
	}
	renumber(w, place, w->rank);
	set_shape(w, w->rank, shape);
	memcpy(w->strides, strides, (size_t)w->rank * sizeof *strides);
}

void work_drop_axis(vf_work *w, int axis)
{
	if (w->state != WORK_OK)
		return;
	int place[VF_MAX_RANK];
	for (int a = 0; a < w->rank; a++)
		place[a] = a < axis ? a : a == axis ? -1 : a - 1;
	renumber(w, place, w->rank - 1);
	memmove(w->shape + axis, w->shape + axis + 1, (size_t)(w->rank - 1 - axis) * sizeof *w->shape);
	memmove(w->strides + axis, w->strides + axis + 1, (size_t)(w->rank - 1 - axis) * sizeof *w->strides);
	w->rank--;
	settle(w);
}

void work_new_axis(vf_work *w, int axis)
{
	if (w->state != WORK_OK || !work_reserve(w, 1))
		return;
	int place[VF_MAX_RANK];
	for (int a = 0; a < w->rank; a++)
		place[a] = a < axis ? a : a + 1;
	renumber(w, place, w->rank + 1);
	int64_t stride = 1; /* the stride of C order over the axes inside */
	if (w->has_strides && axis < w->rank)
		w->has_strides = vf_product_fits(w->shape[axis], w->strides[axis], &stride);
	memmove(w->shape + axis + 1, w->shape + axis, (size_t)(w->rank - axis) * sizeof *w->shape);
	memmove(w->strides + axis + 1, w->strides + axis, (size_t)(w->rank - axis) * sizeof *w->strides);
	w->shape[axis] = 1;
	w->strides[axis] = stride;
	w->rank++;
	settle(w);
}

/* ---- one axis ---- */

void work_flip(vf_work *w, int axis)
{
	if (w->state != WORK_OK)
		return;
	for (int i = 0; i < w->nregion; i++) {
		vf_region *r = &w->regions[i];
		int64_t top = r->base[axis];
		for (int k = 0; k < r->ndigit; k++) {
			const vf_digit *d = &r->digits[k];
			if (d->axis != axis)
				continue;
			top += (d->extent - 1) * d->weight;
			region_flip_digit(r, k);
		}
		r->base[axis] = w->shape[axis] - 1 - top;
	}
	if (w->has_strides)
		w->has_strides = vf_product_fits(w->strides[axis], -1, &w->strides[axis]);
}

/* An array without elements has no regions. */
static void drop_if_empty(vf_work *w)
{
	for (int a = 0; a < w->rank; a++)
		if (w->shape[a] == 0)
			w->nregion = 0;
}

void work_empty(vf_work *w)
{
	if (w->nregion == 1 && w->regions[0].source)
		w->has_strides = region_strides(&w->regions[0], w->rank, w->shape, w->strides) < 0;
	w->nregion = 0;
}

void work_expand(vf_work *w, int axis, int64_t n)
{
	bool keeps = w->has_strides;
	work_tile(w, axis, n);
	w->has_strides = keeps;
	w->strides[axis] = 0;
}

void work_tile(vf_work *w, int axis, int64_t n)
{
	if (w->state != WORK_OK || !work_reserve(w, 1))
		return;
	for (int i = 0; i < w->nregion; i++)
		region_insert_digit(&w->regions[i], vf_plain_digit(axis, n, w->shape[axis], 0));
	w->shape[axis] *= n;
	w->has_strides = false;
	settle(w);
	drop_if_empty(w);
}

void work_repeat_each(vf_work *w, int axis, int64_t n)
{
	if (w->state != WORK_OK || !work_reserve(w, 1))
		return;
	for (int i = 0; i < w->nregion && n > 0; i++) {
		vf_region *r = &w->regions[i];
		for (int k = 0; k < r->ndigit; k++)
			if (r->digits[k].axis == axis)
				r->digits[k].weight *= n;
		r->base[axis] *= n;
		region_insert_digit(r, vf_plain_digit(axis, n, 1, 0));
	}
	w->has_strides = false;
	w->shape[axis] *= n;
	settle(w);
	drop_if_empty(w);
}

/* ---- several maps ---- */

void work_append(vf_work *w, int axis, const vf_work *other)
{
	if (w->state == WORK_OK && other->state != WORK_OK) {
		w->state = other->state;
		w->radix_old = other->radix_old;
		w->radix_new = other->radix_new;
	}
	for (int i = 0; i < other->nregion && w->state == WORK_OK; i++) {
		vf_region *r = work_copy_region(w, &other->regions[i]);
		if (!r)
			return;
		r->base[axis] += w->shape[axis];
		work_add(w, r);
	}
	if (w->state != WORK_OK)
		return; /* without this, each roll would double a map that has given up */
	w->shape[axis] += other->shape[axis];
	w->has_strides = false;
	settle(w);
}
