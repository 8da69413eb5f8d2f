/* sources.c -- see sources.h.
 *
 * Tests  tests/unit/test_run.c, tests/property/
 */
#include "driver/sources.h"

enum { FEW = 8 };

int vf_sources_at(const vf_sources *sources, const vf_storage *storage)
{
	for (int i = 0; i < sources->n && i < FEW; i++)
		if (sources->list[i] == storage)
			return i;
	return vf_lookup_get(&sources->lookup, storage);
}

bool vf_sources_push(vf_arena *arena, vf_sources *sources, const vf_storage *storage)
{
	if (!vf_arena_reserve(arena, &sources->list, sources->n, &sources->capacity, sizeof *sources->list))
		return false;
	sources->list[sources->n++] = storage;
	return true;
}

int vf_sources_find(vf_arena *arena, vf_sources *sources, const vf_storage *storage)
{
	int at = vf_sources_at(sources, storage);
	if (at >= 0)
		return at;
	if (sources->n >= FEW && !vf_lookup_put(arena, &sources->lookup, storage, sources->n))
		return -1;
	return vf_sources_push(arena, sources, storage) ? sources->n - 1 : -1;
}

/* ---- what lies below an array ---- */

/* Adds the storages that an array reads to the list of their kind. */
static bool add_read(vf_arena *arena, const vf_array *a, vf_sources *leaves, vf_sources *cuts)
{
	int n = vf_read_count(a);
	for (int k = 0; k < n; k++) {
		const vf_map *map = vf_read_at(a, k).map;
		for (int i = 0; i < map->nregion; i++) {
			const vf_storage *s = map->regions[i].source;
			if (vf_is_place(s) &&
			    vf_sources_find(arena, s->kind == VF_STORAGE_CUT ? cuts : leaves, s) < 0)
				return false;
		}
	}
	return true;
}

/* The list of cuts is also the list of what must still be looked at. */
bool vf_sources_below(vf_arena *arena, const vf_array *a, vf_sources *leaves, vf_sources *cuts)
{
	bool fits = add_read(arena, a, leaves, cuts);
	for (int i = 0; i < cuts->n && fits; i++)
		fits = add_read(arena, cuts->list[i]->below, leaves, cuts);
	return fits;
}

int vf_cuts(const vf_array *a)
{
	vf_arena arena;
	vf_sources leaves = {0}, cuts = {0};
	if (!a)
		return 0;
	vf_arena_init(&arena, a->ctx);
	bool fits = vf_sources_below(&arena, a, &leaves, &cuts);
	vf_arena_drop(&arena);
	return fits ? cuts.n : -1;
}

int vf_leaves_of_all(int n, vf_array *const *arrays, int room, vf_array **out)
{
	vf_arena arena;
	vf_sources leaves = {0}, cuts = {0};
	bool fits = true;
	vf_arena_init(&arena, arrays[0]->ctx);
	for (int i = 0; i < n && fits; i++)
		fits = vf_sources_below(&arena, arrays[i], &leaves, &cuts);
	for (int i = 0; i < leaves.n && fits && out && leaves.n <= room; i++)
		out[i] = vf_retain(leaves.list[i]->below);
	vf_arena_drop(&arena);
	return fits ? leaves.n : -1;
}

int vf_leaves(const vf_array *a, int room, vf_array **out)
{
	vf_array *one = (vf_array *)(uintptr_t)a; /* only read */
	return a ? vf_leaves_of_all(1, &one, room, out) : -1;
}
