/* print.h -- an array on a terminal, as Python's print() writes NumPy's. */
#pragma once

#include "descr.h"

/* More elements than PRINT_THRESHOLD, and each axis longer than 2 * PRINT_EDGE shows PRINT_EDGE
 * indices at either end. */
enum { PRINT_THRESHOLD = 1000, PRINT_EDGE = 3 };

/* What is to be printed: all elements, or of shortened axes 2 * PRINT_EDGE each. */
struct printable {
	const struct element *element;
	const unsigned char *bytes; /* C order, in the machine's byte order */
	int rank;
	int64_t shape[VF_MAX_RANK];  /* of `bytes` */
	bool shortened[VF_MAX_RANK]; /* the axis is longer than `shape` says */
};

/* Print it to stdout with a newline. Complains where memory is short. */
bool print_array(const struct printable *array);
