/* memory.h -- where the tool's large bytes live: files mapped for reading, and memory of its own.
 *
 * Mapped ranges are known to the signal handler (signals.h): a file that someone shortens while
 * it is mapped ends the tool with a sentence instead of a bus error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "viewfold.h"

struct memory {
	unsigned char *bytes; /* page-aligned; NULL where length is 0 */
	size_t length;
	bool mapped; /* a file's pages, not to be written */
	/* Where a file is looked at through windows: `bytes` is its beginning alone. */
	bool windowed;
	int file;
	size_t file_length;
};

/* A count of bytes as addresses are counted: SIZE_MAX, which memory_allocate() refuses, where it is more than
 * a 32-bit machine has. */
size_t memory_size(int64_t bytes);

/* `length` zero bytes. Complains, naming `what`, where they cannot be had: more than the machine
 * has is refused at once rather than by the kernel later. */
bool memory_allocate(struct memory *memory, size_t length, const char *what);

/* Whether allocations of 4 MiB and more ask for huge pages, as NumPy's do; true at the start. */
void memory_use_huge_pages(bool use);

/* The same pages for what the library allocates, so that what it measures is on the memory that it moves. */
void memory_serve(vf_options *options);

/* The bytes of a file: mapped if it is a regular file, else (a pipe) read to its end. */
bool memory_from_file(struct memory *memory, const char *path);

/* The beginning of a file, to be read on through windows; a pipe as above. */
bool memory_open_file(struct memory *memory, const char *path);
/* All of it after all. */
bool memory_map_rest(struct memory *memory, const char *path);
/* Map bytes [begin, end) of the file into `window`; `all` of them at once where most will be read. Returns
 * where byte `begin` is, or NULL, having complained. */
unsigned char *memory_window(const struct memory *memory, size_t begin, size_t end, bool all,
                             const char *path, struct memory *window);

void memory_release(struct memory *memory);
