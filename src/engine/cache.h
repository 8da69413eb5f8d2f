/* cache.h -- code, found by the normal form of its job; for src/engine/ and src/driver/ only. */
#pragma once

#include "codegen/jit.h"
#include "engine/code.h"
#include "engine/choices.h"

#include <pthread.h>

typedef enum vf_code_state { VF_CODE_PENDING, VF_CODE_READY, VF_CODE_GONE } vf_code_state;

/* How far code has come. It runs compiled only if it is SETTLED and has an entry; else it is interpreted. */
typedef enum vf_code_tier {
	VF_TIER_NEW,       /* has not run */
	VF_TIER_RUN_ONCE,  /* the next run compiles it */
	VF_TIER_COMPILING, /* some thread compiles it */
	VF_TIER_SETTLED    /* does not change any more */
} vf_code_tier;

struct vf_code {
	atomic_int refs; /* the cache holds one while it lists the code */

	/* These belong to the cache, under its lock. */
	vf_code_state state;
	unsigned generation; /* of the process that makes the code; see vf_cache_take */
	uint64_t hash;
	int64_t nkey;
	vf_code *chain;         /* next in its bucket */
	vf_code *newer, *older; /* by last use; only while READY */

	/* Written by its maker while PENDING, constant afterwards. */
	vf_plan *plan;
	bool looked_at; /* planned only */

	/* Written by the one thread that settles the code, before it sets `tier`. */
	atomic_int tier; /* vf_code_tier */
	vf_jit jit;      /* entry NULL: interpreted */
	const char *why; /* why it is interpreted; `refusal`, or static */
	char refusal[128];

	int64_t key[]; /* the words of the normal job */
};

static inline bool vf_code_is_settled(const vf_code *code)
{
	return atomic_load_explicit(&code->tier, memory_order_acquire) == VF_TIER_SETTLED;
}

typedef struct vf_cache vf_cache;
struct vf_cache {
	pthread_mutex_t lock;
	pthread_cond_t made; /* some PENDING code is READY or GONE */
	int capacity, count; /* count: READY ones listed */
	vf_code *newest, *oldest;
	uint64_t mask;
	vf_code **buckets;
	vf_cache *next_in_process; /* for fork; see cache.c */
	vf_cache **place_in_process;

	int64_t hits, misses, evictions; /* under the lock */
	atomic_llong compiled, interpreted, compile_ns;
	vf_machine machine;
	vf_choices choices; /* of measured plans */
};

vf_cache *vf_cache_open(vf_context *ctx, int capacity);
void vf_cache_close(vf_context *ctx, vf_cache *cache);

/* Returns the code of a key, with a reference. Either it is listed and ready (*mine is false; waits if
 * another thread is making it), or it is new and PENDING (*mine is true): then the caller makes it and calls
 * vf_cache_made. NULL with VF_ERR_MEMORY kept. */
vf_code *vf_cache_take(vf_context *ctx, vf_cache *cache, const int64_t *key, int64_t nkey, bool *mine);

/* Returns code that the cache does not list; the caller has the only reference. NULL with VF_ERR_MEMORY
 * kept. */
vf_code *vf_cache_unlisted(vf_context *ctx, const int64_t *key, int64_t nkey);

/* Says that `code` is made, or could not be made: then it is no longer listed, and the next thread that asks
 * tries again. Either way the caller keeps its reference. */
void vf_cache_made(vf_context *ctx, vf_cache *cache, vf_code *code, bool ready);

/* Counts the forks behind this process. */
unsigned vf_fork_generation(void);
