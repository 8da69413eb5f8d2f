/* picture.h -- PNG files as arrays, through libpng.
 *
 * Read    (H,W) gray, (H,W,2) gray and alpha, (H,W,3) RGB, (H,W,4) RGBA; u8, or u16 for 16-bit
 *         pictures. Palettes and gray of 1, 2, 4 bits are expanded; transparent colours become
 *         alpha. Values are those of the file: no gamma or colour profile is applied.
 * Write   the same shapes and (H,W,1), u8 or u16.
 */
#pragma once

#include "memory.h"
#include "message.h"
#include "replace.h"
#include "viewfold.h"

struct picture {
	vf_dtype dtype; /* VF_U8 or VF_U16, in the machine's byte order */
	int rank;       /* 2 or 3 */
	int64_t shape[3];
	struct memory pixels;
};

/* Whether a file that starts with these bytes claims to be a PNG. */
bool picture_recognise(const unsigned char *bytes, size_t length);

/* Decode a whole file. On failure `problem` holds the sentence; it is empty if memory.h has already
 * complained. */
bool picture_read(const unsigned char *bytes, size_t length, struct picture *out, struct problem *problem);

/* Whether an array can be written as PNG; false with the sentence in `problem`. */
bool picture_fits(vf_dtype dtype, int rank, const int64_t *shape, struct problem *problem);

/* Encode C-ordered elements of a shape that picture_fits() into a file; complains. */
bool picture_write(struct replacement *file, vf_dtype dtype, int rank, const int64_t *shape,
                   const unsigned char *elements);
