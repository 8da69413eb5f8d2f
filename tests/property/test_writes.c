/* test_writes.c -- writing through views, against a scatter by the oracle.
 *
 *     test_writes               VF_CHAINS writes (3000) of seed VF_SEED (1)
 *     test_writes --only NUMBER
 *
 * Claims, for random destinations:
 *   - assign puts each element of the source where the oracle says the destination's index lies,
 *     and no other byte of any buffer changes;
 *   - a kernel of vf_compile_to() that is given the buffers writes the same;
 *   - source and destination that overlap give what a copy of the source would have given;
 *   - a destination that visits an element twice is refused, and nothing is written;
 *   - a constant below the destination, or memory that is read-only, is refused likewise;
 *   - fill, get and set agree with the same lists of cells;
 *   - two arrays share memory exactly where their cells meet, and the witnesses meet.
 */
#include "trial.h"
#include "support/release.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FAILURES = 5 };

typedef struct run {
	trial trial;
	uint64_t seed, number;
	int64_t failures, assigned, twice, cut, constant, sealed, undecided, shared, apart;
	bool may_refuse;    /* the destination of now, with VF_ERR_WRITE */
	chain_node *source; /* what is assigned; the destination is the chain's root */
	chain_node *other;  /* what the destination is compared with for shared memory */
} run;

/* ---- sources --------------------------------------------------------------------------- */

/* A flat part of `node` in the shape of `a`; NULL where it has too few elements. */
static chain_node *part_in_shape(chain *c, chain_node *node, const oracle_array *a)
{
	oracle_array whole;
	oracle_call flat = {.op = "ravel"}, part = {.op = "narrow"}, shape = {.op = "reshape", .n = a->rank};
	if (chain_eval(c, node, &whole) != VF_OK)
		return NULL;
	int64_t left = whole.count - a->count;
	bool fits = left >= 0 && whole.dtype == a->dtype;
	oracle_drop(&whole);
	if (!fits)
		return NULL;
	part.i[1] = rng_below(&c->random, left + 1);
	part.i[2] = a->count;
	memcpy(shape.v, a->shape, sizeof a->shape);
	node = chain_call_node(c, &flat, 1, &node);
	node = chain_call_node(c, &part, 1, &node);
	return chain_call_node(c, &shape, 1, &node);
}

/* The destination's own elements in another order. */
static chain_node *own_elements(chain *c, const oracle_array *a)
{
	oracle_call call = {.op = "flip", .n = 1};
	if (a->rank == 0)
		return c->root;
	call.v[0] = chain_any_axis(&c->random, a->rank);
	if (rng_chance(&c->random, 50)) {
		strcpy(call.op, "roll");
		call.m = 1;
		call.w[0] = call.v[0];
		call.v[0] = rng_range(&c->random, -2, 3);
	}
	return chain_call_node(c, &call, 1, &c->root);
}

/* Something that is broadcast: some axes of extent 1, leading ones left out. */
static chain_node *broadcast_source(chain *c, const chain_taste *taste, const oracle_array *a)
{
	int64_t shape[ORACLE_RANK];
	int drop = a->rank ? (int)rng_below(&c->random, a->rank + 1) : 0;
	for (int k = drop; k < a->rank; k++)
		shape[k - drop] = rng_chance(&c->random, 40) ? 1 : a->shape[k];
	return chain_with_shape(c, taste, a->dtype, a->rank - drop, shape, 2);
}

/* Elements of some type, the destination's own as well, made ones of its type. */
static chain_node *computed_source(chain *c, const chain_taste *taste, const oracle_array *a)
{
	static const vf_dtype dtypes[] = {VF_U8, VF_I16, VF_U32, VF_I64, VF_F16, VF_F32};
	static const char *const functions[] = {"byteswap", "neg", "add", "to"};
	oracle_call to = {.op = "to", .dtype = a->dtype}, call = {0};
	oracle_array made;
	chain_node *node = own_elements(c, a);
	if (rng_chance(&c->random, 60))
		node = chain_with_shape(c, taste, dtypes[rng_below(&c->random, 6)], a->rank, a->shape, 2);
	strcpy(call.op, functions[rng_below(&c->random, 4)]);
	if (strcmp(call.op, "add") == 0)
		call.number[0] = (oracle_number){.given = true, .value = 3, .text = "3"};
	if (strcmp(call.op, "to") == 0)
		call.dtype = dtypes[rng_below(&c->random, 6)];
	node = node ? chain_call_node(c, &call, 1, &node) : NULL;
	node = node ? chain_call_node(c, &to, 1, &node) : NULL;
	if (!node || chain_eval(c, node, &made) != VF_OK)
		return own_elements(c, a);
	oracle_drop(&made);
	return node;
}

static chain_node *make_source(chain *c, const chain_taste *taste, const oracle_array *a)
{
	chain_node *leaf = chain_alloc(c, sizeof *leaf), *node = NULL;
	switch (rng_below(&c->random, 5)) {
	case 4: return computed_source(c, taste, a);
	case 0: return own_elements(c, a);
	case 1:
		node = part_in_shape(c, chain_grow(c, leaf, (int)rng_range(&c->random, 0, 3), taste), a);
		return node ? node : own_elements(c, a);
	case 2: return broadcast_source(c, taste, a);
	default: return chain_with_shape(c, taste, a->dtype, a->rank, a->shape, 2);
	}
}

/* ---- what should be in memory -------------------------------------------------------------- */

typedef struct memory {
	unsigned char *bytes[CHAIN_LEAVES];
} memory;

static memory remember(const chain *c)
{
	memory m = {{0}};
	for (int k = 0; k < c->nleaf; k++) {
		m.bytes[k] = malloc(c->buffers[k].length + 1);
		if (!m.bytes[k])
			abort();
		memcpy(m.bytes[k], c->buffers[k].bytes, c->buffers[k].length);
	}
	return m;
}

static void restore(const chain *c, memory *m)
{
	for (int k = 0; k < c->nleaf; k++) {
		if (m->bytes[k])
			memcpy(c->buffers[k].bytes, m->bytes[k], c->buffers[k].length);
		free(m->bytes[k]);
		m->bytes[k] = NULL;
	}
}

static bool same_memory(trial *t, const chain *c, const memory *m, const char *what)
{
	for (int k = 0; k < c->nleaf; k++)
		for (size_t b = 0; b < c->buffers[k].length; b++)
			if (c->buffers[k].bytes[b] != m->bytes[k][b])
				return trial_complain(t, "%s: byte %zu of %s should be %02x and is %02x",
				                      what, b, c->leaves[k].name, m->bytes[k][b],
				                      c->buffers[k].bytes[b]);
	return true;
}

static unsigned char *remembered(const chain *c, const memory *m, int64_t address)
{
	unsigned char *p = oracle_at(&c->world, address);
	for (int k = 0; k < c->nleaf; k++)
		if (p >= c->buffers[k].bytes && p < c->buffers[k].bytes + c->buffers[k].length)
			return m->bytes[k] + (p - c->buffers[k].bytes);
	abort();
}

/* Put `bytes`, one element after the other (or the same one), where the cells of `a` lie. */
static void scatter(const chain *c, memory *m, const oracle_array *a, const unsigned char *bytes,
                    bool same_one)
{
	for (int64_t p = 0; p < a->count * a->parts; p++) {
		int64_t from = same_one ? p % a->parts : p;
		memcpy(remembered(c, m, a->cells[p]), bytes + from * a->unit, (size_t)a->unit);
	}
}

/* The source stretched to the destination's shape, as bytes. */
static unsigned char *source_bytes(chain *c, const chain_node *source, const oracle_array *dst)
{
	oracle_array a, wide;
	oracle_call call = {.op = "broadcast_to", .n = dst->rank};
	const oracle_array *in = &a;
	memcpy(call.v, dst->shape, sizeof dst->shape);
	if (chain_eval(c, source, &a) != VF_OK || oracle_apply(&c->world, &call, 1, &in, &wide) != VF_OK)
		abort();
	unsigned char *bytes = malloc((size_t)(wide.count * wide.bytes) + 1);
	if (!bytes)
		abort();
	oracle_read(&wide, &c->world, bytes);
	oracle_drop(&wide);
	oracle_drop(&a);
	return bytes;
}

/* ---- assign and fill -------------------------------------------------------------------------- */

static vf_status expected_status(run *r, const oracle_array *dst)
{
	bool twice = oracle_has_twice(dst), constant = oracle_has_constant(dst);
	r->twice += twice;
	r->constant += constant;
	r->sealed += dst->sealed;
	return twice ? VF_ERR_TWICE : constant || (dst->sealed && dst->count) ? VF_ERR_WRITE : VF_OK;
}

/* The status is as expected, and if it is VF_OK so is memory. */
static bool right_outcome(run *r, const chain *c, const char *what, vf_status status, vf_status expected,
                          const vf_array *dst, const memory *before, const memory *after)
{
	trial *t = &r->trial;
	vf_context *ctx = vf_context_of(dst);
	bool may_refuse = vf_cuts(dst) > 0 || r->may_refuse;
	if (status == VF_OK && expected == VF_OK)
		return same_memory(t, c, after, what);
	if (status == VF_OK)
		return trial_complain(t, "%s: not refused, though status %d is due", what, (int)expected);
	bool either = expected != VF_OK && (status == VF_ERR_TWICE || status == VF_ERR_WRITE);
	if (status != expected && !may_refuse && !either)
		return trial_complain(t, "%s: status %d, not %d: %s", what, (int)status, (int)expected,
		                      vf_error_text(ctx));
	r->cut += may_refuse;
	vf_error_clear(ctx);
	return same_memory(t, c, before, what);
}

/* The leaves below `a` that are none of others[0..n). */
static int leaves_beside(const vf_array *a, int n, vf_array *const *others, vf_array **out)
{
	vf_array *leaves[CHAIN_LEAVES];
	int all = vf_leaves(a, CHAIN_LEAVES, leaves), kept = 0;
	for (int k = 0; k < all; k++) {
		bool other = false;
		for (int i = 0; i < n; i++)
			other = other || others[i] == leaves[k];
		if (other)
			vf_release(leaves[k]);
		else
			out[kept++] = leaves[k];
	}
	return kept;
}

/* The same write, by a kernel that is given the buffers. */
static bool check_kernel(run *r, const chain *c, vf_array *dst, vf_array *src, const memory *after)
{
	trial *t = &r->trial;
	vf_context *ctx = vf_context_of(dst);
	vf_array *places[CHAIN_LEAVES], *inputs[CHAIN_LEAVES];
	void *to[CHAIN_LEAVES];
	const void *from[CHAIN_LEAVES];
	int nplace = leaves_beside(dst, 0, NULL, places), ninput = leaves_beside(src, nplace, places, inputs);
	for (int k = 0; k < nplace; k++)
		to[k] = vf_data(places[k]);
	for (int k = 0; k < ninput; k++)
		from[k] = vf_data(inputs[k]);
	vf_kernel *k = vf_compile_to(1, &dst, &src, ninput, inputs);
	bool good = k || trial_complain(t, "compile_to: %s", vf_error_text(ctx));
	good = good &&
	       (vf_run_to(k, to, from) == VF_OK || trial_complain(t, "run_to: %s", vf_error_text(ctx)));
	good = good && same_memory(t, c, after, "run_to");
	vf_kernel_release(k);
	for (int i = 0; i < nplace; i++)
		vf_release(places[i]);
	for (int i = 0; i < ninput; i++)
		vf_release(inputs[i]);
	return good;
}

/* Memory as it was, without letting go of what is remembered. */
static void put_back(const chain *c, const memory *m)
{
	for (int k = 0; k < c->nleaf; k++)
		memcpy(c->buffers[k].bytes, m->bytes[k], c->buffers[k].length);
}

static bool check_assign(run *r, chain *c, const oracle_array *a, vf_array *dst, vf_array *src)
{
	vf_status expected = expected_status(r, a);
	unsigned char *bytes = source_bytes(c, r->source, a);
	memory before = remember(c), after = remember(c);
	if (expected == VF_OK)
		scatter(c, &after, a, bytes, false);
	vf_status status = vf_assign(dst, src);
	bool good = right_outcome(r, c, "assign", status, expected, dst, &before, &after);
	r->assigned += status == VF_OK;
	if (good && status == VF_OK && a->count > 0) {
		put_back(c, &before);
		good = check_kernel(r, c, dst, src, &after);
	}
	restore(c, &after);
	restore(c, &before);
	free(bytes);
	return good;
}

static bool check_fill(run *r, chain *c, const oracle_array *a, vf_array *dst)
{
	unsigned char value[256];
	memory before = remember(c), after = remember(c);
	for (size_t k = 0; k < sizeof value; k++)
		value[k] = (unsigned char)(k * 37 + 11);
	vf_status expected = expected_status(r, a);
	if (expected == VF_OK)
		scatter(c, &after, a, value, true);
	bool good = right_outcome(r, c, "fill", vf_fill(dst, value), expected, dst, &before, &after);
	restore(c, &after);
	restore(c, &before);
	return good;
}

/* ---- one element --------------------------------------------------------------------------------- */

static oracle_array one_element(const oracle_array *a, int64_t e, int64_t *cells)
{
	oracle_array one = *a;
	one.rank = 0;
	one.count = 1;
	one.cells = cells;
	memcpy(cells, a->cells + e * a->parts, sizeof *cells * (size_t)a->parts);
	return one;
}

static bool check_element(run *r, chain *c, const oracle_array *a, vf_array *y)
{
	int64_t index[ORACLE_RANK + 1], cells[256];
	unsigned char got[256] = {0}, value[256];
	trial *t = &r->trial;
	if (a->count == 0 || vf_cuts(y))
		return true;
	int64_t e = rng_below(&c->random, a->count);
	oracle_unravel(a->rank, a->shape, e, index);
	for (int k = 0; k < a->rank; k++)
		index[k] -= rng_chance(&c->random, 30) ? a->shape[k] : 0;
	oracle_array one = one_element(a, e, cells);
	if (vf_get(y, index, got) != VF_OK)
		return trial_complain(t, "get: %s", vf_error_text(vf_context_of(y)));
	if (!trial_same_bytes(t, "get", c, &one, got))
		return false;
	memory before = remember(c), after = remember(c);
	for (size_t k = 0; k < sizeof value; k++)
		value[k] = (unsigned char)(k * 91 + 5);
	bool constant = oracle_has_constant(&one) || one.sealed;
	if (!constant)
		scatter(c, &after, &one, value, false);
	bool good = right_outcome(r, c, "set", vf_set(y, index, value), constant ? VF_ERR_WRITE : VF_OK, y,
	                          &before, &after);
	restore(c, &after);
	restore(c, &before);
	if (good && a->rank &&
	    (index[a->rank - 1] = a->shape[a->rank - 1], vf_get(y, index, got) != VF_ERR_BOUNDS))
		good = trial_complain(t, "get: an index beyond the array is not VF_ERR_BOUNDS");
	vf_error_clear(vf_context_of(y));
	return good;
}

/* ---- shared memory --------------------------------------------------------------------------------- */

static bool meets(const oracle_array *a, int64_t ea, const oracle_array *b, int64_t eb)
{
	for (int64_t p = 0; p < a->parts; p++)
		for (int64_t q = 0; q < b->parts; q++) {
			int64_t x = a->cells[ea * a->parts + p], y = b->cells[eb * b->parts + q];
			if (!oracle_is_constant(x) && x < y + b->unit && y < x + a->unit)
				return true;
		}
	return false;
}

static bool check_shares(run *r, const oracle_array *a, const oracle_array *b, const vf_array *x,
                         const vf_array *y)
{
	int64_t ia[ORACLE_RANK], ib[ORACLE_RANK];
	bool expected = oracle_shares(a, b);
	vf_shares shares = vf_shares_memory(x, y, ia, ib);
	if (vf_cuts(x) || vf_cuts(y) || a->sealed || a->maybe_sealed)
		return true;
	r->undecided += shares == VF_SHARES_UNDECIDED;
	r->shared += expected;
	r->apart += !expected;
	if (shares == VF_SHARES_UNDECIDED)
		return true;
	if ((shares == VF_SHARES_YES) != expected)
		return trial_complain(&r->trial, "shares_memory says %d", (int)shares);
	if (!expected)
		return true;
	int64_t ea = oracle_ravel(a->rank, a->shape, ia), eb = oracle_ravel(b->rank, b->shape, ib);
	return meets(a, ea, b, eb) ||
	       trial_complain(&r->trial, "shares_memory: elements %" PRId64 " and %" PRId64 " do not meet",
	                      ea, eb);
}

/* ---- one chain ----------------------------------------------------------------------------------------- */

static bool check_all(run *r, chain *c, int which, const oracle_array *a, const oracle_array *b)
{
	trial *t = &r->trial;
	vf_array *leaves[CHAIN_LEAVES];
	chain all = *c;
	all.root = chain_call_node(c, &(oracle_call){.op = "cat"}, 3,
	                           (chain_node *[]){c->root, r->source, r->other});
	trial_leaves(t, &all, which, false, leaves);
	vf_array *dst = trial_eval(t, c, c->root, which, leaves),
		 *src = trial_eval(t, c, r->source, which, leaves);
	vf_array *other = trial_eval(t, c, r->other, which, leaves);
	bool good = (dst && src && other) || trial_complain(t, "refused: %s", vf_error_text(t->ctx[which]));
	good = good && check_assign(r, c, a, dst, src) && check_fill(r, c, a, dst) &&
	       check_element(r, c, a, dst) && check_shares(r, a, b, dst, other);
	RELEASE(dst, src, other);
	trial_release(leaves);
	vf_error_clear(t->ctx[which]);
	return good;
}

static bool chain_fails(void *user, chain *c)
{
	run *r = user;
	oracle_array a, b, s;
	r->trial.complaint[0] = 0;
	if (chain_eval(c, c->root, &a) != VF_OK)
		return true;
	if (chain_eval(c, r->other, &b) != VF_OK)
		abort();
	if (chain_eval(c, r->source, &s) != VF_OK)
		abort();
	r->may_refuse = a.maybe_sealed || (a.sealed && a.count == 0);
	bool certain = !a.tolerate && !b.tolerate && !s.tolerate && !s.nan;
	bool good = !certain || check_all(r, c, (int)(r->number % 2), &a, &b);
	oracle_drop(&a);
	oracle_drop(&b);
	oracle_drop(&s);
	return !good;
}

/* A shorter destination has another shape: its source is then its own elements, reversed. */
static bool shorter_fails(void *user, chain *c)
{
	run *r = user;
	oracle_array a;
	chain_node *kept = r->source;
	if (chain_eval(c, c->root, &a) != VF_OK)
		return false;
	r->source = own_elements(c, &a);
	oracle_drop(&a);
	bool fails = chain_fails(r, c);
	if (!fails)
		r->source = kept;
	return fails;
}

static void report(run *r, chain *c)
{
	char text[CHAIN_TEXT];
	fprintf(stderr, "assigned: %s\n", chain_text(r->source, text));
	fprintf(stderr, "compared with: %s\n", chain_text(r->other, text));
	trial_report(&r->trial, c, r->seed, r->number, shorter_fails, r);
	fprintf(stderr, "  (assigned: %s)\n", chain_text(r->source, text));
}

static void one_chain(run *r, uint64_t number)
{
	chain c;
	oracle_array a;
	const chain_taste taste = {.most_ops = 5,
	                           .elements = number % 10 == 3 ? 2000 : 60,
	                           .several = number % 3 == 0,
	                           .views_only = number % 7 != 0};
	const chain_taste source_taste = {.most_ops = 3, .elements = 2000, .several = true};
	chain_make(&c, r->seed, number, &taste);
	r->number = number;
	if (chain_eval(&c, c.root, &a) != VF_OK)
		abort();
	r->source = make_source(&c, &source_taste, &a);
	chain_node *leaf = chain_alloc(&c, sizeof *leaf);
	r->other = chain_grow(&c, leaf, (int)rng_range(&c.random, 0, 3),
	                      &(chain_taste){.elements = 60, .views_only = true});
	if (!r->source)
		r->source = own_elements(&c, &a);
	oracle_drop(&a);
	trial_watch(&c, r->seed, number);
	if (chain_fails(r, &c)) {
		r->failures++;
		report(r, &c);
	}
	trial_watch(NULL, 0, 0);
	chain_drop(&c);
}

int main(int argc, char **argv)
{
	static run r;
	uint64_t chains = trial_number("VF_CHAINS", 3000), first = 0;
	r.seed = trial_number("VF_SEED", 1);
	if (argc == 3 && strcmp(argv[1], "--only") == 0) {
		first = strtoull(argv[2], NULL, 10);
		chains = first + 1;
	}
	trial_begin(&r.trial);
	for (uint64_t k = first; k < chains && r.failures < MOST_FAILURES; k++)
		one_chain(&r, k);
	trial_end(&r.trial);
	printf("%" PRIu64 " writes of seed %" PRIu64 ", %" PRId64 " failed; %" PRId64
	       " assigned, refused: %" PRId64 " twice, %" PRId64 " constant, %" PRId64 " values, %" PRId64
	       " by a cut\n",
	       chains - first, r.seed, r.failures, r.assigned, r.twice / 2, r.constant / 2, r.sealed / 2,
	       r.cut);
	printf("pairs that share memory: %" PRId64 ", that do not: %" PRId64 ", undecided: %" PRId64 "\n",
	       r.shared, r.apart, r.undecided);
	return r.failures > 0;
}
