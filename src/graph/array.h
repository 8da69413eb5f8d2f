/* array.h -- a node of the graph, and the storage below it.
 *
 * A node is immutable once vf_make() or a leaf's maker has returned it, but for its reference count.
 */
#ifndef VF_GRAPH_ARRAY_H
#define VF_GRAPH_ARRAY_H

#include "graph/op.h"
#include "map/map.h"

typedef enum vf_storage_kind {
	VF_STORAGE_MEMORY,   /* a caller's, at `data` */
	VF_STORAGE_DECLARED, /* will be given to vf_run() */
	VF_STORAGE_CUT,      /* `below`, materialised in C order into scratch when it is run */
	VF_STORAGE_VALUE     /* stands for the C-ordered copy that a value reports; never read */
} vf_storage_kind;

/* Offsets of maps count from the lowest address; `bytes` lie from there on. */
struct vf_storage {
	vf_storage_kind kind;
	unsigned char *data; /* lowest address; NULL unless MEMORY */
	int64_t bytes;
	int64_t origin_bytes; /* of the element of index (0, ..., 0) from the lowest */
	bool read_only;
	vf_array *below;      /* CUT: a reference; else the node whose `own` it is, borrowed */
	void (*release)(void *user);
	void *release_user;
};

struct vf_array {
	atomic_int refs;
	vf_context *ctx;
	vf_dtype dtype;
	int64_t elem_bytes;

	vf_map *map;  /* what each index reads, down to memory, declarations and cuts */
	vf_map *face; /* what is reported as strides: `map` itself, or above a value the view of its C order */
	bool is_value; /* reports C strides of its own */
	bool read_only; /* a contiguous(), or above one */

	const vf_op *op; /* NULL: a leaf */
	char *name;      /* a leaf's, from vf_set_name(); or NULL */
	int nparent;
	vf_array **parents;
	int narg;
	vf_arg *args; /* copies, with all they point at in one block */

	vf_storage *own;  /* a leaf's storage (none for vf_full), or that of a value */
	int ncut;
	vf_storage **cuts; /* made by this node's fold */
	char *cut_reason;  /* NULL where there is none */

	struct vf_memo *memo;       /* what made it, in place of an op; see graph/memo.h */
	_Atomic(vf_array *) chain;  /* a memo's node: as its expression made it, once someone asked */

	_Atomic(void *) ready; /* its kernel, once it was materialised; see driver/materialize.c */
	vf_array *next_dead;   /* while being released */
};

/* Give back what a node's `ready` holds; driver/materialize.c. */
void vf_ready_drop(vf_context *ctx, void *ready);

/* The op's name and arguments as an expression writes them: "permute(1, 0)", "[::2, None]". `operands`: text
 * that stands first among them, as in "cat([x, y], 1)"; or NULL. */
void vf_print_call(vf_text *text, const vf_array *a, const char *operands);

/* Bounded copies of arguments; NULL on failure. */
vf_arg *vf_copy_args(vf_context *ctx, const vf_arg *args, int n);

/* An empty node with one reference: dtype, op and parents set, maps still missing. */
vf_array *vf_node_create(vf_context *ctx, vf_dtype dtype, const vf_op *op, int nparent,
                         vf_array *const *parents, const vf_arg *args, int narg);

#endif
