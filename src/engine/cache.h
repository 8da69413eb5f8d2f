/* cache.h -- compiled kernels by the normal form of their jobs; private to src/engine/. */
#pragma once

#include "codegen/jit.h"
#include "engine/code.h"
#include "engine/choices.h"

#include <pthread.h>

typedef enum vf_code_state { VF_CODE_PENDING, VF_CODE_READY, VF_CODE_GONE } vf_code_state;

/* How far code has come: it is interpreted but where it is SETTLED and has a compiled entry. */
typedef enum vf_code_tier {
	VF_TIER_NEW,       /* has not run */
	VF_TIER_RUN_ONCE,  /* the next run compiles it */
	VF_TIER_COMPILING, /* some thread does */
	VF_TIER_SETTLED    /* stays as it is */
} vf_code_tier;

struct vf_code {
	atomic_int refs; /* the cache holds one while it lists the code */

	/* The cache's, under its lock. */
	vf_code_state state;
	unsigned generation; /* of the process that makes it; see vf_cache_take */
	uint64_t hash;
	int64_t nkey;
	vf_code *chain;         /* next in its bucket */
	vf_code *newer, *older; /* by last use; only while READY */

	/* Written by its maker while PENDING, constant afterwards. */
	vf_plan *plan;
	bool looked_at; /* planned only */

	/* Written by the one thread that settles the code, before it says so in `tier`. */
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

/* The code of a key, with a reference: listed and ready (*mine false; waits while another thread makes
 * it), or new and PENDING (*mine true): the caller makes it and says so by vf_cache_made. NULL with
 * VF_ERR_MEMORY kept. */
vf_code *vf_cache_take(vf_context *ctx, vf_cache *cache, const int64_t *key, int64_t nkey, bool *mine);

/* Code that the cache does not list, with the caller's reference alone. NULL with VF_ERR_MEMORY kept. */
vf_code *vf_cache_unlisted(vf_context *ctx, const int64_t *key, int64_t nkey);

/* `code` is made, or could not be: then it is no longer listed and the next one to ask tries again.
 * Either way the caller's reference stays. */
void vf_cache_made(vf_context *ctx, vf_cache *cache, vf_code *code, bool ready);

/* Counts the forks behind this process. */
unsigned vf_fork_generation(void);
