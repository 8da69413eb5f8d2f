/* test_canonical.c -- equal index functions have equal maps.
 *
 *     test_canonical    VF_CHAINS chains (20000) of seed VF_SEED (1)
 *
 * Short chains over one small leaf meet by chance: those whose results the oracle finds equal,
 * element by element, should print the same map and the same C text. The share of chains that
 * do not agree with the first of their kind is printed, with examples; more than one in 1000 fails.
 */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1 << 16, EXAMPLES = 8 };

/* The first chain that had this index function. */
typedef struct kind {
	struct kind *next;
	oracle_array a;
	char *map, *source, *text;
} kind;

typedef struct run {
	trial trial;
	uint64_t seed;
	int64_t kinds, pairs, other_map, other_source, cut, examples;
	kind *buckets[BUCKETS];
} run;

static uint64_t hash(const oracle_array *a)
{
	uint64_t h = (uint64_t)a->rank * 31 + (uint64_t)a->unit;
	for (int k = 0; k < a->rank; k++)
		h = h * 0x100000001b3u + (uint64_t)a->shape[k];
	for (int64_t p = 0; p < a->count * a->parts; p++)
		h = (h ^ (uint64_t)a->cells[p]) * 0x9e3779b97f4a7c15u;
	return h >> 32;
}

/* Each chain's world has its constants where it met them first: here a constant's cell is told by
 * its bytes. */
static void name_constants(const oracle_world *w, oracle_array *a)
{
	for (int64_t p = 0; p < a->count * a->parts; p++) {
		uint64_t value = 0;
		if (!oracle_is_constant(a->cells[p]))
			continue;
		for (int64_t b = 0; b < a->unit; b++)
			value = value * 257 + *oracle_at(w, a->cells[p] + b);
		a->cells[p] = INT64_MAX - (int64_t)(value % (1u << 30));
	}
}

static kind *find(const run *r, const oracle_array *a)
{
	kind *k = r->buckets[hash(a) % BUCKETS];
	while (k && !oracle_equal(&k->a, a))
		k = k->next;
	return k;
}

static char *copy_text(vf_context *ctx, char *text)
{
	char *copy = text ? strdup(text) : strdup("(none)");
	vf_text_free(ctx, text);
	return copy;
}

static void add_kind(run *r, oracle_array *a, char *map, char *source, const char *text)
{
	kind *k = calloc(1, sizeof *k), **bucket = &r->buckets[hash(a) % BUCKETS];
	if (!k)
		abort();
	*k = (kind){*bucket, *a, map, source, strdup(text)};
	a->cells = NULL;
	*bucket = k;
	r->kinds++;
}

static void compare(run *r, const kind *k, const char *map, const char *source, const char *text)
{
	bool other_map = strcmp(k->map, map) != 0, other_source = strcmp(k->source, source) != 0;
	r->pairs++;
	r->other_map += other_map;
	r->other_source += other_source;
	if ((other_map || other_source) && r->examples++ < EXAMPLES)
		fprintf(stderr, "one index function, two %s:\n  %s\n    %s\n  %s\n    %s\n",
		        other_map ? "maps" : "kernels", k->text, k->map, text, map);
}

/* Comments name the axes of the leaf, and chains of different leaves meet here: lines of comment go. */
static void leave_out_comments(char *text)
{
	char *to = text;
	for (char *line = text, *next; *line; line = next) {
		size_t length = strcspn(line, "\n");
		next = line + length + (line[length] == '\n');
		if (strncmp(line + strspn(line, "\t"), "/* ", 3) == 0 && length >= 2 &&
		    strncmp(line + length - 2, "*/", 2) == 0)
			continue;
		memmove(to, line, (size_t)(next - line));
		to += next - line;
	}
	*to = '\0';
}

static void see(run *r, chain *c, oracle_array *a, vf_array *y)
{
	char text[CHAIN_TEXT];
	vf_context *ctx = vf_context_of(y);
	if (vf_cuts(y)) {
		r->cut++;
		return;
	}
	char *map = copy_text(ctx, vf_map_text(y)), *source = copy_text(ctx, vf_source(y, false));
	leave_out_comments(source);
	chain_text(c->root, text);
	kind *k = find(r, a);
	if (!k) {
		add_kind(r, a, map, source, text);
		return;
	}
	compare(r, k, map, source, text);
	free(map);
	free(source);
}

/* All leaves begin at the same place, so that chains of different leaves meet as well. */
static void one_chain(run *r, uint64_t number)
{
	static const int64_t shapes[][4] = {{2, 3},    {4, 0}, {2, 2, 2}, {3, 4},
	                                    {2, 3, 2}, {6, 0}, {2, 1, 3}, {4, 4}};
	static const int ranks[] = {2, 1, 3, 2, 3, 1, 3, 2};
	const chain_taste taste = {.elements = 24, .tiny = true};
	chain c;
	oracle_array a;
	vf_array *leaves[CHAIN_LEAVES];
	chain_begin(&c, r->seed, number);
	int which = (int)(number % 8);
	c.root = chain_leaf_of(&c, &taste, VF_U16, ranks[which], shapes[which]);
	c.root = chain_grow(&c, c.root, (int)rng_range(&c.random, 1, 4), &taste);
	trial_watch(&c, r->seed, number);
	if (chain_eval(&c, c.root, &a) != VF_OK)
		abort();
	name_constants(&c.world, &a);
	trial_leaves(&r->trial, &c, 1, false, leaves);
	vf_array *y = trial_eval(&r->trial, &c, c.root, 1, leaves);
	if (y && a.count > 1)
		see(r, &c, &a, y);
	vf_error_clear(r->trial.ctx[1]);
	vf_release(y);
	trial_release(leaves);
	oracle_drop(&a);
	trial_watch(NULL, 0, 0);
	chain_drop(&c);
}

static void drop_kinds(run *r)
{
	for (int b = 0; b < BUCKETS; b++)
		while (r->buckets[b]) {
			kind *k = r->buckets[b];
			r->buckets[b] = k->next;
			oracle_drop(&k->a);
			free(k->map);
			free(k->source);
			free(k->text);
			free(k);
		}
}

int main(void)
{
	static run r;
	uint64_t chains = trial_number("VF_CHAINS", 20000);
	r.seed = trial_number("VF_SEED", 1);
	trial_begin(&r.trial);
	for (uint64_t k = 0; k < chains; k++)
		one_chain(&r, k);
	trial_end(&r.trial);
	drop_kinds(&r);
	printf("%" PRIu64 " chains, %" PRId64 " with a cut, %" PRId64 " index functions; %" PRId64
	       " pairs of one function: %" PRId64 " (%.3f %%) print two maps, %" PRId64
	       " (%.3f %%) two kernels\n",
	       chains, r.cut, r.kinds, r.pairs, r.other_map,
	       r.pairs ? 100.0 * (double)r.other_map / (double)r.pairs : 0, r.other_source,
	       r.pairs ? 100.0 * (double)r.other_source / (double)r.pairs : 0);
	return r.other_map + r.other_source > r.pairs / 1000 || r.pairs == 0;
}
