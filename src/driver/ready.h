/* ready.h -- the kernel of an array, made when its bytes are first wanted.
 *
 * It is attached to the node, so that materialising the array again costs a look at two pointers and the
 * copy. All nodes that come of one memo share it: their maps are the same but for the storages.
 */
#pragma once

#include "driver/kernel.h"
#include "graph/array.h"

/* A kernel, and where what it is given lies. storages[0] stands for the result, the others are those of the
 * inputs. Where nodes share the kernel, `regions` has instead the region of the node that reads each of them,
 * of its map, then of its layers' maps in order. */
typedef struct vf_prepared {
	vf_kernel *kernel;
	const vf_storage **storages;
	int *regions;
} vf_prepared;

/* What a region, counted so, reads. */
const vf_storage *vf_prepared_place(const vf_array *a, int region);

typedef struct vf_ready vf_ready;

/* With one reference and no kernel yet. `shared`: nodes of one map will share it. NULL where memory cannot be
 * had; the context keeps no error then. */
vf_ready *vf_ready_create(vf_context *ctx, bool shared);
void vf_ready_release(vf_context *ctx, vf_ready *ready);

/* The node, which nobody else has yet, takes a reference. */
void vf_ready_attach(vf_array *a, vf_ready *ready);
/* Whether what is attached to the node is shared. */
bool vf_ready_is_shared(const vf_array *a);

/* What is attached to the node, made where it is not there yet; the node's own. NULL with the error kept. */
const vf_prepared *vf_ready_find(const vf_array *a);
