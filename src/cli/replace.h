/* replace.h -- an output file that is either whole or not there.
 *
 * It is written as a temporary file in the same directory, and one rename puts it in its place. So an input
 * of the same name stays readable until then. A failure or a signal removes the temporary.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct replacement {
	const char *path; /* as the user wrote it, for messages; borrowed */
	char *target, *temporary;
	int file;             /* -1: none */
	unsigned char *bytes; /* the pages of the open window; NULL: none */
	size_t length;
};

/* Create the temporary file beside `path`, with the mode that `path` has or will have. Complains if `path` is
 * a directory or may not be written. */
bool replace_begin(struct replacement *replacement, const char *path);

/* Give the temporary `length` bytes of space on the device: a file that does not fit is refused before it is
 * begun. */
bool replace_reserve(struct replacement *replacement, size_t length);

/* The same, and map them for writing. */
bool replace_map(struct replacement *replacement, size_t length);

/* Append to the temporary. */
bool replace_write(struct replacement *replacement, const void *bytes, size_t length);

/* Map `length` bytes of the space that was reserved, from byte `begin` on; NULL: it has complained. There is
 * one window at a time; replace_close_window(), commit and abort end it. */
unsigned char *replace_window(struct replacement *replacement, size_t begin, size_t length);
void replace_close_window(struct replacement *replacement);

/* Put the temporary in the place of `path`. On failure it is removed. */
bool replace_commit(struct replacement *replacement);

/* Remove the temporary, if there is one. */
void replace_abort(struct replacement *replacement);

/* A file that is not a regular one: a pipe, a terminal, a device. "-" is stdout. */
struct stream {
	const char *path;
	int file;
	bool own;
};
bool stream_open(struct stream *stream, const char *path);
bool stream_write(struct stream *stream, const void *bytes, size_t length);
/* `done`: whether all went well so far. Returns `done`, or false if closing fails. */
bool stream_close(struct stream *stream, bool done);

/* Write a text to a stream, or to a file that is then whole or not there. */
bool output_save(const char *path, const char *bytes, size_t length);

/* Whether `path` exists and is neither a regular file nor a directory, or is "-". */
bool is_stream(const char *path);
