/* memo.h -- expressions that were met before: their map, and the kernel that it led to.
 *
 * The result of an expression depends on its text and on its operands: their types, their maps, what may be
 * done with their storages, and which of the storages are the same. It does not depend on addresses. A *memo*
 * holds the result for one such combination. A node made from it has the memo's map over the storages of its
 * own operands. Its history is a pattern: the first evaluation, with its own operands put in.
 *
 * A context keeps a bounded number of memos; the least recently used goes first. Nobody waits for the table:
 * if it is taken, or was taken when the process forked, the expression is evaluated.
 */
#pragma once

#include "graph/array.h"

/* Releases all memos: when the context closes. */
void vf_memos_close(vf_context *ctx);

enum { VF_MEMO_WORDS = 240, VF_MEMO_STORAGES = 12 };

/* One call and its key. */
typedef struct vf_memo_call {
	vf_context *ctx;
	vf_array *const *arrays;
	int narray;
	int64_t nword; /* 0: the call has no key, and nothing is kept */
	uint64_t hash;
	int nstorage;
	const vf_storage *storages[VF_MEMO_STORAGES]; /* those that the operands read, each once */
	int64_t words[VF_MEMO_WORDS];
} vf_memo_call;

/* ---- memo_node.c: a node kept without what it reads, to be made again over other storages ---- */

/* A map to be made again. `map` still points to its own sources, which may be gone: they are never looked
 * into. */
typedef struct vf_memo_map {
	vf_map *map;          /* NULL: none */
	signed char *sources; /* for each region: the number of its storage in the call, or less than 0 */
} vf_memo_map;

/* A node to be made again: over the storages of another call. */
typedef struct vf_memo_node {
	const vf_op *op;
	vf_dtype dtype;
	bool read_only, is_value;
	vf_memo_map map;
	vf_map *face; /* over one value's storage; NULL: the map */
	/* Where the node's elements are computed: the formula, the maps that it reads through, and the bytes
	 * of the storage that stands for the elements if that storage is the node's own. */
	vf_formula *formula;
	vf_memo_map reads[1 + VF_MOST_OPERANDS];
	int64_t own_bytes;
} vf_memo_node;

/* Can the node be kept? It must have no cut, at most one formula, and maps that are not too large. */
bool vf_memo_node_fits(const vf_array *a);
/* Copies into `node` what is to be kept of `a`, and sets in `seen` a bit for each of the call's storages that
 * `a` reads. Returns false without memory, or if `a` reads a storage that is not the call's. */
bool vf_memo_node_keep(const vf_memo_call *call, const vf_array *a, vf_memo_node *node, unsigned *seen);
/* Makes the node over the storages of a call. Its parents are the call's first `nparent` arrays; 0 gives it
 * none. `value` is the array that its face lies on, or that it is a view of; NULL: that is the node itself.
 * Returns NULL with the error kept. */
vf_array *vf_memo_node_make(const vf_memo_call *call, const vf_memo_node *node, int nparent, vf_array *value);
void vf_memo_node_drop(vf_context *ctx, vf_memo_node *node);
