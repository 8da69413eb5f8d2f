/* tcc_host.c -- libc as libtcc is to see it; tcc_host.h says why. */
#include "codegen/tcc_host.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifndef VF_TCC_RELOCATE_PTR
#define VF_TCC_RELOCATE_PTR 0
#endif

jmp_buf *vf_tcc_way_out;

int vf_tcc_mprotect(void *address, size_t bytes, int protection)
{
	if (VF_TCC_RELOCATE_PTR)
		return 0;
	if (protection & PROT_EXEC)
		protection &= ~PROT_WRITE;
	return mprotect(address, bytes, protection);
}

_Noreturn void vf_tcc_exit(int code)
{
	(void)code;
	if (vf_tcc_way_out)
		longjmp(*vf_tcc_way_out, 1);
	abort();
}
