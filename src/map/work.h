/* work.h -- a map in the making: the transformations that the rules of the ops are made of.
 *
 * Each work_*() turns a working map into another, as a statement on the index function R (what each
 * index reads). They state only what they need of their arguments; the rules check the user's. The
 * state is sticky: after a failure the rest do nothing, so a rule needs one check, at its end.
 */
#pragma once

#include "map/map.h"

/* A reshape may leave this many regions more than it found; beyond that, it is a cut. */
enum { VF_MAX_NEW_REGIONS = 256, VF_MAX_REGIONS = 4096 /* regions in all, without a budget */ };

/* What folding may still spend. An arena points to one, or to none where nothing is counted. An operation
 * that needs more becomes WORK_GIVEN_UP. One step is one digit or region that is copied or compared. */
typedef struct vf_budget {
	int64_t regions;      /* that an operation may leave */
	int64_t steps, bytes; /* left; below 0 where more would have been spent */
	int64_t kept;         /* bytes of the arrays that were made */
} vf_budget;

typedef enum work_state {
	WORK_OK = 0,
	WORK_MEMORY, /* the context has VF_ERR_MEMORY */
	/* no map: too many regions, the budget is spent, a stride or extent is beyond int64_t, a rank is
	 * beyond VF_MAX_RANK, or a digit has a table where only strides will do */
	WORK_GIVEN_UP
} work_state;

typedef struct vf_work {
	vf_arena *arena;
	int rank;       /* of the coordinates the regions are written in */
	int final_rank; /* of the array; differs where ragged */
	int nregion, capacity;
	vf_region *regions;
	int limit; /* regions beyond which an operation gives up */
	work_state state;
	/* true: the array has no elements and reports strides[]; false: it reports C order's */
	bool has_strides;
	int64_t radix_old, radix_new; /* after WORK_GIVEN_UP: the two radices that share no boundary; or 0 */
	int64_t shape[VF_MAX_RANK], final_shape[VF_MAX_RANK]; /* the first `rank` and `final_rank` of them */
	int64_t strides[VF_MAX_RANK];                         /* the first `rank` of them */
} vf_work;

void work_init(vf_work *w, vf_arena *arena);
/* Take from the budget. WORK_GIVEN_UP once it is spent. */
void work_spend(vf_work *w, int64_t steps, int64_t bytes);
/* Copy a map in. It may be ragged; then all but work_reshape() need work_resolve() first. */
void work_load(vf_work *w, const vf_map *map);
/* Write the regions in the coordinates of `space`, which has the same elements in row-major order. */
void work_in_space(vf_work *w, int rank, const int64_t *space);
typedef struct work_strided {
	int rank;
	const int64_t *shape, *strides; /* strides NULL: all 0 */
	int64_t offset;
} work_strided;

/* Make the array one plain strided region of `source`. NULL source: a fill of 16 bytes (NULL: zero). */
void work_plain(vf_work *w, const work_strided *as, const vf_storage *source, const unsigned char *fill);
/* The canonical map, in its own memory. NULL on any failure. */
vf_map *work_finish(vf_work *w);

/* R'(i) = R(i with axis p[k] at place k) */
void work_permute(vf_work *w, const int *p);
/* R'(i) = R(i, start + step * i[axis]), count elements, step >= 1, all inside. */
void work_slice(vf_work *w, int axis, int64_t start, int64_t step, int64_t count);
void work_flip(vf_work *w, int axis);
/* Drop an axis of extent 1; add an axis of extent 1 before place `axis`. */
void work_drop_axis(vf_work *w, int axis);
void work_new_axis(vf_work *w, int axis);
/* Drop all regions. The array is about to have no elements, and its extents together may be beyond any bound.
 * If it had one stride for each axis, it keeps them: views without elements report those. */
void work_empty(vf_work *w);
/* R'(i) = R(i with index[i[axis]] along the axis), n indices, each inside. False, and nothing is changed, if
 * a region holds only a part of the axis. */
bool work_take_list(vf_work *w, int axis, int64_t n, const int64_t *index);
/* Stretch an axis of extent 1 to extent n: R' does not depend on the index. */
void work_expand(vf_work *w, int axis, int64_t n);
/* R'(i) = R(i mod extent), extent * n elements. */
void work_tile(vf_work *w, int axis, int64_t n);
/* R'(i) = R(i div n), extent * n elements. */
void work_repeat_each(vf_work *w, int axis, int64_t n);
/* Axes a != b give way to a new last axis of `count`: R'(.., i) = R(a: i + start_a, b: i + start_b). */
void work_diagonal(vf_work *w, int a, int b, int64_t start_a, int64_t start_b, int64_t count);
/* R'(.., o on axis, .., j last) = R(axis: o * step + j), o < count, j < size. */
void work_unfold(vf_work *w, int axis, int64_t count, int64_t size, int64_t step);
/* The same elements in row-major order under another shape of as many. */
void work_reshape(vf_work *w, int rank, const int64_t *shape);
/* Write the regions in the coordinates of the final shape. */
void work_resolve(vf_work *w);
/* Append `other` (same rank and arena, same extents but for `axis`) along `axis`. */
void work_append(vf_work *w, int axis, const vf_work *other);
/* Narrow: each element becomes `ratio` elements of a smaller size along the last axis. Widen: the reverse;
 * false, and nothing is changed, if a region does not divide. */
void work_narrow_elements(vf_work *w, int64_t ratio, int64_t bytes);
bool work_widen_elements(vf_work *w, int64_t ratio, int64_t bytes);

/* ---- for the transformations themselves ---- */

/* A copy in the arena with room for an axis and a digit more; NULL after a failure. */
vf_region *work_copy_region(vf_work *w, const vf_region *r);
/* Room for `more` digits and axes, in a region or in all; false after a failure. */
bool region_reserve(vf_work *w, vf_region *r, int more);
bool work_reserve(vf_work *w, int more);
/* A working map of its own with the same regions. */
void work_clone(vf_work *copy, const vf_work *w);
/* Add to w->regions by value. Gives up beyond the limit. */
void work_add(vf_work *w, const vf_region *r);
/* Take the *n regions out, to transform them one by one. w is left with none. */
vf_region *work_take(vf_work *w, int *n);
/* Fix digit k of r at value d: base and offset take it up, and the digit is removed. */
void region_fix_digit(vf_region *r, int k, int64_t d);
/* Digit k keeps `count` values from d on. */
void region_range_digit(vf_region *r, int k, int64_t d, int64_t count);
/* Digit k keeps the values congruent to `phase` modulo `period`; it has at least one. */
void region_phase_digit(vf_region *r, int k, int64_t period, int64_t phase);
/* Reverse digit k: value d reads what extent - 1 - d did. */
void region_flip_digit(vf_region *r, int k);
/* Split digit k in two. The lower has extent `low`, which divides the extent. False, and nothing is changed,
 * if its table is no sum of the two. */
bool region_split_digit(vf_region *r, int k, int64_t low);
/* Insert a digit at its place by axis and weight. r has room. A digit of extent 1 is left out. */
void region_insert_digit(vf_region *r, vf_digit digit);
void region_remove_digit(vf_region *r, int k);
/* Neighbouring digits of an axis that chain on both sides become one. */
void region_chain(vf_region *r);
/* The digits of an axis: [*first, *last); if there are none, *first == *last. */
void region_axis(const vf_region *r, int axis, int *first, int *last);
void region_remove_axis(vf_region *r, int axis);
/* Add to w the regions of `r` whose digits [first, last) together, counted from 0, lie in [low, high). */
void work_clip(vf_work *w, const vf_region *r, int first, int last, int64_t low, int64_t high);

/* Write the stride of each axis of a region that covers a shape. An axis of extent above 1 without a digit
 * keeps the stride that was there. Returns -1, or the first axis that is compound: it has no one stride. */
int region_strides(const vf_region *r, int rank, const int64_t *shape, int64_t *strides);

/* Whether the digits of region r cover all of an axis of this extent, without gaps. */
bool region_has_axis(const vf_region *r, int axis, int64_t extent);

/* ---- tables ---- */

/* Replace each table that steps evenly by a stride. */
void region_settle_tables(vf_region *r);
/* Multiply all offsets of a table by `ratio`, or divide them by it (it must divide them). False if a product
 * is beyond int64_t. */
bool work_scale_table(vf_work *w, vf_digit *digit, int64_t ratio, bool up);
/* Make a new map hold its tables; drafts become tables. False without memory; then the map holds none. */
bool vf_map_hold_tables(vf_arena *arena, vf_map *map);
void vf_map_drop_tables(vf_context *ctx, vf_map *map);
/* Digit a reads the sum of what it and b read. Both have the same extent. */
void work_add_digit(vf_work *w, vf_digit *a, const vf_digit *b);
/* Go through axes a and b together, `count` indices each, along a; b is left with extent 1. False, and
 * nothing is changed, if a region holds only a part of either. */
bool work_diagonal_table(vf_work *w, int a, int b, int64_t count);

int64_t vf_gcd(int64_t a, int64_t b);
