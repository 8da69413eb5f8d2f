/* narrow_cut.c -- of an array that reads a cut: the same, over the box of the cut that it reads.
 *
 * In     an array, a cut below it
 * Out    an equal array that reads a cut of the box alone
 * Keeps  the elements
 * When   elements are of one size, and each digit of what reads the cut goes along axes of it, without a
 *        carry from one axis to another
 * Tests  tests/unit/test_relay.c, tests/property/
 *
 * A cut is in C order. So an offset in it is an index for each axis, and a stride is a step along each.
 */
#include "driver/relay.h"

#include "graph/make.h"

typedef struct narrowing {
	const vf_storage *cut;
	int rank;
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK]; /* of the cut */
	int64_t low[VF_MAX_RANK], high[VF_MAX_RANK];      /* the box: the first and last index read */
	int64_t box_strides[VF_MAX_RANK];
} narrowing;

/* Writes the steps along each axis that together are `offset`, which may be negative. */
static void take_apart(const narrowing *n, int64_t offset, int64_t *steps)
{
	const int64_t sign = offset < 0 ? -1 : 1;
	int64_t left = offset * sign;
	for (int a = 0; a < n->rank; a++) {
		steps[a] = n->shape[a] > 1 ? left / n->strides[a] * sign : 0;
		left -= steps[a] * sign * n->strides[a];
	}
}

/* Splits a digit that goes along one axis and carries on to the next one. Returns whether it did. */
static bool split_carrying(const narrowing *n, vf_region *r, int k)
{
	int64_t steps[VF_MAX_RANK];
	take_apart(n, r->digits[k].stride, steps);
	for (int a = 0; a < n->rank; a++) {
		const int64_t step = steps[a] < 0 ? -steps[a] : steps[a],
			      along = step ? n->shape[a] / step : 0;
		if (step == 0)
			continue;
		return along > 1 && n->shape[a] % step == 0 && r->digits[k].extent > along &&
		       r->digits[k].extent % along == 0 && region_split_digit(r, k, along);
	}
	return false;
}

/* Adds what a region reads to the box. False if a digit carries, or has a table. */
static bool add_region(narrowing *n, vf_work *w, vf_region *r)
{
	int64_t low[VF_MAX_RANK], high[VF_MAX_RANK], steps[VF_MAX_RANK];
	if (!region_reserve(w, r, VF_MAX_DIGITS))
		return false;
	take_apart(n, r->offset, low);
	for (int a = 0; a < n->rank; a++)
		high[a] = low[a];
	for (int k = 0; k < r->ndigit; k++) {
		while (!r->digits[k].table && r->ndigit < VF_MAX_DIGITS && split_carrying(n, r, k))
			;
		const vf_digit *d = &r->digits[k];
		if (d->table)
			return false;
		take_apart(n, d->stride, steps);
		for (int a = 0; a < n->rank; a++)
			*(steps[a] < 0 ? &low[a] : &high[a]) += steps[a] * (d->extent - 1);
	}
	for (int a = 0; a < n->rank; a++) {
		if (low[a] < 0 || high[a] >= n->shape[a])
			return false;
		n->low[a] = low[a] < n->low[a] ? low[a] : n->low[a];
		n->high[a] = high[a] > n->high[a] ? high[a] : n->high[a];
	}
	return true;
}

/* The offset in the box of an offset in the cut; or of a stride. */
static int64_t in_box(const narrowing *n, int64_t offset, bool is_stride)
{
	int64_t steps[VF_MAX_RANK], in = 0;
	take_apart(n, offset, steps);
	for (int a = 0; a < n->rank; a++)
		in += (steps[a] - (is_stride ? 0 : n->low[a])) * n->box_strides[a];
	return in;
}

static bool find_box(narrowing *n, vf_work *w)
{
	bool found = false, fits = w->state == WORK_OK;
	for (int a = 0; a < n->rank; a++)
		n->low[a] = n->shape[a], n->high[a] = -1;
	for (int i = 0; i < w->nregion && fits; i++)
		if (w->regions[i].source == n->cut) {
			found = true;
			fits = add_region(n, w, &w->regions[i]);
		}
	return found && fits;
}

vf_array *vf_narrow_box(const vf_array *a, const int64_t *low, const int64_t *high)
{
	vf_array *part = vf_retain((vf_array *)(uintptr_t)a); /* counted, and no more */
	for (int k = 0; k < a->map->rank && part; k++) {
		const int64_t length = high[k] - low[k] + 1;
		if (length == a->map->shape[k])
			continue;
		vf_array *less = vf_narrow(part, k, low[k], length);
		vf_release(part);
		part = less;
	}
	return part;
}

/* Makes an array of the map in `w` whose regions read a cut of `part` in place of n->cut. */
static vf_array *over_part(narrowing *n, vf_work *w, const vf_array *made, vf_array *part)
{
	vf_c_strides(n->rank, part->map->shape, n->box_strides);
	vf_array *node = vf_node_create(made->ctx, made->dtype, &(vf_origin){0});
	vf_storage *s = node ? vf_node_cut(node, part) : NULL;
	for (int i = 0; s && i < w->nregion; i++) {
		vf_region *r = &w->regions[i];
		if (r->source != n->cut)
			continue;
		r->source = s, r->offset = in_box(n, r->offset, false);
		for (int k = 0; k < r->ndigit; k++)
			r->digits[k].stride = in_box(n, r->digits[k].stride, true);
	}
	return node ? vf_node_finish(node, s ? work_finish(w) : NULL) : NULL;
}

vf_array *vf_narrow_cut(vf_array *made, const vf_storage *cut)
{
	const vf_map *map = cut->below->map;
	narrowing n = {.cut = cut, .rank = map->rank};
	vf_array *narrowed = NULL;
	vf_arena arena;
	vf_work w;
	vf_arena_init(&arena, made->ctx);
	memcpy(n.shape, map->shape, (size_t)n.rank * sizeof *n.shape);
	vf_c_strides(n.rank, n.shape, n.strides);
	work_init(&w, &arena);
	w.limit += made->map->nregion;
	work_load(&w, made->map);
	if (made->elem_bytes == cut->below->elem_bytes && find_box(&n, &w)) {
		vf_array *part = vf_narrow_box(cut->below, n.low, n.high);
		if (part && part != cut->below)
			narrowed = over_part(&n, &w, made, part);
		vf_release(part);
	}
	vf_arena_drop(&arena);
	return narrowed ? narrowed : vf_retain(made);
}
