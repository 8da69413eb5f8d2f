/* writer.h -- what the files of the emitter share: the text under way and how C is put into it. */
#ifndef VF_CODEGEN_WRITER_H
#define VF_CODEGEN_WRITER_H

#include "codegen/emit.h"

/* The pointer variable that a leaf's source is reached by: src[source] at level -1, and
 * s<level>_<index> once a node has made a variable that moves with its loops. */
typedef struct vf_stream {
	int level, index;
	int next; /* the index to take at the next level */
} vf_stream;

typedef struct vf_writer {
	vf_text text;
	const vf_plan *plan;
	vf_arena arena;
	vf_stream *streams; /* one a leaf */
	int indent;
	int level; /* names of pointers given out so far */
	int64_t first_piece; /* in a root whose units are pieces: its first unit; else -1 */
	unsigned used;  /* kernels called, a bit each */
	unsigned moves; /* element types used: bit n for n bytes */
} vf_writer;

/* Where a leaf writes: `dst` names a pointer variable, for which `lo` stands at its address. */
typedef struct vf_place {
	const char *dst;
	int64_t lo;
} vf_place;

/* One line, indented. */
void vf_line(vf_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Numbers as C constants, INT64_MIN included; "p", "p + 12" or "p - 12". Buffers hold any result. */
enum { VF_NUMBER_CHARS = 32, VF_EXPRESSION_CHARS = 96 };
const char *vf_number(char buffer[VF_NUMBER_CHARS], int64_t number);
const char *vf_offset(char buffer[VF_EXPRESSION_CHARS], const char *pointer, int64_t offset);

/* step - extent * inner, as addresses count, modulo 2^64: a loop's step less what the one inside moved. */
int64_t vf_rewind(int64_t step, int64_t extent, int64_t inner);

/* The name of a leaf's source pointer. */
const char *vf_stream_name(const vf_writer *w, const vf_leaf *leaf, char buffer[VF_EXPRESSION_CHARS]);

/* emit_leaf.c: a leaf with its loops from `depth` on. */
void vf_write_leaf(vf_writer *w, const vf_leaf *leaf, int depth, vf_place place);

/* standalone.c: plain C definitions of the kernels of `used`. */
void vf_write_definitions(vf_text *text, unsigned used);

#endif
