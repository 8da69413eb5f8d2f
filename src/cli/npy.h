/* npy.h -- the header of a .npy file: read with suspicion, written as numpy.save writes it.
 *
 * Versions 1.0, 2.0 and 3.0 of the format are read. Bytes after the data are ignored, as in NumPy: a file may
 * hold several arrays, and this is the first.
 */
#pragma once

#include "descr.h"

/* Whether a file that starts with these bytes claims to be .npy. */
bool npy_recognise(const unsigned char *bytes, size_t length);

/* Read the header from the first `length` bytes of a file of `file_length`, and check that the file has the
 * data that it promises. The caller drops the element. On failure `problem` holds the sentence, and there is
 * no element to drop. */
bool npy_parse(const unsigned char *bytes, size_t length, size_t file_length, struct stored *out,
               struct problem *problem);

/* Make the header of an array in C order, magic included. It has `*length` bytes, a multiple of 64; the
 * caller frees it. NULL: out of memory. `element` needs only dtype, descr and utf8. */
unsigned char *npy_header_make(const struct element *element, int rank, const int64_t *shape, size_t *length);
