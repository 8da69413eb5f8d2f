/* test_chains.c -- random chains: library and oracle agree on every byte.
 *
 *     test_chains                   VF_CHAINS chains (5000) of seed VF_SEED (1)
 *     test_chains --only NUMBER     one chain of the seed, said aloud
 *     test_chains --dump DIR COUNT  the library's results in files, for tests/py/compare.py
 *
 * Each chain is evaluated from its text by the interpreter, by the compiler and by one of the
 * other engines in turn, among them one that cuts wherever an operation leaves more than two regions,
 * which all chains meet that it may not refuse. It also prints how many chains have a cut, and how often
 * each op took part. A failure prints the chain and the shortest one that fails as well; the run ends at
 * the fifth.
 */
#include "dump.h"
#include "trial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 5 };

typedef struct run {
	trial trial;
	uint64_t seed, number;
	int64_t chains, failures, refused, cut;
	int64_t common, common_cut; /* up to 7 ops on leaves of rank 1 to 5 */
	int64_t ops[64], ops_cut[64];
	bool has_cut;
} run;

/* Mostly small; some large enough for tiles and long rows, some in one dimension more. A third of them
 * compute. */
static chain_taste taste_of(uint64_t number)
{
	chain_taste taste = {.most_ops = 12, .elements = 300, .several = true, .computes = number % 3 == 2};
	if (number % 20 == 7)
		taste.elements = 6000;
	if (number % 100 == 13)
		taste.elements = 40000;
	return taste;
}

/* ---- counting ------------------------------------------------------------------------- */

static void count_op(void *user, const oracle_call *call)
{
	run *r = user;
	int n;
	ptrdiff_t row = oracle_find(call->op) - oracle_table(&n);
	r->ops[row]++;
	r->ops_cut[row] += r->has_cut;
}

static void count_chain(run *r, const chain *c)
{
	bool common = chain_depth(c->root) <= 7;
	for (int k = 0; k < c->nleaf; k++)
		common &= c->leaves[k].rank >= 1 && c->leaves[k].rank <= 5;
	r->chains++;
	r->refused += r->trial.refused;
	r->has_cut = !r->trial.refused && r->trial.cuts > 0;
	r->cut += r->has_cut;
	r->common += common;
	r->common_cut += common && r->has_cut;
	chain_each_op(c->root, count_op, r);
}

static double share(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_counts(const run *r)
{
	int n;
	const oracle_op *op = oracle_table(&n);
	printf("%" PRId64 " chains of seed %" PRIu64 ", %" PRId64 " failed, %" PRId64
	       " refused where they may be\n",
	       r->chains, r->seed, r->failures, r->refused);
	printf("with a cut: %" PRId64 " (%.2f %%); of up to 7 ops on rank 1 to 5: %" PRId64 " of %" PRId64
	       " (%.2f %%)\n",
	       r->cut, share(r->cut, r->chains), r->common_cut, r->common, share(r->common_cut, r->common));
	printf("by way of a relay, too: %" PRId64 " arrays\n", r->trial.relays);
	printf("%-20s %8s %s\n", "op", "times", "in a chain with a cut");
	for (int k = 0; k < n; k++)
		if (r->ops[k])
			printf("%-20s %8" PRId64 " %8" PRId64 "\n", op[k].name, r->ops[k], r->ops_cut[k]);
}

/* ---- one chain -------------------------------------------------------------------------- */

static bool chain_fails(void *user, chain *c)
{
	run *r = user;
	trial *t = &r->trial;
	oracle_array a;
	t->complaint[0] = 0;
	if (chain_eval(c, c->root, &a) != VF_OK)
		return !trial_complain(t, "the oracle refuses the chain");
	bool good = trial_check(t, c, &a, 0) && trial_check(t, c, &a, 1);
	int turn = 2 + (int)(r->number % (uint64_t)(t->n > 2 ? t->n - 2 : 1));
	if (good && turn < t->n && (r->number % 3 == 0 || a.count > 3000))
		good = trial_check(t, c, &a, turn);
	if (good && turn < t->n - 1 && !a.tolerate)
		good = trial_check(t, c, &a, t->n - 1);
	if (good && r->number % 4 == 1)
		good = trial_check_kernel(t, c, &a, (int)(r->number % 8 == 1));
	oracle_drop(&a);
	return !good;
}

static void one_chain(run *r, uint64_t number)
{
	chain c;
	chain_taste taste = taste_of(number);
	chain_make(&c, r->seed, number, &taste);
	r->number = number;
	trial_watch(&c, r->seed, number);
	if (chain_fails(r, &c)) {
		r->failures++;
		trial_report(&r->trial, &c, r->seed, number, chain_fails, r);
	} else {
		count_chain(r, &c);
	}
	trial_watch(NULL, 0, 0);
	chain_drop(&c);
}

static void say_chain(const run *r, uint64_t number)
{
	chain c;
	char text[CHAIN_TEXT], leaf[256];
	chain_taste taste = taste_of(number);
	chain_make(&c, r->seed, number, &taste);
	printf("%s\n", chain_text(c.root, text));
	for (int k = 0; k < c.nleaf; k++)
		printf("  %s\n", chain_leaf_text(&c.leaves[k], leaf));
	fflush(stdout);
	chain_drop(&c);
}

/* ---- every op of the library has a rule -------------------------------------------------- */

#include "graph/op.h"

static int ops_without_rule(void)
{
	int n, missing = 0;
	const vf_op *op = vf_op_table(&n);
	for (int k = 0; k < n; k++) {
		if (oracle_find(op[k].name))
			continue;
		fprintf(stderr, "FAILED: op %s has no rule in tests/support/oracle_ops.def\n", op[k].name);
		missing++;
	}
	return missing;
}

/* ---- dumping ------------------------------------------------------------------------------- */

static void dump_one(run *r, dump *d, uint64_t number)
{
	const chain_taste taste = {.most_ops = 12, .elements = 400, .several = true, .for_numpy = true};
	int which = (int)(number % 2);
	chain c;
	oracle_array a;
	vf_array *leaves[CHAIN_LEAVES];
	chain_make(&c, r->seed, number, &taste);
	if (chain_eval(&c, c.root, &a) != VF_OK)
		abort();
	trial_leaves(&r->trial, &c, which, false, leaves);
	vf_array *y = trial_eval(&r->trial, &c, c.root, which, leaves);
	size_t bytes = (size_t)(a.count * a.bytes);
	unsigned char *out = calloc(1, bytes + 1);
	if (!out)
		abort();
	if (y && (size_t)vf_size_bytes(y) == bytes)
		vf_materialize(y, out, bytes);
	dump_chain(d, &c, number, &a, out);
	free(out);
	vf_release(y);
	trial_release(leaves);
	oracle_drop(&a);
	chain_drop(&c);
}

static int dump_all(run *r, const char *directory, uint64_t count)
{
	dump d;
	if (!dump_open(&d, directory))
		return 1;
	for (uint64_t k = 0; k < count; k++)
		dump_one(r, &d, k);
	return dump_close(&d) ? 0 : 1;
}

int main(int argc, char **argv)
{
	static run r;
	int status = 0;
	uint64_t chains = trial_number("VF_CHAINS", 5000);
	r.seed = trial_number("VF_SEED", 1);
	trial_begin(&r.trial);
	if (argc == 4 && strcmp(argv[1], "--dump") == 0) {
		status = dump_all(&r, argv[2], strtoull(argv[3], NULL, 10));
	} else if (argc == 3 && strcmp(argv[1], "--only") == 0) {
		say_chain(&r, strtoull(argv[2], NULL, 10));
		one_chain(&r, strtoull(argv[2], NULL, 10));
		status = r.failures > 0;
	} else {
		for (uint64_t k = 0; k < chains && r.failures < MOST_FAILURES; k++)
			one_chain(&r, k);
		print_counts(&r);
		status = r.failures + ops_without_rule() > 0;
	}
	trial_end(&r.trial);
	return status;
}
