/* text.c -- see text.h. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct text *text, size_t more)
{
	if (text->failed)
		return false;
	if (text->length + more + 1 <= text->capacity)
		return true;
	size_t capacity = (text->length + more + 1) * 2;
	char *bytes = realloc(text->bytes, capacity);
	if (!bytes) {
		text->failed = true;
		return false;
	}
	text->bytes = bytes;
	text->capacity = capacity;
	return true;
}

void text_add(struct text *text, const char *bytes, size_t length)
{
	if (!reserve(text, length))
		return;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = 0;
}

void text_print(struct text *text, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	if (length >= 0 && reserve(text, (size_t)length)) {
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

void text_clear(struct text *text)
{
	text->length = 0;
	if (text->bytes)
		text->bytes[0] = 0;
}

size_t text_columns(const struct text *text)
{
	size_t columns = 0;
	for (size_t i = 0; i < text->length; i++)
		columns += ((unsigned char)text->bytes[i] & 0xc0) != 0x80;
	return columns;
}

void text_drop(struct text *text)
{
	free(text->bytes);
	*text = (struct text){0};
}
