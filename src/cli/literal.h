/* literal.h -- a scanner for the few Python literals that a .npy header is made of.
 *
 * It walks a span of bytes that need not end in NUL, never reads beyond it, allocates
 * nothing and does not recurse: those who parse nested things count their own depth.
 */
#pragma once

#include "message.h"

#include <stddef.h>
#include <stdint.h>

struct literal {
	const char *at, *end;
	struct problem *problem;
};

/* A piece of the scanned text. */
struct span {
	const char *start;
	size_t length;
};

/* Whether `span` is `text`. */
bool span_is(struct span span, const char *text);

/* The next byte that is no white space, not consumed; -1 at the end. */
int literal_peek(struct literal *literal);

/* Consume `byte` if it comes next. */
bool literal_accept(struct literal *literal, char byte);

/* Consume `byte`, or fail: "expected 'x' but found 'y' where ...". */
bool literal_expect(struct literal *literal, char byte, const char *where);

/* A quoted string, u'' and b'' included; `out` is what stands between the quotes, with its
 * escapes as they are. */
bool literal_string(struct literal *literal, struct span *out, const char *where);

/* A decimal integer, the long suffix of Python 2 included; false beyond int64_t. */
bool literal_integer(struct literal *literal, int64_t *out, const char *where);

/* True or False. */
bool literal_bool(struct literal *literal, bool *out, const char *where);

/* A tuple of non-negative integers, "(3,)": at most VF_MAX_RANK of them. */
bool literal_shape(struct literal *literal, int64_t *shape, int *rank);
