/* reads.h -- which elements of which inputs each element of a result reads. */
#pragma once

#include "session.h"

enum { MOST_READS = 4, ALL_ELEMENTS = -1 };

struct read_element {
	int input;
	int64_t element; /* ALL_ELEMENTS: the whole input, in a step that is made first */
	int64_t byte;    /* of that element, where another dtype begins inside it */
};

/* What one element of the result reads, the first few; n = 0: a constant. */
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

/* Fill all of it. Complains. reads_drop() must follow in each case. */
bool reads_find(struct reads *reads, struct session *session);
void reads_drop(struct reads *reads);
