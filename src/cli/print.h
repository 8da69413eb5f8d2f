/* print.h -- an array on a terminal, as Python's print() writes NumPy's. */
#pragma once

#include "descr.h"

/* If there are more than PRINT_THRESHOLD elements, each axis longer than 2 * PRINT_EDGE is shortened: it
 * shows PRINT_EDGE indices at either end. */
enum { PRINT_THRESHOLD = 1000, PRINT_EDGE = 3 };

/* What is printed: all elements, but of a shortened axis only 2 * PRINT_EDGE indices. */
struct printable {
	const struct element *element;
	const unsigned char *bytes; /* C order, in the machine's byte order */
	int rank;
	int64_t shape[VF_MAX_RANK];  /* of `bytes` */
	bool shortened[VF_MAX_RANK]; /* the axis is longer than `shape` says */
};

/* Print it to stdout with a newline. Complains if memory runs out. */
bool print_array(const struct printable *array);
