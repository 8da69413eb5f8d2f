/* save.c -- see save.h. */
#include "save.h"

#include "move.h"
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

/* The result in memory of its own. */
static bool gather(struct session *session, struct memory *memory)
{
	size_t bytes = memory_size(vf_size_bytes(session->result));
	if (!session_map(session) || !memory_allocate(memory, bytes, "the result"))
		return false;
	if (move_result(session, memory->bytes, bytes, NULL))
		return true;
	memory_release(memory);
	return false;
}

/* ---- .npy --------------------------------------------------------------- */

/* Above a cut the elements move straight into the mapped file, behind the header. */
static bool map_and_move(struct session *session, struct replacement *file, const unsigned char *header,
                         size_t header_bytes, size_t bytes)
{
	if (!session_map(session) || !replace_map(file, header_bytes + bytes))
		return false;
	memcpy(file->bytes, header, header_bytes);
	return move_result(session, file->bytes + header_bytes, bytes, file);
}

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

static bool file_by_pieces(struct session *session, struct replacement *file, const unsigned char *header,
                           size_t header_bytes, size_t total)
{
	struct outlet outlet = {.file = file, .end = header_bytes};
	const struct sink sink = {room_in_file, put_in_file, &outlet};
	return replace_reserve(file, total) && replace_write(file, header, header_bytes) &&
	       pieces_put(session, &sink);
}

static bool save_file(struct session *session, const char *path, const unsigned char *header,
                      size_t header_bytes)
{
	struct replacement file;
	size_t bytes = memory_size(vf_size_bytes(session->result)), total;
	if (__builtin_add_overflow(header_bytes, bytes, &total))
		return complain("%s: the result is more than this machine can address", path);
	if (!replace_begin(&file, path))
		return false;
	bool done = vf_cuts(session->result) > 0
	                ? map_and_move(session, &file, header, header_bytes, bytes)
	                : file_by_pieces(session, &file, header, header_bytes, total);
	if (done)
		return replace_commit(&file);
	replace_abort(&file);
	return false;
}

static bool stream_by_pieces(struct session *session, struct stream *stream, const unsigned char *header,
                             size_t header_bytes)
{
	struct outlet outlet = {.stream = stream};
	const struct sink sink = {room_for_stream, put_in_stream, &outlet};
	bool done = stream_write(stream, header, header_bytes) && pieces_put(session, &sink);
	memory_release(&outlet.buffer);
	return done;
}

/* Above a cut all of the result is gathered first. */
static bool stream_gathered(struct session *session, struct stream *stream, const unsigned char *header,
                            size_t header_bytes)
{
	struct memory elements;
	if (!gather(session, &elements))
		return false;
	bool done = stream_write(stream, header, header_bytes) &&
	            stream_write(stream, elements.bytes, elements.length);
	memory_release(&elements);
	return done;
}

static bool save_stream(struct session *session, const char *path, const unsigned char *header,
                        size_t header_bytes)
{
	struct stream stream;
	if (!stream_open(&stream, path))
		return false;
	bool done = vf_cuts(session->result) > 0 ? stream_gathered(session, &stream, header, header_bytes)
	                                         : stream_by_pieces(session, &stream, header, header_bytes);
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
