/* assign.c -- viewfold assign: write through a view into .npy and .safetensors files.
 *
 * The inputs that DST_EXPR names are the destinations. Each destination is copied to a temporary file beside
 * its file, and the tool writes into the copy. Once everything has succeeded, the copy takes the place of the
 * file. So a file changes as a whole or not at all, and all other inputs are read as they were. The rest of
 * the file stays as it is, also its order of axes and of bytes.
 */
#include "replace.h"
#include "session.h"
#include "wisdom.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A destination: its input, and the copy that will replace its file. */
struct target {
	struct input *input;
	struct replacement file;
	bool open;
};

struct assignment {
	char *destination, *source; /* the two expressions */
	struct session session;
	struct target *targets; /* one for each input; those that DST_EXPR names are `open` */
};

/* ---- the two expressions ------------------------------------------------ */

/* The '=' between them: the first outside brackets and quotes. */
static const char *find_equals(const char *text)
{
	int depth = 0;
	char quote = 0;
	for (; *text; text++) {
		if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '\'' || *text == '"')
			quote = *text;
		else if (strchr("([{", *text))
			depth++;
		else if (strchr(")]}", *text))
			depth--;
		else if (*text == '=' && depth == 0)
			return text;
	}
	return NULL;
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether `name` stands in an expression as a word of its own and not behind a point. A keyword argument of
 * the same name counts, too. */
static bool mentions(const char *expression, const char *name)
{
	size_t length = strlen(name);
	for (const char *c = strstr(expression, name); c; c = strstr(c + 1, name)) {
		char before = c > expression ? c[-1] : ' ';
		if (!is_word_byte(before) && before != '.' && !is_word_byte(c[length]))
			return true;
	}
	return false;
}

/* ---- destinations ------------------------------------------------------- */

/* Where the elements lie in the copy. */
static unsigned char *place_of(const struct target *target)
{
	return target->file.bytes + target->input->data_offset;
}

static void swap_target(const struct target *target)
{
	const struct input *input = target->input;
	if (input->element.swap_bytes)
		swap_bytes(place_of(target), place_of(target), input->data_bytes, input->element.swap_bytes);
}

static bool open_target(struct target *target, vf_context *ctx)
{
	struct input *input = target->input;
	if (input->kind != INPUT_NPY && input->kind != INPUT_TENSOR)
		return complain("%s: assign writes into .npy files and what is not compressed, this is %s",
		                input->source,
		                input->kind == INPUT_PICTURE    ? "a picture"
		                : input->kind == INPUT_UNPACKED ? "compressed, or of Zarr"
		                                                : "a declaration");
	if (input->member.kind == MEMBER_NPZ)
		return complain("%s: assign leaves .npz files alone: a checksum stands beside each member",
		                input->source);
	if (is_stream(input->source))
		return complain("%s: not a regular file", input->source);
	if (!replace_begin(&target->file, input->member.path))
		return false;
	target->open = true;
	if (!replace_map(&target->file, input->memory.length))
		return false;
	memcpy(target->file.bytes, input->memory.bytes, input->memory.length);
	swap_target(target);
	return input_wrap(input, ctx, input->data_bytes ? place_of(target) : NULL);
}

/* Refuse two names for one file: the changes of one of them would be lost. */
static bool check_targets(const struct assignment *assignment)
{
	for (int i = 0; i < assignment->session.n; i++)
		for (int k = 0; k < i; k++) {
			const struct target *a = &assignment->targets[k], *b = &assignment->targets[i];
			if (a->open && b->open && strcmp(a->file.target, b->file.target) == 0)
				return complain("assign: %s and %s are one file", a->input->name,
				                b->input->name);
		}
	return true;
}

/* Wrap an input that is only read. If it is in the other byte order, it needs memory of its own. */
static bool open_source(struct input *input, vf_context *ctx)
{
	return input_set_order(input) && input_wrap(input, ctx, NULL);
}

static bool open_inputs(struct assignment *assignment)
{
	struct session *session = &assignment->session;
	bool any = false;
	for (int i = 0; i < session->n; i++) {
		struct target *target = &assignment->targets[i];
		target->input = &session->inputs[i];
		bool written = mentions(assignment->destination, target->input->name);
		any = any || written;
		if (written ? !open_target(target, session->ctx) : !open_source(target->input, session->ctx))
			return false;
	}
	if (!any)
		return complain("assign: '%s' names no input", assignment->destination);
	return check_targets(assignment);
}

/* ---- the assignment ----------------------------------------------------- */

static vf_status fill(vf_context *ctx, vf_array *destination, const char *number)
{
	vf_dtype dtype = vf_dtype_of(destination);
	void *element = malloc((size_t)vf_dtype_bytes(dtype));
	vf_status status = element ? vf_eval_number(ctx, number, dtype, element) : VF_ERR_MEMORY;
	if (status == VF_OK)
		status = vf_fill(destination, element) == VF_OK ? VF_OK : VF_ERR_WRITE;
	free(element);
	return status;
}

/* The source is a number if the library can read it as one; else it is an expression of the inputs. */
static bool write_source(struct session *session, vf_array *destination, const char *text)
{
	vf_status status = fill(session->ctx, destination, text);
	if (status == VF_OK)
		return true;
	if (status == VF_ERR_MEMORY)
		return complain_memory(0, "an element");
	if (status == VF_ERR_WRITE || status == VF_ERR_DTYPE || status == VF_ERR_OVERFLOW)
		return session_failed(session->ctx);
	vf_error_clear(session->ctx);
	vf_array *source = session_eval(session, text);
	if (!source)
		return false;
	session_dump(session, 1, &source);
	bool done = vf_assign(destination, source) == VF_OK || session_failed(session->ctx);
	vf_release(source);
	return done;
}

static bool assign(struct assignment *assignment)
{
	struct session *session = &assignment->session;
	vf_array *destination = session_eval(session, assignment->destination);
	if (!destination)
		return false;
	session_dump(session, 1, &destination);
	bool done = write_source(session, destination, assignment->source);
	vf_release(destination);
	return done;
}

static bool commit(struct assignment *assignment)
{
	bool done = true;
	for (int i = 0; i < assignment->session.n && done; i++) {
		struct target *target = &assignment->targets[i];
		if (!target->open)
			continue;
		swap_target(target);
		target->open = false;
		done = replace_commit(&target->file);
	}
	return done;
}

static void close_all(struct assignment *assignment)
{
	for (int i = 0; i < assignment->session.n && assignment->targets; i++)
		if (assignment->targets[i].open)
			replace_abort(&assignment->targets[i].file);
	free(assignment->targets);
	session_close(&assignment->session);
}

static bool run(struct assignment *assignment, const struct request *request)
{
	size_t n = (size_t)request->ninputs;
	if (!session_load(&assignment->session, request, BYTES_STORED))
		return false;
	assignment->targets = calloc(n ? n : 1, sizeof *assignment->targets);
	bool done = assignment->targets || complain_memory(n, "the destinations");
	done = done && open_inputs(assignment) && assign(assignment) && commit(assignment) &&
	       wisdom_keep(assignment->session.ctx, request);
	close_all(assignment);
	return done;
}

static char *trimmed(const char *start, const char *end)
{
	while (start < end && *start == ' ')
		start++;
	while (end > start && end[-1] == ' ')
		end--;
	return strndup(start, (size_t)(end - start));
}

int command_assign(const struct request *request)
{
	const char *text = request->expression, *equals = find_equals(text);
	if (!equals)
		return complain_usage("assign needs DST_EXPR=SRC_EXPR, '%s' has no '='", text);
	struct assignment assignment = {.destination = trimmed(text, equals),
	                                .source = trimmed(equals + 1, equals + strlen(equals))};
	bool done = assignment.destination && assignment.source ? run(&assignment, request)
	                                                        : complain_memory(0, "an expression");
	free(assignment.destination);
	free(assignment.source);
	return done ? STATUS_OK : STATUS_FAILED;
}
