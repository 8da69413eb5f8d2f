/* history.h -- what is still known of how an array was made.
 *
 * If vf_eval() or vf_apply() made an array like this before, the new one has no nodes of its own between it
 * and its operands: its pattern has them. In this list the two look alike.
 */
#pragma once

#include "graph/array.h"

/* One operation, or a leaf. */
typedef struct vf_past {
	const vf_array *node; /* for its op, arguments, maps and name; its storages may be gone */
	int noperand;
	const int *operands; /* their places in the list; -1 where the history ends */
	bool ends;           /* it has operands that are not kept */
} vf_past;

/* The operands come first, each once; an array comes after all that it is made of. */
typedef struct vf_history {
	int n;
	vf_past *steps;
	const int *results; /* the place of each array in the list */
} vf_history;

/* Of n arrays, in the arena; they must be held meanwhile. False without memory. */
bool vf_history_read(vf_arena *arena, int n, vf_array *const *arrays, vf_history *history);
