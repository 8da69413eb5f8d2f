/* op_forms.h -- what the tests take from the library's list of operations, src/graph/ops.def: names and
 * forms.
 *
 * An operation of one array whose form is not OWN needs no line of its own in the generator of chains, in its
 * printer, or among the calls of C functions: they go by the form. Which fields of an oracle_call a form
 * uses:
 *
 *     NONE                none                        AXIS_INT       i[0] an axis, i[1]
 *     AXES                v, n                        INT_AXIS       i[0], i[1] an axis
 *     INTS                v, n                        AXIS_INT_INT   i[0] an axis, i[1], i[2]
 *     INT                 i[0]                        INT_AXIS_AXIS  i[0], i[1] and i[2] axes
 *     AXIS_AXIS           i[0] and i[1] axes
 */
#ifndef TESTS_SUPPORT_OP_FORMS_H
#define TESTS_SUPPORT_OP_FORMS_H

#include "graph/op.h"

#include <string.h>

typedef enum op_form {
	OP_OWN,
	OP_NONE,
	OP_AXES,
	OP_INTS,
	OP_INT,
	OP_AXIS_AXIS,
	OP_AXIS_INT,
	OP_INT_AXIS,
	OP_AXIS_INT_INT,
	OP_INT_AXIS_AXIS,
	OP_LIST,
	OP_JOIN,
	OP_ELEMENT
} op_form;

typedef struct op_name {
	const char *name;
	op_form form;
} op_name;

/* In the order of ops.def. */
#define OP(id, form, name, ...) {name, OP_##form},
#define LIST_OP(id, form, name, ...) {name, OP_LIST},
#define JOIN_OP(id, form, name, ...) {name, OP_JOIN},
#define ELEMENT_OP(id, form, name, ...) {name, OP_ELEMENT},
static const op_name op_names[VF_OP_COUNT] = {
#include "graph/ops.def"
};

static inline op_form op_form_of(const char *name)
{
	int k = 0;
	while (k < VF_OP_COUNT && strcmp(op_names[k].name, name) != 0)
		k++;
	return k < VF_OP_COUNT ? op_names[k].form : OP_OWN;
}

#endif
