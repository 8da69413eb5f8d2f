/* composed.h -- operations that are made of others: names of NumPy, PyTorch and einops without a row of
 * their own in the list of operations.
 *
 * A row holds a name, where it may be written, its parameters, and what it is: an expression of these, or a
 * function that makes the result by the calls of viewfold.h. The nodes are those of the calls, so that
 * folding, printing and writing need nothing new.
 *
 * Parameters are one text, "a|x, indices, axis|dim?, *shape": their names in order, further names of one
 * after '|'. '?': may be left out. '*': takes all positional arguments that are left, as a list; a sole
 * list is that list. "**": the keywords that no other parameter has. The first one is the x of x.op(...).
 */
#pragma once

#include "expr/expr.h"

/* Where a name may be written. */
enum {
	VF_FORM_METHOD = 1,     /* x.name(...) */
	VF_FORM_ATTRIBUTE = 2,  /* x.name */
	VF_FORM_TORCH = 4,      /* torch.name(...), and name(...) alone */
	VF_FORM_FUNCTIONAL = 8, /* F.name(...) */
	VF_FORM_NUMPY = 16,     /* np.name(...) */
	VF_FORM_EINOPS = 32     /* einops.name(...) */
};

enum { VF_COMPOSED_PARAMS = 7 };

/* A call with its arguments matched. */
typedef struct vf_bound {
	vf_expr *e;
	const vf_composed *op;
	const vf_call *call;
	bool numpy; /* np.name: NumPy's rules where PyTorch has others */
	int n;      /* parameters */
	vf_param params[VF_COMPOSED_PARAMS];
	vf_arg args[VF_COMPOSED_PARAMS]; /* of "**sizes" */
	vf_value values[VF_COMPOSED_PARAMS];
	bool given[VF_COMPOSED_PARAMS]; /* false for a None that may be left out */
} vf_bound;

/* The i-th row; NULL past the last. */
const vf_composed *vf_composed_row(int i);

typedef bool vf_composer(vf_bound *b, vf_value *out);

struct vf_composed {
	const char *name;
	unsigned forms;
	const char *params;
	vf_composer *apply;
	int number; /* for `apply`, if several rows share it: a rank, a direction */
	/* If ops.def has a row of this name too: which calls mean this operation. NULL: all. */
	bool (*meant)(const vf_call *call);
	const char *text; /* in place of `apply`: the result as an expression of the parameters */
	bool rows;        /* one array alone stands for the list of its rows */
};

/* ---- for the functions of the rows; those that return bool or NULL have kept an error ---- */

/* "name: sentence" at the call; always false. */
bool vf_bound_fail(vf_bound *b, vf_status code, const char *format, ...) VF_PRINTF(3, 4);
/* "name: 'axis' takes an integer, not a list"; always false. */
bool vf_bound_wrong(vf_bound *b, int i, const vf_value *v, const char *wanted);

/* Argument i as what it must be. */
vf_array *vf_bound_array(vf_bound *b, int i);
bool vf_bound_int(vf_bound *b, int i, int64_t *out);
const char *vf_bound_text(vf_bound *b, int i);
/* Which of `words` argument i is. `words` has them in quotes, "'wrap' or 'clip'". The first if the argument
 * is left out; -1 with an error. */
int vf_bound_word(vf_bound *b, int i, const char *words);
/* One integer or a list of them; *list, if not NULL, tells which. In the arena. */
int64_t *vf_bound_ints(vf_bound *b, int i, int64_t *n, bool *list);
/* Two integers, or one that stands for both. */
bool vf_bound_pair(vf_bound *b, int i, int64_t out[2]);
/* Argument 0 as a list of arrays, one at least. In the arena. */
vf_array **vf_bound_arrays(vf_bound *b, int64_t *n);
/* An axis of an array of `rank` axes, from 0 on; the first where it is left out. */
bool vf_bound_axis(vf_bound *b, int i, int rank, int *out);
/* One axis or a list of them, from 0 on, at most VF_MAX_RANK; all where they are left out. */
bool vf_bound_axes(vf_bound *b, int i, int rank, int *n, int *axes);
/* Argument 0, an array, and the axis that argument i is. Without argument i: the flat array, and axis 0. */
vf_array *vf_bound_along(vf_bound *b, int i, int *axis);

/* Take over a new reference for as long as the evaluation lasts; NULL for NULL. */
vf_array *vf_keep(vf_expr *e, vf_array *a);
/* The results: one array; n of them, as a list; a part of a list. */
bool vf_give(vf_bound *b, vf_array *kept, vf_value *out);
bool vf_give_list(vf_bound *b, int64_t n, vf_array *const *kept, vf_value *out);

/* ---- indices.c ---- */

/* Nested lists of integers, one after the other. Rank 0: one integer. */
typedef struct vf_indices {
	int rank;
	int64_t mask; /* length of the True/False list whose places of True these are; else -1 */
	int64_t n, shape[VF_MAX_RANK];
	int64_t *list; /* in the arena */
} vf_indices;
bool vf_indices_read(vf_expr *e, const vf_value *v, vf_indices *out);
/* The same, or the places of True in a list of True and False. */
bool vf_indices_read_or_mask(vf_expr *e, const vf_value *v, vf_indices *out);

/* ---- the items of x[...] while they are read, with lists of any rank ---- */

typedef struct vf_items {
	vf_item *items;
	const vf_indices **lists; /* as many; NULL where an item is no list */
	int64_t n, capacity;
} vf_items;

/* compose_index.c: whether the op "[]" takes them: no list, or a plain one beside the integers. */
bool vf_items_are_plain(const vf_items *items);
/* x[items], of lists that the op "[]" does not take. out->at must be set. */
bool vf_index_lists(vf_expr *e, vf_array *x, const vf_items *items, vf_value *out);

/* ---- the rows, by file ---- */

/* compose_join.c */
vf_composer vf_compose_atleast, vf_compose_column_stack, vf_compose_block, vf_compose_block_diag,
    vf_compose_append, vf_compose_meshgrid, vf_compose_broadcast;
/* compose_split.c */
vf_composer vf_compose_split, vf_compose_split_axis, vf_compose_split_with_sizes;
/* compose_shape.c */
vf_composer vf_compose_adjoint, vf_compose_transpose, vf_compose_rollaxis, vf_compose_squeeze,
    vf_compose_reshape, vf_compose_ravel, vf_compose_channel_shuffle, vf_compose_shift;
/* compose_pad.c */
vf_composer vf_compose_pad;
/* compose_take.c */
vf_composer vf_compose_take, vf_compose_delete, vf_compose_repeat;
/* compose_windows.c */
vf_composer vf_compose_sliding_window_view, vf_compose_unfold, vf_compose_fold;
/* compose_nearest.c */
vf_composer vf_compose_interpolate;
/* compose_einops.c */
vf_composer vf_compose_einops_repeat, vf_compose_rearrange, vf_compose_pack, vf_compose_unpack;
