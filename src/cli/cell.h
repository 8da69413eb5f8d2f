/* cell.h -- one element as text, in the format that suits all elements of its array. */
#pragma once

#include "column.h"
#include "descr.h"
#include "text.h"

/* A format. `alone` is that of an array of rank 0, which NumPy writes as a scalar. */
struct cell_format {
	const struct element *element;
	size_t bytes; /* of one element */
	bool alone;
	int columns; /* integers: right-aligned in so many */
	struct column real, imaginary;
};

/* Choose the format of n elements. Complains where memory is short. */
bool cell_format_fit(struct cell_format *format, const struct element *element, const unsigned char *elements,
                     size_t n, bool alone);

/* Add an element's text. */
void cell_write(const struct cell_format *format, const unsigned char *element, struct text *out);

/* The same as JSON: see json_show(). */
void cell_write_json(vf_dtype dtype, const unsigned char *element, struct text *out);

/* The bytes of element k of an array that counts up: k converted to `dtype`. */
void cell_count(vf_dtype dtype, int64_t k, unsigned char *element);
