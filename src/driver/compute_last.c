/* compute_last.c -- a relay of elements as they are read: what is computed of them is computed of it.
 *
 * In     an array with one layer
 * Out    an equal array: the same formula of a cut of its base, in C order
 * Keeps  the elements, operands as they are
 * When   each element is of the layer, and the base reads places or constants
 * Tests  tests/unit/test_relay.c
 *
 * Elements that are computed go by few strategies: each region by itself. Where regions lie in each other, as
 * those of a stack do, each would be written in pieces of an element or two.
 */
#include "driver/relay.h"

#include "graph/make.h"

/* Does the map read places and constants, more than one run of a place? */
static bool may_be_relayed(const vf_map *map)
{
	bool may = map->nregion > 0;
	for (int i = 0; i < map->nregion; i++) {
		const vf_storage *s = map->regions[i].source;
		may = may && (!s || (vf_is_place(s) && s->kind != VF_STORAGE_CUT));
	}
	return may;
}

static vf_map *copy_of(vf_context *ctx, const vf_map *map)
{
	vf_map *copy = vf_alloc(ctx, vf_map_bytes(map));
	if (copy)
		vf_map_copy(copy, map);
	return copy;
}

/* Gives the node the layer, over the cut, and a storage that stands for its elements. */
static bool set_layer(vf_arena *arena, vf_array *node, const vf_array *a, const vf_storage *cut)
{
	const vf_layer *from = &a->layers[0];
	vf_layer *layer = node->layers = vf_alloc_zero(node->ctx, sizeof *layer);
	node->own = vf_node_storage(node, VF_STORAGE_COMPUTED, node);
	if (!layer || !node->own)
		return false;
	node->nlayer = 1;
	node->own->bytes = vf_size_bytes(a);
	layer->formula = from->formula;
	layer->maps[0] = vf_c_map(arena, a->map->rank, a->map->shape, cut);
	bool all = layer->maps[0] != NULL;
	for (int j = 1; all && j <= from->formula.noperand; j++)
		all = (layer->maps[j] = copy_of(node->ctx, from->maps[j])) != NULL;
	return all;
}

static vf_array *over_cut(const vf_array *a, vf_array *below)
{
	vf_array *node = vf_node_create(a->ctx, a->dtype, &(vf_origin){0});
	vf_storage *cut = node ? vf_node_cut(node, below) : NULL;
	vf_arena arena;
	vf_arena_init(&arena, a->ctx);
	const bool set = cut && set_layer(&arena, node, a, cut);
	vf_map *map = set ? vf_c_map(&arena, a->map->rank, a->map->shape, node->own) : NULL;
	vf_arena_drop(&arena);
	return node ? vf_node_finish(node, map) : NULL;
}

vf_array *vf_compute_last(const vf_array *a)
{
	if (a->nlayer != 1 || !may_be_relayed(a->layers[0].maps[0]))
		return NULL;
	vf_array *below = vf_node_create(a->ctx, a->layers[0].formula.from, &(vf_origin){0});
	below = below ? vf_node_finish(below, copy_of(a->ctx, a->layers[0].maps[0])) : NULL;
	vf_array *made = below ? over_cut(a, below) : NULL;
	vf_release(below);
	return made;
}
