/* text.c -- a growing text; every printer of the library writes into one. */
#include "core/context.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void vf_text_init(vf_text *t, vf_context *ctx)
{
	*t = (vf_text){.ctx = ctx};
}

/* Room for `more` bytes and a final NUL. */
static bool reserve(vf_text *t, size_t more)
{
	if (t->failed)
		return false;
	if (t->capacity > t->length && t->capacity - t->length > more)
		return true;
	size_t capacity = (t->length + more + 1) * 2;
	if (capacity < 64)
		capacity = 64;
	char *bytes = vf_realloc(t->ctx, t->bytes, capacity);
	if (!bytes) {
		t->failed = true;
		return false;
	}
	t->bytes = bytes;
	t->capacity = capacity;
	return true;
}

void vf_text_append(vf_text *t, const char *bytes, size_t length)
{
	if (!reserve(t, length))
		return;
	memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
	t->bytes[t->length] = '\0';
}

void vf_text_add_values(vf_text *t, const char *format, va_list values)
{
	char small[256];
	va_list again;
	va_copy(again, values);
	int length = vsnprintf(small, sizeof small, format, values);
	if (length < 0)
		t->failed = true;
	else if ((size_t)length < sizeof small)
		vf_text_append(t, small, (size_t)length);
	else if (reserve(t, (size_t)length)) {
		vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
		t->length += (size_t)length;
	}
	va_end(again);
}

void vf_text_add(vf_text *t, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	vf_text_add_values(t, format, values);
	va_end(values);
}

void vf_text_add_list(vf_text *t, int n, const int64_t *numbers)
{
	vf_text_append(t, "(", 1);
	for (int i = 0; i < n; i++)
		vf_text_add(t, i ? ",%" PRId64 : "%" PRId64, numbers[i]);
	vf_text_append(t, ")", 1);
}

const char *vf_text_bytes(const vf_text *t)
{
	return t->failed || !t->bytes ? "" : t->bytes;
}

void vf_text_join(vf_text *t, vf_text *part)
{
	vf_text_append(t, vf_text_bytes(part), part->failed ? 0 : part->length);
	t->failed = t->failed || part->failed;
	vf_text_drop(part);
}

void vf_text_join_bytes(vf_text *t, char *bytes)
{
	if (bytes)
		vf_text_append(t, bytes, strlen(bytes));
	t->failed = t->failed || !bytes;
	vf_dealloc(t->ctx, bytes);
}

char *vf_text_take(vf_text *t)
{
	vf_text_append(t, "", 0); /* an empty text is "" rather than NULL */
	char *bytes = t->bytes;
	if (t->failed) {
		vf_dealloc(t->ctx, bytes);
		bytes = NULL;
	}
	vf_text_init(t, t->ctx);
	return bytes;
}

void vf_text_drop(vf_text *t)
{
	vf_dealloc(t->ctx, t->bytes);
	vf_text_init(t, t->ctx);
}
