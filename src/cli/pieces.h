/* pieces.h -- writes a result piece by piece, with little of it and of its inputs in memory. */
#pragma once

#include "replace.h"
#include "session.h"

/* Where the bytes go, in their order: windows of a file, from byte `end` on, or a stream. */
struct sink {
	struct replacement *file;
	struct stream *stream;
	size_t end;
	struct memory buffer; /* the stream is written from it; the caller releases it */
	size_t length;        /* of the bytes in it */
};

/* Write the elements of the session's result, in C order, to `sink`. The inputs must be loaded with
 * BYTES_PIECES. Half of the request's chunk is for the result. The other half is for the bytes of the inputs'
 * files that are mapped at one time. Above a cut the result is one piece. Progress goes to a terminal.
 * Complains. */
bool pieces_put(struct session *session, struct sink *sink);
