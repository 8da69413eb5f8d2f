/* choices.h -- what measuring found: how this machine is bent, and how it is bent for single jobs.
 *
 * Kept by the hash of a job's normal form; saved and loaded as text (FFTW's wisdom is the model).
 */
#pragma once

#include "engine/bend.h"

#include <pthread.h>

typedef struct vf_choice {
	uint64_t hash;
	vf_bend bend;
} vf_choice;

typedef struct vf_choices {
	pthread_mutex_t lock;
	bool is_tuned;
	vf_bend tuned; /* for every job */
	int n, capacity;
	vf_choice *list; /* for one job, in addition to that */
} vf_choices;

void vf_choices_open(vf_choices *choices);
void vf_choices_close(vf_context *ctx, vf_choices *choices);

/* False where nothing is known of the job. */
bool vf_choices_find(vf_choices *choices, uint64_t hash, vf_bend *bend);
/* Keeps the first bend of a job; later ones are ignored. Without memory the bend is forgotten, and measured
 * again when it is wanted again. */
void vf_choices_add(vf_context *ctx, vf_choices *choices, uint64_t hash, vf_bend bend);

/* The bend for every job: no bend if nothing is known. vf_choices_tune() replaces it; a loaded text sets it
 * only if nothing is known. */
vf_bend vf_choices_tuned(vf_choices *choices);
void vf_choices_tune(vf_choices *choices, vf_bend bend);

/* See vf_wisdom_save and vf_wisdom_load. */
char *vf_choices_save(vf_context *ctx, vf_choices *choices, const vf_machine *machine);
vf_status vf_choices_load(vf_context *ctx, vf_choices *choices, const vf_machine *machine, const char *text);
