/* memo.h -- expressions that were met before: their map, and the kernel that it led to.
 *
 * The result of an expression depends on its text and on its operands: their types, their maps, what may be done with
 * their storages, and which of the storages are the same. It does not depend on addresses. A *memo* holds the result
 * for one such combination. A node made from it has the memo's map over the storages of its own operands. Its
 * history is a pattern: the first evaluation, with its own operands put in.
 *
 * A context keeps a bounded number of memos; the least recently used goes first. Nobody waits for the table: if it
 * is taken, or was taken when the process forked, the expression is evaluated.
 */
#ifndef VF_GRAPH_MEMO_H
#define VF_GRAPH_MEMO_H

#include "graph/array.h"

typedef struct vf_memo vf_memo;

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
void vf_memo_keep(const vf_memo_call *call, vf_array *result);

/* Where driver/materialize.c keeps the kernel that all nodes of a memo share. */
_Atomic(void *) *vf_memo_ready(vf_memo *memo);

void vf_memo_release(vf_context *ctx, vf_memo *memo);

/* With the context, once no node is left. */
void vf_memos_close(vf_context *ctx);

#endif
