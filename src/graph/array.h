/* array.h -- a node of the graph, and the storage below it.
 *
 * A node is immutable once vf_make() or a leaf's maker has returned it, but for its counts.
 *
 * A node lives twice. While somebody holds it (`refs`), it keeps alive what its map and its face read:
 * leaves, cuts and values, not the nodes that it was made from. While a later node was made from it
 * (`history_refs`), it is history: its op, its arguments and its maps are there to be printed, its storages
 * are not. The sources in the maps of such a node may be gone; they are compared, never looked into.
 *
 * History is bounded: a node whose chain would have more operations than the context keeps
 * (vf_options.history) has no parents. See history.h for how it is read.
 */
#pragma once

#include "core/formula.h"
#include "graph/op.h"
#include "map/map.h"

typedef enum vf_storage_kind {
	VF_STORAGE_MEMORY,   /* a caller's, at `data` */
	VF_STORAGE_DECLARED, /* will be given to vf_run() */
	VF_STORAGE_CUT,      /* `below`, materialised in C order into scratch when it is run */
	VF_STORAGE_VALUE,    /* stands for the C-ordered copy that a value reports; never read */
	/* stands for the C-ordered elements of an element function; layers say what they are */
	VF_STORAGE_COMPUTED,
	VF_STORAGE_ELSEWHERE /* in the maps of a layer: the element is not of this layer */
} vf_storage_kind;

/* Offsets of maps count from the lowest address; `bytes` lie from there on. */
struct vf_storage {
	vf_storage_kind kind;
	atomic_int refs;     /* CUT: the node that made it, and every region of a held node */
	unsigned char *data; /* lowest address; NULL unless MEMORY */
	int64_t bytes;
	int64_t origin_bytes; /* of the element of index (0, ..., 0) from the lowest */
	bool read_only;
	/* CUT: a reference; else the node whose `own` it is, held by the readers of the storage */
	vf_array *below;
	void (*release)(void *user);
	void *release_user;
};

/* Elements that are computed: formula(base, operands), each through a map of the array's shape. The base's
 * map reads VF_STORAGE_ELSEWHERE where the element is of another layer, or of none.
 *
 * A view of what is computed is the same view of base and operands: V(f(b, o)) = f(V(b), V(o)). So the rules
 * of the ops fold the maps of a layer as they fold those of an array. The array's own map then reads storages
 * that are VF_STORAGE_COMPUTED, exactly at the indices that one of its layers has; all else it reads as it
 * is. Where an op cannot go through (it looks at bytes, or a map would have too many regions), its operand is
 * cut. */
typedef struct vf_layer {
	vf_formula formula;
	vf_map *maps[1 + VF_MOST_OPERANDS]; /* of the base, then of the operands */
} vf_layer;

/* A map that an array's elements are read through. */
typedef struct vf_read {
	const vf_map *map;
	vf_dtype dtype;
} vf_read;

/* How a node was made. */
typedef struct vf_origin {
	const vf_op *op; /* NULL: a leaf */
	int nparent;
	vf_array *const *parents;
	int narg;
	const vf_arg *args;
} vf_origin;

/* History by example. A node that has a pattern was made of its parents as `result` was made of `operands`,
 * which stand for any arrays and have no maps. Everything in a pattern is history. */
typedef struct vf_pattern {
	atomic_int refs;
	vf_array *result;
	int depth; /* operations between the operands and the result */
	int n;
	vf_array *operands[];
} vf_pattern;

/* What a layer above keeps with a node, for as long as somebody holds it. */
typedef struct vf_attachment {
	void (*drop)(vf_context *ctx, struct vf_attachment *self);
} vf_attachment;

struct vf_array {
	atomic_int refs;         /* how many hold it */
	atomic_int history_refs; /* how many nodes were made from it; all of `refs` count as one */
	vf_context *ctx;
	vf_dtype dtype;
	int64_t elem_bytes;

	vf_map *map; /* what each index reads, down to memory, declarations and cuts */
	/* what is reported as strides: `map` itself, or above a value the view of its C order */
	vf_map *face;
	bool is_value;      /* reports C strides of its own */
	bool read_only;     /* a contiguous(), or above one */
	bool holds_sources; /* vf_node_hold_sources() was called */

	const vf_op *op; /* NULL: a leaf */
	char *name;      /* a leaf's, from vf_set_name(); or NULL */
	int nparent;     /* 0 where the history ends: at a leaf, or where it would be too long */
	vf_array **parents;
	vf_pattern *pattern; /* how it was made of its parents, where that is not `op` alone; or NULL */
	int depth;           /* operations in the longest way down */
	int narg;
	vf_arg *args; /* copies, with all they point at in one block */

	int nlayer;
	vf_layer *layers; /* of different formulas */

	vf_storage *own;        /* a leaf's storage (none for vf_full), or that of a value */
	const vf_storage *base; /* what an array without elements lies on; else NULL. Held as sources are */
	int ncut;
	vf_storage **cuts; /* made by this node's fold */
	char *cut_reason;  /* NULL where there is none */

	_Atomic(vf_attachment *) attached; /* set once; NULL until then */
	vf_array *next;                    /* while being released, or made into a pattern */
};

/* All that an array's elements are read through: its own map first, then those of its layers. Regions whose
 * source is no place (vf_is_place) are passed over. */
int vf_read_count(const vf_array *a);
vf_read vf_read_at(const vf_array *a, int i);

/* Whether bytes are read from it. False for constants, and for storages that stand for layers. */
static inline bool vf_is_place(const vf_storage *s)
{
	return s && s->kind != VF_STORAGE_COMPUTED && s->kind != VF_STORAGE_ELSEWHERE;
}

/* Whether its elements are those of a layer. */
static inline bool vf_is_computed(const vf_storage *s)
{
	return s && s->kind == VF_STORAGE_COMPUTED;
}

/* The source of elements that are not in a layer. */
extern const vf_storage vf_elsewhere;

void vf_layers_drop(vf_array *a);

/* The type of operand j of a formula: that of the terms that read it. */
vf_dtype vf_operand_dtype(const vf_formula *formula, int j);

/* The op's name and arguments as an expression writes them: "permute(1, 0)", "[::2, None]". `operands`: text
 * that stands first among them, as in "cat([x, y], 1)"; or NULL. */
void vf_print_call(vf_text *text, const vf_array *a, const char *operands);

/* formula_text.c. "(f32(x) - mean) / std", for an array that somebody holds. */
void vf_layer_print(vf_text *text, const vf_layer *layer);

/* Bounded copies of arguments; NULL on failure. */
vf_arg *vf_copy_args(vf_context *ctx, const vf_arg *args, int n);

/* An empty node with one reference: dtype, op and parents set, maps still missing. */
vf_array *vf_node_create(vf_context *ctx, vf_dtype dtype, const vf_origin *origin);
/* The node is finished: from here on it keeps what its maps read. Once. */
void vf_node_hold_sources(vf_array *a);
/* Finishes a node that reports the map's own strides, and returns it. Takes the map. Without a map it
 * releases the node, and returns NULL. */
vf_array *vf_node_finish(vf_array *node, vf_map *map);

/* One reference more, or less, to a node as history. */
vf_array *vf_remember(vf_array *a);
void vf_forget(vf_array *a);

/* Make a pattern of the nodes between a result and its operands; the result then follows it too. Nobody else
 * has the result yet. NULL, and nothing is changed, without memory (the context keeps no error then), or if
 * the history ends in between because the operands have much of it. */
vf_pattern *vf_pattern_take(vf_array *result, int n, vf_array *const *operands);
/* Record that the node was made of its parents by the pattern. If that is too much history, the node has no
 * parents. */
void vf_pattern_follow(vf_array *a, vf_pattern *pattern);
void vf_pattern_release(vf_context *ctx, vf_pattern *pattern);
