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

/* Where a storage stands in the list; -1 where it does not. */
int vf_sources_at(const vf_sources *sources, const vf_storage *storage);

/* The same, but added at the end where it is new; -1 without memory. */
int vf_sources_find(vf_arena *arena, vf_sources *sources, const vf_storage *storage);

/* Appends without looking for duplicates, to a list in which nothing is looked up. False without memory. */
bool vf_sources_push(vf_arena *arena, vf_sources *sources, const vf_storage *storage);

/* The leaves' storages that `a` reads, and then those below its cuts, at the end of `leaves`, each once; the
 * cuts likewise. vf_leaves() promises this order. False without memory. */
bool vf_sources_below(vf_arena *arena, const vf_array *a, vf_sources *leaves, vf_sources *cuts);

/* vf_leaves() of n arrays together, n > 0: those of the first, then what the next ones read beside them. */
int vf_leaves_of_all(int n, vf_array *const *arrays, int room, vf_array **out);
