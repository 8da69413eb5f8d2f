/* lookup.c -- see lookup.h. Open addressing; nothing is ever taken out. */
#include "core/lookup.h"

struct vf_lookup_entry {
	const void *key; /* NULL: free */
	int number;
};

/* Where `key` is, or the free entry where it would be. */
static struct vf_lookup_entry *find_entry(const vf_lookup *lookup, const void *key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = (size_t)lookup->size - 1, at = (size_t)(hash >> 32) & mask;
	while (lookup->entries[at].key && lookup->entries[at].key != key)
		at = (at + 1) & mask;
	return &lookup->entries[at];
}

int vf_lookup_get(const vf_lookup *lookup, const void *key)
{
	if (lookup->n == 0)
		return -1;
	const struct vf_lookup_entry *entry = find_entry(lookup, key);
	return entry->key ? entry->number : -1;
}

static bool grow(vf_arena *arena, vf_lookup *lookup)
{
	vf_lookup larger = {.n = lookup->n, .size = lookup->size ? 2 * lookup->size : 32};
	larger.entries = vf_arena_alloc(arena, larger.size, sizeof *larger.entries);
	if (!larger.entries)
		return false;
	for (int i = 0; i < lookup->size; i++)
		if (lookup->entries[i].key)
			*find_entry(&larger, lookup->entries[i].key) = lookup->entries[i];
	*lookup = larger;
	return true;
}

bool vf_lookup_put(vf_arena *arena, vf_lookup *lookup, const void *key, int number)
{
	if (2 * (lookup->n + 1) > lookup->size && !grow(arena, lookup))
		return false;
	*find_entry(lookup, key) = (struct vf_lookup_entry){key, number};
	lookup->n++;
	return true;
}
