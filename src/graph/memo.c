/* memo.c -- see memo.h.
 *
 * In     a call: text, operands
 * Out    a node over them, if the like was met before
 * Keeps  what evaluating would have given, to every reader: where that is in doubt (cuts, operands that are values,
 *        operands that the result does not read, results that are an operand) nothing is kept
 * Tests  tests/unit/test_memo.c, tests/property/test_chains.c
 */
#include "graph/memo.h"

#include "graph/fold.h"

#include <string.h>

enum { MOST_MEMOS = 128, WAYS = 4, MOST_MAP_BYTES = 8192 };

/* Words of a key: n, text, n names, then what each operand is. Texts stand with their zero, filled up with more. */
struct vf_memo {
	atomic_int refs;
	vf_dtype dtype;
	bool read_only, is_value;
	const vf_op *op;
	vf_evaluate *evaluate;
	vf_map *map;          /* the regions' sources are not to be read, here and in the face */
	vf_map *face;         /* of a value, or above one: over `value`. NULL: the map */
	vf_storage value;
	signed char *sources; /* of each region, among the call's storages; -1: a fill */
	_Atomic(void *) ready;
	uint64_t hash, used;
	int64_t nword;
	int64_t words[];
};

struct vf_memos {
	atomic_flag taken;
	uint64_t clock;
	int n;
	vf_memo *slots[];
};

/* ---- taking a call down ---- */

static void put(vf_memo_call *call, int64_t word)
{
	if (call->nword == VF_MEMO_WORDS)
		call->nword = INT64_MAX; /* from here on too long */
	if (call->nword < VF_MEMO_WORDS)
		call->words[call->nword++] = word;
}

static void put_text(vf_memo_call *call, const char *text)
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

/* A storage by its number in this call; what the fold may ask of it is put where it is met first. */
static void put_storage(vf_memo_call *call, const vf_storage *s)
{
	int k = 0;
	while (k < call->nstorage && call->storages[k] != s)
		k++;
	put(call, k);
	if (k < call->nstorage)
		return;
	if (k == VF_MEMO_STORAGES || (s->kind != VF_STORAGE_MEMORY && s->kind != VF_STORAGE_DECLARED)) {
		call->nword = INT64_MAX;
		return;
	}
	call->storages[call->nstorage++] = s;
	put(call, (int64_t)s->kind * 2 + s->read_only);
	put(call, s->bytes);
	put(call, s->origin_bytes);
}

static void put_region(vf_memo_call *call, const vf_region *r, int rank)
{
	int64_t fill[2];
	put(call, r->ndigit);
	put(call, r->offset);
	for (int a = 0; a < rank; a++)
		put(call, r->base[a]);
	for (int k = 0; k < r->ndigit; k++) {
		put(call, r->digits[k].axis);
		put(call, r->digits[k].extent);
		put(call, r->digits[k].weight);
		put(call, r->digits[k].stride);
	}
	if (r->source) {
		put_storage(call, r->source);
		return;
	}
	memcpy(fill, r->fill, sizeof fill);
	put(call, -1);
	put(call, fill[0]);
	put(call, fill[1]);
}

static void put_array(vf_memo_call *call, const vf_array *a)
{
	const vf_map *map = a->map;
	put(call, (int64_t)a->dtype * 2 + a->read_only);
	put(call, map->rank);
	put(call, map->space_rank);
	put(call, map->nregion);
	for (int i = 0; i < map->rank; i++)
		put(call, map->shape[i]);
	for (int i = 0; i < map->space_rank; i++)
		put(call, map->space[i]);
	for (int i = 0; i < map->nregion && call->nword <= VF_MEMO_WORDS; i++)
		put_region(call, &map->regions[i], map->space_rank);
	/* A value reports other strides than it has; what has no elements is not seen to be read. */
	if (a->face != map || map->nregion == 0)
		call->nword = INT64_MAX;
}

/* Two lanes, so that the multiplications overlap. */
static uint64_t hash_words(const int64_t *words, int64_t n)
{
	uint64_t lanes[2] = {0x9e3779b97f4a7c15u ^ (uint64_t)n, 0xc2b2ae3d27d4eb4fu};
	for (int64_t k = 0; k < n; k++) {
		uint64_t *lane = &lanes[k & 1];
		*lane = (*lane ^ (uint64_t)words[k]) * 0xff51afd7ed558ccdu;
		*lane ^= *lane >> 32;
	}
	return lanes[0] ^ (lanes[1] << 1 | lanes[1] >> 63);
}

static void take_down(vf_memo_call *call, vf_context *ctx, const char *text, int n, const char *const *names,
                      vf_array *const *arrays)
{
	call->ctx = ctx;
	call->arrays = arrays;
	call->narray = n < 0 ? 1 : n;
	call->nword = 0;
	call->nstorage = 0;
	if (!text || !arrays || (n >= 0 && !names))
		return;
	put(call, n);
	put_text(call, text);
	for (int i = 0; i < n; i++) {
		if (!names[i]) {
			call->nword = 0;
			return;
		}
		put_text(call, names[i]);
	}
	for (int i = 0; i < call->narray && call->nword <= VF_MEMO_WORDS; i++) {
		if (!arrays[i] || arrays[i]->ctx != ctx) {
			call->nword = 0;
			return;
		}
		put_array(call, arrays[i]);
	}
	if (call->nword > VF_MEMO_WORDS)
		call->nword = 0;
	call->hash = hash_words(call->words, call->nword);
}

/* ---- the table ---- */

static struct vf_memos *open_table(vf_context *ctx)
{
	struct vf_memos *known = atomic_load_explicit(&ctx->memos, memory_order_acquire);
	if (known)
		return known;
	int n = ctx->options.cache_kernels < MOST_MEMOS ? ctx->options.cache_kernels : MOST_MEMOS;
	size_t bytes = sizeof *known + (size_t)n * sizeof known->slots[0];
	struct vf_memos *table = ctx->options.allocate(ctx->options.memory_user, bytes);
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

static bool take(struct vf_memos *table)
{
	return !atomic_flag_test_and_set_explicit(&table->taken, memory_order_acquire);
}

static void give(struct vf_memos *table)
{
	atomic_flag_clear_explicit(&table->taken, memory_order_release);
}

static vf_memo **way(struct vf_memos *table, uint64_t hash, int k)
{
	return &table->slots[(hash + (uint64_t)k) % (uint64_t)table->n];
}

static vf_memo *find_listed(struct vf_memos *table, uint64_t hash, int64_t nword, const int64_t *words)
{
	for (int k = 0; k < WAYS; k++) {
		vf_memo *m = *way(table, hash, k);
		if (m && m->hash == hash && m->nword == nword && memcmp(m->words, words, (size_t)nword * sizeof *words) == 0)
			return m;
	}
	return NULL;
}

/* With a reference for the caller. */
static vf_memo *look_up(struct vf_memos *table, const vf_memo_call *call)
{
	if (!take(table))
		return NULL;
	vf_memo *found = find_listed(table, call->hash, call->nword, call->words);
	if (found) {
		found->used = ++table->clock;
		atomic_fetch_add_explicit(&found->refs, 1, memory_order_relaxed);
	}
	give(table);
	return found;
}

/* Into the place of the one of its ways that was not used for longest; that is returned. The memo itself, where the
 * table is taken or another thread has listed its like. */
static vf_memo *list(struct vf_memos *table, vf_memo *memo)
{
	if (!take(table))
		return memo;
	if (find_listed(table, memo->hash, memo->nword, memo->words)) {
		give(table);
		return memo;
	}
	vf_memo **place = way(table, memo->hash, 0);
	for (int k = 1; k < WAYS && *place; k++) {
		vf_memo **other = way(table, memo->hash, k);
		if (!*other || (*other)->used < (*place)->used)
			place = other;
	}
	vf_memo *out = *place;
	memo->used = ++table->clock;
	*place = memo;
	give(table);
	return out;
}

/* ---- memos ---- */

void vf_memo_release(vf_context *ctx, vf_memo *memo)
{
	if (!memo || atomic_fetch_sub_explicit(&memo->refs, 1, memory_order_acq_rel) != 1)
		return;
	vf_ready_drop(ctx, atomic_load_explicit(&memo->ready, memory_order_acquire));
	vf_dealloc(ctx, memo->map);
	vf_dealloc(ctx, memo->face);
	vf_dealloc(ctx, memo->sources);
	vf_dealloc(ctx, memo);
}

void vf_memos_close(vf_context *ctx)
{
	struct vf_memos *table = atomic_load_explicit(&ctx->memos, memory_order_acquire);
	for (int i = 0; table && i < table->n; i++)
		vf_memo_release(ctx, table->slots[i]);
	vf_dealloc(ctx, table);
}

_Atomic(void *) *vf_memo_ready(vf_memo *memo)
{
	return &memo->ready;
}

/* What of the call's storages each region of the result reads; false unless that is all of them. */
static bool find_sources(const vf_memo_call *call, const vf_map *map, signed char *sources)
{
	unsigned seen = 0;
	for (int i = 0; i < map->nregion; i++) {
		int k = 0;
		sources[i] = -1;
		if (!map->regions[i].source)
			continue;
		while (k < call->nstorage && call->storages[k] != map->regions[i].source)
			k++;
		if (k == call->nstorage)
			return false;
		sources[i] = (signed char)k;
		seen |= 1u << k;
	}
	return seen == (1u << call->nstorage) - 1;
}

/* The result reports its map, or what lies on one value's storage. */
static bool face_fits(const vf_array *result)
{
	const vf_storage *s = fold_one_storage(result->face);
	return result->face == result->map ||
	       (s && s->kind == VF_STORAGE_VALUE && vf_map_bytes(result->face) <= MOST_MAP_BYTES);
}

static bool fits(const vf_array *result)
{
	return result->op && result->ncut == 0 && result->map->nregion > 0 && face_fits(result) &&
	       vf_map_bytes(result->map) <= MOST_MAP_BYTES &&
	       atomic_load_explicit(&result->refs, memory_order_relaxed) == 1; /* else it is an operand */
}

/* Memory that cannot be had is no failure of the call that it would have served, so none is kept. */
static void *ask(vf_context *ctx, size_t bytes)
{
	return ctx->options.allocate(ctx->options.memory_user, bytes);
}

/* A copy of a map; NULL where it cannot be had. */
static vf_map *ask_map(vf_context *ctx, const vf_map *map)
{
	vf_map *copy = ask(ctx, vf_map_bytes(map));
	if (copy)
		vf_map_copy(copy, map);
	return copy;
}

static vf_memo *make(const vf_memo_call *call, const vf_array *result, vf_evaluate *evaluate)
{
	vf_context *ctx = call->ctx;
	size_t bytes = (size_t)call->nword * sizeof call->words[0];
	vf_memo *m = ask(ctx, sizeof *m + bytes);
	if (!m)
		return NULL;
	memset(m, 0, sizeof *m);
	atomic_init(&m->refs, 1);
	m->dtype = result->dtype;
	m->read_only = result->read_only;
	m->is_value = result->is_value;
	m->op = result->op;
	m->evaluate = evaluate;
	m->hash = call->hash;
	m->nword = call->nword;
	memcpy(m->words, call->words, bytes);
	m->sources = ask(ctx, (size_t)result->map->nregion);
	m->map = ask_map(ctx, result->map);
	bool whole = m->sources && m->map && find_sources(call, result->map, m->sources);
	if (whole && result->face != result->map) {
		m->face = ask_map(ctx, result->face);
		m->value = *fold_one_storage(result->face);
		whole = m->face != NULL;
	}
	if (whole)
		return m;
	vf_memo_release(ctx, m);
	return NULL;
}

void vf_memo_keep(const vf_memo_call *call, const vf_array *result, vf_evaluate *evaluate)
{
	if (call->nword == 0 || !result || !fits(result))
		return;
	struct vf_memos *table = open_table(call->ctx);
	vf_memo *memo = table ? make(call, result, evaluate) : NULL;
	if (memo)
		vf_memo_release(call->ctx, list(table, memo));
}

/* ---- nodes ---- */

/* What the node reports, where that is not its map: as the memo has it, on a storage of the node's own. */
static bool make_face(vf_array *a, const vf_memo *memo)
{
	a->own = vf_alloc(a->ctx, sizeof *a->own);
	if (!a->own)
		return false;
	*a->own = memo->value;
	a->own->below = a;
	a->face = vf_alloc(a->ctx, vf_map_bytes(memo->face));
	if (!a->face)
		return false;
	vf_map_copy(a->face, memo->face);
	for (int i = 0; i < a->face->nregion; i++)
		a->face->regions[i].source = a->own;
	return true;
}

/* Takes the caller's reference to the memo. */
static vf_array *instance(const vf_memo_call *call, vf_memo *memo)
{
	vf_array *a = vf_node_create(call->ctx, memo->dtype, memo->op, call->narray, call->arrays, NULL, 0);
	if (!a) {
		vf_memo_release(call->ctx, memo);
		return NULL;
	}
	a->memo = memo;
	a->read_only = memo->read_only;
	a->is_value = memo->is_value;
	a->map = a->face = vf_alloc(call->ctx, vf_map_bytes(memo->map));
	if (a->map) {
		vf_map_copy(a->map, memo->map);
		for (int i = 0; i < a->map->nregion; i++)
			a->map->regions[i].source = memo->sources[i] < 0 ? NULL : call->storages[memo->sources[i]];
		if (!memo->face || make_face(a, memo))
			return a;
	}
	vf_release(a);
	return NULL;
}

bool vf_memo_find(vf_memo_call *call, vf_context *ctx, const char *text, int n, const char *const *names,
                  vf_array *const *arrays, vf_array **result)
{
	take_down(call, ctx, text, n, names, arrays);
	struct vf_memos *table = atomic_load_explicit(&ctx->memos, memory_order_acquire);
	vf_memo *memo = call->nword && table ? look_up(table, call) : NULL;
	if (memo)
		*result = instance(call, memo);
	return memo != NULL;
}

static const char *next_text(const int64_t **words)
{
	const char *text = (const char *)*words;
	*words += (strlen(text) + 1 + 7) / 8;
	return text;
}

static vf_array *evaluate_again(const vf_array *a)
{
	const char *names[VF_MEMO_WORDS];
	const int64_t *words = a->memo->words;
	int n = (int)*words++;
	const char *text = next_text(&words);
	for (int i = 0; i < n; i++)
		names[i] = next_text(&words);
	return a->memo->evaluate(a->ctx, text, n, names, a->parents);
}

const vf_array *vf_memo_chain(const vf_array *a)
{
	if (!a->memo)
		return a;
	_Atomic(vf_array *) *place = &((vf_array *)(uintptr_t)a)->chain;
	vf_array *known = atomic_load_explicit(place, memory_order_acquire);
	if (known)
		return known;
	vf_array *chain = evaluate_again(a);
	if (!chain || atomic_compare_exchange_strong(place, &known, chain))
		return chain;
	vf_release(chain);
	return known;
}
