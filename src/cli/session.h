/* session.h -- one expression over its inputs: what every command but `assign` starts from. */
#pragma once

#include "input.h"
#include "request.h"

struct session {
	const struct request *request;
	vf_context *ctx;
	int n;
	struct input *inputs;
	vf_array *result; /* of the request's expression */
};

/* Load the inputs, make their leaves, evaluate the expression, print what VF_DUMP asks for.
 * Complains; on failure nothing needs closing. */
bool session_open(struct session *session, const struct request *request, enum bytes_wanted wanted);
void session_close(struct session *session);

/* A command's last step: keep the wisdom if all is `done`, close. The exit status. */
int session_end(struct session *session, bool done);

/* The first step alone: a context as the request asks for it, and its inputs, loaded but not yet
 * wrapped. */
bool session_load(struct session *session, const struct request *request, enum bytes_wanted wanted);

/* The second and third: make the leaves and set `result`. Complains; closes nothing. */
bool session_link(struct session *session);

/* Map all of the inputs whose files were loaded for their pieces, and make leaves and
 * result anew over them. */
bool session_map(struct session *session);

/* Evaluate a text over the session's leaves; complains. */
vf_array *session_eval(struct session *session, const char *expression);

/* The items of the list that a text comes to, new references in an array for the caller to free, and what
 * VF_DUMP asks for of all. Makes the leaves first. NULL, having complained, on failure. */
vf_array **session_eval_parts(struct session *session, const char *expression, int *n);

/* The array that the request's expression comes to, as a list of one. */
vf_array **session_eval_one(struct session *session, int *n);

/* The items of the list that it comes to (*list is true), or the one array. */
vf_array **session_eval_all(struct session *session, int *n, bool *list);

/* The context's error as the tool's; clears it. Returns false. */
bool session_failed(vf_context *ctx);

/* How elements of the type `dtype` are described: as those inputs have it that share the type and
 * agree on the description, else by the type alone. The text in it is borrowed. */
struct element session_element(const struct session *session, vf_dtype dtype);

/* The kernel that writes `array`, with all inputs in their order. Complains. */
vf_kernel *session_compile(const struct session *session, const vf_array *array);

/* What VF_DUMP asks for of n arrays that are written in one pass, on stderr. */
void session_dump(const struct session *session, int n, vf_array *const *arrays);
