/* text.h -- Python values as the text of a view expression.
 *
 * In     arguments of a call, or what stands between the brackets of x[...]
 * Out    "permute(0, 3, 1, 2)", "[:, ::-1]": what a person would have written
 * Keeps  integers, floats, slices, lists and names are written here; viewfold/_text.py writes other values
 *        (dtypes, arrays, complex numbers)
 */
#pragma once

#include "module.h"

/* A text that grows, NUL-terminated. After a failure an exception is set, and adding does nothing. */
typedef struct writer {
	char *bytes; /* `room`, or from PyMem_Malloc */
	size_t length, capacity;
	bool failed;
	char room[240];
} writer;

void writer_init(writer *w);
void writer_drop(writer *w);
void write_text(writer *w, const char *text);
/* "1, [2, 3], dim=0" */
void write_arguments(writer *w, const arguments *args);
/* "[1, ::2, None]" of x[key] */
void write_index(writer *w, PyObject *key);
