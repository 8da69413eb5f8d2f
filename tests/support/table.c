/* table.c -- reads the lines of text tables. */
#include "table.h"

#include "oracle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The end of a part: two blanks, or a tab. */
static char *part_end(char *p)
{
	while (*p && *p != '\t' && !(p[0] == ' ' && p[1] == ' '))
		p++;
	return p;
}

static char *skip_blanks(char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static void trim(char *p)
{
	size_t n = strlen(p);
	while (n && isspace((unsigned char)p[n - 1]))
		p[--n] = 0;
}

bool table_read(table_line *line, const char *text, bool *bad)
{
	*bad = false;
	snprintf(line->text, sizeof line->text, "%s", text);
	trim(line->text);
	char *p = skip_blanks(line->text);
	if (*p == 0 || *p == '#')
		return false;
	line->wished = *p == '?';
	if (line->wished)
		p = skip_blanks(p + 1);
	char *arrow = strstr(p, "=>");
	line->declarations = p;
	p = part_end(p);
	*bad = !arrow || *p == 0 || p > arrow;
	if (*bad)
		return false;
	*p = *arrow = 0;
	line->expression = skip_blanks(p + 1);
	line->claim = skip_blanks(arrow + 2);
	trim(line->expression);
	return true;
}

int table_numbers(const char *text, int64_t *out, int most)
{
	int n = 0;
	for (const char *p = text; *p;) {
		char *end;
		if (*p == '(' || *p == ')' || *p == ',' || *p == ' ') {
			p++;
			continue;
		}
		long long number = strtoll(p, &end, 10);
		if (end == p || n == most)
			return -1;
		out[n++] = number;
		p = end;
	}
	return n;
}

/* ---- declarations ---------------------------------------------------------------------- */

static vf_dtype dtype_of(const char *name, size_t length)
{
	char buffer[16];
	for (vf_dtype d = VF_BOOL; d <= VF_C128; d++) {
		const char *known = oracle_dtype_name(d, buffer);
		if (strlen(known) == length && memcmp(known, name, length) == 0)
			return d;
	}
	return strncmp(name, "bytes", 5) == 0 ? VF_OPAQUE(atoi(name + 5)) : 0;
}

/* f32[2,3]:(1,2) */
static bool read_type(const char *p, table_leaf *leaf)
{
	char list[256];
	const char *open = strchr(p, '['), *close = strchr(p, ']');
	if (!open || !close || close - open >= (ptrdiff_t)sizeof list)
		return false;
	leaf->dtype = dtype_of(p, (size_t)(open - p));
	snprintf(list, sizeof list, "%.*s", (int)(close - open - 1), open + 1);
	leaf->rank = table_numbers(list, leaf->shape, VF_MAX_RANK);
	leaf->has_strides = close[1] == ':';
	bool right = !leaf->has_strides || table_numbers(close + 2, leaf->strides, VF_MAX_RANK) == leaf->rank;
	return leaf->dtype && leaf->rank >= 0 && right;
}

/* "y: f32[2]" or "f32[2]". */
static bool read_leaf(char *p, table_leaf *leaf)
{
	char *colon = strstr(p, ": ");
	memset(leaf, 0, sizeof *leaf);
	if (colon)
		*colon = 0;
	snprintf(leaf->name, sizeof leaf->name, "%.63s", colon ? skip_blanks(p) : "x");
	p = skip_blanks(colon ? colon + 2 : p);
	trim(p);
	return read_type(p, leaf);
}

int table_leaves(const char *declarations, table_leaf leaves[TABLE_ARRAYS])
{
	char text[TABLE_TEXT];
	int n = 0;
	snprintf(text, sizeof text, "%s", declarations);
	for (char *p = text; p && n < TABLE_ARRAYS; n++) {
		char *next = strchr(p, ';');
		if (next)
			*next++ = 0;
		if (!read_leaf(p, &leaves[n]))
			return -1;
		p = next;
	}
	return n;
}

/* ---- statuses ----------------------------------------------------------------------------- */

int table_status(const char *name, size_t length)
{
	static const char *const names[] = {
	    "VF_OK",         "VF_ERR_MEMORY",   "VF_ERR_ARGUMENT", "VF_ERR_SHAPE", "VF_ERR_AXIS",
	    "VF_ERR_BOUNDS", "VF_ERR_OVERFLOW", "VF_ERR_DTYPE",    "VF_ERR_VIEW",  "VF_ERR_SYNTAX",
	    "VF_ERR_NAME",   "VF_ERR_WRITE",    "VF_ERR_TWICE",    "VF_ERR_SIZE",  "VF_ERR_DATA",
	    "VF_ERR_LIMIT",  "VF_ERR_COMPILE",  "VF_ERR_SYSTEM",
	};
	for (int k = 0; k < (int)(sizeof names / sizeof names[0]); k++)
		if (strlen(names[k]) == length && memcmp(names[k], name, length) == 0)
			return k;
	return -1;
}
