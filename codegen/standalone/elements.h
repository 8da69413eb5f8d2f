#include <stdint.h>
#include <string.h>

/* Elements anywhere. */
#define VF_ANYWHERE __attribute__((aligned(1), may_alias))
typedef unsigned char vf_u8 VF_ANYWHERE;
typedef signed char vf_i8 VF_ANYWHERE;
typedef unsigned short vf_u16 VF_ANYWHERE;
typedef short vf_i16 VF_ANYWHERE;
typedef unsigned int vf_u32 VF_ANYWHERE;
typedef int vf_i32 VF_ANYWHERE;
typedef unsigned long long vf_u64 VF_ANYWHERE;
typedef long long vf_i64 VF_ANYWHERE;
typedef float vf_f32 VF_ANYWHERE;
typedef double vf_f64 VF_ANYWHERE;
#ifdef __clang__
#pragma clang fp contract(off)
#elif defined __GNUC__ && !defined __cplusplus
#pragma GCC optimize("fp-contract=off")
#endif
#define VF_ELEMENT static inline __attribute__((always_inline, unused))

VF_ELEMENT float vf_float_of(unsigned int bits)
{
	float f;
	memcpy(&f, &bits, 4);
	return f;
}

VF_ELEMENT unsigned int vf_bits_of(float f)
{
	unsigned int bits;
	memcpy(&bits, &f, 4);
	return bits;
}

VF_ELEMENT double vf_double_of(unsigned long long bits)
{
	double d;
	memcpy(&d, &bits, 8);
	return d;
}
