/* computed_planes.c -- several formulas that take turns along the last axis go to a relay as planes.
 *
 * In an array of several formulas that change along its last axis, as a stack has them; parts may be moved
 * Out an array of the same elements in C order, [..., run, n], over a cut of [..., n, run] Keeps the elements
 * When the last axis is short Tests tests/unit/test_slabs.c
 *
 * By itself, each formula writes single elements, some bytes apart, and lines are written several times.
 * Planes are computed in runs, and put together by what moves pixels. / */
#include "driver/job.h"
#include "driver/relay.h"

#include "graph/make.h"

#include <string.h>

/* Do regions have less than all of the last axis, a few bytes each? Longer parts are faster as they are (a
 * Xeon with AMX, of the fastest copy, so and as planes: f32 [20000,8] doubled and trebled 0.37 and 0.25,
 * [20000,3] 0.11 and 0.18). */
static bool has_parts(const vf_map *map, int64_t elem_bytes)
{
	enum { LONGEST = 16 };
	const int last = map->rank - 1;
	bool part = false;
	for (int i = 0; i < map->nregion; i++) {
		int64_t along = 1;
		const vf_region *r = &map->regions[i];
		for (int k = 0; k < r->ndigit; k++)
			along *= r->digits[k].axis == last ? r->digits[k].extent : 1;
		if (along < map->shape[last] && along * elem_bytes > LONGEST)
			return false;
		part = part || along < map->shape[last];
	}
	return part;
}

/* Does it in the array's map, or where a function goes on over several formulas, in theirs? */
static bool takes_turns(const vf_array *a)
{
	bool turns = has_parts(a->map, a->elem_bytes);
	for (int i = 0; i < a->nlayer; i++) {
		const vf_map *map = a->layers[i].maps[0];
		turns = turns || (map->rank == a->map->rank && has_parts(map, a->elem_bytes));
	}
	return turns;
}

/* Sets the shape [..., run, n]: run, some KiB of a plane, is of the axes before the last one, and a divisor
 * of one of them. Returns the rank; 0: it would be too great, or there is no such divisor. */
static int shape_of(const vf_array *a, int64_t *shape)
{
	enum { SHORT = 256, LEAST = 2048, MOST = 16384 };
	const vf_map *map = a->map;
	int64_t run = 1, part = 1;
	int k = map->rank - 1;
	while (k > 0 && run < LEAST && (k == map->rank - 1 || part == map->shape[k])) {
		part = vf_largest_divisor(map->shape[--k], MOST / run);
		run *= part;
	}
	const int outer = part < map->shape[k] ? k + 1 : k;
	if (outer + 2 > VF_MAX_RANK || run < SHORT)
		return 0;
	memcpy(shape, map->shape, (size_t)outer * sizeof *shape);
	if (outer > k)
		shape[k] /= part;
	shape[outer] = run, shape[outer + 1] = map->shape[map->rank - 1];
	return outer + 2;
}

/* Crosses the last two of so many axes. */
static void cross_axes(int rank, int *axes)
{
	for (int k = 0; k < rank; k++)
		axes[k] = k < rank - 2 ? k : 2 * rank - 3 - k;
}

/* Makes an array of the elements of `planes`, its last two axes crossed, which reads a cut of it. */
static vf_array *from_planes(vf_array *planes, const int *axes)
{
	vf_arena arena;
	vf_work w;
	vf_array *node = vf_node_create(planes->ctx, planes->dtype, &(vf_origin){0});
	vf_storage *s = node ? vf_node_cut(node, planes) : NULL;
	vf_arena_init(&arena, planes->ctx);
	vf_map *whole = s ? vf_c_map(&arena, planes->map->rank, planes->map->shape, s) : NULL, *map = NULL;
	if (whole) {
		work_init(&w, &arena);
		work_load(&w, whole);
		work_permute(&w, axes);
		map = work_finish(&w);
	}
	vf_map_drop(planes->ctx, whole);
	vf_arena_drop(&arena);
	return node ? vf_node_finish(node, map) : NULL;
}

vf_array *vf_computed_planes(const vf_array *a)
{
	enum { MOST_PLANES = 16 };
	const int rank = a->map->rank;
	int64_t shape[VF_MAX_RANK];
	int axes[VF_MAX_RANK];
	if (a->nlayer < 2 || a->ncut > 0 || rank < 2 || a->map->shape[rank - 1] > MOST_PLANES ||
	    vf_map_is_ragged(a->map) || !takes_turns(a))
		return NULL;
	const int n = shape_of(a, shape);
	vf_array *flat = n ? vf_reshape((vf_array *)(uintptr_t)a, n, shape) : NULL; /* only read */
	cross_axes(n, axes);
	vf_array *planes = flat ? vf_permute(flat, n, axes) : NULL;
	vf_array *made = planes ? from_planes(planes, axes) : NULL;
	vf_release(planes);
	vf_release(flat);
	return made;
}
