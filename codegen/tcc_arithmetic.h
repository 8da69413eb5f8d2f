/* tcc_arithmetic.h -- 64-bit arithmetic on 32-bit machines.
 *
 * libtcc calls functions where such a machine has no instruction: shifts, divisions. On ARM the functions
 * that clear and copy a struct have names of their own, too. The compiler that builds viewfold has the same
 * functions in its own library. On 64-bit machines there are none.
 */
#pragma once

typedef struct vf_tcc_function {
	const char *name;
	const void *address;
} vf_tcc_function;

/* Ends with a NULL name. */
extern const vf_tcc_function vf_tcc_arithmetic[];
