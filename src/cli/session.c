/* session.c -- see session.h. */
#include "session.h"

#include "memory.h"
#include "wisdom.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool session_failed(vf_context *ctx)
{
	complain("%s", vf_error_text(ctx));
	vf_error_clear(ctx);
	return false;
}

static bool open_context(struct session *session)
{
	const struct request *request = session->request;
	vf_options options = {.threads = request->threads,
	                      .effort = request->effort,
	                      .engine = request->engine,
	                      .variant = request->variant,
	                      .history = INT_MAX};
	if (request->relay_bytes >= 0)
		options.relay_bytes = request->relay_bytes > 0 ? request->relay_bytes : -1;
	memory_serve(&options);
	session->ctx = vf_context_create(&options);
	if (session->ctx)
		return wisdom_load(session->ctx, request);
	if (request->variant)
		return complain("--variant %s: this machine or this build does not have it",
		                request->variant);
	return complain_memory(0, "a context");
}

bool session_load(struct session *session, const struct request *request, enum bytes_wanted wanted)
{
	size_t n = (size_t)request->ninputs;
	*session = (struct session){.request = request};
	session->inputs = calloc(n ? n : 1, sizeof *session->inputs);
	bool done = session->inputs ? open_context(session) : complain_memory(n, "the inputs");
	for (size_t i = 0; i < n && done; i++) {
		session->n++;
		done = input_load(&session->inputs[i], request->inputs[i], wanted);
	}
	if (!done)
		session_close(session);
	return done;
}

/* The leaves by their names; close_names() frees them, also after a failure. Complains. */
static bool open_names(const struct session *session, vf_names *out)
{
	size_t n = (size_t)session->n;
	const char **names = calloc(n ? n : 1, sizeof *names);
	vf_array **arrays = calloc(n ? n : 1, sizeof *arrays);
	for (size_t i = 0; i < n && names && arrays; i++) {
		names[i] = session->inputs[i].name;
		arrays[i] = session->inputs[i].array;
	}
	*out = (vf_names){session->n, names, arrays};
	return names && arrays ? true : complain_memory(n, "the names");
}

static void close_names(const vf_names *names)
{
	free((void *)(uintptr_t)names->names);
	free((void *)(uintptr_t)names->arrays);
}

vf_array *session_eval(struct session *session, const char *expression)
{
	vf_names names;
	vf_array *result = NULL;
	if (open_names(session, &names)) {
		result = vf_eval(session->ctx, expression, names.n, names.names, names.arrays);
		if (!result)
			session_failed(session->ctx);
	}
	close_names(&names);
	return result;
}

static bool wrap_inputs(struct session *session)
{
	bool done = true;
	for (int i = 0; i < session->n && done; i++)
		done = session->inputs[i].array || input_wrap(&session->inputs[i], session->ctx, NULL);
	return done;
}

vf_array **session_eval_parts(struct session *session, const char *expression, int *n)
{
	vf_names names;
	vf_array **parts = NULL;
	bool named = wrap_inputs(session) && open_names(session, &names);
	if (!named)
		return NULL;
	*n = vf_eval_parts(session->ctx, expression, &names, 0, NULL);
	if (*n >= 0 && !(parts = calloc((size_t)*n + 1, sizeof *parts)))
		complain_memory(0, "the results");
	if (parts)
		*n = vf_eval_parts(session->ctx, expression, &names, *n, parts);
	if (*n < 0)
		session_failed(session->ctx);
	close_names(&names);
	if (parts && *n > 0)
		session_dump(session, *n, parts);
	return parts;
}

vf_array **session_eval_one(struct session *session, int *n)
{
	vf_array **items = calloc(1, sizeof *items);
	*n = 1;
	if (!items)
		complain_memory(0, "the results");
	if (items && session_link(session)) {
		items[0] = vf_retain(session->result);
		session_dump(session, 1, items);
		return items;
	}
	free(items);
	return NULL;
}

bool session_link(struct session *session)
{
	if (!wrap_inputs(session))
		return false;
	session->result = session_eval(session, session->request->expression);
	return session->result != NULL;
}

static bool comes_to_a_list(const struct session *session)
{
	vf_names names;
	bool list = open_names(session, &names) &&
	            vf_eval_parts(session->ctx, session->request->expression, &names, 0, NULL) >= 0;
	close_names(&names);
	vf_error_clear(session->ctx);
	return list;
}

vf_array **session_eval_all(struct session *session, int *n, bool *list)
{
	*list = false;
	if (!wrap_inputs(session))
		return NULL;
	*list = comes_to_a_list(session);
	if (*list)
		return session_eval_parts(session, session->request->expression, n);
	return session_eval_one(session, n);
}

bool session_map(struct session *session)
{
	bool windowed = false;
	for (int i = 0; i < session->n; i++) {
		windowed = windowed || session->inputs[i].memory.windowed;
		if (!input_map(&session->inputs[i]))
			return false;
	}
	if (!windowed)
		return true;
	vf_release(session->result);
	session->result = NULL;
	for (int i = 0; i < session->n; i++) {
		vf_release(session->inputs[i].array);
		session->inputs[i].array = NULL;
	}
	return session_link(session);
}

bool session_open(struct session *session, const struct request *request, enum bytes_wanted wanted)
{
	if (!session_load(session, request, wanted))
		return false;
	if (!session_link(session)) {
		session_close(session);
		return false;
	}
	session_dump(session, 1, &session->result);
	return true;
}

void session_close(struct session *session)
{
	vf_release(session->result);
	for (int i = 0; i < session->n; i++)
		input_drop(&session->inputs[i]);
	free(session->inputs);
	if (session->ctx)
		vf_context_release(session->ctx);
	*session = (struct session){0};
}

int session_end(struct session *session, bool done)
{
	done = done && wisdom_keep(session->ctx, session->request);
	session_close(session);
	return done ? STATUS_OK : STATUS_FAILED;
}

static bool same_descr(const struct element *a, const struct element *b)
{
	if (a->tensor_type != b->tensor_type)
		return false;
	return a->descr && b->descr ? strcmp(a->descr, b->descr) == 0 : a->descr == b->descr;
}

struct element session_element(const struct session *session, vf_dtype dtype)
{
	const struct element plain = {.dtype = dtype}, *found = NULL;
	for (int i = 0; i < session->n; i++) {
		const struct element *element = &session->inputs[i].element;
		if (element->dtype != dtype)
			continue;
		if (found && !same_descr(found, element))
			return plain;
		found = element;
	}
	return found ? *found : plain;
}

vf_kernel *session_compile(const struct session *session, const vf_array *array)
{
	size_t n = (size_t)session->n;
	vf_array **arrays = calloc(n ? n : 1, sizeof *arrays);
	if (!arrays) {
		complain_memory(n, "the inputs");
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		arrays[i] = session->inputs[i].array;
	vf_kernel *kernel = vf_compile(array, session->n, arrays);
	if (!kernel)
		session_failed(session->ctx);
	free(arrays);
	return kernel;
}

/* Whether `phase` stands in the comma-separated list. */
static bool lists(const char *list, const char *phase)
{
	size_t length = strlen(phase);
	for (; *list; list += strcspn(list, ",")) {
		list += *list == ',';
		if (strncmp(list, phase, length) == 0 && (list[length] == ',' || !list[length]))
			return true;
		if (!*list)
			break;
	}
	return false;
}

static void dump_text(const struct session *session, char *text)
{
	if (text)
		fprintf(stderr, "%s%s", text, *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
	else
		session_failed(session->ctx);
	vf_text_free(session->ctx, text);
}

void session_dump(const struct session *session, int n, vf_array *const *arrays)
{
	static const char *const names[] = {"fold", "job", "normal", "choice", "plan", "c"};
	const char *phases = getenv("VF_DUMP");
	if (!phases)
		return;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (lists(phases, names[i]))
			dump_text(session, vf_phase_text_all(n, arrays, names[i]));
}
