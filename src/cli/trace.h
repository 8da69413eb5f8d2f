/* trace.h -- which bytes of which input a result reads.
 *
 * It is asked of the kernel, not of the map: it runs over inputs whose bytes spell their own positions,
 * one byte of the position a run. So the answer is true for whatever the library does, cuts and regions
 * and dtypes on the way included.
 */
#pragma once

#include "session.h"

#define TRACE_ELSEWHERE UINT64_MAX

struct trace {
	struct session *session;
	size_t out_bytes;    /* of the result */
	uint64_t *position;  /* of each of them in the input that was followed last, or TRACE_ELSEWHERE */
	unsigned char *base; /* the result where all inputs are zero: what is constant in it */
	vf_kernel *kernel;
	const void **data;    /* an input each: zeros, or `probe` */
	struct memory zeros;  /* as long as the longest input */
	unsigned char *probe; /* as long as the longest that can be followed */
	unsigned char *out;
};

/* Prepare to follow the bytes of the session's result in those inputs that have at most `most`.
 * Complains. trace_close() must follow in each case. */
bool trace_open(struct trace *trace, struct session *session, size_t most);
/* Set the positions for one input. Complains. */
bool trace_input(struct trace *trace, int which);
void trace_close(struct trace *trace);
