/* op.h -- what a row of ops.def holds, and the form of an op's arguments.
 *
 * A row says all there is to know of an op: its names, how its arguments are written, what it is for, and its
 * rule, which checks the arguments, infers the shape and folds. Parser, printer, C functions, reference and
 * tests walk the rows.
 */
#pragma once

#include "core/context.h"
#include "core/dtype.h" /* vf_number_to_element, vf_dtype_parse: what the parser needs beside the rows */

/* What one parameter of an op may be. */
typedef enum vf_param_kind {
	VF_PARAM_END = 0,
	VF_PARAM_INT,    /* one integer; Python's None is VF_NONE where the row allows it */
	VF_PARAM_INTS,   /* integers, bare (all remaining positional ones) or in one list or tuple */
	VF_PARAM_NUMBER, /* a number as it is written, whose kind decides the result's type */
	VF_PARAM_OTHER,  /* the same, or an array: the second operand */
	VF_PARAM_VALUE,  /* a number, bool, inf, nan or complex, converted to the array's dtype */
	VF_PARAM_MODE,   /* 'constant', 'reflect', 'replicate', 'circular' */
	VF_PARAM_DTYPE,  /* u8, 'u8', uint8, torch.uint8, ... */
	VF_PARAM_TEXT,   /* a quoted string */
	VF_PARAM_SIZES,  /* rearrange's name=number keywords, any number of them */
	VF_PARAM_ITEMS,  /* the inside of [...]; only the row "[]" has it */
	VF_PARAM_ANY,    /* of composed operations: a value as it is */
	VF_PARAM_REST    /* all positional ones that are left, as a list; a sole list is that list */
} vf_param_kind;

typedef struct vf_param {
	const char *name; /* as a keyword; NULL: positional only */
	vf_param_kind kind;
	bool optional; /* may be left out; the arg's `given` is then false and `i` holds `standard` */
	int64_t standard;
	const char *alias; /* further keywords, separated by spaces; or NULL */
} vf_param;

enum { VF_MAX_PARAMS = 4 };

/* One item inside x[...]. */
typedef enum vf_item_kind {
	VF_ITEM_INDEX,
	VF_ITEM_SLICE,
	VF_ITEM_NEW,
	VF_ITEM_ELLIPSIS,
	VF_ITEM_LIST
} vf_item_kind;
typedef struct vf_item {
	vf_item_kind kind;
	int64_t start, stop, step; /* INDEX: start. SLICE: VF_NONE where left out */
	int64_t nlist;
	const int64_t *list;
} vf_item;

/* The value of one parameter. Everything pointed at is borrowed for the call and copied by
 * the node that keeps it. */
typedef struct vf_arg {
	bool given;
	bool is_list;             /* INTS: written as a list; INT given as a one-element list is refused */
	int64_t i;                /* INT, MODE (vf_pad_mode), DTYPE (vf_dtype) */
	int64_t n;                /* INTS, SIZES, ITEMS: how many */
	const int64_t *ints;      /* INTS, SIZES */
	const char *text;         /* TEXT */
	const char *const *names; /* SIZES */
	const vf_item *items;     /* ITEMS */
	unsigned char value[16];  /* VALUE: one element of the array's dtype */
	vf_number number;         /* NUMBER, OTHER; is_list: an array is in its place, */
	vf_array *array;          /* until the node is made: it is the second operand then */
} vf_arg;

/* What an op makes of its arguments and its operands. */
typedef enum vf_op_result {
	VF_RESULT_ARRAY = 0,
	VF_RESULT_LIST /* split, chunk, tensor_split, unbind: a Python tuple of arrays */
} vf_op_result;

typedef enum vf_op_operands {
	VF_OPERAND_ONE = 0, /* a method: x.op(...), and op(x, ...) */
	VF_OPERAND_MANY     /* a function of a list of arrays: cat([x, y], ...) */
} vf_op_operands;

typedef struct vf_op vf_op;
struct vf_fold; /* src/graph/fold.h */
struct vf_terms;

struct vf_op {
	const char *name;
	const char *aliases; /* further names, separated by spaces; NULL if none */
	vf_param params[VF_MAX_PARAMS + 1];
	vf_op_operands operands;
	vf_op_result result;
	bool bytes;          /* looks at the bytes of elements: what is computed is materialised first */
	bool attribute;      /* written without parentheses as well: x.T */
	const char *written; /* how texts call it, where that is not `name`; see vf_op_written() */
	/* For people; see ops.def. `numpy` may be NULL. */
	const char *meaning, *map, *torch, *numpy, *example, *input, *result_text;
	bool (*rule)(struct vf_fold *fold); /* see fold.h; NULL where result is a list */
	/* of an element function, in place of a rule */
	bool (*terms)(struct vf_fold *fold, struct vf_terms *terms);
	/* List ops: write the parts to *out (allocated with vf_alloc, each a new reference). */
	int64_t (*parts)(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out);
};

/* The op's name for sentences and printed calls: view(u8) is the row "view_dtype". */
static inline const char *vf_op_written(const vf_op *op)
{
	return op->written ? op->written : op->name;
}

#define OP(id, form, ...) VF_OP_##id,
#define LIST_OP OP
#define JOIN_OP OP
#define ELEMENT_OP OP
typedef enum vf_op_id {
#include "graph/ops.def"
	VF_OP_COUNT
} vf_op_id;

const vf_op *vf_op_row(vf_op_id id);
/* The rows, in the order of ops.def. */
const vf_op *vf_op_table(int *n);
/* A row by one of its names, `length` bytes long; NULL if there is none. */
const vf_op *vf_op_find(const char *name, size_t length);

/* Make a node: `nargs` may be less than the row's parameters (the others are not given).
 * NULL operands give NULL. */
vf_array *vf_make(const vf_op *op, int noperand, vf_array *const *operands, const vf_arg *args, int nargs);
