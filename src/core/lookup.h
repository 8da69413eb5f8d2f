/* lookup.h -- a number by a pointer: a table in an arena, as large as it must be. */
#pragma once

#include "core/context.h"

typedef struct vf_lookup {
	int n, size; /* a power of two, at least twice n; 0 before the first */
	struct vf_lookup_entry *entries;
} vf_lookup;

/* The number that `key` was put with; -1 where it was not. */
int vf_lookup_get(const vf_lookup *lookup, const void *key);

/* `key` is not there yet and not NULL, `number` not negative. False without memory. */
bool vf_lookup_put(vf_arena *arena, vf_lookup *lookup, const void *key, int number);

/* A hash of words, in two lanes: their multiplications overlap in time. */
static inline uint64_t vf_hash_words(const int64_t *words, int64_t n)
{
	uint64_t lanes[2] = {0x9e3779b97f4a7c15u ^ (uint64_t)n, 0xc2b2ae3d27d4eb4fu};
	for (int64_t k = 0; k < n; k++) {
		uint64_t *lane = &lanes[k & 1];
		*lane = (*lane ^ (uint64_t)words[k]) * 0xff51afd7ed558ccdu;
		*lane ^= *lane >> 32;
	}
	return lanes[0] ^ (lanes[1] << 1 | lanes[1] >> 63);
}
