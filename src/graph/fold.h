/* fold.h -- what a rule of the op table is given, and what it answers.
 *
 * A rule checks the arguments against the operands' shapes, loads the operands' maps, transforms them
 * (map/work.h) and leaves the result in `out`. It returns false after vf_fail() where the arguments do
 * not fit; failures of the transformations stay in out.state, for the fold to deal with: a rule that
 * leaves too many regions is run again on operands that were cut (materialised first).
 *
 * A rule runs more than once where an operand is a value or a view of one: once on the maps down to memory,
 * once on the maps that the values report. It must depend on nothing but what it is given here.
 */
#pragma once

#include "graph/array.h"
#include "map/work.h"

typedef struct vf_fold {
	vf_context *ctx;
	const vf_op *op;
	int n;
	vf_array *const *in;
	const vf_map *const *maps; /* of the operands, in this run */
	const vf_arg *args;
	vf_arena *arena;

	bool of_layer;  /* the maps are a layer's (array.h): what the rule adds is vf_elsewhere */
	bool reporting; /* this run decides what the node reports (view() checks here) */
	vf_work out;
	vf_dtype dtype;   /* of the result; operand 0's unless the rule changes it */
	bool value;       /* the result reports C strides of its own */
	bool read_only;   /* and refuses writes */
	bool needs_cut;   /* the rule asks for its operands in C order */
	bool cut_storage; /* with needs_cut: in the C order of the value below them */
} vf_fold;

/* Of operand 0, in this run. */
static inline int fold_rank(const vf_fold *f)
{
	return f->maps[0]->rank;
}

static inline int64_t fold_extent(const vf_fold *f, int axis)
{
	return f->maps[0]->shape[axis];
}

/* Axes that a call may name: PyTorch's reordering ops take 0 and -1 for an array of rank 0 as well. */
static inline int fold_named_axes(const vf_fold *f)
{
	return f->maps[0]->rank ? f->maps[0]->rank : 1;
}

/* Load operand i, settled in its own coordinates; or as it is, for reshape. */
void fold_load(vf_fold *f, int i, vf_work *w);
void fold_load_ragged(vf_fold *f, int i, vf_work *w);

/* The axis that `axis` names in an array of `rank` axes; -1 after VF_ERR_AXIS. */
int fold_axis(vf_fold *f, int64_t axis, int rank);
/* The same for a list; false where one is not there or named twice. At most VF_MAX_RANK. */
bool fold_axes(vf_fold *f, const vf_arg *list, int rank, int *axes);
/* "op: sentence" with status; returns false, for rules to return. */
bool fold_fail(vf_fold *f, vf_status status, const char *format, ...) VF_PRINTF(3, 4);
/* Whether an array can have so many axes. */
bool fold_check_rank(vf_fold *f, int64_t rank);
/* Whether an array of this shape and dtype can be: its elements counted and below INT64_MAX. */
bool fold_check_shape(vf_fold *f, int64_t rank, const int64_t *shape);
/* The one storage that every region of the map lies on; NULL where there are several, or a constant. */
const vf_storage *fold_one_storage(const vf_map *map);
/* The same for what `a` reports. A view without elements has no region; it stays on what it is a view of. */
const vf_storage *fold_reported_storage(const vf_array *a);
/* A shape as "(2, 3)" in a buffer of at least 80 bytes, shortened where it is longer. */
const char *fold_shape_text(int rank, const int64_t *shape, char *buffer, size_t size);

/* Set what folding may cost: one operation (`text` is NULL), or a whole expression, into which `n` arrays
 * come. */
void vf_budget_open(vf_budget *budget, const vf_context *ctx, const char *text, int n,
                    vf_array *const *arrays);
/* Let all operations of this thread share it. Returns what was shared before; NULL: each has its own. */
vf_budget *vf_budget_share(vf_budget *budget);

/* What an element function does, in order, to an element of its operand: the last type is the result's. */
typedef struct vf_terms {
	vf_dtype dtype; /* that the terms are in; an operand array is converted to it first */
	int n;
	vf_term terms[2]; /* `operand` 0: the array beside, in[1] */
} vf_terms;

/* Rules: one function a row of the op table. */
#define VF_RULE(name) bool rule_##name(vf_fold *f)
#define VF_TERMS_OF(name) bool terms_##name(vf_fold *f, vf_terms *t)
/* As vf_op.parts: how many parts, -1 after a failure; *out is NULL or to be given back by vf_dealloc. */
#define VF_PARTS_OF(name)                                                                                    \
	int64_t vf_parts_##name(const vf_op *op, vf_array *a, const vf_arg *args, vf_array ***out)
#define OP(id, ...) VF_RULE(id);
#define LIST_OP(id, ...) VF_PARTS_OF(id);
#define JOIN_OP OP
#define ELEMENT_OP(id, ...) VF_TERMS_OF(id);
#include "graph/ops.def"
