/* api.c -- one C function an op: arguments into the row's form, nothing else. */
#include "graph/array.h"

#include <string.h>

static vf_array *make_one(const char *name, vf_array *a, const vf_arg *args, int nargs)
{
	return vf_make(vf_op_find(name, strlen(name)), 1, &a, args, nargs);
}

static vf_array *make_many(const char *name, int n, vf_array *const *arrays, const vf_arg *args, int nargs)
{
	if (n < 1 || !arrays)
		return NULL; /* without an array there is no context to keep an error */
	return vf_make(vf_op_find(name, strlen(name)), n, arrays, args, nargs);
}

static vf_arg an_int(int64_t value)
{
	return (vf_arg){.given = true, .i = value};
}

static vf_arg ints(int n, const int64_t *numbers)
{
	return (vf_arg){.given = true, .is_list = true, .n = n, .ints = numbers};
}

/* Axes come as int; the rows have int64_t. */
typedef struct axis_list {
	int64_t numbers[VF_MAX_RANK];
} axis_list;

static vf_arg axes(int n, const int *list, axis_list *room)
{
	for (int i = 0; i < n; i++)
		room->numbers[i] = list[i];
	return (vf_arg){.given = true, .is_list = true, .n = n, .ints = room->numbers};
}

/* Counts and lists that make no sense whatever the op: refused here, so that rules see n >= 0. */
static bool list_ok(vf_array *a, const char *name, int64_t n, const void *list)
{
	if (!a)
		return false;
	if (n >= 0 && (n == 0 || list))
		return true;
	vf_fail(a->ctx, VF_ERR_ARGUMENT, n < 0 ? "%s: a list of %lld items" : "%s: a list of %lld items at NULL", name,
	        (long long)n);
	return false;
}

/* A list of axes: more than any array has would not fit axis_list. */
static bool axes_ok(vf_array *a, const char *name, int n, const int *list)
{
	if (!list_ok(a, name, n, list))
		return false;
	if (n <= VF_MAX_RANK)
		return true;
	vf_fail(a->ctx, VF_ERR_AXIS, "%s: %d axes for an array of rank %d", name, n, a->map->rank);
	return false;
}

#define LIST_OR_NULL(name, n, list)                                                                                    \
	if (!list_ok(a, name, n, list))                                                                                    \
	return NULL

vf_array *vf_permute(vf_array *a, int n, const int *dims)
{
	axis_list room;
	if (!axes_ok(a, "permute", n, dims))
		return NULL;
	return make_one("permute", a, (vf_arg[]){axes(n, dims, &room)}, 1);
}

vf_array *vf_transpose(vf_array *a, int axis0, int axis1)
{
	return make_one("transpose", a, (vf_arg[]){an_int(axis0), an_int(axis1)}, 2);
}

vf_array *vf_T(vf_array *a)
{
	return make_one("T", a, NULL, 0);
}

vf_array *vf_mT(vf_array *a)
{
	return make_one("mT", a, NULL, 0);
}

vf_array *vf_t(vf_array *a)
{
	return make_one("t", a, NULL, 0);
}

vf_array *vf_movedim(vf_array *a, int n, const int *source, const int *destination)
{
	axis_list from, to;
	if (!axes_ok(a, "movedim", n, source) || !axes_ok(a, "movedim", n, destination))
		return NULL;
	return make_one("movedim", a, (vf_arg[]){axes(n, source, &from), axes(n, destination, &to)}, 2);
}

vf_array *vf_squeeze(vf_array *a, int n, const int *list)
{
	axis_list room;
	if (!axes_ok(a, "squeeze", n, list))
		return NULL;
	return make_one("squeeze", a, (vf_arg[]){axes(n, list, &room)}, n > 0);
}

vf_array *vf_unsqueeze(vf_array *a, int axis)
{
	int64_t place = axis;
	return make_one("unsqueeze", a, (vf_arg[]){{.given = true, .n = 1, .ints = &place}}, 1);
}

vf_array *vf_slice(vf_array *a, int axis, int64_t start, int64_t stop, int64_t step)
{
	return make_one("slice", a, (vf_arg[]){an_int(axis), an_int(start), an_int(stop), an_int(step)}, 4);
}

vf_array *vf_narrow(vf_array *a, int axis, int64_t start, int64_t length)
{
	return make_one("narrow", a, (vf_arg[]){an_int(axis), an_int(start), an_int(length)}, 3);
}

vf_array *vf_select(vf_array *a, int axis, int64_t index)
{
	return make_one("select", a, (vf_arg[]){an_int(axis), an_int(index)}, 2);
}

vf_array *vf_take(vf_array *a, int axis, int64_t n, const int64_t *indices)
{
	LIST_OR_NULL("index_select", n, indices);
	vf_arg list = {.given = true, .is_list = true, .n = n, .ints = indices};
	return make_one("index_select", a, (vf_arg[]){an_int(axis), list}, 2);
}

/* ---- lists: `expected` parts, -1 for any number up to it ---- */

static int64_t make_parts(const char *name, vf_array *a, const vf_arg *args, vf_array **out)
{
	vf_array **parts = NULL;
	const vf_op *op = vf_op_find(name, strlen(name));
	if (!a)
		return -1;
	int64_t n = op->parts(op, a, args, &parts);
	for (int64_t i = 0; i < n; i++)
		out[i] = parts[i];
	vf_dealloc(a->ctx, parts);
	return n;
}

static vf_status parts_status(vf_array *a, int64_t n)
{
	if (n >= 0)
		return VF_OK;
	return a ? vf_failed() : VF_ERR_ARGUMENT;
}

vf_status vf_split(vf_array *a, int n, const int64_t *sizes, int axis, vf_array **out)
{
	if (!list_ok(a, "split", n, sizes))
		return parts_status(a, -1);
	return parts_status(a, make_parts("split", a, (vf_arg[]){ints(n, sizes), an_int(axis)}, out));
}

int vf_chunk(vf_array *a, int chunks, int axis, vf_array **out)
{
	return (int)make_parts("chunk", a, (vf_arg[]){an_int(chunks), an_int(axis)}, out);
}

vf_status vf_tensor_split(vf_array *a, int sections, int axis, vf_array **out)
{
	int64_t n = sections;
	vf_arg where = {.given = true, .n = 1, .ints = &n};
	return parts_status(a, make_parts("tensor_split", a, (vf_arg[]){where, an_int(axis)}, out));
}

vf_status vf_unbind(vf_array *a, int axis, vf_array **out)
{
	return parts_status(a, make_parts("unbind", a, (vf_arg[]){an_int(axis)}, out));
}

/* ---- reversals ---- */

vf_array *vf_flip(vf_array *a, int n, const int *list)
{
	axis_list room;
	if (!axes_ok(a, "flip", n, list))
		return NULL;
	return make_one("flip", a, (vf_arg[]){axes(n, list, &room)}, 1);
}

vf_array *vf_fliplr(vf_array *a)
{
	return make_one("fliplr", a, NULL, 0);
}

vf_array *vf_flipud(vf_array *a)
{
	return make_one("flipud", a, NULL, 0);
}

vf_array *vf_rot90(vf_array *a, int k, int axis0, int axis1)
{
	int64_t plane[] = {axis0, axis1};
	return make_one("rot90", a, (vf_arg[]){an_int(k), ints(2, plane)}, 2);
}

vf_array *vf_roll(vf_array *a, int n_shifts, const int64_t *shifts, int n, const int *list)
{
	axis_list room;
	LIST_OR_NULL("roll", n_shifts, shifts);
	if (!axes_ok(a, "roll", n, list))
		return NULL;
	return make_one("roll", a, (vf_arg[]){ints(n_shifts, shifts), axes(n, list, &room)}, n > 0 ? 2 : 1);
}

/* ---- repeats ---- */

static vf_array *make_ints(const char *name, vf_array *a, int n, const int64_t *numbers)
{
	LIST_OR_NULL(name, n, numbers);
	return make_one(name, a, (vf_arg[]){ints(n, numbers)}, 1);
}

vf_array *vf_expand(vf_array *a, int n, const int64_t *shape)
{
	return make_ints("expand", a, n, shape);
}

vf_array *vf_broadcast_to(vf_array *a, int n, const int64_t *shape)
{
	return make_ints("broadcast_to", a, n, shape);
}

vf_array *vf_tile(vf_array *a, int n, const int64_t *counts)
{
	return make_ints("tile", a, n, counts);
}

vf_array *vf_repeat(vf_array *a, int n, const int64_t *counts)
{
	return make_ints("repeat", a, n, counts);
}

vf_array *vf_repeat_interleave(vf_array *a, int64_t count, int axis)
{
	return make_one("repeat_interleave", a, (vf_arg[]){an_int(count), an_int(axis)}, 2);
}

vf_array *vf_diagonal(vf_array *a, int64_t offset, int axis0, int axis1)
{
	return make_one("diagonal", a, (vf_arg[]){an_int(offset), an_int(axis0), an_int(axis1)}, 3);
}

vf_array *vf_unfold(vf_array *a, int axis, int64_t size, int64_t step)
{
	return make_one("unfold", a, (vf_arg[]){an_int(axis), an_int(size), an_int(step)}, 3);
}

/* ---- reshapes ---- */

vf_array *vf_reshape(vf_array *a, int n, const int64_t *shape)
{
	return make_ints("reshape", a, n, shape);
}

vf_array *vf_view(vf_array *a, int n, const int64_t *shape)
{
	return make_ints("view", a, n, shape);
}

vf_array *vf_flatten(vf_array *a, int first, int last)
{
	return make_one("flatten", a, (vf_arg[]){an_int(first), an_int(last)}, 2);
}

vf_array *vf_ravel(vf_array *a)
{
	return make_one("ravel", a, NULL, 0);
}

vf_array *vf_unflatten(vf_array *a, int axis, int n, const int64_t *sizes)
{
	LIST_OR_NULL("unflatten", n, sizes);
	return make_one("unflatten", a, (vf_arg[]){an_int(axis), ints(n, sizes)}, 2);
}

vf_array *vf_pixel_shuffle(vf_array *a, int64_t r)
{
	return make_one("pixel_shuffle", a, (vf_arg[]){an_int(r)}, 1);
}

vf_array *vf_pixel_unshuffle(vf_array *a, int64_t r)
{
	return make_one("pixel_unshuffle", a, (vf_arg[]){an_int(r)}, 1);
}

vf_array *vf_rearrange(vf_array *a, const char *pattern, int n, const char *const *names, const int64_t *sizes)
{
	if (a && !pattern) {
		vf_fail(a->ctx, VF_ERR_ARGUMENT, "rearrange: the pattern is NULL");
		return NULL;
	}
	LIST_OR_NULL("rearrange", n, names);
	LIST_OR_NULL("rearrange", n, sizes);
	vf_arg args[] = {{.given = true, .text = pattern}, {.given = n > 0, .n = n, .ints = sizes, .names = names}};
	return make_one("rearrange", a, args, 2);
}

vf_array *vf_as_strided(vf_array *a, int n, const int64_t *shape, const int64_t *strides, int64_t offset)
{
	LIST_OR_NULL("as_strided", n, shape);
	LIST_OR_NULL("as_strided", n, strides);
	return make_one("as_strided", a, (vf_arg[]){ints(n, shape), ints(n, strides), an_int(offset)}, 3);
}

vf_array *vf_view_dtype(vf_array *a, vf_dtype dtype)
{
	return make_one("view_dtype", a, (vf_arg[]){an_int(dtype)}, 1);
}

vf_array *vf_real(vf_array *a)
{
	return make_one("real", a, NULL, 0);
}

vf_array *vf_imag(vf_array *a)
{
	return make_one("imag", a, NULL, 0);
}

vf_array *vf_view_as_real(vf_array *a)
{
	return make_one("view_as_real", a, NULL, 0);
}

vf_array *vf_view_as_complex(vf_array *a)
{
	return make_one("view_as_complex", a, NULL, 0);
}

vf_array *vf_contiguous(vf_array *a)
{
	if (a && vf_is_contiguous(a))
		return vf_retain(a);
	return make_one("contiguous", a, NULL, 0);
}

/* ---- several sources ---- */

vf_array *vf_cat(int n, vf_array *const *arrays, int axis)
{
	return make_many("cat", n, arrays, (vf_arg[]){an_int(axis)}, 1);
}

vf_array *vf_stack(int n, vf_array *const *arrays, int axis)
{
	return make_many("stack", n, arrays, (vf_arg[]){an_int(axis)}, 1);
}

vf_array *vf_hstack(int n, vf_array *const *arrays)
{
	return make_many("hstack", n, arrays, NULL, 0);
}

vf_array *vf_vstack(int n, vf_array *const *arrays)
{
	return make_many("vstack", n, arrays, NULL, 0);
}

vf_array *vf_pad(vf_array *a, int n, const int64_t *pads, vf_pad_mode mode, const void *value)
{
	LIST_OR_NULL("pad", n, pads);
	bool zero = true;
	for (int64_t i = 0; value && i < a->elem_bytes; i++)
		zero = zero && ((const unsigned char *)value)[i] == 0;
	if (zero)
		value = NULL;
	if (value && a->elem_bytes > 16) {
		vf_fail(a->ctx, VF_ERR_DTYPE, "pad: elements of %lld bytes can only be zero", (long long)a->elem_bytes);
		return NULL;
	}
	vf_arg fill = {.given = value != NULL};
	if (value)
		memcpy(fill.value, value, (size_t)a->elem_bytes);
	return make_one("pad", a, (vf_arg[]){ints(n, pads), an_int(mode), fill}, 3);
}
