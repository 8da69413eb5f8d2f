/* tune.c -- find how to bend this machine for all jobs.
 *
 * In     jobs that stand for many
 * Out    one bend
 * How    Tunes one kind of bend after the other. For each of its places all jobs are planned and run, the
 *        places taking turns, on one job's buffers at a time. The place that is best in the geometric mean of
 *        all jobs stays. Measured planning tries more for a single job (streaming, ways left out): these
 *        depend on the job more than on the machine.
 * Tests  tests/unit/test_measure.c
 */
#include "engine/measure.h"
#include "engine/trial.h"

#include <math.h>

enum { ROUNDS = 5, MOST_PLACES = 8 };

/* A smaller gain is noise. */
#define WORTH 1.05

static const int tuned[] = {VF_BEND_PAIRS, VF_BEND_AHEAD, VF_BEND_ROWS, VF_BEND_LINES};

typedef struct places {
	vf_context *ctx;
	const vf_machine *machine;
	vf_bend bend; /* so far */
	int what, n;
	double gain[MOST_PLACES]; /* logarithms, summed over jobs */
	int64_t deadline;
} places;

static vf_plan *plan_at(const places *p, const vf_normal *job, int place)
{
	vf_bend bend = p->bend;
	bend.place[p->what] = (unsigned char)place;
	vf_machine bent = vf_bend_machine(p->machine, bend);
	return vf_plan_make(p->ctx, job, &bent);
}

/* Finds the least time of each place's plan. False if the time or the memory ran out. */
static bool time_places(const places *p, vf_trial *trial, vf_plan *const *plans, int64_t *least)
{
	for (int k = 0; k < p->n; k++)
		least[k] = INT64_MAX;
	for (int round = 0; round < ROUNDS; round++)
		for (int k = 0; k < p->n; k++) {
			int64_t ns = plans[k] ? vf_trial_run(trial, plans[k]) : INT64_MAX;
			least[k] = ns < least[k] ? ns : least[k];
			if (vf_now_ns() > p->deadline || ns == INT64_MAX)
				return false;
		}
	return true;
}

/* Adds what each place gains on one job. False if time is up: then this kind of bend is not judged, since not
 * all jobs were timed. */
static bool try_job(places *p, const vf_normal *job)
{
	vf_trial trial;
	vf_plan *plans[MOST_PLACES] = {NULL};
	int64_t least[MOST_PLACES];
	bool timed = false;
	if (vf_trial_open(&trial, p->ctx, job)) {
		for (int k = 0; k < p->n; k++)
			plans[k] = plan_at(p, job, k);
		timed = time_places(p, &trial, plans, least);
	}
	for (int k = 0; timed && k < p->n; k++)
		p->gain[k] += log((double)least[0] / (double)(least[k] ? least[k] : 1));
	for (int k = 0; k < p->n; k++)
		vf_plan_drop(p->ctx, plans[k]);
	vf_trial_close(&trial);
	return vf_now_ns() < p->deadline;
}

static int best_place(const places *p, int n)
{
	int best = 0;
	for (int k = 1; k < p->n; k++)
		if (p->gain[k] > p->gain[best] && p->gain[k] > n * log(WORTH))
			best = k;
	return best;
}

vf_bend vf_tune_jobs(vf_context *ctx, const vf_normal *const *jobs, int n, const vf_machine *machine,
                     int64_t deadline)
{
	vf_bend bend = {{0}};
	const bool before = vf_errors_pass(true); /* what there is no memory for is not tried */
	bool tried = true;
	for (size_t i = 0; i < sizeof tuned / sizeof tuned[0] && tried; i++) {
		places p = {ctx, machine, bend, tuned[i], vf_bend_places(tuned[i]), {0}, deadline};
		for (int k = 0; k < n && tried; k++)
			tried = try_job(&p, jobs[k]);
		if (tried)
			bend.place[tuned[i]] = (unsigned char)best_place(&p, n);
	}
	vf_errors_pass(before);
	return bend;
}
