/* literal.c -- numbers and texts as Python writes them.
 *
 * Nothing here depends on the process' locale: a fraction reaches strtod() as an integer
 * and an exponent ("2.5e3" as "25e2"), which holds no decimal point to be written otherwise.
 */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>
#include <stdio.h>

/* Copy without underscores, each of which must stand between two digits (or after 0x).
 * NULL with *state set: BAD or MEMORY. */
static char *strip_underscores(vf_expr *e, const char *text, size_t length, vf_literal_state *state)
{
	char *out = vf_arena_alloc(&e->arena, (int64_t)length + 1, 1);
	size_t n = 0;
	*state = out ? VF_LITERAL_BAD : VF_LITERAL_MEMORY;
	for (size_t i = 0; out && i < length; i++) {
		if (text[i] != '_') {
			out[n++] = text[i];
			continue;
		}
		bool after = i > 0 && text[i - 1] != '_' && text[i - 1] != '.';
		bool before = i + 1 < length && (vf_is_digit(text[i + 1]) || vf_is_letter(text[i + 1]));
		if (!after || !before)
			return NULL;
	}
	return out;
}

static int digit_value(char c)
{
	if (vf_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* 16, 8 or 2 where `text` opens with 0x, 0o or 0b; otherwise 10. */
static int base_of(const char *text)
{
	static const struct {
		char mark;
		int base;
	} bases[] = {{'x', 16}, {'X', 16}, {'o', 8}, {'O', 8}, {'b', 2}, {'B', 2}};
	for (size_t i = 0; text[0] == '0' && i < sizeof bases / sizeof *bases; i++)
		if (text[1] == bases[i].mark)
			return bases[i].base;
	return 10;
}

static vf_literal_state parse_integer(const char *text, int base, bool negative, vf_number *out)
{
	const uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX;
	uint64_t sum = 0;
	bool huge = false;
	if (*text == '\0')
		return VF_LITERAL_BAD;
	for (const char *c = text; *c; c++) {
		int digit = digit_value(*c);
		if (digit >= base)
			return VF_LITERAL_BAD;
		huge = huge || __builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
		       __builtin_add_overflow(sum, (uint64_t)digit, &sum);
	}
	if (base == 10 && text[0] == '0' && sum > 0)
		return VF_LITERAL_BAD; /* 012 */
	if (huge || sum > most)
		return VF_LITERAL_HUGE;
	out->kind = !negative && sum > INT64_MAX ? VF_NUMBER_UINT : VF_NUMBER_INT;
	out->i = negative ? (int64_t)-sum : (int64_t)sum;
	return VF_LITERAL_OK;
}

/* The decimal exponent at *at, held within what strtod() tells apart. */
static bool parse_exponent(const char **at, int64_t *out)
{
	enum { ENOUGH = 100000000 };
	bool negative = **at == '-';
	int64_t exponent = 0;
	if (**at == '+' || **at == '-')
		++*at;
	if (!vf_is_digit(**at))
		return false;
	for (; vf_is_digit(**at); ++*at)
		if (exponent < ENOUGH)
			exponent = 10 * exponent + (**at - '0');
	*out = negative ? -exponent : exponent;
	return true;
}

/* Digits, a point among them, an exponent, and nothing more. */
static vf_literal_state parse_decimal(vf_expr *e, const char *text, double *out)
{
	enum { EXPONENT = 24 };
	size_t length = strlen(text), n = 0;
	char *whole = vf_arena_alloc(&e->arena, (int64_t)length + EXPONENT, 1);
	int64_t exponent = 0, fraction = 0;
	bool point = false;
	if (!whole)
		return VF_LITERAL_MEMORY;
	for (; vf_is_digit(*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		whole[n++] = *text;
		fraction += point;
	}
	if (n == 0)
		return VF_LITERAL_BAD;
	if (*text == 'e' || *text == 'E') {
		text++;
		if (!parse_exponent(&text, &exponent))
			return VF_LITERAL_BAD;
	}
	if (*text != '\0')
		return VF_LITERAL_BAD;
	snprintf(whole + n, EXPONENT, "e%lld", (long long)(exponent - fraction));
	*out = strtod(whole, NULL);
	return VF_LITERAL_OK;
}

static vf_literal_state parse_imaginary(vf_expr *e, char *text, size_t length, vf_number *out)
{
	text[length - 1] = '\0';
	*out = (vf_number){.kind = VF_NUMBER_FLOAT, .is_complex = true};
	return parse_decimal(e, text, &out->im);
}

vf_literal_state vf_literal_parse(vf_expr *e, const char *text, size_t length, bool negative, vf_number *out)
{
	vf_literal_state state;
	char *digits = strip_underscores(e, text, length, &state);
	if (!digits)
		return state;
	int base = base_of(digits);
	size_t n = strlen(digits);
	*out = (vf_number){.kind = VF_NUMBER_INT};
	if (base != 10)
		return parse_integer(digits + 2, base, negative, out);
	if (n > 1 && (digits[n - 1] == 'j' || digits[n - 1] == 'J')) {
		state = parse_imaginary(e, digits, n, out);
		out->im = negative ? -out->im : out->im;
		return state;
	}
	if (!strpbrk(digits, ".eE"))
		return parse_integer(digits, base, negative, out);
	out->kind = VF_NUMBER_FLOAT;
	state = parse_decimal(e, digits, &out->re);
	out->re = negative ? -out->re : out->re;
	return state;
}

/* ---- float('...') ---- */

static bool same_word(const char *text, size_t length, const char *word)
{
	for (; length > 0 && *word; text++, word++, length--)
		if ((*text | 0x20) != *word)
			return false;
	return length == 0 && *word == '\0';
}

vf_literal_state vf_literal_float(vf_expr *e, const char *text, size_t length, double *out)
{
	vf_literal_state state = VF_LITERAL_OK;
	while (length > 0 && vf_is_blank(text[0]))
		text++, length--;
	while (length > 0 && vf_is_blank(text[length - 1]))
		length--;
	bool negative = length > 0 && text[0] == '-';
	if (negative || (length > 0 && text[0] == '+'))
		text++, length--;
	if (same_word(text, length, "inf") || same_word(text, length, "infinity")) {
		*out = (double)__builtin_inff();
	} else if (same_word(text, length, "nan")) {
		*out = (double)__builtin_nanf("");
	} else {
		char *digits = strip_underscores(e, text, length, &state);
		if (digits)
			state = parse_decimal(e, digits, out);
	}
	if (state == VF_LITERAL_OK && negative)
		*out = -*out;
	return state;
}

/* ---- texts ---- */

/* The character that \c stands for; 0 where the backslash stays, as in Python. */
static char escaped(char c)
{
	static const char codes[] = "\\\\\'\'\"\"n\nt\tr\r";
	for (const char *code = codes; *code; code += 2)
		if (code[0] == c)
			return code[1];
	return 0;
}

char *vf_literal_text(vf_expr *e, vf_token token)
{
	size_t n = 0;
	char *out = vf_arena_alloc(&e->arena, (int64_t)(token.end - token.start), 1);
	for (size_t i = token.start + 1; out && i + 1 < token.end; i++) {
		char c = e->text[i];
		char plain = c == '\\' ? escaped(e->text[i + 1]) : 0;
		out[n++] = plain ? plain : c;
		i += plain != 0;
	}
	return out;
}
