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
	vf_array *result; /* where vf_memo_find() says true: a new reference, or NULL with the error kept */
} vf_memo_call;

/* Fills `call` in, and returns whether a call with its key was kept. Arguments may be anything that a caller
 * may pass. n < 0: a chain over arrays[0], without a name. */
bool vf_memo_find(vf_memo_call *call, vf_context *ctx, const char *text, int n, const char *const *names,
                  vf_array *const *arrays);

/* Keeps what the call gave, where that can be kept; `result` may be NULL. Never fails. */
void vf_memo_keep(const vf_memo_call *call, vf_array *result);

/* Releases all memos: when the context closes. */
void vf_memos_close(vf_context *ctx);
