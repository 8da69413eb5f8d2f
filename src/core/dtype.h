/* dtype.h -- element types, inside the library. */
#pragma once

#include "core/context.h"
#include "core/element.h"

/* The real type of a complex one (VF_F32 of VF_C64), 0 for others; and the way back. */
vf_dtype vf_dtype_part(vf_dtype dtype);
vf_dtype vf_dtype_complex(vf_dtype part);

/* is_float: f16, bf16, f32, f64. is_integer: i8, i16, i32, i64, u8, u16, u32, u64. */
bool vf_dtype_is_float(vf_dtype dtype);
bool vf_dtype_is_integer(vf_dtype dtype);

/* A dtype by name: "u8", "uint8", "torch.uint8", "np.float32", "bytes12", ... 0 if none. */
vf_dtype vf_dtype_parse(const char *name, size_t length);

/* Whether `name` is one of the space-separated `names`. */
bool vf_name_in(const char *names, const char *name, size_t length);

/* A number as an expression writes it. */
typedef enum vf_number_kind {
	VF_NUMBER_INT,
	VF_NUMBER_UINT, /* an integer above INT64_MAX: no extent or index, but a value of u64 */
	VF_NUMBER_FLOAT,
	VF_NUMBER_BOOL
} vf_number_kind;
typedef struct vf_number {
	vf_number_kind kind;
	int64_t i;     /* INT; UINT: the bits of a uint64_t; BOOL: 0 or 1 */
	double re, im; /* FLOAT */
	bool is_complex;
	vf_dtype dtype; /* np.int64(3): its own, as an array's; 0: it has none */
} vf_number;

/* Any real number as a double. */
double vf_number_real(const vf_number *number);

/* One element of `dtype`, as numpy.full(..., number, dtype) would hold it. VF_ERR_DTYPE (false)
 * where it does not fit: 300 or 1.5 in a u8, a complex number in an f32, anything but 0 in
 * opaque elements. */
bool vf_number_to_element(vf_context *ctx, const vf_number *number, vf_dtype dtype, unsigned char out[16]);
