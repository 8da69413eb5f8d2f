/* sources.h -- lists of storages, and which of them lie below a map. */
#pragma once

#include "core/lookup.h"
#include "graph/array.h"

/* A list of distinct storages. A job's sources are numbered by their place in one. */
typedef struct vf_sources {
	int n;
	int64_t capacity;
	const vf_storage **list;
	vf_lookup lookup; /* of those beyond the first few */
} vf_sources;

/* Returns the storage's place in the list; -1 if it is not there. */
int vf_sources_at(const vf_sources *sources, const vf_storage *storage);

/* The same, but a new storage is added at the end; -1 without memory. */
int vf_sources_find(vf_arena *arena, vf_sources *sources, const vf_storage *storage);

/* Appends without looking for duplicates, to a list in which nothing is looked up. False without memory. */
bool vf_sources_push(vf_arena *arena, vf_sources *sources, const vf_storage *storage);

/* Adds each storage of a leaf that `a` reads to the end of `leaves`, then those below its cuts, each once.
 * Adds the cuts to `cuts` in the same way. vf_leaves() promises this order. False without memory. */
bool vf_sources_below(vf_arena *arena, const vf_array *a, vf_sources *leaves, vf_sources *cuts);

/* vf_leaves() for n arrays together, n > 0: the leaves of the first array, then what the next ones read in
 * addition. */
int vf_leaves_of_all(int n, vf_array *const *arrays, int room, vf_array **out);
