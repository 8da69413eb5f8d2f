/* measure.c -- try plans on scratch, keep the fastest.
 *
 * In     a job in normal form
 * Out    the bend of the machine (bend.h) whose plan ran fastest
 * How    Every bend by itself is a candidate. A candidate that makes the same program as an earlier one is
 *        dropped, so most are never run. The rest run once each. Then the best few, and the one with all
 *        bends that gained, run against the model's plan. They take turns, so that a slow moment of the
 *        machine hits all of them; the least time of each counts. No more than 50 runs. FFTW's planner is the
 *        model.
 * Keeps  a bend never changes the result, only how it is reached. The model's plan stays unless another one
 *        is clearly faster
 * Tests  tests/unit/test_measure.c
 */
#include "engine/measure.h"

#include "codegen/emit.h"
#include "engine/trial.h"

#include <string.h>

/* 1 + 27 runs of candidates (the model's plan runs twice), then 5 x 4. */
enum { CANDIDATES = 27, FINALISTS = 5, FINAL_ROUNDS = 4 };

/* The order in which bends are tried, if there are more candidates than may run. */
static const int order[VF_BENDS] = {VF_BEND_PAIRS,  VF_BEND_ROWS,    VF_BEND_LINES,  VF_BEND_AHEAD,
                                    VF_BEND_STREAM, VF_BEND_WITHOUT, VF_BEND_PIECES, VF_BEND_CACHES};

typedef struct candidate {
	vf_bend bend;
	vf_plan *plan;
	char *text; /* of the plan's program */
	int64_t ns; /* the least so far */
} candidate;

typedef struct race {
	vf_context *ctx;
	const vf_normal *normal;
	const vf_machine *machine;
	vf_trial trial;
	int n;
	candidate list[CANDIDATES + 1]; /* the first is the model's, the last the one with several bends */
} race;

/* ---- candidates ---- */

static void drop(race *r, candidate *c)
{
	vf_plan_drop(r->ctx, c->plan);
	vf_dealloc(r->ctx, c->text);
}

static bool is_known(const race *r, const char *text)
{
	for (int i = 0; i < r->n; i++)
		if (strcmp(r->list[i].text, text) == 0)
			return true;
	return false;
}

/* Adds a candidate. False if it makes the same program as an earlier one, or without memory. */
static bool add(race *r, vf_bend bend)
{
	unsigned used;
	vf_machine bent = vf_bend_machine(r->machine, bend);
	candidate c = {.bend = bend, .plan = vf_plan_make(r->ctx, r->normal, &bent), .ns = INT64_MAX};
	c.text = c.plan ? vf_emit(r->ctx, c.plan, NULL, &used) : NULL;
	if (!c.text || is_known(r, c.text)) {
		drop(r, &c);
		return false;
	}
	r->list[r->n++] = c;
	return true;
}

static void add_bends(race *r)
{
	if (!add(r, (vf_bend){{0}}))
		return;
	for (int k = 0; k < VF_BENDS; k++)
		for (int place = 1; place < vf_bend_places(order[k]) && r->n < CANDIDATES; place++) {
			vf_bend bend = {{0}};
			bend.place[order[k]] = (unsigned char)place;
			add(r, bend);
		}
}

/* ---- runs ---- */

static void run(race *r, candidate *c)
{
	int64_t ns = vf_trial_run(&r->trial, c->plan);
	c->ns = ns < c->ns ? ns : c->ns;
}

static bool clearly_faster(int64_t ns, int64_t than)
{
	return ns < than - than / 20;
}

/* Returns all bends that gained by themselves, each at its best place. */
static vf_bend all_that_gained(const race *r)
{
	vf_bend all = {{0}};
	int64_t least[VF_BENDS];
	for (int what = 0; what < VF_BENDS; what++)
		least[what] = r->list[0].ns;
	for (int i = 1; i < r->n; i++)
		for (int what = 0; what < VF_BENDS; what++)
			if (r->list[i].bend.place[what] && clearly_faster(r->list[i].ns, least[what])) {
				least[what] = r->list[i].ns;
				all.place[what] = r->list[i].bend.place[what];
			}
	return all;
}

static void exchange(race *r, int i, int k)
{
	candidate c = r->list[i];
	r->list[i] = r->list[k];
	r->list[k] = c;
}

static int fastest_from(const race *r, int first)
{
	int best = first;
	for (int i = first + 1; i < r->n; i++)
		if (r->list[i].ns < r->list[best].ns)
			best = i;
	return best;
}

/* Moves the finalists to the front, after the model's: first the one with all bends that gained, then the
 * fastest. Returns how many there are. */
static int choose_finalists(race *r)
{
	int k = 1, n;
	if (add(r, all_that_gained(r)))
		exchange(r, k++, r->n - 1);
	n = r->n < FINALISTS ? r->n : FINALISTS;
	for (; k < n; k++)
		exchange(r, k, fastest_from(r, k));
	return n;
}

static vf_bend fastest(race *r)
{
	run(r, &r->list[0]);
	for (int i = 0; i < r->n; i++)
		run(r, &r->list[i]);
	const int finalists = choose_finalists(r);
	for (int round = 0; round < FINAL_ROUNDS; round++)
		for (int k = 0; k < finalists; k++)
			run(r, &r->list[k]);
	int winner = 0;
	for (int k = 1; k < finalists; k++)
		if (clearly_faster(r->list[k].ns, r->list[0].ns) && r->list[k].ns < r->list[winner].ns)
			winner = k;
	return r->list[winner].bend;
}

static vf_bend measure(vf_context *ctx, const vf_normal *normal, const vf_machine *machine)
{
	race r = {.ctx = ctx, .normal = normal, .machine = machine};
	vf_bend bend = {{0}};
	const bool before = vf_errors_pass(true); /* without memory for it nothing is measured */
	if (vf_trial_open(&r.trial, ctx, normal)) {
		add_bends(&r);
		if (r.n > 1)
			bend = fastest(&r);
	}
	for (int i = 0; i < r.n; i++)
		drop(&r, &r.list[i]);
	vf_trial_close(&r.trial);
	vf_errors_pass(before);
	return bend;
}

vf_machine vf_choose_machine(vf_context *ctx, vf_choices *choices, const vf_normal *normal, uint64_t hash,
                             const vf_machine *machine)
{
	vf_machine tuned = vf_bend_machine(machine, vf_choices_tuned(choices));
	vf_bend bend = {{0}};
	/* Whether code can go through several destinations was found for this very machine
	 * (driver/planes.c). */
	if (normal->words[VF_NORMAL_DESTINATIONS] > 1)
		return *machine;
	if (!vf_choices_find(choices, hash, &bend) && ctx->effort == VF_EFFORT_MEASURE) {
		bend = measure(ctx, normal, &tuned);
		vf_choices_add(ctx, choices, hash, bend);
	}
	return vf_bend_machine(&tuned, bend);
}
