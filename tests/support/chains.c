/* chains.c -- leaves in guarded buffers, trees of calls, and how the oracle evaluates them. */
#include "chains.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct chain_block {
	chain_block *next;
	_Alignas(16) unsigned char bytes[];
};

void *chain_alloc(chain *c, size_t bytes)
{
	chain_block *b = calloc(1, sizeof *b + bytes);
	if (!b)
		abort();
	b->next = c->blocks;
	c->blocks = b;
	return b->bytes;
}

void chain_begin(chain *c, uint64_t seed, uint64_t number)
{
	memset(c, 0, sizeof *c);
	c->random = rng_make(seed, number);
	oracle_world_init(&c->world);
}

void chain_drop(chain *c)
{
	for (int k = 0; k < CHAIN_LEAVES; k++)
		guard_drop(&c->buffers[k]);
	oracle_world_drop(&c->world);
	while (c->blocks) {
		chain_block *b = c->blocks;
		c->blocks = b->next;
		free(b);
	}
}

chain_node *chain_call_node(chain *c, const oracle_call *call, int n, chain_node *const *operands)
{
	chain_node *node = chain_alloc(c, sizeof *node);
	node->call = chain_alloc(c, sizeof *call);
	*node->call = *call;
	node->n = n;
	memcpy(node->operand, operands, (size_t)n * sizeof *operands);
	return node;
}

/* ---- leaves ------------------------------------------------------------------ */

vf_dtype chain_random_dtype(rng *r, const chain_taste *taste)
{
	static const vf_dtype dtypes[] = {
	    VF_U8,        VF_U8,         VF_F32,       VF_F32,        VF_F32,       VF_U16,
	    VF_F64,       VF_I64,        VF_I32,       VF_C128,       VF_C64,       VF_C64,
	    VF_BOOL,      VF_I8,         VF_I16,       VF_U32,        VF_U64,       VF_F16,
	    VF_OPAQUE(3), VF_OPAQUE(3),  VF_OPAQUE(5), VF_OPAQUE(12), VF_OPAQUE(6), VF_OPAQUE(24),
	    VF_OPAQUE(1), VF_OPAQUE(40), VF_BF16,      VF_BF16,
	};
	int n = (int)(sizeof dtypes / sizeof dtypes[0]);
	return dtypes[rng_below(r, taste->for_numpy ? n - 2 : n)];
}

static int64_t random_extent(rng *r)
{
	switch (rng_below(r, 20)) {
	case 0: return 1;
	case 1: return 1;
	case 2: return rng_range(r, 7, 40);
	case 3: return rng_range(r, 7, 20);
	case 4: return 8;
	default: return rng_range(r, 2, 6);
	}
}

/* Rank and extents, shortened until they hold no more than `most` elements. */
static int random_shape(rng *r, int64_t most, int64_t *shape)
{
	int rank = (int)rng_range(r, 1, 5);
	if (rng_chance(r, 3))
		rank = 0;
	if (rng_chance(r, 5))
		rank = (int)rng_range(r, 6, 8);
	for (int k = 0; k < rank; k++)
		shape[k] = random_extent(r);
	while (oracle_product(rank, shape) > most) {
		int64_t *extent = &shape[rng_below(r, rank)];
		*extent = (*extent + 1) / 2;
	}
	for (int k = 0; k < rank && oracle_product(rank, shape) * 3 < most; k++)
		if (rng_chance(r, 30))
			shape[k] *= rng_range(r, 1, 3);
	if (rank && rng_chance(r, 2))
		shape[rng_below(r, rank)] = 0;
	return rank;
}

static void c_order(int rank, const int64_t *shape, int64_t *strides)
{
	int64_t step = 1;
	for (int k = rank - 1; k >= 0; k--) {
		strides[k] = step;
		step *= shape[k] ? shape[k] : 1;
	}
}

/* Axes in any order, with gaps, some backwards, some standing still. */
static void odd_strides(rng *r, int rank, const int64_t *shape, int64_t *strides)
{
	int order[ORACLE_RANK];
	int64_t step = rng_chance(r, 30) ? rng_range(r, 1, 3) : 1;
	for (int k = 0; k < rank; k++)
		order[k] = k;
	for (int k = rank - 1; k > 0; k--) {
		int other = rng_chance(r, 50) ? k : (int)rng_below(r, k + 1), kept = order[k];
		order[k] = order[other];
		order[other] = kept;
	}
	for (int k = rank - 1; k >= 0; k--) {
		int axis = order[k];
		strides[axis] = step;
		step = step * (shape[axis] ? shape[axis] : 1) + (rng_chance(r, 20) ? rng_range(r, 0, 3) : 0);
		if (rng_chance(r, 15))
			strides[axis] = -strides[axis];
		else if (rng_chance(r, 6))
			strides[axis] = 0;
	}
}

static void random_bytes(rng *r, vf_dtype dtype, unsigned char *bytes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		bytes[k] = (unsigned char)(rng_next(r) >> 33);
	for (size_t k = 0; dtype == VF_BOOL && k < n; k++)
		bytes[k] &= 1;
}

/* The buffer is exactly what the indices reach, and begins and ends at forbidden pages. */
static void place(chain *c, chain_leaf *leaf)
{
	int64_t low = 0, high = 0, bytes = oracle_dtype_bytes(leaf->dtype);
	for (int k = 0; k < leaf->rank; k++) {
		int64_t span = (leaf->shape[k] - 1) * leaf->strides[k];
		if (leaf->shape[k] == 0)
			span = 0;
		*(span < 0 ? &low : &high) += span;
	}
	size_t length = (size_t)((high - low + 1) * bytes);
	guard_buffer *g = &c->buffers[c->nleaf];
	*g = guard_make(length, rng_chance(&c->random, 60));
	random_bytes(&c->random, leaf->dtype, g->bytes, length);
	leaf->buffer = oracle_world_add(&c->world, g->bytes, (int64_t)length);
	leaf->first_byte = -low * bytes;
}

chain_node *chain_leaf_of(chain *c, const chain_taste *taste, vf_dtype dtype, int rank, const int64_t *shape)
{
	if (c->nleaf == CHAIN_LEAVES || oracle_product(rank, shape) > 8 * taste->elements)
		return NULL;
	chain_leaf *leaf = &c->leaves[c->nleaf];
	leaf->name[0] = "xyzuvw"[c->nleaf];
	leaf->dtype = dtype;
	leaf->rank = rank;
	memcpy(leaf->shape, shape, (size_t)rank * sizeof *shape);
	leaf->plain = taste->tiny || rng_chance(&c->random, 60);
	if (leaf->plain)
		c_order(rank, shape, leaf->strides);
	else
		odd_strides(&c->random, rank, shape, leaf->strides);
	place(c, leaf);
	chain_node *node = chain_alloc(c, sizeof *node);
	node->leaf = c->nleaf++;
	return node;
}

chain_node *chain_new_leaf(chain *c, const chain_taste *taste)
{
	int64_t shape[ORACLE_RANK];
	int rank = random_shape(&c->random, taste->elements, shape);
	vf_dtype dtype = chain_random_dtype(&c->random, taste);
	/* view_as_complex asks for pairs. */
	if ((dtype == VF_F32 || dtype == VF_F64) && rank && rng_chance(&c->random, 10))
		shape[rank - 1] = 2;
	return chain_leaf_of(c, taste, dtype, rank, shape);
}

/* ---- evaluation --------------------------------------------------------------- */

void chain_leaf_cells(const chain *c, int k, oracle_array *out)
{
	const chain_leaf *leaf = &c->leaves[k];
	oracle_leaf(out, &c->world, leaf->buffer, leaf->first_byte, leaf->dtype, leaf->rank, leaf->shape,
	            leaf->strides);
}

vf_status chain_eval(chain *c, const chain_node *node, oracle_array *out)
{
	oracle_array in[ORACLE_MANY];
	const oracle_array *list[ORACLE_MANY];
	vf_status status = VF_OK;
	int n = 0;
	if (!node->call) {
		chain_leaf_cells(c, node->leaf, out);
		return VF_OK;
	}
	for (; n < node->n && status == VF_OK; n++) {
		status = chain_eval(c, node->operand[n], &in[n]);
		list[n] = &in[n];
	}
	if (status == VF_OK)
		status = oracle_apply(&c->world, node->call, n, list, out);
	else
		n--;
	for (int k = 0; k < n; k++)
		oracle_drop(&in[k]);
	return status;
}

/* ---- looking ------------------------------------------------------------------- */

unsigned chain_leaves_used(const chain_node *node)
{
	unsigned used = node->call ? 0 : 1u << node->leaf;
	for (int k = 0; k < node->n; k++)
		used |= chain_leaves_used(node->operand[k]);
	return used;
}

int chain_depth(const chain_node *node)
{
	int deepest = 0;
	for (int k = 0; k < node->n; k++) {
		int depth = chain_depth(node->operand[k]);
		if (depth > deepest)
			deepest = depth;
	}
	return deepest + (node->call != NULL);
}

void chain_each_op(const chain_node *node, void (*see)(void *user, const oracle_call *call), void *user)
{
	if (node->call)
		see(user, node->call);
	for (int k = 0; k < node->n; k++)
		chain_each_op(node->operand[k], see, user);
}
