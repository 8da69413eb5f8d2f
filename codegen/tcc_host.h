/* tcc_host.h -- what libtcc gets in place of two functions of libc.
 *
 * The build renames libtcc's references to mprotect and exit (codegen/libtcc/isolate.cmake) to the
 * two below. libtcc makes the pages it relocates to writable *and* executable, and ends the
 * process where it runs out of memory; a library may do neither.
 */
#ifndef VF_CODEGEN_TCC_HOST_H
#define VF_CODEGEN_TCC_HOST_H

#include <setjmp.h>
#include <stddef.h>

/* Protection is set once, by jit.c, after libtcc is done; newer libtcc, which owns its pages, gets
 * what it asks for less the right to write. */
int vf_tcc_mprotect(void *address, size_t bytes, int protection);

/* Leaves by the jump that is set; without one there is no way back, and it aborts. */
_Noreturn void vf_tcc_exit(int code);

/* Where vf_tcc_exit goes to, for the compile that holds jit.c's lock; NULL outside of it. */
extern jmp_buf *vf_tcc_way_out;

#endif
