/* boxes.c -- which boxes of a leaf a region of an array reads, and where they go.
 *
 * In     an array, a region of it, a leaf
 * Out    the regions of the map that read the leaf, cut down to the region asked for. Each is a lattice on
 *        both sides at once, so it is one box; a region with a table is one box for each run of the table
 * Cuts   what lies below a cut is read whole, and goes into scratch
 * Tests  tests/unit/test_boxes.c (every index against brute force), tests/unit/test_reach.c
 */
#include "driver/boxes.h"

#include "driver/job.h"

#include <limits.h>
#include <stdlib.h>

/* ---- regions that read the leaf ---- */

typedef struct visit {
	const vf_question *asked;
	const vf_storage *leaf;
	vf_sources cuts;
	vf_reading_fn *fn;
	void *user;
} visit;

static bool visit_regions(vf_arena *arena, visit *v, int n, const vf_region *regions, vf_reading reading)
{
	bool fine = true;
	for (int i = 0; i < n && fine; i++) {
		const vf_storage *source = regions[i].source;
		if (vf_is_place(source) && source->kind == VF_STORAGE_CUT)
			fine = vf_sources_find(arena, &v->cuts, source) >= 0;
		reading.region = &regions[i];
		if (source && source == v->leaf)
			fine = v->fn(v->user, &reading);
	}
	return fine;
}

/* Loads one of the maps of `a`, cut down to the region asked for. */
static vf_status load_region(vf_work *w, const vf_question *asked, const vf_map *map)
{
	const vf_array *a = asked->a;
	const int64_t *start = asked->start, *shape = asked->shape;
	work_load(w, map);
	if (start)
		work_resolve(w);
	for (int axis = 0; start && axis < a->map->rank; axis++) {
		int64_t n = a->map->shape[axis];
		if (start[axis] < 0 || shape[axis] < 0 || start[axis] > n || shape[axis] > n - start[axis])
			return vf_fail(a->ctx, VF_ERR_BOUNDS,
			               "%s: %lld elements from %lld are not within axis %d of extent %lld",
			               asked->op, (long long)shape[axis], (long long)start[axis], axis,
			               (long long)n);
		work_slice(w, axis, start[axis], 1, shape[axis]);
	}
	if (w->state == WORK_GIVEN_UP)
		return vf_fail(a->ctx, VF_ERR_LIMIT, "%s: radix %lld against %lld leaves more than %d boxes",
		               asked->op, (long long)w->radix_old, (long long)w->radix_new,
		               VF_MAX_NEW_REGIONS);
	return w->state == WORK_OK ? VF_OK : VF_ERR_MEMORY;
}

static vf_status check_leaf(const vf_question *asked)
{
	vf_context *ctx = asked->a->ctx;
	if (asked->leaf->op || ctx != asked->leaf->ctx)
		return vf_fail(ctx, VF_ERR_ARGUMENT,
		               asked->leaf->op ? "%s: the second array is no leaf"
		                               : "%s: the arrays belong to different contexts",
		               asked->op);
	return VF_OK;
}

/* Visits what map i of `a` reads in the region asked for. Elements that a layer reads (i > 0) are computed:
 * they do not go to the result as they are, so there are no strides there. */
static vf_status visit_map(vf_arena *arena, visit *v, int i)
{
	vf_work w;
	int64_t strides[VF_MAX_RANK];
	vf_read read = vf_read_at(v->asked->a, i);
	work_init(&w, arena);
	w.limit = INT_MAX;
	vf_status status = load_region(&w, v->asked, read.map);
	if (status != VF_OK)
		return status;
	vf_c_strides(w.rank, w.shape, strides);
	vf_reading reading = {NULL, w.rank, i ? NULL : strides, vf_dtype_bytes(read.dtype)};
	return visit_regions(arena, v, w.nregion, w.regions, reading) ? VF_OK : VF_ERR_MEMORY;
}

/* Visits all that a cut reads. */
static bool visit_below(vf_arena *arena, visit *v, const vf_array *below)
{
	bool fine = true;
	int n = vf_read_count(below);
	for (int i = 0; i < n && fine; i++) {
		vf_read read = vf_read_at(below, i);
		vf_reading reading = {NULL, read.map->space_rank, NULL, vf_dtype_bytes(read.dtype)};
		fine = visit_regions(arena, v, read.map->nregion, read.map->regions, reading);
	}
	return fine;
}

vf_status vf_readings(const vf_question *asked, vf_reading_fn *fn, void *user)
{
	vf_arena arena;
	visit v = {.asked = asked, .leaf = asked->leaf->own, .fn = fn, .user = user};
	vf_status status = check_leaf(asked);
	if (status != VF_OK)
		return status;
	vf_arena_init(&arena, asked->a->ctx);
	int n = vf_read_count(asked->a);
	for (int i = 0; i < n && status == VF_OK; i++)
		status = visit_map(&arena, &v, i);
	for (int i = 0; i < v.cuts.n && status == VF_OK; i++)
		status = visit_below(&arena, &v, v.cuts.list[i]->below) ? VF_OK : VF_ERR_MEMORY;
	vf_arena_drop(&arena);
	return status;
}

/* ---- boxes ---- */

typedef struct box_list {
	vf_arena arena;
	vf_box_order order;
	int64_t n, capacity, origin_bytes;
	vf_box *boxes;
} box_list;

static bool keep_box(box_list *list, const vf_box *box)
{
	if (!vf_arena_reserve(&list->arena, &list->boxes, list->n, &list->capacity, sizeof *list->boxes))
		return false;
	list->boxes[list->n++] = *box;
	return true;
}

/* Adds to the box the values [d, d + n) of a digit, which lie `step` elements apart in the leaf. */
static void add_digit(vf_box *box, const vf_digit *digit, int64_t to, int64_t d, int64_t n, int64_t step)
{
	box->from_bytes += vf_digit_at(digit, d) * box->elem_bytes;
	box->to_bytes += box->to_bytes < 0 ? 0 : d * to * box->elem_bytes;
	if (n > 1)
		box->digits[box->n++] = (vf_box_digit){n, step * box->elem_bytes, to * box->elem_bytes};
}

static int64_t even_run(const vf_digit *digit, int64_t d, int64_t *step)
{
	int64_t end = d + 1;
	*step = end < digit->extent ? vf_digit_at(digit, end) - vf_digit_at(digit, d) : 0;
	while (end < digit->extent && vf_digit_at(digit, end) - vf_digit_at(digit, end - 1) == *step)
		end++;
	return end - d;
}

/* Adds the boxes of digits [k, ndigit): one, or one for each run where a digit has a table. */
static bool add_boxes(box_list *list, const vf_reading *reading, int k, const vf_box *so_far)
{
	const vf_region *r = reading->region;
	if (k == r->ndigit)
		return keep_box(list, so_far);
	const vf_digit *digit = &r->digits[k];
	int64_t to = reading->to_strides ? digit->weight * reading->to_strides[digit->axis] : 0;
	bool fine = true;
	for (int64_t d = 0, n, step; d < digit->extent && fine; d += n) {
		vf_box box = *so_far;
		step = digit->stride;
		n = digit->table ? even_run(digit, d, &step) : digit->extent;
		add_digit(&box, digit, to, d, n, step);
		fine = add_boxes(list, reading, k + 1, &box);
	}
	return fine;
}

static bool list_boxes(void *user, const vf_reading *reading)
{
	box_list *list = user;
	const vf_region *r = reading->region;
	vf_box box = {.elem_bytes = reading->elem_bytes, .to_bytes = reading->to_strides ? 0 : -1};
	box.from_bytes = r->offset * box.elem_bytes - list->origin_bytes;
	for (int a = 0; reading->to_strides && a < reading->rank; a++)
		box.to_bytes += r->base[a] * reading->to_strides[a] * box.elem_bytes;
	return add_boxes(list, reading, 0, &box);
}

/* ---- their order ---- */

static int compare(int64_t a, int64_t b, int64_t then_a, int64_t then_b)
{
	return a != b ? (a > b) - (a < b) : (then_a > then_b) - (then_a < then_b);
}

/* The greatest digits first. */
static int digits_by_result(const void *x, const void *y)
{
	const vf_box_digit *a = x, *b = y;
	return compare(llabs(b->to_bytes), llabs(a->to_bytes), 0, 0);
}

static int digits_by_leaf(const void *x, const void *y)
{
	const vf_box_digit *a = x, *b = y;
	return compare(llabs(b->from_bytes), llabs(a->from_bytes), llabs(b->to_bytes), llabs(a->to_bytes));
}

static int boxes_by_result(const void *x, const void *y)
{
	const vf_box *a = x, *b = y;
	return compare(a->to_bytes, b->to_bytes, a->from_bytes, b->from_bytes);
}

static int boxes_by_leaf(const void *x, const void *y)
{
	const vf_box *a = x, *b = y;
	return compare(a->from_bytes, b->from_bytes, a->to_bytes, b->to_bytes);
}

/* In the order of the leaf, every digit runs upwards. */
static void turn_upwards(vf_box *box)
{
	for (int k = 0; k < box->n; k++) {
		vf_box_digit *d = &box->digits[k];
		if (d->from_bytes >= 0)
			continue;
		box->from_bytes += (d->extent - 1) * d->from_bytes;
		box->to_bytes += (d->extent - 1) * d->to_bytes;
		d->from_bytes = -d->from_bytes;
		d->to_bytes = -d->to_bytes;
	}
}

static void sort_boxes(box_list *list)
{
	bool by_leaf = list->order == VF_BOXES_BY_LEAF;
	for (int64_t i = 0; i < list->n; i++) {
		vf_box *box = &list->boxes[i];
		if (by_leaf)
			turn_upwards(box);
		qsort(box->digits, (size_t)box->n, sizeof *box->digits,
		      by_leaf ? digits_by_leaf : digits_by_result);
	}
	if (list->n)
		qsort(list->boxes, (size_t)list->n, sizeof *list->boxes,
		      by_leaf ? boxes_by_leaf : boxes_by_result);
}

int64_t vf_boxes(const vf_array *a, const int64_t *start, const int64_t *shape, const vf_array *leaf,
                 vf_box_order order, int64_t room, vf_box *out)
{
	if (!a || !leaf)
		return -1;
	if (!start != !shape) {
		vf_fail(a->ctx, VF_ERR_ARGUMENT, "boxes: of start and shape one is NULL");
		return -1;
	}
	box_list list = {.order = order, .origin_bytes = leaf->own ? leaf->own->origin_bytes : 0};
	vf_arena_init(&list.arena, a->ctx);
	vf_question asked = {.op = "boxes", .a = a, .leaf = leaf, .start = start, .shape = shape};
	vf_status status = vf_readings(&asked, list_boxes, &list);
	sort_boxes(&list);
	for (int64_t i = 0; i < list.n && out && list.n <= room; i++)
		out[i] = list.boxes[i];
	vf_arena_drop(&list.arena);
	return status == VF_OK ? list.n : -1;
}
