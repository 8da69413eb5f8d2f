/* cache.c -- a bounded table of code, least recently used out first.
 *
 * In     keys: the words of normal jobs
 * Out    code; each is made by one thread, however many threads ask
 * Keeps  the cache has a reference to listed code, and a run has its own: code that is evicted while it runs
 *        lives on. The lock is never held while code is planned, compiled or freed
 * Fork   the locks of all caches, and of their choices, are taken before a fork and released after it, so the
 *        child's tables are whole. Code that was PENDING has no maker in the child. Its generation shows
 *        this, and the first thread to ask for it there makes it anew
 * Tests  tests/unit/test_code.c
 */
#include "engine/cache.h"
#include "core/lookup.h"
#include "engine/process.h"

#include <string.h>

/* ---- all caches of the process, for fork ---- */

static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t process_once = PTHREAD_ONCE_INIT;
static vf_cache *process_caches;
static atomic_uint generation;

unsigned vf_fork_generation(void)
{
	return atomic_load_explicit(&generation, memory_order_relaxed);
}

static void before_fork(void)
{
	pthread_mutex_lock(&process_lock);
	for (vf_cache *c = process_caches; c; c = c->next_in_process) {
		pthread_mutex_lock(&c->lock);
		pthread_mutex_lock(&c->choices.lock);
	}
}

static void after_fork(void)
{
	for (vf_cache *c = process_caches; c; c = c->next_in_process) {
		pthread_mutex_unlock(&c->choices.lock);
		pthread_mutex_unlock(&c->lock);
	}
	pthread_mutex_unlock(&process_lock);
}

/* The threads that waited exist only in the parent, so the child makes its conditions anew. */
static void after_fork_in_child(void)
{
	atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
	for (vf_cache *c = process_caches; c; c = c->next_in_process)
		pthread_cond_init(&c->made, NULL);
	after_fork();
}

static void set_fork_handlers(void)
{
	vf_at_fork(before_fork, after_fork, after_fork_in_child);
}

static void join_process(vf_cache *cache)
{
	pthread_once(&process_once, set_fork_handlers);
	pthread_mutex_lock(&process_lock);
	cache->next_in_process = process_caches;
	cache->place_in_process = &process_caches;
	if (process_caches)
		process_caches->place_in_process = &cache->next_in_process;
	process_caches = cache;
	pthread_mutex_unlock(&process_lock);
}

static void leave_process(vf_cache *cache)
{
	pthread_mutex_lock(&process_lock);
	*cache->place_in_process = cache->next_in_process;
	if (cache->next_in_process)
		cache->next_in_process->place_in_process = cache->place_in_process;
	pthread_mutex_unlock(&process_lock);
}

/* ---- the order of use ---- */

static void unlink_use(vf_cache *cache, vf_code *code)
{
	*(code->newer ? &code->newer->older : &cache->newest) = code->older;
	*(code->older ? &code->older->newer : &cache->oldest) = code->newer;
	code->newer = code->older = NULL;
}

static void link_newest(vf_cache *cache, vf_code *code)
{
	code->older = cache->newest;
	code->newer = NULL;
	*(cache->newest ? &cache->newest->newer : &cache->oldest) = code;
	cache->newest = code;
}

/* ---- the table ---- */

static vf_code **bucket_of(const vf_cache *cache, uint64_t hash)
{
	return &cache->buckets[(hash ^ hash >> 20) & cache->mask];
}

static vf_code *find(const vf_cache *cache, uint64_t hash, const int64_t *key, int64_t nkey)
{
	for (vf_code *code = *bucket_of(cache, hash); code; code = code->chain)
		if (code->hash == hash && code->nkey == nkey &&
		    memcmp(code->key, key, (size_t)nkey * sizeof *key) == 0)
			return code;
	return NULL;
}

static void list(vf_cache *cache, vf_code *code)
{
	vf_code **bucket = bucket_of(cache, code->hash);
	code->chain = *bucket;
	*bucket = code;
}

static void unlist(vf_cache *cache, vf_code *code)
{
	vf_code **at = bucket_of(cache, code->hash);
	while (*at != code)
		at = &(*at)->chain;
	*at = code->chain;
	code->chain = NULL;
}

/* Takes the oldest code out of a full cache. The caller releases it after it has released the lock. */
static vf_code *evict(vf_cache *cache)
{
	vf_code *oldest = cache->oldest;
	if (cache->count <= cache->capacity)
		return NULL;
	unlink_use(cache, oldest);
	unlist(cache, oldest);
	oldest->state = VF_CODE_GONE;
	cache->count--;
	cache->evictions++;
	return oldest;
}

/* ---- take and make ---- */

static vf_code *new_code(vf_context *ctx, const int64_t *key, int64_t nkey, uint64_t hash)
{
	vf_code *code = vf_alloc(ctx, sizeof *code + (size_t)nkey * sizeof *key);
	if (!code)
		return NULL;
	memset(code, 0, sizeof *code);
	atomic_init(&code->refs, 2); /* the caller's and the cache's */
	code->state = VF_CODE_PENDING;
	code->generation = vf_fork_generation();
	code->hash = hash;
	code->nkey = nkey;
	code->why = "";
	memcpy(code->key, key, (size_t)nkey * sizeof *key);
	return code;
}

vf_code *vf_cache_unlisted(vf_context *ctx, const int64_t *key, int64_t nkey)
{
	vf_code *code = new_code(ctx, key, nkey, vf_hash_words(key, nkey));
	if (code)
		atomic_init(&code->refs, 1);
	return code;
}

/* With the lock held: returns the code, ready; NULL if there is none. */
static vf_code *find_ready(vf_cache *cache, uint64_t hash, const int64_t *key, int64_t nkey)
{
	for (;;) {
		vf_code *code = find(cache, hash, key, nkey);
		if (!code || code->state == VF_CODE_READY)
			return code;
		if (code->generation != vf_fork_generation()) {
			unlist(cache, code); /* lost in a fork, together with its maker */
			return NULL;
		}
		pthread_cond_wait(&cache->made, &cache->lock);
	}
}

static vf_code *take_ready(vf_cache *cache, vf_code *code)
{
	atomic_fetch_add_explicit(&code->refs, 1, memory_order_relaxed);
	if (cache->newest != code) {
		unlink_use(cache, code);
		link_newest(cache, code);
	}
	cache->hits++;
	return code;
}

vf_code *vf_cache_take(vf_context *ctx, vf_cache *cache, const int64_t *key, int64_t nkey, bool *mine)
{
	uint64_t hash = vf_hash_words(key, nkey);
	*mine = false;
	pthread_mutex_lock(&cache->lock);
	vf_code *code = find_ready(cache, hash, key, nkey);
	if (code) {
		take_ready(cache, code);
	} else {
		code = new_code(ctx, key, nkey, hash);
		*mine = code != NULL;
		cache->misses++;
		if (code)
			list(cache, code);
	}
	pthread_mutex_unlock(&cache->lock);
	return code;
}

void vf_cache_made(vf_context *ctx, vf_cache *cache, vf_code *code, bool ready)
{
	pthread_mutex_lock(&cache->lock);
	vf_code *out = NULL;
	code->state = ready ? VF_CODE_READY : VF_CODE_GONE;
	if (ready) {
		link_newest(cache, code);
		cache->count++;
		out = evict(cache);
	} else {
		unlist(cache, code);
		out = code;
	}
	pthread_cond_broadcast(&cache->made);
	pthread_mutex_unlock(&cache->lock);
	if (out)
		vf_code_release(ctx, out);
}

/* ---- open and close ---- */

vf_cache *vf_cache_open(vf_context *ctx, int capacity)
{
	vf_cache *cache = vf_alloc_zero(ctx, sizeof *cache);
	if (!cache)
		return NULL;
	cache->capacity = capacity;
	cache->mask = 15;
	while (cache->mask < (uint64_t)capacity && cache->mask < 1u << 20)
		cache->mask = cache->mask * 2 + 1;
	cache->buckets = vf_alloc_zero(ctx, (size_t)(cache->mask + 1) * sizeof *cache->buckets);
	if (!cache->buckets) {
		vf_dealloc(ctx, cache);
		return NULL;
	}
	pthread_mutex_init(&cache->lock, NULL); /* default attributes: cannot fail */
	pthread_cond_init(&cache->made, NULL);
	vf_choices_open(&cache->choices);
	cache->machine = vf_machine_read();
	join_process(cache);
	return cache;
}

void vf_cache_close(vf_context *ctx, vf_cache *cache)
{
	leave_process(cache);
	while (cache->newest) {
		vf_code *code = cache->newest;
		unlink_use(cache, code);
		unlist(cache, code);
		vf_code_release(ctx, code);
	}
	vf_choices_close(ctx, &cache->choices);
	pthread_cond_destroy(&cache->made);
	pthread_mutex_destroy(&cache->lock);
	vf_dealloc(ctx, cache->buckets);
	vf_dealloc(ctx, cache);
}
