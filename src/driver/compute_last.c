/* compute_last.c -- what a formula reads is moved to a relay first; the formula is computed of that.
 *
 * In     an array with one layer
 * Out    an equal array: the same formula of a cut of its base, in C order
 * Keeps  the elements, operands as they are
 * When   each element is of the layer, and the base reads places or constants; or the others are one
 *        constant, as margins are, and the formula comes to it: then the base is constant there, too
 * Tests  tests/unit/test_relay.c
 *
 * Elements that are computed go by few strategies: each region by itself. Where regions lie in each other, as
 * those of a stack do, each would be written in pieces of an element or two.
 */
#include "driver/relay.h"

#include "driver/job.h"
#include "graph/make.h"

#include <string.h>

/* ---- constants beside the layer ---- */

/* The constant that all elements beside the layer are; NULL: they are not one, or there are none. */
static const unsigned char *constant_beside(const vf_array *a)
{
	const unsigned char *one = NULL;
	for (int i = 0; i < a->map->nregion; i++) {
		const vf_region *r = &a->map->regions[i];
		if (vf_is_computed(r->source))
			continue;
		if (r->source || (one && memcmp(one, r->fill, sizeof r->fill) != 0))
			return NULL;
		one = r->fill;
	}
	return one;
}

/* Finds what the formula computes `wanted` of: any value of u8 and i8, of other types 0. */
static bool find_base(const vf_formula *f, const unsigned char *wanted, unsigned char *base)
{
	enum { BYTES = 256, LONGEST = 16 };
	unsigned char from[BYTES] = {0}, to[BYTES * LONGEST];
	const int64_t bytes = vf_dtype_bytes(f->to);
	const int n = f->from == VF_U8 || f->from == VF_I8 ? BYTES : 1;
	if (f->noperand > 0)
		return false;
	for (int i = 0; i < n; i++)
		from[i] = (unsigned char)i;
	vf_compute_plainly(f, n, from, to);
	for (int i = 0; i < n; i++)
		if (memcmp(to + i * bytes, wanted, (size_t)bytes) == 0) {
			base[0] = (unsigned char)i;
			return true;
		}
	return false;
}

/* Lets the regions that are not of the layer be a constant. */
static void fill_elsewhere(vf_map *base, const unsigned char *value)
{
	for (int i = 0; i < base->nregion; i++) {
		vf_region *r = &base->regions[i];
		if (r->source != &vf_elsewhere)
			continue;
		r->source = NULL, r->offset = 0;
		memcpy(r->fill, value, sizeof r->fill);
		for (int k = 0; k < r->ndigit; k++)
			r->digits[k].stride = 0, r->digits[k].table = NULL;
	}
}

/* ---- the base ---- */

/* Does the map read places and constants, and no cut? */
static bool may_be_relayed(const vf_map *map)
{
	bool may = map->nregion > 0;
	for (int i = 0; i < map->nregion; i++) {
		const vf_storage *s = map->regions[i].source;
		may = may && (!s || (vf_is_place(s) && s->kind != VF_STORAGE_CUT));
	}
	return may;
}

/* NULL also where elements before they are computed come to too many bytes. Tables are shared by count, and
 * not copied. */
vf_array *vf_formula_base(const vf_array *a)
{
	unsigned char value[sizeof a->map->regions->fill] = {0};
	int64_t bytes;
	if (a->nlayer != 1)
		return NULL;
	const vf_layer *layer = &a->layers[0];
	if (layer->maps[0]->has_tables ||
	    !vf_product_fits(layer->maps[0]->size, vf_dtype_bytes(layer->formula.from), &bytes))
		return NULL;
	const unsigned char *beside = constant_beside(a);
	vf_map *map = vf_map_clone(a->ctx, layer->maps[0]);
	if (map && beside && find_base(&layer->formula, beside, value))
		fill_elsewhere(map, value);
	vf_array *base = map && may_be_relayed(map)
	                     ? vf_node_create(a->ctx, layer->formula.from, &(vf_origin){0})
	                     : NULL;
	if (!base)
		vf_dealloc(a->ctx, map);
	return base ? vf_node_finish(base, map) : NULL;
}

/* ---- the array over it ---- */

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
		all = !from->maps[j]->has_tables &&
		      (layer->maps[j] = vf_map_clone(node->ctx, from->maps[j])) != NULL;
	return all;
}

vf_array *vf_compute_last(const vf_array *a, vf_array *below)
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
