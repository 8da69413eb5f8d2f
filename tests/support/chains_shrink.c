/* chains_shrink.c -- the shortest chain that still fails.
 *
 * An *edit* takes one thing out of the tree: a call gives way to one of its operands, or a
 * call of many operands loses one. Edits are numbered in the order of a walk; the first one
 * that leaves a valid chain that fails is kept, until none does. Each edit shortens the tree,
 * so this ends.
 */
#include "chains.h"

#include <string.h>

/* Copy of `node` with edit `*edit` done; *edit goes down by the edits that were passed and is
 * negative once done. */
static chain_node *edited(chain *c, chain_node *node, int *edit)
{
	if (!node->call || *edit < 0)
		return node;
	if (*edit < node->n) {
		chain_node *operand = node->operand[*edit];
		*edit = -1;
		return operand;
	}
	*edit -= node->n;
	chain_node *copy = chain_call_node(c, node->call, node->n, node->operand);
	if (node->n > 1 && *edit < node->n) {
		memmove(copy->operand + *edit, copy->operand + *edit + 1,
		        (size_t)(node->n - 1 - *edit) * sizeof *copy->operand);
		copy->n--;
		*edit = -1;
		return copy;
	}
	if (node->n > 1)
		*edit -= node->n;
	for (int k = 0; k < node->n; k++)
		copy->operand[k] = edited(c, node->operand[k], edit);
	return copy;
}

static bool still_fails(chain *c, bool (*fails)(void *user, chain *c), void *user)
{
	oracle_array a;
	vf_status status = chain_eval(c, c->root, &a);
	if (status == VF_OK)
		oracle_drop(&a);
	return status == VF_OK && fails(user, c);
}

void chain_shrink(chain *c, bool (*fails)(void *user, chain *c), void *user)
{
	for (int number = 0;; number++) {
		chain_node *whole = c->root;
		int edit = number;
		c->root = edited(c, whole, &edit);
		if (edit >= 0) {
			c->root = whole;
			return;
		}
		if (still_fails(c, fails, user))
			number = -1;
		else
			c->root = whole;
	}
}
