/* wisdom.c -- see wisdom.h. */
#include "wisdom.h"

#include "memory.h"
#include "replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *wisdom_place(void)
{
	static char place[4096];
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length = -1;
	if (cache && cache[0] == '/') /* the specification ignores relative paths */
		length = snprintf(place, sizeof place, "%s/viewfold/wisdom", cache);
	else if (home && home[0])
		length = snprintf(place, sizeof place, "%s/.cache/viewfold/wisdom", home);
	return length > 0 && (size_t)length < sizeof place ? place : NULL;
}

/* The file as a text, for the caller to free. NULL: there is none (`*done`), or it failed (not `*done`). */
static char *read_text(const struct request *request, bool *done)
{
	struct memory file;
	*done = true;
	if (request->effort == VF_EFFORT_MEASURE && access(request->wisdom, F_OK) != 0 && errno == ENOENT)
		return NULL;
	*done = memory_from_file(&file, request->wisdom);
	if (!*done)
		return NULL;
	char *text = calloc(1, file.length + 1);
	if (text && file.length)
		memcpy(text, file.bytes, file.length);
	memory_release(&file);
	*done = text || complain_memory(file.length, request->wisdom);
	return text;
}

/* Returns the text as the file holds it now, and adds its choices to the context's. */
static char *load(vf_context *ctx, const struct request *request, bool *done)
{
	char *text = read_text(request, done);
	if (!text || vf_wisdom_load(ctx, text) == VF_OK)
		return text;
	*done = complain("%s: %s", request->wisdom, vf_error_text(ctx));
	vf_error_clear(ctx);
	free(text);
	return NULL;
}

/* Load what tune kept, if anything. A file that cannot be read is ignored. */
static void load_kept(vf_context *ctx)
{
	struct request kept = {.wisdom = wisdom_place()};
	bool done;
	if (!kept.wisdom || access(kept.wisdom, R_OK) != 0)
		return;
	char *text = read_text(&kept, &done);
	if (text && vf_wisdom_load(ctx, text) != VF_OK)
		vf_error_clear(ctx);
	free(text);
}

bool wisdom_load(vf_context *ctx, const struct request *request)
{
	bool done = true;
	if (request->wisdom)
		free(load(ctx, request, &done));
	else
		load_kept(ctx);
	return done;
}

static bool same_first_line(const char *a, const char *b)
{
	size_t length = strcspn(a, "\n") + 1;
	return strncmp(a, b, length) == 0;
}

bool wisdom_keep(vf_context *ctx, const struct request *request)
{
	bool done = true;
	if (!request->wisdom)
		return true;
	char *text = load(ctx, request, &done); /* again: another run may have added to the file */
	char *known = done ? vf_wisdom_save(ctx) : NULL;
	if (done && !known)
		done = complain_memory(0, request->wisdom);
	if (done && text && !same_first_line(known, text))
		fprintf(stderr, "viewfold: %s: of another machine or release; nothing of it was used\n",
		        request->wisdom);
	if (done && request->effort == VF_EFFORT_MEASURE && !(text && strcmp(text, known) == 0))
		done = output_save(request->wisdom, known, strlen(known));
	vf_text_free(ctx, known);
	free(text);
	return done;
}
