/* oracle_index.c -- rules of subscripts, and of the ops that take a part of an axis. */
#include "oracle_ops.h"

#include <string.h>

/* ---- slices ---------------------------------------------------------------- */

static int64_t clip_bound(int64_t bound, int64_t extent, int64_t low, int64_t high)
{
	if (bound < 0) {
		bound += extent;
		return bound < low ? low : bound;
	}
	return bound > high ? high : bound;
}

vf_status oracle_slice(int64_t extent, const oracle_item *s, int64_t *first, int64_t *step, int64_t *count)
{
	*step = s->step == VF_NONE ? 1 : s->step;
	if (*step == 0)
		return VF_ERR_ARGUMENT;
	bool back = *step < 0;
	int64_t low = back ? -1 : 0, high = back ? extent - 1 : extent;
	*first = s->start == VF_NONE ? (back ? high : low) : clip_bound(s->start, extent, low, high);
	int64_t stop = s->stop == VF_NONE ? (back ? low : high) : clip_bound(s->stop, extent, low, high);
	*count = 0;
	if (!back && *first < stop)
		*count = (stop - *first - 1) / *step + 1;
	if (back && stop < *first)
		*count = (*first - stop - 1) / -*step + 1;
	return VF_OK;
}

/* ---- x[...] ---------------------------------------------------------------- */

/* Put full slices where the ellipsis stands (or at the end), so that items and axes pair. */
static vf_status spell_out(oracle_call *call, int rank)
{
	oracle_item items[ORACLE_RANK * 2];
	int taken = 0, ellipses = 0, n = 0;
	for (int k = 0; k < call->nitem; k++) {
		taken += call->items[k].kind != ORACLE_NEW && call->items[k].kind != ORACLE_ELLIPSIS;
		ellipses += call->items[k].kind == ORACLE_ELLIPSIS;
	}
	if (ellipses > 1)
		return VF_ERR_SYNTAX;
	if (taken > rank)
		return VF_ERR_AXIS;
	if (call->nitem + rank - taken + 1 > ORACLE_ITEMS)
		return VF_ERR_LIMIT;
	for (int k = 0; k <= call->nitem; k++) {
		bool last = k == call->nitem;
		if (last ? ellipses == 0 : call->items[k].kind == ORACLE_ELLIPSIS)
			for (int full = taken; full < rank; full++)
				items[n++] = (oracle_item){
				    .kind = ORACLE_SLICE, .start = VF_NONE, .stop = VF_NONE, .step = VF_NONE};
		else if (!last)
			items[n++] = call->items[k];
	}
	memcpy(call->items, items, (size_t)n * sizeof *items);
	call->nitem = n;
	return VF_OK;
}

static vf_status index_shape(oracle_item *item, int64_t extent)
{
	if (item->start < -extent || item->start >= extent)
		return VF_ERR_BOUNDS;
	if (item->start < 0)
		item->start += extent;
	return VF_OK;
}

/* A list keeps its place only while it is the one array among the indices; with integers
 * beside it NumPy moves the axis by rules that the library may decline. */
static vf_status list_shape(oracle_item *item, int64_t extent)
{
	for (int k = 0; k < item->n; k++) {
		if (item->list[k] < -extent || item->list[k] >= extent)
			return VF_ERR_BOUNDS;
		if (item->list[k] < 0)
			item->list[k] += extent;
	}
	return VF_OK;
}

static vf_status item_shape(oracle_item *item, int64_t extent, oracle_array *out)
{
	vf_status status = VF_OK;
	int64_t first, step, count;
	switch (item->kind) {
	case ORACLE_INDEX: return index_shape(item, extent);
	case ORACLE_LIST_ITEM:
		status = list_shape(item, extent);
		out->shape[out->rank++] = item->n;
		out->value = true;
		out->low = out->high = -1;
		return status;
	default:
		status = oracle_slice(extent, item, &first, &step, &count);
		item->start = first;
		item->step = step;
		out->shape[out->rank++] = count;
		return status;
	}
}

vf_status subscript_shape(SHAPE_ARGS)
{
	int indices = 0, lists = 0;
	vf_status status = spell_out(call, in[0]->rank);
	for (int k = 0, axis = 0; status == VF_OK && k < call->nitem; k++) {
		oracle_item *item = &call->items[k];
		indices += item->kind == ORACLE_INDEX;
		lists += item->kind == ORACLE_LIST_ITEM;
		if (item->kind == ORACLE_NEW)
			out->shape[out->rank++] = 1;
		else
			status = item_shape(item, in[0]->shape[axis++], out);
	}
	if (status == VF_OK && (lists > 1 || (lists && indices)))
		return (vf_status)ORACLE_TOO_LARGE;
	return status;
}

int subscript_rule(RULE_ARGS)
{
	for (int k = 0, axis = 0, r = 0; k < ask->call->nitem; k++) {
		const oracle_item *item = &ask->call->items[k];
		switch (item->kind) {
		case ORACLE_NEW: r++; break;
		case ORACLE_INDEX: from[axis++] = item->start; break;
		case ORACLE_LIST_ITEM: from[axis++] = item->list[index[r++]]; break;
		default: from[axis++] = item->start + index[r++] * item->step; break;
		}
	}
	return 0;
}

/* ---- parts of one axis ------------------------------------------------------- */

/* After its shape function each of these is: along axis i[0], from i[1], every i[2]. */
int part_rule(const oracle_ask *ask, const int64_t *index, int64_t *from)
{
	memcpy(from, index, (size_t)ask->in[0]->rank * sizeof *from);
	int64_t axis = ask->call->i[0];
	from[axis] = ask->call->i[1] + index[axis] * ask->call->i[2];
	return 0;
}

static vf_status part_shape(oracle_call *call, int64_t first, int64_t step, int64_t count,
                            const oracle_array *in, oracle_array *out)
{
	oracle_copy_shape(out, in);
	out->shape[call->i[0]] = count;
	call->i[1] = first;
	call->i[2] = step;
	return VF_OK;
}

/* The C function vf_slice: axis, and one item that says where. */
vf_status slice_shape(SHAPE_ARGS)
{
	int64_t first, step, count;
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	vf_status status = oracle_slice(in[0]->shape[call->i[0]], &call->items[0], &first, &step, &count);
	return status == VF_OK ? part_shape(call, first, step, count, in[0], out) : status;
}
/* i: axis, start, length. PyTorch counts a negative start from the end. */
vf_status narrow_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	int64_t extent = in[0]->shape[call->i[0]], start = call->i[1], length = call->i[2];
	if (start < -extent || start > extent)
		return VF_ERR_BOUNDS;
	out->tolerate |= start < 0;
	if (start < 0)
		start += extent;
	if (length < 0)
		return VF_ERR_ARGUMENT;
	if (length > extent - start)
		return VF_ERR_BOUNDS;
	return part_shape(call, start, 1, length, in[0], out);
}
/* Axis `axis` goes away. */
static vf_status drop_axis(oracle_call *call, int64_t at, const oracle_array *in, oracle_array *out)
{
	int64_t extent = in->shape[call->i[0]];
	if (at < -extent || at >= extent)
		return VF_ERR_BOUNDS;
	call->i[1] = at < 0 ? at + extent : at;
	for (int k = 0; k < in->rank; k++)
		if (k != call->i[0])
			out->shape[out->rank++] = in->shape[k];
	return VF_OK;
}
int dropped_rule(const oracle_ask *ask, const int64_t *index, int64_t *from)
{
	for (int k = 0, r = 0; k < ask->in[0]->rank; k++)
		from[k] = k == ask->call->i[0] ? ask->call->i[1] : index[r++];
	return 0;
}

vf_status select_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	return drop_axis(call, call->i[1], in[0], out);
}
vf_status unbind_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	return drop_axis(call, call->part, in[0], out);
}
/* i[0]: axis; v: indices. */
vf_status take_shape(SHAPE_ARGS)
{
	int rank = in[0]->rank;
	if (oracle_axis(rank ? rank : 1, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (rank == 0 && call->n != 1)
		return VF_ERR_SHAPE;
	int64_t extent = rank ? in[0]->shape[call->i[0]] : 1;
	for (int k = 0; k < call->n; k++) {
		if (call->v[k] < -extent || call->v[k] >= extent)
			return VF_ERR_BOUNDS;
		if (call->v[k] < 0)
			call->v[k] += extent;
	}
	oracle_copy_shape(out, in[0]);
	if (rank)
		out->shape[call->i[0]] = call->n;
	return VF_OK;
}
int take_rule(RULE_ARGS)
{
	memcpy(from, index, (size_t)ask->in[0]->rank * sizeof *from);
	int64_t axis = ask->call->i[0];
	if (ask->in[0]->rank)
		from[axis] = ask->call->v[index[axis]];
	return 0;
}

/* ---- lists of parts ------------------------------------------------------------ */

static vf_status which_part(int64_t *part, int64_t parts)
{
	if (*part < -parts || *part >= parts)
		return VF_ERR_BOUNDS;
	if (*part < 0)
		*part += parts;
	return VF_OK;
}

/* Pieces of `size`, the last one smaller. No elements make one piece of none. */
static vf_status pieces(oracle_call *call, int64_t size, const oracle_array *in, oracle_array *out)
{
	int64_t extent = in->shape[call->i[0]];
	if (size < 0 || (size == 0 && extent > 0))
		return VF_ERR_ARGUMENT;
	int64_t parts = extent == 0 ? 1 : (extent - 1) / size + 1;
	if (which_part(&call->part, parts) != VF_OK)
		return VF_ERR_BOUNDS;
	int64_t first = extent == 0 ? 0 : call->part * size, left = extent - first;
	return part_shape(call, first, 1, left < size ? left : size, in, out);
}

vf_status split_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (call->by_size)
		return pieces(call, call->i[1], in[0], out);
	int64_t sum = 0, first = 0;
	for (int k = 0; k < call->n; k++) {
		if (call->v[k] < 0)
			return VF_ERR_ARGUMENT;
		if (__builtin_add_overflow(sum, call->v[k], &sum))
			return VF_ERR_OVERFLOW;
	}
	if (sum != in[0]->shape[call->i[0]])
		return VF_ERR_SHAPE;
	if (which_part(&call->part, call->n) != VF_OK)
		return VF_ERR_BOUNDS;
	for (int k = 0; k < call->part; k++)
		first += call->v[k];
	return part_shape(call, first, 1, call->v[call->part], in[0], out);
}
/* More parts than anyone wants: the library may have a limit, as its answer is a list of them. */
static const int64_t MANY_PARTS = 1 << 16;

/* i: axis, chunks. torch.chunk: pieces of ceil(extent / chunks). Of an axis without elements
 * PyTorch makes as many pieces as were asked for. */
vf_status chunk_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	int64_t extent = in[0]->shape[call->i[0]], chunks = call->i[1];
	if (chunks <= 0)
		return VF_ERR_ARGUMENT;
	out->tolerate |= chunks > MANY_PARTS;
	if (extent == 0) {
		if (which_part(&call->part, chunks) != VF_OK)
			return VF_ERR_BOUNDS;
		return part_shape(call, 0, 1, 0, in[0], out);
	}
	return pieces(call, (extent - 1) / chunks + 1, in[0], out);
}
/* Pieces between the places v, which are cut off as Python's slices are. */
static vf_status split_at_places(oracle_call *call, const oracle_array *in, oracle_array *out)
{
	oracle_item s = {.start = 0, .stop = VF_NONE, .step = VF_NONE};
	int64_t first, step, count;
	if (which_part(&call->part, call->n + 1) != VF_OK)
		return VF_ERR_BOUNDS;
	if (call->part > 0)
		s.start = call->v[call->part - 1];
	if (call->part < call->n)
		s.stop = call->v[call->part];
	oracle_slice(in->shape[call->i[0]], &s, &first, &step, &count);
	return part_shape(call, first, 1, count, in, out);
}

/* i: axis, sections. numpy.array_split: the first extent % sections pieces have one more. */
vf_status tensor_split_shape(SHAPE_ARGS)
{
	if (oracle_axis(in[0]->rank, &call->i[0]) != VF_OK)
		return VF_ERR_AXIS;
	if (!call->by_size)
		return split_at_places(call, in[0], out);
	int64_t extent = in[0]->shape[call->i[0]], sections = call->i[1];
	if (sections <= 0)
		return VF_ERR_ARGUMENT;
	out->tolerate |= sections > MANY_PARTS;
	if (which_part(&call->part, sections) != VF_OK)
		return VF_ERR_BOUNDS;
	int64_t size = extent / sections, more = extent % sections, p = call->part;
	return part_shape(call, p * size + (p < more ? p : more), 1, size + (p < more), in[0], out);
}
