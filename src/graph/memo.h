/* memo.h -- expressions that were met before: their map, and the kernel that it led to.
 *
 * What an expression comes to depends on its text, on what its operands are (type, map, what their storages allow)
 * and on which of these storages are the same; not on where they lie. A *memo* holds the result for one such
 * combination. A node made from it has the memo's map over its own operands' storages and no nodes between; they
 * are made where someone wants to see them (vf_memo_chain).
 *
 * A context keeps a bounded number of memos, least recently used out first. Nobody waits for them: who finds the
 * table taken, or a fork leaves it so, evaluates as if there were none.
 */
#ifndef VF_GRAPH_MEMO_H
#define VF_GRAPH_MEMO_H

#include "graph/array.h"

typedef struct vf_memo vf_memo;

/* Evaluate `text` over arrays; n < 0: a chain over arrays[0], without a name. */
typedef vf_array *vf_evaluate(vf_context *ctx, const char *text, int n, const char *const *names,
                              vf_array *const *arrays);

enum { VF_MEMO_WORDS = 240, VF_MEMO_STORAGES = 12 };

/* One call, taken down so that it can be compared. */
typedef struct vf_memo_call {
	vf_context *ctx;
	vf_array *const *arrays;
	int narray;
	int64_t nword; /* 0: it is none that could be kept */
	uint64_t hash;
	int nstorage;
	const vf_storage *storages[VF_MEMO_STORAGES];
	int64_t words[VF_MEMO_WORDS];
} vf_memo_call;

/* Take the call down; arrays may be anything that a caller may give. Whether it was met before: then *result is a
 * new reference, or NULL with the error kept. */
bool vf_memo_find(vf_memo_call *call, vf_context *ctx, const char *text, int n, const char *const *names,
                  vf_array *const *arrays, vf_array **result);

/* Remember what the call came to, if it is of a kind that can be; NULL is not. Never fails. */
void vf_memo_keep(const vf_memo_call *call, const vf_array *result, vf_evaluate *evaluate);

/* The node as its expression made it, operands and all: `a` itself if it is no memo's. Borrowed from `a`. NULL with the
 * error kept. */
const vf_array *vf_memo_chain(const vf_array *a);

/* Where driver/materialize.c keeps the kernel that all nodes of a memo share. */
_Atomic(void *) *vf_memo_ready(vf_memo *memo);

void vf_memo_release(vf_context *ctx, vf_memo *memo);

/* With the context, once no node is left. */
void vf_memos_close(vf_context *ctx);

#endif
