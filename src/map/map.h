/* map.h -- the map: which source element each index of an array reads.
 *
 * A map covers the index space of its shape with disjoint *regions*. A region is a lattice on both
 * sides at once: with digits d_k, 0 <= d_k < extent_k, it is the set of pairs
 *
 *     index    base + sum_k d_k * weight_k * e(axis_k)        (e(a): the unit vector of axis a)
 *     element  offset + sum_k d_k * stride_k                  of `source`, or a fill value
 *
 * A digit may have a *table* of offsets in place of its stride: value d then reads table[first + d * stride]
 * beyond `offset`. It is what an index list along an axis is: of 60,000 indices one digit. Its table is
 * shared by all maps that read through it. It can be sliced, reversed and thinned (`first` and `stride`
 * change); it is split in two digits only where the table is a sum of what each of them reads.
 *
 * So an axis with several digits is *compound* (read in a mixed radix, as CuTe's nested layouts), a
 * slice of a reshape is a region whose weights leave gaps, and a cat is one region an operand. Reshape,
 * slice and friends map regions to regions; see split.c and slice.c for what stays one region and what
 * becomes several.
 *
 * Always true of a region's digits on one axis, in descending weight:
 *     extent_k >= 2, weight_k >= 1, and weight_k > sum_{l > k} (extent_l - 1) * weight_l
 * (so digits are read off an index uniquely), and, by canonical.c, no two neighbours chain on both sides.
 * As extents are at least 2 and the size of the space is at most INT64_MAX, a region has at most 62 digits.
 *
 * The regions are written in the coordinates of `space`, which holds the elements of `shape` in the
 * same row-major order. The two differ only where a reshape put axes across radices that share no
 * boundary and nothing has asked for the new coordinates yet (a *ragged* map): a C-ordered result is
 * then filled in the old coordinates, and the next operation settles it (work_resolve).
 */
#pragma once

#include "core/context.h"

enum { VF_MAX_DIGITS = 62 };

/* A place that elements come from. Made by leaves and by cuts; nodes keep them alive. */
typedef struct vf_storage vf_storage;

/* Element offsets, immutable, counted by the maps that hold them. While a map is made, a new table is a
 * *draft* in the arena, counted by none; work_finish() makes it a table. */
typedef struct vf_table {
	atomic_int refs; /* 0: a draft */
	int64_t n;
	int64_t offsets[];
} vf_table;

typedef struct vf_digit {
	int axis;
	int64_t extent, weight, stride;
	const vf_table *table; /* NULL: value d reads d * stride on */
	int64_t first;         /* with a table: where value 0 stands in it */
} vf_digit;

/* A digit without a table. */
static inline vf_digit vf_plain_digit(int axis, int64_t extent, int64_t weight, int64_t stride)
{
	return (vf_digit){.axis = axis, .extent = extent, .weight = weight, .stride = stride};
}

/* How many elements beyond the region's offset value d of the digit lies. */
static inline int64_t vf_digit_at(const vf_digit *digit, int64_t d)
{
	return digit->table ? digit->table->offsets[digit->first + d * digit->stride] : d * digit->stride;
}

typedef struct vf_region {
	const vf_storage *source; /* NULL: every element is `fill` */
	int64_t offset;
	int ndigit;
	int room; /* while a map is made: for how many digits, and axes of the base, there is memory */
	vf_digit *digits; /* by axis ascending, then by weight descending */
	int64_t *base;    /* one number an axis of the space */
	unsigned char fill[16];
} vf_region;

/* Immutable once made; one block of memory. */
typedef struct vf_map {
	int rank, space_rank;
	int64_t *shape, *space;
	int64_t size; /* elements */
	int nregion;  /* 0 where size is 0 */
	bool has_tables;
	/* Of a map without elements that is a view of one: the strides that it reports, which mean nothing
	 * else. Else NULL. */
	int64_t *strides;
	vf_region *regions; /* by first index, row-major */
} vf_map;

void vf_map_drop(vf_context *ctx, vf_map *map);

/* The size of a map's block, and a copy of it in a block of that size. Not for a map with tables. */
size_t vf_map_bytes(const vf_map *map);
void vf_map_copy(vf_map *copy, const vf_map *map);

/* Such a copy in a block of its own, given back by vf_map_drop(). NULL without memory; the context keeps no
 * error. */
vf_map *vf_map_clone(vf_context *ctx, const vf_map *map);

/* Elements of a shape, by checked multiplication: false beyond INT64_MAX. Where an extent is 0 the
 * count is 0 whatever the others are. */
bool vf_count(int rank, const int64_t *shape, int64_t *size);

static inline bool vf_map_is_ragged(const vf_map *map)
{
	if (map->rank != map->space_rank)
		return true;
	for (int i = 0; i < map->rank; i++)
		if (map->shape[i] != map->space[i])
			return true;
	return false;
}

/* Whether the map is plain strided: one region of one source over everything, at most one digit an
 * axis. Then strides (of extents 0 and 1 as well: those that C order over the inner axes would give,
 * 0 where that is beyond int64_t; without elements those that it keeps, or C order's) are written, unless
 * NULL. */
bool vf_map_plain(const vf_map *map, int64_t *strides);
/* Whether the map is plain, and its strides are those of C order; axes of extent 1 may have any. */
bool vf_map_is_in_c_order(const vf_map *map);
/* Of a map that is not plain the first axis with several digits; -1 where it is regions. */
int vf_map_compound(const vf_map *map);

/* The first region that has the source of region i. */
int vf_map_first_of_source(const vf_map *map, int i);

/* C-order strides of a shape; extents of 0 count as 1. */
void vf_c_strides(int rank, const int64_t *shape, int64_t *strides);

/* Lowest and highest element a region reads. */
void vf_region_reach(const vf_region *region, int64_t *low, int64_t *high);

/* "(3,2,2):(2,1,6)+0", "((6,4)):((1,6))+0"; regions in braces. Equal maps print alike. */
void vf_map_print(vf_text *text, const vf_map *map, int64_t elem_bytes);
