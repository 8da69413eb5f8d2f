/* computed_box.c -- what is computed goes to a relay; what is only moved is written with it from there on.
 *
 * In     an array of which one box is computed; around it are constants, as margins are, or other elements
 * Out    an equal array that reads a cut of that box
 * Keeps  the elements
 * When   the box is all that is computed
 * Tests  tests/unit/test_slabs.c
 *
 * By itself, each row that is computed begins and ends inside lines of which something else writes the rest.
 * Rows that are moved go together with what is beside them (plan/parts.c, plan/weave.c).
 */
#include "driver/relay.h"

#include "graph/make.h"

typedef struct box {
	int64_t low[VF_MAX_RANK], high[VF_MAX_RANK]; /* the first index on each axis, and the last */
} box;

/* Adds what a region has to the box. Returns how many elements that is. */
static int64_t add_region(box *b, const vf_region *r, int rank)
{
	int64_t low[VF_MAX_RANK], high[VF_MAX_RANK], n = 1;
	for (int a = 0; a < rank; a++)
		low[a] = high[a] = r->base[a];
	for (int k = 0; k < r->ndigit; k++) {
		const vf_digit *d = &r->digits[k];
		high[d->axis] += (d->extent - 1) * d->weight;
		n *= d->extent;
	}
	for (int a = 0; a < rank; a++) {
		b->low[a] = low[a] < b->low[a] ? low[a] : b->low[a];
		b->high[a] = high[a] > b->high[a] ? high[a] : b->high[a];
	}
	return n;
}

/* Finds the box. False unless it is less than all, and all of it is computed. */
static bool find_box(const vf_map *map, box *b)
{
	int64_t n = 0, size = 1;
	for (int a = 0; a < map->rank; a++)
		b->low[a] = map->shape[a], b->high[a] = -1;
	for (int i = 0; i < map->nregion; i++)
		if (vf_is_computed(map->regions[i].source))
			n += add_region(b, &map->regions[i], map->rank);
	for (int a = 0; a < map->rank && n > 0; a++)
		size *= b->high[a] - b->low[a] + 1;
	return n > 0 && n == size && n < map->size;
}

/* Adds the region that reads the box from `cut`. */
static void add_box(vf_work *w, const box *b, const vf_array *part, const vf_storage *cut)
{
	int64_t strides[VF_MAX_RANK], base[VF_MAX_RANK];
	vf_digit digits[VF_MAX_RANK];
	vf_region r = {.source = cut, .digits = digits, .base = base};
	vf_c_strides(part->map->rank, part->map->shape, strides);
	for (int k = 0; k < part->map->rank; k++) {
		base[k] = b->low[k];
		if (part->map->shape[k] > 1)
			digits[r.ndigit++] = vf_plain_digit(k, part->map->shape[k], 1, strides[k]);
	}
	const vf_region *copy = work_copy_region(w, &r); /* with its digits */
	if (copy)
		work_add(w, copy);
}

/* Makes an array that is `a`, but reads a cut of `part` where the box is. */
static vf_array *around(const vf_array *a, const box *b, vf_array *part)
{
	vf_arena arena;
	vf_work w;
	int n;
	vf_array *node = vf_node_create(a->ctx, a->dtype, &(vf_origin){0});
	vf_storage *s = node ? vf_node_cut(node, part) : NULL;
	vf_arena_init(&arena, a->ctx);
	work_init(&w, &arena);
	w.limit += a->map->nregion;
	work_load(&w, a->map);
	const vf_region *all = s && w.state == WORK_OK ? work_take(&w, &n) : NULL;
	for (int i = 0; all && i < n; i++)
		if (!vf_is_computed(all[i].source))
			work_add(&w, &all[i]);
	if (all)
		add_box(&w, b, part, s);
	vf_map *map = all ? work_finish(&w) : NULL;
	vf_arena_drop(&arena);
	return node ? vf_node_finish(node, map) : NULL;
}

vf_array *vf_computed_box(const vf_array *a)
{
	box b;
	if (a->nlayer == 0 || a->ncut > 0 || vf_map_is_ragged(a->map) || !find_box(a->map, &b))
		return NULL;
	vf_array *part = vf_narrow_box(a, b.low, b.high);
	vf_array *made = part ? around(a, &b, part) : NULL;
	vf_release(part);
	return made;
}
