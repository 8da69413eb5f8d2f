/* npy.h -- the header of a .npy file: read with suspicion, written as numpy.save writes it.
 *
 * Versions 1.0, 2.0 and 3.0 of the format are read. Bytes after the data are ignored, as NumPy
 * ignores them: several arrays may stand in one file, of which this is the first.
 */
#pragma once

#include "descr.h"

/* Whether a file that starts with these bytes wants to be .npy. */
bool npy_recognise(const unsigned char *bytes, size_t length);

/* Read the header from the first `length` bytes of a file of `file_length`, and check that the data it
 * promises are there. The caller drops the element; on failure `problem` holds the sentence, and there is
 * none. */
bool npy_parse(const unsigned char *bytes, size_t length, size_t file_length, struct stored *out,
               struct problem *problem);

/* The header of a C-ordered array, magic included, `*length` bytes, a multiple of 64; for the
 * caller to free. NULL where memory is short. `element` needs only dtype, descr and utf8. */
unsigned char *npy_header_make(const struct element *element, int rank, const int64_t *shape, size_t *length);
