/* tcc_arithmetic.c -- the table of tcc_arithmetic.h. */
#include "codegen/tcc_arithmetic.h"

#include <stddef.h>

/* Only their addresses are of interest here, so they are declared as bytes. */
/* clang-format off */
#if defined(__i386__)
#define FUNCTIONS(X) \
	X(__divdi3) X(__moddi3) X(__udivdi3) X(__umoddi3) X(__muldi3) X(__ashldi3) X(__ashrdi3) X(__lshrdi3)
#elif defined(__arm__)
#define FUNCTIONS(X) \
	X(__aeabi_idiv) X(__aeabi_uidiv) X(__aeabi_idivmod) X(__aeabi_uidivmod) X(__aeabi_ldivmod) \
	X(__aeabi_uldivmod) X(__aeabi_lmul) X(__aeabi_llsl) X(__aeabi_llsr) X(__aeabi_lasr) \
	X(__aeabi_memcpy) X(__aeabi_memcpy4) X(__aeabi_memcpy8) X(__aeabi_memmove) X(__aeabi_memmove4) \
	X(__aeabi_memmove8) X(__aeabi_memset)
#else
#define FUNCTIONS(X)
#endif
/* clang-format on */

#define DECLARE(name) extern const char name[];
#define ROW(name) {#name, name},

FUNCTIONS(DECLARE)

const vf_tcc_function vf_tcc_arithmetic[] = {FUNCTIONS(ROW){NULL, NULL}};
