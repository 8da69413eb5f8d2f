/* viewfold_dlpack.h -- arrays from and to other libraries, through DLPack.
 *
 * SPDX-License-Identifier: MIT
 *
 * DLPack is a struct that says where an array lies, and who is to be told when it is no longer
 * needed. NumPy, PyTorch, JAX, CuPy and others exchange arrays by it without copying. The types
 * below are those of its published layout, version 1: the same names, numbers and order of fields.
 *
 * With dlpack's own dlpack.h: include that one first, and its types are used (one older than 1.0
 * gets the types of 1.0 from here). Included after this header, it adds nothing.
 */
#ifndef VIEWFOLD_DLPACK_H
#define VIEWFOLD_DLPACK_H

#include "viewfold.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

/* ---- the layout of DLPack 0.x, which 1.x keeps -------------------------- */

#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
	kDLCPU = 1,
	kDLCUDA = 2,
	kDLCUDAHost = 3, /* pinned host memory */
	kDLOpenCL = 4,
	kDLVulkan = 7,
	kDLMetal = 8,
	kDLVPI = 9,
	kDLROCM = 10,
	kDLROCMHost = 11, /* pinned host memory */
	kDLExtDev = 12,
	kDLCUDAManaged = 13,
	kDLOneAPI = 14,
	kDLWebGPU = 15,
	kDLHexagon = 16,
	kDLMAIA = 17,
	kDLTrn = 18
} DLDeviceType;

typedef struct {
	DLDeviceType device_type;
	int32_t device_id;
} DLDevice;

typedef enum {
	kDLInt = 0U,
	kDLUInt = 1U,
	kDLFloat = 2U,
	kDLOpaqueHandle = 3U,
	kDLBfloat = 4U,
	kDLComplex = 5U, /* `bits` of both parts together */
	kDLBool = 6U,
	kDLFloat8_e3m4 = 7U,
	kDLFloat8_e4m3 = 8U,
	kDLFloat8_e4m3b11fnuz = 9U,
	kDLFloat8_e4m3fn = 10U,
	kDLFloat8_e4m3fnuz = 11U,
	kDLFloat8_e5m2 = 12U,
	kDLFloat8_e5m2fnuz = 13U,
	kDLFloat8_e8m0fnu = 14U,
	kDLFloat6_e2m3fn = 15U,
	kDLFloat6_e3m2fn = 16U,
	kDLFloat4_e2m1fn = 17U
} DLDataTypeCode;

/* An element: `lanes` numbers of `bits` bits. */
typedef struct {
	uint8_t code;
	uint8_t bits;
	uint16_t lanes;
} DLDataType;

typedef struct {
	void *data;
	DLDevice device;
	int32_t ndim;
	DLDataType dtype;
	int64_t *shape;
	int64_t *strides;     /* in elements; NULL (before 1.2): C order */
	uint64_t byte_offset; /* from `data` to the element of index (0, ..., 0) */
} DLTensor;

typedef struct DLManagedTensor {
	DLTensor dl_tensor;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensor *self); /* may be NULL */
} DLManagedTensor;

#endif

#ifndef DLPACK_MAJOR_VERSION

/* ---- what DLPack 1.0 added ---------------------------------------------- */

#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 1

#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)

typedef struct {
	uint32_t major; /* another number: another layout, of which only the deleter may be used */
	uint32_t minor;
} DLPackVersion;

typedef struct DLManagedTensorVersioned {
	DLPackVersion version;
	void *manager_ctx;
	void (*deleter)(struct DLManagedTensorVersioned *self); /* may be NULL */
	uint64_t flags;
	DLTensor dl_tensor;
} DLManagedTensorVersioned;

#endif

/* ---- from another library ----------------------------------------------- */

/* View the memory of a tensor, without copying.
 *
 * tensor   Owned by the array from then on: its deleter is called once, when nothing views the
 *          memory any more, by the thread that gives back the last view. On failure it stays
 *          the caller's. With the flag READ_ONLY, writes are refused as those to vf_wrap_const().
 * Returns  a new reference to a leaf, or NULL; the context then holds
 *          VF_ERR_ARGUMENT  a NULL, another major version, memory that is not the host's
 *          VF_ERR_DTYPE     elements that are no whole number of bytes
 *          and those of vf_wrap()
 * Types    bool, signed and unsigned integers, floats, bfloat16 and complex numbers of the sizes of
 *          vf_dtype_code; others (float8, 80-bit floats) become VF_OPAQUE(bytes). Elements of
 *          several lanes get a last axis of that extent.
 * Cost     O(rank).
 *
 * The unversioned struct is that of producers older than DLPack 1.0. */
VF_API vf_array *vf_from_dlpack(vf_context *ctx, DLManagedTensorVersioned *tensor);
VF_API vf_array *vf_from_dlpack_unversioned(vf_context *ctx, DLManagedTensor *tensor);

/* ---- to another library ------------------------------------------------- */

/* A tensor of the elements of `a`.
 *
 * Plain strided arrays over memory (see vf_data) are exported as they are, whatever the sign of
 * their strides, and share their elements; READ_ONLY is set where viewfold would not write. Others
 * (compound axes, regions, values) are materialised, and IS_COPIED is set. vf_to_dlpack_copy()
 * always materialises.
 *
 * Returns  a tensor whose deleter must be called once, by any thread; it keeps `a` alive.
 *          NULL where `a` cannot be materialised (VF_ERR_DATA, VF_ERR_MEMORY); unversioned also
 *          VF_ERR_WRITE: that struct cannot say that memory is read-only.
 * Types    VF_OPAQUE(n) becomes n lanes of 8-bit unsigned integers.
 * Cost     O(rank), or that of vf_materialize().
 * Example  f32[4,6] flip(1) gives shape (4,6), strides (6,-1), `data` at the element (0,5). */
VF_API DLManagedTensorVersioned *vf_to_dlpack(vf_array *a);
VF_API DLManagedTensorVersioned *vf_to_dlpack_copy(vf_array *a);
VF_API DLManagedTensor *vf_to_dlpack_unversioned(vf_array *a);

#ifdef __cplusplus
}
#endif

#endif
