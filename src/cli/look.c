/* look.c -- viewfold explain, dump, graph: texts that the library writes, on stdout. No element is
 * read; declarations may be larger than memory. */
#include "json.h"
#include "session.h"

#include <stdio.h>
#include <string.h>

static char *source_of(const vf_array *array, const struct request *request)
{
	return vf_source(array, request->standalone);
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

static int print_text(const struct request *request,
                      char *(*text_of)(const vf_array *, const struct request *))
{
	struct session session;
	if (!session_open(&session, request, BYTES_NONE))
		return STATUS_FAILED;
	char *text = text_of(session.result, request);
	bool done = text ? true : session_failed(session.ctx);
	if (done)
		printf("%s%s", text, *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
	vf_text_free(session.ctx, text);
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
	return print_text(request, source_of);
}

int command_graph(const struct request *request)
{
	return print_text(request, dot_of);
}
