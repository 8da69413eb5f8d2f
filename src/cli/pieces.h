/* pieces.h -- a result on its way out, piece by piece, with little of it and of its inputs in memory. */
#pragma once

#include "replace.h"
#include "session.h"

/* Where the bytes go, in their order: windows of a file, from byte `end` on, or a stream. */
struct sink {
	struct replacement *file;
	struct stream *stream;
	size_t end;
	struct memory buffer; /* that the stream is written from, for the caller to release */
	size_t length;        /* of what is in it */
};

/* Give the elements of the session's result, in C order, to `sink`. Its inputs were loaded for their pieces
 * (BYTES_PIECES). Half of the request's chunk is the result's, the other half is what is mapped of the
 * inputs' files at one time; above a cut the result is one piece. Progress on a terminal. */
bool pieces_put(struct session *session, struct sink *sink);
