/* algebra.c -- maps read backwards, and one through another: vf_inverse(), vf_compose().
 *
 * In     boxes (vf_boxes). Each is a lattice on two sides: where it lies in the result, and where it reads a
 *        source
 * Out    the array that has the source's elements on the lattices, and elsewhere those of `rest`
 * How    The result is one axis in C order, woven from left to right. Lattices that touch make one
 *        *component*. If all lattices of a component begin with the same step, that step becomes an axis, and
 *        what lies below it is woven once for all of its values. Else the widest step is unrolled. In the end
 *        single elements are left. They are read from the flat source, which is split at the widest step
 *        first: at the source's own radices if these fit.
 * Keeps  only existing operations make the views, so all that holds for these holds for the result
 * Tests  tests/unit/test_algebra.c: every index of small shapes against brute force
 */
#include "graph/array.h"

#include <stdlib.h>

enum { MAX_LATTICES = 4096 };

/* One step of a lattice: `extent` values, which lie `at` elements apart in the result and `from` in the
 * source. */
typedef struct lattice_digit {
	int64_t extent;
	int64_t at;   /* in the result; positive, falling from digit to digit */
	int64_t from; /* in the source */
} lattice_digit;

typedef struct lattice {
	int64_t at, from;
	int n;
	const lattice_digit *digits;
	int64_t outer[VF_MAX_RANK]; /* steps in the source, for the axes made so far */
} lattice;

typedef struct weaving {
	const char *op;
	vf_context *ctx;
	vf_arena arena;
	vf_array *source, *rest;                        /* flat; rest may be NULL */
	int depth;                                      /* axes made so far */
	int64_t extent[VF_MAX_RANK], step[VF_MAX_RANK]; /* of these axes; the steps are in the result */
	int64_t lattices;
} weaving;

/* ---- arrays of pieces: each takes its operand over, and is NULL where that is ---- */

static vf_array *after(vf_array *operand, vf_array *result)
{
	vf_release(operand);
	return result;
}

static vf_array *narrow(vf_array *a, int axis, int64_t start, int64_t length)
{
	bool whole = start == 0 && length == vf_shape(a)[axis];
	return whole ? a : after(a, vf_narrow(a, axis, start, length));
}

/* One of the steps by which a source is read; `step` is without its sign. */
typedef struct reading {
	int axis; /* of the result */
	int64_t extent, step;
} reading;

static int by_step(const void *x, const void *y)
{
	const reading *a = x, *b = y;
	return a->step != b->step ? (a->step < b->step ? 1 : -1) : a->axis - b->axis;
}

/* Returns where a run of extent * step elements may begin so that its first step holds the `span` elements
 * from `from` on. It prefers a multiple of the step, because the source's own radices are there. Returns -1
 * if there is no such place. */
static int64_t run_start(int64_t length, const reading *r, int64_t from, int64_t span)
{
	int64_t run = r->extent * r->step, starts[] = {from / r->step * r->step, from, length - run};
	for (int i = 0; i < 3; i++)
		if (starts[i] >= 0 && starts[i] <= from && from - starts[i] + span <= r->step &&
		    starts[i] <= length - run)
			return starts[i];
	return -1;
}

/* Splits the last axis into two: `extent` rows that are `step` apart, which hold the `span` elements from
 * *from on. Sets *from to where these begin in a row. */
static vf_array *split_rows(vf_array *a, const reading *r, int64_t *from, int64_t span)
{
	int axis = vf_rank(a) - 1;
	int64_t start = run_start(vf_shape(a)[axis], r, *from, span);
	if (start < 0) {
		a = narrow(a, axis, *from, (r->extent - 1) * r->step + span);
		*from = 0;
		return a ? after(a, vf_unfold(a, axis, span, r->step)) : NULL;
	}
	a = narrow(a, axis, start, r->extent * r->step);
	*from -= start;
	return a ? after(a, vf_unflatten(a, axis, 2, (int64_t[]){r->extent, r->step})) : NULL;
}

/* Adds an axis that takes no step in the source: it has extent 1, or it reads the same elements again and
 * again. */
static vf_array *add_axis(vf_array *a, int64_t extent)
{
	int64_t shape[VF_MAX_RANK];
	int rank = vf_rank(a);
	a = after(a, vf_unsqueeze(a, rank - 1));
	for (int k = 0; k <= rank; k++)
		shape[k] = k == rank - 1 ? extent : -1;
	return a ? after(a, vf_expand(a, rank + 1, shape)) : NULL;
}

/* Puts the axes, which were made in the order of `made`, into their own order, and flips those with a
 * negative step. */
static vf_array *settle_axes(vf_array *a, int n, const reading *made, const int64_t *steps)
{
	int dims[VF_MAX_RANK], turned[VF_MAX_RANK], nturned = 0;
	for (int k = 0; k < n; k++) {
		dims[made[k].axis] = k;
		if (steps[k] < 0)
			turned[nturned++] = k;
	}
	dims[n] = n;
	a = n ? after(a, vf_permute(a, n + 1, dims)) : a;
	return a && nturned ? after(a, vf_flip(a, nturned, turned)) : a;
}

/* Returns the elements `from` + sum_k i_k * steps[k] + j of a flat array, for j in [0, length), as an array
 * of depth + 1 axes. */
static vf_array *gather(const weaving *w, vf_array *flat, int64_t from, const int64_t *steps, int64_t length)
{
	reading made[VF_MAX_RANK];
	int64_t span = length;
	for (int k = 0; k < w->depth; k++) {
		int64_t reach = (w->extent[k] - 1) * steps[k];
		from += reach < 0 ? reach : 0;
		made[k] = (reading){k, w->extent[k], reach < 0 ? -steps[k] : reach > 0 ? steps[k] : 0};
		span += (made[k].extent - 1) * made[k].step;
	}
	if (w->depth)
		qsort(made, (size_t)w->depth, sizeof *made, by_step);
	vf_array *a = vf_retain(flat);
	for (int k = 0; k < w->depth && a; k++) {
		span -= (made[k].extent - 1) * made[k].step;
		a = made[k].step ? split_rows(a, &made[k], &from, span) : add_axis(a, made[k].extent);
	}
	a = a ? narrow(a, w->depth, from, length) : NULL;
	return a ? settle_axes(a, w->depth, made, steps) : NULL;
}

/* The parts of a row, in order. */
typedef struct parts {
	vf_array **list;
	int64_t n, capacity;
	bool failed;
} parts;

static void add_part(weaving *w, parts *p, vf_array *part)
{
	if (part && vf_arena_reserve(&w->arena, &p->list, p->n, &p->capacity, sizeof(vf_array *))) {
		p->list[p->n++] = part;
	} else {
		vf_release(part);
		p->failed = true;
	}
}

/* Joins the parts along the last axis. */
static vf_array *join(weaving *w, parts *p)
{
	vf_array *all = NULL;
	if (!p->failed)
		all = p->n == 1 ? vf_retain(p->list[0]) : vf_cat((int)p->n, p->list, w->depth);
	for (int64_t i = 0; i < p->n; i++)
		vf_release(p->list[i]);
	return all;
}

/* ---- the weaving -------------------------------------------------------- */

/* Adds `length` elements from `at` on, which no lattice covers. */
static void add_rest(weaving *w, parts *p, int64_t at, int64_t length)
{
	if (length <= 0)
		return;
	if (w->rest) {
		add_part(w, p, gather(w, w->rest, at, w->step, length));
		return;
	}
	vf_fail(w->ctx, VF_ERR_SHAPE, "%s: nothing reads element %lld of the leaf, and no rest is given",
	        w->op, (long long)at);
	p->failed = true;
}

/* Where the last element of a lattice lies in the result. */
static int64_t last_of(const lattice *l)
{
	int64_t last = l->at;
	for (int k = 0; k < l->n; k++)
		last += (l->digits[k].extent - 1) * l->digits[k].at;
	return last;
}

static int by_place(const void *x, const void *y)
{
	const lattice *a = x, *b = y;
	return (a->at > b->at) - (a->at < b->at);
}

static vf_array *weave(weaving *w, lattice *list, int64_t n, int64_t at, int64_t length);

/* Returns the step that all lattices begin with, and sets *length to how long what lies below it is. Returns
 * 0 if there is no such step, or if what lies below it is longer than the step. */
static int64_t shared_step(const lattice *list, int64_t n, int64_t *length)
{
	*length = 0;
	for (int64_t i = 0; i < n; i++) {
		const lattice *l = &list[i];
		if (l->n == 0 || l->digits[0].at != list[0].digits[0].at ||
		    l->digits[0].extent != list[0].digits[0].extent)
			return 0;
		int64_t end = last_of(l) - (l->digits[0].extent - 1) * l->digits[0].at + 1 - list[0].at;
		*length = end > *length ? end : *length;
	}
	return *length <= list[0].digits[0].at ? list[0].digits[0].at : 0;
}

/* Makes one axis of rows of `length` elements that lie row->at apart. The gaps between rows come from the
 * rest. `rows` has two axes after those made so far: the rows, and the elements of a row. */
static vf_array *close_gaps(weaving *w, vf_array *rows, int64_t at, int64_t length, const lattice_digit *row)
{
	int axis = w->depth;
	parts one = {0}, all = {0};
	if (!rows || length == row->at)
		return rows ? after(rows, vf_flatten(rows, axis, axis + 1)) : NULL;
	add_part(w, &one, vf_narrow(rows, axis, 0, row->extent - 1));
	w->extent[w->depth] = row->extent - 1;
	w->step[w->depth++] = row->at;
	add_rest(w, &one, at + length, row->at - length);
	vf_array *closed = join(w, &one);
	w->depth--;
	add_part(w, &all, closed ? after(closed, vf_flatten(closed, axis, axis + 1)) : NULL);
	add_part(w, &all, vf_select(rows, axis, row->extent - 1));
	vf_release(rows);
	return join(w, &all);
}

/* All lattices begin with the same step: it becomes an axis, and what lies below it is woven once. */
static vf_array *weave_rows(weaving *w, lattice *list, int64_t n, int64_t length)
{
	const lattice_digit row = list[0].digits[0];
	int64_t at = list[0].at;
	if (w->depth + 2 > VF_MAX_RANK) {
		vf_fail(w->ctx, VF_ERR_LIMIT, "%s: more than %d steps", w->op, VF_MAX_RANK);
		return NULL;
	}
	for (int64_t i = 0; i < n; i++) {
		list[i].outer[w->depth] = list[i].digits[0].from;
		list[i].digits++;
		list[i].n--;
	}
	w->extent[w->depth] = row.extent;
	w->step[w->depth++] = row.at;
	vf_array *rows = weave(w, list, n, at, length);
	w->depth--;
	return close_gaps(w, rows, at, length, &row);
}

/* Returns the lattices with their widest step unrolled; NULL after a failure. */
static lattice *unroll(weaving *w, const lattice *list, int64_t n, int64_t *count)
{
	int64_t widest = 0;
	for (int64_t i = 0; i < n; i++)
		widest = list[i].n && list[i].digits[0].at > widest ? list[i].digits[0].at : widest;
	*count = 0;
	for (int64_t i = 0; i < n; i++) {
		*count += list[i].n && list[i].digits[0].at == widest ? list[i].digits[0].extent : 1;
		if (*count > MAX_LATTICES)
			break;
	}
	w->lattices += *count;
	if (w->lattices > MAX_LATTICES) {
		vf_fail(w->ctx, VF_ERR_LIMIT, "%s: the map is of more than %d pieces", w->op, MAX_LATTICES);
		return NULL;
	}
	lattice *out = vf_arena_raw(&w->arena, *count, sizeof *out), *next = out;
	for (int64_t i = 0; out && i < n; i++) {
		int64_t times = list[i].n && list[i].digits[0].at == widest ? list[i].digits[0].extent : 0;
		for (int64_t d = 0; d < times; d++, next++) {
			*next = list[i];
			next->at += d * list[i].digits[0].at;
			next->from += d * list[i].digits[0].from;
			next->digits++;
			next->n--;
		}
		if (!times)
			*next++ = list[i];
	}
	return out;
}

/* Weaves lattices that touch each other: from the first element of list[0] to element `last`. */
static vf_array *weave_component(weaving *w, lattice *list, int64_t n, int64_t last)
{
	int64_t length, count, digits = 0;
	if (n == 1 && list->n == 0)
		return gather(w, w->source, list->from, list->outer, 1);
	for (int64_t i = 0; i < n; i++)
		digits += list[i].n;
	if (digits == 0) {
		vf_fail(w->ctx, VF_ERR_TWICE, "%s: two indices read element %lld of the leaf", w->op,
		        (long long)list->at);
		return NULL;
	}
	if (list->n && shared_step(list, n, &length))
		return weave_rows(w, list, n, length);
	lattice *unrolled = unroll(w, list, n, &count);
	return unrolled ? weave(w, unrolled, count, list->at, last + 1 - list->at) : NULL;
}

/* Weaves elements [at, at + length) of the result, for all values of the axes made so far. */
static vf_array *weave(weaving *w, lattice *list, int64_t n, int64_t at, int64_t length)
{
	parts p = {0};
	int64_t next = at, end = at + length;
	if (n)
		qsort(list, (size_t)n, sizeof *list, by_place);
	for (int64_t i = 0, k; i < n && !p.failed; i = k) {
		int64_t first = list[i].at, last = last_of(&list[i]);
		for (k = i + 1; k < n && list[k].at <= last; k++)
			last = last_of(&list[k]) > last ? last_of(&list[k]) : last;
		add_rest(w, &p, next, first - next);
		if (!p.failed)
			add_part(w, &p, weave_component(w, &list[i], k - i, last));
		next = last + 1;
	}
	if (!p.failed)
		add_rest(w, &p, next, end - next);
	return join(w, &p);
}

/* ---- lattices of boxes -------------------------------------------------- */

typedef enum side { SIDE_RESULT, SIDE_LEAF } side;

static bool take_box(weaving *w, const vf_box *box, side into, lattice *out)
{
	lattice_digit *digits = vf_arena_raw(&w->arena, box->n + 1, sizeof *digits);
	int64_t bytes = box->elem_bytes;
	if (!digits)
		return false;
	if (box->to_bytes < 0) {
		vf_fail(w->ctx, VF_ERR_LIMIT, "%s: a step of the map is materialised first (a cut)", w->op);
		return false;
	}
	*out = (lattice){box->to_bytes / bytes, box->from_bytes / bytes, box->n, digits, {0}};
	for (int k = 0; k < box->n; k++)
		digits[k] = (lattice_digit){box->digits[k].extent, box->digits[k].to_bytes / bytes,
		                            box->digits[k].from_bytes / bytes};
	if (into == SIDE_RESULT)
		return true;
	*out = (lattice){out->from, out->at, box->n, digits, {0}};
	for (int k = 0; k < box->n; k++) {
		digits[k] = (lattice_digit){digits[k].extent, digits[k].from, digits[k].at};
		if (digits[k].at == 0) {
			vf_fail(w->ctx, VF_ERR_TWICE, "%s: %lld indices read element %lld of the leaf", w->op,
			        (long long)digits[k].extent, (long long)out->at);
			return false;
		}
	}
	return true;
}

/* Makes lattices in the arena of the boxes of `leaf` that `a` reads. Returns how many, or -1 on failure. */
static int64_t take_lattices(weaving *w, const vf_array *a, const vf_array *leaf, side into, lattice **out)
{
	vf_box_order order = into == SIDE_LEAF ? VF_BOXES_BY_LEAF : VF_BOXES_BY_RESULT;
	int64_t n = vf_boxes(a, NULL, NULL, leaf, order, 0, NULL);
	vf_box *boxes = n > 0 ? vf_arena_raw(&w->arena, n, sizeof *boxes) : NULL;
	*out = n >= 0 ? vf_arena_raw(&w->arena, n + 1, sizeof **out) : NULL;
	if (!*out || (n > 0 && (!boxes || vf_boxes(a, NULL, NULL, leaf, order, n, boxes) != n)))
		return -1;
	for (int64_t i = 0; i < n; i++)
		if (!take_box(w, &boxes[i], into, &(*out)[i]))
			return -1;
	w->lattices = n;
	return n;
}

/* ---- the calls ---------------------------------------------------------- */

static bool same_shape(const vf_array *a, const vf_array *b)
{
	return vf_rank(a) == vf_rank(b) &&
	       !memcmp(vf_shape(a), vf_shape(b), (size_t)vf_rank(a) * sizeof(int64_t));
}

/* Checks what both calls require of a leaf. */
static bool check_leaf(const char *op, const vf_array *a, const vf_array *leaf)
{
	vf_context *ctx = a->ctx;
	if (leaf->op || leaf->ctx != ctx)
		vf_fail(ctx, VF_ERR_ARGUMENT, "%s: the second array is no leaf of the same context", op);
	else if (!vf_is_contiguous(leaf))
		vf_fail(ctx, VF_ERR_ARGUMENT, "%s: the leaf is not in C order", op);
	else if (a->elem_bytes != leaf->elem_bytes)
		vf_fail(ctx, VF_ERR_DTYPE,
		        "%s: elements of %lld bytes are read of a leaf of elements of %lld", op,
		        (long long)a->elem_bytes, (long long)leaf->elem_bytes);
	else
		return true;
	return false;
}

static bool check_operand(const char *op, const vf_array *operand, const vf_array *like, vf_dtype dtype,
                          const char *what)
{
	if (operand->ctx != like->ctx)
		vf_fail(like->ctx, VF_ERR_ARGUMENT, "%s: the arrays belong to different contexts", op);
	else if (!same_shape(operand, like))
		vf_fail(like->ctx, VF_ERR_SHAPE,
		        "%s: %s has not the shape that it stands for (%lld elements, not %lld)", op, what,
		        (long long)vf_size(operand), (long long)vf_size(like));
	else if (operand->dtype != dtype)
		vf_fail(like->ctx, VF_ERR_DTYPE, "%s: %s has another element type", op, what);
	else
		return true;
	return false;
}

/* What one call works on. */
typedef struct request {
	const char *op;
	const vf_array *a, *leaf;
	side into;               /* which side of the boxes becomes the result */
	vf_array *source, *rest; /* rest may be NULL */
	const vf_array *like;    /* has the result's shape */
} request;

static vf_array *run(const request *r)
{
	weaving w = {.op = r->op, .ctx = r->a->ctx};
	lattice *list;
	vf_arena_init(&w.arena, w.ctx);
	w.source = vf_ravel(r->source);
	w.rest = r->rest ? vf_ravel(r->rest) : NULL;
	int64_t n = w.source && (w.rest || !r->rest) ? take_lattices(&w, r->a, r->leaf, r->into, &list) : -1;
	int64_t size = vf_size(r->like);
	vf_array *flat = NULL;
	if (n >= 0)
		flat = size ? weave(&w, list, n, 0, size) : vf_narrow(w.source, 0, 0, 0);
	vf_array *result = flat ? vf_reshape(flat, vf_rank(r->like), vf_shape(r->like)) : NULL;
	vf_release(flat);
	vf_release(w.source);
	vf_release(w.rest);
	vf_arena_drop(&w.arena);
	return result;
}

vf_array *vf_inverse(const vf_array *a, const vf_array *leaf, vf_array *values, vf_array *rest)
{
	static const char op[] = "inverse";
	if (!a || !leaf || !values)
		return NULL;
	if (!check_leaf(op, a, leaf) || !check_operand(op, values, a, values->dtype, "the second operand") ||
	    (rest && !check_operand(op, rest, leaf, values->dtype, "the rest")))
		return NULL;
	return run(&(request){op, a, leaf, SIDE_LEAF, values, rest, leaf});
}

vf_array *vf_compose(vf_array *a, const vf_array *leaf, vf_array *b)
{
	static const char op[] = "compose";
	if (!a || !leaf || !b)
		return NULL;
	if (!check_leaf(op, a, leaf) || !check_operand(op, b, leaf, a->dtype, "what stands for the leaf"))
		return NULL;
	return run(&(request){op, a, leaf, SIDE_RESULT, b, a, a});
}
