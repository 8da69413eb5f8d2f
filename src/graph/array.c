/* array.c -- nodes: leaves, references, what an array says of itself. */
#include "graph/memo.h"

#include "map/work.h"

#include <stdio.h>
#include <string.h>

/* ---- nodes ---- */

vf_array *vf_node_create(vf_context *ctx, vf_dtype dtype, const vf_op *op, int nparent,
                         vf_array *const *parents, const vf_arg *args, int narg)
{
	vf_array *a = vf_alloc_zero(ctx, sizeof *a);
	if (!a)
		return NULL;
	atomic_init(&a->refs, 1);
	a->ctx = vf_context_retain(ctx);
	a->dtype = dtype;
	a->elem_bytes = vf_dtype_bytes(dtype);
	a->op = op;
	a->parents = nparent ? vf_alloc_array(ctx, nparent, sizeof *a->parents) : NULL;
	a->args = narg ? vf_copy_args(ctx, args, narg) : NULL;
	a->narg = a->args ? narg : 0;
	if ((nparent && !a->parents) || (narg && !a->args)) {
		vf_release(a);
		return NULL;
	}
	a->nparent = nparent;
	for (int i = 0; i < nparent; i++)
		a->parents[i] = vf_retain(parents[i]);
	return a;
}

vf_array *vf_retain(vf_array *a)
{
	if (a)
		atomic_fetch_add_explicit(&a->refs, 1, memory_order_relaxed);
	return a;
}

/* Give one reference back; a node without any is put on the list of the dead. */
static void let_go(vf_array *a, vf_array **dead)
{
	if (a && atomic_fetch_sub_explicit(&a->refs, 1, memory_order_acq_rel) == 1) {
		a->next_dead = *dead;
		*dead = a;
	}
}

static void free_node(vf_array *a, vf_array **dead)
{
	vf_context *ctx = a->ctx;
	for (int i = 0; i < a->nparent; i++)
		let_go(a->parents[i], dead);
	for (int i = 0; i < a->ncut; i++) {
		let_go(a->cuts[i]->below, dead);
		vf_dealloc(ctx, a->cuts[i]);
	}
	let_go(atomic_load_explicit(&a->chain, memory_order_acquire), dead);
	vf_memo_release(ctx, a->memo);
	vf_ready_drop(ctx, atomic_load_explicit(&a->ready, memory_order_acquire));
	if (a->face != a->map)
		vf_map_drop(ctx, a->face);
	vf_map_drop(ctx, a->map);
	if (a->own && a->own->release)
		a->own->release(a->own->release_user);
	vf_dealloc(ctx, a->own);
	vf_dealloc(ctx, a->name);
	vf_dealloc(ctx, a->cuts);
	vf_dealloc(ctx, a->cut_reason);
	vf_dealloc(ctx, a->parents);
	vf_dealloc(ctx, a->args);
	vf_dealloc(ctx, a);
	vf_context_release(ctx);
}

/* By a list rather than by recursion: a chain may be longer than the stack is deep. */
void vf_release(vf_array *a)
{
	vf_array *dead = NULL;
	let_go(a, &dead);
	while (dead) {
		vf_array *node = dead;
		dead = node->next_dead;
		free_node(node, &dead);
	}
}

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
		if (strides[i] == INT64_MIN || !vf_mul_add(strides[i] < 0 ? low : high, shape[i] - 1, strides[i]))
			return false;
	}
	return true;
}

/* Elements, storage bytes and origin of a leaf; false after VF_ERR_OVERFLOW. */
static bool measure_leaf(vf_context *ctx, const char *op, const vf_array *a, int rank, const int64_t *shape,
                         const int64_t *strides, vf_storage *storage)
{
	int64_t size, low = 0, high = -1, bytes, count;
	bool fits = vf_count(rank, shape, &size);
	fits = fits && vf_mul(size, a->elem_bytes, &bytes);
	if (fits && size > 0)
		fits = stride_reach(rank, shape, strides, &low, &high) && vf_sub(high, low, &count) &&
		       vf_add(count, 1, &count) && vf_mul(count, a->elem_bytes, &storage->bytes);
	if (!fits || low < -(INT64_MAX / a->elem_bytes)) {
		vf_fail(ctx, VF_ERR_OVERFLOW, "%s: an array of rank %d reaches beyond %lld bytes", op, rank,
		        (long long)INT64_MAX);
		return false;
	}
	storage->origin_bytes = -low * a->elem_bytes;
	return true;
}

static bool map_leaf(vf_array *a, int rank, const int64_t *shape, const int64_t *strides, int64_t offset,
                     const vf_storage *storage, const unsigned char *fill)
{
	vf_arena arena;
	vf_arena_room room;
	vf_work w;
	vf_arena_init_in(&arena, a->ctx, &room);
	work_init(&w, &arena);
	work_plain(&w, rank, shape, strides, offset, storage, fill);
	a->map = a->face = work_finish(&w);
	vf_arena_drop(&arena);
	return a->map != NULL;
}

static vf_array *make_leaf(vf_context *ctx, const char *op, vf_storage_kind kind, void *data, vf_dtype dtype,
                           int rank, const int64_t *shape, const int64_t *strides)
{
	int64_t c_strides[VF_MAX_RANK];
	if (!ctx || !check_leaf(ctx, op, dtype, rank, shape))
		return NULL;
	vf_array *a = vf_node_create(ctx, dtype, NULL, 0, NULL, NULL, 0);
	if (!a)
		return NULL;
	if (!strides) {
		vf_c_strides(rank, shape, c_strides);
		strides = c_strides;
	}
	a->own = vf_alloc_zero(ctx, sizeof *a->own);
	if (!a->own || !measure_leaf(ctx, op, a, rank, shape, strides, a->own) ||
	    !map_leaf(a, rank, shape, strides, a->own->origin_bytes / a->elem_bytes, a->own, NULL)) {
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
	return make_leaf(ctx, "wrap", VF_STORAGE_MEMORY, data, dtype, rank, shape, strides);
}

vf_array *vf_wrap_const(vf_context *ctx, const void *data, vf_dtype dtype, int rank, const int64_t *shape,
                        const int64_t *strides)
{
	/* Storage keeps one pointer type; read_only is what keeps writes away from it. */
	vf_array *a = make_leaf(ctx, "wrap_const", VF_STORAGE_MEMORY, (void *)(uintptr_t)data, dtype, rank, shape,
	                        strides);
	if (a)
		a->own->read_only = true;
	return a;
}

vf_array *vf_declare(vf_context *ctx, vf_dtype dtype, int rank, const int64_t *shape, const int64_t *strides)
{
	return make_leaf(ctx, "declare", VF_STORAGE_DECLARED, NULL, dtype, rank, shape, strides);
}

vf_array *vf_full(vf_context *ctx, vf_dtype dtype, int rank, const int64_t *shape, const void *value)
{
	unsigned char fill[16] = {0};
	int64_t size, bytes = vf_dtype_bytes(dtype);
	if (!ctx || !check_leaf(ctx, "full", dtype, rank, shape))
		return NULL;
	if (!vf_count(rank, shape, &size) || !vf_mul(size, bytes, &size)) {
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
	vf_array *a = vf_node_create(ctx, dtype, NULL, 0, NULL, NULL, 0);
	if (a && !map_leaf(a, rank, shape, NULL, 0, NULL, fill)) {
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
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "set_name: %s", name ? "the array is no leaf" : "name is NULL");
	if (a->name)
		return vf_fail(a->ctx, VF_ERR_ARGUMENT, "set_name: the leaf has a name already, '%.40s'", a->name);
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
	int64_t found[VF_MAX_RANK], start;
	int axis;
	if (!a)
		return VF_ERR_ARGUMENT;
	if (!vf_map_plain(a->face, found, &start, &axis)) {
		char digits[200];
		if (axis < 0)
			return vf_fail(a->ctx, VF_ERR_VIEW, "strides: the array is %d regions, no one set of strides",
			               a->face->nregion);
		describe_axis(&a->face->regions[0], axis, digits, sizeof digits);
		return vf_fail(a->ctx, VF_ERR_VIEW, "strides: axis %d is compound, %s", axis, digits);
	}
	if (a->face->rank)
		memcpy(strides, found, (size_t)a->face->rank * sizeof *strides);
	if (offset)
		*offset = start;
	return VF_OK;
}

bool vf_is_contiguous(const vf_array *a)
{
	int64_t strides[VF_MAX_RANK], expected[VF_MAX_RANK], offset;
	int axis;
	if (!a || !vf_map_plain(a->face, strides, &offset, &axis))
		return false;
	vf_c_strides(a->face->rank, a->face->shape, expected);
	for (int i = 0; i < a->face->rank && a->face->size > 0; i++)
		if (a->face->shape[i] > 1 && strides[i] != expected[i])
			return false;
	return true;
}

void *vf_data(const vf_array *a)
{
	int64_t strides[VF_MAX_RANK], offset;
	int axis;
	if (!a || !vf_map_plain(a->face, strides, &offset, &axis) || a->face->nregion == 0)
		return NULL;
	const vf_storage *s = a->face->regions[0].source;
	return s->kind == VF_STORAGE_MEMORY ? s->data + offset * a->elem_bytes : NULL;
}
