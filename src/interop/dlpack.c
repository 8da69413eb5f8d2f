/* dlpack.c -- arrays from DLPack tensors, and the way back.
 *
 * In     a tensor in host memory; or any array
 * Out    a leaf over that memory; or a tensor that shares the array's memory, or owns a copy
 * Keeps  every element's address where memory is shared: neither way moves a byte
 * Tests  tests/unit/test_dlpack.c, tests/py/test_interop.py
 */
#include "viewfold_dlpack.h"

#include "graph/array.h"

#include <string.h>

/* ---- element types ---- */

/* One row a type. A code and a number of bits that stand in no row are opaque. */
static const struct {
	vf_dtype dtype;
	uint8_t code, bits;
} types[] = {
    {VF_BOOL, kDLBool, 8},  {VF_U8, kDLUInt, 8},      {VF_I8, kDLInt, 8},         {VF_U16, kDLUInt, 16},
    {VF_I16, kDLInt, 16},   {VF_U32, kDLUInt, 32},    {VF_I32, kDLInt, 32},       {VF_U64, kDLUInt, 64},
    {VF_I64, kDLInt, 64},   {VF_F16, kDLFloat, 16},   {VF_BF16, kDLBfloat, 16},   {VF_F32, kDLFloat, 32},
    {VF_F64, kDLFloat, 64}, {VF_C64, kDLComplex, 64}, {VF_C128, kDLComplex, 128},
};
enum { NTYPES = sizeof types / sizeof *types };

/* 0 where an element is no whole number of bytes. */
static vf_dtype dtype_of_tensor(DLDataType type)
{
	if (type.bits == 0 || type.bits % 8 != 0 || type.lanes == 0)
		return 0;
	for (int i = 0; i < NTYPES; i++)
		if (types[i].code == type.code && types[i].bits == type.bits)
			return types[i].dtype;
	return VF_OPAQUE(type.bits / 8);
}

static DLDataType type_of_array(const vf_array *a)
{
	for (int i = 0; i < NTYPES; i++)
		if (types[i].dtype == a->dtype)
			return (DLDataType){types[i].code, types[i].bits, 1};
	return (DLDataType){kDLUInt, 8, (uint16_t)a->elem_bytes};
}

/* ---- from a tensor ---- */

static bool on_host(DLDeviceType device)
{
	return device == kDLCPU || device == kDLCUDAHost || device == kDLROCMHost;
}

static bool check_tensor(vf_context *ctx, const DLTensor *t)
{
	vf_status status = VF_OK;
	if (!on_host(t->device.device_type))
		status = vf_fail(
		    ctx, VF_ERR_ARGUMENT,
		    "from_dlpack: device %d:%d is not the host's memory; copy the array to the CPU first",
		    (int)t->device.device_type, (int)t->device.device_id);
	else if (t->ndim < 0 || t->ndim > VF_MAX_RANK)
		status = vf_fail(ctx, VF_ERR_LIMIT, "from_dlpack: rank %d is not between 0 and %d",
		                 (int)t->ndim, VF_MAX_RANK);
	else if (t->ndim > 0 && !t->shape)
		status = vf_fail(ctx, VF_ERR_ARGUMENT, "from_dlpack: shape is NULL but the rank is %d",
		                 (int)t->ndim);
	else if (dtype_of_tensor(t->dtype) == 0)
		status = vf_fail(ctx, VF_ERR_DTYPE,
		                 "from_dlpack: elements of %d lanes of %d bits (code %d) are no whole bytes",
		                 (int)t->dtype.lanes, (int)t->dtype.bits, (int)t->dtype.code);
	else if (t->byte_offset > (uint64_t)INT64_MAX)
		status = vf_fail(ctx, VF_ERR_OVERFLOW, "from_dlpack: an offset of %llu bytes",
		                 (unsigned long long)t->byte_offset);
	return status == VF_OK;
}

typedef struct extents {
	int rank;
	int64_t shape[VF_MAX_RANK + 1], strides[VF_MAX_RANK + 1];
} extents;

/* Shape and strides of a checked tensor, lanes as a last axis. */
static bool read_extents(vf_context *ctx, const DLTensor *t, extents *e)
{
	int64_t lanes = t->dtype.lanes;
	e->rank = (int)t->ndim;
	if (e->rank > 0)
		memcpy(e->shape, t->shape, (size_t)e->rank * sizeof *e->shape);
	if (t->strides)
		memcpy(e->strides, t->strides, (size_t)e->rank * sizeof *e->strides);
	else
		vf_c_strides(e->rank, e->shape, e->strides);
	if (lanes == 1)
		return true;
	for (int i = 0; i < e->rank; i++)
		if (!vf_product_fits(e->strides[i], lanes, &e->strides[i])) {
			vf_fail(ctx, VF_ERR_OVERFLOW, "from_dlpack: the stride of axis %d times %lld lanes",
			        i, (long long)lanes);
			return false;
		}
	e->shape[e->rank] = lanes;
	e->strides[e->rank++] = 1;
	return true;
}

static vf_array *wrap_tensor(vf_context *ctx, const DLTensor *t, bool read_only)
{
	extents e;
	if (!check_tensor(ctx, t) || !read_extents(ctx, t, &e))
		return NULL;
	unsigned char *data = t->data ? (unsigned char *)t->data + t->byte_offset : NULL;
	vf_dtype dtype = dtype_of_tensor(t->dtype);
	return read_only ? vf_wrap_const(ctx, data, dtype, e.rank, e.shape, e.strides)
	                 : vf_wrap(ctx, data, dtype, e.rank, e.shape, e.strides);
}

static void delete_versioned(void *user)
{
	DLManagedTensorVersioned *tensor = user;
	if (tensor->deleter)
		tensor->deleter(tensor);
}

static void delete_unversioned(void *user)
{
	DLManagedTensor *tensor = user;
	if (tensor->deleter)
		tensor->deleter(tensor);
}

/* vf_on_release() cannot fail on a fresh leaf. */
static vf_array *own_tensor(vf_array *a, void (*fn)(void *user), void *tensor)
{
	if (a)
		vf_on_release(a, fn, tensor);
	return a;
}

vf_array *vf_from_dlpack(vf_context *ctx, DLManagedTensorVersioned *tensor)
{
	if (!ctx)
		return NULL;
	if (!tensor) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "from_dlpack: tensor is NULL");
		return NULL;
	}
	if (tensor->version.major != DLPACK_MAJOR_VERSION) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "from_dlpack: a tensor of DLPack %u.%u, not of %d",
		        (unsigned)tensor->version.major, (unsigned)tensor->version.minor,
		        DLPACK_MAJOR_VERSION);
		return NULL;
	}
	bool read_only = (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
	return own_tensor(wrap_tensor(ctx, &tensor->dl_tensor, read_only), delete_versioned, tensor);
}

vf_array *vf_from_dlpack_unversioned(vf_context *ctx, DLManagedTensor *tensor)
{
	if (!ctx)
		return NULL;
	if (!tensor) {
		vf_fail(ctx, VF_ERR_ARGUMENT, "from_dlpack: tensor is NULL");
		return NULL;
	}
	return own_tensor(wrap_tensor(ctx, &tensor->dl_tensor, false), delete_unversioned, tensor);
}

/* ---- to a tensor ---- */

enum { LINE = 64 };

/* What a tensor made here stands on. One of the two tensors is handed out. */
typedef struct holder {
	vf_array *array; /* keeps the memory, and the context, alive */
	void *copy;      /* its elements; NULL where memory is shared */
	DLManagedTensorVersioned versioned;
	DLManagedTensor unversioned;
	int64_t numbers[]; /* shape, strides */
} holder;

static void drop_holder(holder *h)
{
	vf_array *a = h->array;
	vf_dealloc(a->ctx, h->copy);
	vf_dealloc(a->ctx, h);
	vf_release(a);
}

static void drop_versioned(DLManagedTensorVersioned *self)
{
	if (self)
		drop_holder(self->manager_ctx);
}

static void drop_unversioned(DLManagedTensor *self)
{
	if (self)
		drop_holder(self->manager_ctx);
}

/* Whether `a` can be shared: plain strided over memory, or without elements. */
static bool is_shareable(const vf_array *a, int64_t *strides)
{
	return vf_map_plain(a->face, strides) && (vf_size(a) == 0 || vf_data(a));
}

static bool is_read_only(const vf_array *a)
{
	return a->read_only || (a->face->nregion > 0 && a->face->regions[0].source->read_only);
}

static bool copy_elements(holder *h, DLTensor *t, int64_t *strides)
{
	vf_array *a = h->array;
	int64_t bytes = vf_size_bytes(a);
	vf_c_strides(a->map->rank, a->map->shape, strides);
	if (bytes > INT64_MAX - LINE || !(h->copy = vf_alloc_array(a->ctx, bytes + LINE, 1)))
		return false;
	t->data = (unsigned char *)h->copy + (LINE - (uintptr_t)h->copy % LINE) % LINE;
	return vf_materialize(a, t->data, (size_t)bytes) == VF_OK;
}

/* The tensor of `a`, shared where it can be; *flags as DLPack's. */
static holder *make_holder(vf_array *a, bool always_copy, DLTensor *t, uint64_t *flags)
{
	size_t rank = (size_t)a->map->rank;
	holder *h = vf_alloc_zero(a->ctx, sizeof *h + 2 * rank * sizeof *h->numbers);
	if (!h)
		return NULL;
	int64_t *shape = h->numbers, *strides = shape + rank;
	h->array = vf_retain(a);
	memcpy(shape, a->map->shape, rank * sizeof *shape);
	*t = (DLTensor){.device = {kDLCPU, 0},
	                .ndim = (int32_t)rank,
	                .dtype = type_of_array(a),
	                .shape = shape,
	                .strides = strides};
	*flags = 0;
	if (!always_copy && is_shareable(a, strides)) {
		t->data = vf_data(a);
		*flags = is_read_only(a) ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
		return h;
	}
	*flags = DLPACK_FLAG_BITMASK_IS_COPIED;
	if (copy_elements(h, t, strides))
		return h;
	drop_holder(h);
	return NULL;
}

static DLManagedTensorVersioned *export_versioned(vf_array *a, bool always_copy)
{
	DLTensor t;
	uint64_t flags;
	holder *h = a ? make_holder(a, always_copy, &t, &flags) : NULL;
	if (!h)
		return NULL;
	h->versioned = (DLManagedTensorVersioned){.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
	                                          .manager_ctx = h,
	                                          .deleter = drop_versioned,
	                                          .flags = flags,
	                                          .dl_tensor = t};
	return &h->versioned;
}

DLManagedTensorVersioned *vf_to_dlpack(vf_array *a)
{
	return export_versioned(a, false);
}

DLManagedTensorVersioned *vf_to_dlpack_copy(vf_array *a)
{
	return export_versioned(a, true);
}

DLManagedTensor *vf_to_dlpack_unversioned(vf_array *a)
{
	DLTensor t;
	uint64_t flags;
	holder *h = a ? make_holder(a, false, &t, &flags) : NULL;
	if (!h)
		return NULL;
	if (flags & DLPACK_FLAG_BITMASK_READ_ONLY) {
		vf_fail(a->ctx, VF_ERR_WRITE,
		        "to_dlpack: the array is read-only, which DLPack before 1.0 cannot say");
		drop_holder(h);
		return NULL;
	}
	h->unversioned = (DLManagedTensor){.dl_tensor = t, .manager_ctx = h, .deleter = drop_unversioned};
	return &h->unversioned;
}
