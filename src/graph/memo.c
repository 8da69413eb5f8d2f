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

/* A node to be made again: over the storages of another call. */
typedef struct memo_node {
	const vf_op *op;
	vf_dtype dtype;
	bool read_only, is_value;
	vf_map *map;          /* the regions' sources are not to be read, here and in the face */
	vf_map *face;         /* over one value's storage; NULL: the map */
	signed char *sources; /* of each region of the map, among the call's storages; -1: a fill */
} memo_node;

/* Words of a key: n, text, n names, then what each operand is. Texts stand with their zero, filled up with more. */
struct vf_memo {
	atomic_int refs;
	memo_node result;
	memo_node value; /* what the result's face lies on, where that is not the result itself; else without a map */
	vf_pattern *pattern;
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
	if (a->face != map || map->nregion == 0 || map->has_tables)
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

static void drop_node(vf_context *ctx, memo_node *node)
{
	vf_dealloc(ctx, node->map);
	vf_dealloc(ctx, node->face);
	vf_dealloc(ctx, node->sources);
}

void vf_memo_release(vf_context *ctx, vf_memo *memo)
{
	if (!memo || atomic_fetch_sub_explicit(&memo->refs, 1, memory_order_acq_rel) != 1)
		return;
	vf_ready_drop(ctx, atomic_load_explicit(&memo->ready, memory_order_acquire));
	drop_node(ctx, &memo->result);
	drop_node(ctx, &memo->value);
	vf_pattern_release(ctx, memo->pattern);
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

/* Records which of the call's storages each region reads, and adds them to `seen`. False where a region reads
 * another storage. */
static bool find_sources(const vf_memo_call *call, const vf_map *map, signed char *sources, unsigned *seen)
{
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
		*seen |= 1u << k;
	}
	return true;
}

static bool node_fits(const vf_array *a)
{
	return a->op && a->ncut == 0 && a->map->nregion > 0 && !a->map->has_tables &&
	       vf_map_bytes(a->map) <= MOST_MAP_BYTES && vf_map_bytes(a->face) <= MOST_MAP_BYTES;
}

/* The node whose value the array's face lies on; NULL where it reports its map, or several storages. */
static const vf_array *value_below(const vf_array *a)
{
	const vf_storage *s = fold_one_storage(a->face);
	return s && s->kind == VF_STORAGE_VALUE ? s->below : NULL;
}

static bool fits(const vf_array *result)
{
	const vf_array *value = value_below(result);
	return node_fits(result) && (result->face == result->map || (value && node_fits(value))) &&
	       atomic_load_explicit(&result->refs, memory_order_relaxed) == 1; /* else it is an operand */
}

/* A copy of a map; NULL where it cannot be had. */
static vf_map *copy_map(vf_context *ctx, const vf_map *map)
{
	vf_map *copy = vf_alloc_quietly(ctx, vf_map_bytes(map));
	if (copy)
		vf_map_copy(copy, map);
	return copy;
}

static bool keep_node(const vf_memo_call *call, const vf_array *a, memo_node *node, unsigned *seen)
{
	vf_context *ctx = call->ctx;
	bool other_face = a->face != a->map;
	node->op = a->op;
	node->dtype = a->dtype;
	node->read_only = a->read_only;
	node->is_value = a->is_value;
	node->sources = vf_alloc_quietly(ctx, (size_t)a->map->nregion);
	node->map = copy_map(ctx, a->map);
	node->face = other_face ? copy_map(ctx, a->face) : NULL;
	return node->sources && node->map && (node->face || !other_face) && find_sources(call, a->map, node->sources, seen);
}

/* NULL where memory cannot be had, or where the result does not read all storages of the call. */
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
	bool whole = keep_node(call, result, &m->result, &seen) && seen == (1u << call->nstorage) - 1;
	if (whole && value && value != result)
		whole = keep_node(call, value, &m->value, &ignored);
	m->pattern = whole ? vf_pattern_take(result, call->narray, call->arrays) : NULL;
	if (m->pattern)
		return m;
	vf_memo_release(ctx, m);
	return NULL;
}

void vf_memo_keep(const vf_memo_call *call, vf_array *result)
{
	if (call->nword == 0 || !result || !fits(result))
		return;
	struct vf_memos *table = open_table(call->ctx);
	vf_memo *memo = table ? make(call, result) : NULL;
	if (memo)
		vf_memo_release(call->ctx, list(table, memo));
}

/* ---- nodes ---- */

/* The node's face over the storage of `value`; of a storage of its own where that is NULL. */
static bool make_face(vf_array *a, const vf_map *face, vf_array *value)
{
	if (!value) {
		a->own = vf_alloc_zero(a->ctx, sizeof *a->own);
		if (!a->own)
			return false;
		*a->own = (vf_storage){.kind = VF_STORAGE_VALUE, .read_only = true, .below = a};
	}
	a->face = vf_alloc(a->ctx, vf_map_bytes(face));
	if (!a->face)
		return false;
	vf_map_copy(a->face, face);
	for (int i = 0; i < a->face->nregion; i++)
		a->face->regions[i].source = value ? value->own : a->own;
	return true;
}

static vf_array *make_node(const vf_memo_call *call, const memo_node *node, int nparent, vf_array *value)
{
	vf_origin origin = {.op = node->op, .nparent = nparent, .parents = call->arrays};
	vf_array *a = vf_node_create(call->ctx, node->dtype, &origin);
	if (!a)
		return NULL;
	a->read_only = node->read_only;
	a->is_value = node->is_value;
	a->map = a->face = vf_alloc(call->ctx, vf_map_bytes(node->map));
	if (a->map) {
		vf_map_copy(a->map, node->map);
		for (int i = 0; i < a->map->nregion; i++)
			a->map->regions[i].source = node->sources[i] < 0 ? NULL : call->storages[node->sources[i]];
		if (!node->face || make_face(a, node->face, value)) {
			vf_node_hold_sources(a);
			return a;
		}
	}
	vf_release(a);
	return NULL;
}

/* Takes the caller's reference to the memo. */
static vf_array *instance(const vf_memo_call *call, vf_memo *memo)
{
	vf_array *value = memo->value.map ? make_node(call, &memo->value, 0, NULL) : NULL, *a = NULL;
	if (value || !memo->value.map)
		a = make_node(call, &memo->result, call->narray, value);
	vf_release(value); /* the face holds it */
	if (!a) {
		vf_memo_release(call->ctx, memo);
		return NULL;
	}
	vf_pattern_follow(a, memo->pattern);
	a->memo = memo;
	return a;
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
