/* phases.h -- the phases from an array to its code, for those who look at what each made. */
#pragma once

#include "plan/normal.h"
#include "plan/plan.h"

/* In the order in which they run; vf_phase_text() has their names. */
typedef enum vf_phase {
	VF_PHASE_FOLD,
	VF_PHASE_JOB,
	VF_PHASE_NORMAL,
	VF_PHASE_CHOICE,
	VF_PHASE_PLAN,
	VF_PHASE_C,
	VF_PHASES
} vf_phase;

/* Given if somebody looks at a kernel while it is made: then code is planned and not compiled. What `phase`
 * makes is printed to `text`, unless that is NULL. */
typedef struct vf_look {
	vf_text *text;
	vf_phase phase;
} vf_look;

void vf_look_at_job(vf_look *look, const vf_job *job);
void vf_look_at_normal(vf_look *look, const vf_normal *normal);
void vf_look_at_choice(vf_look *look, const vf_machine *machine);

/* explain.c. vf_explain_all() without the plan. */
char *vf_fold_text(int n, vf_array *const *arrays);

/* source.c. Are there n > 0 arrays, none of them NULL, all of one context? Keeps VF_ERR_ARGUMENT of `op` if
 * they are of several contexts. */
bool vf_are_of_one_context(const char *op, int n, vf_array *const *arrays);
