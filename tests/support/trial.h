/* trial.h -- one chain through the library, every answer compared with the oracle's.
 *
 * A trial has some contexts (interpreter, compiled, threads, plain kernels, measuring, few regions). A
 * check evaluates the chain's text in one of them, and complains in a sentence about the first
 * thing that is not as the oracle says.
 */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include "chains.h"

enum { TRIAL_ENGINES = 7, TRIAL_TEXT = 4096 };

typedef struct trial {
	int n;
	vf_context *ctx[TRIAL_ENGINES];
	const char *name[TRIAL_ENGINES]; /* [0] interprets, [1] compiles where it can */
	char complaint[TRIAL_TEXT];      /* "" while all is well */
	bool refused;                    /* the library refused what it may refuse */
	int cuts;                        /* of the array checked last */
	int64_t relays;                  /* arrays that were made by way of a relay, too */
} trial;

void trial_begin(trial *t);
void trial_end(trial *t);
/* Keep the first complaint; always false. */
__attribute__((format(printf, 2, 3))) bool trial_complain(trial *t, const char *format, ...);

/* The leaves of `c` as arrays of engine `which`, wrapped or only declared; leaves the chain does
 * not use are NULL. */
void trial_leaves(trial *t, const chain *c, int which, bool declared, vf_array *out[CHAIN_LEAVES]);
void trial_release(vf_array *arrays[CHAIN_LEAVES]);
/* Evaluate the text of `node`. NULL with the context's error kept. */
vf_array *trial_eval(trial *t, const chain *c, const chain_node *node, int which,
                     vf_array *const leaves[CHAIN_LEAVES]);

/* The same chain by the C functions, and by vf_apply() where an op has none. */
vf_array *trial_call(const chain_node *node, vf_array *const leaves[CHAIN_LEAVES]);

/* All is as the oracle's `a` says: shape, counts, bytes, strides, address, texts. */
bool trial_check(trial *t, chain *c, const oracle_array *a, int which);
/* The bytes again, by a kernel compiled for declared leaves and run whole and in parts. */
bool trial_check_kernel(trial *t, chain *c, const oracle_array *a, int which);

/* `got` against what the oracle reads; the complaint names the first index that differs. */
bool trial_same_bytes(trial *t, const char *what, const chain *c, const oracle_array *a,
                      const unsigned char *got);

/* The failing chain on stderr: seed, number, leaves, expression, complaint; shrunk by `fails`, which
 * must leave its complaint in the trial. */
void trial_report(trial *t, chain *c, uint64_t seed, uint64_t number, bool (*fails)(void *user, chain *c),
                  void *user);

/* Until the next call a crash prints this chain first. */
void trial_watch(const chain *c, uint64_t seed, uint64_t number);

/* An environment variable as a number. */
uint64_t trial_number(const char *variable, uint64_t standard);

#endif
