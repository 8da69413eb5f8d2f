/* cuts.c -- what a node materialises before it is read: its storage, and the map over that.
 *
 * Tests  tests/fold/ (text tables), tests/property/ (against the oracle)
 */
#include "graph/make.h"

vf_storage *vf_node_storage(vf_array *node, vf_storage_kind kind, vf_array *below)
{
	vf_storage *s = vf_alloc_zero(node->ctx, sizeof *s);
	if (!s)
		return NULL;
	atomic_init(&s->refs, 1);
	s->kind = kind;
	s->bytes = kind == VF_STORAGE_CUT ? vf_size_bytes(below) : 0;
	s->read_only = true;
	s->below = below;
	return s;
}

vf_storage *vf_node_cut(vf_array *node, vf_array *below)
{
	vf_storage **grown = vf_realloc(node->ctx, node->cuts, (size_t)(node->ncut + 1) * sizeof *grown);
	if (!grown)
		return NULL;
	node->cuts = grown;
	vf_storage *s = vf_node_storage(node, VF_STORAGE_CUT, below);
	if (s) {
		vf_retain(below);
		node->cuts[node->ncut++] = s;
	}
	return s;
}

vf_map *vf_c_map(vf_arena *arena, int rank, const int64_t *shape, const vf_storage *storage)
{
	int64_t strides[VF_MAX_RANK];
	vf_budget *budget = arena->budget;
	vf_work w;
	arena->budget = NULL;
	vf_c_strides(rank, shape, strides);
	work_init(&w, arena);
	work_plain(&w, &(work_strided){rank, shape, strides, 0}, storage, NULL);
	vf_map *map = work_finish(&w);
	arena->budget = budget;
	return map;
}

bool vf_cut_because(vf_array *node, const char *reason)
{
	if (node->cut_reason)
		return true;
	node->cut_reason = vf_strdup(node->ctx, reason);
	if (node->cut_reason)
		vf_log(node->ctx, "%s: cut: %s", vf_op_written(node->op), reason);
	return node->cut_reason != NULL;
}

static bool replace(vf_maker *m, int i, vf_map *map)
{
	if (map) {
		vf_map_drop(m->fold.ctx, m->scratch[i]);
		m->maps[i] = m->scratch[i] = map;
	}
	return map != NULL;
}

bool vf_cut_computed(vf_maker *m)
{
	bool cut = vf_cut_because(m->node, "what is computed cannot be folded any further");
	for (int i = 0; i < m->fold.n && cut; i++) {
		vf_array *in = m->fold.in[i];
		if (in->nlayer == 0 || m->scratch[i])
			continue;
		vf_storage *s = vf_node_cut(m->node, in);
		cut = s && replace(m, i, vf_c_map(m->fold.arena, in->map->rank, in->map->shape, s));
	}
	return cut;
}

/* The node's cut in place of a computed storage. Each is made once. */
static const vf_storage *cut_of(vf_array *node, const vf_storage *computed)
{
	for (int i = 0; i < node->ncut; i++)
		if (node->cuts[i]->below == computed->below)
			return node->cuts[i];
	return vf_node_cut(node, computed->below);
}

/* A copy of the map, with cuts in place of computed storages. */
static vf_map *with_cuts(vf_maker *m, const vf_map *map)
{
	vf_work w;
	work_init(&w, m->fold.arena);
	work_load(&w, map);
	for (int i = 0; i < w.nregion && w.state == WORK_OK; i++) {
		vf_region *r = &w.regions[i];
		if (!vf_is_computed(r->source))
			continue;
		r->source = cut_of(m->node, r->source);
		w.state = r->source ? WORK_OK : WORK_MEMORY;
	}
	return work_finish(&w);
}

bool vf_cut_storages(vf_maker *m)
{
	bool cut = true;
	for (int i = 0; i < m->fold.n && cut; i++)
		if (m->fold.in[i]->nlayer > 0)
			cut = vf_cut_because(m->node, "it looks at the bytes of what is computed") &&
			      replace(m, i, with_cuts(m, m->fold.in[i]->map));
	return cut;
}
