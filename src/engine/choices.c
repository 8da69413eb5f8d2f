/* choices.c -- see choices.h.
 *
 * In     bends, by the hash of a job; a text
 * Out    the same
 * Keeps  a text of another machine or release is ignored, and so is the rest of a damaged one. A choice never
 *        changes the result, only how it is reached
 * Tests  tests/unit/test_measure.c
 */
#include "engine/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vf_choices_open(vf_choices *choices)
{
	memset(choices, 0, sizeof *choices);
	pthread_mutex_init(&choices->lock, NULL); /* default attributes: cannot fail */
}

void vf_choices_close(vf_context *ctx, vf_choices *choices)
{
	vf_dealloc(ctx, choices->list);
	pthread_mutex_destroy(&choices->lock);
}

/* ---- what is known; the lock is held ---- */

static const vf_choice *find(const vf_choices *choices, uint64_t hash)
{
	for (int i = 0; i < choices->n; i++)
		if (choices->list[i].hash == hash)
			return &choices->list[i];
	return NULL;
}

static bool has_room(vf_context *ctx, vf_choices *choices)
{
	if (choices->n < choices->capacity)
		return true;
	int capacity = choices->capacity ? 2 * choices->capacity : 16;
	const vf_options *o = &ctx->options;
	vf_choice *grown = o->reallocate(o->memory_user, choices->list, (size_t)capacity * sizeof *grown);
	if (!grown)
		return false;
	choices->list = grown;
	choices->capacity = capacity;
	return true;
}

static void add(vf_context *ctx, vf_choices *choices, uint64_t hash, vf_bend bend)
{
	if (!find(choices, hash) && has_room(ctx, choices))
		choices->list[choices->n++] = (vf_choice){hash, bend};
}

/* ---- the same, locked ---- */

bool vf_choices_find(vf_choices *choices, uint64_t hash, vf_bend *bend)
{
	pthread_mutex_lock(&choices->lock);
	const vf_choice *known = find(choices, hash);
	if (known)
		*bend = known->bend;
	pthread_mutex_unlock(&choices->lock);
	return known != NULL;
}

void vf_choices_add(vf_context *ctx, vf_choices *choices, uint64_t hash, vf_bend bend)
{
	pthread_mutex_lock(&choices->lock);
	add(ctx, choices, hash, bend);
	pthread_mutex_unlock(&choices->lock);
}

vf_bend vf_choices_tuned(vf_choices *choices)
{
	pthread_mutex_lock(&choices->lock);
	vf_bend bend = choices->tuned;
	pthread_mutex_unlock(&choices->lock);
	return bend;
}

void vf_choices_tune(vf_choices *choices, vf_bend bend)
{
	pthread_mutex_lock(&choices->lock);
	choices->tuned = bend;
	choices->is_tuned = true;
	pthread_mutex_unlock(&choices->lock);
}

/* ---- text: a head, "machine BEND" where it is tuned, then "HASH BEND" a job ---- */

/* Prints what must agree if a choice is to mean anything here: release, form, codelets, caches. */
static void print_header(vf_context *ctx, const vf_machine *m, char *line, size_t size)
{
	snprintf(line, size, "viewfold-wisdom %d.%d.%d/3 %s %lld %lld %lld", VF_VERSION_MAJOR,
	         VF_VERSION_MINOR, VF_VERSION_PATCH, ctx->codelets->name, (long long)m->cpu.l1_bytes,
	         (long long)m->cpu.l2_bytes, (long long)m->cpu.l3_bytes);
}

char *vf_choices_save(vf_context *ctx, vf_choices *choices, const vf_machine *machine)
{
	vf_text text;
	char header[128], bend[VF_BEND_TEXT];
	vf_text_init(&text, ctx);
	print_header(ctx, machine, header, sizeof header);
	vf_text_add(&text, "%s\n", header);
	pthread_mutex_lock(&choices->lock);
	vf_bend_print(choices->tuned, bend);
	if (choices->is_tuned)
		vf_text_add(&text, "machine %s\n", bend);
	for (int i = 0; i < choices->n; i++) {
		vf_bend_print(choices->list[i].bend, bend);
		vf_text_add(&text, "%016llx %s\n", (unsigned long long)choices->list[i].hash, bend);
	}
	pthread_mutex_unlock(&choices->lock);
	return vf_text_take(&text);
}

/* Reads one line. Returns the next one, or NULL if this line is damaged. */
static const char *read_line(vf_context *ctx, vf_choices *choices, const char *line)
{
	static const char machine[] = "machine ";
	vf_bend bend;
	char *rest;
	bool whole = strncmp(line, machine, sizeof machine - 1) == 0;
	uint64_t hash = whole ? 0 : strtoull(line, &rest, 16);
	const char *word = whole ? line + sizeof machine - 1 : rest + (*rest == ' ');
	if (!vf_bend_read(word, &bend) || word[VF_BENDS] != '\n')
		return NULL;
	if (whole && !choices->is_tuned) {
		choices->tuned = bend;
		choices->is_tuned = true;
	} else if (!whole) {
		add(ctx, choices, hash, bend);
	}
	return word + VF_BENDS + 1;
}

vf_status vf_choices_load(vf_context *ctx, vf_choices *choices, const vf_machine *machine, const char *text)
{
	char header[128];
	print_header(ctx, machine, header, sizeof header);
	size_t length = strlen(header);
	if (strncmp(text, "viewfold-wisdom ", 16) != 0)
		return vf_fail(ctx, VF_ERR_ARGUMENT,
		               "wisdom: the text does not begin with 'viewfold-wisdom'");
	if (strncmp(text, header, length) != 0 || text[length] != '\n')
		return VF_OK; /* from another machine or release: ignored, never trusted */
	pthread_mutex_lock(&choices->lock);
	for (const char *line = text + length + 1; line && *line;)
		line = read_line(ctx, choices, line);
	pthread_mutex_unlock(&choices->lock);
	return VF_OK;
}
