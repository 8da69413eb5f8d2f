/* index.c -- what stands in square brackets after an array or a list.
 *
 * In     "[...]": integers, slices, None, ..., lists of integers
 * Out    of an array: the op "[]" with these items, or compose_index.c; of a list: an item or a shorter list
 * Rules  Python's and NumPy's. x[(0, 1)] is x[0, 1], and x[[0, 1]] picks along one axis
 */
#include "expr/composed.h"

/* `indices`: the indices of a list; NULL for all other items. */
static bool add_item(vf_expr *e, vf_items *list, const vf_item *item, const vf_indices *indices)
{
	int64_t capacity = list->capacity; /* of both */
	if (!vf_arena_reserve(&e->arena, &list->items, list->n, &capacity, sizeof *list->items) ||
	    !vf_arena_reserve(&e->arena, &list->lists, list->n, &list->capacity, sizeof *list->lists))
		return false;
	list->lists[list->n] = indices;
	list->items[list->n++] = *item;
	return true;
}

/* ---- slices ---- */

/* Read a bound or step. A number beyond 64 bits becomes the farthest one there is, as slices are clipped. */
static bool take_bound(vf_expr *e, const vf_value *v, int64_t *out)
{
	char found[VF_QUOTE];
	bool large = v->kind == VF_VALUE_NUMBER && v->as.number.kind == VF_NUMBER_UINT;
	if (large || v->kind == VF_VALUE_HUGE)
		*out = !large && v->as.huge.negative ? -INT64_MAX : INT64_MAX;
	else if (vf_value_is_int(v))
		*out = v->as.number.i;
	else
		return vf_expr_fail(e, VF_ERR_SYNTAX, v->at, "a slice takes integers, not %s",
		                    vf_value_describe(v, found));
	return true;
}

/* A bound or step that comes next, up to ':' or the end of the item; VF_NONE if left out or None.
 * *written tells a None from the number that stands for it. */
static bool parse_bound(vf_expr *e, int64_t *out, bool *written)
{
	vf_value v;
	*out = VF_NONE;
	*written = false;
	if (e->token.kind == ':' || e->token.kind == ',' || e->token.kind == ']')
		return true;
	if (!vf_expr_bound(e, &v))
		return false;
	*written = v.kind != VF_VALUE_NONE;
	return !*written || take_bound(e, &v, out);
}

/* The number INT64_MIN must not be taken for None. Bounds are clipped, so another number does the same. */
static void settle(vf_item *item, bool start, bool stop)
{
	bool down = item->step != VF_NONE && item->step < 0;
	if (start && item->start == VF_NONE) {
		item->start = 0;
		item->stop = down ? 0 : item->stop; /* below the first: nothing is left */
		stop = stop && !down;
	}
	if (stop && item->stop == VF_NONE)
		item->stop = down ? VF_NONE : 0;
}

/* From the first ':' on; the start has been read. */
static bool parse_slice(vf_expr *e, bool start_written, vf_item *item)
{
	bool stop = false, step = false;
	vf_expr_advance(e);
	if (!parse_bound(e, &item->stop, &stop))
		return false;
	if (e->token.kind == ':') {
		vf_expr_advance(e);
		if (!parse_bound(e, &item->step, &step))
			return false;
		if (step && item->step == VF_NONE)
			item->step++; /* as far as any step goes */
	}
	settle(item, start_written, stop);
	return true;
}

/* ---- items ---- */

static bool add_list(vf_expr *e, vf_items *list, const vf_value *v)
{
	vf_indices *indices = vf_arena_alloc(&e->arena, 1, sizeof *indices);
	if (!indices || !vf_indices_read_or_mask(e, v, indices))
		return false;
	vf_item item = {.kind = VF_ITEM_LIST, .nlist = indices->n, .list = indices->list};
	return add_item(e, list, &item, indices);
}

static bool add_value(vf_expr *e, vf_items *list, const vf_value *v)
{
	char found[VF_QUOTE];
	vf_item item;
	if (v->kind == VF_VALUE_LIST)
		return add_list(e, list, v);
	if (v->kind == VF_VALUE_NONE)
		item = (vf_item){.kind = VF_ITEM_NEW};
	else if (v->kind == VF_VALUE_ELLIPSIS)
		item = (vf_item){.kind = VF_ITEM_ELLIPSIS};
	else if (vf_value_is_int(v))
		item = (vf_item){.kind = VF_ITEM_INDEX, .start = v->as.number.i};
	else
		return vf_expr_fail(
		    e, vf_value_no_int(v), v->at,
		    "an index is an integer, a slice, None, '...' or a list of integers, not %s",
		    vf_value_describe(v, found));
	return add_item(e, list, &item, NULL);
}

/* The items of a lone tuple are the items: x[(0, None)] is x[0, None]. */
static bool add_tuple(vf_expr *e, vf_items *list, const vf_value *tuple)
{
	for (int64_t i = 0; i < tuple->as.list.n; i++)
		if (!add_value(e, list, &tuple->as.list.items[i]))
			return false;
	return true;
}

static bool parse_item(vf_expr *e, vf_items *list)
{
	vf_item item = {.kind = VF_ITEM_SLICE, .start = VF_NONE, .stop = VF_NONE, .step = VF_NONE};
	vf_value v = {.kind = VF_VALUE_NONE, .at = e->token.start};
	if (e->token.kind != ':' && !vf_expr_bound(e, &v))
		return false;
	bool lone = list->n == 0 && e->token.kind == ']';
	if (lone && v.kind == VF_VALUE_LIST && v.is_tuple)
		return add_tuple(e, list, &v);
	if (e->token.kind != ':')
		return vf_value_fits(e, &v) && add_value(e, list, &v);
	bool written = v.kind != VF_VALUE_NONE;
	if (written && !take_bound(e, &v, &item.start))
		return false;
	return parse_slice(e, written, &item) && add_item(e, list, &item, NULL);
}

static bool parse_items(vf_expr *e, vf_items *list)
{
	vf_expr_advance(e); /* the bracket */
	if (e->token.kind == ']')
		return vf_expr_expected(e, "an index");
	while (e->token.kind != ']') {
		if (!parse_item(e, list))
			return false;
		if (e->token.kind == ',')
			vf_expr_advance(e);
		else if (e->token.kind != ']')
			return vf_expr_expected(e, "']' after the index");
	}
	vf_expr_advance(e);
	return true;
}

/* ---- of a list ---- */

static int64_t clip(int64_t bound, int64_t n, int64_t least, int64_t most)
{
	if (bound < 0)
		bound += n;
	return bound < least ? least : bound > most ? most : bound;
}

static bool slice_list(vf_expr *e, const vf_value *v, const vf_item *item, vf_value *out)
{
	int64_t n = v->as.list.n, step = item->step == VF_NONE ? 1 : item->step;
	bool down = step < 0;
	int64_t least = down ? -1 : 0, most = down ? n - 1 : n;
	int64_t i = item->start == VF_NONE ? (down ? most : least) : clip(item->start, n, least, most);
	int64_t stop = item->stop == VF_NONE ? (down ? least : most) : clip(item->stop, n, least, most);
	vf_values values = {0};
	if (step == 0)
		return vf_expr_fail(e, VF_ERR_ARGUMENT, v->at, "a slice of a list with a step of 0");
	while (down ? i > stop : i < stop) {
		if (!vf_values_add(e, &values, &v->as.list.items[i]))
			return false;
		if (!vf_sum_fits(i, step, &i))
			break;
	}
	*out = vf_value_list(v->at, &values, v->is_tuple);
	return true;
}

static bool index_list(vf_expr *e, size_t at, const vf_value *v, const vf_items *list, vf_value *out)
{
	const vf_item *item = list->items;
	int64_t n = v->as.list.n;
	if (list->n != 1 || (item->kind != VF_ITEM_INDEX && item->kind != VF_ITEM_SLICE))
		return vf_expr_fail(e, VF_ERR_SYNTAX, at, "a list takes one integer or slice as its index");
	if (item->kind == VF_ITEM_SLICE)
		return slice_list(e, v, item, out);
	if (item->start < -n || item->start >= n)
		return vf_expr_fail(e, VF_ERR_BOUNDS, at, "index %lld is outside a list of %lld",
		                    (long long)item->start, (long long)n);
	*out = v->as.list.items[item->start < 0 ? item->start + n : item->start];
	return true;
}

/* ---- of an array ---- */

static bool index_array(vf_expr *e, size_t at, const vf_value *v, const vf_items *list, vf_value *out)
{
	vf_arg arg = {.given = true, .n = list->n, .items = list->items};
	vf_array *operand = v->as.array;
	e->at = at;
	if (!vf_items_are_plain(list)) {
		out->at = v->at;
		return vf_index_lists(e, operand, list, out);
	}
	vf_array *array = vf_make(vf_op_row(VF_OP_index), 1, &operand, &arg, 1);
	*out = vf_value_array(v->at, array);
	return vf_expr_hold(e, 1, &array);
}

bool vf_expr_index(vf_expr *e, vf_value *value)
{
	const vf_value v = *value;
	size_t at = e->token.start;
	char found[VF_QUOTE];
	vf_items list = {0};
	if (v.kind != VF_VALUE_ARRAY && v.kind != VF_VALUE_LIST)
		return vf_expr_fail(e, VF_ERR_SYNTAX, at, "%s has no index", vf_value_describe(&v, found));
	if (!parse_items(e, &list))
		return false;
	return v.kind == VF_VALUE_LIST ? index_list(e, at, &v, &list, value)
	                               : index_array(e, at, &v, &list, value);
}
