/* pieces.h -- a result on its way out, piece by piece, with little of it and of its inputs in memory. */
#pragma once

#include "session.h"

/* Where the bytes go, in their order. */
struct sink {
	/* Room for the next `length` bytes; NULL, having complained, ends the run. */
	unsigned char *(*room)(void *user, size_t length);
	/* They are there. False, having complained, ends the run. */
	bool (*put)(void *user);
	void *user;
};

/* Give the elements of the session's result, in C order, to `sink`. Its inputs were loaded for their pieces
 * (BYTES_PIECES). Half of the request's chunk is the result's, the other half is what is mapped of the
 * inputs' files at one time; above a cut the result is one piece. Progress on a terminal. */
bool pieces_put(struct session *session, const struct sink *sink);
