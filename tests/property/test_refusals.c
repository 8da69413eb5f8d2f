/* test_refusals.c -- arguments that make no sense are refused with a status and a sentence.
 *
 *     test_refusals               VF_CHAINS calls (6000) of seed VF_SEED (1)
 *     test_refusals --only NUMBER
 *
 * The last call of a chain has its arguments damaged at random. Where the oracle says that the
 * call is invalid the library must answer NULL, and its context hold the status and a sentence;
 * where it still is valid the library must answer as ever.
 */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 5, STATUSES = 32 };

typedef struct run {
	trial trial;
	uint64_t seed, number;
	int64_t failures, invalid, valid, tolerated, large;
	int64_t other[STATUSES][STATUSES]; /* status due, status given */
	char example[STATUSES][STATUSES][400];
} run;

/* Statuses that a refusal of the library's arguments may have. */
static bool is_refusal(vf_status status)
{
	return status >= VF_ERR_ARGUMENT && status <= VF_ERR_NAME && status != VF_OK;
}

static bool check_refused(run *r, const chain *c, int which, vf_status due, const vf_array *y)
{
	char text[CHAIN_TEXT];
	trial *t = &r->trial;
	vf_status status = vf_error_code(t->ctx[which]);
	const char *sentence = vf_error_text(t->ctx[which]);
	r->invalid++;
	if (y)
		return trial_complain(t, "accepted, though status %d is due", (int)due);
	if (!is_refusal(status) && status != VF_ERR_LIMIT)
		return trial_complain(t, "refused with status %d: %s", (int)status, sentence);
	if (strlen(sentence) < 8)
		return trial_complain(t, "refused without a sentence: \"%s\"", sentence);
	r->other[due][status]++;
	if (status != due)
		snprintf(r->example[due][status], sizeof r->example[0][0], "%s\n      %s",
		         chain_text(c->root, text), sentence);
	return true;
}

static bool chain_fails(void *user, chain *c)
{
	run *r = user;
	trial *t = &r->trial;
	oracle_array a;
	vf_array *leaves[CHAIN_LEAVES];
	int which = (int)(r->number % 2);
	t->complaint[0] = 0;
	vf_status due = chain_eval(c, c->root, &a);
	if (due == VF_OK) {
		bool good = trial_check(t, c, &a, which);
		r->valid++;
		r->tolerated += t->refused;
		oracle_drop(&a);
		return !good;
	}
	trial_leaves(t, c, which, false, leaves);
	vf_array *y = trial_eval(t, c, c->root, which, leaves);
	bool large = due == (vf_status)ORACLE_TOO_LARGE;
	bool good = large || check_refused(r, c, which, due, y);
	r->large += large;
	vf_release(y);
	trial_release(leaves);
	vf_error_clear(t->ctx[which]);
	return !good;
}

static void one_chain(run *r, uint64_t number)
{
	chain c;
	const chain_taste taste = {.most_ops = 3, .elements = 100};
	chain_make(&c, r->seed, number, &taste);
	c.root = chain_wild(&c, c.root, &taste);
	r->number = number;
	trial_watch(&c, r->seed, number);
	if (chain_fails(r, &c)) {
		char text[CHAIN_TEXT], leaf[256];
		r->failures++;
		fprintf(stderr, "FAILED call %" PRIu64 " of seed %" PRIu64 "\n  %s\n    %s\n  %s\n", number,
		        r->seed, chain_text(c.root, text), chain_leaf_text(&c.leaves[0], leaf),
		        r->trial.complaint);
	}
	trial_watch(NULL, 0, 0);
	chain_drop(&c);
}

static void print_counts(const run *r)
{
	printf("%" PRId64 " invalid calls, %" PRId64 " valid ones (%" PRId64
	       " refused where they may be), %" PRId64 " too large to list; %" PRId64 " failed\n",
	       r->invalid, r->valid, r->tolerated, r->large, r->failures);
	printf("statuses that are not the oracle's:\n");
	for (int due = 0; due < STATUSES; due++)
		for (int given = 0; given < STATUSES; given++)
			if (due != given && r->other[due][given])
				printf("  %" PRId64 " times %d for %d, as in\n      %s\n",
				       r->other[due][given], given, due, r->example[due][given]);
}

int main(int argc, char **argv)
{
	static run r;
	uint64_t calls = trial_number("VF_CHAINS", 6000), first = 0;
	r.seed = trial_number("VF_SEED", 1);
	if (argc == 3 && strcmp(argv[1], "--only") == 0) {
		first = strtoull(argv[2], NULL, 10);
		calls = first + 1;
	}
	trial_begin(&r.trial);
	for (uint64_t k = first; k < calls && r.failures < MOST_FAILURES; k++)
		one_chain(&r, k);
	trial_end(&r.trial);
	print_counts(&r);
	return r.failures > 0;
}
