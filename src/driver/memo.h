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
	const vf_storage *storages[VF_MEMO_STORAGES]; /* below the operands, each once */
	int64_t words[VF_MEMO_WORDS];
} vf_memo_call;

/* ---- memo_node.c: a node kept without what it reads, to be made again over other storages ---- */

/* A map to be made again. Its own sources are gone: they are never looked into. */
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
	/* Where elements are computed: the formula, what it reads, and the bytes of the storage that stands
	 * for them, where that is the node's own. */
	vf_formula *formula;
	vf_memo_map reads[1 + VF_MOST_OPERANDS];
	int64_t own_bytes;
} vf_memo_node;

/* Whether a node can be kept: no cut, one formula at most, maps that are not too large. */
bool vf_memo_node_fits(const vf_array *a);
/* Copies what is to be kept, and adds the call's storages that are read to `seen`. False without memory, or
 * where another storage is read. */
bool vf_memo_node_keep(const vf_memo_call *call, const vf_array *a, vf_memo_node *node, unsigned *seen);
/* The node over the storages of a call, made of its arrays or (nparent 0) of nothing. `value`: what its face
 * lies on, or what it is a view of; NULL where that is itself. NULL with the error kept. */
vf_array *vf_memo_node_make(const vf_memo_call *call, const vf_memo_node *node, int nparent, vf_array *value);
void vf_memo_node_drop(vf_context *ctx, vf_memo_node *node);
