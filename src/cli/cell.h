/* cell.h -- one element as text, in the format that suits all elements of its array. */
#pragma once

#include "column.h"
#include "descr.h"
#include "text.h"

/* A format. `alone`: the array has rank 0, and NumPy writes its element as a scalar. */
struct cell_format {
	const struct element *element;
	size_t bytes; /* of one element */
	bool alone;
	int columns; /* integers are right-aligned in so many */
	struct column real, imaginary;
};

/* Choose the format of n elements. Complains if memory runs out. */
bool cell_format_fit(struct cell_format *format, const struct element *element, const unsigned char *elements,
                     size_t n, bool alone);

/* Add an element's text. */
void cell_write(const struct cell_format *format, const unsigned char *element, struct text *out);

/* Add an element's text as JSON; json_show() tells its form. */
void cell_write_json(vf_dtype dtype, const unsigned char *element, struct text *out);

/* Write element k of an array that counts up: k converted to `dtype`, for a bool k's lowest bit. The bytes of
 * opaque elements count up, each by itself. */
void cell_count(vf_dtype dtype, int64_t k, unsigned char *element);
