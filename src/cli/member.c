/* member.c -- see member.h. */
#define _GNU_SOURCE
#include "member.h"

#include <string.h>

/* Where the name of a file that can hold several arrays ends: at the end of the text, or at a colon. NULL:
 * the text names no such file. */
static const char *file_end(const char *text, enum member_kind *kind)
{
	static const struct {
		const char *ending;
		enum member_kind kind;
	} rows[] = {{".safetensors", MEMBER_TENSOR}, {".npz", MEMBER_NPZ}};
	for (int i = 0; i < 2; i++) {
		size_t length = strlen(rows[i].ending);
		for (const char *at = strcasestr(text, rows[i].ending); at;
		     at = strcasestr(at + 1, rows[i].ending))
			if (at > text && (at[length] == 0 || at[length] == ':')) {
				*kind = rows[i].kind;
				return at + length;
			}
	}
	*kind = MEMBER_NONE;
	return NULL;
}

enum member_kind member_kind_of(const char *text)
{
	enum member_kind kind;
	file_end(text, &kind);
	return kind;
}

const char *member_name_of(const char *text)
{
	enum member_kind kind;
	const char *end = file_end(text, &kind);
	return end && *end ? end + 1 : "";
}

bool member_split(const char *text, struct member *out)
{
	const char *end = file_end(text, &out->kind);
	out->path = end ? strndup(text, (size_t)(end - text)) : strdup(text);
	out->name = member_name_of(text);
	return out->path != NULL;
}
