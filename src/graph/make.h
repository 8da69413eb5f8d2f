/* make.h -- a node in the making: what fold.c, cuts.c, layers.c and pointwise.c share. */
#pragma once

#include "graph/fold.h"

typedef struct vf_maker {
	vf_fold fold;
	vf_array *node;
	const vf_map **maps; /* one an operand: what the rule is run on */
	vf_map **scratch;    /* of operands that were cut; given back at the end */
} vf_maker;

/* cuts.c. A storage of the node's, with one reference; NULL without memory. */
vf_storage *vf_node_storage(vf_array *node, vf_storage_kind kind, vf_array *below);
/* A storage that holds `below` in C order when the node is run; owned by the node. */
vf_storage *vf_node_cut(vf_array *node, vf_array *below);
/* C order over a storage. It costs nothing of the budget, so it does not depend on what was spent. */
vf_map *vf_c_map(vf_arena *arena, int rank, const int64_t *shape, const vf_storage *storage);
/* Why the node has a cut, kept and logged once; false without memory. */
bool vf_cut_because(vf_array *node, const char *reason);
/* Cut the operands that are computed, or views of such. vf_cut_computed() materialises the operands
 * themselves; vf_cut_storages() materialises the storages that they are views of, for an op that looks at
 * bytes. False after a failure. */
bool vf_cut_computed(vf_maker *m);
bool vf_cut_storages(vf_maker *m);

/* layers.c. Take the op through the layers of the operands that were not cut. WORK_GIVEN_UP, and no layers,
 * if it cannot go through. */
work_state vf_fold_layers(vf_maker *m);
/* Whether a move can be made of the layer: see map/refine.h. */
work_state vf_layer_fits(vf_arena *arena, const vf_layer *layer);
bool vf_same_formula(const vf_formula *a, const vf_formula *b);
/* Whether each axis has one stride, and no table. */
bool vf_has_strides_alone(const vf_map *map);

/* pointwise.c. A node of an element function: its layer, its map and its face. False after a failure. */
bool vf_fold_terms(vf_maker *m);
