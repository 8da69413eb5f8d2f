/* run.c -- viewfold run: writes the elements of one result, or of several, to files.
 *
 * One array goes to its .npy file or stream in pieces. Several results, pictures and tensors are written at
 * once, so that what several results read of one input is read once. Every file is begun before the first
 * element moves, and takes its place after the last one has moved.
 */
#define _GNU_SOURCE
#include "npy.h"
#include "picture.h"
#include "pieces.h"
#include "replace.h"
#include "safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One item of the list and its file. */
struct output {
	vf_array *item;
	char *name;           /* as -o has it */
	struct member member; /* its file, and a tensor's name in it */
	bool begun, picture;  /* `begun`: of all tensors of one file, only the first */
	struct replacement file;
	struct memory elements; /* of a picture, until it is encoded */
};

struct outputs {
	struct session session;
	int n;
	struct output *list;
	void **places; /* of each item's elements */
	size_t *bytes;
};

/* ---- names -------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), tail = strlen(ending);
	return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static bool is_picture(const char *path)
{
	return ends_in(path, ".png") && !is_stream(path);
}

/* Whether a name tells the form of an output: .npy, .png, FILE.safetensors:NAME, or a stream, which gets
 * .npy. */
static bool has_form(const char *path)
{
	return ends_in(path, ".npy") || is_picture(path) || is_stream(path) ||
	       member_kind_of(path) == MEMBER_TENSOR;
}

/* Whether all is written at once: several outputs, a name with "{}", a tensor or a picture. */
static bool is_several(const struct request *request)
{
	const char *first = request->outputs[0];
	return request->noutputs > 1 || strstr(first, "{}") || member_kind_of(first) == MEMBER_TENSOR ||
	       is_picture(first);
}

static char *path_of(const struct request *request, int i)
{
	const char *name = request->outputs[request->noutputs > 1 ? i : 0], *hole = strstr(name, "{}");
	char *path = NULL;
	if (request->noutputs > 1 || !hole)
		path = strdup(name);
	else if (asprintf(&path, "%.*s%d%s", (int)(hole - name), name, i, hole + 2) < 0)
		path = NULL;
	return path;
}

/* Whether output i goes to a file to which no output before it goes. */
static bool is_new_file(const struct request *request, int i)
{
	const char *name = request->outputs[i];
	if (member_kind_of(name) != MEMBER_TENSOR)
		return true;
	size_t length = (size_t)(member_name_of(name) - name);
	for (int k = 0; k < i; k++)
		if (strncmp(request->outputs[k], name, length) == 0)
			return false;
	return true;
}

static int check_names(const struct request *request)
{
	int files = 0;
	for (int i = 0; i < request->noutputs; i++) {
		const char *name = request->outputs[i];
		if (!has_form(name))
			return complain_usage(
			    "-o %s: an output's name ends in .npy or .png, or is FILE.safetensors:NAME",
			    name);
		if (is_stream(name) && is_several(request))
			return complain_usage("-o %s: several outputs go to files", name);
		if (member_kind_of(name) == MEMBER_TENSOR && !*member_name_of(name))
			return complain_usage("-o %s: a tensor needs a name: FILE.safetensors:NAME", name);
		for (int k = 0; k < i; k++)
			if (strcmp(request->outputs[k], name) == 0)
				return complain_usage("-o %s is given twice", name);
		files += is_new_file(request, i);
		if (files > MAX_OUTPUT_FILES)
			return complain_usage(
			    "-o %s: there are %d output files already, the most there may be", name,
			    MAX_OUTPUT_FILES);
	}
	return STATUS_OK;
}

/* ---- files -------------------------------------------------------------- */

static bool begin_picture(struct output *output, void **place)
{
	struct problem problem;
	const vf_array *item = output->item;
	if (!picture_fits(vf_dtype_of(item), vf_rank(item), vf_shape(item), &problem))
		return complain("%s: %s", output->name, problem.text);
	bool done = memory_allocate(&output->elements, (size_t)vf_size_bytes(item), "a picture");
	*place = output->elements.bytes;
	return done;
}

/* The elements move straight into the mapped file, behind the header. */
static bool begin_npy(const struct session *session, struct output *output, void **place)
{
	const vf_array *item = output->item;
	struct element element = session_element(session, vf_dtype_of(item));
	size_t header_bytes, total;
	unsigned char *header = npy_header_make(&element, vf_rank(item), vf_shape(item), &header_bytes);
	if (!header)
		return complain_memory(0, "a header");
	bool done = !__builtin_add_overflow(header_bytes, (size_t)vf_size_bytes(item), &total);
	done = done ? replace_map(&output->file, total)
	            : complain("%s: the result is beyond 64 bits", output->name);
	if (done) {
		memcpy(output->file.bytes, header, header_bytes);
		*place = output->file.bytes + header_bytes;
	}
	free(header);
	return done;
}

static bool same_file(const struct output *a, const struct output *b)
{
	return a->member.kind == MEMBER_TENSOR && b->member.kind == MEMBER_TENSOR &&
	       strcmp(a->member.path, b->member.path) == 0;
}

/* List the tensors that go to the file of output i, which is the first of them. Returns how many. */
static int list_tensors(const struct outputs *o, int i, struct tensor_entry *entries)
{
	int n = 0;
	for (int k = i; k < o->n; k++) {
		const struct output *output = &o->list[k];
		if (same_file(&o->list[i], output))
			entries[n++] = (struct tensor_entry){
			    output->member.name,   session_element(&o->session, vf_dtype_of(output->item)),
			    vf_rank(output->item), vf_shape(output->item),
			    o->bytes[k],           0};
	}
	return n;
}

/* Begin the file of output i, with a place for each of its tensors behind the header. */
static bool begin_tensors(struct outputs *o, int i)
{
	struct output *first = &o->list[i];
	struct problem problem = {{0}};
	size_t length, total;
	struct tensor_entry *entries = calloc((size_t)(o->n - i), sizeof *entries);
	if (!entries)
		return complain_memory(0, "the outputs");
	int n = list_tensors(o, i, entries);
	bool done = true;
	for (int k = 0; k < n && done; k++)
		done = safetensors_fits(&entries[k], &problem);
	unsigned char *header = done ? safetensors_header_make(n, entries, &length, &total, &problem) : NULL;
	done = header ? replace_map(&first->file, total)
	              : complain("%s: %s", first->member.path, problem.text);
	if (done)
		memcpy(first->file.bytes, header, length);
	for (int k = i, next = 0; k < o->n && done; k++)
		if (same_file(first, &o->list[k]))
			o->places[k] = first->file.bytes + entries[next++].data_offset;
	free(header);
	free(entries);
	return done;
}

static bool name_output(struct outputs *o, int i)
{
	struct output *output = &o->list[i];
	o->bytes[i] = (size_t)vf_size_bytes(output->item);
	output->name = path_of(o->session.request, i);
	return output->name && member_split(output->name, &output->member)
	           ? true
	           : complain_memory(0, "a file name");
}

static bool begin_output(struct outputs *o, int i)
{
	struct output *output = &o->list[i];
	for (int k = 0; k < i; k++)
		if (same_file(&o->list[k], output))
			return true;
	output->picture = is_picture(output->name);
	output->begun = replace_begin(&output->file, output->member.path);
	if (!output->begun)
		return false;
	if (output->member.kind == MEMBER_TENSOR)
		return begin_tensors(o, i);
	return output->picture ? begin_picture(output, &o->places[i])
	                       : begin_npy(&o->session, output, &o->places[i]);
}

static bool end_output(struct output *output)
{
	const vf_array *item = output->item;
	if (!output->begun)
		return true;
	if (output->picture && !picture_write(&output->file, vf_dtype_of(item), vf_rank(item), vf_shape(item),
	                                      output->elements.bytes))
		return false;
	output->begun = false;
	return replace_commit(&output->file);
}

/* ---- the run ------------------------------------------------------------ */

/* Evaluate the items of the list. All leaves are in memory or mapped. */
static bool evaluate(struct outputs *o)
{
	const struct request *request = o->session.request;
	bool one = request->noutputs == 1 && !strstr(request->outputs[0], "{}");
	vf_array **items = one ? session_eval_one(&o->session, &o->n)
	                       : session_eval_parts(&o->session, request->expression, &o->n);
	if (!items)
		return false;
	o->list = calloc((size_t)o->n + 1, sizeof *o->list);
	o->places = calloc((size_t)o->n + 1, sizeof *o->places);
	o->bytes = calloc((size_t)o->n + 1, sizeof *o->bytes);
	bool done = o->list && o->places && o->bytes;
	for (int i = 0; i < o->n; i++) {
		if (done)
			o->list[i].item = items[i];
		else
			vf_release(items[i]);
	}
	free(items);
	if (!done)
		return complain_memory(0, "the outputs");
	if (request->noutputs > 1 && request->noutputs != o->n)
		return complain("the expression has %d results, but %d outputs are named", o->n,
		                request->noutputs);
	return true;
}

static bool move_all(struct outputs *o)
{
	vf_array **items = calloc((size_t)o->n + 1, sizeof *items);
	if (!items)
		return complain_memory(0, "the outputs");
	for (int i = 0; i < o->n; i++)
		items[i] = o->list[i].item;
	bool done = vf_materialize_all(o->n, items, o->places, o->bytes) == VF_OK;
	free(items);
	return done ? true : session_failed(o->session.ctx);
}

static void drop(struct outputs *o)
{
	for (int i = 0; i < o->n && o->list; i++) {
		if (o->list[i].begun)
			replace_abort(&o->list[i].file);
		memory_release(&o->list[i].elements);
		vf_release(o->list[i].item);
		free(o->list[i].member.path);
		free(o->list[i].name);
	}
	free(o->list);
	free(o->places);
	free(o->bytes);
}

static bool write_several(const struct request *request)
{
	struct outputs o = {.n = 0};
	if (!session_load(&o.session, request, BYTES_READ))
		return false;
	bool done = evaluate(&o);
	for (int i = 0; i < o.n && done; i++)
		done = name_output(&o, i);
	for (int i = 0; i < o.n && done; i++)
		done = begin_output(&o, i);
	done = done && move_all(&o);
	for (int i = 0; i < o.n && done; i++)
		done = end_output(&o.list[i]);
	drop(&o);
	return session_end(&o.session, done) == STATUS_OK;
}

/* ---- one array, as .npy ------------------------------------------------- */

static bool save_file(struct session *session, const char *path, const unsigned char *header,
                      size_t header_bytes)
{
	struct replacement file;
	struct sink sink = {.file = &file, .end = header_bytes};
	size_t bytes = memory_size(vf_size_bytes(session->result)), total;
	if (__builtin_add_overflow(header_bytes, bytes, &total))
		return complain("%s: the result is more than this machine can address", path);
	if (!replace_begin(&file, path))
		return false;
	if (replace_reserve(&file, total) && replace_write(&file, header, header_bytes) &&
	    pieces_put(session, &sink))
		return replace_commit(&file);
	replace_abort(&file);
	return false;
}

static bool save_stream(struct session *session, const char *path, const unsigned char *header,
                        size_t header_bytes)
{
	struct stream stream;
	struct sink sink = {.stream = &stream};
	if (!stream_open(&stream, path))
		return false;
	bool done = stream_write(&stream, header, header_bytes) && pieces_put(session, &sink);
	memory_release(&sink.buffer);
	return stream_close(&stream, done);
}

static bool save_npy(struct session *session, const char *path)
{
	vf_array *result = session->result;
	struct element element = session_element(session, vf_dtype_of(result));
	size_t header_bytes;
	unsigned char *header = npy_header_make(&element, vf_rank(result), vf_shape(result), &header_bytes);
	if (!header)
		return complain_memory(0, "a header");
	bool done = is_stream(path) ? save_stream(session, path, header, header_bytes)
	                            : save_file(session, path, header, header_bytes);
	free(header);
	return done;
}

static bool write_one(const struct request *request)
{
	struct session session;
	if (!session_open(&session, request, BYTES_PIECES))
		return false;
	bool done = save_npy(&session, request->output);
	return session_end(&session, done) == STATUS_OK;
}

int command_run(const struct request *request)
{
	if (!request->output)
		return complain_usage(
		    "run needs an output: -o OUT.npy, -o OUT.png or -o OUT.safetensors:NAME");
	int status = check_names(request);
	if (status != STATUS_OK)
		return status;
	return (is_several(request) ? write_several(request) : write_one(request)) ? STATUS_OK
	                                                                           : STATUS_FAILED;
}
