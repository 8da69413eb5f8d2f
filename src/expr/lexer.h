/* lexer.h -- the words of an expression: names, numbers, texts, signs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A sign of one character is its own kind: '(' or '+'. */
enum {
	VF_TOKEN_END = 256,
	VF_TOKEN_NAME,
	VF_TOKEN_NUMBER,    /* one run of what a number may hold; vf_literal_parse() judges it */
	VF_TOKEN_TEXT,      /* with its quotes */
	VF_TOKEN_ELLIPSIS,  /* ... */
	VF_TOKEN_POWER,     /* ** */
	VF_TOKEN_FLOOR,     /* // */
	VF_TOKEN_OPEN_TEXT, /* a text whose closing quote is missing */
	VF_TOKEN_STRAY      /* a character that begins nothing */
};

/* Bytes [start, end) of the expression. */
typedef struct vf_token {
	int kind;
	size_t start, end;
} vf_token;

/* The first token at or after byte `from`. Reads text[0, length) only; never fails: what is
 * no token is OPEN_TEXT or STRAY, which no rule of the grammar accepts. */
vf_token vf_lexer_next(const char *text, size_t length, size_t from);

/* Whether all of text[0, length) is one name. */
bool vf_lexer_is_name(const char *text, size_t length);

/* ASCII only, whatever the process' locale. */
static inline bool vf_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline bool vf_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool vf_is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}
