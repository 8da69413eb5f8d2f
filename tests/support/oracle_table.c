/* oracle_table.c -- which rule each op name has. */
#include "oracle_ops.h"

#include <string.h>

#define RULE(name, shape, rule) {name, shape##_shape, rule##_rule, NULL, false, false, false, false},
#define REMAKE(name, shape, rule) {name, shape##_shape, rule##_rule, NULL, false, false, true, false},
#define VALUE(name, shape, rule) {name, shape##_shape, rule##_rule, NULL, true, false, false, false},
#define MANY(name, shape, rule) {name, shape##_shape, rule##_rule, NULL, true, true, false, false},
#define CELLS(name, op) {name, NULL, NULL, op##_cells, false, false, true, false},
#define ELEMENTS(name) {name, NULL, NULL, NULL, true, false, false, true},

static const oracle_op table[] = {
#include "oracle_ops.def"
};

const oracle_op *oracle_table(int *n)
{
	*n = (int)(sizeof table / sizeof table[0]);
	return table;
}

const oracle_op *oracle_find(const char *name)
{
	int n;
	const oracle_op *op = oracle_table(&n);
	for (int k = 0; k < n; k++)
		if (strcmp(op[k].name, name) == 0)
			return &op[k];
	return NULL;
}
