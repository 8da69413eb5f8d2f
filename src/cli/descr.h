/* descr.h -- NumPy's `descr`, the element type in a .npy header, beside viewfold's dtypes.
 *
 * Numbers that viewfold names keep their meaning ('<f4' is f32). Any other type of fixed size (text, dates,
 * long doubles, structures) is moved whole, as bytesN. Its descr is kept for the output, word for word but
 * for the byte order. Elements in the other byte order are put right when the file is read. Structures are
 * not: they stay as they are, descr included.
 */
#pragma once

#include "literal.h"
#include "viewfold.h"

/* An element type, as a file or a declaration gives it. */
struct element {
	vf_dtype dtype;
	int swap_bytes; /* bytes are reversed in groups of so many; 0: they are in order */
	bool utf8;      /* descr holds bytes beyond ASCII, in UTF-8 */
	/* what safetensors calls an opaque type, such as F8_E4M3; static; NULL: by dtype */
	const char *tensor_type;
	char *descr; /* as it goes into an output's header, quotes included; NULL: descr_of(dtype) */
};

/* An array as a file or a declaration has it. */
struct stored {
	struct element element;
	int rank;
	int64_t shape[VF_MAX_RANK];
	bool fortran;       /* the first axis runs fastest */
	size_t data_offset; /* of the first element in the file */
	size_t data_bytes;
};

/* The `swap_bytes` of elements that are in the other byte order; 0 if order has no meaning for `dtype`. */
int swap_unit(vf_dtype dtype);

/* The bytes of an array; false if they are beyond 64 bits. */
bool array_bytes(vf_dtype dtype, int rank, const int64_t *shape, int64_t *bytes);

/* Read a descr where `literal` stands. The text in `out` belongs to the caller (element_drop). */
bool descr_parse(struct literal *literal, struct element *out);

void element_drop(struct element *element);

/* The descr of a dtype, quotes included; `buffer` of DESCR_BYTES holds any. Returns `buffer`. */
enum { DESCR_BYTES = 24 };
char *descr_of(vf_dtype dtype, char *buffer);
