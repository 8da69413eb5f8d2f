/* save.c -- see save.h. */
#include "save.h"

#include "npy.h"
#include "pieces.h"
#include "replace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);
	return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool save_is_picture(const char *path)
{
	return ends_in(path, ".png") && !is_stream(path);
}

bool save_knows(const char *path)
{
	return ends_in(path, ".npy") || save_is_picture(path) || is_stream(path) ||
	       member_kind_of(path) == MEMBER_TENSOR;
}

/* ---- .npy --------------------------------------------------------------- */

/* What pieces go to: windows of the output file, or memory that a stream is written from. */
struct outlet {
	struct replacement *file;
	struct stream *stream;
	size_t end; /* of what the file has */
	struct memory buffer;
	size_t length; /* of what is in the buffer */
};

static unsigned char *room_in_file(void *user, size_t length)
{
	struct outlet *outlet = user;
	outlet->end += length;
	return replace_window(outlet->file, outlet->end - length, length);
}

static bool put_in_file(void *user)
{
	replace_close_window(((struct outlet *)user)->file);
	return true;
}

static unsigned char *room_for_stream(void *user, size_t length)
{
	struct outlet *outlet = user;
	outlet->length = length;
	if (length <= outlet->buffer.length)
		return outlet->buffer.bytes;
	memory_release(&outlet->buffer);
	return memory_allocate(&outlet->buffer, length, "the result") ? outlet->buffer.bytes : NULL;
}

static bool put_in_stream(void *user)
{
	struct outlet *outlet = user;
	return stream_write(outlet->stream, outlet->buffer.bytes, outlet->length);
}

static bool save_file(struct session *session, const char *path, const unsigned char *header,
                      size_t header_bytes)
{
	struct replacement file;
	struct outlet outlet = {.file = &file, .end = header_bytes};
	const struct sink sink = {room_in_file, put_in_file, &outlet};
	size_t bytes = memory_size(vf_size_bytes(session->result)), total;
	if (__builtin_add_overflow(header_bytes, bytes, &total))
		return complain("%s: the result is more than this machine can address", path);
	if (!replace_begin(&file, path))
		return false;
	if (replace_reserve(&file, total) && replace_write(&file, header, header_bytes) &&
	    pieces_put(session, &sink))
		return replace_commit(&file);
	replace_abort(&file);
	return false;
}

static bool save_stream(struct session *session, const char *path, const unsigned char *header,
                        size_t header_bytes)
{
	struct stream stream;
	struct outlet outlet = {.stream = &stream};
	const struct sink sink = {room_for_stream, put_in_stream, &outlet};
	if (!stream_open(&stream, path))
		return false;
	bool done = stream_write(&stream, header, header_bytes) && pieces_put(session, &sink);
	memory_release(&outlet.buffer);
	return stream_close(&stream, done);
}

bool save_npy(struct session *session, const char *path)
{
	vf_array *result = session->result;
	struct element element = session_element(session, vf_dtype_of(result));
	size_t header_bytes;
	unsigned char *header = npy_header_make(&element, vf_rank(result), vf_shape(result), &header_bytes);
	if (!header)
		return complain_memory(0, "a header");
	bool done = is_stream(path) ? save_stream(session, path, header, header_bytes)
	                            : save_file(session, path, header, header_bytes);
	free(header);
	return done;
}
