/* gathered.c -- a relay that is no node of the chain: what a map reads, once and in an order of its own.
 *
 * In     an array; which order
 * Out    an equal array that reads a cut of that box
 * Keeps  the elements
 * When   nothing is computed; a region that reads a place by strides is a fourth of the array or more, and
 *        its steps nest: each element that it reads has one index in the box. Other regions read the box
 *        where all that they read lies in it, else their place as before
 * Tests  tests/unit/test_relay.c, tests/property/
 *
 * Where one loop nest crosses, and repeats, spreads or cuts up what it crosses, it does so in pieces of a few
 * bytes. Two passes do one after the other: VF_GATHER_AS_WRITTEN crosses first, then repeats, or lets windows
 * overlap; VF_GATHER_JOINED crosses first, then cuts up what lies side by side; VF_GATHER_AS_READ crosses in
 * the small, along what is read, and then moves runs.
 */
#include "driver/relay.h"

#include "graph/make.h"
#include "plan/plan.h"

/* One step of the box that is read: so many elements, `stride` apart in the place. */
typedef struct axis {
	int64_t extent, stride;
	int64_t written;   /* how far apart its elements are written, at most */
	bool inner;        /* it stays as it is written */
	int64_t in_box;    /* its stride in the box, which is in C order */
	int64_t low, high; /* while a region is looked at: the indices that it reads */
} axis;

/* axes[] stand by strides, greatest first. */
typedef struct box {
	int naxis;
	axis axes[VF_MAX_RANK];
	int64_t offset; /* of its first element in the place */
} box;

/* ---- which box ---- */

static int64_t elements_of(const vf_region *r)
{
	int64_t n = 1;
	for (int k = 0; k < r->ndigit; k++)
		n *= r->digits[k].extent;
	return n;
}

static bool reads_by_strides(const vf_region *r)
{
	bool strides = vf_is_place(r->source) && r->source->kind != VF_STORAGE_CUT;
	for (int k = 0; k < r->ndigit; k++)
		strides = strides && !r->digits[k].table;
	return strides;
}

/* The largest region that reads a place by strides, if it is a good part of the array; NULL: none is. */
static const vf_region *main_region(const vf_map *map)
{
	enum { GOOD_PART = 4 };
	const vf_region *most = NULL;
	int64_t elements = map->size / GOOD_PART;
	for (int i = 0; i < map->nregion; i++) {
		const vf_region *r = &map->regions[i];
		if (elements_of(r) > elements && reads_by_strides(r))
			most = r, elements = elements_of(r);
	}
	return most;
}

/* Digits that read, the one that is written in the shortest steps first. False where there are too many. */
static bool axes_as_written(const vf_map *map, const vf_region *r, box *b)
{
	int64_t strides[VF_MAX_RANK];
	vf_c_strides(map->space_rank, map->space, strides);
	for (int k = 0; k < r->ndigit; k++) {
		const vf_digit *d = &r->digits[k];
		if (d->stride == 0)
			continue;
		if (b->naxis == VF_MAX_RANK)
			return false;
		const axis one = {d->extent, vf_magnitude(d->stride),
		                  .written = d->weight * strides[d->axis]};
		int at = b->naxis++;
		for (; at > 0 && b->axes[at - 1].written > one.written; at--)
			b->axes[at] = b->axes[at - 1];
		b->axes[at] = one;
	}
	return true;
}

/* Marks those that are written first, until they come to `bytes`. */
static void mark_inner(box *b, int64_t elem_bytes, int64_t bytes)
{
	for (int k = 0; k < b->naxis && elem_bytes < bytes; k++) {
		b->axes[k].inner = true;
		elem_bytes *= b->axes[k].extent;
	}
}

static void sort_by_stride(box *b)
{
	for (int k = 1; k < b->naxis; k++) {
		const axis one = b->axes[k];
		int at = k;
		for (; at > 0 && b->axes[at - 1].stride < one.stride; at--)
			b->axes[at] = b->axes[at - 1];
		b->axes[at] = one;
	}
}

/* Makes one axis of two. The greater has to step inside the smaller, as windows do; if it `goes_on`, it may
 * also step to where the smaller ends. Returns false, and changes nothing, elsewhere. */
static bool merge(axis *greater, const axis *smaller, bool goes_on)
{
	const int64_t step = greater->stride / smaller->stride;
	if (greater->inner || smaller->inner || greater->stride % smaller->stride ||
	    step >= smaller->extent + goes_on)
		return false;
	greater->extent = smaller->extent + step * (greater->extent - 1);
	greater->stride = smaller->stride;
	if (greater->written < smaller->written)
		greater->written = smaller->written;
	return true;
}

static void merge_axes(box *b, bool goes_on)
{
	for (int k = b->naxis - 2; k >= 0; k--)
		for (int j = k + 1; j < b->naxis; j++) {
			if (!merge(&b->axes[k], &b->axes[j], goes_on))
				continue;
			b->naxis--;
			for (int i = j; i < b->naxis; i++)
				b->axes[i] = b->axes[i + 1];
			j = k;
		}
}

/* Has each element one index? Axes stand by strides. */
static bool nests(const box *b)
{
	int64_t span = 0;
	for (int k = b->naxis - 1; k >= 0; k--) {
		if (b->axes[k].stride <= span)
			return false;
		span += (b->axes[k].extent - 1) * b->axes[k].stride;
	}
	return b->naxis > 0;
}

/* The order of the box: places of axes[], outermost first. Inner axes come last, as they are written; the
 * others as they are written, or as they are read, which is the order that they stand in. */
static void order_axes(const box *b, vf_gathering way, int *order)
{
	for (int k = 0; k < b->naxis; k++) {
		int at = k;
		for (; at > 0; at--) {
			const axis *x = &b->axes[order[at - 1]], *y = &b->axes[k];
			const bool by_written = way != VF_GATHER_AS_READ || (x->inner && y->inner);
			if (x->inner == y->inner ? !by_written || x->written > y->written : y->inner)
				break;
			order[at] = order[at - 1];
		}
		order[at] = k;
	}
}

/* ---- what lies in it ---- */

/* Sets the indices of the lowest element that the region reads. False where it is none of the box. */
static bool find_low(box *b, const vf_region *r)
{
	int64_t low, high;
	vf_region_reach(r, &low, &high);
	int64_t left = low - b->offset;
	for (int k = 0; k < b->naxis && left >= 0; k++) {
		axis *x = &b->axes[k];
		x->low = x->high = left / x->stride;
		if (x->low >= x->extent)
			return false;
		left -= x->low * x->stride;
	}
	return left == 0;
}

/* The axis that a digit goes along, all of it inside; NULL: there is none. */
static axis *axis_of(box *b, const vf_digit *d)
{
	for (int k = 0; k < b->naxis && !d->table; k++) {
		axis *x = &b->axes[k];
		const int64_t step = vf_magnitude(d->stride) / x->stride;
		if (vf_magnitude(d->stride) % x->stride == 0 && step <= x->extent &&
		    x->high + step * (d->extent - 1) < x->extent)
			return x;
	}
	return NULL;
}

/* Lets the region read the cut in place of its source, if all that it reads lies in the box. */
static bool read_cut(box *b, vf_region *r, const vf_storage *cut)
{
	int64_t steps[VF_MAX_DIGITS], offset = 0;
	if (!find_low(b, r))
		return false;
	for (int k = 0; k < r->ndigit; k++) {
		const vf_digit *d = &r->digits[k];
		axis *x = d->stride || d->table ? axis_of(b, d) : NULL;
		if (!x && (d->stride || d->table))
			return false;
		steps[k] = x ? d->stride / x->stride * x->in_box : 0;
		if (x)
			x->high += vf_magnitude(d->stride) / x->stride * (d->extent - 1);
		offset -= steps[k] < 0 ? steps[k] * (d->extent - 1) : 0;
	}
	for (int k = 0; k < b->naxis; k++)
		offset += b->axes[k].low * b->axes[k].in_box;
	for (int k = 0; k < r->ndigit; k++)
		r->digits[k].stride = steps[k];
	r->source = cut, r->offset = offset;
	return true;
}

/* ---- both arrays ---- */

/* The box as an array. NULL without memory, or if it is a run of the place. */
static vf_array *box_array(vf_arena *arena, const vf_array *a, box *b, vf_gathering way,
                           const vf_storage *place)
{
	int order[VF_MAX_RANK];
	int64_t shape[VF_MAX_RANK], strides[VF_MAX_RANK], in_box = 1;
	bool is_run = true;
	order_axes(b, way, order);
	for (int k = b->naxis - 1; k >= 0; k--) {
		axis *x = &b->axes[order[k]];
		shape[k] = x->extent, strides[k] = x->stride;
		is_run = is_run && x->stride == in_box;
		x->in_box = in_box, in_box *= x->extent;
	}
	if (is_run)
		return NULL;
	vf_work w;
	work_init(&w, arena);
	work_plain(&w, &(work_strided){b->naxis, shape, strides, b->offset}, place, NULL);
	vf_array *node = vf_node_create(a->ctx, a->dtype, &(vf_origin){0});
	return node ? vf_node_finish(node, work_finish(&w)) : NULL;
}

/* The array over a cut of `below`, which is the box. */
static vf_array *above_box(vf_arena *arena, const vf_array *a, box *b, const vf_region *most, vf_array *below)
{
	vf_array *node = vf_node_create(a->ctx, a->dtype, &(vf_origin){0});
	vf_storage *cut = node ? vf_node_cut(node, below) : NULL;
	const vf_storage *place = most->source;
	vf_work w;
	work_init(&w, arena);
	w.limit += a->map->nregion;
	work_load(&w, a->map);
	bool all = cut && w.state == WORK_OK;
	for (int i = 0; all && i < w.nregion; i++) {
		vf_region *r = &w.regions[i];
		const bool is_main = &a->map->regions[i] == most;
		all = (r->source == place && read_cut(b, r, cut)) || !is_main;
	}
	return node ? vf_node_finish(node, all ? work_finish(&w) : NULL) : NULL;
}

vf_array *vf_gather_first(const vf_array *a, vf_gathering way)
{
	enum { A_RUN = 16 };
	const vf_region *most = a->nlayer ? NULL : main_region(a->map);
	box b = {0};
	int64_t high;
	if (!most || !axes_as_written(a->map, most, &b))
		return NULL;
	vf_region_reach(most, &b.offset, &high);
	if (way == VF_GATHER_AS_READ)
		mark_inner(&b, a->elem_bytes, A_RUN);
	sort_by_stride(&b);
	merge_axes(&b, way != VF_GATHER_AS_WRITTEN);
	sort_by_stride(&b);
	const bool is_region = way != VF_GATHER_AS_READ && b.naxis == most->ndigit;
	if (is_region || !nests(&b))
		return NULL;
	vf_arena arena;
	vf_arena_init(&arena, a->ctx);
	vf_array *below = box_array(&arena, a, &b, way, most->source);
	vf_array *made = below ? above_box(&arena, a, &b, most, below) : NULL;
	vf_release(below);
	vf_arena_drop(&arena);
	return made;
}
