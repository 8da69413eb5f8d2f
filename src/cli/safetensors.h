/* safetensors.h -- files of named tensors: read with suspicion, written as the reference does.
 *
 * In a file: the header's length (8 bytes little-endian), the header (a JSON object of "name": {"dtype",
 * "shape", "data_offsets": [begin, end]}, and perhaps "__metadata__"), the elements, to which the offsets
 * belong.
 */
#pragma once

#include "descr.h"

#include <stddef.h>

/* Where the elements begin in a file of `file_length`; 0, with the sentence, if there is no such place. */
size_t safetensors_data(const unsigned char *bytes, size_t length, size_t file_length,
                        struct problem *problem);

/* Find a tensor in a file of `file_length` of which the first `length` bytes, at least all before the
 * elements, are given. An empty name means the only tensor. No tensor may reach outside the file, and no two
 * may overlap. */
bool safetensors_find(const unsigned char *bytes, size_t length, size_t file_length, const char *name,
                      struct stored *out, struct problem *problem);

/* A tensor to be written. */
struct tensor_entry {
	const char *name;
	struct element element; /* only its types */
	int rank;
	const int64_t *shape;
	size_t data_bytes, data_offset; /* the offset is what safetensors_header_make() finds */
};

/* Whether a tensor of this type can be written. */
bool safetensors_fits(const struct tensor_entry *entry, struct problem *problem);

/* The bytes before the elements, `*length` of them, a multiple of 64; for the caller to free. Tensors of
 * larger elements come first, so that all are aligned; `*total` is the file's length. NULL, with the
 * sentence, on failure. */
unsigned char *safetensors_header_make(int n, struct tensor_entry *entries, size_t *length, size_t *total,
                                       struct problem *problem);
