/* memo.c -- vf_eval() and vf_apply(): an expression that was met before is not evaluated again. See memo.h.
 *
 * In     a call: a text, its operands
 * Out    a node over these operands, if a call with the same key was kept
 * Keeps  the result is what evaluating would have given, for every reader. In these cases nothing is kept:
 *        the result has cuts, an operand is a value or a view of one, the result does not read every operand,
 *        the result is an operand, several formulas or values meet in it
 * Tests  tests/unit/test_memo.c, tests/property/test_chains.c
 */
#include "driver/memo.h"

#include "core/lookup.h"
#include "driver/ready.h"
#include "expr/eval.h"
#include "graph/fold.h"

#include <string.h>

enum { MOST_MEMOS = 128, WAYS = 4 };

/* The key is a list of words: the number of operands (-1 for a chain), the text, then each operand after its
 * name. A text is stored with its final zero, and with zeros up to the end of its last word. */
typedef struct vf_memo {
	atomic_int refs;
	vf_memo_node result;
	/* The array whose value the result's face lies on, or of which the result is a view, where its
	 * elements are computed. Its map is NULL where that array is the result itself. */
	vf_memo_node value;
	vf_pattern *pattern;
	vf_ready *ready; /* attached to every node that is made from the memo */
	uint64_t hash, used;
	int64_t nword;
	int64_t words[];
} vf_memo;

struct vf_memos {
	atomic_flag taken;
	uint64_t clock;
	int n;
	vf_memo *slots[];
};

/* ---- the key of a call ---- */

static void add_word(vf_memo_call *call, int64_t word)
{
	if (call->nword == VF_MEMO_WORDS)
		call->nword = INT64_MAX; /* too long: nothing more is added */
	if (call->nword < VF_MEMO_WORDS)
		call->words[call->nword++] = word;
}

static void add_text(vf_memo_call *call, const char *text)
{
	size_t bytes = strlen(text) + 1, words = (bytes + 7) / 8;
	if (call->nword > VF_MEMO_WORDS || words > (size_t)(VF_MEMO_WORDS - call->nword)) {
		call->nword = INT64_MAX;
		return;
	}
	call->words[call->nword + (int64_t)words - 1] = 0;
	memcpy(&call->words[call->nword], text, bytes);
	call->nword += (int64_t)words;
}

/* Adds the number that the storage has in this call. The first time, also adds what a rule may ask of the
 * storage. */
static void add_storage(vf_memo_call *call, const vf_storage *s)
{
	int k = 0;
	while (k < call->nstorage && call->storages[k] != s)
		k++;
	add_word(call, k);
	if (k < call->nstorage)
		return;
	if (k == VF_MEMO_STORAGES || (s->kind != VF_STORAGE_MEMORY && s->kind != VF_STORAGE_DECLARED)) {
		call->nword = INT64_MAX;
		return;
	}
	call->storages[call->nstorage++] = s;
	add_word(call, (int64_t)s->kind * 2 + s->read_only);
	add_word(call, s->bytes);
	add_word(call, s->origin_bytes);
}

static void add_region(vf_memo_call *call, const vf_region *r, int rank)
{
	int64_t fill[2];
	add_word(call, r->ndigit);
	add_word(call, r->offset);
	for (int a = 0; a < rank; a++)
		add_word(call, r->base[a]);
	for (int k = 0; k < r->ndigit; k++) {
		add_word(call, r->digits[k].axis);
		add_word(call, r->digits[k].extent);
		add_word(call, r->digits[k].weight);
		add_word(call, r->digits[k].stride);
	}
	if (r->source) {
		add_storage(call, r->source);
		return;
	}
	memcpy(fill, r->fill, sizeof fill);
	add_word(call, -1);
	add_word(call, fill[0]);
	add_word(call, fill[1]);
}

static void add_operand(vf_memo_call *call, const vf_array *a)
{
	const vf_map *map = a->map;
	add_word(call, (int64_t)a->dtype * 2 + a->read_only);
	add_word(call, map->rank);
	add_word(call, map->space_rank);
	add_word(call, map->nregion);
	for (int i = 0; i < map->rank; i++)
		add_word(call, map->shape[i]);
	for (int i = 0; i < map->space_rank; i++)
		add_word(call, map->space[i]);
	for (int i = 0; i < map->nregion && call->nword <= VF_MEMO_WORDS; i++)
		add_region(call, &map->regions[i], map->space_rank);
	/* There is no key if the operand's strides lie on a value, if it has no elements (nothing is read
	 * then), or if its map has tables. */
	if (a->face != map || map->nregion == 0 || map->has_tables)
		call->nword = INT64_MAX;
}

/* The arguments are not checked yet: they are what the caller passed. */
static void make_key(vf_memo_call *call, vf_context *ctx, const char *text, bool chain, const vf_names *over)
{
	call->ctx = ctx;
	call->arrays = over->arrays;
	call->narray = over->n;
	call->nword = 0;
	call->nstorage = 0;
	if (!text || !over->arrays || (!chain && !over->names))
		return;
	add_word(call, chain ? -1 : over->n);
	add_text(call, text);
	for (int i = 0; i < over->n && call->nword <= VF_MEMO_WORDS; i++) {
		const vf_array *a = over->arrays[i];
		if (!a || a->ctx != ctx || (!chain && !over->names[i])) {
			call->nword = 0;
			return;
		}
		if (!chain)
			add_text(call, over->names[i]);
		add_operand(call, a);
	}
	if (call->nword > VF_MEMO_WORDS)
		call->nword = 0;
	call->hash = vf_hash_words(call->words, call->nword);
}

/* ---- the table ---- */

static struct vf_memos *open_table(vf_context *ctx)
{
	struct vf_memos *known = atomic_load_explicit(&ctx->memos, memory_order_acquire);
	if (known)
		return known;
	int n = ctx->options.cache_kernels < MOST_MEMOS ? ctx->options.cache_kernels : MOST_MEMOS;
	size_t bytes = sizeof *known + (size_t)n * sizeof known->slots[0];
	struct vf_memos *table = vf_alloc_quietly(ctx, bytes);
	if (!table)
		return NULL;
	memset(table, 0, bytes);
	atomic_flag_clear(&table->taken);
	table->n = n;
	if (atomic_compare_exchange_strong(&ctx->memos, &known, table))
		return table;
	vf_dealloc(ctx, table);
	return known;
}

static bool try_lock(struct vf_memos *table)
{
	return !atomic_flag_test_and_set_explicit(&table->taken, memory_order_acquire);
}

static void unlock(struct vf_memos *table)
{
	atomic_flag_clear_explicit(&table->taken, memory_order_release);
}

static vf_memo **slot_of(struct vf_memos *table, uint64_t hash, int k)
{
	return &table->slots[(hash + (uint64_t)k) % (uint64_t)table->n];
}

static vf_memo *find_listed(struct vf_memos *table, uint64_t hash, int64_t nword, const int64_t *words)
{
	for (int k = 0; k < WAYS; k++) {
		vf_memo *m = *slot_of(table, hash, k);
		if (m && m->hash == hash && m->nword == nword &&
		    memcmp(m->words, words, (size_t)nword * sizeof *words) == 0)
			return m;
	}
	return NULL;
}

/* Returns a new reference; NULL if there is no such memo, or if the table is locked. */
static vf_memo *look_up(struct vf_memos *table, const vf_memo_call *call)
{
	if (!try_lock(table))
		return NULL;
	vf_memo *found = find_listed(table, call->hash, call->nword, call->words);
	if (found) {
		found->used = ++table->clock;
		atomic_fetch_add_explicit(&found->refs, 1, memory_order_relaxed);
	}
	unlock(table);
	return found;
}

/* A memo's hash allows WAYS slots. Puts the memo into the one that was not used for longest. Returns what the
 * caller must release: the memo that was in the slot before, or this memo if the table is locked or has the
 * key already. */
static vf_memo *enter(struct vf_memos *table, vf_memo *memo)
{
	if (!try_lock(table))
		return memo;
	if (find_listed(table, memo->hash, memo->nword, memo->words)) {
		unlock(table);
		return memo;
	}
	vf_memo **place = slot_of(table, memo->hash, 0);
	for (int k = 1; k < WAYS && *place; k++) {
		vf_memo **other = slot_of(table, memo->hash, k);
		if (!*other || (*other)->used < (*place)->used)
			place = other;
	}
	vf_memo *out = *place;
	memo->used = ++table->clock;
	*place = memo;
	unlock(table);
	return out;
}

/* ---- memos ---- */

static void memo_release(vf_context *ctx, vf_memo *memo)
{
	if (!memo || atomic_fetch_sub_explicit(&memo->refs, 1, memory_order_acq_rel) != 1)
		return;
	vf_ready_release(ctx, memo->ready);
	vf_memo_node_drop(ctx, &memo->result);
	vf_memo_node_drop(ctx, &memo->value);
	vf_pattern_release(ctx, memo->pattern);
	vf_dealloc(ctx, memo);
}

void vf_memos_close(vf_context *ctx)
{
	struct vf_memos *table = atomic_load_explicit(&ctx->memos, memory_order_acquire);
	for (int i = 0; table && i < table->n; i++)
		memo_release(ctx, table->slots[i]);
	vf_dealloc(ctx, table);
}

/* Returns the node whose computed elements `a` views; NULL if `a` reads anything else, too. */
static const vf_array *computed_below(const vf_array *a)
{
	const vf_storage *s = fold_one_storage(a->map);
	return vf_is_computed(s) && a->face == a->map ? s->below : NULL;
}

/* Returns the node whose value the face of `a` lies on, or whose computed elements `a` views. NULL if `a`
 * reports its map, or if several storages are read. */
static const vf_array *value_below(const vf_array *a)
{
	const vf_storage *s = fold_one_storage(a->face);
	if (a->nlayer > 0)
		return computed_below(a);
	return s && s->kind == VF_STORAGE_VALUE ? s->below : NULL;
}

static bool fits(const vf_array *result)
{
	const vf_array *value = value_below(result);
	bool plain = result->face == result->map && result->nlayer == 0;
	return vf_memo_node_fits(result) &&
	       (plain || (value && vf_memo_node_fits(value) && value->nlayer == result->nlayer)) &&
	       atomic_load_explicit(&result->refs, memory_order_relaxed) == 1; /* else an operand */
}

/* Returns NULL without memory, or if the result does not read every storage of the call. */
static vf_memo *make(const vf_memo_call *call, vf_array *result)
{
	vf_context *ctx = call->ctx;
	const vf_array *value = value_below(result);
	size_t bytes = (size_t)call->nword * sizeof call->words[0];
	unsigned seen = 0, ignored = 0;
	vf_memo *m = vf_alloc_quietly(ctx, sizeof *m + bytes);
	if (!m)
		return NULL;
	memset(m, 0, sizeof *m);
	atomic_init(&m->refs, 1);
	m->hash = call->hash;
	m->nword = call->nword;
	memcpy(m->words, call->words, bytes);
	bool whole = vf_memo_node_keep(call, result, &m->result, &seen) && seen == (1u << call->nstorage) - 1;
	if (whole && value && value != result)
		whole = vf_memo_node_keep(call, value, &m->value, &ignored);
	m->ready = whole ? vf_ready_create(ctx, true) : NULL;
	m->pattern = m->ready ? vf_pattern_take(result, call->narray, call->arrays) : NULL;
	if (m->pattern)
		return m;
	memo_release(ctx, m);
	return NULL;
}

/* Keeps the result of the call if it can be kept; `result` may be NULL. */
static void keep(const vf_memo_call *call, vf_array *result)
{
	if (call->nword == 0 || !result || !fits(result))
		return;
	struct vf_memos *table = open_table(call->ctx);
	vf_memo *memo = table ? make(call, result) : NULL;
	if (memo)
		memo_release(call->ctx, enter(table, memo));
}

static vf_array *instance(const vf_memo_call *call, vf_memo *memo)
{
	bool below = memo->value.map.map != NULL;
	vf_array *value = below ? vf_memo_node_make(call, &memo->value, 0, NULL) : NULL, *a = NULL;
	if (value || !below)
		a = vf_memo_node_make(call, &memo->result, call->narray, value);
	vf_release(value); /* the face of `a` holds it */
	if (!a)
		return NULL;
	vf_pattern_follow(a, memo->pattern);
	vf_ready_attach(a, memo->ready);
	return a;
}

static vf_array *evaluate(vf_context *ctx, const char *text, bool chain, const vf_names *over)
{
	vf_memo_call call;
	make_key(&call, ctx, text, chain, over);
	struct vf_memos *table = atomic_load_explicit(&ctx->memos, memory_order_acquire);
	vf_memo *memo = call.nword && table ? look_up(table, &call) : NULL;
	vf_array *result = memo ? instance(&call, memo) : vf_expr_eval(ctx, text, chain, over);
	if (memo)
		memo_release(ctx, memo);
	else
		keep(&call, result);
	return result;
}

vf_array *vf_eval(vf_context *ctx, const char *expression, int n, const char *const *names,
                  vf_array *const *arrays)
{
	return ctx ? evaluate(ctx, expression, false, &(vf_names){n, names, arrays}) : NULL;
}

vf_array *vf_apply(vf_array *a, const char *chain)
{
	return a ? evaluate(a->ctx, chain, true, &(vf_names){1, NULL, &a}) : NULL;
}
