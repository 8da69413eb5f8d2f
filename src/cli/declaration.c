/* declaration.c -- see declaration.h. */
#include "declaration.h"

#include "literal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPAQUE_BYTES = 65535 };

/* The dtype whose name is the first `length` bytes of `text`; 0 if there is none. */
static vf_dtype dtype_by_name(const char *text, size_t length)
{
	char name[16];
	for (vf_dtype code = VF_BOOL; code <= VF_C128; code++)
		if (strlen(vf_dtype_name(code, name, sizeof name)) == length &&
		    strncmp(name, text, length) == 0)
			return code;
	if (length <= 5 || length > 10 || strncmp(text, "bytes", 5) != 0)
		return 0;
	long bytes = strtol(text + 5, NULL, 10);
	if (bytes < 1 || bytes > MAX_OPAQUE_BYTES || strspn(text + 5, "0123456789") != length - 5)
		return 0;
	return VF_OPAQUE(bytes);
}

static size_t name_length(const char *text)
{
	return strcspn(text, "[");
}

bool declaration_recognise(const char *text)
{
	size_t length = name_length(text);
	return text[length] == '[' && dtype_by_name(text, length) != 0;
}

/* The sentences of literal.c speak of a header; there is none here. */
static bool reword(struct problem *problem)
{
	static const char prefix[] = "header: ";
	size_t length = sizeof prefix - 1;
	if (strncmp(problem->text, prefix, length) == 0)
		memmove(problem->text, problem->text + length, strlen(problem->text + length) + 1);
	return false;
}

static bool parse_extents(struct literal *literal, struct declaration *out)
{
	bool comma = true;
	while (comma && literal_peek(literal) != ']') {
		if (out->rank == VF_MAX_RANK)
			return problem_set(literal->problem, "more than %d axes", VF_MAX_RANK);
		int64_t *extent = &out->shape[out->rank];
		if (!literal_integer(literal, extent, "as an extent"))
			return false;
		if (*extent < 0)
			return problem_set(literal->problem, "an extent of %lld", (long long)*extent);
		out->rank++;
		comma = literal_accept(literal, ',');
	}
	if (!literal_expect(literal, ']', "after the extents"))
		return false;
	return literal_peek(literal) < 0 ? true : problem_set(literal->problem, "text after ']'");
}

bool declaration_parse(const char *text, struct declaration *out, struct problem *problem)
{
	size_t length = name_length(text);
	*out = (struct declaration){.dtype = dtype_by_name(text, length)};
	struct literal literal = {text + length + 1, text + strlen(text), problem};
	return parse_extents(&literal, out) || reword(problem);
}
