/* lexer.c -- cut an expression into tokens, one at a time.
 *
 * In     the text and the place to go on from
 * Out    the next token; blanks, newlines and comments (# to the end of the line) are skipped
 * Keeps  no state and no memory: looking ahead is calling it again
 * Tests  tests/unit/test_expr.c, tests/fuzz/expr.c
 */
#include "expr/lexer.h"

static size_t skip_blanks(const char *text, size_t length, size_t at)
{
	bool comment = false;
	for (; at < length; at++) {
		if (text[at] == '#')
			comment = true;
		else if (text[at] == '\n')
			comment = false;
		else if (!comment && !vf_is_blank(text[at]))
			break;
	}
	return at;
}

static size_t name_end(const char *text, size_t length, size_t at)
{
	while (at < length && (vf_is_letter(text[at]) || vf_is_digit(text[at])))
		at++;
	return at;
}

/* Letters, digits, points, and the sign of a decimal exponent: 1_000, 0x1f, 2.5e-3, 2j. */
static size_t number_end(const char *text, size_t length, size_t at)
{
	bool prefixed = at + 1 < length && text[at] == '0' && vf_is_letter(text[at + 1]) &&
	                text[at + 1] != 'e' && text[at + 1] != 'E';
	for (; at < length; at++) {
		char c = text[at];
		bool sign = (c == '+' || c == '-') && !prefixed &&
		            (text[at - 1] == 'e' || text[at - 1] == 'E');
		if (!vf_is_letter(c) && !vf_is_digit(c) && c != '.' && !sign)
			break;
	}
	return at;
}

static vf_token text_token(const char *text, size_t length, size_t start)
{
	size_t at = start + 1;
	for (; at < length && text[at] != '\n'; at++) {
		if (text[at] == text[start])
			return (vf_token){VF_TOKEN_TEXT, start, at + 1};
		if (text[at] == '\\' && at + 1 < length && text[at + 1] != '\n')
			at++;
	}
	return (vf_token){VF_TOKEN_OPEN_TEXT, start, at};
}

static bool starts(const char *text, size_t length, size_t at, const char *sign)
{
	for (; *sign; sign++, at++)
		if (at >= length || text[at] != *sign)
			return false;
	return true;
}

static bool is_sign(char c)
{
	for (const char *sign = "()[]{},.:=+-*/%"; *sign; sign++)
		if (c == *sign)
			return true;
	return false;
}

static vf_token sign_token(const char *text, size_t length, size_t at)
{
	if (starts(text, length, at, "..."))
		return (vf_token){VF_TOKEN_ELLIPSIS, at, at + 3};
	if (starts(text, length, at, "**"))
		return (vf_token){VF_TOKEN_POWER, at, at + 2};
	if (starts(text, length, at, "//"))
		return (vf_token){VF_TOKEN_FLOOR, at, at + 2};
	if (is_sign(text[at]))
		return (vf_token){text[at], at, at + 1};
	size_t end = at + 1; /* the whole of a UTF-8 sequence */
	while (end < length && ((unsigned char)text[end] & 0xC0) == 0x80)
		end++;
	return (vf_token){VF_TOKEN_STRAY, at, end};
}

vf_token vf_lexer_next(const char *text, size_t length, size_t from)
{
	size_t at = skip_blanks(text, length, from);
	if (at >= length)
		return (vf_token){VF_TOKEN_END, at, at};
	if (vf_is_letter(text[at]))
		return (vf_token){VF_TOKEN_NAME, at, name_end(text, length, at)};
	if (vf_is_digit(text[at]) || (text[at] == '.' && at + 1 < length && vf_is_digit(text[at + 1])))
		return (vf_token){VF_TOKEN_NUMBER, at, number_end(text, length, at)};
	if (text[at] == '\'' || text[at] == '"')
		return text_token(text, length, at);
	return sign_token(text, length, at);
}

bool vf_lexer_is_name(const char *text, size_t length)
{
	return length > 0 && vf_is_letter(text[0]) && name_end(text, length, 0) == length;
}
