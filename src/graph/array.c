/* array.c -- leaves, and what an array says of itself. */
#include "graph/array.h"

#include "map/work.h"

#include <stdio.h>
#include <string.h>

/* ---- leaves ---- */

static bool check_leaf(vf_context *ctx, const char *op, vf_dtype dtype, int rank, const int64_t *shape)
{
	if (rank < 0 || rank > VF_MAX_RANK) {
		vf_fail(ctx, VF_ERR_LIMIT, "%s: rank %d is not between 0 and %d", op, rank, VF_MAX_RANK);
		return false;
	}
	if (vf_dtype_bytes(dtype) == 0) {
		vf_fail(ctx, VF_ERR_DTYPE, "%s: %d is no element type", op, (int)dtype);
		return false;
	}
	if (rank > 0 && !shape) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "%s: shape is NULL but the rank is %d", op, rank);
		return false;
	}
	for (int i = 0; i < rank; i++)
		if (shape[i] < 0) {
			vf_fail(ctx, VF_ERR_SHAPE, "%s: axis %d has the negative extent %lld", op, i,
			        (long long)shape[i]);
			return false;
		}
	return true;
}

/* Lowest and highest element that strides reach from index 0; false beyond int64_t. */
static bool stride_reach(int rank, const int64_t *shape, const int64_t *strides, int64_t *low, int64_t *high)
{
	*low = *high = 0;
	for (int i = 0; i < rank; i++) {
		if (shape[i] < 2)
			continue;
		if (strides[i] == INT64_MIN ||
		    !vf_mul_add(strides[i] < 0 ? low : high, shape[i] - 1, strides[i]))
			return false;
	}
	return true;
}

/* How the elements of a leaf lie in its storage. */
typedef struct layout {
	int rank;
	const int64_t *shape, *strides;
} layout;

/* Elements, storage bytes and origin of a leaf; false after VF_ERR_OVERFLOW. */
static bool measure_leaf(vf_context *ctx, const char *op, const vf_array *a, layout l, vf_storage *storage)
{
	int64_t size, low = 0, high = -1, bytes, count;
	bool fits = vf_count(l.rank, l.shape, &size);
	fits = fits && vf_product_fits(size, a->elem_bytes, &bytes);
	if (fits && size > 0)
		fits = stride_reach(l.rank, l.shape, l.strides, &low, &high) &&
		       vf_difference_fits(high, low, &count) && vf_sum_fits(count, 1, &count) &&
		       vf_product_fits(count, a->elem_bytes, &storage->bytes);
	if (!fits || low < -(INT64_MAX / a->elem_bytes)) {
		vf_fail(ctx, VF_ERR_OVERFLOW, "%s: an array of rank %d reaches beyond %lld bytes", op, l.rank,
		        (long long)INT64_MAX);
		return false;
	}
	storage->origin_bytes = -low * a->elem_bytes;
	return true;
}

static bool map_leaf(vf_array *a, layout l, int64_t offset, const vf_storage *storage,
                     const unsigned char *fill)
{
	vf_arena arena;
	vf_arena_room room;
	vf_work w;
	vf_arena_init_in(&arena, a->ctx, &room);
	work_init(&w, &arena);
	work_plain(&w, &(work_strided){l.rank, l.shape, l.strides, offset}, storage, fill);
	a->map = a->face = work_finish(&w);
	vf_arena_drop(&arena);
	if (!a->map)
		return false;
	a->base = a->map->nregion ? NULL : a->own;
	vf_node_hold_sources(a);
	return true;
}

/* Without strides the leaf is in C order. */
static vf_array *make_leaf(vf_context *ctx, const char *op, vf_storage_kind kind, void *data, vf_dtype dtype,
                           layout l)
{
	int64_t c_strides[VF_MAX_RANK];
	if (!ctx || !check_leaf(ctx, op, dtype, l.rank, l.shape))
		return NULL;
	vf_array *a = vf_node_create(ctx, dtype, &(vf_origin){0});
	if (!a)
		return NULL;
	if (!l.strides) {
		vf_c_strides(l.rank, l.shape, c_strides);
		l.strides = c_strides;
	}
	a->own = vf_alloc_zero(ctx, sizeof *a->own);
	if (!a->own || !measure_leaf(ctx, op, a, l, a->own) ||
	    !map_leaf(a, l, a->own->origin_bytes / a->elem_bytes, a->own, NULL)) {
		vf_release(a);
		return NULL;
	}
	a->own->kind = kind;
	a->own->below = a;
	if (kind == VF_STORAGE_MEMORY && !data && a->own->bytes > 0) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "%s: data is NULL but the array has %lld elements", op,
		        (long long)a->map->size);
		vf_release(a);
		return NULL;
	}
	if (data)
		a->own->data = (unsigned char *)data - a->own->origin_bytes;
	return a;
}

vf_array *vf_wrap(vf_context *ctx, void *data, vf_dtype dtype, int rank, const int64_t *shape,
                  const int64_t *strides)
{
	return make_leaf(ctx, "wrap", VF_STORAGE_MEMORY, data, dtype, (layout){rank, shape, strides});
}

vf_array *vf_wrap_const(vf_context *ctx, const void *data, vf_dtype dtype, int rank, const int64_t *shape,
                        const int64_t *strides)
{
	/* Storage keeps one pointer type; read_only is what keeps writes away from it. */
	vf_array *a = make_leaf(ctx, "wrap_const", VF_STORAGE_MEMORY, (void *)(uintptr_t)data, dtype,
	                        (layout){rank, shape, strides});
	if (a)
		a->own->read_only = true;
	return a;
}

vf_array *vf_declare(vf_context *ctx, vf_dtype dtype, int rank, const int64_t *shape, const int64_t *strides)
{
	return make_leaf(ctx, "declare", VF_STORAGE_DECLARED, NULL, dtype, (layout){rank, shape, strides});
}

vf_array *vf_full(vf_context *ctx, vf_dtype dtype, int rank, const int64_t *shape, const void *value)
{
	unsigned char fill[16] = {0};
	int64_t size, bytes = vf_dtype_bytes(dtype);
	if (!ctx || !check_leaf(ctx, "full", dtype, rank, shape))
		return NULL;
	if (!vf_count(rank, shape, &size) || !vf_product_fits(size, bytes, &size)) {
		vf_fail(ctx, VF_ERR_OVERFLOW, "full: an array of rank %d has more than %lld bytes", rank,
		        (long long)INT64_MAX);
		return NULL;
	}
	if (value && bytes > 16) {
		vf_fail(ctx, VF_ERR_DTYPE, "full: elements of %lld bytes can only be zero", (long long)bytes);
		return NULL;
	}
	if (value)
		memcpy(fill, value, (size_t)bytes);
	vf_array *a = vf_node_create(ctx, dtype, &(vf_origin){0});
	if (a && !map_leaf(a, (layout){rank, shape, NULL}, 0, NULL, fill)) {
		vf_release(a);
		return NULL;
	}
	return a;
}

vf_status vf_on_release(vf_array *a, void (*fn)(void *user), void *user)
{
	if (!a)
		return VF_ERR_ARGUMENT;
	if (a->op || !a->own)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "on_release: the array is no leaf with a storage");
	if (a->own->release)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "on_release: the storage has a function already");
	a->own->release = fn;
	a->own->release_user = user;
	return VF_OK;
}

vf_status vf_set_name(vf_array *a, const char *name)
{
	if (!a)
		return VF_ERR_ARGUMENT;
	if (a->op || !name)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "set_name: %s",
		               name ? "the array is no leaf" : "name is NULL");
	if (a->name)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "set_name: the leaf has a name already, '%.40s'",
		               a->name);
	size_t bytes = strlen(name) + 1;
	if (!(a->name = vf_alloc(a->ctx, bytes)))
		return VF_ERR_MEMORY;
	memcpy(a->name, name, bytes);
	return VF_OK;
}

/* ---- what an array says of itself ---- */

vf_context *vf_context_of(const vf_array *a)
{
	return a ? a->ctx : NULL;
}

vf_dtype vf_dtype_of(const vf_array *a)
{
	return a ? a->dtype : 0;
}

int vf_rank(const vf_array *a)
{
	return a ? a->map->rank : 0;
}

const int64_t *vf_shape(const vf_array *a)
{
	return a ? a->map->shape : NULL;
}

int64_t vf_size(const vf_array *a)
{
	return a ? a->map->size : 0;
}

int64_t vf_size_bytes(const vf_array *a)
{
	return a ? a->map->size * a->elem_bytes : 0;
}

/* The digits of one compound axis, for a sentence: "extents (6,4), strides (1,6)". */
static void describe_axis(const vf_region *r, int axis, char *buffer, size_t size)
{
	size_t used = 0;
	for (int field = 0; field < 2; field++) {
		const char *separator = field ? ", strides (" : "extents (";
		for (int k = 0; k < r->ndigit && used < size; k++) {
			const vf_digit *d = &r->digits[k];
			if (d->axis != axis)
				continue;
			used += (size_t)snprintf(buffer + used, size - used, "%s%lld", separator,
			                         (long long)(field ? d->stride : d->extent));
			separator = ",";
		}
		if (used < size)
			used += (size_t)snprintf(buffer + used, size - used, ")");
	}
}

vf_status vf_strides(const vf_array *a, int64_t *strides, int64_t *offset)
{
	int64_t found[VF_MAX_RANK];
	if (!a)
		return VF_ERR_ARGUMENT;
	if (!strides && a->face->rank)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "strides: strides is NULL but the rank is %d",
		               a->face->rank);
	if (!vf_map_plain(a->face, found)) {
		char digits[200];
		int axis = vf_map_compound(a->face);
		if (axis < 0 && a->face->nregion == 1)
			return vf_fail(a->ctx, VF_ERR_VIEW,
			               "strides: the array lies in memory as no one set of strides can say");
		if (axis < 0)
			return vf_fail(a->ctx, VF_ERR_VIEW,
			               "strides: the array is %d regions, no one set of strides",
			               a->face->nregion);
		describe_axis(&a->face->regions[0], axis, digits, sizeof digits);
		return vf_fail(a->ctx, VF_ERR_VIEW, "strides: axis %d is compound, %s", axis, digits);
	}
	if (a->face->rank)
		memcpy(strides, found, (size_t)a->face->rank * sizeof *strides);
	if (offset)
		*offset = a->face->nregion ? a->face->regions[0].offset : 0;
	return VF_OK;
}

bool vf_is_contiguous(const vf_array *a)
{
	return a && vf_map_is_in_c_order(a->face);
}

void *vf_data(const vf_array *a)
{
	if (!a || !vf_map_plain(a->face, NULL) || a->face->nregion == 0)
		return NULL;
	const vf_region *r = a->face->regions;
	return r->source->kind == VF_STORAGE_MEMORY ? r->source->data + r->offset * a->elem_bytes : NULL;
}
