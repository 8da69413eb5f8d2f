/* text.h -- a text that grows. When memory runs out, it is `failed`, and from then on adding does nothing. */
#pragma once

#include "message.h"

#include <stddef.h>

struct text {
	char *bytes; /* NUL-terminated once anything was added */
	size_t length, capacity;
	bool failed;
};

void text_add(struct text *text, const char *bytes, size_t length);
void text_print(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Forget what was added, keep the room. */
void text_clear(struct text *text);

/* The number of its UTF-8 characters. */
size_t text_columns(const struct text *text);

void text_drop(struct text *text);
