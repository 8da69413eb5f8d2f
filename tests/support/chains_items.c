/* chains_items.c -- random subscripts and random patterns of rearrange. */
#include "chains.h"

#include <stdio.h>
#include <string.h>

/* ---- x[...] -------------------------------------------------------------------- */

/* A bound, or none; far outside and huge ones included, as NumPy clips them. */
static int64_t random_bound(rng *r, int64_t extent)
{
	if (rng_chance(r, 35))
		return VF_NONE;
	if (rng_chance(r, 3))
		return rng_chance(r, 50) ? INT64_MAX : INT64_MIN + 1 + rng_below(r, 3);
	if (rng_chance(r, 10))
		return rng_range(r, -2 * extent - 2, 2 * extent + 2);
	return rng_range(r, -extent, extent);
}

static int64_t random_step(rng *r)
{
	switch (rng_below(r, 12)) {
	case 0: return 2;
	case 1: return 3;
	case 2: return -1;
	case 3: return -1;
	case 4: return -2;
	case 5: return rng_chance(r, 20) ? (rng_chance(r, 50) ? INT64_MAX : INT64_MIN + 1) : -3;
	case 6: return 1;
	default: return VF_NONE;
	}
}

/* A slice; one that takes nothing is mostly thrown again. */
oracle_item chain_random_slice(rng *r, int64_t extent)
{
	oracle_item item = {.kind = ORACLE_SLICE};
	int64_t first, step, count;
	for (int tries = 0; tries < 12; tries++) {
		item.start = random_bound(r, extent);
		item.stop = random_bound(r, extent);
		item.step = random_step(r);
		oracle_slice(extent, &item, &first, &step, &count);
		if (count > 1 || (count > 0 && rng_chance(r, 40)) || rng_chance(r, 3))
			break;
	}
	return item;
}

/* Runs, reversed ones, repeated and scattered elements. */
oracle_item chain_random_list(rng *r, int64_t extent)
{
	oracle_item item = {.kind = ORACLE_LIST_ITEM, .n = (int)rng_range(r, 1, 6)};
	int64_t at = rng_below(r, extent), step = rng_range(r, -2, 2);
	for (int k = 0; k < item.n; k++) {
		at = (at + step + extent * 4) % extent;
		if (rng_chance(r, 30))
			at = rng_below(r, extent);
		item.list[k] = rng_chance(r, 20) ? at - extent : at;
	}
	return item;
}

static oracle_item whole_axis(void)
{
	return (oracle_item){.kind = ORACLE_SLICE, .start = VF_NONE, .stop = VF_NONE, .step = VF_NONE};
}

static oracle_item random_item(rng *r, int64_t extent, bool may_drop)
{
	if (may_drop && extent > 0 && rng_chance(r, 18))
		return (oracle_item){.kind = ORACLE_INDEX, .start = rng_range(r, -extent, extent - 1)};
	return rng_chance(r, 25) ? whole_axis() : chain_random_slice(r, extent);
}

bool chain_make_subscript(rng *r, const oracle_array *a, oracle_call *call)
{
	bool list = rng_chance(r, 18), listed = false;
	int leading = a->rank ? (int)rng_below(r, a->rank + 1) : 0;
	bool dots = leading < a->rank ? rng_chance(r, 40) : rng_chance(r, 20);
	int trailing = dots && leading < a->rank ? (int)rng_below(r, a->rank - leading + 1) : 0;
	for (int k = 0; k < leading + trailing; k++) {
		int axis = k < leading ? k : a->rank - trailing + (k - leading);
		if (k == leading)
			call->items[call->nitem++].kind = ORACLE_ELLIPSIS;
		if (rng_chance(r, 8) && a->rank < 6)
			call->items[call->nitem++].kind = ORACLE_NEW;
		bool here = list && !listed && a->shape[axis] > 0 && rng_chance(r, 50);
		call->items[call->nitem++] = here ? chain_random_list(r, a->shape[axis])
		                                  : random_item(r, a->shape[axis], !list);
		listed |= here;
	}
	if (dots && trailing == 0)
		call->items[call->nitem++].kind = ORACLE_ELLIPSIS;
	if (call->nitem == 0)
		call->items[call->nitem++].kind = rng_chance(r, 50) && a->rank < 6 ? ORACLE_NEW
		                                                                   : ORACLE_ELLIPSIS;
	return call->nitem < ORACLE_ITEMS - 4;
}

/* ---- rearrange ------------------------------------------------------------------- */

/* The pattern while it is made: words of the left side, to be shuffled for the right one. */
typedef struct pattern {
	rng *r;
	oracle_call *call;
	char left[96];
	char words[ORACLE_NAMES][8];
	int n;
} pattern;

static void append(char *to, size_t size, const char *word)
{
	size_t length = strlen(to);
	snprintf(to + length, size - length, "%s", word);
}

static const char *new_word(pattern *p)
{
	static const char *const names[] = {"b",   "c", "h",  "w", "p1", "p2", "n", "t",
	                                    "k_1", "q", "r9", "s", "d",  "e",  "f", "g"};
	snprintf(p->words[p->n], sizeof p->words[0], "%s", names[p->n]);
	return p->words[p->n++];
}

static void give_size(pattern *p, const char *word, int64_t size)
{
	snprintf(p->call->names[p->call->m], sizeof p->call->names[0], "%s", word);
	p->call->w[p->call->m++] = size;
}

/* An axis as a group of its factors; one size may be left to be worked out. */
static void add_axis(pattern *p, int64_t extent)
{
	int64_t factors[3];
	if (extent == 1 && rng_chance(p->r, 40)) {
		append(p->left, sizeof p->left, rng_chance(p->r, 50) ? " 1" : " ()");
		return;
	}
	if (extent < 2 || p->n > 9 || !rng_chance(p->r, 45)) {
		append(p->left, sizeof p->left, " ");
		append(p->left, sizeof p->left, new_word(p));
		return;
	}
	int n = chain_factors(p->r, extent, 3, factors), unknown = (int)rng_below(p->r, n + 1);
	append(p->left, sizeof p->left, " (");
	for (int k = 0; k < n; k++) {
		const char *word = new_word(p);
		append(p->left, sizeof p->left, k ? " " : "");
		append(p->left, sizeof p->left, word);
		if (k != unknown)
			give_size(p, word, factors[k]);
	}
	append(p->left, sizeof p->left, ")");
}

static void shuffle_words(pattern *p)
{
	for (int k = p->n - 1; k > 0; k--) {
		int other = rng_chance(p->r, 35) ? k : (int)rng_below(p->r, k + 1);
		char kept[8];
		memcpy(kept, p->words[k], sizeof kept);
		memcpy(p->words[k], p->words[other], sizeof kept);
		memcpy(p->words[other], kept, sizeof kept);
	}
}

static void write_right(pattern *p, char *right, size_t size)
{
	bool open = false;
	for (int k = 0; k < p->n; k++) {
		bool opens = !open && rng_chance(p->r, 30);
		append(right, size, opens ? " (" : open && right[strlen(right) - 1] == '(' ? "" : " ");
		append(right, size, p->words[k]);
		open |= opens;
		if (open && rng_chance(p->r, 50)) {
			append(right, size, ")");
			open = false;
		}
		if (!open && rng_chance(p->r, 5))
			append(right, size, " 1");
	}
	if (open)
		append(right, size, ")");
}

bool chain_make_rearrange(rng *r, const oracle_array *a, oracle_call *call)
{
	pattern p = {.r = r, .call = call};
	char right[96] = "";
	if (a->rank == 0 || a->rank > 6)
		return false;
	int dots = rng_chance(r, 25) ? (int)rng_below(r, a->rank + 1) : -1;
	int length = dots >= 0 ? (int)rng_below(r, a->rank - dots + 1) : 0;
	for (int k = 0; k <= a->rank; k++) {
		if (k == dots) {
			append(p.left, sizeof p.left, " ...");
			memcpy(p.words[p.n++], "...", 4);
		}
		if (k < a->rank && (k < dots || dots < 0 || k >= dots + length))
			add_axis(&p, a->shape[k]);
	}
	shuffle_words(&p);
	write_right(&p, right, sizeof right);
	snprintf(call->pattern, sizeof call->pattern, "%s ->%s", p.left + 1, right);
	return strlen(p.left) < 92 && strlen(right) < 92 && p.n < 14;
}
