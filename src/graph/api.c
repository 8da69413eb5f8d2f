/* api.c -- one C function an op: arguments into the row's form, nothing else.
 *
 * Functions that their form describes completely are made at the end, from ops.def.
 */
#include "graph/array.h"

#include <string.h>

static vf_array *make_one(vf_op_id id, vf_array *a, const vf_arg *args, int nargs)
{
	return vf_make(vf_op_row(id), 1, &a, args, nargs);
}

static vf_array *make_many(vf_op_id id, int n, vf_array *const *arrays, const vf_arg *args, int nargs)
{
	if (n < 1 || !arrays)
		return NULL; /* without an array there is no context to keep an error */
	return vf_make(vf_op_row(id), n, arrays, args, nargs);
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

/* Refuse counts and lists that make no sense for any op, so that rules see n >= 0. */
static bool list_ok(vf_array *a, vf_op_id id, int64_t n, const void *list)
{
	if (!a)
		return false;
	if (n >= 0 && (n == 0 || list))
		return true;
	vf_fail(a->ctx, VF_ERR_ARGUMENT,
	        n < 0 ? "%s: a list of %lld items" : "%s: a list of %lld items at NULL", vf_op_row(id)->name,
	        (long long)n);
	return false;
}

/* The same for a list of axes. More axes than any array has would not fit axis_list. */
static bool axes_ok(vf_array *a, vf_op_id id, int n, const int *list)
{
	if (!list_ok(a, id, n, list))
		return false;
	if (n <= VF_MAX_RANK)
		return true;
	vf_fail(a->ctx, VF_ERR_AXIS, "%s: %d axes for an array of rank %d", vf_op_row(id)->name, n,
	        a->map->rank);
	return false;
}

#define LIST_OR_NULL(id, n, list)                                                                            \
	if (!list_ok(a, id, n, list))                                                                        \
	return NULL

vf_array *vf_movedim(vf_array *a, int n, const int *source, const int *destination)
{
	axis_list from, to;
	if (!axes_ok(a, VF_OP_movedim, n, source) || !axes_ok(a, VF_OP_movedim, n, destination))
		return NULL;
	return make_one(VF_OP_movedim, a, (vf_arg[]){axes(n, source, &from), axes(n, destination, &to)}, 2);
}

/* No axis named: all of them. */
vf_array *vf_squeeze(vf_array *a, int n, const int *list)
{
	axis_list room;
	if (!axes_ok(a, VF_OP_squeeze, n, list))
		return NULL;
	return make_one(VF_OP_squeeze, a, (vf_arg[]){axes(n, list, &room)}, n > 0);
}

vf_array *vf_unsqueeze(vf_array *a, int axis)
{
	int64_t place = axis;
	return make_one(VF_OP_unsqueeze, a, (vf_arg[]){{.given = true, .n = 1, .ints = &place}}, 1);
}

vf_array *vf_slice(vf_array *a, int axis, int64_t start, int64_t stop, int64_t step)
{
	return make_one(VF_OP_slice, a, (vf_arg[]){an_int(axis), an_int(start), an_int(stop), an_int(step)},
	                4);
}

vf_array *vf_take(vf_array *a, int axis, int64_t n, const int64_t *indices)
{
	LIST_OR_NULL(VF_OP_index_select, n, indices);
	vf_arg list = {.given = true, .is_list = true, .n = n, .ints = indices};
	return make_one(VF_OP_index_select, a, (vf_arg[]){an_int(axis), list}, 2);
}

/* ---- lists: `expected` parts, -1 for any number up to it ---- */

static int64_t make_parts(vf_op_id id, vf_array *a, const vf_arg *args, vf_array **out)
{
	vf_array **parts = NULL;
	const vf_op *op = vf_op_row(id);
	if (!a)
		return -1;
	int64_t n = op->parts(op, a, args, &parts);
	for (int64_t i = 0; i < n && out; i++)
		out[i] = parts[i];
	for (int64_t i = 0; i < n && !out; i++)
		vf_release(parts[i]);
	vf_dealloc(a->ctx, parts);
	if (out || n <= 0)
		return n;
	vf_fail(a->ctx, VF_ERR_ARGUMENT, "%s: out is NULL, there are %lld parts", op->name, (long long)n);
	return -1;
}

static vf_status parts_status(vf_array *a, int64_t n)
{
	if (n >= 0)
		return VF_OK;
	return a ? vf_failed() : VF_ERR_ARGUMENT;
}

vf_status vf_split(vf_array *a, int n, const int64_t *sizes, int axis, vf_array **out)
{
	if (!list_ok(a, VF_OP_split, n, sizes))
		return parts_status(a, -1);
	return parts_status(a, make_parts(VF_OP_split, a, (vf_arg[]){ints(n, sizes), an_int(axis)}, out));
}

int vf_chunk(vf_array *a, int chunks, int axis, vf_array **out)
{
	return (int)make_parts(VF_OP_chunk, a, (vf_arg[]){an_int(chunks), an_int(axis)}, out);
}

vf_status vf_tensor_split(vf_array *a, int sections, int axis, vf_array **out)
{
	int64_t n = sections;
	vf_arg where = {.given = true, .n = 1, .ints = &n};
	return parts_status(a, make_parts(VF_OP_tensor_split, a, (vf_arg[]){where, an_int(axis)}, out));
}

vf_status vf_unbind(vf_array *a, int axis, vf_array **out)
{
	return parts_status(a, make_parts(VF_OP_unbind, a, (vf_arg[]){an_int(axis)}, out));
}

/* ---- reversals ---- */

vf_array *vf_rot90(vf_array *a, int k, int axis0, int axis1)
{
	int64_t plane[] = {axis0, axis1};
	return make_one(VF_OP_rot90, a, (vf_arg[]){an_int(k), ints(2, plane)}, 2);
}

vf_array *vf_roll(vf_array *a, int n_shifts, const int64_t *shifts, int n, const int *list)
{
	axis_list room;
	LIST_OR_NULL(VF_OP_roll, n_shifts, shifts);
	if (!axes_ok(a, VF_OP_roll, n, list))
		return NULL;
	return make_one(VF_OP_roll, a, (vf_arg[]){ints(n_shifts, shifts), axes(n, list, &room)},
	                n > 0 ? 2 : 1);
}

/* ---- reshapes ---- */

vf_array *vf_unflatten(vf_array *a, int axis, int n, const int64_t *sizes)
{
	LIST_OR_NULL(VF_OP_unflatten, n, sizes);
	return make_one(VF_OP_unflatten, a, (vf_arg[]){an_int(axis), ints(n, sizes)}, 2);
}

vf_array *vf_rearrange(vf_array *a, const char *pattern, int n, const char *const *names,
                       const int64_t *sizes)
{
	if (a && !pattern) {
		vf_fail(a->ctx, VF_ERR_ARGUMENT, "rearrange: the pattern is NULL");
		return NULL;
	}
	LIST_OR_NULL(VF_OP_rearrange, n, names);
	LIST_OR_NULL(VF_OP_rearrange, n, sizes);
	for (int i = 0; i < n; i++)
		if (!names[i]) {
			vf_fail(a->ctx, VF_ERR_ARGUMENT, "rearrange: name %d of %d is NULL", i, n);
			return NULL;
		}
	vf_arg args[] = {{.given = true, .text = pattern},
	                 {.given = n > 0, .n = n, .ints = sizes, .names = names}};
	return make_one(VF_OP_rearrange, a, args, 2);
}

vf_array *vf_as_strided(vf_array *a, int n, const int64_t *shape, const int64_t *strides, int64_t offset)
{
	LIST_OR_NULL(VF_OP_as_strided, n, shape);
	LIST_OR_NULL(VF_OP_as_strided, n, strides);
	return make_one(VF_OP_as_strided, a, (vf_arg[]){ints(n, shape), ints(n, strides), an_int(offset)}, 3);
}

vf_array *vf_view_dtype(vf_array *a, vf_dtype dtype)
{
	return make_one(VF_OP_view_dtype, a, (vf_arg[]){an_int(dtype)}, 1);
}

vf_array *vf_contiguous(vf_array *a)
{
	if (a && vf_is_contiguous(a))
		return vf_retain(a);
	return make_one(VF_OP_contiguous, a, NULL, 0);
}

vf_array *vf_pad(vf_array *a, int n, const int64_t *pads, vf_pad_mode mode, const void *value)
{
	LIST_OR_NULL(VF_OP_pad, n, pads);
	bool zero = true;
	for (int64_t i = 0; value && i < a->elem_bytes; i++)
		zero = zero && ((const unsigned char *)value)[i] == 0;
	if (zero)
		value = NULL;
	if (value && a->elem_bytes > 16) {
		vf_fail(a->ctx, VF_ERR_DTYPE, "pad: elements of %lld bytes can only be zero",
		        (long long)a->elem_bytes);
		return NULL;
	}
	vf_arg fill = {.given = value != NULL};
	if (value)
		memcpy(fill.value, value, (size_t)a->elem_bytes);
	return make_one(VF_OP_pad, a, (vf_arg[]){ints(n, pads), an_int(mode), fill}, 3);
}

/* ---- element functions ---- */

vf_array *vf_to(vf_array *a, vf_dtype dtype)
{
	return make_one(VF_OP_to, a, (vf_arg[]){an_int(dtype)}, 1);
}

/* A double as an argument for elements of `a`: an integer if they are integers. Then VF_ERR_DTYPE and false
 * if the double is not whole. */
static bool number_for(const vf_array *a, vf_op_id id, double value, vf_arg *arg)
{
	bool whole = value >= -0x1p63 && value < 0x1p63 && (double)(int64_t)value == value;
	char name[16];
	*arg = (vf_arg){.given = true, .number = {.kind = VF_NUMBER_FLOAT, .re = value}};
	if (vf_dtype_is_float(a->dtype) || id == VF_OP_div || id == VF_OP_rdiv)
		return true;
	if (!whole) {
		vf_fail(a->ctx, VF_ERR_DTYPE,
		        "%s: %g is no number for elements of %s; convert them with vf_to()",
		        vf_op_row(id)->name, value, vf_dtype_name(a->dtype, name, sizeof name));
		return false;
	}
	arg->number = (vf_number){.kind = VF_NUMBER_INT, .i = (int64_t)value};
	return true;
}

static vf_array *make_with_number(vf_op_id id, vf_array *a, double value)
{
	vf_arg arg;
	return a && number_for(a, id, value, &arg) ? make_one(id, a, &arg, 1) : NULL;
}

static vf_array *make_with_array(vf_op_id id, vf_array *a, vf_array *b)
{
	if (!a || !b)
		return NULL;
	vf_arg arg = {.given = true, .is_list = true};
	return vf_make(vf_op_row(id), 2, (vf_array *[]){a, b}, &arg, 1);
}

vf_array *vf_clamp(vf_array *a, const double *low, const double *high)
{
	vf_arg args[2] = {{0}};
	if (!a || (low && !number_for(a, VF_OP_clamp, *low, &args[0])) ||
	    (high && !number_for(a, VF_OP_clamp, *high, &args[1])))
		return NULL;
	return make_one(VF_OP_clamp, a, args, 2);
}

/* ---- those of ops.def ---- */

static vf_array *make_axes(vf_op_id id, vf_array *a, int n, const int *list)
{
	axis_list room;
	if (!axes_ok(a, id, n, list))
		return NULL;
	return make_one(id, a, (vf_arg[]){axes(n, list, &room)}, 1);
}

static vf_array *make_ints(vf_op_id id, vf_array *a, int n, const int64_t *numbers)
{
	LIST_OR_NULL(id, n, numbers);
	return make_one(id, a, (vf_arg[]){ints(n, numbers)}, 1);
}

#define MAKE(id, n, ...) return make_one(VF_OP_##id, a, (vf_arg[]){__VA_ARGS__}, n)
/* clang-format off */
#define FORM_OWN(id)
#define FORM_NONE(id) \
	vf_array *vf_##id(vf_array *a) { return make_one(VF_OP_##id, a, NULL, 0); }
#define FORM_AXES(id) \
	vf_array *vf_##id(vf_array *a, int n, const int *list) { return make_axes(VF_OP_##id, a, n, list); }
#define FORM_INTS(id) \
	vf_array *vf_##id(vf_array *a, int n, const int64_t *numbers) \
	{ \
		return make_ints(VF_OP_##id, a, n, numbers); \
	}
#define FORM_INT(id) \
	vf_array *vf_##id(vf_array *a, int64_t x) { MAKE(id, 1, an_int(x)); }
#define FORM_AXIS_AXIS(id) \
	vf_array *vf_##id(vf_array *a, int x, int y) { MAKE(id, 2, an_int(x), an_int(y)); }
#define FORM_AXIS_INT(id) \
	vf_array *vf_##id(vf_array *a, int x, int64_t y) { MAKE(id, 2, an_int(x), an_int(y)); }
#define FORM_INT_AXIS(id) \
	vf_array *vf_##id(vf_array *a, int64_t x, int y) { MAKE(id, 2, an_int(x), an_int(y)); }
#define FORM_AXIS_INT_INT(id) \
	vf_array *vf_##id(vf_array *a, int x, int64_t y, int64_t z) \
	{ \
		MAKE(id, 3, an_int(x), an_int(y), an_int(z)); \
	}
#define FORM_INT_AXIS_AXIS(id) \
	vf_array *vf_##id(vf_array *a, int64_t x, int y, int z) \
	{ \
		MAKE(id, 3, an_int(x), an_int(y), an_int(z)); \
	}
#define JOIN_NONE(id) \
	vf_array *vf_##id(int n, vf_array *const *arrays) \
	{ \
		return make_many(VF_OP_##id, n, arrays, NULL, 0); \
	}
#define JOIN_AXIS(id) \
	vf_array *vf_##id(int n, vf_array *const *arrays, int axis) \
	{ \
		return make_many(VF_OP_##id, n, arrays, (vf_arg[]){an_int(axis)}, 1); \
	}
#define FORM_OTHER(id) \
	vf_array *vf_##id(vf_array *a, vf_array *b) { return make_with_array(VF_OP_##id, a, b); } \
	vf_array *vf_##id##_number(vf_array *a, double value) \
	{ \
		return make_with_number(VF_OP_##id, a, value); \
	}
/* clang-format on */
#define OP(id, form, ...) FORM_##form(id)
#define ELEMENT_OP OP
#define LIST_OP OP
#define JOIN_OP(id, form, ...) JOIN_##form(id)
#include "graph/ops.def"
