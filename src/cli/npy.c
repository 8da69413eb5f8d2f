/* npy.c -- see npy.h.
 *
 * In a file: "\x93NUMPY", version (2 bytes), the header's length (2 bytes little-endian in
 * version 1, 4 in 2 and 3), the header: a Python dictionary, spaces, a newline; the elements.
 */
#include "npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_BYTES = 6, ALIGNMENT = 64, GROWTH_DIGITS = 21 };
static const unsigned char magic[MAGIC_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool npy_recognise(const unsigned char *bytes, size_t length)
{
	return length >= MAGIC_BYTES && memcmp(bytes, magic, MAGIC_BYTES) == 0;
}

/* ---- reading ------------------------------------------------------------ */

/* Find the dictionary's text; `*major` is the format's version. */
static bool find_text(const unsigned char *bytes, size_t length, struct literal *text, int *major)
{
	if (!npy_recognise(bytes, length))
		return problem_set(text->problem, "no .npy file: the magic bytes are missing");
	if (length < MAGIC_BYTES + 2)
		return problem_set(text->problem, "the file ends in its header");
	*major = bytes[MAGIC_BYTES];
	if (*major < 1 || *major > 3 || bytes[MAGIC_BYTES + 1] != 0)
		return problem_set(text->problem, ".npy format version %d.%d is unknown", *major,
		                   bytes[MAGIC_BYTES + 1]);
	size_t size_bytes = *major == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + size_bytes;
	if (length < start)
		return problem_set(text->problem, "the file ends in its header");
	size_t header_bytes = 0;
	for (size_t i = 0; i < size_bytes; i++)
		header_bytes |= (size_t)bytes[MAGIC_BYTES + 2 + i] << (8 * i);
	if (header_bytes > length - start)
		return problem_set(text->problem, "the header claims %zu bytes, the file has %zu left",
		                   header_bytes, length - start);
	text->at = (const char *)bytes + start;
	text->end = text->at + header_bytes;
	return true;
}

enum { KEY_DESCR = 1, KEY_ORDER = 2, KEY_SHAPE = 4, KEY_ALL = 7 };

static int key_of(struct span name)
{
	if (span_is(name, "descr"))
		return KEY_DESCR;
	if (span_is(name, "fortran_order"))
		return KEY_ORDER;
	return span_is(name, "shape") ? KEY_SHAPE : 0;
}

/* Parse one "key: value"; `*seen` gathers the keys. */
static bool parse_item(struct literal *text, struct stored *out, int *seen)
{
	struct span name;
	if (!literal_string(text, &name, "as a key"))
		return false;
	int key = key_of(name), length = name.length > 40 ? 40 : (int)name.length;
	if (!key)
		return problem_set(text->problem, "header: unknown key '%.*s'", length, name.start);
	if (*seen & key)
		return problem_set(text->problem, "header: '%.*s' stands twice", length, name.start);
	*seen |= key;
	if (!literal_expect(text, ':', "after a key"))
		return false;
	if (key == KEY_DESCR)
		return descr_parse(text, &out->element);
	if (key == KEY_ORDER)
		return literal_bool(text, &out->fortran, "as fortran_order");
	return literal_shape(text, out->shape, &out->rank);
}

static bool parse_dictionary(struct literal *text, struct stored *out)
{
	int seen = 0;
	if (!literal_expect(text, '{', "at the start of the dictionary"))
		return false;
	bool comma = true;
	while (comma && literal_peek(text) != '}') {
		if (!parse_item(text, out, &seen))
			return false;
		comma = literal_accept(text, ',');
	}
	if (!literal_expect(text, '}', "at the end of the dictionary"))
		return false;
	if (literal_peek(text) >= 0)
		return problem_set(text->problem, "header: text after the dictionary");
	if (seen != KEY_ALL)
		return problem_set(text->problem, "header: '%s' is missing",
		                   !(seen & KEY_DESCR)   ? "descr"
		                   : !(seen & KEY_SHAPE) ? "shape"
		                                         : "fortran_order");
	return true;
}

/* "2, 3": the first few extents, for a sentence. */
static const char *shape_text(const struct stored *header, char *buffer, size_t size)
{
	size_t used = 0;
	buffer[0] = 0;
	for (int i = 0; i < header->rank && used + 24 < size; i++)
		used += (size_t)snprintf(buffer + used, size - used, "%s%" PRId64, i ? ", " : "",
		                         header->shape[i]);
	return buffer;
}

/* Check that the file has the bytes that the shape asks for, and set data_bytes. */
static bool measure_data(struct stored *header, size_t length, struct problem *problem)
{
	char shape[160];
	int64_t bytes;
	if (!array_bytes(header->element.dtype, header->rank, header->shape, &bytes))
		return problem_set(problem, "shape (%s) overflows 64 bits",
		                   shape_text(header, shape, sizeof shape));
	if ((uint64_t)bytes > length - header->data_offset)
		return problem_set(problem, "shape (%s) needs %" PRId64 " bytes, the file has %zu left",
		                   shape_text(header, shape, sizeof shape), bytes,
		                   length - header->data_offset);
	header->data_bytes = (size_t)bytes;
	return true;
}

static bool beyond_ascii(const char *text)
{
	for (; text && *text; text++)
		if ((unsigned char)*text >= 0x80)
			return true;
	return false;
}

bool npy_parse(const unsigned char *bytes, size_t length, size_t file_length, struct stored *out,
               struct problem *problem)
{
	int major = 0;
	struct literal text = {.problem = problem};
	*out = (struct stored){0};
	if (!find_text(bytes, length, &text, &major))
		return false;
	out->data_offset = (size_t)(text.end - (const char *)bytes);
	if (!parse_dictionary(&text, out) || !measure_data(out, file_length, problem)) {
		element_drop(&out->element);
		return false;
	}
	out->element.utf8 = major == 3 && beyond_ascii(out->element.descr);
	return true;
}

/* ---- writing ------------------------------------------------------------ */

/* The dictionary's text, for the caller to free. Spaces after it leave room for the first extent to grow to
 * 21 digits in place, as in NumPy. */
static char *make_dictionary(const struct element *element, int rank, const int64_t *shape)
{
	char descr[DESCR_BYTES];
	const char *type = element->descr ? element->descr : descr_of(element->dtype, descr);
	size_t size = strlen(type) + (size_t)rank * 24 + 128, used = 0;
	char *text = malloc(size);
	if (!text)
		return NULL;
	used += (size_t)snprintf(text, size, "{'descr': %s, 'fortran_order': False, 'shape': (", type);
	for (int i = 0; i < rank; i++)
		used += (size_t)snprintf(text + used, size - used, i ? ", %" PRId64 : "%" PRId64, shape[i]);
	used += (size_t)snprintf(text + used, size - used, rank == 1 ? ",), }" : "), }");
	if (rank > 0) {
		int digits = snprintf(NULL, 0, "%" PRId64, shape[0]);
		snprintf(text + used, size - used, "%*s", GROWTH_DIGITS - digits, "");
	}
	return text;
}

/* Bytes of the header in version `major` of the format, padding included. The padding has 1 to 64 bytes,
 * never 0, as in NumPy. */
static size_t padded_length(int major, size_t text_bytes)
{
	size_t size_bytes = major == 1 ? 2 : 4, plain = MAGIC_BYTES + 2 + size_bytes + text_bytes + 1;
	return plain / ALIGNMENT * ALIGNMENT + ALIGNMENT;
}

unsigned char *npy_header_make(const struct element *element, int rank, const int64_t *shape, size_t *length)
{
	char *text = make_dictionary(element, rank, shape);
	if (!text)
		return NULL;
	size_t text_bytes = strlen(text);
	int major = element->utf8 ? 3 : 1;
	if (major == 1 && padded_length(1, text_bytes) - (MAGIC_BYTES + 4) > UINT16_MAX)
		major = 2;
	*length = padded_length(major, text_bytes);
	size_t size_bytes = major == 1 ? 2 : 4, start = MAGIC_BYTES + 2 + size_bytes;
	unsigned char *header = malloc(*length);
	if (header) {
		memcpy(header, magic, MAGIC_BYTES);
		header[MAGIC_BYTES] = (unsigned char)major;
		header[MAGIC_BYTES + 1] = 0;
		for (size_t i = 0; i < size_bytes; i++)
			header[MAGIC_BYTES + 2 + i] = (unsigned char)((*length - start) >> (8 * i));
		memcpy(header + start, text, text_bytes);
		memset(header + start + text_bytes, ' ', *length - start - text_bytes - 1);
		header[*length - 1] = '\n';
	}
	free(text);
	return header;
}
