/* ready.h -- the kernel of an array, made when its bytes are first wanted.
 *
 * It is attached to the node, so that materialising the array again costs two pointer reads and the copy.
 * All nodes made from one memo share it: their maps differ in the storages only.
 */
#pragma once

#include "driver/kernel.h"
#include "graph/array.h"

/* A kernel, and where its places and inputs lie. storages[0] stands for the result, the others are the
 * inputs. If nodes share the kernel, `regions` replaces the storages: for each input, the number of a region
 * of the node that reads it. Numbers count the regions of the node's map first, then those of its layers'
 * maps in order. */
typedef struct vf_prepared {
	vf_kernel *kernel;
	const vf_storage **storages;
	int *regions;
} vf_prepared;

/* Returns what the region of this number reads. */
const vf_storage *vf_prepared_place(const vf_array *a, int region);

typedef struct vf_ready vf_ready;

/* Returns one with one reference and no kernel yet. `shared`: nodes with the same map will share it. Returns
 * NULL without memory; the context keeps no error then. */
vf_ready *vf_ready_create(vf_context *ctx, bool shared);
void vf_ready_release(vf_context *ctx, vf_ready *ready);

/* Attaches `ready` to a node that nobody else has yet; the node takes a reference. */
void vf_ready_attach(vf_array *a, vf_ready *ready);
/* Is what is attached to the node shared? */
bool vf_ready_is_shared(const vf_array *a);

/* Returns the kernel attached to the node, and makes it if there is none yet. It belongs to the node. NULL
 * with the error kept. */
const vf_prepared *vf_ready_find(const vf_array *a);
