/* formula_text.c -- a layer as a person writes it: "(f32(x) - mean) / std".
 *
 * Names are those of leaves; x, then a, b, ... of what has none.
 */
#include "graph/array.h"

/* The name of the one leaf that a map reads; or NULL. */
static const char *leaf_name(const vf_map *map)
{
	const vf_storage *s = NULL;
	for (int i = 0; i < map->nregion; i++) {
		const vf_storage *other = map->regions[i].source;
		if (!vf_is_place(other) || other->kind == VF_STORAGE_CUT || (s && s != other))
			continue;
		s = other;
	}
	return s ? s->below->name : NULL;
}

void vf_layer_print(vf_text *text, const vf_layer *layer)
{
	vf_formula_names names = {.base = leaf_name(layer->maps[0])};
	for (int j = 0; j < layer->formula.noperand; j++)
		names.operands[j] = leaf_name(layer->maps[1 + j]);
	vf_formula_print(text, &layer->formula, &names);
}
