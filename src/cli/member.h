/* member.h -- one array of a file that holds several: FILE.safetensors:NAME, FILE.npz:NAME. */
#pragma once

#include <stdbool.h>

enum member_kind { MEMBER_NONE, MEMBER_TENSOR, MEMBER_NPZ };

/* A text taken apart; `path` is the caller's to free. `name` points into the text, "" where none is given. */
struct member {
	enum member_kind kind;
	char *path;
	const char *name;
};

/* Take a text apart; of MEMBER_NONE the path is all of it. False without memory. */
bool member_split(const char *text, struct member *out);

enum member_kind member_kind_of(const char *text);
const char *member_name_of(const char *text);
