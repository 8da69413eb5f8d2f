/* lookup.h -- a number by a pointer: a table in an arena, as large as it must be. */
#ifndef VF_CORE_LOOKUP_H
#define VF_CORE_LOOKUP_H

#include "core/context.h"

typedef struct vf_lookup {
	int n, size; /* a power of two, at least twice n; 0 before the first */
	struct vf_lookup_entry *entries;
} vf_lookup;

/* The number that `key` was put with; -1 where it was not. */
int vf_lookup_get(const vf_lookup *lookup, const void *key);

/* `key` is not there yet and not NULL, `number` not negative. False without memory. */
bool vf_lookup_put(vf_arena *arena, vf_lookup *lookup, const void *key, int number);

#endif
