/* literal.h -- a scanner for the few Python literals that a .npy header is made of.
 *
 * It walks a span of bytes, which need not end in NUL, and never reads beyond it. It allocates nothing and
 * does not recurse: its callers count the depth of nested things.
 */
#pragma once

#include "message.h"

#include <stddef.h>
#include <stdint.h>

struct literal {
	const char *at, *end;
	struct problem *problem;
};

/* A part of the scanned text. */
struct span {
	const char *start;
	size_t length;
};

/* Whether `span` is `text`. */
bool span_is(struct span span, const char *text);

/* The next byte that is not white space; it is not consumed. -1 at the end. */
int literal_peek(struct literal *literal);

/* Consume `byte` if it comes next. */
bool literal_accept(struct literal *literal, char byte);

/* Consume `byte`, or fail: "header: expected 'x' WHERE, found 'y'". */
bool literal_expect(struct literal *literal, char byte, const char *where);

/* A quoted string, also u'' and b''. `out` is the text between the quotes; escapes stay as they are. */
bool literal_string(struct literal *literal, struct span *out, const char *where);

/* A decimal integer, also with Python 2's suffix L; false beyond int64_t. */
bool literal_integer(struct literal *literal, int64_t *out, const char *where);

/* True or False. */
bool literal_bool(struct literal *literal, bool *out, const char *where);

/* A tuple of non-negative integers, "(3,)": at most VF_MAX_RANK of them. */
bool literal_shape(struct literal *literal, int64_t *shape, int *rank);
