/* memory.h -- where the tool's large bytes live: files mapped for reading, and memory of its own.
 *
 * The signal handler knows the mapped ranges (signals.h): if someone shortens a file while it is mapped, the
 * tool ends with a sentence instead of a bus error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "viewfold.h"

struct memory {
	unsigned char *bytes; /* page-aligned; NULL if length is 0 */
	size_t length;
	bool mapped; /* a file's pages, not to be written */
	/* `windowed`: the file is read through windows, and `bytes` is only its beginning. */
	bool windowed;
	int file;
	size_t file_length;
};

/* A count of bytes as a size_t. If a 32-bit machine cannot address so many, it is SIZE_MAX, which
 * memory_allocate() refuses. */
size_t memory_size(int64_t bytes);

/* Allocate `length` zero bytes. Complains, naming `what`. More bytes than the machine has are refused at
 * once, not by the operating system later. */
bool memory_allocate(struct memory *memory, size_t length, const char *what);

/* Whether allocations of 4 MiB and more ask for huge pages, as NumPy's do; true at the start. */
void memory_use_huge_pages(bool use);

/* Give the library the same pages for its own allocations, so that it measures on the kind of memory that it
 * moves. */
void memory_serve(vf_options *options);

/* The bytes of a file. A regular file is mapped; any other (a pipe) is read to its end. */
bool memory_from_file(struct memory *memory, const char *path);

/* Map the beginning of a file; the rest is read through windows. A pipe is read to its end. */
bool memory_open_file(struct memory *memory, const char *path);
/* Map all of a windowed file. */
bool memory_map_rest(struct memory *memory, const char *path);
/* Map bytes [begin, end) of the file into `window`. `all`: load all their pages at once, since most will be
 * read. Returns the place of byte `begin`; NULL: it has complained. */
unsigned char *memory_window(const struct memory *memory, size_t begin, size_t end, bool all,
                             const char *path, struct memory *window);

void memory_release(struct memory *memory);
