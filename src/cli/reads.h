/* reads.h -- which elements of which inputs each element of a result reads. */
#pragma once

#include "session.h"

enum { MOST_READS = 4, ALL_ELEMENTS = -1 };

struct read_element {
	int input;
	int64_t element; /* ALL_ELEMENTS: the whole input, in a cut, or more boxes than MOST_READS */
	int64_t byte;    /* of that element, if another dtype begins inside it */
};

/* The first elements that one element of the result reads; n = 0: it is a constant. */
struct element_reads {
	int n;
	struct read_element at[MOST_READS];
};

struct reads {
	struct session *session;
	bool computed; /* elements are values of a formula, not bytes that were moved */
	struct element_reads *elements;
	unsigned char *constants; /* the result over inputs that are zero */
	int64_t **counts;         /* of each input: how often each of its elements is read */
};

/* Fill `reads`. Complains. reads_drop() must follow in any case. */
bool reads_find(struct reads *reads, struct session *session);
void reads_drop(struct reads *reads);
