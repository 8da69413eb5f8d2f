/* trace.c -- see trace.h. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

static size_t input_bytes(const struct session *session, int which)
{
	return memory_size(vf_size_bytes(session->inputs[which].array));
}

static bool run(struct trace *trace, unsigned char *out)
{
	if (vf_run(trace->kernel, out, trace->out_bytes, trace->data) == VF_OK)
		return true;
	return session_failed(trace->session->ctx);
}

bool trace_open(struct trace *trace, struct session *session, size_t most)
{
	size_t n = (size_t)session->n, longest = 0, longest_probe = 0;
	*trace = (struct trace){.session = session, .out_bytes = memory_size(vf_size_bytes(session->result))};
	for (int i = 0; i < session->n; i++) {
		size_t bytes = input_bytes(session, i);
		longest = bytes > longest ? bytes : longest;
		longest_probe = bytes <= most && bytes > longest_probe ? bytes : longest_probe;
	}
	if (!memory_allocate(&trace->zeros, longest, "zeros"))
		return false;
	trace->data = calloc(n + 1, sizeof *trace->data);
	trace->probe = malloc(longest_probe + 1);
	trace->out = malloc(trace->out_bytes + 1);
	trace->base = malloc(trace->out_bytes + 1);
	trace->position = calloc(trace->out_bytes + 1, sizeof *trace->position);
	if (!trace->data || !trace->probe || !trace->out || !trace->base || !trace->position)
		return complain_memory(trace->out_bytes, "the list of what is read");
	for (size_t i = 0; i < n; i++)
		trace->data[i] = trace->zeros.bytes;
	trace->kernel = session_compile(session, session->result);
	return trace->kernel && run(trace, trace->base);
}

/* Run over an input in which each byte holds byte `digit` of its own position, and add the result's bytes to
 * the positions. */
static bool add_digit(struct trace *trace, size_t bytes, unsigned digit)
{
	for (size_t i = 0; i < bytes; i++)
		trace->probe[i] = (unsigned char)(i >> (8 * digit));
	bool done = run(trace, trace->out);
	for (size_t i = 0; i < trace->out_bytes && done; i++)
		trace->position[i] |= (uint64_t)trace->out[i] << (8 * digit);
	return done;
}

/* Check that the result is only moved. Run once more with all bits of the input inverted: a moved byte is
 * then inverted, too. A computed byte has no position. */
static bool check_moves(struct trace *trace, int which, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		trace->probe[i] = (unsigned char)~i;
	bool done = run(trace, trace->out);
	for (size_t i = 0; i < trace->out_bytes && done; i++) {
		uint64_t at = trace->position[i];
		if (at != TRACE_ELSEWHERE && (at >= bytes || trace->out[i] != (unsigned char)~at))
			return complain(
			    "elements are computed of %s: what becomes of its bytes cannot be followed",
			    trace->session->inputs[which].name);
	}
	return done;
}

bool trace_input(struct trace *trace, int which)
{
	size_t bytes = input_bytes(trace->session, which);
	bool done = true;
	memset(trace->position, 0, trace->out_bytes * sizeof *trace->position);
	trace->data[which] = trace->probe;
	for (unsigned digit = 0; digit == 0 || (bytes ? bytes - 1 : 0) >> (8 * digit); digit++)
		done = done && add_digit(trace, bytes, digit);
	/* A byte of the result comes from this input if it changes with the input. */
	memset(trace->probe, 0xff, bytes);
	done = done && run(trace, trace->out);
	for (size_t i = 0; i < trace->out_bytes && done; i++)
		if (trace->out[i] == trace->base[i])
			trace->position[i] = TRACE_ELSEWHERE;
	done = done && check_moves(trace, which, bytes);
	trace->data[which] = trace->zeros.bytes;
	return done;
}

void trace_close(struct trace *trace)
{
	if (trace->kernel)
		vf_kernel_release(trace->kernel);
	memory_release(&trace->zeros);
	free(trace->data);
	free(trace->probe);
	free(trace->out);
	free(trace->base);
	free(trace->position);
}
