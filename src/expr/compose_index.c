/* compose_index.c -- x[...] with several lists, or lists of lists.
 *
 * In     the items of an index, with the lists as arrays of indices
 * Out    the elements at lists[0][k], lists[1][k], ... for every index k of the shape that all lists have
 * Rules  NumPy's: lists are broadcast against each other. If lists and integers stand side by side, the
 *        axes of the lists come where the first of them stands; if not, they come first. PyTorch applies
 *        integers first, so its axes may come elsewhere. An index for which the two differ is refused.
 * How    lists that vary along axes of their own (np.ix_) are picked one after the other; otherwise their
 *        axes become one, and one list picks from it
 */
#include "expr/composed.h"

#include <inttypes.h>
#include <string.h>

typedef struct picker {
	vf_expr *e;
	const vf_items *items;
	vf_array *a;           /* after integers, slices and None; one axis for each list is left */
	int n;                 /* lists */
	int axes[VF_MAX_RANK]; /* of `a`, one a list */
	const vf_indices *lists[VF_MAX_RANK];
	int rank; /* of the common shape of the lists */
	int64_t shape[VF_MAX_RANK], count;
	int place; /* of their axes in the result */
} picker;

/* ---- where the axes go ---- */

static bool is_pick(const vf_item *item)
{
	return item->kind == VF_ITEM_INDEX || item->kind == VF_ITEM_LIST;
}

/* Axes of the result before the items [0, n), lists left out. */
static int axes_before(const vf_items *items, int64_t n, int whole)
{
	int axes = 0;
	for (int64_t i = 0; i < n; i++)
		axes += items->items[i].kind == VF_ITEM_ELLIPSIS ? whole : !is_pick(&items->items[i]);
	return axes;
}

/* Whether another item stands between two lists, or between lists and integers. */
static bool picks_apart(const vf_items *items, bool lists_only)
{
	bool begun = false, gap = false;
	for (int64_t i = 0; i < items->n; i++) {
		const vf_item *item = &items->items[i];
		if (lists_only ? item->kind == VF_ITEM_LIST : is_pick(item)) {
			if (gap)
				return true;
			begun = true;
		} else {
			gap = gap || (begun && !is_pick(item));
		}
	}
	return false;
}

/* Where the axes of the lists go. PyTorch (`lists_only`) looks at lists alone. */
static int place_of(const vf_items *items, int whole, bool lists_only)
{
	int64_t first = 0;
	while (lists_only ? items->items[first].kind != VF_ITEM_LIST : !is_pick(&items->items[first]))
		first++;
	return picks_apart(items, lists_only) ? 0 : axes_before(items, first, whole);
}

bool vf_items_are_plain(const vf_items *items)
{
	int lists = 0;
	for (int64_t i = 0; i < items->n; i++) {
		lists += items->lists[i] != NULL;
		if (items->lists[i] && (items->lists[i]->rank != 1 || items->lists[i]->mask >= 0))
			return false;
	}
	return lists == 0 || (lists == 1 && !picks_apart(items, false));
}

/* ---- the lists ---- */

/* Broadcast the shape of a list into the common shape. */
static bool broadcast(picker *p, const vf_indices *list)
{
	int64_t wide[VF_MAX_RANK];
	int rank = list->rank > p->rank ? list->rank : p->rank;
	for (int k = 1; k <= rank; k++) {
		int64_t one = k <= p->rank ? p->shape[p->rank - k] : 1,
			other = k <= list->rank ? list->shape[list->rank - k] : 1;
		if (one != other && one != 1 && other != 1)
			return vf_expr_fail(p->e, VF_ERR_SHAPE, p->e->at,
			                    "index: lists of %" PRId64 " and of %" PRId64
			                    " indices do not go together",
			                    one, other);
		wide[rank - k] = one == 1 ? other : one;
	}
	memcpy(p->shape, wide, (size_t)rank * sizeof *wide);
	p->rank = rank;
	return true;
}

/* Check the indices and count them from 0. `shown` is the axis of the array that is indexed, for messages. */
static bool settle(picker *p, const vf_indices *list, int64_t extent, int shown)
{
	if (list->mask >= 0 && list->mask != extent)
		return vf_expr_fail(p->e, VF_ERR_BOUNDS, p->e->at,
		                    "index: a list of %" PRId64
		                    " True and False for axis %d of extent %" PRId64,
		                    list->mask, shown, extent);
	for (int64_t i = 0; i < list->n; i++) {
		int64_t at = list->list[i];
		if (at < -extent || at >= extent)
			return vf_expr_fail(p->e, VF_ERR_BOUNDS, p->e->at,
			                    "index: index %" PRId64
			                    " is out of range for axis %d of extent %" PRId64,
			                    at, shown, extent);
		list->list[i] += at < 0 ? extent : 0;
	}
	return true;
}

/* The items, each list replaced by a slice of its whole axis. *consumed: how many axes they take. */
static vf_item *without_lists(vf_expr *e, const vf_items *items, int *consumed)
{
	vf_item *others = vf_arena_alloc(&e->arena, items->n, sizeof *others);
	*consumed = 0;
	for (int64_t i = 0; others && i < items->n; i++) {
		vf_item_kind kind = items->items[i].kind;
		*consumed += kind != VF_ITEM_NEW && kind != VF_ITEM_ELLIPSIS;
		others[i] = items->items[i];
		if (kind == VF_ITEM_LIST)
			others[i] = (vf_item){
			    .kind = VF_ITEM_SLICE, .start = VF_NONE, .stop = VF_NONE, .step = VF_NONE};
	}
	return others;
}

/* Collect the lists and their axes in `a`; messages name their axes in x. `whole`: axes of the ellipsis. */
static bool read_lists(picker *p, const vf_array *x, int whole)
{
	int axis = 0, shown = 0;
	for (int64_t i = 0; i < p->items->n; i++) {
		vf_item_kind kind = p->items->items[i].kind;
		const vf_indices *list = p->items->lists[i];
		if (list) {
			p->lists[p->n] = list;
			p->axes[p->n++] = axis;
			if (!broadcast(p, list) || !settle(p, list, vf_shape(x)[shown], shown))
				return false;
		}
		axis += kind == VF_ITEM_ELLIPSIS ? whole : kind != VF_ITEM_INDEX;
		shown += kind == VF_ITEM_ELLIPSIS ? whole : kind != VF_ITEM_NEW;
	}
	return true;
}

/* Apply all items except the lists to x. */
static bool take_others(picker *p, vf_array *x)
{
	int consumed;
	vf_item *others = without_lists(p->e, p->items, &consumed);
	vf_arg arg = {.given = true, .n = p->items->n, .items = others};
	int whole = vf_rank(x) - consumed;
	p->a = others ? vf_keep(p->e, vf_make(vf_op_row(VF_OP_index), 1, &x, &arg, 1)) : NULL;
	if (!p->a || !read_lists(p, x, whole))
		return false;
	p->place = place_of(p->items, whole, false);
	return p->place == place_of(p->items, whole, true) ||
	       vf_expr_fail(p->e, VF_ERR_ARGUMENT, p->e->at,
	                    "index: a list and a number with a slice between them: NumPy and PyTorch order "
	                    "the axes differently; index twice");
}

/* ---- picking ---- */

/* The axis of the common shape along which list k varies. -1: none, it is one index. -2: more than one. */
static int varies_along(const picker *p, int k)
{
	int found = -1;
	for (int i = 0; i < p->lists[k]->rank; i++)
		if (p->lists[k]->shape[i] != 1)
			found = found == -1 ? p->rank - p->lists[k]->rank + i : -2;
	return found;
}

/* Whether each list varies along an axis of its own, one after the other. */
static bool is_outer(const picker *p)
{
	int last = -1;
	for (int k = 0; k < p->n; k++) {
		int along = varies_along(p, k);
		if (along == -2 || (along >= 0 && along <= last))
			return false;
		last = along >= 0 ? along : last;
	}
	return true;
}

/* Move the axes of the lists to the front, in order. */
static vf_array *lists_first(picker *p)
{
	int order[VF_MAX_RANK], n = 0;
	bool listed[VF_MAX_RANK] = {false};
	for (int k = 0; k < p->n; k++) {
		order[n++] = p->axes[k];
		listed[p->axes[k]] = true;
	}
	for (int i = 0; i < vf_rank(p->a); i++)
		if (!listed[i])
			order[n++] = i;
	return vf_keep(p->e, vf_permute(p->a, n, order));
}

/* Merge all lists into one: places in their axes taken together. */
static int64_t *merge_lists(picker *p)
{
	int64_t *all = vf_arena_alloc(&p->e->arena, p->count > 0 ? p->count : 1, sizeof *all);
	for (int64_t i = 0; all && i < p->count; i++) {
		for (int k = 0; k < p->n; k++) {
			const vf_indices *list = p->lists[k];
			int64_t rest = i, at = 0, step = 1;
			for (int d = 1; d <= list->rank; d++) {
				int64_t index = rest % p->shape[p->rank - d];
				rest /= p->shape[p->rank - d];
				at += list->shape[list->rank - d] == 1 ? 0 : index * step;
				step *= list->shape[list->rank - d];
			}
			all[i] = all[i] * vf_shape(p->a)[p->axes[k]] + list->list[at];
		}
	}
	return all;
}

/* Pick the elements. They lie along axis 0, in place of the axes that lists_first() puts there. */
static vf_array *pick(picker *p)
{
	vf_array *a = lists_first(p);
	if (is_outer(p)) {
		for (int k = 0; k < p->n && a; k++)
			a = vf_keep(p->e, vf_take(a, k, p->lists[k]->n, p->lists[k]->list));
		return p->n > 1 && a ? vf_keep(p->e, vf_flatten(a, 0, p->n - 1)) : a;
	}
	const int64_t *all = merge_lists(p);
	a = all ? vf_keep(p->e, vf_flatten(a, 0, p->n - 1)) : NULL;
	return vf_keep(p->e, vf_take(a, 0, p->count, all));
}

/* Give axis 0 the shape of the lists, then move these axes to their place. */
static vf_array *put_axes(picker *p, vf_array *a)
{
	int64_t shape[2 * VF_MAX_RANK];
	int from[VF_MAX_RANK], to[VF_MAX_RANK], rest = vf_rank(a) - 1;
	memcpy(shape, p->shape, (size_t)p->rank * sizeof *shape);
	memcpy(shape + p->rank, vf_shape(a) + 1, (size_t)rest * sizeof *shape);
	a = vf_keep(p->e, vf_reshape(a, p->rank + rest, shape));
	for (int i = 0; i < p->rank; i++) {
		from[i] = i;
		to[i] = p->place + i;
	}
	return a && p->rank && p->place ? vf_keep(p->e, vf_movedim(a, p->rank, from, to)) : a;
}

bool vf_index_lists(vf_expr *e, vf_array *x, const vf_items *items, vf_value *out)
{
	picker p = {.e = e, .items = items, .count = 1};
	if (!take_others(&p, x))
		return false;
	for (int i = 0; i < p.rank; i++)
		if (!vf_product_fits(p.count, p.shape[i], &p.count) || p.count > VF_EXPR_MAX_ITEMS)
			return vf_expr_fail(e, VF_ERR_LIMIT, e->at,
			                    "index: the lists have more than %d indices together",
			                    VF_EXPR_MAX_ITEMS);
	vf_array *a = pick(&p);
	*out = vf_value_array(out->at, a ? put_axes(&p, a) : NULL);
	return out->as.array != NULL;
}
