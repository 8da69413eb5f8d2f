/* memo_node.c -- a node kept without what it reads, to be made again.
 *
 * Tests  tests/unit/test_memo.c, tests/property/test_chains.c
 */
#include "driver/memo.h"

#include "graph/fold.h"

enum { MOST_MAP_BYTES = 8192 };

/* What stands in place of a storage's number if a region reads no storage of the call. */
enum { A_FILL = -1, ELSEWHERE = -2, COMPUTED = -3 };

/* ---- keeping ---- */

static void drop_map(vf_context *ctx, vf_memo_map *m)
{
	vf_dealloc(ctx, m->map);
	vf_dealloc(ctx, m->sources);
}

void vf_memo_node_drop(vf_context *ctx, vf_memo_node *node)
{
	drop_map(ctx, &node->map);
	for (int j = 0; j <= VF_MOST_OPERANDS; j++)
		drop_map(ctx, &node->reads[j]);
	vf_dealloc(ctx, node->face);
	vf_dealloc(ctx, node->formula);
}

/* Returns the number of `s` among the call's storages, and sets its bit in `seen`. Returns A_FILL, ELSEWHERE
 * or COMPUTED if `s` is no place, and call->nstorage if it is another storage. */
static int find_source(const vf_memo_call *call, const vf_storage *s, unsigned *seen)
{
	int k = 0;
	if (!vf_is_place(s))
		return !s ? A_FILL : s->kind == VF_STORAGE_ELSEWHERE ? ELSEWHERE : COMPUTED;
	while (k < call->nstorage && call->storages[k] != s)
		k++;
	*seen |= k < call->nstorage ? 1u << k : 0;
	return k;
}

/* Records which of the call's storages each region reads. False where a region reads another storage. */
static bool find_sources(const vf_memo_call *call, const vf_map *map, signed char *sources, unsigned *seen)
{
	for (int i = 0; i < map->nregion; i++) {
		int k = find_source(call, map->regions[i].source, seen);
		if (k == call->nstorage)
			return false;
		sources[i] = (signed char)k;
	}
	return true;
}

static bool map_fits(const vf_map *map)
{
	return map->nregion > 0 && !map->has_tables && vf_map_bytes(map) <= MOST_MAP_BYTES;
}

bool vf_memo_node_fits(const vf_array *a)
{
	bool fits = a->op && a->ncut == 0 && a->nlayer <= 1;
	for (int i = 0; i < a->map->nregion && a->nlayer == 0 && fits; i++)
		fits = !a->map->regions[i].source || vf_is_place(a->map->regions[i].source);
	for (int k = 0; k < vf_read_count(a) && fits; k++)
		fits = map_fits(vf_read_at(a, k).map);
	return fits && vf_map_bytes(a->face) <= MOST_MAP_BYTES;
}

/* Keeps a copy of a map, and where its sources stand in the call. False without memory. */
static bool keep_map(const vf_memo_call *call, const vf_map *map, vf_memo_map *m, unsigned *seen)
{
	m->sources = vf_alloc_quietly(call->ctx, (size_t)map->nregion);
	m->map = vf_map_clone(call->ctx, map);
	return m->sources && m->map && find_sources(call, map, m->sources, seen);
}

static bool keep_layer(const vf_memo_call *call, const vf_layer *layer, vf_memo_node *node, unsigned *seen)
{
	node->formula = vf_alloc_quietly(call->ctx, sizeof *node->formula);
	bool kept = node->formula != NULL;
	if (kept)
		*node->formula = layer->formula;
	for (int j = 0; j <= layer->formula.noperand && kept; j++)
		kept = keep_map(call, layer->maps[j], &node->reads[j], seen);
	return kept;
}

bool vf_memo_node_keep(const vf_memo_call *call, const vf_array *a, vf_memo_node *node, unsigned *seen)
{
	vf_context *ctx = call->ctx;
	bool other_face = a->face != a->map;
	node->own_bytes = a->own ? a->own->bytes : 0;
	node->op = a->op;
	node->dtype = a->dtype;
	node->read_only = a->read_only;
	node->is_value = a->is_value;
	node->face = other_face ? vf_map_clone(ctx, a->face) : NULL;
	return (node->face || !other_face) && keep_map(call, a->map, &node->map, seen) &&
	       (a->nlayer == 0 || keep_layer(call, a->layers, node, seen));
}

/* ---- making ---- */

/* Makes the node's face over the storage of `value`. If `value` is NULL, over a storage of the node's own. */
static bool make_face(vf_array *a, const vf_map *face, vf_array *value)
{
	if (!value) {
		a->own = vf_alloc_zero(a->ctx, sizeof *a->own);
		if (!a->own)
			return false;
		*a->own = (vf_storage){.kind = VF_STORAGE_VALUE, .read_only = true, .below = a};
	}
	a->face = vf_alloc(a->ctx, vf_map_bytes(face));
	if (!a->face)
		return false;
	vf_map_copy(a->face, face);
	for (int i = 0; i < a->face->nregion; i++)
		a->face->regions[i].source = value ? value->own : a->own;
	return true;
}

/* Makes the map over the storages of the call. Regions of computed elements read `computed`. */
static vf_map *make_map(const vf_memo_call *call, const vf_memo_map *m, const vf_storage *computed)
{
	vf_map *map = vf_alloc(call->ctx, vf_map_bytes(m->map));
	if (!map)
		return NULL;
	vf_map_copy(map, m->map);
	for (int i = 0; i < map->nregion; i++) {
		int k = m->sources[i];
		map->regions[i].source = k >= 0           ? call->storages[k]
		                         : k == COMPUTED  ? computed
		                         : k == ELSEWHERE ? &vf_elsewhere
		                                          : NULL;
	}
	return map;
}

/* Returns the storage that stands for what the node computes: that of the node below, or a new one of its
 * own. */
static const vf_storage *make_computed(vf_array *a, const vf_memo_node *node, const vf_array *below)
{
	if (below)
		return below->own;
	a->own = vf_alloc_zero(a->ctx, sizeof *a->own);
	if (a->own)
		*a->own = (vf_storage){
		    .kind = VF_STORAGE_COMPUTED, .read_only = true, .bytes = node->own_bytes, .below = a};
	return a->own;
}

static bool make_layer(const vf_memo_call *call, vf_array *a, const vf_memo_node *node)
{
	bool made = (a->layers = vf_alloc_zero(a->ctx, sizeof *a->layers)) != NULL;
	if (!made)
		return false;
	a->nlayer = 1;
	a->layers->formula = *node->formula;
	for (int j = 0; j <= node->formula->noperand && made; j++)
		made = (a->layers->maps[j] = make_map(call, &node->reads[j], NULL)) != NULL;
	return made;
}

/* Makes the node's layer, map and face over the storages of the call. */
static bool make_maps(const vf_memo_call *call, vf_array *a, const vf_memo_node *node, vf_array *value)
{
	const vf_storage *computed = node->formula ? make_computed(a, node, value) : NULL;
	if (node->formula && (!computed || !make_layer(call, a, node)))
		return false;
	a->map = a->face = make_map(call, &node->map, computed);
	return a->map && (!node->face || make_face(a, node->face, value));
}

vf_array *vf_memo_node_make(const vf_memo_call *call, const vf_memo_node *node, int nparent, vf_array *value)
{
	vf_origin origin = {.op = node->op, .nparent = nparent, .parents = call->arrays};
	vf_array *a = vf_node_create(call->ctx, node->dtype, &origin);
	if (!a)
		return NULL;
	a->read_only = node->read_only;
	a->is_value = node->is_value;
	if (make_maps(call, a, node, value)) {
		vf_node_hold_sources(a);
		return a;
	}
	vf_release(a);
	return NULL;
}
