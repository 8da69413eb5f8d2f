/* declaration.c -- see declaration.h. */
#include "declaration.h"

#include "literal.h"

#include <string.h>

static size_t name_length(const char *text)
{
	return strcspn(text, "[");
}

bool declaration_recognise(const char *text)
{
	size_t length = name_length(text);
	return text[length] == '[' && vf_dtype_named(text, length) != 0;
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
	*out = (struct declaration){.dtype = vf_dtype_named(text, length)};
	struct literal literal = {text + length + 1, text + strlen(text), problem};
	return parse_extents(&literal, out) || reword(problem);
}
