/* session.h -- a context, the inputs, and expressions over them: for every command but ops and completion. */
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

/* Load the inputs, make their leaves, evaluate the expression, print what VF_DUMP asks for. Complains; after
 * a failure there is nothing to close. */
bool session_open(struct session *session, const struct request *request, enum bytes_wanted wanted);
void session_close(struct session *session);

/* A command's last step: keep the wisdom if all is `done`, then close. Returns the exit status. */
int session_end(struct session *session, bool done);

/* The first step of session_open() alone: make a context as the request asks for it, and load the inputs;
 * they are not yet wrapped. Complains; after a failure there is nothing to close. */
bool session_load(struct session *session, const struct request *request, enum bytes_wanted wanted);

/* The second and third step: make the leaves and set `result`. Complains; closes nothing. */
bool session_link(struct session *session);

/* Map the whole files of inputs that were loaded for their pieces. Then make the leaves and the result again.
 * Complains. */
bool session_map(struct session *session);

/* Evaluate a text over the session's leaves; complains. */
vf_array *session_eval(struct session *session, const char *expression);

/* Make the leaves and evaluate a text that is a list. Returns its items, new references in an array that the
 * caller frees. Prints what VF_DUMP asks for. NULL: it has complained. */
vf_array **session_eval_parts(struct session *session, const char *expression, int *n);

/* The same of the request's expression, which is one array: a list of one. */
vf_array **session_eval_one(struct session *session, int *n);

/* The same of the request's expression, be it a list (*list is true) or one array. */
vf_array **session_eval_all(struct session *session, int *n, bool *list);

/* Complain with the context's error and clear it. Returns false. */
bool session_failed(vf_context *ctx);

/* How elements of the type `dtype` are described. If the inputs of this type agree on a description, it is
 * theirs; else the type alone describes them. The text in it is borrowed. */
struct element session_element(const struct session *session, vf_dtype dtype);

/* The kernel that writes `array`; it is given all inputs in their order. Complains. */
vf_kernel *session_compile(const struct session *session, const vf_array *array);

/* Print on stderr what VF_DUMP asks for of n arrays that are written together. */
void session_dump(const struct session *session, int n, vf_array *const *arrays);
