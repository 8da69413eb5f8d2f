/* chains.h -- random view expressions, with the oracle's answer beside them.
 *
 * A chain is a tree: leaves that lie in guarded buffers, and calls of ops on one operand or
 * on several. It prints as text in the language of the library and evaluates by the oracle.
 * The same seed and number give the same chain.
 */
#ifndef TESTS_SUPPORT_CHAINS_H
#define TESTS_SUPPORT_CHAINS_H

#include "guard.h"
#include "oracle.h"
#include "random.h"

enum { CHAIN_LEAVES = 6, CHAIN_TEXT = 8192, CHAIN_RANK = 9 };

typedef struct chain_leaf {
	char name[8];
	vf_dtype dtype;
	int rank;
	int64_t shape[ORACLE_RANK], strides[ORACLE_RANK];
	bool plain; /* C order, so that it may be declared without strides */
	int buffer;
	int64_t first_byte; /* of index (0, ..., 0), in the buffer */
} chain_leaf;

typedef struct chain_node {
	oracle_call *call; /* NULL: a leaf */
	int leaf;
	int n;
	struct chain_node *operand[ORACLE_MANY];
} chain_node;

/* What kind of chain to make. */
typedef struct chain_taste {
	int most_ops;     /* of one chain from a leaf */
	int64_t elements; /* about how many at most */
	bool several;     /* cat, stack, ... over several leaves */
	bool views_only;  /* no op that is a value: what can be written through */
	bool tiny;        /* few elements, C order, one leaf */
	bool computes;    /* element functions among the view ops */
	bool for_numpy;   /* only what NumPy's own arrays can hold: no bf16, no aliasing leaves */
} chain_taste;

typedef struct chain_block chain_block;

typedef struct chain {
	rng random;
	oracle_world world;
	int nleaf;
	chain_leaf leaves[CHAIN_LEAVES];
	guard_buffer buffers[CHAIN_LEAVES];
	chain_node *root;
	chain_block *blocks; /* what nodes and calls live in */
} chain;

/* Make chain `number` of `seed`. */
void chain_make(chain *c, uint64_t seed, uint64_t number, const chain_taste *taste);
/* Start a chain without a root, to build one by the calls below. */
void chain_begin(chain *c, uint64_t seed, uint64_t number);
void chain_drop(chain *c);

/* A new leaf over a new buffer of random bytes. NULL if there is no place for one more. */
chain_node *chain_new_leaf(chain *c, const chain_taste *taste);
/* A new leaf of this dtype and shape; NULL if that is too large, or there is no place. */
chain_node *chain_leaf_of(chain *c, const chain_taste *taste, vf_dtype dtype, int rank, const int64_t *shape);
/* Up to `nops` random ops on `node`; what a taste cannot have is left out. */
chain_node *chain_grow(chain *c, chain_node *node, int nops, const chain_taste *taste);
/* A random expression with this shape and dtype, of the leaves there are and new ones. */
chain_node *chain_with_shape(chain *c, const chain_taste *taste, vf_dtype dtype, int rank,
                             const int64_t *shape, int depth);
/* One more op, its arguments damaged at random; the oracle knows whether they still make sense. */
chain_node *chain_wild(chain *c, chain_node *node, const chain_taste *taste);

/* What `node` reads. VF_OK: `out` is to be dropped. Otherwise the status of the call that fails. */
vf_status chain_eval(chain *c, const chain_node *node, oracle_array *out);
/* Fill the cells of leaf `k`. */
void chain_leaf_cells(const chain *c, int k, oracle_array *out);

/* The expression; the leaves as "x: f32[2,3]:(3,1)+0"; both end with a NUL. */
char *chain_text(const chain_node *node, char out[CHAIN_TEXT]);
char *chain_leaf_text(const chain_leaf *leaf, char out[256]);
/* Leaves that the expression uses, as bits; ops in it, by length of the longest path. */
unsigned chain_leaves_used(const chain_node *node);
int chain_depth(const chain_node *node);
void chain_each_op(const chain_node *node, void (*see)(void *user, const oracle_call *call), void *user);

/* Look for the shortest chain that still fails: drop ops and operands as long as the oracle
 * finds the rest valid and `fails` says that it fails. c->root is then that chain. */
void chain_shrink(chain *c, bool (*fails)(void *user, chain *c), void *user);

/* ---- between the files of the generator ------------------------------------- */

void *chain_alloc(chain *c, size_t bytes);
chain_node *chain_call_node(chain *c, const oracle_call *call, int n, chain_node *const *operands);

typedef struct chain_maker {
	const char *op;
	int weight;
	bool value; /* its result is one where views are wanted only */
	/* Valid arguments for `a`, or false where it has none. */
	bool (*make)(rng *r, const oracle_array *a, oracle_call *call);
} chain_maker;
const chain_maker *chain_makers(int *n);
const chain_maker *chain_pick(rng *r, const chain_taste *taste);
/* An element function. Where it is one of two arrays: the array beside `a`; NULL if there is no place for
 * one. */
const chain_maker *chain_pick_elements(rng *r);
bool chain_is_pair(const oracle_call *call);
chain_node *chain_beside(chain *c, const oracle_array *a, const chain_taste *taste);
vf_dtype chain_random_dtype(rng *r, const chain_taste *taste);
void chain_random_value(rng *r, vf_dtype dtype, oracle_call *call);
int64_t chain_any_axis(rng *r, int rank);
/* Extents whose product is `count`. */
int chain_factors(rng *r, int64_t count, int most, int64_t *extents);
bool chain_make_rearrange(rng *r, const oracle_array *a, oracle_call *call);
bool chain_make_as_strided(rng *r, const oracle_array *a, oracle_call *call);
bool chain_make_view_dtype(rng *r, const oracle_array *a, oracle_call *call);
bool chain_make_complex(rng *r, const oracle_array *a, oracle_call *call);
bool chain_make_view_as_real(rng *r, const oracle_array *a, oracle_call *call);
bool chain_make_view_as_complex(rng *r, const oracle_array *a, oracle_call *call);
bool chain_make_pad(rng *r, const oracle_array *a, oracle_call *call);
/* A slice of an axis; a list of indices into one that has elements. */
oracle_item chain_random_slice(rng *r, int64_t extent);
oracle_item chain_random_list(rng *r, int64_t extent);
bool chain_make_subscript(rng *r, const oracle_array *a, oracle_call *call);

#endif
