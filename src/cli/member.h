/* member.h -- one array of a file that holds several: FILE.safetensors:NAME, FILE.npz:NAME. */
#pragma once

#include <stdbool.h>

enum member_kind { MEMBER_NONE, MEMBER_TENSOR, MEMBER_NPZ };

/* The parts of a text. The caller frees `path`; `name` points into the text, or is "" if none is given. */
struct member {
	enum member_kind kind;
	char *path;
	const char *name;
};

/* Take a text apart. For MEMBER_NONE, the path is all of it. False: out of memory. */
bool member_split(const char *text, struct member *out);

enum member_kind member_kind_of(const char *text);
const char *member_name_of(const char *text);
