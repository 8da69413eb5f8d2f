/* literal.c -- see literal.h. */
#include "literal.h"

#include "viewfold.h"

#include <string.h>

bool span_is(struct span span, const char *text)
{
	return span.length == strlen(text) && memcmp(span.start, text, span.length) == 0;
}

int literal_peek(struct literal *literal)
{
	while (literal->at < literal->end && strchr(" \t\r\n\f", *literal->at) && *literal->at)
		literal->at++;
	return literal->at < literal->end ? (unsigned char)*literal->at : -1;
}

bool literal_accept(struct literal *literal, char byte)
{
	if (literal_peek(literal) != (unsigned char)byte)
		return false;
	literal->at++;
	return true;
}

/* "expected WANTED WHERE, found ..." with the byte that stands there. */
static bool unexpected(struct literal *literal, const char *wanted, const char *where)
{
	int next = literal_peek(literal);
	if (next < 0)
		return problem_set(literal->problem, "header: expected %s %s, found its end", wanted, where);
	if (next < 0x20 || next >= 0x7f)
		return problem_set(literal->problem, "header: expected %s %s, found byte 0x%02x", wanted,
		                   where, (unsigned)next);
	return problem_set(literal->problem, "header: expected %s %s, found '%c'", wanted, where, next);
}

bool literal_expect(struct literal *literal, char byte, const char *where)
{
	if (literal_accept(literal, byte))
		return true;
	char wanted[] = {'\'', byte, '\'', 0};
	return unexpected(literal, wanted, where);
}

bool literal_string(struct literal *literal, struct span *out, const char *where)
{
	int quote = literal_peek(literal);
	const char *start = literal->at;
	if ((quote == 'u' || quote == 'b') && literal->end - start > 1)
		quote = (unsigned char)*++start;
	if (quote != '\'' && quote != '"')
		return unexpected(literal, "a string", where);
	const char *c = ++start;
	while (c < literal->end && (unsigned char)*c != quote && (unsigned char)*c >= 0x20)
		c += *c == '\\' && literal->end - c > 1 && (unsigned char)c[1] >= 0x20 ? 2 : 1;
	if (c >= literal->end)
		return problem_set(literal->problem, "header: a string without an end %s", where);
	if ((unsigned char)*c != quote)
		return problem_set(literal->problem, "header: byte 0x%02x in a string %s", (unsigned)*c,
		                   where);
	*out = (struct span){start, (size_t)(c - start)};
	literal->at = c + 1;
	return true;
}

static bool is_digit(int byte)
{
	return byte >= '0' && byte <= '9';
}

bool literal_integer(struct literal *literal, int64_t *out, const char *where)
{
	int64_t value = 0;
	bool negative = literal_accept(literal, '-');
	if (!is_digit(literal_peek(literal)))
		return unexpected(literal, "an integer", where);
	for (; literal->at < literal->end && is_digit((unsigned char)*literal->at); literal->at++) {
		int digit = *literal->at - '0';
		if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, digit, &value))
			return problem_set(literal->problem, "header: an integer beyond 64 bits %s", where);
	}
	if (literal->at < literal->end && *literal->at == 'L')
		literal->at++;
	*out = negative ? -value : value;
	return true;
}

bool literal_bool(struct literal *literal, bool *out, const char *where)
{
	static const char *const words[] = {"False", "True"};
	literal_peek(literal);
	size_t left = (size_t)(literal->end - literal->at);
	for (int i = 0; i < 2; i++) {
		size_t length = strlen(words[i]);
		if (left >= length && memcmp(literal->at, words[i], length) == 0) {
			literal->at += length;
			*out = i == 1;
			return true;
		}
	}
	return unexpected(literal, "True or False", where);
}

bool literal_shape(struct literal *literal, int64_t *shape, int *rank)
{
	static const char where[] = "in the shape";
	int n = 0;
	bool comma = true;
	if (!literal_expect(literal, '(', where))
		return false;
	while (comma && literal_peek(literal) != ')') {
		if (n == VF_MAX_RANK)
			return problem_set(literal->problem, "header: more than %d axes", VF_MAX_RANK);
		if (!literal_integer(literal, &shape[n], where))
			return false;
		if (shape[n] < 0)
			return problem_set(literal->problem, "header: an extent of %lld",
			                   (long long)shape[n]);
		n++;
		comma = literal_accept(literal, ',');
	}
	if (!literal_expect(literal, ')', where))
		return false;
	if (n == 1 && !comma)
		return problem_set(literal->problem, "header: the shape is no tuple: (%lld)",
		                   (long long)shape[0]);
	*rank = n;
	return true;
}
