/* save.c -- see save.h. */
#include "save.h"

#include "move.h"
#include "npy.h"
#include "picture.h"
#include "replace.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);
	return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool save_knows(const char *path)
{
	return ends_in(path, ".npy") || ends_in(path, ".png") || is_stream(path);
}

/* The result in memory of its own. */
static bool gather(struct session *session, struct memory *memory)
{
	size_t bytes = (size_t)vf_size_bytes(session->result);
	if (!memory_allocate(memory, bytes, "the result"))
		return false;
	if (move_result(session, memory->bytes, bytes, NULL))
		return true;
	memory_release(memory);
	return false;
}

static bool save_picture(struct session *session, const char *path)
{
	vf_array *result = session->result;
	vf_dtype dtype = vf_dtype_of(result);
	struct problem problem;
	struct memory elements;
	struct replacement file;
	if (!picture_fits(dtype, vf_rank(result), vf_shape(result), &problem))
		return complain("%s: %s", path, problem.text);
	if (!replace_begin(&file, path))
		return false;
	bool done = gather(session, &elements);
	if (done) {
		done = picture_write(&file, dtype, vf_rank(result), vf_shape(result), elements.bytes);
		memory_release(&elements);
	}
	if (done)
		return replace_commit(&file);
	replace_abort(&file);
	return false;
}

/* The elements move straight into the mapped file, behind the header. */
static bool save_mapped(struct session *session, const char *path, const unsigned char *header,
                        size_t header_bytes)
{
	struct replacement file;
	size_t bytes = (size_t)vf_size_bytes(session->result), total;
	if (__builtin_add_overflow(header_bytes, bytes, &total))
		return complain("%s: the result is beyond 64 bits", path);
	if (!replace_begin(&file, path))
		return false;
	bool done = replace_map(&file, total);
	if (done) {
		memcpy(file.bytes, header, header_bytes);
		done = move_result(session, file.bytes + header_bytes, bytes, &file);
	}
	if (done)
		return replace_commit(&file);
	replace_abort(&file);
	return false;
}

static bool save_stream(struct session *session, const char *path, const unsigned char *header,
                        size_t header_bytes)
{
	struct memory elements;
	if (!gather(session, &elements))
		return false;
	bool done = stream_write(path, (const void *const[]){header, elements.bytes},
	                         (const size_t[]){header_bytes, elements.length}, 2);
	memory_release(&elements);
	return done;
}

static bool save_npy(struct session *session, const char *path)
{
	vf_array *result = session->result;
	struct element element = session_element(session, vf_dtype_of(result));
	size_t header_bytes;
	unsigned char *header =
	    npy_header_make(&element, vf_rank(result), vf_shape(result), &header_bytes);
	if (!header)
		return complain_memory(0, "a header");
	bool done = is_stream(path) ? save_stream(session, path, header, header_bytes)
	                            : save_mapped(session, path, header, header_bytes);
	free(header);
	return done;
}

bool save_result(struct session *session, const char *path)
{
	return ends_in(path, ".png") && !is_stream(path) ? save_picture(session, path)
	                                                 : save_npy(session, path);
}
