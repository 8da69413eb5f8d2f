/* choices.h -- what measuring found out: how this machine is bent, and how single jobs are.
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
	vf_choice *list; /* for one job, on top of that */
} vf_choices;

void vf_choices_open(vf_choices *choices);
void vf_choices_close(vf_context *ctx, vf_choices *choices);

/* False where nothing is known of the job. */
bool vf_choices_find(vf_choices *choices, uint64_t hash, vf_bend *bend);
/* The first word stays. Without memory it is forgotten, and measured again when it is wanted again. */
void vf_choices_add(vf_context *ctx, vf_choices *choices, uint64_t hash, vf_bend bend);

/* No bend where nothing is known. The last word stays here, but a text's, which tells nothing new. */
vf_bend vf_choices_tuned(vf_choices *choices);
void vf_choices_tune(vf_choices *choices, vf_bend bend);

/* As vf_wisdom_save and vf_wisdom_load. */
char *vf_choices_save(vf_context *ctx, vf_choices *choices, const vf_machine *machine);
vf_status vf_choices_load(vf_context *ctx, vf_choices *choices, const vf_machine *machine, const char *text);
