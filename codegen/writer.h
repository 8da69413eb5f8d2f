/* writer.h -- what the files of the emitter share: the text that is being written, and how C is put into
 * it. */
#pragma once

#include "codegen/emit.h"
#include "plan/strategy.h"

/* The pointer by which a leaf's source is read: src[source] at level -1, or s<level>_<index> once a loop has
 * made a variable that moves with it. `included` bytes of leaf->src are in it already. */
typedef struct vf_stream {
	int level, index;
	int64_t included;
} vf_stream;

/* Which sweeps a text uses. */
typedef struct vf_sweep_set {
	bool of[VF_SWEEPS];
} vf_sweep_set;

/* What the text needs before its functions. */
typedef struct vf_uses {
	unsigned codelets; /* those that are called, one bit each */
	unsigned moves;    /* element types: bit n for n bytes */
	bool passes;       /* some call takes a pass */
	bool elements;     /* some elements are computed in loops written out, by `sweeps` */
	vf_sweep_set sweeps;
	bool streams;        /* some block is streamed */
	bool many_planes;    /* some pixels of more than 4 units are split into planes */
	int64_t stage_bytes; /* what the plain `transpose` needs for a strip of rows; 0: none is streamed */
} vf_uses;

typedef struct vf_writer {
	vf_text text;
	const vf_plan *plan;
	vf_arena arena;
	vf_stream *streams; /* one a leaf */
	int indent;
	int level;               /* how many pointer names are in use so far */
	int unit_loops;          /* loops of the root that is being written */
	char unit[16];           /* the name of its index of units; `from` is the first of this call */
	const vf_labels *labels; /* NULL: no comments on loops */
	bool standalone;         /* for any compiler of C or C++, not for libtcc */
	bool in_planes;          /* the output lies in planes of the scratch, not along the axes of dst */
	vf_uses uses;
} vf_writer;

/* Where a leaf writes: `dst` names a pointer variable that points to offset `lo` of dst. */
typedef struct vf_out_pointer {
	char dst[16];
	int64_t lo;
} vf_out_pointer;

/* The leaves [a, b) of the plan. */
typedef struct vf_leaf_range {
	int a, b;
} vf_leaf_range;

/* One line, indented. */
void vf_line(vf_writer *w, const char *format, ...) VF_PRINTF(2, 3);
/* Writes a line that was put together as a text, and drops the text. */
void vf_line_text(vf_writer *w, vf_text *line);
/* Open and close a block: "{" or "text {", and "}". */
void vf_open_block(vf_writer *w);
void vf_open(vf_writer *w, const char *format, ...) VF_PRINTF(2, 3);
void vf_close(vf_writer *w);
void vf_close_to(vf_writer *w, int indent);

/* A number as a C constant, INT64_MIN included; a pointer with an offset: "p", "p + 12" or "p - 12". Buffers
 * hold any result. */
enum { VF_CONSTANT_CHARS = 32, VF_EXPRESSION_CHARS = 192 };
const char *vf_constant(char buffer[VF_CONSTANT_CHARS], int64_t number);
const char *vf_offset(char buffer[VF_EXPRESSION_CHARS], const char *pointer, int64_t offset);

/* The name of a leaf's source pointer; an expression for where it reads at index 0 of the remaining loops. */
const char *vf_stream_name(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS]);
const char *vf_source_place(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS]);
/* An expression for where the node asks ahead, `next` bytes on. */
const char *vf_asking_place(const vf_writer *w, const vf_node *node, const vf_asking *asking, int64_t next,
                            char buffer[VF_EXPRESSION_CHARS]);

/* How often loop k of a leaf runs: a constant, or an expression if it runs fewer times in the last chunk. */
const char *vf_extent_text(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k);

/* `number`, but `last` at the last index of a node's loop over chunks. */
const char *vf_node_at_last(char buffer[VF_EXPRESSION_CHARS], const vf_node *node, int64_t number,
                            int64_t last);

/* " + i2 * 32": what the index of loop k adds; empty if it is always 0. */
const char *vf_times(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int64_t by);

/* The list of loop k of the leaf, from where the loop begins in it. */
const char *vf_list_place(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int list);

/* Writes an array of constants; `declaration` is without the "=". */
void vf_write_array(vf_writer *w, const char *declaration, const int64_t *values, int64_t n);

/* Opens a loop that all of the leaves run as their loop k, with pointers that move along. Opens nothing if
 * the loop runs once. */
void vf_open_loop(vf_writer *w, vf_leaf_range leaves, int k, vf_out_pointer *place);

/* comment.c: writes what loop k of all of the leaves runs over; what the loops do that a leaf's call
 * takes. */
void vf_comment_loop(vf_writer *w, vf_leaf_range leaves, int k);
void vf_comment_call(vf_writer *w, const vf_leaf *leaf);

/* emit_leaf.c: writes a pointer to where a leaf begins in dst; a leaf with its loops from `depth` on. */
void vf_declare_place(vf_writer *w, const vf_leaf *leaf, vf_out_pointer *place);
void vf_write_leaf(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place);

/* emit_call.c: writes small arrays; the constants that a call needs, then the call itself, with the pointers
 * `dst` and `src`. */
void vf_write_bytes(vf_writer *w, const char *declaration, const uint16_t *values, int64_t n);
/* Writes the first n bytes of the leaf's constant. */
void vf_write_pattern(vf_writer *w, const char *name, const vf_leaf *leaf, int64_t n);
void vf_write_constants(vf_writer *w, const vf_leaf *leaf);
void vf_write_call(vf_writer *w, const vf_leaf *leaf, const char *dst, const char *src);
void vf_write_block(vf_writer *w, const char *type, const char *name, vf_codelet_id id, const vf_block *b);

/* emit_flow.c: of a leaf in blocks the declaration of `flow`; where the next block reads, if it is asked for;
 * where bytes of rows wait, and whether rows begin or end here. */
void vf_write_flow(vf_writer *w, const vf_tiling *t);
void vf_write_ahead(vf_writer *w, const vf_leaf *leaf, const char *src);
void vf_write_row_state(vf_writer *w, const vf_leaf *leaf);

/* emit_stage.c */
void vf_write_placing(vf_writer *w, const vf_node *node);                       /* planes to the stage */
void vf_write_parting(vf_writer *w, const vf_node *node, vf_out_pointer place); /* parts of rows to dst */
void vf_write_leave(vf_writer *w, const vf_node *node, int64_t k, vf_out_pointer place, const char *bytes);

/* emit_apply.c: a leaf that computes, and a node whose first child fills the stage for its second. */
void vf_write_apply(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place);
void vf_write_computed(vf_writer *w, const vf_node *node, vf_out_pointer place);
/* Writes the list of sweeps and what goes with it, as `sweeps` and `pass`. */
void vf_write_pass(vf_writer *w, const vf_pass *p);
/* The leaf and the leaves of its operands, which stand before it: their pointers move with its own. */
vf_leaf_range vf_leaf_with_operands(const vf_writer *w, const vf_leaf *leaf);

/* standalone_apply.c: the same as loops over elements, and the functions that they call. Operand k is read by
 * pointer v<k>. */
typedef struct vf_element_call {
	const char *rows, *n, *dst, *src;
	bool to_places; /* each row goes to a destination of its own */
} vf_element_call;
void vf_write_elements(vf_writer *w, const vf_pass *p, const vf_block *b, const vf_element_call *call);
void vf_write_element_functions(vf_text *text, const vf_sweep_set *used);

/* emit.c: a root with all below it. */
void vf_write_root(vf_writer *w, const vf_node *root);

/* standalone.c: the structs that codelets take, as codelets/ declares them; the texts of
 * standalone/elements.h and core/half.h; plain C definitions of the codelets that are used. */
extern const char *const vf_block_text, *const vf_box_text, *const vf_pass_text;
extern const char *const vf_elements_text, *const vf_half_text;
void vf_write_definitions(vf_text *text, const vf_uses *uses);

/* A leaf in blocks that computes with operands; of others these write nothing. vf_write_second_rows():
 * offsets along rows of the source. vf_write_block_operands(): where a block's elements are.
 * vf_write_packed_elements(): in a text by itself, what is packed; `first` is added to the row `a`. */
void vf_write_second_rows(vf_writer *w, const vf_leaf *leaf);
void vf_write_block_operands(vf_writer *w, const vf_leaf *leaf);
void vf_write_packed_elements(vf_writer *w, const vf_leaf *leaf, const char *first,
                              const vf_element_call *call);
