/* look.c -- viewfold explain, dump, graph: texts that the library makes, to stdout or a file. No element is
 * read, so declarations may be larger than memory. */
#include "json.h"
#include "replace.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a text is made of: the results of the request's expression. */
struct results {
	struct session session;
	int n;
	vf_array **arrays;
	bool list;
};

typedef char *text_of(const struct results *results);

static char *standalone_of(const struct results *r, int header)
{
	const struct request *request = r->session.request;
	vf_standalone_options options = {
	    .name = request->name, .expression = request->expression, .header = header};
	return vf_source_all(r->n, r->arrays, &options);
}

static char *header_of(const struct results *r)
{
	return standalone_of(r, 1);
}

static char *source_of(const struct results *r)
{
	return r->session.request->standalone ? standalone_of(r, 0) : vf_source_all(r->n, r->arrays, NULL);
}

static char *explain_of(const struct results *r)
{
	return vf_explain_all(r->n, r->arrays);
}

static char *dot_of(const struct results *r)
{
	return vf_dot_all(r->n, r->arrays);
}

/* Write the text to the file `path`; NULL: stdout. */
static bool put(const struct results *r, text_of *make, const char *path)
{
	char *text = make(r);
	bool done = text ? true : session_failed(r->session.ctx);
	if (done && path)
		done = output_save(path, text, strlen(text));
	else if (done)
		printf("%s%s", text, *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
	vf_text_free(r->session.ctx, text);
	return done;
}

static bool print_text(const struct results *r, text_of *make)
{
	const struct request *request = r->session.request;
	return (!request->header || put(r, header_of, request->header)) && put(r, make, request->output);
}

/* Make the text of all results. `make` NULL: JSON. */
static int look(const struct request *request, text_of *make)
{
	struct results r = {.n = 0};
	if (!session_load(&r.session, request, BYTES_NONE))
		return STATUS_FAILED;
	r.arrays = session_eval_all(&r.session, &r.n, &r.list);
	bool done = r.arrays && (r.n > 0 || complain("the expression has no results"));
	if (done)
		done = make ? print_text(&r, make) : json_explain(&r.session, r.n, r.arrays, r.list);
	for (int i = 0; r.arrays && i < r.n; i++)
		vf_release(r.arrays[i]);
	free(r.arrays);
	return session_end(&r.session, done);
}

int command_explain(const struct request *request)
{
	return look(request, request->json ? NULL : explain_of);
}

int command_dump(const struct request *request)
{
	if (!request->standalone && (request->name || request->header))
		return complain_usage("dump: --%s goes with --standalone", request->name ? "name" : "header");
	return look(request, source_of);
}

int command_graph(const struct request *request)
{
	return look(request, dot_of);
}
