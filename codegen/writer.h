/* writer.h -- what the files of the emitter share: the text under way and how C is put into it. */
#pragma once

#include "codegen/emit.h"
#include "plan/strategy.h"

/* The pointer by which a leaf's source is reached: src[source] at level -1, and s<level>_<index> once a loop
 * has made a variable that moves with it. It stands `included` bytes of leaf->src further on. */
typedef struct vf_stream {
	int level, index;
	int64_t included;
} vf_stream;

/* Which sweeps a text uses. */
typedef struct vf_sweep_set {
	bool of[VF_SWEEPS];
} vf_sweep_set;

/* What the text under way needs before its functions. */
typedef struct vf_uses {
	unsigned codelets; /* called, a bit each */
	unsigned moves;    /* element types: bit n for n bytes */
	bool passes;       /* some call is given one */
	bool elements;     /* some are computed in loops written out, by `sweeps` */
	vf_sweep_set sweeps;
	bool streams;        /* some block is streamed */
	bool many_planes;    /* some pixels of more than 4 units are taken apart */
	int64_t stage_bytes; /* that the plain `transpose` wants for a strip of rows; 0: none is streamed */
} vf_uses;

typedef struct vf_writer {
	vf_text text;
	const vf_plan *plan;
	vf_arena arena;
	vf_stream *streams; /* one a leaf */
	int indent;
	int level;               /* names of pointers given out so far */
	int unit_loops;          /* of the root under way */
	char unit[16];           /* what its index of units is called; `from` is the first of this call */
	const vf_labels *labels; /* NULL: no comments on loops */
	bool standalone;         /* for any compiler of C or C++, not for libtcc */
	bool in_planes;          /* what is written lies in planes of the scratch, not by the axes of dst */
	vf_uses uses;
} vf_writer;

/* Where a leaf writes: `dst` names a pointer variable, for which `lo` stands at its address. */
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
/* A line that was put together as a text, which is dropped. */
void vf_line_text(vf_writer *w, vf_text *line);
/* Open and close a block: "{" or "text {", and "}". */
void vf_open_block(vf_writer *w);
void vf_open(vf_writer *w, const char *format, ...) VF_PRINTF(2, 3);
void vf_close(vf_writer *w);
void vf_close_to(vf_writer *w, int indent);

/* Numbers as C constants, INT64_MIN included; "p", "p + 12" or "p - 12". Buffers hold any result. */
enum { VF_CONSTANT_CHARS = 32, VF_EXPRESSION_CHARS = 192 };
const char *vf_constant(char buffer[VF_CONSTANT_CHARS], int64_t number);
const char *vf_offset(char buffer[VF_EXPRESSION_CHARS], const char *pointer, int64_t offset);

/* The name of a leaf's source pointer, and an expression for its place at index 0 of the
 * loops that are left. */
const char *vf_stream_name(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS]);
const char *vf_source_place(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS]);

/* How often loop k of a leaf runs: a constant, or what it comes to at the last index of
 * the loop over chunks. */
const char *vf_extent_text(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k);

/* A number that is another one at the last index of the innermost of a node's loops. */
const char *vf_node_at_last(char buffer[VF_EXPRESSION_CHARS], const vf_node *node, int64_t number,
                            int64_t last);

/* " + i2 * 32": what the index of loop k adds; nothing where that is always 0. */
const char *vf_times(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int64_t by);

/* A list from where loop k of the leaf begins in it. */
const char *vf_list_place(char buffer[VF_EXPRESSION_CHARS], const vf_leaf *leaf, int k, int list);

/* An array of constants, its declaration without the "=". */
void vf_write_array(vf_writer *w, const char *declaration, const int64_t *values, int64_t n);

/* Open a loop that all of the leaves run as their loop k, with pointers that move along. Nothing is opened
 * where it runs once. */
void vf_open_loop(vf_writer *w, vf_leaf_range leaves, int k, vf_out_pointer *place);

/* comment.c: what loop k of all of the leaves runs over; what the loops do that a leaf's call takes. */
void vf_comment_loop(vf_writer *w, vf_leaf_range leaves, int k);
void vf_comment_call(vf_writer *w, const vf_leaf *leaf);

/* emit_leaf.c: a pointer to where a leaf begins in dst; a leaf with its loops from `depth` on. */
void vf_declare_place(vf_writer *w, const vf_leaf *leaf, vf_out_pointer *place);
void vf_write_leaf(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place);

/* emit_call.c: small arrays; constants that the call needs, then the call where d and s stand. */
void vf_write_bytes(vf_writer *w, const char *declaration, const uint16_t *values, int64_t n);
/* The first n bytes of its constant. */
void vf_write_pattern(vf_writer *w, const char *name, const vf_leaf *leaf, int64_t n);
void vf_write_constants(vf_writer *w, const vf_leaf *leaf);
void vf_write_call(vf_writer *w, const vf_leaf *leaf, const char *dst, const char *src);
void vf_write_block(vf_writer *w, const char *type, const char *name, vf_codelet_id id, const vf_block *b);

/* emit_stage.c */
void vf_write_placing(vf_writer *w, const vf_node *node);                       /* planes to the stage */
void vf_write_parting(vf_writer *w, const vf_node *node, vf_out_pointer place); /* parts of rows to dst */
void vf_write_leave(vf_writer *w, const vf_node *node, int64_t k, vf_out_pointer place, const char *bytes);

/* emit_apply.c: a leaf that computes, and a node whose first child fills the stage for its second. */
void vf_write_apply(vf_writer *w, const vf_leaf *leaf, int depth, vf_out_pointer place);
void vf_write_computed(vf_writer *w, const vf_node *node, vf_out_pointer place);
/* The list of sweeps and what goes with it, as `sweeps` and `pass`. */
void vf_write_pass(vf_writer *w, const vf_pass *p);
/* A leaf, and before it those of its operands: their pointers move with its own. */
vf_leaf_range vf_leaf_with_operands(const vf_writer *w, const vf_leaf *leaf);

/* standalone_apply.c: the same as loops over elements; and the functions that they call. Operand k is at
 * v<k>. */
typedef struct vf_element_call {
	const char *rows, *n, *dst, *src;
	bool to_places; /* a row to each destination */
} vf_element_call;
void vf_write_elements(vf_writer *w, const vf_pass *p, const vf_block *b, const vf_element_call *call);
void vf_write_element_functions(vf_text *text, const vf_sweep_set *used);

/* emit.c: a root with all below it. */
void vf_write_root(vf_writer *w, const vf_node *root);

/* standalone.c: what codelets are given, as codelets/ declares it; the texts of standalone/elements.h and
 * core/half.h; plain C definitions of the codelets that are used. */
extern const char *const vf_block_text, *const vf_box_text, *const vf_pass_text;
extern const char *const vf_elements_text, *const vf_half_text;
void vf_write_definitions(vf_text *text, const vf_uses *uses);
