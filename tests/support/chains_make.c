/* chains_make.c -- growing trees: chains from leaves, joins of several, damaged calls. */
#include "chains.h"

#include <stdlib.h>
#include <string.h>

/* ---- one operand --------------------------------------------------------------- */

static bool acceptable(const oracle_array *a, const chain_taste *taste)
{
	return a->rank <= CHAIN_RANK && a->count <= 3 * taste->elements && a->count * a->bytes <= 1 << 20;
}

static bool wanted(const oracle_array *a, const chain_taste *taste)
{
	return acceptable(a, taste) && !(taste->for_numpy && a->tolerate);
}

/* Try one random op on `node`, which reads `a`; on success both are replaced. */
static bool grow_once(chain *c, chain_node **node, oracle_array *a, const chain_taste *taste)
{
	oracle_array next, beside;
	const oracle_array *in[2] = {a, &beside};
	chain_node *operands[2] = {*node};
	oracle_call call = {.style = (unsigned)(rng_next(&c->random) >> 40)};
	const chain_maker *m = chain_pick(&c->random, taste);
	strcpy(call.op, m->op);
	if (!m->make(&c->random, a, &call))
		return false;
	/* Where NumPy had to copy on the way, an array's own offset is no longer the storage's. */
	if (taste->for_numpy && strcmp(m->op, "as_strided") == 0)
		call.standard = false;
	int n = 1 + chain_is_pair(&call);
	if (n == 2 && (operands[1] = chain_beside(c, a, taste)) == NULL)
		return false;
	if (n == 2 && chain_eval(c, operands[1], &beside) != VF_OK)
		return false;
	vf_status status = oracle_apply(&c->world, &call, n, in, &next);
	if (n == 2)
		oracle_drop(&beside);
	if (status != VF_OK)
		return false;
	if (!wanted(&next, taste) || (next.count == 0 && a->count > 0 && rng_chance(&c->random, 85))) {
		oracle_drop(&next);
		return false;
	}
	oracle_drop(a);
	*a = next;
	*node = chain_call_node(c, &call, n, operands);
	return true;
}

chain_node *chain_grow(chain *c, chain_node *node, int nops, const chain_taste *taste)
{
	oracle_array a;
	if (chain_eval(c, node, &a) != VF_OK)
		return node;
	for (int done = 0, tries = 0; done < nops && tries < 40 * nops; tries++)
		done += grow_once(c, &node, &a, taste);
	oracle_drop(&a);
	return node;
}

/* ---- expressions of a given shape -------------------------------------------------- */

/* Each way makes an operand of some other shape and an op that takes it to `shape`. */

static chain_node *by_permute(chain *c, const chain_taste *taste, vf_dtype dtype, int rank,
                              const int64_t *shape, int depth)
{
	oracle_call call = {.op = "permute", .n = rank};
	int64_t under[ORACLE_RANK];
	for (int k = 0; k < rank; k++)
		call.v[k] = k;
	for (int k = rank - 1; k > 0; k--) {
		int64_t other = rng_below(&c->random, k + 1), kept = call.v[k];
		call.v[k] = call.v[other];
		call.v[other] = kept;
	}
	for (int k = 0; k < rank; k++)
		under[call.v[k]] = shape[k];
	chain_node *operand = chain_with_shape(c, taste, dtype, rank, under, depth);
	return operand ? chain_call_node(c, &call, 1, &operand) : NULL;
}

static chain_node *by_reshape(chain *c, const chain_taste *taste, vf_dtype dtype, int rank,
                              const int64_t *shape, int depth)
{
	oracle_call call = {.op = "reshape", .n = rank};
	int64_t under[ORACLE_RANK], count = oracle_product(rank, shape);
	memcpy(call.v, shape, (size_t)rank * sizeof *shape);
	int n = chain_factors(&c->random, count ? count : 1, 4, under);
	if (count == 0)
		under[0] = 0;
	chain_node *operand = chain_with_shape(c, taste, dtype, n, under, depth);
	return operand ? chain_call_node(c, &call, 1, &operand) : NULL;
}

static chain_node *by_slice(chain *c, const chain_taste *taste, vf_dtype dtype, int rank,
                            const int64_t *shape, int depth)
{
	oracle_call call = {.op = "[]", .nitem = rank};
	int64_t under[ORACLE_RANK];
	for (int k = 0; k < rank; k++) {
		int64_t front = rng_below(&c->random, 3), back = rng_below(&c->random, 3);
		call.items[k] = (oracle_item){
		    .kind = ORACLE_SLICE, .start = front, .stop = front + shape[k], .step = VF_NONE};
		under[k] = front + shape[k] + back;
	}
	chain_node *operand = chain_with_shape(c, taste, dtype, rank, under, depth);
	return operand ? chain_call_node(c, &call, 1, &operand) : NULL;
}

static chain_node *by_flip(chain *c, const chain_taste *taste, vf_dtype dtype, int rank, const int64_t *shape,
                           int depth)
{
	oracle_call call = {.op = "flip", .n = 1};
	call.v[0] = chain_any_axis(&c->random, rank);
	chain_node *operand = chain_with_shape(c, taste, dtype, rank, shape, depth);
	return operand ? chain_call_node(c, &call, 1, &operand) : NULL;
}

static chain_node *by_cat(chain *c, const chain_taste *taste, vf_dtype dtype, int rank, const int64_t *shape,
                          int depth)
{
	oracle_call call = {.op = "cat"};
	int64_t part[ORACLE_RANK];
	chain_node *operand[2];
	memcpy(part, shape, (size_t)rank * sizeof *shape);
	call.i[0] = rng_below(&c->random, rank);
	part[call.i[0]] = rng_below(&c->random, shape[call.i[0]] + 1);
	operand[0] = chain_with_shape(c, taste, dtype, rank, part, depth);
	part[call.i[0]] = shape[call.i[0]] - part[call.i[0]];
	operand[1] = chain_with_shape(c, taste, dtype, rank, part, depth);
	return operand[0] && operand[1] ? chain_call_node(c, &call, 2, operand) : NULL;
}

/* A leaf that has the shape already, and mostly is there already. */
static chain_node *by_leaf(chain *c, const chain_taste *taste, vf_dtype dtype, int rank, const int64_t *shape)
{
	for (int k = 0; k < c->nleaf; k++) {
		const chain_leaf *leaf = &c->leaves[k];
		if (leaf->dtype != dtype || leaf->rank != rank || rng_chance(&c->random, 25))
			continue;
		if (memcmp(leaf->shape, shape, (size_t)rank * sizeof *shape) != 0)
			continue;
		chain_node *node = chain_alloc(c, sizeof *node);
		node->leaf = k;
		return node;
	}
	return chain_leaf_of(c, taste, dtype, rank, shape);
}

chain_node *chain_with_shape(chain *c, const chain_taste *taste, vf_dtype dtype, int rank,
                             const int64_t *shape, int depth)
{
	if (depth == 0 || rank == 0 || rng_chance(&c->random, 20))
		return by_leaf(c, taste, dtype, rank, shape);
	switch (rng_below(&c->random, taste->views_only ? 4 : 5)) {
	case 0: return by_permute(c, taste, dtype, rank, shape, depth - 1);
	case 1: return by_reshape(c, taste, dtype, rank, shape, depth - 1);
	case 2: return by_slice(c, taste, dtype, rank, shape, depth - 1);
	case 3: return by_flip(c, taste, dtype, rank, shape, depth - 1);
	default: return by_cat(c, taste, dtype, rank, shape, depth - 1);
	}
}

/* ---- several operands ---------------------------------------------------------------- */

/* Partners of `first` for cat (whose axis may differ in extent) or for the stacks. */
static chain_node *join(chain *c, chain_node *first, const chain_taste *taste)
{
	static const char *const ops[] = {"cat", "cat", "cat", "stack", "hstack", "vstack"};
	oracle_call call = {.style = (unsigned)(rng_next(&c->random) >> 40)};
	chain_node *operand[3] = {first};
	oracle_array a;
	int n = (int)rng_range(&c->random, 1, 3);
	strcpy(call.op, ops[rng_below(&c->random, 6)]);
	if (chain_eval(c, first, &a) != VF_OK)
		return first;
	int rank = a.rank;
	int64_t shape[ORACLE_RANK];
	vf_dtype dtype = a.dtype;
	memcpy(shape, a.shape, sizeof shape);
	oracle_drop(&a);
	bool cat = strcmp(call.op, "cat") == 0;
	if ((rank == 0 && cat) || rank >= CHAIN_RANK)
		return first;
	call.i[0] = chain_any_axis(&c->random, cat ? rank : rank + 1);
	for (int k = 1; k < n; k++) {
		int64_t axis = call.i[0] < 0 ? call.i[0] + rank : call.i[0];
		if (cat)
			shape[axis] = rng_range(&c->random, 0, 5);
		operand[k] = chain_with_shape(c, taste, dtype, rank, shape, 2);
		if (!operand[k])
			return first;
	}
	for (int k = n - 1; k > 0; k--)
		if (rng_chance(&c->random, 40)) {
			chain_node *kept = operand[k];
			operand[k] = operand[0];
			operand[0] = kept;
		}
	chain_node *node = chain_call_node(c, &call, n, operand);
	bool good = chain_eval(c, node, &a) == VF_OK;
	bool fine = good && acceptable(&a, taste);
	if (good)
		oracle_drop(&a);
	return fine ? node : first;
}

/* ---- whole chains ---------------------------------------------------------------------- */

static int random_length(rng *r, int most)
{
	int longest = rng_chance(r, 85) && most > 7 ? 7 : most;
	return (int)rng_range(r, 1, longest);
}

void chain_make(chain *c, uint64_t seed, uint64_t number, const chain_taste *taste)
{
	chain_begin(c, seed, number);
	int length = random_length(&c->random, taste->most_ops);
	bool several = taste->several && rng_chance(&c->random, 35);
	chain_node *node = chain_new_leaf(c, taste);
	if (!several) {
		c->root = chain_grow(c, node, length, taste);
		return;
	}
	int before = (int)rng_below(&c->random, length);
	node = chain_grow(c, node, before, taste);
	node = join(c, node, taste);
	if (rng_chance(&c->random, 25)) {
		node = chain_grow(c, node, 1, taste);
		node = join(c, node, taste);
		before++;
	}
	c->root = chain_grow(c, node, length - before > 1 ? length - before - 1 : 0, taste);
}

/* ---- damaged calls ------------------------------------------------------------------------ */

static int64_t damaged(rng *r, int64_t v)
{
	switch (rng_below(r, 10)) {
	case 0: return (int64_t)(0 - (uint64_t)v);
	case 1: return 0;
	case 2: return rng_chance(r, 50) ? INT64_MAX : INT64_MIN + 1;
	case 3: return (int64_t)1 << rng_range(r, 20, 62);
	case 4: return -1;
	default: return (int64_t)((uint64_t)v + (uint64_t)rng_range(r, -3, 3));
	}
}

static void damage_item(rng *r, oracle_call *call)
{
	oracle_item *item = &call->items[rng_below(r, call->nitem)];
	if (item->kind == ORACLE_LIST_ITEM)
		item->list[rng_below(r, item->n)] += rng_range(r, -9, 9);
	else if (item->kind == ORACLE_INDEX)
		item->start = damaged(r, item->start);
	else if (item->kind == ORACLE_SLICE)
		item->step = rng_range(r, -2, 2);
	else if (call->nitem < 6)
		call->items[call->nitem++] = *item;
}

static void damage_pattern(rng *r, oracle_call *call)
{
	static const char letters[] = "()1 .bchx-2>";
	if (call->m && rng_chance(r, 40))
		call->w[rng_below(r, call->m)] = rng_range(r, -1, 9);
	else
		call->pattern[rng_below(r, (int64_t)strlen(call->pattern))] =
		    letters[rng_below(r, sizeof letters - 1)];
}

static void damage_lists(rng *r, oracle_call *call)
{
	bool second = call->m && (call->n == 0 || rng_chance(r, 40));
	int *n = second ? &call->m : &call->n;
	int64_t *v = second ? call->w : call->v;
	switch (rng_below(r, 8)) {
	case 0:
		if (*n > 1)
			(*n)--;
		break;
	case 1: v[(*n)++] = rng_range(r, -2, 3); break;
	case 2: v[rng_below(r, *n)] = v[0]; break;
	default: {
		int64_t *one = &v[rng_below(r, *n)];
		*one = damaged(r, *one);
	}
	}
}

static void damage(rng *r, oracle_call *call)
{
	if (call->nitem)
		damage_item(r, call);
	else if (call->pattern[0])
		damage_pattern(r, call);
	else if ((call->n || call->m) && rng_chance(r, 60))
		damage_lists(r, call);
	else if (rng_chance(r, 20))
		call->part = damaged(r, call->part);
	else
		call->i[rng_below(r, 3)] = damaged(r, call->i[rng_below(r, 3)]);
}

chain_node *chain_wild(chain *c, chain_node *node, const chain_taste *taste)
{
	oracle_array a;
	if (chain_eval(c, node, &a) != VF_OK)
		return node;
	for (int tries = 0; tries < 50; tries++) {
		oracle_call call = {.style = (unsigned)(rng_next(&c->random) >> 40)};
		const chain_maker *m = chain_pick(&c->random, taste);
		strcpy(call.op, m->op);
		if (!m->make(&c->random, &a, &call))
			continue;
		for (int64_t k = rng_range(&c->random, 1, 2); k > 0; k--)
			damage(&c->random, &call);
		oracle_drop(&a);
		return chain_call_node(c, &call, 1, &node);
	}
	oracle_drop(&a);
	return node;
}
