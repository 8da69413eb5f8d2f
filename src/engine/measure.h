/* measure.h -- measured planning: which way of planning a job was fastest here.
 *
 * The cost model's plan depends on a few numbers of the machine (plan/plan.h: where streaming begins,
 * how large pieces and stages are, cache sizes for the tiles). A *choice* names one way of bending them;
 * 0 is the model's own. Choices are kept by the hash of the job's normal form and can be saved and
 * loaded as text.
 */
#ifndef VF_ENGINE_MEASURE_H
#define VF_ENGINE_MEASURE_H

#include "plan/plan.h"

#include <pthread.h>

typedef struct vf_choice {
	uint64_t hash;
	int number;
} vf_choice;

typedef struct vf_choices {
	pthread_mutex_t lock;
	int n, capacity;
	vf_choice *list;
} vf_choices;

void vf_choices_open(vf_choices *choices);
void vf_choices_close(vf_context *ctx, vf_choices *choices);

/* The machine to plan `normal` for: bent by a choice that is known, or that is measured now where the
 * context's effort says so. Never fails: without memory for scratch, or beyond its limit, it is the machine
 * as it is. */
vf_machine vf_choose_machine(vf_context *ctx, vf_choices *choices, const vf_normal *normal, uint64_t hash,
                             const vf_machine *machine);

/* As vf_wisdom_save and vf_wisdom_load. */
char *vf_choices_save(vf_context *ctx, vf_choices *choices, const vf_machine *machine);
vf_status vf_choices_load(vf_context *ctx, vf_choices *choices, const vf_machine *machine, const char *text);

#endif
