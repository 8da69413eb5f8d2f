/* oracle_table.c -- which rule each op name has. */
#include "oracle_ops.h"

#include <string.h>

#define RULE(name, op)                                                                                       \
	{                                                                                                    \
		name, op##_shape, op##_rule, NULL, false, false, false, false                                \
	}
#define REMAKE(name, op)                                                                                     \
	{                                                                                                    \
		name, op##_shape, op##_rule, NULL, false, false, true, false                                 \
	}
#define VALUE(name, op)                                                                                      \
	{                                                                                                    \
		name, op##_shape, op##_rule, NULL, true, false, false, false                                 \
	}
#define MANY(name, op)                                                                                       \
	{                                                                                                    \
		name, op##_shape, op##_rule, NULL, true, true, false, false                                  \
	}
#define CELLS(name, op)                                                                                      \
	{                                                                                                    \
		name, NULL, NULL, op##_cells, false, false, true, false                                      \
	}

#define ELEMENTS(name)                                                                                       \
	{                                                                                                    \
		name, NULL, NULL, NULL, true, false, false, true                                             \
	}

static const oracle_op table[] = {
    RULE("permute", permute),
    RULE("transpose", transpose),
    RULE("T", reverse_axes),
    RULE("mT", matrix_transpose),
    RULE("t", small_transpose),
    RULE("movedim", movedim),
    RULE("squeeze", squeeze),
    RULE("unsqueeze", unsqueeze),
    RULE("[]", subscript),
    RULE("slice", slice),
    RULE("narrow", narrow),
    RULE("select", select),
    VALUE("index_select", take),
    RULE("split", split),
    RULE("chunk", chunk),
    RULE("tensor_split", tensor_split),
    RULE("unbind", unbind),
    RULE("flip", flip),
    RULE("fliplr", fliplr),
    RULE("flipud", flipud),
    RULE("rot90", rot90),
    VALUE("roll", roll),
    RULE("expand", expand),
    RULE("broadcast_to", broadcast_to),
    VALUE("tile", tile),
    VALUE("repeat", repeat),
    VALUE("repeat_interleave", repeat_interleave),
    RULE("diagonal", diagonal),
    RULE("unfold", windows),
    REMAKE("reshape", reshape),
    RULE("view", view),
    REMAKE("flatten", flatten),
    REMAKE("ravel", ravel),
    REMAKE("unflatten", unflatten),
    REMAKE("pixel_shuffle", pixel_shuffle),
    REMAKE("pixel_unshuffle", pixel_unshuffle),
    REMAKE("rearrange", rearrange),
    CELLS("as_strided", as_strided),
    CELLS("view_dtype", view_dtype),
    CELLS("real", real),
    CELLS("imag", imag),
    CELLS("view_as_real", view_as_real),
    CELLS("view_as_complex", view_as_complex),
    RULE("contiguous", contiguous),
    MANY("cat", cat),
    MANY("stack", stack),
    MANY("hstack", hstack),
    MANY("vstack", vstack),
    VALUE("pad", pad),
    ELEMENTS("to"),
    ELEMENTS("byteswap"),
    ELEMENTS("add"),
    ELEMENTS("sub"),
    ELEMENTS("mul"),
    ELEMENTS("div"),
    ELEMENTS("rsub"),
    ELEMENTS("rdiv"),
    ELEMENTS("neg"),
    ELEMENTS("clamp"),
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
