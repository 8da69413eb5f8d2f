/* trace.h -- which bytes of which input a result reads.
 *
 * The kernel answers this, not the map: it runs over an input whose bytes spell their own positions, one byte
 * of the position in each run. So the answer is true for whatever the library does, also for cuts, regions
 * and changes of dtype.
 */
#pragma once

#include "session.h"

#define TRACE_ELSEWHERE UINT64_MAX

struct trace {
	struct session *session;
	size_t out_bytes;    /* of the result */
	uint64_t *position;  /* of each byte in the input that was followed last, or TRACE_ELSEWHERE */
	unsigned char *base; /* the result if all inputs are zero: its constants */
	vf_kernel *kernel;
	const void **data;    /* of each input: `zeros`, or `probe` */
	struct memory zeros;  /* as long as the longest input */
	unsigned char *probe; /* as long as the longest input that can be followed */
	unsigned char *out;
};

/* Prepare to follow the bytes of the session's result in inputs of at most `most` bytes. Complains.
 * trace_close() must follow in any case. */
bool trace_open(struct trace *trace, struct session *session, size_t most);
/* Set the positions for one input. Complains. */
bool trace_input(struct trace *trace, int which);
void trace_close(struct trace *trace);
