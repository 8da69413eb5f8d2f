/* look.c -- viewfold explain, dump, graph: texts that the library writes, on stdout or to a file. No element
 * is read; declarations may be larger than memory. */
#include "json.h"
#include "replace.h"
#include "session.h"

#include <stdio.h>
#include <string.h>

typedef char *text_of(const vf_array *array, const struct request *request);

static char *standalone_of(const vf_array *array, const struct request *request)
{
	vf_standalone_options options = {.name = request->name, .expression = request->expression};
	return vf_standalone(array, &options);
}

static char *header_of(const vf_array *array, const struct request *request)
{
	vf_standalone_options options = {
	    .name = request->name, .expression = request->expression, .header = 1};
	return vf_standalone(array, &options);
}

static char *source_of(const vf_array *array, const struct request *request)
{
	return request->standalone ? standalone_of(array, request) : vf_source(array, false);
}

static char *explain_of(const vf_array *array, const struct request *request)
{
	(void)request;
	return vf_explain(array);
}

static char *dot_of(const vf_array *array, const struct request *request)
{
	(void)request;
	return vf_dot(array);
}

/* To the file `path`; NULL: stdout. */
static bool put(struct session *session, text_of *make, const char *path)
{
	char *text = make(session->result, session->request);
	bool done = text ? true : session_failed(session->ctx);
	if (done && path)
		done = output_save(path, text, strlen(text));
	else if (done)
		printf("%s%s", text, *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
	vf_text_free(session->ctx, text);
	return done;
}

static int print_text(const struct request *request, text_of *make)
{
	struct session session;
	if (!session_open(&session, request, BYTES_NONE))
		return STATUS_FAILED;
	bool done = (!request->header || put(&session, header_of, request->header)) &&
	            put(&session, make, request->output);
	return session_end(&session, done);
}

static int explain_as_json(const struct request *request)
{
	struct session session;
	if (!session_open(&session, request, BYTES_NONE))
		return STATUS_FAILED;
	return session_end(&session, json_explain(&session));
}

int command_explain(const struct request *request)
{
	if (request->json)
		return explain_as_json(request);
	return print_text(request, explain_of);
}

int command_dump(const struct request *request)
{
	if (!request->standalone && (request->name || request->header))
		return complain_usage("dump: --%s goes with --standalone", request->name ? "name" : "header");
	return print_text(request, source_of);
}

int command_graph(const struct request *request)
{
	return print_text(request, dot_of);
}
