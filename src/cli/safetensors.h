/* safetensors.h -- files of named tensors: read with suspicion, written as the reference does.
 *
 * In a file: the header's length (8 bytes little-endian), the header (a JSON object of "name": {"dtype",
 * "shape", "data_offsets": [begin, end]}, and perhaps "__metadata__"), the elements. The offsets count from
 * where the elements begin.
 */
#pragma once

#include "descr.h"

#include <stddef.h>

/* Where the elements begin in a file of `file_length`; 0: there is no such place, `problem` says why. */
size_t safetensors_data(const unsigned char *bytes, size_t length, size_t file_length,
                        struct problem *problem);

/* Find a tensor in a file of `file_length`. Its first `length` bytes are given: at least all before the
 * elements. An empty name means the only tensor. It fails if a tensor reaches outside the file, or two
 * tensors overlap. */
bool safetensors_find(const unsigned char *bytes, size_t length, size_t file_length, const char *name,
                      struct stored *out, struct problem *problem);

/* A tensor to be written. */
struct tensor_entry {
	const char *name;
	struct element element; /* only its two types */
	int rank;
	const int64_t *shape;
	size_t data_bytes, data_offset; /* safetensors_header_make() sets the offset */
};

/* Whether a tensor of this type can be written. */
bool safetensors_fits(const struct tensor_entry *entry, struct problem *problem);

/* Make the bytes before the elements. There are `*length` of them, a multiple of 64; the caller frees them.
 * Tensors of larger elements come first, so that all are aligned. `*total` is the file's length. NULL:
 * `problem` says why. */
unsigned char *safetensors_header_make(int n, struct tensor_entry *entries, size_t *length, size_t *total,
                                       struct problem *problem);
