/* items.h -- the items of x[...] while they are read, with lists of any rank. */
#pragma once

#include "expr/composed.h"

typedef struct vf_items {
	vf_item *items;
	const vf_indices **lists; /* as many; NULL where an item is no list */
	int64_t n, capacity;
} vf_items;

/* compose_index.c: whether the op "[]" takes them: no list, or a plain one beside the integers. */
bool vf_items_are_plain(const vf_items *items);
/* x[items], of lists that the op "[]" does not take. out->at must be set. */
bool vf_index_lists(vf_expr *e, vf_array *x, const vf_items *items, vf_value *out);
